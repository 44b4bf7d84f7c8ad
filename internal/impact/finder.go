package impact

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/diff"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/impact/sides"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// finder is the work on one request.
type finder struct {
	req     *Request
	several bool     // repositories: paths name theirs
	deep    bool     // the first of them and the packages that it uses
	trees   []tree   // what the work trees differ in, none where that is not asked
	failed  []string // repositories that were not compared, with the reason

	answer  *Impact
	differ  []differing // files of a difference that were compared
	changes []change
	texts   map[string][][]byte // the lines that differ, by the path of their file
	sides   []sides.Side        // by member of the index; none where packages are asked
	ask     *locate.Ask
	graph   *graph.Graph
	nodes   []*node

	entrances framework.Entrances
}

// change is one thing that changes.
type change struct {
	Changed
	ref   corpus.Ref // in the index; its file is none where the index does not hold it
	words bool       // the grammar of its file is not known: who mentions its name is
	left  string     // why its users are not looked at; else empty

	importers map[corpus.FileID]bool // of a file that is read line by line: the files that import it
	doubt     bool                   // other files declare its name too: only importers may use it
}

// noFile stands for a file that the index does not hold.
const noFile corpus.FileID = facts.None

// differing is a file whose versions were compared.
type differing struct {
	path, old string
	prefix    string // of both, and of paths in symbols
	newer     bool   // the index holds the newer version
	git       bool   // git told that it differs, so that all of it need not
	symbols   []diff.Change
	lines     [][]byte // that differ, of both versions
}

// node is a declaration, or the top of a file, that changes or is affected.
type node struct {
	ref        corpus.Ref
	name       string
	distance   int
	confidence facts.Confidence
	reason     string
	line       int // of the use that says so; 0 for what changes
	via        *node
	changed    *change // nil for what is affected
	left       string  // why its users were not looked at
	uses       int     // of its name
	word       string  // where it is known by who mentions this word
}

// plain is a path without the name of its repository.
func (f *finder) plain(p string) string {
	if f.several {
		for _, one := range f.ask.Corpus.Members() {
			if rest, ok := strings.CutPrefix(p, one.Name()+":"); ok {
				return rest
			}
		}
	}
	return p
}

// isHere reports whether a file is one of a repository that was asked about, and none of
// a package that it uses.
func (f *finder) isHere(id corpus.FileID) bool { return !f.deep || f.ask.Corpus.Home(id) == 0 }

// inPackages leaves the symbols of packages, where these are asked about.
func (f *finder) inPackages(groups [][]corpus.Ref) [][]corpus.Ref {
	if !f.deep {
		return groups
	}
	return slices.DeleteFunc(groups, func(g []corpus.Ref) bool { return f.isHere(g[0].File) })
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// some names the first few of a list.
func some(names []string) string {
	shown := names[:min(len(names), 5)]
	return strings.Join(shown, ", ") + andMore(len(names)-len(shown))
}

func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
