package lines

import (
	"fmt"
	"sort"

	"espy/internal/grep/rust"
	"espy/internal/hit"
	"espy/internal/parallel"
)

// newSpanning makes a query for every line in which a match begins that may go on in
// the lines behind it. The expression is read as rg -U reads it: ^ and $ stand for the
// start and end of each line, the dot is no line end unless (?s) makes it one, and
// classes are those of Unicode.
func newSpanning(req hit.Request) (*Query, error) {
	if len(req.Query) > maxRegexBytes {
		return nil, badQuery(req.Query, fmt.Sprintf("a regular expression of %d bytes; the limit is %d", len(req.Query), maxRegexBytes), "search for a shorter one")
	}
	re, err := rust.Compile([]string{req.Query}, rust.Options{IgnoreCase: req.IgnoreCase, Word: req.Word, Multiline: true})
	if err != nil {
		return nil, err
	}
	grams, fold := re.Grams()
	return &Query{req, lookup{matcher: spanningMatcher{re}, grams: *grams, fold: fold, whole: true}}, nil
}

// spanningMatcher matches an expression in whole texts.
type spanningMatcher struct{ re *rust.Regexp }

func (m spanningMatcher) finder(pause parallel.Pause) finder {
	return &spanningFinder{re: m.re.NewFinder(func() bool { return pause != nil && !pause() })}
}

// spanningFinder knows the matches of one text after the other.
type spanningFinder struct {
	re    *rust.Finder
	found [][2]int // in order and apart from each other
}

func (f *spanningFinder) open(p piece) {
	f.found = f.found[:0]
	f.re.Reset()
	f.re.All(p.text, 0, func(m []int) bool {
		if last := len(p.text); m[0] < last || last > 0 && p.text[last-1] != '\n' { // in a line
			f.found = append(f.found, [2]int{m[0], m[1]})
		}
		return true
	})
}

// from is the index of the first match that starts at or after a place.
func (f *spanningFinder) from(pos int) int {
	return sort.Search(len(f.found), func(i int) bool { return f.found[i][0] >= pos })
}

func (f *spanningFinder) line(pos int) int {
	if i := f.from(pos); i < len(f.found) {
		return f.found[i][0]
	}
	return -1
}

func (f *spanningFinder) matches(dst [][2]int, start, end int) [][2]int {
	for i := f.from(start); i < len(f.found) && f.found[i][0] <= end; i++ {
		dst = append(dst, f.found[i])
	}
	return dst
}
