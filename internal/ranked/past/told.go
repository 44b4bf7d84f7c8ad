package past

import (
	"fmt"
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/rank"
)

// maxTold is how many paths of a repository commits speak for, those of which they say most.
const maxTold = 200

// What a file gains of which the commits say most, in logits. Who asks for a change speaks
// as commits do.
const (
	gainOfQuestion = 0.6
	gainOfChange   = 2.4
)

// much is what commits say at least of a file that they are named for, of 1 for the one of
// which they say most.
const much = 0.5

// Told is what the commits of repositories say of files. Its zero value says nothing.
type Told struct {
	gain  float64                       // what a question gains by the root of that; a report counts it otherwise
	worth map[string]map[string]float64 // by repository and path, the most of each repository being 1
	until map[string]string             // by repository that has commits before those, the note that says so
	apart code.Class                    // files of these gain nothing
}

// beside are the files that commits change with the program: a question is about this.
const beside = code.ClassTest | code.ClassExample | code.ClassDocs | code.ClassVendor | code.ClassGenerated | code.ClassLock

// Of returns what nothing is told of yet: a report, or a question, which may ask for a change
// and be about tests.
func Of(report, change, tests bool) Told {
	t := Told{worth: map[string]map[string]float64{}, until: map[string]string{}, apart: beside}
	if tests {
		t.apart &^= code.ClassTest
	}
	switch {
	case report:
		t.apart = 0
	case change:
		t.gain = gainOfChange
	default:
		t.gain = gainOfQuestion
	}
	return t
}

// Add adds what the commits of a repository say of files. The best one that is there and
// may gain has the most.
func (t *Told) Add(repo string, log *Log, terms []rank.Term, there func(path string) (code.Class, bool)) {
	worth, most := map[string]float64{}, 0.0
	for _, file := range log.files(terms, maxTold) {
		if most == 0 {
			if class, ok := there(file.Path); !ok || class&t.apart != 0 {
				continue
			}
			most = file.Worth
		}
		worth[file.Path] = file.Worth / most
	}
	t.worth[repo] = worth
	if rest := log.Rest(); rest != Whole {
		said := fmt.Sprintf("the messages of the newest %d commits of %s are evidence; ", log.words.len(), repo)
		if log.words.len() == 1 {
			said = fmt.Sprintf("the message of the newest commit of %s is evidence; ", repo)
		}
		t.until[repo] = said + unread[rest]
	}
}

// Worth returns what the commits say of a file, from 0 to 1.
func (t *Told) Worth(repo string, path []byte) float64 { return t.worth[repo][string(path)] }

// Gain returns what a file gains of a question by that, in logits; 0 of a report.
func (t *Told) Gain(repo string, path []byte, class code.Class) float64 {
	if t.gain == 0 || class&t.apart != 0 {
		return 0
	}
	return float64(t.gain * math.Sqrt(t.Worth(repo, path)))
}

// Why says that commits speak for a file, "" where they say less than of another.
func (t *Told) Why(repo string, path []byte, class code.Class) string {
	if class&t.apart != 0 || t.Worth(repo, path) < much {
		return ""
	}
	return "commits about this changed it"
}

// Files calls f with each file of which the commits say something, in no order.
func (t *Told) Files(f func(repo, path string)) {
	for repo, worth := range t.worth {
		for path := range worth {
			f(repo, path)
		}
	}
}

// unread says why older commits say nothing.
var unread = [...]string{Older: "older ones were not read", Unread: "git could not read older ones"}

// Unread adds to notes, once, of a file in the answer to a report that older commits than
// those which speak for it were not read, where that is so.
func (t *Told) Unread(notes []string, repo string, path []byte) []string {
	note := t.until[repo]
	if t.gain > 0 || t.Worth(repo, path) == 0 || note == "" || slices.Contains(notes, note) {
		return notes
	}
	return append(notes, note)
}
