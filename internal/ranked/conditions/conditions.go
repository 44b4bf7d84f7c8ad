// Package conditions decides which files meet the conditions of a query: its
// AND, OR and NOT, phrases, symbol: and kind:. Words are looked up as they
// stand: no stop words, no synonyms.
package conditions

import (
	"fmt"
	"slices"

	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/token"
	"espy/internal/usage"
)

// Met is what meets the conditions of a query.
type Met struct {
	Files        []segment.Bitmap     // by segment, nil where every file does; dead ones may be among them
	Declarations []corpus.Declaration // that symbol: asks for
	Phrases      []Place              // where the quoted texts of the query begin first in each file
	Notes        []string             // what the reader must know
}

// Place is a chunk of a file.
type Place struct {
	Segment     *corpus.Segment
	File, Chunk int
}

// Evaluate returns what meets the conditions of a tree. Plain words are no
// condition: they rank.
func Evaluate(in *corpus.Corpus, root query.Node) (*Met, error) {
	e := &evaluation{in: in}
	switch root.(type) {
	case query.Word, query.Any:
		e.met.Files = make([]segment.Bitmap, len(in.Segments))
		return &e.met, nil
	case nil: // filters only
		e.met.Files = all(in)
		return &e.met, nil
	}
	sets, err := e.files(root)
	if err != nil {
		return nil, err
	}
	if sets == nil {
		sets = all(in)
	}
	e.met.Files = sets
	return &e.met, nil
}

// IsPlain reports whether a node is words side by side, which are no condition.
func IsPlain(n query.Node) bool {
	switch n.(type) {
	case query.Word, query.Any:
		return true
	}
	return false
}

// evaluation is the evaluation of one tree. Its sets of files are by segment.
type evaluation struct {
	in  *corpus.Corpus
	met Met
}

// all returns the sets of all files.
func all(in *corpus.Corpus) []segment.Bitmap {
	sets := make([]segment.Bitmap, len(in.Segments))
	for i, s := range in.Segments {
		sets[i] = segment.NewBitmap(s.NumFiles())
	}
	return sets
}

func (e *evaluation) none() []segment.Bitmap {
	sets := make([]segment.Bitmap, len(e.in.Segments))
	for i, s := range e.in.Segments {
		sets[i] = segment.EmptyBitmap(s.NumFiles())
	}
	return sets
}

// files returns the files for which a node holds, nil for a node that says
// nothing because it has no word in it.
func (e *evaluation) files(n query.Node) ([]segment.Bitmap, error) {
	switch n := n.(type) {
	case query.And:
		return e.join(n.Nodes, segment.Bitmap.And)
	case query.Or:
		return e.join(n.Nodes, segment.Bitmap.Or)
	case query.Any:
		return e.join(telling(n.Nodes), segment.Bitmap.Or)
	case query.Not:
		return e.not(n.Node)
	case query.Word:
		return e.word(n.Text)
	case query.Phrase:
		return e.phrase(n.Text)
	case query.Symbol:
		return e.symbol(n.Name)
	}
	return nil, fmt.Errorf("unknown node %T in the query", n)
}

// telling leaves stop words out of plain words side by side, unless that leaves none.
func telling(nodes []query.Node) []query.Node {
	rest := slices.DeleteFunc(slices.Clone(nodes), func(n query.Node) bool {
		w, ok := n.(query.Word)
		return ok && rank.IsStopword(w.Text)
	})
	if len(rest) == 0 {
		return nodes
	}
	return rest
}

// join joins the files of nodes by an operation on the first set and the next.
func (e *evaluation) join(nodes []query.Node, op func(set, next segment.Bitmap)) ([]segment.Bitmap, error) {
	var joined []segment.Bitmap
	for _, n := range nodes {
		sets, err := e.files(n)
		if err != nil {
			return nil, err
		}
		if joined == nil {
			joined = sets
			continue
		}
		for i := range sets {
			op(joined[i], sets[i])
		}
	}
	return joined, nil
}

func (e *evaluation) not(n query.Node) ([]segment.Bitmap, error) {
	sets, err := e.files(n)
	if err != nil || sets == nil {
		return nil, err
	}
	rest := all(e.in)
	for i := range rest {
		rest[i].AndNot(sets[i])
	}
	return rest, nil
}

// terms returns the terms of a text. Where it has none the note says so.
func (e *evaluation) terms(text string) (terms []string) {
	for _, w := range token.Words(text) {
		terms = append(terms, w.Terms...)
	}
	if len(terms) == 0 {
		e.met.Notes = append(e.met.Notes, fmt.Sprintf("%q has no word in it and was left out: mode literal finds punctuation", usage.Shorten(text, 40)))
	}
	return terms
}

// word returns the files that hold the terms of a word side by side in their
// text, or all of them in their path.
func (e *evaluation) word(text string) ([]segment.Bitmap, error) {
	terms := e.terms(text)
	if len(terms) == 0 {
		return nil, nil
	}
	sets := e.none()
	for i, s := range e.in.Segments {
		if err := addTexts(sets[i], s, terms); err != nil {
			return nil, err
		}
		if err := addPaths(sets[i], s, terms); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// phrase returns the files that hold the terms of a text side by side.
func (e *evaluation) phrase(text string) ([]segment.Bitmap, error) {
	terms := e.terms(text)
	if len(terms) == 0 {
		return nil, nil
	}
	sets := e.none()
	for i, s := range e.in.Segments {
		starts, err := s.Phrase(terms)
		if err != nil {
			return nil, err
		}
		for _, o := range starts {
			if file := int(o.File); !sets[i].Has(file) {
				sets[i].Set(file)
				e.met.Phrases = append(e.met.Phrases, Place{s, file, int(o.Chunk)})
			}
		}
	}
	return sets, nil
}

// symbol returns the files that define a name, as a symbol of the kinds that
// the query asks for.
func (e *evaluation) symbol(name string) ([]segment.Bitmap, error) {
	found, _, err := e.in.Declarations(name)
	if err != nil {
		return nil, err
	}
	sets := e.none()
	for _, d := range found {
		if d.Segment.Kinds().Has(d.Kind) {
			sets[d.Segment.Index].Set(d.File)
			e.met.Declarations = append(e.met.Declarations, d)
		}
	}
	return sets, nil
}

// addTexts adds the files whose text has the terms side by side.
func addTexts(set segment.Bitmap, s *corpus.Segment, terms []string) error {
	if len(terms) == 1 {
		t, ok, err := s.Lookup(terms[0])
		if err != nil || !ok {
			return err
		}
		set.Or(s.TextFiles(t))
		return nil
	}
	starts, err := s.Phrase(terms)
	for _, o := range starts {
		set.Set(int(o.File))
	}
	return err
}

// addPaths adds the files whose path has all the terms.
func addPaths(set segment.Bitmap, s *corpus.Segment, terms []string) error {
	var found segment.Bitmap
	for _, text := range terms {
		t, ok, err := s.Lookup(text)
		if err != nil || !ok {
			return err
		}
		files := segment.EmptyBitmap(s.NumFiles())
		for it := t.Path(); ; {
			file, _, _, ok := it.Next()
			if !ok {
				break
			}
			if found.Has(file) { // every file has the terms before the first
				files.Set(file)
			}
		}
		found = files
	}
	set.Or(found)
	return nil
}
