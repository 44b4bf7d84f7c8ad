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
	if s.rule.shape == called && !s.rule.bare && !strings.HasPrefix(p, "/") && p != "" && p != "*" {
		return nil // a path of an object that is none of the framework
	}
	prefixes := f.prefixes.of(s)
	if s.rule.in == corpus.CSharp && s.rule.shape == marking && p == "" && prefixes[0] == "" {
		if !f.isConventional() {
			return nil
		}
		p, confidence = "[controller]/[action]", facts.Likely
	}
	if rest, ok := strings.CutPrefix(p, "~/"); ok { // of ASP.NET: whatever comes before it
		p, prefixes = "/"+rest, []string{""}
	}
	for _, prefix := range prefixes {
		for _, v := range verbs {
			text := f.named(s, join(prefix, p))
			if v != "" {
				text = v + " " + text
			}
			all = append(all, key{text, confidence})
		}
	}
	return all
}

// isConventional reports whether routes of ASP.NET that are not written follow the
// names of controllers and actions.
func (f *finder) isConventional() bool {
	return slices.ContainsFunc([]string{"MapDefaultControllerRoute", "MapControllerRoute", "UseMvcWithDefaultRoute"}, func(name string) bool { return len(f.reader.Uses(name)) > 0 })
}

// named replaces what stands for names in a path of ASP.NET: [controller], [action].
func (f *finder) named(s *site, p string) string {
	if s.rule.in != corpus.CSharp || !strings.Contains(p, "[") {
		return p
	}
	d, ok := f.marked(s)
	if !ok {
		return p
	}
	method := f.Symbol(d)
	p = strings.ReplaceAll(p, "[action]", method.Name)
	if method.Parent == facts.None {
		return p
	}
	class := f.Symbol(corpus.Ref{File: d.File, Index: method.Parent}).Name
	return strings.ReplaceAll(p, "[controller]", strings.TrimSuffix(class, "Controller"))
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
	case firstVerb:
		if len(s.list) > 0 {
			return methodsIn(s.list[0].Text), p
		}
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
	marked  map[corpus.Ref]string      // of a class whose methods answer, or of a method
}

type span struct {
	from, to   int
	prefix     string
	controller []corpus.Ref // what answers routes that name a method alone
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
	if m.how == ofGroup {
		p.group(s)
		return
	}
	arg, ok := written.At(s.list, m.key)
	if !ok {
		return
	}
	all, _ := p.f.texts(s.file, arg)
	if len(all) == 0 {
		return
	}
	prefix := all[0]
	switch m.how {
	case ofType, ofMarked:
		if d, ok := p.f.marked(s); ok && (m.how == ofMarked || p.f.Symbol(d).Kind.IsType()) {
			p.marked[d] = prefix
		}
	case ofSpan:
		p.spans[s.file] = append(p.spans[s.file], span{from: s.at, to: s.end, prefix: prefix})
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

// of are the prefixes of a site, "" where there is none: those of its file, of the
// calls that hold it, of its router, of its class.
func (p *prefixes) of(s *site) []string {
	all := p.files[s.file]
	for _, sp := range p.spans[s.file] {
		if s.at > sp.from && s.at < sp.to {
			all = joinAll(all, sp.prefix)
		}
	}
	if own := p.receiver(s); len(own) > 0 {
		before := all
		all = nil
		for _, o := range own {
			all = append(all, joinAll(before, o)...)
		}
	}
	for _, prefix := range slices.Backward(p.marks(s)) {
		all = joinAll(all, prefix)
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// marks are the prefixes that a marked declaration and those round it have, the
// innermost first.
func (p *prefixes) marks(s *site) (all []string) {
	if s.rule.shape != marking {
		return nil
	}
	d, ok := p.f.marked(s)
	for ok && d.Index != facts.None {
		if prefix, ok := p.mark(d); ok {
			all = append(all, prefix)
		}
		d.Index = p.f.Symbol(d).Parent
	}
	return all
}

// mark is the prefix of a declaration, or that of the nearest type above it.
func (p *prefixes) mark(d corpus.Ref) (string, bool) {
	if prefix, ok := p.marked[d]; ok || len(p.marked) == 0 || !p.f.Symbol(d).Kind.IsType() {
		return prefix, ok
	}
	for _, above := range p.f.Supertypes(d) {
		if prefix, ok := p.marked[above.Ref]; ok {
			return prefix, true
		}
	}
	return "", false
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
