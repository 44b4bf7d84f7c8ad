// Package messages measures whether a message that a program printed leads to the file
// that prints it: as it stands in the source, behind what logs write in front, and with
// values in the place of its verbs.
package messages

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Message is a text that stands in one file of a repository alone.
type Message struct {
	Repo string `json:"repo"` // name of its folder
	Text string `json:"query"`
	Path string `json:"path"`
}

// Read reads a JSON list of messages.
func Read(file string) (all []Message, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, m := range all {
		if m.Repo == "" || m.Text == "" || m.Path == "" {
			return nil, fmt.Errorf("read %s: a message needs a repo, a query and a path", file)
		}
	}
	return all, nil
}

// prefixes are what logs write before a message.
var prefixes = []string{
	"2026-11-22T17:13:49.001Z\terror\tcontroller\t",
	"[2026-11-22 17:13:49,001: ERROR/worker-3] ",
	"E1122 17:13:49.001234       1 server.go:117] ",
	"web-1  | ERROR: ",
}

// Options say what is asked.
type Options struct {
	Messages []Message
	Corpora  string // the folder with one folder per repository
	Filled   int    // messages of each repository that are asked with values filled in
}

// Row is what one way of asking gives.
type Row struct {
	Name  string `json:"name"`
	Asked int    `json:"asked"`
	First int    `json:"first"` // the file is the first
	Three int    `json:"three"` // is among three
	Ten   int    `json:"ten"`

	Denied int `json:"denied"` // the answer says that the text stands nowhere
}

// Report is the outcome of a run: as it stands, behind prefixes, filled in.
type Report struct {
	Rows  []Row    `json:"rows"`
	Repos []string `json:"repos"`

	Misplaced int `json:"misplaced"` // messages of other repositories that were asked
	Denied    int `json:"denied"`    // of these whose answer says that the text stands nowhere
}

// Measure asks all messages of their repositories.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (*Report, error) {
	rep := &Report{Rows: []Row{{Name: "as it stands"}, {Name: "behind a prefix"}, {Name: "values filled in"}, {Name: "filled in, behind a prefix"}}}
	for _, m := range o.Messages {
		if !slices.Contains(rep.Repos, m.Repo) {
			rep.Repos = append(rep.Repos, m.Repo)
		}
	}
	for _, repo := range rep.Repos {
		if err := rep.repository(ctx, w, o, repo); err != nil {
			return nil, fmt.Errorf("ask %s: %w", repo, err)
		}
	}
	return rep, nil
}

// repository asks the messages of one repository.
func (rep *Report) repository(ctx context.Context, w *workspace.Workspace, o Options, repo string) error {
	tree := filepath.Join(o.Corpora, repo)
	filled, err := fill(tree, o.Filled)
	if err != nil {
		return err
	}
	r, err := w.Attach(ctx, tree, workspace.AttachOptions{Name: repo, Exact: true})
	if err != nil {
		return err
	}
	if _, err := r.Index(ctx, workspace.IndexOptions{}); err != nil {
		return err
	}
	snap, err := r.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return err
	}
	defer snap.Close()
	own := slices.DeleteFunc(slices.Clone(o.Messages), func(m Message) bool { return m.Repo != repo })
	for i, list := range [][]Message{own, filled} {
		for _, m := range list {
			for k, prefix := range append([]string{""}, prefixes...) {
				if err := rep.Rows[2*i+min(k, 1)].ask(ctx, r, snap, prefix+m.Text, m.Path); err != nil {
					return err
				}
			}
		}
	}
	return rep.others(ctx, r, snap, o, repo)
}

// others asks the messages of other repositories, behind prefixes.
func (rep *Report) others(ctx context.Context, r *workspace.Repo, snap *store.Snapshot, o Options, repo string) error {
	for i, m := range o.Messages {
		if m.Repo == repo {
			continue
		}
		var row Row
		if err := row.ask(ctx, r, snap, prefixes[i%len(prefixes)]+m.Text, m.Path); err != nil {
			return err
		}
		rep.Misplaced++
		rep.Denied += row.Denied
	}
	return nil
}

// ask counts where the file of a message is.
func (row *Row) ask(ctx context.Context, r *workspace.Repo, snap *store.Snapshot, text, path string) error {
	res, err := search.Search(ctx, []*store.Snapshot{snap}, hit.Request{Query: text, Detail: hit.DetailLocate}, search.Means{Models: r.Models()})
	if err != nil {
		return err
	}
	row.Asked++
	if slices.ContainsFunc(res.Notes, func(note string) bool { return strings.HasPrefix(note, hit.NoText) }) {
		row.Denied++
	}
	var paths []string
	for i := range res.Hits {
		if !slices.Contains(paths, res.Hits[i].Path) {
			paths = append(paths, res.Hits[i].Path)
		}
	}
	at := slices.Index(paths, path)
	for _, within := range []struct {
		n     int
		count *int
	}{{1, &row.First}, {3, &row.Three}, {10, &row.Ten}} {
		if at >= 0 && at < within.n {
			*within.count++
		}
	}
	return nil
}

// Title is the heading of the part of the page on quality.
const Title = "Messages"

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Written by `espy eval messages`. Messages that stand in one file alone, of %s, asked as a log has them; the file that prints one", strings.Join(rep.Repos, " and "))
	b.WriteString(" is the first,\namong three and among ten files, in percent. A search for the exact text finds those as they stand at once. Denied: the answer says that the\ntext stands nowhere, which of these none should")
	if rep.Misplaced > 0 {
		fmt.Fprintf(&b, "; of %d behind a prefix asked of the other repository %d are", rep.Misplaced, rep.Denied)
	}
	b.WriteString(".\n\n| message | asked | first | among 3 | among 10 | denied |\n|---|---|---|---|---|---|\n")
	for _, r := range rep.Rows {
		if r.Asked > 0 {
			share := func(n int) float64 { return 100 * float64(n) / float64(r.Asked) }
			fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %.1f | %d |\n", r.Name, r.Asked, share(r.First), share(r.Three), share(r.Ten), r.Denied)
		}
	}
	return b.String()
}
