package ranked

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"espy/internal/nearest"
	"espy/internal/token"
)

// Bounds of the search for near names.
const (
	maxNearest    = 5
	maxNearWords  = 4 // words of the query that are tried
	minNearLength = 3 // shorter words are near to everything
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
		names, err := k.near(nearness{text: w, limit: 1 + len(w)/5, longer: true})
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

// nearness says which names are near to a text, whatever their case: those up to
// a number of edits from it that begin with its first letter, for a typo in that
// is rare, and with longer those that go on where it ends, which are no farther
// than that.
type nearness struct {
	text   string
	limit  int
	longer bool
}

// nearTerm is the term of a name with its distance from a word.
type nearTerm struct {
	term     string
	distance int
}

// compareNear orders by distance, then the shorter one first.
func compareNear(a, b nearTerm) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.term), len(b.term)), cmp.Compare(a.term, b.term))
}

// near returns the maxNearest nearest names that are defined in a live file, of
// those with the same term the one that is most like the text.
func (k *keywords) near(n nearness) ([]string, error) {
	if len(n.text)-n.limit > token.MaxWord { // longer than every name
		return nil, nil
	}
	var found []nearTerm
	var mu sync.Mutex // guards found
	definitions := 0
	for _, s := range k.sources {
		definitions += s.seg.NumDefinitions()
	}
	err := k.eachSource(1+definitions/namesPerWorker, func(s *source) error {
		near, err := s.near(n)
		mu.Lock()
		defer mu.Unlock()
		found = append(found, near...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, compareNear)
	found = slices.Compact(found)
	var names []string
	for _, f := range found[:min(len(found), maxNearest)] {
		name, err := k.spelling(f.term, n.text)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// spelling returns of the live names under a term, of which there is one, that
// which is most like a text, the first in byte order of several.
func (c *collection) spelling(term, text string) (string, error) {
	var all []string
	for _, s := range c.sources {
		names, err := s.seg.Spellings(term)
		if err != nil {
			return "", err
		}
		all = append(all, names...)
	}
	return slices.MinFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(nearest.Distance(a, text), nearest.Distance(b, text)), cmp.Compare(a, b))
	}), nil
}

// near returns the maxNearest nearest of the source.
func (s *source) near(n nearness) (near []nearTerm, err error) {
	var failed error
	take := func(t nearTerm) (more bool) {
		names, err := s.seg.Spellings(t.term)
		if len(names) > 0 {
			near = append(near, t)
		}
		failed = err
		return err == nil && len(near) < maxNearest
	}
	word := strings.ToLower(n.text)
	typos, err := s.typos(word, n.limit)
	if err != nil {
		return nil, err
	}
	for _, t := range typos {
		if !take(t) {
			return near, failed
		}
	}
	if n.longer {
		err = s.seg.LongerNames(word, len(word)+n.limit+1, func(term []byte) bool { return take(nearTerm{string(term), n.limit}) })
	}
	return near, cmp.Or(failed, err)
}

// typos returns the names up to some edits from a word that begin with its first
// letter, nearest first, names of dead definitions too.
func (s *source) typos(word string, limit int) (found []nearTerm, err error) {
	first, typos := firstLetter(word), nearest.NewTypos(word, limit)
	err = s.seg.NearNames(word, limit, func(term []byte) {
		name := term[1:]
		if d := typos.Distance(name); d <= limit && bytes.HasPrefix(name, []byte(first)) {
			found = append(found, nearTerm{string(term), d})
		}
	})
	slices.SortFunc(found, compareNear)
	return found, err
}

func firstLetter(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}

// defined reports whether a term is in the name of a live definition.
func (s *source) defined(term string) (bool, error) {
	t, ok, err := s.seg.Lookup(term)
	if err != nil || !ok {
		return false, err
	}
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return false, nil
		}
		if chunk, _, _ := s.seg.DefinitionPlace(def); s.seg.Alive(s.seg.FileOf(chunk)) {
			return true, nil
		}
	}
}
