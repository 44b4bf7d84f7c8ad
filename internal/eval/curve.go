package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/seen"
	"espy/internal/usage"
)

// budgets are the sizes of an answer that are measured, in tokens; 0 is the answer
// to a caller that names none.
var budgets = []int{0, 500, 1000, 2000, 4000}

// Written is an answer as its reader gets it.
type Written struct {
	Tokens int
	Hits   int         // shown, from the first
	Lines  []seen.File // shown of them
}

// Writer writes the answer to a request in so many tokens, 0 for the usual number.
type Writer func(res *hit.Result, req *hit.Request, maxTokens int) Written

// Held is what one answer of a budget holds of what was asked for.
type Held struct {
	Tokens int
	File   bool // it names a file of a target
	Lines  bool // it shows a line that answers
}

// held asks the questions of one repository with each budget, as agents do.
func (r *Run) held(ctx context.Context, c *corpus, write Writer, questions []int) error {
	for _, i := range questions {
		q := &r.Questions[i]
		spans := c.spans(q)
		r.Spanned[i] = len(spans) > 0
		for b, budget := range budgets {
			req := hit.Request{Query: q.Query, MaxTokens: budget, Brief: true}
			res, err := c.request(ctx, req)
			var refused *usage.Error
			if errors.As(err, &refused) {
				continue
			}
			if err != nil {
				return fmt.Errorf("ask %s: %w", q.ID, err)
			}
			w := write(res, &req, budget)
			r.Held[b][i] = Held{w.Tokens, c.names(res.Hits[:w.Hits], q.Targets), c.shows(w.Lines, spans)}
		}
	}
	return nil
}

// names reports whether a hit is in a file of a target.
func (c *corpus) names(hits []hit.Hit, targets []Target) bool {
	return slices.ContainsFunc(hits, func(h hit.Hit) bool {
		return slices.ContainsFunc(targets, func(t Target) bool { return samePath(c.path(h.Path), t.Path) })
	})
}

// shows reports whether a shown line is in a span.
func (c *corpus) shows(lines []seen.File, spans []Target) bool {
	return slices.ContainsFunc(lines, func(f seen.File) bool {
		return slices.ContainsFunc(f.Runs, func(run seen.Run) bool {
			r := Result{c.path(f.Path), run.First, run.Last}
			return slices.ContainsFunc(spans, func(t Target) bool { return r.holds(&t) })
		})
	})
}

// spans are the lines that answer a question, as far as they are known: those of its
// targets, and where it is nothing but a name those that define it in them.
func (c *corpus) spans(q *Question) (spans []Target) {
	for _, t := range q.Targets {
		if t.StartLine > 0 && t.EndLine > 0 {
			spans = append(spans, t)
		}
		for _, l := range t.Lines {
			spans = append(spans, Target{Path: t.Path, StartLine: l[0], EndLine: l[1]})
		}
	}
	if len(spans) > 0 || strings.ContainsAny(q.Query, " \t\n") {
		return spans
	}
	name := q.Query[strings.LastIndexAny(q.Query, ".:#")+1:]
	c.snap.Each(func(seg, file int) bool {
		s := c.snap.Segments[seg]
		path := c.path(s.Path(file))
		if slices.ContainsFunc(q.Targets, func(t Target) bool { return samePath(path, t.Path) }) {
			for i, end := s.DefinitionsOf(file); i < end; i++ {
				if d := s.Definition(i); d.Name == name {
					spans = append(spans, Target{Path: path, StartLine: int(d.Line), EndLine: int(d.Line)})
				}
			}
		}
		return true
	})
	return spans
}

// Point is what answers of one budget hold.
type Point struct {
	Budget int     `json:"max_tokens"`         // 0 for the usual answer
	Tokens float64 `json:"tokens"`             // of an answer, mean
	Files  float64 `json:"files"`              // share of the questions with the right file in their answer
	Lines  float64 `json:"lines"`              // share of those with known lines that have one of them in their answer
	Known  int     `json:"questions_of_lines"` // questions with known lines
}

// Curve is what answers hold by their budget; nil where none was written.
func (r *Run) Curve() []Point {
	if r.Held == nil {
		return nil
	}
	points := make([]Point, len(budgets))
	for b, held := range r.Held {
		p := Point{Budget: budgets[b]}
		for i, h := range held {
			p.Tokens += float64(h.Tokens)
			if h.File {
				p.Files++
			}
			if r.Spanned[i] {
				p.Known++
			}
			if r.Spanned[i] && h.Lines {
				p.Lines++
			}
		}
		p.Tokens /= float64(max(1, len(held)))
		p.Files /= float64(max(1, len(held)))
		p.Lines /= float64(max(1, p.Known))
		points[b] = p
	}
	return points
}

// CurveText returns a curve for a terminal.
func CurveText(points []Point) string {
	var b strings.Builder
	for _, p := range points {
		budget := "by default"
		if p.Budget > 0 {
			budget = fmt.Sprintf("within %d", p.Budget)
		}
		fmt.Fprintf(&b, "%s: %.0f tokens, right file in %.3f of the answers, right lines in %.3f of %d\n", budget, p.Tokens, p.Files, p.Lines, p.Known)
	}
	return b.String()
}
