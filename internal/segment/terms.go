package segment

import (
	"bytes"

	"espy/internal/segment/dict"
)

// dictForm is the form of the dictionary of a segment.
var dictForm = dict.Form{Postings: int(secPostings), Terms: int(secTerms), Index: int(secTermIndex), Spread: true}

// termWriter writes terms in order with their postings.
type termWriter struct {
	dict *dict.Writer
	enc  postingsEncoder
	spreader
	out []byte
}

// newTermWriter begins the postings of a part whose places are given.
func newTermWriter(f *partWriter, at places) *termWriter {
	return &termWriter{dict: dict.NewWriter(f.frame, dictForm), spreader: spreader{places: at}}
}

func (w *termWriter) add(term []byte, p *postings) {
	e := dict.Entry{BodyDF: len(p.chunks), PathDF: len(p.paths), SymbolDF: len(p.symbols)}
	w.out = w.out[:0]
	if e.BodyDF > 0 {
		w.out = w.enc.appendBody(w.out, p)
	}
	body := len(w.out)
	w.out = appendPaths(w.out, p.paths)
	path := len(w.out)
	w.out = appendDistances(w.out, p.symbols, 0)
	e.BodyLen, e.PathLen, e.SymbolLen = uint32(body), uint32(path-body), uint32(len(w.out)-path)
	e.ChunkDF, e.FileDF = w.spread(p)
	w.dict.Add(term, e, w.out)
}

// Term is a term of the dictionary and the place of its postings.
type Term struct {
	dict.Entry

	r        *Reader
	compound bool
}

// Lookup finds a term as it is stored: a stem, or a compound or name with its
// "=" in front.
func (r *Reader) Lookup(term string) (Term, bool, error) {
	e, ok, err := r.dict.Lookup(term)
	if !ok || err != nil {
		return Term{}, false, err
	}
	return Term{Entry: e, r: r, compound: term[0] == '='}, true, nil
}

// termAt returns the term that a cursor stands on.
func (r *Reader) termAt(c *dict.Cursor) Term {
	return Term{Entry: c.Entry, r: r, compound: c.Term()[0] == '='}
}

func lowestTerm(cursors []*dict.Cursor) (term []byte) {
	for _, c := range cursors {
		if c != nil && (term == nil || bytes.Compare(c.Term(), term) < 0) {
			term = c.Term()
		}
	}
	return term
}
