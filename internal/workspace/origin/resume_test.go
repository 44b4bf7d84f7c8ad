package origin

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/ranked/past"
)

// grown makes a repository without a work tree of commits that hang on earlier ones at
// random, the newest mostly: branches, merges, several first ones, and dates that are
// equal or run backwards. It returns the ids in the order in which they were made.
func grown(t *testing.T, r *rand.Rand, trunk, n int) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	filetest.Git(t, dir, "init", "-q")
	words := []string{"till", "door", "refund", "ledger", "open", "close", "shelf", "lamp"}
	var b strings.Builder
	for i := 1; i <= trunk+n; i++ {
		message := fmt.Sprintf("%s the %s of %d", words[r.IntN(8)], words[r.IntN(8)], r.IntN(9))
		at := 1_700_000_000 + i*60
		if i > trunk {
			at -= r.IntN(4) * 40 * r.IntN(20)
		}
		fmt.Fprintf(&b, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", i, i, at, len(message), message)
		if first := i > trunk && r.IntN(25) == 0; i > 1 && !first {
			from := i - 1
			if i > trunk && r.IntN(3) == 0 {
				from = max(1, i-1-r.IntN(12))
			}
			fmt.Fprintf(&b, "from :%d\n", from)
			if other := max(1, i-1-r.IntN(9)); i > trunk && r.IntN(4) == 0 && other != from {
				fmt.Fprintf(&b, "merge :%d\n", other)
			}
		}
		for range r.IntN(4) {
			text := fmt.Sprint(i, r.IntN(99))
			fmt.Fprintf(&b, "M 100644 inline d%d/%s.go\ndata %d\n%s\n", r.IntN(3), words[r.IntN(8)], len(text), text)
		}
	}
	marks := filepath.Join(t.TempDir(), "marks")
	cmd := filetest.GitCommand(dir, "fast-import", "--quiet", "--export-marks="+marks)
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	text, err := os.ReadFile(marks)
	if err != nil {
		t.Fatal(err)
	}
	ids = make([]string, trunk+n)
	for line := range strings.Lines(string(text)) {
		var mark int
		var id string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &id); err != nil {
			t.Fatal(err)
		}
		ids[mark-1] = id
	}
	return dir, ids
}

// logOf returns the commits up to one as they are kept.
func logOf(t *testing.T, p *Past, o clonedFrom) []byte {
	t.Helper()
	if _, err := p.Of(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	data, _ := p.kept(p.of)
	return data
}

// TestPastResumes holds that commits which are put together of kept ones and new ones are
// byte for byte those that are read at once: where somebody goes from one commit to another,
// to the next, to an amended one, over a merge or to another branch, with fewer commits than
// are kept and with more, in one process and in several.
func TestPastResumes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ trunk, heads, visits int }{{1, 60, 60}, {1, 60, 60}, {1, 60, 60}, {past.MaxCommits - 20, 60, 12}} {
		for _, processes := range []int{1, 3} {
			t.Run(fmt.Sprint(c, processes), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(c.trunk), uint64(processes)))
				dir, ids := grown(t, r, c.trunk, c.heads)
				folder := filepath.Join(t.TempDir(), "past")
				var pasts []*Past
				for range processes {
					pasts = append(pasts, NewPast(folder, "main"))
				}
				at := c.trunk
				for range c.visits {
					if at++; at == len(ids) || r.IntN(4) == 0 {
						at = c.trunk + r.IntN(c.heads)
					}
					o := clonedFrom{dir: dir, head: ids[at]}
					got, want := logOf(t, pasts[r.IntN(processes)], o), logOf(t, NewPast(t.TempDir(), "main"), o)
					if !bytes.Equal(got, want) || len(want) == 0 {
						t.Fatalf("commit %d: the log differs from one that is read at once", at)
					}
				}
			})
		}
	}
}

// TestPastReadsWhatIsNew holds that only new commits are read where kept ones are near: the
// objects of old ones are gone, so that git could not read these again.
func TestPastReadsWhatIsNew(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "past")
	commit := func(n int) clonedFrom {
		filetest.Write(t, dir, map[string]string{"a": fmt.Sprint(n), "b": fmt.Sprint(n)})
		filetest.Commit(t, dir, "change")
		return clonedFrom{dir: dir, head: filetest.Git(t, dir, "rev-parse", "HEAD")}
	}
	known := func(p *Past, o clonedFrom) (n int, rest past.Rest) {
		t.Helper()
		log, err := p.Of(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return len(log.IDs()), log.Rest()
	}
	for n := range 6 {
		commit(n)
	}
	known(NewPast(folder, "main"), commit(6))
	tree := filetest.Git(t, dir, "rev-parse", "HEAD~3^{tree}")
	object := filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])
	if err := os.Rename(object, object+"-gone"); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]clonedFrom{"the next": commit(7), "two more": func() clonedFrom { commit(8); return commit(9) }()} {
		if n, rest := known(NewPast(folder, "main"), o); n < 7 || rest != past.Whole {
			t.Errorf("%s: %d commits, rest %v", name, n, rest)
		}
	}
	filetest.Git(t, dir, "commit", "-q", "--amend", "-m", "other words")
	amended := clonedFrom{dir: dir, head: filetest.Git(t, dir, "rev-parse", "HEAD")}
	if n, rest := known(NewPast(folder, "main"), amended); n != 9 || rest != past.Whole {
		t.Errorf("amended: %d commits, rest %v", n, rest)
	}

	p := NewPast(filepath.Join(t.TempDir(), "past"), "main")
	if n, rest := known(p, amended); n != 5 || rest != past.Unread {
		t.Errorf("those before a lost one: %d commits, rest %v", n, rest)
	}
	next := commit(10)
	if n, rest := known(p, next); n != 6 || rest != past.Unread {
		t.Errorf("another on top: %d commits, rest %v", n, rest)
	}
	if err := os.Rename(object+"-gone", object); err != nil {
		t.Fatal(err)
	}
	if n, rest := known(p, next); n != 6 || rest != past.Unread {
		t.Errorf("at once after the object came back: %d commits, rest %v", n, rest)
	}
	old := time.Now().Add(-2 * tryAgain)
	if err := os.Chtimes(p.of.path, old, old); err != nil {
		t.Fatal(err)
	}
	p.until = old
	if n, rest := known(p, next); n != 10 || rest != past.Whole {
		t.Errorf("later: %d commits, rest %v", n, rest)
	}
}
