package calls

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// maxWay bounds the symbols that a search for a way follows.
const maxWay = 20_000

// findWay finds a shortest way from the symbol to the goal.
func (f *finder) findWay() error {
	goal, ok, err := f.group(locate.Target{Name: f.request.To})
	if err != nil || !ok {
		return err
	}
	if f.answer.Goal, err = f.definitions(goal); err != nil {
		return err
	}
	to := f.nodes(goal)
	from := f.withMembers(f.roots)
	t := f.way(from, to)
	if t == nil && f.answer.Left == 0 {
		f.answer.Reverse = f.way(f.withMembers(to), f.roots) != nil
	}
	f.answer.Members = 0
	if t == nil {
		return nil
	}
	f.answer.Possible, f.answer.Unknown = 0, 0 // of the whole search, not of the way
	return f.show([]*tree{t})
}

// MaxStarts bounds the symbols of one name from which a way is looked for.
const MaxStarts = 200

// findWays finds a shortest way from one of several symbols of a name to the goal. Where there
// is none, or the goal is not one symbol, they stay what is to be chosen from.
func (f *finder) findWays(starts [][]corpus.Ref) error {
	candidates, unclear := f.answer.Candidates, f.answer.Unclear
	f.answer.Candidates = nil
	goal, ok, err := f.group(locate.Target{Name: f.request.To})
	if err != nil || !ok && len(f.answer.Candidates) == 0 {
		return err
	}
	var best *tree
	from := 0
	for i := 0; ok && i < min(len(starts), MaxStarts); i++ {
		t := f.way(f.withMembers(f.nodes(starts[i])), f.nodes(goal))
		if t == nil {
			continue
		}
		f.answer.Ways++
		if best == nil || len(t.branches) < len(best.branches) {
			best, from = t, i
		}
	}
	f.answer.Possible, f.answer.Unknown, f.answer.Members, f.answer.Starts = 0, 0, 0, len(starts)
	if best == nil {
		f.answer.Candidates, f.answer.Unclear, f.answer.Left = candidates, unclear, 0
		return nil
	}
	f.answer.Candidates, f.answer.Unclear, f.roots = nil, "", f.nodes(starts[from])
	if f.answer.Symbols, err = f.definitions(starts[from]); err != nil {
		return err
	}
	if f.answer.Goal, err = f.definitions(goal); err != nil {
		return err
	}
	return f.show([]*tree{best})
}

// way is a tree of callees without branches, nil where there is none.
func (f *finder) way(from, to []corpus.Ref) *tree {
	t := f.newTree(Callees, from)
	for level := []int{facts.None}; len(level) > 0; {
		var next []int
		for k, at := range level {
			if t.Late() || len(t.grown) >= maxWay {
				f.answer.Left += len(level) - k
				f.answer.Late = f.answer.Late || t.Late()
				return nil
			}
			follow := t.step(at, t.depth(at)+1)
			for i := range t.children(at) {
				if n := t.children(at)[i]; slices.Contains(to, t.branches[n].node) {
					return t.only(n)
				}
			}
			next = append(next, follow...)
		}
		level = next
	}
	return nil
}

func (t *tree) depth(at int) int {
	if at == facts.None {
		return 0
	}
	return t.branches[at].depth
}

func (t *tree) children(at int) []int {
	if at == facts.None {
		return t.roots
	}
	return t.branches[at].children
}

// only leaves the branches that lead to one.
func (t *tree) only(at int) *tree {
	var chain []branch
	for ; at != facts.None; at = t.branches[at].above {
		chain = append(chain, t.branches[at])
	}
	slices.Reverse(chain)
	way := t.newTree(t.direction, t.from)
	way.roots = []int{0}
	for i, b := range chain {
		b.above, b.children, b.followed = i-1, nil, true
		if i+1 < len(chain) {
			b.children = []int{i + 1}
		}
		way.branches = append(way.branches, b)
	}
	return way
}
