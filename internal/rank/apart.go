package rank

import (
	"slices"

	"espy/internal/token"
)

// Bounds of a name that is cut.
const (
	minApart = 5 // bytes; a shorter name is one word
	minHalf  = 2 // of each of its words,
	minSaid  = 3 // and of one that the query has
)

// Apart cuts the name of a file that is written in one piece to the two words that it is
// made of (dependencyresolver), where the query has one of them, but not the whole. Where
// it has only one, joined says whether the two stand together somewhere as the parts of a
// name, for many words begin or end by chance like another. Of several ways the one that
// the query has most of counts. The weight is what its words are worth that the query has,
// 0 where the name stays as it is.
func (q *PathQuery) Apart(stem *FileStem, joined func(first, second string) bool) (cut FileStem, weight float64) {
	name := stem.Spell
	if len(stem.Terms) != 1 || len(name) < minApart || !isLetters(name) || contains(q.words, &stem.Terms[0]) {
		return *stem, 0
	}
	at := 0
	begins := q.may(&Part{head: headOf(name)})
	for i := minHalf; i <= len(name)-minHalf; i++ {
		sum, said := 0.0, 0
		if begins && i >= minSaid {
			sum, said = q.said(name[:i])
		}
		if len(name)-i >= minSaid && q.may(&Part{head: headOf(name[i:])}) {
			more, n := q.said(name[i:])
			sum, said = sum+more, said+n
		}
		if sum > weight && (said == 2 || joined(name[:i], name[i:])) {
			at, weight = i, sum
		}
	}
	if at == 0 {
		return *stem, 0
	}
	return FileStem{[]Part{NewPart(token.Stem(name[:at])), NewPart(token.Stem(name[at:]))}, name}, weight
}

// said returns what a word is worth that is one of the query's, and 1; else 0 and 0.
func (q *PathQuery) said(word string) (weight float64, n int) {
	p := NewPart(token.Stem(word))
	if t := q.find(&p); t != nil && contains(q.words, &p) {
		return t.weight, 1
	}
	return 0, 0
}

// isLetters reports whether a text is small ASCII letters alone.
func isLetters(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c < 'a' || c > 'z' })
}
