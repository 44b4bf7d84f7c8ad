package evidence

import (
	"bytes"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// spot is where a hit is.
type spot struct {
	seg, file  int32
	symbol     int32  // of its syntax, facts.None for none
	whole      bool   // the hit is a function that goes beyond one chunk
	start, end uint32 // bytes
}

// namer finds what chunks declare.
type namer struct {
	snapshot *store.Snapshot
	words    []string // of the question, in lower case
	cache    segment.TextCache
}

// name makes a hit of a chunk.
func (n *namer) name(found *hit.Hit) (Hit, error) {
	h := Hit{
		Path: found.Path, Language: found.Language, First: found.StartLine, Last: found.EndLine,
		Near: found.Passage.Near, Share: found.Passage.Share,
	}
	seg, file, ok := n.snapshot.Find(found.Path)
	if !ok {
		return h, nil
	}
	s := &n.snapshot.Segments[seg]
	first, end := s.ChunksOf(file)
	for ; first < end-1 && int(s.Chunk(first).EndLine) < found.StartLine; first++ {
	}
	c := s.Chunk(first)
	h.spot = spot{seg: int32(seg), file: int32(file), symbol: facts.None, start: c.Start, end: c.End}
	if s.Syntax != nil && s.Syntax.State(file) == syn.Parsed {
		return h, n.parsed(&h, s.Syntax.File(file))
	}
	n.outlined(&h, s, file)
	return h, nil
}

// parsed names a hit by the syntax of its file. Where its symbol is a function that
// goes on in other chunks, the hit becomes all of it.
func (n *namer) parsed(h *Hit, f *syn.File) error {
	best, most := facts.None, -1
	for _, i := range declared(f, h.spot.start, h.spot.end) {
		s := f.BareSymbol(i)
		if v := n.worth(f.Symbol(i).Name, s.Kind); v > most {
			best, most = i, v
		}
	}
	if best == facts.None {
		return nil
	}
	s := f.Symbol(best)
	h.Symbol, h.Kind, h.Line, h.spot.symbol = s.Name, s.Kind, int(s.Line), int32(best)
	if !s.Kind.IsFunc() || s.Start >= h.spot.start && s.End <= h.spot.end+1 {
		return nil
	}
	return n.widen(h, &s)
}

// widen makes a hit all of a function: the same whichever chunk of it was found.
func (n *namer) widen(h *Hit, s *facts.Symbol) error {
	text, err := n.snapshot.Segments[h.spot.seg].Text(int(h.spot.file), &n.cache)
	from := documented(s)
	if err != nil || int(max(s.End, h.spot.start)) > len(text) {
		return err
	}
	if from < h.spot.start {
		h.First -= bytes.Count(text[from:h.spot.start], []byte("\n"))
	} else {
		h.First += bytes.Count(text[h.spot.start:from], []byte("\n"))
	}
	h.Last = int(s.EndLine)
	h.spot.start = from - uint32(len(text[:from])-1-bytes.LastIndexByte(text[:from], '\n')) // with its indentation
	h.spot.end, h.spot.whole = s.End, true
	return nil
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
// none, the one round them.
func declared(f *syn.File, start, end uint32) (all []int) {
	for i := f.SymbolsFrom(start); i < f.NumSymbols(); i++ {
		s := f.BareSymbol(i)
		if s.Start >= end {
			break
		}
		if label.Solid(&s) && s.Flags&facts.Local == 0 {
			all = append(all, i)
		}
	}
	if len(all) > 0 {
		return all
	}
	for i := f.Enclosing(start); i != facts.None; i = f.Parent(i) {
		if s := f.BareSymbol(i); label.Solid(&s) && s.Flags&facts.Local == 0 {
			return []int{i}
		}
	}
	return nil
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
