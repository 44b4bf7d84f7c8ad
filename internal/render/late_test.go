package render

import (
	"strings"
	"testing"

	"espy/internal/audit"
	"espy/internal/calls"
	"espy/internal/dependencies"
	"espy/internal/hierarchy"
	"espy/internal/hit"
	"espy/internal/impact"
	"espy/internal/links"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/similar"
	"espy/internal/symbols"
)

// TestNothingSoFar are answers that ended before they found anything: none of them
// counts, for nothing was counted.
func TestNothingSoFar(t *testing.T) {
	t.Parallel()
	target := locate.Target{Name: "free"}
	for want, text := range map[string]string{
		"no file so far, mode keyword":      Search{Result: &hit.Result{Mode: hit.ModeKeyword, Partial: true}}.Text(Options{}),
		"no line so far, mode literal":      Search{Result: &hit.Result{Mode: hit.ModeLiteral, Partial: true}}.Text(Options{}),
		"no reference so far to free":       (&References{References: &nav.References{Left: 3}, Request: &nav.ReferencesRequest{Target: target}}).Text(Options{}),
		"no caller so far of free":          (&CallTree{Answer: &calls.Answer{Left: 3, Request: calls.Request{Target: target, Direction: calls.Callers}}}).Text(Options{}),
		"no caller and callee so far of":    (&CallTree{Answer: &calls.Answer{Left: 3, Request: calls.Request{Target: target, Direction: calls.Both}}}).Text(Options{}),
		"no supertype so far and no subt":   (&Hierarchy{Answer: &hierarchy.Answer{Left: 3, Request: hierarchy.Request{Target: target}}}).Text(Options{}),
		"impact of free: no affected symb":  (&Impact{Request: &impact.Request{}, Impact: &impact.Impact{Left: 3, About: "free", Changed: make([]impact.Changed, 1)}}).Text(Options{}),
		"no symbol so far in 0 files of a":  (&Outline{Outline: &nav.Outline{Left: 3}, Request: &nav.OutlineRequest{Path: "a"}}).Text(Options{}),
		"no dependency so far of a,":        Dependencies{Answer: &dependencies.Answer{Left: 3, Request: dependencies.Request{Path: "a"}}}.Text(Options{}),
		"nothing found so far for \"free\"": Search{Result: &hit.Result{Query: "free", Mode: hit.ModeRegex, Partial: true}}.Text(Options{}),
		"none of them was read in time":     Search{Result: &hit.Result{Query: "free", Mode: hit.ModeRegex, Partial: true, Total: 5}}.Text(Options{}),
		"no symbol so far":                  SymbolList{&symbols.Answer{Left: []string{"types"}}}.Text(Options{}),
		"no place so far like the snippet":  Similar{&similar.Result{Result: &hit.Result{Partial: true}}, &similar.Request{}}.Text(Options{}),
		"no key so far":                     (&Links{&links.Request{}, &links.Answer{Left: true}}).Text(Options{}),
		"unused none so far":                Audit{Answer: &audit.Answer{Totals: []audit.Total{{Report: audit.Unused, AtLeast: true}}}}.Text(Options{}),
	} {
		if !strings.Contains(text, want) || strings.Contains(text, "at least 0") {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
