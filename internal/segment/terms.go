package segment

import (
	"bytes"

	"espy/internal/segment/dict"
)

// dictForm is the form of the dictionary of a segment.
var dictForm = dict.Form{Postings: int(secPostings), Terms: int(secTerms), Index: int(secTermIndex), Spread: true}

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
