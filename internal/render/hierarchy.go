package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/across"
	"espy/internal/facts"
	"espy/internal/hierarchy"
	"espy/internal/place"
	"espy/internal/seen"
)

// Hierarchy is the answer to what stands above and below a type or a member.
type Hierarchy struct {
	In across.Searched
	*hierarchy.Answer
}

// Text writes the hierarchy as a tree, one line each with the line of code that
// proves it. If several symbols have the name, it lists these instead.
func (a *Hierarchy) Text(o Options) string {
	o = o.over(&a.In)
	a = a.redacted(o)
	if len(a.Candidates) > 0 {
		return choice{&a.In, a.Unclear, a.Candidates, a.Pending, "", func(id string) string {
			return o.call("hierarchy", arg{"symbol", id})
		}}.text(o)
	}
	text, _ := layout{
		lines:  a.lines,
		head:   func(shown int) string { return a.head(o, shown) },
		blocks: a.blocks(o),
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

// what names the symbol of the question.
func (a *Hierarchy) what(o Options) string {
	switch {
	case len(a.Symbols) > 0:
		return o.name(a.Symbols[0].ID)
	case a.Elsewhere != "":
		return place.Symbol(a.Elsewhere) + ", which is declared elsewhere"
	}
	return wanted(a.Request.Target)
}

func (a *Hierarchy) isType() bool { return len(a.Symbols) > 0 && a.Symbols[0].Kind.IsType() }

// head counts what stands directly above and below the symbol.
func (a *Hierarchy) head(o Options, shown int) string {
	up, down := "supertype", "subtype"
	if len(a.Symbols) > 0 && !a.isType() {
		up, down = "overridden member", "overriding member"
	}
	var counts []string
	if a.Request.Direction != hierarchy.Down {
		counts = append(counts, counted(a.Up, a.Left > 0, up))
	}
	if a.Request.Direction != hierarchy.Up {
		counts = append(counts, counted(a.Down, a.Left > 0, down))
	}
	head := strings.Join(counts, " and ") + " of " + a.what(o)
	if a.Total > a.Up+a.Down {
		head += fmt.Sprintf(", %s in %s", count(a.Total, "line"), count(a.Request.Depth, "level"))
	}
	if a.Possible > 0 {
		head += fmt.Sprintf(", %d of them possible", a.Possible)
	}
	if a.Offset > 0 || shown < a.Total {
		head = fmt.Sprintf("lines %d-%d of %d: %s", a.Offset+1, a.Offset+shown, a.Total, head)
	}
	return head + ", " + searchedIn(&a.In)
}

// blocks writes one line for each symbol.
func (a *Hierarchy) blocks(o Options) []string {
	blocks := make([]string, len(a.Lines))
	for i := range a.Lines {
		l := &a.Lines[i]
		heading := ""
		if i == 0 && len(a.Through) > 0 {
			heading = "round " + names(a.Through, hierarchy.MaxDepth) + ":\n"
		}
		if a.Request.Direction == hierarchy.Both && (i == 0 || l.Direction != a.Lines[i-1].Direction) {
			heading = string(l.Direction) + ":\n" + heading
		}
		blocks[i] = heading + a.line(l, o)
	}
	return blocks
}

// line writes the place and the line that prove it, the relation and the symbol, and
// what there is to know of it. What is below says itself how it stands to what is
// above.
func (a *Hierarchy) line(l *hierarchy.Line, o Options) string {
	name := o.name(l.ID)
	switch {
	case l.ID == "" && l.Name == "":
		name = "a type without a name"
	case l.ID == "":
		name = clean(l.Name)
	case l.Path == l.At.Path:
		name = place.Name(strings.TrimPrefix(l.ID, l.Path+"#"))
	}
	text := short(l.At.Text, 120)
	if repo, path := repoOf(&a.In, l.At.Path); o.Seen.Has(repo, path, l.At.Line) {
		text = "[shown]"
	}
	notes := []string{string(l.Relation)}
	if l.ID == "" && l.Name != "" {
		notes = append(notes, "declared outside of the repository")
	}
	if l.Confidence != facts.Certain {
		notes = append(notes, fmt.Sprintf("%s: %s", l.Confidence, clean(l.Reason)))
	}
	switch {
	case l.Cycle:
		notes = append(notes, "cycle")
	case l.Again:
		notes = append(notes, "again: its branch is listed once")
	}
	at := o.color(o.name(l.At.Path), colorPath) + ":" + o.color(fmt.Sprint(l.At.Line), colorNumber)
	return fmt.Sprintf("%s%s %s (%s): %s\n", strings.Repeat("  ", l.Depth-1), at, name, strings.Join(notes, "; "), text)
}

// lines are those of the first few symbols.
func (a *Hierarchy) lines(shown int) (all []seen.File) {
	for _, l := range a.Lines[:min(shown, len(a.Lines))] {
		repo, path := repoOf(&a.In, l.At.Path)
		all = append(all, oneLineOf(repo, path, l.At.Line))
	}
	return all
}

func (a *Hierarchy) foot(o Options, shown int) []string {
	var foot []string
	if a.Unclear != "" && !a.Unfit {
		foot = append(foot, unreadNote(a.In.All(), a.Outlined, o)...)
	}
	foot = append(foot, lateNotes(&a.In)...)
	foot = append(foot, unparsedNote(a.Failed, o)...)
	foot = append(foot, navNotes(a.Pending, a.Near)...)
	foot = append(foot, namesakesNote(a.Namesakes, a.Request.Name, o)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	switch {
	case a.Unfit:
		foot = append(foot, "note: it is no type and no member of one")
	case a.Everything:
		foot = append(foot, "note: the interface requires no methods, so every type has them: none is listed but what names it")
	}
	if a.Left > 0 {
		why := "there are too many"
		if a.Late {
			why = "the time was over"
		}
		foot = append(foot, fmt.Sprintf("partial: %s not followed: %s", count(a.Left, "symbol"), why))
	}
	return append(foot, "next: "+a.next(o))
}

func (a *Hierarchy) next(o Options) string {
	switch {
	case len(a.Lines) > 0:
		l := &a.Lines[0]
		return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(l.At.Path), l.At.Line)})
	case len(a.Symbols) > 0:
		return o.call("references", arg{"symbol", a.Symbols[0].ID})
	case a.Request.Name != "" && a.Unfit:
		return o.call("symbol", arg{"symbol", a.Request.Name})
	case a.Request.Name != "":
		return o.call("search", arg{"query", lastName(a.Request.Name)})
	}
	return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(a.Request.Path), a.Request.Line)})
}

type hierarchyJSON struct {
	Across     *severalJSON        `json:"across,omitempty"`
	Total      int                 `json:"total"`
	Up         int                 `json:"up"`   // directly above
	Down       int                 `json:"down"` // directly below
	Possible   int                 `json:"possible"`
	Offset     int                 `json:"offset,omitempty"`
	Direction  hierarchy.Direction `json:"direction"`
	Depth      int                 `json:"depth"`
	Precision  string              `json:"precision"` // heuristic: from the index, not from a compiler
	Freshness  freshnessJSON       `json:"freshness"`
	Symbols    []definitionJSON    `json:"symbols"`
	Lines      []relationJSON      `json:"relations"`
	Everything bool                `json:"every_type,omitempty"` // an interface without methods
	Unfit      bool                `json:"no_type,omitempty"`    // nor a member of one
	Candidates []definitionJSON    `json:"candidates,omitempty"`
	Elsewhere  string              `json:"declared_elsewhere,omitempty"`
	Near       []string            `json:"near,omitempty"`
	Outlined   string              `json:"outlined,omitempty"`
	Namesakes  int                 `json:"namesakes,omitempty"` // symbols of the name in tests, examples, generated or vendored code that were passed over
	Pending    int                 `json:"syntax_pending_files,omitempty"`
	Partial    bool                `json:"partial,omitempty"` // not every symbol was followed
	Left       int                 `json:"not_followed,omitempty"`
	Failed     int                 `json:"unparsed_count,omitempty"` // where nothing was found
	Cursor     string              `json:"cursor,omitempty"`
	Seen       string              `json:"seen,omitempty"`
}

// relationJSON is how one symbol stands to another, ids both. Relations are in the
// order of the tree: depth says whose branch one continues.
type relationJSON struct {
	Depth      int                 `json:"depth"`
	Direction  hierarchy.Direction `json:"direction"`
	ID         string              `json:"id,omitempty"`
	Outside    string              `json:"outside,omitempty"` // name of what no file declares
	Of         string              `json:"of"`                // id of the symbol that it continues
	Kind       string              `json:"kind,omitempty"`
	Relation   hierarchy.Relation  `json:"relation"` // of the lower one to the upper one
	Confidence string              `json:"confidence"`
	Reason     string              `json:"reason,omitempty"`
	DeclaredAt string              `json:"declared_at,omitempty"` // path:line
	Repo       string              `json:"repo,omitempty"`        // of the line that proves it, in an answer over several
	Path       string              `json:"path"`                  // of the line that proves it
	PathQuoted string              `json:"path_quoted,omitempty"`
	Line       int                 `json:"line"`
	Text       string              `json:"text"`
	Held       bool                `json:"held,omitempty"` // the text is left out, for the caller has it
	Again      bool                `json:"again,omitempty"`
	Cycle      bool                `json:"cycle,omitempty"`
}

func (a *Hierarchy) relations(o Options) []relationJSON {
	all := make([]relationJSON, len(a.Lines))
	for i := range a.Lines {
		l := &a.Lines[i]
		repo, path := repoOf(&a.In, l.At.Path)
		r := relationJSON{
			Depth: l.Depth, Direction: l.Direction, ID: l.ID, Outside: l.Name, Of: l.Above, Relation: l.Relation, Confidence: l.Confidence.String(),
			Reason: l.Reason, Path: path, PathQuoted: quotedIfBroken(path), Line: l.At.Line, Text: l.At.Text, Again: l.Again, Cycle: l.Cycle,
		}
		if l.ID != "" {
			r.Kind, r.DeclaredAt = l.Kind.String(), fmt.Sprintf("%s:%d", l.Path, l.Line)
		}
		if a.In.Several {
			r.Repo = repo
		}
		if o.Seen.Has(repo, r.Path, r.Line) {
			r.Text, r.Held = "", true
		}
		all[i] = r
	}
	return all
}

// JSON writes as many relations as the bound of o allows.
func (a *Hierarchy) JSON(o Options) []byte {
	o = o.over(&a.In)
	a = a.redacted(o)
	v := hierarchyJSON{
		Across: newSeveralJSON(&a.In), Total: a.Total, Up: a.Up, Down: a.Down, Possible: a.Possible, Offset: a.Offset, Direction: a.Request.Direction, Depth: a.Request.Depth,
		Precision: "heuristic", Freshness: freshnessJSON(a.In.All().Freshness), Symbols: definitionsIn(&a.In, a.Symbols),
		Candidates: definitionsIn(&a.In, a.Candidates), Everything: a.Everything, Unfit: a.Unfit, Elsewhere: a.Elsewhere, Near: a.Near, Outlined: a.Outlined, Namesakes: a.Namesakes,
		Pending: a.Pending, Partial: a.Left > 0, Left: a.Left, Failed: a.Failed,
	}
	relations := a.relations(o)
	text, shown := paged(o, len(relations), func(shown int) any {
		v.Seen = o.seenToken(a.lines(shown))
		v.Lines, v.Cursor = relations[:shown], ""
		if a.Total-a.Offset-shown > 0 && o.Cursor != nil && shown > 0 {
			v.Cursor = o.Cursor(a.Offset + shown)
		}
		return v
	})
	o.keep(a.lines(shown))
	return text
}

func (a *Hierarchy) redacted(o Options) *Hierarchy {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Answer
	found.Symbols, found.Candidates = o.definitions(found.Symbols), o.definitions(found.Candidates)
	found.Lines = slices.Clone(found.Lines)
	for i := range found.Lines {
		l := &found.Lines[i]
		l.At.Text = o.hidden(l.At.Path, l.At.Text)
	}
	b.Answer = &found
	return &b
}

// DrawnHierarchy is a hierarchy whose text is a diagram.
type DrawnHierarchy struct {
	*Hierarchy
	As Diagram
}

// Text writes the symbols that the answer shows as a diagram: an arrow from each
// lower one to what stands above it, dotted where that is not certain. What the
// answer says besides is in comments.
func (d DrawnHierarchy) Text(o Options) string {
	a := d.redacted(o)
	if len(a.Candidates) > 0 || len(a.Lines) == 0 {
		return a.Text(o)
	}
	g := diagram{as: d.As, numbers: map[string]int{}}
	for i := range a.Lines {
		l := &a.Lines[i]
		id := l.ID
		switch {
		case id == "" && l.Name == "":
			id = fmt.Sprintf("%s:%d", l.At.Path, l.At.Line)
		case id == "":
			id = l.Name
		}
		lower, upper := g.node(l.Above), g.node(id)
		if l.Direction == hierarchy.Down {
			lower, upper = upper, lower
		}
		g.arrow(lower, upper, string(l.Relation), l.Confidence != facts.Certain)
	}
	return g.text(a.head(o, len(a.Lines)), a.foot(o, len(a.Lines)))
}
