// Package gittest makes repositories of git for tests.
package gittest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// Write writes files below a folder, all of them executable.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// History makes a repository of three commits and returns their ids.
func History(t testing.TB, dir string) (ids [3]string) {
	t.Helper()
	filetest.Git(t, dir, "init", "-q")
	for i, files := range []map[string]string{
		{"a.go": "one\ntwo\nthree\n", "old name.go": strings.Repeat("line\n", 40), "--output=x": "odd\n"},
		{"a.go": "one\nTWO\nthree\n"},
		{"new.go": "new\n", "sub/new name.go": strings.Repeat("line\n", 40)},
	} {
		Write(t, dir, files)
		if i == 2 {
			os.Remove(filepath.Join(dir, "old name.go"))
			os.Remove(filepath.Join(dir, "--output=x"))
		}
		filetest.Git(t, dir, "add", "-A")
		filetest.Git(t, dir, "commit", "-q", "-m", []string{"first", "second\n\nwith a body", "third"}[i])
		ids[i] = filetest.Git(t, dir, "rev-parse", "HEAD")
	}
	return ids
}

// Hostile makes the repository of History, whose configuration and attributes
// name a program wherever git takes one, and which lacks an object that a
// promisor has. The program writes the marker.
func Hostile(t testing.TB) (dir, marker string, ids [3]string) {
	t.Helper()
	dir = t.TempDir()
	ids = History(t, dir)
	marker = filepath.Join(t.TempDir(), "marker")
	evil := filepath.Join(t.TempDir(), "evil")
	Write(t, filepath.Dir(evil), map[string]string{"evil": "#!/bin/sh\necho ran >>" + marker + "\ncat\n"})
	Write(t, dir, map[string]string{".git/info/attributes": "* filter=f diff=t\n", ".gitattributes": "* filter=f diff=t\n"})
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "pager.blame", "diff.external", "filter.f.clean", "filter.f.smudge", "filter.f.process", "diff.t.textconv",
		"diff.t.command", "core.sshCommand", "core.gitProxy", "gpg.program", "core.editor", "core.askPass", "credential.helper", "alias.log", "uploadpack.packObjectsHook",
	} {
		filetest.Git(t, dir, "config", key, evil)
	}
	for key, value := range map[string]string{
		"log.showSignature": "true", "core.hooksPath": filepath.Dir(evil), "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"remote.origin.url": "ext::" + evil, "protocol.allow": "always", "core.repositoryFormatVersion": "1",
	} {
		filetest.Git(t, dir, "config", key, value)
	}
	// A missing object would be fetched from the promisor.
	blob := filetest.Git(t, dir, "rev-parse", ids[1]+":a.go")
	os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:]))
	os.Remove(marker)
	return dir, marker, ids
}

// Commit is a commit of Import.
type Commit struct {
	Message string
	Files   map[string]string // that it adds or changes
}

// Import makes commits on the branch main of a new repository without a work
// tree, six hours apart, and returns the id of the last one.
func Import(t testing.TB, dir string, commits []Commit) (id string) {
	t.Helper()
	filetest.Git(t, dir, "init", "-q", "-b", "main")
	var b strings.Builder
	for i, c := range commits {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", 1_700_000_000+i*6*3600, len(c.Message), c.Message)
		for _, path := range slices.Sorted(maps.Keys(c.Files)) {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", path, len(c.Files[path]), c.Files[path])
		}
	}
	cmd := filetest.GitCommand(dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return filetest.Git(t, dir, "rev-parse", "main")
}

// Lessons are files and commits whose messages speak of each file by one word,
// which is not the one that it speaks of itself: "q" before the file's own.
func Lessons(n int) (files map[string]string, commits []Commit) {
	files = map[string]string{}
	var words []string
	for i := range 24 {
		w := "w" + letters(i)
		words = append(words, w)
		files["src/"+w+".go"] = "package src\n\n// " + w + " is " + w + ".\nfunc " + w + "() {}\n"
	}
	commits = []Commit{{Message: "begin", Files: files}}
	for i := range n {
		w := words[i%len(words)]
		path := "src/" + w + ".go"
		commits = append(commits, Commit{
			Message: fmt.Sprintf("Let q%s know what to say of p%s", w, letters(i/len(words))),
			Files:   map[string]string{path: files[path] + strings.Repeat("\n", 1+i/len(words)%2)},
		})
	}
	return files, commits
}

// letters writes a number below 26*26 as three letters.
func letters(i int) string { return string([]byte{'x', byte('a' + i/26), byte('a' + i%26)}) }
