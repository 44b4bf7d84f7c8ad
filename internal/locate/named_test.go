package locate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeywordForms(t *testing.T) {
	for name, want := range map[string][]string{
		"int":        {"@int", "r#int"},
		"A.int":      {"A.@int", "A.r#int"},
		"a.rs#match": {"a.rs#@match", "a.rs#r#match"},
		"`fun`":      {"fun"},
		"A.`when a`": {"A.when a"},
		"A.":         nil,
	} {
		if diff := cmp.Diff(want, keywordForms(name)); diff != "" {
			t.Errorf("keywordForms(%q) (-want +got):\n%s", name, diff)
		}
	}
}
