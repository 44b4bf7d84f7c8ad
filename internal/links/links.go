// Package links answers which routes, topics, tables, services, settings and
// templates there are, and what each joins (package framework). Keys of several
// repositories stand together: who sends to a topic in one and who receives from
// it in another.
package links

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/links/edge"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/nearest"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// usualLimit is how many keys are shown where none is asked for.
const usualLimit = 50

// Request asks for links.
type Request struct {
	Key    string   // only keys that hold this text, in any case; empty is every key
	Kinds  []string // only these, of edge.Kinds; none is every kind
	Tests  bool     // also those of tests and examples
	Limit  int      // keys; 0 means 50
	Offset int      // keys to leave out, for paging
}

// Answer is the answer to a Request.
type Answer struct {
	Keys    []Key // of the page, by kind and key
	Total   int   // keys before Offset and Limit
	Offset  int
	Counts  []Count // of all keys, by kind
	Hidden  int     // places in tests and examples that are left out
	Pending int     // files whose syntax is not known yet
	Left    bool    // the time was over before all were found
	Repos   []hit.Searched
}

// Count is how many keys there are of a kind.
type Count struct {
	Kind edge.Kind
	Keys int
}

// Key is what places have in common.
type Key struct {
	Kind edge.Kind
	Key  string
	Ends []End // what gives first, then what takes; by repository, path and line
}

// End is a place where a key stands.
type End struct {
	Repo       string
	Role       edge.Role
	By         string // the framework
	Path       string
	Line       int
	In         string // id of the symbol that holds the place; empty at the top of the file
	To         string // id of the symbol, or path of the file, that it leads to; empty where that is the place itself
	Confidence facts.Confidence
	Reason     string
	Text       string // of the line, blanks at both ends taken off
}

// Check reports what is wrong with a request.
func (r *Request) Check() error {
	if err := locate.CheckLimits(r.Limit, r.Offset); err != nil {
		return err
	}
	for _, k := range r.Kinds {
		if !slices.Contains(edge.Kinds, edge.Kind(k)) {
			return &usage.Error{Arg: "kind", Value: k, Msg: "not a kind of link", Hint: kindHint(k)}
		}
	}
	return nil
}

func kindHint(kind string) string {
	names := Kinds()
	if near := nearest.Of(kind, names, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "one of " + strings.Join(names, ", ")
}

// Kinds lists the names of every kind.
func Kinds() (names []string) {
	for _, k := range edge.Kinds {
		names = append(names, string(k))
	}
	return names
}

// Gather finds the links of repositories.
func Gather(ctx context.Context, repos []*workspace.Repo, r Request, w workspace.Wait) (*Answer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	a := &Answer{Offset: r.Offset}
	var kinds []edge.Kind
	for _, k := range r.Kinds {
		kinds = append(kinds, edge.Kind(k))
	}
	c := collection{request: &r, answer: a, at: map[string]int{}}
	for _, repo := range repos {
		in, err := repo.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
			a.Pending += x.Pending()
			return x.Run(func(ask *locate.Ask) error { return c.add(ask, repo.Name(), kinds) })
		})
		if err != nil {
			return nil, err
		}
		a.Repos = append(a.Repos, in)
	}
	c.finish()
	return a, nil
}

// collection puts the places of a key together.
type collection struct {
	request *Request
	answer  *Answer
	keys    []Key
	at      map[string]int // of keys, by kind and key
}

func (c *collection) add(a *locate.Ask, repo string, kinds []edge.Kind) error {
	found, left, err := framework.Find(a, kinds...)
	if err != nil {
		return err
	}
	c.answer.Left = c.answer.Left || left
	for i := range found {
		l := &found[i]
		if !holds(l.Key, c.request.Key) {
			continue
		}
		if !c.request.Tests && a.Corpus.Class(l.At.File)&(code.ClassTest|code.ClassExample|code.ClassVendor) != 0 {
			c.answer.Hidden++
			continue
		}
		end, err := endOf(a, l)
		if err != nil {
			return err
		}
		end.Repo = repo
		c.put(l.Kind, l.Key, end)
	}
	return nil
}

// holds reports whether a key holds a text, in any case.
func holds(key, text string) bool {
	return strings.Contains(strings.ToLower(key), strings.ToLower(text))
}

func (c *collection) put(kind edge.Kind, key string, e End) {
	id := string(kind) + " " + key
	i, ok := c.at[id]
	if !ok {
		i = len(c.keys)
		c.at[id] = i
		c.keys = append(c.keys, Key{Kind: kind, Key: key})
	}
	c.keys[i].Ends = append(c.keys[i].Ends, e)
}

func endOf(a *locate.Ask, l *edge.Link) (End, error) {
	e := End{
		Role: l.Role, By: l.By, Path: a.Corpus.Path(l.At.File), Line: l.Line, Confidence: l.Confidence, Reason: l.Reason,
	}
	if l.At.Index != facts.None {
		e.In = a.ID(l.At)
	}
	switch {
	case l.To.Index != facts.None:
		e.To = a.ID(l.To)
	case l.To.File != l.At.File:
		e.To = a.Corpus.Path(l.To.File)
	}
	var err error
	e.Text, err = a.LineNumbered(l.At.File, l.Line)
	return e, err
}

// finish orders, counts and cuts the keys.
func (c *collection) finish() {
	slices.SortFunc(c.keys, func(x, y Key) int {
		return cmp.Or(cmp.Compare(slices.Index(edge.Kinds, x.Kind), slices.Index(edge.Kinds, y.Kind)), byPath(x, y), cmp.Compare(x.Key, y.Key))
	})
	for _, k := range edge.Kinds {
		n := 0
		for i := range c.keys {
			if c.keys[i].Kind == k {
				n++
			}
		}
		if n > 0 {
			c.answer.Counts = append(c.answer.Counts, Count{k, n})
		}
	}
	for i := range c.keys {
		slices.SortStableFunc(c.keys[i].Ends, func(x, y End) int {
			return cmp.Or(cmp.Compare(rank(x.Role), rank(y.Role)), cmp.Compare(x.Repo, y.Repo), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
		})
	}
	c.answer.Total = len(c.keys)
	limit := cmp.Or(c.request.Limit, usualLimit)
	from := min(c.request.Offset, len(c.keys))
	c.answer.Keys = c.keys[from:min(from+limit, len(c.keys))]
}

// byPath orders routes by their path, not by their method.
func byPath(x, y Key) int {
	if x.Kind != edge.Route {
		return 0
	}
	return cmp.Compare(pathOf(x.Key), pathOf(y.Key))
}

func pathOf(route string) string { return path.Clean(route[strings.IndexByte(route, ' ')+1:]) }

// rank puts what gives before what takes.
func rank(r edge.Role) int {
	switch r {
	case edge.Declares:
		return 0
	case edge.Sets:
		return 1
	case edge.Handles, edge.Implements, edge.Receives:
		return 2
	}
	return 3
}
