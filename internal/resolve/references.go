package resolve

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/lombok"
)

// Reference is a use that means, or may mean, a symbol, or the declaration of
// a member that overrides it or that it overrides.
type Reference struct {
	File       corpus.FileID
	Use        int32 // None for a declaration
	Symbol     int32 // None for a use
	Confidence facts.Confidence
	Reason     string
	Dispatch   bool // a call of a member of a type from elsewhere, which may run it
	Means      Means
}

// Means says what a reference names.
type Means uint8

// What it names.
const (
	Itself Means = iota
	Above        // a member that the symbol overrides or fulfils: its call may run the symbol
	Beside       // another member that overrides the same one, or that overrides the symbol
)

// References finds the uses of a group: declarations of the same thing in
// several places. They are in the order of path and place. Those of a constructor are also
// the calls of types that run it, which may not name it; of several constructors these are
// left out.
func (q *Question) References(group []corpus.Ref) []Reference {
	var all []Reference
	var global []corpus.Ref
	for _, r := range group {
		if q.Symbol(r).Flags&facts.Local != 0 && !q.isNamedArgument(r) {
			all = append(all, q.localReferences(r)...)
		} else {
			global = append(global, r)
		}
	}
	if len(global) > 0 {
		s := q.search(global)
		all = append(all, s.declarations()...)
		for _, spelling := range q.spellings(global) {
			all = append(all, s.uses(spelling)...)
		}
	}
	return q.inOrder(append(all, q.makings(group)...))
}

// makings are the calls of types that run the constructor of a group.
func (q *Question) makings(group []corpus.Ref) (all []Reference) {
	if len(group) == 0 || slices.ContainsFunc(group, func(r corpus.Ref) bool { return !slices.Contains(q.Together(group[0]), r) }) {
		return nil
	}
	for _, t := range q.Made(group[0]) {
		for _, r := range q.References(q.Together(t)) {
			if r.Use == facts.None || q.Use(r.File, int(r.Use)).Role != facts.RoleCall {
				continue
			}
			r.Reason = "makes a " + q.Symbol(t).Name + ": " + r.Reason
			all = append(all, r)
		}
	}
	return all
}

// inOrder sorts references by path and place, and leaves one of those at one place.
func (q *Question) inOrder(all []Reference) []Reference {
	type placed struct {
		Reference
		at uint32
	}
	places := make([]placed, len(all))
	for i, r := range all {
		places[i] = placed{r, q.placeOf(r)}
	}
	byPlace := func(a, b placed) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.at, b.at)) }
	slices.SortFunc(places, byPlace)
	places = slices.CompactFunc(places, func(a, b placed) bool { return byPlace(a, b) == 0 })
	for i := range places {
		all[i] = places[i].Reference
	}
	return all[:len(places)]
}

func (q *Question) placeOf(r Reference) uint32 {
	f := q.read.File(r.File)
	if r.Use == facts.None {
		return f.Symbol(r.Symbol).At
	}
	return f.Use(r.Use).At
}

// isNamedArgument reports whether a symbol is a parameter that calls in other
// files may name.
func (q *Question) isNamedArgument(r corpus.Ref) bool {
	l := q.language(r)
	return q.Symbol(r).Kind == code.KindParam && l != nil && l.NamedArguments
}

// spelling is a name that a symbol is used by: in one file, or in all where file is None.
type spelling struct {
	name string
	file corpus.FileID
}

// maxSpellings bounds the names that a symbol is looked for by.
const maxSpellings = 100

// isConstructor reports whether a symbol is a constructor that bears the name of
// its type, which types call by this and super.
func (q *Question) isConstructor(r corpus.Ref) bool {
	l, s := q.language(r), q.Symbol(r)
	return l != nil && l.NamedConstructors && s.Kind == code.KindMethod && q.read.Owner(r) == s.Name
}

// generated are the names by which a symbol is called besides its own.
func (q *Question) generated(r corpus.Ref) []string {
	if l := q.language(r); l != nil && l.Generates != nil {
		return l.Generates(r)
	}
	return nil
}

// Fields are those that methods of a name read or set which no file declares, as an
// annotation makes them.
func (q *Question) Fields(method string) (all []corpus.Ref) {
	for _, field := range lombok.Accessed(method) {
		for _, r := range q.Named(field) {
			if slices.Contains(q.generated(r), method) {
				all = append(all, r)
			}
		}
	}
	return all
}

// spellings are the names that a symbol is used by: its own, and those that
// imports give it.
func (q *Question) spellings(group []corpus.Ref) []spelling {
	all := []spelling{{q.Symbol(group[0]).Name, facts.None}}
	if i := slices.IndexFunc(group, q.isConstructor); i >= 0 {
		all = append(all, spelling{"this", group[i].File}, spelling{"super", facts.None}, spelling{"base", facts.None})
	}
	if l := q.language(group[0]); l != nil && q.Symbol(group[0]).Kind.IsFunc() && (!l.NamedConstructors || slices.ContainsFunc(group, q.isConstructor)) {
		for _, word := range l.Keywords {
			all = append(all, spelling{word, facts.None})
		}
	}
	for _, name := range q.generated(group[0]) {
		all = append(all, spelling{name, facts.None})
	}
	for i := 0; i < len(all) && len(all) < maxSpellings; i++ {
		if all[i].file != facts.None {
			continue
		}
		for r, m := range q.read.Imports(all[i].name) {
			if m.Name != all[i].name || m.Local == "" || m.Local == m.Name {
				continue
			}
			if a := q.infer.Imported(r, infer.Full()); !corpus.Overlap(a.Refs, group) {
				continue
			}
			next := spelling{m.Local, r.File}
			if m.Flags&(facts.Exported|facts.Reexport) != 0 {
				next.file = facts.None
			}
			if !slices.Contains(all, next) {
				all = append(all, next)
			}
		}
	}
	return all
}
