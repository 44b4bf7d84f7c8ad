// Package route works out the paths of routes: what stands before the path that is
// written, which methods of HTTP answer, and the routes that a language of their own
// draws.
package route

import (
	"slices"

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
	controller []corpus.Ref // what answers routes that name a method alone
	chained    bool         // the routes in it name no path
}

func (sp *span) holds(at int) bool { return at > sp.from && at < sp.to }

// Gather finds the prefixes of all frameworks.
func Gather(f *site.Finder) (*Prefixes, error) {
	p := &Prefixes{
		f, map[corpus.Ref]Path{}, map[corpus.Ref]int32{}, map[corpus.Ref][]mounted{}, map[corpus.FileID][]loaded{}, map[corpus.FileID][]span{},
		map[corpus.Ref]string{}, map[corpus.Ref][]Path{}, map[corpus.Ref][]Path{},
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
	if m.How == rules.OfGroup {
		p.group(s)
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
	case rules.OfSpan:
		p.spans[s.File] = append(p.spans[s.File], span{from: s.At, to: s.End, prefix: prefix, use: use})
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
	case rules.OfFile:
		p.include(m, s, prefix.Text)
	}
}

// prefix is the path that a call or a mark says. One that is worked out when the
// program runs is {}.
func (p *Prefixes) prefix(m *rules.Mount, s *site.Site) (Path, bool) {
	arg, ok := written.At(s.List, m.Key)
	if !ok {
		return Path{}, m.How == rules.OfArgument || m.How == rules.OfSpan || m.How == rules.OfResult && m.Key.Index == written.ByName
	}
	all, filled := p.f.Texts(s.File, arg)
	switch {
	case len(all) > 0 && filled:
		return Path{all[0], facts.Likely}, true
	case len(all) > 0:
		return Path{all[0], facts.Certain}, true
	case p.f.IsValue(s.File, arg):
		return Path{"{}", facts.Possible}, true
	}
	return Path{}, m.How == rules.OfArgument || m.How == rules.OfSpan
}

// assignedTo is the variable or the field that what a call gives is assigned to.
func (p *Prefixes) assignedTo(s *site.Site) (corpus.Ref, bool) {
	start := written.StatementStart(s.Text, s.At)
	file := p.f.File(s.File)
	for i := file.SymbolsFrom(uint32(start)); i < file.NumSymbols(); i++ {
		if sym := p.f.Symbol(corpus.Ref{File: s.File, Index: int32(i)}); int(sym.At) >= start && int(sym.At) < s.At {
			return corpus.Ref{File: s.File, Index: int32(i)}, true
		} else if int(sym.At) > s.At {
			break
		}
	}
	name, ok := written.Assigned(s.Text, start, s.At)
	if !ok {
		return corpus.Ref{}, false
	}
	all := p.f.Meant(s.File, name)
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
	if written.IsInline(arg.Text) {
		p.spans[s.File] = append(p.spans[s.File], span{from: arg.From, to: arg.To, prefix: prefix, use: use})
		return
	}
	for _, part := range written.Listed(arg) {
		for _, d := range p.f.Routers(s, part) {
			p.objects[d] = append(p.objects[d], mounted{s.File, s.At, use, prefix})
		}
		for _, id := range p.f.Module(s.File, part) {
			p.files[id] = append(p.files[id], loaded{s.File, s.At, prefix.Text})
		}
	}
}

// Bounds of routers that are put on each other, and of the paths that this makes.
const (
	maxMounts  = 8
	maxPaths   = 20
	maxChain   = 20_000 // calls one behind the other
	maxCallers = 20
)

// before are the paths before what the call of a use gives or is a member of; none
// where nothing stands before its routes.
func (p *Prefixes) before(id corpus.FileID, use, steps int) (all []Path) {
	asked := corpus.Ref{File: id, Index: int32(use)}
	if known, ok := p.chains[asked]; ok && steps == maxMounts {
		return known
	}
	var own []Path // the innermost first
	for range maxChain {
		if use == facts.None || steps < 0 {
			break
		}
		if prefix, ok := p.results[corpus.Ref{File: id, Index: int32(use)}]; ok {
			own = append(own, prefix)
		}
		next := p.f.Receiver(id, use)
		if next == facts.None {
			all = p.ofFunction(corpus.Ref{File: id, Index: p.f.Use(id, use).In}, steps)
			break
		}
		if known, ok := p.chains[corpus.Ref{File: id, Index: int32(next)}]; ok && steps == maxMounts {
			all = known
			break
		}
		if told, _ := p.f.Tell(id, next); len(told) > 0 {
			for _, m := range told {
				all = append(all, p.paths(m.Ref, steps)...)
			}
			break
		}
		use = next
	}
	all = few(all)
	for _, prefix := range slices.Backward(own) {
		all = joinAll(all, prefix)
	}
	if steps == maxMounts {
		p.chains[asked] = all
	}
	return all
}

// paths are those of a router; none where nothing stands before its routes.
func (p *Prefixes) paths(r corpus.Ref, steps int) (all []Path) {
	if steps < 0 {
		return nil
	}
	if known, ok := p.known[r]; ok {
		return known
	}
	if use, ok := p.own[r]; ok {
		all = p.before(r.File, int(use), steps-1)
	}
	var outer []Path
	for _, m := range p.objects[r] {
		outer = append(outer, p.under(m, steps-1)...)
	}
	if _, isOwn := p.own[r]; !isOwn && len(outer) == 0 {
		outer = p.given(r, steps)
	}
	if all = few(product(outer, all)); steps == maxMounts {
		p.known[r] = all
	}
	return all
}

// under are the paths that a router is put under.
func (p *Prefixes) under(m mounted, steps int) []Path {
	return p.around(m.file, m.at, joinAll(p.before(m.file, m.use, steps), m.prefix))
}

// ofFunction are the paths that the routers which a function makes are put under.
func (p *Prefixes) ofFunction(fn corpus.Ref, steps int) (all []Path) {
	for fn.Index != facts.None && !p.f.Symbol(fn).Kind.IsFunc() {
		fn.Index = p.f.Symbol(fn).Parent
	}
	if fn.Index == facts.None || steps <= 0 {
		return nil
	}
	for _, m := range p.objects[fn] {
		all = append(all, p.under(m, steps-1)...)
	}
	return few(all)
}

// given are the paths of a router that a function makes or is given: those that the
// function is put under, else those of what its callers pass.
func (p *Prefixes) given(r corpus.Ref, steps int) (all []Path) {
	fn := corpus.Ref{File: r.File, Index: p.f.Symbol(r).Parent}
	if fn.Index == facts.None || p.f.Symbol(r).Kind.IsFunc() || !p.f.Symbol(fn).Kind.IsFunc() {
		return nil
	}
	if all = p.ofFunction(fn, steps); len(all) > 0 {
		return all
	}
	i := slices.Index(p.f.Parameters(fn), r)
	if i < 0 {
		return nil
	}
	for _, c := range p.f.Passed(fn, i, maxCallers) {
		if len(c.Meant) == 0 {
			all = append(all, p.before(c.File, c.Use, steps-1)...)
		}
		for _, d := range c.Meant {
			if d == r {
				continue
			}
			if some := p.paths(d, steps-1); len(some) > 0 {
				all = append(all, some...)
			} else {
				all = append(all, Path{})
			}
		}
	}
	if all = few(all); len(all) == 0 {
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
func (p *Prefixes) loads(id corpus.FileID, steps int) (all []Path) {
	for _, l := range p.files[id] {
		if steps > 0 {
			all = append(all, p.around(l.by, l.at, joinAll(p.loads(l.by, steps-1), Path{Text: l.prefix}))...)
		}
	}
	return all[:min(len(all), maxPaths)]
}

// around puts the prefixes of the calls that hold a byte before some paths.
func (p *Prefixes) around(id corpus.FileID, at int, paths []Path) []Path {
	var before []Path
	for _, sp := range p.spans[id] {
		if !sp.chained && sp.holds(at) {
			if before == nil && sp.use != facts.None {
				before = p.before(id, sp.use, maxMounts)
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
	all = p.around(s.File, s.At, p.before(s.File, use, maxMounts))
	all = product(p.loads(s.File, maxMounts), all)
	if len(all) == 0 {
		all = []Path{{}}
	}
	if sp := p.chained(s); sp != nil {
		all = joinAll(all, sp.prefix)
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
