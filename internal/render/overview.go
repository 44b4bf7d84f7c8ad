package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/overview"
	"espy/internal/place"
)

// Overview tells how a repository or a folder hangs together.
type Overview struct {
	*overview.Answer
	As Diagram // empty for text
}

// Text writes a screen; or draws what areas import of each other.
func (a Overview) Text(o Options) string {
	if a.As != "" {
		return a.draw(o)
	}
	blocks, titles := a.sections(o)
	text, _ := layout{
		head:   func(int) string { return a.head(o) },
		blocks: blocks,
		foot: func(shown int) []string {
			foot := a.foot(o)
			if shown < len(titles) {
				left := fmt.Sprintf("left out to stay within %d tokens: %s", o.MaxTokens, strings.Join(titles[shown:], ", "))
				foot = slices.Insert(foot, len(foot)-1, left)
			}
			return foot
		},
	}.text(o)
	return text
}

func (a Overview) head(o Options) string {
	what := "overview"
	if a.Request.Path != "" {
		what += " of " + o.name(a.Request.Path)
	}
	return fmt.Sprintf("%s: %s, %s, %s", what, count(a.Total.Files, "file"), count(a.Total.Lines, "line"), searched([]hit.Searched{a.In}))
}

// sections are the parts of the screen that have something to say, and what each is about.
func (a Overview) sections(o Options) (all, titles []string) {
	for _, part := range []struct{ title, text string }{
		{"what the project says", a.quote(o)}, {"languages", a.languages()}, {"builds", a.builds(o)}, {"entry points", a.entries(o)}, {"areas", a.areas(o)},
		{"most imported", a.used(o)}, {"symbols", a.symbols(o)}, {"hot spots", a.hot(o)}, {"import cycles", a.cycles(o)}, {"tests", a.tests(o)}, {"authors", a.authors()},
	} {
		if part.text != "" {
			all, titles = append(all, part.text), append(titles, part.title)
		}
	}
	return all, titles
}

func (a Overview) quote(o Options) string {
	if a.Quote == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d says: \"%s\"\n", o.color(o.name(a.Quote.Path), colorPath), a.Quote.Line, clean(o.hidden(a.Quote.Path, a.Quote.Text)))
}

// rest counts what a list leaves out.
func rest[T any](l overview.List[T]) string {
	if left := l.Total - len(l.Items); left > 0 {
		return fmt.Sprintf(", and %d more", left)
	}
	return ""
}

func listed[T any](title string, l overview.List[T], item func(*T) string) string {
	if l.Total == 0 {
		return ""
	}
	parts := make([]string, len(l.Items))
	for i := range l.Items {
		parts[i] = item(&l.Items[i])
	}
	return title + ": " + strings.Join(parts, ", ") + rest(l) + "\n"
}

func (a Overview) languages() string {
	text := listed("languages", a.Languages, func(l *overview.Language) string {
		name := l.Name
		if l.Extension != "" {
			name += " (" + l.Extension + ")"
		}
		s := fmt.Sprintf("%s %d lines in %s", name, l.Lines, count(l.Files, "file"))
		if !l.Parsed {
			s += " (no grammar)"
		}
		return s
	})
	if text == "" {
		text = "languages: no code in a language that is known\n"
	}
	if a.FewParsed() {
		text += fmt.Sprintf("complexity is known of %d of %s of code, imports of %d\n", a.Parsed, count(a.Code, "file"), a.Imports)
	}
	text += listed("other files", a.Other, func(l *overview.Language) string {
		return fmt.Sprintf("%s %d lines in %s", cmp.Or(l.Name, "of no known language"), l.Lines, count(l.Files, "file"))
	})
	var parts []string
	if a.Generated.Files > 0 {
		parts = append(parts, sizeOf(a.Generated)+" generated")
	}
	if a.Vendored.Files > 0 {
		parts = append(parts, sizeOf(a.Vendored)+" of third parties")
	}
	if len(parts) > 0 {
		text += "among all files: " + strings.Join(parts, ", ") + "\n"
	}
	return text
}

func sizeOf(s overview.Size) string {
	return fmt.Sprintf("%s (%s)", count(s.Files, "file"), count(s.Lines, "line"))
}

func (a Overview) builds(o Options) string {
	return listed("built with", a.Builds, func(b *overview.Build) string {
		text := b.Tool + " (" + o.name(b.Path)
		if b.Files > 1 {
			text += fmt.Sprintf(" and %d more", b.Files-1)
		}
		return text + ")"
	})
}

func (a Overview) entries(o Options) string {
	if a.Entries.Total == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("starts at" + rest(a.Entries) + ":\n")
	for i := range a.Entries.Items {
		e := &a.Entries.Items[i]
		fmt.Fprintf(&b, "  %s %s  %s:%d", e.Kind, place.Name(e.Name), o.color(o.name(e.Path), colorPath), e.Line)
		if e.Target != "" {
			b.WriteString("  " + short(clean(o.hidden(e.Path, e.Target)), 60))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (a Overview) areas(o Options) string {
	if a.Areas.Total == 0 {
		return ""
	}
	var b strings.Builder
	title := "areas, those on top first"
	if a.FewCode() {
		title = "areas of all files, for few are code"
	}
	b.WriteString(title + rest(a.Areas) + ":\n")
	for i := range a.Areas.Items {
		e := &a.Areas.Items[i]
		fmt.Fprintf(&b, "  %s %s", o.unit(e.Path), sizeOf(e.Size))
		var uses []string
		for _, u := range e.Uses.Items {
			uses = append(uses, o.unit(u.To))
		}
		if len(uses) > 0 {
			b.WriteString(" -> " + strings.Join(uses, ", ") + rest(e.Uses))
		}
		if e.UsedBy > 0 {
			fmt.Fprintf(&b, "; imported by %s", count(e.UsedBy, "area"))
		}
		if e.Cycle {
			b.WriteString(" [cycle]")
		}
		if len(e.Authors) > 0 {
			b.WriteString("; " + clean(strings.Join(e.Authors, ", ")))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (a Overview) used(o Options) string {
	return listed("imported by most files, tests and examples aside", a.Used, func(u *overview.Used) string { return fmt.Sprintf("%s %d", o.unit(u.Name), u.By) })
}

func (a Overview) symbols(o Options) string {
	return listed("symbols that most files import", a.Symbols, func(s *overview.Symbol) string { return fmt.Sprintf("%s %d", o.name(s.ID), s.By) })
}

func (a Overview) hot(o Options) string {
	if a.NoHistory != "" {
		return "hot spots and authors: " + clean(a.NoHistory) + "\n"
	}
	size, of := "complexity", func(h *overview.Hot) int { return h.Complexity }
	if a.FewParsed() {
		size, of = "lines", func(h *overview.Hot) int { return h.Lines }
	}
	return listed(fmt.Sprintf("hot spots (commits of the last %d x %s)", a.Commits, size), a.Hot, func(h *overview.Hot) string {
		return fmt.Sprintf("%s %dx%d", o.name(h.Path), h.Commits, of(h))
	})
}

func (a Overview) cycles(o Options) string {
	return listed("import cycles", a.Cycles, func(c *overview.Cycle) string {
		var way []string
		for _, u := range c.Way {
			way = append(way, o.unit(u))
		}
		return fmt.Sprintf("%d files or packages (%s -> %s)", len(c.Units), strings.Join(way, " -> "), way[0])
	})
}

func (a Overview) tests(o Options) string {
	return listed("tests", a.Tests, func(f *overview.Folder) string { return o.unit(f.Path+"/") + " " + count(f.Files, "file") })
}

func (a Overview) authors() string {
	return listed(fmt.Sprintf("authors of the last %d commits, bots aside", a.Commits), a.Authors, func(e *overview.Author) string { return fmt.Sprintf("%s %d", clean(e.Name), e.Commits) })
}

func (a Overview) foot(o Options) []string {
	foot := append(notLooked(a.Left, "file"), a.missing()...)
	foot = append(foot, navNotes(a.Pending, nil)...)
	foot = append(foot, notes(a.Notes)...)
	for _, e := range a.Areas.Items {
		if p := strings.TrimSuffix(e.Path, "/"); p != "" && p != a.Request.Path {
			return append(foot, "next: "+o.call("overview", arg{"path", o.name(p)}))
		}
	}
	return append(foot, "next: "+o.call("files"))
}

// missing names the parts that the time did not suffice for.
func (a Overview) missing() []string {
	if len(a.Missing) == 0 {
		return nil
	}
	parts := make([]string, len(a.Missing))
	for i, p := range a.Missing {
		parts[i] = string(p)
	}
	return []string{"partial: the time was over before these were worked out in full: " + strings.Join(parts, ", ")}
}

// draw writes what areas import of each other as arrows.
func (a Overview) draw(o Options) string {
	g := diagram{as: a.As, numbers: map[string]int{}}
	for i := range a.Areas.Items {
		e := &a.Areas.Items[i]
		for _, u := range e.Uses.Items {
			g.arrow(g.node(o.unit(e.Path)), g.node(o.unit(u.To)), count(u.Files, "file"), false)
		}
	}
	return g.text(a.head(o), a.foot(o))
}

// overviewJSON is the JSON form of the answer. Fields are only ever added.
type overviewJSON struct {
	Repo      string              `json:"repo"`
	Path      string              `json:"path"`
	Files     int                 `json:"files"`
	Lines     int                 `json:"lines"`
	Freshness freshnessJSON       `json:"freshness"`
	Quote     *quoteJSON          `json:"readme,omitempty"`
	Languages listJSON[langJSON]  `json:"languages"`
	Other     listJSON[langJSON]  `json:"other_files"`
	Code      int                 `json:"code_files"`               // fewer than a quarter of all: areas are of all files
	Parsed    int                 `json:"parsed_files"`             // of code, which a grammar reads
	Imports   int                 `json:"files_with_imports_known"` // of code, read by a grammar or line by line
	Generated sizeJSON            `json:"generated"`
	Vendored  sizeJSON            `json:"third_party"`
	Builds    listJSON[buildJSON] `json:"builds"`
	Entries   listJSON[entryJSON] `json:"entries"`
	Areas     listJSON[areaJSON]  `json:"areas"`
	Used      listJSON[usedJSON]  `json:"imported_most"`
	Symbols   listJSON[symbolBy]  `json:"symbols_imported_most"`
	Hot       listJSON[hotJSON]   `json:"hot_spots"`
	Cycles    listJSON[cycleJSON] `json:"import_cycles"`
	Tests     listJSON[testsJSON] `json:"tests"`
	Authors   listJSON[byAuthor]  `json:"authors"`
	Commits   int                 `json:"commits"`              // that hot spots and authors were counted in
	NoHistory string              `json:"no_history,omitempty"` // why there are none
	Pending   int                 `json:"syntax_pending_files,omitempty"`
	Partial   bool                `json:"partial,omitempty"`
	Left      int                 `json:"not_looked_at,omitempty"`
	Missing   []overview.Part     `json:"not_worked_out,omitempty"`
	Notes     []string            `json:"notes,omitempty"`
}

func newLangJSON(l overview.Language) langJSON {
	return langJSON{l.Name, l.Extension, sizeJSON(l.Size), l.Parsed}
}

// listJSON is the first items of a list.
type listJSON[T any] struct {
	Total int `json:"total"`
	Items []T `json:"items"`
}

type (
	sizeJSON struct {
		Files int `json:"files"`
		Lines int `json:"lines"`
	}
	quoteJSON struct {
		Path string `json:"path"`
		Line int    `json:"line"`
		Text string `json:"text"`
	}
	langJSON struct {
		Name      string `json:"name"`
		Extension string `json:"extension,omitempty"` // of code in languages that are not known
		sizeJSON
		Parsed bool `json:"parsed"` // a grammar reads it
	}
	buildJSON struct {
		Tool  string `json:"tool"`
		Name  string `json:"name,omitempty"`
		Path  string `json:"path"`
		Files int    `json:"files"`
	}
	entryJSON struct {
		Kind   string `json:"kind"`
		Name   string `json:"name"`
		Path   string `json:"path"`
		Line   int    `json:"line"`
		Target string `json:"target,omitempty"`
	}
	areaJSON struct {
		Path string `json:"path"`
		sizeJSON
		Flat    bool              `json:"without_subfolders,omitempty"`
		Layer   int               `json:"layer"` // 0 imports no other area
		Imports listJSON[useJSON] `json:"imports"`
		UsedBy  int               `json:"imported_by"`
		Cycle   bool              `json:"cycle,omitempty"`
		Authors []string          `json:"authors,omitempty"`
	}
	useJSON struct {
		Area  string `json:"area"`
		Files int    `json:"files"`
		Path  string `json:"path"` // of the first import
		Line  int    `json:"line"`
	}
	usedJSON struct {
		Name  string `json:"name"`
		Files int    `json:"importing_files"`
	}
	symbolBy struct {
		ID    string `json:"id"`
		Path  string `json:"path"`
		Line  int    `json:"line"`
		Files int    `json:"importing_files"`
	}
	hotJSON struct {
		Path       string `json:"path"`
		Commits    int    `json:"commits"`
		Complexity int    `json:"complexity"`
		Lines      int    `json:"lines,omitempty"` // instead, where the complexity of most code is not known
	}
	cycleJSON struct {
		Members  int      `json:"members"`
		Shortest []string `json:"shortest"`
	}
	testsJSON struct {
		Path string `json:"path"`
		sizeJSON
	}
	byAuthor struct {
		Name    string `json:"name"`
		Commits int    `json:"commits"`
	}
)

// jsonOf writes the items of a list.
func jsonOf[T, J any](l overview.List[T], item func(T) J) listJSON[J] {
	v := listJSON[J]{Total: l.Total, Items: make([]J, len(l.Items))}
	for i := range l.Items {
		v.Items[i] = item(l.Items[i])
	}
	return v
}

// JSON writes everything that the answer has.
func (a Overview) JSON(o Options) []byte {
	v := overviewJSON{
		Repo: a.In.Repo, Path: a.Request.Path, Files: a.Total.Files, Lines: a.Total.Lines, Freshness: freshnessJSON(a.In.Freshness),
		Generated: sizeJSON(a.Generated), Vendored: sizeJSON(a.Vendored), Commits: a.Commits, NoHistory: a.NoHistory,
		Pending: a.Pending, Partial: a.IsPartial(), Left: a.Left, Missing: a.Missing, Notes: a.Notes,
		Languages: jsonOf(a.Languages, newLangJSON), Other: jsonOf(a.Other, newLangJSON), Code: a.Code, Parsed: a.Parsed, Imports: a.Imports,
		Builds: jsonOf(a.Builds, func(b overview.Build) buildJSON { return buildJSON{b.Tool, b.Name, b.Path, b.Files} }),
		Entries: jsonOf(a.Entries, func(e overview.Entry) entryJSON {
			return entryJSON{e.Kind, e.Name, e.Path, e.Line, o.hidden(e.Path, e.Target)}
		}),
		Areas:   jsonOf(a.Areas, newAreaJSON),
		Used:    jsonOf(a.Used, func(u overview.Used) usedJSON { return usedJSON{u.Name, u.By} }),
		Symbols: jsonOf(a.Symbols, func(s overview.Symbol) symbolBy { return symbolBy{s.ID, s.Path, s.Line, s.By} }),
		Hot:     jsonOf(a.Hot, func(h overview.Hot) hotJSON { return hotJSON(h) }),
		Cycles:  jsonOf(a.Cycles, func(c overview.Cycle) cycleJSON { return cycleJSON{len(c.Units), c.Way} }),
		Tests:   jsonOf(a.Tests, func(f overview.Folder) testsJSON { return testsJSON{f.Path, sizeJSON(f.Size)} }),
		Authors: jsonOf(a.Authors, func(p overview.Author) byAuthor { return byAuthor{p.Name, p.Commits} }),
	}
	if a.Quote != nil {
		v.Quote = &quoteJSON{a.Quote.Path, a.Quote.Line, o.hidden(a.Quote.Path, a.Quote.Text)}
	}
	return JSON(v)
}

func newAreaJSON(a overview.Area) areaJSON {
	return areaJSON{
		Path: a.Path, sizeJSON: sizeJSON(a.Size), Flat: a.Flat, Layer: a.Layer, UsedBy: a.UsedBy, Cycle: a.Cycle, Authors: a.Authors,
		Imports: jsonOf(a.Uses, func(u overview.Use) useJSON { return useJSON{u.To, u.Files, u.Path, u.Line} }),
	}
}
