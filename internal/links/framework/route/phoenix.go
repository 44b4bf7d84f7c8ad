package route

import (
	"bytes"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/phoenix"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Routed are the routes of the routers of Phoenix: use DemoWeb, :router, or use
// Phoenix.Router.
func (p *Prefixes) Routed(r *rules.Rule) (all []edge.Link, err error) {
	if !p.f.Has(r.In) {
		return nil, nil
	}
	drawn := map[corpus.FileID]bool{}
	for _, word := range r.Names {
		var failed error
		err := p.f.Corpus.Mentions(word, func(id corpus.FileID, at uint32) bool {
			if drawn[id] || p.f.Corpus.Family(id) != r.In {
				return !p.f.Late()
			}
			text, err := p.f.Text(id)
			if err != nil {
				failed = err
				return false
			}
			head := bytes.TrimSpace(text[written.LineStart(text, int(at)):at])
			if bytes.HasPrefix(head, []byte("use ")) && (bytes.HasSuffix(head, []byte(":")) || bytes.HasSuffix(head, []byte("Phoenix."))) {
				drawn[id] = true
				all = append(all, p.phoenix(r, id, text)...)
			}
			return !p.f.Late()
		})
		if failed != nil {
			return nil, failed
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (p *Prefixes) phoenix(r *rules.Rule, id corpus.FileID, text []byte) (all []edge.Link) {
	for _, one := range phoenix.Routes(text) {
		l := edge.Link{
			Kind: edge.Route, Key: strings.TrimLeft(one.Verb+" "+one.Path, " "), Role: edge.Handles, By: r.By[0].Name, Line: int(p.f.File(id).Line(uint32(one.At))),
			At: corpus.Ref{File: id, Index: int32(p.f.File(id).Enclosing(uint32(one.At)))}, To: corpus.Ref{File: id, Index: facts.None},
		}
		if one.Filled {
			l.Confidence = facts.Likely
		}
		to, isAction := p.answering(one.Module, one.Action)
		switch {
		case to.Index == facts.None:
			l.Reason = strings.TrimSuffix("handled by "+one.Module+"."+one.Action, ".") + ", which no file declares"
		case one.Action != "" && !isAction:
			l.To, l.Reason, l.Confidence = to, "the module of "+one.Action+", which it does not declare", max(l.Confidence, facts.Likely)
		default:
			l.To = to
		}
		all = append(all, l)
	}
	return all
}

// answering is the function of a module, or the module where it declares no such.
func (p *Prefixes) answering(module, action string) (to corpus.Ref, isAction bool) {
	for _, d := range p.f.Find(module) {
		if !p.f.Symbol(d).Kind.IsType() {
			continue
		}
		if action == "" {
			return d, true
		}
		if all := p.f.Members(d, action); len(all) > 0 {
			return all[0], true
		}
		return d, false
	}
	return corpus.Ref{Index: facts.None}, false
}
