package corpus

import (
	"path"
	"strings"
)

// Folder returns the folder of a path, empty for the root.
func Folder(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Child returns the path of a name in a folder.
func Child(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// Join appends a relative path, which may have dots, to a folder; ok is false
// where it leaves the repository.
func Join(folder, rel string) (p string, ok bool) {
	p = path.Join(folder, rel)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

// LastName returns the last name of an owner such as a::B.
func LastName(owner string) string {
	if i := strings.LastIndex(owner, "::"); i >= 0 {
		return owner[i+2:]
	}
	return owner
}
