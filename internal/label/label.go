// Package label names the symbol that a hit is shown with.
package label

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/segment/syn"
)

// Solid reports whether a symbol is worth naming: not a parameter or variable
// of a function.
func Solid(s *facts.Symbol) bool {
	switch s.Kind {
	case code.KindParam, code.KindTypeParam:
		return false
	}
	return s.Flags&facts.Local == 0 || s.Kind.IsFunc() || s.Kind.IsType()
}

// IsNamespace reports whether a module of a language only says what its files belong
// to, as a package does in others: its line tells nothing of its file.
func IsNamespace(language string, k code.Kind) bool {
	return k == code.KindModule && (language == "php" || language == "csharp")
}

// Declared returns the symbol that a definition of the outline is, None for
// none, and whether the file knows its name at all. Of what stands in the
// arguments of a macro only the outline may see declarations.
func Declared(f *syn.File, d code.Definition) (symbol int, known bool) {
	for i := range f.SymbolsNamed(d.Name) {
		known = true
		if s := f.BareSymbol(i); Solid(&s) && f.Line(s.At) == d.Line {
			return i, true
		}
	}
	return facts.None, known
}

// Name sets what a hit says of its symbol, which is symbol i of its file.
func Name(h *hit.Hit, f *syn.File, i int) {
	if i == facts.None {
		h.Symbol, h.Kind = "", ""
		return
	}
	s, id := f.Symbol(i), f.ID(h.Path, i)
	h.Symbol, h.Kind, h.SymbolID, h.SymbolLine = s.Name, s.Kind.String(), id, int(s.Line)
}

// Outlined sets what a hit says of its symbol, which only the outline knows.
func Outlined(h *hit.Hit, d *code.Definition) {
	h.Symbol, h.Kind, h.SymbolLine = d.Name, d.Kind.String(), int(d.Line)
}

// CountCalls sets how often the symbols of hits are called by their names.
func CountCalls(f *filter.Filter, hits []hit.Hit) {
	known := map[[2]string]hit.Calls{}
	for i := range hits {
		h := &hits[i]
		if h.SymbolID == "" {
			continue
		}
		key := [2]string{h.Repo, h.Symbol}
		n, ok := known[key]
		if !ok {
			n = calls(f, h.Repo, h.Symbol)
			known[key] = n
		}
		h.Calls = n
	}
}

// calls counts the calls of a name in the files of a repository whose syntax is known.
func calls(f *filter.Filter, repo, name string) hit.Calls {
	c := hit.Calls{Known: true}
	for _, s := range f.Segments {
		if s.Snap.Name != repo {
			continue
		}
		ok := s.WithSyntax(func(r *syn.Reader) { c.N += r.Calls(name, s.Alive) })
		c.AtLeast = c.AtLeast || !ok || s.Snap.SyntaxPending() > 0
	}
	return c
}

// Beyond reports whether a name that the outline of a parsed file defines may be
// a definition, although the grammar has no such declaration: in the arguments of
// a macro, or in text that the grammar could not read. Else the outline took
// something else for one.
func Beyond(f *syn.File, language, name string) bool {
	switch language {
	case "c", "cpp", "rust":
		return !knows(f, name)
	}
	return len(f.Faults()) > 0 && !knows(f, name)
}

// knows reports whether a file declares a name.
func knows(f *syn.File, name string) bool {
	for range f.SymbolsNamed(name) {
		return true
	}
	return false
}

// span is a line, bytes of its file. At is the byte that it is named by. It can be
// shown with what stands before byte shown.
type span struct{ start, end, at, shown uint32 }

// atLine returns the symbol that a line is named by, None for none: the one that it
// documents where that can be shown with it, else the innermost one round it, else
// what it declares. Of a query
// for kinds it is one of those; else it is one that an outline lists, rather than
// a function within a function.
func atLine(f *syn.File, line span, kinds filter.KindSet) int {
	names := naming(kinds)
	if i := documented(f, line.at, names); i != facts.None && f.BareSymbol(i).Start < line.shown {
		return i
	}
	if i := round(f, line.at, names); i != facts.None {
		return i
	}
	return declared(f, line, names)
}

// naming tells which symbols lines are named by, of a query for kinds.
func naming(kinds filter.KindSet) func(*facts.Symbol) bool {
	return func(s *facts.Symbol) bool {
		return kinds.Has(s.Kind) && Solid(s) && (kinds != 0 || s.Flags&facts.Local == 0)
	}
}

// blankEnd is how many bytes behind a symbol can be no more than line ends.
const blankEnd = 2

// Sole returns the symbol that all lines of a chunk are named by, bytes
// [start, end) of its file from line first on, whatever stands in them: it fills
// the chunk, and nothing in it is worth naming but for it.
func Sole(f *syn.File, start, end uint32, first int, kinds filter.KindSet) (symbol int, ok bool) {
	names := naming(kinds)
	symbol = round(f, start, names)
	for i := f.SymbolsFrom(start); i < f.NumSymbols(); i++ {
		s := f.BareSymbol(i)
		if s.Start >= end {
			break
		}
		if !names(&s) || i == symbol {
			continue
		}
		if symbol != facts.None {
			return facts.None, false
		}
		symbol = i
	}
	if symbol == facts.None {
		return facts.None, false
	}
	s := f.Symbol(symbol)
	begins := s.Start <= start || int(s.Line) == first || s.DocStart < s.DocEnd && s.DocStart <= start
	return symbol, begins && s.End+blankEnd >= end
}

// documented returns the symbol whose documentation before it holds a byte.
func documented(f *syn.File, at uint32, names func(*facts.Symbol) bool) int {
	i := f.SymbolsFrom(at)
	if i == f.NumSymbols() {
		return facts.None
	}
	symbol := f.Symbol(i)
	if at < symbol.DocStart || at >= symbol.DocEnd || !names(&symbol) {
		return facts.None
	}
	return i
}

// declared returns the first type or function that starts on a line, else the
// first symbol that does.
func declared(f *syn.File, line span, names func(*facts.Symbol) bool) int {
	first := facts.None
	for i := f.SymbolsFrom(line.start); i < f.NumSymbols(); i++ {
		symbol := f.BareSymbol(i)
		switch {
		case symbol.Start >= line.end:
			return first
		case !names(&symbol):
		case symbol.Kind.IsType() || symbol.Kind.IsFunc():
			return i
		case first == facts.None:
			first = i
		}
	}
	return first
}

// Enclosing returns the innermost symbol round a byte that is worth naming, None
// for none.
func Enclosing(f *syn.File, at uint32) int { return round(f, at, Solid) }

// round returns the innermost symbol round a byte that names lets through.
func round(f *syn.File, at uint32, names func(*facts.Symbol) bool) int {
	i := f.Enclosing(at)
	for i != facts.None {
		symbol := f.BareSymbol(i)
		if names(&symbol) {
			break
		}
		i = int(symbol.Parent)
	}
	return i
}
