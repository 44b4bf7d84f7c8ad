package render

import (
	"bytes"
	"cmp"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/hit"
)

// searchJSON is the JSON form of an answer to a query. Fields are only ever added.
type searchJSON struct {
	Query      string          `json:"query"`
	Mode       hit.Mode        `json:"mode"`
	Model      string          `json:"model,omitempty"` // that compared meanings
	Total      int             `json:"total"`
	TookMS     float64         `json:"took_ms"`
	Freshness  freshnessJSON   `json:"freshness"`
	Hits       []hitJSON       `json:"hits"`
	Files      int             `json:"files,omitempty"`
	Offset     int             `json:"offset,omitempty"`
	Partial    bool            `json:"partial,omitempty"`
	Repos      []searchedJSON  `json:"repos"`
	Notes      []string        `json:"notes,omitempty"`
	Nearest    []string        `json:"nearest,omitempty"`
	Foreign    string          `json:"nothing_about,omitempty"` // what most likely nothing is about; the hits are near it
	Companions []companionJSON `json:"companions,omitempty"`    // files that likely change too where the hits do
	Reranked   *rerankedJSON   `json:"reranked,omitempty"`      // the first hits are in the order of a model
	OpenTasks  []openTask      `json:"open_tasks,omitempty"`    // that name a file or symbol of a hit
	Cursor     string          `json:"cursor,omitempty"`
	Seen       string          `json:"seen,omitempty"`
}

type searchedJSON struct {
	Repo      string        `json:"repo"`
	Files     int           `json:"files"`
	Excluded  int           `json:"excluded"`
	Freshness freshnessJSON `json:"freshness"`
}

type hitJSON struct {
	Repo         string             `json:"repo"`
	Path         string             `json:"path"`
	PathQuoted   string             `json:"path_quoted,omitempty"` // only where the path is not UTF-8
	StartLine    int                `json:"start_line"`
	EndLine      int                `json:"end_line"`
	Column       int                `json:"column,omitempty"`
	Score        *float64           `json:"score,omitempty"`
	Symbol       string             `json:"symbol"`
	Kind         string             `json:"kind"`
	SymbolID     string             `json:"symbol_id,omitempty"`
	Calls        *int               `json:"calls,omitempty"`          // calls of the bare name; absent if not known
	CallsAtLeast bool               `json:"calls_at_least,omitempty"` // calls counts only the files that are parsed so far
	Text         string             `json:"text"`
	TextLines    []int              `json:"text_lines,omitempty"` // numbers of the lines in text, unless they are start_line to end_line
	Language     string             `json:"language,omitempty"`
	Traits       []string           `json:"traits,omitempty"`
	Stale        bool               `json:"stale,omitempty"`
	Cut          bool               `json:"cut,omitempty"`
	Held         int                `json:"held_lines,omitempty"` // left out of text, for the caller has them
	Why          []string           `json:"why,omitempty"`        // what spoke for the hit beside its words, the most telling first
	Explain      []contributionJSON `json:"explain,omitempty"`
}

type companionJSON struct {
	Repo       string  `json:"repo"`
	Path       string  `json:"path"`
	PathQuoted string  `json:"path_quoted,omitempty"`
	Rank       int     `json:"rank,omitempty"`       // among the files by the words of the report
	With       string  `json:"with,omitempty"`       // the hit that speaks for it most
	Together   int     `json:"together"`             // commits that changed both
	Of         int     `json:"of"`                   // commits that changed the hit
	Named      bool    `json:"named_like,omitempty"` // it is named like the hit
	Score      float64 `json:"score"`
}

type rerankedJSON struct {
	Model  string  `json:"model"`
	Host   string  `json:"host"`
	Places int     `json:"places"`
	TookMS float64 `json:"took_ms"`
}

func newRerankedJSON(r *hit.Reranked) *rerankedJSON {
	if r == nil {
		return nil
	}
	return &rerankedJSON{r.Model, r.Host, r.Places, float64(r.Took.Microseconds()) / 1000}
}

func newCompanionsJSON(all []hit.Companion) (v []companionJSON) {
	for _, c := range all {
		v = append(v, companionJSON{c.Repo, c.Path, quotedIfBroken(c.Path), c.Rank, c.With, c.Together, c.Of, c.Named, c.Score})
	}
	return v
}

type contributionJSON struct {
	Signal string  `json:"signal"`
	Value  float64 `json:"value"`
	Score  float64 `json:"score"`
}

// JSON writes as many hits as the bound of o allows. If hits follow and o can name
// pages, "cursor" names the next page.
func (a Search) JSON(o Options) []byte {
	text, _ := a.json(o)
	return text
}

// json reports how many hits it holds.
func (a Search) json(o Options) ([]byte, int) {
	a = a.withheld(o)
	res := a.Result
	v := newSearchJSON(res)
	v.OpenTasks = openJSON(o.tasksOf(res.Hits))
	for {
		shown := len(v.Hits)
		v.Cursor = nextCursor(o.Cursor, res.Total, res.Offset, shown)
		v.Seen = o.seenToken(a.lines(shown))
		text := JSON(v)
		over := code.Tokens(len(text)) - o.MaxTokens
		if o.MaxTokens == 0 || over <= 0 || shown == 0 {
			o.keep(a.lines(shown))
			return text, shown
		}
		if n := len(v.Companions); n > 0 { // before any hit
			v.Companions = v.Companions[:n-1]
			continue
		}
		v.Hits = v.Hits[:fewer(shown, len(text), o.MaxTokens*4)]
		if len(v.Hits) == 0 {
			v.Notes = append(v.Notes, "the first hit alone is larger than max_tokens; use detail locate, or text")
		}
	}
}

// fewer returns how many results to try next if n of them have size bytes and
// bound bytes are allowed: in proportion, and at least one less.
func fewer(n, size, bound int) int {
	return min(n-1, n*bound/size)
}

func newSearchJSON(res *hit.Result) searchJSON {
	v := searchJSON{
		Query: res.Query, Mode: res.Mode, Model: res.Model, Total: res.Total, Files: res.Files, Offset: res.Offset,
		TookMS: float64(res.Duration.Microseconds()) / 1000, Partial: res.Partial,
		Freshness: freshnessJSON(combined(res.Repos)), Notes: allNotes(res), Nearest: res.Nearest, Foreign: res.Foreign,
		Hits:  make([]hitJSON, len(res.Hits)),
		Repos: newSearchedJSON(res.Repos), Companions: newCompanionsJSON(res.Companions), Reranked: newRerankedJSON(res.Reranked),
	}
	for i := range res.Hits {
		v.Hits[i] = newHitJSON(&res.Hits[i], res.Mode.FindsLines())
	}
	return v
}

func newSearchedJSON(repos []hit.Searched) []searchedJSON {
	v := make([]searchedJSON, len(repos))
	for i, r := range repos {
		v[i] = searchedJSON{r.Repo, r.Files, r.Excluded, freshnessJSON(r.Freshness)}
	}
	return v
}

// combined is the freshness of an answer from several repositories: the highest
// generation, the sum of pending files, and every flag that is set for one of them.
func combined(repos []hit.Searched) code.Freshness {
	if len(repos) == 0 {
		return code.Freshness{}
	}
	f := repos[0].Freshness
	for _, r := range repos[1:] {
		f.Generation = max(f.Generation, r.Freshness.Generation)
		f.Commit, f.Head, f.Branch = "", "", ""
		f.PendingFiles += r.Freshness.PendingFiles
		f.Partial = f.Partial || r.Freshness.Partial
		f.IndexedFiles += r.Freshness.IndexedFiles
		f.TotalFiles += r.Freshness.TotalFiles
		f.SyntaxPending += r.Freshness.SyntaxPending
		f.Unchecked = f.Unchecked || r.Freshness.Unchecked
		f.Compared = cmp.Or(f.Compared, r.Freshness.Compared)
	}
	f.Dirty, f.DirtyAbout, f.DirtyUnknown = combinedDirty(repos)
	return f
}

// combinedDirty adds up the files that differ from the checked-out commits. If one
// of the git repositories was not counted, there is no sum.
func combinedDirty(repos []hit.Searched) (dirty *int, about bool, unknown string) {
	n, counted := 0, false
	for _, r := range repos {
		f := r.Freshness
		if f.Dirty != nil {
			n, counted = n+*f.Dirty, true
		} else if f.Head != "" || f.Branch != "" {
			return nil, false, f.DirtyUnknown
		}
		about = about || f.DirtyAbout
	}
	if !counted {
		return nil, false, ""
	}
	return &n, about, ""
}

func newHitJSON(h *hit.Hit, lines bool) hitJSON {
	v := hitJSON{
		Repo: h.Repo, Path: h.Path, StartLine: h.StartLine, EndLine: h.EndLine, Column: h.Column,
		Symbol: h.Symbol, Kind: h.Kind, Language: h.Language, Traits: classWords(h.Class), Stale: h.Stale, Cut: h.Cut, Held: h.Held, Why: h.Why,
	}
	v.PathQuoted = quotedIfBroken(h.Path)
	v.SymbolID = h.SymbolID
	if h.Calls.Known {
		v.Calls, v.CallsAtLeast = &h.Calls.N, h.Calls.AtLeast
	}
	if !lines {
		v.Score = &h.Score
	}
	v.Text, v.TextLines = joinLines(h)
	for _, c := range h.Explain {
		v.Explain = append(v.Explain, contributionJSON(c))
	}
	return v
}

// joinLines joins the lines of a hit. It returns their numbers if they do not
// follow from the span of the hit.
func joinLines(h *hit.Hit) (string, []int) {
	if len(h.Lines) == 0 {
		return "", nil
	}
	texts := make([][]byte, len(h.Lines))
	numbers := make([]int, len(h.Lines))
	plain := len(h.Lines) == h.EndLine-h.StartLine+1
	for i, l := range h.Lines {
		texts[i], numbers[i] = l.Text, l.Number
		plain = plain && l.Number == h.StartLine+i
	}
	if plain {
		numbers = nil
	}
	return string(bytes.Join(texts, []byte("\n"))), numbers
}

var classNames = []string{"test", "example", "bench", "docs", "legacy", "barrel", "tool", "declaration", "vendor", "generated", "minified", "lock"}

// classWords names the traits of a file's class.
func classWords(c code.Class) []string {
	var words []string
	for i, name := range classNames {
		if c.Has(1 << i) {
			words = append(words, name)
		}
	}
	return words
}

// repoStateJSON is a repository of an answer over several.
type repoStateJSON struct {
	Repo      string        `json:"repo"`
	Freshness freshnessJSON `json:"freshness"`
}

// severalJSON are the repositories of an answer over several.
type severalJSON struct {
	Repos []repoStateJSON `json:"repos"`
	Apart []string        `json:"not_concerned,omitempty"` // repositories that were asked, and have no part in it
	Late  []string        `json:"unanswered,omitempty"`    // repositories that could not answer, with the reason
	Notes []string        `json:"notes,omitempty"`
}

func newSeveralJSON(s *across.Searched) *severalJSON {
	if !s.Several {
		return nil
	}
	v := &severalJSON{Repos: []repoStateJSON{}, Apart: s.Apart, Late: s.Late, Notes: s.Notes}
	for _, r := range s.Repos {
		v.Repos = append(v.Repos, repoStateJSON{r.Repo, freshnessJSON(r.Freshness)})
	}
	return v
}
