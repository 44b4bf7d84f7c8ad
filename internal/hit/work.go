package hit

// Work is what a caller says of the work that a question is part of: the files at
// hand rank before others that answer as well. The zero value says nothing. It
// never adds a file to an answer, and the same Work gives the same answer.
type Work struct {
	Files  []string           // that are worked on, relative to their repository
	Recent map[string]float64 // of files that were changed lately: 1 for the last change, toward 0 for those before
	Here   string             // files below this folder rank before all others of which the query tells as much; "" for none
	Churn  map[string]float64 // how often files were changed lately: 1 for the most, toward 0
}

// IsZero reports whether nothing is said that only some modes heed; no mode refuses a
// folder.
func (w *Work) IsZero() bool { return len(w.Files)+len(w.Recent)+len(w.Churn) == 0 }
