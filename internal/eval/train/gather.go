package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/eval"
	"espy/internal/hit"
	"espy/internal/index"
	"espy/internal/rank"
	reports "espy/internal/ranked/report"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// ModeHistory is the mode of lists whose questions were made from commits.
const ModeHistory = "history"

// ModeTree is the mode of lists about large trees, of which one language is searched.
const ModeTree = "tree"

// judged is how many files of each answer become rows: those that search
// judges by all signals.
const judged = 100

// Set is questions about repositories that are laid out in a folder.
type Set struct {
	Mode      string // eval.ModeRoot indexes the root of each repository only
	Questions []eval.Question
	Repos     []eval.Repository
	Languages []string     // that are searched, of all where there are none
	Parser    index.Parser // as eval.Options has it
	Corpora   string       // a folder with one folder per repository
	DataDir   string       // where indexes are kept, a folder per mode
}

// Gather asks the questions of a set and returns them as lists, in the order of
// the questions. A question that is refused is left out.
func Gather(ctx context.Context, s Set) (lists []*List, err error) {
	w, err := workspace.Open(workspace.Options{DataDir: filepath.Join(s.DataDir, s.Mode), Parser: s.Parser})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for from := 0; from < len(s.Questions); {
		to := from + 1
		for to < len(s.Questions) && s.Questions[to].Repo == s.Questions[from].Repo {
			to++
		}
		more, err := s.repository(ctx, w, s.Questions[from:to])
		if err != nil {
			return nil, fmt.Errorf("gather %s: %w", s.Questions[from].Repo, err)
		}
		lists = append(lists, more...)
		from = to
	}
	return lists, nil
}

// repository indexes one repository and asks its questions.
func (s *Set) repository(ctx context.Context, w *workspace.Workspace, questions []eval.Question) (lists []*List, err error) {
	name := questions[0].Repo
	root := s.root(name)
	repo, err := w.Attach(ctx, filepath.Join(s.Corpora, name, filepath.FromSlash(root)), workspace.AttachOptions{Name: name, Exact: true})
	if err != nil {
		return nil, err
	}
	if _, err := repo.Index(ctx, workspace.IndexOptions{}); err != nil {
		return nil, err
	}
	snap, err := repo.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	for i := range questions {
		l, err := s.ask(ctx, snap, root, &questions[i])
		if err != nil {
			return nil, err
		}
		if l != nil {
			lists = append(lists, l)
		}
	}
	return lists, nil
}

// root is the folder of a repository that is indexed, "" for all of it.
func (s *Set) root(repo string) string {
	i := slices.IndexFunc(s.Repos, func(r eval.Repository) bool { return r.Name == repo })
	if s.Mode != eval.ModeRoot || i < 0 {
		return ""
	}
	return s.Repos[i].Root
}

// ask returns the list of a question, nil where it is refused or a report.
func (s *Set) ask(ctx context.Context, snap *store.Snapshot, root string, q *eval.Question) (*List, error) {
	if reports.Is(q.Query) { // its files are judged by other evidence
		return nil, nil
	}
	res, err := search.Search(ctx, []*store.Snapshot{snap}, hit.Request{
		Query: q.Query, Languages: s.Languages, Limit: judged, Detail: hit.DetailLocate, Scope: code.ScopeAll, Explain: true, Model: gatherer(),
	}, search.Means{})
	var refused *usage.Error
	if errors.As(err, &refused) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", q.ID, err)
	}
	l := &List{
		ID: q.ID, Repo: q.Repo, Language: q.Language, Category: q.Category, Mode: s.Mode,
		Kind: rank.Understand(q.Query, q.Repo).Kind, Targets: len(q.Targets),
		Vast: rank.Vastness(snap.Stats().Files),
	}
	slices.SortFunc(res.Hits, func(a, b hit.Hit) int { return cmp.Compare(a.Path, b.Path) })
	for i := range res.Hits {
		l.Rows = append(l.Rows, newRow(&res.Hits[i], root, q.Targets))
	}
	return l, nil
}

// gatherer is the model that chooses the files that become rows. It is the same
// whatever was fitted before, so that the same questions give the same lists.
var gatherer = sync.OnceValue(func() *rank.Model {
	m := handModel(Defaults)
	for kind := range m.Curves {
		m.Curves[kind][rank.BestChunk] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, temperature}}
	}
	return m
})

func newRow(h *hit.Hit, root string, targets []eval.Target) Row {
	path := h.Path
	if root != "" {
		path = root + "/" + path
	}
	var row Row
	held := eval.Ranks([]eval.Result{{Path: path, StartLine: h.StartLine, EndLine: h.EndLine}}, targets)
	for i, r := range held {
		if r > 0 && i < 32 {
			row.Hits |= 1 << i
		}
	}
	for _, c := range h.Explain {
		if s, ok := rank.SignalNamed(c.Signal); ok {
			row.Signals[s] = c.Value
		}
	}
	return row
}
