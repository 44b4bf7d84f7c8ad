package windows

import (
	"sort"

	"espy/internal/segment"
	"espy/internal/token"
	"espy/internal/windows/win"
)

// countPhrases finds the windows of the phrases whose words stand side by side:
// they are counted by their pieces.
func countPhrases(v *view, leaves *leaves, buf *scratch) error {
	return segment.Guard(func() error {
		for j := range leaves.list {
			l := &leaves.list[j]
			if !l.indexed() {
				continue
			}
			l.found = buf.tally(j)
			if err := countPieces(v, l, buf); err != nil {
				return err
			}
			buf.tallies[j] = l.found
		}
		return nil
	})
}

// piece is what has a list of places of its own: a word of letters, a number,
// or a character that is a word by itself.
type piece struct {
	text    string
	letters bool
	glued   bool // to the one before
}

// pieces cuts the words of a phrase where every text is cut, whatever the case
// of its letters.
func (p *Phrase) pieces() (out []piece) {
	for _, word := range p.Words {
		start, last := 0, token.KindNone
		for i, r := range word {
			kind := token.KindOf(r)
			if i > 0 && (kind == token.KindSole || last == token.KindSole || (kind == token.KindDigit) != (last == token.KindDigit)) {
				out = append(out, newPiece(word[start:i], last, start > 0))
				start = i
			}
			last = kind
		}
		out = append(out, newPiece(word[start:], last, start > 0))
	}
	return out
}

func newPiece(text string, kind token.Kind, glued bool) piece {
	return piece{text: text, letters: kind != token.KindDigit && kind != token.KindSole, glued: glued}
}

func countPieces(v *view, l *leaf, buf *scratch) error {
	pieces := l.phrase.pieces()
	spans, next := buf.spans, buf.next
	defer func() { buf.spans, buf.next = spans, next }()
	for i, w := range v.Windows {
		var err error
		if spans, err = placesOf(spans[:0], w, pieces[0]); err != nil {
			return err
		}
		for _, p := range pieces[1:] {
			if len(spans) == 0 {
				break
			}
			if next, err = placesOf(next[:0], w, p); err != nil {
				return err
			}
			spans = behind(spans, next, w.Glue(), p.glued)
		}
		if len(pieces) > 1 || pieces[0].letters {
			spans = apart(spans)
		}
		w.Tally(&l.found, spans, v.bases[i])
	}
	return nil
}

func placesOf(dst []win.Span, w *win.Reader, p piece) ([]win.Span, error) {
	if p.letters {
		return w.Letters(dst, p.text)
	}
	return w.Pieces(dst, p.text)
}

// behind keeps the spans that one of next stands behind, with glue between
// them or without, and makes them go to its end. It reuses the memory of spans.
func behind(spans, next []win.Span, glue win.Glue, glued bool) []win.Span {
	kept := spans[:0]
	at := 0
	for _, s := range spans {
		for near := min(at+8, len(next)); at < near && next[at].At < s.End; {
			at++
		}
		if at < len(next) && next[at].At < s.End {
			at += sort.Search(len(next)-at, func(i int) bool { return next[at+i].At >= s.End })
		}
		if at == len(next) {
			break
		}
		if next[at].At == s.End && glue.Has(s.End) == glued {
			kept = append(kept, win.Span{At: s.At, End: next[at].End})
		}
	}
	return kept
}

// apart drops the spans that begin within the one kept before them.
func apart(spans []win.Span) []win.Span {
	kept := spans[:0]
	end := uint32(0)
	for _, s := range spans {
		if s.At >= end {
			kept = append(kept, s)
			end = s.End
		}
	}
	return kept
}
