package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/place"
)

// Outline lists the declarations in files of one repository.
type Outline struct {
	Request *nav.OutlineRequest
	In      hit.Searched
	*nav.Outline
}

// Text writes the symbols of files, each with its lines and signature.
func (a *Outline) Text(o Options) string {
	a = a.redacted(o)
	text, _ := layout{
		head: func(shown int) string {
			what := o.folder(a.Request.Path)
			return fmt.Sprintf("%s%s in %s of %s, %s", firstOf(a.Offset), ofSome(min(shown, a.Total), a.Total, a.Left > 0, "symbol"), count(len(a.Files), "file"), what, searched([]hit.Searched{a.In}))
		},
		blocks: outlineBlocks(a, o),
		foot:   func(shown int) []string { return outlineFoot(a, o, shown) },
	}.text(o)
	return text
}

// outlineBlocks writes one block for each symbol. The first symbol of a file
// follows the path of the file and of the files without symbols before it.
func outlineBlocks(a *Outline, o Options) []string {
	var blocks []string
	heading := ""
	for i := range a.Files {
		f := &a.Files[i]
		heading += fileHeading(f, o)
		for j := range f.Symbols {
			blocks = append(blocks, heading+outlineSymbol(&f.Symbols[j], o))
			heading = ""
		}
	}
	switch {
	case heading == "":
	case len(blocks) == 0:
		blocks = []string{heading}
	default:
		blocks[len(blocks)-1] += heading
	}
	return blocks
}

func fileHeading(f *nav.FileOutline, o Options) string {
	b := o.color(o.name(f.Path), colorPath)
	if f.Package != "" {
		b += " package " + place.Symbol(f.Package)
	}
	if f.Lines > 0 {
		b += ", " + count(f.Lines, "line")
	}
	switch {
	case f.State == "parsed":
	case f.ByLine:
		b += ", found line by line: no grammar read it"
	default:
		b += ", syntax " + f.State
	}
	if f.State != "parsed" {
		if f.Reason != "" {
			b += ": " + short(f.Reason, 120)
		}
	}
	if len(f.Faults) > 0 {
		b += fmt.Sprintf(", %s, the first in line %d", count(len(f.Faults), "syntax error"), f.Faults[0].Line)
	}
	return b + "\n"
}

func outlineSymbol(s *nav.OutlineSymbol, o Options) string {
	text := strings.Join(strings.Fields(s.Signature), " ")
	if text == "" {
		text = s.Name
	}
	kind := s.Kind.String() + ": "
	if saysKind(text, s.Kind.String()) {
		kind = ""
	}
	line := fmt.Sprintf("  %s%s %s%s", strings.Repeat("  ", s.Depth), o.color(span(s.Line, s.EndLine), colorNumber), kind, short(text, 160))
	if s.Complexity > 0 {
		line += fmt.Sprintf("  [complexity %d, %s]", s.Complexity, count(s.EndLine-s.Line+1, "line"))
	}
	return line + "\n"
}

func outlineFoot(a *Outline, o Options, shown int) []string {
	foot := append(notLooked(a.Left, "file"), navNotes(a.Pending, nil)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	for i := range a.Files {
		if f := &a.Files[i]; len(f.Symbols) > 0 {
			return append(foot, "next: "+showing(f, o))
		}
	}
	return append(foot, "next: "+o.call("files"))
}

// showing is the call that shows the first symbol of a file.
func showing(f *nav.FileOutline, o Options) string {
	if first := &f.Symbols[0]; first.ID == "" {
		return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(f.Path), first.Line)})
	}
	return o.call("symbol", arg{"symbol", f.Symbols[0].ID}, arg{"body", true})
}

type outlineJSON struct {
	Total     int               `json:"total"`
	Offset    int               `json:"offset,omitempty"`
	Freshness freshnessJSON     `json:"freshness"`
	Files     []fileOutlineJSON `json:"files"`
	Pending   int               `json:"syntax_pending_files,omitempty"`
	Partial   bool              `json:"partial,omitempty"` // the time was over
	Left      int               `json:"not_looked_at,omitempty"`
	Cursor    string            `json:"cursor,omitempty"`
}

type fileOutlineJSON struct {
	Repo       string              `json:"repo"`
	Path       string              `json:"path"`
	PathQuoted string              `json:"path_quoted,omitempty"`
	Package    string              `json:"package,omitempty"`
	State      string              `json:"state"`
	ByLine     bool                `json:"by_line,omitempty"` // the symbols were found without a grammar
	Reason     string              `json:"reason,omitempty"`
	Faults     []faultJSON         `json:"faults,omitempty"`
	Lines      int                 `json:"lines,omitempty"`
	Symbols    []outlineSymbolJSON `json:"symbols"`
}

type faultJSON struct {
	Line    uint32 `json:"line"`
	Message string `json:"message"`
}

type outlineSymbolJSON struct {
	ID         string `json:"id,omitempty"` // none of what was found line by line
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Depth      int    `json:"depth"`
	Line       int    `json:"line"`
	EndLine    int    `json:"end_line"`
	Signature  string `json:"signature"`
	Exported   bool   `json:"exported"`
	Complexity int    `json:"complexity,omitempty"`
}

// JSON writes as many symbols as the bound of o allows.
func (a *Outline) JSON(o Options) []byte {
	a = a.redacted(o)
	n := 0
	for i := range a.Files {
		n += len(a.Files[i].Symbols)
	}
	return page(o, n, func(shown int) any {
		v := outlineJSON{Total: a.Total, Offset: a.Offset, Freshness: freshnessJSON(a.In.Freshness), Files: newOutlineJSON(a, shown), Pending: a.Pending, Partial: a.Left > 0, Left: a.Left}
		v.Cursor = nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
}

// newOutlineJSON returns the files with their first symbols, at most so many in all.
func newOutlineJSON(a *Outline, most int) []fileOutlineJSON {
	files := []fileOutlineJSON{}
	for i := range a.Files {
		f := &a.Files[i]
		v := fileOutlineJSON{
			Repo: a.In.Repo, Path: f.Path, PathQuoted: quotedIfBroken(f.Path), Package: f.Package, State: f.State, ByLine: f.ByLine, Reason: f.Reason,
			Lines: f.Lines, Symbols: []outlineSymbolJSON{},
		}
		for _, e := range f.Faults {
			v.Faults = append(v.Faults, faultJSON{e.Line, e.Message})
		}
		if most == 0 && len(f.Symbols) > 0 {
			break
		}
		for _, s := range f.Symbols[:min(most, len(f.Symbols))] {
			v.Symbols = append(v.Symbols, outlineSymbolJSON{
				ID: s.ID, Name: s.Name, Kind: s.Kind.String(), Depth: s.Depth, Line: s.Line, EndLine: s.EndLine,
				Signature: s.Signature, Exported: s.Exported, Complexity: s.Complexity,
			})
		}
		most -= len(v.Symbols)
		files = append(files, v)
	}
	return files
}

// saysKind reports whether a signature says itself what kind of symbol it is of:
// "var x" and "export const x" do.
func saysKind(signature, kind string) bool {
	words := strings.Fields(signature)
	return slices.Contains(words[:min(3, max(0, len(words)-1))], kind)
}

func (a *Outline) redacted(o Options) *Outline {
	if o.ShowSecrets {
		return a
	}
	b, found := *a, *a.Outline
	found.Files = slices.Clone(found.Files)
	for i := range found.Files {
		f := &found.Files[i]
		f.Symbols, f.Faults = slices.Clone(f.Symbols), slices.Clone(f.Faults)
		for k := range f.Symbols {
			f.Symbols[k].Signature = o.hidden(f.Path, f.Symbols[k].Signature)
		}
		for k := range f.Faults {
			f.Faults[k].Message = o.hidden(f.Path, f.Faults[k].Message)
		}
	}
	b.Outline = &found
	return &b
}
