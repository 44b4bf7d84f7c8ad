package render

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"espy/internal/bundle"
	"espy/internal/bundle/pack"
	"espy/internal/redact"
	"espy/internal/seen"
	"espy/internal/usage"
)

// Context is what a task needs, packed into the bound of the options.
type Context struct {
	Request *bundle.Request
	*bundle.Answer

	bare  bool // it is written without the question and the notes
	lines map[string]*shownLines
}

// shownLines are lines of a file as they are shown.
type shownLines struct {
	part  redact.Part
	ends  []int // bytes of the text
	shown map[int]string
}

// shownLine is a line of a file, without its end, with markers in the place of
// secrets.
func (a *Context) shownLine(o Options, path string, n int) string {
	if a.lines == nil {
		a.lines = map[string]*shownLines{}
	}
	f := a.lines[path]
	if f == nil {
		_, in := repoOf(&a.In, path)
		f = &shownLines{part: redact.Part{Path: in, Text: a.Answer.Text(path)}, shown: map[int]string{}}
		at := 0
		for line := range bytes.Lines(f.part.Text) {
			at += len(line)
			f.ends = append(f.ends, at)
		}
		a.lines[path] = f
	}
	if n < 1 || n > len(f.ends) {
		return ""
	}
	line, ok := f.shown[n]
	if !ok {
		start := 0
		if n > 1 {
			start = f.ends[n-2]
		}
		text := f.part.Text[start:f.ends[n-1]]
		if !o.ShowSecrets {
			text = f.part.Show(start, f.ends[n-1])
		}
		line = string(bytes.TrimRight(text, "\r\n"))
		f.shown[n] = line
	}
	return line
}

// maxShownLine bounds the bytes of a line in a packed answer.
const maxShownLine = 300

// maxNamedLeft bounds the places that are left out and named.
const maxNamedLeft = 6

// maxAbout bounds the bytes of what a question was taken for.
const maxAbout = 300

// headRoom is what the first guess at a packed answer leaves for its header and
// its foot.
const headRoom = 160

// Text writes the spans, definitions before uses. The first line of a run has
// its number; a space stands before each of the others.
func (a *Context) Text(o Options) string {
	text, c := a.packed(o, pack.Sizes{
		Heading: func(p *pack.Piece) int { return len(p.Path) + len(p.Name) + len(p.Reason) + 14 },
		Line:    func(path string, n int) int { return len(a.line(o, path, n)) + 2 },
		Run:     10,
	}, (*Context).text)
	o.keep(a.shown(c))
	return text
}

// JSON writes the spans on one line.
func (a *Context) JSON(o Options) []byte {
	text, _ := a.packed(o, pack.Sizes{
		Heading: func(p *pack.Piece) int { return len(p.Path) + len(p.Name) + len(p.Reason) + 110 },
		Line:    func(path string, n int) int { return len(JSON(a.shownLine(o, path, n))) },
		Run:     40,
	}, (*Context).json)
	return []byte(text)
}

// packed writes the answer with less and less until it keeps to the bound.
func (a *Context) packed(o Options, s pack.Sizes, write func(*Context, Options, *pack.Choice, int) string) (string, *pack.Choice) {
	bound, usual := o.MaxTokens*4, o.MaxTokens == 0
	if usual {
		bound = bundle.DefaultTokens * 4
	}
	o = o.over(&a.In)
	held := func(path string, line int) bool {
		repo, path := repoOf(&a.In, path)
		return o.Seen.Has(repo, path, line)
	}
	if o.Seen == nil {
		held = nil
	}
	for bytes := bound - headRoom; ; {
		c := a.Pack(max(bytes, 0), usual, s, held)
		named := min(len(c.Left), maxNamedLeft)
		text := write(a, o, c, named)
		for named > 0 && len(text) > bound { // first name less of what is left out
			named = min(named-1, named*2/3)
			text = write(a, o, c, named)
		}
		switch {
		case len(text) <= bound:
			return text, c
		case bytes <= 0 && !a.bare:
			return a.bared().packed(o, s, write)
		case bytes <= 0:
			return text, c
		}
		bytes = min(bytes-1, bytes-(len(text)-bound))
	}
}

// bared is the answer without what is not about places, for a bound that has no
// room for it.
func (a *Context) bared() *Context {
	less := *a.Answer
	less.Near, less.Notes = nil, nil
	if len(a.Notes) > 0 {
		less.Notes = []string{count(len(a.Notes), "note") + " left out for max_tokens"}
	}
	return &Context{Request: a.Request, Answer: &less, bare: true, lines: a.lines}
}

// line is a line of a file as the text shows it.
func (a *Context) line(o Options, path string, n int) string {
	return short(a.shownLine(o, path, n), maxShownLine)
}

func (a *Context) text(o Options, c *pack.Choice, named int) string {
	var b strings.Builder
	last := ""
	for i := range c.Spans {
		a.span(&b, &c.Spans[i], last, o)
		last = c.Spans[i].Path
	}
	if len(c.Spans)+len(c.Left)+len(c.Held) == 0 {
		fmt.Fprintf(&b, "nothing found in %s\n", count(a.In.All().Files, "file"))
	}
	return join(a.head(c), b.String(), a.foot(o, c, named))
}

// head says what was asked and how much of what was found is shown.
func (a *Context) head(c *pack.Choice) string {
	about := "context of the " + string(a.Kind)
	if a.About != "" {
		about = "context of " + short(a.About, maxAbout)
	}
	shown := 0
	for _, s := range c.Spans {
		shown += len(s.Pieces)
	}
	return fmt.Sprintf("%s: %d of %s, %s", about, shown, count(shown+len(c.Left)+len(c.Held)+a.More, "place"), searchedIn(&a.In))
}

// span writes one span: where it is, what it is, why it is shown, its lines.
func (a *Context) span(b *strings.Builder, s *pack.Span, last string, o Options) {
	if s.Path != last {
		b.WriteString(o.color(o.name(s.Path), colorPath))
	}
	switch {
	case s.Pieces[0].Whole && len(s.Runs) == 0:
		b.WriteString(clean(lead(s, "")) + "\n")
	case len(s.Runs) == 1 && s.Runs[0].First == s.Runs[0].Last && len(s.Held) == 0:
		n := s.Runs[0].First
		text := strings.TrimSpace(a.line(o, s.Path, n))
		b.WriteString(":" + o.color(strconv.Itoa(n), colorNumber) + clean(lead(s, text)) + ": " + text + "\n")
	default:
		b.WriteString(":" + o.color(span(s.First, s.Last), colorNumber) + clean(lead(s, "")) + "\n")
		a.runs(b, s, o)
	}
}

// maxPieces bounds the pieces of a span that its heading names.
const maxPieces = 3

// lead names what a span shows, unless the text that follows does, and says why.
func lead(s *pack.Span, text string) string {
	var b strings.Builder
	last := ""
	for i, p := range s.Pieces[:min(len(s.Pieces), maxPieces)] {
		sep := "; "
		if i == 0 {
			sep = " "
		}
		b.WriteString(sep)
		if p.Name != "" && p.Name != last && !strings.Contains(text, bare(p.Name)) {
			b.WriteString(p.Name + ", ")
		}
		b.WriteString(p.Reason)
		last = p.Name
	}
	return b.String()
}

// bare is the last part of the name of a piece.
func bare(name string) string { return name[strings.LastIndexAny(name, " .")+1:] }

// runs writes the runs of a span and what is left out between them.
func (a *Context) runs(b *strings.Builder, s *pack.Span, o Options) {
	lines := 0
	for i, r := range s.Runs {
		if i > 0 {
			a.gap(b, s, s.Runs[i-1].Last+1, r.First-1)
		}
		for n := r.First; n <= r.Last; n++ {
			lead := " "
			if n == r.First {
				lead = o.color(strconv.Itoa(n), colorNumber) + ": "
			}
			b.WriteString(lead + a.line(o, s.Path, n) + "\n")
			lines++
		}
	}
	if n := len(s.Runs); n > 0 && lines > 1 && s.Runs[n-1].Last < s.Last {
		a.gap(b, s, s.Runs[n-1].Last+1, s.Last)
	}
}

// gap says how many lines are left out.
func (a *Context) gap(b *strings.Builder, s *pack.Span, first, last int) {
	held := 0
	for _, r := range s.Held {
		held += max(0, min(r.Last, last)-max(r.First, first)+1)
	}
	fmt.Fprintf(b, "… %s", count(last-first+1, "line"))
	if held > 0 {
		fmt.Fprintf(b, ", %d [shown]", held)
	}
	b.WriteByte('\n')
}

// foot says what is left out, and what is next.
func (a *Context) foot(o Options, c *pack.Choice, named int) []string {
	var foot []string
	if a.Partial {
		foot = append(foot, "partial: the time was over before everything could be looked at")
	}
	foot = append(foot, navNotes(a.Pending, a.Near)...)
	foot = append(append(foot, lateNotes(&a.In)...), notes(a.Notes)...)
	if len(c.Held) > 0 {
		foot = append(foot, "[shown]: "+count(len(c.Held), "place")+" that you hold")
	}
	if rest := len(c.Left) + a.More; rest > 0 {
		parts := make([]string, 0, named+1)
		for _, p := range c.Left[:named] {
			parts = append(parts, fmt.Sprintf("%s:%s %s", o.name(p.Path), span(p.First, p.Last), clean(p.Reason)))
		}
		if more := rest - named; more > 0 {
			parts = append(parts, fmt.Sprintf("%d more", more))
		}
		foot = append(foot, "left out: "+strings.Join(parts, "; ")+a.moreCall(o))
	}
	if next := a.next(o, c); next != "" {
		foot = append(foot, "next: "+next)
	}
	return append(foot, o.seenLine(a.shown(c))...)
}

// moreCall says how to get what is left out.
func (a *Context) moreCall(o Options) string {
	if o.MaxTokens >= bundle.MaxTokens {
		return ""
	}
	more := bundle.DefaultTokens
	if o.MaxTokens > 0 {
		more = min(o.MaxTokens*4, bundle.MaxTokens)
	}
	if o.Calls == ToolCalls {
		return fmt.Sprintf("; same call with max_tokens=%d and seen", more)
	}
	return fmt.Sprintf("; --max-tokens %d", more)
}

// next proposes to read what is shown in part or left out.
func (a *Context) next(o Options, c *pack.Choice) string {
	var p *pack.Piece
	switch {
	case len(c.Cut) > 0:
		p = c.Cut[0]
	case len(c.Left) > 0:
		p = c.Left[0]
	case len(c.Spans) == 0 && len(c.Held) == 0 && a.Request.Text != "" && len(a.Request.Text) <= maxAgain && a.Kind != bundle.KindDiff:
		return o.call("search", arg{"query", a.Request.Text})
	default:
		return ""
	}
	return o.call("read", arg{"path", o.name(p.Path) + ":" + span(p.First, p.Last)})
}

// shown are the lines that an answer shows.
func (a *Context) shown(c *pack.Choice) []seen.File {
	var files []seen.File
	for _, s := range c.Spans {
		f := seen.File{}
		f.Repo, f.Path = repoOf(&a.In, s.Path)
		for _, r := range s.Runs {
			f.Runs = append(f.Runs, seen.Run(r))
		}
		files = append(files, f)
	}
	return files
}

type contextJSON struct {
	Query     string        `json:"query,omitempty"`
	Kind      string        `json:"kind"`
	About     string        `json:"about,omitempty"`
	Repo      string        `json:"repo,omitempty"` // the only one
	Total     int           `json:"total"`
	Freshness freshnessJSON `json:"freshness"`
	Across    *severalJSON  `json:"across,omitempty"`
	Spans     []spanJSON    `json:"spans"`
	Left      []leftOutJSON `json:"left_out,omitempty"`
	More      int           `json:"left_out_more,omitempty"`
	Held      int           `json:"held,omitempty"` // places left out because the caller holds them
	Notes     []string      `json:"notes,omitempty"`
	Near      []string      `json:"near,omitempty"`
	Pending   int           `json:"syntax_pending_files,omitempty"`
	Partial   bool          `json:"partial,omitempty"`
	Seen      string        `json:"seen,omitempty"`
}

type spanJSON struct {
	Repo       string    `json:"repo,omitempty"` // where several were asked
	Path       string    `json:"path"`
	PathQuoted string    `json:"path_quoted,omitempty"`
	StartLine  int       `json:"start_line"`
	EndLine    int       `json:"end_line"`
	Symbol     string    `json:"symbol,omitempty"`
	Reason     string    `json:"reason"`
	Runs       []runJSON `json:"runs"`
	Held       int       `json:"held_lines,omitempty"`
}

type runJSON struct {
	StartLine int    `json:"start_line"`
	Text      string `json:"text"`
}

type leftOutJSON struct {
	Repo      string `json:"repo,omitempty"` // where several were asked
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Reason    string `json:"reason"`
}

func (a *Context) json(o Options, c *pack.Choice, named int) string {
	v := contextJSON{
		Kind: string(a.Kind), About: usage.Shorten(a.About, maxAbout), Repo: a.In.All().Repo, Across: newSeveralJSON(&a.In), Total: len(c.Left) + len(c.Held) + a.More, Freshness: freshnessJSON(a.In.All().Freshness),
		Spans: make([]spanJSON, len(c.Spans)), More: len(c.Left) + a.More - named, Held: len(c.Held), Notes: a.Notes, Near: a.Near, Pending: a.Pending, Partial: a.Partial,
	}
	if len(a.Request.Text) <= maxAgain && !a.bare {
		v.Query = a.Request.Text
	}
	for i := range c.Spans {
		v.Spans[i] = a.spanJSON(o, &c.Spans[i])
		v.Total += len(c.Spans[i].Pieces)
	}
	for _, p := range c.Left[:named] {
		repo, path := a.placeOf(p.Path)
		v.Left = append(v.Left, leftOutJSON{repo, path, p.First, p.Last, p.Reason})
	}
	v.Seen = o.seenToken(a.shown(c))
	return string(JSON(v))
}

// placeOf is the repository of a path, empty where only one was asked, and the path
// in it.
func (a *Context) placeOf(path string) (repo, rest string) {
	if !a.In.Several {
		return "", path
	}
	return repoOf(&a.In, path)
}

func (a *Context) spanJSON(o Options, s *pack.Span) spanJSON {
	repo, path := a.placeOf(s.Path)
	v := spanJSON{Repo: repo, Path: path, PathQuoted: quotedIfBroken(path), StartLine: s.First, EndLine: s.Last, Runs: []runJSON{}}
	v.Symbol = s.Pieces[0].Name
	var reasons []string
	for _, p := range s.Pieces[:min(len(s.Pieces), maxPieces)] {
		if !slices.Contains(reasons, p.Reason) {
			reasons = append(reasons, p.Reason)
		}
	}
	v.Reason = strings.Join(reasons, "; ")
	for _, r := range s.Runs {
		var lines []string
		for n := r.First; n <= r.Last; n++ {
			lines = append(lines, a.shownLine(o, s.Path, n))
		}
		v.Runs = append(v.Runs, runJSON{r.First, strings.Join(lines, "\n") + "\n"})
	}
	for _, r := range s.Held {
		v.Held += r.Last - r.First + 1
	}
	return v
}
