package framework

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

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
			text := f.nameTokens(s, written.JoinPath(prefix, p))
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

// nameTokens replaces what stands for names in a path of ASP.NET: [controller], [action].
func (f *finder) nameTokens(s *site, p string) string {
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

// verbs are the methods that a route answers, "" for any, and its path without
// them.
func (f *finder) verbs(s *site, p string) ([]string, string) {
	switch s.rule.verb {
	case nameVerb:
		if all := written.Methods(s.name); len(all) > 0 {
			return all[:1], p
		}
	case verbInKey:
		if v, rest, ok := strings.Cut(p, " "); ok && written.IsMethod(v) {
			return []string{v}, strings.TrimLeft(rest, " ")
		}
		return chained(s), p
	case firstVerb:
		if len(s.list) > 0 {
			return written.Methods(s.list[0].Text), p
		}
	case listVerb:
		if arg, ok := written.At(s.list, written.Position{Index: written.ByName, Name: "methods|method"}); ok {
			if all := written.Methods(arg.Text); len(all) > 0 {
				return all, p
			}
		}
		return chained(s), p
	}
	return []string{""}, p
}

var methodsCall = pattern.New(`^\s*\.\s*Methods\(([^)]*)\)`)

// chained are the methods of a call behind a route: .Methods("GET", "POST").
func chained(s *site) []string {
	m := methodsCall().FindSubmatch(s.text[s.end:min(len(s.text), s.end+300)])
	if m != nil {
		if all := written.Methods(string(m[1])); len(all) > 0 {
			return all
		}
	}
	return []string{""}
}

var clientMark = pattern.New(`@(?:FeignClient|RegisterRestClient|HttpExchange|Client)\b`)

// isClient reports whether a route is marked in an interface that a client is made of:
// its methods send requests.
func (f *finder) isClient(s *site) bool {
	if s.rule.kind != Route || s.rule.shape != marking || s.rule.in != corpus.Java {
		return false
	}
	d, ok := f.marked(s)
	if !ok || f.Symbol(d).Parent == facts.None {
		return false
	}
	class := f.Symbol(corpus.Ref{File: d.File, Index: f.Symbol(d).Parent})
	return clientMark().Match(s.text[class.Start:class.At])
}

// prefixes are the paths that stand before those of routes.
type prefixes struct {
	f       *finder
	own     map[corpus.Ref]string      // of a router, by the symbol that holds it
	objects map[corpus.Ref][]mounted   // where a router is put
	files   map[corpus.FileID][]loaded // where the routes of a file are put, as include of Django does
	spans   map[corpus.FileID][]span   // of the routes that a call holds
	marked  map[corpus.Ref]string      // of a class whose methods answer, or of a method
}

// mounted says that a router is put under a path of another, or of one of several.
type mounted struct {
	on     []corpus.Ref
	prefix string
}

// loaded says that the routes of a file are put under a path of those of another.
type loaded struct {
	by     corpus.FileID
	prefix string
}

type span struct {
	from, to   int
	prefix     string
	controller []corpus.Ref // what answers routes that name a method alone
	chained    bool         // the routes in it name no path
}

// gather finds the prefixes of all frameworks.
func (f *finder) gather() (*prefixes, error) {
	p := &prefixes{f, map[corpus.Ref]string{}, map[corpus.Ref][]mounted{}, map[corpus.FileID][]loaded{}, map[corpus.FileID][]span{}, map[corpus.Ref]string{}}
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
	prefix := ""
	if arg, ok := written.At(s.list, m.key); ok {
		if all, _ := p.f.texts(s.file, arg); len(all) > 0 {
			prefix = all[0]
		} else if m.how != ofArgument {
			return
		}
	} else if m.how != ofArgument {
		return
	}
	switch m.how {
	case ofType, ofMarked:
		if d, ok := p.f.marked(s); ok && (m.how == ofMarked || p.f.Symbol(d).Kind.IsType()) {
			p.marked[d] = prefix
		}
	case ofSpan:
		p.spans[s.file] = append(p.spans[s.file], span{from: s.at, to: s.end, prefix: prefix})
	case ofChain:
		p.spans[s.file] = append(p.spans[s.file], span{from: s.end, to: written.CallsBehind(s.text, s.end), prefix: prefix, chained: true})
	case ofBlock:
		p.spans[s.file] = append(p.spans[s.file], span{from: s.at, to: written.BlockEnd(s.text, s.end), prefix: prefix})
	case ofResult:
		if d, ok := p.assignedTo(s); ok {
			p.own[d] = prefix
			if on := p.routers(s); len(on) > 0 {
				p.objects[d] = append(p.objects[d], mounted{on, ""})
			}
		}
	case ofArgument:
		if arg, ok := written.At(s.list, m.handler); ok {
			for _, d := range p.f.named(s, arg) {
				p.objects[d] = append(p.objects[d], mounted{p.routers(s), p.within(s, nil, prefix)[0]})
			}
		}
	case ofFile:
		p.include(m, s, prefix)
	}
}

var included = pattern.New(`^include\(\s*["']([\w.]+)["']`)

// include puts a prefix before the routes of a module of Django.
func (p *prefixes) include(m *mount, s *site, prefix string) {
	arg, ok := written.At(s.list, m.handler)
	if !ok {
		return
	}
	name := included().FindStringSubmatch(arg.Text)
	if name == nil {
		return
	}
	rel := strings.ReplaceAll(name[1], ".", "/") + ".py"
	for id := range p.f.Corpus.NumFiles() {
		if endsIn(p.f.Corpus.Path(corpus.FileID(id)), rel) {
			p.files[corpus.FileID(id)] = append(p.files[corpus.FileID(id)], loaded{s.file, prefix})
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
func (f *finder) named(s *site, a written.Argument) (all []corpus.Ref) {
	uses := f.usesIn(s.file, a)
	if len(uses) == 0 {
		return nil
	}
	for _, m := range f.Define(s.file, uses[len(uses)-1]) {
		all = append(all, m.Ref)
	}
	return all
}

// routers are what a site is called on: the nearest name that is declared.
func (p *prefixes) routers(s *site) (all []corpus.Ref) {
	u := p.f.File(s.file).UseAt(uint32(s.at))
	for range maxMounts {
		if u = p.f.receiver(s.file, u); u == facts.None {
			return nil
		}
		told, _ := p.f.Tell(s.file, u)
		for _, m := range told {
			all = append(all, m.Ref)
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// chained is the span of the calls behind that of a path that hold a site, nil where
// none do.
func (p *prefixes) chained(s *site) *span {
	all := p.spans[s.file]
	if i := slices.IndexFunc(all, func(sp span) bool { return sp.chained && sp.holds(s) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Bounds of routers that are put on each other, and of the paths that this makes.
const (
	maxMounts = 8
	maxPaths  = 20
)

// paths are those of some routers; none where nothing stands before their routes.
func (p *prefixes) paths(routers []corpus.Ref, steps int) (all []string) {
	for _, r := range routers {
		own, isRouter := p.own[r]
		var before []string
		for _, m := range p.objects[r] {
			isRouter = true
			if steps > 0 {
				before = append(before, joinAll(p.paths(m.on, steps-1), m.prefix)...)
			}
		}
		if isRouter {
			all = append(all, joinAll(before, own)...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxPaths)]
}

// loads are the paths of the routes of a file.
func (p *prefixes) loads(id corpus.FileID, steps int) (all []string) {
	for _, l := range p.files[id] {
		if steps > 0 {
			all = append(all, joinAll(p.loads(l.by, steps-1), l.prefix)...)
		}
	}
	return all[:min(len(all), maxPaths)]
}

// within puts the prefixes of the calls that hold a site before a path, and other
// paths before those.
func (p *prefixes) within(s *site, before []string, path string) []string {
	for _, sp := range p.spans[s.file] {
		if !sp.chained && sp.holds(s) {
			before = joinAll(before, sp.prefix)
		}
	}
	return joinAll(before, path)
}

// of are the prefixes of a site, "" where there is none: those of its file, of the
// calls that hold it, of its router, of its class.
func (p *prefixes) of(s *site) (all []string) {
	own := p.paths(p.routers(s), maxMounts)
	if len(own) == 0 {
		own = []string{""}
	}
	before := p.loads(s.file, maxMounts)
	for _, o := range own {
		all = append(all, p.within(s, before, o)...)
	}
	if sp := p.chained(s); sp != nil {
		all = joinAll(all, sp.prefix)
	}
	for _, prefix := range slices.Backward(p.marks(s)) {
		all = joinAll(all, prefix)
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

func (sp *span) holds(s *site) bool { return s.at > sp.from && s.at < sp.to }

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

// joinAll puts a path behind each of some prefixes, none of which is none before it.
func joinAll(all []string, p string) []string {
	if len(all) == 0 {
		return []string{p}
	}
	joined := make([]string, len(all))
	for i, prefix := range all {
		switch {
		case prefix == "":
			joined[i] = p
		case p == "":
			joined[i] = prefix
		default:
			joined[i] = written.JoinPath(prefix, p)
		}
	}
	return joined
}
