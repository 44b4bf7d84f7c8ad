package changes

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/workspacetest"
)

// listed writes changes, a file a line.
func listed(c *Changes) []string {
	out := []string{}
	for i := range c.Files {
		f := &c.Files[i]
		line := string(f.Status) + " " + f.Path
		if f.Old != "" {
			line += " from " + f.Old
		}
		if f.Untracked {
			line += " untracked"
		}
		if f.Counted {
			line += fmt.Sprintf(" +%d -%d", f.Added, f.Removed)
		}
		if f.Why != "" {
			line += " (" + f.Why + ")"
		}
		for _, s := range f.Symbols {
			line += fmt.Sprintf(", %s %q", s.Kind, s.Symbol.ID)
		}
		out = append(out, line)
	}
	return out
}

func wantChanges(t *testing.T, r *workspace.Repo, req Request, want ...string) *Changes {
	t.Helper()
	c, err := Compare(t.Context(), r, req)
	if err != nil {
		t.Fatalf("Changes(%+v): %v", req, err)
	}
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, listed(c)); diff != "" {
		t.Errorf("Changes(%+v) (-want +got):\n%s", req, diff)
	}
	return c
}

const longText = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"

func TestChangesOfTheWorkTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"a.go": "package a\n\nfunc one() {}\n\nfunc two() {}\n", "gone.go": "package a\n\nfunc gone() {}\n",
		"same.txt": "same\n", "staged.go": "package a\n", "moved.txt": longText, "edited.txt": strings.ToUpper(longText),
		"win.txt": longText, "pic.png": "\x00\x01", "pic2.png": "\x00\x02", ".gitignore": "*.o\n", ".env": "SECRET=1\n",
		"to-link": "x\n", "mode.sh": "#!/bin/sh\n",
	})
	filetest.Link(t, dir, "same.txt", "link")
	filetest.Commit(t, dir, "first")
	r := workspacetest.Attach(t, dir)
	wantChanges(t, r, Request{})

	filetest.Write(t, dir, map[string]string{
		"a.go":     "package a\n\n// one is told.\nfunc one() {}\n\nfunc two(int) {}\n",
		"new.go":   "package a\n\nfunc fresh() {}\n",
		"build.o":  "ignored\n",
		"same.txt": "same\n", // written again
		"win.txt":  strings.ReplaceAll(longText, "\n", "\r\n"),
		"pic.png":  "\x00\x03", "staged.go": "package a\n\nvar staged = 1\n",
		"moved/to.txt": longText, "edited2.txt": strings.ToUpper(longText) + "nine\n",
	})
	filetest.Remove(t, dir, "gone.go", "moved.txt", "edited.txt", "to-link")
	filetest.Link(t, dir, "a.go", "link")
	filetest.Link(t, dir, "a.go", "to-link")
	if err := os.Chmod(filepath.Join(dir, "mode.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	filetest.Git(t, dir, "add", "staged.go")
	const isLink = " (it is a symbolic link, and links are not followed)"
	all := []string{
		`modified a.go +2 -1, doc "one", signature "two"`,
		`renamed edited2.txt from edited.txt untracked +1 -0, body ""`,
		`removed gone.go +0 -3, removed "gone"`,
		"modified link" + isLink,
		"renamed moved/to.txt from moved.txt untracked +0 -0",
		`added new.go untracked +3 -0, added "fresh"`,
		"modified pic.png (its content is not text)",
		`modified staged.go +2 -0, added "staged"`,
		"type to-link" + isLink,
	}
	c := wantChanges(t, r, Request{}, all...)
	if c.From.Name != "HEAD" || c.From.Commit == "" || c.To != (Side{Name: theWorkTree}) || c.Total != 9 || c.Source != SourceGit || len(c.Notes) > 0 {
		t.Errorf("Changes = %+v", c)
	}
	wantChanges(t, r, Request{Paths: []string{"*.go"}, Languages: []string{"go"}, Offset: 1, Limit: 2}, all[2], all[5])
	filetest.Git(t, dir, "add", "-A")
	wantChanges(t, r, Request{Paths: []string{"new.go"}}, `added new.go +3 -0, added "fresh"`)

	// Without git's index every file is read.
	filetest.Remove(t, dir, ".git/index")
	for i := range all {
		all[i] = strings.Replace(all[i], " untracked", "", 1)
	}
	filetest.Write(t, dir, map[string]string{".git/index": "broken"})
	c, err := Compare(t.Context(), r, Request{})
	if err != nil || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "every file was read") {
		t.Fatalf("Changes without an index = %+v, %v", c, err)
	}
	with := append([]string{"modified .env (whether it differs is not known: its name or its content is one of a private key, a credential store or an environment file; the setting secrets lets it in)"}, all...)
	if diff := cmp.Diff(with, listed(c)); diff != "" {
		t.Errorf("without git's index (-want +got):\n%s", diff)
	}
}

func TestChangesSince(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "package a\n\nfunc one() {}\n"
	filetest.Write(t, dir, map[string]string{"a.go": text})
	filetest.Commit(t, dir, "first")
	filetest.Git(t, dir, "tag", "v1")
	filetest.Write(t, dir, map[string]string{"a.go": text + "\nfunc two() {}\n"})
	filetest.Commit(t, dir, "second")
	filetest.Write(t, dir, map[string]string{"a.go": text + "\nfunc two() {}\n\nfunc three() {}\n"})
	r := workspacetest.Attach(t, dir)
	wantChanges(t, r, Request{}, `modified a.go +2 -0, added "three"`)
	wantChanges(t, r, Request{Since: "v1"}, `modified a.go +4 -0, added "two", added "three"`)
	wantChanges(t, r, Request{Ref: "v1.."}, `modified a.go +2 -0, added "two"`)
	wantChanges(t, r, Request{Ref: "main...v1"})
	c := wantChanges(t, r, Request{Since: "1999-12-31"}, `added a.go +7 -0, added "one", added "two", added "three"`)
	if c.From.Name != "before the first commit" {
		t.Errorf("From = %+v", c.From)
	}
	wantChanges(t, r, Request{Since: time.Now().Add(time.Hour).Format(time.RFC3339)}, `modified a.go +2 -0, added "three"`)
	at, err := r.At(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	wantChanges(t, at, Request{}, `modified a.go +2 -0, added "two"`)
	wantChanges(t, at, Request{Since: "v1"}, `modified a.go +2 -0, added "two"`)
	var refused *usage.Error
	for _, req := range []Request{{Ref: "v1"}, {Ref: "v1..", Since: "v1"}, {Since: "generation:x"}, {Since: "generation:99"}, {Paths: []string{"["}}, {Languages: []string{"klingon"}}} {
		t.Run(fmt.Sprintf("%+v", req), func(t *testing.T) {
			if _, err := Compare(t.Context(), r, req); !errors.As(err, &refused) {
				t.Errorf("Changes(%+v): %v, want a UsageError", req, err)
			}
		})
	}
	var unknown *origin.RefError
	if _, err := Compare(t.Context(), r, Request{Since: "v2"}); !errors.As(err, &unknown) {
		t.Errorf("since v2: %v, want a RefError", err)
	}
}

// TestChangesOfALog asks of a folder outside git.
func TestChangesOfALog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc one() {}\n", "b.txt": longText, "c.txt": "c\n"})
	r := workspacetest.Attach(t, dir)
	c := wantChanges(t, r, Request{})
	if c.Source != SourceLog || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "not a git repository") {
		t.Errorf("Changes = %+v", c)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc one(int) {}\n", "d.txt": "d\n"})
	wantChanges(t, r, Request{}, `modified a.go, signature "one"`, "added d.txt")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc one(int) {}\n\nfunc two() {}\n", "b2.txt": longText})
	filetest.Remove(t, dir, "b.txt", "d.txt")
	sum := []string{`modified a.go, signature "one", added "two"`, "renamed b2.txt from b.txt"}
	wantChanges(t, r, Request{}, sum...)
	wantChanges(t, r, Request{Since: "generation:1"}, sum...)
	wantChanges(t, r, Request{Since: "generation:2"}, `modified a.go, added "two"`, "renamed b2.txt from b.txt", "removed d.txt")
	wantChanges(t, r, Request{Since: "generation:3"})
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc one(int) {}\n"})
	filetest.Remove(t, dir, "b2.txt")
	wantChanges(t, r, Request{}, `modified a.go, signature "one"`, "removed b2.txt from b.txt")

	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "c.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	c = wantChanges(t, r, Request{Since: "2020-01-01", Paths: []string{"c.txt"}}, "modified c.txt (modified at 2020-01-02T03:04:05Z)")
	if c.Source != SourceTimes {
		t.Errorf("Source = %q", c.Source)
	}
	wantChanges(t, r, Request{Since: "2020-01-03", Paths: []string{"c.txt"}})
	var none *origin.NoHistoryError
	for _, req := range []Request{{Since: "main"}, {Ref: "a..b"}} {
		t.Run(fmt.Sprintf("%+v", req), func(t *testing.T) {
			if _, err := Compare(t.Context(), r, req); !errors.As(err, &none) {
				t.Errorf("Changes(%+v): %v, want a NoHistoryError", req, err)
			}
		})
	}
}

// TestChangesWithAttributes compares files that git keeps otherwise than they are.
func TestChangesWithAttributes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	content := []byte("large\n" + longText)
	pointer := fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sha256.Sum256(content), len(content))
	filetest.Write(t, dir, map[string]string{".gitattributes": "*.bin filter=lfs\n", "data.bin": pointer, "other.txt": "text\n"})
	filetest.Commit(t, dir, "first")
	r := workspacetest.Attach(t, dir)
	filetest.Write(t, dir, map[string]string{"data.bin": string(content)})
	wantChanges(t, r, Request{})
	filetest.Write(t, dir, map[string]string{"other.txt": "other\n"})
	c := wantChanges(t, r, Request{}, `modified other.txt +1 -1, body ""`)
	if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "whether 1 of these files differs") {
		t.Errorf("Notes = %q", c.Notes)
	}
}

func TestChangesOfSubmodules(t *testing.T) {
	t.Parallel()
	part, dir := t.TempDir(), t.TempDir()
	filetest.Write(t, part, map[string]string{"p.go": "package p\n"})
	filetest.Commit(t, part, "part")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	filetest.Git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", part, "part")
	filetest.Commit(t, dir, "with a part")
	r := workspacetest.Attach(t, dir)
	wantChanges(t, r, Request{})
	filetest.Write(t, filepath.Join(dir, "part"), map[string]string{"p.go": "package p // changed\n"})
	wantChanges(t, r, Request{})
	filetest.Git(t, filepath.Join(dir, "part"), "commit", "-q", "-a", "-m", "more")
	wantChanges(t, r, Request{}, "modified part (it is a submodule)")
	wantChanges(t, r, Request{Ref: "HEAD~1..HEAD"}, `added .gitmodules +3 -0, added "submodule \"part\""`, "added part (it is a submodule)")
}

func TestChangesAreCancelled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc f%d() {}\n", i)
	}
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "first")
	for name := range files {
		files[name] += "\nvar x = 1\n"
	}
	filetest.Write(t, dir, files)
	r := workspacetest.Attach(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, r, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Changes = %v, want Canceled", err)
	}
	c, err := Compare(t.Context(), r, Request{Time: time.Nanosecond})
	if err != nil || c.Total != 200 || c.Pending != 200 || len(c.Symbols) > 0 {
		t.Errorf("Changes without time = %d files, %d pending, %v", c.Total, c.Pending, err)
	}
}

// TestManyChanges holds that symbols of files beyond the page are counted and
// not kept, and from where on it is not told what moved between files.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{}
	for i := range pairedFiles {
		files[fmt.Sprintf("f%04d.go", i)] = fmt.Sprintf("package a\n\nfunc f%d() {}\n", i)
	}
	moved := "package a\n\nfunc longEnough(a, b int) int { return a*b + a }\n"
	files["f0001.go"] = moved
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "first")
	for name, text := range files {
		files[name] = strings.Replace(text, "()", "(int)", 1)
	}
	files["f0001.go"], files["f0900.go"] = "package a\n", files["f0900.go"]+"\n"+strings.TrimPrefix(moved, "package a\n\n")
	filetest.Write(t, dir, files)
	r := workspacetest.Attach(t, dir)
	for _, tt := range []struct {
		more    string // one more file
		symbols string
		notes   int
	}{
		{"", "map[signature:999 moved:1]", 0},
		{"more.go", "map[removed:1 signature:999 added:1]", 1},
	} {
		if tt.more != "" {
			filetest.Write(t, dir, map[string]string{tt.more: "package a\n"})
		}
		c, err := Compare(t.Context(), r, Request{Limit: 3, Offset: 10})
		if err != nil || len(c.Files) != 3 || c.Files[0].Path != "f0010.go" || len(c.Files[0].Symbols) != 1 || len(c.Notes) != tt.notes || fmt.Sprint(c.Symbols) != tt.symbols {
			t.Errorf("with %q: %d files, symbols %v, want %s, notes %q, %v", tt.more, len(c.Files), c.Symbols, tt.symbols, c.Notes, err)
		}
	}
}
