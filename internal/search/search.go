// Package search answers one query over the snapshots of one or more
// repositories: it plans, gathers candidates, ranks them and cuts excerpts to
// a budget. It never writes, and the same snapshots and request give the same
// result.
//
// The path of a query reads: Search (this file) parses and chooses the mode;
// literal.go and regex.go find every matching line through trigrams; keyword.go
// gathers candidates from the postings and has package rank order them;
// excerpt.go cuts what is shown.
package search

import (
	"time"

	"espy/internal/code"
)

// Mode is the way a query is understood.
type Mode string

// The modes.
const (
	ModeAuto    Mode = "auto"    // keyword, or literal where the query has no word in it
	ModeKeyword Mode = "keyword" // ranked words with the query language of package query
	ModeLiteral Mode = "literal" // exact text, punctuation and case kept
	ModeRegex   Mode = "regex"   // RE2 syntax, one line at a time
)

// Modes lists every mode.
var Modes = []Mode{ModeAuto, ModeKeyword, ModeLiteral, ModeRegex}

// Detail is how much of each hit is shown.
type Detail string

// The details.
const (
	DetailLocate Detail = "locate" // path, lines and symbol only
	DetailLines  Detail = "lines"  // the telling lines (the default)
	DetailFull   Detail = "full"   // the whole chunk
)

// Details lists every detail.
var Details = []Detail{DetailLocate, DetailLines, DetailFull}

// Limits of a request.
const (
	MaxQueryBytes = 10_000
	MaxLimit      = 1_000_000 // hits one answer may hold
	DefaultLimit  = 10        // hits in ranked modes
	DefaultLines  = 50        // matching lines in literal and regex mode
)

// Request is one query. The zero value of each field is its default.
type Request struct {
	Query      string
	Mode       Mode
	Detail     Detail
	Paths      []string // globs; a file passes when it matches one. "!glob" excludes
	Languages  []string // names or aliases; a file passes when it is in one. "!name" excludes
	Scope      code.Scope
	Limit      int // hits; 0 is DefaultLimit, or DefaultLines for literal and regex
	Offset     int // hits to leave out, for paging
	IgnoreCase bool
	Word       bool // literal and regex: matches end at word boundaries
	Before     int  // lines of context before and after a matching line (literal, regex)
	After      int
	MaxTokens  int  // bound of the excerpts together; 0 leaves them unbounded
	Explain    bool // keep each signal's contribution
}

// Result is the answer to a request.
type Result struct {
	Query    string
	Mode     Mode // the mode that ran
	Detail   Detail
	Total    int // hits before Offset and Limit: matching lines (exact unless Partial) or ranked files
	Files    int // files with a hit
	Offset   int
	Hits     []Hit
	Repos    []Searched
	Partial  bool     // a deadline or a cap ended the search early: Total is a lower bound
	Notes    []string // what the reader must know: what was left out and why
	Nearest  []string // with no hit: names or words that do occur and are near the query's
	Duration time.Duration
}

// More reports whether hits follow the ones in the result.
func (r *Result) More() bool { return r.Offset+len(r.Hits) < r.Total }

// Searched says what was searched in one repository.
type Searched struct {
	Repo      string
	Files     int // files the filters let through
	Excluded  int // files that are not in the index
	Freshness code.Freshness
}

// Hit is one place found.
type Hit struct {
	Repo      string
	Path      string
	StartLine int // lines the hit speaks of, 1-based, inclusive
	EndLine   int
	Column    int     // literal and regex: of the first match, 1-based, in bytes; else 0
	Score     float64 // ranked modes, higher is better; else 0
	Symbol    string  // innermost definition at the hit, "" where there is none
	Kind      string  // its kind
	Language  string
	Class     code.Class
	Stale     bool // the file has changed since it was indexed
	Lines     []Line
	Cut       bool // Lines leaves out lines of the span for the budget
	Explain   []Contribution
}

// Line is one shown line of a hit.
type Line struct {
	Number  int
	Text    []byte   // without its line end; bytes as in the file, cut to MaxLineBytes
	Matches [][2]int // byte ranges of Text that matched, in order; none in a context line
}

// MaxLineBytes is how much of one line a hit shows, cut round its first match.
const MaxLineBytes = 500

// Contribution is what one signal added to a score.
type Contribution struct {
	Signal string
	Value  float64 // the signal itself
	Score  float64 // what it added (or, for a penalty, the factor's logarithm)
}
