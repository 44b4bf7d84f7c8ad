// Package dependencies answers what a file, a folder or a package imports and
// what imports it, with the line that proves each, and where the rest comes from.
package dependencies

import (
	"context"
	"path"
	"strconv"
	"strings"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Level is what an answer lists.
type Level string

// The levels.
const (
	LevelAuto   Level = ""       // files of a file, folders of anything else
	LevelFile   Level = "file"   // files, and packages where a language imports these
	LevelFolder Level = "folder" // folders
)

// Levels lists the levels that a request may name.
var Levels = []Level{LevelFile, LevelFolder}

// Direction is which side of imports is asked for.
type Direction string

// The directions.
const (
	Both     Direction = "both"
	Imports  Direction = "imports"   // what is imported
	Importer Direction = "importers" // who imports
)

// Directions lists the directions.
var Directions = []Direction{Both, Imports, Importer}

// Request is one question.
type Request struct {
	Path      string // file, folder or package; empty for the whole repository
	Level     Level
	Direction Direction // empty is Both
	Depth     int       // how many imports in a row are followed; 0 means 1
	Limit     int       // rows that are shown; 0 means 100
	Offset    int
}

const (
	defaultLimit = 100
	maxDepth     = 50
)

// check refuses what cannot be answered, and fills in the defaults.
func (r *Request) check() error {
	r.Path = path.Clean(place.FromRoot(r.Path))
	if r.Path == "." || r.Path == "/" {
		r.Path = ""
	}
	if r.Limit == 0 {
		r.Limit = defaultLimit
	}
	if r.Depth == 0 {
		r.Depth = 1
	}
	if r.Depth < 0 || r.Depth > maxDepth {
		return &usage.Error{Arg: "depth", Value: strconv.Itoa(r.Depth), Msg: "out of range", Hint: "1 to " + strconv.Itoa(maxDepth)}
	}
	if r.Direction == "" {
		r.Direction = Both
	}
	return locate.CheckLimits(r.Limit, r.Offset)
}

// Answer is the answer to a request. Rows are in the order of what is imported, by
// depth and name, what is from elsewhere, who imports, and last the standard library.
// What only tests import stands behind the rest.
type Answer struct {
	Request Request // with its defaults filled in
	In      hit.Searched
	Files   int // that the path means
	Read    int // of them, those that are in a language whose imports are known
	Rows    []Row
	Offset  int
	Imports int // rows of each kind, before Offset and Limit
	Outside int
	Into    int
	Left    int // files that were not looked at, because the time was over
	Pending int // files whose syntax is not known yet
	Notes   []string
}

// Total is the number of rows before Offset and Limit.
func (a *Answer) Total() int { return a.Imports + a.Outside + a.Into }

// Row is one line of an answer: From imports To.
type Row struct {
	Kind     Kind
	From, To string          // units of the level; To is a module of what is from elsewhere
	Depth    int             // imports between it and what was asked about
	Path     string          // of the file with the import that proves it
	Line     int             // of the import
	Imports  int             // of From that name To
	Files    int             // of From with such an import
	Cycle    bool            // To imports From too, by other files perhaps
	Test     bool            // only tests import it
	Later    bool            // imported only within functions, when they are called
	Origin   *modules.Origin // of what is from elsewhere
}

// Kind is what a row says.
type Kind string

// The kinds.
const (
	KindImport  Kind = "imports"
	KindOutside Kind = "elsewhere"
	KindInto    Kind = "imported by"
)

// Ask answers a request about a repository as it is now.
func Ask(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (a *Answer, in hit.Searched, err error) {
	if err := req.check(); err != nil {
		return nil, in, err
	}
	in, err = r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) (err error) {
			a, err = answer(ask, req)
			if err == nil {
				a.Pending = x.Pending()
			}
			return err
		})
	})
	if err != nil {
		return nil, in, err
	}
	a.In = in
	return a, in, nil
}

// asked are the files that a path means.
func asked(a *locate.Ask, p string) ([]corpus.FileID, error) {
	if f, ok := a.Corpus.Find(p); ok && p != "" {
		return []corpus.FileID{f}, nil
	}
	if files := a.Corpus.Under(p); len(files) > 0 || p == "" {
		return files, nil
	}
	var files []corpus.FileID
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		if a.Corpus.Family(f) != corpus.NoFamily && a.File(f).Package() == p {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, &usage.Error{Arg: "path", Value: p, Msg: "not in the index", Hint: a.NearestPath(p)}
	}
	return files, nil
}

// isOne reports whether a path means one file.
func isOne(a *locate.Ask, p string) bool {
	_, ok := a.Corpus.Find(p)
	return ok && p != "" && !strings.HasSuffix(p, "/")
}
