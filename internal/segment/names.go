package segment

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"sort"

	"espy/internal/segment/frame"
	"espy/internal/token"
)

// nameKey is what tells most names of a length apart from a word without a look
// at their term. There is one for each distinct name of a part and for each
// compound in one: 8 MB for a million of them.
type nameKey struct {
	term    uint32 // its number
	classes classes
}

// classes are the kinds of bytes in a name: every lower-case letter is one by itself.
type classes uint32

func classesOf(name []byte) (set classes) {
	for _, c := range name {
		set |= 1 << (c % 32)
	}
	return set
}

// without returns how many classes of a set are not in another one.
func (s classes) without(o classes) int { return bits.OnesCount32(uint32(s &^ o)) }

// namesFrom returns the keys of the names that begin with a byte, by length and
// in the order of their terms. They are made when first asked for.
func (r *Reader) namesFrom(first byte) [][]nameKey {
	if made := r.names[first].Load(); made != nil {
		return *made
	}
	var keys [][]nameKey
	prefix := []byte{'=', first}
	c := r.dict.Cursor()
	for more := c.Seek(prefix); more && bytes.HasPrefix(c.Term(), prefix); more = c.Skim() {
		if !c.Named {
			continue
		}
		name := c.Term()[1:]
		for len(keys) <= len(name) {
			keys = append(keys, nil)
		}
		keys[len(name)] = append(keys[len(name)], nameKey{c.Number(), classesOf(name)})
	}
	for i := range keys {
		keys[i] = slices.Clone(keys[i]) // without the room to grow
	}
	r.names[first].Store(&keys)
	return keys
}

// NearNames calls visit with the term of every name that begins with the same
// byte as a word and is at most so many edits away from it. An edit inserts,
// removes or replaces a byte, or swaps two neighbours. A few other terms may be
// among them, some of dead definitions only, some compounds that are no name by
// themselves: Live.Spellings tells. The bytes are valid during the call.
func (r *Reader) NearNames(word string, edits int, visit func(term []byte)) (err error) {
	defer frame.Catch(&err)
	if word == "" {
		return nil
	}
	c := r.dict.Cursor()
	wanted := classesOf([]byte(word))
	keys := r.namesFrom(word[0])
	for length := max(0, len(word)-edits); length < min(len(keys), len(word)+edits+1); length++ {
		// Only a byte inserted or replaced brings a class, and only one taken
		// out or replaced takes one away.
		brings := edits - max(0, len(word)-length)
		takes := edits - max(0, length-len(word))
		for _, k := range keys[length] {
			if k.classes.without(wanted) <= brings && wanted.without(k.classes) <= takes {
				visit(c.At(k.term))
			}
		}
	}
	return nil
}

// LongerNames calls visit with the term of every name that begins with a word
// and has at least so many bytes, shorter ones first and then in byte order,
// until visit returns false. The notes on NearNames apply.
func (r *Reader) LongerNames(word string, least int, visit func(term []byte) bool) (err error) {
	defer frame.Catch(&err)
	if word == "" {
		return nil
	}
	prefix := []byte("=" + word)
	keys := r.namesFrom(word[0])
	for _, same := range keys[min(least, len(keys)):] {
		c := r.dict.Cursor()
		i := sort.Search(len(same), func(i int) bool { return bytes.Compare(c.At(same[i].term), prefix) >= 0 })
		for ; i < len(same) && bytes.HasPrefix(c.At(same[i].term), prefix); i++ {
			if !visit(c.Term()) {
				return nil
			}
		}
	}
	return nil
}

// Spellings returns the names of live definitions that token.Name puts under a
// term, each once.
func (l Live) Spellings(term string) (names []string, err error) {
	defer frame.Catch(&err)
	t, ok, err := l.Lookup(term)
	if err != nil || !ok {
		return nil, err
	}
	last := uint32(math.MaxUint32)
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return names, nil
		}
		row := l.definitionRow(def)
		if row.name == last || !l.Alive(l.FileOf(int(row.chunk))) {
			continue
		}
		last = row.name
		if n := string(l.nameAt(row.name)); !slices.Contains(names, n) && token.Name(n) == term {
			names = append(names, n)
		}
	}
}
