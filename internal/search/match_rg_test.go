package search

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"espy/internal/proof"
	"espy/internal/store"
)

// nasty are texts that line-based tools disagree about.
var nasty = map[string]string{
	"nasty/crlf.txt":    "alpha\r\nbeta foo\r\n\r\nfoo\r\n",
	"nasty/cr.txt":      "alpha\rfoo bar\rgamma\r",
	"nasty/nofinal.txt": "alpha\nfoo",
	"nasty/bom.txt":     "\xef\xbb\xbffoo bar\nalpha\n",
	"nasty/invalid.txt": "a\xffb\nfoo\xff\n\xfffoo\n\xe2\x84 foo\n\xc3\x28 alpha\xf0\n\xed\xa0\x80foo-\n",
	"nasty/empty.txt":   "",
	"nasty/lines.txt":   "\n\n\nfoo\n\n\n",
	"nasty/one.txt":     "\n",
	"nasty/unicode.txt": "été foo été\nÉTÉ FOO\nfooé éfoo\nstraße STRASSE\nta\u017f\u212a TASK task\n日本foo日本\nfoo\u00a0bar\u2028foo\n\u1e9e \u0130 \u0131 i I\nσςΣ\n\ufffdfoo\ufffd\n",
	"nasty/control.txt": "a\tfoo\x0bbar\x0cfoo\x1b[31mfoo\x7f\n",
	"nasty/long.txt":    strings.Repeat("x y ", 50_000) + "foo" + strings.Repeat(" z", 50_000) + "\nfoo_bar foo-bar\n",
	"nasty/repeat.txt":  strings.Repeat("aaaa aab foo_foo foo\n", 500),
}

// treeOf writes nasty texts and some of Go's own source to dir and returns them by path.
func treeOf(t testing.TB, dir string, folders ...string) map[string]string {
	t.Helper()
	files := maps.Clone(nasty)
	for _, folder := range folders {
		maps.Copy(files, goSource(t, folder))
	}
	for p, text := range files {
		name := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for p, text := range files {
		files[p] = strings.TrimPrefix(text, "\xef\xbb\xbf") // which is no part of the text
	}
	return files
}

// goSource returns the text files below a folder of Go's own source.
func goSource(t testing.TB, folder string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	files := map[string]string{}
	err = filepath.WalkDir(filepath.Join(root, folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 || bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

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
}

func (c *comparison) String() string {
	return fmt.Sprintf("%s (rg %s; literal %v, fold %v, word %v)", strconv.QuoteToASCII(c.ours), strconv.QuoteToASCII(c.rgs), c.literal, c.fold, c.word)
}

func (c *comparison) run(t *testing.T, dir string, snaps []*store.Snapshot) (lines int) {
	t.Helper()
	var args []string
	req := Request{Query: c.ours, Mode: ModeRegex, IgnoreCase: c.fold, Word: c.word, Limit: MaxLimit, Detail: DetailLocate}
	if c.literal {
		args, req.Mode = append(args, "-F"), ModeLiteral
	}
	if c.fold {
		args = append(args, "-i")
	}
	if c.word {
		args = append(args, "-w")
	}
	res := mustSearch(t, snaps, req)
	var got []string
	for _, h := range res.Hits {
		got = append(got, fmt.Sprintf("%s:%d", h.Path, h.StartLine))
	}
	slices.Sort(got)
	want := rgLines(t, dir, append(args, "-e", c.rgs)...)
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
		snaps := []*store.Snapshot{repository(t, "r", treeOf(t, dir))}
		all := nastyComparisons()
		for _, c := range all[:proof.Rounds(len(all))] {
			c.run(t, dir, snaps)
		}
	})
	dir := t.TempDir()
	files := treeOf(t, dir, "net", "encoding", "strconv")
	first, second := map[string]string{}, map[string]string{}
	for i, p := range slices.Sorted(maps.Keys(files)) {
		[]map[string]string{first, second}[i%2][p] = files[p]
	}
	snaps := []*store.Snapshot{repository(t, "r", first, second)}
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
			all = append(all, comparison{s, s, true, fold, word})
		}
		for _, s := range []string{
			"foo", "^", "$", "^$", "foo$", "^foo", ".", "^.$", "a.b", "[^a]", "[^a]foo", "foo[^a]", "fo+", "(foo|bar)", "f.*o", "a{2}", "a{2,4}b?",
			"foo.bar", "\\x0b", "x y (z|foo)", "k", "(?i:task)", "(?i)ÉTÉ", "[é]", "[^é]té", "\\.|,", "foo(_|-)bar", "a*", "(a|b|c|d)lpha", "\ufffd", "\\r$", "[[:alpha:]]foo", "fo|foo",
			"\\x{17f}", "(?i)\\x{212a}", "[a-zé]+foo", "(foo)?_", "(?U)f.*o", "",
		} {
			all = append(all, comparison{s, s, false, fold, word})
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
