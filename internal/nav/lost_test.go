//go:build cgo && !race

package nav_test

import (
	"bytes"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts/tree"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
)

// Sizes of TestNoUseIsLost.
const (
	namesOfTree = 200
	bytesOfTree = 600 << 10
	bytesOfFile = 120 << 10
)

// TestNoUseIsLost draws names from trees of this machine, or those that ESPY_CORPUS
// lists (separated by colons), and asks for the union of each. Every word that a simple look takes for code must be listed or be a
// declaration, and every other word be counted.
func TestNoUseIsLost(t *testing.T) {
	drawn := 0
	for name, root := range trees(t) {
		t.Run(name, func(t *testing.T) {
			files := sources(t, root)
			if len(files) == 0 {
				t.Skip("no such tree here: ", root)
			}
			x := parsed(t, files)
			w := newWorld(t, x, files)
			names := w.draw(namesOfTree)
			for _, n := range names {
				for _, lost := range w.check(t, x, n) {
					t.Error(lost)
				}
			}
			drawn += len(names)
		})
	}
	if t.Logf("%d names", drawn); drawn < 5*namesOfTree {
		t.Errorf("only %d names were drawn: too few of the trees are here", drawn)
	}
}

// TestALostUseIsSeen blanks each use of a name in what is indexed: TestNoUseIsLost must
// see that it is not listed, wherever it stands.
func TestALostUseIsSeen(t *testing.T) {
	files := map[string][]byte{
		"a.go":   []byte("package a\n\nfunc Open() {}\n\nfunc f() { Open(); g(Open) }\n"),
		"b.py":   []byte("def Open(): ...\n\nx.Open()\ny = [Open]\n"),
		"c.c":    []byte("int Open(void) { return 0; }\n#define TWICE Open() + Open()\n"),
		"d.ts":   []byte("import { Open } from './e'\nlet a: Open = Open.b\n"),
		"E.java": []byte("class E { void f(Open o) { Open.g(o); } }\n"),
	}
	whole := newWorld(t, parsed(t, files), files)
	if lost := whole.check(t, parsed(t, files), "Open"); len(lost) > 0 {
		t.Error(lost)
	}
	for p, text := range files {
		for i, at := range regexp.MustCompile("Open").FindAllIndex(text, -1) {
			cut := maps.Clone(files)
			cut[p] = slices.Concat(text[:at[0]], []byte("Oped"), text[at[1]:])
			x := parsed(t, cut)
			w := newWorld(t, x, cut)
			w.files, w.code, w.all = whole.files, whole.code, whole.all
			if len(w.check(t, x, "Open")) == 0 {
				t.Errorf("word %d of %s is lost and nobody sees it", i, p)
			}
		}
	}
}

// trees are folders with source by a name for them.
func trees(t *testing.T) map[string]string {
	t.Helper()
	if corpora := os.Getenv("ESPY_CORPUS"); corpora != "" {
		all := map[string]string{}
		for _, root := range strings.Split(corpora, ":") {
			all[filepath.Base(root)] = root
		}
		return all
	}
	goroot := build.Default.GOROOT
	if out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output(); err == nil {
		lines := strings.Fields(string(out))
		goroot = lines[0]
		return addTrees(goroot, lines[len(lines)-1])
	}
	return addTrees(goroot, "")
}

func addTrees(goroot, modules string) map[string]string {
	python, _ := filepath.Glob("/usr/lib/python3.*")
	npm, _ := filepath.EvalSymlinks(filepath.Join(nodePrefix(), "lib/node_modules/npm"))
	all := map[string]string{
		"go http": goroot + "/src/net/http", "go encoding": goroot + "/src/encoding", "grammars": modules + "/github.com/tree-sitter",
		"c": "/usr/include", "c++": "/usr/include/c++", "samples": "../facts/treesitter/testdata",
		"npm": npm + "/lib", "npm modules": npm + "/node_modules",
	}
	if len(python) > 0 {
		all["python asyncio"], all["python unittest"] = python[0]+"/asyncio", python[0]+"/unittest"
	}
	return all
}

// nodePrefix is the folder that node is installed in.
func nodePrefix() string {
	node, err := exec.LookPath("node")
	if err != nil {
		return "/usr"
	}
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	return filepath.Dir(filepath.Dir(node))
}

// sources reads some of the files of a tree that have a grammar.
func sources(t *testing.T, root string) map[string][]byte {
	t.Helper()
	var paths []string
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error { // a tree that is not here is skipped
		if err == nil && d.Type().IsRegular() {
			if l := lang.Detect(p, nil); l != nil && (l.Name == "go" || tree.HasGrammar(l.Name)) {
				paths = append(paths, p)
			}
		}
		return nil
	})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	files := map[string][]byte{}
	total := 0
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil || len(text) > bytesOfFile || total+len(text) > bytesOfTree || bytes.ContainsAny(text, "\r\x00") {
			continue
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.ToSlash(rel)] = text
		total += len(text)
	}
	return files
}

// line is a line of a file.
type line struct {
	path string
	n    int
}

// world is what a simple look sees of a tree: per name the words of each line.
type world struct {
	files    map[string][][]byte // lines
	code     map[string]map[line]int
	all      map[string]int          // words, wherever they stand
	declared map[string]map[line]int // by name
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

func newWorld(t *testing.T, x *nav.Index, files map[string][]byte) *world {
	t.Helper()
	w := &world{files: map[string][][]byte{}, code: map[string]map[line]int{}, all: map[string]int{}, declared: map[string]map[line]int{}}
	for p, text := range files {
		w.look(p, text)
	}
	res, err := x.Outline(nav.OutlineRequest{Locals: true, Limit: locate.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Files {
		for _, s := range f.Symbols {
			if !isAssigned(f.Path, s) {
				count(w.declared, s.Name, line{f.Path, s.Line})
			}
		}
	}
	return w
}

// isAssigned reports whether a declaration in TypeScript is an assignment to a member of
// this or of a prototype: that declares nothing.
func isAssigned(path string, s nav.OutlineSymbol) bool {
	return lang.Detect(path, nil).Name == "typescript" && assigned.MatchString(s.Signature)
}

var assigned = regexp.MustCompile(`^(this|[\w$.]+\.prototype)\.`)

func count(all map[string]map[line]int, name string, at line) {
	if all[name] == nil {
		all[name] = map[line]int{}
	}
	all[name][at]++
}

// look counts the words of a file, and those that are code for sure.
func (w *world) look(path string, text []byte) {
	family := familyOf(path)
	bare := bytes.Split(quiet[family].ReplaceAllFunc(scripts(path, text), blank), []byte("\n"))
	w.files[path] = bytes.Split(text, []byte("\n"))
	doubtful, marks := isDoubtful(family, text), marks[family]
	if lang.Detect(path, nil).Name == "jupyter" {
		marks = `"` // of the notebook
	}
	for n, text := range w.files[path] {
		end := bytes.IndexAny(text, marks)
		if end < 0 {
			end = len(text)
		}
		if doubtful || family == corpus.C && prose.Match(text) {
			end = 0
		}
		for _, at := range word.FindAllIndex(text, -1) {
			name := string(text[at[0]:at[1]])
			if at[0] > 0 && (text[at[0]-1] >= '0' && text[at[0]-1] <= '9' || bytes.IndexByte([]byte("~#$@\\"), text[at[0]-1]) >= 0) ||
				at[1] < len(text) && (text[at[1]] == '$' || family == corpus.Ruby && bytes.IndexByte([]byte("?!"), text[at[1]]) >= 0) || nav.IsKeyword(family, lang.Detect(path, nil).Name, name) {
				continue
			}
			w.all[name]++
			if at[0] < min(end, len(bare[n])) && bare[n][at[0]] != ' ' {
				count(w.code, name, line{path, n + 1})
			}
		}
	}
}

// scripts is a text, of a component or a notebook only its code.
func scripts(path string, text []byte) []byte {
	switch l := lang.Detect(path, nil); l.Name {
	case "vue", "svelte", "jupyter":
		return tree.Prepare(l.Name, text)
	}
	return text
}

func familyOf(path string) corpus.Family {
	families := map[string]corpus.Family{"go": corpus.Go, "python": corpus.Python, "jupyter": corpus.Python, "rust": corpus.Rust, "java": corpus.Java, "c": corpus.C, "cpp": corpus.C, "php": corpus.PHP,
		"bash": corpus.Shell, "lua": corpus.Lua, "zig": corpus.Zig, "elixir": corpus.Elixir, "terraform": corpus.Terraform,
		"ruby": corpus.Ruby, "kotlin": corpus.Java, "scala": corpus.Java, "csharp": corpus.CSharp}
	l := lang.Detect(path, nil)
	if f, ok := families[l.Name]; ok {
		return f
	}
	return corpus.Script
}

// prose matches lines of the preprocessor that hold no names.
var prose = regexp.MustCompile(`^\s*#\s*(include|import|error|warning|pragma)`)

// quiet matches comments and literals.
var quiet = [corpus.NumFamilies]*regexp.Regexp{
	corpus.Go:        regexp.MustCompile("(?s)`[^`]*`" + `|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/`),
	corpus.Python:    regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*`),
	corpus.Script:    regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/`),
	corpus.Rust:      regexp.MustCompile(`(?s)"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/`),
	corpus.Java:      regexp.MustCompile(`(?s)""".*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/`),
	corpus.CSharp:    regexp.MustCompile(`(?s)@"(?:[^"]|"")*"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/`),
	corpus.C:         regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//(?:\\\n|[^\n])*|/\*.*?\*/`),
	corpus.Shell:     regexp.MustCompile(`(?s)"(?:\\.|[^"\\])*"|'[^']*'|(?:^|[\s;])#[^\n]*`),
	corpus.Zig:       regexp.MustCompile(`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\\\\[^\n]*|//[^\n]*`),
	corpus.Lua:       regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[\[.*?\]\]|--\[\[.*?\]\]|--[^\n]*`),
	corpus.Elixir:    regexp.MustCompile(`(?s)""".*?"""|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#[^\n]*`),
	corpus.Terraform: regexp.MustCompile(`(?s)<<-?\w+|"(?:\\.|[^"\\])*"|#[^\n]*|//[^\n]*|/\*.*?\*/`),
	corpus.PHP:       regexp.MustCompile(`(?s)"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//[^\n]*|#[^\n]*|/\*.*?\*/`),
	corpus.Ruby:      regexp.MustCompile(`(?s)"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#[^\n]*`),
}

// marks are what may begin a comment or literal where quiet does not tell for sure
// how far it goes: what stands behind one on its line is not code for sure.
var marks = [corpus.NumFamilies]string{
	corpus.Script: "\"'`/<>", corpus.Rust: `"'`, corpus.PHP: `"'#/<?`, corpus.Ruby: `"'#/%<`, corpus.CSharp: `"'#`, corpus.Zig: `"'\\@`,
}

// blank is as long as a text, with the same lines.
func blank(text []byte) []byte {
	out := bytes.Repeat([]byte(" "), len(text))
	for i, b := range text {
		if b == '\n' {
			out[i] = b
		}
	}
	return out
}

// isDoubtful reports whether a text has what a simple look cannot tell from code:
// templates of several lines, raw strings, text outside of the program.
func isDoubtful(family corpus.Family, text []byte) bool {
	switch family {
	case corpus.Script:
		return slices.ContainsFunc(bytes.Split(text, []byte("\n")), func(l []byte) bool { return bytes.Count(l, []byte("`"))%2 == 1 })
	case corpus.Rust:
		return bytes.Contains(text, []byte(`r"`)) || bytes.Contains(text, []byte(`r#"`)) || bytes.Contains(text, []byte(`'"'`))
	case corpus.C:
		return bytes.Contains(text, []byte(`R"`))
	case corpus.Shell: // words are arguments as well
		return true
	case corpus.Ruby:
		return bytes.Contains(text, []byte("<<~")) || bytes.Contains(text, []byte("__END__"))
	case corpus.PHP:
		return bytes.Contains(text, []byte("<<<")) || bytes.Contains(text, []byte("?>"))
	}
	return false
}

// draw returns up to n names of code, the same ones each time.
func (w *world) draw(n int) []string {
	names := slices.Sorted(maps.Keys(w.code))
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:min(n, len(names))]
}

// check asks for the union of a name and compares: it says what is lost.
func (w *world) check(t *testing.T, x *nav.Index, name string) (lost []string) {
	t.Helper()
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: name}, Union: true, Limit: locate.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[line]int{}
	n := 0
	for _, f := range slices.Concat(res.Files, res.Maybe) {
		for _, r := range f.References {
			if text := w.files[f.Path][r.Line-1]; !r.Declaration && bytes.HasPrefix(text[r.Column-1:], []byte(name)) {
				listed[line{f.Path, r.Line}]++
				n++
			}
		}
	}
	if len(res.Symbols) > 0 {
		checkNarrow(t, x, res.Symbols[0])
	}
	declared := 0
	for _, d := range w.declared[name] {
		declared += d
	}
	if n+declared+res.Mentions < w.all[name] {
		lost = append(lost, fmt.Sprintf("%s: %d uses listed, %d declarations and %d mentions; the files have %d", name, n, declared, res.Mentions, w.all[name]))
	}
	for at, words := range w.code[name] {
		if listed[at]+w.declared[name][at] < words {
			lost = append(lost, fmt.Sprintf("%s: lost at %s:%d: %s", name, at.path, at.n, w.files[at.path][at.n-1]))
		}
	}
	return lost
}

// checkNarrow holds that an answer about one symbol lists or counts every use of
// its name.
func checkNarrow(t *testing.T, x *nav.Index, d locate.Definition) {
	t.Helper()
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: d.ID}, Limit: locate.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	n := res.Others
	for _, f := range slices.Concat(res.Files, res.Maybe) {
		for _, r := range f.References {
			if r.Name == d.Name && !r.Declaration {
				n++
			}
		}
	}
	if n != d.Uses {
		t.Errorf("%s: %d uses are listed or counted, the name has %d", d.ID, n, d.Uses)
	}
}
