package render

import (
	"fmt"
	"strings"

	"espy/internal/facts"
	"espy/internal/links"
	"espy/internal/place"
)

// Links lists what frameworks join by a text.
type Links struct {
	Request *links.Request
	*links.Answer
}

// Text writes one block for each key, and a line for each place of it.
func (a *Links) Text(o Options) string {
	text, _ := layout{
		head:   a.head,
		blocks: a.blocks(o),
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

// head writes the header: how many keys of which kinds.
func (a *Links) head(shown int) string {
	head := counted(a.Total, a.Left, "key")
	if shown < a.Total && shown > 0 {
		head = fmt.Sprintf("%d-%d of %s", a.Offset+1, a.Offset+shown, head)
	}
	var kinds []string
	for _, c := range a.Counts {
		kinds = append(kinds, count(c.Keys, string(c.Kind)))
	}
	if len(kinds) > 0 {
		head += " (" + strings.Join(kinds, ", ") + ")"
	}
	if a.Request.Key != "" {
		head += fmt.Sprintf(" with %q", clean(a.Request.Key))
	}
	return head + ", " + searched(a.Repos)
}

func (a *Links) blocks(o Options) []string {
	blocks := make([]string, len(a.Keys))
	for i := range a.Keys {
		k := &a.Keys[i]
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s\n", k.Kind, o.color(short(o.hidden(k.Ends[0].Path, k.Key), 160), colorPath))
		for j := range k.Ends {
			b.WriteString("  " + a.end(o, &k.Ends[j]) + "\n")
		}
		blocks[i] = b.String()
	}
	return blocks
}

// end writes one place: its role, where it leads, its framework.
func (a *Links) end(o Options, e *links.End) string {
	var b strings.Builder
	b.WriteString(string(e.Role) + " ")
	if len(a.Repos) > 1 {
		b.WriteString(place.Name(e.Repo) + ": ")
	}
	fmt.Fprintf(&b, "%s:%d", o.name(e.Path), e.Line)
	switch local, own := strings.CutPrefix(e.To, e.Path+"#"); {
	case e.To != "" && own:
		b.WriteString(" -> " + place.Name(local))
	case e.To != "":
		b.WriteString(" -> " + o.target(e.To))
	case e.In != "":
		b.WriteString(" in " + place.Name(strings.TrimPrefix(e.In, e.Path+"#")))
	}
	b.WriteString(" (" + e.By)
	if e.Reason != "" {
		b.WriteString(", " + clean(e.Reason))
	}
	if e.Confidence != facts.Certain {
		b.WriteString(", " + e.Confidence.String())
	}
	return b.String() + ")"
}

func (a *Links) foot(o Options, shown int) []string {
	var foot []string
	if a.Left {
		foot = append(foot, "partial: the time was over before all could be found")
	}
	if a.Hidden > 0 {
		foot = append(foot, fmt.Sprintf("not listed: %s in tests, examples and vendored code: %s", count(a.Hidden, "place"), o.call("links", append(a.args(), arg{"tests", true})...)))
	}
	foot = append(foot, navNotes(a.Pending, nil)...)
	foot = append(foot, more(a.Total-a.Offset-shown, a.Offset+shown, o)...)
	return append(foot, "next: "+a.next(o))
}

// args are the arguments of the question.
func (a *Links) args() (all []arg) {
	if a.Request.Key != "" {
		all = append(all, arg{"query", a.Request.Key})
	}
	for _, k := range a.Request.Kinds {
		all = append(all, arg{"kind", k})
	}
	return all
}

func (a *Links) next(o Options) string {
	for i := range a.Keys {
		for j := range a.Keys[i].Ends {
			e := &a.Keys[i].Ends[j]
			if strings.Contains(e.To, "#") {
				return o.call("references", arg{"symbol", e.To})
			}
		}
	}
	if len(a.Keys) > 0 {
		e := &a.Keys[0].Ends[0]
		return o.call("read", arg{"path", fmt.Sprintf("%s:%d", o.name(e.Path), e.Line)})
	}
	if a.Request.Key != "" {
		return o.call("search", arg{"query", a.Request.Key})
	}
	return o.call("status")
}

// linksJSON is the JSON form of the answer. Fields are only ever added.
type linksJSON struct {
	Total     int            `json:"total"`
	Counts    map[string]int `json:"counts"`
	Freshness freshnessJSON  `json:"freshness"`
	Keys      []keyJSON      `json:"keys"`
	Offset    int            `json:"offset,omitempty"`
	Hidden    int            `json:"hidden,omitempty"` // places in tests, examples and vendored code
	Partial   bool           `json:"partial,omitempty"`
	Pending   int            `json:"pending_syntax,omitempty"`
	Repos     []searchedJSON `json:"repos"`
	Cursor    string         `json:"cursor,omitempty"`
}

type keyJSON struct {
	Kind string    `json:"kind"`
	Key  string    `json:"key"`
	Ends []endJSON `json:"ends"`
}

type endJSON struct {
	Repo       string `json:"repo"`
	Role       string `json:"role"`
	By         string `json:"by"`
	Path       string `json:"path"`
	PathQuoted string `json:"path_quoted,omitempty"`
	Line       int    `json:"line"`
	In         string `json:"in,omitempty"`
	To         string `json:"to,omitempty"`
	Confidence string `json:"confidence"`
	Reason     string `json:"reason,omitempty"`
	Text       string `json:"text"`
}

// JSON writes as many keys as the bound of o allows.
func (a *Links) JSON(o Options) []byte {
	v := linksJSON{
		Total: a.Total, Counts: map[string]int{}, Freshness: freshnessJSON(combined(a.Repos)), Offset: a.Offset, Hidden: a.Hidden,
		Partial: a.Left, Pending: a.Pending, Repos: newSearchedJSON(a.Repos),
	}
	for _, c := range a.Counts {
		v.Counts[string(c.Kind)] = c.Keys
	}
	keys := make([]keyJSON, len(a.Keys))
	for i := range a.Keys {
		k := &a.Keys[i]
		keys[i] = keyJSON{string(k.Kind), o.hidden(k.Ends[0].Path, k.Key), make([]endJSON, len(k.Ends))}
		for j := range k.Ends {
			e := &k.Ends[j]
			keys[i].Ends[j] = endJSON{e.Repo, string(e.Role), e.By, e.Path, quotedIfBroken(e.Path), e.Line, e.In, e.To, e.Confidence.String(), e.Reason, o.hidden(e.Path, e.Text)}
		}
	}
	return page(o, len(keys), func(shown int) any {
		v.Keys, v.Cursor = keys[:shown], nextCursor(o.Cursor, a.Total, a.Offset, shown)
		return v
	})
}

// target writes where a place leads: the id of a symbol, or another name.
func (o Options) target(to string) string {
	if strings.Contains(to, "#") {
		return o.name(to)
	}
	return place.Name(to)
}
