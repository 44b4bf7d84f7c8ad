package windows

import (
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/lines/trigram"
	"espy/internal/windows/win"
)

// leaf is a phrase or a text, with the windows that hold it.
type leaf struct {
	phrase *Phrase
	text   []byte
	first  []byte // of a phrase: its first word, or nil where that is not ASCII
	scored bool   // its frequency counts
	found  win.Tally
}

// leaves are the leaves of an expression, in the order in which they stand in it.
type leaves struct {
	list []leaf
	ids  map[Expr]int
}

func leavesOf(e Expr) *leaves {
	l := &leaves{ids: map[Expr]int{}}
	l.add(e, true)
	return l
}

func (l *leaves) add(e Expr, scored bool) {
	switch e := e.(type) {
	case *Bool:
		for _, x := range slices.Concat(e.Must, e.Should) {
			l.add(x, scored)
		}
		for _, x := range e.Not {
			l.add(x, false)
		}
	case *Phrase:
		l.ids[e] = len(l.list)
		l.list = append(l.list, phraseLeaf(e, scored))
	case *Text:
		l.ids[e] = len(l.list)
		l.list = append(l.list, leaf{text: []byte(e.Text)})
	}
}

func phraseLeaf(p *Phrase, scored bool) leaf {
	l := leaf{phrase: p, scored: scored}
	if inASCII(p.Words[0]) {
		l.first = []byte(p.Words[0])
	}
	return l
}

func inASCII(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf })
}

// indexed reports whether the pieces of words tell where the leaf holds.
func (l *leaf) indexed() bool { return l.phrase != nil && l.phrase.Slop == 0 && !l.phrase.Prefix }

// grams is what a file with the leaf must contain. Letters that are not ASCII may
// have another case in the text, so that only the rest counts.
func (l *leaf) grams() trigram.Query {
	if l.text != nil {
		return trigram.Of(string(l.text))
	}
	g := trigram.Query{}
	for _, w := range l.phrase.Words {
		for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
			g = trigram.And(g, trigram.Of(piece))
		}
	}
	return g
}
