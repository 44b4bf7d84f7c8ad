package rules

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseGoMod(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []goModule
	}{
		{"module", "module example.com/m\n\ngo 1.24\n", []goModule{{"example.com/m", "dir"}}},
		{"quotes and comment", "module \"example.com/m\" // here\n", []goModule{{"example.com/m", "dir"}}},
		{"replacement", "replace a => ./b\n", []goModule{{"a", "dir/b"}}},
		{"of a version", "replace a v1.2.3 => ../b\n", []goModule{{"a", "b"}}},
		{"in a block", "replace (\n\ta => ./b\n\tc v1 => ./d // why\n)\nreplace e => ./f\n", []goModule{{"a", "dir/b"}, {"c", "dir/d"}, {"e", "dir/f"}}},
		{"by another module", "replace a => example.com/b v1.0.0\n", nil},
		{"outside of the repository", "replace a => ../../b\n", nil},
		{"other blocks", "require (\n\tmodule v1\n\ta => ./b\n)\n", nil},
		{"cut off", "module\nreplace a =>\nreplace => ./b\n(\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseGoMod(tt.text, "dir"); !slices.Equal(got, tt.want) {
				t.Errorf("parseGoMod = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCargoName(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"package", "[package]\nname = \"a-b\"\n", "a_b"},
		{"single quotes", "[package]\nname='a'\n", "a"},
		{"library wins", "[package]\nname = \"a\"\n[lib]\nname = \"b\"\n", "b"},
		{"other sections", "[dependencies]\nname = \"a\"\n[[bin]]\nname = \"b\"\n", ""},
		{"other keys", "[package]\nrename = \"a\"\n", ""},
		{"workspace", "[workspace]\nmembers = []\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := readCargo(tt.text, "").name; got != tt.want {
				t.Errorf("readCargo names %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRustDir(t *testing.T) {
	for path, want := range map[string]string{"src/lib.rs": "src", "src/main.rs": "src", "src/a/mod.rs": "src/a", "src/a.rs": "src/a", "mod.rs": ""} {
		t.Run(path, func(t *testing.T) {
			if got := rustDir(path); got != want {
				t.Errorf("rustDir(%q) = %q, want %q", path, got, want)
			}
		})
	}
}

func TestCommonFolders(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"a.h", "b.c", 0}, {"b/x.h", "a/x.h", 0}, {"a/x.h", "a/x.h", 1}, {"a/x.h", "a/y.c", 1}, {"a/b/x.h", "a/b/c/y.c", 2}, {"ab/x.h", "ac/y.c", 0}, {"a/bc/x.h", "a/bd/x.h", 1},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			if got := commonFolders(tt.a, tt.b); got != tt.want {
				t.Errorf("commonFolders(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

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
