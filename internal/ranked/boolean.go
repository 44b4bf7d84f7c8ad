package ranked

import (
	"fmt"
	"slices"

	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/token"
	"espy/internal/usage"
)

// conditions decides which files meet the boolean part of a query. Words,
// phrases and symbols are looked up as they are: no stop words, no synonyms.
type conditions struct {
	*collection
	notes []string
}

// restrict sets the files of each source that meet the conditions of a tree,
// where it has any, and returns what the reader must know. Plain words are no
// condition: they rank.
func (c *collection) restrict(root query.Node) ([]string, error) {
	notes, err := c.meet(root)
	for _, s := range c.sources {
		if s.filesOfKind == nil {
			continue
		}
		if s.found == nil {
			s.found = s.filesOfKind.Clone()
		}
		for i := range s.found {
			s.found[i] &= s.filesOfKind[i]
		}
	}
	return notes, err
}

// meet is restrict without the kinds.
func (c *collection) meet(root query.Node) ([]string, error) {
	switch root.(type) {
	case query.Word, query.Any:
		for _, s := range c.sources {
			s.found = nil
		}
		return nil, nil
	case nil: // filters only: every file
		for _, s := range c.sources {
			s.found = segment.NewBitmap(s.seg.NumFiles())
		}
		return nil, nil
	}
	b := &conditions{collection: c}
	sets, err := b.eval(root)
	if err != nil {
		return nil, err
	}
	for i, s := range c.sources {
		if sets == nil {
			s.found = segment.NewBitmap(s.seg.NumFiles())
		} else {
			s.found = sets[i]
		}
	}
	return b.notes, nil
}

// fileSets are sets of files, one for each source. Dead files may be in them.
type fileSets []segment.Bitmap

func (b *conditions) empty() fileSets {
	sets := make(fileSets, len(b.sources))
	for i, s := range b.sources {
		sets[i] = make(segment.Bitmap, (s.seg.NumFiles()+63)/64)
	}
	return sets
}

// eval returns the files for which a node holds, nil for a node that says
// nothing because it has no word in it.
func (b *conditions) eval(n query.Node) (fileSets, error) {
	switch n := n.(type) {
	case query.And:
		return b.join(n.Nodes, func(x, y uint64) uint64 { return x & y })
	case query.Or:
		return b.join(n.Nodes, func(x, y uint64) uint64 { return x | y })
	case query.Any:
		return b.join(telling(n.Nodes), func(x, y uint64) uint64 { return x | y })
	case query.Not:
		sets, err := b.eval(n.Node)
		for i, set := range sets {
			for k, all := range segment.NewBitmap(b.sources[i].seg.NumFiles()) {
				set[k] = all &^ set[k]
			}
		}
		return sets, err
	case query.Word:
		return b.words(n.Text, true)
	case query.Phrase:
		return b.words(n.Text, false)
	case query.Symbol:
		return b.symbol(n.Name)
	}
	return nil, fmt.Errorf("unknown node %T in the query", n)
}

// telling leaves stop words out of plain words side by side, unless that leaves none.
func telling(nodes []query.Node) []query.Node {
	rest := slices.DeleteFunc(slices.Clone(nodes), func(n query.Node) bool {
		w, ok := n.(query.Word)
		return ok && isStopword(w.Text)
	})
	if len(rest) == 0 {
		return nodes
	}
	return rest
}

func (b *conditions) join(nodes []query.Node, op func(x, y uint64) uint64) (fileSets, error) {
	var all fileSets
	for _, n := range nodes {
		sets, err := b.eval(n)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = sets
			continue
		}
		for i := range sets {
			for k := range sets[i] {
				all[i][k] = op(all[i][k], sets[i][k])
			}
		}
	}
	return all, nil
}

// words returns the files that hold the terms of a text at consecutive
// positions, or, for a word, all of them in their path.
func (b *conditions) words(text string, inPath bool) (fileSets, error) {
	var terms []string
	for _, w := range token.Words(text) {
		terms = append(terms, w.Terms...)
	}
	if len(terms) == 0 {
		b.notes = append(b.notes, fmt.Sprintf("%q has no word in it and was left out: mode literal finds punctuation", usage.Shorten(text, 40)))
		return nil, nil
	}
	sets := b.empty()
	for i, s := range b.sources {
		if err := s.phrase(terms, sets[i], !inPath); err != nil {
			return nil, err
		}
		if inPath {
			if err := s.inPaths(terms, sets[i]); err != nil {
				return nil, err
			}
		}
	}
	return sets, nil
}

// symbol returns the files that define a name, as a symbol of the kinds that
// the query asks for.
func (b *conditions) symbol(name string) (fileSets, error) {
	found, _, err := b.declarations(name)
	if err != nil {
		return nil, err
	}
	sets := b.empty()
	for _, d := range found {
		if s := b.sources[d.source]; s.seg.Rules.Kinds.Has(d.Kind) {
			sets[d.source].Set(d.file)
			b.keepAsked(d)
		}
	}
	return sets, nil
}

// inPaths adds the files whose path has all the terms.
func (s *source) inPaths(terms []string, set segment.Bitmap) error {
	var all segment.Bitmap
	for _, text := range terms {
		t, ok, err := s.seg.Lookup(text)
		if err != nil || !ok {
			return err
		}
		files := make(segment.Bitmap, len(set))
		for it := t.Path(); ; {
			file, _, _, ok := it.Next()
			if !ok {
				break
			}
			if all == nil || all.Has(file) {
				files.Set(file)
			}
		}
		all = files
	}
	for i := range all {
		set[i] |= all[i]
	}
	return nil
}

// phrase adds the files whose text has the terms at consecutive positions.
// With keep it notes the chunk where that begins first.
func (s *source) phrase(terms []string, set segment.Bitmap, keep bool) error {
	if len(terms) == 1 && !keep {
		t, ok, err := s.seg.Lookup(terms[0])
		if err != nil || !ok {
			return err
		}
		for i, files := range s.bodyFiles(t, nil) {
			set[i] |= files
		}
		return nil
	}
	starts, err := s.consecutive(terms)
	if err != nil {
		return err
	}
	for _, p := range starts {
		if !set.Has(int(p.file)) {
			set.Set(int(p.file))
			s.keepPlace(int(p.file), int(p.chunk), keep)
		}
	}
	return nil
}

func (s *source) keepPlace(file, chunk int, keep bool) {
	if !keep {
		return
	}
	if s.places == nil {
		s.places = map[int]int{}
	}
	if _, ok := s.places[file]; !ok {
		s.places[file] = chunk
	}
}

// bodyFiles returns the files among those given (nil for all) whose text has the term.
func (s *source) bodyFiles(t segment.Term, among segment.Bitmap) segment.Bitmap {
	var chunks, tfs [postingBlock]uint32
	files := make(segment.Bitmap, (s.seg.NumFiles()+63)/64)
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], tfs[:])
		if n == 0 {
			return files
		}
		for _, c := range chunks[:n] {
			if f := s.seg.FileOf(int(c)); among.Has(f) {
				files.Set(f)
			}
		}
	}
}

// occurrence is where a term occurs: its position counts terms within the file.
type occurrence struct {
	file, position, chunk uint32
}

// positions returns the occurrences of a term in some files, in order.
func (s *source) positions(t segment.Term, files segment.Bitmap) []occurrence {
	var chunks, tfs [postingBlock]uint32
	var found []occurrence
	var buf []uint32
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], tfs[:])
		if n == 0 {
			return found
		}
		for k, c := range chunks[:n] {
			f := s.seg.FileOf(int(c))
			if !files.Has(f) {
				continue
			}
			buf = it.Positions(k, buf[:0])
			for _, p := range buf {
				found = append(found, occurrence{uint32(f), p, c})
			}
		}
	}
}

// followed keeps the starts that have one of next at the given distance behind them.
func followed(starts, next []occurrence, distance uint32) []occurrence {
	kept := starts[:0]
	k := 0
	for _, s := range starts {
		want := s.position + distance
		for k < len(next) && (next[k].file < s.file || next[k].file == s.file && next[k].position < want) {
			k++
		}
		if k < len(next) && next[k].file == s.file && next[k].position == want {
			kept = append(kept, s)
		}
	}
	return kept
}
