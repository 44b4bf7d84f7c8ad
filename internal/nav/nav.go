// Package nav answers questions about symbols: where one is declared, who uses
// it, and what a file or a folder is made of.
//
// A symbol has one id everywhere: path#Type.method, path#name at the top of its
// file, with ~2 appended to the second of equal ones. Every answer about who
// means whom has a confidence and a short reason. What is certain or likely
// is the answer; what is possible, and mentions in comments, strings and
// documentation, are listed apart from it.
package nav

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
)

// Kind limits references to those of a kind.
type Kind string

// The kinds of references.
const (
	KindAll             Kind = "all" // every use in code (the default)
	KindCalls           Kind = "calls"
	KindReads           Kind = "reads"
	KindWrites          Kind = "writes"
	KindTypes           Kind = "types"
	KindImports         Kind = "imports"
	KindImplementations Kind = "implementations" // of an interface, or of a method of one
	KindOverrides       Kind = "overrides"       // methods that replace the method
	KindSubtypes        Kind = "subtypes"
	KindSupertypes      Kind = "supertypes"
	KindMentions        Kind = "mentions" // comments, strings, documentation
)

// Kinds lists every kind.
var Kinds = []Kind{KindAll, KindCalls, KindReads, KindWrites, KindTypes, KindImports,
	KindImplementations, KindOverrides, KindSubtypes, KindSupertypes, KindMentions}

// What a request without a limit shows.
const (
	defaultSymbols    = 20
	defaultReferences = 200
	defaultOutline    = 500
)

// Files says which files an answer lists.
type Files interface {
	// Allows is given a path relative to the root of its repository, and a language.
	Allows(path, language string) bool
}

// SymbolRequest asks for definitions.
type SymbolRequest struct {
	locate.Target
	Files  Files // only definitions in these; nil for all
	Body   bool  // also give the text of each declaration
	Limit  int   // definitions; 0 means 20
	Offset int   // definitions to leave out, for paging
}

// Symbols is the answer to a SymbolRequest.
type Symbols struct {
	Total       int // definitions before Offset and Limit
	Apart       int // definitions in files that are not asked for
	Offset      int
	Definitions []locate.Definition // the likeliest first, then by path and line
	Near        []string            // names like the one asked for, where there is no such symbol
	Elsewhere   *Elsewhere          // what the place means that no file declares; nil where one does
	Use         *Reference          // the use at the place that was asked for; nil where it is a declaration
	Pending     int                 // files whose syntax is not known yet
	Failed      int                 // files that cannot be parsed, counted where nothing was found
	Unread      string              // where nothing was found: a language of files with the name that no grammar reads
	Named       []string            // where no grammar found a declaration: files whose own name it is, some
	Brought     *Elsewhere          // where code declares no such name: where imports take it from, nil for nowhere,
	Passed      []place.Place       // and some lines that pass it on to others
}

// ReferencesRequest asks who uses a symbol.
type ReferencesRequest struct {
	locate.Target
	Files  Files // only uses in these; nil for all
	Kind   Kind  // empty is KindAll
	Limit  int   // references of both groups together; 0 means 200
	Offset int   // references to leave out, for paging
	// Union asks for every place in code that bears a bare name: the uses of all
	// symbols of that name, certain or likely, and everything else, possible.
	Union bool
	// First asks, of repositories that were joined, who in the first uses what one of
	// the others declares: other uses are left out.
	First bool

	declared []corpus.Outlined // what a qualified name means that lines declare, of which Name has the last part
}

// References is the answer to a ReferencesRequest. Its lists are in the order
// of path and place; the references of the answer proper come before the
// possible ones in the counting of Offset and Limit.
type References struct {
	Symbols    []locate.Definition // what was asked about; declarations of one symbol in several places stand together
	Candidates []locate.Definition // symbols that the name may mean, when they are several; nothing else is answered then
	Near       []string            // names like the one asked for, where there is no such symbol
	Named      []string            // where there is no such symbol: files whose own name it is, some
	Outlined   string              // where lines tell of it, where no grammar does: Ask.Outlined
	Beside     string              // where code without a grammar declares the name too: Meant.Beside
	Namesakes  int                 // symbols of the name that were passed over: Ask.Program
	Elsewhere  *Elsewhere          // what the place means that no file declares; nil where one does
	Total      int                 // certain and likely ones before Offset and Limit
	Certain    int                 // of Total
	Possible   int                 // not part of Total
	Apart      int                 // uses in files that are not asked for
	Offset     int
	Files      []FileReferences // certain and likely
	Maybe      []FileReferences // possible
	Update     []string         // every file to look into when the symbol changes, by path: declarations and Total references
	Check      []string         // files with possible references only, by path
	Others     int              // uses of the bare name, of the kind asked for, that are left out: they mean something else or cannot be told
	Mentions   int              // of a union: places in comments, strings and files without a grammar that are left out
	Unparsed   []string         // of a union: files with the name that could not be parsed, by path
	Instead    string           // the bare name whose uses are listed, where the file of the id that was asked for is not parsed yet, or is read line by line
	Left       int              // uses and declarations that were not looked at, because the time was over
	Pending    int              // files whose syntax is not known yet
	Failed     int              // files that cannot be parsed, counted where nothing was found
}

// Elsewhere is a name that a place uses and no file declares.
type Elsewhere struct {
	Name string
	From string // the module, header or type that it comes from, as far as imports and types tell; else empty. Of a bare name a few that it comes from, with commas
	More int    // others that a bare name comes from
}

// FileReferences are the references of one file.
type FileReferences struct {
	Path       string
	References []Reference
}

// Reference is one use of a symbol.
type Reference struct {
	Line, Column int
	Name         string // as written, which may be an alias
	Declaration  bool   // no use but a declaration of a member that overrides the symbol, or that it overrides
	Role         facts.Role
	Confidence   facts.Confidence
	Reason       string
	In           string // id of the symbol that holds the use; empty at the top of the file
	Text         string // of the line, blanks at both ends taken off
}

// OutlineRequest asks what a file or the files of a folder declare.
type OutlineRequest struct {
	Path    string // file, folder or name of a package, or id of a symbol; empty for the whole repository
	Locals  bool   // also parameters and names inside functions
	Metrics bool
	Limit   int // symbols; 0 means 500
	Offset  int
}

// Outline is the answer to an OutlineRequest.
type Outline struct {
	Total   int // symbols before Offset and Limit
	Offset  int
	Files   []FileOutline // by path
	Pending int           // files whose syntax is not known yet
	Left    int           // files that were not looked at, because the time was over
}

// FileOutline is what one file declares.
type FileOutline struct {
	Path    string
	Package string
	State   string        // "parsed", "failed", "unknown" or "absent", as the index has it
	Reason  string        // of a failed one
	Faults  []facts.Fault // what the grammar could not read
	Symbols []OutlineSymbol
	ByLine  bool // Symbols were found line by line, without a grammar
	Lines   int  // with Metrics
}

// OutlineSymbol is one line of an outline.
type OutlineSymbol struct {
	ID         string
	Name       string
	Kind       code.Kind
	Depth      int // how many symbols of the outline hold it
	Line       int
	EndLine    int
	Signature  string
	Exported   bool
	Complexity int // with Metrics; 0 of what is no function
}

// apart takes what stands in files that are not asked for out of a list, and counts it.
func apart[T any](a *ask, files Files, all *[]T, in func(*T) corpus.FileID) (n int) {
	if files == nil {
		return 0
	}
	n = len(*all)
	*all = slices.DeleteFunc(slices.Clone(*all), func(x T) bool {
		f := in(&x)
		return !files.Allows(a.Corpus.Of(f).Path(f), a.Corpus.Language(f))
	})
	return n - len(*all)
}

// pageOf cuts a list to what a request asks for.
func pageOf[T any](all []T, offset, limit, usual int) []T {
	if limit == 0 {
		limit = usual
	}
	all = all[min(offset, len(all)):]
	return all[:min(limit, len(all))]
}
