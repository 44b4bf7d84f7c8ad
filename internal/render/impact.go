package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/impact"
	"espy/internal/impact/suite"
	"espy/internal/place"
)

// Impact lists what a change affects in one repository, and the tests to run.
type Impact struct {
	Request *impact.Request
	*impact.Impact
}

// Bounds of the lists of a text answer. JSON has them whole.
const (
	maxImpactChanged   = 12
	maxImpactTests     = 25
	maxImpactEndpoints = 8
	maxTestFunctions   = 6
)

// Text writes what changes, the tests to run, where it shows outside, and what is
// affected, the nearest first. A later page has only the last of these.
func (a *Impact) Text(o Options) string {
	o = o.over(&a.In)
	if len(a.Candidates) > 0 {
		a = a.redacted(o)
		return a.candidates(o)
	}
	blocks := a.sections(o)
	before := len(blocks)
	blocks = append(blocks, a.symbols(o)...)
	text, _ := layout{
		head:   a.head,
		blocks: blocks,
		foot:   func(shown int) []string { return a.foot(o, max(shown-before, 0)) },
	}.text(o)
	return text
}

// As writes the paths of the tests to run, the surest first. What stands round them goes to
// o.Aside, and so do the symbols that a name may mean.
func (a *Impact) As(form Form, o Options) string {
	o = o.over(&a.In)
	if len(a.Candidates) > 0 {
		aside := o.Aside
		o.Aside = nil
		aside.WriteString(a.redacted(o).candidates(o))
		return ""
	}
	o.Aside.WriteString(a.head(0) + "\n")
	for _, line := range append(notLooked(a.Left, "place"), notes(a.Notes)...) {
		o.Aside.WriteString(line + "\n")
	}
	var b strings.Builder
	for i := range a.Tests {
		b.WriteString(form.path(o, a.Tests[i].Path) + form.after())
	}
	return b.String()
}

func (a *Impact) head(int) string {
	head := counted(a.Total, a.Left+len(a.NotFollowed) > 0, "affected symbol")
	if a.Total == 0 && len(a.NotFollowed) > 0 {
		head = "affected symbols not known"
	}
	if len(a.Files) > 0 {
		head += " in " + count(len(a.Files), "file")
	}
	if len(a.Nearest) > 1 {
		at := make([]string, len(a.Nearest))
		for i, n := range a.Nearest {
			at[i] = fmt.Sprint(n)
		}
		head += " (by distance: " + strings.Join(at, ", ") + ")"
	}
	if n := len(a.NotFollowed); n > 0 {
		head += ", " + count(n, "change") + " not followed"
	}
	if len(a.Changed)+len(a.NotFollowed) == 0 {
		head = "0 affected symbols, impact of " + a.About
	} else {
		head = fmt.Sprintf("impact of %s: %s", a.About, head)
	}
	return fmt.Sprintf("%s, %s, %s", head, a.toRun(), searchedIn(&a.In))
}

// toRun counts the tests to run.
func (a *Impact) toRun() string {
	switch {
	case a.Suites == 0:
		return "no files of tests known"
	case len(a.Tests) == 0:
		return fmt.Sprintf("no tests to run found among %s", count(a.Suites, "file"))
	}
	return fmt.Sprintf("tests to run: %d of %s", len(a.Tests), count(a.Suites, "file"))
}

// sections are the parts of the first page above what is affected, with lists so short
// that they fit into three quarters of the bound.
func (a *Impact) sections(o Options) (all []string) {
	if a.Offset > 0 {
		return nil
	}
	for part := 1; ; part *= 2 {
		if all = a.lists(o, part); o.MaxTokens == 0 || len(strings.Join(all, "")) <= o.MaxTokens*3 || part > maxImpactTests {
			return all
		}
	}
}

// lists are those parts, with lists of a part of their usual length.
func (a *Impact) lists(o Options, part int) (all []string) {
	add := func(title string, lines []string, most int) {
		if len(lines) == 0 {
			return
		}
		most = max(most/part, 1)
		text := title + "\n" + strings.Join(lines[:min(len(lines), most)], "")
		if left := len(lines) - most; left > 0 {
			text += fmt.Sprintf("  and %d more; --json and format=json list all\n", left)
		}
		all = append(all, text)
	}
	var changed, left, tests, run, ends []string
	for i := range a.Changed {
		changed = append(changed, changedLine(&a.Changed[i], o))
	}
	for i := 0; i < len(a.NotFollowed); {
		n := alike(a.NotFollowed[i:])
		left = append(left, leftLine(a.NotFollowed[i:i+n], o))
		i += n
	}
	for i := range a.Tests {
		tests = append(tests, testLine(&a.Tests[i], o))
	}
	for _, c := range a.Commands {
		line := "  "
		if c.Repo != "" {
			line += "in " + place.Name(c.Repo) + ": "
		}
		run = append(run, line+commandLine(c.Command)+"\n")
	}
	for i := range a.Endpoints {
		e := &a.Endpoints[i]
		ends = append(ends, fmt.Sprintf("  %s %s:%d %s%s\n", e.Kind, o.color(o.name(e.Path), colorPath), e.Line, short(e.Name, 120), away(e.Distance, e.Confidence)))
	}
	add("changed:", changed, maxImpactChanged)
	add("not followed:", left, maxImpactChanged)
	add("tests to run:", tests, maxImpactTests)
	add("run them, as the repository suggests:", run, len(run))
	add("shows at:", ends, maxImpactEndpoints)
	return all
}

func away(distance int, c facts.Confidence) string {
	if distance == 0 {
		return ", changes itself"
	}
	return fmt.Sprintf(", distance %d, %s", distance, c)
}

func changedLine(c *impact.Changed, o Options) string {
	if c.ID == "" {
		return fmt.Sprintf("  %s: %s\n", o.color(o.name(c.Path), colorPath), c.What)
	}
	text := fmt.Sprintf("  %s:%d %s %s", o.color(o.name(c.Path), colorPath), c.Line, c.Kind, place.Name(strings.TrimPrefix(c.ID, c.Path+"#")))
	if c.What != impact.Asked {
		text += ": " + string(c.What)
	}
	return text + "\n"
}

// alike counts the first changes that are declarations of one file and are not followed
// for one reason; it is 1 at least.
func alike(all []impact.NotFollowed) int {
	n := 1
	for all[0].ID != "" && n < len(all) && all[n].ID != "" && all[n].Path == all[0].Path && all[n].Why == all[0].Why {
		n++
	}
	return n
}

// maxAlike is how many declarations are named that are not followed for one reason.
const maxAlike = 8

// leftLine says of changes why their users were not looked at.
func leftLine(all []impact.NotFollowed, o Options) string {
	n := &all[0]
	text := "  " + o.color(o.name(n.Path), colorPath)
	own := func(n *impact.NotFollowed) string { return place.Name(strings.TrimPrefix(n.ID, n.Path+"#")) }
	switch {
	case len(all) > 1:
		var some []string
		for i := range all {
			some = append(some, own(&all[i]))
		}
		text += " " + names(some, maxAlike)
	case n.ID != "":
		text += fmt.Sprintf(":%d %s %s", n.Line, n.Kind, own(n))
	}
	return text + ": " + n.Why + "\n"
}

func testLine(t *impact.Test, o Options) string {
	text := fmt.Sprintf("  %s (%s: %s)", o.color(o.name(t.Path), colorPath), t.Confidence, clean(strings.Join(t.Reasons, "; ")))
	if len(t.Functions) > 0 {
		text += ": " + names(t.Functions, maxTestFunctions)
	}
	return text + "\n"
}

// commandLine writes a command for a shell.
func commandLine(c suite.Command) string {
	words := make([]string, len(c.Args))
	for i, w := range c.Args {
		words[i] = shellQuote(w)
	}
	if c.Dir != "" {
		return "cd " + shellQuote(c.Dir) + " && " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}

// symbols writes one block for each affected symbol. The first one of a distance
// and of a file follows these.
func (a *Impact) symbols(o Options) (blocks []string) {
	distance, path := 0, ""
	for i := range a.Symbols {
		s := &a.Symbols[i]
		var b strings.Builder
		if s.Distance != distance {
			distance, path = s.Distance, ""
			fmt.Fprintf(&b, "affected at distance %d:\n", distance)
		}
		if s.Path != path {
			path = s.Path
			b.WriteString(o.color(o.name(path), colorPath) + "\n")
		}
		fmt.Fprintf(&b, "  %s ", o.color(fmt.Sprint(s.Line), colorNumber))
		if s.ID == "" {
			b.WriteString("top of the file")
		} else {
			fmt.Fprintf(&b, "%s %s", s.Kind, place.Name(strings.TrimPrefix(s.ID, s.Path+"#")))
		}
		fmt.Fprintf(&b, ": %s", clean(s.Reason))
		if s.At > 0 && s.At != s.Line {
			fmt.Fprintf(&b, " at line %d", s.At)
		}
		if s.Confidence != facts.Certain {
			fmt.Fprintf(&b, " (%s)", s.Confidence)
		}
		b.WriteByte('\n')
		blocks = append(blocks, b.String())
	}
	return blocks
}

func (a *Impact) foot(o Options, shown int) []string {
	foot := notLooked(a.Left, "place")
	if len(a.Changed) == 0 && a.Request.What != "" || a.Outlined != "" {
		foot = append(foot, unreadNote(a.In.All(), a.Outlined, o)...)
	}
	foot = append(foot, lateNotes(&a.In)...)
	foot = append(foot, notes(a.Notes)...)
	foot = append(foot, navNotes(a.In.All().Freshness.SyntaxPending, a.Near)...)
	foot = append(foot, namesakesNote(a.Namesakes, a.Request.What, o)...)
	left := a.Total - a.Offset - shown
	if shown == 0 && left > 0 && o.MaxTokens > 0 { // the same page again would show as little
		foot = append(foot, fmt.Sprintf("left out: %d more to stay within %d tokens", left, o.MaxTokens))
	} else {
		foot = append(foot, more(left, a.Offset+shown, o)...)
	}
	if next := a.next(o); next != "" {
		foot = append(foot, "next: "+next)
	}
	return foot
}

// next reads the first test, or else the first affected symbol.
func (a *Impact) next(o Options) string {
	switch {
	case len(a.Changed) == 0 && a.Request.What != "":
		return o.call("search", arg{"query", lastName(a.Request.What)})
	case len(a.Symbols) > 0:
		s := &a.Symbols[0]
		return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(s.Path), max(s.At, 1))})
	case len(a.Tests) > 0:
		return o.call("outline", arg{"path", o.name(a.Tests[0].Path)})
	}
	return ""
}

// candidates writes the symbols that a name may mean.
func (a *Impact) candidates(o Options) string {
	blocks := make([]string, len(a.Candidates))
	for i := range a.Candidates {
		d := &a.Candidates[i]
		blocks[i] = fmt.Sprintf("%s  %s, line %d: %s\n", o.color(o.name(d.ID), colorPath), d.Kind, d.Line, short(strings.Join(strings.Fields(d.Signature), " "), 120))
	}
	text, _ := layout{
		head: func(int) string {
			return fmt.Sprintf("%s names %s; which one changes? %s", place.Symbol(a.Request.What), count(len(a.Candidates), "symbol"), searchedIn(&a.In))
		},
		blocks: blocks,
		foot: func(shown int) []string {
			var foot []string
			if left := len(blocks) - shown; left > 0 {
				foot = append(foot, fmt.Sprintf("left out: %d more to stay within %d tokens", left, o.MaxTokens))
			}
			return append(foot, "next: "+o.call("impact", arg{"what", a.Candidates[0].ID}))
		},
	}.text(o)
	return text
}

// impactJSON is the JSON form of the answer. Fields are only ever added.
type impactJSON struct {
	Repo        string              `json:"repo"`
	About       string              `json:"about"`
	Total       int                 `json:"total"`
	Nearest     []int               `json:"total_by_distance"`
	Offset      int                 `json:"offset,omitempty"`
	Freshness   freshnessJSON       `json:"freshness"`
	Across      *severalJSON        `json:"across,omitempty"`
	Changed     []impactChangedJSON `json:"changed"`
	NotFollowed []impactLeftJSON    `json:"not_followed,omitempty"` // changes whose users were not looked at, or not all
	Symbols     []impactSymbolJSON  `json:"symbols"`
	Files       []impactFileJSON    `json:"files"`
	Endpoints   []endpointJSON      `json:"endpoints"`
	Tests       []testJSON          `json:"tests"`
	Reached     int                 `json:"tests_reached"` // with less sure ones, which are not listed
	Suites      int                 `json:"test_files"`    // of the repository
	Commands    []commandJSON       `json:"commands"`
	Candidates  []definitionJSON    `json:"candidates,omitempty"`
	Near        []string            `json:"near,omitempty"`
	Namesakes   int                 `json:"namesakes,omitempty"` // symbols of the name in tests, examples, generated or vendored code that were passed over
	Outlined    string              `json:"outlined,omitempty"`
	Notes       []string            `json:"notes,omitempty"`
	Pending     int                 `json:"syntax_pending_files,omitempty"`
	Partial     bool                `json:"partial,omitempty"` // the time was over
	Left        int                 `json:"not_looked_at,omitempty"`
	Unlisted    map[string]int      `json:"unlisted,omitempty"` // how many more there are in a list that a bound cut
	Cursor      string              `json:"cursor,omitempty"`
}

type impactChangedJSON struct {
	Repo   string `json:"repo,omitempty"` // in an answer over several repositories
	Change string `json:"change"`
	Path   string `json:"path"`
	ID     string `json:"id,omitempty"` // absent of a file as a whole
	Kind   string `json:"kind,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// impactLeftJSON is a change that was not followed, and why. What becomes of a file that
// a difference does not fit is not known.
type impactLeftJSON struct {
	Repo string `json:"repo,omitempty"` // in an answer over several repositories
	Path string `json:"path"`
	ID   string `json:"id,omitempty"` // absent of a file as a whole
	Why  string `json:"why"`
}

type impactSymbolJSON struct {
	Repo       string `json:"repo,omitempty"` // in an answer over several repositories
	ID         string `json:"id,omitempty"`   // absent of the top of a file
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	Line       int    `json:"line"`
	Kind       string `json:"kind,omitempty"`
	Distance   int    `json:"distance"`
	Confidence string `json:"confidence"`
	Reason     string `json:"reason"`
	Uses       string `json:"uses"` // id of what it uses, or the path of a file
	UseLine    int    `json:"use_line,omitempty"`
}

type impactFileJSON struct {
	Repo       string `json:"repo,omitempty"` // in an answer over several repositories
	Path       string `json:"path"`
	Symbols    int    `json:"symbols"`
	Distance   int    `json:"distance"`
	Confidence string `json:"confidence"`
}

type endpointJSON struct {
	Repo       string `json:"repo,omitempty"` // in an answer over several repositories
	Kind       string `json:"kind"`
	Name       string `json:"name"` // of the symbol, or the key of a route, topic or service
	ID         string `json:"id"`
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Distance   int    `json:"distance"`
	Confidence string `json:"confidence"`
}

type testJSON struct {
	Repo       string   `json:"repo,omitempty"` // in an answer over several repositories
	Path       string   `json:"path"`
	Confidence string   `json:"confidence"`
	Score      float64  `json:"score"`
	Reasons    []string `json:"reasons"`
	Functions  []string `json:"functions,omitempty"`
}

type commandJSON struct {
	Repo    string   `json:"repo,omitempty"` // in an answer over several repositories
	Dir     string   `json:"dir,omitempty"`
	Args    []string `json:"args"`
	Command string   `json:"command"`
	Why     string   `json:"why"`
}

// JSON writes as many symbols as the bound of o allows.
func (a *Impact) JSON(o Options) []byte {
	o = o.over(&a.In)
	v := a.redacted(o).json()
	if o.MaxTokens > 0 {
		v.shorten()
	}
	symbols := v.Symbols
	return page(o, len(symbols), func(shown int) any {
		v.Symbols, v.Cursor = slices.Clip(symbols[:shown]), nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
}

// shorten leaves as much of the lists beside the symbols as the text has, so that there
// is room for symbols, and counts the rest.
func (v *impactJSON) shorten() {
	v.Unlisted = map[string]int{}
	v.Changed = shortened(v, "changed", v.Changed, maxImpactChanged)
	v.NotFollowed = shortened(v, "not_followed", v.NotFollowed, maxImpactChanged)
	v.Files = shortened(v, "files", v.Files, maxImpactEndpoints)
	v.Endpoints = shortened(v, "endpoints", v.Endpoints, maxImpactEndpoints)
	v.Tests = shortened(v, "tests", v.Tests, maxImpactTests)
}

func shortened[T any](v *impactJSON, name string, all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	v.Unlisted[name] = len(all) - most
	return slices.Clip(all[:most])
}

func (a *Impact) json() *impactJSON {
	v := &impactJSON{
		Repo: a.In.All().Repo, About: a.About, Total: a.Total, Nearest: slices.Clip(append([]int{}, a.Nearest...)), Offset: a.Offset, Freshness: freshnessJSON(a.In.All().Freshness), Across: newSeveralJSON(&a.In),
		Changed: []impactChangedJSON{}, Symbols: []impactSymbolJSON{}, Files: []impactFileJSON{}, Endpoints: []endpointJSON{}, Tests: []testJSON{},
		Commands: []commandJSON{}, Reached: a.Reached, Suites: a.Suites, Near: a.Near, Outlined: a.Outlined, Namesakes: a.Namesakes, Notes: a.Notes,
		Pending: a.In.All().Freshness.SyntaxPending, Partial: a.Left > 0, Left: a.Left,
	}
	for i := range a.Changed {
		c := &a.Changed[i]
		repo, path := a.in(c.Path)
		one := impactChangedJSON{Repo: repo, Change: string(c.What), Path: path, ID: c.ID, Line: c.Line}
		if c.ID != "" {
			one.Kind = c.Kind.String()
		}
		v.Changed = append(v.Changed, one)
	}
	for i := range a.NotFollowed {
		n := &a.NotFollowed[i]
		repo, path := a.in(n.Path)
		v.NotFollowed = append(v.NotFollowed, impactLeftJSON{repo, path, n.ID, n.Why})
	}
	for i := range a.Symbols {
		s := &a.Symbols[i]
		repo, path := a.in(s.Path)
		one := impactSymbolJSON{Repo: repo, ID: s.ID, Path: path, PathQuoted: quotedIfBroken(path), Line: s.Line, Distance: s.Distance, Confidence: s.Confidence.String(), Reason: s.Reason, Uses: s.Via, UseLine: s.At}
		if s.ID != "" {
			one.Kind = s.Kind.String()
		}
		v.Symbols = append(v.Symbols, one)
	}
	for _, f := range a.Files {
		repo, path := a.in(f.Path)
		v.Files = append(v.Files, impactFileJSON{repo, path, f.Symbols, f.Distance, f.Confidence.String()})
	}
	for _, e := range a.Endpoints {
		repo, path := a.in(e.Path)
		v.Endpoints = append(v.Endpoints, endpointJSON{repo, e.Kind, e.Name, e.ID, path, e.Line, e.Distance, e.Confidence.String()})
	}
	for _, t := range a.Tests {
		repo, path := a.in(t.Path)
		v.Tests = append(v.Tests, testJSON{repo, path, t.Confidence.String(), float64(int(t.Score*1000)) / 1000, t.Reasons, t.Functions})
	}
	for _, c := range a.Commands {
		v.Commands = append(v.Commands, commandJSON{c.Repo, c.Dir, c.Args, commandLine(c.Command), c.Why})
	}
	v.Candidates = definitionsIn(&a.In, a.Candidates)
	return v
}

// in is the path of a file, and the repository that it is of where there are several.
func (a *Impact) in(p string) (repo, path string) {
	if !a.In.Several {
		return "", p
	}
	return repoOf(&a.In, p)
}

func (a *Impact) redacted(o Options) *Impact {
	if o.ShowSecrets || len(a.Candidates) == 0 {
		return a
	}
	b, found := *a, *a.Impact
	found.Candidates = o.definitions(found.Candidates)
	b.Impact = &found
	return &b
}
