package anatomy

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// Measures is how much a file holds.
type Measures struct {
	Lines    int
	NonEmpty int // lines with more than blanks
	Comments int // lines that are a comment up to their end
	Code     int // NonEmpty without Comments

	Functions int // with a body, not within others; of Rust not those of traits
	Structs   int // structs, classes and records, not within functions
	Traits    int // traits, interfaces and protocols, not within functions

	Bodies     int // functions with a body that are not within others
	Cyclomatic int // of these: decision points, and one for each
	Words      int // how often words and signs of decisions stand in the lines, wherever
}

// decisions are the texts that Measures.Words counts.
var decisions = []string{"if", "else if", "while", "for", "match", "&&", "||"}

// Measure counts.
func (f *File) Measure() (m Measures) {
	for line := range strings.Lines(string(f.Text)) {
		m.Lines++
		trimmed := strings.TrimSpace(line)
		if trimmed != "" {
			m.NonEmpty++
		}
		if slices.ContainsFunc(f.language.LineComments, func(mark string) bool { return strings.HasPrefix(trimmed, mark) }) {
			m.Comments++
		}
		for _, d := range decisions {
			m.Words += strings.Count(line, d)
		}
	}
	m.Code = m.NonEmpty - m.Comments
	for i := range f.facts.Symbols {
		if s := &f.facts.Symbols[i]; !f.within(s) {
			f.count(&m, s)
		}
	}
	return m
}

// count counts a symbol that stands in no function.
func (f *File) count(m *Measures, s *facts.Symbol) {
	switch s.Kind {
	case code.KindFunc, code.KindMethod:
		if s.Flags&facts.Abstract != 0 {
			return
		}
		m.Bodies++
		m.Cyclomatic += int(s.Complexity)
		if !f.IsRust() || s.Parent == facts.None || f.facts.Symbols[s.Parent].Kind != code.KindTrait {
			m.Functions++
		}
	case code.KindStruct, code.KindClass:
		if !f.IsRust() || !f.isUnion(s) {
			m.Structs++
		}
	case code.KindTrait, code.KindInterface:
		m.Traits++
	}
}
