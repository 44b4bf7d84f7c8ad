package render

import (
	"fmt"
	"strings"

	"espy/internal/across"
	"espy/internal/locate"
	"espy/internal/place"
)

// choice is an answer that lists the symbols that a name may mean.
type choice struct {
	in         *across.Searched
	name       string
	candidates []locate.Definition
	pending    int
	beside     string                 // where code without a grammar declares the name too
	again      func(id string) string // the call that asks about one of them
}

func (c choice) text(o Options) string {
	blocks := make([]string, len(c.candidates))
	for i := range c.candidates {
		d := &c.candidates[i]
		blocks[i] = fmt.Sprintf("%s  %s, line %d: %s\n", o.color(o.name(d.ID), colorPath), d.Kind, d.Line, short(strings.Join(strings.Fields(d.Signature), " "), 120))
	}
	text, _ := layout{
		head: func(int) string {
			return fmt.Sprintf("%s names %s; which one? %s", place.Symbol(c.name), count(len(c.candidates), "symbol"), searchedIn(c.in))
		},
		blocks: blocks,
		foot: func(shown int) []string {
			foot := append(navNotes(c.pending, nil), besideNote(c.beside, c.name, o)...)
			if left := len(blocks) - shown; left > 0 {
				foot = append(foot, fmt.Sprintf("left out: %d more to stay within %d tokens", left, o.MaxTokens))
			}
			if c.candidates[0].Uses == 0 {
				return append(foot, "next: "+o.call("symbol", arg{"symbol", c.name}))
			}
			return append(foot, "next: "+c.again(c.candidates[0].ID))
		},
	}.text(o)
	return text
}
