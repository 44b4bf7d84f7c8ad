// Package spelling finds the defined names that a misspelt one may have meant,
// and those that go on where a short one ends.
package spelling

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"espy/internal/nearest"
	"espy/internal/ranked/corpus"
	"espy/internal/token"
)

// maxNear is how many names Near returns.
const maxNear = 5

// namesPerWorker is how many definitions are worth another goroutine.
const namesPerWorker = 256 << 10

// Wanted says which names are near to a text: those that begin with its first
// letter and are at most Limit edits away, whatever their case. With Longer a
// name counts too that begins with the whole text and goes on; it ranks as Limit
// edits away.
type Wanted struct {
	Text   string
	Limit  int
	Longer bool
}

// typo returns which names a misspelt name may have meant: those one edit away,
// and one more for each eight bytes.
func typo(name string) Wanted { return Wanted{Text: name, Limit: 1 + len(name)/8} }

// Prefix returns which names a word may stand for: those one edit away, and one
// more for each five bytes, and those that begin with it.
func Prefix(word string) Wanted { return Wanted{Text: word, Limit: 1 + len(word)/5, Longer: true} }

// Near returns the five nearest names that live files define. Of the spellings
// that differ in case only, the one that is most like the text stands for all.
func Near(in *corpus.Corpus, w Wanted) ([]string, error) {
	if len(w.Text)-w.Limit > token.MaxWord { // longer than every name
		return nil, nil
	}
	var found []term
	var mu sync.Mutex // guards found
	definitions := 0
	for _, s := range in.Segments {
		definitions += s.NumDefinitions()
	}
	err := in.Each(1+definitions/namesPerWorker, func(s *corpus.Segment) error {
		near, err := nearIn(s, w)
		mu.Lock()
		defer mu.Unlock()
		found = append(found, near...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, compare)
	found = slices.Compact(found)
	var names []string
	for _, f := range found[:min(len(found), maxNear)] {
		name, err := spelled(in, f.text, w.Text)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// term is the term of a name with its distance from a text.
type term struct {
	text     string
	distance int
}

// compare orders by distance, then the shorter one first.
func compare(a, b term) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text))
}

// spelled returns the live name under a term, of which there is at least one,
// that is most like a text; of several the first in byte order.
func spelled(in *corpus.Corpus, term, text string) (string, error) {
	var all []string
	for _, s := range in.Segments {
		names, err := s.Spellings(term)
		if err != nil {
			return "", err
		}
		all = append(all, names...)
	}
	return slices.MinFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(nearest.Distance(a, text), nearest.Distance(b, text)), cmp.Compare(a, b))
	}), nil
}

// nearIn returns the maxNear nearest names of a segment.
func nearIn(s *corpus.Segment, w Wanted) (near []term, err error) {
	var failed error
	take := func(t term) (more bool) {
		names, err := s.Spellings(t.text)
		if len(names) > 0 {
			near = append(near, t)
		}
		failed = err
		return err == nil && len(near) < maxNear
	}
	word := strings.ToLower(w.Text)
	typos, err := typosIn(s, word, w.Limit)
	if err != nil {
		return nil, err
	}
	for _, t := range typos {
		if !take(t) {
			return near, failed
		}
	}
	if w.Longer {
		err = s.LongerNames(word, len(word)+w.Limit+1, func(text []byte) bool { return take(term{string(text), w.Limit}) })
	}
	return near, cmp.Or(failed, err)
}

// typosIn returns the names at most some edits from a word that begin with its
// first letter, nearest first, those of dead definitions too.
func typosIn(s *corpus.Segment, word string, limit int) (found []term, err error) {
	first, typos := firstLetter(word), nearest.NewTypos(word, limit)
	err = s.NearNames(word, limit, func(text []byte) {
		name := text[1:]
		if d := typos.Distance(name); d <= limit && bytes.HasPrefix(name, []byte(first)) {
			found = append(found, term{string(text), d})
		}
	})
	slices.SortFunc(found, compare)
	return found, err
}

func firstLetter(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}
