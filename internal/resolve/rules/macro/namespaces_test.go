package macro

import "testing"

func TestOpensNamespaces(t *testing.T) {
	for text, want := range map[string]string{
		"#define A namespace a {":                            "a",
		"#define A \\\n  namespace a { inline namespace v1{": "a",
		"#define A namespace a{namespace b {":                "a::b",
		"#define A }}":                                       "",
		"#define A(x) namespace":                             "",
		"#define USE using namespace a;":                     "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Namespaces(text); got != want {
				t.Errorf("Namespaces(%q) = %q, want %q", text, got, want)
			}
		})
	}
}
