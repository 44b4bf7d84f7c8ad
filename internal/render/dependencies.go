package render

import (
	"cmp"
	"fmt"
	"strings"

	"espy/internal/dependencies"
	"espy/internal/hit"
	"espy/internal/modules"
	"espy/internal/place"
)

// Dependencies is what files import and what imports them.
type Dependencies struct {
	*dependencies.Answer
	As Diagram // empty for text
}

// Text writes what is imported, what comes from elsewhere and who imports, each
// with the line that proves it; or draws it.
func (a Dependencies) Text(o Options) string {
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

func (a Dependencies) head(o Options, shown int) string {
	what := o.folder(a.Request.Path)
	if a.Read == 0 && a.Total() == 0 && a.Left == 0 {
		return fmt.Sprintf("dependencies of %s are not known: no language of its %s has imports that are read, %s", what, count(a.Files, "file"), searched([]hit.Searched{a.In}))
	}
	head := fmt.Sprintf("%s%s of %s", firstOf(a.Offset), ofSome(min(shown, a.Total()), a.Total(), a.Left > 0, "dependency"), what)
	if a.Total() == 0 && a.Left > 0 {
		return head + ", " + searched([]hit.Searched{a.In})
	}
	var parts []string
	if a.Request.Direction != dependencies.Importer {
		parts = append(parts, fmt.Sprintf("%d in the repository, %d from elsewhere", a.Imports, a.Outside))
	}
	if a.Request.Direction != dependencies.Imports && a.Request.Path != "" {
		parts = append(parts, count(a.Into, "importer"))
	}
	return head + " (" + strings.Join(parts, ", ") + "), by " + string(a.Request.Level) + ", " + searched([]hit.Searched{a.In})
}

// blocks writes one block for each row. The first row of a group follows its title.
func (a Dependencies) blocks(o Options) []string {
	blocks := make([]string, len(a.Rows))
	title := ""
	for i := range a.Rows {
		r := &a.Rows[i]
		if t := a.title(r); t != title {
			title = t
			blocks[i] = t + "\n"
		}
		blocks[i] += a.row(r, o)
	}
	return blocks
}

// title names the group of a row.
func (a Dependencies) title(r *dependencies.Row) string {
	switch {
	case r.Kind == dependencies.KindOutside && r.Origin.Kind == modules.Passed:
		return "passed on by packages of the repository, from elsewhere or made by a build:"
	case r.Kind == dependencies.KindOutside:
		return "from elsewhere, " + string(r.Origin.Kind) + ":"
	case r.Depth == 1:
		return string(r.Kind) + ":"
	}
	return fmt.Sprintf("%s, %d steps away:", r.Kind, r.Depth)
}

func (a Dependencies) row(r *dependencies.Row, o Options) string {
	var b strings.Builder
	b.WriteString("  ")
	switch {
	case r.Kind == dependencies.KindInto && (r.Depth > 1 || !a.isTarget(r.To)):
		b.WriteString(o.unit(r.From) + " -> " + o.unit(r.To))
	case r.Kind == dependencies.KindInto:
		b.WriteString(o.unit(r.From))
	case r.Kind == dependencies.KindImport && (r.Depth > 1 || !a.isTarget(r.From)):
		b.WriteString(o.unit(r.From) + " -> " + o.unit(r.To))
	default:
		b.WriteString(o.to(r))
	}
	if r.Origin != nil && r.Origin.Package != "" {
		if r.Origin.Version != "" {
			b.WriteString(" " + clean(short(r.Origin.Version, 60)))
		}
		fmt.Fprintf(&b, " (%s:%d)", o.name(r.Origin.Manifest), r.Origin.Line)
	}
	fmt.Fprintf(&b, "  %s:%s", o.color(o.name(r.Path), colorPath), o.color(fmt.Sprint(r.Line), colorNumber))
	if r.Files > 1 {
		fmt.Fprintf(&b, " and %s", count(r.Files-1, "file"))
	}
	if marks := marksOf(r); len(marks) > 0 {
		b.WriteString(" [" + strings.Join(marks, ", ") + "]")
	}
	return b.String() + "\n"
}

// isTarget reports whether a unit is what was asked about, so that it need not be named.
func (a Dependencies) isTarget(unit string) bool {
	return a.Request.Path != "" && (unit == a.Request.Path || unit == a.Request.Path+"/")
}

// to writes what a row imports: a unit, or a name from elsewhere.
func (o Options) to(r *dependencies.Row) string {
	if r.Kind == dependencies.KindOutside {
		return place.Name(r.To)
	}
	return o.unit(r.To)
}

// unit writes a file or a folder, which ends in a slash, relative to where paths are.
func (o Options) unit(s string) string {
	switch {
	case s == "/":
		s = cmp.Or(strings.Repeat("../", len(strings.FieldsFunc(string(o.Here), func(c rune) bool { return c == '/' }))), "./")
	case o.Here != "" && strings.HasSuffix(s, "/"):
		s = strings.TrimSuffix(o.Here.Show(s), "/") + "/"
	default:
		s = o.Here.Show(s)
	}
	return place.Name(s)
}

// marksOf are what is special about a row.
func marksOf(r *dependencies.Row) (marks []string) {
	if r.Cycle {
		marks = append(marks, "cycle")
	}
	if r.Test {
		marks = append(marks, "tests only")
	}
	if r.Later {
		marks = append(marks, "within functions")
	}
	return marks
}

func (a Dependencies) foot(o Options, shown int) []string {
	foot := append(notLooked(a.Left, "file"), navNotes(a.Pending, nil)...)
	foot = append(foot, notes(a.Notes)...)
	foot = append(foot, more(a.Total()-a.Offset-shown, a.Offset+shown, o)...)
	if len(a.Rows) > 0 && a.Rows[0].Path != "" {
		return append(foot, "next: "+o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(a.Rows[0].Path), a.Rows[0].Line)}))
	}
	return append(foot, "next: "+o.call("files"))
}

// draw writes the rows as arrows, dotted where only tests or functions import.
func (a Dependencies) draw(o Options) string {
	g := diagram{as: a.As, numbers: map[string]int{}}
	for i := range a.Rows {
		r := &a.Rows[i]
		to := o.to(r)
		if r.Origin != nil && r.Origin.Version != "" {
			to += " " + r.Origin.Version
		}
		label := ""
		if r.Cycle {
			label = "cycle"
		}
		g.arrow(g.node(o.unit(r.From)), g.node(to), label, r.Test || r.Later)
	}
	return g.text(a.head(o, len(a.Rows)), a.foot(o, len(a.Rows)))
}

// dependenciesJSON is the JSON form of the answer. Fields are only ever added.
type dependenciesJSON struct {
	Repo         string           `json:"repo"`
	Path         string           `json:"path"`
	Level        string           `json:"level"`
	Total        int              `json:"total"`
	Imports      int              `json:"imports"`
	Elsewhere    int              `json:"elsewhere"`
	Importers    int              `json:"importers"`
	Offset       int              `json:"offset,omitempty"`
	Files        int              `json:"files"`
	Read         int              `json:"files_with_imports_known"`
	Freshness    freshnessJSON    `json:"freshness"`
	Dependencies []dependencyJSON `json:"dependencies"`
	Pending      int              `json:"syntax_pending_files,omitempty"`
	Partial      bool             `json:"partial,omitempty"`
	Left         int              `json:"not_looked_at,omitempty"`
	Notes        []string         `json:"notes,omitempty"`
	Cursor       string           `json:"cursor,omitempty"`
}

// dependencyJSON says that from imports to.
type dependencyJSON struct {
	Kind       string      `json:"kind"` // "imports", "elsewhere", "imported by"
	From       string      `json:"from"`
	To         string      `json:"to"`
	Depth      int         `json:"depth"`
	Path       string      `json:"path"` // of the file with the import, in line
	PathQuoted string      `json:"path_quoted,omitempty"`
	Line       int         `json:"line"`
	Imports    int         `json:"imports"`
	Files      int         `json:"files"`
	Cycle      bool        `json:"cycle,omitempty"`
	Test       bool        `json:"tests_only,omitempty"`
	Later      bool        `json:"within_functions,omitempty"`
	Origin     *originJSON `json:"origin,omitempty"`
}

// originJSON says where what the repository does not hold comes from.
type originJSON struct {
	Kind     modules.Kind `json:"kind"`
	Package  string       `json:"package,omitempty"`
	Version  string       `json:"version,omitempty"`
	Manifest string       `json:"manifest,omitempty"`
	Line     int          `json:"line,omitempty"`
}

// JSON writes as many rows as the bound of o allows.
func (a Dependencies) JSON(o Options) []byte {
	v := dependenciesJSON{
		Repo: a.In.Repo, Path: a.Request.Path, Level: string(a.Request.Level), Total: a.Total(), Imports: a.Imports, Elsewhere: a.Outside, Importers: a.Into,
		Offset: a.Offset, Files: a.Files, Read: a.Read, Freshness: freshnessJSON(a.In.Freshness), Pending: a.Pending, Partial: a.Left > 0, Left: a.Left, Notes: a.Notes,
	}
	rows := make([]dependencyJSON, len(a.Rows))
	for i := range a.Rows {
		r := &a.Rows[i]
		rows[i] = dependencyJSON{
			Kind: string(r.Kind), From: r.From, To: r.To, Depth: r.Depth, Path: r.Path, PathQuoted: quotedIfBroken(r.Path), Line: r.Line, Imports: r.Imports, Files: r.Files,
			Cycle: r.Cycle, Test: r.Test, Later: r.Later,
		}
		if r.Origin != nil {
			p := originJSON(*r.Origin)
			rows[i].Origin = &p
		}
	}
	return page(o, len(rows), func(shown int) any {
		v.Dependencies, v.Cursor = rows[:shown], nextCursor(o.Cursor, a.Total(), a.Offset, shown)
		return v
	})
}
