// Package resolve decides what a name means, at query time, from the facts of
// single files (facts.File): an edit never changes what is stored of other files.
//
// A Question makes up its answers from two operations: what a use means
// (Define), and who uses a symbol (References). Below them, package corpus reads
// the files, meaning works out what names mean and expressions stand for, in the
// words of infer, and rules holds what each language decides.
//
// Every answer has a confidence and a reason. What scopes, imports and written
// types say is certain; what follows from first values, or from the lack of
// another candidate, is likely; what may as well be something else is possible.
//
// Methods read segments: call them inside a segment.Guard.
package resolve

import (
	"sync"

	"espy/internal/facts"
	"espy/internal/resolve/bridge"
	"espy/internal/resolve/company"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/kin"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/origin"
	"espy/internal/resolve/rules"
	"espy/internal/segment/syn"
)

// Resolver answers questions about one corpus. It may be used from any number
// of goroutines.
type Resolver struct {
	corpus   *corpus.Corpus
	projects []*rules.Project                            // of each repository that was joined
	packages func() map[corpus.InPackage][]corpus.FileID // read when it is first asked for

	mu    sync.Mutex
	ended *Question // guarded by mu: the last one that ended, with what it has looked up; nil for none
}

// New returns a resolver of a corpus.
func New(c *corpus.Corpus) *Resolver {
	r := &Resolver{corpus: c, packages: sync.OnceValue(c.Packages)}
	for _, one := range c.Members() {
		r.projects = append(r.projects, rules.Read(one))
	}
	return r
}

// languages are the rules of each repository, for one question.
func (r *Resolver) languages(read *corpus.Reader, e *meaning.Evaluator) (all []infer.Languages) {
	for i, one := range read.Members() {
		all = append(all, r.projects[i].Languages(one, e))
	}
	return bridge.Join(read, all)
}

// Question remembers what it has looked up. It belongs to one goroutine.
type Question struct {
	*kin.Kin
	resolver *Resolver
	corpus   *corpus.Corpus
	read     *corpus.Reader
	infer    *meaning.Evaluator
	origin   *origin.Finder
	over     func() bool // reports that the time is over
	left     int         // what was not looked at then

	company  *company.Company                  // nil before it is asked for
	meanings map[string][]*infer.Answer        // of the uses of names that were searched for
	kept     int                               // all that meanings has
	keywords map[string][]string               // what keywordsOf has said of a word
	near     map[corpus.FileID][]corpus.FileID // files and those of what they import
	weighers map[corpus.Ref]*weigher           // of single symbols, for what uses mean
	guesses  map[nameAndManner]*guess          // of members whose receivers are not known

	lowerNames map[corpus.Ref]map[string]bool // of the types below one
}

// Ask starts a question. It knows what the last one that ended has looked up, which
// changes no answer and saves time.
func (r *Resolver) Ask() *Question {
	r.mu.Lock()
	q := r.ended
	r.ended = nil
	r.mu.Unlock()
	if q != nil {
		return q
	}
	return r.ask()
}

func (r *Resolver) ask() *Question {
	read := r.corpus.Reader()
	bind := func(e *meaning.Evaluator) []infer.Languages { return r.languages(read, e) }
	q := &Question{resolver: r, corpus: r.corpus, read: read, infer: meaning.New(read, bind), meanings: map[string][]*infer.Answer{}, keywords: map[string][]string{}}
	q.origin = origin.New(read, q.infer)
	q.Kin = kin.New(read, q.infer, q.late)
	return q
}

// maxKept bounds what a question that has ended may keep for the next one, in rows,
// names and answers: some 100 MB.
const maxKept = 400_000

// End leaves what the question has looked up to the next one of its resolver. The
// question must not be used behind it. What was ended by its time is not whole, and is
// left to nobody.
func (q *Question) End() {
	if q.left > 0 || q.read.Size()+q.infer.Size()+q.kept > maxKept {
		return
	}
	q.over = nil
	q.resolver.mu.Lock()
	defer q.resolver.mu.Unlock()
	q.resolver.ended = q
}

// Until has the question stop where over reports that the time is over.
func (q *Question) Until(over func() bool) { q.over = over }

// Left returns how many uses and declarations were not looked at because the
// time was over.
func (q *Question) Left() int { return q.left }

// late reports whether the time is over, and counts what is not looked at.
func (q *Question) late() bool {
	if q.over == nil || !q.over() {
		return false
	}
	q.left++
	return true
}

// File returns the facts of a file, with rows only where it was parsed.
func (q *Question) File(id corpus.FileID) *syn.File { return q.read.File(id).Facts }

// Symbol returns a symbol. It is shared: do not change it.
func (q *Question) Symbol(r corpus.Ref) *facts.Symbol { return q.read.Symbol(r) }

// Use returns use i of a file without its line and column, which File(id).Use(i)
// has. It is shared: do not change it.
func (q *Question) Use(id corpus.FileID, i int) *facts.Use { return q.read.File(id).Use(int32(i)) }

// Named returns the symbols of a name that other files can mean, by path and
// place. Do not change them.
func (q *Question) Named(name string) []corpus.Ref { return q.read.Named(name) }

// CountUses counts the uses of a name in the whole repository.
func (q *Question) CountUses(name string) int { return len(q.read.Uses(name)) }

// UsesUpTo is CountUses, most at most: it costs little where there are more.
func (q *Question) UsesUpTo(name string, most int) int { return q.read.UsesUpTo(name, most) }

// UsesOf returns the uses of a name in the whole repository, by path and place. Do
// not change them.
func (q *Question) UsesOf(name string) []corpus.Ref { return q.read.Uses(name) }

// CountUsesOf is CountUses for the uses of some roles.
func (q *Question) CountUsesOf(name string, holds func(facts.Role) bool) int {
	n := 0
	for _, use := range q.read.Uses(name) {
		if holds(q.Use(use.File, int(use.Index)).Role) {
			n++
		}
	}
	return n
}

// Together returns a symbol and the other declarations of the same thing: for
// other systems, overloads of one function, merged types. Do not change them.
func (q *Question) Together(r corpus.Ref) []corpus.Ref { return q.infer.Together(r) }

// language returns the language of a symbol's file, nil where it has no rules.
func (q *Question) language(r corpus.Ref) *infer.Language { return q.infer.Language(r.File) }

// Meaning is a symbol that a use may mean.
type Meaning struct {
	corpus.Ref
	Confidence facts.Confidence
	Reason     string
}

// maxMeanings bounds the meanings of uses that a question keeps, some 150 bytes each.
const maxMeanings = 200_000

// meaningsOf are what the uses of a name mean, in their order, as far as that is known:
// where a name has many declarations, the references of each are looked for among the
// same uses.
func (q *Question) meaningsOf(name string) []*infer.Answer {
	all, ok := q.meanings[name]
	if !ok {
		all = make([]*infer.Answer, q.CountUses(name))
		if q.kept += len(all); q.kept > maxMeanings {
			clear(q.meanings)
			q.kept = len(all)
		}
		q.meanings[name] = all
	}
	return all
}

// meaningOf is the meaning of use k of those of a name. Do not change it.
func (q *Question) meaningOf(all []*infer.Answer, k int, use corpus.Ref) infer.Answer {
	if all[k] == nil {
		a := q.infer.Meaning(use, infer.Full())
		all[k] = &a
	}
	return *all[k]
}
