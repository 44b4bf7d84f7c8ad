package place

import (
	"path"
	"strings"
)

// Folder is a folder of a repository that paths are relative to, itself relative to
// the root, with slashes. The zero value is the root.
type Folder string

// Show returns a path that is relative to the root as relative to the folder. What
// follows the path in an id or a place stays as it is.
func (f Folder) Show(name string) string {
	if f == "" || name == "" {
		return name
	}
	up, rest := "", string(f)+"/"
	for !strings.HasPrefix(name, rest) {
		if name+"/" == rest {
			return up + "."
		}
		up += "../"
		if rest = parent(rest); rest == "" {
			break
		}
	}
	if below := name[len(rest):]; below != "" {
		return up + below
	}
	return strings.TrimSuffix(cmpOr(up, "."), "/")
}

// parent is the folder above one that ends in a slash, ending in one too.
func parent(folder string) string {
	return folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// FromRoot returns a path that is relative to the folder as relative to the root, ""
// for the root itself. ok is false where it leads out of the root.
func (f Folder) FromRoot(name string) (fromRoot string, ok bool) {
	joined := path.Join(string(f), name)
	if joined == ".." || strings.HasPrefix(joined, "../") {
		return "", false
	}
	if joined == "." {
		return "", true
	}
	return joined, true
}

// Glob returns a glob that is relative to the folder, with or without a leading !, as
// relative to the root. As everywhere, a name without a slash is meant at any depth,
// and a leading slash ties the glob to the root. ok is false where it leads out of it.
func (f Folder) Glob(glob string) (fromRoot string, ok bool) {
	text, not := strings.CutPrefix(glob, "!")
	mark := ""
	if not {
		mark = "!"
	}
	tied := strings.HasPrefix(text, "./")
	text = strings.TrimPrefix(text, "./")
	switch {
	case strings.HasPrefix(text, "/"):
		return glob, true
	case f == "" && text != "." && text != "" && !strings.HasPrefix(text, ".."):
		if tied {
			text = "/" + text
		}
		return mark + text, true
	case !tied && !strings.Contains(strings.TrimSuffix(text, "/"), "/") && text != "." && text != "..":
		return mark + escape(string(f)) + "/**/" + text, true
	}
	slash := ""
	if strings.HasSuffix(text, "/") && strings.Trim(text, "./") != "" {
		slash = "/"
	}
	joined := path.Join(escape(string(f)), text)
	switch {
	case joined == ".." || strings.HasPrefix(joined, "../"):
		return "", false
	case joined == "." || joined == "":
		return mark + "**", true
	}
	return mark + "/" + joined + slash, true
}

// escape writes a path as a glob that matches it alone.
func escape(name string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `\`, `\\`).Replace(name)
}
