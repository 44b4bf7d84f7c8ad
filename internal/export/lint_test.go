package export_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	bindings "github.com/scip-code/scip/bindings/go/scip"
)

// read reads an index in the way of its official bindings, a part at a time.
func read(t *testing.T, text []byte) (meta *bindings.Metadata, docs []*bindings.Document, external []*bindings.SymbolInformation) {
	t.Helper()
	visitor := bindings.IndexVisitor{
		VisitMetadata: func(_ context.Context, m *bindings.Metadata) error { meta = m; return nil },
		VisitDocument: func(_ context.Context, d *bindings.Document) error { docs = append(docs, d); return nil },
		VisitExternalSymbol: func(_ context.Context, s *bindings.SymbolInformation) error {
			external = append(external, s)
			return nil
		},
	}
	if err := visitor.ParseStreaming(t.Context(), bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return meta, docs, external
}

// shownSCIP writes an index for people to read.
func shownSCIP(t *testing.T, text []byte) string {
	t.Helper()
	meta, docs, external := read(t, text)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s root %s, %v\n", meta.ToolInfo.Name, meta.ToolInfo.Version, meta.ProjectRoot, meta.TextDocumentEncoding)
	for _, d := range docs {
		fmt.Fprintf(&b, "\n## %s (%s, %v)\n", d.RelativePath, d.Language, d.PositionEncoding)
		for _, o := range d.Occurrences {
			r, _ := o.SourceRange()
			fmt.Fprintf(&b, "%s %s %s\n", shownRange(r), shownRoles(o.SymbolRoles), o.Symbol)
		}
		for _, s := range d.Symbols {
			fmt.Fprintf(&b, "= %s: %v %q in %q doc %q sig %q\n", s.Symbol, s.Kind, s.DisplayName, s.EnclosingSymbol, s.Documentation, s.SignatureDocumentation.GetText())
			for _, r := range s.Relationships {
				fmt.Fprintf(&b, "  implements %v, reference %v, type %v: %s\n", r.IsImplementation, r.IsReference, r.IsTypeDefinition, r.Symbol)
			}
		}
	}
	for _, s := range external {
		fmt.Fprintf(&b, "external %s: %v %q\n", s.Symbol, s.Kind, s.DisplayName)
	}
	return b.String()
}

func shownRange(r bindings.Range) string {
	return fmt.Sprintf("%d:%d-%d", r.Start.Line+1, r.Start.Character+1, r.End.Character+1)
}

func shownRoles(roles int32) string {
	var words []string
	for bit := int32(1); bit <= int32(bindings.SymbolRole_ForwardDefinition); bit <<= 1 {
		if roles&bit != 0 {
			words = append(words, bindings.SymbolRole(bit).String())
		}
	}
	return strings.Join(words, "+")
}

// linter holds an index against the rules of scip.proto and of scip lint.
type linter struct {
	*testing.T
	known map[string]bool // symbols that something is said of
	files map[string][]byte
}

// lint checks an index of some files.
func lint(t *testing.T, text []byte, files map[string][]byte) {
	t.Helper()
	_, docs, external := read(t, text)
	l := &linter{t, map[string]bool{}, files}
	for _, s := range external {
		if l.known[s.Symbol] {
			l.Errorf("external symbol %s stands twice", s.Symbol)
		}
		l.known[s.Symbol] = true
	}
	outside := len(l.known)
	declared := map[string]bool{}
	for _, d := range docs {
		for _, s := range d.Symbols {
			key := s.Symbol
			if bindings.IsLocalSymbol(key) {
				key = d.RelativePath + " " + key
			} else if l.known[key] && !declared[key] {
				l.Errorf("%s: %s is external, too", d.RelativePath, key)
			}
			if declared[key] {
				l.Errorf("%s: %s stands twice", d.RelativePath, key)
			}
			declared[key], l.known[key] = true, true
		}
	}
	if len(docs) == 0 || outside == len(l.known) {
		l.Fatalf("%d documents, %d symbols", len(docs), len(l.known))
	}
	for _, d := range docs {
		l.document(d)
	}
}

func (l *linter) document(d *bindings.Document) {
	text, ok := l.files[d.RelativePath]
	if !ok {
		l.Fatalf("%s is no file", d.RelativePath)
	}
	lines := bytes.Split(text, []byte("\n"))
	seen := map[string]bool{}
	var before *bindings.Occurrence
	for _, o := range d.Occurrences {
		r, ok := o.SourceRange()
		key := fmt.Sprint(r, o.SymbolRoles, o.Symbol)
		if !ok || seen[key] || before != nil && before.Compare(o) > 0 {
			l.Errorf("%s: occurrence %s: has a range %v, stands twice %v, in order %v", d.RelativePath, key, ok, seen[key], before.Compare(o) <= 0)
		}
		seen[key], before = true, o
		if int(r.Start.Line) >= len(lines) || int(r.End.Character) > len(lines[r.Start.Line]) || r.Start.Line != r.End.Line {
			l.Errorf("%s: %v is outside of the text", d.RelativePath, r)
		}
		if e, ok := o.EnclosingSourceRange(); ok && (r.Start.Less(e.Start) || e.End.Less(r.End)) {
			l.Errorf("%s: %v is not within %v", d.RelativePath, r, e)
		}
		l.symbol(d, o.Symbol)
	}
	for _, s := range d.Symbols {
		targets := map[string]bool{}
		for _, r := range s.Relationships {
			if targets[r.Symbol] || !r.IsImplementation && !r.IsReference && !r.IsTypeDefinition && !r.IsDefinition {
				l.Errorf("%s: %s: %s stands twice or says nothing", d.RelativePath, s.Symbol, r.Symbol)
			}
			targets[r.Symbol] = true
			l.symbol(d, r.Symbol)
		}
	}
}

// symbol checks that a name is well formed, and that something is said of it.
func (l *linter) symbol(d *bindings.Document, name string) {
	parsed, err := bindings.ParseSymbol(name)
	if err != nil {
		l.Errorf("%s: %q: %v", d.RelativePath, name, err)
		return
	}
	if formatted := bindings.VerboseSymbolFormatter.FormatSymbol(parsed); formatted != name && !bindings.IsLocalSymbol(name) {
		l.Errorf("%s: %q should be %q", d.RelativePath, name, formatted)
	}
	if !l.known[name] && !l.known[d.RelativePath+" "+name] {
		l.Errorf("%s: nothing is said of %q", d.RelativePath, name)
	}
}
