package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
)

// alone is what was searched in one repository.
func alone(in hit.Searched) across.Searched { return across.Searched{Repos: []hit.Searched{in}} }

func parseDefinition() locate.Definition {
	return locate.Definition{
		ID: "query/parse.go#Parse", Path: "query/parse.go", Line: 12, Column: 6, EndLine: 40, Name: "Parse", QualifiedName: "query.Parse",
		Kind: code.KindFunc, Exported: true, Signature: "func Parse(text string) (*Node, error)", Uses: 9,
		Doc: "Parse reads a query.\nIt fails where\nthe text\nis no query,\nand says where.",
	}
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	method := locate.Definition{
		ID: "odd\nname.go#T.Parse", Path: "odd\nname.go", Line: 3, EndLine: 3, Name: "Parse", QualifiedName: "T.Parse", Kind: code.KindMethod,
		Signature: "func (T) Parse()", Body: "func (T) Parse() {\n\t\x1b[31m\n}\n", Uses: 1, Confidence: facts.Likely, Reason: "only T has one",
	}
	all := &Symbols{
		Request: &nav.SymbolRequest{Target: locate.Target{Name: "Parse"}}, In: alone(fresh("espy", 3)),
		Symbols: &nav.Symbols{Total: 5, Definitions: []locate.Definition{parseDefinition(), method}},
	}
	none := &Symbols{
		Request: &nav.SymbolRequest{Target: locate.Target{Name: "query.Prase"}}, In: alone(fresh("espy", 3)),
		Symbols: &nav.Symbols{Near: []string{"Parse", "Phase"}, Pending: 2},
	}
	unread := &Symbols{
		Request: &nav.SymbolRequest{Target: locate.Target{Name: "Call.cancel"}}, In: alone(fresh("espy", 3)),
		Symbols: &nav.Symbols{Unread: "kotlin"},
	}
	named := &Symbols{
		Request: &nav.SymbolRequest{Target: locate.Target{Name: "schedules"}}, In: alone(fresh("espy", 3)),
		Symbols: &nav.Symbols{Near: []string{"Schedule"}, Named: []string{"app/schedules.py", "odd\nname/schedules.py"}},
	}
	at := &Symbols{
		Request: &nav.SymbolRequest{Target: locate.Target{Path: "main.go", Line: 7, Column: 2}}, In: alone(fresh("espy", 3)),
		Symbols: &nav.Symbols{Total: 1, Definitions: []locate.Definition{method}, Use: &nav.Reference{Line: 7, Column: 2, Name: "Parse", Role: facts.RoleCall, Text: "t.Parse()"}},
	}
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	for name, a := range map[string]*Symbols{"all": all, "none": none, "at": at, "unread": unread, "named": named} {
		t.Run(name, func(t *testing.T) {
			golden(t, "symbol_"+name+".txt", a.Text(tools))
			golden(t, "symbol_"+name+"_cli.txt", a.Text(Options{}))
			golden(t, "symbol_"+name+".json", indent(t, a.JSON(tools)))
		})
	}
}

func references() *References {
	return &References{
		Request: &nav.ReferencesRequest{Target: locate.Target{Name: "Parse"}}, In: alone(fresh("espy", 3)),
		References: &nav.References{
			Symbols: []locate.Definition{parseDefinition()}, Total: 3, Certain: 2, Possible: 1,
			Files: []nav.FileReferences{
				{Path: "main.go", References: []nav.Reference{
					{Line: 7, Column: 8, Name: "Parse", Role: facts.RoleCall, In: "main.go#main", Text: "query.Parse(os.Args[1])", Reason: "imported"},
					{Line: 9, Column: 8, Name: "Parse", Role: facts.RoleRead, Confidence: facts.Likely, Reason: "only one of that name", Text: "f := x.Parse"},
				}},
				{Path: "query/a.go", References: []nav.Reference{{Line: 1, Column: 1, Name: "Parse", Role: facts.RoleCall, In: "query/a.go#T.Do", Text: strings.Repeat("x", 300), Reason: "same package"}}},
			},
			Maybe:  []nav.FileReferences{{Path: "web/a.py", References: []nav.Reference{{Line: 4, Column: 1, Name: "Parse", Role: facts.RoleCall, Confidence: facts.Possible, Reason: "type of x is not known", Text: "x.Parse()"}}}},
			Update: []string{"main.go", "query/a.go", "query/parse.go"},
		},
	}
}

// TestReferencesOfManyDeclarations goes through the pages of a name that many symbols bear
// and many files use: they hold every use once, and none is empty.
func TestReferencesOfManyDeclarations(t *testing.T) {
	all := references()
	for range 60 {
		all.Symbols = append(all.Symbols, parseDefinition())
		all.Update = append(all.Update, "a/long/folder/of/files/that/use/the/name.go")
	}
	var uses []nav.Reference
	for line := range 200 {
		uses = append(uses, nav.Reference{Line: line + 1, Column: 1, Name: "Parse", Role: facts.RoleCall, Text: "query.Parse()", Reason: "imported"})
	}
	all.Total, all.Possible, all.Maybe = len(uses), 0, nil
	for _, bound := range []int{500, DefaultTokens} {
		var got []int
		for offset := 0; offset < len(uses); {
			req, found, next := *all.Request, *all.References, 0
			found.Offset, found.Files = offset, []nav.FileReferences{{Path: "main.go", References: uses[offset:]}}
			data := (&References{Request: &req, In: all.In, References: &found}).JSON(Options{MaxTokens: bound, Cursor: func(n int) string { next = n; return fmt.Sprint(n) }})
			var v referencesJSON
			if err := json.Unmarshal(data, &v); err != nil {
				t.Fatal(err)
			}
			if len(v.References) == 0 || code.Tokens(len(data)) > bound || len(v.Symbols)+v.MoreNames != 61 || len(v.Update)+v.MoreUpdate != 63 {
				t.Fatalf("at %d of %d tokens: %d uses, %d tokens, %d and %d symbols, %d and %d files", offset, bound, len(v.References), code.Tokens(len(data)), len(v.Symbols), v.MoreNames, len(v.Update), v.MoreUpdate)
			}
			for _, r := range v.References {
				got = append(got, r.Line)
			}
			if offset += len(v.References); v.Cursor == "" || next != offset {
				break
			}
		}
		if len(got) != len(uses) || !slices.IsSorted(got) {
			t.Errorf("%d tokens: the pages hold %d uses, want %d", bound, len(got), len(uses))
		}
	}
}

// TestReferencesCountFilesOnce holds that a file with certain and possible uses counts
// once.
func TestReferencesCountFilesOnce(t *testing.T) {
	t.Parallel()
	a := references()
	a.Maybe[0].Path = a.Files[0].Path
	if text := a.Text(Options{}); !strings.Contains(text, ", in 2 files,") {
		t.Errorf("not in 2 files:\n%s", text)
	}
}

// TestReasonsOnce holds that a reason which uses in a row share is said once, and again
// after another.
func TestReasonsOnce(t *testing.T) {
	t.Parallel()
	uses := func(reasons ...string) (all []nav.Reference) {
		for i, reason := range reasons {
			all = append(all, nav.Reference{Line: i + 1, Role: facts.RoleCall, Confidence: facts.Likely, Reason: reason, Text: "x"})
		}
		return all
	}
	a := references()
	a.Files[0].References, a.Maybe[0].References = uses("one", "one", "two", "one"), uses("one", "one", "two")
	for i := range a.Maybe[0].References {
		a.Maybe[0].References[i].Confidence = facts.Possible
	}
	text := a.Text(Options{})
	for _, want := range []string{
		"1 call: x (likely: one)\n  2 call: x (likely)\n  3 call: x (likely: two)\n  4 call: x (likely: one)\n",
		"1 call: x (possible: one)\n  2 call: x\n  3 call: x (possible: two)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("reasons are not said once:\n%s\nwant\n%s", text, want)
		}
	}
	a.Request = &nav.ReferencesRequest{Target: a.Request.Target, Kind: nav.KindMentions} // no title says that they are possible
	if want := "1 call: x (possible: one)\n  2 call: x (possible)\n"; !strings.Contains(a.Text(Options{}), want) {
		t.Errorf("mentions:\n%s\nwant\n%s", a.Text(Options{}), want)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	none := references()
	none.References = &nav.References{Symbols: none.Symbols}
	page := references()
	page.Offset, page.Files = 2, page.Files[1:]
	page.Total = 9
	which := &References{
		Request: &nav.ReferencesRequest{Target: locate.Target{Name: "Parse"}}, In: alone(fresh("espy", 3)),
		References: &nav.References{Candidates: []locate.Definition{parseDefinition(), {ID: "web/a.py#Parse", Path: "web/a.py", Line: 1, Kind: code.KindClass, Signature: "class Parse:", Uses: 9}}},
	}
	unknown := &References{
		Request: &nav.ReferencesRequest{Target: locate.Target{Path: "a.go", Line: 3}, Kind: nav.KindCalls}, In: alone(fresh("espy", 3)), References: &nav.References{Near: []string{"Parse"}},
	}
	union := references()
	union.Request = &nav.ReferencesRequest{Target: locate.Target{Name: "Parse"}, Union: true}
	union.Symbols = append(union.Symbols, locate.Definition{ID: "web/b.py#Parse", Path: "web/b.py", Line: 1, Name: "Parse", Kind: code.KindClass, Uses: 9})
	union.Check, union.Mentions, union.Unparsed = []string{"web/a.py"}, 12, []string{"web/broken.py"}
	narrow := references()
	narrow.Others = 5
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	for name, a := range map[string]*References{"all": references(), "union": union, "narrow": narrow, "none": none, "page": page, "which": which, "unknown": unknown} {
		t.Run(name, func(t *testing.T) {
			golden(t, "references_"+name+".txt", a.Text(tools))
			golden(t, "references_"+name+"_cli.txt", a.Text(Options{}))
			golden(t, "references_"+name+".json", indent(t, a.JSON(tools)))
		})
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	a := &Outline{
		Request: &nav.OutlineRequest{Path: "query", Metrics: true}, In: fresh("espy", 3),
		Outline: &nav.Outline{Total: 3, Files: []nav.FileOutline{
			{Path: "query/data.json", State: "unknown", Lines: 2},
			{Path: "query/parse.go", Package: "query", State: "parsed", Lines: 60, Faults: []facts.Fault{{Line: 50, Message: "expected }"}}, Symbols: []nav.OutlineSymbol{
				{ID: "query/parse.go#T", Name: "T", Kind: code.KindStruct, Line: 3, EndLine: 9, Signature: "type T struct", Exported: true},
				{ID: "query/parse.go#T.f", Name: "f", Kind: code.KindField, Depth: 1, Line: 4, EndLine: 4, Signature: "f\n\tint"},
				{ID: "query/parse.go#Parse", Name: "Parse", Kind: code.KindFunc, Line: 12, EndLine: 40, Signature: "func Parse(text string) (*Node, error)", Exported: true, Complexity: 7},
			}},
			{Path: "query/z.py", State: "failed", Reason: "nested too deeply"},
		}},
	}
	none := &Outline{Request: &nav.OutlineRequest{Path: "qury"}, In: fresh("espy", 3), Outline: &nav.Outline{}}
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	for name, a := range map[string]*Outline{"all": a, "none": none} {
		t.Run(name, func(t *testing.T) {
			golden(t, "outline_"+name+".txt", a.Text(tools))
			golden(t, "outline_"+name+"_cli.txt", a.Text(Options{}))
			golden(t, "outline_"+name+".json", indent(t, a.JSON(tools)))
		})
	}
}

// TestNavBounds holds that no answer is larger than asked for.
func TestNavBounds(t *testing.T) {
	t.Parallel()
	many := references()
	many.Files, many.Total = nil, 0
	for i := range 400 {
		many.Files = append(many.Files, nav.FileReferences{Path: fmt.Sprintf("dir%d/file.go", i), References: references().Files[0].References})
		many.Total += 2
	}
	for _, bound := range []int{100, 500, 2000} {
		t.Run(fmt.Sprint(bound), func(t *testing.T) {
			o := Options{Calls: ToolCalls, MaxTokens: bound, Cursor: func(n int) string { return fmt.Sprint("page-", n) }}
			for form, text := range map[string]string{"text": many.Text(o), "json": string(many.JSON(o))} {
				if n := code.Tokens(len(text)); n > bound && (form == "text" || bound > 500) {
					t.Errorf("%s: %d tokens, bound %d", form, n, bound)
				}
			}
		})
	}
}
