package render

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/similar"
)

// Similar is the answer to what code is like a snippet or a place.
type Similar struct {
	*similar.Result
	Request *similar.Request
}

// Text writes the places, the likest first, each with the lines that it shares.
func (a Similar) Text(o Options) string {
	if len(a.Hits) == 0 {
		text, _ := a.empty(o).text(o)
		return text
	}
	text, _ := layout{
		head:   func(shown int) string { return a.head(o, shown) },
		blocks: a.blocks(o),
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

// head writes the header: shown of total, of what, by grade, repositories, freshness.
func (a Similar) head(o Options, shown int) string {
	var b strings.Builder
	switch {
	case a.Total == 0 && a.Partial:
		return fmt.Sprintf("no place so far like %s, %s", a.of(o), searched(a.Repos))
	case a.Total == 0:
		return fmt.Sprintf("0 places like %s found, %s", a.of(o), searched(a.Repos))
	}
	if a.Offset > 0 && shown > 0 {
		fmt.Fprintf(&b, "%d-%d", a.Offset+1, a.Offset+shown)
	} else {
		fmt.Fprintf(&b, "%d", shown)
	}
	fmt.Fprintf(&b, " of %s%s like %s", least(a.AtLeast && a.Same+a.Near > 0), count(a.Total, "place"), a.of(o))
	fmt.Fprintf(&b, " (%s%d same, %s%d near", least(a.Cut && a.Same > 0), a.Same, least(a.AtLeast && a.Near > 0), a.Near)
	if a.Alike > 0 {
		fmt.Fprintf(&b, ", the nearest %d alike", a.Alike)
	}
	b.WriteByte(')')
	b.WriteString(", " + searched(a.Repos))
	return b.String()
}

func least(more bool) string {
	if more {
		return "at least "
	}
	return ""
}

// of names the code that others were compared with.
func (a Similar) of(o Options) string {
	if a.Of.Path == "" {
		return "the snippet of " + count(a.Of.Last, "line")
	}
	name := a.place(o)
	if a.Of.Repo != "" && (len(a.Repos) != 1 || a.Repos[0].Repo != a.Of.Repo) {
		name = place.Name(a.Of.Repo) + ": " + name
	}
	return name
}

// place names the lines of the place.
func (a Similar) place(o Options) string {
	return o.name(a.Of.Path) + ":" + span(a.Of.First, a.Of.Last)
}

// blocks writes one block for each place.
func (a Similar) blocks(o Options) []string {
	blocks := make([]string, len(a.Hits))
	w := hitWriter{Options: o, locate: a.Detail == hit.DetailLocate, repos: len(a.Repos) > 1}
	for i := range a.Hits {
		var b strings.Builder
		w.heading(&b, &a.Hits[i])
		b.WriteString(a.likeness(i) + "\n")
		w.text(&b, &a.Hits[i], 0)
		blocks[i] = b.String()
	}
	return blocks
}

// likeness says how a hit is like the code that was asked for.
func (a Similar) likeness(i int) string {
	l := &a.Likeness[i]
	if l.Grade == similar.Alike {
		return fmt.Sprintf("alike by meaning, cosine %.2f", l.Cosine)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, score %.2f", l.Grade, a.Hits[i].Score)
	for k, s := range l.Shared {
		sep, are := "; ", "equal"
		if k == 0 {
			sep = ": "
			if s.First == s.Last {
				sep += "line "
			} else {
				sep += "lines "
			}
		}
		if s.Renamed {
			are = "rename"
		}
		if s.First == s.Last && !s.Renamed {
			are = "equals"
		}
		fmt.Fprintf(&b, "%s%s %s %s", sep, span(s.First, s.Last), are, span(s.OwnFirst, s.OwnLast))
	}
	switch {
	case l.More > 0:
		fmt.Fprintf(&b, " of yours, and %d more", l.More)
	case len(l.Shared) > 0:
		b.WriteString(" of yours")
	}
	return b.String()
}

// foot writes what was left out, the notes, and the next call.
func (a Similar) foot(o Options, shown int) []string {
	foot := notes(a.Notes)
	if left := a.Total - a.Offset - shown; left > 0 {
		text := "left out: " + count(left, "place")
		if shown < len(a.Hits) {
			text += fmt.Sprintf(" (%d of them to stay within %d tokens)", len(a.Hits)-shown, o.MaxTokens)
		}
		foot = append(foot, text+"; "+moreCall(a.Result.Result, o, shown))
	}
	h := &a.Hits[0]
	args := []arg{{"path", o.name(h.Path) + ":" + span(h.StartLine, h.EndLine)}}
	if len(a.Repos) > 1 {
		args = append(args, arg{"repo", h.Repo})
	}
	return append(foot, "next: "+o.call("read", args...))
}

// empty says what was compared without a hit, and what to try.
func (a Similar) empty(o Options) layout {
	files := 0
	for _, r := range a.Repos {
		files += r.Files
	}
	var b strings.Builder
	switch {
	case a.Offset > 0 && a.Total > 0:
		fmt.Fprintf(&b, "no more places: offset %d of %d\n", a.Offset, a.Total)
	case a.Partial:
		fmt.Fprintf(&b, "nothing like %s so far, of %s%s\n", a.of(o), count(files, "file"), filterWords(&a.Request.Request))
	default:
		fmt.Fprintf(&b, "nothing like %s in %s%s\n", a.of(o), count(files, "file"), filterWords(&a.Request.Request))
	}
	return layout{
		head:   func(int) string { return a.head(o, 0) },
		blocks: []string{b.String()},
		foot: func(int) []string {
			foot := notes(a.Notes)
			if next := a.nextOfNothing(o); next != "" {
				foot = append(foot, "next: "+next)
			}
			return foot
		},
	}
}

// nextOfNothing proposes a search for the words of the code.
func (a Similar) nextOfNothing(o Options) string {
	switch {
	case slices.ContainsFunc(a.Repos, func(s hit.Searched) bool { return s.Freshness.Partial }):
		return o.call("status") + " # then the same call when indexing is done"
	case a.Offset > 0 && a.Of.Path != "":
		return o.call("similar", arg{"place", a.place(o)}) + " # from the start"
	case a.Offset > 0:
		return ""
	case len(a.Words) > 0:
		return o.call("search", arg{"query", strings.Join(a.Words, " ")}) + " # for its rarest words"
	}
	return o.call("status")
}

// similarJSON is the JSON form of the answer. Fields are only ever added.
type similarJSON struct {
	Of        sourceJSON       `json:"of"`
	Total     int              `json:"total"`
	AtLeast   bool             `json:"at_least,omitempty"` // not every chunk was compared: more may be near
	Cut       bool             `json:"cut,omitempty"`      // comparing ended early: more may be the same, too
	Same      int              `json:"same"`
	Near      int              `json:"near"`
	Alike     int              `json:"alike"`
	TookMS    float64          `json:"took_ms"`
	Freshness freshnessJSON    `json:"freshness"`
	Hits      []similarHitJSON `json:"hits"`
	Files     int              `json:"files,omitempty"`
	Offset    int              `json:"offset,omitempty"`
	Partial   bool             `json:"partial,omitempty"`
	Repos     []searchedJSON   `json:"repos"`
	Notes     []string         `json:"notes,omitempty"`
	Cursor    string           `json:"cursor,omitempty"`
}

// sourceJSON is the code that was asked for; without a path it is a snippet.
type sourceJSON struct {
	Repo       string `json:"repo,omitempty"`
	Path       string `json:"path,omitempty"`
	PathQuoted string `json:"path_quoted,omitempty"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	SymbolID   string `json:"symbol_id,omitempty"`
	Tokens     int    `json:"tokens"`
}

type similarHitJSON struct {
	hitJSON
	Grade      similar.Grade `json:"grade"`
	Cosine     float64       `json:"cosine,omitempty"` // of grade alike
	Shared     []sharedJSON  `json:"shared"`
	SharedMore int           `json:"shared_more,omitempty"` // runs of lines that are not listed
}

// sharedJSON says that lines of a hit equal lines of the code that was asked for,
// but for names where renamed is set.
type sharedJSON struct {
	StartLine    int  `json:"start_line"`
	EndLine      int  `json:"end_line"`
	OwnStartLine int  `json:"own_start_line"`
	OwnEndLine   int  `json:"own_end_line"`
	Renamed      bool `json:"renamed,omitempty"`
}

// JSON writes as many places as the bound of o allows.
func (a Similar) JSON(o Options) []byte {
	v := a.json()
	hits := v.Hits
	return page(o, len(hits), func(shown int) any {
		v.Hits, v.Cursor = hits[:shown], nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
}

func (a Similar) json() similarJSON {
	v := similarJSON{
		Of:    sourceJSON{a.Of.Repo, a.Of.Path, quotedIfBroken(a.Of.Path), a.Of.First, a.Of.Last, a.Of.Symbol, a.Of.Tokens},
		Total: a.Total, AtLeast: a.AtLeast, Cut: a.Cut, Same: a.Same, Near: a.Near, Alike: a.Alike, Files: a.Files, Offset: a.Offset,
		TookMS: float64(a.Duration.Microseconds()) / 1000, Partial: a.Partial,
		Freshness: freshnessJSON(combined(a.Repos)), Notes: a.Notes, Repos: newSearchedJSON(a.Repos),
		Hits: make([]similarHitJSON, len(a.Hits)),
	}
	for i := range a.Hits {
		l := &a.Likeness[i]
		h := similarHitJSON{hitJSON: newHitJSON(&a.Hits[i], false), Grade: l.Grade, Cosine: l.Cosine, Shared: []sharedJSON{}, SharedMore: l.More}
		for _, s := range l.Shared {
			h.Shared = append(h.Shared, sharedJSON{s.First, s.Last, s.OwnFirst, s.OwnLast, s.Renamed})
		}
		v.Hits[i] = h
	}
	return v
}
