package issues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/companions"
	"espy/internal/git"
	"espy/internal/git/export"
	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Options say what is asked.
type Options struct {
	Instances []Instance
	Mirrors   string            // folder with the bare repositories
	Known     map[string]Answer // by id: not asked again
	Save      func(Answer) error
	Until     time.Time // no instance is begun after it; zero for no end
	Progress  func(repo string, done, total int)
}

// Answer is where an answer has what a fix changed.
type Answer struct {
	ID         string   `json:"id"`
	Repo       string   `json:"repo"`
	Language   string   `json:"language"`
	Sets       []string `json:"sets"`
	Files      []int    `json:"files"`               // rank of each changed file among the files of 50 places, 0 for none
	Functions  []int    `json:"functions,omitempty"` // rank of each changed function among the functions of these places
	Usual      int      `json:"usual"`               // changed files that the usual answer of ten places names
	Companions int      `json:"companions"`          // changed files that it names beside them
	Named      int      `json:"named"`               // files that it names
	Beside     int      `json:"beside"`              // files that it names beside them
	TookMS     float64  `json:"took_ms"`
	Top        []scored `json:"top"` // the first ten files
}

// scored is a file of an answer.
type scored struct {
	Path  string  `json:"path"`
	Score float64 `json:"score"`
	Right bool    `json:"right,omitempty"`
}

// Bounds of an answer.
const (
	places = 50 // whose files and functions are ranked
	usual  = 10

	maxSymbols = 20_000 // of a file
)

// Measure asks what is not known yet, and returns all answers in the order of the
// instances. Repositories without a mirror are left out.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (all []Answer, err error) {
	work, err := os.MkdirTemp("", "espy-issues-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	m := &measure{Options: o, workspace: w, work: work}
	for i := range o.Instances {
		x := &o.Instances[i]
		a, ok := o.Known[x.ID]
		if !ok {
			if mirrorOf(o.Mirrors, x.Repo) == "" || !o.Until.IsZero() && time.Now().After(o.Until) {
				continue
			}
			if a, err = m.ask(ctx, x); err != nil {
				return nil, fmt.Errorf("ask %s: %w", x.ID, err)
			}
			if err := o.Save(a); err != nil {
				return nil, err
			}
			o.Progress(x.Repo, i+1, len(o.Instances))
		}
		all = append(all, a)
	}
	return all, nil
}

// measure asks about one repository after the other.
type measure struct {
	Options
	workspace *workspace.Workspace
	work      string // folder of the trees

	repo   *workspace.Repo // attached now
	mirror *git.Repository
	of     string // whose mirror and tree these are
}

// ask lays the tree of an instance out, indexes it and asks.
func (m *measure) ask(ctx context.Context, x *Instance) (a Answer, err error) {
	if err := m.lay(ctx, x); err != nil {
		return a, err
	}
	if _, err := m.repo.Index(ctx, workspace.IndexOptions{}); err != nil {
		return a, err
	}
	snap, err := m.repo.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return a, err
	}
	defer snap.Close()
	res, err := search.Search(ctx, []*store.Snapshot{snap}, request(x, places))
	if err != nil {
		return a, err
	}
	a = Answer{ID: x.ID, Repo: x.Repo, Language: x.Language, Sets: x.Sets, TookMS: float64(res.Duration.Microseconds()) / 1000}
	files := filesOf(res.Hits)
	sought := x.sought()
	for _, f := range sought {
		a.Files = append(a.Files, 1+slices.Index(files, f.Path))
	}
	a.Top = top(res.Hits, sought)
	if err := m.functions(ctx, &a, sought, res.Hits); err != nil {
		return a, err
	}
	return a, m.usual(ctx, snap, x, &a)
}

// request is the question of an instance.
func request(x *Instance, limit int) hit.Request {
	return hit.Request{Query: query(x.Query), Languages: x.languages(), Limit: limit, Detail: hit.DetailLocate, Scope: code.ScopeCode}
}

// query is a text as long as a question may be.
func query(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), hit.MaxQueryBytes)], "")
}

// lay makes the folder that is attached the tree of an instance.
func (m *measure) lay(ctx context.Context, x *Instance) (err error) {
	tree := filepath.Join(m.work, x.name())
	if m.of != x.Repo {
		if m.repo != nil {
			if err := m.drop(ctx); err != nil {
				return err
			}
		}
		if m.mirror, err = git.OpenBare(mirrorOf(m.Mirrors, x.Repo)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(tree); err != nil {
		return err
	}
	if err := os.Mkdir(tree, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := m.mirror.SizedTree(ctx, x.Commit)
	if err != nil {
		return err
	}
	if _, err := export.Commit(ctx, m.mirror, entries, root, export.Options{}); err != nil || m.of == x.Repo {
		return err
	}
	m.of = x.Repo
	m.repo, err = m.workspace.Attach(ctx, tree, workspace.AttachOptions{Name: x.name(), Exact: true})
	return err
}

// drop forgets the repository that is attached.
func (m *measure) drop(ctx context.Context) error {
	if err := m.workspace.Remove(ctx, m.repo); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(m.work, m.repo.Name()))
}

// usual counts what the usual answer names.
func (m *measure) usual(ctx context.Context, snap *store.Snapshot, x *Instance, a *Answer) error {
	q, err := search.Compile(request(x, usual))
	if err != nil {
		return err
	}
	past := func(ctx context.Context, _ string) (companions.Past, error) {
		return m.mirror.Together(ctx, x.Commit, git.LogOptions{Limit: companions.MaxCommits})
	}
	res, err := q.Run(ctx, []*store.Snapshot{snap}, search.Means{Past: past})
	if err != nil {
		return err
	}
	files := filesOf(res.Hits)
	a.Named, a.Beside = len(files), len(res.Companions)
	for _, f := range x.sought() {
		switch {
		case slices.Contains(files, f.Path):
			a.Usual++
		case slices.ContainsFunc(res.Companions, func(c hit.Companion) bool { return c.Path == f.Path }):
			a.Companions++
		}
	}
	return nil
}

// filesOf returns the paths of hits, each once.
func filesOf(hits []hit.Hit) (paths []string) {
	for i := range hits {
		if !slices.Contains(paths, hits[i].Path) {
			paths = append(paths, hits[i].Path)
		}
	}
	return paths
}

func top(hits []hit.Hit, sought []File) (all []scored) {
	for i := range hits {
		h := &hits[i]
		if len(all) < usual && !slices.ContainsFunc(all, func(s scored) bool { return s.Path == h.Path }) {
			right := slices.ContainsFunc(sought, func(f File) bool { return f.Path == h.Path })
			all = append(all, scored{h.Path, h.Score, right})
		}
	}
	return all
}

// functions ranks the changed functions among those of the places.
func (m *measure) functions(ctx context.Context, a *Answer, sought []File, hits []hit.Hit) error {
	var want []string
	for _, f := range sought {
		for _, name := range f.Functions {
			want = append(want, f.Path+"#"+string(name))
		}
	}
	if len(want) == 0 {
		return nil
	}
	var ranked []string
	known := map[string][]nav.OutlineSymbol{}
	for i := range hits {
		h := &hits[i]
		if _, ok := known[h.Path]; !ok {
			o, _, err := m.repo.Outline(ctx, nav.OutlineRequest{Path: h.Path, Limit: maxSymbols}, workspace.Wait{})
			if err != nil {
				return err
			}
			known[h.Path] = o.Files[0].Symbols
		}
		if id := functionOf(h, outermost(known[h.Path])); !slices.Contains(ranked, id) {
			ranked = append(ranked, id)
		}
	}
	for _, id := range want {
		a.Functions = append(a.Functions, 1+slices.Index(ranked, id))
	}
	return nil
}

// outermost are the functions of an outline that are in no other function.
func outermost(symbols []nav.OutlineSymbol) (all []nav.OutlineSymbol) {
	inside := -1 // depth of the function that holds what follows
	for _, s := range symbols {
		switch {
		case inside >= 0 && s.Depth > inside:
		case s.Kind.IsFunc():
			inside = s.Depth
			all = append(all, s)
		default:
			inside = -1
		}
	}
	return all
}

// functionOf returns the id of the function that a hit is in, else of the first that
// its lines touch, else of its file alone.
func functionOf(h *hit.Hit, functions []nav.OutlineSymbol) string {
	first := ""
	for _, f := range functions {
		if f.Line > h.EndLine || f.EndLine < h.StartLine {
			continue
		}
		if h.SymbolID == f.ID || strings.HasPrefix(h.SymbolID, f.ID+".") {
			return f.ID
		}
		first = cmp.Or(first, f.ID)
	}
	return cmp.Or(first, h.Path+"#")
}
