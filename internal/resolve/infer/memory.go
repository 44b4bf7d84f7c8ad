package infer

import (
	"math"
	"slices"
)

// Memory tells what is known for good from what one look-up made of a circle. What
// depends on itself is taken as unknown where it is met again. What follows from that
// depends on where the circle was entered: it serves what is worked out of the circle from
// there, and is forgotten when that is done. What the circle was entered by, and all that
// needs it, is known for good; but where a member of the circle is under way, it is worked
// out again, as if nothing had been asked before. So an answer does not depend on what was
// asked before, and a circle is gone round once for each of its members that others ask
// for, not once for each look-up.
type Memory struct {
	level int       // of look-ups that are worked out, one for another
	low   int       // the first look-up under way of which what is worked out now has taken something
	of    set       // the circles that it has taken something of
	trail []passing // what holds until a look-up under way is over, in order
	until []*until  // until which is over, for parts of the trail, in order
	met   []int32   // by circle: its members that are under way or hold for now
	busy  set       // the circles of which there are any
	known int       // what all books have
}

// until says how long what a look-up took holds that is over: as long as what it took
// something of itself.
type until struct {
	low  int
	into *until // the look-up around it, which is over too
}

func (u *until) is() *until {
	for u.into != nil {
		if u.into.into != nil {
			u.into = u.into.into
		}
		u = u.into
	}
	return u
}

// passing is an entry that holds for now.
type passing interface{ end(m *Memory, circle int32) }

// The low of what holds for the outermost look-up, and of what depends on none.
const (
	outermost = -1
	onNone    = math.MaxInt
)

// noCircle is where what held for now is no member of a circle that is known.
const noCircle = -1

// maxCircles bounds the circles of which it is remembered what they hold. What further ones
// give holds for the outermost look-up.
const maxCircles = 4096

// Size is how much is remembered, in answers.
func (m *Memory) Size() int { return m.known }

// Book remembers what was found under keys of one kind.
type Book[K comparable, V any] struct {
	memory *Memory
	found  map[K]*entry[V] // nil while nothing is; most books of a file have little
	before V               // what a key has while it is worked out
}

type entry[V any] struct {
	result[V]
	kept    *result[V] // known for good, while another one holds for now
	circles []int32    // of which it is a member
}

// result is what was found under a key.
type result[V any] struct {
	value V
	state state
	level int    // while it is worked out
	until *until // of what holds for now
	of    set    // the circles that it has taken something of
}

type state uint8

const (
	unasked state = iota
	underWay
	forNow
	forGood
)

// NewBook returns a book in which nothing is found yet. A key that is met again
// while it is worked out has the value before.
func NewBook[K comparable, V any](m *Memory, before V) Book[K, V] {
	return Book[K, V]{memory: m, before: before}
}

// Recall returns what was found under a key, else what work finds within a budget.
func (k *Book[K, V]) Recall(key K, b Budget, work func() V) V {
	m := k.memory
	e := k.found[key]
	if e == nil {
		if k.found == nil {
			k.found = map[K]*entry[V]{}
		}
		e = &entry[V]{}
		k.found[key] = e
	}
	switch {
	case e.state == underWay:
		m.low = min(m.low, e.level)
		return e.value
	case e.state == forNow:
		m.low, m.of = min(m.low, e.until.is().low), m.of.with(e.of)
		return e.value
	case e.state == forGood && !m.busy.meets(e.of):
		m.of = m.of.with(e.of)
		return e.value
	case e.state == forGood:
		kept := e.result
		e.kept = &kept
	}
	f := m.begin(e.circles)
	e.result = result[V]{value: k.before, state: underWay, level: f.level}
	e.value = work()
	if passes := m.finish(f, b); passes {
		e.state, e.of, e.until = forNow, m.of, m.join(f.parts)
		m.trail = append(m.trail, e)
	} else {
		m.leave(e.circles)
		if e.state, e.of = forGood, m.of; e.kept == nil {
			m.known++
		}
		e.kept = nil
	}
	m.resume(f)
	return e.value
}

// Guard tells which look-ups are under way that keep nothing: rules that follow names from
// file to file may come back to where they were.
type Guard[K comparable] struct {
	memory *Memory
	seen   map[K]*guarded
}

type guarded struct {
	level   int // while it is under way, else outermost
	circles []int32
}

// NewGuard returns a guard for which nothing is under way.
func NewGuard[K comparable](m *Memory) *Guard[K] {
	return &Guard[K]{memory: m, seen: map[K]*guarded{}}
}

// Once works something out within a budget, unless that is under way: then it returns false.
func (g *Guard[K]) Once(key K, b Budget, work func()) bool {
	m := g.memory
	e := g.seen[key]
	switch {
	case e == nil:
		e = &guarded{level: outermost}
		g.seen[key] = e
	case e.level != outermost:
		m.low = min(m.low, e.level)
		return false
	}
	f, run := m.begin(e.circles), run{e, e.circles}
	e.level = f.level
	work()
	e.level = outermost
	if passes := m.finish(f, b); passes {
		m.join(f.parts)
		m.trail = append(m.trail, run)
	} else {
		m.leave(run.circles)
	}
	m.resume(f)
	return true
}

// run is one look-up of a guard, with the circles of which it was known to be a member.
type run struct {
	of      *guarded
	circles []int32
}

func (r run) end(m *Memory, circle int32) {
	m.leave(r.circles)
	if all := r.of.circles; circle != noCircle && !slices.Contains(all, circle) {
		r.of.circles = append(slices.Clip(all), circle)
	}
}

// frame is what a look-up begins with.
type frame struct {
	level        int
	trail, parts int // how much holds for now
	low          int // of the look-up around it, and what that has taken something of
	of           set
}

func (m *Memory) begin(circles []int32) frame {
	f := frame{m.level, len(m.trail), len(m.until), m.low, m.of}
	m.enter(circles)
	m.level, m.low, m.of = m.level+1, onNone, nil
	return f
}

// finish reports whether what a look-up found holds for now only.
func (m *Memory) finish(f frame, b Budget) (passes bool) {
	m.level = f.level
	if b.left.ended || m.low >= f.level && !m.close(f.trail, f.parts) {
		m.low = outermost
	}
	return m.low < f.level
}

// resume goes on with the look-up around one that is over.
func (m *Memory) resume(f frame) {
	if m.low >= f.level {
		m.low = onNone
	}
	m.low, m.of = min(m.low, f.low), f.of.with(m.of)
	if f.level == 0 {
		m.end(0, 0, noCircle)
		m.low, m.of = onNone, nil
	}
}

// enter says that a member of some circles is under way, and leave that it is no more, and
// holds no longer.
func (m *Memory) enter(circles []int32) {
	for _, c := range circles {
		if m.met[c]++; m.met[c] == 1 {
			m.busy[c/64] |= 1 << (c % 64)
		}
	}
}

func (m *Memory) leave(circles []int32) {
	for _, c := range circles {
		if m.met[c]--; m.met[c] == 0 {
			m.busy[c/64] &^= 1 << (c % 64)
		}
	}
}

// join says that what holds for now from a part of the trail on holds as long as what the
// look-up took that is over.
func (m *Memory) join(parts int) *until {
	if parts == len(m.until) {
		m.until = append(m.until, &until{low: m.low})
	}
	all := m.until[parts]
	for _, u := range m.until[parts+1:] {
		u.into = all
	}
	all.low = m.low
	m.until = m.until[:parts+1]
	return all
}

// close ends what holds for the look-up that is over, from a place of the trail on: it is a
// circle. It returns false where too many are remembered.
func (m *Memory) close(start, parts int) bool {
	if start == len(m.trail) {
		return true
	}
	c := int32(len(m.met))
	if c == maxCircles {
		return false
	}
	if m.met = append(m.met, 0); c%64 == 0 {
		m.busy = append(m.busy, 0)
	}
	m.end(start, parts, c)
	one := make(set, c/64+1)
	one[c/64] = 1 << (c % 64)
	m.of = m.of.with(one)
	return true
}

// end forgets what holds for now, from a place of the trail on: members of a circle, if any.
func (m *Memory) end(start, parts int, circle int32) {
	for _, e := range m.trail[start:] {
		e.end(m, circle)
	}
	clear(m.trail[start:])
	clear(m.until[parts:])
	m.trail, m.until = m.trail[:start], m.until[:parts]
}

func (e *entry[V]) end(m *Memory, circle int32) {
	m.leave(e.circles)
	if circle != noCircle {
		e.circles = append(e.circles, circle)
	}
	if e.result = (result[V]{}); e.kept != nil {
		e.result, e.kept = *e.kept, nil
	}
}

// set is a set of circles, which does not change.
type set []uint64

func (s set) meets(t set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// has reports whether all of another set are in a set.
func (s set) has(t set) bool {
	if len(t) > len(s) {
		return false
	}
	for i, w := range t {
		if w&^s[i] != 0 {
			return false
		}
	}
	return true
}

// with is what is in one of two sets.
func (s set) with(t set) set {
	switch {
	case s.has(t):
		return s
	case t.has(s):
		return t
	}
	all := make(set, max(len(s), len(t)))
	copy(all, s)
	for i, w := range t {
		all[i] |= w
	}
	return all
}
