// Package anatomy tells what one file shows by itself: what it imports, who calls
// whom in it, and how much it holds. The file need not be in an index, and nothing is
// looked up in other files: names are as they are written.
package anatomy

import (
	"context"
	"fmt"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/index"
	"espy/internal/lang"
)

// File is a file with its facts.
type File struct {
	Text     []byte
	facts    *facts.File
	language *lang.Language
}

// Read parses a text. The path tells its language; the error says why it cannot be
// parsed.
func Read(ctx context.Context, o index.Options, path string, text []byte) (*File, error) {
	l := lang.Detect(path, text)
	if l == nil {
		return nil, fmt.Errorf("%s is in no language that has imports and functions here", path)
	}
	f, err := o.Facts(ctx, l.Name, path, text)
	if err != nil {
		return nil, err
	}
	return &File{Text: text, facts: f, language: l}, nil
}

// IsRust reports whether the file is in Rust.
func (f *File) IsRust() bool { return f.language.Name == "rust" }

// Names are those of the functions and methods that the file declares, in their order.
func (f *File) Names() (names []string) {
	for i := range f.facts.Symbols {
		if isFunction(&f.facts.Symbols[i]) {
			names = append(names, f.facts.Symbols[i].Name)
		}
	}
	return names
}

func isFunction(s *facts.Symbol) bool { return s.Kind == code.KindFunc || s.Kind == code.KindMethod }

// function is the function that a symbol stands in or is, nil for none: in Rust the
// outermost one, elsewhere the innermost.
func (f *File) function(symbol int32) (found *facts.Symbol) {
	for i := symbol; i != facts.None; i = f.facts.Symbols[i].Parent {
		if s := &f.facts.Symbols[i]; isFunction(s) {
			if found = s; !f.IsRust() {
				break
			}
		}
	}
	return found
}

// within reports whether a symbol stands in a function.
func (f *File) within(s *facts.Symbol) bool {
	return s.Parent != facts.None && f.function(s.Parent) != nil
}
