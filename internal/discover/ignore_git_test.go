package discover

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	gitCases = flag.Int("gitcases", 400, "random ignore files that TestIgnoreAgainstGit compares with git")
	gitSeed  = flag.Uint64("gitseed", 1, "seed of TestIgnoreAgainstGit")
)

// gitUntracked returns what git lists as untracked and not ignored in dir, sorted.
func gitUntracked(t *testing.T, dir, global string) []string {
	t.Helper()
	cmd := exec.Command("git", "-c", "core.excludesFile="+global, "ls-files", "-o", "-z", "--exclude-standard")
	cmd.Dir = dir
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	if len(out) == 0 {
		return nil
	}
	list := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(list)
	return list
}

func gitInit(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
}

// TestIgnoreAgainstGit lists trees full of random ignore files and demands the
// files that git lists. Each top folder is one case with its own ignore files.
func TestIgnoreAgainstGit(t *testing.T) {
	inMemory(t)
	rng := rand.New(rand.NewPCG(*gitSeed, 0))
	files := map[string]string{}
	for i := range *gitCases {
		maps.Copy(files, randomCase(rng, fmt.Sprintf("c%05d/", i)))
	}
	files[".gitignore"] = "*.top\n!keep.top\nc00003/d/\n/c00004/*\n!/c00004/a\n"
	dir := plant(t, files)
	gitInit(t, dir)
	exclude := "*.inf\n/c00001\nkeep.top\n"
	if err := os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(exclude), 0o644); err != nil {
		t.Fatal(err)
	}
	global := filepath.Join(t.TempDir(), "ignore")
	if err := os.WriteFile(global, []byte("*.glo\n!x.inf\n**/a/ab\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := paths(walkBoth(t, dir, Policy{Secrets: true}, Options{GlobalIgnore: global}))
	want := gitUntracked(t, dir, global)
	wrong := differing(got, want)
	for i, c := range wrong {
		if i == 5 {
			t.Fatalf("and %d more cases", len(wrong)-i)
		}
		inCase := func(p string) bool { return !strings.HasPrefix(p, c+"/") }
		t.Errorf("case %s with %s (-git +ours):\n%s", c, ignoreFilesOf(files, c),
			cmp.Diff(slices.DeleteFunc(slices.Clone(want), inCase), slices.DeleteFunc(slices.Clone(got), inCase)))
	}
}

// differing returns the top folders in which the two sorted lists differ.
func differing(a, b []string) []string {
	in := func(list []string) map[string]bool {
		m := map[string]bool{}
		for _, p := range list {
			m[p] = true
		}
		return m
	}
	inA, inB := in(a), in(b)
	bad := map[string]bool{}
	for _, p := range slices.Concat(a, b) {
		if inA[p] != inB[p] {
			top, _, _ := strings.Cut(p, "/")
			bad[top] = true
		}
	}
	var out []string
	for top := range bad {
		out = append(out, top)
	}
	slices.Sort(out)
	return out
}

func ignoreFilesOf(files map[string]string, c string) string {
	var b strings.Builder
	for path, text := range files {
		if strings.HasPrefix(path, c+"/") && strings.HasSuffix(path, gitignoreName) {
			fmt.Fprintf(&b, "%s: %q ", path, text)
		}
	}
	return b.String()
}

var (
	caseNames  = []string{"a", "b", "ab", "ba", "abc", "aab", "A", "a b", "b ", "#x", "!y", "[z]", "f.o", "f.oo", ".h", "ü", `x\`, "a-c", "]", "keep.top", "x.inf", "y.glo", "-", "\x01", "*", "a\tb", "\xff"}
	caseTokens = []string{"a", "b", "c", "ab", "*", "*", "**", "***", "?", "/", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[[:alpha:]]", "[[:punct:][:space:]]", "[[:x:]]", "[a-", "[a", `\`, `\*`, "!", " ", `\ `, "#", "\r", ".o", "[]a]", "[a-c]", `[\]]`, "-", "ü", "*.o", ".*", "[--a]", "[a-c-z]", "[/]", "\t", "[[:upper:]b-]", `\a`, `\/`, "foo**", "d", "e"}
)

// randomCase returns a small tree below the folder at, with ignore files.
func randomCase(rng *rand.Rand, at string) map[string]string {
	files := map[string]string{}
	for range 14 {
		path := at
		for range rng.IntN(4) {
			path += []string{"d/", "e/", "a/", "ab/", "foo/"}[rng.IntN(5)]
		}
		name := caseNames[rng.IntN(len(caseNames))]
		if !hasBelow(files, path+name) && !hasFile(files, path) {
			files[path+name] = ""
		}
	}
	files[at+gitignoreName] = randomIgnore(rng)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if dir, ok := strings.CutPrefix(path, at); ok && strings.Contains(dir, "/") && rng.IntN(12) == 0 {
			files[filepath.Dir(path)+"/"+gitignoreName] = randomIgnore(rng)
			break
		}
	}
	return files
}

func hasBelow(files map[string]string, dir string) bool {
	for path := range files {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// hasFile reports whether a folder of path is already a file.
func hasFile(files map[string]string, path string) bool {
	for i := range len(path) {
		if _, ok := files[path[:i]]; ok && path[i] == '/' {
			return true
		}
	}
	return false
}

func randomIgnore(rng *rand.Rand) string {
	var b bytes.Buffer
	if rng.IntN(10) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for lines := 1 + rng.IntN(4); lines > 0; lines-- {
		if rng.IntN(5) == 0 {
			b.WriteByte('!')
		}
		for range 1 + rng.IntN(5) {
			b.WriteString(caseTokens[rng.IntN(len(caseTokens))])
		}
		switch {
		case rng.IntN(8) == 0:
			b.WriteString("\r\n")
		case lines > 1 || rng.IntN(2) == 0:
			b.WriteByte('\n')
		}
	}
	return b.String()
}
