package nav

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/outline"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// located is a reference in an answer, or a word that no fact explains: neither
// Use nor Symbol then.
type located struct {
	resolve.Reference
	at   uint32
	word string
	role facts.Role // of a word
}

// found is what answers a question: certain and likely references, and possible
// ones, each by path and place.
type found struct {
	sure, maybe []located
}

// within leaves what stands in the files that are asked for, and counts the others.
func (f *found) within(a *ask, files Files) int {
	in := func(p *located) corpus.FileID { return p.File }
	return apart(a, files, &f.sure, in) + apart(a, files, &f.maybe, in)
}

// question is a request and the symbols that it means.
type question struct {
	*ask
	request *ReferencesRequest
	group   []corpus.Ref
}

// find finds the references that answer a question, and says what is left out.
func (q question) find(res *References) (*found, error) {
	kind := q.request.Kind
	if kind.IsRelation() {
		return q.split(q.related(kind, q.group), nil), nil
	}
	refs := q.Question.References(q.group)
	name, whole := q.name()
	bare := isBare(q.request.Name)
	var others []resolve.Reference
	if whole || bare {
		others = q.Others(name, refs, q.breadth(whole))
	}
	if whole {
		others = append(others, q.Namesakes(q.group)...)
	}
	refs, others = q.ofKind(refs), q.ofKind(others)
	all := q.split(refs, others)
	if whole {
		return all, q.addWords(res, all, name)
	}
	res.Others = q.others(name, all)
	if q.request.First || q.isLocal() {
		return all, nil
	}
	return all, q.lineWords(name, q.group, func(f corpus.FileID, at uint32, s standing) bool {
		if s == inLines && kind.holds(q.roleOf(f, at, name, s)) {
			res.Others++
		}
		return !q.Late()
	})
}

// name is the name that a question is about, and whether everything that bears
// it is asked for: by a bare name for the union, or where nothing bears it.
func (q question) name() (name string, whole bool) {
	if len(q.group) == 0 {
		return q.request.Name, isBare(q.request.Name)
	}
	if isBare(q.request.Name) { // which a component has by the name of its file
		return q.request.Name, q.request.Union
	}
	return q.Symbol(q.group[0]).Name, false
}

func (q question) breadth(whole bool) resolve.Breadth {
	if whole {
		return resolve.Whole
	}
	return resolve.Unattributed
}

// isBare reports whether a name is one without a type, package or file.
func isBare(name string) bool {
	parts := facts.SplitName(name)
	return len(parts) == 1 && parts[0] == name
}

// ofKind leaves the references of the kind that is asked for.
func (q question) ofKind(all []resolve.Reference) []resolve.Reference {
	kind := q.request.Kind
	if kind == KindAll {
		return all
	}
	return slices.DeleteFunc(all, func(r resolve.Reference) bool {
		return r.Use == facts.None || !kind.holds(q.Use(r.File, int(r.Use)).Role)
	})
}

// split tells certain and likely references, which are in order, from possible
// ones, to which others are added.
func (q question) split(refs, others []resolve.Reference) *found {
	all := &found{sure: make([]located, 0, len(refs))}
	if q.request.First {
		beyond := func(r resolve.Reference) bool { return q.Corpus.Home(r.File) != 0 }
		refs, others = slices.DeleteFunc(refs, beyond), slices.DeleteFunc(others, beyond)
	}
	for _, r := range refs {
		if q.request.Union && r.Dispatch { // of a name alone, what it may run is asked for too
			r.Confidence = facts.Likely
		}
		p := located{Reference: r, at: q.placeOf(&r)}
		if r.Confidence == facts.Possible {
			all.maybe = append(all.maybe, p)
		} else {
			all.sure = append(all.sure, p)
		}
	}
	possible := all.maybe
	for _, r := range others {
		p := located{Reference: r, at: q.placeOf(&r)}
		if !holds(all.sure, &p) && !holds(possible, &p) { // a name may be a use and a declaration at once
			all.maybe = append(all.maybe, p)
		}
	}
	sortPlaces(all.maybe)
	return all
}

// holds reports whether a list has something at a place.
func holds(list []located, p *located) bool {
	_, ok := slices.BinarySearchFunc(list, p, func(x located, p *located) int { return byPlace(&x, p) })
	return ok
}

func (q question) placeOf(r *resolve.Reference) uint32 {
	if r.Use == facts.None {
		return q.Symbol(corpus.Ref{File: r.File, Index: r.Symbol}).At
	}
	return q.Use(r.File, int(r.Use)).At
}

func sortPlaces(all []located) {
	slices.SortStableFunc(all, func(x, y located) int { return byPlace(&x, &y) })
}

func byPlace(x, y *located) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.at, y.at))
}

// others counts the uses of a name, of the kind that is asked for, that an answer
// leaves out. Names inside functions are many things in many places: of them
// nothing is counted.
func (q question) others(name string, all *found) int {
	if q.request.First || q.isLocal() {
		return 0
	}
	n := q.CountUses(name)
	if kind := q.request.Kind; kind != KindAll {
		n = q.CountUsesOf(name, kind.holds)
	}
	for _, list := range [][]located{all.sure, all.maybe} {
		for i := range list {
			if p := &list[i]; p.Use != facts.None && q.Use(p.File, int(p.Use)).Name == name {
				n--
			}
		}
	}
	return n
}

// addWords adds the words that no fact explains to the possible references, those of a
// module to the likely ones, and says which are left out.
func (q question) addWords(res *References, all *found, name string) error {
	unparsed := corpus.FileID(facts.None)
	err := q.words(name, q.request.declared, func(f corpus.FileID, at uint32, s standing) bool {
		if q.Late() {
			res.Left++ // at least: the text behind is not read
			return false
		}
		if s == inUnparsed && f != unparsed {
			unparsed = f
			res.Unparsed = append(res.Unparsed, q.Corpus.Path(f))
		}
		switch {
		case s.isMention():
			res.Mentions++
		case s.isUse():
			q.addWord(all, name, f, at, s)
		}
		return true
	})
	slices.Sort(res.Unparsed)
	sortPlaces(all.sure)
	sortPlaces(all.maybe)
	return err
}

// isLocal reports whether a symbol that is asked for is a name inside a function.
func (q question) isLocal() bool {
	return slices.ContainsFunc(q.group, func(r corpus.Ref) bool { return q.Symbol(r).Flags&facts.Local != 0 })
}

// roleOf says what a word that no fact explains is used for.
func (q question) roleOf(f corpus.FileID, at uint32, name string, s standing) facts.Role {
	switch {
	case s == inImport:
		return facts.RoleImport
	case q.isCalled(f, at, at+uint32(len(name))):
		return facts.RoleCall
	}
	return facts.RoleRead
}

func (q question) addWord(all *found, name string, f corpus.FileID, at uint32, s standing) {
	role := q.roleOf(f, at, name, s)
	if q.request.Kind.holds(role) {
		r := resolve.Reference{File: f, Use: facts.None, Symbol: facts.None, Confidence: facts.Possible, Reason: reasons[s]}
		if s == inModule {
			r.Confidence = facts.Likely
			all.sure = append(all.sure, located{r, at, name, role})
			return
		}
		all.maybe = append(all.maybe, located{r, at, name, role})
	}
}

// isCalled reports whether the name of a file from byte start to end is called.
func (q question) isCalled(f corpus.FileID, start, end uint32) bool {
	if q.Corpus.Family(f) != corpus.NoFamily {
		next, err := q.Cut(f, end, end+1)
		return err == nil && next == "("
	}
	text, err := q.Text(f)
	if err != nil || int(end) > len(text) {
		return false
	}
	from := bytes.LastIndexByte(text[:start], '\n') + 1
	behind, _, _ := bytes.Cut(text[end:], []byte("\n"))
	return outline.Called(q.Corpus.Language(f), string(text[from:start]), string(behind))
}
