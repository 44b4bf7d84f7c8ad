package audit

import (
	"cmp"
	"fmt"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// complexity lists functions of more branches or lines than the request allows: by
// cyclomatic complexity, then lines.
func (a *auditor) complexity() (found []Finding, t Total, err error) {
	for i, f := range a.under {
		if a.ask.Late() {
			a.Left, t.AtLeast = len(a.under)-i, true
			break
		}
		if !a.judges(f) {
			continue
		}
		file := a.ask.File(f)
		for n := range file.NumSymbols() {
			bare := file.BareSymbol(n)
			if bare.Complexity == 0 {
				continue
			}
			if one, ok := a.complex(corpus.Ref{File: f, Index: int32(n)}, int(bare.Complexity)); ok {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(y.Complexity, x.Complexity), cmp.Compare(y.Lines, x.Lines), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	})
	if a.parsed == 0 {
		t.None = "no file is in a language whose functions are known"
	}
	return found, t, nil
}

// complex judges one function.
func (a *auditor) complex(r corpus.Ref, branches int) (f Finding, ok bool) {
	s := a.ask.File(r.File).Symbol(int(r.Index))
	first := int(s.Line) // the name may stand below the start of the declaration
	lines := int(s.EndLine) - first + 1
	if branches <= a.Request.Complexity && lines <= a.Request.Lines || a.within(r, &s) {
		return f, false
	}
	f = Finding{
		Report: Complexity, Path: a.ask.Corpus.Path(r.File), Line: first, EndLine: int(s.EndLine), ID: a.ask.ID(r), Kind: s.Kind.String(),
		Complexity: branches, Lines: lines, Reason: fmt.Sprintf("complexity %d, %d lines", branches, lines),
	}
	return f, true
}

// within reports whether a function stands in another one, which counts its branches too.
func (a *auditor) within(r corpus.Ref, s *facts.Symbol) bool {
	for p := s.Parent; p != facts.None; p = a.ask.Symbol(corpus.Ref{File: r.File, Index: p}).Parent {
		if a.ask.Symbol(corpus.Ref{File: r.File, Index: p}).Complexity > 0 {
			return true
		}
	}
	return false
}
