package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/nav"
	"espy/internal/sample"
)

// TestOutlineByLine holds that files which no grammar read are outlined by what was
// found line by line: code always, prose and data where they are asked for alone.
func TestOutlineByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.kt":      "package a\n\nclass Shop(val name: String) {\n    fun total(): Int {\n        return 1\n    }\n}\n\nfun main() {}\n",
		"b.go":      "package b\n\nfunc F() {}\n",
		"c.md":      "# Guide\n\ntext\n\n## Use\n",
		"empty.kt":  "// nothing\n",
		"later.txt": "text\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		request nav.OutlineRequest
		want    string
	}{
		{nav.OutlineRequest{Path: "a.kt"}, "a.kt by line: 3 class class Shop(val name: String); >4 method fun total(): Int; 9 func fun main() {}"},
		{nav.OutlineRequest{Path: "c.md"}, "c.md by line: 1 heading # Guide; 5 heading ## Use"},
		{nav.OutlineRequest{}, "a.kt by line: 3 class class Shop(val name: String); >4 method fun total(): Int; 9 func fun main() {} | b.go: 3 func func F() | c.md: | empty.kt: | later.txt:"},
		{nav.OutlineRequest{Limit: 2, Offset: 1}, "a.kt by line: >4 method fun total(): Int; 9 func fun main() {}"},
		{nav.OutlineRequest{Limit: 2, Offset: 2}, "a.kt by line: 9 func fun main() {} | b.go: 3 func func F()"},
	} {
		t.Run(fmt.Sprintf("%+v", c.request), func(t *testing.T) {
			res, err := x.Outline(c.request)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, f := range res.Files {
				var symbols []string
				for _, s := range f.Symbols {
					symbols = append(symbols, fmt.Sprintf("%s%d %s %s", strings.Repeat(">", s.Depth), s.Line, s.Kind, s.Signature))
				}
				by := ""
				if f.ByLine {
					by = " by line"
				}
				files = append(files, strings.TrimSpace(f.Path+by+": "+strings.Join(symbols, "; ")))
			}
			if got := strings.Join(files, " | "); got != c.want {
				t.Errorf("outline\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
