package shaktiman

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/evidence"
	"espy/internal/workspace"
)

const searchSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "What to find: words, names, or what the code does"},
		"mode": {"type": "string", "enum": ["locate", "full"], "default": "%s", "description": "locate: a line each; full: with the code (default %[1]s)"},
		"max_results": {"type": "number", "default": %d, "minimum": 1, "maximum": 200, "description": "Maximum results to return (1-200, default %[2]d)"},
		"min_score": {"type": "number", "default": %g, "minimum": 0, "maximum": 1, "description": "Least relevance (0-1, default %[3]g)"},
		"explain": {"type": "boolean", "default": false, "description": "Show what each signal adds to a score"},
		"path": {"type": "string", "default": "", "description": "Only files whose path begins so"},
		"scope": {"type": "string", "enum": ["impl", "test", "all"], "default": "impl", "description": "impl leaves tests out"}
	},
	"required": ["query"]
}`

func (s *server) searchTool() tool {
	c := s.Config
	return tool{
		name: "search", failed: "search failed: ",
		schema:      fmt.Sprintf(searchSchema, c.Mode, c.MaxResults, c.MinScore),
		description: `Find the code that a task is about, ranked by meaning, structure, words, recent changes and this session. For exact strings or regular expressions use grep, for every definition of a name symbols, for code within a token budget context.`,
		call: func(ctx context.Context, a *arguments) (*answer, error) {
			q := s.config().readQuery(a)
			if a.err != nil {
				return nil, a.err
			}
			f, err := s.find(ctx, q)
			if err != nil {
				return nil, err
			}
			return f.answer(), nil
		},
	}
}

// searchQuery is what a search asks.
type searchQuery struct {
	text, mode  string
	most        int
	least       float64
	explain     bool
	path, scope string
	config      *Config
}

var (
	resultBounds = bounds{1, 200, "max_results must be between 1 and 200"}
	scoreBounds  = bounds{0, 1, "min_score must be between 0.0 and 1.0"}
)

// readQuery reads the arguments of a search, in the order in which the original
// checks them.
func (c *Config) readQuery(a *arguments) searchQuery {
	return searchQuery{
		config:  c,
		text:    a.query(),
		mode:    a.word("mode", c.Mode, "mode must be 'locate' or 'full'", "locate", "full"),
		most:    a.whole("max_results", c.MaxResults, resultBounds),
		least:   a.number("min_score", c.MinScore, scoreBounds),
		explain: a.flag("explain"),
		path:    a.text("path", ""),
		scope:   a.scope(),
	}
}

// found is what a search found.
type found struct {
	query   searchQuery
	all     *evidence.Answer
	shown   []scored
	off     values // the signals that are missing
	notes   []string
	repo    *workspace.Repo
	partial bool
}

// find answers a search. What it returns counts for the answers after it.
func (s *server) find(ctx context.Context, q searchQuery) (*found, error) {
	f, err := s.gather(ctx, q, func(f *found, all []values) []int {
		f.shown = choose(f.all.Hits, all, q.least, q.most)
		list := make([]int, len(f.shown))
		for i, r := range f.shown {
			list[i] = r.at
		}
		return list
	})
	if err == nil && s.seen != nil {
		var places []string
		for _, r := range f.shown {
			places = append(places, placeOf(&f.all.Hits[r.at]))
		}
		s.seen.record(places, s.Now())
	}
	return f, err
}

// gather finds the candidates of a query and has those chosen that are shown.
func (s *server) gather(ctx context.Context, q searchQuery, choose func(f *found, all []values) []int) (*found, error) {
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	f := &found{query: q, repo: r}
	lately := s.lately(ctx, r)
	w := wait()
	w.Vectors = true
	f.all, err = evidence.Gather(ctx, r, evidence.Request{
		Text: q.text, Only: q.config.only(q.scope, beginning(r.Root(), q.path)), Limit: candidates, ShowSecrets: s.Workspace.Options().ShowSecrets,
		Pick: func(a *evidence.Answer) []int {
			f.all = a
			return choose(f, s.values(f, lately))
		},
	}, w)
	if err != nil {
		return nil, err
	}
	s.follow(r, &f.all.In.Freshness)
	f.notes = f.all.Notes
	if n := f.all.In.Freshness.PendingFiles; n > 0 {
		f.notes = append(slices.Clone(f.notes), fmt.Sprintf("%d changed files are not shown yet", n))
	}
	f.partial = f.all.In.Freshness.Partial
	if f.partial {
		f.notes = append(slices.Clone(f.notes), "the first indexing is not finished: this is what is indexed so far")
	}
	return f, nil
}

// values are the signals of the candidates.
func (s *server) values(f *found, lately *recent) []values {
	now := s.Now()
	all := make([]values, len(f.all.Hits))
	places := make([]string, len(all))
	for i := range all {
		places[i] = placeOf(&f.all.Hits[i])
	}
	var sights []sight
	queries := 0
	if s.seen != nil {
		sights, queries = s.seen.sights(places)
	} else {
		f.off[session] = 1
	}
	if !f.all.Compared {
		f.off[semantic] = 1
	}
	for i := range all {
		h := &f.all.Hits[i]
		all[i] = values{semantic: h.Near, keyword: h.Share, structural: besideOf(h), change: lately.signal(h.Path, now)}
		if s.seen != nil {
			all[i][session] = sights[i].signal(now, queries)
		}
	}
	return all
}

// placeOf is how a session knows a hit.
func placeOf(h *evidence.Hit) string { return h.Path + ":" + strconv.Itoa(h.At) }

// nothing is the answer where nothing is relevant.
const nothing = "No results found.\n"

// answer writes what was found.
func (f *found) answer() *answer {
	a := &answer{count: len(f.shown), notes: f.notes, value: f.rows()}
	var b strings.Builder
	switch {
	case len(f.shown) == 0:
		b.WriteString(nothing)
	case f.query.mode == "full":
		fmt.Fprintf(&b, "%d results:\n", len(f.shown))
		for i := range f.shown {
			h := &f.all.Hits[f.shown[i].at]
			fmt.Fprintf(&b, "\n--- %s%s ---\n%s\n", spanOf(h), parts(h, f.score(i)), h.Text)
		}
	default:
		fmt.Fprintf(&b, "%d results:\n", len(f.shown))
		for i := range f.shown {
			b.WriteString(f.line(i))
		}
	}
	for _, n := range f.notes {
		b.WriteString("note: " + n + "\n")
	}
	a.text = b.String()
	a.human = a.text
	return a
}

// line is a result in mode locate.
func (f *found) line(i int) string {
	h := &f.all.Hits[f.shown[i].at]
	line := spanOf(h)
	if h.Symbol != "" {
		line += "  " + h.Symbol
	}
	line += " (" + chunkKind(h) + ")  " + f.score(i)
	if n := code.Tokens(len(h.Text)); n > 0 {
		line += fmt.Sprintf("  ~%d tokens", n)
	}
	return line + "\n"
}

// score writes the score of a result, with what it is made of where that was asked for.
func (f *found) score(i int) string {
	text := fmt.Sprintf("score:%.2f", f.shown[i].score)
	if f.query.explain {
		text += " " + f.shown[i].explained(f.off)
	}
	return text
}

func spanOf(h *evidence.Hit) string { return fmt.Sprintf("%s:%d-%d", h.Path, h.First, h.Last) }

// parts are what a header says of a hit behind its lines.
func parts(h *evidence.Hit, more ...string) string {
	var words []string
	if h.Symbol != "" {
		words = append(words, h.Symbol)
	}
	words = append(words, chunkKind(h))
	return " (" + strings.Join(append(words, more...), ", ") + ")"
}

// chunkKind is the kind of a hit in the words of the original.
func chunkKind(h *evidence.Hit) string {
	switch {
	case h.Symbol == "" && h.First == 1:
		return "header"
	case h.Symbol == "":
		return "block"
	}
	switch k := symbolKind(h.Kind); k {
	case "variable", "constant", "namespace", "":
		return "block"
	default:
		return k
	}
}

// row is a result as the command line writes it.
type row struct {
	ChunkID int64   `json:"chunk_id"`
	FileID  int64   `json:"file_id"`
	Score   float64 `json:"score"`
	Path    string  `json:"path"`
	Symbol  string  `json:"symbol_name,omitempty"`
	Kind    string  `json:"kind"`
	First   int     `json:"start_line"`
	Last    int     `json:"end_line"`
	Content string  `json:"content"`
	Tokens  int     `json:"token_count"`
}

func (f *found) rows() []row {
	list := []row{}
	for _, r := range f.shown {
		h := &f.all.Hits[r.at]
		list = append(list, row{
			numberOf(placeOf(h)), numberOf(h.Path), r.score, h.Path, h.Symbol, chunkKind(h), h.First, h.Last, h.Text, code.Tokens(len(h.Text)),
		})
	}
	return list
}
