package patch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// listed writes files, one a line: paths, runs, lines of each.
func listed(files []File) (all []string) {
	for _, f := range files {
		line := fmt.Sprintf("%s > %s", f.Old, f.New)
		if f.Binary {
			line += " binary"
		}
		for _, r := range f.Runs {
			line += fmt.Sprintf(" %d,%d:", r.Old, r.New)
			for _, l := range r.Lines {
				line += string(l.Mark) + l.Text
			}
		}
		all = append(all, line)
	}
	return all
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"no diff", "a text\nwith lines\n", nil},
		{"git", "diff --git a/x/a.go b/x/a.go\nindex 1..2 100644\n--- a/x/a.go\n+++ b/x/a.go\n@@ -1,3 +1,3 @@ func f\n one\n-two\n+2\n three\n", []string{"x/a.go > x/a.go 1,1: one-two+2 three"}},
		{"diff -u with times", "--- a.c\t2024-01-01\n+++ a.c\t2024-01-02\n@@ -1 +1 @@\n-x\n+y\n", []string{"a.c > a.c 1,1:-x+y"}},
		{"two files", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n--- a/b\n+++ b/b\n@@ -2 +2 @@\n-x\n+y\n", []string{"a > a 1,1:-x+y", "b > b 2,2:-x+y"}},
		{"a removed line that looks like a head", "--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n--- a/b\n x\n", []string{"a > a 1,1:--- a/b x"}},
		{"added", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n", []string{" > n 1,1:+a+b"}},
		{"removed", "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", []string{"n >  1,1:-a-b"}},
		{"renamed", "diff --git a/o.go b/n.go\nsimilarity index 100%\nrename from o.go\nrename to n.go\n", []string{"o.go > n.go"}},
		{"binary", "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n", []string{"p.png > p.png binary"}},
		{"binary, then one without a git line", "diff --git a/p b/p\nGIT binary patch\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", []string{"p > p binary", "a > a 1,1:-x+y"}},
		{"only a mode", "diff --git a/s b/s\nold mode 100644\nnew mode 100755\n", nil},
		{"quoted path", "--- \"a/gr\\303\\266.go\"\n+++ \"b/gr\\303\\266.go\"\n@@ -1 +1 @@\n-x\n+y\n", []string{"grö.go > grö.go 1,1:-x+y"}},
		{"no end of line", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n", []string{"a > a 1,1:-x+y"}},
		{"an empty line without its blank", "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n x\n\n-a\n+b\n", []string{"a > a 1,1: x -a+b"}},
		{"counts too high", "--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n-x\n+y\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n", []string{"a > a 1,1:-x+y", "b > b 1,1:-x+y"}},
		{"in a mail", "From: me\n\nwords\n---\n 1 file changed\n\n--- a/a\r\n+++ b/a\r\n@@ -1 +1 @@\r\n-x\r\n+y\r\n-- \r\n2.1\r\n", []string{"a > a 1,1:-x+y"}},
		{"huge counts", "--- a/a\n+++ b/a\n@@ -1,999999999 +1,999999999 @@\n-x\n", []string{"a > a 1,1:-x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, listed(Parse(tt.text))); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
		})
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	old := "one\ntwo\nthree\nfour\nfive\nsix\n"
	for _, tt := range []struct {
		name, runs, want string
		failed           int
	}{
		{"as it says", "@@ -2 +2 @@\n-two\n+2\n", "one\n2\nthree\nfour\nfive\nsix\n", 0},
		{"further down", "@@ -1,2 +1,1 @@\n-four\n five\n", "one\ntwo\nthree\nfive\nsix\n", 0},
		{"further up", "@@ -6 +6 @@\n-one\n+1\n", "1\ntwo\nthree\nfour\nfive\nsix\n", 0},
		{"nowhere", "@@ -2 +2 @@\n-none\n+2\n", old, 1},
		{"one of two", "@@ -1 +1 @@\n-none\n+1\n@@ -5 +5 @@\n-five\n+5\n", "one\ntwo\nthree\nfour\n5\nsix\n", 1},
		{"added lines alone", "@@ -2,0 +3 @@\n+new\n", "one\ntwo\nnew\nthree\nfour\nfive\nsix\n", 0},
		{"other spacing at the end", "@@ -2 +2 @@\n-two  \n+2\n", "one\n2\nthree\nfour\nfive\nsix\n", 0},
		{"longer than the file", "@@ -5,3 +5 @@\n-five\n-six\n-seven\n", old, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Parse("--- a/a\n+++ b/a\n" + tt.runs)[0]
			got, failed := apply(f, old)
			if got != tt.want || failed != tt.failed {
				t.Errorf("Apply = %q, %d failed; want %q, %d", got, failed, tt.want, tt.failed)
			}
			if back, failed := apply(*f.Reversed(), got); tt.failed == 0 && (back != old && tt.name != "other spacing at the end" || failed > 0) {
				t.Errorf("back = %q, %d failed", back, failed)
			}
		})
	}
}

// apply returns the newer version of a file, and how many runs stand nowhere in the older.
func apply(f File, older string) (newer string, failed int) {
	fit, err := f.Fit(context.Background(), NewText([]byte(older)))
	if err != nil {
		panic(err)
	}
	return string(fit.Newer()), fit.Failed
}

// TestFitEnds holds that runs which stand nowhere in a long text are looked for no longer
// than there is time.
func TestFitEnds(t *testing.T) {
	f := File{Runs: slices.Repeat([]Run{{Old: 1, New: 1, Lines: []Line{{'-', "gone"}}}}, 100_000)}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := f.Fit(ctx, NewText([]byte(strings.Repeat("line\n", 200_000)))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the end of the time", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", "x\n")
	f.Add("--- a\n+++ b\n@@ -0,0 +1 @@\n+y\n@@ -9,2 +9 @@\n x\n-z\n", "a\nb\n")
	f.Fuzz(func(t *testing.T, diff, text string) {
		for _, file := range Parse(diff) {
			for _, one := range []*File{&file, file.Reversed()} {
				if _, failed := apply(*one, text); failed > len(one.Runs) {
					t.Errorf("%d of %d runs failed", failed, len(one.Runs))
				}
			}
		}
	})
}
