// Package audit reports what in a repository is worth a second look: functions
// that are hard to follow, symbols that nothing uses, files that import each other,
// imports that a rule forbids, and code that is there twice.
//
// A finding says how sure it is and where to look. Tests, generated files and
// third-party code are not judged.
package audit

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Report is a kind of finding.
type Report string

// The reports.
const (
	Complexity Report = "complexity" // functions over a threshold
	Unused     Report = "unused"     // symbols that nothing uses
	Cycles     Report = "cycles"     // files and packages that import each other
	Forbidden  Report = "forbidden"  // imports that a rule forbids
	Duplicates Report = "duplicates" // code that is there twice
)

// Reports lists the reports in the order in which they are made.
var Reports = []Report{Forbidden, Cycles, Unused, Complexity, Duplicates}

// Request is one question.
type Request struct {
	Report     Report   // empty means all of them
	Path       string   // file or folder; empty for the whole repository
	Rules      []string // of Forbidden, by ParseRule; none leaves it out
	Set        []string // rules of the settings, some for the repository whose name and a colon stand in front
	Complexity int      // functions of more are listed; 0 means 15
	Lines      int      // and functions of more lines; 0 means 100
	Limit      int      // findings that are shown; 0 means 50
	Offset     int
}

const (
	defaultLimit      = 50
	defaultComplexity = 15
	defaultLines      = 100
)

// Answer is the answer to a request. Findings stand in the order of Reports, the
// worst of each first.
type Answer struct {
	Request  Request // with its defaults filled in
	In       hit.Searched
	Findings []Finding
	Offset   int
	Totals   []Total // of the reports that were made, before Offset and Limit
	Total    int
	Judged   int // files: code that is no test, example, generated or third party
	Left     int // files that were not looked at, because the time was over
	Pending  int // files whose syntax is not known yet
	Notes    []string
}

// Total says how much a report found.
type Total struct {
	Report  Report
	Count   int
	AtLeast bool   // the time was over, or a bound was reached
	None    string // why the report could not be made
}

// Finding is one thing that was found.
type Finding struct {
	Report     Report
	Path       string
	Line       int
	EndLine    int
	ID         string // of the symbol that it is about
	Kind       string // of that symbol
	Confidence facts.Confidence
	Reason     string
	Complexity int     // of Complexity
	Lines      int     // of Complexity and Duplicates
	Members    int     // of Cycles: files or packages that are part of it
	Places     []Place // of Cycles: the imports of a shortest way round; of Duplicates: where the code stands too; of Forbidden: the import
}

// Place is a line of a file, or several.
type Place struct {
	Path          string
	Line, EndLine int
	Text          string // what is imported there, of an import
}

// auditor collects an answer.
type auditor struct {
	*Answer
	ask           *locate.Ask
	under         []corpus.FileID // under the path
	rules         []rule
	parsed, lined int                                      // files judged: those that a grammar reads, and those whose imports are read line by line
	anew          func(work func(*locate.Ask) error) error // works with a question that has looked nothing up yet
}

// judges reports whether a file is code of the project itself.
func (a *auditor) judges(f corpus.FileID) bool {
	return a.ask.Corpus.Class(f)&(code.ClassTest|code.ClassVendor|code.ClassExample|code.ClassBench|code.ClassDocs|code.ClassGenerated|code.ClassMinified|code.ClassLock) == 0
}
