package macro

import (
	"strings"
	"testing"

	"espy/internal/facts/factstest"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// TestWay reads texts of macros: the steps are written as they would be in code, with
// names, calls () and elements [].
func TestWay(t *testing.T) {
	for text, want := range map[string]string{
		"M a":                              "a",
		"M (a)":                            "a",
		"M get()->task.list[n - 1]":        "get () task list []",
		"M ((struct s *)x)->next":          "s value next",
		"M (const struct s *)x->y":         "s value",
		"M (a)->b ":                        "a b",
		"M a \\\n\t->b":                    "a b",
		"M f(g(1), (2))":                   "f ()",
		"M a ? b : c":                      "",
		"M a + b":                          "",
		"M (a":                             "",
		"M 12":                             "",
		"M \"text\"":                       "",
		"M":                                "",
		"M f(":                             "",
		"M (s *)":                          "",
		"M a->":                            "",
		"M a" + strings.Repeat("->b", 200): "",
		"M(x) x":                           "called",
		"M() x":                            "called",
	} {
		c := corpus.New([]corpus.Part{factstest.Part(t, map[string][]byte{"a.c": []byte("#define " + text + "\n")})})
		f := c.Reader().File(0)
		way, ok := Way(f, uint32(len("#define ")), text)
		var got []string
		for _, s := range way {
			switch s.Op {
			case infer.StepCall:
				got = append(got, "()")
			case infer.StepElement:
				got = append(got, "[]")
			case infer.StepValue:
				got = append(got, "value")
			default:
				got = append(got, f.Use(s.Use).Name)
			}
		}
		if !ok {
			got = []string{"called"}
		}
		if line := strings.Join(got, " "); line != want {
			t.Errorf("%q leads along %q, want %q", text, line, want)
		}
	}
}
