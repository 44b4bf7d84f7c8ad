package ranked

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"espy/internal/embedding"
	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/segment"
)

// maxReranked bounds the places that a reranker is asked about.
const maxReranked = 20

// rerank puts the first places of an answer in the order of the reranker, which the
// result tells. Those that are certain stay in front. Where the reranker does not
// answer, the order stays, and a note says so.
func (j *judge) rerank(ctx context.Context, spots []spot, res *hit.Result) {
	for len(spots) > 0 && j.certain(&spots[0]) {
		spots = spots[1:]
	}
	if len(spots) < 2 {
		return
	}
	start := time.Now()
	docs, err := documents(spots)
	var scores []float64
	if err == nil {
		scores, err = j.means.Reranker.Rerank(ctx, j.asked.text, docs)
	}
	if err != nil {
		res.Notes = append(res.Notes, fmt.Sprintf("not reranked, the order is that of words: %v", err))
		return
	}
	order := make([]int, len(spots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	before := slices.Clone(spots)
	for i, at := range order {
		spots[i] = before[at]
	}
	res.Reranked = &hit.Reranked{Model: j.means.Reranker.Name(), Host: j.means.Reranker.Host(), Places: len(spots), Took: time.Since(start)}
}

// certain reports whether a place is what was asked for beyond doubt: the definition of
// the name that is all of a query, or where the text of it stands.
func (j *judge) certain(s *spot) bool { return s.rank > 0 || j.only(s.match) > 0 }

// documents are the texts of places, without the secrets in them.
func documents(spots []spot) ([]embedding.Document, error) {
	var cache segment.TextCache
	docs := make([]embedding.Document, len(spots))
	for i := range spots {
		s := &spots[i]
		docs[i].Path = s.path()
		if s.chunk < 0 {
			continue
		}
		source, err := excerpt.Read(s.in.seg.Reader, s.file, s.lines, false, &cache)
		if err != nil {
			return nil, err
		}
		docs[i].Text = string(source.Hide.Show(0, len(source.Text)))
	}
	return docs, nil
}
