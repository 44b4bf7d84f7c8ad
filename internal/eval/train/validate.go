package train

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"

	"espy/internal/rank"
)

// foldCount is how many parts of the repositories take turns in cross-validation.
const foldCount = 5

// crossValidate returns for each list a model that was fitted to other
// repositories. The parts are dealt out in the order of a hash of the names.
func crossValidate(lists []*List, fit func([]*List) *rank.Model) []*rank.Model {
	fold := folds(lists)
	out := make([]*rank.Model, len(lists))
	for f := range foldCount {
		var others []*List
		for _, l := range lists {
			if fold[l.Repo] != f {
				others = append(others, l)
			}
		}
		m := fit(others)
		for i, l := range lists {
			if fold[l.Repo] == f {
				out[i] = m
			}
		}
	}
	return out
}

// gradesOf returns the NDCG of each list by its model.
func gradesOf(lists []*List, models []*rank.Model) []float64 {
	out := make([]float64, len(lists))
	for i, l := range lists {
		out[i] = l.ndcg(models[i])
	}
	return out
}

// folds deals the repositories to parts, trees after all others.
func folds(lists []*List) map[string]int {
	hash := map[string]uint64{}
	tree := map[string]int{}
	for _, l := range lists {
		h := fnv.New64a()
		h.Write([]byte(l.Repo))
		hash[l.Repo] = h.Sum64()
		if l.Mode == ModeTree {
			tree[l.Repo] = 1
		}
	}
	names := slices.SortedFunc(maps.Keys(hash), func(a, b string) int {
		return cmp.Or(cmp.Compare(tree[a], tree[b]), cmp.Compare(hash[a], hash[b]))
	})
	fold := map[string]int{}
	for i, n := range names {
		fold[n] = i % foldCount
	}
	return fold
}

// summary is the mean of a measure: over repositories of the mean over their lists.
type summary struct {
	All                  float64
	Category, Lang, Repo map[string]float64
}

// summarise returns the means of the values of the lists of one mode.
func summarise(lists []*List, values []float64, mode string) summary {
	repo, category := map[string]*mean{}, map[string]map[string]*mean{}
	language := map[string]string{}
	for i, l := range lists {
		if l.Mode != mode {
			continue
		}
		language[l.Repo] = l.Language
		add(repo, l.Repo, values[i])
		if category[l.Category] == nil {
			category[l.Category] = map[string]*mean{}
		}
		add(category[l.Category], l.Repo, values[i])
	}
	s := summary{Category: map[string]float64{}, Lang: map[string]float64{}, Repo: map[string]float64{}}
	languages := map[string]*mean{}
	for _, r := range slices.Sorted(maps.Keys(repo)) {
		s.Repo[r] = repo[r].value()
		add(languages, language[r], s.Repo[r])
	}
	for l, m := range languages {
		s.Lang[l] = m.value()
	}
	for c, repos := range category {
		s.Category[c] = meanOf(repos)
	}
	s.All = meanOf(repo)
	return s
}

// worst returns the mean of the n worst languages.
func (s *summary) worst(n int) float64 {
	v := slices.Sorted(maps.Values(s.Lang))
	v = v[:min(n, len(v))]
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(1, len(v)))
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) value() float64 { return m.sum / float64(m.n) }

func add(means map[string]*mean, key string, v float64) {
	if means[key] == nil {
		means[key] = &mean{}
	}
	means[key].sum += v
	means[key].n++
}

func meanOf(means map[string]*mean) float64 {
	all := mean{}
	for _, k := range slices.Sorted(maps.Keys(means)) {
		all.sum += means[k].value()
		all.n++
	}
	return all.sum / float64(max(1, all.n))
}

func sortedKeys(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }
