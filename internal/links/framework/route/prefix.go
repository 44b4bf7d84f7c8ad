// Package route works out the paths of routes: what stands before the path that is
// written, which methods of HTTP answer, and the routes that a language of their own
// draws.
package route

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Path is a path, or the key of a route, with how certain it is.
type Path struct {
	Text       string
	Confidence facts.Confidence
}

// Prefixes are the paths that stand before those of routes.
type Prefixes struct {
	f       *site.Finder
	results map[corpus.Ref]Path        // of what a call gives, by the use of its name
	own     map[corpus.Ref]int32       // the use of the call that gives a router, by the symbol that holds it
	objects map[corpus.Ref][]mounted   // where a router, or the routes of a function, are put
	files   map[corpus.FileID][]loaded // where the routes of a file are put, as include of Django does
	spans   map[corpus.FileID][]span   // of the routes that a call holds
	marked  map[corpus.Ref]string      // of a class whose methods answer, or of a method
	known   map[corpus.Ref][]Path      // of routers that were asked for
	chains  map[corpus.Ref][]Path      // before uses that were asked for
	loaded  map[corpus.FileID][]Path   // of files that were asked for
	values  map[place]bool             // where the values of properties begin that are procedures
}

// mounted says that a router is put under a path of what a call is a member of.
type mounted struct {
	file   corpus.FileID
	at     int // byte of the name of the call
	use    int // of that name
	prefix Path
}

// loaded says that the routes of a file are put under a path of those of another.
type loaded struct {
	by     corpus.FileID
	at     int
	prefix string
}

type span struct {
	from, to   int
	prefix     Path
	use        int          // of the name of the call
	holder     *corpus.Ref  // the variable that holds what the call gives, where that is what is put on others
	controller []corpus.Ref // what answers routes that name a method alone
	namespace  string       // of the controllers that routes name in texts
	chained    bool         // the routes in it name no path
}

func (sp *span) holds(at int) bool { return at > sp.from && at < sp.to }

// Gather finds the prefixes of all frameworks.
func Gather(f *site.Finder) (*Prefixes, error) {
	p := &Prefixes{
		f: f, results: map[corpus.Ref]Path{}, own: map[corpus.Ref]int32{}, objects: map[corpus.Ref][]mounted{}, files: map[corpus.FileID][]loaded{},
		spans: map[corpus.FileID][]span{}, marked: map[corpus.Ref]string{}, known: map[corpus.Ref][]Path{}, chains: map[corpus.Ref][]Path{}, loaded: map[corpus.FileID][]Path{}, values: map[place]bool{},
	}
	for i := range rules.Mounts {
		m := &rules.Mounts[i]
		if err := f.Each(&m.Rule, func(s *site.Site) { p.add(m, s) }); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add notes what a call or a mark puts before routes.
func (p *Prefixes) add(m *rules.Mount, s *site.Site) {
	switch m.How {
	case rules.OfGroup:
		p.group(s)
		return
	case rules.OfFolder:
		p.folder(m, s)
		return
	}
	prefix, ok := p.prefix(m, s)
	if !ok {
		return
	}
	use := p.f.File(s.File).UseAt(uint32(s.At))
	switch m.How {
	case rules.OfType, rules.OfMarked:
		if d, ok := p.f.Marked(s); ok && (m.How == rules.OfMarked || p.f.Symbol(d).Kind.IsType()) {
			p.marked[d] = prefix.Text
		}
	case rules.OfChain:
		p.spans[s.File] = append(p.spans[s.File], span{from: s.End, to: written.CallsBehind(s.Text, s.End), prefix: prefix, use: facts.None, chained: true})
	case rules.OfBlock:
		p.spans[s.File] = append(p.spans[s.File], span{from: s.At, to: written.BlockEnd(s.Text, s.End), prefix: prefix, use: facts.None})
	case rules.OfResult:
		if use != facts.None {
			p.results[corpus.Ref{File: s.File, Index: int32(use)}] = prefix
		}
		if d, ok := p.assignedTo(s); ok {
			p.own[d] = int32(use)
		}
	case rules.OfArgument:
		p.mount(m, s, prefix)
	case rules.OfProperties:
		p.properties(s)
	case rules.OfElements:
		for _, arg := range s.List {
			p.put(p.f.Routers(s, arg), mounted{s.File, s.At, use, Path{}})
		}
	case rules.OfFile:
		p.include(m, s, prefix.Text)
	}
}

// prefix is the path that a call or a mark says. One that is worked out when the
// program runs is {}.
func (p *Prefixes) prefix(m *rules.Mount, s *site.Site) (Path, bool) {
	arg, ok := written.At(s.List, m.Key)
	what, isMounted := written.At(s.List, m.Handler)
	if m.How != rules.OfArgument {
		isMounted = m.How == rules.OfElements || m.How == rules.OfProperties
	} else if ok && isMounted && arg.From == what.From {
		ok = false // the router alone
	}
	if !ok {
		return Path{}, isMounted || m.How == rules.OfResult && m.Key.Index == written.ByName
	}
	all, filled := p.f.Texts(s.File, written.Unwrapped(arg))
	switch {
	case len(all) > 0 && filled:
		return Path{all[0], facts.Likely}, true
	case len(all) > 0:
		return Path{all[0], facts.Certain}, true
	case p.f.IsValue(s.File, arg):
		return Path{"{}", facts.Possible}, true
	}
	return Path{}, isMounted
}

// assignedTo is the variable or the field that what a call gives is assigned to.
func (p *Prefixes) assignedTo(s *site.Site) (corpus.Ref, bool) {
	return p.assigned(s.File, s.Text, s.At)
}

func (p *Prefixes) assigned(id corpus.FileID, text []byte, at int) (corpus.Ref, bool) {
	start := written.StatementStart(text, at)
	file := p.f.File(id)
	for i := file.SymbolsFrom(uint32(start)); i < file.NumSymbols(); i++ {
		d := corpus.Ref{File: id, Index: int32(i)}
		if sym := p.f.Symbol(d); int(sym.At) >= at {
			break
		} else if int(sym.At) >= start && !sym.Kind.IsFunc() && !sym.Kind.IsType() && sym.Kind != code.KindParam {
			return d, true
		}
	}
	name, ok := written.Assigned(text, start, at)
	if !ok {
		return corpus.Ref{}, false
	}
	all := p.f.Meant(id, name)
	return append(all, corpus.Ref{})[0], len(all) > 0
}

// mount puts what an argument names under a path of what a call is a member of: a
// router, those that a function makes or is given, or those of a list of them.
func (p *Prefixes) mount(m *rules.Mount, s *site.Site, prefix Path) {
	arg, ok := written.At(s.List, m.Handler)
	if !ok {
		return
	}
	use := p.f.File(s.File).UseAt(uint32(s.At))
	if !written.IsChain(arg.Text) {
		p.spans[s.File] = append(p.spans[s.File], span{from: arg.From - 1, to: arg.To, prefix: prefix, use: use})
	}
	if written.IsInline(arg.Text) {
		return
	}
	if p.loop(m, s, arg, use) {
		return
	}
	for _, part := range written.Listed(arg) {
		routers := p.f.Routers(s, part)
		p.put(routers, mounted{s.File, s.At, use, prefix})
		if len(routers) > 0 {
			continue
		}
		for _, id := range p.f.Module(s.File, part) {
			p.files[id] = append(p.files[id], loaded{s.File, s.At, prefix.Text})
		}
	}
}

// put notes that what an argument means is put somewhere.
func (p *Prefixes) put(all []site.Target, m mounted) {
	confidence := m.prefix.Confidence
	for _, d := range all {
		m.prefix.Confidence = max(confidence, d.Confidence)
		p.objects[d.Ref] = append(p.objects[d.Ref], m)
	}
}

// loop puts the routers of a list that a loop goes through where each says.
func (p *Prefixes) loop(m *rules.Mount, s *site.Site, arg written.Argument, use int) bool {
	routers := p.f.Looped(s, arg)
	key, _ := written.At(s.List, m.Key)
	keys := p.f.Looped(s, key)
	for i, one := range routers {
		prefix := Path{}
		switch {
		case len(keys) == len(routers):
			prefix = p.read(keys[i])
		case key.Text != "" && key.From != arg.From:
			prefix = p.read(site.Located{Argument: key, File: s.File})
		}
		for _, d := range p.f.Meant(one.File, one.Argument) {
			p.objects[d] = append(p.objects[d], mounted{s.File, s.At, use, prefix})
		}
	}
	return len(routers) > 0
}

// read is the path that an argument says; {} where it does not say it.
func (p *Prefixes) read(a site.Located) Path {
	all, filled := p.f.Texts(a.File, a.Argument)
	switch {
	case len(all) == 0:
		return Path{"{}", facts.Possible}
	case filled:
		return Path{all[0], facts.Likely}
	}
	return Path{all[0], facts.Certain}
}

// Bounds of routers that are put on each other, and of the paths that this makes.
const (
	maxPaths   = 20
	maxChain   = 20_000 // calls one behind the other
	maxCallers = 20
)

// before are the paths before what the call of a use gives or is a member of; none
// where nothing stands before its routes.
func (p *Prefixes) before(id corpus.FileID, use int) []Path {
	asked := corpus.Ref{File: id, Index: int32(use)}
	if known, ok := p.chains[asked]; ok {
		return known
	}
	p.chains[asked] = nil // for those that are put on each other
	all := p.chain(id, use, corpus.Ref{Index: facts.None})
	p.chains[asked] = all
	return all
}

// chain follows a use to what its calls begin with. What is held by the symbol asker is
// put somewhere by who asks.
func (p *Prefixes) chain(id corpus.FileID, use int, asker corpus.Ref) (all []Path) {
	var own []Path // the innermost first
	for range maxChain {
		if use == facts.None {
			break
		}
		if prefix, ok := p.results[corpus.Ref{File: id, Index: int32(use)}]; ok {
			own = append(own, prefix)
		}
		next := p.f.Receiver(id, use)
		if next == facts.None {
			all = p.begun(id, use, asker)
			break
		}
		if known, ok := p.chains[corpus.Ref{File: id, Index: int32(next)}]; ok && asker.Index == facts.None {
			all = known
			break
		}
		if told, _ := p.f.Tell(id, next); len(told) > 0 {
			for _, m := range told {
				all = append(all, p.paths(m.Ref)...)
			}
			break
		}
		use = next
	}
	all = few(all)
	for _, prefix := range slices.Backward(own) {
		all = joinAll(all, prefix)
	}
	return all
}

// begun are the paths before a chain of calls that begins with a use: those of the
// variable that holds what it gives, or of the function that it stands in.
func (p *Prefixes) begun(id corpus.FileID, use int, asker corpus.Ref) []Path {
	at := int(p.f.Use(id, use).At)
	if p.isHeld(id, at) {
		return nil // what stands before it stands before the call that holds it
	}
	d, ok := p.holder(id, at)
	if in := p.f.Use(id, use).In; !ok && in != facts.None { // a list of several lines
		d = corpus.Ref{File: id, Index: in}
		k := p.f.Symbol(d).Kind
		ok = !k.IsFunc() && !k.IsType()
	}
	if ok && d != asker {
		return p.outer(d)
	}
	return p.ofFunction(corpus.Ref{File: id, Index: p.f.Use(id, use).In})
}

// holder is the variable that the value of a statement is given to.
func (p *Prefixes) holder(id corpus.FileID, at int) (corpus.Ref, bool) {
	text, err := p.f.Text(id)
	if err != nil {
		return corpus.Ref{}, false
	}
	return p.assigned(id, text, at)
}

// isHeld reports whether a byte stands within a call that puts a path before what it
// holds.
func (p *Prefixes) isHeld(id corpus.FileID, at int) bool {
	return slices.ContainsFunc(p.spans[id], func(sp span) bool { return !sp.chained && (sp.use != facts.None || sp.holder != nil) && sp.holds(at) })
}

// paths are those of a router; none where nothing stands before its routes.
func (p *Prefixes) paths(r corpus.Ref) (all []Path) {
	if known, ok := p.known[r]; ok {
		return known
	}
	p.known[r] = nil // for those that are put on each other
	if use, ok := p.own[r]; ok {
		all = p.chain(r.File, int(use), r)
	}
	all = few(product(p.outer(r), all))
	p.known[r] = all
	return all
}

// outer are the paths that a router is put under.
func (p *Prefixes) outer(r corpus.Ref) (all []Path) {
	for _, m := range p.objects[r] {
		all = append(all, p.under(m, r.File)...)
	}
	if _, isOwn := p.own[r]; !isOwn && len(all) == 0 {
		all = p.given(r)
	}
	return few(all)
}

// outerOf are the paths that a function is put under which is marked as a handler.
func (p *Prefixes) outerOf(d corpus.Ref) (all []Path) {
	for _, m := range p.objects[d] {
		all = append(all, p.under(m, d.File)...)
	}
	return few(all)
}

// under are the paths that a router of a file is put under.
func (p *Prefixes) under(m mounted, of corpus.FileID) []Path {
	all := p.around(m.file, m.at, joinAll(p.before(m.file, m.use), m.prefix))
	if m.file == of {
		return all
	}
	return product(p.loads(m.file), all)
}

// ofFunction are the paths that the routers which a function makes are put under.
func (p *Prefixes) ofFunction(fn corpus.Ref) (all []Path) {
	for fn.Index != facts.None && !p.f.Symbol(fn).Kind.IsFunc() {
		fn.Index = p.f.Symbol(fn).Parent
	}
	if fn.Index == facts.None {
		return nil
	}
	for _, m := range p.objects[fn] {
		all = append(all, p.under(m, fn.File)...)
	}
	return few(all)
}

// given are the paths of a router that a function makes or is given: those that the
// function is put under, else those of what its callers pass.
func (p *Prefixes) given(r corpus.Ref) (all []Path) {
	fn := corpus.Ref{File: r.File, Index: p.f.Symbol(r).Parent}
	if fn.Index == facts.None || p.f.Symbol(r).Kind.IsFunc() || !p.f.Symbol(fn).Kind.IsFunc() || p.isHeld(r.File, int(p.f.Symbol(r).At)) {
		return nil
	}
	if all = p.ofFunction(fn); len(all) > 0 {
		return all
	}
	i := slices.Index(p.f.Parameters(fn), r)
	if i < 0 {
		return nil
	}
	for _, c := range p.f.Passed(fn, i, maxCallers) {
		if len(c.Meant) == 0 {
			all = append(all, p.before(c.File, c.Use)...)
		}
		for _, d := range c.Meant {
			if d == r {
				continue
			}
			if some := p.paths(d); len(some) > 0 {
				all = append(all, some...)
			} else {
				all = append(all, Path{})
			}
		}
	}
	if all = few(all); len(all) == 0 && len(p.files[r.File]) == 0 {
		return []Path{{"", facts.Possible}}
	}
	return all
}

// few leaves out what is said twice, and more than a few.
func few(all []Path) []Path {
	slices.SortFunc(all, comparePaths)
	all = slices.CompactFunc(all, func(x, y Path) bool { return x.Text == y.Text })
	return all[:min(len(all), maxPaths)]
}

// loads are the paths of the routes of a file.
func (p *Prefixes) loads(id corpus.FileID) (all []Path) {
	if known, ok := p.loaded[id]; ok {
		return known
	}
	p.loaded[id] = nil // for those that load each other
	for _, l := range p.files[id] {
		all = append(all, p.around(l.by, l.at, joinAll(p.loads(l.by), Path{Text: l.prefix}))...)
	}
	all = all[:min(len(all), maxPaths)]
	p.loaded[id] = all
	return all
}

// around puts the prefixes of the calls that hold a byte before some paths.
func (p *Prefixes) around(id corpus.FileID, at int, paths []Path) []Path {
	var before []Path
	for _, sp := range p.spans[id] {
		if !sp.chained && sp.holds(at) {
			if sp.holder != nil {
				before = product(before, p.paths(*sp.holder))
			}
			if sp.use != facts.None {
				before = product(before, p.before(id, sp.use))
			}
			before = joinAll(before, sp.prefix)
		}
	}
	return product(before, paths)
}

// of are the prefixes of a site, an empty one where there is none: those of its file,
// of the calls that hold it, of its router, of its class.
func (p *Prefixes) of(s *site.Site) (all []Path) {
	use := p.f.File(s.File).UseAt(uint32(s.At))
	if s.Rule.Verb == rules.CallVerb {
		all = p.ofProcedure(s)
	} else if s.Rule.Shape != rules.Marking || p.f.Receiver(s.File, use) != facts.None {
		all = p.before(s.File, use)
	}
	all = p.around(s.File, s.At, all)
	all = product(p.loads(s.File), all)
	if len(all) == 0 {
		all = []Path{{}}
	}
	if sp := p.chained(s); sp != nil {
		all = joinAll(all, sp.prefix)
	}
	if s.Rule.Shape == rules.Marking && len(p.objects) > 0 {
		if d, ok := p.f.Marked(s); ok && !p.f.Symbol(d).Kind.IsType() {
			all = product(p.outerOf(d), all)
		}
	}
	for _, prefix := range slices.Backward(p.marks(s)) {
		all = joinAll(all, Path{Text: prefix})
	}
	return all
}

// chained is the span of the calls behind that of a path that hold a site, nil where
// none do.
func (p *Prefixes) chained(s *site.Site) *span {
	all := p.spans[s.File]
	if i := slices.IndexFunc(all, func(sp span) bool { return sp.chained && sp.holds(s.At) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// marks are the prefixes that a marked declaration and those round it have, the
// innermost first.
func (p *Prefixes) marks(s *site.Site) (all []string) {
	if s.Rule.Shape != rules.Marking {
		return nil
	}
	d, ok := p.f.Marked(s)
	for ok && d.Index != facts.None {
		if prefix, ok := p.mark(d); ok {
			all = append(all, prefix)
		}
		d.Index = p.f.Symbol(d).Parent
	}
	return all
}

// mark is the prefix of a declaration, or that of the nearest type above it.
func (p *Prefixes) mark(d corpus.Ref) (string, bool) {
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
