package bundle

import (
	"fmt"
	"strconv"

	"espy/internal/across"
	"espy/internal/bundle/pack"
	"espy/internal/code"
	"espy/internal/place"
	"espy/internal/rank"
	"espy/internal/usage"
)

// Bounds of an answer in tokens.
const (
	DefaultTokens = 4_000
	MinTokens     = 256
	MaxTokens     = 32_768
)

// MaxText bounds the bytes of a question. A larger difference or report is asked
// about in parts.
const MaxText = 1 << 20

// Request asks for what a task needs.
type Request struct {
	Text             string // a question, a symbol, a place, a difference or a report
	Changes          string // instead of Text, a range A..B or a commit to compare the work tree with
	Paths, Languages []string
	Scope            code.Scope
	MaxTokens        int // 0 is DefaultTokens
}

// Check refuses what cannot be asked, with a *usage.Error.
func (r *Request) Check() error {
	switch {
	case r.Text == "" && r.Changes == "":
		return &usage.Error{Arg: "query", Msg: "missing", Hint: "give a question, a symbol, a place, a diff or a report, or name changes"}
	case r.Text != "" && r.Changes != "":
		return &usage.Error{Arg: "changes", Value: r.Changes, Msg: "given together with a query", Hint: "give one of them"}
	case len(r.Text) > MaxText:
		return &usage.Error{Arg: "query", Msg: fmt.Sprintf("%d bytes are more than the limit of %d", len(r.Text), MaxText), Hint: "give the telling part of it"}
	case r.MaxTokens != 0 && (r.MaxTokens < MinTokens || r.MaxTokens > MaxTokens):
		return &usage.Error{Arg: "max_tokens", Value: strconv.Itoa(r.MaxTokens), Msg: "out of range", Hint: fmt.Sprintf("between %d and %d", MinTokens, MaxTokens)}
	}
	return nil
}

// Answer is what there is to show, before it is packed.
type Answer struct {
	In      across.Searched
	Kind    Kind
	About   string   // what the question was taken for, in words
	Notes   []string // what the reader must know
	Partial bool     // the time was over
	Pending int      // files whose syntax is not known yet
	More    int      // further pieces that were not looked at
	Near    []string // names like one that nothing bears

	pieces []pack.Piece
	texts  map[string]*fileText // of the files of pieces
}

// fileText is a file of an answer.
type fileText struct {
	text  []byte
	lines []string // without their ends
}

// Lines returns all lines of a file of a repository of the answer, without their
// ends; nil for another file.
func (a *Answer) Lines(repo, path string) []string {
	if a.In.Several {
		path = repo + ":" + path
	}
	if f := a.texts[path]; f != nil {
		return f.lines
	}
	return nil
}

// Text returns the text of a file of the answer, nil for another file.
func (a *Answer) Text(path string) []byte {
	if f := a.texts[path]; f != nil {
		return f.text
	}
	return nil
}

// leastWorth is the worth a byte from which on something is shown where no number
// of tokens was asked for.
const leastWorth = 0.02

// firstBytes are filled then whatever they are worth: 600 tokens. Names of files and lines
// of some repositories are so long that nothing is worth its size.
const firstBytes = 2400

// Pack chooses what fits into a number of bytes; with telling, behind the first of them,
// no more than what is worth its size.
func (a *Answer) Pack(bytes int, telling bool, s pack.Sizes, held func(path string, line int) bool) *pack.Choice {
	q := &pack.Question{Pieces: a.pieces, Bytes: bytes, Sizes: s, Held: held}
	if telling {
		q.Least, q.First = leastWorth, firstBytes
	}
	return pack.Choose(q)
}

// Empty reports whether nothing was found.
func (a *Answer) Empty() bool { return len(a.pieces) == 0 }

// Kind says what the text of a request was taken for.
type Kind string

// The kinds.
const (
	KindQuestion Kind = "question" // words
	KindSymbol   Kind = "symbol"   // a name or an id
	KindPlace    Kind = "place"    // lines of a file
	KindDiff     Kind = "diff"     // what changed
	KindReport   Kind = "report"   // a pasted issue, message or trace
)

// question is a request that was understood.
type question struct {
	kind    Kind
	text    string      // for the search by words
	names   []rank.Name // identifiers in the text, the weightiest first
	place   place.Place
	changes []change
	asks    asks
	notes   []string
}

// asks are relations that a question names.
type asks struct {
	callers, implementations, tests, config bool
}

// change is a run of lines of the newer version of a file that differ.
type change struct {
	path        string
	first, last int
	id          string // of the declaration that differs, instead of lines
}
