package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/symbols"
)

// SymbolList is the symbols whose names fit a pattern.
type SymbolList struct{ *symbols.Answer }

// Text writes a line for each symbol: where it is, its kind, its name and signature.
func (a SymbolList) Text(o Options) string {
	text, _ := layout{
		head:   a.head,
		blocks: a.blocks(o),
		none:   len(a.Symbols) == 0,
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

// head writes the header: shown of total, by kind, repositories, freshness.
func (a SymbolList) head(shown int) string {
	first, more := "", len(a.Left) > 0 || a.Pending > 0
	if a.Request.Offset > 0 && shown > 0 {
		first = fmt.Sprintf("%d-", a.Request.Offset+1)
		shown += a.Request.Offset
	}
	head := counted(a.Total, more, "symbol")
	if !more || a.Total > 0 {
		head = fmt.Sprintf("%s%d of %s", first, min(shown, a.Request.Offset+len(a.Symbols)), head)
	}
	var kinds []string
	for _, c := range a.Counts {
		kinds = append(kinds, fmt.Sprintf("%d %s", c.N, c.Kind))
	}
	if len(kinds) > 1 {
		head += " (" + strings.Join(kinds, ", ") + ")"
	}
	return head + ", " + searched(a.In)
}

func (a SymbolList) blocks(o Options) []string {
	if len(a.Symbols) == 0 {
		return []string{a.nothing()}
	}
	blocks := make([]string, len(a.Symbols))
	for i := range a.Symbols {
		s := &a.Symbols[i]
		text := fmt.Sprintf("%s%s:%s: %s %s", a.in(s), o.color(o.name(s.Path), colorPath), o.color(fmt.Sprint(s.Line), colorNumber), s.Kind, place.Symbol(s.QualifiedName))
		if signature := strings.Join(strings.Fields(o.hidden(s.Path, s.Signature)), " "); signature != "" && signature != s.Name {
			text += "  " + short(signature, 160)
		}
		blocks[i] = text + "\n"
	}
	return blocks
}

func (a SymbolList) in(s *symbols.Symbol) string {
	if len(a.In) < 2 {
		return ""
	}
	return place.Name(s.Repo) + ":"
}

// nothing says what was asked for and what was looked through.
func (a SymbolList) nothing() string {
	if a.Request.Offset > 0 && a.Total > 0 {
		return fmt.Sprintf("no more symbols: offset %d of %d\n", a.Request.Offset, a.Total)
	}
	files := 0
	for _, r := range a.In {
		files += r.Files
	}
	var kinds []string
	for _, k := range a.Request.Kinds {
		kinds = append(kinds, k.String())
	}
	text := "no symbol fits " + quoteText(short(a.Request.Pattern, 200)) + " in " + count(files, "file")
	text += filterWords(&hit.Request{Paths: a.Request.Paths, Languages: a.Request.Languages, Scope: a.Request.Scope})
	if len(kinds) > 0 {
		text += ", of kind " + strings.Join(kinds, ", ")
	}
	return text + "\n"
}

func (a SymbolList) foot(o Options, shown int) (foot []string) {
	if len(a.Symbols) == 0 {
		shown = 0
	}
	if a.Pending > 0 {
		foot = append(foot, fmt.Sprintf("partial: the symbols of %s are not known yet; ask again", count(a.Pending, "file")))
	}
	if len(a.Left) > 0 {
		foot = append(foot, "partial: the time was over before these were looked at: "+names(a.Left, 8))
	}
	if left := a.Total - a.Request.Offset - shown; left > 0 && shown > 0 {
		foot = append(foot, fmt.Sprintf("and %s more; --limit %d shows more", grouped(left), nextLimit(shown)))
	}
	switch {
	case shown > 0:
		s := &a.Symbols[0]
		foot = append(foot, "next: "+o.call("read", a.place(o, s)...))
	case a.Total == 0 && !a.Request.Fuzzy && a.Request.Pattern != "" && !strings.ContainsAny(a.Request.Pattern, "*?"):
		foot = append(foot, "next: "+o.call("symbols", arg{"query", a.Request.Pattern}, arg{"fuzzy", true})+" # the letters in this order, others between them")
	case a.Total == 0:
		foot = append(foot, "next: "+o.call("search", arg{"query", strings.Trim(strings.NewReplacer("*", " ", "?", " ").Replace(a.Request.Pattern), " .")}))
	}
	return foot
}

func (a SymbolList) place(o Options, s *symbols.Symbol) []arg {
	args := []arg{{"path", o.name(s.Path) + ":" + span(s.Line, s.EndLine)}}
	if len(a.In) > 1 {
		args = append(args, arg{"repo", s.Repo})
	}
	return args
}

// symbolListJSON is the JSON form of a list of symbols.
type symbolListJSON struct {
	Total     int            `json:"total"`
	Offset    int            `json:"offset,omitempty"`
	Counts    map[string]int `json:"counts"`
	Freshness freshnessJSON  `json:"freshness"`
	Symbols   []listedJSON   `json:"symbols"`
	Repos     []searchedJSON `json:"repos"`
	Partial   bool           `json:"partial,omitempty"`
	Pending   int            `json:"pending_files,omitempty"` // whose symbols are not known yet
	Left      []string       `json:"not_looked_at,omitempty"`
}

type listedJSON struct {
	Repo          string `json:"repo"`
	Path          string `json:"path"`
	PathQuoted    string `json:"path_quoted,omitempty"`
	Line          int    `json:"line"`
	Column        int    `json:"column,omitempty"`
	EndLine       int    `json:"end_line"`
	ID            string `json:"id,omitempty"`
	Name          string `json:"name"`
	QualifiedName string `json:"qualified_name"`
	Kind          string `json:"kind"`
	Signature     string `json:"signature"`
}

// JSON writes the list within the bound of o, cut between symbols.
func (a SymbolList) JSON(o Options) []byte {
	v := symbolListJSON{
		Total: a.Total, Offset: a.Request.Offset, Counts: map[string]int{}, Freshness: freshnessJSON(combined(a.In)), Repos: newSearchedJSON(a.In),
		Partial: len(a.Left) > 0, Pending: a.Pending, Left: a.Left,
	}
	for _, c := range a.Counts {
		v.Counts[c.Kind.String()] = c.N
	}
	return page(o, len(a.Symbols), func(shown int) any {
		v.Symbols = make([]listedJSON, shown)
		for i := range v.Symbols {
			v.Symbols[i] = newListedJSON(&a.Symbols[i], o)
		}
		return v
	})
}

func newListedJSON(s *symbols.Symbol, o Options) listedJSON {
	return listedJSON{
		Repo: s.Repo, Path: s.Path, PathQuoted: quotedIfBroken(s.Path), Line: s.Line, Column: s.Column, EndLine: s.EndLine, ID: s.ID,
		Name: s.Name, QualifiedName: s.QualifiedName, Kind: s.Kind.String(), Signature: o.hidden(s.Path, s.Signature),
	}
}

// As writes a line for each symbol, or for each file. What stands round them goes to
// o.Aside.
func (a SymbolList) As(form Form, o Options) string {
	if len(a.Symbols) == 0 {
		return a.Text(o)
	}
	if form.Kind != Places || len(a.Left) > 0 || a.Pending > 0 || lacking(a.In) {
		o.Aside.WriteString(a.head(len(a.Symbols)) + "\n")
	}
	for _, line := range slices.DeleteFunc(a.foot(o, len(a.Symbols)), isNext) {
		o.Aside.WriteString(line + "\n")
	}
	var b strings.Builder
	last := ""
	for i := range a.Symbols {
		s := &a.Symbols[i]
		switch form.Kind {
		case Lines:
			b.Write(JSON(newListedJSON(s, o)))
		case Places:
			fmt.Fprintf(&b, "%s%s:%d:%d:%s\n", a.in(s), o.name(s.Path), s.Line, max(s.Column, 1), short(o.hidden(s.Path, s.Signature), 300))
		default:
			if path := a.in(s) + form.path(o, s.Path); path != last {
				b.WriteString(path + form.after())
				last = path
			}
		}
	}
	return b.String()
}
