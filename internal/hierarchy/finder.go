package hierarchy

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// finder is the work on one request.
type finder struct {
	*locate.Ask
	graph   *graph.Graph
	request *Request
	answer  *Answer
	root    corpus.Ref // node that was asked about
}

// group finds the declarations of the one symbol that a target means. ok is false
// where the answer says why there is none.
func (f *finder) group(t locate.Target) (group []corpus.Ref, ok bool, err error) {
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
	all := len(meant.Groups)
	groups := f.relatable(meant.Groups)
	if t.Name != "" {
		groups, f.answer.Namesakes = f.Program(groups)
	}
	switch {
	case len(groups) == 0:
		f.answer.Unclear, f.answer.Unfit = t.Name, all > 0
		if t.Name != "" && all == 0 {
			f.answer.Near = f.Near(t.Name)
			if f.answer.Outlined, err = f.Outlined(t.Name); err != nil {
				return nil, false, err
			}
		}
		f.answer.Failed = f.Corpus.Failed()
		return nil, false, nil
	case len(groups) > 1:
		f.answer.Unclear = t.Name
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

// relatable leaves the types, if there are some, else the members of types.
func (f *finder) relatable(groups [][]corpus.Ref) [][]corpus.Ref {
	for _, fits := range []func(r corpus.Ref, s *facts.Symbol) bool{
		func(_ corpus.Ref, s *facts.Symbol) bool { return s.Kind.IsType() && s.Kind != code.KindModule },
		func(r corpus.Ref, s *facts.Symbol) bool { return s.Kind.IsFunc() && f.isMember(r) },
		func(r corpus.Ref, s *facts.Symbol) bool { return f.isMember(r) },
		func(_ corpus.Ref, s *facts.Symbol) bool { return s.Kind.IsType() },
	} {
		left := slices.DeleteFunc(slices.Clone(groups), func(g []corpus.Ref) bool { return !fits(g[0], f.Symbol(g[0])) })
		if len(left) > 0 {
			return left
		}
	}
	return nil
}

// isMember reports whether a symbol is a member of a type that others may replace.
func (f *finder) isMember(r corpus.Ref) bool {
	s := f.Symbol(r)
	return corpus.IsMember(s) && s.Flags&facts.Local == 0 && !s.Kind.IsType()
}
