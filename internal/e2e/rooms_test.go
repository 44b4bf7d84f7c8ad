package e2e

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The walls inside the module: how large a package may be, how far its files
// may depend on each other, and how much it may export. Run
//
//	go test ./internal/e2e -run TestRooms -v                 # the table of all packages
//	go test ./internal/e2e -run TestRooms -v -rooms search   # one package: who uses what of whom
//
// with CGO_ENABLED=0, which is quicker.
var roomName = flag.String("rooms", "", "package, below internal, whose files TestRooms shows in detail")

const (
	maxLines         = 2500 // of a package, without tests
	maxCircle        = 8    // files of a package that all reach each other
	maxMutualPerFile = 0.5  // pairs of files that use each other
	maxMedianExports = 10   // exported names of a package
	minRunsPerTest   = 0.6  // subtests in the text of a test
)

// exceptions are packages that may break a rule, and why.
var exceptions = map[string]map[string]string{
	"lines": {
		"cli":                     "one file a command",
		"eval":                    "one file a measure",
		"mcpserver/profile/shebe": "one file a tool, with the text it answers",
		"outline":                 "one file a language",
		"facts/tree":              "one file of rules a language",
		"render":                  "one file an answer",
		"segment":                 "one format: how it is written, read and merged",
	},
	"circle": {
		"mcpserver":               "every tool hangs on the server",
		"mcpserver/profile/shebe": "every tool hangs on the server",
	},
}

// breach says how a room breaks a rule, if it does.
var breach = map[string]func(room) string{
	"lines": func(r room) string {
		return over(r.lines > maxLines, "%d lines, want at most %d", r.lines, maxLines)
	},
	"circle": func(r room) string {
		return over(len(r.circle) > maxCircle, "a circle of %d files, want at most %d: %s", len(r.circle), maxCircle, strings.Join(r.circle, " "))
	},
	"mutual": func(r room) string {
		return over(r.mutualPerFile() > maxMutualPerFile, "%d pairs of files use each other, %.2f a file, want at most %.1f", len(r.mutual), r.mutualPerFile(), maxMutualPerFile)
	},
	"dead": func(r room) string {
		return over(len(r.dead) > 0, "exports what no other package uses: %s", strings.Join(r.dead, " "))
	},
}

func over(broken bool, format string, args ...any) string {
	if !broken {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func TestRooms(t *testing.T) {
	t.Parallel()
	h := measure(t)
	t.Log("\n" + h.table())
	for _, rule := range slices.Sorted(maps.Keys(breach)) {
		t.Run(rule, func(t *testing.T) {
			for _, r := range h.rooms {
				hold(t, rule, r.name, breach[rule](r))
			}
		})
	}
	exports := h.medianExports()
	t.Run("exports", func(t *testing.T) {
		hold(t, "exports", "all", over(exports > maxMedianExports, "%d exported names in the median package, want at most %d", exports, maxMedianExports))
	})
	t.Run("subtests", func(t *testing.T) {
		share := float64(h.runs) / float64(h.tests)
		hold(t, "subtests", "all", over(share < minRunsPerTest, "%d calls of t.Run in %d tests, %.2f a test, want at least %.1f", h.runs, h.tests, share, minRunsPerTest))
	})
	t.Run("tables", func(t *testing.T) { h.holdNames(t) })
}

// hold fails where a package breaks a rule that it is not excepted from, and
// where an exception is no longer needed.
func hold(t *testing.T, rule, name, breach string) {
	t.Helper()
	_, excepted := exceptions[rule][name]
	switch {
	case breach != "" && !excepted:
		t.Errorf("%s: %s", name, breach)
	case breach == "" && excepted:
		t.Errorf("%s keeps the rule: remove it from the exceptions", name)
	}
}

// holdNames fails where the exceptions name what is no package.
func (h *house) holdNames(t *testing.T) {
	for rule, names := range exceptions {
		for name := range names {
			if !slices.ContainsFunc(h.rooms, func(r room) bool { return r.name == name }) {
				t.Errorf("%s: there is no package %s", rule, name)
			}
		}
	}
}

func (h *house) medianExports() int {
	var counts []int
	for _, r := range h.rooms {
		counts = append(counts, len(r.exports))
	}
	slices.Sort(counts)
	return counts[len(counts)/2]
}

// table is what was measured: a line for each package, or what -rooms asks for.
func (h *house) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s %6s %6s %7s %6s %7s %8s %5s\n", "package", "lines", "files", "circle", "pairs", "a file", "exports", "dead")
	for _, r := range h.rooms {
		if *roomName == "" || *roomName == r.name {
			fmt.Fprintf(&b, "%-26s %6d %6d %7d %6d %7.2f %8d %5d\n", r.name,
				r.lines, len(r.files), len(r.circle), len(r.mutual), r.mutualPerFile(), len(r.exports), len(r.dead))
		}
		if *roomName == r.name {
			r.detail(&b)
		}
	}
	fmt.Fprintf(&b, "%d packages, %d exported names at the median; %d calls of t.Run in %d tests, %.2f a test\n",
		len(h.rooms), h.medianExports(), h.runs, h.tests, float64(h.runs)/float64(h.tests))
	return b.String()
}

// detail tells what ties the files of a package together.
func (r room) detail(b *strings.Builder) {
	fmt.Fprintf(b, "\ncircle: %s\n\ndead: %s\n\npairs:\n", strings.Join(r.circle, " "), strings.Join(r.dead, " "))
	for _, a := range r.mutual {
		fmt.Fprintf(b, "  %s -> %s: %s\n", a.from, a.to, strings.Join(r.uses[a], " "))
		fmt.Fprintf(b, "  %s -> %s: %s\n\n", a.to, a.from, strings.Join(r.uses[arrow{a.to, a.from}], " "))
	}
	b.WriteString("uses:\n")
	for _, a := range slices.SortedFunc(maps.Keys(r.uses), byFile) {
		fmt.Fprintf(b, "  %s -> %s: %s\n", a.from, a.to, strings.Join(r.uses[a], " "))
	}
}
