// Package scip writes an export as an index of the SCIP Code Intelligence Protocol,
// which code hosts and editors read: https://github.com/scip-code/scip, scip.proto.
//
// Each file is a document, in the order of the paths. Its ranges count bytes. A
// symbol that no document of the export declares is an external one. What a use
// means goes in where it is certain or likely.
package scip

import (
	"cmp"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"espy/internal/export"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// Kinds are what an index has room for.
var Kinds = []export.Kind{export.Symbols, export.References, export.Subtypes, export.Overrides}

// Form is an export.Form.
type Form struct {
	version string

	mu       sync.Mutex
	declared map[string]bool                    // by documents, of those that others name; guarded by mu
	named    map[string]*scip.SymbolInformation // of what documents name and may not declare; guarded by mu
}

// New returns the form for a version of the program.
func New(version string) *Form {
	return &Form{version: version, declared: map[string]bool{}, named: map[string]*scip.SymbolInformation{}}
}

// The fields of Index in scip.proto. An index is the concatenation of its parts.
const (
	fieldMetadata  = 1
	fieldDocuments = 2
	fieldExternal  = 3
)

// Head writes the metadata. It begins anew.
func (f *Form) Head(h *export.Head) ([]byte, error) {
	clear(f.declared)
	clear(f.named)
	root := url.URL{Scheme: "file", Path: filepath.ToSlash(h.Root)}
	return field(fieldMetadata, &scip.Metadata{
		ToolInfo:             &scip.ToolInfo{Name: scheme, Version: f.version},
		ProjectRoot:          root.String(),
		TextDocumentEncoding: scip.TextEncoding_UTF8,
	})
}

// field writes one field of Index.
func field(number protowire.Number, m proto.Message) ([]byte, error) {
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body), nil
}

// File writes the document of a file. Files without facts have none.
func (f *Form) File(a *locate.Ask, file *export.File) ([]byte, error) {
	if file.State != syn.Parsed {
		return nil, nil
	}
	d, err := newDocument(a, file)
	if err != nil {
		return nil, err
	}
	f.note(d)
	return field(fieldDocuments, d.doc)
}

// note keeps what a document names that it does not declare.
func (f *Form) note(d *document) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range d.doc.Symbols {
		if !scip.IsLocalSymbol(s.Symbol) {
			f.declared[s.Symbol] = true
		}
	}
	for name, about := range d.named {
		if old, ok := f.named[name]; !ok || about.Kind < old.Kind {
			f.named[name] = about
		}
	}
}

// Tail writes the symbols that no document declares.
func (f *Form) Tail(*export.Tail) (text []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(f.named)) {
		if f.declared[name] {
			continue
		}
		one, err := field(fieldExternal, f.named[name])
		if err != nil {
			return nil, err
		}
		text = append(text, one...)
	}
	return text, nil
}

// document is the document of one file.
type document struct {
	*namer
	file  *export.File
	doc   *scip.Document
	named map[string]*scip.SymbolInformation // symbols that others declare
	own   map[string]*scip.SymbolInformation
	seen  map[occurrence]bool
	lines []int // where they begin
	text  []byte
}

type occurrence struct {
	at     int
	symbol string
	roles  int32
}

func newDocument(a *locate.Ask, file *export.File) (*document, error) {
	d := &document{
		namer: newNamer(a), file: file, named: map[string]*scip.SymbolInformation{}, own: map[string]*scip.SymbolInformation{}, seen: map[occurrence]bool{},
		doc: &scip.Document{Language: language(file.Language), RelativePath: strings.ToValidUTF8(file.Path, "\uFFFD"), PositionEncoding: scip.PositionEncoding_UTF8CodeUnitOffsetFromLineStart},
	}
	var err error
	if d.text, err = a.Text(file.ID); err != nil {
		return nil, err
	}
	if d.lines, err = a.LineStarts(file.ID); err != nil {
		return nil, err
	}
	for i := range file.Symbols {
		d.symbol(&file.Symbols[i])
	}
	for i := range file.Edges {
		d.relate(&file.Edges[i])
	}
	for i := range file.References {
		d.reference(&file.References[i])
	}
	d.order()
	return d, nil
}

// order sorts what a document lists, as readers expect it.
func (d *document) order() {
	slices.SortStableFunc(d.doc.Occurrences, func(x, y *scip.Occurrence) int {
		return cmp.Or(x.Compare(y), cmp.Compare(x.SymbolRoles, y.SymbolRoles))
	})
	slices.SortFunc(d.doc.Symbols, func(x, y *scip.SymbolInformation) int { return cmp.Compare(x.Symbol, y.Symbol) })
	for _, s := range d.doc.Symbols {
		slices.SortFunc(s.Relationships, func(x, y *scip.Relationship) int { return cmp.Compare(x.Symbol, y.Symbol) })
	}
}

// symbol adds a declaration. What is said of a thing is said where it is declared first.
func (d *document) symbol(s *export.Symbol) {
	if s.Ref.Index == facts.None {
		return
	}
	name := d.name(s.Same)
	sym := d.Symbol(s.Ref)
	roles := int32(scip.SymbolRole_Definition)
	if s.Same != s.Ref && sym.Flags&facts.Abstract != 0 || d.isPrototype(s.Ref) {
		roles = int32(scip.SymbolRole_ForwardDefinition)
	}
	d.occur(int(sym.At), sym.Name, name, roles, func(o *scip.Occurrence) {
		from, to := d.position(sym.Start), d.position(sym.End)
		o.SetEnclosingSourceRange(scip.Range{Start: from, End: to})
	})
	if s.Same.File != s.Ref.File {
		d.mention(s.Same)
		return
	}
	if d.own[name] != nil {
		return
	}
	about := d.describe(s.Same, name)
	about.SignatureDocumentation = &scip.Signature{Language: d.doc.Language, Text: strings.ToValidUTF8(s.Signature, "\uFFFD")}
	if s.Doc != "" {
		about.Documentation = []string{strings.ToValidUTF8(s.Doc, "\uFFFD")}
	}
	d.own[name] = about
	d.doc.Symbols = append(d.doc.Symbols, about)
	d.typed(s, about)
}

// typed relates a value to the types that it is of.
func (d *document) typed(s *export.Symbol, about *scip.SymbolInformation) {
	if s.Kind.IsType() || s.Kind.IsFunc() || s.Local {
		return
	}
	for _, t := range d.TypesOf(s.Ref) {
		node := d.graph.Node(t)
		if d.isNameable(node) && d.name(node) != about.Symbol {
			relation(about, d.name(node)).IsTypeDefinition = true
			d.mention(node)
		}
	}
}

// isNameable reports whether this document can name a symbol.
func (d *document) isNameable(r corpus.Ref) bool {
	return r.File == d.file.ID || !scip.IsLocalSymbol(d.name(r))
}

// relation is the relationship of a symbol to another one, which it gets.
func relation(about *scip.SymbolInformation, target string) *scip.Relationship {
	for _, r := range about.Relationships {
		if r.Symbol == target {
			return r
		}
	}
	r := &scip.Relationship{Symbol: target}
	about.Relationships = append(about.Relationships, r)
	return r
}

// relate adds what a type or a member implements. A use of a member that another one
// fulfils may run that one, so it counts as a reference of both.
func (d *document) relate(e *export.Edge) {
	about := d.own[d.name(e.FromRef)]
	if about == nil || !d.isNameable(e.ToRef) || d.name(e.ToRef) == about.Symbol {
		return
	}
	r := relation(about, d.name(e.ToRef))
	r.IsImplementation = true
	if e.Kind == export.Overrides {
		r.IsReference = true
	}
	d.mention(e.ToRef)
}

func (d *document) reference(r *export.Reference) {
	switch {
	case r.Elsewhere == nil:
		if d.isNameable(r.To) {
			d.occur(int(r.At), r.Name, d.name(r.To), d.roles(r), nil)
			d.mention(r.To)
		}
	case r.Elsewhere.Import.Index != facts.None:
		name := d.outside(r)
		d.occur(int(r.At), r.Name, name, d.roles(r), nil)
		d.named[name] = &scip.SymbolInformation{Symbol: name, DisplayName: strings.ToValidUTF8(r.Elsewhere.Name, "\uFFFD")}
	}
}

// occur adds an occurrence of a symbol whose name stands at a byte.
func (d *document) occur(at int, word, symbol string, roles int32, more func(*scip.Occurrence)) {
	if d.file.Class.Has(classTest) {
		roles |= int32(scip.SymbolRole_Test)
	}
	if d.file.Class.Has(classGenerated) {
		roles |= int32(scip.SymbolRole_Generated)
	}
	key := occurrence{at, symbol, roles}
	if d.seen[key] || at > len(d.text) {
		return
	}
	d.seen[key] = true
	o := &scip.Occurrence{Symbol: symbol, SymbolRoles: roles}
	o.SetSourceRange(scip.Range{Start: d.position(uint32(at)), End: d.position(uint32(d.wordEnd(at, word)))})
	if more != nil {
		more(o)
	}
	d.doc.Occurrences = append(d.doc.Occurrences, o)
}

// wordEnd is where a name ends that stands at a byte; that byte itself where the
// text there is not the name.
func (d *document) wordEnd(at int, word string) int {
	if strings.HasPrefix(string(d.text[at:min(len(d.text), at+len(word))]), word) {
		return at + len(word)
	}
	return at
}

// position is a byte of the text as a line and a byte in it, both from 0.
func (d *document) position(at uint32) scip.Position {
	line, ok := slices.BinarySearch(d.lines, int(at))
	if !ok {
		line--
	}
	line = min(line, len(d.lines)-2)
	return scip.Position{Line: int32(line), Character: int32(int(at) - d.lines[line])}
}
