package spelling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/usage"
)

// Bounds of spelling.
const (
	maxRespelled  = 2   // names that are looked for in another spelling
	maxSpellings  = 2   // of each
	respelled     = 0.8 // weight of such a name, times that of the one asked for
	minRespelling = 4   // bytes; shorter names are near to everything
	sureName      = 0.5 // weight of a name that is respelled
)

// Respell adds names that are defined and near to a name of the query that
// occurs nowhere, which the notes say.
func Respell(q *rank.Query, in *corpus.Corpus) (notes []string, err error) {
	if q.Pasted {
		return nil, nil
	}
	tried := 0
	for _, n := range slices.Clone(q.Names) {
		if len(n.Text) < minRespelling || n.Weight < sureName || tried == maxRespelled {
			continue
		}
		known, err := in.Knows(n.Text)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		tried++
		near, err := Near(in, typo(n.Text))
		if err != nil {
			return nil, err
		}
		near = near[:min(len(near), maxSpellings)]
		for _, name := range near {
			addName(q, name, n.Weight*respelled)
		}
		if len(near) > 0 {
			notes = append(notes, fmt.Sprintf("nothing is named %q: looked for %s too", usage.Shorten(n.Text, 60), strings.Join(near, ", ")))
		}
	}
	return notes, nil
}

// addName adds a name to the query, and its terms.
func addName(q *rank.Query, name string, weight float64) {
	q.Names = append(q.Names, rank.Name{Text: name, Weight: weight})
	for _, t := range rank.Understand(name, "").Terms {
		if t.Hint() || slices.ContainsFunc(q.Terms, func(old rank.Term) bool { return old.Text == t.Text }) {
			continue
		}
		q.Terms = append(q.Terms, rank.Term{Text: t.Text, Weight: t.Weight * weight})
	}
	slices.SortFunc(q.Terms, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
}
