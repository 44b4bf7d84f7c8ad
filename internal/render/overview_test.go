package render

import (
	"strings"
	"testing"

	"espy/internal/overview"
)

// TestOverviewWithoutCode holds what a screen says of a repository that is little code.
func TestOverviewWithoutCode(t *testing.T) {
	t.Parallel()
	size := overview.Size{Files: 2, Lines: 30}
	a := Overview{Answer: &overview.Answer{
		In: fresh("espy", 3), Total: overview.Size{Files: 9, Lines: 200}, Code: 2,
		Languages: overview.List[overview.Language]{Items: []overview.Language{{Name: "lisp", Size: size}, {Name: "other", Extension: ".pony", Size: size}}, Total: 2},
		Other:     overview.List[overview.Language]{Items: []overview.Language{{Name: "yaml", Size: size}, {Size: size}}, Total: 3},
		Areas:     overview.List[overview.Area]{Items: []overview.Area{{Path: "charts/", Size: size}}, Total: 1},
	}}
	text := a.Text(Options{})
	for _, want := range []string{
		"languages: lisp 30 lines in 2 files (no grammar), other (.pony) 30 lines in 2 files (no grammar)\ncomplexity is known of 0 of 2 files of code, imports of 0\n",
		"other files: yaml 30 lines in 2 files, of no known language 30 lines in 2 files, and 1 more\n",
		"areas of all files, for few are code:\n  charts/ 2 files (30 lines)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if text, want := a.Text(Options{MaxTokens: 80}), "left out to stay within 80 tokens: areas\nnext: "; !strings.Contains(text, want) {
		t.Errorf("lacks %q:\n%s", want, text)
	}
	if text := string(a.JSON(Options{})); !strings.Contains(text, `"code_files":2,"parsed_files":0`) {
		t.Errorf("JSON lacks the files of code: %s", text)
	}
}
