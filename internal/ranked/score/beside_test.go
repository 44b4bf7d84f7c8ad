package score

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestBeside holds how often words of a query stand side by side in files as they do there,
// over several segments, in names of code and however far apart in the file, and that no
// more is looked at than a bound of pairs and of chunks.
func TestBeside(t *testing.T) {
	far := strings.Repeat("\nfunc gap() { gap(gap, gap, gap, gap) }\n", 200)
	snaps := []*store.Snapshot{
		sample.Repository(t, "r", map[string]string{
			"a.go": "package a\n\n// alpha beta gamma\nvar alphaBeta, alpha_beta, betaAlpha int\n",
			"b.go": "package a\n\n// beta alpha, gamma\n",
			"c.go": "package a\n\n// alpha beta" + far + "// beta gamma" + far + "// alpha beta\n",
			"d.go": "package a\n\n// alpha of beta\n",
			"e.go": "package a\n\n// gamma\n",
			"f.go": "package a\n" + strings.Repeat("// alpha beta"+far, 2*maxPaired),
		}),
		sample.Repository(t, "s", map[string]string{"a.go": "package a\n\n// gamma alpha beta\n", "b.go": "package a\n"}),
	}
	for _, c := range []struct {
		row  string
		want string // for each file how often each pair stands in it
	}{
		{"alpha beta", "3, 0, 2, 0, 0, 64, 1, 0"},
		{"beta alpha", "2, 1, 0, 0, 0, 0, 0, 0"},
		{"alpha beta gamma", "3+1, 0, 2+1, 0, 0, 64+0, 1+0, 0"},
		{"gamma alpha", "0, 0, 0, 0, 0, 0, 1, 0"},
		{"alpha alpha", "0, 0, 0, 0, 0, 0, 0, 0"},
		{"alpha", "0, 0, 0, 0, 0, 0, 0, 0"},
		{"nowhere alpha", "0, 0, 0, 0, 0, 0, 0, 0"},
		{"alpha beta nowhere alpha beta", "3+0+0+0, 0, 2+0+0+0, 0, 0, 64+0+0+0, 1+0+0+0, 0"}, // each pair once
		{strings.Repeat("nowhere ", 40) + strings.Repeat("alpha ", 20) + "alpha beta", "3, 0, 2, 0, 0, 64, 1, 0"},
	} {
		t.Run(fmt.Sprintf("%.30s", c.row), func(t *testing.T) {
			s := run(t, snaps, rank.Understand("alpha beta gamma nowhere", "").Terms, false)
			defer s.Release()
			row := strings.Fields(c.row)
			weight := func(term string) float64 { return s.Terms[s.Find(term)].ChunkWeight }
			var files []File
			for _, seg := range s.Segments {
				for f := range seg.NumFiles() {
					files = append(files, File{Segment: seg, File: f})
				}
			}
			got := s.Beside(row, files)
			if n := len(s.pairs(strings.Fields(strings.Repeat(c.row+" ", 50)))); n > maxPairs {
				t.Errorf("%d pairs are looked for", n)
			}
			for i, counts := range strings.Split(c.want, ", ") {
				want := 0.0
				for k, count := range strings.Split(counts, "+") {
					var n float64
					fmt.Sscan(count, &n)
					if n > 0 {
						at := len(row) - len(strings.Split(counts, "+")) - 1 + k
						times := 1.0
						if at == 0 {
							times = 2 // what a query is about stands first
						}
						want += times * (weight(row[at]) + weight(row[at+1])) * math.Log1p(n)
					}
				}
				if math.Abs(got[i]-want) > 1e-9 {
					t.Errorf("%s has %v, want %v (%s)", files[i].Segment.Path(files[i].File), got[i], want, counts)
				}
			}
		})
	}
}
