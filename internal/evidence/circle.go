package evidence

import (
	"context"
	"math/bits"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/parallel"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// node is a symbol of a file; facts.None stands for the top of the file.
type node struct{ seg, file, symbol int32 }

// circle finds what stands beside code: what it uses, and who uses that. A use
// means a symbol where its file says so, or where one declaration alone, in
// languages that can mean each other, bears its name. What it finds is kept for the
// questions after this one.
type circle struct {
	snapshot *store.Snapshot
	kept     *kept
	files    map[[2]int32]*syn.File // of one goroutine
}

// kept is what circles of one state of a repository have found.
type kept struct {
	mu      sync.RWMutex
	bearers map[string][]bearer // by name, guarded by mu
	rings   map[stretch][]node  // guarded by mu
}

// stretch is bytes of a file.
type stretch struct {
	seg, file  int32
	start, end uint32
}

// Bounds of what is kept: about 8 MB of each.
const (
	maxNames = 100_000
	maxRings = 10_000
)

// bearer is a declaration that other files can mean.
type bearer struct {
	node
	family corpus.Family
}

// newCircle returns a circle of a question, which keeps what it finds in its index.
func newCircle(s *store.Snapshot, a *locate.Ask) *circle {
	k := locate.Keep(a, func() (*kept, bool) {
		return &kept{bearers: map[string][]bearer{}, rings: map[stretch][]node{}}, true
	})
	return &circle{snapshot: s, kept: k, files: map[[2]int32]*syn.File{}}
}

// count sets how many other hits stand within two steps of each: two hits do where
// one is a neighbour of the other, or both have one.
func (c *circle) count(hits []Hit) {
	words := (len(hits) + 63) / 64
	near := c.rings(hits)
	nodes := 0
	for _, ring := range near {
		nodes += len(ring)
	}
	numbers := make(map[node]int, nodes)      // of the nodes, in the order in which they are met
	holders := make([]uint64, 0, nodes*words) // of each, the hits that stand beside it
	for i := range hits {
		for _, n := range near[i] {
			at, ok := numbers[n]
			if !ok {
				at = len(numbers)
				numbers[n] = at
				holders = holders[:(at+1)*words]
			}
			holders[at*words+i/64] |= 1 << (i % 64)
		}
	}
	all := make([]uint64, words)
	for i := range hits {
		clear(all)
		for _, n := range near[i] {
			at := numbers[n]
			for k, w := range holders[at*words : (at+1)*words] {
				all[k] |= w
			}
		}
		all[i/64] &^= 1 << (i % 64)
		hits[i].Beside = ones(all)
	}
}

// hitsPerWorker is how many hits are worth another goroutine.
const hitsPerWorker = 50

// rings are what stands round each hit.
func (c *circle) rings(hits []Hit) [][]node {
	near := make([][]node, len(hits))
	err := parallel.Each(context.Background(), 1+len(hits)/hitsPerWorker, len(hits), func() func(int) error {
		own := &circle{snapshot: c.snapshot, kept: c.kept, files: map[[2]int32]*syn.File{}}
		return func(i int) error {
			near[i] = own.ring(&hits[i])
			return nil
		}
	})
	if err != nil {
		panic(err) // nothing here fails
	}
	return near
}

// ring is what stands round a hit, as it was found before where that is kept.
func (c *circle) ring(h *Hit) []node {
	at := stretch{h.spot.seg, h.spot.file, h.spot.start, h.spot.end}
	c.kept.mu.RLock()
	ring, ok := c.kept.rings[at]
	c.kept.mu.RUnlock()
	if ok {
		return ring
	}
	ring = c.round(h)
	c.kept.mu.Lock()
	defer c.kept.mu.Unlock()
	if len(c.kept.rings) >= maxRings {
		clear(c.kept.rings)
	}
	c.kept.rings[at] = ring
	return ring
}

func ones(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// round are the symbols of a hit, those that its code uses, and those that use them.
func (c *circle) round(h *Hit) []node {
	f := c.file(h.spot.seg, h.spot.file)
	if f == nil {
		return nil
	}
	r := &ring{seen: map[node]bool{}}
	family := corpus.FamilyOf(h.Path)
	for _, i := range declared(f, h.spot.start, h.spot.end) {
		n := node{h.spot.seg, h.spot.file, int32(i)}
		r.add(n)
		c.users(r, f, n, family)
	}
	for i := f.UsesFrom(h.spot.start); i < f.NumUses(); i++ {
		u := f.BareUse(i)
		if u.At >= h.spot.end {
			break
		}
		if n, ok := c.meant(f, h.spot, &u, family); ok {
			r.add(n)
		}
	}
	return r.all
}

// ring is the nodes round a hit, each once.
type ring struct {
	all  []node
	seen map[node]bool
}

func (r *ring) add(n node) {
	if !r.seen[n] {
		r.seen[n] = true
		r.all = append(r.all, n)
	}
}

// file is the syntax of a file, nil where it is not known.
func (c *circle) file(seg, file int32) *syn.File {
	key := [2]int32{seg, file}
	f, ok := c.files[key]
	if ok {
		return f
	}
	if s := c.snapshot.Segments[seg].Syntax; s != nil && s.State(int(file)) == syn.Parsed {
		f = s.File(int(file))
	}
	c.files[key] = f
	return f
}

// meant is the symbol that a use of a file means.
func (c *circle) meant(f *syn.File, at spot, u *facts.Use, family corpus.Family) (node, bool) {
	if u.Bind == facts.BindSymbol {
		return node{at.seg, at.file, u.Target}, u.Target != facts.None && f.Flags(int(u.Target))&facts.Local == 0
	}
	return c.sole(u.Name, family)
}

// sole is the one symbol that a name can mean in some language.
func (c *circle) sole(name string, family corpus.Family) (found node, ok bool) {
	all := c.bearersOf(name)
	for _, b := range all {
		if b.family != family {
			continue
		}
		if ok {
			return node{}, false
		}
		found, ok = b.node, true
	}
	return found, ok
}

// bearersOf lists declarations of a name, as they were found before where that is kept.
func (c *circle) bearersOf(name string) []bearer {
	c.kept.mu.RLock()
	all, ok := c.kept.bearers[name]
	c.kept.mu.RUnlock()
	if ok {
		return all
	}
	all = c.bearing(name)
	c.kept.mu.Lock()
	defer c.kept.mu.Unlock()
	if len(c.kept.bearers) >= maxNames {
		clear(c.kept.bearers)
	}
	c.kept.bearers[strings.Clone(name)] = all
	return all
}

// maxBearers is how many declarations of a name are looked at: more than one of a
// language say nothing.
const maxBearers = 8

// bearing lists declarations of a name that other files can mean.
func (c *circle) bearing(name string) (all []bearer) {
	for at := range c.snapshot.Segments {
		s := &c.snapshot.Segments[at]
		if s.Syntax == nil {
			continue
		}
		for f, i := range s.Syntax.Globals(name) {
			file := f.Ordinal()
			if f.Flags(i)&facts.Local != 0 || !s.Alive(file) {
				continue
			}
			all = append(all, bearer{node{int32(at), int32(file), int32(i)}, corpus.FamilyOf(s.Path(file))})
			if len(all) == maxBearers {
				return all
			}
		}
	}
	return all
}

// maxUsers is how many uses of one name are followed.
const maxUsers = 1000

// users adds the symbols whose code uses one.
func (c *circle) users(r *ring, f *syn.File, n node, family corpus.Family) {
	s := f.BareSymbol(int(n.symbol))
	name := f.Name(int(n.symbol))
	if one, ok := c.sole(name, family); s.Kind == code.KindField || !ok || one != n {
		for i := range f.UsesNamed(name) {
			if u := f.BareUse(i); u.Bind == facts.BindSymbol && u.Target == n.symbol {
				r.add(node{n.seg, n.file, u.In})
			}
		}
		return
	}
	left := maxUsers
	for at := range c.snapshot.Segments {
		s := &c.snapshot.Segments[at]
		if s.Syntax == nil {
			continue
		}
		for g, i := range s.Syntax.Uses(name) {
			if left--; left < 0 {
				return
			}
			file := g.Ordinal()
			u := g.BareUse(i)
			if !s.Alive(file) || u.Bind == facts.BindSymbol && (int32(at) != n.seg || int32(file) != n.file || u.Target != n.symbol) {
				continue
			}
			if int32(at) == n.seg && int32(file) == n.file || corpus.FamilyOf(s.Path(file)) == family {
				r.add(node{int32(at), int32(file), u.In})
			}
		}
	}
}
