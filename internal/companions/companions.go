// Package companions finds the files that likely change too where those do which a
// question is about: commits changed both, one is named like the other, or its words
// speak for it, though less than for the files of the hits.
//
// The chance that a file changes with a hit is put together of these as of
// independent ones. It counts by how sure the hit is, and over all hits in the same
// way. The weights are those of docs/ranking.md, "Change sets".
package companions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/impact/suite"
	"espy/internal/listing"
	"espy/internal/ranked/past"
	"espy/internal/segment"
)

// Bounds of what is looked at and shown.
const (
	maxSeeds = 5 // files of hits, the first
	maxShown = 5
	least    = 0.05 // chance below which a file is not shown
)

// What makes it likely that a file changes with another.
const (
	byCommits = 1.3  // times the share of the other's commits that changed both,
	doubted   = 3    // of which so many more are taken not to have,
	mostSure  = 0.9  // and no more than that;
	byName    = 0.45 // it stands beside it, named alike but for the extension;
	byTest    = 0.15 // it is a test that bears its name
)

// Of returns the companions of the hits of a result that a filter lets through, the
// likeliest first. Those that the result has are the next files by their words. Commits
// returns those of a repository.
func Of(f *filter.Filter, res *hit.Result, commits func(repo string) *past.Log) (all []hit.Companion, err error) {
	err = segment.Guard(func() error { all, err = of(f, res, commits); return err })
	return all, err
}

func of(f *filter.Filter, res *hit.Result, commits func(repo string) *past.Log) (all []hit.Companion, _ error) {
	for _, snap := range f.Snaps {
		g := &gatherer{filter: f, repo: snap.Name, found: map[string]bool{}, open: map[string]float64{}, best: map[string]hit.Companion{}}
		if g.seed(res.Hits); len(g.seeds) == 0 {
			continue
		}
		tree, err := snap.Tree()
		if err != nil {
			return nil, err
		}
		for _, c := range res.Companions {
			if c.Repo == g.repo {
				g.open[c.Path], g.best[c.Path] = 1-c.Score, c
			}
		}
		g.gather(commits(snap.Name), tree)
		all = append(all, g.likely()...)
	}
	slices.SortStableFunc(all, func(a, b hit.Companion) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return all[:min(len(all), maxShown)], nil
}

// gatherer gathers the companions in one repository.
type gatherer struct {
	filter *filter.Filter
	repo   string
	seeds  []hit.Hit       // the best of each file
	found  map[string]bool // files of hits

	open map[string]float64       // by path, the chance that it does not change
	best map[string]hit.Companion // by path, with the hit that speaks for it most
}

// seed takes the files of the hits.
func (g *gatherer) seed(hits []hit.Hit) {
	for _, h := range hits {
		if h.Repo == g.repo && !g.found[h.Path] {
			g.found[h.Path] = true
			if len(g.seeds) < maxSeeds {
				g.seeds = append(g.seeds, h)
			}
		}
	}
}

// gather looks at all that may change with the seeds.
func (g *gatherer) gather(commits *past.Log, tree *listing.Tree) {
	var paths []string
	for _, s := range g.seeds {
		paths = append(paths, s.Path)
	}
	together := commits.With(paths, func(path string) bool { return !g.found[path] })
	for i := range g.seeds {
		s := &g.seeds[i]
		for path, by := range together {
			if pair, ok := by[s.Path]; ok {
				g.add(s, path, pair)
			}
		}
		for _, path := range beside(tree, s.Path) {
			if together[path][s.Path].Of == 0 && !g.found[path] {
				g.add(s, path, past.Pair{})
			}
		}
	}
}

// beside returns the files in the folder of a file whose names begin with its name
// without extensions.
func beside(tree *listing.Tree, file string) (all []string) {
	dir, base := path.Split(file)
	stem, _, _ := strings.Cut(base, ".")
	if stem == "" {
		return nil
	}
	at, _ := slices.BinarySearchFunc(tree.Leaves, dir+stem, func(l listing.Leaf, p string) int { return cmp.Compare(l.Path, p) })
	for ; at < len(tree.Leaves) && strings.HasPrefix(tree.Leaves[at].Path, dir+stem); at++ {
		if p := tree.Leaves[at].Path; p != file && path.Dir(p) == path.Dir(file) {
			all = append(all, p)
		}
	}
	return all
}

// add adds what a seed says of a file.
func (g *gatherer) add(seed *hit.Hit, path string, pair past.Pair) {
	class, ok := g.filter.Lets(g.repo, path)
	if !ok || class&(code.ClassVendor|code.ClassGenerated|code.ClassMinified|code.ClassLock) != 0 {
		return
	}
	known := g.best[path]
	c := hit.Companion{Repo: g.repo, Path: path, Rank: known.Rank, With: seed.Path, Together: pair.Together, Of: pair.Of}
	not := 1 - min(mostSure, byCommits*pair.Weight/float64(pair.Of+doubted))
	switch isTest := class.Has(code.ClassTest); {
	case isTest && suite.Subject(path) == suite.Stem(seed.Path):
		c.Named, not = true, not*(1-byTest)
	case !isTest && isNamedLike(path, seed.Path):
		c.Named, not = true, not*(1-byName)
	}
	c.Score = seed.Score * (1 - not)
	if _, ok := g.open[path]; !ok {
		g.open[path] = 1
	}
	g.open[path] *= 1 - c.Score
	if known.With == "" || c.Score > known.Score {
		g.best[path] = c
	}
}

// isNamedLike reports whether two files stand in one folder and have one name but
// for the extension.
func isNamedLike(a, b string) bool {
	return path.Dir(a) == path.Dir(b) && suite.Stem(a) == suite.Stem(b)
}

// likely returns the files that change likely enough.
func (g *gatherer) likely() (all []hit.Companion) {
	for path, c := range g.best {
		if c.Score = 1 - g.open[path]; c.Score >= least {
			all = append(all, c)
		}
	}
	return all
}
