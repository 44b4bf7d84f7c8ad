// Package audit reports what in a repository is worth a second look: functions
// that are hard to follow, symbols that nothing uses, files that import each other,
// imports that a rule forbids, and code that is there twice.
//
// A finding says how sure it is and where to look. Tests, generated files and
// third-party code are not judged.
package audit

import (
	"context"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
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
	Reports    []Report // none means all of them
	Path       string   // file or folder; empty for the whole repository
	Rules      []string // of Forbidden, by ParseRule; none leaves it out
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

// check refuses what cannot be answered, and fills in the defaults.
func (r *Request) check() ([]rule, error) {
	for _, name := range r.Reports {
		if !slices.Contains(Reports, name) {
			return nil, unknownReport(name)
		}
	}
	r.Path = path.Clean(place.FromRoot(r.Path))
	if r.Path == "." || r.Path == "/" {
		r.Path = ""
	}
	if r.Limit == 0 {
		r.Limit = defaultLimit
	}
	if r.Complexity <= 0 {
		r.Complexity = defaultComplexity
	}
	if r.Lines <= 0 {
		r.Lines = defaultLines
	}
	if len(r.Reports) == 1 && r.Reports[0] == Forbidden && len(r.Rules) == 0 {
		return nil, &usage.Error{Msg: "no rule is given for the report forbidden", Hint: "give one such as 'internal/store -> internal/cli', or layers such as 'cli > workspace > store'"}
	}
	rules, err := parseRules(r.Rules)
	if err != nil {
		return nil, err
	}
	return rules, locate.CheckLimits(r.Limit, r.Offset)
}

func unknownReport(name Report) error {
	words := make([]string, len(Reports))
	for i, r := range Reports {
		words[i] = string(r)
	}
	hint := "the reports are " + strings.Join(words, ", ")
	if near := nearest.Of(string(name), words, 1); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return &usage.Error{Arg: "report", Value: string(name), Msg: "not a report", Hint: hint}
}

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

// Ask answers a request about a repository as it is now.
func Ask(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (*Answer, error) {
	rules, err := req.check()
	if err != nil {
		return nil, err
	}
	var a *Answer
	in, err := r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			files := ask.Corpus.Under(req.Path)
			if f, ok := ask.Corpus.Find(req.Path); ok && req.Path != "" {
				files = []corpus.FileID{f}
			}
			if len(files) == 0 && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "not in the index", Hint: ask.NearestPath(req.Path)}
			}
			a = &Answer{Request: req, Offset: req.Offset, Pending: x.Pending()}
			return (&auditor{Answer: a, ask: ask, under: files, rules: rules}).audit()
		})
	})
	if err != nil {
		return nil, err
	}
	a.In = in
	return a, nil
}

// auditor collects an answer.
type auditor struct {
	*Answer
	ask   *locate.Ask
	under []corpus.FileID // under the path
	rules []rule
}

// makers make the reports.
var makers = map[Report]func(*auditor) (found []Finding, t Total, err error){
	Forbidden:  (*auditor).forbidden,
	Cycles:     (*auditor).cycles,
	Unused:     (*auditor).unused,
	Complexity: (*auditor).complexity,
	Duplicates: (*auditor).duplicates,
}

func (a *auditor) audit() error {
	for _, f := range a.under {
		if a.judges(f) && a.ask.Corpus.Family(f) != corpus.NoFamily {
			a.Judged++
		}
	}
	var all []Finding
	for _, r := range Reports {
		if len(a.Request.Reports) > 0 && !slices.Contains(a.Request.Reports, r) || r == Forbidden && len(a.rules) == 0 {
			continue
		}
		found, total, err := makers[r](a)
		if err != nil {
			return err
		}
		total.Report, total.Count = r, len(found)
		a.Totals = append(a.Totals, total)
		all = append(all, found...)
	}
	a.Total = len(all)
	from := min(a.Request.Offset, len(all))
	a.Findings = all[from:min(from+a.Request.Limit, len(all))]
	return nil
}

// judges reports whether a file is code of the project itself.
func (a *auditor) judges(f corpus.FileID) bool {
	return a.ask.Corpus.Class(f)&(code.ClassTest|code.ClassVendor|code.ClassExample|code.ClassBench|code.ClassDocs|code.ClassGenerated|code.ClassMinified|code.ClassLock) == 0
}
