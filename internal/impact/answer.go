package impact

import (
	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/impact/suite"
	"espy/internal/locate"
)

// Impact is what a change affects. Totals are of all that was found, whatever the
// limit.
type Impact struct {
	In    across.Searched
	About string   // what was asked, in words
	Notes []string // what the reader must know
	Left  int      // what was not looked at because the time was over

	Changed     []Changed     // what changes, by path and line
	NotFollowed []NotFollowed // of what changes, what affects more than Symbols tell, or nobody knows what

	Total   int   // affected symbols
	Nearest []int // of them, those at distance 1, 2, ...
	Offset  int
	Symbols []Symbol // by distance, confidence and place

	Files     []File     // that hold affected symbols, the nearest first
	Endpoints []Endpoint // through which a change shows outside

	Tests    []Test // to run, the surest and nearest first
	Reached  int    // files of tests that may be affected: those of Tests and less sure ones
	Suites   int    // files of tests that the repository has
	Commands []Command

	Candidates []locate.Definition // symbols of the name that was asked for, where there are several
	Namesakes  int                 // symbols of that name that were passed over: Ask.Program
	Near       []string            // names like one that nothing bears
	Outlined   string              // where lines tell of it, where no grammar does: Ask.Outlined
}

// paths are those of the files of an answer.
func (a *Impact) paths() (all []string) {
	for i := range a.Changed {
		all = append(all, a.Changed[i].Path)
	}
	for i := range a.Candidates {
		all = append(all, a.Candidates[i].Path)
	}
	for i := range a.Files {
		all = append(all, a.Files[i].Path)
	}
	return all
}

// Command runs tests.
type Command struct {
	suite.Command
	Repo string // that it runs in, of several; else empty
}

// What says what becomes of a symbol.
type What string

// What becomes of symbols, those that matter most to users first.
const (
	Asked     What = "asked"
	Removed   What = "removed"
	Signature What = "signature changed"
	Moved     What = "moved"
	Body      What = "body changed"
	Outside   What = "code outside of symbols changed"
	Contents  What = "contents changed" // of a file without symbols
	Added     What = "added"
	Doc       What = "documentation changed"
)

// Reaches reports whether users of a symbol are affected.
func (w What) reaches() bool { return w != Added && w != Doc }

// Changed is a symbol that changes, or a file where it has no ID.
type Changed struct {
	What What
	Path string
	ID   string
	Name string
	Kind code.Kind
	Line int
}

// NotFollowed is a change whose users were not looked at. That none is listed does not
// say that there is none.
type NotFollowed struct {
	Changed        // of a file of a difference that the index does not have, What is empty
	Why     string // in words
}

// Symbol is one that is affected: a declaration, or without an ID the top of a file.
type Symbol struct {
	ID         string
	Path       string
	Line       int // of the name; of the top of a file, of the use
	Name       string
	Kind       code.Kind
	Distance   int
	Confidence facts.Confidence
	Reason     string // calls Foo
	Via        string // id of Foo, or the path of a file
	At         int    // line of the use, 0 where there is none
	Class      code.Class
}

// File is a file with affected symbols.
type File struct {
	Path       string
	Symbols    int
	Distance   int // of its nearest
	Confidence facts.Confidence
}

// Endpoint is where a change shows outside of the program.
type Endpoint struct {
	Kind       string // route, topic, service, main, exported
	ID         string
	Path       string
	Line       int
	Name       string // of the symbol in its file, or the key of the route, topic or service
	Distance   int    // 0 for what changes itself
	Confidence facts.Confidence
}

// Test is a file of tests to run.
type Test struct {
	Path       string
	Confidence facts.Confidence
	Score      float64  // how surely it tells of the change, to 1
	Reasons    []string // the weightiest first
	Functions  []string // of its tests, those that are affected; nil where that is not known
}
