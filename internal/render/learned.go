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
	return fmt.Sprintf("questions by meaning: %s %s; of the files that %s changed, messages find %s among the first ten as they are, %s adapted\n",
		used, count(l.Fitted, "commit"), count(l.Proof.Commits, "later commit"), percent(l.Proof.Plain), percent(l.Proof.Adapted))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// learnedJSON is what commits taught. Shares are of changed files that are found.
type learnedJSON struct {
	Used    bool    `json:"used"`
	Commit  string  `json:"commit"` // the newest that counted
	Fitted  int     `json:"fitted"`
	Proof   int     `json:"proof"` // commits that it was neither fitted to nor chosen by
	Plain   float64 `json:"plain"`
	Adapted float64 `json:"adapted"`
}

func newLearnedJSON(l *learned.Lesson) *learnedJSON {
	if l == nil {
		return nil
	}
	return &learnedJSON{l.Adapter != nil, l.Commit, l.Fitted, l.Proof.Commits, l.Proof.Plain, l.Proof.Adapted}
}
