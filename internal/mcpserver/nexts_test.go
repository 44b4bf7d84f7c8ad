package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/filetest"
	"espy/internal/place"
)

// awkward are names of files that a glob, a place or a terminal may read in another
// way than as a name.
var awkward = []string{
	"a b/c d.go", "-dash.go", "apo'strophe.go", `quo"te.go`, `"all".go`, `back\slash.go`, "dol$lar.go", "br[ac]ket/x[1].go", "st*r?.go", "{a,b}.go", "!not.go",
	"a#b.go", "a.go:10", "bad\xff.go", "new\nline.go", "esc\x1b[2J.go", "zero\u200bwidth.go", "größe😀.go", " lead.go", "a.go", "par(en), x=1.go",
}

// offered finds the calls that an answer offers.
var offered = regexp.MustCompile(`\b(search|context|symbol|references|outline|status|files|read|changes|blame|history|similar|calls|impact|overview|dependencies|audit)\(((?:[a-z_]+=(?:"(?:[^"\\]|\\.)*"|[a-z0-9]+)(?:, )?)*)\)`)

// argument is one argument of an offered call.
var argument = regexp.MustCompile(`([a-z_]+)=("(?:[^"\\]|\\.)*"|[a-z0-9]+)`)

// nextCursor is the cursor that an answer offers.
var nextCursor = regexp.MustCompile(`(?m)^left out: .*same call with cursor=("[^"]*")$`)

// offeredCall is a call of a tool as an answer prints it.
type offeredCall struct {
	text, tool string
	args       map[string]any
}

// nextCalls are the calls in the lines that an answer adds to its results.
func nextCalls(t *testing.T, answer string) (list []offeredCall) {
	t.Helper()
	added := regexp.MustCompile(`^ *(next|note|hint|not listed|not searched|left out|partial|left out as secrets): `)
	for line := range strings.Lines(answer) {
		if !added.MatchString(line) {
			continue
		}
		for _, m := range offered.FindAllStringSubmatch(line, -1) {
			c := offeredCall{m[0], m[1], map[string]any{}}
			for _, a := range argument.FindAllStringSubmatch(m[2], -1) {
				var value any
				if err := json.Unmarshal([]byte(a[2]), &value); err != nil {
					t.Fatalf("%s: %v", m[0], err)
				}
				c.args[a[1]] = value
			}
			list = append(list, c)
		}
	}
	return list
}

// TestEveryNext makes every call that an answer offers, as it is printed.
func TestEveryNext(t *testing.T) {
	t.Parallel()
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "*.log\n", "x.log": "zebra\n"}
	for i, name := range awkward {
		files[name] = fmt.Sprintf("package p\n\n// F%d is in \"quo'te\".\nfunc F%[1]d() {}\n\nfunc G%[1]d() {\n\tF%[1]d()\n}\n\ntype T%[1]d struct{}\n\nfunc (T%[1]d) Run() {}\n", i)
	}
	delete(files, ".git/HEAD")
	root := tree(t, "my \"demo\"", files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(strings.Replace(files["a.go"], "() {}", "(n int) {}", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	followAll(t, root, questions(), 150)
}

// TestEveryNextOfARealTree makes the calls that answers about Go's own source offer.
func TestEveryNextOfARealTree(t *testing.T) {
	t.Parallel()
	root := filepath.Join(filetest.GoSource(t), "net")
	var list []offeredCall
	add := func(tool string, args map[string]any) {
		text, _ := json.Marshal(args)
		list = append(list, offeredCall{tool + string(text), tool, args})
	}
	for _, name := range []string{"Dialer", "ListenTCP", "Error", "Close", "parseIPv4", "Transport.RoundTrip", "ReadMIMEHeader", "Dailer", "nothingLikeIt"} {
		add("symbol", map[string]any{"symbol": name, "limit": 3})
		add("references", map[string]any{"symbol": name, "limit": 5})
		add("references", map[string]any{"symbol": name, "union": true, "limit": 5})
		add("search", map[string]any{"query": name, "mode": "literal", "limit": 4})
		add("search", map[string]any{"query": "where is " + name + " made", "limit": 3})
	}
	for _, path := range []string{"http", "dial.go", "htp", "http/servr.go", "testdata", "mail/message.go"} {
		add("outline", map[string]any{"path": path, "limit": 5})
		add("files", map[string]any{"path": path, "limit": 5})
		add("read", map[string]any{"path": path})
	}
	add("files", map[string]any{"excluded": true})
	add("changes", nil)
	add("history", map[string]any{"limit": 2})
	add("blame", map[string]any{"path": "dial.go:1-3"})
	followAll(t, root, list, 60)
}

// followAll asks questions about the files below root, and what is offered.
func followAll(t *testing.T, root string, questions []offeredCall, least int) {
	session := connect(t, graphServer(t, root), nil)
	ran := map[string]bool{}
	for _, q := range questions {
		t.Run(q.text, func(t *testing.T) { follow(t, session, q, 2, ran) })
	}
	if len(ran) < least {
		t.Errorf("the answers offered %d calls, want at least %d", len(ran), least)
	}
}

// questions are what a model may ask of an awkward tree. Names are given as answers
// give them.
func questions() (list []offeredCall) {
	type args = map[string]any
	add := func(tool string, a args) {
		text, _ := json.Marshal(a) // strings, numbers and booleans
		list = append(list, offeredCall{tool + string(text), tool, a})
	}
	for _, a := range []args{{"query": "func"}, {"query": "func", "limit": 2}, {"query": "zebra"}, {"query": "zebra", "lang": "go"}, {"query": "func F", "mode": "regex", "limit": 2}, {"query": "func", "detail": "locate", "limit": 1},
		{"query": "zeb\"ra\\", "mode": "literal"}, {"query": "zebra", "mode": "literal", "word": true}, {"query": "ze\x1bbra\x00", "mode": "literal"}, {"query": "+++"}, {"query": "(?i)zebra", "mode": "regex"}, {"query": "+-+-", "mode": "literal"}, {"query": "日本", "mode": "literal"}, {"query": "path:nowhere func"}, {"query": "func", "repo": "all", "max_tokens": 100}} {
		add("search", a)
	}
	for _, a := range []args{{}, {"limit": 2}, {"excluded": true}, {"path": "nope.go"}, {"path": "br[ac]ket"}, {"path": `br\[ac]ket`}, {"lang": "python"}, {"regex": "zzz"}, {"excluded": true, "path": "zzz"}, {"unparsed": true}, {"path": "*.go", "limit": 3}} {
		add("files", a)
	}
	for _, a := range []args{{"symbol": "Run"}, {"symbol": "Rum"}, {"symbol": "Nothing"}, {"symbol": "Run", "limit": 2}, {"at": "a.go:4:6"}, {"symbol": "a.go#Nothing"}} {
		add("symbol", a)
		with := maps.Clone(a)
		with["union"] = true
		add("references", with)
		add("references", a)
		add("calls", a)
		add("hierarchy", a)
	}
	for _, a := range []args{{"symbol": "F1"}, {"symbol": "G1", "direction": "callees", "depth": 2}, {"symbol": "G1", "to": "F1"}, {"symbol": "F1", "to": "G1"}, {"symbol": "T1"}, {"symbol": "G1", "to": "Run"}} {
		add("calls", a)
	}
	for _, a := range []args{{}, {"limit": 1}, {"what": "Run"}, {"what": "F1", "limit": 1}, {"what": "Nothing"}, {"what": "a.go:1-4"}, {"what": "a.g"}, {"since": "nope"}, {"diff": "x"}} {
		add("impact", a)
	}
	for _, path := range []string{"", "a b", "br[ac]ket", "nope"} {
		add("outline", args{"path": path, "limit": 3})
		add("overview", args{"path": path})
		add("dependencies", args{"path": path})
		add("audit", args{"path": path, "lines": 2, "limit": 2})
	}
	for _, a := range []args{{"query": "Run", "max_tokens": 256}, {"query": "zebra"}, {"query": "callers of F3"}, {"query": "func F G T Run"}} {
		add("context", a)
	}
	for _, path := range []string{"a.go:1-2", "a.go:900", "a.g", "a b", "br[ac]ket", "x.log", "../x"} {
		add("read", args{"path": path})
	}
	add("status", args{})
	for _, a := range []args{{}, {"limit": 1}, {"since": "HEAD"}, {"since": "nope"}, {"path": "a.go"}, {"path": "zzz"}} {
		add("changes", a)
	}
	for _, path := range []string{"", "a.go", "a.go:1-2", "a.go:900", "a.g", "a b", "nope", "a.go#Nothing", "br[ac]ket"} {
		add("history", args{"path": path})
		add("blame", args{"path": path})
	}
	for _, a := range []args{{"place": "a.go:10"}, {"place": "a.go:1-4"}, {"place": "a.go#T8"}, {"place": "nope.go:3"}, {"place": "a b"}, {"place": "a.go:900"}, {"snippet": "launch(missiles, now)"},
		{"snippet": "func G(", "limit": 3}, {"snippet": "func G(", "limit": 3, "repo": "all", "max_tokens": 100}, {"snippet": "zebra", "lang": "python"}} {
		add("similar", a)
	}
	for i, name := range awkward {
		shown := place.Name(name)
		add("search", args{"query": fmt.Sprintf("F%d()", i), "mode": "literal"})
		add("symbol", args{"symbol": fmt.Sprint("F", i)})
		add("context", args{"query": fmt.Sprint("F", i), "max_tokens": 256})
		add("context", args{"query": shown + ":4"})
		add("references", args{"symbol": fmt.Sprint("F", i)})
		add("read", args{"path": shown, "start_line": 1, "end_line": 3})
		add("outline", args{"path": shown})
		add("calls", args{"symbol": fmt.Sprint("F", i)})
		add("hierarchy", args{"symbol": fmt.Sprint("T", i)})
		add("calls", args{"symbol": shown, "direction": "both"})
		add("impact", args{"what": shown})
		add("history", args{"path": shown})
		add("blame", args{"path": shown + ":1-3"})
		add("similar", args{"place": shown})
		add("similar", args{"place": shown + ":5-8", "limit": 2})
		add("files", args{"path": place.Name(filepath.Dir(name))})
		add("files", args{"path": shown})
	}
	return list
}

// follow asks a question, and what its answer offers, to a depth.
func follow(t *testing.T, session *mcp.ClientSession, q offeredCall, depth int, ran map[string]bool) {
	t.Helper()
	answer, _ := ask(t, session, q.tool, q.args)
	if depth == 0 {
		return
	}
	if m := nextCursor.FindStringSubmatch(answer); m != nil {
		args := maps.Clone(q.args)
		args["cursor"] = strings.Trim(m[1], `"`)
		if next, failed := ask(t, session, q.tool, args); failed || next == answer || isTry(next) {
			t.Errorf("%s offers cursor %s:\n%s", q.text, m[1], next)
		}
	}
	for _, c := range nextCalls(t, answer) {
		if ran[c.text] {
			continue
		}
		ran[c.text] = true
		next, failed := ask(t, session, c.tool, c.args)
		if failed || isTry(next) && !isTry(answer) {
			t.Errorf("%s answers\n%s\nand offers %s:\n%s", q.text, answer, c.text, next)
		}
		if path, ok := c.args["path"].(string); ok && c.tool == "read" {
			named, _ := place.Parse(path)
			if slices.Contains(awkward, place.ParseName(path)) {
				named.Path = place.ParseName(path)
			}
			if !strings.HasPrefix(next, place.Name(named.Path)+" line") {
				t.Errorf("%s reads\n%s", c.text, next)
			}
		}
		if isVain(c, answer, next) && q.args["word"] == nil {
			t.Errorf("%s answers\n%s\nand offers %s, which changes nothing:\n%s", q.text, answer, c.text, next)
		}
		follow(t, session, c, depth-1, ran)
	}
}

// isVain reports whether a call that an answer offers finds no more than the answer
// did, in the same way, or lists what is left out where nothing is.
func isVain(c offeredCall, answer, next string) bool {
	if c.args["excluded"] == true && isTry(next) {
		return true
	}
	if query, _ := c.args["query"].(string); c.args["ignore_case"] == true { // a try, where there are letters and they count
		return strings.Contains(query, "(?i)") && c.args["mode"] == "regex" || strings.ToLower(query) == strings.ToUpper(query)
	}
	return isTry(answer) && bare(next) == bare(answer)
}

// bare leaves what an answer found, without what it offers and its size.
func bare(answer string) string {
	answer = regexp.MustCompile(`, \d+ tokens`).ReplaceAllString(answer, "")
	return regexp.MustCompile(`(?m)^(next|note|hint): .*\n?`).ReplaceAllString(answer, "")
}

// isTry reports whether an answer found nothing, or is an error, so that what it
// offers may find nothing either.
func isTry(answer string) bool {
	head, _, _ := strings.Cut(answer, "\n")
	return strings.HasPrefix(head, "0 ") && !strings.Contains(head, " possible") || strings.HasPrefix(head, "no way ") || strings.HasPrefix(answer, "error: ") || strings.Contains(answer, "\nnothing ")
}
