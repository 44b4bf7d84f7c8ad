package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tableRule is the line below the head of a table.
var tableRule = regexp.MustCompile(`^\|( ?:?-+:? ?\|)+$`)

// misshapen are the lines of a page where its parts run into each other: a table that
// does not begin apart from a text or has no head, a heading with nothing below it, a
// block of code that does not end.
func misshapen(page string) (lines []string) {
	all := strings.Split(page, "\n")
	at := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return all[i]
	}
	isCode := false
	for i, line := range all {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			isCode = !isCode
		}
		switch {
		case isCode:
		case strings.HasPrefix(line, "|") && !strings.HasPrefix(at(i-1), "|"):
			if strings.TrimSpace(at(i-1)) != "" || !tableRule.MatchString(at(i+1)) {
				lines = append(lines, line)
			}
		case strings.HasPrefix(line, "#") && strings.HasPrefix(at(i+1), "#"):
			lines = append(lines, line)
		}
	}
	if isCode {
		lines = append(lines, "a block of code does not end")
	}
	return lines
}

// TestPages holds the shape of the pages that users read.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	for _, name := range append(pages, "../../README.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range misshapen(string(text)) {
				t.Errorf("parts run into each other at %q", line)
			}
		})
	}
	for name, page := range map[string]string{
		"a row in a text": "A text.\n| a | b |\n|---|---|\n", "no head": "\n| a | b |\n| c | d |\n",
		"two headings": "## One\n## Two\n", "open code": "```sh\nls\n",
	} {
		t.Run(name, func(t *testing.T) {
			if len(misshapen(page)) != 1 {
				t.Errorf("%q passes", page)
			}
		})
	}
}
