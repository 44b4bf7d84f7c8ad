package calls

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/methodset"
)

// finder is the work on one request.
type finder struct {
	*locate.Ask
	graph   *graph.Graph
	request *Request
	answer  *Answer
	roots   []corpus.Ref   // nodes that were asked about
	several [][]corpus.Ref // what the name of the target may mean, where that is several symbols
}

// group finds the declarations of the one symbol that a target means. ok is false
// where the answer says why there is none.
func (f *finder) group(t locate.Target) (group []corpus.Ref, ok bool, err error) {
	if id, found := f.Corpus.Find(t.Name); found {
		f.answer.File = t.Name
		return []corpus.Ref{{File: id, Index: facts.None}}, true, nil
	}
	meant, err := f.Meant(t)
	if err != nil {
		return nil, false, err
	}
	if outside := meant.Elsewhere; outside != nil {
		f.answer.Elsewhere = outside.Name
		if outside.From != "" {
			f.answer.Elsewhere = outside.From
		}
		return nil, false, nil
	}
	f.answer.Beside = meant.Beside
	groups := f.owned(f.callable(meant.Groups))
	if t.Name != "" && t == f.request.Target {
		groups, f.answer.Namesakes = f.Program(groups)
	}
	switch {
	case len(groups) == 0:
		f.answer.Unclear = t.Name
		if t.Name != "" {
			if f.answer.Outlined, err = f.Outlined(t.Name); err != nil {
				return nil, false, err
			}
			if f.answer.Outlined == "" {
				f.answer.Near = f.Ask.Near(t.Name)
			}
		}
		f.answer.Failed = f.Corpus.Failed()
		return nil, false, nil
	case len(groups) > 1:
		f.answer.Unclear, f.several = t.Name, groups
		for _, g := range groups {
			d, err := f.Definition(g[0], false)
			if err != nil {
				return nil, false, err
			}
			f.answer.Candidates = append(f.answer.Candidates, d)
		}
		return nil, false, nil
	}
	return groups[0], true, nil
}

// owned leaves what the first repository declares, where that is asked and it does.
func (f *finder) owned(groups [][]corpus.Ref) [][]corpus.Ref {
	beyond := func(g []corpus.Ref) bool { return f.Corpus.Home(g[0].File) != 0 }
	if left := slices.DeleteFunc(slices.Clone(groups), beyond); f.request.own && len(left) > 0 {
		f.answer.Beyond += len(groups) - len(left)
		return left
	}
	return groups
}

// callable leaves what can be called, if some of it can: a function, or a value that is
// called; else a type.
func (f *finder) callable(groups [][]corpus.Ref) [][]corpus.Ref {
	if len(groups) < 2 {
		return groups
	}
	var called map[corpus.Ref]bool
	isCalled := func(r corpus.Ref, s *facts.Symbol) bool {
		if called == nil {
			called = f.called(s.Name)
		}
		return called[r]
	}
	for _, fits := range []func(r corpus.Ref, s *facts.Symbol) bool{
		func(r corpus.Ref, s *facts.Symbol) bool {
			return s.Kind.IsFunc() || s.Flags&facts.Accessor != 0 || !s.Kind.IsType() && s.Flags&facts.Local == 0 && isCalled(r, s)
		},
		func(_ corpus.Ref, s *facts.Symbol) bool { return s.Kind.IsType() },
	} {
		left := slices.DeleteFunc(slices.Clone(groups), func(g []corpus.Ref) bool { return !fits(g[0], f.Symbol(g[0])) })
		if len(left) > 0 {
			return left
		}
	}
	return groups
}

// maxCalls bounds the calls of a name that called looks at.
const maxCalls = 500

// called are the symbols of a name that the first calls of it mean.
func (f *finder) called(name string) map[corpus.Ref]bool {
	all, looked := map[corpus.Ref]bool{}, 0
	for _, u := range f.UsesOf(name) {
		if looked == maxCalls || f.Late() {
			break
		}
		if f.Use(u.File, int(u.Index)).Role != facts.RoleCall {
			continue
		}
		looked++
		for _, m := range f.Define(u.File, int(u.Index)) {
			all[m.Ref] = true
		}
	}
	return all
}

func (f *finder) definitions(group []corpus.Ref) (all []locate.Definition, err error) {
	for _, r := range group {
		if r.Index == facts.None {
			continue
		}
		d, err := f.Definition(r, false)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// fulfilled are the interfaces of the standard library that declarations of one method
// fulfil, those that require the least.
func (f *finder) fulfilled(group []corpus.Ref) (all []string) {
	for _, r := range group {
		if r.Index != facts.None {
			all = append(all, f.Standard(r)...)
		}
	}
	slices.Sort(all)
	return methodset.Least(slices.Compact(all))
}

// nodes are those of a group.
func (f *finder) nodes(group []corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	for _, r := range group {
		if n := f.graph.Node(r); !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// withMembers adds the functions of types, whose calls are those of the type.
func (f *finder) withMembers(nodes []corpus.Ref) []corpus.Ref {
	all := slices.Clone(nodes)
	for _, n := range nodes {
		for _, m := range f.graph.Members(n) {
			if !slices.Contains(all, m) {
				all = append(all, m)
				f.answer.Members++
			}
		}
	}
	return all
}

// makers are the constructors that types among nodes declare instead of these.
func (f *finder) makers(nodes []corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	for _, n := range nodes {
		if made := f.graph.Making(n); len(made) > 0 {
			all = append(all, made...)
		} else {
			all = append(all, n)
		}
	}
	return all
}
