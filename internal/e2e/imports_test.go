package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "espy/"

// listed is what the go command says of one package.
type listed struct {
	ImportPath string
	Dir        string
	Doc        string
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
}

// name is the package's place below internal, or cmd/espy.
func (p listed) name() string { return short(p.ImportPath) }

func short(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "internal/")
}

// levels is the table of docs/architecture.md, lowest level first. A package
// may import what its level allows and what exceptions add.
var levels = [][]string{
	0: {
		"ascii",
		"code",
		"config",
		"facts",
		"merkle",
		"nearest",
		"progress",
		"proof",
		"token",
		"usage",
	},
	1: {
		"claim",
		"git",
		"glob",
		"lang",
		"query",
		"rank",
		"segment/frame",
		"watch",
	},
	2: {
		"discover",
		"facts/*",
		"outline",
		"segment",
		"segment/syn",
		"store/blob/*",
	},
	3: {
		"catalog",
		"diff",
		"facts/worker",
		"lines/dfa",
		"lines/trigram",
		"store",
		"workspace/job",
	},
	4: {
		"index",
		"resolve",
	},
	5: {
		"nav",
		"search",
		"worktree",
	},
	6: {
		"workspace/view",
	},
	7: {
		"workspace/origin",
	},
	8: {
		"workspace",
	},
	9: {
		"changes",
		"session",
	},
	10: {
		"eval",
		"files",
		"mcpserver/stdio",
		"render",
	},
	11: {
		"app",
		"eval/*",
		"mcpserver",
	},
	12: {
		"mcpserver/profile/*",
	},
	13: {
		"cli",
		"facts/treesitter",
	},
	14: {
		"cmd/espy",
		"e2e",
		"filetest",
	},
}

var served = []string{
	"catalog",
	"changes",
	"code",
	"nav",
	"nearest",
	"progress",
	"query",
	"render",
	"search",
	"usage",
	"workspace",
}

// named are the packages whose imports are listed rather than set by level.
var named = map[string][]string{
	"code": nil, "nearest": nil, "token": nil, "usage": nil,
	"facts":               {"code"},
	"config":              {"nearest"},
	"merkle":              {"code"},
	"search":              append(upTo(3), "resolve"),
	"nav":                 append(upTo(3), "resolve"),
	"app":                 upTo(9),
	"mcpserver":           append([]string{"files", "mcpserver/stdio"}, served...),
	"mcpserver/stdio":     nil,
	"render":              append(upTo(9), "files"),
	"mcpserver/profile/*": append([]string{"mcpserver", "session", "discover", "glob", "outline"}, served...),
	"cli": append([]string{
		"app",
		"config",
		"eval",
		"eval/*",
		"facts/worker",
		"files",
		"mcpserver",
		"mcpserver/profile/*",
	}, served...),
	"facts/treesitter": {"facts/*"},
	"facts/*":          {"code", "facts"},
	"facts/worker":     {"code", "facts", "facts/*"},
	"cmd/espy":         {"cli", "facts/treesitter"},
	"e2e":              {},
}

// upTo lists the patterns of the levels 0 to n.
func upTo(n int) []string { return slices.Concat(levels[:n+1]...) }

// level finds the level of a package and the pattern that put it there. An
// exact name wins over a pattern with a star.
func level(name string) (int, string) {
	found, by := -1, ""
	for n, patterns := range levels {
		for _, p := range patterns {
			if p == name {
				return n, p
			}
			if ok, _ := path.Match(p, name); ok {
				found, by = n, p
			}
		}
	}
	return found, by
}

func mayImport(importer, imported string) bool {
	n, by := level(importer)
	_, target := level(imported)
	if allowed, ok := named[by]; ok {
		return slices.Contains(allowed, target)
	}
	if target == "config" || n <= 0 {
		return false // settings stop at the edge
	}
	return slices.Contains(upTo(n-1), target)
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		if n, _ := level(p.name()); n < 0 {
			t.Errorf("package %s has no level", p.name())
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) && !mayImport(p.name(), short(imported)) {
				t.Errorf("%s must not import %s", p.name(), short(imported))
			}
		}
	}
}

// TestImportRules shows that the table refuses what it should.
func TestImportRules(t *testing.T) {
	tests := []struct {
		importer, imported string
		want               bool
	}{
		{"merkle", "code", true},
		{"facts", "code", true},
		{"token", "code", false},
		{"rank", "config", false},
		{"rank", "query", false},
		{"segment", "rank", true},
		{"index", "store", true},
		{"index", "resolve", false},
		{"search", "resolve", true},
		{"search", "index", false},
		{"search", "nav", false},
		{"workspace", "search", true},
		{"workspace", "render", false},
		{"render", "workspace", true},
		{"mcpserver", "render", true},
		{"mcpserver", "store", false},
		{"app", "config", true},
		{"cli", "store", false},
		{"cli", "config", true},
		{"cmd/espy", "cli", true},
		{"cmd/espy", "app", false},
		{"cmd/espy", "facts/treesitter", true},
		{"index", "facts/worker", true},
		{"index", "facts/treesitter", false},
		{"facts/worker", "facts/treesitter", false},
	}
	for _, tt := range tests {
		if got := mayImport(tt.importer, tt.imported); got != tt.want {
			t.Errorf("mayImport(%q, %q) = %v, want %v", tt.importer, tt.imported, got, tt.want)
		}
	}
}

// TestPurePackages holds that these do no I/O and read no clock.
func TestPurePackages(t *testing.T) {
	pure := []string{"ascii", "code", "facts", "glob", "merkle", "nearest", "usage", "token", "query", "rank", "outline", "facts/tree", "lang", "diff"}
	banned := []string{"os", "os/exec", "net", "net/http", "time", "log", "log/slog", "math/rand", "math/rand/v2"}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if slices.Contains(pure, p.name()) && slices.Contains(banned, imported) {
				t.Errorf("%s must not import %s", p.name(), imported)
			}
		}
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && p.Doc == "" {
			t.Errorf("package %s has no package comment", p.name())
		}
		if len(p.CgoFiles) > 0 && p.name() != "facts/treesitter" {
			t.Errorf("package %s uses cgo", p.name())
		}
	}
}

// TestEdges holds that only the command layer reads the environment, prints
// and exits.
func TestEdges(t *testing.T) {
	banned := []string{
		"os.Getenv", "os.LookupEnv", "os.Environ", "os.Exit", "os.Stdout", "os.Stdin", "os.Stderr", "os.Args", "os.UserHomeDir",
		"fmt.Print", "fmt.Println", "fmt.Printf", "log.Fatal", "log.Fatalf", "log.Print", "log.Printf", "slog.SetDefault",
	}
	for _, p := range packages(t) {
		if n, _ := level(p.name()); n >= 13 {
			continue
		}
		for _, name := range p.GoFiles {
			for _, used := range selectors(t, filepath.Join(p.Dir, name)) {
				if slices.Contains(banned, used) {
					t.Errorf("%s/%s uses %s", p.name(), name, used)
				}
			}
		}
	}
}

// selectors lists every pkg.Name of a file.
func selectors(t *testing.T, file string) []string {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok {
				found = append(found, pkg.Name+"."+sel.Sel.Name)
			}
		}
		return true
	})
	return found
}

// packages lists every package of the module.
func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,GoFiles,CgoFiles,Imports", "./...")
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var list []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
