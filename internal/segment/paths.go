package segment

import (
	"bytes"
	"strings"
)

// pathDirs is how many directories, counted from the file, paths are found by.
const pathDirs = 4

// genericStems are file names that say nothing: the directory is the name.
var genericStems = map[string]bool{"mod": true, "index": true, "__init__": true, "lib": true, "init": true, "main": true}

// pathTexts returns the texts whose terms and compounds a path is found by: the
// stem (the file name without its extension; for names such as main and index the
// directory too) and the last four directories. Dashes and dots inside a name
// join its words to one compound.
func pathTexts(path string) (stems, dirs []string) {
	parts := strings.Split(path, "/")
	base, dirs := parts[len(parts)-1], parts[:len(parts)-1]
	stem := base[:len(stemOf([]byte(base)))]
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

// stemOf returns the name of a file without its last extension.
func stemOf(path []byte) []byte {
	base := path[bytes.LastIndexByte(path, '/')+1:]
	if dot := bytes.LastIndexByte(base, '.'); dot > 0 {
		return base[:dot]
	}
	return base
}

var nameJoiner = strings.NewReplacer("-", "_", ".", "_")

func joinName(name string) string { return nameJoiner.Replace(name) }
