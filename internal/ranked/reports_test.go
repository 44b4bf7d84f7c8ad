package ranked_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// warehouse is a repository of Go sources with three places that print something.
func warehouse(t *testing.T) []*store.Snapshot {
	files := maps.Clone(sample.GoSources(t))
	files["zz/shelf.go"] = "package zz\n\nfunc Take(name string, n int) error {\n\treturn fmt.Errorf(\"cannot take %d items of shelf %q\", n, name)\n}\n"
	files["zz/door.go"] = "package zz\n\n// Open opens the door.\nfunc Open() {\n\tlog.Printf(\"door %s opened for the night\", name)\n\tunlock()\n}\n"
	files["zz/lamp.go"] = "package zz\n\nfunc Light() {\n\tpanic(\"no lamp is left to light\")\n}\n"
	files["zz/shelf_test.go"] = "package zz\n\nvar want = \"cannot take 5 items of shelf\"\n"
	return []*store.Snapshot{sample.Repository(t, "go", files)}
}

const (
	complaint = "The night shift does not start any more since the upgrade\n\nSince yesterday nobody can work here, and I do not know where to look. We run three warehouses and all of them behave in the same way after a restart of the request router.\n\n"
	shortLog  = "2026-11-22T17:13:49.001Z info door door north opened for the night\n2026-11-22T17:13:50.123Z\terror\tcontroller\tcannot take 5 items of shelf left\n2026-11-22T17:13:51.120Z info healthcheck ready after 2.31s\n"
)

// TestMessagesOfReports holds that the file which printed a message stands first
// wherever in a report the message stands, that an error comes before what a program
// tells besides, and that the hit says why.
func TestMessagesOfReports(t *testing.T) {
	snaps := warehouse(t)
	const values = "exact text but for its values, line 4"
	for _, c := range []struct{ name, query, path, why string }{
		{"a log", shortLog, "zz/shelf.go", values},
		{"a log in a report", complaint + "The output is:\n\n```\n" + shortLog + "```\n\nExpected: it starts.\n", "zz/shelf.go", values},
		{"quoted in prose", complaint + "It says `cannot take 12 items of shelf \"a\"` and ends, every morning at the same time, and nobody knows what to do about that.\n", "zz/shelf.go", values},
		{"a sentence of prose", complaint + "It ends with no lamp is left to light. The day shift works without any trouble as far as we can tell from here.\n", "zz/lamp.go", "exact text, line 4"},
		{"colours", complaint + "\x1b[31mERROR\x1b[0m \x1b[1mcannot take 5 items of shelf left\x1b[0m\n", "zz/shelf.go", values},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := searchtest.Must(t, snaps, hit.Request{Query: c.query}).Hits[0]
			if h.Path != c.path || !slices.Contains(h.Why, c.why) {
				t.Errorf("first is %s, why %q, want %s, %q", h.Path, h.Why, c.path, c.why)
			}
		})
	}
}

// TestOrderOfReports holds that the evidence of a report orders files: one that holds a message
// of it, which prose quotes in passing, does not stand before what the report is about.
func TestOrderOfReports(t *testing.T) {
	files := maps.Clone(sample.GoSources(t))
	files["zz/lamp.go"] = "package zz\n\nfunc Light() {\n\tpanic(\"no lamp is left to light\")\n}\n"
	files["router/wayfinder.go"] = "package router\n\n// Wayfinder routes parcels.\ntype Wayfinder struct{ parcels []Parcel }\n\nfunc (w *Wayfinder) RouteParcel(p Parcel) error {\n\treturn w.dispatchParcel(p)\n}\n\nfunc (w *Wayfinder) dispatchParcel(p Parcel) error { return nil }\n"
	about := "Wayfinder.RouteParcel of router/wayfinder.go loses parcels\n\nWayfinder.RouteParcel calls dispatchParcel of the Wayfinder in wayfinder.go, which gives nil where the parcel is lost. "
	hits := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "go", files)}, hit.Request{Query: about + complaint + "Once it ended with no lamp is left to light.\n"}).Hits
	lamp := slices.IndexFunc(hits, func(h hit.Hit) bool { return h.Path == "zz/lamp.go" })
	if hits[0].Path != "router/wayfinder.go" || lamp < 0 {
		t.Errorf("first is %s, the message is in hit %d", hits[0].Path, lamp)
	}
}

// TestTraces holds that of a report which is a trace the files come first that it went
// through, where it ended before all, each with the function that a frame names: lines
// are those of another version.
func TestTraces(t *testing.T) {
	files := maps.Clone(sample.GoSources(t))
	room := "package room\n\nfunc Enter() {\n" + strings.Repeat("\tcount(\"a line that fills the function\")\n", 60) + "}\n\nfunc Leave() {\n" + strings.Repeat("\tcount(\"a line that fills the function too\")\n", 60) + "}\n"
	files["zz/room/room.go"] = room
	files["zz/bolt.go"] = "package zz\n\nfunc Bolt() {}\n"
	snaps := []*store.Snapshot{sample.Repository(t, "go", files)}
	const trace = "fatal: request of the command failed: command not found in commands\n\ngoroutine 1 [running]:\nespy/zz.Bolt()\n\t/src/zz/bolt.go:90 +0x1d\nespy/zz/room.Leave()\n\t/src/zz/room/room.go:5 +0x1d\ncobra.execute()\n\t/src/x/y.go:2 +0x1d\n"
	res := searchtest.Must(t, snaps, hit.Request{Query: trace, Detail: hit.DetailLocate})
	for i, want := range []string{"zz/bolt.go Bolt", "zz/room/room.go Leave"} {
		if got := res.Hits[i].Path + " " + res.Hits[i].Symbol; got != want {
			t.Errorf("hit %d is %s, want %s", i+1, got, want)
		}
	}
}

// TestPastedAsItIs holds that output which nobody wrote a title above leads where it should:
// lines beside a trace and the questions of a template say nothing.
func TestPastedAsItIs(t *testing.T) {
	files := maps.Clone(sample.GoSources(t))
	files["zz/bolt.go"] = "package zz\n\nfunc Bolt() {}\n"
	files["zz/room.go"] = "package zz\n\n// Enter enters the room at the request of a command that created it.\nfunc Enter() {}\n"
	files["zz/bolt_test.go"] = "package zz\n\nfunc TestBolt(t *testing.T) {\n\tBolt()\n}\n"
	files["zz/bolt_test.py"] = "def test_enter():\n    pass\n\n\ndef test_bolt():\n    pass\n"
	files["zz/lamp.go"] = "package zz\n\nfunc Light() {\n\tlog.Info(\"request of the command was begun\")\n\tlog.Error(\"no lamp is left to light\")\n}\n"
	files["zz/rule.go"] = "package zz\n\nfunc Rule() {\n\treport(line, \"redundant bolt expression\")\n}\n"
	snaps := []*store.Snapshot{sample.Repository(t, "go", files)}
	for _, c := range []struct{ name, query, path string }{
		{"a trace of Go", "panic: runtime error: index out of range\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x8]\n\ngoroutine 1 [running]:\nespy/zz.Bolt({0x1, 0x2})\n\t/src/zz/bolt.go:3 +0x1d\nespy/zz.Enter()\n\t/src/zz/room.go:4 +0x1d\ncreated by espy/zz.Enter in goroutine 1\n\t/src/zz/room.go:4 +0x1d\n", "zz/bolt.go"},
		{"the race detector", "==================\nWARNING: DATA RACE\nRead at 0x00c0003a2150 by goroutine 57:\n  espy/zz.Bolt()\n      /src/zz/bolt.go:3 +0x84\n\nPrevious write at 0x00c0003a2150 by goroutine 41:\n  espy/zz.Enter()\n      /src/zz/room.go:4 +0x4b\n==================\n", "zz/bolt.go"},
		{"a log that names its callers", "level=INFO source=room.go:4 msg=\"request of the command was begun\"\nlevel=ERROR source=bolt.go:3 msg=\"no lamp is left to light\"\n", "zz/lamp.go"},
		{"the summary of pytest", "=== short test summary info ===\nFAILED zz/bolt_test.py::TestBolt::test_bolt - AttributeError: the request of a command has no lamp to light\n=== 1 failed, 12 passed in 0.12s ===\n", "zz/bolt_test.py"},
		{"a warning about another tree", "src/app/a.go:12:3: warning: redundant bolt expression\n", "zz/rule.go"},
		{"a template without a title", "**version**\n\nv1.2.3\n\n**problem**\n\nEnter enters the room although nobody created it.\n\n**expected behavior**\n\nNothing is entered, and the room stays as it is now.\n", "zz/room.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if res := searchtest.Must(t, snaps, hit.Request{Query: c.query}); res.Hits[0].Path != c.path {
				t.Errorf("hits %s, want %s first", sample.Places(res), c.path)
			}
		})
	}
}

// TestTools holds that what is reported of a tool leads to it, though a search puts tools
// behind the program that they go with.
func TestTools(t *testing.T) {
	const code = "package p\n\n// The wick of the lamp is cut every night before the shift begins.\nfunc %s() {}\n"
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"tools/wick/cut.go": fmt.Sprintf(code, "CutWick"), "shop/lamp.go": fmt.Sprintf(code, "CutLamp"),
		"shop/a.go": "package p\n\nfunc A() {}\n", "shop/b.go": "package p\n\nfunc B() {}\n",
	})}
	res := searchtest.Must(t, snaps, hit.Request{Query: "The wick is not cut any more\n\nEvery night before the shift begins the wick of the lamp should be cut, as it was until last week. Since we changed to the new version it burns down to the end and the night shift stands in the dark. Please help us to cut the wick again.\n"})
	if res.Hits[0].Path != "tools/wick/cut.go" {
		t.Errorf("hits %s, want the tool first", sample.Places(res))
	}
}

// TestWhy holds what a hit says of what spoke for it.
func TestWhy(t *testing.T) {
	snaps := warehouse(t)
	for _, c := range []struct{ name, query, path, why string }{
		{"a message", "no lamp is left to light", "zz/lamp.go", "exact text, line 4"},
		{"a name", "Light", "zz/lamp.go", "declares Light"},
		{"a path", "what is wrong with zz/door.go", "zz/door.go", "mentioned by its path"},
		{"a trace", complaint + "panic: boom\n\ngoroutine 1 [running]:\nespy/zz.Light()\n\t/src/zz/lamp.go:4 +0x1d\nespy/zz.Open()\n\t/src/zz/door.go:6 +0x1d\n", "zz/door.go", "frame 2 of the trace"},
		{"a title", "Light burns all day\n\n" + complaint, "zz/lamp.go", "named in the title"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query})
			i := slices.IndexFunc(res.Hits, func(h hit.Hit) bool { return h.Path == c.path })
			if i < 0 || !slices.Contains(res.Hits[i].Why, c.why) {
				t.Errorf("hits %s, want %s with %q", sample.Places(res), c.path, c.why)
				for _, h := range res.Hits {
					t.Log(h.Path, h.Symbol, h.Why)
				}
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		for _, h := range searchtest.Must(t, snaps, hit.Request{Query: "how are redirects of a request followed"}).Hits {
			if len(h.Why) > 0 {
				t.Errorf("%s says %q", h.Path, h.Why)
			}
		}
	})
}

// TestBlankReport holds that a template in which nothing is filled in finds nothing, and
// one with a line in it does.
func TestBlankReport(t *testing.T) {
	snaps := warehouse(t)
	const template = "### Describe the bug\n<!-- A clear and concise description of what the bug is. -->\n%s\n### Steps to reproduce\n1.\n2.\n3.\n\n### Expected behavior\n\n### Environment\n- OS:\n- Version:\n\n- [ ] I have read the guide\n- [ ] I have searched the issues\n"
	for name, c := range map[string]struct {
		line string
		want bool
	}{"blank": {"", false}, "filled in": {"The door does not open.\n", true}} {
		t.Run(name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: fmt.Sprintf(template, c.line)})
			said := strings.Contains(strings.Join(res.Notes, "\n"), "nothing is filled in")
			if len(res.Hits) > 0 != c.want || said == c.want {
				t.Errorf("%d hits, notes %q", len(res.Hits), res.Notes)
			}
		})
	}
	const questions = "### What did the door do?\n\n### Who stood before the lamp?\n\n### Which shelf was it, under whose hands?\n\n### Warehouse and router\n\n"
	if res := searchtest.Must(t, snaps, hit.Request{Query: questions}); len(res.Hits) > 0 {
		t.Errorf("questions of a template find %s", sample.Places(res))
	}
}

// TestBadReports holds that texts which are no questions are answered in bounded time,
// and by what in them can be answered.
func TestBadReports(t *testing.T) {
	snaps := warehouse(t)
	blob := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("warehouse", 700)))
	repeated := func(line string) string { return strings.Repeat(line+"\n", hit.MaxQueryBytes/(len(line)+1)) }
	for _, c := range []struct {
		name, query string
		first       string // path of the first hit, "" where none is asked for, or behind ~ of some hit
	}{
		{"one line again and again", repeated("2026-11-22T17:13:50.123Z error controller cannot take 5 items of shelf left"), "zz/shelf.go"},
		{"one line with a counter", func() string {
			var b strings.Builder
			for i := 0; b.Len() < hit.MaxQueryBytes-100; i++ {
				fmt.Fprintf(&b, "2026-11-22T17:13:%02d.123Z error controller cannot take %d items of shelf s%d\n", i%60, i, i)
			}
			return b.String()
		}(), "zz/shelf.go"},
		{"a minified trace", "Error: no lamp is left to light\n" + strings.Repeat("    at e.t (https://shop.example/assets/index-4f2a1b.js:1:48213)\n    at n (https://shop.example/assets/index-4f2a1b.js:1:9911)\n", 40), "zz/lamp.go"},
		{"a blob", "The lamp fails with `no lamp is left to light` and this state:\n\n" + blob + "\n\n" + complaint, "zz/lamp.go"},
		{"a blob alone", blob, ""},
		{"colours and times", strings.Repeat("\x1b[2m17:13:50\x1b[0m \x1b[36mDEBUG\x1b[0m poll\n", 50) + "\x1b[2m17:13:51\x1b[0m \x1b[31mERROR\x1b[0m cannot take 5 items of shelf left\n", "zz/shelf.go"},
		{"another language", "Seit gestern startet die Nachtschicht nicht mehr, und niemand von uns weiß, woran das liegen könnte.\n\nNach dem Neustart steht im Protokoll: „cannot take 5 items of shelf left“. Bitte helft uns, wir haben drei Lager, und keines davon arbeitet mehr wie vorher.\n", "zz/shelf.go"},
		{"letters of no space", strings.Repeat("昨日から夜勤が始まりません。原因は誰にも分かりません。", 60), ""},
		{"a log of 100 kB", func() string {
			var b strings.Builder
			for i := 0; b.Len() < 100_000; i++ {
				fmt.Fprintf(&b, "2026-11-22T17:13:%02d.123Z info poll %s %d\n", i%60, strings.Repeat(string(rune('a'+i%26)), 1+i/26%40), i)
				if i == 500 {
					b.WriteString("2026-11-22T17:13:50.123Z error controller cannot take 5 items of shelf left\n")
				}
			}
			return b.String()
		}(), "zz/shelf.go"},
		{"a diff", "diff --git a/zz/lamp.go b/zz/lamp.go\nindex 1f2e3d4..5a6b7c8 100644\n--- a/zz/lamp.go\n+++ b/zz/lamp.go\n@@ -3,3 +3,3 @@ func Light() {\n func Light() {\n-\tpanic(\"no lamp is left to light\")\n+\tpanic(\"no lamp\")\n }\n", "zz/lamp.go"},
		{"noise of a picture", "N|ght sh1ft  d0es n0t  st@rt ~~ _-\n|| ,. ERR0R  cann0t take 5 items of shelf  l€ft |l\n=~ 17 : 13 : 5O  --  ii ll || ..\n© ® °° ¬¬ \\/ /\\ ||\n", "~zz/shelf.go"},
		{"an empty template", "### Describe the bug\n<!-- A clear and concise description of what the bug is. -->\n\n### Steps to reproduce\n1.\n2.\n3.\n\n### Expected behavior\n\n### Environment\n- OS:\n- Version:\n\n- [ ] I have read the guide\n- [ ] I have searched the issues\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			res, err := search.Search(ctx, snaps, hit.Request{Query: c.query}, search.Means{})
			if err != nil || res.Partial {
				t.Fatalf("error %v, notes %q", err, res.Notes)
			}
			at := slices.IndexFunc(res.Hits, func(h hit.Hit) bool { return h.Path == strings.TrimPrefix(c.first, "~") })
			if c.first != "" && at != 0 && (at < 0 || c.first[0] != '~') {
				t.Errorf("hits %s, want %s", sample.Places(res), c.first)
			}
		})
	}
}

// TestReportRaisesImported holds that what the first files of a report import comes before
// other files that its words lead to as much, and not before the first ones.
func TestReportRaisesImported(t *testing.T) {
	report := "Ledger prints the wrong balance\n\n" + strings.Repeat("When the ledger prints a balance of an account after a transfer, the sum is off by one cent, and printing it again gives another balance. ", 3)
	files := map[string]string{
		"shop/ledger.py":   "from shop.rounding import cents\n\ndef print_ledger_balance(account):\n    # prints the balance of the ledger of an account\n    return cents(account.balance)\n",
		"shop/account.py":  "class Account:\n    # the account of a ledger, its balance and each transfer of a cent\n    balance = 0\n\n    def transfer(self, sum): pass\n",
		"shop/printer.py":  "def print_balance(ledger):\n    # prints a balance of the ledger again\n    pass\n",
		"shop/rounding.py": "def cents(value):\n    # a sum\n    return value\n",
	}
	for i := range 12 {
		files[fmt.Sprintf("shop/other%d.py", i)] = "def total(value):\n    # a sum of a cent after another transfer\n    return value\n"
	}
	rank := func() int {
		res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "shop", files)}, hit.Request{Query: report, Limit: 20})
		var paths []string
		for _, h := range res.Hits {
			if !slices.Contains(paths, h.Path) {
				paths = append(paths, h.Path)
			}
		}
		return slices.Index(paths, "shop/rounding.py") + 1
	}
	if got := rank(); got != 4 {
		t.Errorf("what the first file imports comes as %d", got)
	}
	files["shop/ledger.py"] = strings.Replace(files["shop/ledger.py"], "shop.rounding", "elsewhere", 1)
	if got := rank(); got <= 4 {
		t.Errorf("what no file imports comes as %d", got)
	}
}

// TestOwnFileOfReporter holds that a file which every program has, and which people mention
// as their own, does not stand first for its name.
func TestOwnFileOfReporter(t *testing.T) {
	files := map[string]string{
		"src/main.rs":  "use shop::run;\n\nfn main() {\n    let args: Vec<String> = std::env::args().collect();\n    run(args);\n}\n",
		"src/lid.rs":   "/// Closes the lid of a shelf.\npub fn close(shelf: &mut Shelf) {\n    if shelf.is_full() {\n        shelf.push_down();\n    }\n    shelf.lid = true;\n}\n\n/// Opens it.\npub fn open(shelf: &mut Shelf) {\n    shelf.lid = false;\n}\n",
		"src/shelf.rs": "/// A shelf with a lid.\npub struct Shelf { pub lid: bool, items: Vec<Item> }\n",
	}
	for i := range 12 {
		files[fmt.Sprintf("src/room%d.rs", i)] = strings.Repeat(fmt.Sprintf("/// Room %d.\npub fn enter(door: &Door) { door.open(); }\n", i), 5)
	}
	const query = "The last thing is lost\n\nI have a small program of my own, with a file `src/main.rs`, that closes what it has filled before. After that the last thing that was put in is not there any more, and nobody tells me so. I would like to see an error, or to have it back when the lid is taken off again.\n\nIt was the same in the version before, on both machines of ours.\n"
	res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "shop", files)}, hit.Request{Query: query})
	if !res.Report || len(res.Hits) == 0 || res.Hits[0].Path != "src/lid.rs" {
		t.Errorf("%s, a report %v, want src/lid.rs first", sample.Places(res), res.Report)
	}
}

// TestBundledTrace holds that a trace through one file that was made of many leads to the
// files of its functions, and a trace through files that are here to these alone.
func TestBundledTrace(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"src/Lid.ps1":   "function Close-Lid {\n    Push-Down\n}\n",
		"src/Shelf.ps1": "function Push-Down {\n    $items.Pop()\n}\n",
		"src/Notes.ps1": strings.Repeat("# An item of a shelf is not there: Push-Down, Close-Lid, and the shop module.\n", 20) + "function Show-Notes { }\n",
	})}
	const trace = "InvalidOperation: An item is not there.\nat Push-Down, /home/me/modules/Shop/%s: line 912\nat <ScriptBlock>, /home/me/shop/run.ps1: line 3\nat Close-Lid, /home/me/modules/Shop/%[1]s: line 31\n"
	for file, want := range map[string]string{"Shop.psm1": "src/Shelf.ps1", "src/Notes.ps1": "src/Notes.ps1"} {
		res := searchtest.Must(t, snaps, hit.Request{Query: fmt.Sprintf(trace, file)})
		if got := sample.Places(res); !strings.HasPrefix(strings.Join(pathsOf(res), " "), want) {
			t.Errorf("%s: %s, want %s first", file, got, want)
		}
	}
}

// pathsOf returns the files of the hits of a result, each once.
func pathsOf(res *hit.Result) (paths []string) {
	for _, h := range res.Hits {
		if !slices.Contains(paths, h.Path) {
			paths = append(paths, h.Path)
		}
	}
	return paths
}

// TestLogOfManyPrograms holds that each error of a log that several programs write to leads to
// what printed it.
func TestLogOfManyPrograms(t *testing.T) {
	files := map[string]string{
		"yard/yard.go": "package yard\n\nfunc Close() {\n\tlog.Error(\"the yard stays open for all of this night\")\n}\n",
		"bolt/bolt.go": "package bolt\n\nfunc Bolt() {\n\tlog.Error(\"no bolt of the back gate is oiled\")\n}\n",
	}
	for i := range 6 {
		files[fmt.Sprintf("yard/open%d.go", i)] = "package yard\n\n// The yard and the night, and the shop that is open: gate, bolt, left, shop.\nfunc Open() {}\n"
	}
	const query = "shop-1  | 2026-05-01T10:00:00Z ERR the yard stays open for all of this night yard=left\nshop-1  | 2026-05-01T10:00:00Z ERR no bolt of the back gate is oiled gate=left\nshop-1  | 2026-05-01T10:00:01Z INF the shop is open for the day shop=left\nshop-1  | 2026-05-01T10:00:02Z INF the shop is open for the night shop=left\n"
	res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "shop", files)}, hit.Request{Query: query})
	if got := pathsOf(res); !res.Report || len(got) < 2 || !slices.Contains(got[:2], "yard/yard.go") || !slices.Contains(got[:2], "bolt/bolt.go") {
		t.Errorf("%s, a report %v", sample.Places(res), res.Report)
	}
}
