package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestHouse holds the table of rooms in docs/architecture.md against the code:
// it names every package once, and imports go down it or stay within a row.
func TestHouse(t *testing.T) {
	t.Parallel()
	rows := roomRows(t)
	known := map[string]bool{}
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, module+"scripts/") {
			continue
		}
		known[p.name()] = true
		row, ok := rows[p.name()]
		if !ok {
			t.Errorf("the table does not name %s", p.name())
		}
		for _, imported := range p.Imports {
			if to, ok := rows[short(imported)]; ok && strings.HasPrefix(imported, module) && to < row {
				t.Errorf("%s imports %s, which stands above it", p.name(), short(imported))
			}
		}
	}
	for name := range rows {
		if !known[name] {
			t.Errorf("the table names %s, which is no package", name)
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// roomRows returns the row of each package in the table, counted from the top.
func roomRows(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| rooms |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]int{}
	for i, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			for _, name := range spellOut(m[1]) {
				if _, twice := rows[name]; twice {
					t.Errorf("the table names %s twice", name)
				}
				rows[name] = i
			}
		}
	}
	return rows
}

// spellOut returns the names that braces stand for: a/{b,c} is a/b and a/c.
func spellOut(name string) []string {
	before, list, ok := strings.Cut(strings.TrimSuffix(name, "}"), "{")
	if !ok {
		return []string{name}
	}
	names := strings.Split(list, ",")
	for i := range names {
		names[i] = before + names[i]
	}
	return names
}
