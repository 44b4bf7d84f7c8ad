package edges

import (
	"errors"
	"fmt"
	"slices"

	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// comparer compares the edges of a graph with the truth.
type comparer struct {
	*locate.Ask
	graph *graph.Graph
	score *Score
	known map[string]declared // by place
	named map[string]bool     // the places where a thing is named, not declared
	// callers are the functions of the truth in its order, wanted what each calls by
	// the truth.
	callers []string
	wanted  map[string][]Edge
}

// declared is what stands at a place: nodes, one of them unless several declare a
// thing there. It has none where no symbol stands at the place.
type declared []corpus.Ref

func comparison(s *Score, truth []Edge) func(*locate.Ask) error {
	return func(a *locate.Ask) error {
		c := &comparer{Ask: a, graph: graph.New(a), score: s, known: map[string]declared{}, named: map[string]bool{}, wanted: map[string][]Edge{}}
		for _, e := range truth {
			if _, ok := c.wanted[e.Caller]; !ok {
				c.callers = append(c.callers, e.Caller)
			}
			if c.wanted[e.Caller] = append(c.wanted[e.Caller], e); e.Callee == "" {
				c.wanted[e.Caller] = slices.Delete(c.wanted[e.Caller], len(c.wanted[e.Caller])-1, len(c.wanted[e.Caller]))
			}
		}
		return c.compare()
	}
}

func (c *comparer) compare() error {
	for _, caller := range c.callers {
		if err := c.callees(caller); err != nil {
			return err
		}
	}
	return c.allCallers()
}

// callees compares what one function calls.
func (c *comparer) callees(caller string) error {
	from, err := c.function(caller)
	if err != nil {
		return err
	}
	if len(from) == 0 {
		c.score.Unknown = append(c.score.Unknown, caller)
		return nil
	}
	c.score.Functions++
	found := c.calls(from)
	for _, e := range c.wanted[caller] {
		to, err := c.at(e.Callee)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(found, func(f target) bool { return slices.Contains(to, f.node) })
		switch {
		case i >= 0:
			found[i].right = true
			if !e.Optional {
				c.score.Callees.Found++
			}
		case !e.Optional:
			c.score.Callees.miss(e.Caller, e.Callee)
		}
	}
	for _, f := range found {
		if c.score.Callees.Said++; !f.right {
			c.score.Callees.wrong(caller, c.place(f.node), fmt.Sprintf("%s %s: %s, %s", c.ID(f.node), f.edge.Confidence, c.text(&f.edge), f.edge.Reason))
		}
	}
	return nil
}

// target is something that a function calls by the graph.
type target struct {
	node  corpus.Ref // the type instead of its constructor
	edge  graph.Edge
	right bool
}

// calls are what the nodes of one function call.
func (c *comparer) calls(from declared) (all []target) {
	for _, n := range from {
		for _, e := range c.graph.Out(n) {
			if to := c.made(e.To); c.isCall(&e) && !slices.ContainsFunc(all, func(t target) bool { return t.node == to }) {
				all = append(all, target{node: to, edge: e})
			}
		}
	}
	return all
}

// isCall reports whether an edge is a call of a symbol that can be called.
func (c *comparer) isCall(e *graph.Edge) bool {
	if !e.Runs || e.Dispatch || e.Confidence == facts.Possible || e.To.Index == facts.None {
		return false
	}
	s := c.Symbol(e.To)
	return s.Kind.IsFunc() || s.Kind.IsType() || s.Flags&facts.Accessor != 0
}

// made is the type whose values a constructor makes, another node itself.
func (c *comparer) made(n corpus.Ref) corpus.Ref {
	if owner, ok := c.MadeBy(n); ok {
		return c.graph.Node(owner)
	}
	return n
}

// called are the edges of the truth that lead to one thing, which several of its
// places may name.
type called struct {
	nodes  declared
	wanted []Edge
}

// allCallers compares, for each function that one of the truth calls, which of these
// call it.
func (c *comparer) allCallers() error {
	from := map[corpus.Ref][]string{} // the callers, by node
	var all []*called
	at := map[corpus.Ref]*called{} // by the first node
	for _, caller := range c.callers {
		nodes, err := c.function(caller)
		if err != nil {
			return err
		}
		for _, n := range nodes {
			from[n] = append(from[n], caller)
		}
		if len(nodes) == 0 {
			continue
		}
		for _, e := range c.wanted[caller] {
			to, err := c.at(e.Callee)
			if err != nil {
				return err
			}
			if len(to) == 0 {
				all = append(all, &called{wanted: []Edge{e}})
				continue
			}
			if at[to[0]] == nil {
				at[to[0]] = &called{nodes: to}
				all = append(all, at[to[0]])
			}
			at[to[0]].wanted = append(at[to[0]].wanted, e)
		}
	}
	for _, to := range all {
		if slices.ContainsFunc(to.wanted, func(e Edge) bool { return !e.Optional }) {
			c.callersOf(to, from)
		}
	}
	return nil
}

// callersOf compares which of the functions of the truth call one.
func (c *comparer) callersOf(to *called, from map[corpus.Ref][]string) {
	said := map[string]graph.Edge{}
	for _, n := range to.nodes {
		for _, made := range append(c.graph.Making(n), n) {
			for _, e := range c.graph.In(made) {
				for _, caller := range from[e.From] {
					if _, twice := said[caller]; !twice && c.isCall(&e) {
						said[caller] = e
					}
				}
			}
		}
	}
	c.score.Callers.Said += len(said)
	right := map[string]bool{}
	for _, e := range to.wanted {
		_, ok := said[e.Caller]
		switch right[e.Caller] = true; {
		case e.Optional:
		case ok:
			c.score.Callers.Found++
		default:
			c.score.Callers.miss(e.Caller, e.Callee)
		}
	}
	for _, caller := range c.callers {
		if e, ok := said[caller]; ok && !right[caller] {
			c.score.Callers.wrong(caller, to.wanted[0].Callee, fmt.Sprintf("%s: %s, %s", e.Confidence, c.text(&e), e.Reason))
		}
	}
}

// at finds what is declared at a place, or what a name there certainly means.
func (c *comparer) at(text string) (declared, error) {
	if all, ok := c.known[text]; ok {
		return all, nil
	}
	p, err := place.ParsePosition(text)
	if err != nil {
		return nil, err
	}
	t, err := c.Targets(locate.Target{Path: p.Path, Line: p.Line, Column: p.Column})
	if refused := (*usage.Error)(nil); err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	var all declared
	for _, m := range t.Meanings {
		if n := c.made(c.graph.Node(m.Ref)); m.Confidence == facts.Certain && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	c.known[text] = all
	c.named[text] = t.Use != facts.None
	return all, nil
}

// function finds what is declared at the place of a caller.
func (c *comparer) function(text string) (declared, error) {
	all, err := c.at(text)
	if c.named[text] {
		return nil, err
	}
	return all, err
}

func (c *comparer) place(n corpus.Ref) string {
	s := c.Symbol(n)
	return fmt.Sprintf("%s:%d:%d", place.Name(c.Corpus.Path(n.File)), s.Line, s.Column)
}

// text is the line of code that proves an edge.
func (c *comparer) text(e *graph.Edge) string {
	line, err := c.LineNumbered(e.Use.File, e.Line)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %s", e.Line, line)
}
