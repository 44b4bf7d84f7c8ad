package report

// Evidence is what each source says of a file that a report may be about. But for the
// logits it is 0 to 1.
type Evidence struct {
	All, Title float64 // logits by all that the report says and by its title
	Whole      float64 // BM25 of the whole file, the best file having 1
	Chunk      float64 // and of its best chunk, the best of all having 1
	Commits    float64 // what past commits say of it, the most being 1
	Frame      float64 // how near it is to where a trace ended, of a report that is no more than that
	Quote      float64 // how much of a message it holds as it stands
	Only       float64 // how sure it is that no other file of plain code holds it: nearly always it printed it
	Beside     float64 // how fully it is no plain code
}

// Untitled is the logit of a file that the title does not find.
const Untitled = -8.0

// What a source adds to the score of a file.
const (
	byAll     = 0.6
	byTitle   = 0.45
	byWhole   = 3.0
	byChunk   = 3.3
	byCommits = 2.4
	byFrame   = 10.0
	byQuote   = 2.0
	byOnly    = 12.0
	besides   = 0.4  // what of its words does not count of a file that is no plain code
	evens     = -4.6 // so that a score of 0 is as often right as wrong
)

// Score puts the evidence together to a logit.
func (e *Evidence) Score() float64 {
	words := float64(byWhole*e.Whole) + float64(byChunk*e.Chunk) + float64(byCommits*e.Commits) + float64(byFrame*e.Frame) + float64(byOnly*e.Only)
	return evens + float64(byQuote*e.Quote) + float64(byAll*e.All) + float64(byTitle*e.Title) + float64(words*(1-float64(besides*e.Beside)))
}
