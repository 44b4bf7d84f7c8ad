package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/place"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", file, diff)
	}
}

// indent spreads JSON over lines, so that a golden file shows differences well.
func indent(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "func main() {\t}", "func main() {\t}"},
		{"letters of other scripts", "größe 检索 😀", "größe 检索 😀"},
		{"title sequence", "a\x1b]0;x\x07b", `a\x1b]0;x\x07b`},
		{"colour", "\x1b[31mred", `\x1b[31mred`},
		{"C1 as a character", "a\u009bb", `a\u{009B}b`},
		{"C1 as a byte", "a\x9bb", "a\ufffdb"},
		{"override", "a\u202eb\u2066c\u200fd\u061c", `a\u{202E}b\u{2066}c\u{200F}d\u{061C}`},
		{"separators", "a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		{"tags", "a\U000e0041\U000e007f", `a\u{E0041}\u{E007F}`},
		{"zero width", "a\u200bb\u200c\u200d\u2060", `a\u{200B}b\u{200C}\u{200D}\u{2060}`},
		{"byte order mark inside", "a\ufeffb", `a\u{FEFF}b`},
		{"separator of vowels, fillers, soft hyphen", "a\u180e\u3164\u115f\u00adb", `a\u{180E}\u{3164}\u{115F}\u{00AD}b`},
		{"selectors", "a\ufe0fb\U000e0101", `a\u{FE0F}b\u{E0101}`},
		{"emoji", "⚠\ufe0f 👩\u200d💻 ❤\ufe0f\u200d🔥 👩\U0001f3fd\u200d🔬", "⚠\ufe0f 👩\u200d💻 ❤\ufe0f\u200d🔥 👩\U0001f3fd\u200d🔬"},
		{"selectors behind selectors", "⚠\ufe0f\ufe0f\U000e0101", "⚠\ufe0f" + `\u{FE0F}\u{E0101}`},
		{"line ends", "a\r\nb", `a\r\nb`},
		{"nul, bell, delete", "\x00\x07\x7f", `\x00\x07\x7f`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean(tt.in); got != tt.want {
				t.Fatalf("clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzHarmless checks that whatever a name holds, no form of it disturbs a terminal.
func FuzzHarmless(f *testing.F) {
	for _, s := range []string{"a.go", "a\xffb", `"`, `"\x`, "\u202e", " "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, text := range []string{place.Name(s), clean(s), string(JSON(s))} {
			if !utf8.ValidString(text) || strings.ContainsFunc(strings.TrimSuffix(text, "\n"), harmful) {
				t.Fatalf("%q became %q, which is not harmless", s, text)
			}
		}
	})
}

// harmful says what must never reach a terminal, written apart from the code under test.
func harmful(r rune) bool {
	switch {
	case r == '\t', r >= 0xfe0e && r <= 0xfe0f, r == 0x200d: // the last are part of emoji
		return false
	}
	return r < ' ' || r >= 0x7f && r <= 0x9f || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func TestJSONIsExactAndHarmless(t *testing.T) {
	t.Parallel()
	got := string(JSON("a\x1b\x7f\u009b\u202e<&>\xff\U000e0041"))
	if want := `"a\u001b\u007f\u009b\u202e<&>\ufffd\udb40\udc41"` + "\n"; got != want {
		t.Fatalf("JSON = %s, want %s", got, want)
	}
}

// TestInvisible holds that every character that Unicode calls a control, a format
// character, a separator of lines, a selector or to be ignored is shown as an
// escape, alone and between letters, and is exact in JSON.
func TestInvisible(t *testing.T) {
	t.Parallel()
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == '\t' || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			continue
		}
		n++
		for _, text := range []string{string(r), "a" + string(r) + "b", "ب" + string(r) + "ك", string(r) + string(r)} {
			shown, name, exact := clean(text), place.Name(text), string(JSON(text))
			if strings.ContainsRune(shown+name, r) || strings.ContainsRune(strings.TrimSuffix(exact, "\n"), r) {
				t.Errorf("%U stays invisible in %q, %q or %q", r, shown, name, exact)
			}
			var back string
			if err := json.Unmarshal([]byte(exact), &back); err != nil || back != text {
				t.Errorf("JSON of %q reads back as %q, %v", text, back, err)
			}
			if back := place.ParseName(name); back != text {
				t.Errorf("the name %s reads back as %q, not %q", name, back, text)
			}
		}
	}
	if n < 4000 {
		t.Errorf("only %d characters", n)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for in, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 12_345_678: "12.3 MB", 999_960: "1.0 MB", 5e12: "5.0 TB", 5e15: "5000.0 TB"} {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			if got := size(in); got != want {
				t.Errorf("size(%d) = %s, want %s", in, got, want)
			}
		})
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		at   time.Time
		now  time.Time
		want string
	}{
		{time.Time{}, now, "never"},
		{now, time.Time{}, "2026-11-01T12:00:00Z"},
		{now.Add(-1 * time.Second), now, "1 second ago"},
		{now.Add(-59 * time.Minute), now, "59 minutes ago"},
		{now.Add(-47 * time.Hour), now, "47 hours ago"},
		{now.Add(-49 * time.Hour), now, "2 days ago"},
		{now.Add(time.Hour), now, "0 seconds ago"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := (Options{Now: tt.now}).moment(tt.at); got != tt.want {
				t.Errorf("moment(%v) at %v = %q, want %q", tt.at, tt.now, got, tt.want)
			}
		})
	}
}

func TestFreshness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   code.Freshness
		want string
	}{
		{code.Freshness{Generation: 3}, "fresh"},
		{code.Freshness{PendingFiles: 4}, "pending: 4 files"},
		{code.Freshness{Partial: true, IndexedFiles: 10, TotalFiles: 4000}, "partial: 10 of 4000 files"},
		{code.Freshness{Unchecked: true}, "not checked for changes"},
		{code.Freshness{Unchecked: true, PendingFiles: 1}, "pending: 1 file, not checked for changes"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := freshness(tt.in); got != tt.want {
				t.Errorf("freshness(%+v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	two, none := 2, 0
	head, old := strings.Repeat("abc1234f", 5), strings.Repeat("0123456f", 5)
	git := func(f code.Freshness) code.Freshness {
		f.Generation, f.Head, f.Branch = 12, head, "main"
		if f.Commit == "" {
			f.Commit = head
		}
		return f
	}
	for _, tt := range []struct {
		in          code.Freshness
		want, brief string
	}{
		{code.Freshness{Generation: 3}, "espy, generation 3, fresh", "espy (generation 3, fresh)"},
		{code.Freshness{}, "espy, not indexed", "espy (not indexed)"},
		{git(code.Freshness{Dirty: &none}), "espy main@abc1234, generation 12, fresh", "espy main@abc1234 (generation 12, fresh)"},
		{git(code.Freshness{Dirty: &two}), "espy main@abc1234 (2 dirty), generation 12, fresh", "espy main@abc1234 (2 dirty, generation 12, fresh)"},
		{git(code.Freshness{Dirty: &two, DirtyAbout: true}), "espy main@abc1234 (about 2 dirty), generation 12, fresh", "espy main@abc1234 (about 2 dirty, generation 12, fresh)"},
		{git(code.Freshness{DirtyUnknown: "git's index is split"}), "espy main@abc1234 (dirty unknown), generation 12, fresh", "espy main@abc1234 (dirty unknown, generation 12, fresh)"},
		{git(code.Freshness{Commit: old, Dirty: &none, PendingFiles: 9}), "espy main@abc1234 (indexed 0123456), generation 12, pending: 9 files", "espy main@abc1234 (indexed 0123456, generation 12, pending: 9 files)"},
		{code.Freshness{Generation: 1, Head: head, Commit: head, Dirty: &none}, "espy HEAD@abc1234, generation 1, fresh", "espy HEAD@abc1234 (generation 1, fresh)"},
		{code.Freshness{Generation: 1, Branch: "a\x1b[31m/b", Dirty: &two}, `espy "a\x1b[31m/b" (no commit found), generation 1, fresh`, `espy "a\x1b[31m/b" (no commit found, generation 1, fresh)`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := state("espy", tt.in); got != tt.want {
				t.Errorf("state(%+v) = %q, want %q", tt.in, got, tt.want)
			}
			if got := brief("espy", tt.in); got != tt.brief {
				t.Errorf("brief(%+v) = %q, want %q", tt.in, got, tt.brief)
			}
		})
	}
}

func TestCombinedFreshness(t *testing.T) {
	t.Parallel()
	one, two := 1, 2
	repos := func(list ...code.Freshness) (in []hit.Searched) {
		for _, f := range list {
			in = append(in, hit.Searched{Freshness: f})
		}
		return in
	}
	a, b := code.Freshness{Generation: 3, Commit: "a", Head: "a", Branch: "main", Dirty: &one}, code.Freshness{Generation: 4, Head: "b", Dirty: &two, DirtyAbout: true}
	for name, tt := range map[string]struct {
		in    []hit.Searched
		dirty int // -1: not counted
		about bool
	}{
		"one":          {repos(a), 1, false},
		"two":          {repos(a, b), 3, true},
		"not in git":   {repos(a, code.Freshness{Generation: 9}), 1, false},
		"no git":       {repos(code.Freshness{}, code.Freshness{}), -1, false},
		"one unknown":  {repos(a, code.Freshness{Head: "c", DirtyUnknown: "why"}), -1, false},
		"none at all":  {nil, -1, false},
		"order of two": {repos(b, a), 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := combined(tt.in)
			if got := f.Dirty; (got == nil) != (tt.dirty < 0) || got != nil && *got != tt.dirty || f.DirtyAbout != tt.about {
				t.Errorf("%s: combined = %+v, want %d dirty, about %v", name, f, tt.dirty, tt.about)
			}
			if len(tt.in) > 1 && (f.Head != "" || f.Branch != "") {
				t.Errorf("%s: several repositories have head %q and branch %q", name, f.Head, f.Branch)
			}
		})
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	args := []arg{{"query", "it's $x"}, {"mode", "literal"}, {"ignore_case", true}, {"limit", 5}}
	for _, tt := range []struct {
		calls Calls
		want  string
	}{
		{Commands, `espy search 'it'\''s $x' --mode literal --ignore-case --limit 5`},
		{ToolCalls, `search(query="it's $x", mode="literal", ignore_case=true, limit=5)`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := (Options{Calls: tt.calls}).call("search", args...); got != tt.want {
				t.Errorf("call = %s, want %s", got, tt.want)
			}
		})
	}
}

// fresh is one searched repository.
func fresh(name string, generation uint64) hit.Searched {
	return hit.Searched{Repo: name, Files: 120, Excluded: 7, Freshness: code.Freshness{Generation: generation}}
}

func line(n int, text string, matches ...[2]int) hit.Line {
	return hit.Line{Number: n, Text: []byte(text), Matches: matches}
}
