package ranked_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestLabelOfTheBestLine holds, over a thousand hits in Go's own sources, that
// the symbol of a hit is one that its most telling line stands in, declares or
// documents, as the parser of Go sees it; with syntax and without.
func TestLabelOfTheBestLine(t *testing.T) {
	files := sample.GoSources(t)
	bare := sample.GoSnapshot(t)[0]
	for name, c := range map[string]struct {
		snap    *store.Snapshot
		details []hit.Detail
		none    bool // may stand for a symbol that starts far above
	}{
		"outline": {bare, []hit.Detail{hit.DetailLines}, true},
		"syntax":  {sample.GoParsed(t), []hit.Detail{hit.DetailLines, hit.DetailLocate}, false},
	} {
		t.Run(name, func(t *testing.T) {
			hits, wrong := 0, 0
			for _, query := range docSentences(files, proof.Rounds(120)) {
				best := searchtest.Must(t, []*store.Snapshot{c.snap}, hit.Request{Query: query, MaxTokens: 1}).Hits
				for _, detail := range c.details {
					for i, h := range searchtest.Must(t, []*store.Snapshot{c.snap}, hit.Request{Query: query, Detail: detail}).Hits {
						if len(best[i].Lines) == 0 {
							continue
						}
						line := best[i].Lines[0].Number
						hits++
						if h.Symbol == "" && c.none {
							continue
						}
						if allowed := declarationsAt(t, h.Path, files[h.Path], line); !slices.Contains(allowed, h.Symbol) {
							if wrong++; wrong < 10 {
								t.Errorf("%q, %s: %s is %s %q, want one of %q at line %d", query, detail, h.Path, h.Kind, h.Symbol, allowed, line)
							}
						}
					}
				}
			}
			if hits < proof.Rounds(1000) || wrong > 0 {
				t.Errorf("%d of %d labels are wrong", wrong, hits)
			}
		})
	}
}

// TestNamespacesAreNoLabels holds that a file is not named by the namespace that it
// shares with its folder, with syntax and without, unless a query asks for it.
func TestNamespacesAreNoLabels(t *testing.T) {
	t.Parallel()
	bare := sample.Repository(t, "demo", map[string]string{
		"src/Middleware/Retry.php": "<?php\n\nnamespace App\\Middleware;\n\nuse App\\Clock;\n\nfinal class Retry\n{\n    public function wait(): void\n    {\n    }\n}\n",
		"src/Middleware/Retry.cs":  "namespace App.Middleware;\n\nusing App.Clock;\n\npublic class Retry\n{\n    public void Wait()\n    {\n    }\n}\n",
	})
	for name, snap := range map[string]*store.Snapshot{"outline": bare, "syntax": sample.Parsed(t, bare)} {
		for query, want := range map[string]string{"how middleware is ordered": "Retry", "middleware kind:module": "Middleware"} {
			hits := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: query}).Hits
			if len(hits) != 2 {
				t.Errorf("%s: %d hits of %q, want 2", name, len(hits), query)
			}
			for _, h := range hits {
				if !strings.HasSuffix(h.Symbol, want) {
					t.Errorf("%s: %q names %s by the %s %q, want %s", name, query, h.Path, h.Kind, h.Symbol, want)
				}
			}
		}
	}
}

// docSentences returns n first sentences of documentation, as questions.
func docSentences(files map[string]string, n int) (questions []string) {
	paths := slices.Sorted(maps.Keys(files))
	for i := 0; len(questions) < n; i++ {
		text := files[paths[i*7%len(paths)]]
		for line := range strings.Lines(text) {
			words := strings.Fields(strings.TrimPrefix(line, "//"))
			if strings.HasPrefix(line, "// ") && !strings.Contains(line, "Copyright") && len(words) >= 5 && len(words) <= 12 {
				questions = append(questions, strings.Trim(strings.Join(words, " "), ".:,()\"-"))
				break
			}
		}
	}
	return questions
}

// declarationsAt returns the names of what is declared, documented or continued
// on a line: the innermost, and all that start there. "" stands for none.
func declarationsAt(t *testing.T, path, text string, line int) (names []string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{""}
	}
	innermost := ""
	add := func(name string, doc *ast.CommentGroup, node ast.Node) {
		from, to := fset.Position(node.Pos()).Line, fset.Position(node.End()).Line
		documented := doc != nil && fset.Position(doc.Pos()).Line <= line && line <= fset.Position(doc.End()).Line
		if from == line || documented {
			names = append(names, name)
		}
		if from <= line && line <= to {
			innermost = name
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name.Name, n.Doc, n)
			return false
		case *ast.FuncType:
			return false
		case *ast.GenDecl:
			for _, s := range n.Specs {
				addSpec(s, n.Doc, add)
			}
		case *ast.Field:
			for _, name := range n.Names {
				add(name.Name, n.Doc, n)
			}
		}
		return true
	})
	return append(names, innermost)
}

func addSpec(s ast.Spec, group *ast.CommentGroup, add func(string, *ast.CommentGroup, ast.Node)) {
	either := func(doc *ast.CommentGroup) *ast.CommentGroup {
		if doc == nil {
			return group
		}
		return doc
	}
	switch s := s.(type) {
	case *ast.TypeSpec:
		add(s.Name.Name, either(s.Doc), s)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			add(name.Name, either(s.Doc), s)
		}
	}
}
