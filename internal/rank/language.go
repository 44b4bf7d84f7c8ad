package rank

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

//go:embed languages.txt
var languagesText string

// languages are the words of each language but English that say nothing.
var languages = sync.OnceValue(func() (all []map[string]bool) {
	for line := range dataLines(languagesText) {
		_, words, _ := strings.Cut(line, ":")
		set := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			set[w] = true
		}
		all = append(all, set)
	}
	return all
})

// Stopwords are the words of a text that say nothing about what is sought: those of
// English and those of the language that the text is in.
type Stopwords map[string]bool

// Bounds of a text in another language.
const (
	languageWords = 6 // it has so many words,
	languageKinds = 4 // so many different ones of them say nothing in that language,
	languageShare = 6 // which is one of so many, and more than in English
)

// StopwordsOf returns the words of a text that say nothing.
func StopwordsOf(text string) Stopwords {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) < languageWords {
		return nil
	}
	most := 0
	for _, w := range words {
		if stopwords()[w] {
			most++
		}
	}
	var found Stopwords
	for _, set := range languages() {
		n, kinds := 0, map[string]bool{}
		for _, w := range words {
			if set[w] {
				n++
				kinds[w] = true
			}
		}
		if n > most && n*languageShare >= len(words) && len(kinds) >= languageKinds {
			most, found = n, set
		}
	}
	return found
}

// Has reports whether a word, whatever its case, is one of them.
func (s Stopwords) Has(word string) bool {
	return IsStopword(word) || len(s) > 0 && s[strings.ToLower(word)]
}
