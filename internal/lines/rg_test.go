package lines_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// rgLines returns what rg finds below dir as path:line, sorted.
func rgLines(t testing.TB, dir string, args ...string) []string {
	t.Helper()
	all := append([]string{"--no-config", "--no-ignore", "--hidden", "--no-heading", "--color=never", "-n", "-0", "--max-columns=1"}, args...)
	cmd := exec.Command(rgPath(t), append(all, ".")...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatalf("rg %q: %v: %s", args, err, stderr.String())
	}
	var lines []string
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		if p, rest, ok := strings.Cut(line, "\x00"); ok {
			n, _, _ := strings.Cut(rest, ":")
			lines = append(lines, strings.TrimPrefix(p, "./")+":"+n)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// rgStarts returns as path:line, sorted, where the matches begin that rg -U finds below dir.
func rgStarts(t testing.TB, dir string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(rgPath(t), append(append([]string{"--no-config", "--no-ignore", "--hidden", "--json", "-U"}, args...), ".")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatalf("rg %q: %v", args, err)
	}
	type text struct {
		Text  string
		Bytes []byte
	}
	var lines []string
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var event struct {
			Type string
			Data struct {
				Path       text
				Lines      text
				Line       int `json:"line_number"`
				Submatches []struct{ Start int }
			}
		}
		if err := dec.Decode(&event); err != nil {
			t.Fatal(err)
		}
		d := &event.Data
		shown := append([]byte(d.Lines.Text), d.Lines.Bytes...)
		for _, m := range d.Submatches {
			if event.Type == "match" {
				lines = append(lines, fmt.Sprintf("%s:%d", strings.TrimPrefix(d.Path.Text, "./"), d.Line+bytes.Count(shown[:m.Start], []byte("\n"))))
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func rgPath(t testing.TB) string {
	t.Helper()
	p, err := exec.LookPath("rg")
	if err != nil {
		t.Fatalf("%v: this test compares with ripgrep; install it with `apt-get install ripgrep`", err)
	}
	return p
}

// comparison is one pattern, in the syntax of both programs.
type comparison struct {
	ours, rgs  string
	literal    bool
	fold, word bool
	multiline  bool // each match counts for the line it starts in
}

func (c *comparison) String() string {
	return fmt.Sprintf("%s (rg %s; literal %v, fold %v, word %v, multiline %v)", strconv.QuoteToASCII(c.ours), strconv.QuoteToASCII(c.rgs), c.literal, c.fold, c.word, c.multiline)
}

func (c *comparison) run(t *testing.T, dir string, snaps []*store.Snapshot) (lines int) {
	t.Helper()
	var args []string
	req := hit.Request{Query: c.ours, Mode: hit.ModeRegex, IgnoreCase: c.fold, Word: c.word, Multiline: c.multiline, Limit: hit.MaxLimit, Detail: hit.DetailLocate}
	if c.literal {
		args, req.Mode = append(args, "-F"), hit.ModeLiteral
	}
	if c.fold {
		args = append(args, "-i")
	}
	if c.word {
		args = append(args, "-w")
	}
	res := searchtest.Must(t, snaps, req)
	var got []string
	for _, h := range res.Hits {
		got = append(got, fmt.Sprintf("%s:%d", h.Path, h.StartLine))
	}
	slices.Sort(got)
	rg := rgLines
	if c.multiline {
		rg = rgStarts
	}
	want := rg(t, dir, append(args, "-e", c.rgs)...)
	if !slices.Equal(got, want) || res.Total != len(want) {
		t.Errorf("%v: %d lines, rg %d; only ours %.5q, only rg's %.5q", c, res.Total, len(want), missing(got, want), missing(want, got))
	}
	return len(want)
}

// missing returns the elements of a that are not in b.
func missing(a, b []string) (out []string) {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); !ok {
			out = append(out, v)
		}
	}
	return out
}

// TestSameLinesAsRipgrep compares literal and regular expression search with rg
// on random patterns cut from real text and on hand-made ones over nasty texts.
func TestSameLinesAsRipgrep(t *testing.T) {
	const seed = 7
	t.Run("nasty", func(t *testing.T) {
		dir := t.TempDir()
		snaps := []*store.Snapshot{sample.Repository(t, "r", sample.TreeOf(t, dir))}
		all := nastyComparisons()
		for _, c := range all[:proof.Rounds(len(all))] {
			c.run(t, dir, snaps)
		}
	})
	dir := t.TempDir()
	parts := []string{"strconv", "net", "encoding"}
	if proof.Race {
		parts = parts[:1] // indexing them would be most of the test
	}
	files := sample.TreeOf(t, dir, parts...)
	first, second := map[string]string{}, map[string]string{}
	for i, p := range slices.Sorted(maps.Keys(files)) {
		[]map[string]string{first, second}[i%2][p] = files[p]
	}
	snaps := []*store.Snapshot{sample.Repository(t, "r", first, second)}
	rng := rand.New(rand.NewSource(seed))
	t.Run("literal", func(t *testing.T) {
		for i := range proof.Rounds(60) {
			text := snippet(rng, files, 30)
			c := comparison{ours: text, rgs: text, literal: true, fold: i%4&1 != 0, word: i%4&2 != 0}
			c.run(t, dir, snaps)
		}
	})
	t.Run("regex", func(t *testing.T) {
		found, rounds := 0, proof.Rounds(80)
		for i := range rounds {
			c := randomComparison(rng, files)
			c.fold, c.word = i%4 == 1, i%8 == 2
			if c.run(t, dir, snaps) > 0 {
				found++
			}
		}
		if found < rounds/2 {
			t.Errorf("seed %d: only %d of %d patterns occur: the test proves little", seed, found, rounds)
		}
	})
}

func nastyComparisons() []comparison {
	var all []comparison
	for i := range 4 {
		fold, word := i&1 != 0, i&2 != 0
		for _, s := range []string{"foo", "o", "FOO bar", "été", "É", "task", "ta\u017fk", "straße", "\u212a", "ß", "Σ", "i", "\u0130", "日本", "-", "foo-bar", "foo_", "\r", "\t", "\ufffd", "aa", " ", "[31m"} {
			all = append(all, comparison{s, s, true, fold, word, false})
		}
		for _, s := range []string{
			"foo", "^", "$", "^$", "foo$", "^foo", ".", "^.$", "a.b", "[^a]", "[^a]foo", "foo[^a]", "fo+", "(foo|bar)", "f.*o", "a{2}", "a{2,4}b?",
			"foo.bar", "\\x0b", "x y (z|foo)", "k", "(?i:task)", "(?i)ÉTÉ", "[é]", "[^é]té", "\\.|,", "foo(_|-)bar", "a*", "(a|b|c|d)lpha", "\ufffd", "\\r$", "[[:alpha:]]foo", "fo|foo",
			"\\x{17f}", "(?i)\\x{212a}", "[a-zé]+foo", "(foo)?_", "(?U)f.*o", "",
		} {
			all = append(all, comparison{s, s, false, fold, word, false})
		}
		for _, s := range []string{
			`foo\n`, `\n\n`, `\s+foo`, `foo[^x]bar`, `(?s)foo.*?bar`, `(?s)a.b`, `^foo$\n^bar`, `o$`, `\w+\s\w+`, `\bÉté\b`, `[^f]oo`, `\Afoo`, `foo\z`, "foo", `x|\nfoo`,
		} {
			all = append(all, comparison{s, s, false, fold, word, true})
		}
	}
	return all
}

// snippet returns a part of a line of at most n bytes, valid UTF-8.
func snippet(rng *rand.Rand, files map[string]string, n int) string {
	names := slices.Sorted(maps.Keys(files))
	for {
		lines := strings.Split(files[names[rng.Intn(len(names))]], "\n")
		line := lines[rng.Intn(len(lines))]
		if len(line) == 0 {
			continue
		}
		start := rng.Intn(len(line))
		text := line[start:min(len(line), start+1+rng.Intn(n))]
		if utf8.ValidString(text) {
			return text
		}
	}
}

// loosen are ways to make a part of a pattern match more, for both programs:
// classes of ASCII characters here, which rg has to be told.
var loosen = [][2]string{
	{".", "."}, {`\w`, `(?-u:\w)`}, {`\s`, `(?-u:\s)`}, {`\d`, `(?-u:\d)`}, {"[^x]", "[^x]"}, {`\W`, `[^0-9A-Za-z_]`}, {`\S`, `[^\t\n\x0c\r ]`},
	{"[a-z]", "[a-z]"}, {`\w+`, `(?-u:\w)+`}, {".*", ".*"}, {".+?", ".+?"}, {"[[:upper:]]", "[[:upper:]]"}, {"(?:a|e|i|o|u)", "(?:a|e|i|o|u)"}, {"[^a-m]{2}", "[^a-m]{2}"},
}

// randomComparison cuts a pattern from real text and loosens parts of it.
func randomComparison(rng *rand.Rand, files map[string]string) comparison {
	var c comparison
	add := func(ours, rgs string) { c.ours, c.rgs = c.ours+ours, c.rgs+rgs }
	if rng.Intn(8) == 0 {
		add("^", "^")
	}
	for _, r := range snippet(rng, files, 16) {
		one := regexp.QuoteMeta(string(r))
		switch way := loosen[rng.Intn(len(loosen))]; rng.Intn(8) {
		case 0:
			add(way[0], way[1])
		case 1:
			add("(?:"+one+"|"+way[0]+")", "(?:"+one+"|"+way[1]+")")
		default:
			add(one, one)
		}
	}
	switch rng.Intn(10) {
	case 0:
		add("$", "$")
	case 1:
		add(`\b`, `(?-u:\b)`)
	case 2:
		other := regexp.QuoteMeta(snippet(rng, files, 12))
		add("|"+other, "|"+other)
	}
	return c
}
