package rank

import (
	"slices"
	"strconv"
	"strings"

	"espy/internal/pattern"
	"espy/internal/place"
)

// Place is a file that a text mentions by its path, and a line of it.
type Place struct {
	Path string // as written, with slashes; often the end of a path, or one of another machine
	Line int    // 0 where the text gives none
}

// PointsSomewhere reports whether a query mentions a place by more than the name of a
// file, which may be that of a product: Node.js.
func (q *Query) PointsSomewhere() bool {
	return slices.ContainsFunc(q.Places, func(p Place) bool { return p.Line > 0 || strings.Contains(p.Path, "/") })
}

// maxPlaces bounds how many places of a text count: the first ones.
const maxPlaces = 32

// maxPath is the length from which on a word is no path.
const maxPath = 1024

// mention is a run of bytes that paths are made of.
var mention = pattern.New("[^\\s\"'`()\\[\\]{}<>,;|=*?]+")

// lineAfter is how a line number follows a path: `a.c:12:5`, `a.py", line 12`,
// `A.cs:line 12`, `a.go#L12`, `a.ts(12,5)`.
var lineAfter = pattern.New(`^(?:["'` + "`" + `]?(?: ?,)? ?:?(?:line ?|(?:\?plain=1)?#L|(?:\?[vt]=[\w.]+)?:) ?(\d{1,7})|\((\d{1,7})[,)])`)

// places returns the places that a text mentions, each once, and the text with
// no more of them than the end of their paths: the folders above and the
// numbers are of one machine and one moment.
func places(text string) (found []Place, rest string) {
	var b strings.Builder
	from := 0
	for _, at := range mention().FindAllStringIndex(text, -1) {
		if at[0] < from {
			continue
		}
		path, n := pathAt(text[at[0]:at[1]])
		if path == "" {
			continue
		}
		end := at[0] + n
		line := 0
		if m := lineAfter().FindStringSubmatchIndex(text[end:]); m != nil {
			from, to := max(m[2], m[4]), max(m[3], m[5])
			line, _ = strconv.Atoi(text[end+from : end+to])
			end += to
		}
		if p := (Place{path, line}); len(found) < maxPlaces && !has(found, p) {
			found = append(found, p)
		}
		b.WriteString(text[from:at[0]])
		b.WriteString(lastParts(path, 3))
		b.WriteByte(' ')
		from = end
	}
	b.WriteString(text[from:])
	return found, b.String()
}

func has(places []Place, p Place) bool {
	for _, q := range places {
		if q == p {
			return true
		}
	}
	return false
}

// pathAt returns the path that a word is or begins with, and its length in the
// word; "" where it is none. A path has an extension that is a word's: known as
// one of sources, or short and behind a slash.
func pathAt(word string) (path string, n int) {
	if len(word) > maxPath {
		return "", 0
	}
	if from := behindName(word); from > 0 || strings.Contains(word, "://") {
		if from == 0 {
			from = max(place.LinkedPath(word), servedPath(word))
		}
		if from == 0 {
			return "", 0
		}
		path, n = pathAt(word[from:])
		if n > 0 {
			n += from
		}
		return path, n
	}
	for end, tries := len(word), 0; end > 0 && tries < 8; tries++ {
		dot := strings.LastIndexByte(word[:end], '.')
		if dot < 1 {
			return "", 0
		}
		ext := extensionAt(word[dot+1:])
		base := strings.LastIndexAny(word[:dot], `/\`) + 1
		slash := base > 0
		if ext > 0 && base < dot && (sourceExtensions[strings.ToLower(word[dot+1:dot+1+ext])] || slash && ext <= 5) {
			n = dot + 1 + ext
			return cleanPath(word[:n]), n
		}
		end = dot
	}
	return "", 0
}

// behindName returns where a place begins that stands behind the name of a function or of what was
// thrown, as in traces of Firefox and Safari (f@src/a.js:1:2) and in D; 0 where none does.
func behindName(word string) int {
	i := strings.IndexByte(word, '@')
	if i <= 0 || i+1 == len(word) || strings.ContainsAny(word[:i], `/\:`) || word[i+1] >= '0' && word[i+1] <= '9' {
		return 0
	}
	return i + 1
}

// served is how an address begins of a file that a runtime loaded, of this machine, and of
// a server where a line and a column follow, which no page has.
var served = pattern.New(`^(?:(?:file|webpack(?:-internal)?|ng|app):///?|https?://(?:localhost|127\.0\.0\.1)(?::\d+)?/|https?://[^/]+/(?:.*:\d+:\d+$))`)

// servedPath returns where the path begins in the address of such a file, 0 in another.
func servedPath(word string) int {
	if !served().MatchString(word) {
		return 0
	}
	from := strings.Index(word, "://") + len("://")
	if strings.HasPrefix(word, "http") {
		from += strings.IndexByte(word[from:], '/')
	}
	return from
}

// extensionAt returns how many letters and digits s begins with, 0 where
// something else follows that goes on a name or where no letter is first.
func extensionAt(s string) int {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if n < len(s) && (s[n] == '_' || s[n] == '/' || s[n] == '\\' || s[n] == '.' && n+1 < len(s) || s[n] >= 0x80) {
		return 0
	}
	return n
}

// cleanPath returns a path with slashes and without what stands for here or a drive.
func cleanPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) > 2 && p[1] == ':' && p[2] == '/' {
		p = p[2:]
	}
	for {
		switch {
		case strings.HasPrefix(p, "./"):
			p = p[2:]
		case strings.HasPrefix(p, "../"):
			p = p[3:]
		case strings.HasPrefix(p, "/"):
			p = p[1:]
		default:
			return p
		}
	}
}

// lastParts returns the last n parts of a path.
func lastParts(path string, n int) string {
	at := len(path)
	for range n {
		at = strings.LastIndexByte(path[:at], '/')
		if at < 0 {
			return path
		}
	}
	return path[at+1:]
}

// Matches returns how many parts at the end of a file's path and of the place
// agree: 0 where not even the file's name does. whole reports that one of the
// two ends there, or that what is above is where packages are installed and the folder
// of all sources, or of all packages: site-packages/shop/cart.py is src/shop/cart.py,
// node_modules/shop/cart.js is packages/shop/cart.js.
func (p Place) Matches(path string) (parts int, whole bool) {
	a, b := p.Path, path
	for {
		i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[j+1:] {
			return parts, parts > 1 && (holdsSources(b) && holdsPackages(a) || lastParts(a, 1) == "node_modules")
		}
		parts++
		if i < 0 || j < 0 {
			return parts, true
		}
		a, b = a[:i], b[:j]
	}
}

// holdsSources reports whether a folder at the root of a repository is called as those
// that are left out where its sources are installed.
func holdsSources(folder string) bool {
	switch folder {
	case "src", "lib", "Lib", "source", "sources", "python", "perl":
		return true
	}
	return false
}

// holdsPackages reports whether packages are installed in a folder: its name says so, or it
// is a version.
func holdsPackages(folder string) bool {
	name := lastParts(folder, 1)
	switch name {
	case "site-packages", "dist-packages", "site_perl", "vendor_perl", "perl5", "perl", "lib":
		return true
	}
	return strings.ContainsRune(name, '.') && strings.Trim(name, "0123456789.") == ""
}

// Stem returns the name of the file without folders and extension.
func (p Place) Stem() string {
	base := lastParts(p.Path, 1)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}
