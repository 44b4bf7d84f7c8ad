package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFaultsArePointedAtTests holds that every test which docs/faults.md names
// exists in the package it is said to be in, and that every row names one.
func TestFaultsArePointedAtTests(t *testing.T) {
	text, err := os.ReadFile("../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || cells[2] == "proven by |" {
			continue
		}
		for part := range strings.SplitSeq(strings.TrimSuffix(cells[2], " |"), "; ") {
			folder, tests, ok := strings.Cut(part, ": ")
			if !ok {
				t.Errorf("no package and tests in %q", line)
			}
			for test := range strings.SplitSeq(tests, ", ") {
				if !name.MatchString(test) || !defines(t, filepath.Join("..", folder), test) {
					t.Errorf("package %s has no test %q, in the row\n%s", folder, test, line)
				}
			}
		}
	}
}

// defines reports whether a test file of the folder has the function.
func defines(t *testing.T, folder, function string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+function+"(") {
			return true
		}
	}
	return false
}
