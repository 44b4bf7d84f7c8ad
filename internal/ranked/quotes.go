package ranked

import (
	"strings"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/quote"
)

// quotes finds where the output of a program comes from, by runs of its words.
type quotes struct{}

// sureQuote is the value from which on a quote has its chunk shown.
const sureQuote = 0.5

func (quotes) find(q *question, in *corpus.Corpus, add func(*corpus.Segment, int, clue)) error {
	if !mayBeOutput(q.text) {
		return nil
	}
	found, err := quote.Places(q.text, in)
	for _, p := range found {
		c := newClue(rank.Quoted, p.Value)
		c.strong, c.chunk, c.tie = true, p.Chunk, p.Chunk
		if c.value >= sureQuote {
			c.shows = showQuote
		}
		add(p.Segment, p.Segment.FileOf(p.Chunk), c)
	}
	return err
}

// mayBeOutput reports whether a text may be what a program printed: pasted, or a
// line that begins with a word and a colon.
func mayBeOutput(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return isPasted(text) || strings.HasSuffix(first, ":")
}
