package render

import (
	"fmt"
	"strings"

	"espy/internal/audit"
	"espy/internal/hit"
	"espy/internal/place"
)

// Audit lists what is worth a second look.
type Audit struct {
	*audit.Answer
	As Diagram // empty for text
}

// Text writes the findings, report by report; or draws those that are imports.
func (a Audit) Text(o Options) string {
	if a.As != "" {
		return a.draw(o)
	}
	text, _ := layout{
		head:   func(shown int) string { return a.head(o, shown) },
		blocks: a.blocks(o),
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

func (a Audit) head(o Options, shown int) string {
	what := o.folder(a.Request.Path)
	var parts []string
	for _, t := range a.Totals {
		number := fmt.Sprint(least(t.AtLeast), t.Count)
		switch {
		case t.None != "":
			number = "not known"
		case t.AtLeast && t.Count == 0:
			number = "none so far"
		}
		parts = append(parts, string(t.Report)+" "+number)
	}
	return fmt.Sprintf("%s%s in %s (%s), %s judged, %s", firstOf(a.Offset), ofSome(min(shown, a.Total), a.Total, a.Left > 0, "finding"), what, strings.Join(parts, ", "), count(a.Judged, "file"), searched([]hit.Searched{a.In}))
}

// titles say what the findings of a report are.
var titles = map[audit.Report]string{
	audit.Forbidden:  "imports that a rule forbids",
	audit.Cycles:     "import cycles, each with a shortest way round",
	audit.Unused:     "symbols that nothing uses",
	audit.Complexity: "functions by cyclomatic complexity",
	audit.Duplicates: "code that is there twice",
}

// blocks writes one block for each finding. The first of a report follows its title.
func (a Audit) blocks(o Options) []string {
	blocks := make([]string, len(a.Findings))
	var report audit.Report
	for i := range a.Findings {
		f := &a.Findings[i]
		if f.Report != report {
			report = f.Report
			blocks[i] = titles[report] + ":\n"
		}
		blocks[i] += a.finding(f, o)
	}
	return blocks
}

func (a Audit) finding(f *audit.Finding, o Options) string {
	var b strings.Builder
	at := o.color(o.name(f.Path), colorPath) + ":" + o.color(span(f.Line, f.EndLine), colorNumber)
	switch f.Report {
	case audit.Cycles:
		fmt.Fprintf(&b, "  %s\n", clean(f.Reason))
		for _, p := range f.Places {
			fmt.Fprintf(&b, "    %s:%s imports %s\n", o.color(o.name(p.Path), colorPath), o.color(fmt.Sprint(p.Line), colorNumber), o.unit(p.Text))
		}
	case audit.Duplicates:
		fmt.Fprintf(&b, "  %s %s\n", at, clean(f.Reason))
		for _, p := range f.Places {
			fmt.Fprintf(&b, "    also %s:%s\n", o.color(o.name(p.Path), colorPath), o.color(span(p.Line, p.EndLine), colorNumber))
		}
	case audit.Forbidden:
		fmt.Fprintf(&b, "  %s imports %s, %s\n", at, o.unit(f.Places[0].Text), clean(f.Reason))
	default:
		fmt.Fprintf(&b, "  %s %s %s: %s", at, f.Kind, place.Name(strings.TrimPrefix(f.ID, f.Path+"#")), clean(f.Reason))
		if f.Report == audit.Unused {
			fmt.Fprintf(&b, " [%s]", f.Confidence)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (a Audit) foot(o Options, shown int) []string {
	foot := append(notLooked(a.Left, "file"), navNotes(a.Pending, nil)...)
	for _, t := range a.Totals {
		if t.None != "" {
			foot = append(foot, fmt.Sprintf("note: %s: %s", t.Report, t.None))
		}
	}
	foot = append(foot, notes(a.Notes)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	if len(a.Findings) > 0 {
		f := &a.Findings[0]
		if f.ID != "" {
			return append(foot, "next: "+o.call("symbol", arg{"symbol", f.ID}, arg{"body", true}))
		}
		return append(foot, "next: "+o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(f.Path), f.Line)}))
	}
	return append(foot, "next: "+o.call("outline", arg{"metrics", true}))
}

// draw writes the imports of cycles and of forbidden dependencies as arrows. The
// other findings are no graph.
func (a Audit) draw(o Options) string {
	g := diagram{as: a.As, numbers: map[string]int{}}
	others := 0
	for i := range a.Findings {
		f := &a.Findings[i]
		switch f.Report {
		case audit.Cycles:
			for k, p := range f.Places {
				g.arrow(g.node(o.unit(f.Places[(k+len(f.Places)-1)%len(f.Places)].Text)), g.node(o.unit(p.Text)), "", false)
			}
		case audit.Forbidden:
			g.arrow(g.node(o.name(f.Path)), g.node(o.unit(f.Places[0].Text)), "forbidden", false)
		default:
			others++
		}
	}
	foot := a.foot(o, len(a.Findings))
	if others > 0 {
		foot = append([]string{fmt.Sprintf("left out: %s of reports that are no graph", count(others, "finding"))}, foot...)
	}
	return g.text(a.head(o, len(a.Findings)), foot)
}

// auditJSON is the JSON form of the answer. Fields are only ever added.
type auditJSON struct {
	Repo      string        `json:"repo"`
	Path      string        `json:"path"`
	Total     int           `json:"total"`
	Offset    int           `json:"offset,omitempty"`
	Reports   []reportJSON  `json:"reports"`
	Judged    int           `json:"files"`
	Freshness freshnessJSON `json:"freshness"`
	Findings  []findingJSON `json:"findings"`
	Pending   int           `json:"syntax_pending_files,omitempty"`
	Partial   bool          `json:"partial,omitempty"`
	Left      int           `json:"not_looked_at,omitempty"`
	Notes     []string      `json:"notes,omitempty"`
	Cursor    string        `json:"cursor,omitempty"`
}

type reportJSON struct {
	Report  string `json:"report"`
	Total   int    `json:"total"`
	AtLeast bool   `json:"at_least,omitempty"`
	None    string `json:"not_known,omitempty"` // why it could not be made
}

type findingJSON struct {
	Report     string      `json:"report"`
	Path       string      `json:"path"`
	PathQuoted string      `json:"path_quoted,omitempty"`
	Line       int         `json:"line"`
	EndLine    int         `json:"end_line"`
	SymbolID   string      `json:"symbol_id,omitempty"`
	Kind       string      `json:"kind,omitempty"`
	Confidence string      `json:"confidence,omitempty"`
	Reason     string      `json:"reason"`
	Complexity int         `json:"complexity,omitempty"`
	Lines      int         `json:"lines,omitempty"`
	Members    int         `json:"members,omitempty"`
	Places     []placeJSON `json:"places,omitempty"`
}

type placeJSON struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Imports string `json:"imports,omitempty"`
}

// JSON writes as many findings as the bound of o allows.
func (a Audit) JSON(o Options) []byte {
	v := auditJSON{
		Repo: a.In.Repo, Path: a.Request.Path, Total: a.Total, Offset: a.Offset, Judged: a.Judged, Freshness: freshnessJSON(a.In.Freshness),
		Pending: a.Pending, Partial: a.Left > 0, Left: a.Left, Notes: a.Notes, Reports: []reportJSON{},
	}
	for _, t := range a.Totals {
		v.Reports = append(v.Reports, reportJSON{string(t.Report), t.Count, t.AtLeast, t.None})
	}
	rows := make([]findingJSON, len(a.Findings))
	for i := range a.Findings {
		rows[i] = newFindingJSON(&a.Findings[i])
	}
	return page(o, len(rows), func(shown int) any {
		v.Findings, v.Cursor = rows[:shown], nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
}

func newFindingJSON(f *audit.Finding) findingJSON {
	v := findingJSON{
		Report: string(f.Report), Path: f.Path, PathQuoted: quotedIfBroken(f.Path), Line: f.Line, EndLine: f.EndLine, SymbolID: f.ID, Kind: f.Kind,
		Reason: f.Reason, Complexity: f.Complexity, Lines: f.Lines, Members: f.Members,
	}
	if f.Report == audit.Unused {
		v.Confidence = f.Confidence.String()
	}
	for _, p := range f.Places {
		v.Places = append(v.Places, placeJSON{p.Path, p.Line, p.EndLine, p.Text})
	}
	return v
}
