package shaktiman

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"espy/internal/bundle/pack"
	"espy/internal/code"
	"espy/internal/evidence"
)

const contextSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "What the task is about"},
		"budget_tokens": {"type": "number", "default": %d, "minimum": 256, "maximum": 32768, "description": "Tokens of the answer at most (256-32768, default %[1]d)"},
		"scope": {"type": "string", "enum": ["impl", "test", "all"], "default": "impl"}
	},
	"required": ["query"]
}`

var budgetBounds = bounds{256, 32768, "budget_tokens must be between 256 and 32768"}

func (s *server) contextTool() tool {
	return tool{
		name: "context", failed: "context assembly failed: ",
		schema:      fmt.Sprintf(contextSchema, s.Config.Budget),
		description: `The code that a task needs, best first, packed into a token budget.`,
		call: func(ctx context.Context, a *arguments) (*answer, error) {
			c := s.config()
			q := searchQuery{config: c, text: a.query()}
			budget := a.whole("budget_tokens", c.Budget, budgetBounds)
			q.scope = a.scope()
			if a.err != nil {
				return nil, a.err
			}
			return s.assemble(ctx, q, budget)
		},
	}
}

// noContext is the answer where nothing is relevant.
const noContext = "No context assembled.\n"

// maxPieces is how many candidates are offered to a budget.
const maxPieces = 60

// assemble packs the best candidates into a budget.
func (s *server) assemble(ctx context.Context, q searchQuery, budget int) (*answer, error) {
	f, err := s.gather(ctx, q, func(f *found, all []values) []int {
		f.shown = choose(f.all.Hits, all, q.config.MinScore, maxPieces)
		list := make([]int, len(f.shown))
		for i, r := range f.shown {
			list[i] = r.at
		}
		return list
	})
	if err != nil {
		return nil, err
	}
	p := &packing{found: f, lines: map[string]map[int]string{}}
	for at := range f.shown {
		p.add(at)
	}
	blocks := p.choose(budget)
	a := &answer{count: len(blocks), notes: f.notes, text: noContext}
	if len(blocks) > 0 {
		a.text = p.write(blocks, f.strategy())
	}
	a.human = a.text
	a.value = struct {
		Chunks   []block `json:"chunks"`
		Tokens   int     `json:"total_tokens"`
		Strategy string  `json:"strategy"`
	}{append([]block{}, blocks...), code.Tokens(len(a.text)), f.strategy()}
	return a, nil
}

// strategy is how the candidates were found, in the words of the original.
func (f *found) strategy() string {
	switch {
	case f.all.Chunks == 0:
		return "filesystem_l3"
	case f.all.Compared && f.all.Embedded >= 0.8:
		return "hybrid_l0"
	case f.all.Compared && f.all.Embedded >= 0.2:
		return "mixed_l0.5"
	}
	return "keyword_l2"
}

// block is lines of a file that an answer shows.
type block struct {
	Path    string `json:"path"`
	Symbol  string `json:"symbol_name,omitempty"`
	Kind    string `json:"kind"`
	First   int    `json:"start_line"`
	Last    int    `json:"end_line"`
	Content string `json:"content"`
	Tokens  int    `json:"token_count"`
}

// packing is the work of choosing what a budget holds.
type packing struct {
	found  *found
	pieces []pack.Piece
	lines  map[string]map[int]string // of the pieces, by path
}

// add offers a candidate.
func (p *packing) add(at int) {
	r := &p.found.shown[at]
	h := &p.found.all.Hits[r.at]
	if p.lines[h.Path] == nil {
		p.lines[h.Path] = map[int]string{}
	}
	lines := strings.Split(h.Text, "\n")
	for i, line := range lines {
		p.lines[h.Path][h.First+i] = line
	}
	last := h.First + len(lines) - 1
	size := len(header(h)) + len(h.Text) + 2
	p.pieces = append(p.pieces, pack.Piece{
		Path: h.Path, First: h.First, Last: last, Name: h.Symbol, Order: at,
		Steps: []pack.Step{{Lines: []pack.Range{{First: h.First, Last: last}}, Worth: r.score * r.score * float64(size)}},
	})
}

// header is the line above a hit.
func header(h *evidence.Hit) string { return "--- " + spanOf(h) + parts(h) + " ---\n" }

// choose takes what is worth most as long as it fits: the answer as a whole is never
// larger than the budget. Where not even the best fits, its first lines do.
func (p *packing) choose(budget int) (list []block) {
	if len(p.pieces) == 0 {
		return nil
	}
	left := 4*budget - len(heading(maxPieces, budget, "filesystem_l3"))
	c := pack.Choose(&pack.Question{Pieces: p.pieces, Bytes: left, Sizes: pack.Sizes{
		Heading: func(piece *pack.Piece) int { return len(header(p.hit(piece))) + 1 },
		Line:    func(path string, line int) int { return len(p.lines[path][line]) + 1 },
	}})
	if len(c.Spans) == 0 {
		return p.beginning(left)
	}
	for i := range c.Spans {
		list = append(list, p.span(&c.Spans[i])...)
	}
	return list
}

// span is the blocks of lines that belong together: one for each candidate, without
// the lines that those before it show.
func (p *packing) span(s *pack.Span) (list []block) {
	pieces := slices.Clone(s.Pieces)
	slices.SortFunc(pieces, func(a, b *pack.Piece) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last)) })
	next := 0
	for _, piece := range pieces {
		for _, run := range s.Runs {
			first, last := max(run.First, piece.First, next), min(run.Last, piece.Last)
			if first <= last {
				list = append(list, p.block(piece, pack.Range{First: first, Last: last}))
				next = last + 1
			}
		}
	}
	return list
}

// hit is the candidate of a piece.
func (p *packing) hit(piece *pack.Piece) *evidence.Hit {
	return &p.found.all.Hits[p.found.shown[piece.Order].at]
}

// beginning is the first lines of the best candidate, as many as fit.
func (p *packing) beginning(left int) []block {
	piece := &p.pieces[0]
	left -= len(header(p.hit(piece))) + 2
	last := piece.First
	for ; last <= piece.Last; last++ {
		if left -= len(p.lines[piece.Path][last]) + 1; left < 0 {
			break
		}
	}
	if last == piece.First {
		return nil
	}
	return []block{p.block(piece, pack.Range{First: piece.First, Last: last - 1})}
}

// block is a run of lines of a piece.
func (p *packing) block(piece *pack.Piece, run pack.Range) block {
	h := p.hit(piece)
	var lines []string
	for n := run.First; n <= run.Last; n++ {
		lines = append(lines, p.lines[piece.Path][n])
	}
	text := strings.Join(lines, "\n")
	return block{h.Path, h.Symbol, chunkKind(h), run.First, run.Last, text, code.Tokens(len(text))}
}

// write writes the blocks. The tokens that it names are those of the whole.
func (p *packing) write(blocks []block, strategy string) string {
	var b strings.Builder
	before := ""
	for i, one := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		path := one.Path
		if path == before {
			path = ""
		}
		before = one.Path
		h := evidence.Hit{Path: path, First: one.First, Last: one.Last, Symbol: one.Symbol}
		words := one.Kind
		if one.Symbol != "" {
			words = one.Symbol + ", " + one.Kind
		}
		fmt.Fprintf(&b, "--- %s (%s) ---\n%s\n", spanOf(&h), words, one.Content)
	}
	body := b.String()
	tokens := code.Tokens(len(heading(len(blocks), 9999, strategy)) + len(body))
	return heading(len(blocks), code.Tokens(len(heading(len(blocks), tokens, strategy))+len(body)), strategy) + body
}

// heading is the first line of an answer, and the empty one below it.
func heading(chunks, tokens int, strategy string) string {
	return fmt.Sprintf("[context] %d chunks, %d tokens, strategy: %s\n\n", chunks, tokens, strategy)
}
