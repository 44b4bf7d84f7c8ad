package tasks

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/nearest"
	"espy/internal/pattern"
	"espy/internal/usage"
)

// Limits of a task, in characters and entries.
const (
	MaxTitle       = 200
	MaxDescription = 2000
	MaxNotes       = 5000
	MaxPlanning    = 10
	MaxReference   = 500 // of a planning reference, a path or the name of a symbol
	MaxBranch      = 200
	maxNamed       = 50 // files, and as many symbols
)

// CommitForm is what the hash of a commit looks like.
var CommitForm = pattern.New(`\A[a-f0-9]{40}\z`)

// checkID returns an id as it is kept.
func checkID(id string) (string, error) {
	u, err := uuid.Parse(id)
	if err != nil || len(id) != len(u.String()) {
		return "", &usage.Error{Arg: "id", Value: id, Msg: "not the id of a task", Hint: "an id is a UUID, as a list of tasks shows it"}
	}
	return u.String(), nil
}

// check refuses what a task cannot be.
func (t *Task) check() error {
	for _, f := range []struct {
		name, text string
		most       int
	}{{"title", t.Title, MaxTitle}, {"description", t.Description, MaxDescription}, {"notes", t.Notes, MaxNotes}} {
		if err := short(f.name, f.text, f.most); err != nil {
			return err
		}
	}
	if strings.TrimSpace(t.Title) == "" {
		return &usage.Error{Arg: "title", Value: t.Title, Msg: "empty", Hint: "say in a few words what is to be done"}
	}
	if err := t.Status.check(); err != nil {
		return err
	}
	if len(t.Planning) > MaxPlanning {
		return &usage.Error{Arg: "planning_references", Value: strconv.Itoa(len(t.Planning)), Msg: fmt.Sprintf("more than %d", MaxPlanning), Hint: "name the documents that matter most"}
	}
	for _, list := range []struct {
		name  string
		texts []string
		most  int
	}{{"planning_references", t.Planning, MaxReference}, {"branch", t.Branches, MaxBranch}, {"files", paths(t.Files), MaxReference}, {"symbols", names(t.Symbols), MaxReference}} {
		for _, text := range list.texts {
			if err := entry(list.name, text, list.most); err != nil {
				return err
			}
		}
	}
	for _, c := range t.Commits {
		if !CommitForm().MatchString(c) {
			return &usage.Error{Arg: "commit", Value: c, Msg: "not the hash of a commit", Hint: "40 hexadecimal digits in lower case, as git rev-parse HEAD prints"}
		}
	}
	return t.checkCode()
}

// checkCode refuses too many files and symbols, and paths that leave a repository.
func (t *Task) checkCode() error {
	for _, n := range []struct {
		name string
		n    int
	}{{"files", len(t.Files)}, {"symbols", len(t.Symbols)}} {
		if n.n > maxNamed {
			return &usage.Error{Arg: n.name, Value: strconv.Itoa(n.n), Msg: fmt.Sprintf("more than %d", maxNamed), Hint: "name what the task changes first"}
		}
	}
	for _, f := range t.Files {
		if f.Path != path.Clean(f.Path) || strings.HasPrefix(f.Path, "../") || f.Path == ".." || path.IsAbs(f.Path) {
			return &usage.Error{Arg: "files", Value: f.Path, Msg: "not a path in the repository", Hint: "paths are relative to its root, such as src/retry.go"}
		}
	}
	return nil
}

func short(name, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return &usage.Error{Arg: name, Value: usage.Shorten(text, 80), Msg: fmt.Sprintf("%d characters are more than the limit of %d", n, most), Hint: "shorten it"}
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return &usage.Error{Arg: name, Value: usage.Shorten(text, 80), Msg: "not text", Hint: "write it in UTF-8, without NUL"}
	}
	return nil
}

func entry(name, text string, most int) error {
	if text == "" {
		return &usage.Error{Arg: name, Msg: "an entry is empty", Hint: "leave it out"}
	}
	return short(name, text, most)
}

func paths(files []File) (list []string) {
	for _, f := range files {
		list = append(list, f.Path)
	}
	return list
}

func names(symbols []Symbol) (list []string) {
	for _, s := range symbols {
		list = append(list, s.Name)
	}
	return list
}

func (s Status) check() error {
	if slices.Contains(Statuses, s) {
		return nil
	}
	var known []string
	for _, k := range Statuses {
		known = append(known, string(k))
	}
	hint := "a status is " + strings.Join(known, ", ")
	if near := nearest.Of(string(s), known, 1); len(near) > 0 {
		hint = "did you mean " + strconv.Quote(near[0]) + "? " + hint
	}
	return &usage.Error{Arg: "status", Value: string(s), Msg: "unknown status", Hint: hint}
}

func (f *Filter) check() error {
	if f.Status != "" {
		return f.Status.check()
	}
	return nil
}

// Folded is the text of a task that Filter.Text is looked for in.
func (t *Task) Folded() string {
	return strings.ToLower(t.Title + "\n" + t.Description + "\n" + t.Notes)
}

// Words are the words that Folded must hold to pass the filter.
func (f *Filter) Words() []string { return strings.Fields(strings.ToLower(f.Text)) }

// Repos are the repositories of the code that a task names.
func (t *Task) Repos() (ids []code.RepoID) {
	for _, f := range t.Files {
		add(&ids, []code.RepoID{f.Repo})
	}
	for _, s := range t.Symbols {
		add(&ids, []code.RepoID{s.Repo})
	}
	return ids
}
