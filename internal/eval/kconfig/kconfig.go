// Package kconfig measures ranked search in a large tree: the help text of each
// option of the Linux kernel is asked for the C file that the option builds.
//
// Of a text the sentences that tell how to build are left out, and so are texts of
// less than eight words and those that name the file. Half of the options, by the
// hash of the file's path, is kept back.
package kconfig

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/eval"
	"espy/internal/hit"
	"espy/internal/pattern"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Bounds of a question, in words.
const (
	fewestWords = 8
	mostWords   = 40
)

// Questions returns the questions that the options of a tree make, in the order of
// the hashes of their answers.
func Questions(tree string) ([]eval.Question, error) {
	type hashed struct {
		hash string
		eval.Question
	}
	var all []hashed
	err := filepath.WalkDir(tree, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "Kconfig" || e.IsDir() {
			return err
		}
		folder := filepath.Dir(path)
		made, err := os.ReadFile(filepath.Join(folder, "Makefile"))
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		options, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		objects := objectsOf(string(made))
		for _, o := range optionsOf(string(options)) {
			source, ok := sourceOf(objects[o.name])
			text := textOf(o.help)
			if !ok || !asks(text, source) {
				continue
			}
			file := filepath.Join(folder, source+".c")
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if file, err = filepath.Rel(tree, file); err != nil {
				return err
			}
			file = filepath.ToSlash(file)
			sum := sha256.Sum256([]byte(file))
			if sum[len(sum)-1]%2 == 0 {
				all = append(all, hashed{hex.EncodeToString(sum[:]), eval.Question{
					ID: o.name, Language: "c", Category: "option", Query: text, Targets: []eval.Target{{Path: file}},
				}})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the options of %s: %w", tree, err)
	}
	slices.SortStableFunc(all, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	questions := make([]eval.Question, len(all))
	for i := range all {
		questions[i] = all[i].Question
	}
	return questions, nil
}

var object = pattern.New(`(?m)^obj-\$\(CONFIG_(\w+)\)\s*\+?=\s*(.+)$`)

// objectsOf returns what each option builds, by a Makefile.
func objectsOf(makefile string) map[string][]string {
	objects := map[string][]string{}
	for _, m := range object().FindAllStringSubmatch(strings.ReplaceAll(makefile, "\\\n", " "), -1) {
		objects[m[1]] = append(objects[m[1]], strings.Fields(m[2])...)
	}
	return objects
}

// sourceOf returns the name without extension of the only file that an option builds.
func sourceOf(objects []string) (string, bool) {
	if len(objects) != 1 {
		return "", false
	}
	return strings.CutSuffix(objects[0], ".o")
}

// option is one of a Kconfig file.
type option struct{ name, help string }

var (
	optionHead = pattern.New(`^config (\w+)$`)
	entryHead  = pattern.New(`^(config|menuconfig|choice|endchoice|menu|endmenu|if|endif|source|comment)\b`)
	helpHead   = pattern.New(`^\s*help\s*$`)
)

// optionsOf returns the options of a Kconfig file that have a help text.
func optionsOf(text string) []option {
	var all []option
	var name string
	var help *strings.Builder
	end := func() {
		if name != "" && help != nil {
			all = append(all, option{name, help.String()})
		}
		name, help = "", nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case entryHead().MatchString(line):
			end()
			if m := optionHead().FindStringSubmatch(line); m != nil {
				name = m[1]
			}
		case help != nil:
			help.WriteString(line + "\n")
		case name != "" && helpHead().MatchString(line):
			help = &strings.Builder{}
		}
	}
	end()
	return all
}

var howToBuild = pattern.New(`(?is)to compile.*|the module will be.*|if you.*?say.*|say [yn]\b.*|if unsure.*|this driver can also.*`)

// textOf returns what a help text says, but for how to build, cut to mostWords.
func textOf(help string) string {
	words := strings.Fields(howToBuild().ReplaceAllString(help, ""))
	return strings.Join(words[:min(len(words), mostWords)], " ")
}

// asks reports whether a text is long enough and does not name the file.
func asks(text, source string) bool {
	if len(strings.Fields(text)) < fewestWords {
		return false
	}
	text, source = strings.ToLower(text), strings.ToLower(source)
	for _, name := range []string{source, strings.ReplaceAll(source, "_", " "), strings.ReplaceAll(source, "-", " "), strings.ReplaceAll(source, "_", "-")} {
		if name != "" && strings.Contains(text, name) {
			return false
		}
	}
	return true
}

// cutoffs are the numbers of files among which the answer is looked for.
var cutoffs = [...]int{1, 5, 10, 50}

// Report is the outcome of a run.
type Report struct {
	Tree      string    `json:"tree"`    // name of its folder
	Version   string    `json:"version"` // as its Makefile has it, "" where it has none
	Files     int       `json:"files"`   // that are indexed
	Pairs     int       `json:"pairs"`   // questions that the tree makes
	Questions int       `json:"questions"`
	Recall    []float64 `json:"recall"` // within 1, 5, 10 and 50 files
	MRR       float64   `json:"mrr"`
}

// Measure asks the first n questions of a tree, of which only C is searched.
func Measure(ctx context.Context, w *workspace.Workspace, tree string, questions []eval.Question, n int) (rep *Report, err error) {
	r, err := w.Attach(ctx, tree, workspace.AttachOptions{Exact: true})
	if err != nil {
		return nil, err
	}
	if _, err := r.Index(ctx, workspace.IndexOptions{}); err != nil {
		return nil, err
	}
	snap, err := r.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	rep = &Report{Files: snap.Stats().Files, Pairs: len(questions), Recall: make([]float64, len(cutoffs))}
	if rep.Files == 0 {
		return nil, &usage.Error{Msg: "no file of " + tree + " is indexed", Hint: "see whether its .gitignore leaves all of them out, as that of Debian's packages does"}
	}
	if rep.Tree, rep.Version, err = named(tree); err != nil {
		return nil, err
	}
	questions = questions[:min(n, len(questions))]
	rep.Questions = len(questions)
	one := 1 / float64(max(len(questions), 1))
	for i := range questions {
		q := &questions[i]
		res, err := search.Search(ctx, []*store.Snapshot{snap}, hit.Request{
			Query: q.Query, Languages: []string{"c"}, Limit: cutoffs[len(cutoffs)-1], Detail: hit.DetailLocate, Scope: code.ScopeAll,
		}, search.Means{Models: r.Models()})
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", q.ID, err)
		}
		rank := 1 + slices.IndexFunc(files(res.Hits), func(path string) bool { return path == q.Targets[0].Path })
		if rank == 0 {
			continue
		}
		rep.MRR += one / float64(rank)
		for k, n := range cutoffs {
			if rank <= n {
				rep.Recall[k] += one
			}
		}
	}
	return rep, nil
}

var versionLine = pattern.New(`(?m)^(?:VERSION|PATCHLEVEL|SUBLEVEL) *= *(\d+)$`)

// named returns the name of a tree's folder, and its version by the Makefile.
func named(tree string) (name, version string, err error) {
	if tree, err = filepath.Abs(tree); err != nil {
		return "", "", err
	}
	makefile, err := os.ReadFile(filepath.Join(tree, "Makefile"))
	if err != nil && !os.IsNotExist(err) {
		return "", "", err
	}
	var parts []string
	for _, m := range versionLine().FindAllStringSubmatch(string(makefile), -1) {
		parts = append(parts, m[1])
	}
	return filepath.Base(tree), strings.Join(parts, "."), nil
}

// files returns the paths of hits, each once: a report has several of one file.
func files(hits []hit.Hit) []string {
	var paths []string
	for i := range hits {
		if !slices.Contains(paths, hits[i].Path) {
			paths = append(paths, hits[i].Path)
		}
	}
	return paths
}

// Title is the heading of the part of the page on quality.
const Title = "Linux"

// bm25 is what BM25 finds by SQLite FTS5 with porter over whole files, identifiers split,
// the path weighing five times. The first row is of the publisher of the pairs that these
// were made like: of the half that is kept back here, of Linux 6.12 with 86,228 files. The
// second was measured by the same means over the C files and headers up to 1 MiB of
// Debian's linux-source-6.1 (6.1.172), each question the words of its text joined by OR.
var bm25 = []row{
	{"BM25 over whole files, as published: the other half, Linux 6.12", 200, []float64{0.495, 0.690, 0.765, 0.865}, 0.589},
	{"BM25 over whole files: this half, Linux 6.1.172", 300, []float64{0.470, 0.740, 0.807, 0.883}, 0.589},
}

// row is a line of the page.
type row struct {
	name      string
	questions int
	recall    []float64
	mrr       float64
}

// Page returns the report as a part of the page on quality.
func (rep *Report) Page() string {
	version := ""
	if rep.Version != "" {
		version = ", version " + rep.Version
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Written by `espy eval kconfig`. The help text of an option of the kernel asks for the C file that the option builds, among all C files;")
	line("sentences that tell how to build are left out, and so are texts that name the file. Asked are the first %d of %d pairs of the tree %s%s,", rep.Questions, rep.Pairs, rep.Tree, version)
	line("%d files indexed. The half of the pairs that is kept back is not asked. BM25 is that of SQLite's FTS5 with porter, the path weighing five", rep.Files)
	line("times. R@k: the file is among the first k.")
	line("")
	line("| | questions | R@1 | R@5 | R@10 | R@50 | MRR |")
	line("|---|---|---|---|---|---|---|")
	for _, r := range append([]row{{"Espy", rep.Questions, rep.Recall, rep.MRR}}, bm25...) {
		fmt.Fprintf(&b, "| %s | %d |", r.name, r.questions)
		for _, share := range r.recall {
			fmt.Fprintf(&b, " %.3f |", share)
		}
		line(" %.3f |", r.mrr)
	}
	return b.String()
}

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	var head, rule, row strings.Builder
	for k, n := range cutoffs {
		fmt.Fprintf(&head, " R@%d |", n)
		rule.WriteString("---|")
		fmt.Fprintf(&row, " %.3f |", rep.Recall[k])
	}
	return fmt.Sprintf("| questions |%s MRR |\n|---|%s---|\n| %d |%s %.3f |\n", &head, &rule, rep.Questions, &row, rep.MRR)
}
