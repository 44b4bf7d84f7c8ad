package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/place"
)

// maxFileSymbols is how many changed symbols of a file a text answer lists, if
// it lists several files.
const maxFileSymbols = 40

// changeKinds are the kinds of changes in the order of the totals.
var changeKinds = []diff.Kind{diff.Added, diff.Removed, diff.Moved, diff.Signature, diff.Body, diff.Doc}

var fileStatuses = []changes.Status{changes.Added, changes.Removed, changes.Modified, changes.Renamed, changes.Type}

// Changes lists the differences between two states.
type Changes struct{ *changes.Changes }

// Text writes the files that differ, with their changed symbols.
func (a Changes) Text(o Options) string {
	a = a.redacted(o)
	c := a.Changes
	blocks := make([]string, len(c.Files))
	for i := range c.Files {
		blocks[i] = changedFile(&c.Files[i], len(c.Files) > 1, o)
	}
	text, _ := layout{
		head: func(shown int) string {
			return fmt.Sprintf("%s%s changed%s, %s, repo %s", firstOf(c.Offset), of(shown, c.Total, "file"), changeTotals(c), changeSides(c), state(c.Repo, c.Freshness))
		},
		blocks: blocks,
		foot:   func(shown int) []string { return changesFoot(c, o, shown) },
	}.text(o)
	return text
}

// changeTotals counts files by status and symbols by kind.
func changeTotals(c *changes.Changes) string {
	var files, symbols []string
	for _, s := range fileStatuses {
		if n := c.Status[s]; n > 0 {
			files = append(files, fmt.Sprintf("%d %s", n, s))
		}
	}
	for _, k := range changeKinds {
		if n := c.Symbols[k]; n > 0 {
			symbols = append(symbols, fmt.Sprintf("%d %s", n, k))
		}
	}
	text := ""
	if len(files) > 0 {
		text = " (" + strings.Join(files, ", ") + ")"
	}
	if len(symbols) > 0 {
		text += ", symbols: " + strings.Join(symbols, ", ")
	}
	return text
}

// changeSides names the two states.
func changeSides(c *changes.Changes) string { return changeSide(c.From) + " to " + changeSide(c.To) }

func changeSide(s changes.Side) string {
	switch {
	case s.Commit == "":
		return place.Name(s.Name)
	case strings.HasPrefix(s.Commit, s.Name):
		return fmt.Sprintf("%.8s", s.Commit)
	}
	return fmt.Sprintf("%s %.8s", place.Name(s.Name), s.Commit)
}

// changedFile writes one file and its symbols.
func changedFile(f *changes.File, several bool, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Status, o.color(o.name(f.Path), colorPath))
	if f.Old != "" {
		fmt.Fprintf(&b, " from %s", o.name(f.Old))
	}
	if f.Untracked {
		b.WriteString(", untracked")
	}
	switch {
	case f.Pending:
		b.WriteString(", symbols not compared in time")
	case f.Why != "":
		b.WriteString(", not compared: " + f.Why)
	case f.Counted:
		fmt.Fprintf(&b, " +%d -%d", f.Added, f.Removed)
	}
	if f.Outline && len(f.Symbols) > 0 {
		b.WriteString(", by outline")
	}
	b.WriteByte('\n')
	shown := f.Symbols
	if several && len(shown) > maxFileSymbols {
		shown = shown[:maxFileSymbols]
	}
	for i := range shown {
		b.WriteString("  " + changedSymbol(&shown[i], f, o) + "\n")
	}
	if f.More > 0 {
		fmt.Fprintf(&b, "  and %s that the log does not name\n", count(f.More, "symbol"))
	}
	if left := len(f.Symbols) - len(shown); left > 0 {
		fmt.Fprintf(&b, "  and %s; ask with path=%s\n", count(left, "more symbol"), o.name(f.Path))
	}
	return b.String()
}

func changedSymbol(c *diff.Change, f *changes.File, o Options) string {
	s := &c.Symbol
	if s.ID == diff.Outside {
		return fmt.Sprintf("%s outside of symbols", c.Kind)
	}
	lines := o.color(span(s.Line, s.EndLine), colorNumber)
	text := fmt.Sprintf("%s %s %s %s", c.Kind, lines, s.Kind, place.Name(s.ID))
	signature := short(s.Signature, 160)
	switch c.Kind {
	case diff.Removed:
		return fmt.Sprintf("removed %s %s, was at %s", s.Kind, place.Name(s.ID), lines)
	case diff.Added:
		if signature == "" {
			return text
		}
		return text + ": " + signature
	case diff.Signature:
		if signature == "" {
			return text
		}
		return text + ": " + signature + ", was: " + short(c.Old.Signature, 160)
	case diff.Moved:
		if c.OldPath != f.Path && c.OldPath != f.Old {
			return text + ", was " + place.Name(c.OldPath+"#"+c.Old.ID)
		}
		return text + ", was " + place.Name(c.Old.ID)
	}
	return text
}

func changesFoot(c *changes.Changes, o Options, shown int) []string {
	var foot []string
	for _, n := range c.Notes {
		foot = append(foot, "note: "+clean(n))
	}
	if c.Pending > 0 {
		foot = append(foot, fmt.Sprintf("note: the symbols of %s were not compared in time and are not in the totals; narrow with path or lang", count(c.Pending, "file")))
	}
	foot = append(foot, more(c.Total-c.Offset-shown, c.Offset+shown, o)...)
	if next := changesNext(c, o, shown); next != "" {
		foot = append(foot, "next: "+next)
	}
	return foot
}

// changesNext asks for the uses of the first symbol whose signature changed, or
// else for the history of the first file.
func changesNext(c *changes.Changes, o Options, shown int) string {
	var best *diff.Change
	for i := range c.Files[:shown] {
		for j := range c.Files[i].Symbols {
			s := &c.Files[i].Symbols[j]
			if s.Symbol.ID != diff.Outside && s.Kind == diff.Signature && best == nil {
				best = s
			}
		}
	}
	switch {
	case best != nil:
		return o.call("references", arg{"symbol", best.Path + "#" + best.Symbol.ID})
	case shown > 0 && c.Source == changes.SourceGit:
		return o.call("history", arg{"path", o.name(c.Files[0].Path)})
	case shown > 0:
		return o.call("outline", arg{"path", o.name(c.Files[0].Path)})
	}
	return ""
}

type changesJSON struct {
	Repo    string            `json:"repo"`
	Commit  string            `json:"commit"`
	Branch  string            `json:"branch,omitempty"`
	From    sideJSON          `json:"from"`
	To      sideJSON          `json:"to"`
	Total   int               `json:"total"`
	Status  map[string]int    `json:"status"`
	Symbols map[string]int    `json:"symbols"`
	Pending int               `json:"pending_files,omitempty"`
	Partial bool              `json:"partial,omitempty"` // the time was over
	Source  string            `json:"source"`            // git, log or times
	Notes   []string          `json:"notes,omitempty"`
	Offset  int               `json:"offset,omitempty"`
	Files   []changedFileJSON `json:"files"`
	Cursor  string            `json:"cursor,omitempty"`

	Freshness freshnessJSON `json:"freshness"`
}

type sideJSON struct {
	Name   string `json:"name"`
	Commit string `json:"commit,omitempty"`
}

type changedFileJSON struct {
	Path       string              `json:"path"`
	PathQuoted string              `json:"path_quoted,omitempty"`
	OldPath    string              `json:"old_path,omitempty"`
	Status     string              `json:"status"`
	Untracked  bool                `json:"untracked,omitempty"`
	Added      *int                `json:"lines_added,omitempty"` // absent if not known
	Removed    *int                `json:"lines_removed,omitempty"`
	Outline    bool                `json:"outline,omitempty"`
	Why        string              `json:"not_compared,omitempty"`
	Pending    bool                `json:"pending,omitempty"`
	Symbols    []changedSymbolJSON `json:"symbols"`
	More       int                 `json:"more_symbols,omitempty"` // that the log does not name
}

type changedSymbolJSON struct {
	Change       string `json:"change"`
	ID           string `json:"id,omitempty"` // absent for code outside of symbols
	Kind         string `json:"kind,omitempty"`
	StartLine    int    `json:"start_line,omitempty"` // in the older version if it was removed
	EndLine      int    `json:"end_line,omitempty"`
	Signature    string `json:"signature,omitempty"`
	OldID        string `json:"old_id,omitempty"`
	OldSignature string `json:"old_signature,omitempty"`
}

// JSON writes as many files as the bound of o allows.
func (a Changes) JSON(o Options) []byte {
	a = a.redacted(o)
	c := a.Changes
	v := changesJSON{
		Repo: c.Repo, Commit: c.Checkout.Commit, Branch: c.Branch, From: sideJSON{c.From.Name, c.From.Commit}, To: sideJSON{c.To.Name, c.To.Commit},
		Total: c.Total, Status: map[string]int{}, Symbols: map[string]int{}, Pending: c.Pending, Partial: c.Pending+c.Left > 0, Source: string(c.Source), Notes: c.Notes, Offset: c.Offset, Freshness: freshnessJSON(c.Freshness),
	}
	for s, n := range c.Status {
		v.Status[string(s)] = n
	}
	for k, n := range c.Symbols {
		v.Symbols[k.String()] = n
	}
	files := make([]changedFileJSON, len(c.Files))
	for i := range c.Files {
		files[i] = newChangedFileJSON(&c.Files[i])
	}
	return page(o, len(files), func(shown int) any {
		v.Files, v.Cursor = slices.Clip(files[:shown]), nextCursor(o.Cursor, c.Total, c.Offset, shown)
		return v
	})
}

func newChangedFileJSON(f *changes.File) changedFileJSON {
	v := changedFileJSON{
		Path: f.Path, PathQuoted: quotedIfBroken(f.Path), OldPath: f.Old, Status: string(f.Status), Untracked: f.Untracked,
		Outline: f.Outline, Why: f.Why, Pending: f.Pending, Symbols: []changedSymbolJSON{}, More: f.More,
	}
	if f.Counted {
		v.Added, v.Removed = &f.Added, &f.Removed
	}
	for i := range f.Symbols {
		c := &f.Symbols[i]
		s := changedSymbolJSON{Change: c.Kind.String()}
		if c.Symbol.ID != diff.Outside {
			s.ID, s.Kind, s.StartLine, s.EndLine, s.Signature = c.Path+"#"+c.Symbol.ID, c.Symbol.Kind.String(), c.Symbol.Line, c.Symbol.EndLine, c.Symbol.Signature
		}
		switch c.Kind {
		case diff.Removed:
			s.ID = c.OldPath + "#" + c.Symbol.ID
			if c.Symbol.ID == diff.Outside {
				s.ID = ""
			}
		case diff.Moved:
			s.OldID = c.OldPath + "#" + c.Old.ID
		case diff.Signature:
			s.OldSignature = c.Old.Signature
		}
		v.Symbols = append(v.Symbols, s)
	}
	return v
}

func (a Changes) redacted(o Options) Changes {
	if o.ShowSecrets {
		return a
	}
	found := *a.Changes
	found.Files = slices.Clone(found.Files)
	for i := range found.Files {
		f := &found.Files[i]
		f.Symbols = slices.Clone(f.Symbols)
		for k := range f.Symbols {
			s := &f.Symbols[k]
			s.Symbol.Signature, s.Old.Signature = o.hidden(f.Path, s.Symbol.Signature), o.hidden(f.Path, s.Old.Signature)
		}
	}
	return Changes{&found}
}
