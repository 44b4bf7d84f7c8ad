package rank

import (
	"strings"
	"unicode"
)

// Kind is what a text is, for the model: signals do not say the same of each.
type Kind uint8

// The kinds.
const (
	KindText Kind = iota // words, with or without names among them
	KindName             // one identifier alone

	NumKinds = 2
)

var kindNames = [NumKinds]string{KindText: "text", KindName: "name"}

// String returns the word for the kind in weights.
func (k Kind) String() string { return kindNames[k] }

// kindOf returns the kind of a text.
func kindOf(text string) Kind {
	if strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace) {
		return KindText
	}
	return KindName
}
