package ranked_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// outputRepository is a repository with a file of each kind that output speaks of.
func outputRepository(t *testing.T) []*store.Snapshot {
	body := func(head, line string, n int) string {
		return head + strings.Repeat(line+"\n", n)
	}
	return []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"src/cart/total.js":        body("export function sumPrices(items) {\n", "  // adds one more price of an item to the sum of the whole cart", 80) + "}\n",
		"src/order/total.js":       "export function total() { return 1 }\n",
		"app/models/cart.py":       body("def add_item(cart, item):\n", "    cart.append(item)  # keeps the order of what was put in first", 80),
		"app/views/cart.py":        "def show(cart):\n    return render(cart)\n",
		"internal/stock/stock.go":  body("package stock\n\n// Take takes items.\nfunc Take(n int) {\n", "\t// takes one more item out of the store room on the left", 80) + "}\n",
		"internal/stock/errors.go": "package stock\n\nimport \"errors\"\n\nvar ErrEmpty = errors.New(\"the shelf is empty: refill it before taking\")\n",
		"Main.java":                "class Main { void run() {} }\n",
		"doc/说明.md":                "购物车 的 说明\n",
		"doc/корзина.md":           "Корзина хранит товары\n",
	})}
}

// firstHolds asks a question, whose first hit must hold a line of a file.
func firstHolds(t *testing.T, snaps []*store.Snapshot, query, path string, line int) *hit.Result {
	t.Helper()
	res := searchtest.Must(t, snaps, hit.Request{Query: query})
	if len(res.Hits) == 0 {
		t.Fatal("nothing found")
	}
	if h := res.Hits[0]; h.Path != path || line < h.StartLine || line > h.EndLine {
		t.Errorf("%s:%d-%d first of %s, want %s with line %d", h.Path, h.StartLine, h.EndLine, sample.Places(res), path, line)
	}
	return res
}

func TestOutputAndPaths(t *testing.T) {
	snaps := outputRepository(t)
	for _, c := range []struct {
		name, query string
		want        string // path of the first hit
		line        int    // a line that it holds
	}{
		{"path", "internal/stock/errors.go", "internal/stock/errors.go", 1},
		{"path and line", "src/cart/total.js:60", "src/cart/total.js", 60},
		{"path of another machine", "/home/me/shop/app/models/cart.py:70", "app/models/cart.py", 70},
		{"path of Windows", `C:\work\shop\src\order\total.js`, "src/order/total.js", 1},
		{"name of a file", "where is stock.go", "internal/stock/stock.go", 1},
		{"JavaScript", "TypeError: Cannot read properties of undefined (reading 'price')\n    at sumPrices (/srv/shop/src/cart/total.js:55:12)\n    at Module._compile (node:internal/modules/cjs/loader:1105:14)", "src/cart/total.js", 55},
		{"Python", "Traceback (most recent call last):\n  File \"/srv/shop/app/views/cart.py\", line 2, in show\n    return render(cart)\n  File \"/srv/shop/app/models/cart.py\", line 61, in add_item\n    cart.append(item)\nAttributeError: 'NoneType' object has no attribute 'append'", "app/models/cart.py", 61},
		{"Go", "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nshop/internal/stock.Take(0x5)\n\t/home/me/shop/internal/stock/stock.go:66 +0x1d\nmain.main()\n\t/home/me/shop/main.go:9 +0x2a", "internal/stock/stock.go", 66},
		{"Java", "java.lang.NullPointerException\n\tat com.shop.Main.run(Main.java:1)", "Main.java", 1},
		{"error message", `Error: "the shelf is empty": refill it before taking 17 more (code 0x3f2a)`, "internal/stock/errors.go", 5},
		{"unbalanced", "Error: shelf is empty (refill it", "internal/stock/errors.go", 5},
		{"Chinese", "购物车", "doc/说明.md", 1},
		{"Russian", "товары корзина", "doc/корзина.md", 1},
		{"typo in a name", "sumPrcies", "src/cart/total.js", 1},
		{"typo beside words that match", "where is sumPrcies called for the cart order", "src/cart/total.js", 1},
		{"stop words", "where is the", "internal/stock/errors.go", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			firstHolds(t, snaps, c.query, c.want, c.line)
		})
	}
}

// TestToolsNamePlaces holds that the place which a compiler, a linter or a test names comes
// first, the first error before all, and places of other trees lead nowhere.
func TestToolsNamePlaces(t *testing.T) {
	snaps := outputRepository(t)
	elsewhere := map[string]bool{"a file of another tree": true, "a line that is not there": true, "a file of the same name": true}
	const said = "Since the upgrade nothing works here any more and we do not know where to look for it. All of us have tried to add items to the cart, and it is the same for each of them, whatever we do about it in the view of the cart.\n\n"
	for _, c := range []struct {
		name, query string
		want        string // path of the first hit
		line        int    // a line that it holds
	}{
		{"rustc", "error[E0308]: mismatched types\n  --> src/cart/total.js:60:5\n   |\n60 |   // adds one more price of an item to the sum of the whole cart\n   |        ^^^ expected `u8`\n\nerror: aborting due to 1 previous error\n\nFor more information about this error, try `rustc --explain E0308`.\n", "src/cart/total.js", 60},
		{"the first error", "internal/stock/errors.go:5:5: ErrEmpty redeclared\napp/models/cart.py:70:1: add_item: cart, item are keeps the order of what was put in first\n", "internal/stock/errors.go", 5},
		{"an error behind a warning", "/srv/shop/app/models/cart.py\n  70:3  warning  cart is never used  no-unused\n\n/srv/shop/src/cart/total.js\n  61:3  error  'm' is not defined  no-undef\n", "src/cart/total.js", 61},
		{"a message of this tree", "src/cart/total.js:60: error: the shelf is empty: refill it before taking\n", "src/cart/total.js", 60},
		{"a file of the same name", "src/cart/total.js:60:5: error: the shelf is empty: refill it before taking\n    let prices = totals(of, all);\n    ^~~~\n", "internal/stock/errors.go", 5},
		{"a question about it", "why do I get this in the build?\n\nsrc/cart/total.js:60:5 - error TS2304: Cannot find name 'ErrEmpty'.\n\n60     the shelf is empty\n", "src/cart/total.js", 60},
		{"a package of Go", "# shop/internal/stock\n./stock.go:66:2: undefined: ErrEmpty\n", "internal/stock/stock.go", 66},
		{"a file of another tree", "other/view.py:70:1: error: add_item keeps the order of what was put in first\n", "app/models/cart.py", 1},
		{"a line that is not there", "app/views/cart.py:700:1: error: the shelf is empty: refill it before taking 17 more\n", "internal/stock/errors.go", 5},
		{"an issue that quotes it", "Take takes too few items off the stock\n\n" + said + "```\napp/views/cart.py:2:1: error: m\n```\n\nThe stock of the store room on the left is wrong when Take takes one more item out of the store room.\n", "internal/stock/stock.go", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := firstHolds(t, snaps, c.query, c.want, c.line)
			if notes := strings.Join(res.Notes, "\n"); strings.Contains(notes, "is not here as the text shows it") != elsewhere[c.name] {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// TestErrorsOfOneFile holds that all errors that a tool tells of a file are shown, those near
// the first one in its hit.
func TestErrorsOfOneFile(t *testing.T) {
	const query = "internal/stock/stock.go:12:2: undefined: a\ninternal/stock/stock.go:19:2: undefined: b\ninternal/stock/stock.go:83:2: undefined: c\ninternal/stock/errors.go:5:5: ErrEmpty redeclared\n"
	res := searchtest.Must(t, outputRepository(t), hit.Request{Query: query, Detail: hit.DetailLines, Brief: true, MaxTokens: 2000})
	var shown []string
	for _, h := range res.Hits {
		for _, l := range h.Lines {
			shown = append(shown, fmt.Sprintf("%s:%d", h.Path, l.Number))
		}
	}
	at := -1
	for _, want := range []string{"internal/stock/stock.go:12", "internal/stock/stock.go:19", "internal/stock/stock.go:83", "internal/stock/errors.go:5"} {
		i := slices.Index(shown, want)
		if i < at || i < 0 {
			t.Errorf("%s is not shown in its place: %q", want, shown)
		}
		at = i
	}
}

func TestProseWithOddPunctuation(t *testing.T) {
	res := searchtest.Must(t, outputRepository(t), hit.Request{Query: "fix the sum of prices (total of the cart when items are added"})
	if len(res.Hits) == 0 || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "plain words") {
		t.Errorf("hits %s, notes %q, want hits and one note", sample.Places(res), res.Notes)
	}
}

// TestProse holds what operators mean in prose and in a query.
func TestProse(t *testing.T) {
	snaps := outputRepository(t)
	const note = "read as prose"
	for _, c := range []struct {
		name, query string
		want        string // path of the first hit, "" for none
		note        string // part of the only note, "" for none
	}{
		{"quotes", `Take fails when "no such shelf" is in the stock and the store room is empty`, "internal/stock/stock.go", note},
		{"a dash", "the sum of the prices is wrong with -cart so it adds one more item", "src/cart/total.js", note},
		{"capitals", "adding prices of the items in a cart does NOT change the sum of it", "src/cart/total.js", note},
		{"no operator", "where is the sum of all the prices in the cart made", "src/cart/total.js", ""},
		{"filters", "where is an item put into the cart and NOT lost by the views lang:python", "app/models/cart.py", note},
		{"symbol", `where is the "sum" of the prices made that symbol:add_item puts in`, "app/models/cart.py", note},
		{"quotes and the end", `where is the "sum" of the prices in the whole cart made -export`, "app/models/cart.py", note},
		{"the end leaves out", "where is the sum of the prices in the whole cart made -export", "app/models/cart.py", ""},
		{"operators without prose", "cart AND item NOT order AND items OR prices AND sum NOT models", "src/cart/total.js", ""},
		{"prefixes that are words", "why does the cart fail with repo:main and lang:en_US set in path:/etc/foo", "app/models/cart.py", "read as words: repo:main, lang:en_US, path:/etc/foo"},
		{"an unknown repository of prose", "where is the sum of the prices in the cart made repo:main", "src/cart/total.js", ""},
		{"an open quote", `adds one more price of an item "to the sum`, "src/cart/total.js", "read as plain words"},
		{"an open parenthesis", "adds one more (price", "src/cart/total.js", "read as plain words"},
		{"few words", `cart "adds one more"`, "src/cart/total.js", ""},
		{"few words, a phrase that is nowhere", `cart item "no such shelf"`, "app/models/cart.py", `no matching file contains "no such shelf"`},
		{"two phrases that no file has together", `cart "adds one more" "keeps the order"`, "app/models/cart.py", "no matching file contains"},
		{"a phrase alone", `"no such shelf"`, "", "no file matches"},
		{"a phrase that the filters leave out", `cart "adds one more" path:app`, "app/models/cart.py", "no matching file contains"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query})
			got := ""
			if len(res.Hits) > 0 {
				got = res.Hits[0].Path
			}
			if notes := strings.Join(res.Notes, "; "); got != c.want || (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("%s first, notes %q, want %s with %q", sample.Places(res), notes, c.want, c.note)
			}
		})
	}
}

func TestTypoIsNoted(t *testing.T) {
	res := searchtest.Must(t, outputRepository(t), hit.Request{Query: "sumPrcies items"})
	if notes := strings.Join(res.Notes, "; "); !strings.Contains(notes, `"sumPrcies"`) || !strings.Contains(notes, "sumPrices") {
		t.Errorf("notes %q, want both spellings", notes)
	}
	res = searchtest.Must(t, outputRepository(t), hit.Request{Query: "sumPrices items"})
	if len(res.Notes) > 0 {
		t.Errorf("notes %q of a name that is there", res.Notes)
	}
}

func TestNothingFoundIsExplained(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"zebra quagga", `no file matches: "zebra" is in 0, "quagga" is in 0`},
		{"cart AND zebra", `no file matches: "cart" is in 3, "zebra" is in 0`},
		{"zebra path:app", `no file matches; ignoring filters (9 files): "zebra" is in 0`},
		{"cart AND zebraCart", `"zebraCart" is in 0`},
		{"zebra AND addItem AND cartItem", `"zebra" is in 0, "addItem" is in `},
		{"zebra AND itemsCart", `"itemsCart" is in 0, its parts in `},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, outputRepository(t), hit.Request{Query: c.query})
			if notes := strings.Join(res.Notes, "; "); res.Total != 0 || !strings.Contains(notes, c.want) {
				t.Errorf("%s: total %d, notes %q, want %s", c.query, res.Total, notes, c.want)
			}
		})
	}
}

// TestPastedCode pastes whole files: each finds itself, and no more terms than
// the bound are looked for.
func TestPastedCode(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	for _, file := range []string{"net/http/server.go", "encoding/csv/reader.go", "strings/replace.go", "encoding/json/scanner.go"} {
		lines := strings.Split(sample.GoSources(t)[file], "\n")
		for _, n := range []int{20, 300} {
			text := strings.Join(lines[100:min(100+n, len(lines))], "\n")
			if len(text) > hit.MaxQueryBytes {
				text = text[:hit.MaxQueryBytes]
			}
			res := searchtest.Must(t, snaps, hit.Request{Query: text})
			if len(res.Hits) == 0 || res.Hits[0].Path != file {
				t.Errorf("%d lines of %s: first %.300s", n, file, sample.Places(res))
			}
		}
	}
}

// TestMentionedSegments holds that mentions do not depend on segments.
func TestMentionedSegments(t *testing.T) {
	files := sample.GoSources(t)
	query := "panic in http/server.go:120 called from json/decode.go:10 and reader.go, ServeMxu"
	want := searchtest.Must(t, sample.GoSnapshot(t), hit.Request{Query: query})
	got := searchtest.Must(t, []*store.Snapshot{searchtest.Spread(t, files, 5, true)}, hit.Request{Query: query})
	if sample.Places(want) != sample.Places(got) || want.Hits[0].Score != got.Hits[0].Score {
		t.Errorf("five segments: %s, one: %s", sample.Places(got), sample.Places(want))
	}
	if h := want.Hits[0]; h.Path != "net/http/server.go" || path.Base(want.Hits[1].Path) != "decode.go" {
		t.Errorf("found %s, want server.go and decode.go first", sample.Places(want))
	}
}
