package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// TestEmptyAnswers holds that an answer that found nothing says what was searched,
// what is left out, and what comes nearest.
func TestEmptyAnswers(t *testing.T) {
	root := filepath.Join(t.TempDir(), "demo")
	for name, text := range map[string]string{"cmd/server.go": "package p\n\nfunc Serve() {}\n", ".gitignore": "*.log\n", "x.log": "zebra\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	t.Chdir(root)
	s := newShell(t)
	many := make([]string, 80)
	for i := range many {
		many[i] = fmt.Sprint("zz", i)
	}
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"keyword", []string{"search", "zebra giraffe"}, []string{"in 2 files", "2 files left out of the index", "--mode literal"}},
		{"literal", []string{"search", "-m", "literal", "zebra"}, []string{"in 2 files", "2 files left out of the index", "--ignore-case"}},
		{"regex", []string{"search", "-m", "regex", "zeb+ra"}, []string{"in 2 files", "2 files left out of the index", "--ignore-case"}},
		{"filters", []string{"search", "Serve", "--lang", "python"}, []string{"only lang python", "next: espy search Serve"}},
		{"more than 64 unknown terms", []string{"search", strings.Join(many, " ")}, []string{"nothing found for", "in 2 files", `"zz0" is in 0`}},
		{"symbol", []string{"symbol", "Servr"}, []string{"declared in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"impact", []string{"impact", "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"impact of a file", []string{"impact", "cmd/servr.go"}, []string{"cmd/servr.go", "did you mean cmd/server.go?"}},
		{"impact of nothing", []string{"impact"}, []string{"nothing differs"}},
		{"references", []string{"references", "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"references of a file", []string{"references", "cmd/server.go"}, []string{"files of that name: cmd/server.go\nnext: espy dependencies cmd/server.go"}},
		{"symbol of a file", []string{"definition", "cmd/server.go"}, []string{"files of that name: cmd/server.go\nnext: espy outline cmd/server.go"}},
		{"calls", []string{"calls", "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"hierarchy", []string{"hierarchy", "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"overview", []string{"overview", "cmdd"}, []string{"cmdd", "not in the index", "did you mean cmd/?"}},
		{"dependencies", []string{"dependencies", "cmd/servr.go"}, []string{"cmd/servr.go", "not in the index", "did you mean cmd/server.go?"}},
		{"deps", []string{"deps"}, []string{"0 packages", "next: espy files"}},
		{"deps of a name", []string{"deps", "cobra"}, []string{"the repository uses no package", "espy deps --all"}},
		{"symbols of packages", []string{"symbol", "Serve", "--scope", "deps"}, []string{"no package that the repository uses is at hand", "espy deps"}},
		{"export", []string{"export", "--path", "cmdd/**"}, []string{`"type":"end","complete":true`, "0 files"}},
		{"audit", []string{"audit", "cmdd"}, []string{"cmdd", "not in the index", "did you mean cmd/?"}},
		{"a rule that names nothing", []string{"audit", "--forbid", "cmd -> cmdd"}, []string{"cmdd matches no file and no import", "did you mean cmd/?"}},
		{"files", []string{"files", "servr.go"}, []string{"nothing matches among 2 files", "only path servr.go", "near: cmd/server.go", "--excluded"}},
		{"files left out", []string{"files", "-x", "zebra"}, []string{"nothing of what is left out matches (2 entries)", "only path zebra"}},
		{"read", []string{"read", "cmd/servr.go"}, []string{"no file cmd/servr.go in repo demo", "did you mean cmd/server.go?"}},
		{"outline", []string{"outline", "cmd/servr.go"}, []string{"cmd/servr.go", "not in the index", "did you mean cmd/server.go?"}},
		{"files of a folder", []string{"files", "cmdd/"}, []string{"near: cmd/", "--excluded"}},
		{"outline of a folder", []string{"outline", "cmdd"}, []string{"not in the index", "did you mean cmd/?"}},
		{"blame", []string{"blame", "cmd/servr.go"}, []string{"no file cmd/servr.go", "did you mean cmd/server.go?"}},
		{"history", []string{"history", "cmd/servr.go"}, []string{"no file cmd/servr.go", "did you mean cmd/server.go?"}},
		{"id", []string{"symbol", "cmd/server.go#Servr"}, []string{"not declared in cmd/server.go", "did you mean cmd/server.go#Serve?"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer, code := s.run(tt.args...)
			if code == exitFound || strings.Contains(answer, "no word in it") {
				t.Errorf("exit code %d\n%s", code, answer)
			}
			for _, part := range tt.want {
				if !strings.Contains(answer, part) {
					t.Errorf("answer lacks %q:\n%s", part, answer)
				}
			}
		})
	}
}

// TestOutlinedAlone holds that questions about a name that no grammar reads say where
// it is declared.
func TestOutlinedAlone(t *testing.T) {
	root := filepath.Join(t.TempDir(), "demo")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "Fixer.hs"), []byte("module Fixer where\n\napplyFix :: Int -> Int\napplyFix x = x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	s := newShell(t)
	for _, verb := range []string{"references", "calls", "hierarchy", "impact"} {
		answer, _ := s.run(verb, "applyFix")
		if want := "declared at Fixer.hs:3, in haskell, which is read line by line, without a grammar"; !strings.Contains(answer, want) {
			t.Errorf("%s lacks %q:\n%s", verb, want, answer)
		}
		if answer, _ = s.run(verb, "applyFix", "--json"); !strings.Contains(answer, `"outlined":"Fixer.hs:3, in haskell"`) {
			t.Errorf("%s --json lacks it:\n%s", verb, answer)
		}
	}
}

// TestLeftOutLater holds that a file that is left out is listed though nothing else was
// changed since the index was made.
func TestLeftOutLater(t *testing.T) {
	root := t.TempDir()
	filetest.Write(t, root, map[string]string{"a.go": "package a\n"})
	t.Chdir(root)
	s := newShell(t)
	s.run("index", ".")
	filetest.Write(t, root, map[string]string{".env": "TOKEN=1\n"})
	if answer, code := s.run("files", "--excluded", ".env"); code != exitFound || !strings.Contains(answer, ".env  secret") {
		t.Errorf("exit code %d\n%s", code, answer)
	}
	if answer, _ := s.run("search", "--repo", "https://example.org/a/b", "x"); !strings.Contains(answer, `espy index "https://example.org/a/b" clones it`) {
		t.Errorf("the address of a repository:\n%s", answer)
	}
}

// TestWholeRepository holds that a search by lines in a folder says that it looked
// beyond it, and how to do without.
func TestWholeRepository(t *testing.T) {
	root := t.TempDir()
	filetest.Write(t, root, map[string]string{"a/x.go": "package needle\n", "b/y.go": "package needle\n"})
	t.Chdir(filepath.Join(root, "a"))
	s := newShell(t)
	s.run("index", root)
	for _, tt := range []struct {
		args []string
		told bool
	}{
		{[]string{"search", "-F", "needle"}, true},
		{[]string{"search", "-F", "needle", "--path", "."}, false},
		{[]string{"search", "needle"}, false},
	} {
		if answer, _ := s.run(tt.args...); strings.Contains(answer, "--path . searches a alone") != tt.told {
			t.Errorf("%q:\n%s", tt.args, answer)
		}
	}
}

// TestDeeperNext holds that what a search offers in place of a glob that begins at
// the root finds the file below it, be the glob beside the words or among them.
func TestDeeperNext(t *testing.T) {
	root := filepath.Join(t.TempDir(), "demo")
	file := filepath.Join(root, "packages/core/src dir/index.ts")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("export function parse() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	s := newShell(t)
	for _, args := range [][]string{
		{"search", `file:"src dir/index.ts" parse`}, {"search", "path:core/src*/*.ts parse"}, {"search", "parse", "--path", "src dir/index.ts"},
		{"search", "parse", "--path", "src dir/*.ts", "--mode", "literal"}, {"search", "parse path:core", "--path", "src dir/index.ts"},
		{"search", "path:inde parse"}, {"search", "parse", "--path", "cor", "--mode", "literal"},
	} {
		answer, _ := s.run(args...)
		next := nextCalls(answer)
		if len(next) == 0 || !strings.Contains(answer, "**/") && !strings.Contains(answer, "is not the whole name of a file or folder") {
			t.Errorf("%q offers nothing:\n%s", args, answer)
			continue
		}
		if found, code := s.run(s.words(next[len(next)-1])...); code != 0 || !strings.Contains(found, "index.ts") {
			t.Errorf("%q offers %q, which finds:\n%s", args, next, found)
		}
	}
}
