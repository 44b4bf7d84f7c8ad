// Package gittest makes repositories of git for tests.
package gittest

import (
	"os"
	"path/filepath"
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
