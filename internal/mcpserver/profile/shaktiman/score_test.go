package shaktiman

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"espy/internal/evidence"
	"espy/internal/filetest"
	"espy/internal/progress"
)

// questions are asked where many results are wanted.
var questions = []string{"token", "verify a token", "exponential backoff after a failed attempt", "settings file", "claims subject", "VerifyToken", "error"}

// clock is a time that stands still.
func clock(at time.Time) func() time.Time { return func() time.Time { return at } }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestFormulas holds the signals at fixed times.
func TestFormulas(t *testing.T) {
	sheet.Proves(t, "score.structural score.change score.session")
	for k, want := range map[int]float64{0: 0, 1: 0.5, 2: 2.0 / 3, 9: 0.9} {
		t.Run(fmt.Sprint("structural ", k), func(t *testing.T) {
			if got := besideOf(&evidence.Hit{Beside: k}); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	r := &recent{at: map[string]time.Time{"a": noon}, lines: map[string]int{"a": 25, "b": 50}}
	for hours, want := range map[float64]float64{0: 0.5, 1: 0.5 * math.Exp(-0.05), 24: 0.5 * math.Exp(-1.2), -3: 0.5} {
		t.Run(fmt.Sprint("change ", hours), func(t *testing.T) {
			now := noon.Add(time.Duration(hours * float64(time.Hour)))
			if got := r.signal("a", now); math.Abs(got-want) > 1e-12 || r.signal("b", now) != 0 {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	r.lines["a"] = 500
	if got := r.signal("a", noon); got != 1 {
		t.Errorf("500 lines: %v", got)
	}
	for _, tt := range []struct {
		times, queries int
		minutes        float64
		want           float64
	}{{0, 0, 0, 0}, {1, 0, 0, 0.25}, {3, 0, 0, 0.5}, {15, 0, 0, 1}, {100, 0, 0, 1}, {15, 2, 10, math.Exp(-0.7) * math.Exp(-0.2)}} {
		t.Run(fmt.Sprintf("session %+v", tt), func(t *testing.T) {
			s := sight{times: tt.times, last: noon, query: 1}
			if got := s.signal(noon.Add(time.Duration(tt.minutes*float64(time.Minute))), 1+tt.queries); math.Abs(got-tt.want) > 1e-12 {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// TestSeen holds that a session forgets what was used longest ago.
func TestSeen(t *testing.T) {
	sheet.Proves(t, "score.lru")
	s := newSeen(2)
	s.record([]string{"a", "b"}, noon)
	s.record([]string{"a", "c"}, noon)
	all, queries := s.sights([]string{"a", "b", "c"})
	for i, want := range []int{2, 0, 1} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			if all[i].times != want || queries != 2 {
				t.Errorf("%+v, %d queries", all[i], queries)
			}
		})
	}
	if maxSeen != 2000 {
		t.Error(maxSeen)
	}
}

// TestScore holds the sum of the signals at the ends of their ranges.
func TestScore(t *testing.T) {
	sheet.Proves(t, "score.sum score.bounds score.relevance score.order")
	for i := range 1 << len(signals) {
		var v values
		for k := range v {
			if i>>k&1 == 1 {
				v[k] = []float64{1, 0.3, 0.7, 1, 0.9}[k]
			}
		}
		t.Run(fmt.Sprintf("%v", v), func(t *testing.T) {
			score, parts := v.score()
			sum := 0.0
			for _, p := range parts {
				sum += p
			}
			if score < v.relevance() || score > 1 || math.Abs(sum-score) > 1e-9 {
				t.Errorf("score %v, parts %v, relevance %v", score, parts, v.relevance())
			}
			hits := []evidence.Hit{{Path: "b"}, {Path: "a"}}
			list := choose(hits, []values{v, v}, 0.5, 10)
			if (len(list) > 0) != (v.relevance() >= 0.5) || len(list) == 2 && list[0].at != 1 {
				t.Errorf("chosen %v", list)
			}
		})
	}
}

var partsForm = regexp.MustCompile(`score:(\d\.\d\d) \[semantic:(\d\.\d\d|off) structural:(\d\.\d\d) keyword:(\d\.\d\d) change:(\d\.\d\d) session:(\d\.\d\d|off)\]`)

// TestExplained holds that what is shown of the signals adds up to the score as it
// is shown, and names those that are missing.
func TestExplained(t *testing.T) {
	sheet.Proves(t, "score.sum score.bounds")
	for _, plain := range []bool{false, true} {
		c := newClient(t, setup{files: shop, plain: plain})
		for _, q := range questions {
			for _, mode := range []string{"locate", "full"} {
				t.Run(fmt.Sprintf("%v %s %s", plain, q, mode), func(t *testing.T) {
					text := c.on(t).call("search", object{"query": q, "mode": mode, "explain": true, "scope": "all"})
					all := partsForm.FindAllStringSubmatch(text, -1)
					if want := strings.Count(text, "score:"); len(all) != want {
						t.Fatalf("%d of %d results are explained:\n%s", len(all), want, text)
					}
					for _, m := range all {
						cents := func(text string) int { f, _ := strconv.ParseFloat(text, 64); return int(math.Round(f * 100)) }
						sum := 0
						for _, p := range m[2:] {
							sum += cents(p)
						}
						if score := cents(m[1]); sum != score || score < 15 || score > 100 || (m[2] == "off") != plain {
							t.Errorf("%s: the parts are %d", m[0], sum)
						}
					}
				})
			}
		}
	}
}

// passed are the places whose relevance is at least the default.
func passed(c *client, q string) (list []string) {
	c.Helper()
	for _, h := range c.locate(object{"query": q, "max_results": 200, "scope": "all"}) {
		list = append(list, h.path+":"+h.first)
	}
	slices.Sort(list)
	return list
}

// TestSameResults asks the same of a fresh index and of an old one, at first and at
// the twentieth time, with vectors and without, and on the command line.
func TestSameResults(t *testing.T) {
	sheet.Proves(t, "score.age score.repeat score.cli score.vectors bug.age")
	fresh := newClient(t, setup{files: shop, now: clock(time.Now())})
	old := newClient(t, setup{root: fresh.root, now: clock(time.Now().Add(10_000 * time.Hour))})
	plain := newClient(t, setup{root: fresh.root, plain: true})
	for _, q := range questions {
		t.Run(q, func(t *testing.T) {
			want := passed(fresh.on(t), q)
			for range 20 {
				if got := passed(fresh.on(t), q); !slices.Equal(got, want) {
					t.Fatalf("again: %v, want %v", got, want)
				}
			}
			if got := passed(old.on(t), q); !slices.Equal(got, want) {
				t.Errorf("old: %v, want %v", got, want)
			}
			for _, p := range passed(plain.on(t), q) {
				if !slices.Contains(want, p) {
					t.Errorf("%s passes without vectors only", p)
				}
			}
			a, err := NewShell(fresh.options).Run(t.Context(), command("search"), map[string]any{"query": q, "max": 200, "scope": "all"}, func(progress.Report) {})
			if err != nil {
				t.Fatal(err)
			}
			var cli []string
			for _, r := range a.Value.([]row) {
				cli = append(cli, fmt.Sprintf("%s:%d", r.Path, r.First))
			}
			if slices.Sort(cli); !slices.Equal(cli, want) {
				t.Errorf("on the command line %v, want %v", cli, want)
			}
		})
	}
}

// command is the command of a name.
func command(name string) *Command {
	all := Commands()
	return &all[slices.IndexFunc(all, func(c Command) bool { return c.Name == name })]
}

// TestPrefix holds that fewer results are the beginning of more.
func TestPrefix(t *testing.T) {
	sheet.Proves(t, "score.prefix")
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("zoo/z%d.go", i)] = fmt.Sprintf("package zoo\n\n// Feed%d feeds the zebra %s.\nfunc Feed%[1]d() { Feed%[3]d() }\n", i, strings.Repeat("again ", i%7), (i+1)%40)
	}
	c := newClient(t, setup{files: files})
	for _, q := range []string{"feed the zebra", "again", "Feed7"} {
		t.Run(q, func(t *testing.T) {
			c := c.on(t)
			c.connect()
			few := c.locate(object{"query": q, "max_results": 5})
			c.connect()
			many := c.locate(object{"query": q, "max_results": 50})
			if len(few) != 5 || len(many) < 5 || !slices.Equal(few, many[:5]) {
				t.Errorf("%v\nis not the beginning of\n%v", few, many)
			}
		})
	}
}

// TestStructural counts the candidates within two steps, also over what is none.
func TestStructural(t *testing.T) {
	sheet.Proves(t, "score.structural")
	c := newClient(t, setup{files: map[string]string{
		"a/a.go": "package a\n\nimport \"x/b\"\n\n// Zebra one.\nfunc Zebra() { b.Middle() }\n",
		"b/b.go": "package b\n\nimport \"x/c\"\n\nfunc Middle() { c.Okapi() }\n",
		"c/c.go": "package c\n\n// Okapi is a zebra too.\nfunc Okapi() {}\n",
		"d/d.py": "# zebra\ndef okapi_alone():\n    pass\n",
		"go.mod": "module x\n",
	}})
	text := c.call("search", object{"query": "zebra", "explain": true})
	for _, tt := range []struct{ path, want string }{{"a/a.go", "some"}, {"c/c.go", "some"}, {"d/d.py", "none"}} {
		t.Run(tt.path, func(t *testing.T) {
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, tt.path) && strings.Contains(line, "structural:0.00") != (tt.want == "none") {
					t.Error(line)
				}
			}
			if !strings.Contains(text, tt.path) {
				t.Error(text)
			}
		})
	}
}

// TestContext packs what a task needs.
func TestContext(t *testing.T) {
	sheet.Proves(t, "context.elision context.bound context.cut context.strategy context.disabled bug.cut")
	long := "package zoo\n\n// FeedZebra feeds the zebra.\nfunc FeedZebra(hay int) {\n" + strings.Repeat("\tfeed(hay) // the zebra again and again\n", 120) + "}\n"
	more := "\n// WashZebra washes the zebra.\nfunc WashZebra() {\n" + strings.Repeat("\twash(1) // the zebra's stripes\n", 30) + "}\n"
	files := map[string]string{"zoo/zoo.go": long + more + strings.ReplaceAll(more, "Wash", "Brush"), "zoo/vet.go": "package zoo\n\n// VetZebra heals a zebra.\nfunc VetZebra() {}\n"}
	c := newClient(t, setup{files: files})
	form := regexp.MustCompile(`^\[context\] (\d+) chunks, (\d+) tokens, strategy: (\w+)\n\n--- zoo/`)
	for _, budget := range []int{256, 300, 512, 900, 1500, 4096} {
		t.Run(strconv.Itoa(budget), func(t *testing.T) {
			text := c.on(t).call("context", object{"query": "zebra", "budget_tokens": budget})
			m := form.FindStringSubmatch(text)
			if m == nil || m[3] != "hybrid_l0" {
				t.Fatal(text)
			}
			if n, _ := strconv.Atoi(m[2]); n > budget || n != (len(text)+3)/4 || m[1] != strconv.Itoa(strings.Count(text, "\n--- ")) {
				t.Errorf("%s tokens and %s chunks, the answer has %d tokens", m[2], m[1], (len(text)+3)/4)
			}
			if budget == 4096 && !strings.Contains(text, "\n--- :") {
				t.Errorf("no header without a path:\n%s", text)
			}
		})
	}
	t.Run("cut", func(t *testing.T) {
		text := c.on(t).call("context", object{"query": "FeedZebra", "budget_tokens": 256})
		if !strings.Contains(text, "zebra") || len(text) > 4*256 {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	})
	t.Run("without vectors", func(t *testing.T) {
		plain := newClient(t, setup{files: files, plain: true})
		if text := plain.call("context", object{"query": "zebra"}); !strings.Contains(text, "strategy: keyword_l2") {
			t.Error(text)
		}
	})
	t.Run("nothing is indexed", func(t *testing.T) {
		f := &found{all: &evidence.Answer{}}
		if f.strategy() != "filesystem_l3" {
			t.Error(f.strategy())
		}
	})
	t.Run("disabled", func(t *testing.T) {
		off := newClient(t, setup{files: map[string]string{configFile: "[context]\nenabled = false\n"}})
		list, err := off.Session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 6 || list.Tools[0].Name != "dependencies" {
			t.Errorf("%v, %v", list, err)
		}
	})
}

// decode is a list of an answer.
func decode[T any](t *testing.T, text string) (list []T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return list
}

// TestDependencies asks who uses what.
func TestDependencies(t *testing.T) {
	sheet.Proves(t, "deps.direction deps.depth deps.qualified deps.all deps.unresolved deps.language bug.calls")
	c := newClient(t, setup{files: map[string]string{
		"go.mod":      "module x\n",
		"s/s.go":      "package s\n\nimport \"os\"\n\n// New makes one.\nfunc New() int { return inner() }\n\nfunc inner() int { os.Exit(1); return 2 }\n",
		"u/u.go":      "package u\n\nimport \"x/s\"\n\nfunc Use() { s.New() }\n\nfunc Far() { Use() }\n",
		"v/v.go":      "package v\n\nfunc New() int { return 3 }\n\nfunc Mine() { New() }\n",
		"w/a.py":      "def Use():\n    pass\n",
		"s/s_test.go": "package s\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n",
	}})
	for _, tt := range []struct {
		args object
		want string
	}{
		{object{"symbol": "s.New", "direction": "callers", "depth": 1}, "Use"},
		{object{"symbol": "s.New", "direction": "callers"}, "Far Use"},
		{object{"symbol": "s.New", "direction": "incoming", "depth": "2"}, "Far Use"},
		{object{"symbol": "s.New", "direction": "callers", "depth": 1, "scope": "all"}, "TestNew Use"},
		{object{"symbol": "s.New", "direction": "callers", "depth": 1, "scope": "test"}, "TestNew"},
		{object{"symbol": "s.New", "direction": "outgoing"}, "inner"},
		{object{"symbol": "New", "direction": "callers", "depth": 1}, "Mine Use"},
		{object{"symbol": "inner", "direction": "both", "depth": 1}, "New"},
		{object{"symbol": "Exit", "direction": "callers"}, "inner"},
		{object{"symbol": "os.Exit", "direction": "both"}, "inner"},
		{object{"symbol": "Exit", "direction": "callees"}, ""},
		{object{"symbol": "Use", "direction": "callers"}, "Far"},
	} {
		t.Run(fmt.Sprint(tt.args), func(t *testing.T) {
			var names []string
			for _, d := range decode[dependency](t, c.on(t).call("dependencies", tt.args)) {
				names = append(names, d.Name)
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestDiff changes files of a repository.
func TestDiff(t *testing.T) {
	sheet.Proves(t, "diff.shape diff.none diff.since diff.limit diff.order diff.symbols diff.lines diff.removed bug.body")
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc F() int { return 1 }\n\nfunc G(n int) {}\n\nfunc Same() {}\n", "gone.go": "package a\n", "old.go": "package a\n\nfunc Old() {}\n\nfunc Old2() {}\n", "a_test.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	c := newClient(t, setup{root: dir})
	c.options.Now = clock(time.Now().Add(48 * time.Hour)) // the commit is older than a day
	c.connect()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc F() int { return 2 }\n\nfunc G(n, m int) {}\n\n// moved down\n\nfunc Same() {}\n\nfunc New() {}\n", "a_test.go": "package a\n\nfunc T() {}\n", "b.go": "package a\n\nfunc B() {}\n"})
	filetest.Remove(t, dir, "gone.go", "old.go")
	filetest.Write(t, dir, map[string]string{"new.go": "package a\n\nfunc Old() {}\n\nfunc Old2() {}\n"})
	all := decode[changedFile](t, c.call("diff", object{"scope": "all"}))
	byPath := map[string]changedFile{}
	for i, f := range all {
		byPath[f.Path] = f
		if i > 0 && f.Time > all[i-1].Time || f.FileID == 0 {
			t.Errorf("%+v is behind %+v", f, all[i-1])
		}
	}
	for path, want := range map[string]string{
		"a.go": "modify +6 -2 [F (modified) G (signature_changed) New (added)]", "a_test.go": "modify +2 -0 [T (added)]", "b.go": "add +3 -0 [B (added)]", "gone.go": "delete +0 -1 []", "new.go": "rename +0 -0 []",
	} {
		t.Run(path, func(t *testing.T) {
			f := byPath[path]
			if got := fmt.Sprintf("%s +%d -%d %v", f.Type, f.Added, f.Removed, f.Symbols); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	for _, tt := range []struct {
		args object
		want int
	}{
		{object{}, 4}, {object{"scope": "test"}, 1}, {object{"limit": 2}, 2}, {object{"limit": 1, "scope": "test"}, 1}, {object{"limit": 0, "scope": "all"}, 5}, {object{"limit": 501, "scope": "all"}, 5},
		{object{"since": "-1h"}, 0}, {object{"since": "0s"}, 0},
		{object{"since": "10000h", "scope": "all"}, 4}, // before the first commit, which had no files
	} {
		t.Run(fmt.Sprint(tt.args), func(t *testing.T) {
			text := c.on(t).call("diff", tt.args)
			if got := decode[changedFile](t, text); len(got) != tt.want || tt.want == 0 && text != "null" {
				t.Errorf("%d, want %d: %s", len(got), tt.want, text)
			}
		})
	}
	t.Run("the signal", func(t *testing.T) {
		c := c.on(t)
		c.options.Now = time.Now
		c.connect()
		text := c.call("search", object{"query": "G", "explain": true, "min_score": 0})
		if !regexp.MustCompile(`a\.go:.* change:0\.[0-9]*[1-9]`).MatchString(text) {
			t.Error(text)
		}
	})
}
