package route

import (
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// place is a byte of a file.
type place struct {
	file corpus.FileID
	at   int
}

// properties puts what the properties of an object name below their names: those of
// router({ users: usersRouter, find: procedure.query(...) }) of tRPC.
func (p *Prefixes) properties(s *site.Site) {
	if len(s.List) == 0 || !strings.HasPrefix(s.List[0].Text, "{") {
		return
	}
	var holder *corpus.Ref
	if d, ok := p.assignedTo(s); ok {
		holder = &d
	}
	p.object(s, s.List[0], holder)
}

func (p *Prefixes) object(s *site.Site, object written.Argument, holder *corpus.Ref) {
	object.Name = ""
	for _, a := range written.Options([]written.Argument{object})[1:] {
		prefix := Path{Text: a.Name}
		if !written.IsChain(a.Text) {
			p.values[place{s.File, a.From}] = true
			p.spans[s.File] = append(p.spans[s.File], span{from: a.From - 1, to: a.To, prefix: prefix, use: facts.None, holder: holder})
			if strings.HasPrefix(a.Text, "{") {
				p.object(s, a, nil)
			}
			continue
		}
		// The place is within the object, so that what stands before it is that of the variable.
		p.put(p.f.Routers(s, a), mounted{s.File, a.From, facts.None, prefix})
		if holder != nil {
			p.spans[s.File] = append(p.spans[s.File], span{from: a.From - 1, to: a.To, use: facts.None, holder: holder})
		}
	}
}

// IsProcedure reports whether a site is the last call of a procedure of tRPC: of the
// value of a property, or of a variable that one names.
func (p *Prefixes) IsProcedure(s *site.Site) bool {
	at := p.beginning(s)
	if p.values[place{s.File, at}] {
		return true
	}
	d, ok := p.holder(s.File, at)
	return ok && len(p.objects[d]) > 0
}

// beginning is the byte that the calls of a site begin at.
func (p *Prefixes) beginning(s *site.Site) int {
	use := p.f.File(s.File).UseAt(uint32(s.At))
	for range maxChain {
		next := p.f.Receiver(s.File, use)
		if next == facts.None {
			break
		}
		use = next
	}
	if use == facts.None {
		return s.At
	}
	return int(p.f.Use(s.File, use).At)
}

// ofProcedure are the paths of the variable that a procedure is the value of; those of
// the value of a property are what stands round it.
func (p *Prefixes) ofProcedure(s *site.Site) []Path {
	at := p.beginning(s)
	if d, ok := p.holder(s.File, at); ok && !p.values[place{s.File, at}] {
		return p.paths(d)
	}
	return nil
}
