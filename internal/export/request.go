package export

import (
	"slices"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/locate"
)

// Kind is what an export may be limited to.
type Kind string

// The kinds.
const (
	Symbols    Kind = "symbols"
	References Kind = "references"
	Calls      Kind = "calls"     // edges of calls
	Imports    Kind = "imports"   // edges of imports
	Subtypes   Kind = "subtypes"  // edges from types to what they extend, embed or implement
	Overrides  Kind = "overrides" // edges from members to those that they override or fulfil
	Links      Kind = "links"     // edges that frameworks make
)

// Kinds lists every kind.
var Kinds = []Kind{Symbols, References, Calls, Imports, Subtypes, Overrides, Links}

// Request says what is exported. Its zero value is everything but names inside of
// functions.
type Request struct {
	Paths       []string // globs; a file passes when it matches one. "!glob" excludes
	Languages   []string // names or aliases; a file passes when it is in one. "!name" excludes
	Scope       code.Scope
	Kinds       []Kind // none is every kind
	Locals      bool   // also parameters and names inside of functions
	ShowSecrets bool   // show keys and tokens; else a marker stands in the place of each
}

// wants reports whether a kind is asked for.
func (r *Request) wants(k Kind) bool { return len(r.Kinds) == 0 || slices.Contains(r.Kinds, k) }

// Form writes an export. Head is called first, then File for every file, from several
// goroutines, whose results are put in the order of the paths, then Tail.
type Form interface {
	Head(*Head) ([]byte, error)
	File(*locate.Ask, *File) ([]byte, error)
	Tail(*Tail) ([]byte, error)
}

// Head is what is known before the first file.
type Head struct {
	In      hit.Searched
	Root    string // of the repository on this machine; empty where it has none
	Request Request
	Files   int // that will be written
}

// Tail counts what was written. It says what is missing.
type Tail struct {
	Files      int
	Failed     int // of Files: could not be parsed, and so have no symbols
	Pending    int // of Files: not parsed yet
	Symbols    int
	References int
	Certain    int // of References
	Elsewhere  int // of References: to what no file declares
	Possible   int // uses that are left out, for they may as well mean something else
	Unknown    int // uses of which nothing is known
	Edges      map[Kind]int
	Left       string // why the export is not whole; empty where it is
}

func (t *Tail) add(o *Tail) {
	t.Files += o.Files
	t.Failed += o.Failed
	t.Pending += o.Pending
	t.Symbols += o.Symbols
	t.References += o.References
	t.Certain += o.Certain
	t.Elsewhere += o.Elsewhere
	t.Possible += o.Possible
	t.Unknown += o.Unknown
	for k, n := range o.Edges {
		t.Edges[k] += n
	}
}
