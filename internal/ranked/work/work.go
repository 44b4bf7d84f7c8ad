// Package work has what the caller's work adds to the score of a file: files at hand
// rank before others that answer as well.
package work

import (
	"path"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/ranked/corpus"
	"espy/internal/usage"
)

// What the work of the caller adds to the logit of a file.
const (
	workedOn   = 0.5  // it is worked on
	besideWork = 0.25 // it is in the folder of such a file
	recent     = 0.25 // it was the last to be changed
	churned    = 0.25 // it is changed most often
	isHere     = 4    // it is below the folder of who asks: an odds ratio of 50
)

// Work knows what a request says of the caller's work. Nil says nothing.
type Work struct {
	said           *hit.Work
	files, folders map[string]bool
}

// New returns nil where nothing is said.
func New(w *hit.Work) *Work {
	if w.IsZero() && w.Here == "" {
		return nil
	}
	all := &Work{said: w, files: map[string]bool{}, folders: map[string]bool{}}
	for _, f := range w.Files {
		all.files[f] = true
		all.folders[path.Dir(f)] = true
	}
	return all
}

// Of returns what the work says of a file.
func (w *Work) Of(file string) []hit.Contribution {
	if w == nil {
		return nil
	}
	var all []hit.Contribution
	add := func(signal string, value, weight float64) {
		if value != 0 {
			all = append(all, hit.Contribution{Signal: signal, Value: value, Score: float64(value * weight)})
		}
	}
	switch {
	case w.files[file]:
		add("worked on", 1, workedOn)
	case w.folders[path.Dir(file)]:
		add("beside the work", 1, besideWork)
	}
	if w.said.Here != "" && strings.HasPrefix(file, w.said.Here+"/") {
		add("here", 1, isHere)
	}
	add("recent", w.said.Recent[file], recent)
	add("churn", w.said.Churn[file], churned)
	return all
}

// Logit is the sum of what the work says of a file.
func (w *Work) Logit(file string) (sum float64) {
	for _, c := range w.Of(file) {
		sum += c.Score
	}
	return sum
}

// Unknown says which of the files that are worked on stand in no repository
// that is searched.
func Unknown(w *hit.Work, in *corpus.Corpus) []string {
	var unknown []string
	for _, f := range w.Files {
		if !slices.ContainsFunc(in.Segments, func(s *corpus.Segment) bool { return s.Has(f) }) {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return []string{"worked on, but not among the files searched: " + usage.Shorten(strings.Join(unknown, ", "), 120)}
}
