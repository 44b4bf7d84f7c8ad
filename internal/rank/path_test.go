package rank

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSplit(t *testing.T) {
	var s Splitter
	for _, c := range []struct {
		path   string
		stem   FileStem
		folder FileFolder
	}{
		{"", FileStem{}, FileFolder{}},
		{"Makefile", FileStem{[]string{"makefil"}, "makefile"}, FileFolder{}},
		{"net/http/url_parser2.go", FileStem{[]string{"url", "pars"}, "urlparser2"}, FileFolder{Terms: []string{"net", "http"}, Depth: 2}},
		{"src/router/index.ts", FileStem{[]string{"index", "rout"}, "index"}, FileFolder{Terms: []string{"src", "rout"}, Depth: 2}},
		{"a1/bb/cc/dd/ee/ff.go", FileStem{[]string{"ff"}, "ff"}, FileFolder{Terms: []string{"bb", "cc", "dd", "ee"}, Depth: 5}},
		{"v1.2/readme", FileStem{[]string{"readm"}, "readme"}, FileFolder{Terms: []string{"v1", "2"}, Depth: 1}},
		{".gitignore", FileStem{}, FileFolder{}},
		{"mod.rs", FileStem{[]string{"mod"}, "mod"}, FileFolder{}},
	} {
		s.Split(c.path)
		stem, folder := s.Split(c.path)
		if diff := cmp.Diff(c.stem, stem); diff != "" {
			t.Errorf("stem of %q (-want +got)\n%s", c.path, diff)
		}
		if diff := cmp.Diff(c.folder, folder, cmpopts.IgnoreUnexported(FileFolder{})); diff != "" {
			t.Errorf("folder of %q (-want +got)\n%s", c.path, diff)
		}
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
		if got := SpellsName(Spelling(c.stem), Spelling(c.name)); got != c.want {
			t.Errorf("%q spells %q: %v, want %v", c.stem, c.name, got, c.want)
		}
	}
}

func TestPathSignals(t *testing.T) {
	stem, folder := new(Splitter).Split("lib/http/redirect_handler.py")
	for _, c := range []struct {
		terms []string
		want  float64
	}{
		{[]string{"redirect", "handl"}, 1},
		{[]string{"http", "zebra"}, 0.5},
		{[]string{"redir"}, prefixMatch},
		{nil, 0},
	} {
		if got := stem.PathWords(c.terms, folder.Words(c.terms)); got != c.want {
			t.Errorf("PathWords(%q) = %v, want %v", c.terms, got, c.want)
		}
	}
	if got := stem.Explained(func(t string) bool { return t == "redirect" }); got != 0.5 {
		t.Errorf("Explained = %v, want 0.5", got)
	}
	if got := stem.Head([]Term{{"redirect", 0.5}, {"http", 0.3}, {"handl", 0.2}}); got != 0.7 {
		t.Errorf("Head = %v, want 0.7: the folders do not count", got)
	}
	_, twice := new(Splitter).Split("http/server/http/a.go")
	if got := twice.Mass(map[string]float64{"http": 2, "serv": 1, "x": 9}); got != 3 {
		t.Errorf("Mass = %v, want 3: each term once", got)
	}
	empty, _ := new(Splitter).Split(".x")
	if empty.Explained(func(string) bool { return true }) != 0 {
		t.Error("an empty stem is explained")
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
		_, folder := new(Splitter).Split(c.path)
		if got := folder.Named(Spelling(c.name)); got != c.want {
			t.Errorf("folder of %q is named %q: %v, want %v", c.path, c.name, got, c.want)
		}
	}
}
