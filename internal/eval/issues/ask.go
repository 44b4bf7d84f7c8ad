package issues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/code"
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
	Folder    string            // where they are attached: a folder of each
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
// instances. Repositories without a mirror are left out. Each mirror is attached once,
// as a folder without files, and asked at the commits of its instances: the workspace
// keeps what it indexes of them.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (all []Answer, err error) {
	m := &measure{Options: o, workspace: w}
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

	mirror *workspace.Repo // attached now
	of     string          // whose mirror that is
	repo   *workspace.Repo // the mirror at the commit of an instance
}

// ask indexes the commit of an instance and asks.
func (m *measure) ask(ctx context.Context, x *Instance) (a Answer, err error) {
	if err := m.open(ctx, x); err != nil {
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
	res, err := m.answer(ctx, snap, request(x, places))
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

// answer answers a request with the commits up to that of the instance.
func (m *measure) answer(ctx context.Context, snap *store.Snapshot, req hit.Request) (*hit.Result, error) {
	return search.Search(ctx, []*store.Snapshot{snap}, req, search.Means{Past: workspace.PastOf(m.repo)})
}

// request is the question of an instance.
func request(x *Instance, limit int) hit.Request {
	return hit.Request{Query: query(x.Query), Languages: x.languages(), Limit: limit, Detail: hit.DetailLocate, Scope: code.ScopeCode}
}

// query is a text as long as a question may be.
func query(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), hit.MaxQueryBytes)], "")
}

// open attaches the mirror of an instance, unless it is attached, and goes to its commit.
func (m *measure) open(ctx context.Context, x *Instance) (err error) {
	if m.of != x.Repo {
		if m.mirror, err = m.attach(ctx, x); err != nil {
			return err
		}
		m.of = x.Repo
	}
	m.repo, err = m.mirror.At(ctx, x.Commit)
	return err
}

// attach attaches a folder in which nothing is but the history of a mirror.
func (m *measure) attach(ctx context.Context, x *Instance) (*workspace.Repo, error) {
	folder := filepath.Join(m.Folder, strings.ReplaceAll(x.Repo, "/", "+"))
	if err := link(mirrorOf(m.Mirrors, x.Repo), filepath.Join(folder, ".git")); err != nil {
		return nil, err
	}
	return m.workspace.Attach(ctx, folder, workspace.AttachOptions{Name: x.name(), Exact: true})
}

// link makes a folder with the files of another, which are those very files: it takes no
// room where both lie on one disk. What is there already stays.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		into := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(into, 0o755)
		}
		if err = os.Link(path, into); err == nil || errors.Is(err, fs.ErrExist) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(into, text, 0o644)
	})
}

// usual counts what the usual answer names.
func (m *measure) usual(ctx context.Context, snap *store.Snapshot, x *Instance, a *Answer) error {
	res, err := m.answer(ctx, snap, request(x, usual))
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
		if id := functionOf(h, outermost(known[h.Path])); id != "" && !slices.Contains(ranked, id) {
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
// its lines touch, "" where it is outside of all.
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
	return first
}
