package framework

import (
	"regexp"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Methods of HTTP, as routes are written.
var methods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"}

// routes are the keys of one path: with its methods, and with what comes before it.
func (f *finder) routes(s *site, p string, confidence facts.Confidence) (all []key) {
	verbs, p := f.verbs(s, p)
	if s.rule.shape == called && !strings.HasPrefix(p, "/") && p != "" && p != "*" && s.rule.in != corpus.Python {
		return nil // a path of an object that is none of the framework
	}
	for _, prefix := range f.prefixes.of(s) {
		for _, v := range verbs {
			text := join(prefix, p)
			if v != "" {
				text = v + " " + text
			}
			all = append(all, key{text, confidence})
		}
	}
	return all
}

// join joins the parts of a path of HTTP.
func join(prefix, p string) string {
	p = strings.TrimPrefix(p, "^")
	if prefix == "" && strings.HasPrefix(p, "/") {
		return p
	}
	joined := "/" + strings.Trim(prefix, "/")
	if rest := strings.TrimPrefix(p, "/"); rest != "" {
		joined = strings.TrimSuffix(joined, "/") + "/" + rest
	}
	return joined
}

// verbs are the methods that a route answers, "" for any, and its path without
// them.
func (f *finder) verbs(s *site, p string) ([]string, string) {
	switch s.rule.verb {
	case nameVerb:
		name := strings.ToUpper(s.name)
		for _, m := range methods {
			if strings.HasPrefix(name, m) || strings.HasSuffix(name, m) {
				return []string{m}, p
			}
		}
	case verbInKey:
		if v, rest, ok := strings.Cut(p, " "); ok && slices.Contains(methods, v) {
			return []string{v}, strings.TrimLeft(rest, " ")
		}
		return chained(s), p
	case listVerb:
		if arg, ok := written.At(s.list, written.Position{Index: written.ByName, Name: "methods|method"}); ok {
			if all := methodsIn(arg.Text); len(all) > 0 {
				return all, p
			}
		}
		return chained(s), p
	}
	return []string{""}, p
}

var methodsCall = regexp.MustCompile(`^\s*\.\s*Methods\(([^)]*)\)`)

// chained are the methods of a call behind a route: .Methods("GET", "POST").
func chained(s *site) []string {
	m := methodsCall.FindSubmatch(s.text[s.end:min(len(s.text), s.end+300)])
	if m != nil {
		if all := methodsIn(string(m[1])); len(all) > 0 {
			return all
		}
	}
	return []string{""}
}

// methodsIn are the methods of HTTP that a text names.
func methodsIn(s string) (all []string) {
	s = strings.ToUpper(s)
	for _, m := range methods {
		if strings.Contains(s, m) {
			all = append(all, m)
		}
	}
	return all
}

// prefixes are the paths that stand before those of routes.
type prefixes struct {
	f       *finder
	objects map[corpus.Ref][]string    // of a router, by the symbol that holds it
	files   map[corpus.FileID][]string // of all routes of a file, as include of Django
	spans   map[corpus.FileID][]span   // of the routes that a call holds
	types   map[corpus.Ref]string      // of a class whose methods answer
}

type span struct {
	from, to int
	prefix   string
}

// gather finds the prefixes of all frameworks.
func (f *finder) gather() (*prefixes, error) {
	p := &prefixes{f, map[corpus.Ref][]string{}, map[corpus.FileID][]string{}, map[corpus.FileID][]span{}, map[corpus.Ref]string{}}
	for i := range mounts {
		m := &mounts[i]
		if err := f.each(&m.rule, func(s *site) { p.add(m, s) }); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *prefixes) add(m *mount, s *site) {
	arg, ok := written.At(s.list, m.key)
	if !ok {
		return
	}
	all := written.Literals(arg.Text)
	if len(all) == 0 {
		return
	}
	prefix := all[0]
	switch m.how {
	case ofType:
		if d, ok := p.f.markedAt(s.file, s.at); ok && p.f.Symbol(d).Kind.IsType() {
			p.types[d] = prefix
		}
	case ofSpan:
		p.spans[s.file] = append(p.spans[s.file], span{s.at, s.end, prefix})
	case ofResult:
		if d, ok := p.assignedTo(s); ok {
			p.objects[d] = append(p.objects[d], joinAll(p.receiver(s), prefix)...)
		}
	case ofArgument:
		if arg, ok := written.At(s.list, m.handler); ok {
			for _, d := range p.named(s, arg) {
				p.objects[d] = append(p.objects[d], prefix)
			}
		}
	case ofFile:
		p.include(m, s, prefix)
	}
}

var included = regexp.MustCompile(`^include\(\s*["']([\w.]+)["']`)

// include puts a prefix before the routes of a module of Django.
func (p *prefixes) include(m *mount, s *site, prefix string) {
	arg, ok := written.At(s.list, m.handler)
	if !ok {
		return
	}
	name := included.FindStringSubmatch(arg.Text)
	if name == nil {
		return
	}
	rel := strings.ReplaceAll(name[1], ".", "/") + ".py"
	for id := range p.f.Corpus.NumFiles() {
		if endsIn(p.f.Corpus.Path(corpus.FileID(id)), rel) {
			p.files[corpus.FileID(id)] = append(p.files[corpus.FileID(id)], prefix)
		}
	}
}

// assignedTo is the variable that what a call gives is assigned to.
func (p *prefixes) assignedTo(s *site) (corpus.Ref, bool) {
	start := written.LineStart(s.text, s.at)
	file := p.f.File(s.file)
	for i := file.SymbolsFrom(uint32(start)); i < file.NumSymbols(); i++ {
		if sym := p.f.Symbol(corpus.Ref{File: s.file, Index: int32(i)}); int(sym.At) >= start && int(sym.At) < s.at {
			return corpus.Ref{File: s.file, Index: int32(i)}, true
		} else if int(sym.At) > s.at {
			break
		}
	}
	return corpus.Ref{}, false
}

// named are the symbols that an argument names.
func (p *prefixes) named(s *site, a written.Argument) (all []corpus.Ref) {
	uses := p.f.usesIn(s.file, a)
	if len(uses) == 0 {
		return nil
	}
	for _, m := range p.f.Define(s.file, uses[len(uses)-1]) {
		all = append(all, m.Ref)
	}
	return all
}

// receiver are the prefixes of the router that a site is called on.
func (p *prefixes) receiver(s *site) []string {
	if s.chain == "" {
		return nil
	}
	u := p.f.File(s.file).UseAt(uint32(s.at - 1 - len(written.LastOf(s.chain))))
	if u == facts.None {
		return nil
	}
	var all []string
	for _, m := range p.f.Define(s.file, u) {
		all = append(all, p.objects[m.Ref]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// of are the prefixes of a site, "" where there is none.
func (p *prefixes) of(s *site) []string {
	all := p.receiver(s)
	if s.rule.shape == marking {
		if d, ok := p.f.markedAt(s.file, s.at); ok {
			for at := d.Index; at != facts.None; at = p.f.Symbol(corpus.Ref{File: s.file, Index: at}).Parent {
				if prefix, ok := p.types[corpus.Ref{File: s.file, Index: at}]; ok && at != d.Index {
					all = joinAll(all, prefix)
				}
			}
		}
	}
	for _, sp := range p.spans[s.file] {
		if s.at > sp.from && s.at < sp.to {
			all = joinAll(all, sp.prefix)
		}
	}
	if list := p.files[s.file]; len(list) > 0 && len(all) == 0 {
		all = list
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// joinAll puts a path behind each of some prefixes.
func joinAll(all []string, p string) []string {
	if len(all) == 0 {
		return []string{p}
	}
	joined := make([]string, len(all))
	for i, prefix := range all {
		joined[i] = join(prefix, p)
	}
	return joined
}
