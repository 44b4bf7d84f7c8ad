// Package label names the symbol that a hit is shown with.
package label

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/segment"
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
	name, kind, id := f.Name(i), f.Kind(i), f.ID(h.Path, i)
	h.Symbol, h.Kind, h.SymbolID = name, kind.String(), id
}

// CountCalls sets how often the symbols of hits are called by their names.
func CountCalls(f *filter.Filter, hits []hit.Hit) {
	known := map[[2]string]int{}
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
func calls(f *filter.Filter, repo, name string) (n int) {
	for _, s := range f.Segments {
		if s.Snap.Name == repo {
			s.WithSyntax(func(r *syn.Reader) { n += r.Calls(name, s.Alive) })
		}
	}
	return n
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

// Of returns the symbol that names a chunk: the first type or function
// that it declares, else what it begins in, else the first symbol it declares.
func Of(f *syn.File, c segment.ChunkInfo, s filter.KindSet) int {
	first := facts.None
	for i := f.SymbolsFrom(c.Start); i < f.NumSymbols(); i++ {
		symbol := f.BareSymbol(i)
		if symbol.Start >= c.End {
			break
		}
		if !holds(s, &symbol) {
			continue
		}
		if symbol.Kind.IsType() || symbol.Kind.IsFunc() {
			return i
		}
		if first == facts.None {
			first = i
		}
	}
	if i := Enclosing(f, c.Start, s); i != facts.None {
		return i
	}
	return first
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
