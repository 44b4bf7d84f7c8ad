package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"espy/internal/place"
)

// awkward are names of files that a shell, a glob, a place or a terminal may read
// in another way than as a name.
var awkward = []string{
	"a b/c d.go", "-dash.go", "-d/--e.go", "apo'strophe.go", `quo"te.go`, `"all".go`, `back\slash.go`, "dol$lar$(id).go", "`tick`.go",
	"br[ac]ket/x[1].go", "st*r?.go", "{a,b}.go", "!not.go", "#hash.go", "a#b.go", "a.go:10", "semi;co&lon|.go", "~tilde.go",
	"bad\xff.go", "new\nline.go", "esc\x1b[2J.go", "zero\u200bwidth.go", "größe😀.go", " lead.go", "a.go", "%41.go", "-n",
}

// shell runs the command line as a user of a POSIX shell does.
type shell struct {
	t   *testing.T
	env []string
}

func newShell(t *testing.T) *shell {
	home := t.TempDir()
	return &shell{t, []string{"HOME=" + home, "ESPY_DATA_DIR=" + filepath.Join(home, "data")}}
}

// run runs one command and returns what it printed, and its exit code.
func (s *shell) run(args ...string) (text string, code int) {
	var out, said bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &said, s.env, nil)
	return said.String() + out.String(), code
}

// words has sh split a command line into the arguments of espy.
func (s *shell) words(line string) []string {
	s.t.Helper()
	out, err := exec.Command("sh", "-c", `espy() { printf '%s\0' "$@"; exit 0; }`+"\n"+line).Output()
	if err != nil {
		s.t.Fatalf("sh does not read %s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// offered finds the commands in the lines that an answer adds to its results: from
// "espy" to the end of the line or the words that go on behind the command.
var offered = regexp.MustCompile(`espy (?:search|symbol|references|calls|overview|dependencies|audit|outline|status|files|read|changes|blame|history|impact)\b(?: (?:'(?:[^']|'\\'')*'|"(?:[^"\\]|\\.)*"|[^\s'",;()]+|--?[a-z-]+))*`)

// prose are words that go on behind a command.
var prose = regexp.MustCompile(` (?:lists|what|finds|for the|shows|lets|attaches)\b.*| # .*`)

// nextCalls are the commands that an answer offers.
func nextCalls(answer string) []string {
	var list []string
	for line := range strings.Lines(answer) {
		line = strings.TrimSuffix(line, "\n")
		if !regexp.MustCompile(`^ *(next|note|hint|not listed|not searched|left out|partial|more|left out as secrets): |^and .* more`).MatchString(line) && !strings.Contains(line, "symbols pending") {
			continue
		}
		for _, c := range offered.FindAllString(line, -1) {
			list = append(list, prose.ReplaceAllString(c, ""))
		}
	}
	return list
}

// pageFlags are the flags that an answer offers for its next page.
var pageFlags = regexp.MustCompile(`(?m)^(?:left out: |and ).*; (?:more: )?(--(?:offset|limit) [0-9]+)(?: shows (?:all|more))?$`)

// awkwardTree writes a repository whose files have awkward names. Each declares a
// function and uses it.
func awkwardTree(t *testing.T) string {
	root := filepath.Join(t.TempDir(), "my 'demo'")
	for i, name := range awkward {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("package p\n\n// F%d is in %q, as $HOME and `id`.\nfunc F%[1]d() {}\n\nfunc G%[1]d() {\n\tF%[1]d()\n}\n\ntype T%[1]d struct{}\n\nfunc (T%[1]d) Run() {}\n", i, "quo'te")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return root
}

// TestEveryNext runs every command that an answer offers, through a real shell.
func TestEveryNext(t *testing.T) {
	root := awkwardTree(t)
	t.Chdir(root)
	s := newShell(t)
	if text, code := s.run("index", "."); code != 0 {
		t.Fatal(text)
	}
	ran := map[string]bool{}
	for _, q := range questions(t, s) {
		t.Run(fmt.Sprintf("%q", q), func(t *testing.T) { s.t = t; s.follow(q, 2, ran) })
	}
	if len(ran) < 150 {
		t.Errorf("the answers offered %d commands, want at least 150", len(ran))
	}
}

// questions are what a user may ask of an awkward tree. Names are given as answers
// give them.
func questions(t *testing.T, s *shell) [][]string {
	list := [][]string{
		{"status"}, {"files"}, {"files", "-n", "3"}, {"files", "--excluded"}, {"files", "nope.go"}, {"files", "--lang", "python"}, {"files", "--regex", "zzz"}, {"files", "-x", "zzz"}, {"files", "--unparsed"},
		{"search", "func"}, {"search", "func", "-n", "2"}, {"search", "zebra"}, {"search", "zebra", "--lang", "go"}, {"search", "-m", "regex", "func F", "-n", "2"},
		{"search", "-m", "literal", "func", "--offset", "1000"}, {"search", "func", "--offset", "1000"}, {"search", "-m", "regex", "f[u]nc", "--offset", "1000"}, {"search", "-m", "literal", "F1", "--max-tokens", "40"},
		{"search", "-m", "literal", "zebra's $HOME `id`"}, {"search", "-m", "literal", "a\x1bz"}, {"search", "-m", "literal", "bad\xff"}, {"search", "-m", "literal", "--", "-z"}, {"search", "--", "-zebra -horse"}, {"search", "-m", "literal", "zebra", "-w"},
		{"search", "-m", "literal", "ZEBRA", "-i", "--path", "*.go"}, {"search", "+++"}, {"search", "-m", "regex", "(?i)zebra"}, {"search", "-m", "literal", "+-+-"}, {"search", "-m", "literal", "日本"}, {"search", "path:nowhere func"}, {"search", "symbol:F3"}, {"search", "--repo", "all", "func"},
		{"symbol", "Run"}, {"symbol", "Rum"}, {"symbol", "Nothing"}, {"symbol", "Run", "-n", "2"}, {"symbol", "--at", "a.go:5:8"}, {"symbol", "--at", "a.go:5:8", "--repo", "."},
		{"references", "Run"}, {"references", "Run", "--union"}, {"references", "Run", "--union", "-n", "1"}, {"references", "--at", "a.go:4:6", "--union"}, {"references", "G1"}, {"references", "Nothing"}, {"references", "F", "--union"},
		{"calls", "Run"}, {"calls", "F1"}, {"calls", "G1"}, {"calls", "F1", "--callees", "--callers"}, {"calls", "T1"}, {"calls", "G1", "--callees", "--depth", "3"}, {"calls", "G1", "--to", "F1"}, {"calls", "F1", "--to", "G1"}, {"calls", "G1", "--to", "Run"}, {"calls", "Nothing"}, {"calls", "--at", "a.go:4:6"},
		{"hierarchy", "Run"}, {"hierarchy", "T1"}, {"hierarchy", "Nothing"}, {"hierarchy", "--at", "a.go:4:6"}, {"hierarchy", "T1.M", "--up"},
		{"impact"}, {"impact", "-n", "1"}, {"impact", "Run"}, {"impact", "F1"}, {"impact", "F1", "-n", "1"}, {"impact", "Nothing"}, {"impact", "a.go:1-4"}, {"impact", "a.g"}, {"impact", "--since", "nope"},
		{"outline"}, {"outline", "-n", "3"}, {"outline", "a b"}, {"outline", "br[ac]ket"}, {"outline", "nope"},
		{"overview"}, {"overview", "a b"}, {"dependencies"}, {"dependencies", "a b"}, {"audit", "--lines", "2", "-n", "2"}, {"audit", "br[ac]ket", "--lines", "2"},
		{"history"}, {"history", "a b"}, {"history", "-n", "1"}, {"changes"}, {"changes", "--since", "HEAD"}, {"read", "a.go:1-2"}, {"read", "a.go:900"}, {"read", "a.g"}, {"read", "a b"}, {"read", "dol$lar"}, {"read", "br[ac]ket"}, {"read", "-d"}, {"read", "--", "-d"},
		{"blame", "a.go:1-2"}, {"blame", "a.go:900"}, {"symbol", "a.go#Nothing"}, {"symbol", "dol$lar$(id).go#Nothing"}, {"history", "dol$lar$(id).go#Nothing"},
	}
	for i, name := range awkward {
		shown := place.Name(name)
		list = append(list, []string{"search", "-m", "literal", fmt.Sprintf("F%d()", i)}, []string{"symbol", fmt.Sprint("F", i)},
			[]string{"blame", "--", shown + ":1-3"}, []string{"read", "--", shown + ":1-3"}, []string{"outline", "--", shown}, []string{"calls", fmt.Sprint("F", i)}, []string{"hierarchy", fmt.Sprint("T", i)}, []string{"calls", "--callees", "--", shown}, []string{"history", "--", shown}, []string{"impact", "--", shown})
	}
	return list
}

// follow asks a question, and what its answer offers, to a depth.
func (s *shell) follow(question []string, depth int, ran map[string]bool) {
	s.t.Helper()
	answer, _ := s.run(question...)
	if depth == 0 {
		return
	}
	if m := pageFlags.FindStringSubmatch(answer); m != nil {
		flags, end := strings.Fields(m[1]), slices.Index(append(slices.Clone(question), "--"), "--")
		if next, code := s.run(slices.Insert(slices.Clone(question), end, flags...)...); code != exitFound || next == answer {
			s.t.Errorf("%q offers %s:\nexit code %d\n%s", question, m[1], code, next)
		}
	}
	for _, c := range nextCalls(answer) {
		if ran[c] {
			continue
		}
		ran[c] = true
		args := s.words(c)
		next, code := s.run(args...)
		if code != exitFound && !(code == exitNothing && isTry(answer)) {
			s.t.Errorf("%q answers\n%s\nand offers %s:\nexit code %d\n%s", question, answer, c, code, next)
		}
		if args[0] == "read" && code == exitFound {
			path := args[slices.IndexFunc(args[1:], isNotFlag)+1]
			named, _ := place.Parse(path)
			if slices.Contains(awkward, place.ParseName(path)) {
				named.Path = place.ParseName(path)
			}
			if !strings.HasPrefix(next, place.Name(named.Path)+" line") {
				s.t.Errorf("%s reads\n%s", c, next)
			}
		}
		if isVain(args, answer, next) && !slices.Contains(question, "-w") {
			s.t.Errorf("%q answers\n%s\nand offers %s, which changes nothing:\n%s", question, answer, c, next)
		}
		s.follow(args, depth-1, ran)
	}
}

// isVain reports whether a call that an answer offers finds no more than the answer
// did, in the same way, or lists what is left out where nothing is.
func isVain(args []string, answer, next string) bool {
	if slices.Contains(args, "--excluded") && isTry(next) {
		return true
	}
	if slices.Contains(args, "--ignore-case") { // a try, where there are letters and they count
		return strings.Contains(args[1], "(?i)") && slices.Contains(args, "regex") || strings.ToLower(args[1]) == strings.ToUpper(args[1])
	}
	return isTry(answer) && bare(next) == bare(answer)
}

// bare leaves what an answer found, without what it offers and its size.
func bare(answer string) string {
	answer = regexp.MustCompile(`, \d+ tokens`).ReplaceAllString(answer, "")
	return regexp.MustCompile(`(?m)^(next|note|hint): .*\n`).ReplaceAllString(answer, "")
}

func isNotFlag(arg string) bool { return !strings.HasPrefix(arg, "--") || place.ParseName(arg) != arg }

// isTry reports whether an answer found nothing, so that what it offers may find
// nothing either.
func isTry(answer string) bool {
	return strings.HasPrefix(answer, "0 ") || strings.HasPrefix(answer, "no way ") || strings.Contains(answer, "\nnothing ")
}
