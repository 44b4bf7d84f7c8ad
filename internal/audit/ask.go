package audit

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/nav"
	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Ask answers a request about a repository as it is now.
func Ask(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (a *Answer, in hit.Searched, err error) {
	set, err := ofSettings(req.Set, r.Name())
	if err != nil {
		return nil, in, err
	}
	rules, err := req.check(set)
	if err != nil {
		return nil, in, err
	}
	in, err = r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			files := ask.Corpus.Under(req.Path)
			if f, ok := ask.Corpus.Find(req.Path); ok && req.Path != "" {
				files = []corpus.FileID{f}
			}
			if len(files) == 0 && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "not in the index", Hint: ask.NearestPath(req.Path)}
			}
			a = &Answer{Request: req, Offset: req.Offset, Pending: x.Pending()}
			return (&auditor{Answer: a, ask: ask, under: files, rules: rules, anew: x.Run}).audit()
		})
	})
	if err != nil {
		return nil, in, err
	}
	a.In = in
	return a, in, nil
}

// check refuses what cannot be answered, and fills in the defaults.
func (r *Request) check(set []rule) ([]rule, error) {
	if r.Report != "" && !slices.Contains(Reports, r.Report) {
		return nil, unknownReport(r.Report)
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
	if r.Report == Forbidden && len(r.Rules)+len(set) == 0 {
		return nil, &usage.Error{Msg: "no rule is given for the report forbidden", Hint: "give one such as 'internal/store -> internal/cli', or layers such as 'cli > workspace > store'; the setting forbid keeps rules for every audit"}
	}
	rules, err := parseRules(r.Rules)
	if err != nil {
		return nil, err
	}
	return append(rules, set...), locate.CheckLimits(r.Limit, r.Offset)
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
		switch {
		case !a.judges(f):
		case a.ask.Corpus.Family(f) != corpus.NoFamily:
			a.parsed++
		case modules.Reads(a.ask, f):
			a.lined++
		}
	}
	a.Judged = a.parsed
	if r := a.Request.Report; a.lined > 0 && (r == "" || r == Cycles || r == Forbidden) {
		a.Judged += a.lined
		a.Notes = append(a.Notes, strconv.Itoa(a.lined)+" of the files have no grammar and are judged by their imports alone, which are read line by line")
	}
	var all []Finding
	for _, r := range Reports {
		if a.Request.Report != "" && a.Request.Report != r || r == Forbidden && len(a.rules) == 0 {
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
