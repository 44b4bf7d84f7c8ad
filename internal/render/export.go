package render

import (
	"fmt"

	"espy/internal/code"
	"espy/internal/export"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// ExportLines writes an export as JSON Lines: a record a line, which its field type
// tells apart. docs/export.md describes them; fields are only ever added.
type ExportLines struct {
	Version string // of the program
}

// exportFormat is the version of the records. It is raised where one changes so that
// a reader of the version before would misread it.
const exportFormat = 1

type exportMetaJSON struct {
	Type      string        `json:"type"` // "meta"
	Format    int           `json:"format"`
	Tool      string        `json:"tool"`
	Version   string        `json:"version"`
	Repo      string        `json:"repo"`
	Freshness freshnessJSON `json:"freshness"`
	Files     int           `json:"files"`
	Paths     []string      `json:"paths,omitempty"`
	Languages []string      `json:"languages,omitempty"`
	Scope     string        `json:"scope,omitempty"`
	Kinds     []export.Kind `json:"kinds,omitempty"`
	Locals    bool          `json:"locals,omitempty"`
}

type exportFileJSON struct {
	Type       string   `json:"type"` // "file"
	Path       string   `json:"path"`
	PathQuoted string   `json:"path_quoted,omitempty"`
	Language   string   `json:"language,omitempty"`
	Package    string   `json:"package,omitempty"`
	Class      []string `json:"class,omitempty"`
	Lines      int      `json:"lines"`
	State      string   `json:"state"`
	Reason     string   `json:"reason,omitempty"`
}

type exportSymbolJSON struct {
	Type          string `json:"type"`         // "symbol"
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
	Local         bool   `json:"local,omitempty"`
	In            string `json:"in,omitempty"`
	SameAs        string `json:"same_as,omitempty"` // id of the first declaration of the same thing
	Signature     string `json:"signature,omitempty"`
	Doc           string `json:"doc,omitempty"`
}

type exportReferenceJSON struct {
	Type       string         `json:"type"` // "reference"
	Path       string         `json:"path"`
	PathQuoted string         `json:"path_quoted,omitempty"`
	Line       int            `json:"line"`
	Column     int            `json:"column"`
	Name       string         `json:"name"`
	Role       string         `json:"role"`
	Symbol     string         `json:"symbol,omitempty"` // id of what it means
	Elsewhere  *elsewhereJSON `json:"declared_elsewhere,omitempty"`
	In         string         `json:"in,omitempty"`
	Confidence string         `json:"confidence"`
	Reason     string         `json:"reason"`
	Among      int            `json:"one_of,omitempty"`
}

type exportEdgeJSON struct {
	Type       string `json:"type"` // "edge"
	Kind       string `json:"kind"`
	From       string `json:"from"`
	To         string `json:"to,omitempty"`
	Relation   string `json:"relation,omitempty"`
	Outside    string `json:"origin,omitempty"`
	Link       string `json:"link,omitempty"`
	Key        string `json:"key,omitempty"`
	By         string `json:"by,omitempty"`
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	Line       int    `json:"line"`
	Times      int    `json:"times"`
	Among      int    `json:"one_of,omitempty"`
	Confidence string `json:"confidence"`
	Reason     string `json:"reason,omitempty"`
}

type exportEndJSON struct {
	Type       string              `json:"type"` // "end"
	Complete   bool                `json:"complete"`
	Why        string              `json:"why,omitempty"` // it is not
	Files      int                 `json:"files"`
	Failed     int                 `json:"unparsed_count,omitempty"`
	Pending    int                 `json:"syntax_pending_files,omitempty"`
	Symbols    int                 `json:"symbols"`
	References int                 `json:"references"`
	Certain    int                 `json:"certain"`
	Elsewhere  int                 `json:"declared_elsewhere"`
	Edges      map[export.Kind]int `json:"edges"`
	Possible   int                 `json:"possible_not_listed"`
	Unknown    int                 `json:"unknown_not_listed"`
}

// Head writes the record meta.
func (l *ExportLines) Head(h *export.Head) ([]byte, error) {
	r := &h.Request
	return lines(exportMetaJSON{
		Type: "meta", Format: exportFormat, Tool: "espy", Version: l.Version, Repo: h.In.Repo, Freshness: freshnessJSON(h.In.Freshness), Files: h.Files,
		Paths: r.Paths, Languages: r.Languages, Scope: scopeName(r.Scope), Kinds: r.Kinds, Locals: r.Locals,
	})
}

func scopeName(s code.Scope) string {
	if s == code.ScopeAll {
		return ""
	}
	return string(s)
}

// File writes the record of a file, its symbols, references and edges.
func (l *ExportLines) File(a *locate.Ask, f *export.File) ([]byte, error) {
	records := []any{exportFileJSON{"file", f.Path, quotedIfBroken(f.Path), f.Language, f.Package, classWords(f.Class), f.Lines, f.State.String(), f.Reason}}
	for i := range f.Symbols {
		records = append(records, symbolRecord(a, &f.Symbols[i]))
	}
	for i := range f.References {
		records = append(records, referenceRecord(a, f, &f.References[i]))
	}
	for i := range f.Edges {
		e := &f.Edges[i]
		records = append(records, exportEdgeJSON{
			"edge", string(e.Kind), e.From, e.To, e.Relation, e.Outside, e.Link, e.Key, e.By, f.Path, quotedIfBroken(f.Path), e.Line, e.Times,
			several(e.Among), e.Confidence.String(), e.Reason,
		})
	}
	return lines(records...)
}

func symbolRecord(a *locate.Ask, s *export.Symbol) exportSymbolJSON {
	v := exportSymbolJSON{
		Type: "symbol", ID: s.ID, Path: s.Path, PathQuoted: quotedIfBroken(s.Path), Line: s.Line, Column: s.Column, EndLine: s.EndLine, Name: s.Name,
		QualifiedName: s.QualifiedName, Kind: s.Kind.String(), Exported: s.Exported, Local: s.Local, In: s.In, Signature: s.Signature, Doc: s.Doc,
	}
	if s.Same != s.Ref {
		v.SameAs = a.ID(s.Same)
	}
	return v
}

func referenceRecord(a *locate.Ask, f *export.File, r *export.Reference) exportReferenceJSON {
	v := exportReferenceJSON{
		Type: "reference", Path: f.Path, PathQuoted: quotedIfBroken(f.Path), Line: r.Line, Column: r.Column, Name: r.Name, Role: r.Role.String(),
		Confidence: r.Confidence.String(), Reason: r.Reason, Among: several(r.Among),
	}
	if r.In.Index != facts.None {
		v.In = a.ID(r.In)
	}
	if r.Elsewhere != nil {
		v.Elsewhere = &elsewhereJSON{Name: r.Elsewhere.Name, From: r.Elsewhere.From}
	} else {
		v.Symbol = idOf(a, r.To)
	}
	return v
}

func idOf(a *locate.Ask, r corpus.Ref) string {
	if r.Index == facts.None {
		return a.Corpus.Path(r.File)
	}
	return a.ID(r)
}

// several is a number of choices, 0 for a single one.
func several(n int) int {
	if n < 2 {
		return 0
	}
	return n
}

// Tail writes the record end.
func (l *ExportLines) Tail(t *export.Tail) ([]byte, error) {
	return lines(exportEndJSON{
		"end", t.Left == "", t.Left, t.Files, t.Failed, t.Pending, t.Symbols, t.References, t.Certain, t.Elsewhere, t.Edges, t.Possible, t.Unknown,
	})
}

// lines writes each record as a line of JSON.
func lines(records ...any) ([]byte, error) {
	var text []byte
	for _, r := range records {
		text = append(text, JSON(r)...)
	}
	return text, nil
}

// Exported says what an export holds, in a line for people.
func Exported(t *export.Tail) string {
	edges := 0
	for _, k := range export.Kinds {
		edges += t.Edges[k]
	}
	text := fmt.Sprintf("%s: %s, %s (%d certain, %d to what is declared elsewhere), %s; left out: %d possible uses, %d of which nothing is known",
		count(t.Files, "file"), count(t.Symbols, "symbol"), count(t.References, "reference"), t.Certain, t.Elsewhere, count(edges, "edge"), t.Possible, t.Unknown)
	for _, n := range []struct {
		n    int
		what string
	}{{t.Failed, "could not be parsed"}, {t.Pending, "not parsed yet"}} {
		if n.n > 0 {
			text += fmt.Sprintf("; %s %s", count(n.n, "file"), n.what)
		}
	}
	if t.Left != "" {
		text += "; not complete: " + t.Left
	}
	return text
}
