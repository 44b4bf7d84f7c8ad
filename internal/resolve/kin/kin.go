// Package kin says which types stand above and below a type, and which members take
// the place of others: by the bases that types name, by the headers of impls, and by
// the methods that interfaces of Go require.
//
// Methods read segments: call them inside a segment.Guard.
package kin

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/methodset"
	"espy/internal/resolve/origin"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Kin remembers what it has looked up for one question. It belongs to one goroutine.
type Kin struct {
	corpus *corpus.Corpus
	read   *corpus.Reader
	infer  *meaning.Evaluator
	origin *origin.Finder
	late   func() bool // reports that the time is over, and counts what is not looked at

	super      map[corpus.Ref][]Related                 // the types that a type names, or satisfies
	sub        map[corpus.Ref][]Related                 // the types that name a type, or satisfy it
	tops       map[corpus.Ref]map[corpus.Ref]bool       // the types above one
	mixed      map[corpus.Ref]map[corpus.Ref]corpus.Ref // those above the types below one, by the nearest of these
	needs      map[corpus.Ref]*required                 // what interfaces require
	signatures map[corpus.Ref]signature                 // of methods that were compared
	piece      segment.TextCache                        // of their texts
}

// required is what an interface requires, in itself and in those it embeds.
type required struct {
	of       corpus.Ref
	methods  []corpus.Ref
	standard []methodset.Method // of interfaces of the standard library
	partial  bool               // more is required that is not known here
}

// signature is one that was read, or that cannot be.
type signature struct {
	methodset.Signature
	ok bool
}

// New returns the kin of the files that are read. late reports whether the time is
// over.
func New(read *corpus.Reader, e *meaning.Evaluator, late func() bool) *Kin {
	return &Kin{
		corpus: read.Corpus(), read: read, infer: e, origin: origin.New(read, e), late: late,
		super: map[corpus.Ref][]Related{}, sub: map[corpus.Ref][]Related{}, tops: map[corpus.Ref]map[corpus.Ref]bool{}, mixed: map[corpus.Ref]map[corpus.Ref]corpus.Ref{}, needs: map[corpus.Ref]*required{}, signatures: map[corpus.Ref]signature{},
	}
}

// Related is a symbol that stands in a relation to another: the type above or below
// a type, or a member that overrides another.
type Related struct {
	corpus.Ref        // its Index is None where no file declares it, or where it has no name
	Outside    string // then: its name, with where it comes from as far as imports tell; empty of what has no name
	Confidence facts.Confidence
	Reason     string
	By         corpus.Ref // the use that says so; its Index is None where there is none
}

// none is the By of what no use says.
var none = corpus.Ref{Index: facts.None}

func (k *Kin) symbol(r corpus.Ref) *facts.Symbol { return k.read.Symbol(r) }

func (k *Kin) use(u corpus.Ref) *facts.Use { return k.read.File(u.File).Use(u.Index) }

func (k *Kin) facts(id corpus.FileID) *syn.File { return k.read.File(id).Facts }

func (k *Kin) language(r corpus.Ref) *infer.Language { return k.infer.Language(r.File) }

// maxRelated bounds the types that a walk over a hierarchy finds.
const maxRelated = 5000

// closure follows a relation from a type, nearest first. What no file declares is
// left out. whole is false where the time was over.
func (k *Kin) closure(r corpus.Ref, next func(corpus.Ref) []Related) (all []Related, whole bool) {
	seen, whole := map[corpus.Ref]bool{r: true}, true
	queue := []Related{{Ref: r, By: none}}
	for len(queue) > 0 && len(all) < maxRelated {
		t := queue[0]
		queue = queue[1:]
		if k.late() {
			whole = false
			continue
		}
		for _, n := range next(t.Ref) {
			if n.Index == facts.None || seen[n.Ref] {
				continue
			}
			seen[n.Ref] = true
			n.Confidence = max(n.Confidence, t.Confidence)
			all = append(all, n)
			queue = append(queue, n)
		}
	}
	return all, whole
}
