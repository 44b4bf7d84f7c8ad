package ranked

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/query"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/score"
	"espy/internal/segment"
	"espy/internal/usage"
)

// selection is what the filters and the conditions of a query let through.
type selection struct {
	only  score.Only
	kinds []conditions.OfKind // by segment
	total int                 // files that match
}

// choose selects the files that match, and adds clues of where the conditions
// are met. The notes are what the reader must know of the conditions.
func choose(root query.Node, scores *score.Scores, found clue.Found) (*selection, []string, error) {
	x := &selection{kinds: make([]conditions.OfKind, len(scores.Segments))}
	for i, s := range scores.Segments {
		var answers func(first, end int) bool
		if len(scores.Terms) > 0 {
			answers = s.Answers
		}
		x.kinds[i] = conditions.Kinds(s.Segment, answers)
		x.only.Chunks = append(x.only.Chunks, x.kinds[i].Chunks)
	}
	notes, err := x.restrict(root, scores, found)
	return x, notes, err
}

// relax takes the phrases beside plain words for words where no file meets the
// conditions with them. The notes say so where that finds files.
func (x *selection) relax(root query.Node, scores *score.Scores, found clue.Found) ([]string, error) {
	rest, phrases := withoutPhrases(root)
	if len(phrases) == 0 {
		return nil, nil
	}
	if _, err := x.restrict(rest, scores, found); err != nil || x.total == 0 {
		return nil, err
	}
	return []string{fmt.Sprintf("no matching file contains %s: searched for its words instead", usage.Shorten(strings.Join(phrases, " and "), 120))}, nil
}

// restrict selects the files that meet the conditions of a tree.
func (x *selection) restrict(root query.Node, scores *score.Scores, found clue.Found) (notes []string, err error) {
	met, err := conditions.Evaluate(scores.Corpus, root)
	if err != nil {
		return nil, err
	}
	x.only.Files = met.Files
	for i, k := range x.kinds {
		switch {
		case k.Files == nil:
		case x.only.Files[i] == nil:
			x.only.Files[i] = k.Files.Clone()
		default:
			x.only.Files[i].And(k.Files)
		}
	}
	found.AddMet(met)
	x.total = x.count(scores)
	return met.Notes, nil
}

// count returns how many files match.
func (x *selection) count(scores *score.Scores) int {
	n, known := scores.Matched()
	if known {
		return n
	}
	n = 0
	for _, s := range scores.Segments {
		n += x.matching(s).Count()
	}
	return n
}

// matching returns the files of a segment that hold a term or, with conditions,
// meet them.
func (x *selection) matching(s *score.Segment) segment.Bitmap {
	set := x.only.Files[s.Index].Clone()
	if set == nil {
		set = s.Matching()
	}
	x.keepAllowed(set, s)
	return set
}

// keepAllowed takes out of a set what the conditions and filters do not let through.
func (x *selection) keepAllowed(set segment.Bitmap, s *score.Segment) {
	files := x.only.Files[s.Index]
	if files == nil && s.AllowsAll() {
		return
	}
	for f := range set.All() {
		if !files.Has(f) || !s.Allows(f) {
			set.Clear(f)
		}
	}
}

// allows reports whether the conditions and filters let a file through.
func (x *selection) allows(s *score.Segment, file int) bool {
	return x.only.Files[s.Index].Has(file) && s.Allows(file)
}

// hasPlain reports whether conditions stand beside plain words.
func hasPlain(root query.Node) bool {
	and, ok := root.(query.And)
	return ok && slices.ContainsFunc(and.Nodes, conditions.IsPlain)
}

// withoutPhrases returns a tree without the phrases that stand beside plain
// words, and those.
func withoutPhrases(root query.Node) (rest query.Node, phrases []string) {
	if !hasPlain(root) {
		return root, nil
	}
	and := root.(query.And)
	var nodes []query.Node
	for _, n := range and.Nodes {
		if p, ok := n.(query.Phrase); ok {
			phrases = append(phrases, `"`+p.Text+`"`)
		} else {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 1 {
		return nodes[0], phrases
	}
	return query.And{Nodes: nodes}, phrases
}
