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
	{
		"ascii",
		"bearer",
		"bundle/pack",
		"code",
		"config",
		"embedding",
		"errand",
		"facts",
		"filetest",
		"frugal",
		"git/program",
		"links/framework/written",
		"listing",
		"nearest",
		"pattern",
		"permit",
		"place",
		"postgres",
		"postgrestest",
		"progress",
		"proof",
		"redact",
		"replace",
		"secret",
		"seen",
		"search/fusion",
		"segment/vec/dot",
		"store/blob",
		"store/blob/blobtest",
		"tally",
		"tasks",
		"token",
		"usage",
		"wordset",
	},
	{
		"claim",
		"discover/content",
		"discover/globs",
		"discover/roots",
		"embedding/adapt",
		"embedding/remote",
		"embedding/static",
		"git",
		"git/gittest",
		"glob",
		"lang",
		"links/framework/phoenix",
		"links/framework/rails",
		"manifest",
		"patch",
		"place",
		"query",
		"queue",
		"rank",
		"segment/arena",
		"segment/dict",
		"segment/frame",
		"segment/frame/*",
		"segment/pack",
		"segment/syn/table",
		"bearer/*",
		"tasks/*",
		"touches",
		"tasks/codebase",
		"watch",
		"windows/plain",
	},
	{
		"discover",
		"embedding/ollama",
		"embedding/openai",
		"facts/*",
		"git/clone",
		"git/export",
		"grep/choose",
		"grep/flags",
		"grep/pcre",
		"impact/suite",
		"intent",
		"links/framework/laravel",
		"outline",
		"packages",
		"segment",
		"segment/syn",
		"segment/vec",
		"store/blob/*",
		"windows/win",
	},
	{
		"catalog",
		"catalog/*",
		"diff",
		"embedding/learn",
		"facts/worker",
		"hit",
		"lines/dfa",
		"lines/needle",
		"lines/trigram",
		"pgvector",
		"similar/shingle",
		"structure",
		"store",
		"store/changelog",
		"store/manifest",
		"store/part",
		"store/replica",
		"store/vectors",
		"workspace/job",
	},
	{
		"filter",
		"grep/rust",
		"index",
		"parallel",
		"resolve",
		"resolve/bridge",
		"resolve/company",
		"embedding/embeddingtest",
		"sample",
		"resolve/corpus",
		"resolve/infer",
		"resolve/kin",
		"resolve/meaning",
		"resolve/methodset",
		"resolve/origin",
		"resolve/generic", "resolve/narrow", "resolve/overload", "resolve/shape",
		"resolve/rules",
		"resolve/rules/composer",
		"resolve/rules/loose",
		"resolve/rules/macro",
		"resolve/rules/cpp",
		"resolve/rules/csharp",
		"resolve/rules/include",
		"resolve/rules/jdk",
		"resolve/rules/kernel",
		"resolve/rules/kotlin",
		"resolve/rules/loadpath",
		"resolve/rules/lombok",
		"resolve/rules/mixin",
		"resolve/rules/npm",
		"resolve/rules/orm",
		"resolve/rules/rust",
		"workspace/coverage",
	},
	{
		"excerpt",
		"graph",
		"grep/indexed",
		"grep/scan",
		"label",
		"impact/mention",
		"impact/suites",
		"impact/within",
		"impact/wording",
		"links/edge",
		"links/framework",
		"links/framework/route",
		"links/framework/rules",
		"links/framework/site",
		"locate",
		"nav",
		"windows",
		"worktree",
	},
	{
		"grep/show",
		"impact/lined",
		"lines",
		"modules",
		"modules/byline",
		"ranked/corpus",
		"similar",
	},
	{
		"grep",
		"ranked/conditions",
		"ranked/imported",
		"ranked/likeness",
		"ranked/message",
		"ranked/past",
		"ranked/quote",
		"ranked/report",
		"ranked/score",
		"ranked/spelling",
		"ranked/vocabulary",
		"ranked/within",
		"ranked/work",
	},
	{
		"companions",
		"ranked",
		"ranked/clue",
		"ranked/missing",
		"ranked/reading",
		"semantic",
		"workspace/indexed",
		"workspace/team",
		"workspace/view",
	},
	{
		"learned",
		"search",
		"workspace/origin",
	},
	{
		"search/searchtest",
		"workspace",
	},
	{
		"across",
		"changes",
		"lately",
		"merkle",
		"mirror",
		"news",
		"session",
		"visits",
		"workspace/workspacetest",
	},
	{
		"anatomy",
		"audit",
		"bundle",
		"calls",
		"dependencies",
		"deps",
		"evidence",
		"export",
		"hierarchy",
		"hybrid",
		"impact",
		"impact/sides",
		"links",
		"overview",
		"spots",
		"symbols",
	},
	{
		"complete",
		"eval",
		"export/scip",
		"files",
		"mcpserver/arguments",
		"httpd/problem",
		"mcpserver/cursor",
		"mcpserver/message",
		"mcpserver/notify",
		"mcpserver/stdio",
		"mcpserver/relay",
		"mcpserver/surface",
		"render",
	},
	{
		"app",
		"eval/*",
		"httpd/body",
		"httpd/door",
		"httpd/limit",
		"mcpserver/ahead",
		"mcpserver/host",
	},
	{
		"httpd/api",
		"httpd/auth",
		"httpd/metrics",
	},
	{
		"mcpserver",
		"mcpserver/profile/profiletest",
	},
	{
		"httpd",
		"mcpserver/profile/*",
	},
	{
		"cli",
		"facts/treesitter",
	},
	{
		"cmd/espy",
		"e2e",
		"facts/factstest",
		"scripts/*",
	},
}

var served = []string{
	"across",
	"audit",
	"bundle",
	"calls",
	"catalog",
	"changes",
	"code",
	"complete",
	"dependencies",
	"deps",
	"hierarchy",
	"hit",
	"impact",
	"links",
	"locate",
	"nav",
	"nearest",
	"overview",
	"place",
	"progress",
	"query",
	"queue",
	"render",
	"search",
	"seen",
	"similar",
	"tasks",
	"usage",
	"windows",
	"workspace",
	"workspace/indexed",
}

// named are the packages whose imports are listed rather than set by level.
var named = map[string][]string{
	"code": nil, "nearest": nil, "token": nil, "usage": nil,
	"bearer":                 {"permit", "usage"},
	"tasks":                  {"code", "nearest", "permit", "usage"},
	"postgres":               {"usage"},
	"facts":                  {"code"},
	"lines/needle":           {"lines/trigram"},
	"place":                  {"usage"},
	"seen":                   {"usage"},
	"config":                 {"nearest", "usage"},
	"listing":                {"code"},
	"segment/frame/*":        {"segment/frame"},
	"segment/arena":          nil,
	"segment/pack":           {"segment/frame"},
	"redact":                 {"ascii"},
	"secret":                 {"wordset"},
	"discover/globs":         {"glob", "usage"},
	"discover/roots":         {"code", "place", "secret"},
	"segment/dict":           {"segment/arena", "segment/frame", "segment/pack"},
	"store":                  append(upTo(2), "store/changelog", "store/manifest", "store/part", "store/vectors"),
	"store/blob/blobtest":    {"store/blob"},
	"store/replica":          append(upTo(2), "store/manifest", "store/part", "store/changelog"),
	"catalog/*":              append(upTo(2), "catalog"),
	"store/manifest":         append(upTo(2), "store/part"),
	"windows":                append(upTo(3), "parallel"),
	"graph":                  append(upTo(3), "locate", "resolve", "resolve/corpus"),
	"impact/lined":           {"code", "facts", "graph", "lang", "locate", "modules", "outline", "resolve/corpus"},
	"impact/suites":          {"impact/suite", "impact/within", "locate", "resolve/corpus"},
	"impact/within":          {"code", "facts", "locate", "pattern", "resolve/corpus"},
	"impact/mention":         {"graph", "locate", "resolve/corpus", "segment"},
	"modules":                {"code", "facts", "locate", "manifest", "modules/byline", "pattern", "resolve", "resolve/corpus", "wordset"},
	"links/edge":             {"facts", "resolve/corpus"},
	"links/framework":        append(upTo(3), "links/edge", "links/framework/route", "links/framework/rules", "links/framework/site", "locate", "resolve", "resolve/corpus"),
	"links/framework/route":  append(upTo(3), "links/edge", "links/framework/rules", "links/framework/site", "locate", "resolve", "resolve/corpus"),
	"links/framework/rules":  {"links/edge", "links/framework/written", "resolve/corpus"},
	"links/framework/site":   append(upTo(3), "links/framework/rules", "locate", "resolve", "resolve/corpus"),
	"links/framework/*":      {"links/framework/rails", "links/framework/written"},
	"locate":                 append(upTo(3), "resolve", "resolve/corpus"),
	"nav":                    append(upTo(3), "locate", "resolve", "resolve/corpus", "resolve/kin", "resolve/origin"),
	"resolve":                append(upTo(2), "resolve/bridge", "resolve/company", "resolve/corpus", "resolve/infer", "resolve/kin", "resolve/meaning", "resolve/origin", "resolve/rules", "resolve/rules/lombok"),
	"resolve/bridge":         {"facts", "resolve/corpus", "resolve/infer"},
	"resolve/kin":            append(upTo(2), "resolve/corpus", "resolve/infer", "resolve/meaning", "resolve/methodset", "resolve/origin"),
	"resolve/origin":         {"facts", "resolve/corpus", "resolve/infer", "resolve/meaning"},
	"resolve/methodset":      nil,
	"resolve/corpus":         upTo(2),
	"resolve/infer":          {"code", "facts", "resolve/corpus"},
	"resolve/meaning":        {"code", "facts", "resolve/corpus", "resolve/generic", "resolve/infer", "resolve/narrow", "resolve/overload", "resolve/shape"},
	"resolve/generic":        {"code", "facts", "resolve/corpus", "resolve/infer"},
	"resolve/narrow":         {"code", "facts", "resolve/corpus", "resolve/infer"},
	"resolve/overload":       {"code", "facts", "resolve/corpus", "resolve/infer"},
	"resolve/shape":          {"code", "facts", "resolve/corpus", "resolve/infer"},
	"resolve/rules":          {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning", "resolve/rules/composer", "resolve/rules/cpp", "resolve/rules/csharp", "resolve/rules/include", "resolve/rules/jdk", "resolve/rules/kernel", "resolve/rules/kotlin", "resolve/rules/loadpath", "resolve/rules/lombok", "resolve/rules/loose", "resolve/rules/mixin", "resolve/rules/npm", "resolve/rules/orm", "resolve/rules/rust", "segment/syn", "wordset"},
	"resolve/rules/loose":    {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning", "wordset"},
	"resolve/rules/macro":    {"resolve/corpus", "resolve/infer"},
	"resolve/rules/npm":      {"resolve/corpus"},
	"resolve/rules/include":  {"facts", "resolve/corpus"},
	"resolve/rules/jdk":      {"facts", "resolve/infer"},
	"resolve/rules/kernel":   {"resolve/infer", "wordset"},
	"resolve/rules/kotlin":   {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/overload", "resolve/rules/jdk"},
	"resolve/rules/loadpath": {"resolve/corpus"},
	"resolve/rules/lombok":   {"code", "facts", "resolve/corpus", "resolve/infer", "wordset"},
	"resolve/rules/mixin":    {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning"},
	"resolve/rules/orm":      {"resolve/infer", "wordset"},
	"resolve/company":        {"facts", "resolve/corpus", "resolve/infer", "resolve/kin", "resolve/meaning"},
	"resolve/rules/composer": {"resolve/corpus"},
	"resolve/rules/rust":     {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning", "wordset"},
	"resolve/rules/cpp":      {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning", "resolve/rules/include", "resolve/rules/macro"},
	"resolve/rules/csharp":   {"code", "facts", "resolve/corpus", "resolve/infer", "resolve/meaning", "wordset"},
	"ranked":                 append(upTo(7), "ranked/clue", "ranked/missing", "ranked/reading"),
	"search": {
		"companions",
		"embedding",
		"filter",
		"hit",
		"lines",
		"query",
		"ranked",
		"ranked/past",
		"ranked/report",
		"semantic",
		"store",
	},
	"app":                 append(upTo(11), "deps"),
	"mcpserver":           append([]string{"files", "permit", "mcpserver/ahead", "mcpserver/arguments", "mcpserver/cursor", "mcpserver/host", "mcpserver/notify", "mcpserver/surface"}, served...),
	"export":              append(upTo(11), "calls"),
	"calls":               append(upTo(11), "deps"),
	"impact":              append(upTo(11), "deps", "impact/sides"),
	"impact/sides":        {"changes", "patch", "segment", "store", "workspace"},
	"mcpserver/ahead":     {"deps", "impact", "overview", "workspace", "workspace/origin"},
	"mcpserver/arguments": {"catalog", "locate", "nearest", "place", "usage"},
	"mcpserver/cursor":    {"hit", "usage"},
	"httpd/auth":          {"bearer", "httpd/problem", "mcpserver/host", "permit", "usage"},
	"mcpserver/host":      {"mcpserver/arguments", "permit", "mcpserver/notify", "mcpserver/stdio", "nearest", "render", "usage"},
	"mcpserver/notify":    nil,
	"mcpserver/relay":     nil,
	"mcpserver/surface":   {"complete", "usage", "workspace"},
	"complete":            append(upTo(11), "files"),
	"mcpserver/message":   nil,
	"mcpserver/stdio":     {"mcpserver/message"},
	"httpd":               {"httpd/api", "httpd/auth", "httpd/body", "httpd/door", "httpd/limit", "httpd/metrics", "httpd/problem", "mcpserver/host", "mcpserver/message", "permit", "tally", "usage"},
	"httpd/problem":       nil,
	"httpd/api":           {"httpd/body", "httpd/problem", "mcpserver/host", "mcpserver/message", "nearest", "permit", "usage"},
	"httpd/body":          {"httpd/problem", "mcpserver/message", "usage"},
	"httpd/door":          {"httpd/problem", "usage"},
	"httpd/metrics":       {"mcpserver/host", "tally"},
	"httpd/limit":         {"httpd/problem", "permit"},
	"render":              append(upTo(12), "files"),
	"mcpserver/profile/*": append([]string{"permit", "mcpserver/host", "session", "discover", "discover/roots", "glob", "redact", "news", "evidence", "bundle/pack", "diff", "facts", "lang", "lately", "anatomy", "hybrid", "index", "merkle", "replace", "spots"}, served...),
	"cli": append([]string{"replace", "symbols", "visits",
		"app",
		"config",
		"embedding/learn",
		"errand",
		"eval",
		"eval/*",
		"export",
		"export/scip",
		"facts/worker",
		"files",
		"grep",
		"grep/flags",
		"httpd",
		"httpd/auth",
		"httpd/door",
		"httpd/metrics",
		"lately",
		"mcpserver",
		"mcpserver/ahead",
		"mcpserver/host",
		"mcpserver/profile/*",
		"mcpserver/relay",
		"mcpserver/stdio",
		"mirror",
		"permit",
		"queue",
		"bearer",
		"tasks/codebase",
		"touches",
	}, served...),
	"facts/treesitter": {"facts/*"},
	"facts/*":          {"code", "facts", "wordset"},
	"facts/worker":     {"code", "facts", "facts/*", "structure"},
	"structure":        {"facts/*", "nearest", "pattern", "usage"},
	"cmd/espy":         {"cli", "facts/treesitter"},
	"e2e":              {},
	"scripts/*":        {},
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
	if target == "pattern" {
		return true // it stands for regexp of the standard library
	}
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
		t.Run(p.name(), func(t *testing.T) {
			if n, _ := level(p.name()); n < 0 {
				t.Errorf("package %s has no level", p.name())
				return
			}
			for _, imported := range p.Imports {
				if strings.HasPrefix(imported, module) && !mayImport(p.name(), short(imported)) {
					t.Errorf("%s must not import %s", p.name(), short(imported))
				}
			}
		})
	}
}

// TestImportRules shows that the table refuses what it should.
func TestImportRules(t *testing.T) {
	tests := []struct {
		importer, imported string
		want               bool
	}{
		{"listing", "code", true},
		{"facts", "code", true},
		{"token", "code", false},
		{"rank", "config", false},
		{"rank", "query", false},
		{"segment", "rank", true},
		{"index", "store", true},
		{"index", "resolve", false},
		{"search", "resolve", false},
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
		t.Run(tt.importer+" "+tt.imported, func(t *testing.T) {
			if got := mayImport(tt.importer, tt.imported); got != tt.want {
				t.Errorf("mayImport(%q, %q) = %v, want %v", tt.importer, tt.imported, got, tt.want)
			}
		})
	}
}

// TestPurePackages holds that these do no I/O and read no clock.
func TestPurePackages(t *testing.T) {
	pure := []string{"ascii", "wordset", "code", "facts", "glob", "listing", "nearest", "usage", "token", "query", "rank", "outline", "facts/tree", "lang", "place", "diff", "patch", "impact/suite", "redact", "seen", "bundle/pack", "links/framework/written", "links/framework/rails", "links/framework/phoenix", "links/framework/laravel", "discover/content", "discover/globs"}
	banned := []string{"os", "os/exec", "net", "net/http", "time", "log", "log/slog", "math/rand", "math/rand/v2"}
	for _, p := range packages(t) {
		t.Run(p.name(), func(t *testing.T) {
			for _, imported := range p.Imports {
				if slices.Contains(pure, p.name()) && slices.Contains(banned, imported) {
					t.Errorf("%s must not import %s", p.name(), imported)
				}
			}
		})
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range packages(t) {
		t.Run(p.name(), func(t *testing.T) {
			if len(p.GoFiles) > 0 && p.Doc == "" {
				t.Errorf("package %s has no package comment", p.name())
			}
			if len(p.CgoFiles) > 0 && p.name() != "facts/treesitter" {
				t.Errorf("package %s uses cgo", p.name())
			}
		})
	}
}

// edge is the first level that may read the environment, print and exit.
var edge, _ = level("cli")

// TestEdges holds that only the command layer, and what helps tests, reads the environment, prints
// and exits.
func TestEdges(t *testing.T) {
	banned := []string{
		"os.Getenv", "os.LookupEnv", "os.Environ", "os.Exit", "os.Stdout", "os.Stdin", "os.Stderr", "os.Args", "os.UserHomeDir",
		"fmt.Print", "fmt.Println", "fmt.Printf", "log.Fatal", "log.Fatalf", "log.Print", "log.Printf", "slog.SetDefault",
	}
	for _, p := range packages(t) {
		t.Run(p.name(), func(t *testing.T) {
			if n, _ := level(p.name()); n >= edge || slices.Contains(p.Imports, "testing") {
				return
			}
			for _, name := range p.GoFiles {
				for _, used := range selectors(t, filepath.Join(p.Dir, name)) {
					if slices.Contains(banned, used) {
						t.Errorf("%s/%s uses %s", p.name(), name, used)
					}
				}
			}
		})
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
