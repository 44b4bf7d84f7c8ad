// Package hit has the request and the result of a search: what every front
// asks, every mode answers and every answer shows.
package hit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/token"
	"espy/internal/usage"
)

// Mode is the way a query is understood.
type Mode string

// The modes.
const (
	ModeAuto      Mode = "auto"      // keyword, or literal where the query has no word in it
	ModeKeyword   Mode = "keyword"   // ranked words with the query language of package query
	ModeLiteral   Mode = "literal"   // exact text, punctuation and case kept
	ModeRegex     Mode = "regex"     // RE2 syntax, one line at a time
	ModeStructure Mode = "structure" // code with holes, compared with syntax trees (package structure)
	ModeSemantic  Mode = "semantic"  // the whole text by its meaning, in the vectors of a model
)

// FindsLines reports whether a mode finds lines rather than ranked files.
func (m Mode) FindsLines() bool { return m == ModeLiteral || m == ModeRegex || m == ModeStructure }

// Modes lists every mode.
var Modes = []Mode{ModeAuto, ModeKeyword, ModeLiteral, ModeRegex, ModeStructure, ModeSemantic}

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
	MaxQueryBytes  = 10_000    // of a text, a pattern or a question as it is searched for
	MaxPastedBytes = 1 << 20   // of words that are given: what tells most of a longer text is searched for
	MaxLimit       = 1_000_000 // hits one answer may hold
	defaultLimit   = 10        // hits in ranked modes
	defaultLines   = 50        // matching lines in literal and regex mode
)

// Request is one query. The zero value of each field is its default.
type Request struct {
	Query      string
	Mode       Mode
	Detail     Detail
	Paths      []string // globs; a file passes when it matches one. "!glob" excludes
	Languages  []string // names or aliases; a file passes when it is in one. "!name" excludes
	Scope      code.Scope
	Limit      int // hits; 0 is defaultLimit, or defaultLines for literal and regex
	Offset     int // hits to leave out, for paging
	IgnoreCase bool
	Word       bool // literal and regex: matches end at word boundaries
	Multiline  bool // regex: a match may span lines; it counts for the line it starts in
	Before     int  // lines of context before and after a matching line (literal, regex), or a passage
	After      int
	Passages   bool // semantic: every chunk that is near is a hit, as a Passage, not the best one of each file; without its text for DetailLocate
	MaxTokens  int  // bound of the excerpts together; 0 leaves them unbounded, but for Brief
	Brief      bool // ranked, DetailLines: lines of the hits that most likely answer, the places of the rest, no hit that is far from the best
	Companions bool // ranked: find Result.Companions whatever the query is, not only for a report
	Explain    bool // keep each signal's contribution

	Work Work // what the caller works on; nothing by default

	// Only says which files pass beside all that is asked for above; nil lets all. It
	// is asked by several goroutines, and gives a file the same answer each time.
	Only func(path, language string, class code.Class) bool

	ShowSecrets bool // show keys and tokens; else a marker stands in the place of each

	Model *rank.Model // what ranked files are scored by; nil is the fitted model
}

// Result is the answer to a request.
type Result struct {
	Query      string
	Mode       Mode   // the mode that ran
	Model      string // semantic: the identity of the model that answered
	Detail     Detail
	Total      int // hits before Offset and Limit: matching lines (exact unless Partial) or ranked files
	Files      int // files with a hit
	Offset     int
	Hits       []Hit
	Repos      []Searched
	Unasked    error       // why vectors that are not on this machine were not asked; nil where they were
	Reranked   *Reranked   // ranked: who put the first hits in their order; nil for nobody
	Partial    bool        // a deadline or a cap ended the search early: Total is a lower bound
	Notes      []string    // what the reader must know: what was left out and why
	Report     bool        // ranked: the query was read as a report
	Companions []Companion // ranked: files that likely change too where the hits do; no hit is among them
	Foreign    string      // ranked: what the question is about, where nothing that was searched most likely is; the hits are near it
	Nearest    []string    // with no hit: names or words that do occur and are near the query's
	Deeper     []Deeper    // with no hit: globs that match files in other folders than they say
	Duration   time.Duration
}

// Deeper is a glob that matches no file: none from the root on, or none by its whole name.
type Deeper struct {
	Glob    string
	Instead string // matches it below any folder, or as a part of a name
	Files   int    // that Instead matches
}

// String says so.
func (d *Deeper) String() string {
	why, files := "begins at the root, where it matches nothing", "file"
	if strings.HasSuffix(d.Instead, "*") && !strings.HasSuffix(d.Glob, "*") {
		why = "is not the whole name of a file or folder"
	}
	if d.Files != 1 {
		files += "s"
	}
	return fmt.Sprintf("path %s %s; %s matches %d %s", usage.Shorten(d.Glob, 200), why, usage.Shorten(d.Instead, 200), d.Files, files)
}

// Searched says what was searched in one repository.
type Searched struct {
	Repo      string
	Files     int // files the filters let through
	Excluded  int // files that are not in the index
	Freshness code.Freshness
	Notes     []string // what whoever finds nothing must know of the repository
}

// Hit is one place found.
type Hit struct {
	Repo       string
	Path       string
	StartLine  int // lines the hit speaks of, 1-based, inclusive
	EndLine    int
	Column     int     // literal and regex: of the first match, 1-based, in bytes; else 0
	Score      float64 // ranked modes, higher is better; else 0
	Symbol     string  // innermost definition at the hit, "" where there is none
	Kind       string  // its kind
	SymbolID   string  // its id, path#Type.method; "" where the syntax of the file is not known
	SymbolLine int     // where its name stands; 0 without a symbol
	Calls      Calls   // with SymbolID: uses of its bare name that are calls, in the whole repository
	Language   string
	Class      code.Class
	Stale      bool // the file has changed since it was indexed
	Lines      []Line
	Cut        bool     // Lines leaves out lines of the span for the budget
	Held       int      // lines that are left out because the reader has them
	Why        []string // ranked modes: what spoke for the hit beside its words, the most telling first: ExactText, "frame 2 of the trace"
	Explain    []Contribution
	Passage    *Passage // where Request.Passages asks for them
}

// ExactText begins the reason of a hit where a run of words of the query stands.
const ExactText = "exact text"

// NoText begins the note of an answer about a message that stands nowhere.
const NoText = "no text here reads"

// Passage is a chunk with the lines around it: Before, Text and After follow each
// other in the file, with markers in the place of secrets. Text begins with a line
// and ends before the end of one. In detail locate there is no text.
type Passage struct {
	Cosine              float64 // to the question, above 0, at most 1
	Before, Text, After string
}

// Reranked says that a model on another machine put the first places in order.
type Reranked struct {
	Model, Host string
	Places      int
	Took        time.Duration
}

// Companion is a file that likely changes too where a hit does.
type Companion struct {
	Repo, Path   string
	Rank         int     // among the files that a report is about by its words, 0 for none
	With         string  // path of the hit that speaks for it most, "" for none
	Together, Of int     // commits that changed both, of those that changed With; 0 where commits do not tell
	Named        bool    // it is named like With, or is a test that bears its name
	Score        float64 // how likely, to 1
}

// Reason says what speaks for a companion, with a name for the hit.
func (c *Companion) Reason(with string) string {
	var why []string
	if c.Together > 0 {
		why = append(why, fmt.Sprintf("%d of %d commits", c.Together, c.Of))
	}
	if c.Named {
		why = append(why, "named like it")
	}
	switch together := "changes with " + with + ": " + strings.Join(why, ", "); {
	case c.Rank == 0:
		return together
	case len(why) == 0:
		return fmt.Sprintf("file %d by its words", c.Rank)
	default:
		return fmt.Sprintf("file %d by its words; %s", c.Rank, together)
	}
}

// Calls is how many calls there are of a name.
type Calls struct {
	Known   bool // they were counted
	AtLeast bool // in the files that are parsed, and some are not yet
	N       int
}

// Line is one shown line of a hit.
type Line struct {
	Number  int
	Text    []byte   // without its line end; bytes as in the file but for secrets, cut to MaxLineBytes
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

// Checked returns the request with its defaults filled in, or a *usage.Error
// that names the first argument that cannot be.
func (r Request) Checked() (Request, error) {
	if err := r.check(); err != nil {
		return r, err
	}
	r.fill()
	return r, nil
}

// check refuses the first argument that cannot be, with a *usage.Error.
func (r *Request) check() error {
	switch {
	case r.Mode != "" && !slices.Contains(Modes, r.Mode):
		return &usage.Error{Arg: "mode", Value: string(r.Mode), Msg: "unknown mode", Hint: "the modes are " + list(Modes)}
	case r.Detail != "" && !slices.Contains(Details, r.Detail):
		return &usage.Error{Arg: "detail", Value: string(r.Detail), Msg: "unknown detail", Hint: "the details are " + list(Details)}
	case r.Scope != "" && !slices.Contains(code.Scopes, r.Scope):
		return &usage.Error{Arg: "scope", Value: string(r.Scope), Msg: "unknown scope", Hint: "the scopes are " + list(code.Scopes)}
	case len(r.Query) > r.maxQuery():
		return &usage.Error{Arg: "query", Value: r.Query, Msg: fmt.Sprintf("%d bytes are more than the limit of %d", len(r.Query), r.maxQuery()), Hint: "search for a shorter, telling part of it"}
	case r.Limit > MaxLimit:
		return &usage.Error{Arg: "limit", Value: strconv.Itoa(r.Limit), Msg: "too large", Hint: fmt.Sprintf("at most %d", MaxLimit)}
	}
	for _, a := range []struct {
		name  string
		value int
	}{{"limit", r.Limit}, {"offset", r.Offset}, {"before", r.Before}, {"after", r.After}, {"max_tokens", r.MaxTokens}} {
		if a.value < 0 {
			return &usage.Error{Arg: a.name, Value: strconv.Itoa(a.value), Msg: "negative", Hint: "0 stands for the default"}
		}
	}
	return nil
}

// maxQuery returns how many bytes the query may have.
func (r *Request) maxQuery() int {
	if r.Mode.FindsLines() {
		return MaxQueryBytes
	}
	return MaxPastedBytes
}

// fill fills in what the request left open.
func (r *Request) fill() {
	if r.Detail == "" {
		r.Detail = DetailLines
	}
	if r.Scope == "" {
		r.Scope = code.ScopeAll
	}
	if r.Mode == "" || r.Mode == ModeAuto {
		r.Mode = ModeKeyword
		if start, end := token.NextWord([]byte(r.Query), 0); start == end && strings.TrimSpace(r.Query) != "" {
			r.Mode = ModeLiteral
		}
	}
	if r.Limit == 0 {
		r.Limit = defaultLines
		if !r.Mode.FindsLines() {
			r.Limit = defaultLimit
		}
	}
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
