package clue

import (
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/message"
	"espy/internal/ranked/report"
	"espy/internal/segment"
)

// messages finds the files that hold a message: they stand before all others, for
// whoever pastes one wants the line that printed it. Pairs of terms that stand
// apart as in the text lead to chunks, which are read.
type messages struct{}

// Bounds of the search for messages.
const (
	messageLines = 8   // lines of a text that are looked at,
	reportLines  = 24  // and of the title, the output and the prose of a report
	sameFit      = 0.7 // a fit that is less by so much is another message
)

// messageEmphasis is the worth of a line that holds the message.
const messageEmphasis = 3

func (messages) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	trimmed := strings.TrimSpace(q.Text)
	most := messageLines
	if q.Report != nil {
		t := &q.Report.Texts
		trimmed, most = t[report.Title]+"\n"+t[report.Output]+"\n"+t[report.Prose], reportLines
	} else if !strings.Contains(trimmed, " ") || len(q.Words.Places) > 0 && strings.Contains(trimmed, "\n") {
		return nil
	}
	var found []agreed
	var cache segment.TextCache
	lines := 0
	for line := range strings.Lines(trimmed) {
		text := message.New(line)
		if lines++; lines > most {
			break
		}
		if !mayBeMessage(line, text.Words()) || q.Report != nil && report.IsFrame(line) {
			continue
		}
		places, err := message.Places(line, in)
		if err != nil {
			return err
		}
		for _, place := range places {
			p := agreed{Place: place}
			if err := p.read(text, &cache); err != nil {
				return err
			}
			if p.fit.IsMessage(p.inDocs()) {
				found = append(found, p)
			}
		}
	}
	best := 0.0
	for _, p := range found {
		best = max(best, p.fit.Value)
	}
	for _, p := range found {
		if p.fit.Value <= best-sameFit {
			continue
		}
		c := New(NoSignal, p.fit.Value)
		c.First, c.Strong = true, true
		c.Line = int(p.Segment.Chunk(p.Chunk).StartLine) + p.fit.Line
		c.Shows, c.Emphasis, c.Tie = ShowQuote, messageEmphasis, c.Line
		add(p.Segment, p.File(), c)
	}
	return nil
}

// plainMessage is how many words a line has at least that is a message without
// what loggers write: fewer are keywords.
const plainMessage = 5

// mayBeMessage reports whether a line of so many words can be one that a program
// printed, rather than keywords or a question.
func mayBeMessage(line string, words int) bool {
	if words < message.MinWords || message.Logged(line) {
		return words >= message.MinWords
	}
	return words >= plainMessage && !asksOpenly(line)
}

// asksOpenly reports whether a line begins with the word of a question.
func asksOpenly(line string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch strings.ToLower(first) {
	case "how", "why", "where", "who", "what", "which":
		return true
	}
	return false
}

// agreed is a chunk and how the text fits there.
type agreed struct {
	message.Place
	fit message.Fit
}

// inDocs reports whether the chunk is of prose.
func (p *agreed) inDocs() bool {
	file := p.File()
	return p.Segment.Class(file).Has(code.ClassDocs) || rank.ContentOf(p.Segment.Language(file)) == rank.ContentProse
}

// read reads the chunk and sees how the text fits.
func (p *agreed) read(text *message.Text, cache *segment.TextCache) error {
	c := p.Segment.Chunk(p.Chunk)
	b, err := p.Segment.TextRange(p.File(), int(c.Start), int(c.End), cache)
	if err == nil {
		p.fit = text.Best(b)
	}
	return err
}
