package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/across"
	"espy/internal/facts"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/seen"
)

// References lists the uses of a symbol in one repository.
type References struct {
	Request *nav.ReferencesRequest
	In      across.Searched
	*nav.References
}

// Text writes the uses of a symbol grouped by file: certain and likely ones, then
// possible ones. If several symbols have the name, it lists these instead.
func (a *References) Text(o Options) string {
	o = o.over(&a.In)
	a = a.redacted(o)
	if len(a.Candidates) > 0 {
		return candidates(a, o)
	}
	text, _ := layout{
		lines:  a.lines,
		head:   func(shown int) string { return referencesHead(a, o, shown) },
		blocks: referenceBlocks(a, o),
		foot:   func(shown int) []string { return referencesFoot(a, o, shown) },
	}.text(o)
	return text
}

func referencesHead(a *References, o Options, shown int) string {
	noun, of := "reference", "to"
	if a.Request.Kind != "" && a.Request.Kind != nav.KindAll {
		noun, of = strings.TrimSuffix(string(a.Request.Kind), "s"), "of"
	}
	what := wanted(a.Request.Target)
	switch {
	case a.Instead != "":
		what = place.Symbol(a.Instead)
	case len(a.Symbols) > 1 && a.Request.Union:
		what += ", which " + count(len(a.Symbols), "declaration") + " name"
	case len(a.Symbols) > 0:
		what = o.name(a.Symbols[0].ID)
	}
	if a.Elsewhere != nil {
		what = place.Symbol(a.Elsewhere.Name) + elsewhereNote(a.Elsewhere)
	}
	total, possible := a.Total, a.Possible
	if a.Request.Kind == nav.KindMentions { // each is one for sure
		total, possible = possible, 0
	}
	head := fmt.Sprintf("%s %s %s", counted(total, a.Left > 0, noun), of, what)
	part := a.Offset > 0 || a.Offset+shown < a.Total+a.Possible
	if part {
		head = pageOf(a, shown) + head
	}
	if a.Total > 0 {
		head += fmt.Sprintf(", %d certain", a.Certain)
	}
	if possible > 0 {
		head += fmt.Sprintf(", and %d possible", possible)
	}
	if files := a.files(); files > 0 && !part {
		head += ", in " + count(files, "file")
	}
	return head + ", " + searchedIn(&a.In)
}

// files counts the files of the uses that are listed.
func (a *References) files() int {
	paths := map[string]bool{}
	for _, f := range slices.Concat(a.Files, a.Maybe) {
		paths[f.Path] = true
	}
	return len(paths)
}

// elsewhereNote says that no file declares a name, and where it comes from.
func elsewhereNote(e *nav.Elsewhere) string {
	note := ", which is declared elsewhere"
	if e.From != "" && e.From != e.Name {
		note += " (" + place.Name(e.From)
		if e.More > 0 {
			note += fmt.Sprintf(" and %d more", e.More)
		}
		note += ")"
	}
	return note
}

// pageOf says which of all uses a page lists: "1-5 of ", or "1-5 of 113: " where
// the possible ones, which the count that follows does not have, are numbered too.
func pageOf(a *References, shown int) string {
	page := fmt.Sprintf("%d-%d of ", a.Offset+1, a.Offset+shown)
	if a.Possible > 0 && a.Request.Kind != nav.KindMentions {
		page += fmt.Sprintf("%d: ", a.Total+a.Possible)
	}
	return page
}

// referenceBlocks writes one block for each reference. The first one of a file
// follows the path of the file.
func referenceBlocks(a *References, o Options) []string {
	var blocks []string
	add := func(files []nav.FileReferences, title string, under facts.Confidence) {
		said := doubts{}
		for _, f := range files {
			heading := title + o.color(o.name(f.Path), colorPath) + "\n"
			repo, path := repoOf(&a.In, f.Path)
			for i := range f.References {
				r := &f.References[i]
				doubt := said.next(r.Confidence, r.Reason, under)
				blocks = append(blocks, heading+reference(r, f.Path, doubt, o.Seen.Has(repo, path, r.Line), o))
				heading, title = "", ""
			}
		}
	}
	add(a.Files, "", facts.Certain)
	if a.Request.Kind == nav.KindMentions {
		add(a.Maybe, "", facts.Certain)
	} else {
		add(a.Maybe, "possible, check each one:\n", facts.Possible)
	}
	return blocks
}

// doubts says why uses are not certain, each reason once for the uses in a row that share it.
type doubts struct{ confidence, reason string }

// next is what to say of the next use: "likely: reason", and "likely" where the use before
// has the same reason. Of the confidence that the title above says, only a new reason is.
func (d *doubts) next(c facts.Confidence, reason string, title facts.Confidence) string {
	if c == facts.Certain {
		return ""
	}
	word := c.String()
	known := d.confidence == word && d.reason == reason
	*d = doubts{word, reason}
	switch {
	case !known:
		return word + ": " + clean(reason)
	case c == title:
		return ""
	}
	return word
}

// lines are those of the first few uses.
func (a *References) lines(shown int) (all []seen.File) {
	for _, f := range slices.Concat(a.Files, a.Maybe) {
		repo, path := repoOf(&a.In, f.Path)
		for i := range f.References[:min(shown, len(f.References))] {
			all = append(all, oneLineOf(repo, path, f.References[i].Line))
		}
		shown -= min(shown, len(f.References))
	}
	return all
}

// reference writes one use: line, role, enclosing symbol, the text of the line
// unless the reader has it, and what makes it doubtful.
func reference(r *nav.Reference, path, doubt string, held bool, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s %s", o.color(fmt.Sprint(r.Line), colorNumber), r.Role)
	if r.In != "" {
		b.WriteString(" in " + place.Name(strings.TrimPrefix(r.In, path+"#")))
	}
	text := short(r.Text, 160)
	if held {
		text = "[shown]"
	}
	b.WriteString(": " + text)
	if doubt != "" {
		b.WriteString(" (" + doubt + ")")
	}
	b.WriteByte('\n')
	return b.String()
}

func referencesFoot(a *References, o Options, shown int) []string {
	foot := notLooked(a.Left, "place")
	if len(a.Symbols) == 0 && a.Request.Name != "" && (a.Total+a.Possible == 0 || a.Outlined != "") {
		foot = append(foot, unreadNote(a.In.All(), a.Outlined, o)...)
	}
	if len(a.Named) > 0 {
		foot = append(foot, "files of that name: "+o.names(a.Named, len(a.Named)))
	}
	foot = append(foot, lateNotes(&a.In)...)
	foot = append(foot, unparsedNote(a.Failed, o)...)
	if a.Instead != "" && a.Outlined == "" {
		foot = append(foot, fmt.Sprintf("note: the file of %s is not parsed yet: everything that bears the name is listed", o.name(a.Request.Name)))
	}
	foot = append(foot, navNotes(a.Pending, a.Near)...)
	foot = append(foot, besideNote(a.Beside, a.Request.Name, o)...)
	foot = append(foot, namesakesNote(a.Namesakes, a.Request.Name, o)...)
	foot = append(foot, more(a.Total+a.Possible-a.Offset-shown, a.Offset+shown, o)...)
	foot = append(foot, referencesNotes(a, o)...)
	foot = append(foot, apartNote(a.Apart, map[bool]string{false: "use", true: "mention"}[a.Request.Kind == nav.KindMentions])...)
	switch {
	case a.Total+a.Possible == 0 && a.Apart > 0:
		args := []arg{{"symbol", a.Request.Name}}
		if a.Request.Name == "" {
			args[0] = arg{"at", targetPlace(a.Request.Target)}
		}
		if k := a.Request.Kind; k != "" && k != nav.KindAll {
			args = append(args, arg{"kind", string(k)})
		}
		if a.Request.Union {
			args = append(args, arg{"union", true})
		}
		return append(foot, "next: "+o.call("references", args...)+" # in all files")
	case (a.Elsewhere != nil || a.Outlined != "") && a.Total+a.Possible > 0:
	case len(a.Named) > 0: // who imports it are its users
		return append(foot, "next: "+o.call("dependencies", arg{"path", o.name(a.Named[0])}))
	case len(a.Symbols) == 0 && a.Request.Name != "":
		return append(foot, "next: "+o.call("search", arg{"query", lastName(a.Request.Name)}))
	case len(a.Symbols) == 0:
		return append(foot, "next: "+o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(a.Request.Path), a.Request.Line)}))
	case a.Total+a.Possible == 0:
		return append(foot, "next: "+o.call("references", arg{"symbol", a.Symbols[0].ID}, arg{"kind", string(nav.KindMentions)}))
	}
	return append(foot, "next: "+o.call("read", arg{"path", o.firstReference(a)}))
}

// referencesNotes say which files a change concerns, and what of the name is not
// in the answer.
func referencesNotes(a *References, o Options) []string {
	var foot []string
	if len(a.Update) > 1 || len(a.Update) > 0 && len(a.Check) > 0 {
		line := fmt.Sprintf("if you change it, check %s: %s", count(len(a.Update), "file"), o.names(a.Update, 8))
		if len(a.Check) > 0 {
			line += fmt.Sprintf("; possibly %d more: %s", len(a.Check), o.names(a.Check, 8))
		}
		foot = append(foot, line)
	}
	if len(a.Unparsed) > 0 {
		foot = append(foot, fmt.Sprintf("note: %s with the name could not be parsed: %s", count(len(a.Unparsed), "file"), o.names(a.Unparsed, 8)))
	}
	if a.Others > 0 && (len(a.Symbols) > 0 || a.Elsewhere != nil) {
		name := a.name()
		if len(a.Symbols) > 0 {
			name = a.Symbols[0].Name
		}
		call := o.call("references", arg{"symbol", name}, arg{"union", true})
		foot = append(foot, fmt.Sprintf("not listed: %s of the name that may mean something else: %s", count(a.Others, "use"), call))
	}
	if a.Mentions > 0 {
		call := o.call("references", arg{"symbol", a.name()}, arg{"kind", string(nav.KindMentions)}, arg{"union", true})
		foot = append(foot, fmt.Sprintf("not listed: %s in comments, strings and files without a grammar: %s", count(a.Mentions, "mention"), call))
	}
	return foot
}

// name is the name that the answer is about.
func (a *References) name() string {
	switch {
	case len(a.Symbols) > 0 && a.Request.Name == "":
		return a.Symbols[0].Name
	case a.Elsewhere != nil:
		return a.Elsewhere.Name
	}
	return a.Request.Name
}

// notLooked says what an answer did not look at because its time was over.
func notLooked(left int, noun string) []string {
	if left == 0 {
		return nil
	}
	return []string{fmt.Sprintf("partial: the time was over before %s more could be looked at", count(left, noun))}
}

func (o Options) firstReference(a *References) string {
	f := append(a.Files[:len(a.Files):len(a.Files)], a.Maybe...)[0]
	return fmt.Sprintf("%s:%d", o.name(f.Path), f.References[0].Line)
}

// names joins the first few of a list of files.
func (o Options) names(list []string, most int) string {
	shown := make([]string, len(list))
	for i, n := range list {
		shown[i] = o.Here.Show(n)
	}
	return names(shown, most)
}

// names joins the first few of a list.
func names(list []string, most int) string {
	shown := make([]string, 0, most)
	for _, n := range list[:min(len(list), most)] {
		shown = append(shown, place.Name(n))
	}
	text := strings.Join(shown, ", ")
	if left := len(list) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// candidates writes the symbols that a name may mean.
func candidates(a *References, o Options) string {
	blocks := make([]string, len(a.Candidates))
	for i := range a.Candidates {
		d := &a.Candidates[i]
		blocks[i] = fmt.Sprintf("%s  %s, line %d: %s\n", o.color(o.name(d.ID), colorPath), d.Kind, d.Line, short(strings.Join(strings.Fields(d.Signature), " "), 120))
	}
	text, _ := layout{
		head: func(int) string {
			return fmt.Sprintf("%s names %s, used %s; which one? %s", place.Symbol(a.Request.Name), count(len(a.Candidates), "symbol"), times(a.Candidates[0].Uses), searchedIn(&a.In))
		},
		blocks: blocks,
		foot: func(shown int) []string {
			foot := append(navNotes(a.Pending, nil), besideNote(a.Beside, a.Request.Name, o)...)
			if left := len(blocks) - shown; left > 0 {
				foot = append(foot, fmt.Sprintf("left out: %d more to stay within %d tokens", left, o.MaxTokens))
			}
			if a.Candidates[0].Uses == 0 {
				return append(foot, "next: "+o.call("symbol", arg{"symbol", a.Request.Name}))
			}
			return append(foot, "next: "+o.call("references", arg{"symbol", a.Candidates[0].ID})+" # or "+o.call("references", arg{"symbol", a.Request.Name}, arg{"union", true})+" for the uses of all")
		},
	}.text(o)
	return text
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

type referencesJSON struct {
	Total      int              `json:"total"`
	Certain    int              `json:"certain"`
	Possibles  int              `json:"total_possible"`
	Apart      int              `json:"left_out_by_path,omitempty"`
	Offset     int              `json:"offset,omitempty"`
	Precision  string           `json:"precision"` // heuristic: from the index, not from a language server
	Freshness  freshnessJSON    `json:"freshness"`
	Across     *severalJSON     `json:"across,omitempty"`
	Symbols    []definitionJSON `json:"symbols"`
	MoreNames  int              `json:"more_symbols,omitempty"` // beyond those listed
	References []referenceJSON  `json:"references"`
	Possible   []referenceJSON  `json:"possible"`
	Update     []string         `json:"files_to_update"`
	MoreUpdate int              `json:"more_files_to_update,omitempty"`
	Check      []string         `json:"files_with_possible_uses,omitempty"`
	MoreCheck  int              `json:"more_files_with_possible_uses,omitempty"`
	Others     int              `json:"other_uses_of_name,omitempty"`
	Mentions   int              `json:"mentions_not_listed,omitempty"`
	Unparsed   []string         `json:"unparsed_files,omitempty"`
	Candidates []definitionJSON `json:"candidates,omitempty"`
	Elsewhere  *elsewhereJSON   `json:"declared_elsewhere,omitempty"`
	Near       []string         `json:"near,omitempty"`
	Named      []string         `json:"files_of_that_name,omitempty"`
	Outlined   string           `json:"outlined,omitempty"`
	Beside     string           `json:"beside,omitempty"`    // where code without a grammar declares the name too
	Namesakes  int              `json:"namesakes,omitempty"` // symbols of the name in tests, examples, generated or vendored code that were passed over
	Pending    int              `json:"syntax_pending_files,omitempty"`
	Instead    string           `json:"of_every_name,omitempty"` // the file of the id is not parsed yet, or is read line by line: what bears this name
	Partial    bool             `json:"partial,omitempty"`       // the time was over
	Left       int              `json:"not_looked_at,omitempty"`
	Failed     int              `json:"unparsed_count,omitempty"` // where nothing was found
	Cursor     string           `json:"cursor,omitempty"`
	Seen       string           `json:"seen,omitempty"`
	Notes      []string         `json:"notes,omitempty"` // of one repository; else of across
}

type elsewhereJSON struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"`
	More int    `json:"more,omitempty"` // others that a bare name comes from
}

type referenceJSON struct {
	Repo       string `json:"repo"`
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Name       string `json:"name"`
	Role       string `json:"role"`
	Confidence string `json:"confidence"`
	Reason     string `json:"reason"`
	In         string `json:"in,omitempty"`
	Text       string `json:"text"`
	Held       bool   `json:"held,omitempty"` // the text is left out, for the caller has it
}

func newReferenceJSON(repo, path string, r *nav.Reference) referenceJSON {
	return referenceJSON{
		Repo: repo, Path: path, PathQuoted: quotedIfBroken(path), Line: r.Line, Column: r.Column, Name: r.Name, Role: r.Role.String(),
		Confidence: r.Confidence.String(), Reason: r.Reason, In: r.In, Text: r.Text,
	}
}

func (a *References) listJSON(files []nav.FileReferences) []referenceJSON {
	v := []referenceJSON{}
	for _, f := range files {
		repo, path := repoOf(&a.In, f.Path)
		for i := range f.References {
			v = append(v, newReferenceJSON(repo, path, &f.References[i]))
		}
	}
	return v
}

// JSON writes as many references as the bound of o allows.
func (a *References) JSON(o Options) []byte {
	o = o.over(&a.In)
	a = a.redacted(o)
	answered, possible := a.listJSON(a.Files), a.listJSON(a.Maybe)
	v := referencesJSON{
		Across: newSeveralJSON(&a.In), Total: a.Total, Certain: a.Certain, Possibles: a.Possible, Apart: a.Apart, Offset: a.Offset, Precision: "heuristic", Freshness: freshnessJSON(a.In.All().Freshness),
		Candidates: definitionsIn(&a.In, a.Candidates), Near: a.Near, Named: a.Named, Outlined: a.Outlined, Beside: a.Beside, Namesakes: a.Namesakes, Pending: a.Pending,
		Others: a.Others, Mentions: a.Mentions, Unparsed: a.Unparsed, Instead: a.Instead,
		Partial: a.Left > 0, Left: a.Left, Failed: a.Failed,
	}
	if !a.In.Several {
		v.Notes = a.In.Notes
	}
	v.Symbols, v.MoreNames = within(o, definitionsIn(&a.In, a.Symbols), 4)
	v.Update, v.MoreUpdate = within(o, append([]string{}, a.Update...), 5)
	v.Check, v.MoreCheck = within(o, a.Check, 10)
	if a.Elsewhere != nil {
		v.Elsewhere = &elsewhereJSON{Name: a.Elsewhere.Name, From: a.Elsewhere.From, More: a.Elsewhere.More}
	}
	for _, list := range [][]referenceJSON{answered, possible} {
		for i := range list {
			if r := &list[i]; o.Seen.Has(r.Repo, r.Path, r.Line) {
				r.Text, r.Held = "", true
			}
		}
	}
	text, shown := paged(o, len(answered)+len(possible), func(shown int) any {
		v.Seen = o.seenToken(a.lines(shown))
		v.References, v.Possible, v.Cursor = answered[:min(shown, len(answered))], possible[:max(shown-len(answered), 0)], nextCursor(o.Cursor, a.Total+a.Possible, a.Offset, shown)
		return v
	})
	o.keep(a.lines(shown))
	return text
}

func (o Options) references(files []nav.FileReferences) []nav.FileReferences {
	files = slices.Clone(files)
	for i := range files {
		f := &files[i]
		f.References = slices.Clone(f.References)
		for k := range f.References {
			f.References[k].Text = o.hidden(f.Path, f.References[k].Text)
		}
	}
	return files
}

func (a *References) redacted(o Options) *References {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.References
	found.Files, found.Maybe = o.references(found.Files), o.references(found.Maybe)
	found.Symbols, found.Candidates = o.definitions(found.Symbols), o.definitions(found.Candidates)
	b.References = &found
	return &b
}
