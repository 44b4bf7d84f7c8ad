package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/across"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/seen"
	"espy/internal/tasks"
)

// Symbols lists the definitions of a symbol in one repository.
type Symbols struct {
	Request *nav.SymbolRequest
	In      across.Searched
	*nav.Symbols
}

// Text writes definitions, the likeliest first.
func (a *Symbols) Text(o Options) string {
	o = o.over(&a.In)
	a = a.redacted(o)
	blocks := make([]string, len(a.Definitions))
	for i := range a.Definitions {
		blocks[i] = definition(&a.Definitions[i], a.holds(o, &a.Definitions[i]), o)
	}
	text, _ := layout{
		lines: a.lines,
		head: func(shown int) string {
			what := wanted(a.Request.Target)
			if a.Use != nil {
				what = fmt.Sprintf("the %s of %s at %s", a.Use.Role, place.Symbol(a.Use.Name), what)
			}
			if a.Elsewhere != nil {
				what += elsewhereNote(a.Elsewhere)
			}
			return fmt.Sprintf("%s%s of %s, %s", firstOf(a.Offset), of(shown, a.Total, "definition"), what, searchedIn(&a.In))
		},
		blocks: blocks,
		foot:   func(shown int) []string { return symbolFoot(a, o, shown) },
	}.text(o)
	return text
}

// tasks are the open ones that name the first few definitions or their files.
func (a *Symbols) tasks(o Options, shown int) (list []*tasks.Task) {
	if o.Tasks == nil {
		return nil
	}
	for _, d := range a.Definitions[:shown] {
		repo, path := repoOf(&a.In, d.Path)
		list = about(list, o.Tasks.Of(repo, path, cmp.Or(d.ID, d.QualifiedName))...)
	}
	return list
}

// lines are those of the code that the first few definitions show.
func (a *Symbols) lines(shown int) (all []seen.File) {
	for _, d := range a.Definitions[:shown] {
		if d.Body != "" {
			repo, path := repoOf(&a.In, d.Path)
			all = append(all, seen.File{Repo: repo, Path: path, Runs: []seen.Run{{First: d.Line, Last: d.EndLine}}})
		}
	}
	return all
}

// holds reports whether the reader has the code of a definition.
func (a *Symbols) holds(o Options, d *locate.Definition) bool {
	repo, path := repoOf(&a.In, d.Path)
	for n := d.Line; n <= d.EndLine; n++ {
		if !o.Seen.Has(repo, path, n) {
			return false
		}
	}
	return d.Body != ""
}

// firstOf says where the shown results begin, if earlier ones are left out.
func firstOf(offset int) string {
	if offset == 0 {
		return ""
	}
	return fmt.Sprintf("from %d: ", offset+1)
}

func of(shown, total int, noun string) string {
	return ofSome(shown, total, false, noun)
}

// ofSome is of, of what may not all have been found.
func ofSome(shown, total int, more bool, noun string) string {
	if shown == total {
		return counted(total, more, noun)
	}
	return fmt.Sprintf("%d of %s", shown, counted(total, more, noun))
}

// wanted names the target of a question.
func wanted(t locate.Target) string {
	if t.Name != "" {
		return place.Symbol(t.Name)
	}
	return targetPlace(t)
}

func targetPlace(t locate.Target) string {
	at := fmt.Sprintf("%s:%d", t.Path, t.Line)
	if t.Column > 0 {
		at += fmt.Sprintf(":%d", t.Column)
	}
	return place.Name(at)
}

// maxDocLines is how much documentation a definition shows without its body.
const maxDocLines = 4

// definition writes one declaration: place, signature, documentation, or its code
// unless the reader has that.
func definition(d *locate.Definition, held bool, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s %s %s", o.color(o.name(d.Path), colorPath), o.color(span(d.Line, d.EndLine), colorNumber), d.Kind, place.Symbol(d.QualifiedName))
	if d.Reason != "" {
		fmt.Fprintf(&b, " (%s: %s)", d.Confidence, clean(d.Reason))
	}
	b.WriteByte('\n')
	if d.ID != "" {
		fmt.Fprintf(&b, "  id %s, %s by name\n", o.name(d.ID), count(d.Uses, "use"))
	}
	text := d.Signature
	if d.Body != "" && !held {
		text = d.Body
	}
	indented(&b, text)
	if held {
		b.WriteString(shownMark(d.EndLine - d.Line + 1))
	}
	if d.Body == "" && d.Doc != "" {
		lines := strings.Split(d.Doc, "\n")
		indented(&b, strings.Join(lines[:min(len(lines), maxDocLines)], "\n"))
	}
	return b.String()
}

// indented writes the lines of a text, indented by two spaces.
func indented(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("  " + clean(strings.TrimRight(line, "\r\n")) + "\n")
	}
}

func symbolFoot(a *Symbols, o Options, shown int) []string {
	var foot []string
	if a.Total+a.Apart == 0 && a.Request.Name != "" {
		what := "nothing of that name is declared"
		if a.Unread != "" {
			what = "no grammar found a declaration of that name"
		}
		foot = unknownNote(a.In.All(), what, o)
	}
	foot = append(foot, a.broughtNotes(o)...)
	if len(a.Named) > 0 {
		foot = append(foot, "files of that name: "+o.names(a.Named, len(a.Named)))
	}
	foot = append(foot, lateNotes(&a.In)...)
	foot = append(foot, openFoot(o.Tasks, a.tasks(o, shown))...)
	foot = append(append(foot, unparsedNote(a.Failed, o)...), navNotes(a.Pending, a.Near)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	foot = append(foot, apartNote(a.Apart, "definition")...)
	switch {
	case shown == 0 && a.Apart > 0 && a.Request.Name != "":
		return append(foot, "next: "+o.call("symbol", arg{"symbol", a.Request.Name})+" # in all files")
	case shown == 0 && len(a.Named) > 0:
		return append(foot, "next: "+o.call("outline", arg{"path", o.name(a.Named[0])}))
	case a.Unread != "" && !hasOutline(a.Unread):
		foot = append(foot, fmt.Sprintf("note: the name stands in files of %s, of which no declarations are known: they are searched as text", a.Unread))
		return append(foot, "next: "+o.call("search", arg{"query", lastName(a.Request.Name)}))
	case a.Unread != "":
		foot = append(foot, fmt.Sprintf("note: the name stands in files of a language that is not parsed, %s; search finds definitions there line by line", a.Unread))
		return append(foot, "next: "+o.call("search", arg{"query", "symbol:" + lastName(a.Request.Name)}))
	case a.Brought != nil:
		return append(foot, "next: "+o.call("references", arg{"symbol", a.Request.Name}))
	case shown == 0 && a.Request.Name != "":
		return append(foot, "next: "+o.call("search", arg{"query", lastName(a.Request.Name)}))
	case shown == 0:
		return append(foot, "next: "+o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(a.Request.Path), a.Request.Line)}))
	}
	if d := &a.Definitions[0]; d.ID == "" || d.Uses == 0 {
		return append(foot, "next: "+o.call("read", arg{"path", o.name(d.Path) + ":" + span(d.Line, d.EndLine)}))
	}
	return append(foot, "next: "+o.call("references", arg{"symbol", a.Definitions[0].ID}))
}

// broughtNotes say where imports take a name from that no code declares, and what passes
// it on.
func (a *Symbols) broughtNotes(o Options) (notes []string) {
	if a.Brought != nil {
		note := "note: code takes it from " + place.Name(a.Brought.From)
		if a.Brought.More > 0 {
			note += fmt.Sprintf(" and %d more", a.Brought.More)
		}
		notes = append(notes, note)
	}
	if len(a.Passed) > 0 {
		lines := make([]string, len(a.Passed))
		for i, p := range a.Passed {
			lines[i] = fmt.Sprintf("%s:%d", p.Path, p.First)
		}
		notes = append(notes, "passed on to others by: "+o.names(lines, len(lines)))
	}
	return notes
}

// apartNote counts what stands in files that are not asked for.
func apartNote(n int, noun string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not listed: %s in files that path leaves out", count(n, noun))}
}

// hasOutline reports whether definitions of a language are found line by line.
func hasOutline(language string) bool {
	l, ok := lang.ByName(language)
	return ok && l.Outline
}

// lastName returns the bare name at the end of a qualified one.
func lastName(name string) string {
	return name[strings.LastIndexAny(name, ".:#/")+1:]
}

// unreadNote says that no grammar found a name, and where lines tell of it, whose uses
// are not known.
func unreadNote(in hit.Searched, outlined string, o Options) []string {
	if outlined != "" {
		return append([]string{"note: declared at " + clean(outlined) + ", which is read line by line, without a grammar: its uses are known as text alone"}, notes(in.Notes)...)
	}
	return unknownNote(in, "no grammar found a declaration of that name", o)
}

// besideNote says where code without a grammar declares a name too, whose uses are not in
// the answer.
func besideNote(beside, name string, o Options) []string {
	if beside == "" {
		return nil
	}
	return []string{fmt.Sprintf("note: %s declares the name too, and is read line by line, without a grammar: %s", clean(beside), o.call("symbol", arg{"symbol", name}))}
}

// namesakesNote says that other symbols have a name too: Ask.Program.
func namesakesNote(n int, name string, o Options) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("note: %s of the name in tests, examples, generated or vendored code or as the module of a file: %s", count(n, "more symbol"), o.call("symbol", arg{"symbol", name}))}
}

// unknownNote says where a name that nothing declares was looked for: what says "nothing
// of that name is declared", or less where only files that a grammar reads count.
func unknownNote(in hit.Searched, what string, o Options) []string {
	text := "note: " + what + " in " + count(in.Files, "file")
	if pending := in.Freshness.SyntaxPending; pending > 0 {
		text = "note: " + what + " in " + count(max(0, in.Files-pending), "file") + " whose symbols are known"
	}
	if in.Excluded > 0 {
		text += fmt.Sprintf("; %s left out of the index: %s", count(in.Excluded, "file"), o.call("files", arg{"excluded", true}))
	}
	return append([]string{text}, notes(in.Notes)...)
}

// unparsedNote says of how many files nothing is known, in an answer that found
// nothing.
func unparsedNote(failed int, o Options) []string {
	if failed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("note: %s cannot be parsed, and what they declare and use is not known: %s", count(failed, "file"), o.call("files", arg{"unparsed", true}))}
}

// navNotes names what is missing in an answer about symbols.
func navNotes(pending int, near []string) []string {
	var foot []string
	if pending > 0 {
		foot = append(foot, fmt.Sprintf("note: syntax pending: %s not parsed yet; their symbols and uses are missing", count(pending, "file")))
	}
	if len(near) > 0 {
		names := make([]string, len(near))
		for i, n := range near {
			names[i] = place.Name(n)
		}
		foot = append(foot, "did you mean: "+strings.Join(names, ", "))
	}
	return foot
}

// more counts the results that are left out, and says how to see them.
func more(left, next int, o Options) []string {
	switch {
	case left <= 0:
		return nil
	case o.Cursor != nil:
		return []string{fmt.Sprintf("left out: %d more; same call with cursor=%s", left, quoteText(o.Cursor(next)))}
	}
	return []string{fmt.Sprintf("left out: %d more; --offset %d", left, next)}
}

type symbolsJSON struct {
	Total       int              `json:"total"`
	Offset      int              `json:"offset,omitempty"`
	Apart       int              `json:"left_out_by_path,omitempty"`
	Freshness   freshnessJSON    `json:"freshness"`
	Across      *severalJSON     `json:"across,omitempty"`
	Definitions []definitionJSON `json:"definitions"`
	Elsewhere   *elsewhereJSON   `json:"declared_elsewhere,omitempty"`
	Near        []string         `json:"near,omitempty"`
	Use         *referenceJSON   `json:"use,omitempty"`
	Pending     int              `json:"syntax_pending_files,omitempty"`
	Failed      int              `json:"unparsed_count,omitempty"`    // where nothing was found
	Unread      string           `json:"unparsed_language,omitempty"` // of files with the name, where nothing was found
	Named       []string         `json:"files_of_that_name,omitempty"`
	Brought     *elsewhereJSON   `json:"taken_from,omitempty"` // where imports take it from, where no code declares it
	Passed      []passedJSON     `json:"passed_on,omitempty"`  // lines that give it to others
	OpenTasks   []openTask       `json:"open_tasks,omitempty"` // that name a definition or its file
	Cursor      string           `json:"cursor,omitempty"`
	Seen        string           `json:"seen,omitempty"`
	Notes       []string         `json:"notes,omitempty"` // of one repository; else of across
}

type passedJSON struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

type definitionJSON struct {
	Repo          string `json:"repo"`
	ID            string `json:"id,omitempty"` // none of what was found line by line
	Path          string `json:"path"`
	PathQuoted    string `json:"path_quoted,omitempty"`
	Line          int    `json:"line"`
	Column        int    `json:"column"`
	EndLine       int    `json:"end_line"`
	Name          string `json:"name"`
	QualifiedName string `json:"qualified_name"`
	Kind          string `json:"kind"`
	Exported      bool   `json:"exported"`
	Signature     string `json:"signature"`
	Doc           string `json:"doc,omitempty"`
	Body          string `json:"body,omitempty"`
	Held          bool   `json:"body_held,omitempty"` // the body is left out, for the caller has it
	Uses          int    `json:"uses_of_name"`
	Confidence    string `json:"confidence,omitempty"`
	Reason        string `json:"reason,omitempty"`
}

func newDefinitionJSON(repo string, d *locate.Definition) definitionJSON {
	v := definitionJSON{
		Repo: repo, ID: d.ID, Path: d.Path, PathQuoted: quotedIfBroken(d.Path), Line: d.Line, Column: d.Column, EndLine: d.EndLine,
		Name: d.Name, QualifiedName: d.QualifiedName, Kind: d.Kind.String(), Exported: d.Exported, Signature: d.Signature, Doc: d.Doc,
		Body: d.Body, Uses: d.Uses, Reason: d.Reason,
	}
	if d.Reason != "" {
		v.Confidence = d.Confidence.String()
	}
	return v
}

// definitionsIn are the JSON forms of definitions, each with its repository.
func definitionsIn(in *across.Searched, list []locate.Definition) []definitionJSON {
	all := make([]definitionJSON, len(list))
	for i := range list {
		repo, path := repoOf(in, list[i].Path)
		all[i] = newDefinitionJSON(repo, &list[i])
		all[i].Path, all[i].PathQuoted = path, quotedIfBroken(path)
	}
	return all
}

// JSON writes as many definitions as the bound of o allows.
func (a *Symbols) JSON(o Options) []byte {
	o = o.over(&a.In)
	a = a.redacted(o)
	v := symbolsJSON{
		Across: newSeveralJSON(&a.In), Total: a.Total, Offset: a.Offset, Apart: a.Apart, Freshness: freshnessJSON(a.In.All().Freshness), Near: a.Near, Pending: a.Pending, Failed: a.Failed, Unread: a.Unread, Named: a.Named,
		Definitions: definitionsIn(&a.In, a.Definitions), OpenTasks: openJSON(a.tasks(o, len(a.Definitions))),
	}
	if !a.In.Several {
		v.Notes = a.In.Notes
	}
	if a.Elsewhere != nil {
		v.Elsewhere = &elsewhereJSON{Name: a.Elsewhere.Name, From: a.Elsewhere.From}
	}
	if a.Brought != nil {
		v.Brought = &elsewhereJSON{Name: a.Brought.Name, From: a.Brought.From, More: a.Brought.More}
	}
	for _, p := range a.Passed {
		v.Passed = append(v.Passed, passedJSON{p.Path, p.First})
	}
	if a.Use != nil {
		repo, path := repoOf(&a.In, a.Request.Path)
		use := newReferenceJSON(repo, path, a.Use)
		v.Use = &use
	}
	for i := range a.Definitions {
		if a.holds(o, &a.Definitions[i]) {
			v.Definitions[i].Body, v.Definitions[i].Held = "", true
		}
	}
	text, shown := paged(o, len(v.Definitions), func(shown int) any {
		v.Definitions, v.Cursor, v.Seen = v.Definitions[:shown], nextCursor(o.Cursor, a.Total, a.Offset, shown), o.seenToken(a.lines(shown))
		return v
	})
	o.keep(a.lines(shown))
	return text
}

func (o Options) definitions(list []locate.Definition) []locate.Definition {
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		d.Signature, d.Doc, d.Body = o.hidden(d.Path, d.Signature), o.hidden(d.Path, d.Doc), o.hidden(d.Path, d.Body)
	}
	return list
}

func (a *Symbols) redacted(o Options) *Symbols {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Symbols
	found.Definitions = o.definitions(found.Definitions)
	if found.Use != nil {
		use := *found.Use
		use.Text = o.hidden(a.Request.Path, use.Text)
		found.Use = &use
	}
	b.Symbols = &found
	return &b
}
