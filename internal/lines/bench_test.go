package lines_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// The patterns of the benchmark: what people look for in Go's own source.
var benchLiterals = []string{
	"err != nil", "return nil", "func (", "import (", "fmt.Errorf(", "t.Fatal(", "// Copyright", "context.Context",
	"unsafe.Pointer(", "sync.Mutex", "io.EOF", "os.Getenv(", "http.StatusOK", "errors.Is(", "strings.Builder", "atomic.LoadInt32(",
	"defer mu.Unlock()", "CompareAndSwapUintptr", "maxBacktrackVector", "runtime.KeepAlive(", "ErrUnexpectedEOF", "json.Unmarshal(",
	"net.Listen(\"tcp\"", "TODO(rsc)", "x509: certificate signed by unknown authority", "crypto/internal/fips140", "goarch == \"arm64\"",
	"panic(\"unreachable\")", "this text occurs nowhere", "type Reader interface {",
}

var benchRegexes = []string{
	`func \(\w+ \*Server\) \w+`, `err(or)? != nil`, `(?i)deprecated:`, `\bTODO\(\w+\)`, `[a-z]+_[a-z]+_test`, `^\s*$`, `\d{4}-\d{2}-\d{2}`, `0x[0-9a-f]{8}`,
}

// What an automaton has many states of: repeats with bounds, large classes, choices.
var benchNasty = []string{
	".{1000}", ".{1000}$", ".{1,1000}x", "[a-z]{500}", "[^,]{300}", "(.{100}){9}", "^.{80,}$", ".*.*.*=.*", "([a-z]+[0-9]+){10}", "[ab].{20}c",
	"a.{0,500}b", "(a|b).{100}(c|d)", "x.{0,900}y.{0,900}z", "(foo|bar|baz|qux|quux|corge|grault){2,8}", `[\x{4e00}-\x{9fff}]{3,}`, ".{400}.{400}.{400}q",
}

// BenchmarkAgainstRipgrep measures literal search with exact totals over Go's
// own source against `rg -F -c` in the same run: the best of a few turns each,
// as the ratios of the median and of the worst pattern.
func BenchmarkAgainstRipgrep(b *testing.B) {
	dir, snaps := sample.BenchTree(b)
	b.Run("literal", func(b *testing.B) { against(b, dir, snaps, benchLiterals, hit.ModeLiteral, "-F") })
	b.Run("literal-ignore-case", func(b *testing.B) { against(b, dir, snaps, benchLiterals, hit.ModeLiteral, "-F", "-i") })
	b.Run("regex", func(b *testing.B) { against(b, dir, snaps, benchRegexes, hit.ModeRegex) })
	b.Run("regex-nasty", func(b *testing.B) { against(b, dir, snaps, benchNasty, hit.ModeRegex) })
}

func against(b *testing.B, dir string, snaps []*store.Snapshot, patterns []string, mode hit.Mode, flags ...string) {
	const turns = 5
	var ours, rgs, ratios, cpu []float64
	for b.Loop() {
		ours, rgs, ratios, cpu = nil, nil, nil, nil
		for _, pattern := range patterns {
			req := hit.Request{Query: pattern, Mode: mode, IgnoreCase: slices.Contains(flags, "-i")}
			mine, theirs := spent{time.Hour, time.Hour}, spent{time.Hour, time.Hour}
			for range turns {
				total := 0
				mine = mine.least(measure(func() { total = searchtest.Must(b, snaps, req).Total }, syscall.RUSAGE_SELF))
				want := 0
				theirs = theirs.least(measure(func() { want = rgTotal(b, dir, append(flags, "-e", pattern)) }, syscall.RUSAGE_CHILDREN))
				if total != want {
					b.Fatalf("%q: %d lines, rg %d", pattern, total, want)
				}
			}
			ours, rgs = append(ours, ms(mine.wall)), append(rgs, ms(theirs.wall))
			ratios, cpu = append(ratios, ms(mine.wall)/ms(theirs.wall)), append(cpu, ms(mine.cpu)/ms(theirs.cpu))
			b.Logf("%-50q %8.2f ms, rg %8.2f ms, ratio %.3f; CPU %8.2f ms, rg %8.2f ms", pattern, ms(mine.wall), ms(theirs.wall), ratios[len(ratios)-1], ms(mine.cpu), ms(theirs.cpu))
		}
	}
	for _, list := range [][]float64{ours, rgs, ratios, cpu} {
		slices.Sort(list)
	}
	half, last := len(ours)/2, len(ours)-1
	b.ReportMetric(ours[half], "ms-p50")
	b.ReportMetric(ours[last], "ms-worst")
	b.ReportMetric(rgs[half], "rg-ms-p50")
	b.ReportMetric(ratios[half], "ratio-p50")
	b.ReportMetric(ratios[last], "ratio-worst")
	b.ReportMetric(cpu[half], "cpu-ratio-p50")
	b.ReportMetric(cpu[last], "cpu-ratio-worst")
}

// spent is the time something took.
type spent struct{ wall, cpu time.Duration }

func (u spent) least(v spent) spent {
	return spent{min(u.wall, v.wall), min(u.cpu, v.cpu)}
}

// measure times f: on the clock, and the processor time of this process or of its children.
func measure(f func(), who int) spent {
	cpu := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			return 0
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	start, before := time.Now(), cpu()
	f()
	return spent{time.Since(start), cpu() - before}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// rgTotal returns how many lines rg counts.
func rgTotal(b *testing.B, dir string, args []string) int {
	b.Helper()
	cmd := exec.Command(rgPath(b), append([]string{"--no-config", "--no-ignore", "--hidden", "-c", "--no-filename"}, append(args, ".")...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		b.Fatalf("rg %q: %v", args, err)
	}
	total := 0
	for _, line := range bytes.Fields(out) {
		n, err := strconv.Atoi(strings.TrimSpace(string(line)))
		if err != nil {
			b.Fatal(err)
		}
		total += n
	}
	return total
}

// BenchmarkLines measures single patterns over Go's own source.
func BenchmarkLines(b *testing.B) {
	_, snaps := sample.BenchTree(b)
	for _, pattern := range []string{"this text occurs nowhere", "CompareAndSwapUintptr", "ErrUnexpectedEOF", "strings.Builder", "err != nil"} {
		b.Run(strings.ReplaceAll(pattern, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				searchtest.Must(b, snaps, hit.Request{Query: pattern, Mode: hit.ModeLiteral})
			}
		})
	}
}
