package clue

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/impact/suite"
	"espy/internal/pattern"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/token"
)

// printing is what a line has that prints a message, rather than to compare it with one.
var printing = pattern.New(`(?i)\b(?:fatal|log|print|fail|panic|throw|raise|croak|die|warn|skip|abort|echo)\w*\b`)

// prints reports whether a line of some code, from 0, prints something, or the one above it
// begins to.
func prints(text []byte, line int) bool {
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	for range min(line+1, 2) {
		var first []byte
		if first, text, _ = bytes.Cut(text, []byte("\n")); printing().Match(first) {
			return true
		}
	}
	return false
}

// filePlace is a file of a segment.
type filePlace struct {
	segment *corpus.Segment
	file    int
}

// beside is every class of files that quote messages rather than print them.
const beside = code.ClassTest | code.ClassExample | code.ClassBench | code.ClassDocs | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock

// maxTested is the most files that a test may be named after.
const maxTested = 3

// testedBy returns the files of plain code that a test is named after, of those in folders
// that are nearest.
func testedBy(in *corpus.Corpus, test, language string) (best []filePlace, err error) {
	subject, nearest := suite.Subject(test), 0.0
	term := ""
	for _, w := range token.Words(rank.Place{Path: test}.Stem()) {
		for _, t := range w.Terms {
			if len(t) > len(term) && t != "test" && t != "spec" {
				term = t
			}
		}
	}
	for _, s := range in.Segments {
		t, ok, err := s.Lookup(term)
		if err != nil {
			return nil, err
		}
		if term == "" || !ok {
			continue
		}
		for it := t.Path(); ; {
			file, inStem, _, ok := it.Next()
			if !ok {
				break
			}
			if inStem == 0 || !s.Alive(file) || !s.Allows(file) || s.Class(file)&beside != 0 || s.Language(file) != language || suite.Stem(s.Path(file)) != subject {
				continue
			}
			near := suite.Near(s.Path(file), test)
			if near > nearest {
				best, nearest = best[:0], near
			}
			if near == nearest && len(best) < maxTested {
				best = append(best, filePlace{s, file})
			}
		}
	}
	return best, nil
}
