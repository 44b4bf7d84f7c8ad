package search

import (
	"cmp"
	"slices"
	"strings"

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
	for _, s := range k.sources {
		// A typo in the first letter is rare: names with another one are not tried.
		terms, err := s.seg.Prefix("="+firstLetter(word), maxNearWalked)
		if err != nil {
			return nil, err
		}
		for _, t := range terms {
			d, ok := nearness(word, t[1:])
			if !ok {
				continue
			}
			name, defined, err := s.defined(t)
			if err != nil {
				return nil, err
			}
			if defined {
				found = append(found, nearName{name, d})
			}
		}
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

func firstLetter(word string) string {
	for i := range word {
		if i > 0 {
			return word[:i]
		}
	}
	return word
}

// nearness returns how far a name is from a word, both in lower case, and
// whether that is near: up to one edit for four bytes of the word, or the name
// goes on where the word ends.
func nearness(word, name string) (distance int, near bool) {
	allowed := 1 + len(word)/5
	if strings.HasPrefix(name, word) {
		return min(allowed, len(name)-len(word)), true
	}
	if d := rank.Distance(word, name, allowed); d <= allowed {
		return d, true
	}
	return 0, false
}

// defined returns the first definition of a term in a live file, as it is spelled there.
func (s *source) defined(term string) (name string, ok bool, err error) {
	t, ok, err := s.seg.Lookup(term)
	if err != nil || !ok {
		return "", false, err
	}
	for it := t.Symbols(); ; {
		def, more := it.Next()
		if !more {
			return name, ok && name != "", nil
		}
		if d := s.seg.Definition(def); s.seg.Alive(d.File) && (name == "" || d.Name < name) {
			name = d.Name
		}
	}
}
