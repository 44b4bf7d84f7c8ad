package clue

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/message"
	"espy/internal/ranked/quote"
	"espy/internal/segment"
)

// messages finds the files that hold a message: they stand before all others, for
// whoever pastes one wants the line that printed it. Pairs of terms that stand
// apart as in the text lead to chunks, which are read.
type messages struct{}

// sameFit is how much less a fit is of what is another message.
const sameFit = 0.7

// messageEmphasis is the worth of a line that holds the message.
const messageEmphasis = 3

func (messages) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	if q.Title {
		return nil
	}
	var cache segment.TextCache
	var found []agreed
	left := budget{runLines, math.MaxInt}
	if q.Report != nil {
		left.postings = reportPostings
	}
	for i, u := range utterances(q) {
		held, err := heldBy(&u, in, &cache, &left)
		if err != nil {
			return err
		}
		for k := range held {
			held[k].utterance = i
		}
		if found = append(found, held...); q.Report != nil {
			addMessages(found, add)
			found = found[:0]
		}
	}
	return addTested(addMessages(found, add), in, add)
}

// heldBy returns the places that hold what was said: those that rare pairs of its
// terms lead to, and where that leads to nothing sure, those with runs of its words,
// as far as the budget goes.
func heldBy(u *utterance, in *corpus.Corpus, cache *segment.TextCache, left *budget) (found []agreed, err error) {
	text := message.New(u.text)
	may, whole := mayBeMessage(u, text.Words())
	if !may || whole && !u.alone {
		return nil, nil
	}
	line := u.text
	if u.log {
		line = message.WithoutLongValues(line)
	}
	places, err := message.Places(line, in, &left.postings)
	if err != nil {
		return nil, err
	}
	found, err = agreeing(places, text, u, cache)
	if whole {
		return slices.DeleteFunc(found, func(p agreed) bool { return !p.isCode() || !p.fit.Exact.Whole || p.fit.Exact.Words < p.words }), err
	}
	if err == nil && u.log && message.Logged(u.text) && !slices.ContainsFunc(found, func(p agreed) bool { return p.fit.Format || p.fit.Exact.Sure() }) {
		if places, err = message.Filled(u.text, in, &left.postings); err != nil {
			return nil, err
		}
		filled, err := agreeing(beyond(places, found), text, u, cache)
		if err != nil {
			return nil, err
		}
		found = append(found, filled...)
	}
	sure := slices.ContainsFunc(found, func(p agreed) bool { return p.fit.Exact.Sure() })
	if err != nil || sure || left.lines == 0 || !u.log || u.worth < otherWorth || text.Words() > runWords || !message.Logged(u.text) {
		return found, err
	}
	left.lines--
	runs, err := quote.Places(u.text, in)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(runs, func(a, b quote.Place) int { return cmp.Compare(b.Value, a.Value) })
	places = places[:0]
	for _, r := range runs[:min(len(runs), runPlaces)] {
		if p := (message.Place{Segment: r.Segment, Chunk: r.Chunk}); r.Segment.Allows(p.File()) {
			places = append(places, p)
		}
	}
	more, err := agreeing(beyond(places, found), text, u, cache)
	return append(found, more...), err
}

// beyond returns the places that are not among those found.
func beyond(places []message.Place, found []agreed) []message.Place {
	return slices.DeleteFunc(places, func(p message.Place) bool {
		return slices.ContainsFunc(found, func(f agreed) bool { return f.Segment == p.Segment && f.Chunk == p.Chunk })
	})
}

// budget is what may still be looked for.
type budget struct {
	lines    int // whose runs are looked for
	postings int // that are read for pairs of terms
}

// Bounds of the search for messages.
const (
	reportPostings = 60000 // of all lines of a report
	runLines       = 2     // of a text whose runs are looked for: each costs as much as a question
	runWords       = 24    // of such a line
	runPlaces      = 8     // that are read
)

// agreeing returns the places that hold a text as a message. A format of few words is
// none of a sentence that somebody wrote.
func agreeing(places []message.Place, text *message.Text, u *utterance, cache *segment.TextCache) (found []agreed, err error) {
	for _, place := range places {
		p := agreed{Place: place, words: text.Words(), worth: u.worth}
		if err := p.read(text, cache); err != nil {
			return nil, err
		}
		if p.fit.IsMessage(p.inDocs()) && (u.log || !p.fit.Format) {
			found = append(found, p)
		}
	}
	return found, nil
}

// addMessages adds the clues of the places that hold a message best: a test that quotes
// it, values and all, does not hide what printed it. The only file of plain code that
// holds it is nearly always that. Of several messages that are worth as much each has its
// own, where these are sure. It returns these places.
func addMessages(found []agreed, add func(*corpus.Segment, int, Clue)) []agreed {
	var all best
	each := map[int]best{}
	for _, p := range found {
		own := each[p.utterance]
		all.see(&p)
		own.see(&p)
		each[p.utterance] = own
	}
	found = slices.DeleteFunc(found, func(p agreed) bool {
		own := each[p.utterance]
		return !all.near(&p) && (p.worth < all.worth || !p.fit.Format && p.sure() == 0 || !own.near(&p))
	})
	only, printed := onlyCode(found), isPrinted(found)
	for i := range found {
		p := &found[i]
		c := newClue(NoSignal, p.fit.Value*p.worth)
		c.First, c.Quotes, c.Strong = true, !p.isCode() && (printed || !p.isGenerated()), true
		c.Line = int(p.Segment.Chunk(p.Chunk).StartLine) + p.fit.Line
		if e := &p.fit.Exact; e.Quoted && e.Words >= message.MinWords || e.Words == p.words {
			c.Line = int(p.Segment.Chunk(p.Chunk).StartLine) + e.Line
			c.Exact, c.Filled = true, e.Filled
		}
		if p.fit.Format {
			c.Exact, c.Filled = true, !p.fit.Exact.Whole
		}
		if only == p.place() {
			c.Only = p.sure()
		}
		c.Shows, c.Emphasis, c.Tie = showMessage, messageEmphasis, c.Line
		add(p.Segment, p.File(), c)
	}
	return found
}

// addTested adds what the tests are of that compare something with a message which no code
// prints: a library does, and what is tested handles it.
func addTested(found []agreed, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	if isPrinted(found) || slices.ContainsFunc(found, func(p agreed) bool { return p.isGenerated() }) {
		return nil
	}
	for i := range found {
		p := &found[i]
		if !p.compares {
			continue
		}
		files, err := testedBy(in, p.Segment.Path(p.File()), p.Segment.Language(p.File()))
		if err != nil {
			return err
		}
		for _, f := range files {
			c := newClue(NoSignal, 0)
			c.First, c.Strong = true, true
			add(f.segment, f.file, c)
		}
	}
	return nil
}

// best is how well the places that fit best do.
type best struct {
	any, code, made float64 // in any place, in plain code and in generated code
	worth           float64
}

func (b *best) see(p *agreed) {
	b.worth = max(b.worth, p.worth)
	if b.any = max(b.any, p.value()); p.isCode() {
		b.code = max(b.code, p.value())
	} else if p.isGenerated() {
		b.made = max(b.made, p.value())
	}
}

// near reports whether a place fits about as well as the best, or as the best of plain code
// where it is some. Where plain code holds less than half of what generated code does, that
// stands for it.
func (b *best) near(p *agreed) bool {
	switch value := p.value(); {
	case value > b.any-sameFit:
		return true
	case p.isCode():
		return value > b.code-sameFit && 2*b.code >= b.made
	case p.isGenerated():
		return value > b.made-sameFit && 2*b.code < b.made
	}
	return false
}

// onlyCode returns the one file of plain code among places, none where there is none
// or several.
func onlyCode(found []agreed) (only filePlace) {
	for i := range found {
		p := &found[i]
		if !p.isCode() {
			continue
		}
		if only.segment != nil && only != p.place() {
			return filePlace{}
		}
		only = p.place()
	}
	return only
}

// plainMessage is how many words a line has at least that is a message without
// what loggers write: fewer are keywords, unless they are all of a literal.
const plainMessage = 5

// mayBeMessage reports whether a line of so many words can be one that a program
// printed, rather than keywords or a question, and whether only all of a literal is that.
func mayBeMessage(u *utterance, words int) (may, whole bool) {
	switch {
	case message.Logged(u.text):
		return words >= message.FewWords, false
	case u.quoted:
		return words >= message.MinWords, false
	}
	return words >= message.FewWords && !asksOpenly(u.text), words < plainMessage
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
	fit   message.Fit
	words int     // of what was said,
	worth float64 // and what it is worth

	utterance int // which one that is

	compares bool // it is a test whose line prints nothing
}

func (p *agreed) place() filePlace { return filePlace{p.Segment, p.File()} }

// exactWorth is what a word of a run that leaves little doubt adds to a fit.
const exactWorth = 0.5

// value is how well the text fits: of two places the one with the longer run.
func (p *agreed) value() float64 {
	value := p.fit.Value
	if p.fit.Exact.Sure() {
		value += float64(exactWorth * float64(p.fit.Exact.Words))
	}
	return value * p.worth
}

// sureWords is how many words of a message leave no doubt, and fewWords how many
// leave all of it.
const (
	sureWords = 7
	fewWords  = 1
)

// sure returns how sure it is that the place printed the text, at most 1.
func (p *agreed) sure() float64 {
	if p.fit.Value >= sureWords {
		return p.worth
	}
	if !p.fit.Exact.Sure() {
		return 0
	}
	return p.worth * min(1, float64(p.fit.Exact.Words-fewWords)/(sureWords-fewWords))
}

// isCode reports whether the chunk is of plain code.
func (p *agreed) isCode() bool {
	return p.Segment.Class(p.File())&beside == 0 && rank.ContentOf(p.Segment.Language(p.File())) == rank.ContentCode
}

// isGenerated reports whether the chunk is of code that a program wrote.
func (p *agreed) isGenerated() bool {
	return p.Segment.Class(p.File())&beside == code.ClassGenerated && rank.ContentOf(p.Segment.Language(p.File())) == rank.ContentCode
}

// isPrinted reports whether a place is of plain code, which printed the message.
func isPrinted(found []agreed) bool {
	return slices.ContainsFunc(found, func(p agreed) bool { return p.isCode() })
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
		p.fit = text.Best(b, p.Segment.Language(p.File()))
		p.compares = p.Segment.Class(p.File()).Has(code.ClassTest) && (p.fit.Words == 0 || !prints(b, p.fit.Line))
	}
	return err
}
