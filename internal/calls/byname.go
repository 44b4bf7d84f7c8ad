package calls

import (
	"slices"

	"espy/internal/locate"
	"espy/internal/nav"
)

// findByName lists who may call what is declared in a language that is read line by line:
// the code that its name stands in, written like a call. At most a module tells that it is
// meant, so it is not followed.
func (a *Answer) findByName(x *nav.Index) error {
	found, err := x.References(nav.ReferencesRequest{Target: a.Request.Target, Files: a.Request.Files, Kind: nav.KindCalls, Union: true, Limit: locate.MaxLimit})
	if err != nil {
		return err
	}
	var all []Step
	at := map[string]int{}
	for _, f := range slices.Concat(found.Files, found.Maybe) {
		for i := range f.References {
			use := &f.References[i]
			id := use.In
			if id == "" {
				id = f.Path
			}
			n, ok := at[id]
			if !ok {
				n, at[id] = len(all), len(all)
				all = append(all, Step{
					Depth: 1, Direction: Callers, ID: id, Above: a.Request.Name, Path: f.Path, Line: 1, Relation: Call,
					Confidence: use.Confidence, Reason: use.Reason, At: Site{f.Path, use.Line, use.Text},
				})
			}
			if use.Confidence == all[n].Confidence {
				all[n].Times++
			}
		}
	}
	a.Total, a.Direct, a.Symbol, a.Left = len(all), len(all), len(all), found.Left
	a.Apart = found.Apart
	a.Late = found.Left > 0
	all = all[min(a.Request.Offset, len(all)):]
	a.Steps = all[:min(a.Request.Limit, len(all))]
	return x.Run(func(ask *locate.Ask) error {
		for i := range a.Steps {
			if err := describeByName(ask, &a.Steps[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// describeByName says what a step leads to and where that is declared.
func describeByName(ask *locate.Ask, s *Step) error {
	if s.ID == s.Path {
		return nil
	}
	if r, ok := ask.ByID(s.ID); ok {
		symbol := ask.Symbol(r)
		s.Kind, s.Line = symbol.Kind, int(symbol.Line)
		return nil
	}
	all, err := ask.ByLine(s.ID)
	if len(all) > 0 {
		s.Kind, s.Line = all[0].Kind, int(all[0].Line)
	}
	return err
}
