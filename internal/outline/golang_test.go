package outline

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"espy/internal/lang"
)

// TestGoAgreesWithGoParser compares the outline with the compiler's own parser
// over a part of Go's source tree.
func TestGoAgreesWithGoParser(t *testing.T) {
	golang, _ := lang.ByName("go")
	found, wanted, both, shown := 0, 0, 0, 0
	for _, folder := range []string{"net", "go", "cmd/compile", "runtime", "encoding", "internal"} {
		goFiles(t, folder, func(path string, text []byte) {
			want, err := declarations(text)
			if err != nil {
				return // files that are broken on purpose
			}
			wanted += len(want)
			for _, d := range Parse(golang, text).Definitions {
				found++
				if key := fmt.Sprintf("%s:%d", d.Name, d.Line); want[key] {
					both++
					delete(want, key)
				} else if shown++; shown < 20 {
					t.Logf("%s: extra %s %s", path, d.Kind, key)
				}
			}
			for key := range want {
				if shown++; shown < 20 {
					t.Logf("%s: missing %s", path, key)
				}
			}
		})
	}
	precision, recall := float64(both)/float64(found), float64(both)/float64(wanted)
	t.Logf("precision %.5f of %d, recall %.5f of %d", precision, found, recall, wanted)
	if precision < 0.999 || recall < 0.998 || wanted < 50_000 {
		t.Errorf("precision %.5f, recall %.5f of %d declarations; want at least 0.999 and 0.998 of 50,000", precision, recall, wanted)
	}
}

// declarations lists name:line of every top-level declaration.
func declarations(text []byte) (map[string]bool, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			names[fmt.Sprintf("%s:%d", id.Name, fset.PositionFor(id.Pos(), false).Line)] = true
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "_" {
				continue
			}
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names, nil
}
