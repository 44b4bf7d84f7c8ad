package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// git runs git in a folder.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main", "-c", "gc.auto=0"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// watching starts `espy watch` on a place and passes on the generations that it
// tells of. The process ends with the test.
func (p *place) watching() (pid int, generations <-chan uint64) {
	p.t.Helper()
	cmd := p.command("watch", "--json")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	told := make(chan uint64, 1<<16)
	go func() {
		defer close(told)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var report struct{ Generation uint64 }
			if json.Unmarshal(lines.Bytes(), &report) == nil {
				told <- report.Generation
			}
		}
	}()
	<-told
	return cmd.Process.Pid, told
}

// cpuOf is the processor time of a running process.
func cpuOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, errUser := strconv.Atoi(f[11])
	system, errSystem := strconv.Atoi(f[12])
	if errUser != nil || errSystem != nil {
		t.Fatalf("read %q", b)
	}
	return time.Duration(user+system) * 10 * time.Millisecond // in ticks of 1/100 s, as Linux counts for programs
}

// answer is what a search in a new process says.
type answer struct {
	Total     int
	Freshness struct {
		Generation   uint64
		Commit       string
		PendingFiles int `json:"pending_files"`
	}
}

func (p *place) ask(text string) (a answer) {
	p.t.Helper()
	out, err := p.command("search", "--json", "--mode", "literal", "--limit", "1", text).Output()
	if code := exitOf(err); code != 0 && code != 1 {
		p.t.Fatalf("search %q: %v", text, err)
	}
	if err := json.Unmarshal(out, &a); err != nil {
		p.t.Fatalf("search %q: %v in %.500s", text, err, out)
	}
	return a
}

// soakWorktree indexes Go's source, and a work tree of it.
func soakWorktree(t *testing.T) {
	p := newPlace(t, nil)
	if err := os.CopyFS(filepath.Join(p.tree, "src"), os.DirFS(goSource(t))); err != nil {
		t.Fatal(err)
	}
	git(t, p.tree, "init", "-q")
	git(t, p.tree, "add", "-A")
	git(t, p.tree, "commit", "-q", "-m", "first")
	second := *p
	second.tree = filepath.Join(t.TempDir(), "second")
	git(t, p.tree, "worktree", "add", "-q", "-b", "second", second.tree)
	_, first := p.measure("index")
	out, c := second.measure("index")
	t.Logf("first %v\nsecond %v\n%s", first, c, out)
	if c.cpu > first.cpu/10 {
		t.Errorf("the second work tree took %.2f of the first one's processor time, want at most 0.1", c.cpu.Seconds()/first.cpu.Seconds())
	}
	second.want(0, "", "verify")
	p.measure("remove", filepath.Base(p.tree))
	second.want(0, "", "verify")
	second.want(0, `"total":`, "search", "--json", "--mode", "literal", "func Println")
}

// soakSwitch goes between two branches that differ in 5,000 of 6,000 files, while
// questions are asked all the time.
func soakSwitch(t *testing.T) {
	p := newPlace(t, nil)
	write := func(branch string, n int) {
		for i := range n {
			name := filepath.Join(p.tree, fmt.Sprintf("d%d/f%d.go", i%100, i))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			text := fmt.Appendf(nil, "package d%d\n\n// marker of %s\nfunc F%d() string { return %q }\n", i%100, branch, i, branch)
			for line := range 40 {
				text = fmt.Appendf(text, "\nfunc g%d_%d(x int) int { return x * %d }\n", i, line, i*line)
			}
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("main", 6000)
	git(t, p.tree, "init", "-q")
	git(t, p.tree, "add", "-A")
	git(t, p.tree, "commit", "-q", "-m", "main")
	git(t, p.tree, "checkout", "-q", "-b", "topic")
	write("topic", 5000)
	git(t, p.tree, "commit", "-q", "-a", "-m", "topic")
	commit := map[string]string{"main": git(t, p.tree, "rev-parse", "main"), "topic": git(t, p.tree, "rev-parse", "topic")}
	topics := map[string]int{commit["main"]: 0, commit["topic"]: 5000}

	_, first := p.measure("index")
	t.Logf("first indexing: %v", first)
	pid, _ := p.watching()
	for round := range 6 {
		branch := []string{"main", "topic"}[round%2]
		before := cpuOf(t, pid)
		began, asked := time.Now(), 0
		switched := make(chan time.Time, 1)
		go func() {
			defer func() { switched <- time.Now() }()
			git(t, p.tree, "checkout", "-q", branch)
		}()
		for a := p.ask("marker of topic"); ; a = p.ask("marker of topic") {
			asked++
			if a.Freshness.Commit == commit[branch] {
				if want := topics[commit[branch]]; a.Total != want {
					t.Errorf("round %d: generation %d says it is of %s and shows %d files of topic, want %d", round, a.Freshness.Generation, branch, a.Total, want)
				}
				break
			}
			if time.Since(began) > time.Minute {
				t.Fatalf("round %d: not seen within a minute", round)
			}
		}
		began = <-switched
		took := time.Since(began)
		t.Logf("to %s: seen after %.1f s and %d questions; the watcher used %.2f s of processor time", branch, took.Seconds(), asked, (cpuOf(t, pid) - before).Seconds())
		if took > 10*time.Second {
			t.Errorf("to %s: seen after %v, want at most 10 s", branch, took)
		}
	}
	out, _ := p.measure("status")
	t.Logf("%s", out)
	p.want(0, "", "verify")
	noTemporaryFiles(t, p.home)
}

// soakChanges makes 200 changes a second for a minute.
func soakChanges(t *testing.T) {
	const files, each, long = 3000, 5 * time.Millisecond, time.Minute
	p := newPlace(t, nil)
	edit := func(i, version int) {
		name := filepath.Join(p.tree, fmt.Sprintf("d%d/f%d.go", i%50, i))
		text := fmt.Sprintf("package d\n\n// version %d of %d\nfunc F%d() {}\n", version, i, i)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for d := range 50 {
		if err := os.MkdirAll(filepath.Join(p.tree, fmt.Sprint("d", d)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range files {
		edit(i, 0)
	}
	p.measure("index", "--exact")
	pid, told := p.watching()
	var generations atomic.Int64
	go func() {
		for range told {
			generations.Add(1)
		}
	}()
	before := cpuOf(t, pid)
	rnd := rand.New(rand.NewPCG(2, 2))
	versions := make([]int, files)
	began, n := time.Now(), 0
	for ; n < int(long/each); n++ {
		time.Sleep(time.Until(began.Add(time.Duration(n) * each)))
		i := rnd.IntN(files)
		versions[i]++
		edit(i, versions[i])
	}
	versions[0]++
	edit(0, versions[0])
	last := time.Now()
	for p.ask(fmt.Sprintf("// version %d of 0\n", versions[0])).Total == 0 {
		if time.Since(last) > time.Minute {
			t.Fatal("the last change was not seen within a minute")
		}
	}
	seen := time.Since(last)
	quiet(t, pid)
	used := cpuOf(t, pid) - before
	commits := generations.Load()
	t.Logf("%d changes in %.0f s: the last seen after %.2f s, %d generations, %.1f s of processor time", n, last.Sub(began).Seconds(), seen.Seconds(), commits, used.Seconds())
	if seen > 5*time.Second {
		t.Errorf("the last change was seen after %v, want at most 5 s", seen)
	}
	if most := int64(last.Sub(began)/time.Second) + 10; commits > most { // a batch lasts at most a second
		t.Errorf("%d generations, want one for each batch: at most %d", commits, most)
	}
	idle := cpuOf(t, pid)
	time.Sleep(10 * time.Second)
	if idle = cpuOf(t, pid) - idle; idle > 100*time.Millisecond {
		t.Errorf("10 s without a change took %v of processor time", idle)
	}
	t.Logf("10 s without a change: %v of processor time", idle)
	for i := range 20 {
		if a := p.ask(fmt.Sprintf("// version %d of %d\n", versions[i], i)); a.Total != 1 {
			t.Errorf("file %d: %d hits of its last version, want 1", i, a.Total)
		}
	}
	p.want(0, "", "verify")
	noTemporaryFiles(t, p.home)
}

// quiet waits until a process has used no processor time for a second.
func quiet(t *testing.T, pid int) {
	t.Helper()
	for end, at := time.Now().Add(time.Minute), cpuOf(t, pid); ; {
		time.Sleep(time.Second)
		now := cpuOf(t, pid)
		if now == at {
			return
		}
		if at = now; time.Now().After(end) {
			t.Fatal("the process does not come to rest")
		}
	}
}

// TestFewWatches follows a folder where the system lets only ten be watched:
// the files are looked at from time to time, which is said.
func TestFewWatches(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for the poll of ten seconds")
	}
	few := []string{"unshare", "-U", "-r", "sh", "-c", `echo 10 >/proc/sys/user/max_inotify_watches && exec "$@"`, "sh"}
	if err := exec.Command(few[0], append(few[1:], "true")...).Run(); err != nil {
		t.Skipf("no user namespace with a limit of its own: %v", err)
	}
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("d%d/f.go", i)] = "package d\n"
	}
	p := newPlace(t, files)
	p.prefix = few
	cmd := p.command("watch", "--json")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Signal(syscall.SIGKILL); cmd.Wait() })
	for line, lines := "", bufio.NewReader(stderr); !strings.Contains(line, "max_user_watches"); {
		line = readLine(t, lines)
	}
	lines := bufio.NewReader(stdout)
	readLine(t, lines)
	if err := os.WriteFile(filepath.Join(p.tree, "d7", "new.go"), []byte("package d\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if line := readLine(t, lines); !strings.Contains(line, `"files":31`) {
		t.Errorf("told %s, want 31 files", line)
	}
}
