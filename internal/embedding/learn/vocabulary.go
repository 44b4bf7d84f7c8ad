package learn

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
)

// term is a term of a text, and how much it counts there.
type term struct {
	id     uint32
	weight float32
}

// example is a pair as the model sees it. Terms are sorted by their numbers.
type example struct {
	said, code []term
}

// vocabulary numbers the terms of a table.
type vocabulary struct {
	terms  []string // sorted
	ids    map[string]uint32
	rarity []float64 // by term: 0 for one of every pair, 1 for one of a single pair
}

// newVocabulary chooses the terms that most pairs have.
func newVocabulary(pairs []pair, o Options) *vocabulary {
	in := map[string]int{}
	for i := range pairs {
		seen := map[string]bool{}
		count := func(term string, _ static.Field) { seen[term] = true }
		static.Each(&embedding.Document{Text: pairs[i].said}, count)
		static.Each(&pairs[i].code, count)
		for t := range seen {
			in[t]++
		}
	}
	v := &vocabulary{ids: map[string]uint32{}}
	for t, n := range in {
		if n >= o.Least {
			v.terms = append(v.terms, t)
		}
	}
	slices.SortFunc(v.terms, func(a, b string) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
	v.terms = v.terms[:min(len(v.terms), o.Terms)]
	slices.Sort(v.terms)
	all := math.Log(float64(len(pairs)))
	for id, t := range v.terms {
		v.ids[t] = uint32(id)
		v.rarity = append(v.rarity, (all-math.Log(float64(in[t])))/all)
	}
	return v
}

// example returns a pair with numbers for terms.
func (v *vocabulary) example(p *pair) example {
	return example{v.numbered(&embedding.Document{Text: p.said}), v.numbered(&p.code)}
}

// weights of a term by where it stands. What names the code counts less here than
// in package static: the words of the text are to be learned too.
var weights = [static.NumFields]float32{static.FieldText: 1, static.FieldDir: 1, static.FieldStem: 4, static.FieldSymbol: 4}

// enough is where the weight of a term counts half of what it can count at most.
const enough = 16

func (v *vocabulary) numbered(d *embedding.Document) []term {
	sums := map[uint32]float32{}
	static.Each(d, func(t string, in static.Field) {
		if id, ok := v.ids[t]; ok {
			sums[id] += weights[in]
		}
	})
	all := make([]term, 0, len(sums))
	for _, id := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, term{id, sums[id] * (enough + 1) / (enough + sums[id])})
	}
	return all
}

// The fewest terms of a pair that says something.
const (
	leastSaid = 2
	leastCode = 4
)

// examples returns the pairs to learn from, and those that are kept back.
func (v *vocabulary) examples(pairs []pair) (learned, held []example) {
	for i := range pairs {
		e := v.example(&pairs[i])
		switch {
		case len(e.said) < leastSaid || len(e.code) < leastCode:
		case pairs[i].held:
			held = append(held, e)
		default:
			learned = append(learned, e)
		}
	}
	return learned, held
}
