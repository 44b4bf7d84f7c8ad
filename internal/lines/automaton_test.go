package lines

import (
	"strings"
	"testing"

	"espy/internal/lines/dfa"
	"espy/internal/sample"
)

// BenchmarkAutomaton measures scanning without a literal to look for.
func BenchmarkAutomaton(b *testing.B) {
	text := []byte(strings.Repeat(sample.GoFile, 10_000))
	for _, pattern := range []string{`\d{4}-\d{2}`, `[a-z]+_[a-z]+_x`, `(\w+)\.(\w+)\.(\w+)\(`} {
		m, err := newRegexMatcher(pattern, false, false)
		if err != nil {
			b.Fatal(err)
		}
		d := dfa.New(m.lines, nil)
		b.Run(pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				d.Find(text, 0)
			}
		})
	}
}
