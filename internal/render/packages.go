package render

import (
	"fmt"
	"strings"

	"espy/internal/deps"
	"espy/internal/hit"
	"espy/internal/packages"
	"espy/internal/place"
)

// Packages lists the packages that a repository uses.
type Packages struct{ *deps.Answer }

// Text writes each package with its version, where its sources are, and the line
// that asks for it.
func (a Packages) Text(o Options) string {
	text, _ := layout{
		head:   a.head,
		blocks: a.blocks(o),
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

func (a Packages) head(shown int) string {
	what := fmt.Sprintf("%d asked for by the repository, %d by packages only", a.Direct, a.Others)
	if a.Lacking > 0 {
		what += fmt.Sprintf(", %d of them without sources here", a.Lacking)
	}
	return fmt.Sprintf("%s%s (%s), %s", firstOf(a.Request.Offset), of(min(shown, a.Total), a.Total, "package"), what, searched([]hit.Searched{a.In}))
}

func (a Packages) blocks(o Options) []string {
	blocks := make([]string, len(a.Rows))
	title := ""
	for i := range a.Rows {
		r := &a.Rows[i]
		if t := string(r.Ecosystem) + ":"; t != title {
			title = t
			blocks[i] = t + "\n"
		}
		blocks[i] += packageRow(r, o)
	}
	return blocks
}

func packageRow(r *deps.Row, o Options) string {
	var b strings.Builder
	b.WriteString("  " + place.Name(r.Name))
	if v := wantedVersion(&r.Package); v != "" {
		b.WriteString(" " + clean(short(v, 60)))
	}
	fmt.Fprintf(&b, "  %s:%s", o.color(o.name(r.Path), colorPath), o.color(fmt.Sprint(r.Line), colorNumber))
	if !r.Direct {
		b.WriteString(" [by packages only]")
	}
	b.WriteString("  " + standing(r))
	return b.String() + "\n"
}

// wantedVersion is the version of a package, or what its manifest writes where that
// is not known.
func wantedVersion(p *packages.Package) string {
	if p.Version != "" {
		return p.Version
	}
	return p.Wanted
}

// standing says where the sources of a package are.
func standing(r *deps.Row) string {
	switch {
	case r.Lacks != "":
		return "no sources: " + clean(r.Lacks)
	case r.Source.Inside != "":
		return "in the repository, " + place.Name(r.Source.Inside)
	case r.Indexed:
		return "indexed"
	}
	return "at hand"
}

func (a Packages) foot(o Options, shown int) []string {
	foot := append(notes(a.Notes), more(a.Total-a.Request.Offset-shown, a.Request.Offset+shown, o)...)
	if !a.Request.All && a.Request.Name == "" && a.Others > 0 {
		foot = append(foot, fmt.Sprintf("not listed: %s that only packages ask for; espy deps --all", count(a.Others, "package")))
	}
	for i := range a.Rows {
		if r := &a.Rows[i]; r.Source.Dir != "" {
			return append(foot, "next: "+o.call("outline", arg{"repo", r.Ref()}))
		}
	}
	return append(foot, "next: "+o.call("files"))
}

// packagesJSON is the JSON form of the answer. Fields are only ever added.
type packagesJSON struct {
	Repo      string        `json:"repo"`
	Total     int           `json:"total"`
	Offset    int           `json:"offset,omitempty"`
	Direct    int           `json:"direct"`
	Others    int           `json:"transitive"`
	Lacking   int           `json:"without_sources"`
	Freshness freshnessJSON `json:"freshness"`
	Packages  []packageJSON `json:"packages"`
	Notes     []string      `json:"notes,omitempty"`
	Cursor    string        `json:"cursor,omitempty"`
}

// packageJSON is one package. repo is what other questions call it.
type packageJSON struct {
	Ecosystem string `json:"ecosystem"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Wanted    string `json:"wanted,omitempty"`
	Repo      string `json:"repo"`
	Direct    bool   `json:"direct"`
	Manifest  string `json:"manifest"`
	Line      int    `json:"line"`
	Folder    string `json:"folder,omitempty"`        // beside the repository
	Inside    string `json:"in_repository,omitempty"` // folder with whose files it is indexed
	Sources   bool   `json:"sources"`
	Indexed   bool   `json:"indexed"`
	Lacks     string `json:"why_no_sources,omitempty"`
}

// JSON writes as many packages as the bound of o allows.
func (a Packages) JSON(o Options) []byte {
	v := packagesJSON{
		Repo: a.In.Repo, Total: a.Total, Offset: a.Request.Offset, Direct: a.Direct, Others: a.Others, Lacking: a.Lacking,
		Freshness: freshnessJSON(a.In.Freshness), Notes: a.Notes,
	}
	rows := make([]packageJSON, len(a.Rows))
	for i := range a.Rows {
		r := &a.Rows[i]
		rows[i] = packageJSON{
			Ecosystem: string(r.Ecosystem), Name: r.Name, Version: r.Version, Wanted: r.Wanted, Repo: r.Ref(), Direct: r.Direct, Manifest: r.Path, Line: r.Line,
			Folder: r.Source.Dir, Inside: r.Source.Inside, Sources: r.At(), Indexed: r.Indexed, Lacks: r.Lacks,
		}
	}
	return page(o, len(rows), func(shown int) any {
		v.Packages, v.Cursor = rows[:shown], ""
		if a.Total-a.Request.Offset-shown > 0 && o.Cursor != nil && shown > 0 {
			v.Cursor = o.Cursor(a.Request.Offset + shown)
		}
		return v
	})
}

// Kept says which packages were added or dropped.
type Kept struct {
	Done  string   // "added" or "dropped"
	Names []string // as questions call them
	Notes []string
}

// Text writes a package a line.
func (k Kept) Text(Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", k.Done, count(len(k.Names), "package"))
	for _, n := range k.Names {
		b.WriteString("  " + place.Name(n) + "\n")
	}
	for _, n := range notes(k.Notes) {
		b.WriteString(n + "\n")
	}
	return b.String()
}

// JSON writes the names.
func (k Kept) JSON(Options) []byte {
	names := k.Names
	if names == nil {
		names = []string{}
	}
	return JSON(map[string]any{k.Done: names, "notes": append([]string{}, k.Notes...)})
}
