package ranked_test

import (
	"math"
	"testing"

	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
)

// TestExplainAddsUp holds that the contributions of a hit make its score,
// judged by all signals or not.
func TestExplainAddsUp(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	for _, query := range []string{"ServeMux", "error reader", "tests of json decoding", "cookie AND jar"} {
		t.Run(query, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: query, Limit: 1000, Detail: hit.DetailLocate, Explain: true})
			if len(res.Hits) == 0 {
				t.Fatalf("%q: nothing found", query)
			}
			for i, h := range res.Hits {
				sum := 0.0
				for _, c := range h.Explain {
					sum += c.Score
				}
				if got := rank.Logistic(sum); math.Abs(got-h.Score) > 1e-12 || h.Score <= 0 || h.Score >= 1 {
					t.Errorf("%q, hit %d: contributions make %v, the score is %v", query, i+1, got, h.Score)
				}
			}
		})
	}
}
