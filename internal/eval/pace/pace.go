// Package pace measures how long questions about calls, references and changes take, and
// questions of ranked search.
//
// The first are about functions that are drawn at random, about names that are
// given, and about commits of some size. A process that stays asks them one by one,
// each once, after it has worked out what a server does before it is asked. What one
// took is its processor time, which the load of the machine changes little, and its
// time by the clock.
package pace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"espy/internal/calls"
	"espy/internal/deps"
	"espy/internal/git"
	"espy/internal/impact"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request says what is asked.
type Request struct {
	Functions int      // drawn at random
	Seed      uint64   // of the draw
	Names     []string // of symbols that are asked about besides
	Depth     int      // of calls
	Commits   int      // of leastFiles to mostFiles files each, the newest
	Texts     []string // questions of ranked search
	Comments  int      // texts of ranked search that are made of comments of the repository
	Rounds    int      // in which each text is asked, after one that does not count
	// Prepare works out what a server does before it is asked.
	Prepare func(context.Context, *workspace.Repo) error
	// Answer takes each answer, to compare what two programs answer.
	Answer func(question string, answer any) error
}

// Report is how long each kind of question took.
type Report struct {
	Repo     string `json:"repo"`
	Files    int    `json:"files"`
	Kinds    []Kind `json:"kinds"`
	Searches []Kind `json:"searches,omitempty"` // of ranked search
	Chunks   int    `json:"chunks,omitempty"`   // that are searched
	Rounds   int    `json:"rounds,omitempty"`
	Machine  string `json:"machine"` // its cores and their clock
}

// Kind are the questions of one kind.
type Kind struct {
	Name      string     `json:"name"`
	Questions []Question `json:"questions"`
}

// Question is one question and what it took.
type Question struct {
	What   string  `json:"what"`
	CPUMS  float64 `json:"cpu_ms"`
	WallMS float64 `json:"wall_ms"`
}

// Sizes of the commits that are asked about.
const (
	leastFiles = 16
	mostFiles  = 26
)

// Measure asks about a repository that is indexed in a workspace.
func Measure(ctx context.Context, w *workspace.Workspace, r *workspace.Repo, req Request) (*Report, error) {
	m := &meter{workspace: w, repo: r, req: &req, report: &Report{Repo: r.Name(), Machine: machine()}}
	names, err := m.draw(ctx)
	if err != nil {
		return nil, err
	}
	if err := req.Prepare(ctx, r); err != nil {
		return nil, err
	}
	if err := rest(ctx); err != nil {
		return nil, err
	}
	if err := m.symbols(ctx, append(slices.Clone(req.Names), names...)); err != nil {
		return nil, err
	}
	if err := m.commits(ctx); err != nil {
		return nil, err
	}
	if err := m.searches(ctx); err != nil {
		return nil, err
	}
	return m.report, nil
}

// Bounds of the wait for a process to rest.
const (
	restStep = 250 * time.Millisecond
	restMost = 60 * time.Second
)

// rest waits until the process does nothing by itself: it begins to follow the files of
// the repository when the first question is asked, which is none of the time of another.
func rest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, restMost)
	defer cancel()
	for used := processorTime(); ; {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the process to rest: %w", ctx.Err())
		case <-time.After(restStep):
		}
		now := processorTime()
		if now-used < restStep/50 {
			return nil
		}
		used = now
	}
}

// meter asks and measures.
type meter struct {
	workspace *workspace.Workspace
	repo      *workspace.Repo
	req       *Request
	report    *Report
}

// draw returns the ids of functions that are drawn at random. It also opens the index,
// which is not measured.
func (m *meter) draw(ctx context.Context) (ids []string, err error) {
	in, err := m.repo.Explore(ctx, workspace.Wait{}, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(a *locate.Ask) error {
			ids = m.functions(a)
			return nil
		})
	})
	m.report.Files = in.Files
	return ids, err
}

// functions draws files, and of each a function that other code can name.
func (m *meter) functions(a *locate.Ask) (ids []string) {
	files := slices.Collect(a.Corpus.Files())
	draw := rand.New(rand.NewPCG(m.req.Seed, uint64(len(files))))
	draw.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, id := range files {
		if len(ids) == m.req.Functions {
			break
		}
		var all []int
		for i := range a.File(id).NumSymbols() {
			if s := a.File(id).BareSymbol(i); s.Kind.IsFunc() && locate.IsListed(&s) {
				all = append(all, i)
			}
		}
		if len(all) > 0 {
			ids = append(ids, a.ID(corpus.Ref{File: id, Index: int32(all[draw.IntN(len(all))])}))
		}
	}
	return ids
}

// symbols asks who calls each symbol, what it calls and who uses it.
func (m *meter) symbols(ctx context.Context, names []string) error {
	q := deps.Question{Repos: []*workspace.Repo{m.repo}}
	for _, d := range []calls.Direction{calls.Callers, calls.Callees} {
		k, err := m.each(string(d), names, func(name string) (any, error) {
			a, _, err := calls.Find(ctx, q, calls.Request{Target: locate.Target{Name: name}, Direction: d, Depth: m.req.Depth})
			return a, err
		})
		if err != nil {
			return err
		}
		m.report.Kinds = append(m.report.Kinds, k)
	}
	k, err := m.each("references", names, func(name string) (any, error) {
		a, _, err := deps.References(ctx, q, nav.ReferencesRequest{Target: locate.Target{Name: name}})
		return a, err
	})
	m.report.Kinds = append(m.report.Kinds, k)
	return err
}

// commits asks what each commit affects.
func (m *meter) commits(ctx context.Context) error {
	if m.req.Commits == 0 {
		return nil
	}
	history, at, err := m.repo.History(ctx)
	if err != nil {
		return err
	}
	changed, err := history.Changed(ctx, at.Commit, git.LogOptions{})
	if err != nil {
		return err
	}
	diffs := map[string]string{}
	var ids []string
	for _, c := range changed {
		if len(ids) == m.req.Commits {
			break
		}
		if n := len(c.Entries); n < leastFiles || n > mostFiles {
			continue
		}
		parent, err := history.Resolve(ctx, c.ID+"^")
		if err != nil {
			break // the first one
		}
		diff, err := history.Patch(ctx, parent, c.ID, nil)
		if err != nil {
			return err
		}
		diffs[c.ID] = diff
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return &usage.Error{Arg: "commits", Msg: fmt.Sprintf("no commit of %s changes %d to %d files", m.repo.Name(), leastFiles, mostFiles), Hint: "--commits 0 leaves them out"}
	}
	q := deps.Question{Repos: []*workspace.Repo{m.repo}}
	k, err := m.each("impact", ids, func(id string) (any, error) {
		return impact.Find(ctx, q, impact.Request{Diff: diffs[id]})
	})
	m.report.Kinds = append(m.report.Kinds, k)
	return err
}

// each asks a question about each of some things.
func (m *meter) each(name string, things []string, ask func(thing string) (any, error)) (Kind, error) {
	k := Kind{Name: name, Questions: []Question{}}
	for _, thing := range things {
		began, used := time.Now(), processorTime()
		answer, err := ask(thing)
		q := Question{What: thing, CPUMS: milliseconds(processorTime() - used), WallMS: milliseconds(time.Since(began))}
		if err != nil {
			return k, fmt.Errorf("%s %s: %w", name, thing, err)
		}
		k.Questions = append(k.Questions, q)
		if m.req.Answer == nil {
			continue
		}
		if err := m.req.Answer(name+" "+thing, answer); err != nil {
			return k, err
		}
	}
	return k, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Table returns the figures for a terminal, and the questions that took longest.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d files: milliseconds of a question\n", r.Repo, r.Files)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "question\tasked\tprocessor p50\tp95\tmost\tclock p50\tp95\tmost\tlongest")
	for _, k := range slices.Concat(r.Kinds, r.Searches) {
		if len(k.Questions) == 0 {
			continue
		}
		cpu := k.quantiles(cpuMS)
		wall := k.quantiles(wallMS)
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%s\n", k.Name, len(k.Questions), cpu[0], cpu[1], cpu[2], wall[0], wall[1], wall[2], k.longest().What)
	}
	w.Flush()
	return b.String()
}

func cpuMS(q *Question) float64  { return q.CPUMS }
func wallMS(q *Question) float64 { return q.WallMS }

// quantiles are the median, the 95th percentile and the most.
func (k *Kind) quantiles(of func(*Question) float64) (q [3]float64) {
	var all []float64
	for i := range k.Questions {
		all = append(all, of(&k.Questions[i]))
	}
	slices.Sort(all)
	for i, share := range []float64{0.5, 0.95, 1} {
		q[i] = all[min(int(share*float64(len(all))), len(all)-1)]
	}
	return q
}

func (k *Kind) longest() *Question {
	longest := &k.Questions[0]
	for i := range k.Questions {
		if q := &k.Questions[i]; q.CPUMS > longest.CPUMS {
			longest = q
		}
	}
	return longest
}
