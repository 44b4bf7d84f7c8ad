package eval

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/token"
	"espy/internal/usage"
)

// Effort is how many tokens an agent takes in until it holds a target of a
// question, in two ways.
//
// Search: the answer with the whole chunk of each hit, from its start to the
// end of the first hit that holds a target; all of it where none does.
//
// Grep and read: the words of the question, stop words and those under three
// letters left out, are looked for as text, in any case. The files with most
// different words come first, those with more matching lines before others, and
// each is read whole, its line of the listing counted too, until one is a
// target's. That is kinder than grep is: the agent guesses good patterns at
// once, reads in a good order and never reads a file twice. No file with a word
// of the question may be a target's; then all that was found is counted.
type Effort struct {
	Found  bool // by search, within its results
	Search int  // tokens
	Grep   bool // found by grep and read
	Read   int  // tokens
}

// efforts counts the tokens for the questions of one repository.
func (r *Run) efforts(ctx context.Context, c *corpus, questions []int) error {
	g, err := newGrep(c, r.Questions, questions)
	if err != nil {
		return err
	}
	for _, i := range questions {
		q := &r.Questions[i]
		e := &r.Efforts[i]
		if err := c.searchEffort(ctx, q, e); err != nil {
			return err
		}
		g.readEffort(q, e)
	}
	return nil
}

func (c *corpus) searchEffort(ctx context.Context, q *Question, e *Effort) error {
	res, err := c.search(ctx, q, hit.DetailFull)
	var refused *usage.Error
	if errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask %s: %w", q.ID, err)
	}
	size := 0
	for i := range res.Hits[:min(len(res.Hits), Depth)] {
		h := &res.Hits[i]
		size += hitBytes(h)
		r := Result{Path: c.path(h.Path), StartLine: h.StartLine, EndLine: h.EndLine}
		if slices.ContainsFunc(q.Targets, func(t Target) bool { return r.holds(&t) }) {
			e.Found = true
			break
		}
	}
	e.Search = code.Tokens(size)
	return nil
}

// hitBytes is the size of a hit as text: a line with its place and symbol, and
// its lines with their numbers.
func hitBytes(h *hit.Hit) int {
	n := len(fmt.Sprintf("%s:%d-%d %s %s\n", h.Path, h.StartLine, h.EndLine, h.Kind, h.Symbol))
	for i := range h.Lines {
		n += len(fmt.Sprintf("%d: ", h.Lines[i].Number)) + len(h.Lines[i].Text) + 1
	}
	return n
}

// grep knows which words of the questions are on how many lines of each file.
type grep struct {
	files []grepFile
	words map[string]int
	lines [][]uint32 // by word, then file
}

type grepFile struct {
	path string
	size int // bytes
}

func newGrep(c *corpus, all []Question, questions []int) (*grep, error) {
	g := &grep{words: map[string]int{}}
	for _, i := range questions {
		for _, w := range grepWords(all[i].Query) {
			if _, ok := g.words[w]; !ok {
				g.words[w] = len(g.words)
			}
		}
	}
	g.lines = make([][]uint32, len(g.words))
	var err error
	var cache segment.TextCache
	c.snap.Each(func(seg, file int) bool {
		s := c.snap.Segments[seg]
		var text []byte
		if text, err = s.Text(file, &cache); err != nil {
			return false
		}
		g.files = append(g.files, grepFile{path: c.path(s.Path(file)), size: len(text)})
		g.count(bytes.ToLower(text))
		return true
	})
	return g, err
}

// grepWords are the words of a question that an agent looks for, in lower case.
func grepWords(query string) []string {
	var words []string
	text := []byte(query)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		w := strings.ToLower(query[start:end])
		if len(w) >= 3 && !rank.IsStopword(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// count adds the matching lines of the next file for each word.
func (g *grep) count(text []byte) {
	for w, i := range g.words {
		g.lines[i] = append(g.lines[i], countLines(text, []byte(w)))
	}
}

// countLines counts the lines of text that hold a word.
func countLines(text, word []byte) (n uint32) {
	for {
		at := bytes.Index(text, word)
		if at < 0 {
			return n
		}
		n++
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return n
		}
		text = text[at+end:]
	}
}

// match is a file that grep lists.
type match struct{ file, words, lines int }

// readEffort reads the files that grep lists for a question until one is a
// target's.
func (g *grep) readEffort(q *Question, e *Effort) {
	for _, m := range g.matches(q.Query) {
		f := &g.files[m.file]
		e.Read += code.Tokens(len(fmt.Sprintf("%s:%d\n", f.path, m.lines))) + code.Tokens(f.size)
		if slices.ContainsFunc(q.Targets, func(t Target) bool { return samePath(f.path, t.Path) }) {
			e.Grep = true
			return
		}
	}
}

// matches lists the files with a word of the question, the likeliest first.
func (g *grep) matches(query string) []match {
	words := grepWords(query)
	var found []match
	for f := range g.files {
		m := match{file: f}
		for _, w := range words {
			if n := g.lines[g.words[w]][f]; n > 0 {
				m.words++
				m.lines += int(n)
			}
		}
		if m.words > 0 {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.lines, a.lines), cmp.Compare(a.file, b.file))
	})
	return found
}

// Tokens compares the two ways over the questions that both find an answer to,
// so that their recall is equal.
type Tokens struct {
	Questions    int     `json:"questions"`     // of a run
	Both         int     `json:"both"`          // found both ways; the figures below are over these
	SearchMedian int     `json:"search_median"` // tokens
	SearchMean   float64 `json:"search_mean"`
	ReadMedian   int     `json:"read_median"`
	ReadMean     float64 `json:"read_mean"`
	Fallback     float64 `json:"fallback_mean"` // over all: search, and grep and read after it where it found nothing
	ReadAll      float64 `json:"read_all_mean"` // over all: grep and read
}

// Tokens sums up the efforts; nil where they were not counted.
func (r *Run) Tokens() *Tokens {
	if r.Efforts == nil {
		return nil
	}
	t := &Tokens{Questions: len(r.Efforts)}
	var searched, read []int
	for _, e := range r.Efforts {
		t.ReadAll += float64(e.Read)
		t.Fallback += float64(e.Search)
		if !e.Found {
			t.Fallback += float64(e.Read)
		}
		if e.Found && e.Grep {
			searched, read = append(searched, e.Search), append(read, e.Read)
		}
	}
	t.ReadAll /= float64(max(1, t.Questions))
	t.Fallback /= float64(max(1, t.Questions))
	t.Both = len(searched)
	t.SearchMedian, t.SearchMean = middle(searched)
	t.ReadMedian, t.ReadMean = middle(read)
	return t
}

// middle returns the median, the lower of two, and the mean.
func middle(values []int) (median int, mean float64) {
	if len(values) == 0 {
		return 0, 0
	}
	slices.Sort(values)
	sum := 0
	for _, v := range values {
		sum += v
	}
	return values[(len(values)-1)/2], float64(sum) / float64(len(values))
}
