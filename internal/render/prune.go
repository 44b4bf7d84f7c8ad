package render

import (
	"fmt"
	"strings"
	"time"

	"espy/internal/place"
	"espy/internal/visits"
)

// Pruned is the indexes that were dropped because nobody asked to keep them.
type Pruned []visits.Pruned

// Text writes a line for each.
func (list Pruned) Text(o Options) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "dropped the index of %s at %s, asked about last %s\n", o.color(place.Name(p.Name), colorPath), place.Name(p.Root), o.moment(p.Last))
	}
	if len(list) == 0 {
		return "nothing to drop: every index was asked for, or a question used it lately\n"
	}
	return b.String()
}

type prunedJSON struct {
	Pruned []prunedRepoJSON `json:"pruned"`
}

type prunedRepoJSON struct {
	Name string    `json:"name"`
	Root string    `json:"root"`
	Last time.Time `json:"last_asked"`
}

// JSON writes an object for each.
func (list Pruned) JSON(Options) []byte {
	v := prunedJSON{Pruned: make([]prunedRepoJSON, len(list))}
	for i, p := range list {
		v.Pruned[i] = prunedRepoJSON{p.Name, p.Root, p.Last.UTC()}
	}
	return JSON(v)
}

// Visited says what becomes of an index that a question has made.
func Visited(root string, o Options) string {
	return fmt.Sprintf("note: %s was indexed for this question; %s keeps the index, %s drops it now, else it goes %d days after the last question\n",
		place.Name(root), "espy index "+shellQuote(root), "espy prune --all", int(visits.KeptFor/(24*time.Hour)))
}
