// Package eval measures whether the right code is found first. It asks the
// questions of a set through the same search that users have and grades the
// answers.
//
// A question has targets: files, or ranges of their lines, that answer it. A
// result holds a target when its path is the target's, or ends in it, and its
// lines overlap the target's, where it has any. From the ranks at which targets
// are first held come NDCG, the reciprocal rank and recall (metric.go), their
// means (summary.go), and the comparison of two runs (compare.go).
//
// A run has one of two modes: whole indexes each repository as users have it,
// root only the folder below it that a published benchmark looks at. Two other
// ways to find code are asked beside it, to compare with: BM25 over chunks
// (bm25.go), and grep followed by reading whole files (effort.go).
//
// History (history.go) makes questions out of the commits of a repository.
package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/index"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Depth is how many results of an answer count.
const Depth = 10

// The modes of a run.
const (
	ModeRoot  = "root"  // only Repository.Root is indexed
	ModeWhole = "whole" // the whole repository is
)

// Options say what is asked of what. Questions, Corpora and DataDir are required.
type Options struct {
	Questions []Question
	Repos     []Repository     // where each repository's root is; one that is not listed has no root
	Corpora   string           // the folder with one folder per repository, named like it
	DataDir   string           // where indexes are kept; one that is there already is brought up to date
	Parser    index.Parser     // of languages other than Go; nil leaves their files without symbols
	Models    embedding.Models // that answers may use
	RootMode  bool             // index only the root of each repository
	Limit     int              // results asked for; 0 is Depth
	Search    hit.Mode         // of search; "" is auto
	Compared  bool             // also ask BM25, and count tokens against grep and reading
	Write     Writer           // writes answers for Run.Curve; nil leaves it out

	// At is the revision of git that a question is asked at; nil asks all over what is
	// checked out. A repository asked so needs its commits.
	At       func(q *Question) string
	Progress func(repo string, done, total int)
}

// mode returns the mode that the options ask for.
func (o *Options) mode() string {
	if o.RootMode {
		return ModeRoot
	}
	return ModeWhole
}

// Answer is what one question was answered. Its JSON form is a line of a
// results file.
type Answer struct {
	Repo    string        `json:"repo"`
	ID      string        `json:"id"`
	Results []Result      `json:"results"`
	Error   string        `json:"error,omitempty"` // why the question was refused
	Took    time.Duration `json:"-"`
}

// Run is one set of questions with its answers, all in the order of the questions.
type Run struct {
	Mode      string
	Questions []Question
	Answers   []Answer
	Absent    []string // "repo path" of each target that no index holds
	BM25      []Answer // of Options.Compared, as the rest
	Efforts   []Effort
	Held      [][]Held // by budget, of Options.Write
	Spanned   []bool   // which questions have known lines
}

// Evaluate indexes the repositories one after another and asks every question.
// A question that is refused scores nothing and keeps its error; a repository
// that is not there ends the run.
func Evaluate(ctx context.Context, o Options) (run *Run, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	w, err := workspace.Open(workspace.Options{DataDir: filepath.Join(o.DataDir, o.mode()), Parser: o.Parser, Models: o.Models})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	run = newRun(&o)
	groups := byRepo(o.Questions)
	for i, g := range groups {
		if o.Progress != nil {
			o.Progress(g.repo, i, len(groups))
		}
		if err := run.repository(ctx, w, &o, g); err != nil {
			return nil, fmt.Errorf("evaluate %s: %w", g.repo, err)
		}
	}
	return run, nil
}

// check reports what makes the run impossible before anything is indexed.
func (o *Options) check() error {
	if len(o.Questions) == 0 {
		return errors.New("evaluate: no questions")
	}
	var missing []string
	for _, g := range byRepo(o.Questions) {
		if info, err := os.Stat(o.folder(g.repo)); err != nil || !info.IsDir() {
			missing = append(missing, g.repo)
		}
	}
	if missing != nil {
		return &MissingError{Corpora: o.Corpora, Mode: o.mode(), Repos: missing}
	}
	return nil
}

// MissingError lists the repositories that questions are about and that are not
// laid out.
type MissingError struct {
	Corpora, Mode string
	Repos         []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s does not hold %s (mode %s)", e.Corpora, strings.Join(e.Repos, ", "), e.Mode)
}

// root is the folder below a repository that is indexed, "" for all of it.
func (o *Options) root(repo string) string {
	if !o.RootMode {
		return ""
	}
	for _, r := range o.Repos {
		if r.Name == repo {
			return r.Root
		}
	}
	return ""
}

func (o *Options) folder(repo string) string {
	return filepath.Join(o.Corpora, repo, filepath.FromSlash(o.root(repo)))
}

func newRun(o *Options) *Run {
	r := &Run{Mode: o.mode(), Questions: o.Questions, Answers: make([]Answer, len(o.Questions))}
	if o.Compared {
		r.BM25 = make([]Answer, len(o.Questions))
		r.Efforts = make([]Effort, len(o.Questions))
	}
	if o.Write != nil {
		r.Spanned = make([]bool, len(o.Questions))
		for range budgets {
			r.Held = append(r.Held, make([]Held, len(o.Questions)))
		}
	}
	return r
}

// repository asks the questions of one repository.
func (r *Run) repository(ctx context.Context, w *workspace.Workspace, o *Options, g group) error {
	repo, err := w.Attach(ctx, o.folder(g.repo), workspace.AttachOptions{Name: g.repo, Exact: true})
	if err != nil {
		return err
	}
	if o.At == nil {
		return r.over(ctx, repo, o, g)
	}
	for _, i := range g.questions {
		at, err := repo.At(ctx, o.At(&o.Questions[i]))
		if err == nil {
			err = r.over(ctx, at, o, group{repo: g.repo, questions: []int{i}})
		}
		if err != nil {
			return fmt.Errorf("ask %s: %w", o.Questions[i].ID, err)
		}
	}
	return nil
}

// over indexes a repository as it is, or at a revision, and asks questions about it.
func (r *Run) over(ctx context.Context, repo *workspace.Repo, o *Options, g group) (err error) {
	if _, err := repo.Index(ctx, workspace.IndexOptions{}); err != nil {
		return err
	}
	snap, err := repo.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	return segment.Guard(func() error {
		c := &corpus{snap: snap, means: search.Means{Models: o.Models, Past: workspace.PastOf(repo)}, root: o.root(g.repo), limit: o.Limit, mode: o.Search}
		if c.limit == 0 {
			c.limit = Depth
		}
		return r.ask(ctx, c, o, g.questions)
	})
}

// corpus is one indexed repository.
type corpus struct {
	snap  *store.Snapshot
	means search.Means
	root  string
	limit int
	mode  hit.Mode
}

// path makes a path of the index one that starts at the repository's root.
func (c *corpus) path(p string) string {
	if c.root == "" {
		return p
	}
	return c.root + "/" + p
}

// ask answers the questions of one repository.
func (r *Run) ask(ctx context.Context, c *corpus, o *Options, questions []int) error {
	for _, i := range questions {
		a, err := c.answer(ctx, &o.Questions[i])
		if err != nil {
			return err
		}
		r.Answers[i] = a
	}
	r.absent(c, questions)
	if o.Write != nil {
		if err := r.held(ctx, c, o.Write, questions); err != nil {
			return err
		}
	}
	if !o.Compared {
		return nil
	}
	if err := r.rank25(c, questions); err != nil {
		return err
	}
	return r.efforts(ctx, c, questions)
}

// answer asks one question as a user would.
func (c *corpus) answer(ctx context.Context, q *Question) (Answer, error) {
	a := Answer{Repo: q.Repo, ID: q.ID, Results: []Result{}}
	res, err := c.search(ctx, q, hit.DetailLocate)
	var refused *usage.Error
	if errors.As(err, &refused) {
		a.Error = err.Error()
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("ask %s: %w", q.ID, err)
	}
	a.Took = res.Duration
	for i := range res.Hits {
		h := &res.Hits[i]
		a.Results = append(a.Results, Result{Path: c.path(h.Path), StartLine: h.StartLine, EndLine: h.EndLine})
	}
	return a, nil
}

func (c *corpus) search(ctx context.Context, q *Question, d hit.Detail) (*hit.Result, error) {
	return c.request(ctx, hit.Request{Query: q.Query, Mode: c.mode, Limit: c.limit, Detail: d})
}

func (c *corpus) request(ctx context.Context, req hit.Request) (*hit.Result, error) {
	return search.Search(ctx, []*store.Snapshot{c.snap}, req, c.means)
}

// absent notes the targets that the index does not hold.
func (r *Run) absent(c *corpus, questions []int) {
	var paths []string
	c.snap.Each(func(seg, file int) bool {
		paths = append(paths, c.path(c.snap.Segments[seg].Path(file)))
		return true
	})
	for _, i := range questions {
		for _, t := range r.Questions[i].Targets {
			if !anyHolds(paths, t.Path) {
				r.Absent = append(r.Absent, r.Questions[i].Repo+" "+t.Path)
			}
		}
	}
}

func anyHolds(paths []string, target string) bool {
	for _, p := range paths {
		if samePath(p, target) {
			return true
		}
	}
	return false
}
