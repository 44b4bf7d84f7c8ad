package mcpserver

import (
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/deps"
	"espy/internal/packages"
	"espy/internal/workspace"
)

// TestPackages holds that agents ask the packages that a repository uses, and read in
// them by the names that answers give.
func TestPackages(t *testing.T) {
	root := tree(t, "kitchen", map[string]string{
		"shop/go.mod":                   "module shop\n\nrequire lib.org/pan v1.2.0\n\nrequire lib.org/gone v1.0.0\n",
		"shop/cook.go":                  "package shop\n\nimport \"lib.org/pan\"\n\nfunc Cook() { pan.Fry() }\n",
		"mod/lib.org/pan@v1.2.0/README": "It has no go.mod.\n",
		"mod/lib.org/pan@v1.2.0/pan.go": "package pan\n\n// Fry fries.\nfunc Fry() {}\n",
	})
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	deps.New(w, packages.Places{GoModCache: filepath.Join(root, "mod")})
	session := connect(t, New(Options{Workspace: w, Start: filepath.Join(root, "shop"), Toolsets: []string{"all"}}), nil)
	for _, tt := range []struct {
		name, tool string
		args       map[string]any
		want       []string
	}{
		{"a use before a package is known", "symbol", map[string]any{"at": "cook.go:5:19"}, []string{"declared elsewhere", "it is of the package lib.org/pan v1.2.0 (go.mod:3)"}},
		{"packages", "dependencies", map[string]any{"direction": "packages"}, []string{"2 packages", "lib.org/pan v1.2.0  go.mod:3  at hand", "no sources: not in the module cache"}},
		{"a search", "search", map[string]any{"query": "func Fry", "mode": "literal", "scope": "deps"}, []string{"deps/go/lib.org/pan@v1.2.0: pan.go", "the sources of 1 package are not at hand"}},
		{"files", "files", map[string]any{"path": "*.go", "scope": "deps"}, []string{"deps/go/lib.org/pan@v1.2.0: pan.go"}},
		{"a use", "symbol", map[string]any{"at": "cook.go:5:19"}, []string{"deps/go/lib.org/pan@v1.2.0:pan.go:4 func pan.Fry"}},
		{"a name", "symbol", map[string]any{"symbol": "Fry", "scope": "deps"}, []string{"1 definition of Fry"}},
		{"an id", "symbol", map[string]any{"symbol": "deps/go/lib.org/pan@v1.2.0:pan.go#Fry"}, []string{"pan.go:4 func pan.Fry"}},
		{"who uses it", "references", map[string]any{"symbol": "deps/go/lib.org/pan@v1.2.0:pan.go#Fry", "scope": "deps"}, []string{"1 reference", "5 call in Cook"}},
		{"a file", "read", map[string]any{"path": "deps/go/lib.org/pan@v1.2.0/pan.go:4"}, []string{"4: func Fry"}},
		{"an outline", "outline", map[string]any{"path": "deps/go/lib.org/pan@v1.2.0/pan.go"}, []string{"func Fry"}},
		{"a file as imports write it", "read", map[string]any{"path": "lib.org/pan/pan.go:4", "scope": "deps"}, []string{"4: func Fry"}},
		{"an outline of a package", "outline", map[string]any{"path": "lib.org/pan", "scope": "deps"}, []string{"func Fry"}},
		{"callees", "calls", map[string]any{"symbol": "Cook", "direction": "callees", "scope": "deps"}, []string{"5 deps/go/lib.org/pan@v1.2.0:pan.go#Fry"}},
		{"callers", "calls", map[string]any{"symbol": "deps/go/lib.org/pan@v1.2.0:pan.go#Fry", "scope": "deps"}, []string{"shop:cook.go:5 Cook"}},
		{"what a change affects", "impact", map[string]any{"what": "deps/go/lib.org/pan@v1.2.0:pan.go#Fry"}, []string{"5 func Cook: calls Fry"}},
		{"a package as a repository", "outline", map[string]any{"repo": "deps/go/lib.org/pan@v1.2.0"}, []string{"func Fry"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, isError := ask(t, session, tt.tool, tt.args)
			for _, want := range tt.want {
				if isError || !strings.Contains(text, want) {
					t.Errorf("%s(%v) lacks %q:\n%s", tt.tool, tt.args, want, text)
				}
			}
		})
	}
	for name, args := range map[string]map[string]any{
		"a version that is not there": {"path": "deps/go/lib.org/pan@v9.0.0/pan.go"}, "a way out": {"path": "deps/go/../../shop@v1/cook.go"}, "a file that is not there": {"path": "deps/go/lib.org/pan@v1.2.0/pot.go"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, isError := ask(t, session, "read", args); !isError {
				t.Errorf("answered: %s", text)
			}
		})
	}
}
