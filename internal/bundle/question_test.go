package bundle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	const diff = "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -3,2 +3,3 @@ func f() {\n a\n+b\n c\n"
	for _, tt := range []struct {
		text string
		kind Kind
		want string // names, or the place, or the changes
	}{
		{"ParseConfig", KindSymbol, "ParseConfig"},
		{"`ParseConfig`", KindSymbol, "ParseConfig"},
		{"net/http/server.go#ServeMux.Handle", KindSymbol, "net/http/server.go#ServeMux.Handle"},
		{"std::vec::Vec", KindSymbol, "std::vec::Vec"},
		{`"a b.go#F"`, KindSymbol, "a b.go#F"},
		{"server.go:12", KindPlace, "server.go:12-12"},
		{"net/http/server.go:12-40", KindPlace, "net/http/server.go:12-40"},
		{"server.go:12:7", KindPlace, "server.go:12-12"},
		{"how are ignore rules applied", KindQuestion, ""},
		{"callers of ParseConfig", KindQuestion, "ParseConfig"},
		{"TypeError: x is not a function\n    at run (src/a.js:3:9)\n    at main (src/b.js:9:1)\n", KindReport, ""},
		{diff, KindDiff, "x.go:4-4"},
		{strings.ReplaceAll(diff, "\n", "\r\n"), KindDiff, "x.go:4-4"},
		{"--- x.go\t2026-01-01\n+++ x.go\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n", KindDiff, "x.go:1-1"},
		{"--- /dev/null\n+++ b/new.go\n@@ -0,0 +1,2 @@\n+a\n+b\n", KindDiff, "new.go:1-2"},
		{"--- a/old.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", KindQuestion, ""},
		{"a diff of +++ and --- in words", KindQuestion, ""},
	} {
		t.Run(strings.ToValidUTF8(tt.text[:min(len(tt.text), 30)], ""), func(t *testing.T) {
			q := recognise(tt.text)
			var got []string
			switch q.kind {
			case KindDiff:
				for _, c := range q.changes {
					got = append(got, fmt.Sprintf("%s:%d-%d", c.path, c.first, c.last))
				}
			case KindPlace:
				got = []string{fmt.Sprintf("%s:%d-%d", q.place.Path, q.place.First, q.place.Last)}
			default:
				for _, n := range q.names {
					got = append(got, n.Text)
				}
			}
			if q.kind != tt.kind && tt.want != "" || tt.want != "" && !slices.Equal(got, []string{tt.want}) {
				t.Errorf("recognise(%q) = %s %v, want %s %s", tt.text, q.kind, got, tt.kind, tt.want)
			}
			if q.kind != tt.kind && !(tt.kind == KindQuestion && q.kind == KindReport) {
				t.Errorf("recognise(%q) is a %s, want a %s", tt.text, q.kind, tt.kind)
			}
		})
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]asks{
		"who calls Close":                  {callers: true},
		"impact of a change of Close":      {callers: true},
		"implementations of Sink":          {implementations: true},
		"what extends Base and its tests":  {implementations: true, tests: true},
		"which setting bounds the retries": {config: true},
		"how is a request parsed":          {},
		"latest contest":                   {},
	} {
		t.Run(text, func(t *testing.T) {
			if got := recognise(text).asks; got != want {
				t.Errorf("asks of %q are %+v, want %+v", text, got, want)
			}
		})
	}
}

// FuzzRecognise holds that any text is taken for something.
func FuzzRecognise(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1 +1,999999999 @@\n+a\n")
	f.Add("\"\\xff\":1:2")
	f.Add("@@ -1 +99999999999999 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		q := recognise(text)
		if q.kind == "" || len(q.changes) > maxChanges || len(q.names) > maxNames {
			t.Fatalf("%q: kind %q, %d changes, %d names", text, q.kind, len(q.changes), len(q.names))
		}
		for _, c := range q.changes {
			if c.first < 0 || c.last < c.first || c.path == "" {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}
