package rank

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	var s Splitter
	for _, c := range []struct {
		path string
		want Path
	}{
		{"", Path{}},
		{"Makefile", Path{Stem: []string{"makefil"}, Spell: "makefile"}},
		{"net/http/url_parser2.go", Path{Stem: []string{"url", "pars"}, Dir: []string{"net", "http"}, Spell: "urlparser2", Depth: 2}},
		{"src/router/index.ts", Path{Stem: []string{"index", "rout"}, Dir: []string{"src", "rout"}, Spell: "index", Depth: 2}},
		{"a1/b1/cc/dd/ee/ff.go", Path{Stem: []string{"ff"}, Dir: []string{"cc", "dd", "ee"}, Spell: "ff", Depth: 5}},
		{".gitignore", Path{}},
		{"mod.rs", Path{Stem: []string{"mod"}, Spell: "mod"}},
	} {
		s.Split(c.path)
		got := s.Split(c.path)
		if c.path == "a1/b1/cc/dd/ee/ff.go" {
			got.Dir = got.Dir[len(got.Dir)-3:]
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Split(%q) (-want +got)\n%s", c.path, diff)
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
	p := new(Splitter).Split("lib/http/redirect_handler.py")
	if got := p.PathWords([]string{"redirect", "handl"}); got != 1 {
		t.Errorf("PathWords of the stem = %v, want 1", got)
	}
	if got := p.PathWords([]string{"http", "zebra"}); got != 0.5 {
		t.Errorf("PathWords of one in two = %v, want 0.5", got)
	}
	if got := p.PathWords([]string{"redir"}); got != prefixMatch {
		t.Errorf("PathWords of a beginning = %v, want %v", got, prefixMatch)
	}
	if got := p.PathWords(nil); got != 0 {
		t.Errorf("PathWords of nothing = %v, want 0", got)
	}
	if got := p.Explained(func(t string) bool { return t == "redirect" }); got != 0.5 {
		t.Errorf("Explained = %v, want 0.5", got)
	}
	if got := new(Splitter).Split("http/server/http/a.go").Folders(map[string]float64{"http": 2, "serv": 1, "x": 9}); got != 3 {
		t.Errorf("Folders = %v, want 3: each term once", got)
	}
	if got := p.Head([]Term{{"redirect", 0.5}, {"http", 0.3}, {"handl", 0.2}}); got != 0.7 {
		t.Errorf("Head = %v, want 0.7: the folders do not count", got)
	}
	empty := new(Splitter).Split(".x")
	if empty.Explained(func(string) bool { return true }) != 0 {
		t.Error("an empty stem is explained")
	}
}

func TestUnderName(t *testing.T) {
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
		if got := UnderName(c.path, Spelling(c.name)); got != c.want {
			t.Errorf("UnderName(%q, %q) = %v, want %v", c.path, c.name, got, c.want)
		}
	}
}
