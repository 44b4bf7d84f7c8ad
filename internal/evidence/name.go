package evidence

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/label"
	"espy/internal/segment/syn"
	"espy/internal/semantic"
	"espy/internal/store"
)

// spot is where a hit is.
type spot struct {
	seg, file  int32
	symbol     int32  // of its syntax, where whole; else facts.None
	whole      bool   // the hit is a function that goes beyond one chunk
	start, end uint32 // bytes
}

// namer finds what chunks declare.
type namer struct {
	snapshot *store.Snapshot
	words    []string // of the question, in lower case
}

// place makes a hit of a chunk, which tell names.
func (n *namer) place(found *semantic.Evident) Hit {
	s, file := &n.snapshot.Segments[found.Segment], int(found.File)
	c := s.Chunk(int(found.Chunk))
	h := Hit{
		Path: s.Path(file), Language: s.Language(file), At: int(c.Start), First: int(c.StartLine), Last: int(c.EndLine),
		Near: found.Near, Share: found.Share,
		spot: spot{seg: found.Segment, file: found.File, symbol: facts.None, start: c.Start, end: c.End},
	}
	if n.isParsed(&h) {
		s.Syntax.Look(file, func(f *syn.File) { n.whole(&h, f) })
	}
	return h
}

// isParsed reports whether the syntax of a hit's file is known.
func (n *namer) isParsed(h *Hit) bool {
	s := n.snapshot.Segments[h.spot.seg].Syntax
	return s != nil && s.State(int(h.spot.file)) == syn.Parsed
}

// whole makes a hit all of the function that it is about where that goes on in other
// chunks.
func (n *namer) whole(h *Hit, f *syn.File) {
	list, some := declared(f, h.spot.start, h.spot.end)
	if !some {
		return
	}
	if best := n.best(f, list); best != facts.None {
		if s := f.Symbol(best); isBeyond(&s, h.spot.start, h.spot.end) {
			h.spot.symbol = int32(best)
			h.widen(&s)
		}
	}
}

// best is the symbol of a list that the question asks for most.
func (n *namer) best(f *syn.File, list []int) int {
	best, most := facts.None, -1
	for _, i := range list {
		if v := n.worth(f.Name(i), f.Kind(i)); v > most {
			best, most = i, v
		}
	}
	return best
}

// tell says what a hit declares, by the syntax of its file or by its outline.
func (n *namer) tell(h *Hit) {
	of := &n.snapshot.Segments[h.spot.seg]
	if !n.isParsed(h) {
		n.outlined(h, of, int(h.spot.file))
		return
	}
	of.Syntax.Look(int(h.spot.file), func(f *syn.File) {
		best := int(h.spot.symbol)
		if !h.spot.whole {
			list, _ := declared(f, h.spot.start, h.spot.end)
			best = n.best(f, list)
		}
		if best != facts.None {
			s := f.Symbol(best)
			h.Symbol, h.Kind, h.Line = strings.Clone(s.Name), s.Kind, int(s.Line)
		}
	})
}

// widen makes a hit all of a function: the same whichever chunk of it was found.
func (h *Hit) widen(s *facts.Symbol) {
	h.Last = int(s.EndLine)
	h.spot.start, h.spot.end, h.spot.whole = documented(s), s.End, true
	h.At = int(h.spot.start)
}

// documented is where a declaration begins, its documentation included where that
// stands above it.
func documented(s *facts.Symbol) uint32 {
	if s.DocStart < s.DocEnd && s.DocEnd <= s.Start {
		return s.DocStart
	}
	return s.Start
}

// declared are the symbols whose names stand in bytes of a file; where there are
// none, the one round them. beyond is whether a function among them goes on outside.
func declared(f *syn.File, start, end uint32) (all []int, beyond bool) {
	for i := f.SymbolsFrom(start); i < f.NumSymbols(); i++ {
		s := f.BareSymbol(i)
		if s.Start >= end {
			break
		}
		if label.Solid(&s) && s.Flags&facts.Local == 0 {
			all, beyond = append(all, i), beyond || isBeyond(&s, start, end)
		}
	}
	if len(all) > 0 {
		return all, beyond
	}
	for i := f.Enclosing(start); i != facts.None; i = f.Parent(i) {
		if s := f.BareSymbol(i); label.Solid(&s) && s.Flags&facts.Local == 0 {
			return []int{i}, isBeyond(&s, start, end)
		}
	}
	return nil, false
}

// isBeyond reports whether a symbol is a function that goes on outside of bytes of its
// file.
func isBeyond(s *facts.Symbol, start, end uint32) bool {
	return s.Kind.IsFunc() && (s.Start < start || s.End > end+1)
}

// worth is how much a symbol names what was asked for: by the words of the question
// in its name, then by what it is.
func (n *namer) worth(name string, kind code.Kind) int {
	v, name := 0, strings.ToLower(name)
	for _, w := range n.words {
		if len(w) > 2 && strings.Contains(name, w) {
			v += 4
		}
	}
	switch {
	case kind.IsFunc():
		return v + 2
	case kind.IsType():
		return v + 3
	case kind == code.KindField:
		return v
	}
	return v + 1
}

// outlined names a hit by the outline of its file, of which no syntax is known.
func (n *namer) outlined(h *Hit, s *store.Segment, file int) {
	most := -1
	first, end := s.DefinitionsOf(file)
	for i := first; i < end; i++ {
		d := s.Definition(i)
		if int(d.Line) < h.First || int(d.Line) > h.Last {
			continue
		}
		if v := n.worth(d.Name, d.Kind); v > most {
			most = v
			h.Symbol, h.Kind, h.Line = strings.Clone(d.Name), d.Kind, int(d.Line)
		}
	}
}
