package ranked

import (
	"strings"

	"espy/internal/ranked/clue"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/reading"
)

// find looks for clues to what a question asks for. The notes say what it names in vain.
func find(q *question, in *corpus.Corpus) (found clue.Found, notes []string, err error) {
	return clue.Find(&clue.Query{Root: q.root, Text: q.text, Whole: q.whole, Words: &q.words, Report: q.report, Title: q.title, Printed: mayBeOutput(q.text)}, in)
}

// mayBeOutput reports whether a text may be what a program printed: pasted, or a
// line that begins with a word and a colon.
func mayBeOutput(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return reading.IsPasted(text) || strings.HasSuffix(first, ":")
}
