package export

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// File is what is exported of one file.
type File struct {
	ID         corpus.FileID
	Path       string
	Language   string // empty where it is not known
	Package    string // that it says it is of
	Class      code.Class
	Lines      int
	State      syn.State
	Reason     string // of a file that could not be parsed
	Symbols    []Symbol
	References []Reference
	Edges      []Edge // by kind and line
}

// Symbol is a declaration. One that was found line by line has no ID, and its index
// is facts.None.
type Symbol struct {
	locate.Definition
	Ref   corpus.Ref
	In    string     // id of the symbol that holds it
	Local bool       // no other file can mean it
	Same  corpus.Ref // the first of the declarations of one thing, which may be itself
}

// Reference is a use of a name. One that may mean several symbols stands once for each.
type Reference struct {
	facts.Use
	Line, Column int
	In           corpus.Ref // the function, type or variable that holds it; its index is facts.None at the top of the file
	To           corpus.Ref // its index is facts.None where no file declares it
	Confidence   facts.Confidence
	Reason       string
	Among        int                // symbols that the use may mean
	Elsewhere    *resolve.Elsewhere // what no file declares; nil where one does
	Origin       modules.Origin     // with Elsewhere, where an import brings it
}

// Edge leads from a symbol or a file of its file to another one.
type Edge struct {
	Kind       Kind
	From       string // id of a symbol, or path of a file
	To         string // the same; a module, or a framework's key where nothing of the repository is at the other end
	FromRef    corpus.Ref
	ToRef      corpus.Ref // its index is facts.None where To is no symbol
	Relation   string     // of calls: how it calls; of links: the role
	Line       int        // that proves it
	Times      int
	Confidence facts.Confidence
	Reason     string
	Among      int

	Outside string // of imports: where what is imported comes from, if that is not the repository
	Link    string // of links: their kind
	Key     string // of links: what both ends have in common
	By      string // of links: the framework
}
