package locate

import (
	"slices"
	"sync"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// Member is a repository that is asked about together with others: the index of its
// state, and the packages of others that it imports. A package from elsewhere is a
// member like any other (corpus.Member).
type Member struct {
	Name  string
	Index *Index
	Links []corpus.Link
}

// Join makes one index of several, whose snapshots must stay open while it is in
// use. Files are in the order of the members, and paths have the name of their member
// in front. The last that was made with the first member is kept with it.
func Join(members []Member) (x *Index, err error) {
	last := &members[0].Index.kept.last
	if x = last.find(members); x != nil {
		return x, nil
	}
	all := make([]corpus.Member, len(members))
	for i, m := range members {
		all[i] = corpus.Member{Name: m.Name, Parts: m.Index.parts, Links: m.Links}
	}
	err = segment.Guard(func() error {
		c := corpus.Combine(all)
		x = &Index{corpus: c, resolver: resolve.New(c), over: members[0].Index.over, kept: &kept{}}
		return nil
	})
	if err == nil {
		last.keep(members, x)
	}
	return x, err
}

// lastJoined is an index that was made of several.
type lastJoined struct {
	mu      sync.Mutex
	members []Member // guarded by mu
	index   *Index   // guarded by mu
}

func (l *lastJoined) find(members []Member) *Index {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index == nil || !slices.EqualFunc(l.members, members, same) {
		return nil
	}
	return l.index.Until(members[0].Index.over)
}

// same reports whether two members are one state of a repository, joined alike.
func same(a, b Member) bool {
	return a.Name == b.Name && a.Index.corpus == b.Index.corpus && slices.EqualFunc(a.Links, b.Links, func(x, y corpus.Link) bool {
		return x.To == y.To && slices.Equal(x.Packages, y.Packages)
	})
}

func (l *lastJoined) keep(members []Member, x *Index) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.members, l.index = slices.Clone(members), x
}
