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
		word := strings.ToLower(w)
		names, err := k.near(nearness{word: word, limit: 1 + len(word)/5, longer: true})
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

// nearness says which names are near to a word in lower case: those up to a
// number of edits from it that begin with its first letter, for a typo in that
// is rare, and with longer those that go on where it ends, limit edits away at most.
type nearness struct {
	word   string
	limit  int
	longer bool
}

// near returns names that are defined in a live file, nearest first.
func (k *keywords) near(n nearness) ([]string, error) {
	if len(n.word)-n.limit > token.MaxWord { // longer than every name
		return nil, nil
	}
	var found []nearName
	var mu sync.Mutex // guards found
	definitions := 0
	for _, s := range k.sources {
		definitions += s.seg.NumDefinitions()
	}
	err := k.parallel(1+definitions/namesPerWorker, func(s *source) error {
		near, err := s.near(n)
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

// near returns the names of live definitions that are near.
func (s *source) near(n nearness) (found []nearName, err error) {
	typos := rank.NewTypos(n.word, n.limit)
	goesOn := func(term []byte) bool { return n.longer && bytes.HasPrefix(term[1:], []byte(n.word)) }
	far := func(term []byte) int {
		if goesOn(term) {
			return 0
		}
		if n := typos.Hopeless(term[1:]); n > 0 {
			return 1 + n
		}
		return 0
	}
	var failed error
	visit := func(term []byte) {
		distance := n.limit
		if goesOn(term) {
			distance = min(distance, len(term)-1-len(n.word))
		} else if distance = typos.Distance(term[1:]); distance > n.limit {
			return
		}
		t, _, err := s.seg.Lookup(string(term))
		if err != nil {
			failed = err
		} else if name := s.seg.Spelling(t); name != "" {
			found = append(found, nearName{name, distance})
		}
	}
	err = s.seg.Walk("="+firstLetter(n.word), maxNearWalked, far, visit)
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
