// Package past knows the commits of a repository: which files those changed whose
// messages speak of a question, and which files commits change together.
package past

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"espy/internal/rank"
)

// Reader returns the log of a repository by its name, up to the commit that is searched.
type Reader func(ctx context.Context, repo string) (*Log, error)

// The parameters of BM25 over messages, as they are commonly set but for the lengths,
// which differ by how much somebody likes to write.
const (
	saturation = 1.2
	length     = 0.5
)

// What a commit tells of the files that it changed.
const (
	telling   = 100 // commits that are looked at, the best
	sharpness = 3   // a commit counts its score, the best having 1, to this power,
	spread    = 0.5 // over how many files it changed to the power of this
)

// spoken is a path and what commits say of it.
type spoken struct {
	Path  string
	Worth float64
}

// files returns the paths that the commits changed whose messages have the terms of a
// question, those first of which the commits say most, and at most so many.
func (l *Log) files(terms []rank.Term, most int) (all []spoken) {
	best := l.best(terms)
	type worth struct {
		path  uint32
		worth float64
	}
	var worths []worth
	at := make(map[uint32]int, 4*telling) // in worths
	for _, b := range best {
		paths, share := l.changed.of(b.commit), b.score/best[0].score
		w := math.Pow(share, sharpness) / math.Pow(float64(paths.len()), spread)
		for i := range paths.len() {
			n, ok := at[paths.at(i)]
			if !ok {
				n = len(worths)
				at[paths.at(i)], worths = n, append(worths, worth{path: paths.at(i)})
			}
			worths[n].worth += w
		}
	}
	slices.SortFunc(worths, func(a, b worth) int {
		if a.worth != b.worth {
			return cmp.Compare(b.worth, a.worth)
		}
		return strings.Compare(l.paths.at(int(a.path)), l.paths.at(int(b.path)))
	})
	for _, w := range worths[:min(len(worths), most)] {
		all = append(all, spoken{l.paths.at(int(w.path)), w.worth})
	}
	return all
}

// scored is a commit and how much of a question its message has.
type scored struct {
	commit int
	score  float64
}

// best returns the commits whose messages have most of a question, the best first, of
// equal ones the newest.
func (l *Log) best(terms []rank.Term) (best []scored) {
	if l == nil {
		return nil
	}
	scores := make([]float64, l.words.len())
	for _, t := range terms {
		n, ok := l.terms.find(t.Text)
		if !ok {
			continue
		}
		list := l.stands.of(n)
		worth := t.Weight * rank.IDF(list.len()/2, len(scores))
		for i := 0; i < list.len(); i += 2 {
			commit, times := list.at(i), float64(list.at(i+1))
			norm := saturation * (1 - length + float64(length*float64(l.words.at(int(commit)))/l.mean))
			scores[commit] += float64(worth * (times * (saturation + 1) / (times + norm)))
		}
	}
	for i, s := range scores {
		if s <= 0 || len(best) == telling && s <= best[telling-1].score {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, func(b scored, s float64) int {
			if b.score >= s {
				return -1
			}
			return 1
		})
		best = slices.Insert(best[:min(len(best), telling-1)], at, scored{i, s})
	}
	return best
}
