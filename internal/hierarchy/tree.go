package hierarchy

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
)

// Bounds of a tree.
const (
	maxFollowed = 5_000  // symbols
	maxLines    = 50_000 // of an answer
)

// branch is a line before it is shown.
type branch struct {
	node     corpus.Ref // its Index is None where no file declares it
	related  kin.Related
	above    int // the branch that it continues, None for none
	depth    int
	relation Relation
	children []int
	followed bool
}

// tree is what following a hierarchy in one direction finds.
type tree struct {
	*finder
	direction Direction
	next      func(corpus.Ref) []kin.Related
	branches  []branch
	roots     []int
	seen      map[corpus.Ref]bool // nodes that are followed
	grown     map[corpus.Ref]bool // nodes that were followed: whether to something
}

// follow follows the hierarchy of the request, breadth first, so that each symbol is
// followed where it is nearest.
func (f *finder) follow() (all []*tree) {
	for _, d := range []Direction{Up, Down} {
		if f.request.Direction == d || f.request.Direction == Both {
			t := &tree{finder: f, direction: d, next: f.relation(d), seen: map[corpus.Ref]bool{}, grown: map[corpus.Ref]bool{}}
			t.grow()
			all = append(all, t)
		}
	}
	return all
}

// relation is what leads from a symbol one level on.
func (f *finder) relation(d Direction) func(corpus.Ref) []kin.Related {
	switch isType := f.Symbol(f.root).Kind.IsType(); {
	case isType && d == Up:
		return f.ofAll(f.Above)
	case isType:
		return f.ofAll(f.Below)
	case d == Up:
		return f.ofAll(f.Replaced)
	}
	return f.replacing()
}

// ofAll joins what the declarations of a node stand in a relation to.
func (f *finder) ofAll(next func(corpus.Ref) []kin.Related) func(corpus.Ref) []kin.Related {
	return func(n corpus.Ref) (all []kin.Related) {
		for _, d := range f.Together(n) {
			all = append(all, next(d)...)
		}
		return all
	}
}

// replacing finds all members below the root at once, and deals them to those that
// they override.
func (f *finder) replacing() func(corpus.Ref) []kin.Related {
	below := map[corpus.Ref][]kin.Related{}
	all := f.Replacing(f.Together(f.root))
	if f.Corpus.Language(f.root.File) == "go" { // what has the methods of an interface fulfils each of them itself
		below[f.root], all = all, nil
	}
	known := map[corpus.Ref]bool{f.root: true}
	for _, r := range all {
		known[f.graph.Node(r.Ref)] = true
	}
	for _, r := range all {
		n := f.graph.Node(r.Ref)
		found := false
		for _, up := range f.Replaced(r.Ref) {
			if above := f.graph.Node(up.Ref); known[above] && above != n {
				found = true
				below[above] = append(below[above], kin.Related{Ref: r.Ref, Confidence: up.Confidence, Reason: up.Reason, By: r.By})
			}
		}
		if !found {
			below[f.root] = append(below[f.root], r)
		}
	}
	return func(n corpus.Ref) []kin.Related { return below[n] }
}

func (t *tree) grow() {
	full := func() bool { return t.Late() || len(t.grown) >= maxFollowed || len(t.branches) >= maxLines }
	left := graph.Follow(t.request.Depth, full, t.step)
	t.answer.Left += left
	t.answer.Late = t.answer.Late || left > 0 && t.Late()
}

// step adds the branches of one, of the root for None, and returns those to be
// followed next.
func (t *tree) step(at, depth int) (next []int) {
	n := t.root
	if at != facts.None {
		n = t.branches[at].node
	}
	t.seen[n] = true
	var children []int
	for _, b := range t.found(n) {
		b.above, b.depth = at, depth
		children = append(children, len(t.branches))
		if b.node.Index != facts.None && !t.seen[b.node] && b.related.Confidence != facts.Possible {
			t.seen[b.node] = true
			b.followed = true
			next = append(next, len(t.branches))
		}
		t.branches = append(t.branches, b)
	}
	t.grown[n] = len(children) > 0
	if at == facts.None {
		t.roots = children
	} else {
		t.branches[at].children = children
	}
	return next
}

// found are the branches of a node, each symbol once, the most certain.
func (t *tree) found(n corpus.Ref) (all []branch) {
	at := map[any]int{}
	for _, r := range t.next(n) {
		if r.Confidence == facts.Possible && n != t.root { // it may as well not stand there at all
			continue
		}
		b := branch{node: r.Ref, related: r}
		key := any(r.By)
		switch {
		case r.Index != facts.None:
			b.node = t.graph.Node(r.Ref)
			key = b.node
		case r.Outside != "":
			key = r.Outside
		}
		if b.node == n && r.By.Index == facts.None {
			continue
		}
		b.relation = t.how(n, &b)
		i, ok := at[key]
		if !ok {
			at[key] = len(all)
			all = append(all, b)
		} else if r.Confidence < all[i].related.Confidence {
			all[i] = b
		}
	}
	t.sort(all)
	return all
}

// sort orders the branches of one symbol. Bases stand as they are named, in Ruby in the
// order in which a method is looked for, what is below by path, in tests last; what is merely
// possible comes behind both.
func (t *tree) sort(all []branch) {
	slices.SortStableFunc(all, func(a, b branch) int {
		order := cmp.Compare(t.last(&a), t.last(&b))
		if t.direction == Up {
			return order
		}
		x, y := t.proof(&a), t.proof(&b)
		return cmp.Or(order, cmp.Compare(x.File, y.File), cmp.Compare(x.at, y.at))
	})
}

// last orders branches by what they say.
func (t *tree) last(b *branch) int {
	n := 0
	if b.related.Confidence == facts.Possible {
		n += 4
	}
	if t.direction == Up && b.relation == Has {
		n += 2
	}
	if t.direction == Down && t.Corpus.Class(t.proof(b).File).Has(code.ClassTest) {
		n++
	}
	return n
}

// how says how the lower of two symbols stands to the upper.
func (t *tree) how(n corpus.Ref, b *branch) Relation {
	lower, upper := n, b.node
	if t.direction == Down {
		lower, upper = b.node, n
	}
	if !t.Symbol(t.root).Kind.IsType() {
		return t.replaces(lower, upper)
	}
	language := t.Corpus.Language(n.File)
	by := b.related.By
	if by.Index == facts.None {
		if language == "go" && upper.Index != facts.None && t.Symbol(upper).Kind == code.KindInterface && !t.IsAlias(lower) {
			return Has
		}
		if lower.Index != facts.None && t.Symbol(lower).Kind == code.KindType {
			return Names
		}
		return Extends
	}
	role := t.Use(by.File, int(by.Index)).Role
	kind, own := code.KindUnknown, code.KindUnknown
	if upper.Index != facts.None {
		kind = t.Symbol(upper).Kind
	}
	if lower.Index != facts.None {
		own = t.Symbol(lower).Kind
	}
	switch {
	case language == "go":
		return Embeds
	case language == "ruby" && (kind == code.KindModule || role == facts.RoleImplement),
		language == "php" && kind == code.KindTrait:
		return Includes
	case role == facts.RoleImplement,
		kind == code.KindInterface && own != code.KindInterface && own != code.KindUnknown:
		return Implements
	}
	return Extends
}

// replaces says how a member takes the place of another. In C++ a member without a body
// may have one elsewhere.
func (t *tree) replaces(lower, upper corpus.Ref) Relation {
	s, language := t.Symbol(upper), t.Corpus.Language(upper.File)
	static := s.Flags&t.Symbol(lower).Flags&facts.Static != 0
	switch {
	case static && (language == "java" || language == "csharp" || language == "cpp"):
		return Hides
	case t.isContract(upper), s.Flags&facts.Abstract != 0 && language != "cpp" && language != "c":
		return Implements
	}
	return Overrides
}

// isContract reports whether a member is one of an interface.
func (t *tree) isContract(member corpus.Ref) bool {
	owner, ok := t.OwnerType(member)
	return ok && t.Symbol(owner).Kind == code.KindInterface
}

// place is a byte of a file.
type place struct {
	File corpus.FileID
	at   uint32
}

// proof is where it is said that a branch stands as it does.
func (t *tree) proof(b *branch) place {
	isType := t.Symbol(t.root).Kind.IsType()
	switch by := b.related.By; {
	case isType && by.Index != facts.None:
		return place{by.File, t.Use(by.File, int(by.Index)).At}
	case b.node.Index == facts.None:
		return place{}
	}
	return place{b.node.File, t.Symbol(b.node).At}
}
