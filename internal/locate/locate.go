// Package locate finds the symbols that a question is about, and describes them:
// by a name in the way of any language, by an id, or by a place.
//
// Questions over one state of a repository share an Index; the work on one of
// them is an Ask, which also works out what names mean (resolve.Question).
package locate

import (
	"path"

	"espy/internal/facts"
	"espy/internal/place"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/store"
)

// Index answers questions about one state of a repository. It may be used from
// any number of goroutines; its methods keep to one segment.Guard each.
type Index struct {
	parts    []corpus.Part
	corpus   *corpus.Corpus
	resolver *resolve.Resolver
	over     func() bool // reports that the time is over; nil for no bound
	kept     *kept
}

// Until returns the index for questions that answer with what they have found
// once over reports that the time is over.
func (x *Index) Until(over func() bool) *Index {
	return &Index{x.parts, x.corpus, x.resolver, over, x.kept}
}

// Open makes an index of a snapshot, which must stay open while it is in use.
func Open(s *store.Snapshot) (*Index, error) {
	var parts []corpus.Part
	for _, l := range s.Segments {
		parts = append(parts, corpus.Part{Live: l.Live, Syntax: l.Syntax})
	}
	return New(parts)
}

// Pending counts the files whose syntax is not known yet.
func (x *Index) Pending() int { return x.corpus.Pending() }

// New makes an index of the live files of parts, which must stay open while it is in use.
func New(parts []corpus.Part) (x *Index, err error) {
	err = segment.Guard(func() error {
		c := corpus.New(parts)
		x = &Index{parts: parts, corpus: c, resolver: resolve.New(c), kept: &kept{}}
		return nil
	})
	return x, err
}

// Ask is the work on one request.
type Ask struct {
	*resolve.Question
	Corpus *corpus.Corpus
	texts  texts
	starts map[corpus.FileID][]int // of lines
	ids    map[corpus.Ref]string
	named  map[corpus.FileID]int // symbols of a file whose id was looked up
	piece  segment.TextCache     // what TextRange read last
	lined  lined                 // what Within read last
	over   func() bool           // of Index.Until
	kept   *kept
}

// Late reports whether the time is over.
func (a *Ask) Late() bool { return a.over != nil && a.over() }

// Run does the work on one request; it is one segment.Guard.
func (x *Index) Run(work func(*Ask) error) error {
	return segment.Guard(func() error {
		a := &Ask{Question: x.resolver.Ask(), Corpus: x.corpus, texts: texts{of: map[corpus.FileID][]byte{}}, ids: map[corpus.Ref]string{}, named: map[corpus.FileID]int{}, over: x.over, kept: x.kept}
		a.Until(x.over)
		if err := work(a); err != nil {
			return err
		}
		a.End()
		return nil
	})
}

// Text returns the text of a file.
func (a *Ask) Text(f corpus.FileID) ([]byte, error) {
	if t, ok := a.texts.of[f]; ok {
		return t, nil
	}
	t, err := a.Corpus.Text(f)
	if err == nil {
		a.texts.keep(f, t, maxTexts)
	}
	return t, err
}

// maxTexts bounds the bytes of texts that a question keeps: what reads most files of a
// large repository must not hold them all.
const maxTexts = 64 << 20

// texts are those of files that were read.
type texts struct {
	of   map[corpus.FileID][]byte
	size int // in bytes
}

// keep adds a text; where all would be more than so many bytes, it drops the others.
func (t *texts) keep(f corpus.FileID, text []byte, most int) {
	if t.size += len(text); t.size > most {
		clear(t.of)
		t.size = len(text)
	}
	t.of[f] = text
}

// manyIDs is how many symbols of a file have to be named for all of them to be.
const manyIDs = 64

// ID is the name of a symbol that every answer uses and every question takes.
func (a *Ask) ID(r corpus.Ref) string {
	if id, ok := a.ids[r]; ok {
		return id
	}
	file, path := a.File(r.File), a.Corpus.Path(r.File)
	if a.named[r.File]++; a.named[r.File] == manyIDs { // looking for namesakes of each takes longer
		for i, id := range file.IDs(path) {
			a.ids[corpus.Ref{File: r.File, Index: int32(i)}] = id
		}
		return a.ids[r]
	}
	id := file.ID(path, int(r.Index))
	a.ids[r] = id
	return id
}

// ByID finds the symbol with an id.
func (a *Ask) ByID(id string) (corpus.Ref, bool) {
	file, local, _ := a.cutID(id)
	f, ok := a.Corpus.Find(file)
	if !ok {
		return corpus.Ref{}, false
	}
	i := a.File(f).ByID(local)
	return corpus.Ref{File: f, Index: int32(i)}, i != facts.None
}

// CutID cuts an id at the # behind the path of a file of the index.
func (a *Ask) cutID(id string) (file, local string, ok bool) {
	return place.CutID(id, func(file string) bool {
		_, ok := a.Corpus.Find(path.Clean(file))
		return ok
	})
}
