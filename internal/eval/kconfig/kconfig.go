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
	"errors"
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

const deepest = 50 // of the cutoffs

// language is that of the files that are searched.
const language = "c"

// Report is the outcome of a run.
type Report struct {
	Tree      string  `json:"tree"`    // name of its folder
	Version   string  `json:"version"` // as its Makefile has it, "" where it has none
	Files     int     `json:"files"`   // that are indexed
	Pairs     int     `json:"pairs"`   // questions that the tree makes
	Questions int     `json:"questions"`
	Figures           // of Espy
	BM25      Figures `json:"bm25"` // of SQLite's FTS5 over the same files
}

// Figures are means over the questions.
type Figures struct {
	Recall [len(cutoffs)]float64 `json:"recall"` // within 1, 5, 10 and 50 files
	MRR    float64               `json:"mrr"`
}

// add counts a question, which weighs one, whose answer stands among files.
func (f *Figures) add(files []string, answer string, one float64) {
	rank := 1 + slices.Index(files, answer)
	if rank == 0 {
		return
	}
	f.MRR += one / float64(rank)
	for k, n := range cutoffs {
		if rank <= n {
			f.Recall[k] += one
		}
	}
}

// Options say what is asked. All are required.
type Options struct {
	Tree      string
	Questions []eval.Question // as Questions has them
	Limit     int             // ask the first ones
	Progress  func(doing string, done, total int)
}

// Measure asks the questions of a tree, of which only C is searched.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (rep *Report, err error) {
	r, err := w.Attach(ctx, o.Tree, workspace.AttachOptions{Exact: true})
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
	questions := o.Questions[:min(o.Limit, len(o.Questions))]
	rep = &Report{Files: snap.Stats().Files, Pairs: len(o.Questions), Questions: len(questions)}
	if rep.Files == 0 {
		return nil, &usage.Error{Msg: "no file of " + o.Tree + " is indexed", Hint: "see whether its .gitignore leaves all of them out, as that of Debian's packages does"}
	}
	if rep.Tree, rep.Version, err = named(o.Tree); err != nil {
		return nil, err
	}
	b, err := newBM25(ctx, &o, snap)
	if err != nil {
		return nil, fmt.Errorf("BM25: %w", err)
	}
	defer func() { err = errors.Join(err, b.close()) }()
	one := 1 / float64(max(len(questions), 1))
	for i := range questions {
		q := &questions[i]
		o.Progress("ask", i, len(questions))
		res, err := search.Search(ctx, []*store.Snapshot{snap}, hit.Request{
			Query: q.Query, Languages: []string{language}, Limit: deepest, Detail: hit.DetailLocate, Scope: code.ScopeAll,
		}, search.Means{Models: r.Models()})
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", q.ID, err)
		}
		rep.Figures.add(files(res.Hits), q.Targets[0].Path, one)
		found, err := b.ask(ctx, q.Query, deepest)
		if err != nil {
			return nil, fmt.Errorf("ask BM25 %s: %w", q.ID, err)
		}
		rep.BM25.add(found, q.Targets[0].Path, one)
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
	line("%d files indexed. The half of the pairs that is kept back is not asked. BM25 is that of SQLite's FTS5 over the same files as wholes,", rep.Files)
	line("with porter, identifiers split, the path weighing five times, asked for any word of the text. R@k: the file is among the first k.")
	return b.String() + "\n" + rep.Table() + published
}

// published is a row of the publisher of the pairs that these were made like: of the half
// that is kept back here, of Linux 6.12.
const published = "| BM25 over whole files, as published of the other half of the pairs, Linux 6.12 with 86,228 files | 200 | 0.495 | 0.690 | 0.765 | 0.865 | 0.589 |\n"

// Table returns the figures as Markdown.
func (rep *Report) Table() string {
	var b strings.Builder
	b.WriteString("| | questions |")
	for _, n := range cutoffs {
		fmt.Fprintf(&b, " R@%d |", n)
	}
	b.WriteString(" MRR |\n|---|---|" + strings.Repeat("---|", len(cutoffs)) + "---|\n")
	for _, r := range []struct {
		name string
		*Figures
	}{{"Espy", &rep.Figures}, {"BM25 over whole files", &rep.BM25}} {
		fmt.Fprintf(&b, "| %s | %d |", r.name, rep.Questions)
		for _, share := range r.Recall {
			fmt.Fprintf(&b, " %.3f |", share)
		}
		fmt.Fprintf(&b, " %.3f |\n", r.MRR)
	}
	return b.String()
}
