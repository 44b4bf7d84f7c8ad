// Package diff finds what differs between two versions of a file: in lines, and
// in symbols.
//
// A Version is what one side declares: of each symbol the hashes of its
// signature, of its code and of its documentation. The code of a symbol is that
// of its declaration, without the symbols it holds and without documentation: a
// changed method does not change its class. Comments are no code, nor is the
// layout over lines and columns, except for indentation in languages that give
// it a meaning. The place of a symbol does not matter at all.
package diff

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
)

// Kind says what became of a symbol.
type Kind uint8

// The kinds, in the order in which they matter to users of the symbol.
const (
	Removed   Kind = iota
	Signature      // declared otherwise; its body may differ too
	Moved          // the same code under another name or in another file
	Added
	Body // the same signature, other code
	Doc  // documentation and comments only
)

var kindNames = [...]string{"removed", "signature", "moved", "added", "body", "doc"}

// String returns the word for the kind that every answer uses.
func (k Kind) String() string { return kindNames[k] }

// KindNamed returns the kind of a word.
func KindNamed(word string) (Kind, bool) {
	i := slices.Index(kindNames[:], word)
	return Kind(max(i, 0)), i >= 0
}

// Change is what became of one symbol. The symbol is that of the newer version
// or, removed, that of the older.
type Change struct {
	Kind    Kind
	Symbol  Symbol
	Old     Symbol // in the older version; the zero Symbol for an added one
	Path    string // of the file; of one that was removed, what it was
	OldPath string // of the file that held Old
}

// Outside is the name of the symbol that stands for the text outside of all declarations.
const Outside = ""

// Symbol is a declaration, or under the name Outside the text outside of all.
type Symbol struct {
	ID        string // as in ids of the index behind #: Type.method, ~2 appended to the second of equal ones
	Name      string // the bare name
	Kind      code.Kind
	Line      int // of the name
	EndLine   int
	Signature string // on one line

	head, body, doc uint64 // hashes
	bare            uint64 // of head and body without the name
	size            int    // bytes of code hashed into bare
	path            string // names of what holds it and its own, without a number
}

// keep returns a copy that holds on to no other memory: names may be parts of
// a whole text.
func (s *Symbol) keep() Symbol {
	k := *s
	k.ID, k.Name, k.Signature = strings.Clone(s.ID), strings.Clone(s.Name), strings.Clone(s.Signature)
	k.path = ""
	return k
}

// Version is what one version of a file declares.
type Version struct {
	Path    string   // of the file; empty where there is none
	Symbols []Symbol // in the order of the text; the last one may be Outside
	Outline bool     // seen line by line, without a grammar
}

// Compare returns what became of the symbols of a file in the order of their
// lines. A version without a path is that of no file: all of the other is added
// or removed.
func Compare(old, new *Version) []Change {
	var changes []Change
	change := func(k Kind, symbol, before *Symbol, path string) {
		c := Change{Kind: k, Symbol: symbol.keep(), Path: path, OldPath: old.Path}
		if before != nil {
			c.Old = before.keep()
		}
		changes = append(changes, c)
	}
	took := make([]bool, len(old.Symbols))
	match := pair(old, new)
	for i := range new.Symbols {
		s := &new.Symbols[i]
		if match[i] < 0 {
			if s.ID != Outside || old.Path != "" {
				change(Added, s, nil, new.Path)
			}
			continue
		}
		took[match[i]] = true
		o := &old.Symbols[match[i]]
		if k, differs := compare(o, s); differs {
			change(k, s, o, new.Path)
		}
	}
	for i := range old.Symbols {
		if s := &old.Symbols[i]; !took[i] && (s.ID != Outside || new.Path != "") {
			change(Removed, s, s, cmp.Or(new.Path, old.Path))
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.line(), b.line()) })
	return Pair(changes)
}

// line orders changes: what is outside of symbols comes last.
func (c *Change) line() int {
	if c.Symbol.ID == Outside {
		return 1 << 30
	}
	return c.Symbol.Line
}

func compare(old, new *Symbol) (k Kind, differs bool) {
	switch {
	case old.head != new.head || old.Kind != new.Kind:
		return Signature, true
	case old.body != new.body:
		return Body, true
	case old.doc != new.doc:
		return Doc, true
	}
	return 0, false
}

// pair finds for each symbol of the newer version that of the older one, -1
// for none: of those with the same names the one with the same code, then the
// one with the same signature, then the next.
func pair(old, new *Version) []int {
	byPath := map[string][]int{}
	for i := range old.Symbols {
		byPath[old.Symbols[i].path] = append(byPath[old.Symbols[i].path], i)
	}
	match := make([]int, len(new.Symbols))
	for i := range match {
		match[i] = -1
	}
	for _, alike := range []func(o, n *Symbol) bool{
		func(o, n *Symbol) bool { return o.head == n.head && o.body == n.body },
		func(o, n *Symbol) bool { return o.head == n.head },
		func(o, n *Symbol) bool { return true },
	} {
		for i := range new.Symbols {
			if match[i] >= 0 {
				continue
			}
			s := &new.Symbols[i]
			list := byPath[s.path]
			at := slices.IndexFunc(list, func(o int) bool { return alike(&old.Symbols[o], s) })
			if at >= 0 {
				match[i] = list[at]
				byPath[s.path] = slices.Delete(list, at, at+1)
			}
		}
	}
	return match
}

// leastMoved is how many bytes of code a symbol has at least to be known again
// under another name or in another file: less is alike by chance.
const leastMoved = 24

// again reports whether a symbol can be known again by its code.
func (s *Symbol) again() bool { return s.size >= leastMoved && s.ID != Outside }

// Loose reports whether Pair may turn a change into another.
func (c *Change) Loose() bool {
	return (c.Kind == Added || c.Kind == Removed) && c.Symbol.again()
}

// Pair turns symbols that were removed in one place and added in another, with
// the same code, into moved ones, also from one file to another.
func Pair(changes []Change) []Change {
	type key struct {
		kind code.Kind
		bare uint64
	}
	gone := map[key][]int{}
	for i, c := range changes {
		if c.Kind == Removed && c.Symbol.again() {
			k := key{c.Symbol.Kind, c.Symbol.bare}
			gone[k] = append(gone[k], i)
		}
	}
	if len(gone) == 0 {
		return changes
	}
	drop := map[int]bool{}
	for _, sameName := range []bool{true, false} {
		for i := range changes {
			c := &changes[i]
			if c.Kind != Added || !c.Symbol.again() {
				continue
			}
			k := key{c.Symbol.Kind, c.Symbol.bare}
			at := slices.IndexFunc(gone[k], func(g int) bool { return !sameName || changes[g].Symbol.Name == c.Symbol.Name })
			if at < 0 {
				continue
			}
			g := gone[k][at]
			gone[k] = slices.Delete(gone[k], at, at+1)
			c.Kind, c.Old, c.OldPath = Moved, changes[g].Symbol, changes[g].OldPath
			drop[g] = true
		}
	}
	kept := changes[:0:0]
	for i, c := range changes {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	return kept
}
