// Package issues measures whether the text of an issue leads to the code that its fix
// changed. Each instance is asked over the tree that its fix was made on.
//
// As the published figures: Acc@k is the share of the instances all of whose changed
// files, or functions, are among the first k; hit@k of those of which one is. Only code
// counts, unless a fix changed none. A set in Python is asked for Python alone.
package issues

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/lang"
	"espy/internal/rank"
)

// Instance is an issue and what its fix changed.
type Instance struct {
	ID       string   `json:"id"`
	Sets     []string `json:"sets"`
	Language string   `json:"language"`
	Repo     string   `json:"repo"` // owner/name
	Commit   string   `json:"base_commit"`
	Time     int64    `json:"time"`
	Query    string   `json:"query"`
	Files    []File   `json:"files"`
}

// File is a file that a fix changed.
type File struct {
	Path      string     `json:"path"`
	Functions []Function `json:"functions"`
}

// Function is the name of a changed function, qualified by dots.
type Function string

// UnmarshalJSON reads ["name", first line, last line].
func (f *Function) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 {
		return errors.Join(err, errors.New("a function is its name and two lines"))
	}
	return json.Unmarshal(parts[0], (*string)(f))
}

// Read reads instances, one JSON object a line, in the order of their repositories and
// of time.
func Read(file string) (all []Instance, err error) {
	err = decode(file, func(x Instance) error {
		if x.ID == "" || x.Repo == "" || x.Query == "" || len(x.Files) == 0 {
			return errors.New("an instance needs an id, a repo, a query and files")
		}
		all = append(all, x)
		return nil
	})
	slices.SortStableFunc(all, func(a, b Instance) int {
		if a.Repo != b.Repo {
			return strings.Compare(a.Repo, b.Repo)
		}
		return int(a.Time - b.Time)
	})
	return all, err
}

// decode reads a file of JSON objects one after the other.
func decode[T any](file string, add func(T) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	for d := json.NewDecoder(in); ; {
		var one T
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read %s: %w", file, err)
		}
		if err := add(one); err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
	}
}

// sought are the files of a fix that count.
func (x *Instance) sought() []File {
	code := slices.DeleteFunc(slices.Clone(x.Files), func(f File) bool { return !isCode(f.Path) })
	if len(code) == 0 {
		return x.Files
	}
	return code
}

func isCode(p string) bool {
	l := lang.Detect(p, nil)
	return l != nil && l.Outline && rank.ContentOf(l.Name) == rank.ContentCode
}

// families are languages that are asked for together.
var families = [][]string{{"c", "cpp"}, {"javascript", "typescript", "tsx", "jsx"}}

// commits is the set of instances that are made of the messages of commits.
const commits = "commits"

// languages are those that an instance is asked for; none asks for all.
func (x *Instance) languages() []string {
	if !slices.Contains(x.Sets, "lite274") && !slices.Contains(x.Sets, commits) {
		return nil
	}
	for _, f := range families {
		if slices.Contains(f, x.Language) {
			return f
		}
	}
	return []string{x.Language}
}

// mirrorOf finds the bare repository of an owner/name below a folder: owner+name/repo or
// owner+name.git, in any case of letters; empty where there is none.
func mirrorOf(mirrors, repo string) string {
	entries, err := os.ReadDir(mirrors)
	if err != nil {
		return ""
	}
	want := strings.ReplaceAll(repo, "/", "+")
	for _, e := range entries {
		switch {
		case strings.EqualFold(e.Name(), want):
			return filepath.Join(mirrors, e.Name(), "repo")
		case strings.EqualFold(e.Name(), want+".git"):
			return filepath.Join(mirrors, e.Name())
		}
	}
	return ""
}

// name is what the repository of an instance is called here.
func (x *Instance) name() string { return path.Base(x.Repo) }
