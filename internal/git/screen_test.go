package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
	"espy/internal/usage"
)

// everything asks all questions about the repository of gittest.History and
// returns the answers, errors among them.
func everything(t *testing.T, r *Repository, ids [3]string) string {
	t.Helper()
	ctx, said := t.Context(), &strings.Builder{}
	say := func(what string, answer any, err error) { fmt.Fprintf(said, "%s: %+v, %v\n", what, answer, err) }
	for _, name := range []string{"HEAD", "HEAD~1", "main", "nope", ids[0][:12], "main@{0}", ":/first"} {
		id, err := r.Resolve(ctx, name)
		say("resolve "+name, id, err)
	}
	for _, o := range []LogOptions{{}, {Paths: []string{"a.go"}}, {Paths: []string{"a.go"}, First: 1, End: 2}} {
		commits, err := r.Log(ctx, ids[2], o)
		say("log", subjects(commits), err)
	}
	for _, name := range []string{"a.go", "none.go"} {
		lines, commits, err := r.Blame(ctx, ids[2], name, 1, 0)
		say("blame "+name, lines, err)
		say("commits", len(commits), nil)
	}
	changes, err := r.Changes(ctx, ids[0], ids[2])
	say("changes", changes, err)
	tree, err := r.SizedTree(ctx, ids[2])
	say("tree", tree, err)
	refs, err := r.Refs(ctx)
	say("refs", refs, err)
	staged, err := r.Staged(ctx, ids[2], &Index{})
	say("staged", staged, err)
	base, err := r.MergeBase(ctx, ids[0], ids[2])
	say("base", base, err)
	churn, n, err := r.Churn(ctx, ids[2], LogOptions{})
	say(fmt.Sprint("churn of ", n), churn, err)
	say("blob", firstBlob(ctx, r, tree), nil)
	return said.String()
}

func firstBlob(ctx context.Context, r *Repository, tree []TreeEntry) string {
	if len(tree) == 0 {
		return "no tree"
	}
	blobs, err := r.Blobs(ctx)
	if err != nil {
		return err.Error()
	}
	defer blobs.Close()
	text, err := blobs.Read(tree[0].ID, 1<<20)
	return fmt.Sprintf("%q %v", text, err)
}

var placeholder = regexp.MustCompile(`<[^>]*>|\*`)

// configured returns every key that the git at hand knows, its placeholders filled in.
func configured(t *testing.T) []string {
	out, err := exec.Command("git", "help", "--config").Output()
	if err != nil {
		t.Skipf("git lists no keys: %v", err)
	}
	var keys []string
	for key := range strings.Lines(string(out)) {
		key = placeholder.ReplaceAllString(strings.TrimSpace(key), "x")
		if strings.Count(key, ".") > 0 && !strings.Contains(key, " ") {
			keys = append(keys, key)
		}
	}
	if len(keys) < 500 {
		t.Fatalf("git lists only %d keys", len(keys))
	}
	return append(keys, "include.path", "includeIf.onbranch:main.path", "diff.x.textconv", "filter.x.process")
}

// setting writes a key and its value as a configuration has them.
func setting(key, value string) string {
	section, name := key[:strings.Index(key, ".")], key[strings.LastIndex(key, ".")+1:]
	if middle := key[len(section) : len(key)-len(name)-1]; middle != "" {
		section += fmt.Sprintf(" %q", middle[1:])
	}
	return fmt.Sprintf("[%s]\n\t%s = %q\n", section, name, value)
}

// TestConfigurationIsNotRead gives a repository a configuration in which every
// key that git knows names a file, or a program, or nothing sensible: all
// answers stay the same, and neither is touched.
func TestConfigurationIsNotRead(t *testing.T) {
	dir, ran := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	ids := gittest.History(t, dir)
	const canary = "canary-7f3a"
	gittest.Write(t, filepath.Dir(ran), map[string]string{"file": canary + "\n", "program": "#!/bin/sh\necho " + canary + " | tee -a " + ran + "\n"})
	gittest.Write(t, dir, map[string]string{".git/info/attributes": "* filter=x diff=x merge=x\n", ".git/info/grafts": ids[2] + " " + ids[0] + "\n"})
	want := everything(t, open1(t, dir), ids)
	for name, value := range map[string]string{
		"files": filepath.Join(filepath.Dir(ran), "file"), "programs": filepath.Join(filepath.Dir(ran), "program"),
		"shell": "!" + filepath.Join(filepath.Dir(ran), "program"), "numbers": "1", "words": "true", "nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			var config strings.Builder
			for _, key := range configured(t) {
				config.WriteString(setting(key, value))
			}
			gittest.Write(t, dir, map[string]string{".git/config": config.String(), ".git/config.worktree": config.String()})
			got := everything(t, open1(t, dir), ids)
			if got != want {
				t.Errorf("answers change from\n%s\nto\n%s", want, got)
			}
			if text, err := os.ReadFile(ran); err == nil || strings.Contains(got, canary) {
				t.Errorf("a program ran (%q) or a file was read", text)
			}
		})
	}
	for name, config := range map[string]string{"broken": "[core\nx", "binary": "\x00\xff\x01"} {
		t.Run(name, func(t *testing.T) {
			gittest.Write(t, dir, map[string]string{".git/config": config})
			if got := everything(t, open1(t, dir), ids); got != want {
				t.Errorf("answers change to\n%s", got)
			}
		})
	}
}

// TestObjectsOfOthers leads a repository to the objects, refs and folders of
// another: nothing of that is read unless the folder is allowed.
func TestObjectsOfOthers(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(top, "other")
	gittest.Write(t, other, map[string]string{"private.txt": "secret\n"})
	filetest.Git(t, other, "init", "-q")
	filetest.Git(t, other, "add", "-A")
	filetest.Git(t, other, "commit", "-q", "-m", "private")
	private := filetest.Git(t, other, "rev-parse", "HEAD")
	link := func(dir, name, to string) {
		t.Helper()
		path := filepath.Join(dir, ".git", name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	objects := filepath.Join(other, ".git", "objects")
	for name, lead := range map[string]func(dir string){
		"alternates": func(dir string) {
			gittest.Write(t, dir, map[string]string{".git/objects/info/alternates": objects + "\n"})
		},
		"relative alternates": func(dir string) {
			gittest.Write(t, dir, map[string]string{".git/objects/info/alternates": "../../../other/.git/objects\n"})
		},
		"quoted alternates": func(dir string) {
			gittest.Write(t, dir, map[string]string{".git/objects/info/alternates": fmt.Sprintf("# x\n\n%q\n", objects)})
		},
		"alternates of alternates": func(dir string) {
			gittest.Write(t, dir, map[string]string{".git/objects/info/alternates": "../../more\n", "more/info/alternates": objects + "\n", "more/pack/x": ""})
		},
		"linked objects": func(dir string) { link(dir, "objects", objects) },
		"linked pack":    func(dir string) { link(dir, "objects/pack", objects+"/pack") },
		"linked fan-out": func(dir string) { link(dir, "objects/"+private[:2], objects+"/"+private[:2]) },
		"linked refs":    func(dir string) { link(dir, "refs", other+"/.git/refs") },
		"linked file":    func(dir string) { link(dir, "packed-refs", other+"/private.txt") },
		"pipe":           func(dir string) { os.Remove(dir + "/.git/packed-refs"); syscall.Mkfifo(dir+"/.git/packed-refs", 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(top, strings.ReplaceAll(name, " ", "-"))
			gittest.Write(t, dir, map[string]string{"a.go": "a\n"})
			ids := gittest.History(t, dir)
			lead(dir)
			r := open1(t, dir)
			if id, err := r.Resolve(t.Context(), private); err == nil {
				t.Errorf("Resolve of another's commit = %q", id)
			}
			tree, err := r.Tree(t.Context(), private)
			if err == nil {
				t.Errorf("Tree of another's commit = %v", tree)
			}
			if name == "pipe" {
				return
			}
			if problem, hint := usage.Explain(err); !strings.Contains(hint, "roots") {
				t.Errorf("refused with %q, hint %q", problem, hint)
			}
			allowed, err := Open(dir, other)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := allowed.Tree(t.Context(), ids[2]); errors.As(err, new(*outsideError)) {
				t.Errorf("refused though %s is allowed: %v", other, err)
			}
		})
	}
}

// TestObjectsOfTheFamily reads what work trees, submodules and folders inside
// the repository share.
func TestObjectsOfTheFamily(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	linked := filepath.Join(t.TempDir(), "linked")
	filetest.Git(t, dir, "worktree", "add", "-q", "-b", "topic", linked, ids[1])
	kept := t.TempDir()
	filetest.Git(t, kept, "clone", "-q", dir, ".")
	if err := os.Rename(filepath.Join(kept, ".git", "objects"), filepath.Join(kept, "store")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../store", filepath.Join(kept, ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	for root, revisions := range map[string]map[string]string{
		dir:    {"HEAD": ids[2], "topic": ids[1], "HEAD@{1}": ids[1]},
		linked: {"HEAD": ids[1], "main": ids[2], "topic@{0}": ids[1]},
		kept:   {"HEAD": ids[2], "origin/main": ids[2]},
	} {
		for name, want := range revisions {
			t.Run(filepath.Base(root)+" "+name, func(t *testing.T) {
				if got, err := open1(t, root).Resolve(t.Context(), name); err != nil || got != want {
					t.Errorf("Resolve(%q) = %q, %v; want %q", name, got, err, want)
				}
			})
		}
	}
}

// TestPartialClone tells what helps where objects are missing.
func TestPartialClone(t *testing.T) {
	dir, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	ids := gittest.History(t, dir)
	filetest.Git(t, dir, "config", "uploadpack.allowFilter", "true")
	for filter, hint := range map[string]string{"blob:none": "--refetch", "tree:0": "--refetch"} {
		t.Run(filter, func(t *testing.T) {
			filetest.Git(t, dir, "clone", "-q", "--no-checkout", "--filter="+filter, "file://"+dir, clone+filter)
			_, _, err := open1(t, clone+filter).Blame(t.Context(), ids[2], "a.go", 1, 0)
			if problem, got := usage.Explain(err); !strings.Contains(got, hint) || !strings.Contains(problem, "partial") {
				t.Errorf("Blame: %q, hint %q", problem, got)
			}
			filetest.Git(t, clone+filter, "fetch", "-q", "--refetch", "--no-filter")
			if lines, _, err := open1(t, clone+filter).Blame(t.Context(), ids[2], "a.go", 1, 0); err != nil || len(lines) != 3 {
				t.Errorf("Blame after the hint = %v, %v", lines, err)
			}
		})
	}
}

// TestComplaints holds that git's own words stay inside.
func TestComplaints(t *testing.T) {
	dir, screens := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", screens)
	ids := gittest.History(t, dir)
	blob := filetest.Git(t, dir, "rev-parse", ids[1]+":a.go")
	gittest.Write(t, dir, map[string]string{".git/shallow": "\x1b[31mcanary\n", ".git/packed-refs": "canary /etc/passwd\n"})
	os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:]))
	said := everything(t, open1(t, dir), ids)
	if left, err := os.ReadDir(screens); err != nil || len(left) > 0 {
		t.Errorf("screens are left: %v, %v", left, err)
	}
	for _, bad := range []string{"canary", "\x1b", dir, "fatal", screens} {
		t.Run(bad, func(t *testing.T) {
			if strings.Contains(said, bad) {
				t.Errorf("%q is passed on in\n%s", bad, said)
			}
		})
	}
}
