package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/across"
	"espy/internal/calls"
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/seen"
)

// CallTree is the answer to who calls a symbol and what it calls.
type CallTree struct {
	In across.Searched
	*calls.Answer
}

// Text writes the calls as a tree, one line each with the line of code that proves
// it. If several symbols have the name, it lists these instead.
func (a *CallTree) Text(o Options) string {
	o = o.over(&a.In)
	a = a.redacted(o)
	if len(a.Candidates) > 0 {
		return a.which(o)
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
func (a *CallTree) what(o Options) string {
	switch {
	case a.File != "":
		return o.name(a.File)
	case len(a.Symbols) > 0:
		return o.name(a.Symbols[0].ID)
	case a.Elsewhere != "":
		return place.Name(a.Elsewhere) + ", which is declared elsewhere"
	}
	return wanted(a.Request.Target)
}

func (a *CallTree) head(o Options, shown int) string {
	in := searchedIn(&a.In)
	if a.Request.To != "" {
		goal := place.Name(a.Request.To)
		if len(a.Goal) > 0 {
			goal = o.name(a.Goal[0].ID)
		}
		if a.Total == 0 {
			return fmt.Sprintf("no way of calls found from %s to %s, %s", a.what(o), goal, in)
		}
		return fmt.Sprintf("%s%s from %s to %s, %s", a.page(shown), count(a.Total, "step"), a.what(o), goal, in)
	}
	noun := map[calls.Direction]string{calls.Callers: "caller", calls.Callees: "callee", calls.Both: "caller and callee"}[a.Request.Direction]
	if a.Outlined != "" { // all of it is possible
		noun = "possible " + noun
	}
	number := strings.Replace(counted(a.Direct, a.Left > 0, noun), "caller and callees", "callers and callees", 1)
	head := fmt.Sprintf("%s%s of %s", a.page(shown), number, a.what(o))
	if a.Request.Depth > 1 {
		head += fmt.Sprintf(", %s in %d steps", count(a.Symbol, "symbol"), a.Request.Depth)
	}
	return head + ", " + in
}

// page says which lines of all a part shows.
func (a *CallTree) page(shown int) string {
	if a.Offset == 0 && shown == a.Total {
		return ""
	}
	return fmt.Sprintf("lines %d-%d of %d: ", a.Offset+1, a.Offset+shown, a.Total)
}

// blocks writes one line for each step.
func (a *CallTree) blocks(o Options) []string {
	blocks := make([]string, len(a.Steps))
	said := doubts{}
	for i := range a.Steps {
		s := &a.Steps[i]
		heading := ""
		if s.Direction == calls.Callees && s.Depth == 1 && (i == 0 || a.Steps[i-1].Direction == calls.Callers) {
			heading = o.color(o.name(s.At.Path), colorPath) + "\n"
		}
		if i == 0 && len(a.Through) > 0 {
			heading = "below " + names(a.Through, calls.MaxDepth) + ":\n"
		}
		if a.Request.Direction == calls.Both && (i == 0 || s.Direction != a.Steps[i-1].Direction) {
			heading = string(s.Direction) + ":\n" + heading
		}
		blocks[i] = heading + a.step(s, said.next(s.Confidence, s.Reason, facts.Certain), o)
	}
	return blocks
}

// step writes one line: the place and the line that prove the call, the symbol, and
// what there is to know of it. A caller stands at its call. A call stands in the
// file of the symbol above it, so its line is enough.
func (a *CallTree) step(s *calls.Step, doubt string, o Options) string {
	name := o.name(s.ID)
	if s.Path == s.At.Path && s.Kind != code.KindUnknown {
		name = place.Name(strings.TrimPrefix(s.ID, s.Path+"#"))
	}
	at := o.color(fmt.Sprint(s.At.Line), colorNumber)
	if s.Direction == calls.Callers || !strings.HasPrefix(s.Above, s.At.Path) {
		at = o.color(o.name(s.At.Path), colorPath) + ":" + at
	}
	if s.Direction == calls.Callers && s.Kind == code.KindUnknown {
		name = "top of file"
	}
	text := short(s.At.Text, 120)
	repo, path := repoOf(&a.In, s.At.Path)
	switch {
	case s.Relation == calls.MayRun && s.Direction == calls.Callees:
		text = "the same call"
	case o.Seen.Has(repo, path, s.At.Line):
		text = "[shown]"
	}
	notes := ""
	if all := stepNotes(s, doubt); len(all) > 0 {
		notes = " (" + strings.Join(all, "; ") + ")"
	}
	return fmt.Sprintf("%s%s %s: %s%s\n", strings.Repeat("  ", s.Depth-1), at, name, text, notes)
}

func stepNotes(s *calls.Step, doubt string) []string {
	var notes []string
	if s.Relation != calls.Call {
		notes = append(notes, string(s.Relation))
	}
	if doubt != "" {
		notes = append(notes, doubt)
	}
	if s.Among > 1 {
		notes = append(notes, fmt.Sprintf("1 of %d", s.Among))
	}
	if s.Times > 1 {
		notes = append(notes, times(s.Times))
	}
	switch {
	case s.Cycle:
		notes = append(notes, "cycle")
	case s.Again:
		notes = append(notes, "again: its calls are listed once")
	}
	return notes
}

// lines are those of the first few steps.
func (a *CallTree) lines(shown int) (all []seen.File) {
	for _, s := range a.Steps[:min(shown, len(a.Steps))] {
		repo, path := repoOf(&a.In, s.At.Path)
		all = append(all, oneLineOf(repo, path, s.At.Line))
	}
	return all
}

func (a *CallTree) foot(o Options, shown int) []string {
	var foot []string
	if a.Unclear != "" {
		foot = append(foot, unreadNote(a.In.All(), a.Outlined, o)...)
	}
	foot = append(foot, lateNotes(&a.In)...)
	foot = append(foot, unparsedNote(a.Failed, o)...)
	foot = append(foot, navNotes(a.Pending, a.Near)...)
	foot = append(foot, besideNote(a.Beside, a.Request.Name, o)...)
	foot = append(foot, namesakesNote(a.Namesakes, a.Request.Name, o)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	foot = append(foot, a.notes(o)...)
	return append(foot, "next: "+a.next(o))
}

// notes say what was done and what is not in the answer.
func (a *CallTree) notes(o Options) []string {
	var foot []string
	if a.Left > 0 {
		why := "there are too many"
		if a.Late {
			why = "the time was over"
		}
		foot = append(foot, fmt.Sprintf("partial: %s not followed: %s", count(a.Left, "symbol"), why))
	}
	if len(a.Symbols) > 0 && isType(&a.Symbols[0]) {
		text := "note: it is a type: its callers are those that make a value of it"
		if a.Members > 0 {
			text += fmt.Sprintf(", its callees those of its functions (%d)", a.Members)
		}
		foot = append(foot, text)
	}
	if len(a.Fulfils) > 0 {
		foot = append(foot, "note: it fulfils "+names(a.Fulfils, 3)+" of the standard library, through which code from elsewhere may call it")
	}
	if a.Starts > 0 {
		of := "them"
		if a.Starts > calls.MaxStarts {
			of = fmt.Sprintf("the first %d", calls.MaxStarts)
		}
		foot = append(foot, fmt.Sprintf("note: %s names %s; a way leads from %d of %s, the shortest from this one", place.Symbol(a.Request.Name), count(a.Starts, "symbol"), a.Ways, of))
	}
	if a.Reverse {
		foot = append(foot, "note: the other way round there is one: "+o.call("calls", arg{"symbol", a.Goal[0].ID}, arg{"to", a.subject(o).value}))
	}
	if a.Unknown > 0 {
		foot = append(foot, fmt.Sprintf("not listed: %s of which it is not known what they mean: %s", count(a.Unknown, "call"), o.call("calls", a.again(o, arg{"possible", true})...)))
	}
	foot = append(foot, apartNote(a.Apart, "step")...)
	if a.Possible > 0 {
		foot = append(foot, fmt.Sprintf("not listed: %s that may mean something else: %s", count(a.Possible, "possible call"), o.call("calls", a.again(o, arg{"possible", true})...)))
	}
	return foot
}

func isType(d *locate.Definition) bool { return d.Kind.IsType() }

// subject is the argument that names what was asked about.
func (a *CallTree) subject(o Options) arg {
	switch {
	case a.File != "":
		return arg{"symbol", o.name(a.File)}
	case len(a.Symbols) > 0:
		return arg{"symbol", a.Symbols[0].ID}
	case a.Request.Name != "":
		return arg{"symbol", a.Request.Name}
	}
	return arg{"at", targetPlace(a.Request.Target)}
}

// again are the arguments of the same question with another one.
func (a *CallTree) again(o Options, more arg) []arg {
	args := []arg{a.subject(o)}
	switch {
	case a.Request.To != "":
		args = append(args, arg{"to", a.Request.To})
	case a.Request.Direction == calls.Callers:
	case o.Calls == ToolCalls:
		args = append(args, arg{"direction", string(a.Request.Direction)})
	default:
		if a.Request.Direction == calls.Both {
			args = append(args, arg{"callers", true})
		}
		args = append(args, arg{"callees", true})
	}
	if a.Request.Depth > 1 {
		args = append(args, arg{"depth", a.Request.Depth})
	}
	return append(args, more)
}

func (a *CallTree) next(o Options) string {
	switch {
	case len(a.Steps) > 0:
		s := &a.Steps[0]
		return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(s.At.Path), s.At.Line)})
	case len(a.Symbols) > 0:
		return o.call("references", arg{"symbol", a.Symbols[0].ID})
	case a.File != "":
		return o.call("read", arg{"path", o.name(a.File)})
	case a.Request.Name != "" && a.Outlined != "" && a.Request.Direction == calls.Callers:
		return o.call("references", arg{"symbol", a.Request.Name}, arg{"kind", string(nav.KindCalls)})
	case a.Request.Name != "":
		return o.call("search", arg{"query", lastName(a.Request.Name)})
	}
	return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(a.Request.Path), a.Request.Line)})
}

// which writes the symbols that a name may mean.
func (a *CallTree) which(o Options) string {
	return choice{&a.In, a.Unclear, a.Candidates, a.Pending, a.Beside, func(id string) string {
		if len(a.Symbols) > 0 || a.File != "" {
			return o.call("calls", a.subject(o), arg{"to", id})
		}
		if a.Request.To != "" {
			return o.call("calls", arg{"symbol", id}, arg{"to", a.Request.To})
		}
		return o.call("calls", arg{"symbol", id})
	}}.text(o)
}

type callsJSON struct {
	Total      int              `json:"total"`
	Direct     int              `json:"direct"`
	Reached    int              `json:"symbols_reached"`
	Offset     int              `json:"offset,omitempty"`
	Direction  calls.Direction  `json:"direction"`
	Depth      int              `json:"depth,omitempty"`
	Precision  string           `json:"precision"` // heuristic: from the index, not from a language server
	Freshness  freshnessJSON    `json:"freshness"`
	Across     *severalJSON     `json:"across,omitempty"`
	Symbols    []definitionJSON `json:"symbols"`
	File       string           `json:"file,omitempty"` // whose code outside of functions was asked about
	To         []definitionJSON `json:"to,omitempty"`
	Edges      []edgeJSON       `json:"edges"`
	Apart      int              `json:"left_out_by_path,omitempty"`
	Possible   int              `json:"possible_not_listed,omitempty"`
	Unknown    int              `json:"unknown_not_listed,omitempty"`
	Members    int              `json:"functions_of_type,omitempty"`
	Fulfils    []string         `json:"fulfils,omitempty"`         // interfaces of the standard library by which code from elsewhere may call it
	Starts     int              `json:"starts,omitempty"`          // with to: symbols that the name may mean, where there are several
	Ways       int              `json:"ways,omitempty"`            // of them, those from which a way leads there; the shortest is shown
	Reverse    bool             `json:"other_way_round,omitempty"` // there is a way from the goal to the symbol
	Candidates []definitionJSON `json:"candidates,omitempty"`
	Elsewhere  string           `json:"declared_elsewhere,omitempty"`
	Near       []string         `json:"near,omitempty"`
	Outlined   string           `json:"outlined,omitempty"`
	Beside     string           `json:"beside,omitempty"`    // where code without a grammar declares the name too
	Namesakes  int              `json:"namesakes,omitempty"` // symbols of the name in tests, examples, generated or vendored code that were passed over
	Pending    int              `json:"syntax_pending_files,omitempty"`
	Partial    bool             `json:"partial,omitempty"` // not every symbol was followed
	Left       int              `json:"not_followed,omitempty"`
	Failed     int              `json:"unparsed_count,omitempty"` // where nothing was found
	Cursor     string           `json:"cursor,omitempty"`
	Seen       string           `json:"seen,omitempty"`
	Notes      []string         `json:"notes,omitempty"` // of one repository; else of across
}

// edgeJSON is a call from one symbol to another: ids, or the path alone for code at
// the top of a file. Edges are in the order of the tree: depth says whose branch
// one continues.
type edgeJSON struct {
	Depth      int            `json:"depth"`
	From       string         `json:"from"`
	To         string         `json:"to"`
	Relation   calls.Relation `json:"relation"`
	Confidence string         `json:"confidence"`
	Reason     string         `json:"reason,omitempty"`
	Repo       string         `json:"repo,omitempty"` // of the use that proves it, in an answer over several
	Path       string         `json:"path"`           // of the use that proves it
	PathQuoted string         `json:"path_quoted,omitempty"`
	Line       int            `json:"line"`
	Text       string         `json:"text"`
	Held       bool           `json:"held,omitempty"` // the text is left out, for the caller has it
	Times      int            `json:"times"`
	Among      int            `json:"one_of,omitempty"` // symbols that the use may mean
	Again      bool           `json:"again,omitempty"`  // what follows is listed elsewhere
	Cycle      bool           `json:"cycle,omitempty"`
}

func (a *CallTree) edges(o Options) []edgeJSON {
	all := make([]edgeJSON, len(a.Steps))
	for i := range a.Steps {
		s := &a.Steps[i]
		repo, path := repoOf(&a.In, s.At.Path)
		e := edgeJSON{
			Depth: s.Depth, From: s.ID, To: s.Above, Relation: s.Relation, Confidence: s.Confidence.String(), Reason: s.Reason,
			Path: path, PathQuoted: quotedIfBroken(path), Line: s.At.Line, Text: s.At.Text,
			Times: s.Times, Again: s.Again, Cycle: s.Cycle,
		}
		if s.Direction == calls.Callees {
			e.From, e.To = s.Above, s.ID
		}
		if s.Among > 1 {
			e.Among = s.Among
		}
		if a.In.Several {
			e.Repo = repo
		}
		if o.Seen.Has(repo, e.Path, e.Line) {
			e.Text, e.Held = "", true
		}
		all[i] = e
	}
	return all
}

// JSON writes as many calls as the bound of o allows.
func (a *CallTree) JSON(o Options) []byte {
	o = o.over(&a.In)
	a = a.redacted(o)
	v := callsJSON{
		Across: newSeveralJSON(&a.In), Total: a.Total, Direct: a.Direct, Reached: a.Symbol, Offset: a.Offset, Direction: a.Request.Direction, Depth: a.Request.Depth, Precision: "heuristic",
		Freshness: freshnessJSON(a.In.All().Freshness), Symbols: definitionsIn(&a.In, a.Symbols), File: a.File,
		Candidates: definitionsIn(&a.In, a.Candidates), To: definitionsIn(&a.In, a.Goal),
		Apart: a.Apart, Possible: a.Possible, Unknown: a.Unknown, Members: a.Members, Fulfils: a.Fulfils, Starts: a.Starts, Ways: a.Ways, Reverse: a.Reverse, Elsewhere: a.Elsewhere, Near: a.Near, Outlined: a.Outlined, Beside: a.Beside, Namesakes: a.Namesakes,
		Pending: a.Pending, Partial: a.Left > 0, Left: a.Left, Failed: a.Failed,
	}
	if a.Request.To != "" {
		v.Depth = 0
	}
	if !a.In.Several {
		v.Notes = a.In.Notes
	}
	edges := a.edges(o)
	text, shown := paged(o, len(edges), func(shown int) any {
		v.Seen = o.seenToken(a.lines(shown))
		v.Edges, v.Cursor = edges[:shown], nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
	o.keep(a.lines(shown))
	return text
}

func (a *CallTree) redacted(o Options) *CallTree {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Answer
	found.Symbols, found.Candidates, found.Goal = o.definitions(found.Symbols), o.definitions(found.Candidates), o.definitions(found.Goal)
	found.Steps = slices.Clone(found.Steps)
	for i := range found.Steps {
		s := &found.Steps[i]
		s.At.Text = o.hidden(s.At.Path, s.At.Text)
	}
	b.Answer = &found
	return &b
}
