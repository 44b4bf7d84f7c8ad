package segment

import (
	"strings"

	"espy/internal/token"
)

// StemWords are the terms of the names of files that are written in one piece, in small
// letters alone, by how they begin and end.
type StemWords struct {
	heads, tails map[[stemWordEnd]byte][]*StemWord
}

// StemWord is one of them.
type StemWord struct {
	Text  string
	Files []uint32 // that are called so, dead ones too
}

// Bounds of a word.
const (
	stemWordEnd   = 3 // bytes that it is found by
	leastStemWord = stemWordEnd + 1
)

// StemWords returns those of the part. They are made when first asked for. Callers must not
// change them.
func (r *Reader) StemWords() *StemWords {
	if made := r.stemWords.Load(); made != nil {
		return made
	}
	all := map[string]*StemWord{}
	s := &StemWords{map[[stemWordEnd]byte][]*StemWord{}, map[[stemWordEnd]byte][]*StemWord{}}
	named := map[string][]*StemWord{} // by stem: trees repeat their names
	for file := range r.stats.Files {
		stem := stemOf(r.pathBytes(file))
		words, known := named[string(stem)]
		if !known {
			words = s.wordsOf(joinName(string(stem)), all)
			named[string(stem)] = words
		}
		for _, w := range words {
			w.Files = append(w.Files, uint32(file))
		}
	}
	r.stemWords.Store(s)
	return s
}

// wordsOf returns the words of a name, once for each time they stand in it. All are those of
// names before it.
func (s *StemWords) wordsOf(name string, all map[string]*StemWord) (words []*StemWord) {
	var terms []string
	text := []byte(name)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		terms = token.AnalyzeIn(terms, name[start:end]).Terms
		for _, t := range terms {
			if len(t) < leastStemWord || strings.Trim(t, "abcdefghijklmnopqrstuvwxyz") != "" {
				continue
			}
			w, ok := all[t]
			if !ok {
				w = &StemWord{Text: t}
				all[t] = w
				s.heads[headOf(t)] = append(s.heads[headOf(t)], w)
				s.tails[tailOf(t)] = append(s.tails[tailOf(t)], w)
			}
			words = append(words, w)
		}
	}
	return words
}

func headOf(word string) [stemWordEnd]byte { return [stemWordEnd]byte([]byte(word[:stemWordEnd])) }

func tailOf(word string) [stemWordEnd]byte {
	return [stemWordEnd]byte([]byte(word[len(word)-stemWordEnd:]))
}

// With calls visit with each word that begins or ends with a part of three bytes or more
// and has more, once, in no order.
func (s *StemWords) With(part string, visit func(*StemWord)) {
	if len(part) < stemWordEnd {
		return
	}
	for _, w := range s.heads[headOf(part)] {
		if len(w.Text) > len(part) && strings.HasPrefix(w.Text, part) {
			visit(w)
		}
	}
	for _, w := range s.tails[tailOf(part)] {
		if len(w.Text) > len(part) && strings.HasSuffix(w.Text, part) && !strings.HasPrefix(w.Text, part) {
			visit(w)
		}
	}
}
