package search

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"espy/internal/rank"
	"espy/internal/token"
)

// Bounds of the search for near names.
const (
	maxNearest    = 5
	maxNearWords  = 4      // words of the query that are tried
	maxNearWalked = 20_000 // names looked at per word and segment
	minNearLength = 3      // shorter words are near to everything
)

// nearest fills in names that are defined and near to a word of a query that
// found nothing: those that begin like it within a few edits, or contain it.
func (k *keywords) nearest() error {
	text, _ := positive(k.plan.query.Root)
	var words []string
	for _, w := range splitWords(text) {
		if len(w) >= minNearLength && !isStopword(w) && len(words) < maxNearWords {
			words = append(words, w)
		}
	}
	for _, w := range words {
		names, err := k.near(strings.ToLower(w))
		if err != nil {
			return err
		}
		for _, n := range names {
			if !slices.Contains(k.res.Nearest, n) && len(k.res.Nearest) < maxNearest {
				k.res.Nearest = append(k.res.Nearest, n)
			}
		}
	}
	return nil
}

func splitWords(text string) []string {
	var words []string
	b := []byte(text)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		words = append(words, text[start:end])
	}
	return words
}

// nearName is a name with its distance from a word.
type nearName struct {
	name     string
	distance int
}

// near returns names that are defined in a live file, nearest first.
func (k *keywords) near(word string) ([]string, error) {
	var found []nearName
	var mu sync.Mutex // guards found
	definitions := 0
	for _, s := range k.sources {
		definitions += s.seg.NumDefinitions()
	}
	err := k.parallel(1+definitions/namesPerWorker, func(s *source) error {
		near, err := s.near(word)
		mu.Lock()
		defer mu.Unlock()
		found = append(found, near...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b nearName) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, n := range slices.Compact(found) {
		if len(names) < maxNearest {
			names = append(names, n.name)
		}
	}
	return names, nil
}

// near returns the names of live definitions that are near to a word in lower
// case: up to one edit for five bytes of it and one more, or names that go on
// where the word ends.
func (s *source) near(word string) (found []nearName, err error) {
	allowed := 1 + len(word)/5
	if len(word)-allowed > token.MaxWord { // longer than every name
		return nil, nil
	}
	typos := rank.NewTypos(word, allowed)
	far := func(term []byte) bool { return !bytes.HasPrefix(term[1:], []byte(word)) && typos.Hopeless(term[1:]) }
	var failed error
	visit := func(term []byte) {
		distance := len(term) - 1 - len(word)
		if !bytes.HasPrefix(term[1:], []byte(word)) {
			distance = typos.Distance(term[1:])
			if distance > allowed {
				return
			}
		}
		t, _, err := s.seg.Lookup(string(term))
		if err != nil {
			failed = err
		} else if name := s.seg.Spelling(t); name != "" {
			found = append(found, nearName{name, min(distance, allowed)})
		}
	}
	// A typo in the first letter is rare: names with another one are not tried.
	err = s.seg.Walk("="+firstLetter(word), maxNearWalked, far, visit)
	return found, cmp.Or(err, failed)
}

func firstLetter(word string) string {
	for i := range word {
		if i > 0 {
			return word[:i]
		}
	}
	return word
}

// defined reports whether a term is the name of a live definition.
func (s *source) defined(term string) (bool, error) {
	t, ok, err := s.seg.Lookup(term)
	if err != nil || !ok {
		return false, err
	}
	return s.seg.Spelling(t) != "", nil
}
