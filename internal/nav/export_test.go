package nav

import (
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// New makes an index of the parts of a test.
func New(parts []corpus.Part) (*Index, error) {
	x, err := locate.New(parts)
	return &Index{x}, err
}

// IsKeyword reports whether a word cannot be a name in a language of a family.
var IsKeyword = isKeyword
