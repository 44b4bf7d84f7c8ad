// Package wording says which files of tests have words of the lines that a change adds
// and removes: the fewer have one, the more it says.
package wording

import (
	"cmp"
	"math"
	"path"
	"slices"

	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/segment/pack"
	"espy/internal/store"
	"espy/internal/token"
)

// What a word says of the files of tests whose text has it. One that n of all of them
// have weighs weighWord * n^-rarity, less what share of them has it.
const (
	weighWord = 0.3
	rarity    = 0.8
)

// Bounds of the words that are looked up. They count, so that an answer does not
// depend on the load.
const (
	maxWords  = 4_000 // of a change
	maxHaving = 2_000 // files of the index that have a word
	leastTerm = 3     // letters
	maxNamed  = 3     // words that are named of a file
)

// Having is a file of tests that has words of the changed lines.
type Having struct {
	File   corpus.FileID
	Weight float64  // of all its words together, below 1
	Words  []string // that say most, as the lines write them
}

// Find returns the files of tests, by path, whose text has words of the lines, by their
// numbers.
func Find(s *store.Snapshot, suites map[string]corpus.FileID, lines [][]byte) ([]Having, error) {
	all := wordsOf(lines)
	if len(all) == 0 || len(suites) == 0 {
		return nil, nil
	}
	x := newTexts(s, suites)
	found := map[corpus.FileID]*told{}
	for _, w := range all {
		ids, err := x.having(w.term)
		if err != nil {
			return nil, err
		}
		n := float64(len(ids))
		weight := weighWord * math.Pow(max(n, 1), -rarity) * (1 - n/float64(len(suites)))
		for _, id := range ids {
			if found[id] == nil {
				found[id] = &told{open: 1}
			}
			found[id].add(w.written, weight)
		}
	}
	having := make([]Having, 0, len(found))
	for id, t := range found {
		having = append(having, Having{id, 1 - t.open, t.named()})
	}
	slices.SortFunc(having, func(a, b Having) int { return cmp.Compare(a.File, b.File) })
	return having, nil
}

// told is what words say of a file of tests.
type told struct {
	open  float64 // what they leave over
	words []weighed
}

type weighed struct {
	text   string
	weight float64
}

func (t *told) add(word string, weight float64) {
	t.open *= 1 - weight
	t.words = append(t.words, weighed{word, weight})
}

// named are the words that say most.
func (t *told) named() (names []string) {
	slices.SortStableFunc(t.words, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	for _, w := range t.words[:min(len(t.words), maxNamed)] {
		names = append(names, w.text)
	}
	return names
}

// word is a word as it is written, and as the index has it.
type word struct{ written, term string }

// wordsOf are the words of lines, each once.
func wordsOf(lines [][]byte) (all []word) {
	seen := map[string]bool{}
	for _, line := range lines {
		for start, end := token.NextWord(line, 0); start < end; start, end = token.NextWord(line, end) {
			if len(all) == maxWords {
				return all
			}
			w := string(line[start:end])
			if term := termOf(w); len(term) >= leastTerm && !seen[term] {
				seen[term] = true
				all = append(all, word{w, term})
			}
		}
	}
	return all
}

// termOf is the term by which the index knows a word as a whole, empty where it does not.
func termOf(word string) string {
	w := token.Analyze(word)
	if w.Compound == "" && len(w.Terms) == 1 {
		return w.Terms[0]
	}
	return w.Compound
}

// texts looks up words in the texts of files of tests.
type texts struct {
	snapshot *store.Snapshot
	at       []map[int]corpus.FileID // the files of tests of each segment
}

func newTexts(s *store.Snapshot, suites map[string]corpus.FileID) *texts {
	x := &texts{s, make([]map[int]corpus.FileID, len(s.Segments))}
	for p, id := range suites {
		seg, file, ok := s.Find(path.Clean(p))
		if !ok {
			continue
		}
		if x.at[seg] == nil {
			x.at[seg] = map[int]corpus.FileID{}
		}
		x.at[seg][file] = id
	}
	return x
}

// having are the files of tests whose text has a term, none of one that is too common
// to tell.
func (x *texts) having(term string) (all []corpus.FileID, err error) {
	found := make([]segment.Term, len(x.at))
	files := 0
	for i, at := range x.at {
		t, ok, err := x.snapshot.Segments[i].Lookup(term)
		if err != nil {
			return nil, err
		}
		if files += t.FileDF; files > maxHaving {
			return nil, nil
		}
		if ok && len(at) > 0 {
			found[i] = t
		}
	}
	for i, t := range found {
		if t.FileDF > 0 {
			all = x.within(all, i, t)
		}
	}
	return all, nil
}

// within appends the files of tests of a segment whose text has a term.
func (x *texts) within(all []corpus.FileID, seg int, t segment.Term) []corpus.FileID {
	s, last := &x.snapshot.Segments[seg], -1
	var chunks, times [pack.BlockLen]uint32
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], times[:])
		if n == 0 {
			return all
		}
		for _, chunk := range chunks[:n] {
			file := s.FileOf(int(chunk))
			if id, ok := x.at[seg][file]; ok && file != last {
				all = append(all, id)
			}
			last = file
		}
	}
}
