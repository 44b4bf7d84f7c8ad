package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSoak runs what takes minutes: `make soak`. Each part logs its figures.
func TestSoak(t *testing.T) {
	if os.Getenv("ESPY_SOAK") == "" {
		t.Skip("takes minutes: make soak runs it")
	}
	t.Run("gigabyte of source", soakGigabyte)
	t.Run("million files", soakMillion)
	t.Run("huge files", soakHugeFiles)
	t.Run("kills at random times", soakKills)
	t.Run("second work tree", soakWorktree)
	t.Run("switch of 5,000 files", soakSwitch)
	t.Run("200 changes a second", soakChanges)
	t.Run("a team, one worker and one server killed", soakTeam)
}

// cost is what one run of the program took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory
}

func (c cost) String() string {
	return fmt.Sprintf("%.1f s, CPU %.1f s, peak memory %d MB", c.wall.Seconds(), c.cpu.Seconds(), c.peak>>20)
}

// measure runs the program, which must end with code 0.
func (p *place) measure(args ...string) (string, cost) {
	p.t.Helper()
	cmd := p.command(args...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("espy %q: %v\n%.2000s", args, err, out)
	}
	c := cost{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peak = u.Maxrss << 10
	}
	return string(out), c
}

func (c cost) within(t *testing.T, what string, wall time.Duration, peak int64) {
	t.Helper()
	t.Logf("%s: %v", what, c)
	if c.wall > wall || c.peak > peak {
		t.Errorf("%s took %v, want at most %v and %d MB", what, c, wall, peak>>20)
	}
}

// soakGigabyte indexes Go's source tree nine times over.
func soakGigabyte(t *testing.T) {
	p := newPlace(t, nil)
	for i := range 9 {
		if err := os.CopyFS(filepath.Join(p.tree, fmt.Sprint("copy", i)), os.DirFS(goSource(t))); err != nil {
			t.Fatal(err)
		}
	}
	out, c := p.measure("index", "--exact")
	t.Logf("%s", out)
	c.within(t, "first indexing", 10*time.Minute, 400<<20)
	_, c = p.measure("index", "--exact")
	c.within(t, "no change", time.Minute, 400<<20)
	_, c = p.measure("search", "--mode", "keyword", "where are ignore rules parsed")
	c.within(t, "ranked search in a new process", time.Minute, 600<<20)
	_, c = p.measure("verify")
	c.within(t, "verify", 10*time.Minute, 150<<20)
	noTemporaryFiles(t, p.home)
}

// soakMillion indexes a million empty files, and half a million to see that
// time is linear.
func soakMillion(t *testing.T) {
	p := newPlace(t, nil)
	grow := func(from, to int) {
		for i := from; i < to; i++ {
			dir := filepath.Join(p.tree, fmt.Sprint("d", i/1000))
			if i%1000 == 0 {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.Create(filepath.Join(dir, fmt.Sprintf("file%d.txt", i)))
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	grow(0, 500_000)
	_, half := p.measure("index", "--exact")
	half.within(t, "500,000 files", 5*time.Minute, 1<<30)
	grow(500_000, 1_000_000)
	_, whole := p.measure("index", "--exact", "--force")
	whole.within(t, "1,000,000 files", 5*time.Minute, 1<<30)
	if whole.cpu > 3*half.cpu {
		t.Errorf("twice the files took %.1f times the CPU time", whole.cpu.Seconds()/half.cpu.Seconds())
	}
	_, c := p.measure("index", "--exact")
	c.within(t, "no change", time.Minute, 1<<30)
	p.want(0, "", "verify")
}

// soakHugeFiles indexes beside files that must not be read.
func soakHugeFiles(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "needle\n"})
	if err := os.WriteFile(filepath.Join(p.tree, "sparse.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(p.tree, "sparse.txt"), 1<<40); err != nil {
		t.Logf("no file of 1 TB on this disk (%v): 1 GB instead", err)
		if err := os.Truncate(filepath.Join(p.tree, "sparse.txt"), 1<<30); err != nil {
			t.Fatal(err)
		}
	}
	line, err := os.Create(filepath.Join(p.tree, "line.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for range 1 << 10 {
		if _, err := line.Write(bytes.Repeat([]byte("a"), 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := line.Close(); err != nil {
		t.Fatal(err)
	}
	_, c := p.measure("index", "--exact")
	c.within(t, "huge files", 10*time.Second, 100<<20)
	p.want(0, "too_large", "files", "--excluded", "--json")
	p.want(0, `"total":1`, "search", "--json", "--mode", "literal", "needle")
}

// soakKills kills a first indexing and incremental ones at random times.
func soakKills(t *testing.T) {
	p := newPlace(t, nil)
	if err := os.CopyFS(filepath.Join(p.tree, "net"), os.DirFS(filepath.Join(goSource(t), "net"))); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	clean := &place{t: t, tree: p.tree, home: t.TempDir()}
	clean.want(0, "", "index", "--exact")
	whole := time.Since(began)
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		if round%10 == 0 {
			p.home = t.TempDir()
		}
		name := fmt.Sprintf("net/added%d.go", round%7)
		if err := os.WriteFile(filepath.Join(p.tree, name), fmt.Appendf(nil, "package net // needle %d\n", round), 0o644); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			killed(t, p.command("index", "--exact"), time.Duration(rnd.Int64N(int64(whole))))
		}
		clean.home = t.TempDir()
		for _, q := range [][]string{{"--mode", "literal", "needle"}, {"--mode", "regex", `func \(c \*conn\) \w+`}} {
			got, _ := p.run(append([]string{"search", "--limit", "100"}, q...)...)
			want, _ := clean.run(append([]string{"search", "--limit", "100"}, q...)...)
			if hits(got) != hits(want) {
				t.Fatalf("round %d: %q answers\n%s\nwant\n%s", round, q, got, want)
			}
		}
		p.want(0, "", "index", "--exact")
		p.want(0, "", "verify")
		noTemporaryFiles(t, p.home)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
}

// killed starts a command and kills it after a time.
func killed(t *testing.T, cmd *exec.Cmd, after time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil && exitOf(err) != -1 {
		t.Errorf("ended by itself: %v", err)
	}
}

// within is a line that tells what the hits below it stand in, which is known
// better once their file is parsed.
var within = regexp.MustCompile(`(?m)^in .*\n`)

// hits takes off an answer what comes before it and its first line, which
// tells the generation, and what depends on the syntax being known.
func hits(answer string) string {
	_, rest, _ := strings.Cut(answer, " tokens\n")
	return within.ReplaceAllString(rest, "")
}
