// Package loadpath says which file require of Ruby names.
//
// Its functions read segments: call them inside a segment.Guard.
package loadpath

import (
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// tests are the folders of tests, which their files may require from, and roots all folders
// that files are required from by custom.
var (
	tests = []string{"test/", "spec/"}
	roots = append([]string{"lib/"}, tests...)
)

// IsTest reports whether a file stands among tests.
func IsTest(p string) bool {
	return slices.ContainsFunc(tests, func(root string) bool { return strings.Contains("/"+p, "/"+root) })
}

// Features are the files that require may name, by their path without its extension and
// without the folder that it is looked for in.
type Features map[string]corpus.FileID

// Read returns the features of a corpus: what stands in the folders of custom, and in those
// from which the files below them require several others.
func Read(c *corpus.Corpus) Features {
	all := Features{}
	byPath := map[string]corpus.FileID{}
	for id := range c.Files() {
		p, ok := strings.CutSuffix(c.Path(id), ".rb")
		if !ok || c.Family(id) != corpus.Ruby {
			continue
		}
		byPath[p] = id
		for _, root := range roots {
			if i := strings.LastIndex("/"+p, "/"+root); i >= 0 {
				all.add(p[i+len(root):], id)
			}
		}
	}
	all.addRoots(wanted(c, all, byPath), byPath)
	return all
}

func (all Features) add(name string, id corpus.FileID) {
	if _, again := all[name]; !again && name != "" {
		all[name] = id
	}
}

// wanted are the names that files require and that a folder above them has, by that folder.
func wanted(c *corpus.Corpus, known Features, byPath map[string]corpus.FileID) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for id := range c.Files() {
		if c.Family(id) != corpus.Ruby {
			continue
		}
		folder := path.Dir(c.Path(id))
		c.Imported(id, func(name, _ string) {
			name = strings.TrimSuffix(name, ".rb")
			if _, ok := known[name]; ok || name == "" || name[0] == '.' || name[0] == '/' {
				return
			}
			for at := folder; ; at = path.Dir(at) {
				if _, ok := byPath[path.Join(at, name)]; ok {
					if all[at] == nil {
						all[at] = map[string]bool{}
					}
					all[at][name] = true
				}
				if at == "." || at == "/" {
					return
				}
			}
		})
	}
	return all
}

// minRequired is how many files must be required from a folder before it is taken for one
// that the program looks in, maxRoots how many such folders there may be.
const (
	minRequired = 3
	maxRoots    = 50
)

// addRoots adds what is required from the folders that programs look in, those first from
// which most is required: a name that one of them has means no file of the others.
func (all Features) addRoots(wanted map[string]map[string]bool, byPath map[string]corpus.FileID) {
	having := map[string][]string{} // the folders that have a name
	for at, names := range wanted {
		for name := range names {
			having[name] = append(having[name], at)
		}
	}
	for range maxRoots {
		root := largest(wanted)
		if len(wanted[root]) < minRequired {
			return
		}
		for name := range wanted[root] {
			all.add(name, byPath[path.Join(root, name)])
			for _, at := range having[name] {
				delete(wanted[at], name)
			}
		}
	}
}

// largest is the folder from which most is required, of several the first by name.
func largest(wanted map[string]map[string]bool) (root string) {
	for at, names := range wanted {
		if len(names) > len(wanted[root]) || len(names) == len(wanted[root]) && at < root {
			root = at
		}
	}
	return root
}

// Find finds the file that a file requires.
func (all Features) Find(c *corpus.Corpus, f *corpus.File, name string) (corpus.FileID, bool) {
	name = strings.TrimSuffix(name, ".rb")
	if strings.HasPrefix(name, ".") {
		p, ok := corpus.Join(f.Folder, name)
		if !ok {
			return 0, false
		}
		return c.Find(p + ".rb")
	}
	id, ok := all[name]
	return id, ok
}
