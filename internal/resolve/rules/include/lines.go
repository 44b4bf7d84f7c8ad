package include

import (
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Lines are the files that each file itself includes, in order. All questions share
// them.
type Lines struct {
	files  []atomic.Pointer[[]corpus.FileID]
	corpus *corpus.Corpus
	bases  func() map[string][]corpus.FileID // the files of C and C++ by the last part of their path
}

// NewLines returns those of a corpus, of which nothing is known yet.
func NewLines(c *corpus.Corpus) *Lines {
	last := corpus.FileID(facts.None)
	for id := range c.Files() {
		last = id
	}
	return &Lines{make([]atomic.Pointer[[]corpus.FileID], last+1), c, sync.OnceValue(func() map[string][]corpus.FileID {
		all := map[string][]corpus.FileID{}
		for i := range c.Files() {
			if c.Family(i) == corpus.C {
				base := path.Base(c.Path(i))
				all[base] = append(all[base], i)
			}
		}
		return all
	})}
}

// Find finds what a file in a folder includes: relative to the file, else the nearest
// one whose path ends in the name.
func (l *Lines) Find(folder, from, name string) (corpus.FileID, bool) {
	if p, ok := corpus.Join(folder, name); ok {
		if id, ok := l.corpus.Find(p); ok {
			return id, true
		}
	}
	best, shared := corpus.FileID(facts.None), -1
	for _, id := range l.bases()[path.Base(name)] {
		p := l.corpus.Path(id)
		if p != name && !strings.HasSuffix(p, "/"+name) {
			continue
		}
		if n := commonFolders(p, from); n > shared {
			best, shared = id, n
		}
	}
	return best, best != facts.None
}

// Included are the files that the lines of a file include, in order.
func (l *Lines) Included(id corpus.FileID) (all []corpus.FileID) {
	folder, p := l.corpus.Folder(id), l.corpus.Path(id)
	l.corpus.Imported(id, func(module, name string) {
		if name != "*" {
			return
		}
		if to, ok := l.Find(folder, p, module); ok {
			all = append(all, to)
		}
	})
	return all
}

// commonFolders counts the folders that two paths have in common.
func commonFolders(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
