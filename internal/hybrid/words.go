package hybrid

import (
	"slices"
	"strings"
	"unicode"
)

// plain is a text of which no word is an operator, a filter or a quote.
func plain(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	for i, w := range words {
		switch w {
		case "AND", "OR", "NOT":
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// wordsOf are the words of a query that tell units apart.
func wordsOf(query string) (words []string) {
	for _, w := range strings.Fields(strings.ToLower(plain(query))) {
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s") // of a plural
		}
		if len(w) > 2 && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}
