package report

import (
	"math"
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/token"
)

// worths is what a word of each field counts. The title has few words, and each was
// chosen; of what programs print much is of one run.
var worths = [NumFields]float64{Title: 2, Prose: 1, Code: 1, Output: 0.5}

// maxTimes is how often a term of a field counts: more is a table, or noise.
const maxTimes = 20

// Terms returns the terms of a report and their weights, sorted by text: in each
// field a term counts what the field does, times 1 + ln of how often it is there.
// Numbers are of one run of a program and do not count.
func (r *Report) Terms() []rank.Term {
	weights := map[string]float64{}
	var order []string
	stop := rank.StopwordsOf(r.All())
	for f, text := range r.Texts {
		if worths[f] == 0 {
			continue
		}
		counts := counted(text, stop)
		for t, n := range counts {
			if _, ok := weights[t]; !ok {
				order = append(order, t)
			}
			weights[t] += float64(worths[f] * (1 + math.Log(float64(min(n, maxTimes)))))
		}
	}
	slices.Sort(order)
	all := make([]rank.Term, len(order))
	for i, t := range order {
		all[i] = rank.Term{Text: t, Weight: weights[t]}
	}
	return all
}

// counted returns how often each term stands in a text, the words that say nothing left out.
func counted(text string, stop rank.Stopwords) map[string]int {
	counts, known := map[string]int{}, map[string]token.Word{}
	b := []byte(text)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		word := text[start:end]
		w, ok := known[word]
		if !ok {
			if !stop.Has(word) && strings.Trim(word, "0123456789") != "" {
				w = rank.Analyze(word)
			}
			known[word] = w
		}
		if w.Compound != "" {
			counts[w.Compound]++
		}
		for _, t := range w.Terms {
			counts[t]++
		}
	}
	return counts
}
