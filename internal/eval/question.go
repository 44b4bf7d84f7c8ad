package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Question is one line of a question set.
type Question struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"`
	Language string   `json:"language"`
	Category string   `json:"category"`
	Query    string   `json:"query"`
	Targets  []Target `json:"targets"`
}

// Target is a place that answers a question. Its path is relative to the root
// of the repository; lines are 1-based and inclusive, 0 for the whole file.
type Target struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`

	// Lines are runs of lines, first and last, that answer, where any place in the
	// file counts as found.
	Lines [][2]int `json:"lines,omitempty"`
}

// Result is one place of an answer, as Target; without lines it is the whole file.
type Result struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
}

// Repository is one row of the list beside a question set.
type Repository struct {
	Name       string `json:"name"`
	Language   string `json:"language"`
	Repository string `json:"repository"` // owner/name, or the path of a Go module
	Revision   string `json:"revision"`
	Root       string `json:"benchmark_root"` // folder that mode root indexes, "" for all of it
}

// maxLine bounds a line of a question or results file, in bytes.
const maxLine = 1 << 20

// ReadQuestions reads a question set in JSON lines. Every question needs an
// id of its own, a repository, a query and a target.
func ReadQuestions(file string) ([]Question, error) {
	var all []Question
	seen := map[string]bool{}
	err := readLines(file, func(line []byte) error {
		var q Question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if err := q.check(seen); err != nil {
			return err
		}
		all = append(all, q)
		return nil
	})
	return all, err
}

func (q *Question) check(seen map[string]bool) error {
	switch {
	case q.ID == "" || q.Query == "" || len(q.Targets) == 0:
		return errors.New("a question needs an id, a query and targets")
	case seen[q.ID]:
		return fmt.Errorf("the id %q is taken by an earlier question", q.ID)
	case q.Repo != filepath.Base(q.Repo) || strings.HasPrefix(q.Repo, "."):
		return fmt.Errorf("the repository %q is not the name of a folder", q.Repo)
	}
	for _, t := range q.Targets {
		if t.Path == "" {
			return fmt.Errorf("question %s has a target without a path", q.ID)
		}
	}
	seen[q.ID] = true
	return nil
}

// ReadRepositories reads the list of repositories beside a question set.
func ReadRepositories(file string) ([]Repository, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []Repository
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, r := range all {
		if r.Root != "" && !filepath.IsLocal(filepath.FromSlash(r.Root)) {
			return nil, fmt.Errorf("read %s: the root %q of %s is not a folder below it", file, r.Root, r.Name)
		}
	}
	return all, nil
}

// ReadAnswers reads a results file.
func ReadAnswers(file string) ([]Answer, error) {
	var all []Answer
	err := readLines(file, func(line []byte) error {
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		all = append(all, a)
		return nil
	})
	return all, err
}

// WriteLines writes values as JSON lines.
func WriteLines[T any](w io.Writer, values []T) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i := range values {
		if err := enc.Encode(&values[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

func readLines(file string, take func(line []byte) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := take(line); err != nil {
			return fmt.Errorf("read %s: line %d: %w", file, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// group is the questions about one repository, by their indexes.
type group struct {
	repo      string
	questions []int
}

// byRepo groups questions in the order in which their repositories first occur.
func byRepo(questions []Question) []group {
	var groups []group
	at := map[string]int{}
	for i := range questions {
		repo := questions[i].Repo
		g, ok := at[repo]
		if !ok {
			g = len(groups)
			at[repo] = g
			groups = append(groups, group{repo: repo})
		}
		groups[g].questions = append(groups[g].questions, i)
	}
	return groups
}
