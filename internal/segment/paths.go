package segment

import (
	"strings"

	"espy/internal/token"
)

// pathDirs is how many directories, counted from the file, paths are found by.
const pathDirs = 4

// genericStems are file names that say nothing: the directory is the name.
var genericStems = map[string]bool{"mod": true, "index": true, "__init__": true, "lib": true, "init": true, "main": true}

// PathTerms returns the terms and compounds by which a path is found: those of
// the stem (the file name without its extension; for names such as main and
// index those of the directory too) and those of the last four directories.
func PathTerms(path string) (stem, dir []string) {
	stems, dirs := pathTexts(path)
	return flatTerms(stems), flatTerms(dirs)
}

func flatTerms(texts []string) (terms []string) {
	for _, text := range texts {
		for _, w := range token.Words(text) {
			if w.Compound != "" {
				terms = append(terms, w.Compound)
			}
			terms = append(terms, w.Terms...)
		}
	}
	return terms
}

// pathTexts returns what PathTerms tokenizes. Dashes and dots inside a name
// join its words to one compound.
func pathTexts(path string) (stems, dirs []string) {
	parts := strings.Split(path, "/")
	base, dirs := parts[len(parts)-1], parts[:len(parts)-1]
	stem := base
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		stem = base[:dot]
	}
	stems = []string{joinName(stem)}
	if len(dirs) > 0 && genericStems[strings.ToLower(stem)] {
		stems = append(stems, joinName(dirs[len(dirs)-1]))
	}
	dirs = dirs[max(0, len(dirs)-pathDirs):]
	for i, d := range dirs {
		dirs[i] = joinName(d)
	}
	return stems, dirs
}

var nameJoiner = strings.NewReplacer("-", "_", ".", "_")

func joinName(name string) string { return nameJoiner.Replace(name) }
