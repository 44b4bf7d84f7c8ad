package ranked_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestMessagesFirst holds that the file which holds a message stands first, and
// the hit at its line, however it was logged and whatever else speaks of it.
func TestMessagesFirst(t *testing.T) {
	files := maps.Clone(sample.GoSources(t))
	files["zz/shelf.go"] = "package zz\n\nfunc Take(name string, n int) error {\n\treturn fmt.Errorf(\"cannot take %d items of shelf %q: the request is closed\", n, name)\n}\n"
	files["net/shelf.go"] = strings.Repeat("// A shelf request takes items of a closed shelf; cannot, request, closed, items.\n", 20) + "package net\n"
	files["docs/shelf.md"] = "# Shelf\n\nThe request is closed when you cannot take items of the shelf.\n"
	snaps := []*store.Snapshot{sample.Repository(t, "go", files)}
	const path, line = "zz/shelf.go", 4
	for _, c := range []struct{ name, query string }{
		{"values filled in", `cannot take 5 items of shelf "left": the request is closed`},
		{"log prefix", `2026-11-22T17:13:50.123Z	error	controller	cannot take 5 items of shelf "left": the request is closed`},
		{"level and source", `E1122 17:13:50.123456       1 main.go:42] cannot take 7 items of shelf "a b": the request is closed`},
		{"chain", `start server: sync: cannot take 5 items of shelf "left": the request is closed`},
		{"cause", `cannot take 5 items of shelf "left": the request is closed: connection refused`},
		{"cut", `cannot take 5 items of shelf "left": the request`},
		{"translated quotes", `cannot take 5 items of shelf “left”: the request is closed`},
		{"open quote", `cannot take 5 items of shelf "left: the request is closed`},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query, MaxTokens: 1})
			if len(res.Hits) == 0 || res.Hits[0].Path != path || res.Hits[0].Lines[0].Number != line || res.Hits[0].Symbol != "Take" {
				t.Errorf("%s first, %s, notes %q, want %s", sample.Places(res), named(res), res.Notes, path)
			}
		})
	}
	quoting := sample.Repository(t, "quoting", map[string]string{
		"keys/provided_key_invalid_test.go": "package keys\n\nfunc TestProvidedKeyInvalid(t *testing.T) {\n" + strings.Repeat("\twant(t, \"the provided key is invalid\")\n", 4) + "}\n",
		"zz/shop.go":                        "package zz\n\nvar (\n" + strings.Repeat("\terrShelf = errors.New(\"a shelf of this shop has no such room\")\n", 20) + "\terrOther = errors.New(\"the provided key is invalid\")\n)\n",
	})
	t.Run("quoted by a test", func(t *testing.T) {
		res := searchtest.Must(t, []*store.Snapshot{quoting}, hit.Request{Query: "the provided key is invalid", MaxTokens: 1})
		if res.Hits[0].Path != "zz/shop.go" || len(res.Hits[0].Why) == 0 {
			t.Errorf("%s first, why %q", sample.Places(res), res.Hits[0].Why)
		}
	})
	t.Run("of a library, which a test compares with", func(t *testing.T) {
		tests := "package shop\n\nfunc TestOpen(t *testing.T) {\n\twant(t, Open(\"x\"), \"line 3: the key door is known twice to type shop.plain\")\n}\n"
		files := map[string]string{
			"shop/opening_test.go": tests, "shop/opening.go": "package shop\n\n// Open opens what it is told to.\nfunc Open(name string) error { return load(name) }\n",
			"other/opening.go": "package other\n\nfunc Open() {}\n", "shop/door.go": strings.Repeat("// The key of the door is known to the shop, twice.\n", 20) + "package shop\n",
		}
		const query = "line 8: the key lamp is known twice to type shop.plain"
		res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "library", files)}, hit.Request{Query: query, MaxTokens: 1})
		if len(res.Hits) < 2 || res.Hits[0].Path != "shop/opening.go" || res.Hits[1].Path != "shop/opening_test.go" {
			t.Errorf("%s, want what is tested first, then the test", sample.Places(res))
		}
		files["shop/opening_test.go"] = strings.Replace(tests, "want(t, Open(\"x\"), ", "t.Fatalf(", 1)
		res = searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "printing", files)}, hit.Request{Query: query, MaxTokens: 1})
		if res.Hits[0].Path != "shop/opening_test.go" {
			t.Errorf("%s first, want the test that prints it", sample.Places(res))
		}
	})
	files["zz/cause.go"] = "package zz\n\nfunc Bolt(n int) error {\n\treturn fmt.Errorf(\"bolt %d of the back gate is not oiled\", n)\n}\n"
	files["yard/yard.go"] = "package yard\n\nfunc Close(err error) {\n\tlog.Error(\"the yard stays open for all of this night\", err)\n}\n"
	for _, query := range []string{
		`2026-11-22T17:13:50Z ERR the yard stays open for all of this night error="bolt 7 of the back gate is not oiled" yard=left`,
		`time="2026-11-22T17:13:50Z" level=error msg="the yard stays open for all of this night" err="bolt 7 of the back gate is not oiled"`,
		`{"level":"error","yard":"left","error":"bolt 7 of the back gate is not oiled","message":"the yard stays open for all of this night"}`,
	} {
		t.Run(query, func(t *testing.T) {
			res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "go", files)}, hit.Request{Query: query, MaxTokens: 1})
			first := []string{res.Hits[0].Path, res.Hits[1].Path}
			if slices.Sort(first); !slices.Equal(first, []string{"yard/yard.go", "zz/cause.go"}) {
				t.Errorf("%s, want what logged it and its cause first", sample.Places(res))
			}
		})
	}
	files["zz/door.go"] = "package zz\n\nfunc Knock(host string, err error) {\n\tfmt.Fprintf(os.Stderr, \"error knocking at %s (%v)\\n\", host, err)\n}\n"
	files["zz/door_notes.go"] = strings.Repeat("// Error of a host: knock at such a file; no such host, no such file, error.\n", 20) + "package zz\n"
	snaps = []*store.Snapshot{sample.Repository(t, "go", files)}
	t.Run("a format of few words", func(t *testing.T) {
		res := searchtest.Must(t, snaps, hit.Request{Query: "error knocking at left.door (No such host)", MaxTokens: 1})
		if h := res.Hits[0]; h.Path != "zz/door.go" || h.Lines[0].Number != 4 || h.Symbol != "Knock" || !slices.Contains(h.Why, "exact text but for its values, line 4") {
			t.Errorf("%s first, %s, why %q, notes %q", sample.Places(res), named(res), h.Why, res.Notes)
		}
	})
	for query, want := range map[string]string{ // few words, some of them stop words, and values of several words
		`Error: Larder "deep freeze" not found.`:         "zz/larder.ml",
		"Error: Cellar src/main/run.ml doesn't exist":    "zz/larder.ml",
		"error: attic 'left wing' is not open":           "zz/attic.js",
		"2026-11-22 17:13:50 WARN garage7 was not an ok": "zz/attic.js",
	} {
		t.Run(query, func(t *testing.T) {
			res := searchtest.Must(t, rooms(t), hit.Request{Query: query, MaxTokens: 1})
			if h := res.Hits[0]; h.Path != want || len(res.Notes) > 0 {
				t.Errorf("%s first, why %q, notes %q, want %s", sample.Places(res), h.Why, res.Notes, want)
			}
		})
	}
	door := []*store.Snapshot{sample.Repository(t, "door", map[string]string{"door.go": files["zz/door.go"], "notes.go": files["zz/door_notes.go"]})}
	for _, c := range []struct {
		name, report string
		want         bool
	}{
		{"a format of few words that a report's log fills in", "The shop stays closed after lunch\n\n%s\n\n```console\nerror knocking at left.door (No such host)\n```\n", true},
		{"and its prose", "The shop stays closed after lunch\n\nerror knocking at left.door, which is wrong\n\n%s\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			query := strings.Replace(c.report, "%s", "We wait in front of it each day until somebody who has a key comes by and lets us in, and nobody of us knows why that is so or how long it will take them to mend what is broken there.", 1)
			res := searchtest.Must(t, door, hit.Request{Query: query, MaxTokens: 1})
			exact := slices.ContainsFunc(res.Hits, func(h hit.Hit) bool {
				return slices.Contains(h.Why, "exact text but for its values, line 4")
			})
			if !res.Report || exact != c.want {
				t.Errorf("a report %v, %s, exact %v, want %v", res.Report, sample.Places(res), exact, c.want)
			}
		})
	}
	t.Run("generated code printed what no other code holds", func(t *testing.T) {
		made := map[string]string{
			"garden/errors.go":      "// Code generated by plant. DO NOT EDIT.\n\npackage garden\n\nvar ErrHedge = errors.New(\"hedge of the garden already in use with another gate\")\n",
			"garden/hedge.go":       "package garden\n\nfunc Hedge() error { return ErrHedge }\n",
			"garden/hedge_test.go":  "package garden\n\nfunc TestHedge(t *testing.T) {\n\twant(t, Hedge(), \"hedge of the garden already in use with another gate\")\n}\n",
			"garden/gates_notes.go": strings.Repeat("// Another gate of the hedge is in use already: garden, hedge.\n", 20) + "package garden\n",
		}
		const query = "2026-11-22 17:13:50 ERR hedge of the garden already in use with another gate"
		res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "garden", made)}, hit.Request{Query: query, MaxTokens: 1})
		if res.Hits[0].Path != "garden/errors.go" {
			t.Errorf("%s first, want the code that holds it", sample.Places(res))
		}
	})
	t.Run("generated code that has more before it than its test", func(t *testing.T) {
		made := map[string]string{
			"garden/errors.js":     "/* Generated by scripts/plant.js. Do not edit! */\n\nexport function hedge_taken(gate) {\n\tthrow new Error(`hedge_taken\\nThe hedge \\`${gate}\\` of the garden has another gate already\\nhttps://garden.example/e/hedge_taken`);\n}\n",
			"garden/gate.js":       "import { hedge_taken } from './errors.js';\n\nexport function open(gate) {\n\twarn('The fence of the garden has another gate');\n\thedge_taken(gate);\n}\n",
			"tests/hedge/_test.js": "export default test({\n\terror: 'The hedge `north` of the garden has another gate already'\n});\n",
		}
		const query = "Uncaught Error: The hedge `north` of the garden has another gate already\nhttps://garden.example/e/hedge_taken"
		res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "garden", made)}, hit.Request{Query: query, MaxTokens: 1})
		if res.Hits[0].Path != "garden/errors.js" {
			t.Errorf("%s first, want the code that holds it", sample.Places(res))
		}
	})
	for query, want := range map[string]string{ // all of a literal, behind the name of a program too, where one like it stands nearby
		"lid still open":       "closet/shut.go:2",
		"lid (still) open":     "closet/shut.go:2",
		"where lid still open": "closet/lids.go",
		"lid open still":       "closet/lids.go",
		"shop: there is no lid on it that you could have shut": "closet/shut.go:63",
	} {
		t.Run(query, func(t *testing.T) {
			closet := map[string]string{
				"closet/shut.go": "package closet\nfunc shut() { panic(\"lid still open\") }\n" + strings.Repeat("// there is no lid on it\n", 28) + "func a() { panic(\"there is no lid on it that you could have kept\") }\n" + strings.Repeat("// no lid here\n", 30) + "\nfunc b() {\n\tpanic(\"there is no lid on it that you could have shut\")\n}\n",
				"closet/lids.go": "package closet\n\n" + strings.Repeat("// The lid of a closet is open still: lid, open, still.\n", 20) + "func Lid() {}\n",
			}
			res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "closet", closet)}, hit.Request{Query: query, MaxTokens: 1})
			path, line, _ := strings.Cut(want, ":")
			n, _ := strconv.Atoi(line)
			if h := res.Hits[0]; h.Path != path || n > 0 && (n < h.StartLine || h.EndLine < n) {
				t.Errorf("%s first, why %q, want %s", sample.Places(res), h.Why, want)
			}
		})
	}
	const long = "The retry setting of shelves will no longer say whether a lost request is sent again while the shop opens, in the next version and above. To keep what happens now, set the other one, of openings, before the first request is taken."
	files["zz/warn.go"] = "package zz\n\nfunc Warn() {\n\tlog.Println(\"" + strings.Replace(long, "opens, in", "opens, \" +\n\t\t\"in", 1) + "\")\n}\n"
	snaps = []*store.Snapshot{sample.Repository(t, "go", files)}
	for _, c := range []struct{ name, query string }{
		{"long", long},
		{"long, behind a log prefix", "[2026-11-22 17:13:50,123: WARNING/MainProcess] " + long},
		{"long, cut", strings.TrimSuffix(long, " before the first request is taken.")},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query, MaxTokens: 1})
			if len(res.Hits) == 0 || res.Hits[0].Path != "zz/warn.go" || res.Hits[0].Symbol != "Warn" {
				t.Errorf("%s first, %s, notes %q", sample.Places(res), named(res), res.Notes)
			}
		})
	}
	t.Run("a question", func(t *testing.T) {
		res := searchtest.Must(t, snaps, hit.Request{Query: "how are redirects followed by the http client", Explain: true})
		for _, e := range res.Hits[0].Explain {
			if strings.Contains(e.Signal, "asked for") {
				t.Errorf("%s stands first as a message", res.Hits[0].Path)
			}
		}
	})
}

// rooms is a repository with short formats, tests that quote them and texts of their words.
func rooms(t *testing.T) []*store.Snapshot {
	files := map[string]string{
		"zz/larder.ml": "let missing name = Pp.textf \"Larder %S not found.\" name\nlet gone path = Pp.textf \"Cellar %s doesn't exist\" path\n",
		"zz/attic.js":  "export function shut(name) {\n  throw new Error('attic ' + name + ' is not open')\n}\nwarn(`${name} was not an ok`)\n",
	}
	for i := range 12 {
		files[fmt.Sprintf("test/t%02d.t", i)] = "  $ run\n  Error: Cellar x doesn't exist, and the larder is not found; an attic was not open, ok\n"
		files[fmt.Sprintf("src/m%02d.ml", i)] = "(* the larder of the cellar was not found, it doesn't exist and is not open *)\nlet x = 1\n"
	}
	return []*store.Snapshot{sample.Repository(t, "rooms", files)}
}

// TestMessageThatStandsNowhere holds that an answer says so of a message alone that
// stands in no file, values seen through, and names files all the same.
func TestMessageThatStandsNowhere(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"shelf.go": "package shop\n\nfunc Take(name string, n int) error {\n\treturn fmt.Errorf(\"cannot take %d items of shelf %q: the request is closed\", n, name)\n}\n",
		"door.go":  "package shop\n\n// Open opens the door of the shop; it fails where the lock is frozen.\nfunc Open() error { return errFrozen }\n\nfunc reach(host string) error { return fmt.Errorf(\"error reaching the %s (%v)\", host, errFrozen) }\n",
		"docs.md":  "# Shop\n\nThe upstream is gone when the door of the shop fails.\n",
	})}
	for _, c := range []struct{ name, query, want string }{
		{"a log line", "2026-11-22T17:13:50.123Z\terror\tcontroller\tfailed to reach the depot: no healthy upstream", `"controller failed to reach the depot: no healthy upstream"`},
		{"a level", "ERROR: the depot is on fire near the door of the shop", `the longest run of its words that stands is "door of the shop", in docs.md and 1 more`},
		{"of a runtime", "TypeError: items of undefined is not a basket", `"items of undefined is not a basket"`},
		{"a failure without a prefix", "could not lock the door: key is frozen", hit.NoText},
		{"quoted in a question", `where does the shop print the error "failed to reach the depot in time" when it opens`, `"failed to reach the depot in time"`},
		{"a log of lines", "2026-11-22 17:13:50 INFO opened\n2026-11-22 17:13:51 INFO sold nothing today\n2026-11-22 17:13:52 ERROR failed to count the depot before winter\n2026-11-22 17:13:53 INFO closed\n", `"failed to count the depot before winter"`},
		{"values with quotes", `E1122 17:13:50.123456 1 main.go:42] failed to open depot "left side": permission denied`, hit.NoText},
		{"it stands", `ERROR: cannot take 5 items of shelf "left": the request is closed`, ""},
		{"its format stands", "cannot take 5 items of shelf left: the request is closed", ""},
		{"part of it stands", `cannot take 5 items of shelf "left": the request`, ""},
		{"a short format stands", "ERROR: error reaching the left shelf (the depot is on fire)", ""},
		{"it stands in prose", "WARN: the upstream is gone", ""},
		{"a question", "how are failed requests of the shop taken again", ""},
		{"keywords", "shop request failed error handling door", ""},
		{"an issue", "The shop does not open\n\nI went to the shop and wanted to take items of a shelf, as I do each day, but nobody was there.\n\n```\nERROR: failed to reach the depot in time\n```\n\nWhat I expected is that somebody opens the door when I knock at it.\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query})
			notes := strings.Join(res.Notes, "; ")
			if c.want == "" && strings.Contains(notes, hit.NoText) || !strings.Contains(notes, c.want) || strings.Count(notes, hit.NoText) > 1 {
				t.Errorf("notes %q, want %q", res.Notes, c.want)
			}
			if len(res.Hits) == 0 {
				t.Error("no hits")
			}
		})
	}
}
