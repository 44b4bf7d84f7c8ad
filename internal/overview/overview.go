// Package overview tells how a repository, or a folder of it, hangs together: what
// it is written in and built with, where it starts, its areas and what they depend
// on, what is used most, where change meets complexity, and who knows it.
package overview

import (
	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

// Request is one question.
type Request struct {
	Path  string // folder; empty for the whole repository
	Limit int    // items of each list; 0 is what fits on a screen
}

// Answer is the answer to a request. Each list is the first part of as many as its
// total says.
type Answer struct {
	Request Request
	In      hit.Searched
	Quote   *Quote // what the project says of itself; nil where it says nothing

	Total     Size
	Languages List[Language]
	Other     List[Language] // of what is no code: data, settings, prose
	Code      int            // files of code
	Parsed    int            // of them, which a grammar reads: symbols, imports and complexity are known
	Imports   int            // of them, whose imports are read, by a grammar or line by line
	Tests     List[Folder]
	Generated Size
	Vendored  Size

	Builds  List[Build]
	Entries List[Entry]
	Areas   List[Area]
	Used    List[Used]
	Symbols List[Symbol]
	Hot     List[Hot]
	Cycles  List[Cycle]
	Authors List[Author]

	Commits   int    // that hot spots and authors were counted in
	NoHistory string // why there are none
	Left      int    // files that were not looked at, because the time was over
	Missing   []Part // what was not worked out, or only in part, because the time was over
	Pending   int    // files whose syntax is not known yet
	Notes     []string
}

// FewCode reports whether less than a quarter of the files is code: areas are of all files.
func (a *Answer) FewCode() bool { return a.Code*4 < a.Total.Files }

// FewParsed reports whether no grammar reads most of the code.
func (a *Answer) FewParsed() bool { return a.Parsed*2 < a.Code }

// IsPartial reports whether the time was over before all was worked out.
func (a *Answer) IsPartial() bool { return a.Left > 0 || len(a.Missing) > 0 }

// Part is a part of an answer.
type Part string

// Parts, in the order in which they are worked out.
const (
	PartBuilds  Part = "builds"
	PartEntries Part = "entry points"
	PartAreas   Part = "what areas import"
	PartUsed    Part = "what most files import"
	PartSymbols Part = "symbols"
	PartCycles  Part = "import cycles"
)

// List is the first items of a list, and how many there are.
type List[T any] struct {
	Items []T
	Total int
}

// first keeps the first n items.
func first[T any](all []T, n int) List[T] { return List[T]{all[:min(n, len(all))], len(all)} }

// Size is a number of files and of their lines.
type Size struct{ Files, Lines int }

func (s *Size) add(lines int) { s.Files++; s.Lines += lines }

// Quote is a sentence of a file.
type Quote struct {
	Path string
	Line int
	Text string
}

// Language is what is written in one.
type Language struct {
	Name      string // empty for files whose language is not known
	Extension string // of code in lang.Other, whose languages differ by it
	Size
	Parsed bool // a grammar reads it
}

// Folder is a folder with some files of a kind.
type Folder struct {
	Path string
	Size
}

// Build is a tool that builds the project or a part of it.
type Build struct {
	Tool  string
	Path  string // of the outermost of its files
	Files int
	Name  string // that the outermost gives the project; empty where it gives none
}

// Entry is where something starts.
type Entry struct {
	Name   string
	Kind   string // "command", "script", "target", "image", "program", "main"
	Path   string
	Line   int
	Target string // what it starts, as written
}

// Area is a folder with its subfolders, or the files directly in one.
type Area struct {
	Path    string // ends in "/" ; "/" is the files of the root
	Size           // of code, or of all files: FewCode
	Flat    bool   // only the files directly in it
	Layer   int    // how many areas lie below it, one on the other; 0 imports no other area
	Uses    List[Use]
	UsedBy  int      // areas
	Authors []string // who changed it most lately, by commits
	Cycle   bool     // it imports itself by way of others
}

// Use says that an area imports another.
type Use struct {
	To    string
	Files int    // that import it
	Path  string // of the first of them
	Line  int
}

// Used is a file or a package that others import.
type Used struct {
	Name string
	By   int // distinct files that import it, tests left out
}

// Cycle is files, packages or folders that import each other.
type Cycle struct {
	Units []string
	Way   []string // a shortest way round
}

// Symbol is a declaration that files import.
type Symbol struct {
	ID   string
	Path string
	Line int
	By   int // distinct files that import it, or name it through an import, tests left out
}

// Author is who changed files lately.
type Author struct {
	Name    string
	Commits int
}

// Hot is a file that is changed often and hard to change: complex, or long where the
// complexity of most code is not known.
type Hot struct {
	Path       string
	Commits    int
	Complexity int // of its functions together
	Lines      int // where FewParsed
}

// past is what the newest commits changed.
type past struct {
	touches []git.Touch
	missing string // why nothing is known
	whole   bool   // asked again, git would tell the same
}

// surveyor collects an answer.
type surveyor struct {
	*Answer
	repo  string // its name
	ask   *locate.Ask
	files []corpus.FileID // under the path
	past  func() *past
	graph *modules.Graph
	known []bool // by file: its class is among classes
	class []code.Class
}

// show is how many items of a list are kept, where so many fit on a screen.
func (s *surveyor) show(n int) int {
	if s.Request.Limit > 0 {
		return s.Request.Limit
	}
	return n
}
