package render

import (
	"fmt"

	"espy/internal/learned"
)

// learnedLine says what commits taught about questions by meaning.
func learnedLine(l *learned.Lesson) string {
	used := "adapted to"
	if l.Adapter == nil {
		used = "not adapted to"
	}
	return fmt.Sprintf("questions by meaning: %s %s; of the files that %s changed, messages find %s among the first ten as they are, %s adapted, %s adapted to shuffled ones\n",
		used, count(l.Fitted, "commit"), count(l.Held.Commits, "later commit"), percent(l.Held.Plain), percent(l.Held.Adapted), percent(l.Held.Shuffled))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// learnedJSON is what commits taught. Shares are of changed files that are found.
type learnedJSON struct {
	Used     bool    `json:"used"`
	Commit   string  `json:"commit"` // the newest that counted
	Fitted   int     `json:"fitted"`
	Held     int     `json:"held"`
	Plain    float64 `json:"plain"`
	Adapted  float64 `json:"adapted"`
	Shuffled float64 `json:"shuffled"`
}

func newLearnedJSON(l *learned.Lesson) *learnedJSON {
	if l == nil {
		return nil
	}
	return &learnedJSON{l.Adapter != nil, l.Commit, l.Fitted, l.Held.Commits, l.Held.Plain, l.Held.Adapted, l.Held.Shuffled}
}
