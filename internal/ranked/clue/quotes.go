package clue

import (
	"slices"
	"strings"
	"unicode"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/quote"
	"espy/internal/token"
)

// quotes finds where the output of a program comes from, by runs of its words.
type quotes struct{}

// sureQuote is the value from which on a quote has its chunk shown.
const sureQuote = 0.5

func (quotes) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	if !q.Printed {
		return nil
	}
	found, err := quote.Places(q.Text, in)
	for _, p := range found {
		c := newClue(rank.Quoted, p.Value)
		c.Strong, c.Chunk, c.Tie = true, p.Chunk, p.Chunk
		if c.Value >= sureQuote {
			c.Shows = showQuote
		}
		add(p.Segment, p.Segment.FileOf(p.Chunk), c)
	}
	return err
}

// standing finds the files of code that a pasted text of several lines stands in as it is,
// blanks aside: whoever pastes code of this tree asks about that place.
type standing struct{}

// Bounds of what is looked for as it stands.
const (
	leastStanding = 24      // bytes that are no blanks: less is everywhere
	mostStanding  = 1 << 14 // bytes of the text
	startTerms    = 12      // terms that it begins with, which lead to the files that are read
	fewTerms      = 4       // fewer are everywhere
)

func (standing) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	text := strings.TrimSpace(q.Whole)
	wanted := withoutBlanks(text)
	if q.Title || !strings.Contains(text, "\n") || len(wanted) < leastStanding || len(text) > mostStanding {
		return nil
	}
	files, err := beginning(text, in)
	if err != nil || len(files) > maxNamesakes {
		return err
	}
	slices.SortStableFunc(files, func(a, b filePlace) int { return others(a) - others(b) })
	n := 0
	for _, f := range files {
		size := f.segment.TextSize(f.file)
		if size > maxCompared {
			continue
		}
		b, err := f.segment.TextRange(f.file, 0, size, nil)
		if err != nil {
			return err
		}
		at := strings.Index(withoutBlanks(string(b)), wanted)
		if at < 0 {
			continue
		}
		n++
		c := newClue(NoSignal, 1/float64(n))
		c.Strong, c.Named, c.Exact = true, n, true
		c.Line = lineAt(string(b), at) + strings.Count(text, "\n")/2
		c.Shows, c.Emphasis = showLine, mentionEmphasis
		add(f.segment, f.file, c)
	}
	return nil
}

// beginning returns the files of code that have the words which a text begins with, one more than
// are of use at most.
func beginning(text string, in *corpus.Corpus) (files []filePlace, err error) {
	var terms []string
	for _, w := range token.Words(text) {
		if terms = append(terms, w.Terms...); len(terms) >= startTerms {
			break
		}
	}
	if len(terms) < fewTerms {
		return nil, nil
	}
	for _, s := range in.Segments {
		found, err := s.Phrase(terms)
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			f := filePlace{s, int(o.File)}
			if len(files) <= maxNamesakes && s.Alive(f.file) && s.Allows(f.file) && rank.ContentOf(s.Language(f.file)) == rank.ContentCode && !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

// others is 0 of a file of plain code, 1 of another one.
func others(f filePlace) int {
	if f.segment.Class(f.file)&beside == 0 {
		return 0
	}
	return 1
}

// lineAt returns the line of the byte of a text that has so many bytes before it which are
// no blanks.
func lineAt(text string, solid int) int {
	line := 1
	for _, r := range text {
		switch {
		case r == '\n':
			line++
		case unicode.IsSpace(r):
		case solid <= 0:
			return line
		default:
			solid -= len(string(r))
		}
	}
	return line
}
