package impact

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/impact/mention"
	"espy/internal/impact/suite"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
)

// Bounds of a walk. They count, so that an answer does not depend on the load.
const (
	maxUses  = 1_500  // of the name of an affected symbol whose users are looked at; see most
	maxWork  = 10_000 // uses of names that are looked at, all symbols together
	perNode  = 8      // uses that the work of one symbol comes to besides
	maxNodes = 5_000
	maxAlike = 40 // things of one name; see most
	maxDoubt = 40 // users of one symbol that possibly are, of more than which none counts
)

// walk finds who uses what changes, step by step, the nearest first.
func (f *finder) walk() {
	w := &walker{finder: f, at: map[corpus.Ref]*node{}, begun: make([]*node, len(f.changes)), takes: map[twoFiles]bool{}, said: mention.New(f.ask, f.graph)}
	level := w.start()
	for distance := 1; distance <= f.req.depth() && len(level) > 0; distance++ {
		level = w.step(level, distance)
	}
	w.tell()
	slices.SortStableFunc(f.nodes, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.confidence, b.confidence),
			cmp.Compare(a.ref.File, b.ref.File), cmp.Compare(a.ref.Index, b.ref.Index))
	})
}

// walker is the work of a walk.
type walker struct {
	*finder
	at     map[corpus.Ref]*node
	begun  []*node           // of each change the node that stands for it, nil where it reaches nobody
	takes  map[twoFiles]bool // whether a file imports a module of the name of another
	said   *mention.Finder
	work   int
	common []string // names that are used too often to be followed
	more   int      // nodes whose users were not looked at
}

// start makes nodes of what changes.
func (w *walker) start() (level []*node) {
	for i := range w.changes {
		c := &w.changes[i]
		if !c.What.reaches() {
			continue
		}
		n := &node{ref: c.ref, name: c.Name, changed: c}
		w.begun[i] = n
		if suite.IsFixture(w.plain(c.Path)) {
			c.left = "it is in a fixture, and who reads these is not known"
		}
		if n.left = c.left; n.left != "" && len(c.importers) == 0 {
			continue
		}
		if c.What == Body || c.What == Outside || c.What == Contents {
			n.confidence = facts.Likely
		}
		if c.ref.File != noFile && c.ref.Index != facts.None {
			n.ref = w.graph.Node(c.ref)
			if o, ok := w.at[n.ref]; ok {
				o.confidence = min(o.confidence, n.confidence)
				w.begun[i] = o
				continue
			}
			w.at[n.ref] = n
		}
		level = append(level, n)
	}
	return level
}

// step finds the users of some nodes.
func (w *walker) step(level []*node, distance int) (next []*node) {
	level = slices.DeleteFunc(level, func(n *node) bool { return n.confidence == facts.Possible }) // what may not be affected at all
	for _, n := range level {
		n.uses = w.uses(n)
	}
	slices.SortStableFunc(level, func(a, b *node) int { return cmp.Compare(a.uses, b.uses) }) // the most for the work
	for _, n := range level {
		if w.ask.Late() {
			w.answer.Left++
			n.left = "the time was over"
			continue
		}
		for _, e := range w.edges(n) {
			if o := w.reach(n, &e, distance); o != nil {
				next = append(next, o)
			}
		}
	}
	slices.SortStableFunc(next, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.confidence, b.confidence), cmp.Compare(a.ref.File, b.ref.File), cmp.Compare(a.ref.Index, b.ref.Index))
	})
	return next
}

// edges are those that lead to a node, as far as they are followed.
func (w *walker) edges(n *node) []graph.Edge {
	switch {
	case n.changed != nil && n.changed.ID == "":
		return w.ofFile(n)
	case n.changed != nil && n.changed.words:
		return w.ofWord(n)
	case n.ref.File == noFile || n.changed != nil && n.changed.What == Moved:
		return append(w.lost(n), w.resolved(n)...)
	}
	return w.resolved(n)
}

// uses counts the uses of the name of a node, as far as they can be looked at.
func (w *walker) uses(n *node) int {
	name := n.name
	if n.ref.File != noFile && n.ref.Index != facts.None {
		name = w.ask.Symbol(n.ref).Name
	}
	return w.ask.UsesUpTo(name, w.most(n)+1)
}

// most is how many uses the name of a node may have: of what changes itself three quarters
// of the work that is left, but among other changes not what its file keeps to itself, nor
// members that are called as many others are.
func (w *walker) most(n *node) int {
	left := maxWork - w.work
	if n.distance > 0 || left < 2*maxUses || len(w.changes) > 1 && w.isLittleKnown(n.ref) {
		return min(maxUses, left)
	}
	return left * 3 / 4
}

// isLittleKnown reports whether few uses of the name of a symbol mean it: the declaration at
// the top of its file that it stands in is not for other files, or many members have its name.
func (w *walker) isLittleKnown(r corpus.Ref) bool {
	if r.File == noFile || r.Index == facts.None {
		return false
	}
	s := w.ask.Symbol(r)
	alike := corpus.IsMember(s) && len(w.ask.Named(s.Name)) > maxAlike
	for s.Parent != facts.None {
		s = w.ask.Symbol(corpus.Ref{File: r.File, Index: s.Parent})
	}
	return alike || s.Flags&facts.Exported == 0
}

// affords reports whether the users of a node are looked at, which is work.
func (w *walker) affords(n *node) bool {
	switch {
	case n.uses > max(maxUses, w.most(n)) && n.distance == 0:
		n.left = fmt.Sprintf("its name is used more than %d times", maxUses)
		return false
	case n.uses > maxUses && n.distance > 0:
		w.common = append(w.common, n.name)
		return false
	case w.work+n.uses > maxWork || len(w.at) > maxNodes:
		if n.distance > 0 {
			w.more++
		}
		n.left = "there are too many users of what else changes"
		return false
	}
	w.work += n.uses + perNode
	return true
}

func (w *walker) resolved(n *node) []graph.Edge {
	if n.ref.File == noFile || n.ref.Index == facts.None || !w.affords(n) {
		return nil
	}
	all := w.graph.In(n.ref)
	if n.distance == 0 && w.ask.Symbol(n.ref).Kind.IsFunc() && n.changed.What != Body {
		for _, r := range w.ask.Overriding(n.ref) {
			all = append(all, graph.Edge{From: w.graph.Node(r.Ref), To: n.ref, Role: facts.RoleImplement, Confidence: r.Confidence, Line: int(w.ask.Symbol(r.Ref).Line)})
		}
	}
	return w.known(n, all)
}

// known leaves out the edges that are possible where there are many: most are of what else
// bears the name.
func (w *walker) known(n *node, all []graph.Edge) []graph.Edge {
	known := slices.DeleteFunc(slices.Clone(all), func(e graph.Edge) bool { return e.Confidence == facts.Possible })
	doubt := len(all) - len(known)
	switch {
	case doubt <= maxDoubt:
		return all
	case n.distance > 0:
		w.common = append(w.common, n.name)
	default:
		n.left = fmt.Sprintf("%d more use its name, and nothing tells whether they mean it", doubt)
	}
	return known
}

// reach takes the user at the other end of an edge, nil where it was reached before.
func (w *walker) reach(n *node, e *graph.Edge, distance int) *node {
	c := max(n.confidence, e.Confidence)
	if distance > 1 && c == facts.Certain { // its users need not notice
		c = facts.Likely
	}
	if o, ok := w.at[e.From]; ok {
		if o.distance == distance && c < o.confidence {
			o.confidence, o.reason, o.line, o.via = c, w.reason(e, n), e.Line, n
		}
		return nil
	}
	o := &node{ref: e.From, distance: distance, confidence: c, reason: w.reason(e, n), line: e.Line, via: n}
	if e.From.Index == facts.None {
		o.name = path.Base(w.ask.Corpus.Of(e.From.File).Path(e.From.File))
	} else {
		o.name = strings.Join(w.ask.File(e.From.File).Chain(int(e.From.Index)), ".")
	}
	w.at[e.From] = o
	w.nodes = append(w.nodes, o)
	return o
}

// reason says how a user uses a node.
func (w *walker) reason(e *graph.Edge, n *node) string {
	name := place.Name(n.name)
	s := "uses "
	switch {
	case n.changed != nil && n.changed.ID == "" && e.Role == facts.RoleImport:
		return "imports " + place.Name(path.Base(n.changed.Path))
	case n.word != "":
		return "mentions " + place.Name(n.word)
	}
	switch e.Role {
	case facts.RoleCall:
		s = "calls "
	case facts.RoleWrite:
		s = "sets "
	case facts.RoleInherit:
		s = "extends "
	case facts.RoleImplement:
		s = "implements "
		if n.changed != nil && n.changed.Kind.IsFunc() {
			s = "overrides "
		}
	case facts.RoleRead:
		s = "reads "
	}
	if n.ref.File == noFile {
		return s + name + ", which is gone"
	}
	return s + name
}

// tell says what was not followed.
func (w *walker) tell() {
	for i, n := range w.begun {
		if n != nil && n.left != "" {
			w.answer.NotFollowed = append(w.answer.NotFollowed, NotFollowed{w.changes[i].Changed, n.left})
		}
	}
	if len(w.common) > 0 {
		slices.Sort(w.common)
		names := slices.Compact(w.common)
		shown := names[:min(len(names), 5)]
		w.answer.Notes = append(w.answer.Notes, fmt.Sprintf("not followed as far as they go, since their names are used too often: %s%s", strings.Join(shown, ", "), andMore(len(names)-len(shown))))
	}
	if w.more > 0 {
		w.answer.Notes = append(w.answer.Notes, fmt.Sprintf("the users of %d affected symbols were not looked at: there are too many", w.more))
	}
}
