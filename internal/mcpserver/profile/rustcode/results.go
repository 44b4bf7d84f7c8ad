package rustcode

import (
	"fmt"
	"strings"

	"espy/internal/code"
	"espy/internal/hybrid"
)

// previewLines is how many lines of a result are shown.
const previewLines = 3

// write adds one result.
func (f *folder) write(b *strings.Builder, i int, u hybrid.Unit, heading string) {
	fmt.Fprintf(b, "%d. Score: %.4f | File: %s | Symbol: %s (%s)\n   Lines: %d-%d\n", i+1, u.Score, f.file(u.Path), u.Name, kindOf(u), u.First, u.Last)
	if u.Doc != "" && heading == "Preview" {
		fmt.Fprintf(b, "   Doc: %s\n", u.Doc)
	}
	fmt.Fprintf(b, "   %s:\n   %s\n\n", heading, strings.Join(u.Lines, "\n   "))
}

// kindOf is the word for what a unit is.
func kindOf(u hybrid.Unit) string {
	switch {
	case u.Impl:
		return "impl"
	case u.Whole:
		return "file"
	case u.Kind == code.KindFunc, u.Kind == code.KindMethod && u.Language == "rust":
		return "function"
	case u.Kind == code.KindVar && u.Language == "rust":
		return "static"
	}
	return u.Kind.String()
}

// notes adds what the reader must know beside the results.
func notes(b *strings.Builder, all []string) {
	for _, n := range all {
		b.WriteString("\nNote: " + n)
	}
}
