package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/proof"
)

// The faults that strace injects into the real program while it writes: it is
// killed in the middle of a system call, or the call fails. Writes to the
// index are pwrite64, so that other writes of a process are left alone.
//
// strace counts the calls of each thread by itself, and which thread makes a
// call is a matter of chance. A run with a fault in the Nth call of a thread is
// therefore repeated, for every N, until every call of the program was hit, or
// often enough.

// lab is a tree with a home folder for its index.
type lab struct {
	t          *testing.T
	tree, home string
	during     *fault // injected into every question
}

// queries are asked after each fault; one per mode, and each finds most files.
var queries = [][]string{
	{"--mode", "keyword", "handle request server"},
	{"--mode", "literal", "func Handle"},
	{"--mode", "regex", `return \d+ \* [a-z]+`},
}

// espy runs the program, through strace when a fault is given.
func (l lab) espy(f *fault, args ...string) (stdout, stderr string, err error) {
	args = append([]string{espy(l.t)}, args...)
	if f != nil {
		args = append(f.strace(), args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = l.tree
	cmd.Env = []string{"HOME=" + l.home, "PATH=" + os.Getenv("PATH"), "GOMAXPROCS=1"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// answers returns what the queries find, without times and generations.
func (l lab) answers() (string, error) {
	var all strings.Builder
	for _, q := range queries {
		args := append([]string{"search", "--json", "--limit", "1000"}, q...)
		out, stderr, err := l.espy(l.during, args...)
		if err != nil {
			return "", fmt.Errorf("espy %q: %v\n%s", args, err, stderr)
		}
		var res any
		if err := json.Unmarshal([]byte(out), &res); err != nil {
			return "", fmt.Errorf("espy %q: %v in %q", args, err, out)
		}
		strip(res)
		b, err := json.MarshalIndent(res, "", " ")
		if err != nil {
			return "", err
		}
		all.Write(append(b, '\n'))
	}
	return all.String(), nil
}

// wantAnswers holds that the answers are those of a clean build.
func (l lab) wantAnswers(want string) {
	l.t.Helper()
	got, err := l.answers()
	if err != nil {
		l.t.Error(err)
	} else if got != want {
		l.t.Errorf("answers differ from a clean build (-clean +got):\n%s", cmp.Diff(want, got))
	}
}

// strip takes out of an answer what depends on the way to it.
func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"took_ms", "generation", "symbol", "kind", "symbol_id", "calls", "calls_at_least"} {
			delete(v, name) // what a hit stands in is known better once its file is parsed
		}
		for _, e := range v {
			strip(e)
		}
	case []any:
		for _, e := range v {
			strip(e)
		}
	}
}

// check holds what must be true after any fault: the index opens, is whole,
// answers as a clean build does, and keeps nothing that is not needed.
func (l lab) check(want string) {
	l.t.Helper()
	if _, stderr, err := l.espy(nil, "verify"); err != nil && !strings.Contains(stderr, "not indexed yet") && !strings.Contains(stderr, "no repository") {
		l.t.Errorf("verify after the fault: %v, %s", err, stderr)
	}
	l.wantAnswers(want)
	if out, stderr, err := l.espy(nil, "index", "--exact"); err != nil {
		l.t.Errorf("index: %v, %s%s", err, out, stderr)
	}
	if out, stderr, err := l.espy(nil, "verify"); err != nil {
		l.t.Errorf("verify: %v, %s%s", err, out, stderr)
	}
	l.tidy()
}

// tidy holds that a writer left no temporary file behind, and no part that the
// manifest does not list.
func (l lab) tidy() {
	l.t.Helper()
	repos, err := filepath.Glob(filepath.Join(l.home, ".local/share/espy/repos/*/view-main.json"))
	if err != nil || len(repos) != 1 {
		l.t.Fatalf("manifests: %v, %v", repos, err)
	}
	manifest, err := os.ReadFile(repos[0])
	if err != nil {
		l.t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(l.home, ".local/share/espy"), func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		part := strings.HasSuffix(name, ".lex") || strings.HasSuffix(name, ".tree") || strings.HasSuffix(name, ".bad")
		if strings.HasPrefix(name, "tmp-") || part && !bytes.Contains(manifest, []byte(name)) {
			l.t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// fault is what strace does to the calls of a program.
type fault struct {
	calls string // names, separated by commas
	do    string // "signal=KILL" or "error=NAME"
	when  string // which of the calls, in strace's notation
	log   string // file that strace writes the calls to
}

func (f *fault) strace() []string {
	args := []string{"strace", "-f", "-qqq", "--signal=none", "-o", f.log, "-e", "trace=" + f.calls}
	if !strings.HasPrefix(f.do, "signal=") { // strace 6.1 sends no signal when the kernel filters the calls
		args = append(args, "--seccomp-bpf")
	}
	if f.do != "" {
		args = append(args, "-e", "inject="+f.calls+":"+f.do+":when="+f.when)
	}
	return args
}

// hit returns the position of the call that was hit among all calls of the
// run, 0 for none, and how many calls there were.
func (f *fault) hit(t *testing.T) (at, calls int) {
	t.Helper()
	b, err := os.ReadFile(f.log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if !strings.Contains(line, "(") || strings.Contains(line, "resumed>") {
			continue
		}
		calls++
		if at == 0 && (strings.Contains(line, "INJECTED") || f.do == "signal=KILL" && strings.HasSuffix(strings.TrimSpace(line), "= ?")) {
			at = calls
		}
	}
	return at, calls
}

const (
	flushes = "fsync"
	writes  = "pwrite64"
	renames = "rename,renameat,renameat2"
	links   = "link,linkat,unlinkat"
)

// scenario is a state of the index in which a writer begins, and the writer.
type scenario struct {
	name    string
	home    string // copied for every run
	command []string
}

// scenarios makes a tree, and homes in which it was not indexed at all and in
// which it was indexed before files changed. The last change makes the writer
// merge segments too.
func scenarios(t *testing.T) (tree, want string, all []scenario) {
	t.Helper()
	tree = t.TempDir()
	source := func(i, version int) string {
		return fmt.Sprintf("package p%d\n\n// Handle%d serves the request of server %d.\nfunc Handle%d(x int) int { return %d * x }\n", i, i, version, i, version)
	}
	set := func(i, version int) {
		if err := os.WriteFile(filepath.Join(tree, fmt.Sprintf("f%02d.go", i)), []byte(source(i, version)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		set(i, 1)
	}
	before := lab{t: t, tree: tree, home: t.TempDir()}
	for i := range 7 {
		set(10+i, 2)
		if out, stderr, err := before.espy(nil, "index", "--exact"); err != nil {
			t.Fatalf("index: %v, %s%s", err, out, stderr)
		}
	}
	for i := range 4 {
		set(i, 3)
	}
	set(20, 3)
	if err := os.Remove(filepath.Join(tree, "f05.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(tree, "f06.go"), filepath.Join(tree, "moved.go")); err != nil {
		t.Fatal(err)
	}
	clean := lab{t: t, tree: tree, home: t.TempDir()}
	want, err := clean.answers()
	if err != nil {
		t.Fatal(err)
	}
	return tree, want, []scenario{
		{"first", t.TempDir(), []string{"index", "--exact"}},
		{"change", before.home, []string{"index", "--exact"}},
		{"forced", before.home, []string{"index", "--exact", "--force"}},
		{"search", before.home, append([]string{"search"}, queries[0]...)},
	}
}

// begin returns a lab with a copy of the scenario's home.
func (s scenario) begin(t *testing.T, tree string) lab {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(s.home)); err != nil {
		t.Fatal(err)
	}
	return lab{t: t, tree: tree, home: home}
}

// calls counts how many of the calls the scenario's writer makes.
func (s scenario) calls(t *testing.T, tree, calls string) int {
	t.Helper()
	l := s.begin(t, tree)
	f := &fault{calls: calls, log: filepath.Join(t.TempDir(), "log")}
	if out, stderr, err := l.espy(f, s.command...); err != nil {
		t.Fatalf("%q: %v, %s%s", s.command, err, out, stderr)
	}
	_, n := f.hit(t)
	return n
}

// sweep is a fault in each call of a kind, in turn.
type sweep struct {
	name, calls, do string
	onwards         bool   // every call from there on fails
	twice           bool   // the next run is hit too
	searched        bool   // other processes search meanwhile
	scenarios       string // their names
}

func (s *sweep) fault(t *testing.T, n int) *fault {
	f := &fault{calls: s.calls, do: s.do, when: fmt.Sprint(n), log: filepath.Join(t.TempDir(), "log")}
	if s.onwards {
		f.when += "+"
	}
	return f
}

func TestFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts the program hundreds of times")
	}
	tree, want, all := scenarios(t)
	for _, s := range []sweep{
		{name: "killed at a flush", calls: flushes, do: "signal=KILL", scenarios: "first change search"},
		{name: "killed at a flush, twice", calls: flushes, do: "signal=KILL", twice: true, scenarios: "first change"},
		{name: "killed at a flush while searched", calls: flushes, do: "signal=KILL", searched: true, scenarios: "forced"},
		{name: "killed at a rename", calls: renames, do: "signal=KILL", scenarios: "first change search"},
		{name: "killed at a write", calls: writes, do: "signal=KILL", scenarios: "first change"},
		{name: "killed at a link", calls: links, do: "signal=KILL", scenarios: "first change"},
		{name: "flush fails", calls: flushes, do: "error=EIO", scenarios: "first change"},
		{name: "every flush fails", calls: flushes, do: "error=EIO", onwards: true, scenarios: "first change"},
		{name: "write fails", calls: writes, do: "error=EIO", scenarios: "first change"},
		{name: "disk full", calls: writes, do: "error=ENOSPC", onwards: true, scenarios: "first change search"},
		{name: "rename fails", calls: renames, do: "error=ENOSPC", scenarios: "first change"},
		{name: "no room at a flush", calls: flushes, do: "error=ENOSPC", scenarios: "change"},
		{name: "rename has an I/O error", calls: renames, do: "error=EIO", scenarios: "change"},
	} {
		for _, begin := range all {
			if !slices.Contains(strings.Fields(s.scenarios), begin.name) {
				continue
			}
			t.Run(s.name+"/"+begin.name, func(t *testing.T) {
				t.Parallel()
				s.run(t, begin, tree, want)
			})
		}
	}
}

// rounds bounds how often a fault is tried in every call of a thread.
func rounds() int {
	if proof.Race {
		return 1 // the program starts slowly then
	}
	return 3
}

func (s *sweep) run(t *testing.T, begin scenario, tree, want string) {
	total := begin.calls(t, tree, s.calls)
	covered := map[int]bool{}
	for run := 0; len(covered) < total && run < rounds()*total; run++ {
		l := begin.begin(t, tree)
		reading := s.reader(l, want)
		f := s.fault(t, run%total+1)
		out, stderr, err := l.espy(f, begin.command...)
		reading()
		at, _ := f.hit(t)
		if at == 0 || covered[at] {
			continue
		}
		covered[at] = true
		if begin.name != "search" && s.do != "signal=KILL" && err != nil {
			wantFailure(t, err, stderr)
		}
		if s.twice {
			l.espy(s.fault(t, 1+run*3%total), begin.command...)
		}
		if s.onwards && begin.name != "first" {
			l.during = f
			l.wantAnswers(want)
			l.during = nil
		}
		l.check(want)
		if t.Failed() {
			t.Fatalf("with a fault in call %d of %d: %v\n%s%s", at, total, err, out, stderr)
		}
	}
	if len(covered) < total/2 && !proof.Race || len(covered) == 0 {
		t.Errorf("only %d of %d calls were hit", len(covered), total)
	}
	t.Logf("%d of %d calls hit", len(covered), total)
}

// reader asks in the background until the function it returns is called.
func (s *sweep) reader(l lab, want string) (wait func()) {
	if !s.searched {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.wantAnswers(want)
	}()
	return func() { <-done }
}

// wantFailure holds that a run that could not write ends as promised.
func wantFailure(t *testing.T, err error, stderr string) {
	t.Helper()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("ended with %v, want exit code 2", err)
	}
	named := strings.Contains(stderr, "/.local/share/espy") && (strings.Contains(stderr, "input/output error") || strings.Contains(stderr, "no space left"))
	if !named || strings.Contains(stderr, "panic") || strings.Contains(stderr, "goroutine") {
		t.Errorf("standard error %q, want the file and what is wrong with it", stderr)
	}
}

// place runs the program with a home of its own on a tree, prefixed with a
// command that changes what the process may do.
type place struct {
	t          *testing.T
	tree, home string
	prefix     []string
	user       int // 0: who runs the test
}

func newPlace(t *testing.T, files map[string]string) *place {
	return &place{t: t, tree: tree(t, files), home: t.TempDir()}
}

func (p *place) command(args ...string) *exec.Cmd {
	args = slices.Concat(p.prefix, []string{espy(p.t)}, args)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = p.tree
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	if p.user != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(p.user), Gid: uint32(p.user)}}
	}
	return cmd
}

// run runs the program, which must not die of a panic or a fault.
func (p *place) run(args ...string) (out string, code int) {
	p.t.Helper()
	b, err := p.command(args...).CombinedOutput()
	if code = exitOf(err); code < 0 || code > 2 || bytes.Contains(b, []byte("goroutine ")) {
		p.t.Errorf("espy %q: %v\n%.2000s", args, err, b)
	}
	return string(b), code
}

// want runs the program, which must end with a code and print some text.
func (p *place) want(code int, text string, args ...string) {
	p.t.Helper()
	out, got := p.run(args...)
	if got != code || !strings.Contains(out, text) {
		p.t.Errorf("espy %q: exit code %d, want %d, and %q in:\n%.2000s", args, got, code, text, out)
	}
}

// large returns n files of about 100 KB with words of their own.
func large(n int) map[string]string {
	files := map[string]string{}
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		var b strings.Builder
		for b.Len() < 100_000 {
			fmt.Fprintf(&b, "word%x other%x\n", rnd.Uint32(), rnd.Uint32())
		}
		files[fmt.Sprintf("f%04d.txt", i)] = b.String() + fmt.Sprintf("needle %d\n", i)
	}
	return files
}

// TestHardship runs the program where the machine gives less than it asks for.
func TestHardship(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"disk of 16 MB", fullDisk},
		{"disk full in the first indexing", fullDiskAtFirst},
		{"read-only disk", readOnlyDisk},
		{"index of another user", otherUsersIndex},
		{"64 descriptors", fewDescriptors},
		{"nested brackets", nestedBrackets},
		{"two writers", twoWriters},
		{"global ignore file", globalIgnore},
		{"stopped writer", stoppedWriter},
		{"file that grows", growingFile},
		{"repository that goes", vanishedRepository},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.run(t)
		})
	}
}

// mount puts a disk in memory at a folder until the test ends.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("mount a disk: %v, %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
}

func fullDisk(t *testing.T) {
	p := newPlace(t, map[string]string{"first.txt": "needle here\n"})
	mount(t, p.home, "size=16m")
	p.want(0, "first.txt", "search", "--mode", "literal", "needle")
	for name, text := range large(150) {
		if err := os.WriteFile(filepath.Join(p.tree, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.want(2, "no space left", "index")
	p.want(2, "hint: free some space", "index")
	p.want(0, "first.txt", "search", "--mode", "literal", "needle") // the old generation
	p.want(0, "", "verify")
	noTemporaryFiles(t, p.home)
	for name := range large(150) {
		os.Remove(filepath.Join(p.tree, name))
	}
	p.want(0, "", "index") // goes on by itself
	p.want(0, "", "verify")
}

func fullDiskAtFirst(t *testing.T) {
	p := newPlace(t, large(150))
	mount(t, p.home, "size=16m")
	p.want(2, "no space left", "index")
	noTemporaryFiles(t, p.home)
	if out, code := p.run("search", "--mode", "literal", "needle"); code == 2 && !strings.Contains(out, "no space left") {
		t.Errorf("search: %s", out)
	}
}

func readOnlyDisk(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "needle one\n"})
	mount(t, p.home, "rw")
	p.want(0, "a.txt", "search", "--mode", "literal", "needle")
	if out, err := exec.Command("mount", "-o", "remount,ro", p.home).CombinedOutput(); err != nil {
		t.Fatalf("mount it read-only: %v, %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(p.tree, "b.txt"), []byte("needle two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(0, "b.txt", "search", "--mode", "literal", "needle") // fresh, without writing
	p.want(0, "2 of 2", "files")
	p.want(2, "hint: that disk is read-only", "index")
	p.want(0, "", "verify")
	p.want(0, "", "status")
}

func otherUsersIndex(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	p := newPlace(t, map[string]string{"a.txt": "needle one\n"})
	p.want(0, "a.txt", "search", "--mode", "literal", "needle")
	err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, map[bool]os.FileMode{true: 0o555, false: 0o444}[d.IsDir()])
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{p.tree, filepath.Dir(p.tree), p.home, filepath.Dir(p.home), filepath.Dir(espy(t))} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.user = 65534
	if err := os.WriteFile(filepath.Join(p.tree, "b.txt"), []byte("needle two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(0, "b.txt", "search", "--mode", "literal", "needle") // fresh, without writing
	p.want(2, "permission denied", "index")
	p.want(0, "", "verify")
}

func fewDescriptors(t *testing.T) {
	files := large(40)
	for i := range 300 {
		files[fmt.Sprintf("a/b%d/c%d/d.txt", i%20, i)] = "needle deep\n"
	}
	p := newPlace(t, files)
	p.prefix = []string{"bash", "-c", `ulimit -n 64; exec "$@"`, "bash"}
	p.want(0, "340 files", "index")
	p.want(0, "", "verify")
	p.want(0, "f0000.txt", "search", "--mode", "literal", "needle 0")
}

func nestedBrackets(t *testing.T) {
	files := map[string]string{}
	for _, ext := range []string{"go", "py", "js", "ts", "json", "c", "rs", "java", "rb", "md", "html", "yaml", "sh"} {
		for name, open := range map[string]string{"round": "(", "square": "[", "curly": "{", "if": "if (x) {\n", "angle": "<a>"} {
			files[name+"."+ext] = "needle\n" + strings.Repeat(open, 20_000) + "\n"
		}
	}
	p := newPlace(t, files)
	out, c := p.measure("index")
	if !strings.Contains(out, fmt.Sprint(len(files), " files")) || c.cpu > 30*time.Second {
		t.Errorf("%v: %s", c, out)
	}
	p.want(0, fmt.Sprint(`"total":`, len(files)), "search", "--json", "--mode", "literal", "needle")
}

func twoWriters(t *testing.T) {
	p := newPlace(t, large(60))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { p.want(0, "60 files", "index", "--force") })
	}
	wg.Wait()
	p.want(0, "", "verify")
	noTemporaryFiles(t, p.home)
}

func vanishedRepository(t *testing.T) {
	p := newPlace(t, map[string]string{"tree/a.txt": "needle\n"})
	at := filepath.Join(p.tree, "tree")
	p.want(0, "1 file,", "index", at, "--exact", "--name", "gone")
	if err := os.Rename(at, at+"-moved"); err != nil {
		t.Fatal(err)
	}
	p.want(0, "cannot be read any more", "search", "--repo", "gone", "--mode", "literal", "needle")
	p.want(2, "espy remove", "index", "--repo", "gone")
	if err := os.WriteFile(at, []byte("now a file"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(0, "a.txt", "search", "--repo", "gone", "--mode", "literal", "needle")
	p.want(2, "espy remove", "index", "--repo", "gone")
	p.want(0, "", "verify", "gone")
	p.want(0, "", "remove", "gone")
}

// globalIgnore puts in the place of the user's ignore file what cannot be read.
func globalIgnore(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "needle\n"})
	ignore := filepath.Join(p.home, "ignored")
	if err := os.WriteFile(filepath.Join(p.home, ".gitconfig"), []byte("[core]\nexcludesFile = ~/ignored\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // who may read everything
		p.user = 65534
		for _, dir := range []string{p.tree, filepath.Dir(p.tree), p.home, filepath.Dir(p.home), filepath.Dir(espy(t))} {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(p.home, p.user, p.user); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		make func() error
		told string
	}{
		{func() error { return os.WriteFile(ignore, []byte("a.txt\n"), 0) }, "permission denied"},
		{func() error { return os.Mkdir(ignore, 0o755) }, "not a regular file"},
		{func() error { return syscall.Mkfifo(ignore, 0o666) }, "not a regular file"},
	} {
		if err := tt.make(); err != nil {
			t.Fatal(err)
		}
		p.want(0, tt.told, "search", "--mode", "literal", "needle")
		p.want(0, tt.told, "index")
		p.want(0, tt.told, "index", "--json")
		p.want(0, tt.told, "status")
		if err := os.Remove(ignore); err != nil {
			t.Fatal(err)
		}
	}
	p.want(0, "a.txt", "search", "--mode", "literal", "needle")
	if err := os.WriteFile(ignore, []byte("a.txt\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(1, "", "search", "--mode", "literal", "needle")
}

func noTemporaryFiles(t *testing.T, home string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), "tmp-") {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// stoppedWriter stops a process that holds the writer's lock: others answer,
// fresh or saying what is pending, and do not take the lock; who indexes says
// which process it waits for. When the process goes on all end well.
func stoppedWriter(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "needle old\n"})
	p.want(0, "a.txt", "search", "--mode", "literal", "needle")
	for name, text := range large(100) {
		if err := os.WriteFile(filepath.Join(p.tree, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writer, said := p.start("index", "--force")
	readLine(t, said) // it indexes, and so has the lock
	if err := writer.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for name := range large(100) {
		os.Remove(filepath.Join(p.tree, name))
	}
	if err := os.WriteFile(filepath.Join(p.tree, "b.txt"), []byte("needle new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(0, "b.txt", "search", "--mode", "literal", "needle")
	waits := fmt.Sprintf("waiting for process %d,", writer.Process.Pid)
	second, said := p.start("index")
	wantLine(t, said, waits)
	third, said := p.start("index")
	wantLine(t, said, waits)
	if err := third.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := third.Wait(); exitOf(err) != 130 {
		t.Errorf("interrupted while it waits: %v", err)
	}
	server := p.server(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"index","arguments":{},"_meta":{"progressToken":"t"}}}`)
	wantLine(t, server, waits)
	p.want(0, "", "verify")
	for name, text := range large(60) { // too much to be shown without being written
		if err := os.WriteFile(filepath.Join(p.tree, "more-"+name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.want(0, "pending: 6", "search", "--mode", "literal", "needle old")
	for name := range large(60) {
		os.Remove(filepath.Join(p.tree, "more-"+name))
	}
	if err := writer.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writer.Wait(), second.Wait()); err != nil {
		t.Errorf("the writers: %v", err)
	}
	p.want(0, "", "verify")
	p.want(0, `"total":2`, "search", "--json", "--mode", "literal", "needle")
	noTemporaryFiles(t, p.home)
}

// start starts the program and returns its standard error.
func (p *place) start(args ...string) (*exec.Cmd, *bufio.Reader) {
	p.t.Helper()
	cmd := p.command(args...)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewReader(stderr)
}

// server starts a server, which ends with the test, and makes a call of it.
func (p *place) server(call string) *bufio.Reader {
	p.t.Helper()
	cmd := p.command("mcp")
	cmd.Stdin = io.MultiReader(strings.NewReader(initialize+call+"\n"), neverEnds{p.t.Context()})
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return bufio.NewReader(stdout)
}

// neverEnds is an input without a byte until the test ends.
type neverEnds struct{ context.Context }

func (r neverEnds) Read([]byte) (int, error) { <-r.Done(); return 0, io.EOF }

// wantLine reads until a line has some text in it.
func wantLine(t *testing.T, r *bufio.Reader, text string) {
	t.Helper()
	for {
		if line := readLine(t, r); strings.Contains(line, text) {
			return
		}
	}
}

// growingFile indexes while another process appends to a file and replaces
// another all the time: what is indexed is a state that the file was in.
func growingFile(t *testing.T) {
	p := newPlace(t, map[string]string{"log.txt": "", "swap.txt": strings.Repeat("a", 9999) + "\n"})
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		log, err := os.OpenFile(filepath.Join(p.tree, "log.txt"), os.O_APPEND|os.O_WRONLY, 0)
		for i := 0; err == nil; i++ {
			select {
			case <-stop:
				done <- log.Close()
				return
			default:
			}
			next := filepath.Join(p.tree, ".git") // a name that is not indexed
			_, err = fmt.Fprintf(log, "line %06d\n", i)
			err = errors.Join(err, os.WriteFile(next, []byte(strings.Repeat(string(rune('a'+i%26)), 9999)+"\n"), 0o644), os.Rename(next, filepath.Join(p.tree, "swap.txt")))
		}
		done <- err
	}()
	for range 10 {
		out, code := p.run("search", "--json", "--mode", "regex", `^a+[^a\n]|^([b-z])[^\n]*a`)
		if code == 2 || strings.Contains(out, `"path":"swap.txt"`) {
			t.Errorf("code %d, a mixture of two states: %.300s", code, out)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	p.want(0, "2 files", "index")
	p.want(0, "", "verify")
}
