package corpus

import (
	"math"

	"espy/internal/segment/syn"
)

// LineIn returns a line of a file, or where it is in none of the functions of a name
// the line of the nearest of them. Without a name, or such a function, it is that line.
func (s *Segment) LineIn(file int, function string, line int) int {
	if function == "" {
		return line
	}
	var all []extent
	known := s.WithFacts(file, func(of *syn.File) {
		for i := range of.SymbolsNamed(function) {
			if d := of.Symbol(i); d.Kind.IsFunc() {
				all = append(all, extent{int(d.Line), int(d.EndLine)})
			}
		}
	})
	if !known {
		all = s.outlined(file, function)
	}
	nearest, away := line, math.MaxInt
	for _, e := range all {
		if e.first <= line && line <= e.last {
			return line
		}
		if d := max(e.first-line, line-e.first); d < away {
			nearest, away = e.first, d
		}
	}
	return nearest
}

// extent is the lines of a function.
type extent struct{ first, last int }

// outlined returns the functions of a name by the outline: each ends where the next
// declaration begins.
func (s *Segment) outlined(file int, name string) (all []extent) {
	first, end := s.DefinitionsOf(file)
	open := false
	for i := first; i < end; i++ {
		d := s.Definition(i)
		if !d.Kind.IsFunc() && !d.Kind.IsType() {
			continue
		}
		if open {
			all[len(all)-1].last = int(d.Line) - 1
		}
		if open = d.Kind.IsFunc() && d.Name == name; open {
			all = append(all, extent{int(d.Line), math.MaxInt})
		}
	}
	return all
}
