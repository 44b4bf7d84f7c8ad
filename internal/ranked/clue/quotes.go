package clue

import (
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/quote"
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
