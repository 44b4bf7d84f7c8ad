package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func text(letters string) []byte {
	return []byte(strings.Join(strings.Split(letters, ""), "\n") + "\n")
}

func TestLines(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"abc", "abc", "[]"},
		{"", "ab", "[{1 0 1 2}]"},
		{"ab", "", "[{1 2 1 0}]"},
		{"abcd", "axcd", "[{2 1 2 1}]"},
		{"abcd", "abxcd", "[{3 0 3 1}]"},
		{"abcd", "ad", "[{2 2 2 0}]"},
		{"abcdef", "axcdey", "[{2 1 2 1} {6 1 6 1}]"},
	} {
		t.Run(tt.old+" to "+tt.new, func(t *testing.T) {
			old, new := text(tt.old), text(tt.new)
			if tt.old == "" {
				old = nil
			}
			if tt.new == "" {
				new = nil
			}
			if got := fmt.Sprint(Lines(old, new)); got != tt.want {
				t.Errorf("Lines(%q, %q) = %s, want %s", tt.old, tt.new, got, tt.want)
			}
		})
	}
	if got := Lines([]byte("a\r\nb"), []byte("a\nb\n")); got != nil {
		t.Errorf("ends of lines differ: %v", got)
	}
}

// TestLinesApply makes the newer text out of the older one and the hunks, and
// holds that no shorter way is known than by the longest common subsequence.
func TestLinesApply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		b := make([]byte, r.IntN(30))
		for i := range b {
			b[i] = "abcd"[r.IntN(4)]
		}
		return string(b)
	}
	for range 2000 {
		old, new := random(), random()
		hunks := Lines([]byte(strings.Join(strings.Split(old, ""), "\n")), []byte(strings.Join(strings.Split(new, ""), "\n")))
		got, at := "", 0
		for _, h := range hunks {
			got += old[at : h.Old-1]
			if len(got) != h.New-1 {
				t.Fatalf("Lines(%q, %q) = %v: %v does not stand there", old, new, hunks, h)
			}
			got += new[h.New-1 : h.New-1+h.NewLines]
			at = h.Old - 1 + h.OldLines
		}
		got += old[at:]
		var lines int
		for _, l := range Text(hunks, []byte(strings.Join(strings.Split(old, ""), "\n")), []byte(strings.Join(strings.Split(new, ""), "\n"))) {
			lines += len(l) // a letter each
		}
		added, removed := Count(hunks)
		if lines != added+removed {
			t.Fatalf("Text(Lines(%q, %q)) has %d lines, want %d", old, new, lines, added+removed)
		}
		if common := lcs(old, new); got != new || added != len(new)-common || removed != len(old)-common {
			t.Fatalf("Lines(%q, %q) = %v: gives %q, +%d -%d, %d in common", old, new, hunks, got, added, removed, common)
		}
	}
}

func lcs(a, b string) int {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			best[i+1][j+1] = max(best[i][j+1], best[i+1][j])
			if a[i] == b[j] {
				best[i+1][j+1] = best[i][j] + 1
			}
		}
	}
	return best[len(a)][len(b)]
}

func TestLinesFarApart(t *testing.T) {
	var old, new strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&old, "old %d\n", i)
		fmt.Fprintf(&new, "new %d\n", i)
	}
	if got := fmt.Sprint(Lines([]byte("same\n"+old.String()), []byte("same\n"+new.String()+"\n"))); got != "[{2 3000 2 3001}]" {
		t.Errorf("Lines = %s", got)
	}
	half := "half\n"
	got := fmt.Sprint(Lines([]byte(old.String()+half+old.String()), []byte(new.String()+half+new.String())))
	if got != "[{1 3000 1 3000} {3002 3000 3002 3000}]" {
		t.Errorf("round a line that both have once: %s", got)
	}
}
