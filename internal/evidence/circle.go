package evidence

import (
	"context"
	"math/bits"
	"slices"
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

// keeper has what circles of one state of a repository have found, and begins anew
// where that is much.
type keeper struct {
	mu   sync.Mutex
	kept *kept // guarded by mu
}

// kept is what circles have found.
type kept struct {
	mu      sync.RWMutex
	bearers map[string][]bearer // by name, guarded by mu
	rings   map[stretch][]int32 // the numbers of nodes, guarded by mu
	numbers map[node]int32      // of nodes, in the order in which they were met, guarded by mu
}

// stretch is bytes of a file.
type stretch struct {
	seg, file  int32
	start, end uint32
}

func (s *spot) stretch() stretch { return stretch{s.seg, s.file, s.start, s.end} }

// Bounds of what is kept: about 8 MB of names, as much of rings and their nodes.
const (
	maxNames   = 100_000
	maxRings   = 30_000
	maxNumbers = 150_000
)

// bearer is a declaration that other files can mean.
type bearer struct {
	node
	family corpus.Family
}

// newCircle returns a circle of a question, which keeps what it finds in its index.
func newCircle(s *store.Snapshot, a *locate.Ask) *circle {
	k := locate.Keep(a, func() (*keeper, bool) { return &keeper{}, true })
	return &circle{snapshot: s, kept: k.current()}
}

// current is what was found, to add to.
func (k *keeper) current() *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || k.kept.isFull() {
		k.kept = &kept{bearers: map[string][]bearer{}, rings: map[stretch][]int32{}, numbers: map[node]int32{}}
	}
	return k.kept
}

func (k *kept) isFull() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.bearers) > maxNames || len(k.rings) > maxRings || len(k.numbers) > maxNumbers
}

// seats number the nodes of one question from 0 on, by the numbers that are kept.
type seats struct {
	of      []int32  // by number of a node, its seat counted from 1; 0 between questions
	holders []uint64 // of each seat, the hits that stand beside it
}

var seatings = sync.Pool{New: func() any { return new(seats) }}

// count sets how many other hits stand within two steps of each: two hits do where
// one is a neighbour of the other, or both have one.
func (c *circle) count(hits []Hit) {
	words := (len(hits) + 63) / 64
	near, most := c.rings(hits)
	seats := seatings.Get().(*seats)
	defer seatings.Put(seats)
	seats.of = slices.Grow(seats.of[:0], most)[:most]
	holders := seats.holders[:0]
	taken := 0
	for i := range hits {
		for _, n := range near[i] {
			if seats.of[n] == 0 {
				taken++
				seats.of[n] = int32(taken)
				holders = slices.Grow(holders, words)[:taken*words]
				clear(holders[(taken-1)*words:])
			}
			holders[int(seats.of[n]-1)*words+i/64] |= 1 << (i % 64)
		}
	}
	seats.holders = holders
	all := make([]uint64, words)
	for i := range hits {
		clear(all)
		for _, n := range near[i] {
			at := int(seats.of[n] - 1)
			for k, w := range holders[at*words : (at+1)*words] {
				all[k] |= w
			}
		}
		all[i/64] &^= 1 << (i % 64)
		hits[i].Beside = ones(all)
	}
	for i := range near {
		for _, n := range near[i] {
			seats.of[n] = 0
		}
	}
}

// hitsPerWorker is how many hits are worth another goroutine.
const hitsPerWorker = 50

// rings are what stands round each hit, as it was found before where that is kept,
// and a number that is above those of all nodes.
func (c *circle) rings(hits []Hit) (near [][]int32, most int) {
	near = make([][]int32, len(hits))
	var missing []int
	c.kept.mu.RLock()
	for i := range hits {
		var ok bool
		if near[i], ok = c.kept.rings[hits[i].spot.stretch()]; !ok {
			missing = append(missing, i)
		}
	}
	c.kept.mu.RUnlock()
	err := parallel.Each(context.Background(), 1+len(missing)/hitsPerWorker, len(missing), func() func(int) error {
		own := &circle{snapshot: c.snapshot, kept: c.kept, files: map[[2]int32]*syn.File{}}
		return func(i int) error {
			h := &hits[missing[i]]
			near[missing[i]] = c.kept.add(h.spot.stretch(), own.round(h))
			return nil
		}
	})
	if err != nil {
		panic(err) // nothing here fails
	}
	c.kept.mu.RLock()
	defer c.kept.mu.RUnlock()
	return near, len(c.kept.numbers)
}

// add keeps the ring of a stretch, and returns the numbers of its nodes.
func (k *kept) add(at stretch, ring []node) []int32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	numbers := make([]int32, len(ring))
	for i, n := range ring {
		number, ok := k.numbers[n]
		if !ok {
			number = int32(len(k.numbers))
			k.numbers[n] = number
		}
		numbers[i] = number
	}
	k.rings[at] = numbers
	return numbers
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
	list, _ := declared(f, h.spot.start, h.spot.end)
	for _, i := range list {
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
