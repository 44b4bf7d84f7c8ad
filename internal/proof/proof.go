// Package proof makes a table of documented behaviour from the tests that
// prove it. A sheet lists what is documented, a test says which rows of it it
// proves, and the tests fail when a row has no test or the table is out of date.
//
// A sheet is text: "# section" begins a section, and every other line that is
// not empty is a row: id | subject | behaviour.
package proof

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Sheet is a list of documented behaviour. Its methods may be called from
// several goroutines.
type Sheet struct {
	intro string
	rows  []*row
	byID  map[string]*row

	mu sync.Mutex // guards tests and failed of the rows
}

type row struct {
	section, id, subject, behaviour string

	tests  []string
	failed bool
}

// New reads a sheet. intro is what stands above its tables. It panics where
// the text is no sheet, or has an id twice.
func New(intro, text string) *Sheet {
	s := &Sheet{intro: intro, byID: map[string]*row{}}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok {
			section = title
			continue
		}
		if line == "" {
			continue
		}
		cells := strings.SplitN(line, " | ", 3)
		if len(cells) != 3 || section == "" || s.byID[cells[0]] != nil {
			panic("proof: not a row of its own: " + line)
		}
		r := &row{section: section, id: cells[0], subject: cells[1], behaviour: cells[2]}
		s.rows = append(s.rows, r)
		s.byID[r.id] = r
	}
	return s
}

// Test is what a Sheet asks of a test.
type Test interface {
	Helper()
	Name() string
	Failed() bool
	Errorf(format string, args ...any)
	Cleanup(f func())
}

// Proves records that the test proves rows, by their ids separated by blanks,
// unless it fails.
func (s *Sheet) Proves(t Test, ids string) {
	t.Helper()
	for id := range strings.FieldsSeq(ids) {
		r := s.byID[id]
		if r == nil {
			t.Errorf("nothing is documented as %s", id)
			continue
		}
		t.Cleanup(func() { s.record(r, t) })
	}
}

func (s *Sheet) record(r *row, t Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, _, _ := strings.Cut(t.Name(), "/")
	if len(r.tests) == 0 || r.tests[len(r.tests)-1] != name {
		r.tests = append(r.tests, name)
	}
	r.failed = r.failed || t.Failed()
}

// Has reports whether a section has a row with a word in its subject.
func (s *Sheet) Has(section, word string) bool {
	for _, r := range s.rows {
		words := strings.FieldsFunc(r.subject, func(c rune) bool { return c == ',' || c == ' ' || c == '`' })
		if r.section == section && slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// unproven lists the ids of the rows that no test proves.
func (s *Sheet) unproven() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rows {
		if len(r.tests) == 0 {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// markdown writes the sheet as one table for each section.
func (s *Sheet) markdown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString(strings.TrimSpace(s.intro) + "\n")
	section := ""
	for _, r := range s.rows {
		if r.section != section {
			section = r.section
			fmt.Fprintf(&b, "\n## %s\n\n| | behaviour | proven by | passes |\n|---|---|---|---|\n", section)
		}
		passes := "yes"
		if r.failed || len(r.tests) == 0 {
			passes = "NO"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.subject), cell(r.behaviour), strings.Join(r.tests, ", "), passes)
	}
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Main runs the tests of a package and returns the exit code. Where all of
// them ran and passed, every row must be proven and the file hold the table;
// update writes it. What is wrong is written to w.
func (s *Sheet) Main(m *testing.M, file string, update *bool, w io.Writer) int {
	if code := m.Run(); code != 0 || !whole() {
		return code
	}
	if err := s.check(file, *update); err != nil {
		fmt.Fprintln(w, err)
		return 1
	}
	return 0
}

func (s *Sheet) check(file string, update bool) error {
	if ids := s.unproven(); len(ids) > 0 {
		return fmt.Errorf("no test proves %s", strings.Join(ids, ", "))
	}
	if update {
		return os.WriteFile(file, []byte(s.markdown()), 0o644)
	}
	got, err := os.ReadFile(file)
	if err == nil && string(got) != s.markdown() {
		err = fmt.Errorf("%s is out of date, run make golden", file)
	}
	return err
}

// whole reports whether all tests were run, and nothing else.
func whole() bool {
	for _, name := range []string{"run", "skip", "list", "bench", "fuzz"} {
		if f := flag.Lookup("test." + name); f != nil && f.Value.String() != "" && f.Value.String() != "." {
			return false
		}
	}
	worker := flag.Lookup("test.fuzzworker")
	return worker == nil || worker.Value.String() == "false"
}
