package infer

// Memory tells what is known for good from what one look-up made of a circle. What
// depends on itself is taken as unknown where it is met again; what follows from
// that, or from a look-up that its budget ended, depends on where the look-up
// began. It serves the rest of that look-up, and the next one begins without it:
// so an answer does not depend on what was asked before.
type Memory struct {
	level   int  // of look-ups that are worked out, one for another
	passing bool // what is worked out now has taken something that is passing
	forget  []func()
	known   int // what all books have
}

// Size is how much is remembered, in answers.
func (m *Memory) Size() int { return m.known }

// Book remembers what was found under keys of one kind.
type Book[K comparable, V any] struct {
	memory *Memory
	found  map[K]*entry[V] // nil while nothing is; most books of a file have little
	before V               // what a key has while it is worked out
}

type entry[V any] struct {
	value   V
	passing bool // it holds for this look-up only
}

// NewBook returns a book in which nothing is found yet. A key that is met again
// while it is worked out has the value before.
func NewBook[K comparable, V any](m *Memory, before V) Book[K, V] {
	return Book[K, V]{memory: m, before: before}
}

// Recall returns what was found under a key, else what work finds within a budget.
func (k *Book[K, V]) Recall(key K, b Budget, work func() V) V {
	m := k.memory
	if known, ok := k.found[key]; ok {
		m.passing = m.passing || known.passing
		return known.value
	}
	if k.found == nil {
		k.found = map[K]*entry[V]{}
	}
	known := &entry[V]{k.before, true}
	k.found[key] = known
	outer := m.passing
	m.passing = false
	m.level++
	value := work()
	m.level--
	passing := m.passing || b.left.ended
	*known = entry[V]{value, passing}
	if passing {
		m.forget = append(m.forget, func() { delete(k.found, key) })
	} else {
		m.known++
	}
	m.passing = outer || passing
	if m.level == 0 {
		m.end()
	}
	return value
}

// Pass says that what is worked out now has met itself, in a look-up that no book has.
func (m *Memory) Pass() { m.passing = true }

// end forgets what held for the look-up that is over.
func (m *Memory) end() {
	for _, forget := range m.forget {
		forget()
	}
	clear(m.forget)
	m.forget, m.passing = m.forget[:0], false
}
