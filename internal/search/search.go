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
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/store"
	"espy/internal/token"
	"espy/internal/usage"
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

	Model *rank.Model // what ranked files are scored by; nil is the fitted model
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
	SymbolID  string  // its id, path#Type.method; "" where the syntax of the file is not known
	Calls     int     // with SymbolID: uses of its bare name that are calls, in the whole repository
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

// plan is a request with its defaults filled in, its mode chosen and its
// filters compiled. A plan is read only and serves one search.
type plan struct {
	Request
	query  *query.Query // keyword mode: the parsed query; nil in the other modes
	note   string       // what the reader must know of how it was read
	filter *filter
}

// Search answers one request over the snapshots, which it neither keeps nor
// closes. Errors that the caller of the program can mend are *UsageError. When
// ctx ends early the result holds what was found until then and is Partial.
func Search(ctx context.Context, snaps []*store.Snapshot, req Request) (*Result, error) {
	start := time.Now()
	p, err := newPlan(snaps, req)
	if err != nil {
		return nil, err
	}
	var res *Result
	switch p.Mode {
	case ModeLiteral:
		res, err = literal(ctx, snaps, p)
	case ModeRegex:
		res, err = regex(ctx, snaps, p)
	default:
		res, err = keyword(ctx, snaps, p)
	}
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, p.filter.unnamed()...)
	res.Query, res.Mode, res.Detail, res.Offset = req.Query, p.Mode, p.Detail, p.Offset
	res.Duration = time.Since(start)
	return res, nil
}

// Check reports what of a request cannot be answered whatever is searched, a
// *UsageError. Who asks it first indexes nothing for a question that is refused.
func (r Request) Check() error {
	_, err := Search(context.Background(), nil, r)
	return err
}

// newPlan checks a request and fills in what it left open.
func newPlan(snaps []*store.Snapshot, req Request) (*plan, error) {
	p := &plan{Request: req}
	if err := p.check(); err != nil {
		return nil, err
	}
	p.defaults()
	var filters query.Filters
	if p.Mode == ModeKeyword {
		q, note, err := parseText(p.Query)
		if err != nil {
			return nil, queryError(p.Query, err)
		}
		p.query, p.note, filters = q, note, q.Filters
	}
	var err error
	p.filter, err = newFilter(snaps, &p.Request, filters)
	return p, err
}

// check reports the first argument that cannot be.
func (p *plan) check() error {
	switch {
	case p.Mode != "" && !slices.Contains(Modes, p.Mode):
		return &usage.Error{Arg: "mode", Value: string(p.Mode), Msg: "unknown mode", Hint: "the modes are " + list(Modes)}
	case p.Detail != "" && !slices.Contains(Details, p.Detail):
		return &usage.Error{Arg: "detail", Value: string(p.Detail), Msg: "unknown detail", Hint: "the details are " + list(Details)}
	case p.Scope != "" && !slices.Contains(code.Scopes, p.Scope):
		return &usage.Error{Arg: "scope", Value: string(p.Scope), Msg: "unknown scope", Hint: "the scopes are " + list(code.Scopes)}
	case len(p.Query) > MaxQueryBytes:
		return &usage.Error{Arg: "query", Value: p.Query, Msg: fmt.Sprintf("%d bytes are more than the limit of %d", len(p.Query), MaxQueryBytes), Hint: "search for a shorter, telling part of it"}
	case p.Limit > MaxLimit:
		return &usage.Error{Arg: "limit", Value: strconv.Itoa(p.Limit), Msg: "too large", Hint: fmt.Sprintf("at most %d", MaxLimit)}
	}
	for _, a := range []struct {
		name  string
		value int
	}{{"limit", p.Limit}, {"offset", p.Offset}, {"before", p.Before}, {"after", p.After}, {"max_tokens", p.MaxTokens}} {
		if a.value < 0 {
			return &usage.Error{Arg: a.name, Value: strconv.Itoa(a.value), Msg: "negative", Hint: "0 stands for the default"}
		}
	}
	return nil
}

// defaults fills in what the request left open.
func (p *plan) defaults() {
	if p.Detail == "" {
		p.Detail = DetailLines
	}
	if p.Scope == "" {
		p.Scope = code.ScopeAll
	}
	if p.Mode == "" || p.Mode == ModeAuto {
		p.Mode = ModeKeyword
		if start, end := token.NextWord([]byte(p.Query), 0); start == end && strings.TrimSpace(p.Query) != "" {
			p.Mode = ModeLiteral
		}
	}
	if p.Limit == 0 {
		p.Limit = DefaultLines
		if p.Mode == ModeKeyword {
			p.Limit = DefaultLimit
		}
	}
}

// queryError makes the usage error of a query that does not parse.
func queryError(text string, err error) error {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("parse query: %w", err)
	}
	return &usage.Error{Arg: "query", Value: text, Msg: fmt.Sprintf("at byte %d: %s", syntax.Pos, syntax.Msg), Hint: syntax.Hint}
}

// list joins words for a hint.
func list[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}
