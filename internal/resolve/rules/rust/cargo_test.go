package rust

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

func TestModuleFolder(t *testing.T) {
	for path, want := range map[string]string{"src/lib.rs": "src", "src/main.rs": "src", "src/a/mod.rs": "src/a", "src/a.rs": "src/a", "mod.rs": ""} {
		t.Run(path, func(t *testing.T) {
			if got := moduleFolder(path); got != want {
				t.Errorf("moduleFolder(%q) = %q, want %q", path, got, want)
			}
		})
	}
}

func TestCargo(t *testing.T) {
	tests := []struct {
		name, text string
		want       Crate
	}{
		{"programs and tests", "[lib]\nname = \"a\"\npath = \"top.rs\"\n[[bin]]\npath = \"x/main.rs\"\n[[test]]\npath = '../t.rs'\n",
			Crate{name: "a", folder: "d", library: "d/top.rs", tops: []string{"d/top.rs", "d/x/main.rs", "t.rs"}, renamed: map[string]string{}}},
		{"other names", "[dependencies]\nb-c = { version = \"1\", package = \"real-b\" }\n[target.'cfg(unix)'.dev-dependencies.e]\npackage = \"real-e\"\n",
			Crate{folder: "d", renamed: map[string]string{"b_c": "real_b", "e": "real_e"}}},
		{"cut off", "[dependencies\nb = { package\n[[bin]]\npath =\n", Crate{folder: "d", tops: []string{"d"}, renamed: map[string]string{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, readCargo(tt.text, "d"), cmp.AllowUnexported(Crate{})); diff != "" {
				t.Errorf("readCargo (-want +got):\n%s", diff)
			}
		})
	}
}
