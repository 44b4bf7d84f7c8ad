package eval

import (
	"math"
	"strings"
)

// score grades one answer, each measure between 0 and 1.
type score struct {
	NDCG       float64 // binary gain, discount 1/log2(rank+1), over the first Depth results
	Reciprocal float64 // 1/rank of the first target held
	Recall     float64 // share of the targets held
	First      int     // rank of the first target held, from 1; 0 where none is
}

// grade scores the first Depth results of an answer. A target counts at the
// rank of the first result that holds it, targets first held by one result
// share one gain, and results that hold nothing new still take a rank. The
// ideal answer holds one target with each of its first results.
// (Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.)
func grade(results []Result, targets []Target) score {
	var s score
	ranks := Ranks(results, targets)
	gains := make([]bool, Depth)
	for _, r := range ranks {
		if r == 0 {
			continue
		}
		gains[r-1] = true
		s.Recall++
		if s.First == 0 || r < s.First {
			s.First = r
		}
	}
	if len(targets) == 0 {
		return s
	}
	s.Recall /= float64(len(targets))
	if s.First > 0 {
		s.Reciprocal = 1 / float64(s.First)
	}
	var ideal float64
	for i := range gains {
		if i < len(targets) {
			ideal += discount(i + 1)
		}
		if gains[i] {
			s.NDCG += discount(i + 1)
		}
	}
	s.NDCG /= ideal
	return s
}

// Ranks returns, for each target, the rank from 1 of the first of Depth results
// that holds it, 0 where none does.
func Ranks(results []Result, targets []Target) []int {
	ranks := make([]int, len(targets))
	for t := range targets {
		for i := range results[:min(len(results), Depth)] {
			if results[i].holds(&targets[t]) {
				ranks[t] = i + 1
				break
			}
		}
	}
	return ranks
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank+1)) }

// holds reports whether the result shows something of the target.
func (r *Result) holds(t *Target) bool {
	if !samePath(r.Path, t.Path) {
		return false
	}
	if t.StartLine == 0 || t.EndLine == 0 || r.StartLine == 0 {
		return true
	}
	return r.EndLine >= t.StartLine && r.StartLine <= t.EndLine
}

// samePath reports whether one path is the other or ends in it, folder by folder.
func samePath(a, b string) bool {
	a, b = plainPath(a), plainPath(b)
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

func plainPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if strings.HasPrefix(p, "./") {
		p = strings.TrimLeft(p, "./")
	}
	return p
}
