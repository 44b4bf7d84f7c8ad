package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// TestWriteSection holds that a section takes the place of its old text, or its place
// among those of others, and that all else stays as it is.
func TestWriteSection(t *testing.T) {
	const page = "# Page\n\nIntro.\n\n## Issues\n\nOld.\n\n### Below\n\n## Linux\n\nKernel.\n"
	for _, tt := range []struct{ name, page, title, want string }{
		{"no page", "", "Time", "## Time\n\nNew.\n"},
		{"replaced", page, "Issues", "# Page\n\nIntro.\n\n## Issues\n\nNew.\n\n## Linux\n\nKernel.\n"},
		{"the last one", page, "Linux", strings.Replace(page, "Kernel.", "New.", 1)},
		{"between", page, "History", strings.Replace(page, "## Linux", "## History\n\nNew.\n\n## Linux", 1)},
		{"at the end", page, "Time", page + "\n## Time\n\nNew.\n"},
		{"before what is by hand", page + "\n" + byHand + "\nMine.\n", "Time", page + "\n## Time\n\nNew.\n\n" + byHand + "\nMine.\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "page.md")
			if tt.page != "" {
				if err := os.WriteFile(file, []byte(tt.page), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // once more changes nothing
				if err := writeSection(file, tt.title, "New.\n"); err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(file); string(got) != tt.want || err != nil {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// TestEvalSections holds that the commands that ask history, of concepts, of a kernel and for the time
// write their sections, which espy eval keeps in their order, that what is laid out is
// asked again, and what is refused.
func TestEvalSections(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const till = "package shop\n\n// Count counts the coins in the drawer.\nfunc Count() {}\n"
	mirror := filepath.Join(dir, "mirrors", "shop+till", "repo")
	write("mirrors/shop+till/repo/till.go", till)
	filetest.Commit(t, mirror, "Begin")
	write("mirrors/shop+till/repo/till.go", till+"\n// twice\n")
	filetest.Commit(t, mirror, "Count the coins in the drawer twice")
	head := strings.TrimSpace(filetest.Git(t, mirror, "rev-parse", "HEAD"))
	filetest.Git(t, mirror, "clone", "-q", "--bare", mirror, filepath.Join(dir, "mirrors", "shop+bare"))
	list, err := json.Marshal([]map[string]string{{"name": "till", "repository": "shop/bare", "revision": head, "language": "go"}})
	if err != nil {
		t.Fatal(err)
	}
	repos, questions := write("repos.json", string(list)), write("questions.jsonl", `{"query":"count the coins"}`+"\n")
	page, out := write("page.md", "# Page\n"), filepath.Join(dir, "history")
	write("concepts/repos.json", string(list))
	concepts := write("concepts/questions.jsonl", `{"id":"1","repo":"till","language":"go","query":"how much money there is","targets":[{"path":"till.go"}]}`+"\n")
	unlisted := write("unlisted/questions.jsonl", `{"id":"1","repo":"till","language":"go","query":"how much money there is","targets":[{"path":"till.go"}]}`+"\n")
	trees := filepath.Join(dir, "trees")
	write("linux/drivers/Makefile", "obj-$(CONFIG_BLINK) += lamp.o\n")
	write("linux/drivers/Kconfig", "config BLINK\n\tbool\n\thelp\n\t  Lets the beacon of a harbour entrance blink at regular intervals in fog.\n")
	write("linux/drivers/lamp.c", "/* The beacon of a harbour entrance, which blinks in fog. */\nint beacon(void) { return 0; }\n")
	s := newShell(t)
	for _, tt := range []struct {
		args, want string // want is of the page, or of what is said
		code       int
	}{
		{"history --out " + out, "--repos and --mirrors are needed", exitError},
		{"history --report " + page, "history needs --out", exitError},
		{fmt.Sprintf("history --out %s --repos %s --mirrors %s/mirrors --lay-out", out, repos, dir), "till: 1 questions, 1 files of commit", exitFound},
		{fmt.Sprintf("history --out %s --repos %s --mirrors %s/mirrors --lay-out", out, repos, dir), "exists", exitError},
		{"history --out " + out + " --before 1 --report " + page, "\n## History\n\nWritten by `espy eval history`.", exitFound},
		{"history --out " + out + " --before 1 --report " + page, "| before | 1 | 1.000 | 1.000 | 1.000 | 1.000 |\n", exitFound},
		{"concepts --questions " + concepts, "eval needs --questions and --corpora", exitError},
		{fmt.Sprintf("concepts --questions %s --corpora %s", concepts, trees), "does not hold till", exitError},
		{fmt.Sprintf("concepts --questions %s --corpora %s --mirrors %s", concepts, trees, trees), "no git folder of shop/bare in", exitError},
		{fmt.Sprintf("concepts --questions %s --corpora %s --mirrors %s/mirrors", concepts, trees, dir), "\n| by meaning alone, with the built-in model | 1.000 | 1.000 | 1.000 | 1.000 |\n", exitFound},
		{fmt.Sprintf("concepts --questions %s --corpora %s --report %s", concepts, trees, page), "\n## Questions that name no file\n\nWritten by `espy eval concepts`.", exitFound},
		{fmt.Sprintf("concepts --questions %s --corpora %s", concepts, out+"/trees"), "is not at revision " + head, exitError},
		{fmt.Sprintf("concepts --questions %s --corpora %s", unlisted, trees), "no revision is given of till", exitError},
		{"kconfig " + dir + "/linux --report " + page, "\n## Linux\n\nWritten by `espy eval kconfig`.", exitFound},
		{"pace " + mirror + " --report " + page, "which nothing asks", exitError},
		{"pace " + mirror + " --questions " + questions + " --rounds 0", "--rounds must be 1 or more", exitError},
		{"pace " + mirror + " --functions 0 --questions " + questions + " --report " + page, "\n## Time\n\nWritten by `espy eval pace`.", exitFound},
		{fmt.Sprintf("--questions %s/questions.jsonl --corpora %s/trees --repos %s --report %s", out, out, repos, page), "# Quality of ranked search\n", exitFound},
	} {
		t.Run(tt.args, func(t *testing.T) {
			text, code := s.run(append([]string{"eval"}, strings.Fields(tt.args)...)...)
			written, err := os.ReadFile(page)
			if code != tt.code || err != nil || !strings.Contains(text+string(written), tt.want) {
				t.Errorf("exit code %d, want %d and %q; %v\n%s\n%s", code, tt.code, tt.want, err, text, written)
			}
		})
	}
	written, err := os.ReadFile(page) // by the last command, which keeps what the others wrote
	if err != nil {
		t.Fatal(err)
	}
	_, sections, _ := strings.Cut(string(written), "## Out of reach\n")
	if got := regexp.MustCompile(`(?m)^## .*`).FindAllString(sections, -1); fmt.Sprint(got) != "[## History ## Questions that name no file ## Linux ## Time]" {
		t.Errorf("%q in %s", got, written)
	}
}
