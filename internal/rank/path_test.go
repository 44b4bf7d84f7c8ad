package rank

import (
	"slices"
	"testing"
)

// splitPath cuts a path as search does.
func splitPath(s *Splitter, path string) (FileStem, *FileFolder) {
	s.Begin()
	dir, name := CutPath([]byte(path))
	folder := s.Folder(dir)
	return s.Stem(name, folder), folder
}

func texts(parts []Part) (all []string) {
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return all
}

func TestProduct(t *testing.T) {
	for path, want := range map[string]string{
		"a/parser.y": "a/parser", "a/parser.c": "a/parser", "a/item.proto": "a/item", "a/item_pb2.py": "a/item", "a/item.pb.go": "a/item", "item_gen.go": "item", ".x": "",
	} {
		if got := Product(path); got != want {
			t.Errorf("Product(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	var s Splitter
	for _, c := range []struct {
		path   string
		stem   []string
		spell  string
		folder []string
		depth  int
	}{
		{"", nil, "", nil, 0},
		{"Makefile", []string{"makefil"}, "makefile", nil, 0},
		{"net/http/url_parser2.go", []string{"url", "pars"}, "urlparser2", []string{"net", "http"}, 2},
		{"src/router/index.ts", []string{"index", "rout"}, "index", []string{"src", "rout"}, 2},
		{"a1/bb/cc/dd/ee/ff.go", []string{"ff"}, "ff", []string{"bb", "cc", "dd", "ee"}, 5},
		{"v1.2/readme", []string{"readm"}, "readme", []string{"v1", "2"}, 1},
		{".gitignore", nil, "", nil, 0},
		{"mod.rs", []string{"mod"}, "mod", nil, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			splitPath(&s, c.path)
			stem, folder := splitPath(&s, c.path)
			if got := texts(stem.Terms); !slices.Equal(got, c.stem) || stem.Spell != c.spell {
				t.Errorf("stem of %q = %q, spelled %q, want %q, %q", c.path, got, stem.Spell, c.stem, c.spell)
			}
			if got := texts(folder.Terms); !slices.Equal(got, c.folder) || folder.Depth != c.depth {
				t.Errorf("folder of %q = %q at depth %d, want %q, %d", c.path, got, folder.Depth, c.folder, c.depth)
			}
		})
	}
}

func TestSpellsName(t *testing.T) {
	for _, c := range []struct {
		stem, name string
		want       bool
	}{
		{"http_server", "HTTPServer", true},
		{"users", "User", true},
		{"user", "users", true},
		{"useful", "user", false},
		{"__init__", "init", true},
		{"s", "", false},
	} {
		t.Run(c.stem+" for "+c.name, func(t *testing.T) {
			if got := SpellsName(Spelling(c.stem), Spelling(c.name)); got != c.want {
				t.Errorf("%q spells %q: %v, want %v", c.stem, c.name, got, c.want)
			}
		})
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"packages/web-kit/src/a.ts", "web_kit", true},
		{"webkit/a.ts", "WebKit", true},
		{"webkit-core/a.ts", "webkit", false},
		{"src/webkit", "webkit", false}, // a file
		{"a/b", "", false},
	} {
		t.Run(c.path+" for "+c.name, func(t *testing.T) {
			_, folder := splitPath(new(Splitter), c.path)
			if got := folder.Named(Spelling(c.name)); got != c.want {
				t.Errorf("folder of %q is named %q: %v, want %v", c.path, c.name, got, c.want)
			}
		})
	}
}

func TestIsHeader(t *testing.T) {
	for path, want := range map[string]bool{
		"include/slab.h": true, "a.HPP": true, "x/y.hh": true, "z.hxx": true,
		".h": false, "slab.c": false, "a.hs": false, "h": false, "a.h/b": false, "bash": false,
	} {
		if got := isHeader([]byte(path)); got != want {
			t.Errorf("isHeader(%q) = %v", path, got)
		}
	}
}
