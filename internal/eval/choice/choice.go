// Package choice measures which tests are chosen for a change: do those that impact
// names for the source part of a commit contain the tests that the commit changed?
package choice

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/git"
	"espy/internal/impact"
	"espy/internal/impact/suite"
	"espy/internal/lang"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request says which commits to ask about.
type Request struct {
	Commits  int // of each repository
	Seed     uint64
	Progress func(repo string, done, total int)
}

// Choice is how the tests that are chosen for the source part of commits match the
// tests that these commits changed. Nothing of a commit or of a later one is known
// when its tests are chosen.
type Choice struct {
	Repos []Repo `json:"repos"`
}

// Repo is what the commits of one repository give.
type Repo struct {
	Repo    string   `json:"repo"`
	Commits []Commit `json:"commits"`
}

// Commit is one commit.
type Commit struct {
	Commit string   `json:"commit"`
	Held   bool     `json:"held"`    // of the half that nothing was fitted to
	Source int      `json:"source"`  // files of its source part
	Tests  []string `json:"tests"`   // files of tests that it changed and that were there before
	Missed []string `json:"missed"`  // of them, those that were not chosen
	Chosen int      `json:"chosen"`  // files of tests that were chosen
	Suites int      `json:"suites"`  // files of tests that there are
	TookMS float64  `json:"took_ms"` // of the question, the index being there
	answer *impact.Impact
}

// Bounds of the commits that are asked about. They were set before any was looked at.
const (
	window     = 3000 // the newest commits that are drawn from
	maxEntries = 30   // files that a commit changes at most
)

// Ask asks about commits of repositories that change both sources and tests.
func Ask(ctx context.Context, repos []*workspace.Repo, req Request) (*Choice, error) {
	all := &Choice{}
	for _, r := range repos {
		one, err := askRepo(ctx, r, &req)
		if err != nil {
			return nil, err
		}
		all.Repos = append(all.Repos, *one)
	}
	return all, nil
}

func askRepo(ctx context.Context, r *workspace.Repo, req *Request) (*Repo, error) {
	history, at, err := r.History(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := history.Changed(ctx, at.Commit, git.LogOptions{Limit: window})
	if err != nil {
		return nil, err
	}
	fit := slices.DeleteFunc(changed, func(c git.Changed) bool { return !isQuestion(&c) })
	if len(fit) == 0 {
		return nil, &usage.Error{Msg: "no commit of " + r.Name() + " changes both sources and tests"}
	}
	draw := rand.New(rand.NewPCG(req.Seed, uint64(len(r.Name()))))
	draw.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
	one := &Repo{Repo: r.Name()}
	for i := range fit {
		if len(one.Commits) == req.Commits {
			break
		}
		c, err := askCommit(ctx, r, history, &fit[i])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", fit[i].ID, r.Name(), err)
		}
		if c == nil {
			continue
		}
		c.Held = len(one.Commits)%2 == 1
		one.Commits = append(one.Commits, *c)
		req.Progress(r.Name(), len(one.Commits), req.Commits)
	}
	return one, nil
}

// isQuestion reports whether a commit changes a source file and a file of
// tests that were there before.
func isQuestion(c *git.Changed) bool {
	if len(c.Entries) > maxEntries {
		return false
	}
	source := slices.ContainsFunc(c.Entries, func(e git.Touched) bool { return e.Status == 'M' && isSource(e.Path) })
	return source && slices.ContainsFunc(c.Entries, isChangedTest)
}

func isChangedTest(e git.Touched) bool { return e.Status == 'M' && isSuite(e.Path) }

func isSuite(p string) bool {
	l := lang.Detect(p, nil)
	return l != nil && suite.Is(p, l.Name, lang.Classify(p))
}

func isSource(p string) bool {
	l := lang.Detect(p, nil)
	return l != nil && lang.IsCode(l.Name) && lang.Classify(p)&(code.ClassTest|code.ClassDocs|code.ClassVendor|code.ClassGenerated) == 0
}

// askCommit asks about one commit over the tree before it; nil for one without a
// tree before it.
func askCommit(ctx context.Context, r *workspace.Repo, history *git.Repository, c *git.Changed) (*Commit, error) {
	parent, err := history.Resolve(ctx, c.ID+"^")
	if err != nil {
		return nil, nil // the first one
	}
	one := &Commit{Commit: c.ID, Tests: []string{}, Missed: []string{}}
	var source []string
	for _, e := range c.Entries {
		switch {
		case isChangedTest(e):
			one.Tests = append(one.Tests, e.Path)
		case !lang.Classify(e.Path).Has(code.ClassTest):
			source = append(source, e.Path)
		}
	}
	one.Source = len(source)
	text, err := history.Patch(ctx, parent, c.ID, source)
	if err != nil {
		return nil, err
	}
	before, err := r.At(ctx, parent)
	if err != nil {
		return nil, err
	}
	if _, err := before.Index(ctx, workspace.IndexOptions{}); err != nil {
		return nil, err
	}
	began := time.Now()
	if one.answer, err = impact.Find(ctx, deps.Question{Repos: []*workspace.Repo{before}}, impact.Request{Diff: text}); err != nil {
		return nil, err
	}
	one.TookMS = float64(time.Since(began).Microseconds()) / 1000
	one.Chosen, one.Suites = len(one.answer.Tests), one.answer.Suites
	for _, t := range one.Tests {
		if !slices.ContainsFunc(one.answer.Tests, func(o impact.Test) bool { return o.Path == t }) {
			one.Missed = append(one.Missed, t)
		}
	}
	return one, nil
}

// score is what some commits give together.
type score struct {
	commits, whole, some int
	tests, found         int
	shares               []float64 // of all files of tests, those that were chosen
	took                 []float64
}

func (s *score) add(c *Commit) {
	s.commits++
	if len(c.Missed) == 0 {
		s.whole++
	}
	if len(c.Missed) < len(c.Tests) {
		s.some++
	}
	s.tests += len(c.Tests)
	s.found += len(c.Tests) - len(c.Missed)
	s.shares = append(s.shares, float64(c.Chosen)/float64(max(c.Suites, 1)))
	s.took = append(s.took, c.TookMS)
}

// quantile is a value that a share of a list is at most.
func quantile(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[min(int(share*float64(len(list))), len(list)-1)]
}

// Text returns the figures for a terminal.
func (m *Choice) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, "tests chosen for the source part of a commit, compared with those that it changed; the index and the history are those before it")
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "commits\tof\tall tests chosen\tsome\ttests found\tnamed, median\tp95 ms")
	row := func(name string, s *score) {
		if s.commits == 0 {
			return
		}
		n := float64(s.commits)
		fmt.Fprintf(w, "%s\t%d\t%.0f %%\t%.0f %%\t%.0f %% of %d\t%.1f %%\t%.0f\n", name, s.commits, 100*float64(s.whole)/n, 100*float64(s.some)/n,
			100*float64(s.found)/float64(max(s.tests, 1)), s.tests, 100*quantile(s.shares, 0.5), quantile(s.took, 0.95))
	}
	var all, fitted, held score
	for i := range m.Repos {
		var one score
		for k := range m.Repos[i].Commits {
			c := &m.Repos[i].Commits[k]
			one.add(c)
			all.add(c)
			half := &fitted
			if c.Held {
				half = &held
			}
			half.add(c)
		}
		row(m.Repos[i].Repo, &one)
	}
	row("fitted to", &fitted)
	row("held out", &held)
	row("all", &all)
	w.Flush()
	return b.String()
}
