package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/grep/flags"
)

// grepTree is a small tree with what is hard to search.
func grepTree() map[string]string {
	long := strings.Repeat("lorem ipsum dolor ", 40)
	var many strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&many, "line %d of the file, foo %d\n", i, i%7)
	}
	return map[string]string{
		".git/HEAD":            "ref: refs/heads/main\n",
		".gitignore":           "*.log\n!keep.log\nbuild/\n/only-root.txt\n!.kept\n",
		".ignore":              "skipped.txt\n",
		".rgignore":            "rg-skipped.txt\n",
		"skipped.txt":          "foo in skipped\n",
		"rg-skipped.txt":       "foo in rg-skipped\n",
		"a.go":                 "package a\n\nimport \"fmt\"\n\nfunc Foo() error {\n\treturn fmt.Errorf(\"foo: %w\", err)\n}\n\nfunc foo_bar(x int) { Foo(); Foo() }\n",
		"a/b.go":               "package b\n\n// foo does foo.\nfunc foo() {}\n",
		"a/.gitignore":         "c.txt\n",
		"a/c.txt":              "foo in an ignored file\n",
		"a/d.txt":              "one\ntwo foo\nthree\nfour\nfive\nsix foo foo\nseven\neight\n",
		"a.b/x.txt":            "sorted foo\n",
		"a-b.txt":              "sorted foo too\n",
		"b.py":                 "def foo(self):\n    return self.bar()\n\n\nclass Foo:\n    pass\n",
		"c.md":                 "# Foo\n\nSome *text* with foo, FOO and fOo.\n\n- [ ] todo\n",
		"dir/e.txt":            "no newline at the end: foo",
		"dir/deep/f.rs":        "fn foo() -> Result<(), Error> {\n    todo!()\n}\n",
		"dir/deep/g.js":        "export const foo = () => { return [1, 2, 3].map((x) => x + 1); }\n",
		"dir/deep/x.json":      "{\"foo\": [1, 2, {\"bar\": null}]}\n",
		".hidden/h.go":         "package hidden // foo\n",
		".dot.txt":             "foo behind a dot\n",
		".kept":                "foo in a hidden file that is kept\n",
		"x.log":                "foo in a log\n",
		"keep.log":             "foo in a log that is kept\n",
		"build/out.txt":        "foo that was built\n",
		"only-root.txt":        "foo\n",
		"dir/only-root.txt":    "foo below the root\n",
		"empty.txt":            "",
		"blank.txt":            "\n\n\n",
		"crlf.txt":             "foo one\r\nbar\r\nfoo\r\n",
		"bom.txt":              "\xef\xbb\xbffoo behind a mark\nbar\n",
		"utf16.txt":            "\xff\xfef\x00o\x00o\x00 \x00\xe9\x00\n\x00b\x00a\x00r\x00\n\x00",
		"bin.dat":              "foo\x00bar\nfoo again\n",
		"late.dat":             many.String() + "foo\x00\nfoo behind\n",
		"many.txt":             many.String(),
		"bad.txt":              "foo \xff\xfe bar\n\xe9t\xe9 foo\nok foo\n",
		"words.txt":            "été foo ÉTÉ\nfoo-bar foo_bar foo.bar\n  foo indented\n\tfoo\ttabs\nstraße STRASSE\n日本 foo 語\nΣσς foo\n(foo) [foo] {foo} $foo ^foo\nfoofoo\nfoo\n",
		"long.txt":             long + "foo " + long + "\nshort foo\n" + strings.Repeat("x", 300) + "\n",
		"min.js":               strings.Repeat("function foo(){return 1};", 60) + "\n",
		"spa ce.txt":           "foo in a file with a space\n",
		"ünï.txt":              "foo in a file of letters\n",
		"new\nline.txt":        "foo in a file with a line end\n",
		"Makefile":             "all: foo\n\tfoo bar\n",
		"context.txt":          "1\n2 foo\n3\n4\n5\n6 foo\n7\n8\n9\n10\n11 foo\n12 foo\n13\n",
		"multi.txt":            "start {\n  foo\n}\nend\nstart {\n  bar\n}\nfoo\n\nfoo\n",
		"dir/.ignore":          "ignored-here.txt\n",
		"dir/ignored-here.txt": "foo\n",
		"broken.txt":           "foo \xef\x9c\xef\xef \xed\x85!\xed\xb4\xd0 \xe0\x80\xf0\x9f\x98 \xf4\x90\xc0\x80 foo and what comes behind\n\xff\xcc\x81 e\u0301\xcc foo \xc3 \xe2\x82 \xf0\x90 and so on until the end\n",
		"marks.txt":            "foo e\u0301e\u0301 \U0001F1E9\U0001F1EA\U0001F1EB \U0001F468\u200d\U0001F469\u200d\U0001F467 \u1112\u1161\u11ab \u0915\u094d\u0937 foo and what comes behind\n",
		"nested/.git/HEAD":     "ref: refs/heads/main\n",
		"nested/.gitignore":    "inner.txt\n",
		"nested/inner.txt":     "foo\n",
		"nested/build/y.txt":   "foo built in a nested repository\n",
		"pats.txt":             "foo\nbar$\n",
		"more.ign":             "*.md\n",
	}
}

// grepPatterns are patterns, the odd ones among them.
var grepPatterns = []string{
	"foo", "Foo", "FOO", "foo|bar", "^foo", "foo$", "^$", "$", "^", "", "f.o", "fo+", "fo*", "(foo)(.)", `\bfoo\b`, `\w+`, `\w+\s\w+`, `\d+`, `\s+`, `\S+$`, "[a-f]oo", "[^f]oo", `foo\.`, `\(foo\)`,
	"é", "été", "(?i)ÉTÉ", "ß", "σ", "日.", `\pL+`, `\p{Greek}`, `[[:upper:]]+`, `[\w&&[^o]]+`, `f(o)(o)`, "(?P<a>f)(?P<b>o+)", "x*", "o{2}", "o{1,2}?", "todo|Error", "zzzzz", " ", "\t", `\t`, "foo foo",
	"return", "fn |func ", `"[^"]*"`, `\.(go|txt)`, "line 1.*foo 3", "(?x) f o o # comment", "(?s)foo.bar", `a\x62|b\u{61}r`, "(?-u:\\w)+", "o\\b", "[]f]oo", "[^]]foo", `\$foo`, "f(?:oo)?", "foo.*foo", "(|foo)bar",
	"-foo", "--foo", `(?i:FOO)`, "(?m)^foo", `\x{1F600}`, ".", "..", ".*", "[0-9]+ of", "(a|b|c)+", `[^\x00-\x7F]`,
}

// badPatterns are refused by both programs.
var badPatterns = []string{"(", ")", "[", "foo(", "*", "a{", "a{2,1}", `\`, "(?", "[b-a]", `\p{nope}`, "(?=foo)", `(a)\1`, `foo\nbar`, "(?z)"}

// flagWords are ways to give each flag, by its name.
var flagWords = map[string][]string{
	"regexp": {"-efoo", "-e=x", "-e -foo", "--regexp=bar"}, "file": {"-f pats.txt"},
	"max-count": {"-m1", "-m 2", "--max-count=3", "-m0"}, "encoding": {"-Eauto", "--encoding=none"}, "engine": {"--engine=default"},
	"threads": {"-j1", "-j4"}, "regex-size-limit": {"--regex-size-limit=10M"}, "dfa-size-limit": {"--dfa-size-limit=1G"},
	"glob": {"-g*.go", "-g=!*.go", "-g *.{txt,md}", "-g dir/**", "-g !dir", "-g /a.go", "-g *.log", "-g .dot.txt", "-g **/deep/*", "-g a/"}, "iglob": {"--iglob=*.GO", "--iglob !*.TXT"},
	"type": {"-tgo", "-t py", "--type=rust", "-tmd", "-tall"}, "type-not": {"-Tgo", "-T txt"}, "type-add": {"--type-add=zz:*.dat -tzz", "--type-add zz:include:go,py -tzz"}, "type-clear": {"--type-clear=go"},
	"ignore-file": {"--ignore-file=more.ign"}, "max-depth": {"--max-depth=1", "--max-depth=2", "--maxdepth 0"}, "max-filesize": {"--max-filesize=100", "--max-filesize 1K"},
	"after-context": {"-A1", "-A 3"}, "before-context": {"-B1", "-B2"}, "context": {"-C1", "--context=2", "-C 0"},
	"context-separator": {"--context-separator=...", `--context-separator=\t`, "--no-context-separator"}, "field-match-separator": {"--field-match-separator=|", `--field-match-separator=\x09`},
	"field-context-separator": {"--field-context-separator=~"}, "path-separator": {"--path-separator=|"}, "replace": {"-rX", "-r $0$0", "--replace=[$1]", "-r ${a}-$b", "-r $$1", "--replace="},
	"max-columns": {"-M20", "-M 100", "-M0"}, "max-columns-preview": {"--max-columns-preview -M30"}, "color": {"--color=always", "--color=never", "--color ansi"},
	"colors": {"--colors=match:fg:blue --color=always", "--colors=path:none --colors=line:bg:0x1f --color=always", "--colors=match:style:underline --colors=match:style:intense --color=always"},
	"sort":   {"--sort=path"}, "sortr": {"--sortr=path"},
}

// unpaired are flags that are not compared: they say how this program is, or
// ripgrep 13 does not know them.
var unpaired = []string{"version", "help", "type-list", "stop-on-nonmatch", "one-file-system", "pcre2", "no-pcre2"}

// excluding are flags of which the last one or another one counts, as the version
// of ripgrep has it.
var excluding = [][]string{
	{"count", "count-matches", "files-with-matches", "files-without-match", "json", "quiet", "vimgrep", "passthru", "files"}, {"after-context", "before-context", "context", "passthru"},
	{"binary", "text", "unrestricted"}, {"ignore-case", "smart-case", "case-sensitive"}, {"word-regexp", "line-regexp"}, {"multiline", "replace"}, {"multiline", "encoding"},
	{"with-filename", "no-filename", "vimgrep"}, {"line-number", "no-line-number"}, {"sort", "sortr", "sort-files"}, {"mmap", "encoding"}, {"line-number", "json"}, {"no-line-number", "json"}, {"stats", "after-context", "before-context", "context"}, {"json", "after-context", "before-context", "context"},
	{"max-depth", "no-ignore-parent"}, {"files", "regexp", "file"}, {"line-buffered", "block-buffered"}, {"heading", "vimgrep"}, {"pretty", "vimgrep"}, {"type-clear", "type"}, {"type-clear", "type-add"}, {"context-separator", "passthru"},
}

// clash reports whether flags are not to be given together.
func clash(a, b string) bool {
	return a == b || slices.ContainsFunc(excluding, func(set []string) bool { return slices.Contains(set, a) && slices.Contains(set, b) })
}

// grepPlaces are paths that command lines name.
type grepPlaces struct{ folders, files, odd []string }

// smallPlaces are those of grepTree.
var smallPlaces = grepPlaces{
	folders: []string{"dir", "a"},
	files:   []string{"a.go", "bin.dat", "late.dat", "crlf.txt", "bad.txt", "words.txt", "utf16.txt", "empty.txt", "x.log", "context.txt"},
	odd:     []string{"dir/", "./dir", "nope", "nested", ".hidden", "build", "a.go dir", "many.txt bin.dat"},
}

// placesOf picks paths of a tree: its folders, and some files anywhere in it.
func placesOf(t *testing.T, rng *rand.Rand, dir string) (p grepPlaces) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil || rel == "." || strings.ContainsAny(rel, " \n"):
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() && !strings.Contains(rel, "/"):
			p.folders = append(p.folders, rel)
		case d.Type().IsRegular():
			p.files = append(p.files, rel)
		}
		return err
	})
	if err != nil || len(p.folders) < 2 || len(p.files) < 20 {
		t.Fatalf("%s: %d folders and %d files to name, %v", dir, len(p.folders), len(p.files), err)
	}
	rng.Shuffle(len(p.files), func(i, j int) { p.files[i], p.files[j] = p.files[j], p.files[i] })
	p.files = p.files[:20]
	first, second := p.folders[0], p.folders[1]
	p.odd = []string{first + "/", "./" + second, "nope", p.files[0] + " " + first, p.files[1] + " " + p.files[2], filepath.Dir(p.files[3])}
	return p
}

// grepLine makes a command line of some flags, a pattern and paths.
func grepLine(rng *rand.Rand, names []string, places *grepPlaces) []string {
	pick := func(list []string) string { return list[rng.Intn(len(list))] }
	var args []string
	hasPattern, files := false, false
	for _, name := range names {
		words := flagWords[name]
		if words == nil {
			words = []string{"--" + name}
			if f := flagNamed(name); f.Short != "" && f.Short != "." {
				words = append(words, "-"+f.Short)
			}
			if name == "unrestricted" {
				words = []string{"-u", "-uu", "-uuu"}
			}
		}
		word := pick(words)
		if one, value, ok := strings.Cut(word, " "); ok && !strings.Contains(value, " -") {
			args = append(args, one, value)
		} else {
			args = append(args, strings.Fields(word)...)
		}
		hasPattern = hasPattern || name == "regexp" || name == "file"
		files = files || name == "files"
	}
	if !hasPattern && !files {
		p := pick(grepPatterns)
		for slices.Contains(names, "word-regexp") && strings.Contains(p, `\`) || slices.Contains(names, "line-regexp") && strings.Contains(p, "#") {
			p = pick(grepPatterns) // ripgrep 13 has faults there
		}
		if rng.Intn(20) == 0 {
			p = pick(badPatterns)
		}
		if strings.HasPrefix(p, "-") {
			args = append(args, "-e", p)
		} else {
			args = append(args, p)
		}
	}
	switch rng.Intn(8) {
	case 0:
		args = append(args, ".")
	case 1:
		args = append(args, places.folders[:2]...)
	case 2:
		args = append(args, pick(places.files))
	case 3:
		args = append(args, pick(places.odd))
		if last := len(args) - 1; strings.Contains(args[last], " ") {
			args = append(args[:last], strings.Fields(args[last])...)
		}
	}
	return args
}

func flagNamed(name string) flags.Flag {
	table := flags.Table()
	return table[slices.IndexFunc(table, func(f flags.Flag) bool { return f.Name == name })]
}

var grepTimes = regexp.MustCompile(`"elapsed(_total)?":\{[^}]*\}|[0-9.]+ seconds( spent searching)?`)

// asRipgrep compares one command line, line by line, so that the output of a large tree is
// not kept.
func asRipgrep(t *testing.T, rg string, args []string) (same bool) {
	t.Helper()
	theirs := exec.Command(rg, append([]string{"--no-config", "--sort=path"}, args...)...)
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--sort") }) {
		theirs = exec.Command(rg, append([]string{"--no-config"}, args...)...)
	}
	want, err := theirs.StdoutPipe()
	if err == nil {
		err = theirs.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"grep", "--show-secrets"}, args...)
	var complaints bytes.Buffer
	got, out := io.Pipe()
	ended := make(chan int)
	go func() {
		code := runEspy(args, out, &complaints)
		out.Close()
		ended <- code
	}()
	difference := firstDifference(got, want)
	got.Close()
	want.Close()
	code := <-ended
	theirs.Wait()
	if rgCode := theirs.ProcessState.ExitCode(); difference != "" || code != rgCode {
		t.Errorf("espy %q: exit code %d, rg %d; %s\n%s", args, code, rgCode, difference, complaints.String())
		return false
	}
	return true
}

// runEspy runs the espy of GREP_PROGRAM, else this one.
func runEspy(args []string, out, complaints io.Writer) (code int) {
	program := os.Getenv("GREP_PROGRAM")
	if program == "" {
		return Main(args, nil, out, complaints, os.Environ(), nil)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, complaints
	cmd.Run()
	return cmd.ProcessState.ExitCode()
}

// firstDifference tells where two outputs begin to differ, but for the times that they
// name; "" where they are the same.
func firstDifference(got, want io.Reader) string {
	a, b := bufio.NewReaderSize(got, 1<<20), bufio.NewReaderSize(want, 1<<20)
	for line := 1; ; line++ {
		x, errA := a.ReadBytes('\n')
		y, errB := b.ReadBytes('\n')
		if !bytes.Equal(x, y) && !bytes.Equal(grepTimes.ReplaceAll(x, nil), grepTimes.ReplaceAll(y, nil)) {
			at := 0
			for at < min(len(x), len(y)) && x[at] == y[at] {
				at++
			}
			from := max(at-60, 0)
			return fmt.Sprintf("at byte %d of line %d:\n%.200q\nrg: %.200q", at, line, x[from:], y[from:])
		}
		if errA != nil || errB != nil {
			return ""
		}
	}
}

// TestPerlAsRipgrep compares expressions of PCRE2 with a ripgrep that was built with it.
func TestPerlAsRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil || exec.Command(rg, "--pcre2-version").Run() != nil {
		t.Skip("no rg with PCRE2")
	}
	all := grepTree()
	files := map[string]string{} // bytes that are no UTF-8 are searched otherwise there
	for _, name := range []string{".gitignore", "a.go", "a/d.txt", "b.py", "c.md", "crlf.txt", "blank.txt", "dir/e.txt", "dir/deep/f.rs", "dir/deep/g.js", "dir/deep/x.json"} {
		files[name] = all[name]
	}
	files["perl.txt"] = "a\tb\u00a0c\nfoo { bar }\n[x] a&&b c--d ~~\nm{2} n{,3} <tag> \"q\"\n\x1b[0m\nfoo.bar(baz)*\nÄpfel 12 १२\nwww  \n"
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for _, pattern := range []string{
		`\d+`, `foo\s+\{`, `{ bar }`, `[][]`, `[[(]x`, `[a&&]+b`, `~~`, `[~]{2}`, `\ba\b`, `\h+b`, `[\hx]c`, `\H+$`, `\Qfoo.bar(\Ebaz`, `(?<word>\w+) (?P<next>\d+)`,
		`(?i)FOO`, `(?i:f)oo`, `(?:a|b)c?`, `m\{2\}`, `\<tag\>`, `\"q\"`, `\e\[0m`, `^\s*$`, `foo.*?o`, `w{2,}?`, `\x41`, `\x{41}`, `[[:digit:]]+`, `\p{N}\w*`, `\/|\-|\_`, `^$`, `x]`, `foo$|^bar`, `(a)(b)?`,
	} {
		t.Run(pattern, func(t *testing.T) {
			asRipgrep(t, rg, []string{"-P", "-n", pattern})
			asRipgrep(t, rg, []string{"-P", "-o", "-i", pattern, "perl.txt", "a.go"})
		})
	}
}

// TestGrepAsRipgrep compares command lines with the ripgrep that is installed: each
// flag by itself, pairs and threes of flags, and odd patterns, byte for byte. GREP_LINES
// is how many are made, GREP_TREE a folder to search instead of the small one, with the
// index that is in ESPY_DATA_DIR, and GREP_PROGRAM an espy to run instead of this one, so
// that a running server of it is asked.
func TestGrepAsRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Fatalf("%v: this test compares with ripgrep; install it with `apt-get install ripgrep`", err)
	}
	dir := os.Getenv("GREP_TREE")
	if dir == "" {
		dir = t.TempDir()
		filetest.Write(t, dir, grepTree())
	}
	t.Chdir(dir)
	if os.Getenv("GREP_TREE") == "" {
		t.Setenv("ESPY_DATA_DIR", t.TempDir())
	}
	var names []string
	for _, f := range flags.Table() {
		if f.Status != flags.Refused && !slices.Contains(unpaired, f.Name) {
			names = append(names, f.Name)
		}
	}
	seed, lines := int64(11), 300
	if n, err := strconv.Atoi(os.Getenv("GREP_LINES")); err == nil {
		lines = n
	}
	if n, err := strconv.Atoi(os.Getenv("GREP_SEED")); err == nil {
		seed = int64(n)
	}
	rng := rand.New(rand.NewSource(seed))
	places := &smallPlaces
	if os.Getenv("GREP_TREE") != "" {
		in := placesOf(t, rng, dir)
		places = &in
	}
	different := 0
	for i := range lines {
		some := []string{names[i%len(names)]}
		for range min(i/len(names), 3) {
			if n := names[rng.Intn(len(names))]; !slices.ContainsFunc(some, func(o string) bool { return clash(n, o) }) {
				some = append(some, n)
			}
		}
		if !asRipgrep(t, rg, grepLine(rng, some, places)) {
			different++
		}
	}
	t.Logf("seed %d: %d of %d command lines differ", seed, different, lines)
}
