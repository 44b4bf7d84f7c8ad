package code

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"search", "status", "files", "read", "index", "Verify"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"serach", []string{"search"}},
		{"fil", []string{"files"}},
		{"verfy", []string{"Verify"}},
		{"sta", []string{"status"}},
		{"s", []string{"search", "status"}},
		{"zzzzzz", nil},
		{"", nil},
	} {
		if got := Nearest(c.word, names, 2); !slices.Equal(got, c.want) {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}} {
		if got := EditDistance(c.a, c.b); got != c.want || EditDistance(c.b, c.a) != c.want {
			t.Errorf("EditDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestScopeHolds(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		class Class
		want  bool
	}{
		{"", ClassTest, true}, {ScopeAll, ClassVendor, true},
		{ScopeCode, 0, true}, {ScopeCode, ClassTest, false}, {ScopeCode, ClassGenerated, true}, {ScopeCode, ClassVendor, false},
		{ScopeTest, ClassTest | ClassExample, true}, {ScopeTest, 0, false},
		{ScopeDocs, ClassDocs, true}, {ScopeDeps, ClassVendor, true}, {ScopeDeps, 0, false},
	} {
		if got := c.scope.Holds(c.class); got != c.want {
			t.Errorf("Scope(%q).Holds(%b) = %v, want %v", c.scope, c.class, got, c.want)
		}
	}
}

func TestHashText(t *testing.T) {
	h := Hash{1, 2, 0xff}
	text, _ := h.MarshalText()
	var back Hash
	if err := back.UnmarshalText(text); err != nil || back != h {
		t.Errorf("UnmarshalText(%q) = %v, %v", text, back, err)
	}
	for _, bad := range []string{"", "00", string(text) + "00", "zz" + string(text[2:])} {
		if back.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("UnmarshalText(%q) gave no error", bad)
		}
	}
}
