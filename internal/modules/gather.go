package modules

import (
	"context"
	"sync"

	"espy/internal/locate"
	"espy/internal/modules/byline"
	"espy/internal/parallel"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// filesPerWorker is how many files make another goroutine worth its start.
const filesPerWorker = 200

// gather reads the imports of those files that of has.
func gather(a *locate.Ask, of func(corpus.FileID) bool) *Graph {
	folders, files := foldersOf(a, of)
	return gatherBy(1+files/filesPerWorker, a, folders, files)
}

// gatherBy gathers by up to so many gatherers. Files of one folder are read by one of them,
// in order, as an import that they write alike is looked up once.
func gatherBy(workers int, a *locate.Ask, folders [][]corpus.FileID, files int) *Graph {
	all, origins := make([]imported, a.Corpus.NumFiles()), OriginsOf(a)
	finder := sync.OnceValue(func() *byline.Finder { return byline.NewFinder(a) })
	asks := make(chan *locate.Ask, 1) // holds the one of the question until a gatherer takes it
	asks <- a
	err := parallel.Each(context.Background(), workers, len(folders), func() func(int) error {
		g := newGatherer(origins, finder)
		select {
		case g.ask = <-asks:
		default:
			g.ask = a.Beside()
		}
		return func(i int) error {
			for _, f := range folders[i] {
				if !a.Late() {
					all[f] = g.read(f)
				}
			}
			return nil
		}
	})
	segment.Again(err)
	g := join(all)
	g.Left += files - g.Files
	return g
}

// foldersOf are the files whose imports are read, by folder, and how many they are.
func foldersOf(a *locate.Ask, of func(corpus.FileID) bool) (folders [][]corpus.FileID, files int) {
	at := map[string]int{}
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		if !of(f) || !Reads(a, f) {
			continue
		}
		files++
		folder := a.Corpus.Folder(f)
		i, ok := at[folder]
		if !ok {
			i = len(folders)
			at[folder] = i
			folders = append(folders, nil)
		}
		folders[i] = append(folders[i], f)
	}
	return folders, files
}

// join makes a graph of what gatherers read. Sources are numbered in the order in which a
// single one would come upon them.
func join(all []imported) *Graph {
	g := &Graph{first: make([]int32, len(all)+1)}
	alike, numbers := map[string]int32{}, map[*gatherer][]int32{} // by identity, and by the number that a gatherer gave, plus 1
	for f := range all {
		g.first[f] = int32(len(g.Edges))
		m := &all[f]
		if m.by == nil {
			continue
		}
		g.Files++
		if m.unread {
			g.Left++
		}
		for _, s := range m.by.met[m.met:m.metEnd] {
			known := numbers[m.by]
			if int(s) >= len(known) {
				known = append(known, make([]int32, int(s)+1-len(known))...)
				numbers[m.by] = known
			}
			if known[s] > 0 {
				continue
			}
			source := &m.by.list[s]
			id := source.identity()
			n, ok := alike[id]
			if !ok {
				n = int32(len(g.Sources))
				alike[id] = n
				g.Sources = append(g.Sources, *source)
			}
			known[s] = n + 1
		}
		for _, e := range m.by.edges[m.edges:m.edgesEnd] {
			e.Source = numbers[m.by][e.Source] - 1
			g.Edges = append(g.Edges, e)
		}
	}
	g.first[len(all)] = int32(len(g.Edges))
	g.index()
	return g
}
