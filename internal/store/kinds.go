package store

import (
	"espy/internal/segment"
	"espy/internal/store/part"
	"espy/internal/windows/win"
)

// companions are the kinds of parts that lie beside a segment.
var companions = []companion{syntaxKind{}, vectorsKind{}, vectorsKind{remote: true}}

// kinds are all kinds of parts.
func kinds() []part.Kind {
	all := []part.Kind{lexKind{}, windowsKind{}}
	for _, k := range companions {
		all = append(all, k)
	}
	return all
}

// lexKind is the kind of segments.
type lexKind struct{}

func (lexKind) Suffix() string { return ".lex" }

func (lexKind) Open(data []byte, name string) (part.Content, error) { return segment.Open(data, name) }

// windowsKind is the kind of windows over the segments of a view.
type windowsKind struct{}

func (windowsKind) Suffix() string { return ".win" }

func (windowsKind) Open(data []byte, name string) (part.Content, error) { return win.Open(data, name) }
