package ranked

import (
	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/token"
)

// exactMatch is the best definition in a file of a name that the query mentions.
type exactMatch struct {
	value      float64
	definition int
	owns       bool // its chunk stands for the file
}

// definitions finds the definitions of a name among live files. Those spelled
// in just that way count alone where there are any, in whichever source; folded
// says that there are none and that case was left out of account.
func (c *collection) definitions(name string) (found [][]int, folded bool, err error) {
	term := token.Name(name)
	all := make([][]int, len(c.sources))
	exact := make([][]int, len(c.sources))
	same := 0
	for i, s := range c.sources {
		t, ok, err := s.seg.Lookup(term)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			continue
		}
		for it := t.Symbols(); ; {
			def, ok := it.Next()
			if !ok {
				break
			}
			d := s.seg.Definition(def)
			if !s.seg.Alive(d.File) {
				continue
			}
			all[i] = append(all[i], def)
			if d.Name == name {
				exact[i] = append(exact[i], def)
				same++
			}
		}
	}
	if same > 0 {
		return exact, false, nil
	}
	return all, true, nil
}

// findNames sets the exact matches of the names that the query mentions.
func (c *collection) findNames() error {
	for _, n := range c.query.Names {
		found, folded, err := c.definitions(n.Text)
		if err != nil {
			return err
		}
		for i, defs := range found {
			for _, def := range defs {
				c.sources[i].keepExact(n, def, folded)
			}
		}
	}
	return nil
}

// keepExact keeps a definition if it is the best of its file.
func (s *source) keepExact(n rank.Name, def int, folded bool) {
	chunk, kind, _ := s.seg.DefinitionPlace(def)
	file := s.seg.FileOf(chunk)
	e := exactMatch{rank.ExactName(n.Weight, kind, folded), def, rank.Owns(n.Weight, kind)}
	if s.exact == nil {
		s.exact = map[int]exactMatch{}
	}
	old, ok := s.exact[file]
	if !ok || e.value > old.value || e.value == old.value && def < old.definition {
		s.exact[file] = e
	}
}

// within reports whether a definition lies in the chunk of the hit.
func (m *match) within(def int) bool {
	chunk, _, _ := m.seg.DefinitionPlace(def)
	return chunk == m.chunk
}

// enclosing returns the first type or function that the chunk defines, else the
// last one before it, else whatever the chunk defines first.
func (m *match) enclosing(chunk segment.ChunkInfo) (found code.Definition) {
	at := -1
	first, end := m.seg.DefinitionsOf(m.file)
	for i := first; i < end; i++ {
		line, kind := m.seg.DefinitionLine(i)
		if line > chunk.EndLine {
			break
		}
		solid := kind.IsType() || kind.IsFunc()
		switch {
		case !m.seg.Rules.Kinds.Has(kind):
		case solid && line >= chunk.StartLine:
			return m.seg.Definition(i).Definition
		case solid, at < 0 && line >= chunk.StartLine:
			at = i
		}
	}
	if at >= 0 {
		found = m.seg.Definition(at).Definition
	}
	return found
}
