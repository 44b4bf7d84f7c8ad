package kin_test

import (
	"slices"
	"testing"

	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
)

// TestCommon takes members of which some override others, and some are declared twice.
func TestCommon(t *testing.T) {
	ref := func(i int32) corpus.Ref { return corpus.Ref{Index: i} }
	refs := func(all ...int32) (r []corpus.Ref) {
		for _, i := range all {
			r = append(r, ref(i))
		}
		return r
	}
	twice := refs(1, 2)
	together := map[corpus.Ref][]corpus.Ref{ref(1): twice, ref(2): twice}
	overridden := map[corpus.Ref][]corpus.Ref{ref(3): refs(2), ref(4): refs(3, 1), ref(6): refs(9)}
	for _, c := range []struct {
		members []corpus.Ref
		want    []bool
	}{
		{nil, []bool{}},
		{refs(5), []bool{true}},
		{refs(5, 6), []bool{false, false}},
		{refs(1, 2), []bool{true, true}},
		{refs(1, 3, 4), []bool{true, false, false}},
		{refs(3, 4), []bool{true, false}},
		{refs(2, 3, 4, 5), []bool{false, false, false, false}},
	} {
		got := kin.Common(c.members, func(r corpus.Ref) []corpus.Ref {
			if all, ok := together[r]; ok {
				return all
			}
			return []corpus.Ref{r}
		}, func(r corpus.Ref) []corpus.Ref { return overridden[r] })
		if !slices.Equal(got, c.want) {
			t.Errorf("Common(%v) = %v, want %v", c.members, got, c.want)
		}
	}
}

// TestCommonAsksOnce counts what is asked about 20,000 members of one name: one question
// of each kind about each member.
func TestCommonAsksOnce(t *testing.T) {
	const n = 20_000
	var members []corpus.Ref
	for i := range int32(n) {
		members = append(members, corpus.Ref{Index: i})
	}
	base := members[:1]
	asked := 0
	got := kin.Common(members, func(r corpus.Ref) []corpus.Ref { asked++; return members[r.Index : r.Index+1] }, func(r corpus.Ref) []corpus.Ref {
		asked++
		if r.Index == 0 {
			return nil
		}
		return base
	})
	if !got[0] || slices.Contains(got[1:], true) {
		t.Error("not the base alone is common to all")
	}
	if asked != 2*n {
		t.Errorf("%d questions of %d members, want %d", asked, n, 2*n)
	}
}
