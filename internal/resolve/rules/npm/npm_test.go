package npm

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainJSON(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"line comment", "{ // a\n}", "{ }"},
		{"block comment", "[/* a */1/* b**/]", "[1]"},
		{"comment that begins with a slash", "[/*/ a */1/**/]", "[1]"},
		{"trailing commas", "{\"a\": [1, 2, ],\n}", "{\"a\": [1, 2]}"},
		{"comma before a comment", "[1, // a\n]", "[1]"},
		{"in a string", `{"a//b": "/* ,] */", "c\"//": 1}`, `{"a//b": "/* ,] */", "c\"//": 1}`},
		{"slash alone", "1 / 2", "1 / 2"},
		{"open string", `{"a`, `{"a`},
		{"open comment", "{/* a", "{"},
		{"backslash at the end", `"\`, `"\`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(plainJSON([]byte(tt.text))); got != tt.want {
				t.Errorf("plainJSON(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	paths := map[string][]string{
		"exact": {"e"}, "a/*": {"x/*", "y/*/z"}, "a/b/*": {"longer/*"}, "*.css": {"css/*"}, "a/*.js": {"js/*"},
	}
	tests := []struct {
		name string
		want []string
	}{
		{"exact", []string{"e"}},
		{"exactly", nil},
		{"a/c", []string{"x/c", "y/c/z"}},
		{"a/b/c", []string{"longer/c"}},
		{"a/", []string{"x/", "y//z"}},
		{"q.css", []string{"css/q"}},
		{".css", []string{"css/"}},
		{"css", nil},
		{"b", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := match(paths, tt.name); !slices.Equal(got, tt.want) {
				t.Errorf("match(%q) = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	type object = map[string]any
	tests := []struct {
		name string
		in   any
		want map[string][]string
	}{
		{"none", nil, map[string][]string{}},
		{"not an object", 1.0, map[string][]string{}},
		{"one place", "./a.js", map[string][]string{".": {"./a.js"}}},
		{"paths", object{"./a": "./b.js", "#c": "./d.js", "e": "./f.js"}, map[string][]string{"./a": {"./b.js"}, "#c": {"./d.js"}}},
		{"conditions of the package", object{"require": "./r", "import": "./i"}, map[string][]string{".": {"./i", "./r"}}},
		{"the likeliest first", object{".": object{"zebra": "./z", "default": "./d", "types": "./t", "source": "./s", "module": "./m", "apple": "./a"}},
			map[string][]string{".": {"./s", "./t", "./m", "./d", "./a", "./z"}}},
		{"nested", object{".": object{"node": object{"import": "./i"}, "types": 1.0}}, map[string][]string{".": {"./i"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, conditions(tt.in)); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
		})
	}
	deep := any("./deep")
	for range 12 {
		deep = object{"import": deep}
	}
	t.Run("too deep", func(t *testing.T) {
		if got := leaves(deep, 0); len(got) != 0 {
			t.Errorf("leaves = %q, want none", got)
		}
	})
}
