package hierarchy

import (
	"slices"
	"strconv"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/nearest"
	"espy/internal/usage"
)

// Direction says which way a hierarchy is followed.
type Direction string

// The directions.
const (
	Up   Direction = "up"
	Down Direction = "down"
	Both Direction = "both" // the default
)

// Directions lists every direction.
var Directions = []Direction{Up, Down, Both}

// Bounds of a request.
const (
	MaxDepth     = 50
	defaultDepth = 3
	defaultLimit = 100
)

// Request asks for what stands above and below a symbol. The zero value of each field
// but the target is its default.
type Request struct {
	locate.Target
	Direction Direction
	Depth     int // levels to follow, to MaxDepth; 0 means 3
	Limit     int // lines; 0 means 100
	Offset    int // lines to leave out, for paging
}

// Relation says how a symbol stands to the one that its line continues: the lower of
// the two to the upper.
type Relation string

// The relations.
const (
	Extends    Relation = "extends"
	Implements Relation = "implements" // names it, or fulfils its method
	Embeds     Relation = "embeds"
	Has        Relation = "has its methods" // of an interface that it does not name
	Includes   Relation = "includes"        // a trait or a module, whose members it gets
	Names      Relation = "is declared as"  // it, or a type made of it
	Overrides  Relation = "overrides"
	Hides      Relation = "hides" // a static member, which is chosen by the type that is written
)

// Answer is the answer to a Request. Lines are a tree, each below the line that it
// continues, what stands above the symbol before what stands below it.
type Answer struct {
	Request    Request             // with its defaults filled in
	Symbols    []locate.Definition // what was asked about
	Candidates []locate.Definition // symbols that the name may mean, when they are several; nothing else is answered then
	Unclear    string              // the name that Candidates may mean, or that no symbol has
	Near       []string            // names like the one asked for, where there is no such symbol
	Outlined   string              // where lines tell of it, where no grammar does: Ask.Outlined
	Namesakes  int                 // symbols of the name that were passed over: Ask.Program
	Elsewhere  string              // what the place means that no file declares; empty where one does
	Unfit      bool                // the symbol is no type, nor a member of one

	Total    int // lines before Offset and Limit
	Up, Down int // of them, of depth 1
	Possible int // of all lines
	Offset   int
	Lines    []Line
	Through  []string // with Offset: the symbols round the first line, from depth 1 on

	Everything bool // an interface without methods: every type has them, and none is listed
	Left       int  // symbols that were not followed, because there are too many or the time was over
	Late       bool // the time was over
	Pending    int  // files whose syntax is not known yet
	Failed     int  // files that cannot be parsed, counted where nothing was found
}

// Line is a symbol that stands above or below the one that it continues.
type Line struct {
	Depth     int // from 1
	Direction Direction
	ID        string    // empty of what no file declares or what has no name
	Name      string    // of what no file declares, with where it comes from as far as imports tell; empty of what has no name
	Above     string    // ID of the symbol that it continues
	Kind      code.Kind // KindUnknown where no file declares it
	Path      string    // where it is declared
	Line      int

	Relation   Relation
	Confidence facts.Confidence
	Reason     string // of what is not certain
	At         Site   // what proves it: where a base is named, or the declaration

	Again bool // what follows it is listed elsewhere
	Cycle bool // it is among the symbols that lead to it
}

// Site is a place of code.
type Site struct {
	Path string
	Line int
	Text string // of the line
}

// check reports what is wrong with a request, and fills its defaults in.
func (r *Request) check() error {
	if err := r.Target.Check(r.Limit, r.Offset); err != nil {
		return err
	}
	if r.Direction == "" {
		r.Direction = Both
	}
	if !slices.Contains(Directions, r.Direction) {
		return &usage.Error{Arg: "direction", Value: string(r.Direction), Msg: "not a direction", Hint: directionHint(string(r.Direction))}
	}
	if r.Depth < 0 || r.Depth > MaxDepth {
		return &usage.Error{Arg: "depth", Value: strconv.Itoa(r.Depth), Msg: "out of range", Hint: "1 to " + strconv.Itoa(MaxDepth)}
	}
	if r.Depth == 0 {
		r.Depth = defaultDepth
	}
	if r.Limit == 0 {
		r.Limit = defaultLimit
	}
	return nil
}

func directionHint(word string) string {
	if near := nearest.Of(word, []string{string(Up), string(Down), string(Both)}, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "up, down or both"
}
