// Package missing tells of what a query asks for and that is not there: files that are
// not in the index, words that no file has, messages that stand nowhere.
package missing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/filter"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
	"espy/internal/ranked/spelling"
	"espy/internal/store"
	"espy/internal/token"
	"espy/internal/usage"
)

// Mentioned returns up to room notes of files that the words of a query mention and
// that are not in the index, one for each reason.
func Mentioned(words *rank.Query, snaps []*store.Snapshot, room int) []string {
	if len(words.Places) == 0 {
		return nil
	}
	return leftOut(snaps, room, func(path string) bool {
		return slices.ContainsFunc(words.Places, func(p rank.Place) bool {
			_, whole := p.Matches(path)
			return whole
		})
	})
}

// Named returns up to room notes of files that are not in the index and have every word
// of a query in their path, one for each reason.
func Named(q *rank.Query, snaps []*store.Snapshot, room int) []string {
	var words []rank.Part
	for _, t := range q.Terms {
		if t.Primary() {
			words = append(words, rank.NewPart(t.Text))
		}
	}
	if len(words) == 0 || len(q.Places) > 0 {
		return nil
	}
	var paths rank.Splitter
	paths.Begin()
	return leftOut(snaps, room, func(path string) bool {
		dir, name := rank.CutPath([]byte(path))
		folder := paths.Folder(dir)
		stem := paths.Stem(name, folder)
		return !slices.ContainsFunc(words, func(w rank.Part) bool { return !stem.Has(w) && !folder.Has(w) })
	})
}

// maxLeftOut is how many files a note names.
const maxLeftOut = 2

// leftOut returns up to room notes of such files that are not in the index, one for each
// reason.
func leftOut(snaps []*store.Snapshot, room int, is func(path string) bool) (notes []string) {
	var reasons []string
	paths := map[string][]string{}
	for _, snap := range snaps {
		for _, e := range snap.Excluded() {
			if !is(e.Path) {
				continue
			}
			why := e.Reason.Explain()
			if paths[why] == nil {
				reasons = append(reasons, why)
			}
			paths[why] = append(paths[why], e.Path)
		}
	}
	for _, why := range reasons[:min(len(reasons), max(0, room))] {
		all := paths[why]
		who := strings.Join(all[:min(len(all), maxLeftOut)], ", ")
		switch more := len(all) - maxLeftOut; {
		case more > 0:
			who += fmt.Sprintf(" and %d more are", more)
		case len(all) > 1:
			who += " are"
		default:
			who += " is"
		}
		notes = append(notes, who+" not in the index: "+why)
	}
	return notes
}

// maxCounted is how many words of a query that found nothing are counted.
const maxCounted = 6

// Counts returns a note of how many files hold each word of a text that found nothing;
// none where the text has no words.
func Counts(text string, f *filter.Filter, scores *score.Scores) (notes []string) {
	var counts []string
	for _, w := range token.Split(text) {
		if rank.IsStopword(w) || len(counts) == maxCounted {
			continue
		}
		if count := countOf(w, scores); count != "" && !slices.Contains(counts, count) {
			counts = append(counts, count)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	searched := 0
	for _, r := range f.Searched() {
		searched += r.Files
	}
	what := "no file matches"
	if all := scores.Corpus.Files; searched < all {
		what += fmt.Sprintf("; ignoring filters (%d files)", all)
	}
	return []string{what + ": " + strings.Join(counts, ", ")}
}

// countOf tells how many files hold a word, and where none does, how many hold each of
// its parts; "" for a word that is not searched for.
func countOf(word string, scores *score.Scores) string {
	files := func(term string) int {
		if i := scores.Find(term); i >= 0 {
			return scores.Terms[i].Files
		}
		return 0
	}
	a := token.Analyze(word)
	if len(a.Terms) == 0 {
		return ""
	}
	parts := files(slices.MinFunc(a.Terms, func(a, b string) int { return cmp.Compare(files(a), files(b)) }))
	name := usage.Shorten(word, 40)
	if whole := files(a.Compound); a.Compound != "" && whole == 0 && parts > 0 {
		return fmt.Sprintf("%q is in 0, its parts in %d", name, parts)
	} else if a.Compound != "" {
		parts = whole
	}
	return fmt.Sprintf("%q is in %d", name, parts)
}

// Bounds of the search for near names.
const (
	maxNearest    = 5
	maxNearWords  = 4 // words of the query that are tried
	minNearLength = 3 // bytes; shorter words are near to everything
)

// Nearest returns names that are defined and near to a word of a text that found nothing.
func Nearest(text string, in *corpus.Corpus) (names []string, err error) {
	tried := 0
	for _, w := range token.Split(text) {
		if len(w) < minNearLength || rank.IsStopword(w) || tried == maxNearWords {
			continue
		}
		tried++
		near, err := spelling.Near(in, spelling.Prefix(w))
		if err != nil {
			return names, err
		}
		for _, n := range near {
			if !slices.Contains(names, n) && len(names) < maxNearest {
				names = append(names, n)
			}
		}
	}
	return names, nil
}
