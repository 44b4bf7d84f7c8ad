package learn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// report is what is told of a table.
type report struct {
	o                 Options
	sources           []source
	pairs             []pair
	held, terms, size int
	before, after     found
}

func (r report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# The built-in embedding

Written by `+"`make train-embedding`"+` together with `+"`internal/embedding/static/table.bin`"+`.

The table has %d terms of %d values, %d bytes in all (package static). It was learned from %d comments and the code that
each stands on, of the sources below; none is a repository that Espy is measured on. Checksum of the pairs: %016x.

%d pairs, all of one folder in %d, were kept back. How often what a comment says finds its own code among %d:

| | first | mean reciprocal rank |
|---|---|---|
| before learning: rare terms in common | %.3f | %.3f |
| learned | %.3f | %.3f |

`, r.terms, r.o.Dims, r.size, len(r.pairs), r.checksum(), r.held, heldOneIn, pool, r.before.first, r.before.rank, r.after.first, r.after.rank)
	languages := map[string]int{}
	bySource := map[string]int{}
	for i := range r.pairs {
		languages[r.pairs[i].language]++
		bySource[r.pairs[i].source]++
	}
	b.WriteString("| language | pairs |\n|---|---|\n")
	for _, l := range slices.Sorted(maps.Keys(languages)) {
		fmt.Fprintf(&b, "| %s | %d |\n", l, languages[l])
	}
	b.WriteString("\n| source | version | pairs |\n|---|---|---|\n")
	for _, s := range r.sources {
		if n := bySource[s.name]; n > 0 {
			fmt.Fprintf(&b, "| %s | %s | %d |\n", s.name, s.version, n)
		}
	}
	return b.String()
}

func (r *report) checksum() uint64 {
	texts := make([]string, 0, 2*len(r.pairs))
	for i := range r.pairs {
		texts = append(texts, r.pairs[i].said, r.pairs[i].code.Text)
	}
	return hashOf(texts...)
}
