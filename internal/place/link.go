package place

import (
	"net/url"
	"strconv"
	"strings"

	"espy/internal/pattern"
)

// linked is what stands before the path of a file in its address on a site that hosts
// repositories: that of GitHub (blob, blame, edit, raw), GitLab (behind /-/), Gitea and Forgejo
// (src/branch, src/commit, src/tag), Bitbucket (src), and of raw files of GitHub. A branch
// with a slash in its name cannot be told from a folder: its first part is taken.
var linked = pattern.New(`^https?://(?:raw\.githubusercontent\.com/[^/\s]+/[^/\s]+/(?:refs/heads/|refs/tags/)?[^/\s]+|` +
	`bitbucket\.org/[^/\s]+/[^/\s]+/src/[^/\s]+|` +
	`[^/\s]+(?:/[^/\s]+){2,12}?(?:/-)?/(?:blob|blame|edit|raw|src/(?:branch|commit|tag))/(?:refs/heads/|refs/tags/)?[^/\s]+)/`)

// anchor is the lines that follow the # of such an address: L10, L10-L20, L10C2-L20C5,
// L10-20, and lines-10:20 of Bitbucket.
var anchor = pattern.New(`^(?:L|lines-)([1-9][0-9]{0,8})(?:C[0-9]+)?(?:[-:]L?([1-9][0-9]{0,8})(?:C[0-9]+)?)?$`)

// LinkedPath returns where the path of a file begins in its address on a site that hosts
// repositories, 0 for other text.
func LinkedPath(text string) int {
	at := linked().FindStringIndex(text)
	if at == nil {
		return 0
	}
	return at[1]
}

// Unlink returns the place that the address of a file on a site that hosts repositories
// names, as Parse reads it: its path, and its lines if it has some. Other text stays as it is.
func Unlink(text string) string {
	from := LinkedPath(text)
	if from == 0 {
		return text
	}
	path, rest, _ := strings.Cut(text[from:], "#")
	path, _, _ = strings.Cut(path, "?")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	if path == "" {
		return text
	}
	first, last := lines(rest)
	return Place{path, first, last}.String()
}

// Anchored returns the place of a path that ends in the lines of an address: a.go#L10-L20.
func Anchored(text string) (p Place, ok bool) {
	cut := strings.LastIndexByte(text, '#')
	if cut < 0 {
		return p, false
	}
	p.Path = text[:cut]
	p.First, p.Last = lines(text[cut+1:])
	return p, p.First > 0
}

// lines returns the lines that an anchor names, 0 for none.
func lines(text string) (first, last int) {
	m := anchor().FindStringSubmatch(text)
	if m == nil {
		return 0, 0
	}
	first, _ = strconv.Atoi(m[1]) // digits, few enough
	if last, _ = strconv.Atoi(m[2]); last == 0 {
		last = first
	}
	return first, last
}
