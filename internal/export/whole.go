package export

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
)

// whole is what has to be known of the whole repository before its first file is
// written. It is shared by all runs: do not change it.
type whole struct {
	modules *modules.Graph
	origins *modules.Origins
	above   map[corpus.Ref][]kin.Related // interfaces that types satisfy by their methods
	links   map[corpus.FileID][]edge.Link
}

func gather(a *locate.Ask, r *Request) (*whole, error) {
	w := &whole{above: map[corpus.Ref][]kin.Related{}, links: map[corpus.FileID][]edge.Link{}, modules: modules.Of(a), origins: modules.OriginsOf(a)}
	if r.wants(Subtypes) || r.wants(Overrides) {
		w.gatherSatisfied(a)
	}
	if !r.wants(Links) {
		return w, nil
	}
	all, _, err := framework.Find(a)
	for _, l := range all {
		w.links[l.At.File] = append(w.links[l.At.File], l)
	}
	return w, err
}

// gatherSatisfied asks every interface for the types that satisfy it: there are far
// fewer interfaces than types.
func (w *whole) gatherSatisfied(a *locate.Ask) {
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		if a.Corpus.Family(f) != corpus.Go {
			continue
		}
		file := a.File(f)
		for i := range file.NumSymbols() {
			if file.Kind(i) != code.KindInterface {
				continue
			}
			iface := corpus.Ref{File: f, Index: int32(i)}
			for _, t := range a.Satisfying(iface) {
				if t.Confidence != facts.Possible && t.Ref != iface {
					w.above[t.Ref] = append(w.above[t.Ref], kin.Related{Ref: iface, Confidence: t.Confidence, Reason: t.Reason, By: corpus.Ref{Index: facts.None}})
				}
			}
		}
	}
	for _, all := range w.above {
		slices.SortFunc(all, func(x, y kin.Related) int {
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Index, y.Index))
		})
	}
}
