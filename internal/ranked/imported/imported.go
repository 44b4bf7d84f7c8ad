// Package imported tells which of some files another one imports, by the lines that begin
// like an import in whatever language and the paths of the files alone.
//
// A name in an import leads to a file whose path ends with it, without its ending: a.b.c,
// a::b::c, a\b\c and "a/b/c" to a/b/c.py. Its last part may be something that the file
// declares. A relative name is one from the folder of the file that imports.
package imported

import (
	"path"
	"slices"
	"strings"

	"espy/internal/excerpt"
)

// Bounds of what imports tell, by commits with long messages (docs/ranking.md, "What the
// first files import").
const (
	First = 3  // files of a report whose imports count
	Among = 60 // files behind these that are looked for

	MaxText = 512 << 10 // bytes of a file that are read for imports, which functions have too

	Worth = 1.0 // what one gains that the first file imports, on the scale of reports; the n-th gives an n-th of it
)

// Files are the files that imports are looked for among.
type Files struct {
	at   map[string][]int // by the path
	of   map[string][]int // by the path without folders that hold all sources
	ends map[string][]int // by the last parts of it, two or more
}

// New takes the paths of n files.
func New(n int, pathOf func(int) string) *Files {
	f := &Files{map[string][]int{}, map[string][]int{}, map[string][]int{}}
	for i := range n {
		p := pathOf(i)
		folder, s := foldersOf(path.Dir(p)), stem(p)
		parts := folder
		if !isIndex(s) {
			parts = append(slices.Clone(folder), s)
		}
		f.at[key(parts)] = append(f.at[key(parts)], i)
		parts = sourced(parts)
		f.of[key(parts)] = append(f.of[key(parts)], i)
		for n := 2; n <= min(len(parts), maxEnds); n++ {
			end := key(parts[len(parts)-n:])
			f.ends[end] = append(f.ends[end], i)
		}
		if path.Ext(p) == ".go" { // a package is a folder
			whole := key(sourced(folder))
			f.of[whole] = append(f.of[whole], i)
		}
	}
	return f
}

// By returns which of the files a text imports that stands at a path, in their order.
func (f *Files) By(from string, text []byte) (all []int) {
	left := maxNames
	for _, statement := range excerpt.Imports(text) {
		names := namesOf(statement)
		names = names[:min(len(names), left)]
		left -= len(names)
		for _, name := range names {
			all = append(all, f.find(from, name)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Bounds of what is read.
const (
	maxNames  = 1_000 // of a file
	maxName   = 1_000 // bytes of one
	maxNested = 4     // lists in braces
	maxEnds   = 16    // parts of the end of a path by which a file is found

	declared = 2 // of the last parts of a name may be something that a file declares
)

// find returns the files that a name leads to.
func (f *Files) find(from, name string) []int {
	if len(name) > maxName {
		return nil
	}
	parts, relative := resolve(from, name)
	for n := len(parts); n > 0 && n >= len(parts)-declared; n-- {
		said := key(parts[:n])
		if relative {
			if found := f.at[said]; len(found) > 0 {
				return found
			}
			continue
		}
		if found := f.of[said]; len(found) > 0 && (len(parts) > 1 || path.Ext(from) == ".py") {
			return found
		}
		if found := f.ends[said]; n > 1 && len(found) > 0 {
			return found
		}
		for first := 1; first < n && isRooted(from); first++ { // what stands for the root
			if found := f.of[key(parts[first:n])]; len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// isRooted reports whether names of the language of a file begin with one of the repository.
func isRooted(from string) bool {
	ext := path.Ext(from)
	return ext == ".go" || ext == ".php"
}

// resolve returns the parts of a name, from the root where it is relative to the file that
// has it.
func resolve(from, name string) (parts []string, relative bool) {
	folder := path.Dir(from)
	switch {
	case strings.HasPrefix(name, "./"), strings.HasPrefix(name, "../"):
		at := path.Join(folder, name)
		if parts = foldersOf(path.Dir(at)); !isIndex(stem(at)) {
			parts = append(parts, stem(at))
		}
		return parts, true
	case strings.HasPrefix(name, "."): // of Python
		rest := strings.TrimLeft(name, ".")
		for range len(name) - len(rest) - 1 {
			folder = path.Dir(folder)
		}
		return append(foldersOf(folder), strings.Split(rest, ".")...), true
	case strings.Contains(name, "/"):
		return sourced(append(foldersOf(path.Dir(name)), stem(name))), false
	}
	parts = strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == ':' || r == '\\' })
	if len(parts) == 0 || path.Ext(from) != ".rs" {
		return parts, false
	}
	if !isIndex(stem(from)) {
		folder = path.Join(folder, stem(from))
	}
	switch parts[0] {
	case "crate":
		root, _, _ := strings.Cut(from, "src/")
		return append(foldersOf(path.Join(root, "src")), parts[1:]...), true
	case "self":
		return append(foldersOf(folder), parts[1:]...), true
	case "super":
		return append(foldersOf(path.Dir(folder)), parts[1:]...), true
	}
	return parts, false
}

// foldersOf returns the folders that a path of folders names.
func foldersOf(p string) []string {
	return strings.FieldsFunc(path.Clean(p), func(r rune) bool { return r == '/' || p == "." })
}

// sourced leaves folders out that hold all sources.
func sourced(parts []string) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "src" || part == "lib" })
}

func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// isIndex reports whether a file stands for its folder by its name.
func isIndex(stem string) bool {
	return stem == "__init__" || stem == "index" || stem == "mod" || stem == "lib" || stem == "main"
}

var joined = strings.NewReplacer("_", "", "-", "")

// key joins parts as names are written in whatever way.
func key(parts []string) string { return strings.ToLower(joined.Replace(strings.Join(parts, "/"))) }

// namesOf returns the names of a statement.
func namesOf(statement string) (names []string) {
	for _, quote := range []string{`"`, "'"} {
		if pieces := strings.Split(statement, quote); len(pieces) > 2 {
			for i := 1; i < len(pieces); i += 2 {
				if names = append(names, pieces[i]); statement[0] == '#' || strings.HasPrefix(statement, "require_relative") {
					names = append(names, "./"+pieces[i])
				}
			}
			return names
		}
	}
	if module, list, ok := strings.Cut(strings.TrimPrefix(statement, "from "), " import "); ok && strings.HasPrefix(statement, "from ") {
		module = strings.TrimSpace(module)
		for _, name := range strings.Split(strings.Trim(list, "() \t\n"), ",") {
			name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			if strings.HasSuffix(module, ".") {
				names = append(names, module+name)
			} else {
				names = append(names, module+"."+name)
			}
		}
		return names
	}
	if _, name, ok := strings.Cut(statement, "mod "); ok && !strings.Contains(statement, ":") { // of Rust
		return []string{"self::" + strings.TrimRight(name, "; ")}
	}
	for _, name := range expand(strings.TrimRight(statement, "; \t"), 0, maxNames) {
		words := strings.Fields(name)
		for i, word := range words {
			if i+1 == len(words) || words[i+1] == "as" || words[i+1] == "hiding" || words[i+1][0] == '(' || words[i+1] == "=" {
				if word != "*" {
					names = append(names, strings.TrimRight(strings.TrimSuffix(word, "*"), ".:,"))
				}
				break
			}
		}
	}
	return names
}

// expand writes a list in braces out: a::{b, c} is a::b and a::c. Commas outside of braces
// part names as well.
func expand(s string, nested, most int) (all []string) {
	open := strings.IndexByte(s, '{')
	if open < 0 || nested == maxNested {
		return strings.Split(s, ",")
	}
	if open > maxName { // each would be too long to be looked for
		return nil
	}
	depth, start := 0, open+1
	for i := open; i < len(s) && len(all) < most; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 || depth == 1 && s[i] == ',' {
			if part := strings.TrimSpace(s[start:i]); part != "" {
				all = append(all, expand(s[:open]+part, nested+1, most-len(all))...)
			}
			start = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return all
}
