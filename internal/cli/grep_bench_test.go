package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// grepShapes are patterns that people look for in any tree, the wide ones among them.
var grepShapes = []string{
	"TODO", "error", "return", "the", "import", "static", "version", "name", `\bif\b`, `^\s*$`, `^import`, `[A-Z]{4,}_[A-Z]+`, `https?://[^ ]+`, `\d{4}-\d{2}-\d{2}`, `0x[0-9a-f]{8}`,
	`(?i)deprecated`, `\w+\(\)`, `err(or)? != nil`, `function \w+\(`, "this text is in no file at all",
}

// treeWords are words of a tree, from those in most of its files to those in one.
func treeWords(b *testing.B, dir string, n int) (words []string) {
	b.Helper()
	list, err := exec.Command("rg", "--no-config", "--files", "--sort=path", dir).Output()
	if err != nil {
		b.Fatal(err)
	}
	names := strings.Split(strings.TrimSpace(string(list)), "\n")
	rng := rand.New(rand.NewSource(1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	files, word := map[string]int{}, regexp.MustCompile(`[A-Za-z_]{4,20}`)
	for _, name := range names[:min(len(names), 500)] {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		seen := map[string]bool{}
		for _, w := range word.FindAllString(string(text[:min(len(text), 50_000)]), -1) {
			if !seen[w] {
				seen[w] = true
				files[w]++
			}
		}
	}
	for w := range files {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(files[b]-files[a], strings.Compare(a, b)) })
	some := make([]string, 0, n)
	for at := 1.0; len(some) < n; at *= math.Pow(float64(len(words)-1), 1/float64(n-1)) { // each rank is a multiple of the one before
		some = append(some, words[min(int(at)+len(some), len(words)-1)])
	}
	return some
}

// took is what a command took.
type took struct{ cpu, wall time.Duration }

// BenchmarkBesideRipgrep compares 40 patterns of the tree GREP_TREE with `rg --sort
// path`, in turn, GREP_TURNS times each: the median of what the commands take.
// GREP_PROGRAM is the espy, GREP_SERVER the number of a running `espy watch`, whose
// processor time then counts too, and GREP_RG other flags for rg.
func BenchmarkBesideRipgrep(b *testing.B) {
	dir, program := os.Getenv("GREP_TREE"), os.Getenv("GREP_PROGRAM")
	if dir == "" || program == "" {
		b.Skip("GREP_TREE and GREP_PROGRAM say what is compared")
	}
	turns := 3
	if n, err := strconv.Atoi(os.Getenv("GREP_TURNS")); err == nil {
		turns = n
	}
	rgArgs := []string{"--no-config", "--sort=path"}
	if other, ok := os.LookupEnv("GREP_RG"); ok {
		rgArgs = append(rgArgs[:1], strings.Fields(other)...)
	}
	var ours, theirs, cpu, wall []float64
	for _, p := range append(slices.Clone(grepShapes), treeWords(b, dir, 20)...) {
		var mine, rgs []took
		for range turns {
			before := serverTime(b)
			m := timed(b, dir, program, "grep", "-e", p, ".")
			m.cpu += serverTime(b) - before
			mine, rgs = append(mine, m), append(rgs, timed(b, dir, "rg", append(rgArgs, "-e", p, ".")...))
		}
		m, r := middle(mine), middle(rgs)
		ours, theirs = append(ours, millis(m.cpu)), append(theirs, millis(r.cpu))
		cpu, wall = append(cpu, millis(m.cpu)/millis(r.cpu)), append(wall, millis(m.wall)/millis(r.wall))
		b.Logf("%-34q CPU %7.1f ms, rg %7.1f, ratio %.2f; wall %7.1f, rg %7.1f, ratio %.2f", p, millis(m.cpu), millis(r.cpu), cpu[len(cpu)-1], millis(m.wall), millis(r.wall), wall[len(wall)-1])
	}
	slower := 0
	for _, r := range cpu {
		if r > 1 {
			slower++
		}
	}
	for name, list := range map[string][]float64{"ms": ours, "rg-ms": theirs, "cpu-ratio": cpu, "wall-ratio": wall} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], name+"-p50")
		b.ReportMetric(list[len(list)-1], name+"-worst")
	}
	b.ReportMetric(float64(slower), "slower")
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// timed runs a command in a folder and reads what it prints.
func timed(b *testing.B, dir, program string, args ...string) took {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout = dir, struct{ io.Writer }{io.Discard}
	began := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		b.Fatalf("%s %q: %v", program, args, err)
	}
	return took{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began)}
}

// middle is the median of either time.
func middle(list []took) took {
	slices.SortFunc(list, func(a, b took) int { return cmp.Compare(a.wall, b.wall) })
	wall := list[len(list)/2].wall
	slices.SortFunc(list, func(a, b took) int { return cmp.Compare(a.cpu, b.cpu) })
	return took{list[len(list)/2].cpu, wall}
}

// serverTime is the processor time of the server of GREP_SERVER, that of all its threads.
func serverTime(b *testing.B) (sum time.Duration) {
	b.Helper()
	server := os.Getenv("GREP_SERVER")
	if server == "" {
		return 0
	}
	tasks, err := filepath.Glob("/proc/" + server + "/task/*/schedstat")
	if err != nil || len(tasks) == 0 {
		b.Fatalf("no process %s: %v", server, err)
	}
	for _, name := range tasks {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		var ns int64
		if _, err := fmt.Sscan(string(text), &ns); err != nil {
			b.Fatalf("%s: %q: %v", name, text, err)
		}
		sum += time.Duration(ns)
	}
	return sum
}
