// Package packing measures what an answer holds within a number of tokens: a
// packed one of context against search followed by read, question by question.
//
// The lines of a question are those of its targets, of a target without lines
// its file. An answer holds a question when it shows at least half of the lines
// of one of its targets that are not blank, of a file any. Search and read is an
// agent that searches with a part of the tokens and reads the places that were
// found, in their order, with the rest; it may choose the best part for each
// number of tokens.
package packing

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"espy/internal/bundle"
	"espy/internal/code"
	"espy/internal/eval"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/seen"
	"espy/internal/workspace"
)

// Budgets are the numbers of tokens that are compared.
var Budgets = []int{500, 1_000, 2_000, 4_000}

// shares are the parts of the tokens that the search may have.
var shares = [3]float64{0.25, 0.5, 0.75}

// Options say what is asked of what.
type Options struct {
	Questions []eval.Question
	Corpora   string // the folder with one folder per repository, named like it
	Progress  func(repo string, done, total int)
}

// Row is what answers of a number of tokens hold.
type Row struct {
	Tokens    int     // at most
	Context   int     // questions that context holds
	Search    int     // questions that search and read hold
	Share     float64 // of the lines of targets, context
	ReadShare float64 // the same, search and read
	Mean      float64 // tokens of the answers of context

	parts [3]part // search and read, by shares
}

// part is what search and read hold with one part of the tokens for the search.
type part struct {
	held  int
	share float64
}

// Report is the outcome of a run.
type Report struct {
	Questions int
	Rows      []Row
	Usual     Row // of context without a number of tokens
}

// Measure asks every question in both ways.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (*Report, error) {
	rep := &Report{Questions: len(o.Questions), Rows: make([]Row, len(Budgets))}
	for done, q := range o.Questions {
		if o.Progress != nil {
			o.Progress(q.Repo, done, len(o.Questions))
		}
		r, err := w.Attach(ctx, filepath.Join(o.Corpora, q.Repo), workspace.AttachOptions{Exact: true})
		if err != nil {
			return nil, fmt.Errorf("attach %s: %w", q.Repo, err)
		}
		m := &measured{ctx: ctx, workspace: w, repo: r, question: q, lines: map[string][]string{}}
		if err := m.measure(rep); err != nil {
			return nil, fmt.Errorf("ask %s: %w", q.ID, err)
		}
	}
	rep.mean()
	return rep, nil
}

// mean turns sums into means.
func (rep *Report) mean() {
	n := max(float64(rep.Questions), 1)
	for i := range rep.Rows {
		r := &rep.Rows[i]
		for _, p := range r.parts { // the best one
			if p.held > r.Search || p.held == r.Search && p.share > r.ReadShare {
				r.Search, r.ReadShare = p.held, p.share
			}
		}
		r.Share, r.ReadShare, r.Mean = r.Share/n, r.ReadShare/n, r.Mean/n
	}
	rep.Usual.Share, rep.Usual.Mean = rep.Usual.Share/n, rep.Usual.Mean/n
}

// measured is one question.
type measured struct {
	ctx       context.Context // of the run
	workspace *workspace.Workspace
	repo      *workspace.Repo
	question  eval.Question
	lines     map[string][]string // of files that were looked at
}

func (m *measured) measure(rep *Report) error {
	for i, tokens := range Budgets {
		row := &rep.Rows[i]
		row.Tokens = tokens
		size, got, err := m.packed(tokens)
		if err != nil {
			return err
		}
		row.add(&row.Context, &row.Share, got)
		row.Mean += float64(size)
		for i, share := range shares {
			got, err := m.searched(tokens, share)
			if err != nil {
				return err
			}
			row.add(&row.parts[i].held, &row.parts[i].share, got)
		}
	}
	size, got, err := m.packed(0)
	if err != nil {
		return err
	}
	rep.Usual.add(&rep.Usual.Context, &rep.Usual.Share, got)
	rep.Usual.Mean += float64(size)
	return nil
}

func (*Row) add(held *int, share *float64, got outcome) {
	if got.held {
		*held++
	}
	*share += got.share
}

// outcome is what an answer holds of the question: whether half of a target, and
// the largest share of one.
type outcome struct {
	held  bool
	share float64
}

// text returns the lines of a file of the repository.
func (m *measured) text(_, path string) []string {
	if lines, ok := m.lines[path]; ok {
		return lines
	}
	c, err := m.repo.Read(m.ctx, path)
	if err == nil {
		m.lines[path] = seen.Split(c.Text)
	}
	return m.lines[path]
}

// shown notes what answers show.
func (m *measured) shown() (*seen.Lines, error) { return seen.Parse("", m.text) }

// packed asks context, with the usual bound where tokens is 0.
func (m *measured) packed(tokens int) (size int, got outcome, err error) {
	req := bundle.Request{Text: m.question.Query, MaxTokens: tokens}
	a, err := bundle.Gather(m.ctx, m.repo, req, workspace.Wait{})
	if err != nil {
		return 0, got, err
	}
	held, err := m.shown()
	if err != nil {
		return 0, got, err
	}
	c := render.Context{Request: &req, Answer: a}
	text := c.Text(render.Options{Calls: render.ToolCalls, MaxTokens: tokens, Seen: held, Several: true})
	return code.Tokens(len(text)), m.outcome(held), nil
}

// searched searches with a part of the tokens, and reads what was found.
func (m *measured) searched(tokens int, share float64) (got outcome, err error) {
	part := int(float64(tokens) * share)
	req := hit.Request{Query: m.question.Query, MaxTokens: part}
	q, err := search.Compile(req)
	if err != nil {
		return got, err
	}
	res, err := m.workspace.Search(m.ctx, []*workspace.Repo{m.repo}, q, workspace.Wait{})
	if err != nil {
		return got, err
	}
	held, err := m.shown()
	if err != nil {
		return got, err
	}
	o := render.Options{Calls: render.ToolCalls, MaxTokens: part, Seen: held, Several: true}
	left := tokens - code.Tokens(len(render.Search{Result: res, Request: &req}.Text(o)))
	for i := range res.Hits {
		h := &res.Hits[i]
		if left < 100 {
			break
		}
		c, err := m.repo.Read(m.ctx, h.Path)
		if err != nil {
			continue
		}
		f := render.File{Repo: h.Repo, Path: h.Path, Content: c.Text, Start: h.StartLine, End: h.EndLine}
		o.MaxTokens = left
		left -= code.Tokens(len(f.Text(o)))
	}
	return m.outcome(held), nil
}

// outcome compares what was shown with the targets.
func (m *measured) outcome(held *seen.Lines) (got outcome) {
	for _, t := range m.question.Targets {
		share := m.share(t, held)
		got.share = max(got.share, share)
		got.held = got.held || share >= 0.5
	}
	return got
}

// share is the part of the lines of a target that was shown.
func (m *measured) share(t eval.Target, held *seen.Lines) float64 {
	lines := m.text("", t.Path)
	first, last := max(t.StartLine, 1), t.EndLine
	if last == 0 {
		last = len(lines)
	}
	all, got := 0, 0
	for n := first; n <= min(last, len(lines)); n++ {
		if strings.TrimSpace(lines[n-1]) == "" {
			continue
		}
		all++
		if held.Has(m.repo.Name(), t.Path, n) {
			got++
		}
	}
	switch {
	case all == 0:
		return 0
	case t.StartLine == 0 && got > 0:
		return 1
	}
	return float64(got) / float64(all)
}

// Table writes the report.
func (rep *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| tokens | context holds | search and read hold | lines, context | lines, search and read | tokens used |\n|---|---|---|---|---|---|\n")
	for _, r := range rep.Rows {
		fmt.Fprintf(&b, "| %d | %d of %d | %d | %.3f | %.3f | %.0f |\n", r.Tokens, r.Context, rep.Questions, r.Search, r.Share, r.ReadShare, r.Mean)
	}
	fmt.Fprintf(&b, "| usual | %d of %d | | %.3f | | %.0f |\n", rep.Usual.Context, rep.Questions, rep.Usual.Share, rep.Usual.Mean)
	return b.String()
}
