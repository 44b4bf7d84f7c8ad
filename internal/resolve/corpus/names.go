package corpus

import (
	"cmp"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment/syn"
)

// named are the symbols of a name that other files can mean, by path and place.
// All questions share it: do not change it.
type named struct {
	refs      []Ref
	byOwner   map[string][]Ref // by the last name of their Owner
	inModules []Ref            // those of JavaScript that stand in a namespace or module at the top of their file
}

// near returns the symbols that stand in a file or have an owner of some name,
// by path and place.
func (n *named) near(id FileID, owner string) []Ref {
	from, _ := slices.BinarySearchFunc(n.refs, id, func(r Ref, id FileID) int { return cmp.Compare(r.File, id) })
	to := from
	for to < len(n.refs) && n.refs[to].File == id {
		to++
	}
	owned := n.byOwner[owner]
	if len(owned) == 0 {
		return n.refs[from:to]
	}
	all := slices.Concat(n.refs[from:to], owned)
	sortRefs(all)
	return slices.Compact(all)
}

// named finds the symbols of a name that other files can mean.
func (c *Corpus) named(name string) *named {
	if n := c.names.find(name); n != nil {
		return n
	}
	n := &named{byOwner: map[string][]Ref{}}
	for p := c.own.parts; p < c.own.endParts; p++ {
		s := c.parts[p].Syntax
		if s == nil {
			continue
		}
		for f, i := range s.Globals(name) {
			id := c.ids[p][f.Ordinal()]
			if id == facts.None || f.Flags(i)&facts.Local != 0 { // a file may have both
				continue
			}
			r := Ref{id, int32(i)}
			n.refs = append(n.refs, r)
			if owner := LastName(f.Owner(i)); owner != "" {
				n.byOwner[owner] = append(n.byOwner[owner], r)
			}
			if c.files[id].family == Script && isInModule(f, i) {
				n.inModules = append(n.inModules, r)
			}
		}
	}
	sortRefs(n.refs)
	sortRefs(n.inModules)
	c.names.keep(name, n)
	return n
}

// Declaring tells of each file whether it declares a name that fits.
func (c *Corpus) Declaring(fits func(name string) bool) func(FileID) bool {
	declare := make([]bool, len(c.files))
	for p := c.own.parts; p < c.own.endParts; p++ {
		if s := c.parts[p].Syntax; s != nil {
			for f := range s.Declaring(fits) {
				if id := c.ids[p][f]; id != facts.None {
					declare[id] = true
				}
			}
		}
	}
	return func(f FileID) bool { return declare[f] }
}

// isInModule reports whether a module at the top of a file holds a symbol.
func isInModule(f *syn.File, i int) bool {
	p := f.Parent(i)
	return p != facts.None && f.Kind(p) == code.KindModule && f.Parent(p) == facts.None
}

func sortRefs(all []Ref) {
	slices.SortFunc(all, compareRefs)
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
}

// nameCache keeps the symbols of names between questions: the names that are
// expensive to look up are those that many questions share.
type nameCache struct {
	mu   sync.RWMutex
	all  map[string]*named // guarded by mu
	held int               // symbols of them, plus one each; guarded by mu
}

// maxHeld bounds the symbols that a nameCache holds, at 10 to 30 bytes each.
const maxHeld = 1 << 18

func (c *nameCache) find(name string) *named {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[name]
}

func (c *nameCache) keep(name string, n *named) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held > maxHeld || c.all == nil {
		c.all, c.held = map[string]*named{}, 0
	}
	c.all[name] = n
	c.held += len(n.refs) + 1
}
