package resolve

import (
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// suppose lists the members that a use with an unknown receiver may mean, the
// likeliest first.
func (q *Question) suppose(id corpus.FileID, u *facts.Use) []Meaning {
	if u.Bind != facts.BindMember {
		return nil
	}
	var all []Meaning
	for _, r := range q.Named(u.Name) {
		if !corpus.IsMember(q.Symbol(r)) || q.read.IsShort(r) || q.corpus.Family(r.File) != q.corpus.Family(id) {
			continue
		}
		if c, reason, ok := q.weigherOf(r).weigh(id, u); ok {
			all = append(all, Meaning{r, c, reason})
		}
	}
	slices.SortStableFunc(all, func(a, b Meaning) int { return cmp.Compare(a.Confidence, b.Confidence) })
	return all
}

// weigherOf weighs single uses for a symbol, without regard to the other uses.
func (q *Question) weigherOf(r corpus.Ref) *weigher {
	w, ok := q.weighers[r]
	if !ok {
		if q.weighers == nil {
			q.weighers = map[corpus.Ref]*weigher{}
		}
		w = q.weigher(q.Together(r))
		q.weighers[r] = w
	}
	return w
}

// supposeLikely is suppose for what is likely. It weighs only the members that can
// be: those whose type or file the use names, and those without rivals.
func (q *Question) supposeLikely(id corpus.FileID, u *facts.Use) (all []Meaning, maybe bool) {
	if u.Bind != facts.BindMember {
		return nil, false
	}
	g := q.guess(id, u)
	for _, r := range q.candidates(g, id, u) {
		if c, reason, ok := q.weigherOf(r).weigh(id, u); ok && c == facts.Likely {
			all = append(all, Meaning{r, c, reason})
		}
	}
	return q.topmost(all), len(g.fit) > 0 && len(all) == 0
}

// guess is what uses of one name and manner may mean whose receivers are not known.
type guess struct {
	fit    []corpus.Ref            // the members that fit
	chosen map[string][]corpus.Ref // of fit, by the receiver: see candidates
}

type nameAndManner struct {
	name string
	manner
}

// guess finds the members that a use may mean, once for all uses alike.
func (q *Question) guess(id corpus.FileID, u *facts.Use) *guess {
	key := nameAndManner{u.Name, q.manner(id, u)}
	g, ok := q.guesses[key]
	if !ok {
		g = q.newGuess(id, u)
		if q.guesses == nil {
			q.guesses = map[nameAndManner]*guess{}
		}
		q.guesses[key] = g
	}
	return g
}

func (q *Question) newGuess(id corpus.FileID, u *facts.Use) *guess {
	g := &guess{chosen: map[string][]corpus.Ref{}}
	named := slices.DeleteFunc(slices.Clone(q.Named(u.Name)), func(r corpus.Ref) bool { return !corpus.IsMember(q.Symbol(r)) || q.read.IsShort(r) })
	if len(named) > 0 {
		g.fit = q.weigherOf(named[0]).fitting(named, id, u)
	}
	return g
}

// candidates are the members of a guess that may be likely for a use: those without
// rivals, those whose type is named like the receiver, as that of no rival is, those
// of files that the file imports, where that says something, and those whose types go with
// what else is called on the receiver.
func (q *Question) candidates(g *guess, id corpus.FileID, u *facts.Use) []corpus.Ref {
	receiver := q.infer.File(id).Receiver(u.Target)
	chosen, ok := g.chosen[receiver]
	if !ok {
		chosen = q.chosen(g.fit, receiver, id)
		g.chosen[receiver] = chosen
	}
	others := q.accompanied(g.fit, id, u)
	if l := q.infer.Language(id); l != nil && l.ImportsTell {
		near := q.nearby(id)
		others = slices.DeleteFunc(slices.Clone(g.fit), func(r corpus.Ref) bool { return !slices.Contains(near, r.File) && !slices.Contains(others, r) })
	}
	if len(others) == 0 {
		return chosen
	}
	return slices.DeleteFunc(slices.Clone(g.fit), func(r corpus.Ref) bool { return !slices.Contains(others, r) && !slices.Contains(chosen, r) })
}

// accompanied are the members whose types have the most of what else is called on the
// receiver of a use, and those of a module that is named like the one around it; none where
// nothing is called, or too many members would be compared.
func (q *Question) accompanied(fit []corpus.Ref, id corpus.FileID, u *facts.Use) (best []corpus.Ref) {
	names, module := q.companyOf(id, u), q.moduleAround(id, u)
	if len(names.Known) == 0 && module == "" || len(fit) > maxCompared {
		return nil
	}
	had, most := make([]int, len(fit)), 1
	for i, r := range fit {
		had[i] = q.company.Fit(r, names)
		most = max(most, had[i])
	}
	for i, r := range fit {
		if had[i] == most || module != "" && q.isInModule(r, module) {
			best = append(best, r)
		}
	}
	return best
}

// chosen are the members that are likely by themselves or by the name of a receiver.
func (q *Question) chosen(fit []corpus.Ref, receiver string, id corpus.FileID) (all []corpus.Ref) {
	like := slices.DeleteFunc(slices.Clone(fit), func(r corpus.Ref) bool { return !q.isLike(r, receiver) })
	left := like
	for _, r := range fit {
		w := q.weigherOf(r)
		named := len(left) > 0 && left[0] == r
		if named {
			left = left[1:]
		}
		named = named && !slices.ContainsFunc(like, func(o corpus.Ref) bool { return w.isRival(o) && w.isInSight(id, o) })
		if named || !slices.ContainsFunc(fit, w.isRival) {
			all = append(all, r)
		}
	}
	return all
}

// topmost leaves out the members that override others among them: what names one of a
// type that is not known names that of the type above.
func (q *Question) topmost(all []Meaning) []Meaning {
	if len(all) < 2 {
		return all
	}
	var top []Meaning
	for _, m := range all {
		if !slices.ContainsFunc(all, func(o Meaning) bool { return o.Ref != m.Ref && slices.Contains(q.overridden(m.Ref), o.Ref) }) {
			top = append(top, m)
		}
	}
	if len(top) == 0 {
		return all
	}
	return top
}
