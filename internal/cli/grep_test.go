package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"espy/internal/filetest"
	"espy/internal/grep"
	"espy/internal/grep/flags"
)

// runGrep runs espy grep in a folder, with its own data folder.
func runGrep(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	code = Main(append([]string{"grep"}, args...), nil, &out, &problems, os.Environ(), nil)
	return out.String(), problems.String(), code
}

func TestGrepBadInput(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.txt": "-foo\nbar\n", "new\nli\x1b[31mne.txt": "-foo\n"})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", filepath.Join(dir, "..", "data"))
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string // part of it
	}{
		{"unknown flag", []string{"--smart-cas", "x"}, 2, "", "did you mean --smart-case?"},
		{"look-behind", []string{"-P", "-o", "(?<=-)fo+", "a.txt"}, 0, "foo\n", ""},
		{"recursion", []string{"-P", "(?R)"}, 2, "", "rg -P"},
		{"refused flag with a value", []string{"--pre", "cat", "x"}, 2, "", "no program is run"},
		{"no pattern", nil, 2, "", "espy grep PATTERN"},
		{"pattern with a dash", []string{"-e", "-foo", "a.txt"}, 0, "-foo\n", ""},
		{"pattern behind two dashes", []string{"--", "-foo", "a.txt"}, 0, "-foo\n", ""},
		{"empty pattern", []string{"", "a.txt"}, 0, "-foo\nbar\n", ""},
		{"missing path", []string{"foo", "nope"}, 2, "", "nope: no such file or directory"},
		{"glob as a path", []string{"foo", "*.nope"}, 2, "", "a glob is given as -g '*.nope'"},
		{"missing path among others", []string{"-I", "foo", "nope", "a.txt"}, 2, "-foo\n", "nope"},
		{"missing file of patterns", []string{"-f", "nope"}, 2, "", "nope"},
		{"look-ahead", []string{"(?=x)"}, 2, "", "-P does it"},
		{"open group", []string{"foo("}, 2, "", "-F"},
		{"line end", []string{`a\nb`}, 2, "", "-U"},
		{"bytes", []string{`(?-u:\xff)`}, 2, "", "not characters"},
		{"many repetitions", []string{`a{2000}`}, 2, "", "1,000"},
		{"unknown type", []string{"-tgolan", "x"}, 2, "", "--type-list prints"},
		{"bad glob", []string{"-g", "[", "x"}, 2, "", "unclosed character class"},
		{"bad colour", []string{"--colors", "x:y", "x"}, 2, "", "match:fg:blue"},
		{"bad number", []string{"-m", "many", "x"}, 2, "", "--max-count=3"},
		{"bad encoding", []string{"-E", "latin1", "x"}, 2, "", "rg reads others"},
		{"top of the file system", []string{"x", "/"}, 2, "", "name a folder of a project"},
		{"nothing searched", []string{"-g", "*.nope", "x"}, 2, "", "espy grep --files"},
		{"names with codes", []string{"-l", "foo", "."}, 0, "./a.txt\n./new\nli\x1b[31mne.txt\n", ""},
		{"other folder", []string{"--max-depth", "0", "foo", "."}, 1, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := runGrep(t, tt.args...)
			if code != tt.code || stdout != tt.stdout || !strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" {
				t.Errorf("exit code %d, %q, %q; want %d, %q, %q", code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "..", "data")); err == nil {
		t.Error("a search made a data folder: something was attached")
	}
}

// TestGrepNamed holds that files which are named are searched wherever they lie, but for
// keys, and that -q asks for a match alone.
func TestGrepNamed(t *testing.T) {
	home := t.TempDir()
	filetest.Write(t, home, map[string]string{".profile": "alias foo=bar\n", ".ssh/config": "Host foo\n", "p/a.txt": "foo\n"})
	if err := syscall.Mkfifo(filepath.Join(home, "p/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(home, "p"))
	t.Setenv("HOME", home)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for _, tt := range []struct {
		args   string
		code   int
		stdout string
		stderr string // part of it
	}{
		{"foo ../.profile", 0, "alias foo=bar\n", ""},
		{"foo ..", 2, "", "the home folder"},
		{"foo ../.ssh/config", 2, "", "a folder of keys"},
		{"-q foo a.txt nope", 0, "", "nope"},
		{"-q foo nope a.txt", 0, "", "nope"},
		{"-q zzz a.txt nope", 2, "", "nope"},
		{"--files pipe", 0, "pipe\n", ""},
		{"foo pipe", 2, "", "special file"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			if stdout, stderr, code := runGrep(t, strings.Fields(tt.args)...); code != tt.code || stdout != tt.stdout || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("exit code %d, %q, %q; want %d, %q, %q", code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
			}
		})
	}
}

// TestGrepRoots holds that nothing is read outside of the folders that may be
// attached.
func TestGrepRoots(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"in/a.txt": "foo\n", "out/b.txt": "foo\n"})
	filetest.Link(t, dir, "../out", "in/link")
	t.Chdir(filepath.Join(dir, "in"))
	t.Setenv("ESPY_ROOTS", filepath.Join(dir, "in"))
	for path, want := range map[string]int{".": 0, "../out": 2, "../out/b.txt": 2, "link": 2, "a.txt": 0} {
		t.Run(path, func(t *testing.T) {
			if stdout, stderr, code := runGrep(t, "foo", path); code != want || code == 2 && (stdout != "" || !strings.Contains(stderr, "roots")) {
				t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
			}
		})
	}
}

// TestGrepIndex holds that an index changes nothing but the time: files that were
// changed, added and removed since are found as they are.
func TestGrepIndex(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "*.log\n", "bin.dat": "needle \x00", "x.log": "needle\n", "utf16.txt": "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00"}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name+".txt"] = "no such word " + name + "\n"
	}
	files["e.txt"] = "a needle\n"
	filetest.Write(t, dir, files)
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	var out bytes.Buffer
	if code := Main([]string{"index", "."}, nil, &out, &out, os.Environ(), nil); code != 0 {
		t.Fatal(out.String())
	}
	filetest.Write(t, dir, map[string]string{"a.txt": "a new needle\n", "new.txt": "needle\n", "e.txt": "gone, and longer than before\n"})
	filetest.Remove(t, dir, "b.txt")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"needle"}, "a.txt:a new needle\nnew.txt:needle\nutf16.txt:needle\n"},
		{[]string{"-u", "needle"}, "a.txt:a new needle\nnew.txt:needle\nutf16.txt:needle\nx.log:needle\n"},
		{[]string{"-i", "NEEDLE", "-l"}, "a.txt\nnew.txt\nutf16.txt\n"},
		{[]string{"needle", "--binary"}, "a.txt:a new needle\nbin.dat: binary file matches (found \"\\0\" byte around offset 7)\nnew.txt:needle\nutf16.txt:needle\n"},
		{[]string{"--files-without-match", "needle", "-g*.txt"}, "c.txt\nd.txt\ne.txt\n"},
		{[]string{"-c", "--include-zero", "word", "-g[abc].txt"}, "a.txt:0\nc.txt:1\n"},
		{[]string{"-v", "-l", "needle", "-g*.txt"}, "c.txt\nd.txt\ne.txt\n"},
		{[]string{"-U", `such\s+word c`}, "c.txt:no such word c\n"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			if stdout, stderr, _ := runGrep(t, tt.args...); stdout != tt.want {
				t.Errorf("%q, %s; want %q", stdout, stderr, tt.want)
			}
		})
	}
	stats, _, _ := runGrep(t, "--stats", "needle")
	if !strings.Contains(stats, "7 files searched") && !strings.Contains(stats, "8 files searched") {
		t.Errorf("files that were not read are not counted: %s", stats)
	}
}

// TestGrepClear holds that a file without secrets is printed without a look at each line as
// long as it has the bytes that were indexed, and no longer.
func TestGrepClear(t *testing.T) {
	dir := t.TempDir()
	text, key := strings.Repeat("a line\n", 2000), "AKIA"+"QYLPMN5HFIQR7BLA"
	secret := "a key " + key + "\n"
	filetest.Write(t, dir, map[string]string{"a.txt": text, "b.txt": text, "c.txt": text, "d.txt": secret})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	var out bytes.Buffer
	if code := Main([]string{"index", "."}, nil, &out, &out, os.Environ(), nil); code != 0 {
		t.Fatal(out.String())
	}
	filetest.Write(t, dir, map[string]string{"b.txt": text + secret, "new.txt": secret})
	stdout, stderr, _ := runGrep(t, "a", "-j1")
	if strings.Contains(stdout, key) || strings.Count(stdout, "[secret: ") != 3 || strings.Count(stdout, "\n") != 6003 {
		t.Errorf("%d lines, %d secrets, %s", strings.Count(stdout, "\n"), strings.Count(stdout, "[secret: "), stderr)
	}
}

// TestGrepMissed counts the files that are read because the index does not hold them as
// they are: those of which it would else have known that they cannot match, and those
// that it does not hold at all.
func TestGrepMissed(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	files := map[string]string{"bin.dat": "needle \x00", "held.txt": "needle\n", "longer.txt": "needle\n"}
	for i := range 30 {
		files[fmt.Sprintf("other%d.txt", i)] = "nothing of the kind\n"
	}
	filetest.Write(t, dir, files)
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", data)
	var out bytes.Buffer
	if code := Main([]string{"index", "."}, nil, &out, &out, os.Environ(), nil); code != 0 {
		t.Fatal(out.String())
	}
	filetest.Write(t, dir, map[string]string{"new.txt": "needle\n", "other7.txt": "now with a needle\n", "longer.txt": "still with a needle\n"})
	for _, tt := range []struct {
		args   []string
		missed int
	}{
		{[]string{"needle"}, 3}, // bin.dat, new.txt and other7.txt
		{[]string{"needle", "--sort=modified"}, 3},
		{[]string{"needle", "--max-filesize=1K"}, 3},
		{[]string{"needle", "--stats"}, 0}, // all are read
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			a := flags.New()
			set := pflag.NewFlagSet("grep", pflag.ContinueOnError)
			for _, f := range flags.Table() {
				grepFlag(set, a, &f)
			}
			if err := set.Parse(tt.args); err != nil {
				t.Fatal(err)
			}
			req, err := grep.NewRequest(a, set.Args(), &grep.Terminal{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := grep.Run(t.Context(), req, &grep.Env{Dir: dir, Out: io.Discard, DataDir: data})
			if err != nil || got.Missed != tt.missed || !got.Found {
				t.Errorf("%+v, %v; want %d files missed", got, err, tt.missed)
			}
		})
	}
	if one, two := told(1, "file was", "files were"), told(2, "file was", "files were"); one != "1 file was" || two != "2 files were" {
		t.Errorf("%q, %q", one, two)
	}
}

// TestGrepClosedPipe holds that a million matches end at once when their reader has
// gone, as with head -1.
func TestGrepClosedPipe(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"many.txt": strings.Repeat("foo foo foo\n", 1_000_000), "more.txt": strings.Repeat("foo\n", 1_000_000)})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	var problems bytes.Buffer
	began := time.Now()
	go func() { ended <- Main([]string{"grep", "foo"}, nil, w, &problems, os.Environ(), nil) }()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || line != "many.txt:foo foo foo\n" {
		t.Fatalf("%q, %v", line, err)
	}
	first := time.Since(began)
	r.Close()
	if code := <-ended; code != 0 || problems.Len() > 0 {
		t.Errorf("exit code %d, %s", code, problems.String())
	}
	w.Close()
	if took := time.Since(began) - first; took > time.Second+20*first {
		t.Errorf("first line after %v, ended %v later", first, took)
	}
}

// TestGrepPlain holds that an environment without colours has them where they are asked
// for always alone.
func TestGrepPlain(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.txt": "foo\n"})
	t.Chdir(dir)
	for _, tt := range []struct {
		env, args []string
		colored   bool
	}{
		{[]string{"TERM=xterm"}, []string{"-p"}, true},
		{[]string{"TERM="}, []string{"-p"}, true},
		{[]string{"TERM=xterm"}, nil, false},
		{nil, []string{"-p"}, false},
		{[]string{"TERM=dumb"}, []string{"-p"}, false},
		{[]string{"TERM=dumb"}, []string{"-p", "--color=auto"}, false},
		{[]string{"TERM=xterm", "NO_COLOR="}, []string{"-p", "--color=auto"}, false},
		{[]string{"TERM=dumb"}, []string{"--color=always"}, true},
	} {
		t.Run(strings.Join(slices.Concat(tt.env, tt.args), " "), func(t *testing.T) {
			var out, problems bytes.Buffer
			env := append(tt.env, "HOME="+t.TempDir(), "ESPY_DATA_DIR="+t.TempDir())
			if code := Main(slices.Concat([]string{"grep", "foo"}, tt.args), nil, &out, &problems, env, nil); code != 0 || strings.Contains(out.String(), "\x1b") != tt.colored {
				t.Errorf("exit code %d, %q, %s", code, out.String(), problems.String())
			}
		})
	}
}

// TestGrepLong searches files that are gone through in pieces before they are read.
func TestGrepLong(t *testing.T) {
	dir := t.TempDir()
	filler := strings.Repeat("a line of filler\n", 80_000)
	filetest.Write(t, dir, map[string]string{
		"none": filler, "first": "needle\n" + filler, "last": filler + "needle\n", "open": filler + "needle", "long": strings.Repeat("x", 1<<20) + filler + "needle\n",
		"mark": "\xef\xbb\xbfneedle\n" + filler, "wide": "\xff\xfe" + strings.Repeat("n\x00e\x00e\x00d\x00l\x00e\x00\n\x00", 100_000), "nul": filler + "\x00needle\n",
		"two": filler + "nee\n" + filler + "dle\n", "start": filler + "\nx needle\n",
	})
	t.Chdir(dir)
	for _, tt := range []struct{ args, want string }{
		{"-l ^needle", "first last long mark open wide"},
		{"-l needle$", "first last long mark open start wide"},
		{"-l -w needle", "first last long mark open start wide"},
		{"-lP (?<=x.)needle", "start"},
		{"-lU nee\\n(a.line.of.filler\\n)*dle", "two"},
		{"-l no-such", ""},
		{"--files-without-match needle", "none two"},
		{"-lv filler", "first last long mark open start two wide"},
		{"-c needle", "first:1 last:1 long:1 mark:1 open:1 start:1 wide:100000"},
		{"-c --include-zero needle none two", "none:0 two:0"},
		{"-n needle last", "80001:needle"},
		{"-n needle none", ""},
		{"needle nul", `binary file matches (found "\0" byte around offset 1360000)`},
	} {
		t.Run(tt.args, func(t *testing.T) {
			args := append(strings.Fields(tt.args), "--sort", "path")
			out, problems, _ := runGrep(t, args...)
			if got := strings.Join(strings.Fields(out), " "); got != tt.want || problems != "" {
				t.Errorf("found %.300s, want %s; %s", got, tt.want, problems)
			}
		})
	}
}

// TestGrepStdin searches what is piped in.
func TestGrepStdin(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"in.txt": "foo\nbar\nfoo bar\n", "pats": "bar\n"})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"foo"}, "foo\nfoo bar\n", 0},
		{[]string{"-n", "bar"}, "2:bar\n3:foo bar\n", 0},
		{[]string{"-c", "bar"}, "2\n", 0},
		{[]string{"-H", "foo", "-"}, "<stdin>:foo\n<stdin>:foo bar\n", 0},
		{[]string{"foo", "-", "in.txt"}, "<stdin>:foo\n<stdin>:foo bar\nin.txt:foo\nin.txt:foo bar\n", 0},
		{[]string{"zzz"}, "", 1},
		{[]string{"-f", "pats"}, "bar\nfoo bar\n", 0},
		{[]string{"--files"}, "in.txt\npats\n", 0},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			in, err := os.Open("in.txt")
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var out, problems bytes.Buffer
			if code := Main(slices.Concat([]string{"grep"}, tt.args), in, &out, &problems, os.Environ(), nil); code != tt.code || out.String() != tt.want {
				t.Errorf("exit code %d, %q, %s", code, out.String(), problems.String())
			}
		})
	}
}

// TestGrepPipe holds that what a shell writes of <(COMMAND) is searched.
func TestGrepPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if _, err := to.WriteString("foo\nbar\n"); err != nil {
		t.Fatal(err)
	}
	to.Close()
	name := fmt.Sprintf("/dev/fd/%d", from.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skipf("no %s here: %v", name, err)
	}
	if out, problems, code := runGrep(t, "-n", "bar", name); code != 0 || out != "2:bar\n" {
		t.Errorf("exit code %d, %q, %s", code, out, problems)
	}
}

// unreadableDir names the folder for the child process of TestGrepUnreadable.
const unreadableDir = "CLI_TEST_UNREADABLE"

// TestGrepUnreadable holds that a folder and a file without permission are named and the
// rest is searched. As root may read everything, it runs itself as another user then.
func TestGrepUnreadable(t *testing.T) {
	if dir := os.Getenv(unreadableDir); dir != "" {
		grepUnreadable(t, dir)
		return
	}
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.txt": "foo\n", "shut/b.txt": "foo\n", "c.txt": "foo\n"})
	for _, name := range []string{"shut", "c.txt"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(dir, "shut"), 0o755)
	if os.Geteuid() != 0 {
		grepUnreadable(t, dir)
		return
	}
	for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestGrepUnreadable$", "-test.v")
	cmd.Dir, cmd.Env = "/", []string{unreadableDir + "=" + dir, "HOME=/nonexistent"}
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestGrepUnreadable") {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}

func grepUnreadable(t *testing.T, dir string) {
	t.Chdir(dir)
	out, problems, code := runGrep(t, "foo")
	if code != 2 || out != "a.txt:foo\n" || !strings.Contains(problems, "shut: permission denied") || !strings.Contains(problems, "c.txt: permission denied") {
		t.Errorf("exit code %d, %q, %s", code, out, problems)
	}
	if out, problems, code := runGrep(t, "--no-messages", "foo"); code != 2 || out != "a.txt:foo\n" || problems != "" {
		t.Errorf("without messages: exit code %d, %q, %s", code, out, problems)
	}
}
