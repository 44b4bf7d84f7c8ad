package messages

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/pattern"
)

var (
	literal = pattern.New("\"((?:[^\"\\\\\n]){24,160})\"|'((?:[^'\\\\\n]){24,160})'|`((?:[^`\\\\\n]){24,160})`")
	hole    = pattern.New(`%[-+#0-9.]*[sdvqwxfir]|\$\{[^{}]+\}|\{[\w.]*\}`)
	word    = pattern.New(`[A-Za-z]{3,}`)
)

// values stand in the place of holes.
var values = []string{"web-7f9c", "4217", "/var/lib/app/state.db", "connection refused", "alpha"}

// fewest is how many words a message has beside its holes.
const fewest = 5

// maxSource bounds the size of a file that is looked at.
const maxSource = 1 << 20

// fill returns messages of a tree with values in the place of their holes, at most n,
// chosen by hash: of those that stand in one file of code alone, no test.
func fill(tree string, n int) ([]Message, error) {
	repo := filepath.Base(tree)
	tree, err := filepath.EvalSymlinks(tree) // else a link is all that the walk meets
	if err != nil {
		return nil, err
	}
	in := map[string]string{} // the file of each literal, "" where several have it
	err = filepath.WalkDir(tree, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && file != tree:
			return filepath.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		path, err := filepath.Rel(tree, file)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if l := lang.Detect(path, nil); l == nil || !l.Outline {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil || len(text) > maxSource {
			return err
		}
		for _, m := range literal().FindAllStringSubmatch(string(text), -1) {
			l := m[1] + m[2] + m[3]
			if other, ok := in[l]; ok && other != path {
				in[l] = ""
				continue
			}
			in[l] = path
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []Message
	for l, path := range in {
		if path != "" && isMessage(l, path) {
			all = append(all, Message{Repo: repo, Text: l, Path: path})
		}
	}
	slices.SortFunc(all, func(a, b Message) int { return cmp.Compare(hashed(a.Text), hashed(b.Text)) })
	all = all[:min(n, len(all))]
	for i := range all {
		k := i
		all[i].Text = hole().ReplaceAllStringFunc(all[i].Text, func(string) string { k++; return values[k%len(values)] })
	}
	return all, nil
}

// isMessage reports whether a literal is a sentence with holes, of code that is no test.
func isMessage(l, path string) bool {
	const other = code.ClassTest | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassExample | code.ClassDocs
	rest := hole().ReplaceAllString(l, " ")
	return lang.Classify(path)&other == 0 && rest != l && len(word().FindAllString(rest, -1)) >= fewest &&
		strings.Count(l, " ") >= fewest && !strings.ContainsAny(l, "<>;=\t") && !strings.Contains(rest, "$")
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
