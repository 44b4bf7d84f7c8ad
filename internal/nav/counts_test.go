//go:build cgo && !race

package nav_test

import (
	"slices"
	"testing"

	"espy/internal/locate"
	"espy/internal/nav"
)

// namesOfCounts is how many names of a tree TestCountsAgree asks about.
const namesOfCounts = 300

// TestCountsAgree holds that what one answer counts, the answer that it offers for
// that lists: mentions of a union, uses of the name in an answer about one symbol.
func TestCountsAgree(t *testing.T) {
	all := trees(t)
	for _, name := range []string{"go http", "grammars"} {
		t.Run(name, func(t *testing.T) {
			files := sources(t, all[name])
			if len(files) == 0 {
				t.Skip("no such tree here: ", all[name])
			}
			x := parsed(t, files)
			for _, n := range newWorld(t, x, files).draw(namesOfCounts) {
				checkCounts(t, x, n)
			}
		})
	}
}

// checkCounts compares the answers about one name.
func checkCounts(t *testing.T, x *nav.Index, name string) {
	t.Helper()
	ask := func(target string, kind nav.Kind, union bool) *nav.References {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: target}, Kind: kind, Union: union, Limit: locate.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for _, f := range slices.Concat(res.Files, res.Maybe) {
			listed += len(f.References)
		}
		if listed != res.Total+res.Possible || res.Certain > res.Total {
			t.Errorf("%s, %q: %d listed, %d and %d possible counted, %d certain", target, kind, listed, res.Total, res.Possible, res.Certain)
		}
		return res
	}
	whole := ask(name, nav.KindAll, true)
	if m := ask(name, nav.KindMentions, true); m.Total+m.Possible != whole.Mentions {
		t.Errorf("%s: the union counts %d mentions, %d are listed", name, whole.Mentions, m.Total+m.Possible)
	}
	parts := 0
	for _, kind := range []nav.Kind{nav.KindCalls, nav.KindReads, nav.KindWrites, nav.KindTypes, nav.KindImports} {
		part := ask(name, kind, true)
		parts += part.Total + part.Possible
	}
	if sum := whole.Total + whole.Possible; parts > sum {
		t.Errorf("%s: %d uses by kind, %d in all", name, parts, sum)
	}
	for _, d := range whole.Symbols[:min(len(whole.Symbols), 2)] {
		if narrow := ask(d.ID, nav.KindAll, false); uses(narrow, name)+narrow.Others > uses(whole, name) {
			t.Errorf("%s: %d of the name and %d others, the union lists %d", d.ID, uses(narrow, name), narrow.Others, uses(whole, name))
		}
		if d.Uses > uses(whole, name) {
			t.Errorf("%s: %d uses by name, the union lists %d", d.ID, d.Uses, uses(whole, name))
		}
	}
}

// uses counts the uses of a name that an answer lists.
func uses(res *nav.References, name string) (n int) {
	for _, f := range slices.Concat(res.Files, res.Maybe) {
		for _, r := range f.References {
			if r.Name == name && !r.Declaration {
				n++
			}
		}
	}
	return n
}
