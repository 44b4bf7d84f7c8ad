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

// Knows reports whether a file declares a name.
func Knows(f *syn.File, name string) bool {
	for range f.SymbolsNamed(name) {
		return true
	}
	return false
}

// holds reports whether a symbol is worth naming and of a kind of the set.
func holds(s filter.KindSet, symbol *facts.Symbol) bool { return s.Has(symbol.Kind) && Solid(symbol) }

// At returns the symbol that a line is named by, None for none: the innermost
// one of the kinds round byte at of the line, whose text is bytes [start, end) of
// the file, or the one that it documents, else what it declares.
func At(f *syn.File, start, end, at uint32, s filter.KindSet) int {
	if i := documented(f, at, s); i != facts.None {
		return i
	}
	if i := Enclosing(f, at, s); i != facts.None {
		return i
	}
	first := facts.None
	for i := f.SymbolsFrom(start); i < f.NumSymbols(); i++ {
		symbol := f.BareSymbol(i)
		switch {
		case symbol.Start >= end:
			return first
		case !holds(s, &symbol):
		case symbol.Kind.IsType() || symbol.Kind.IsFunc():
			return i
		case first == facts.None:
			first = i
		}
	}
	return first
}

// documented returns the symbol whose documentation before it holds a byte.
func documented(f *syn.File, at uint32, s filter.KindSet) int {
	i := f.SymbolsFrom(at)
	if i == f.NumSymbols() {
		return facts.None
	}
	symbol := f.Symbol(i)
	if at < symbol.DocStart || at >= symbol.DocEnd || !holds(s, &symbol) {
		return facts.None
	}
	return i
}

// Enclosing returns the innermost symbol round a byte that the set holds, None for none.
func Enclosing(f *syn.File, at uint32, s filter.KindSet) int {
	i := f.Enclosing(at)
	for i != facts.None {
		symbol := f.BareSymbol(i)
		if holds(s, &symbol) {
			break
		}
		i = int(symbol.Parent)
	}
	return i
}
