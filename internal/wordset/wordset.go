// Package wordset makes sets of words that are written as one text.
package wordset

import "strings"

// Of is the set of the words in a text, which white space parts.
func Of(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
