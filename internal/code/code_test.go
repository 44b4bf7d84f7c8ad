package code

import (
	"fmt"
	"testing"
)

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
		t.Run(fmt.Sprintf("%q holds %b", c.scope, c.class), func(t *testing.T) {
			if got := c.scope.Holds(c.class); got != c.want {
				t.Errorf("Scope(%q).Holds(%b) = %v, want %v", c.scope, c.class, got, c.want)
			}
		})
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
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if back.UnmarshalText([]byte(bad)) == nil {
				t.Errorf("UnmarshalText(%q) gave no error", bad)
			}
		})
	}
}
