package calls

import (
	"slices"
	"strconv"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/nearest"
	"espy/internal/usage"
)

// Direction says which way calls are followed.
type Direction string

// The directions.
const (
	Callers Direction = "callers" // who calls the symbol (the default)
	Callees Direction = "callees" // what it calls
	Both    Direction = "both"
)

// Directions lists every direction.
var Directions = []Direction{Callers, Callees, Both}

// Bounds of a request.
const (
	MaxDepth     = 5
	defaultLimit = 100
)

// Request asks for calls. The zero value of each field but the target is its default.
type Request struct {
	locate.Target
	Direction Direction
	Depth     int    // steps to follow, to MaxDepth; 0 means 1
	To        string // find how the symbol comes to run this one instead
	Possible  bool   // also what may as well be something else
	Scope     code.Scope
	Files     nav.Files // only callers and callees in these; nil for all
	Limit     int       // steps; 0 means 100
	Offset    int       // steps to leave out, for paging

	own bool // the packages of the first repository are asked too: a name means what it declares, if it does
}

// Relation says how a step leads from one symbol to the next.
type Relation string

// The relations.
const (
	Call   Relation = "call"
	Access Relation = "property" // an access that runs its code
	Makes  Relation = "makes"    // a value of a type for which no constructor is declared
	Passed Relation = "passed"   // named without a call: as an argument, a value or a decorator
	MayRun Relation = "may run"  // a member that overrides the one that is called, or fulfils it
)

// Answer is the answer to a Request. Steps are a tree, each below the step that it
// continues, callers before callees.
type Answer struct {
	Request    Request             // with its defaults filled in
	Symbols    []locate.Definition // what was asked about; declarations of one symbol in several places stand together
	Goal       []locate.Definition // with To: what is to be run
	Candidates []locate.Definition // symbols that the name, or To, may mean, when they are several; nothing else is answered then
	Unclear    string              // the name that Candidates may mean, or that no symbol has
	Beyond     int                 // symbols of packages that have the name too, where one of the repository is meant
	Near       []string            // names like the one asked for, where there is no such symbol
	Outlined   string              // where lines tell of it, where no grammar does: Ask.Outlined
	Beside     string              // where code without a grammar declares the name too: Meant.Beside
	Namesakes  int                 // symbols of the name that were passed over: Ask.Program
	Elsewhere  string              // what the place means that no file declares; empty where one does
	File       string              // the file whose code outside of functions was asked about
	Fulfils    []string            // interfaces of the standard library by which code from elsewhere may call it

	Total   int // steps before Offset and Limit
	Direct  int // of them, of depth 1
	Symbol  int // symbols that the steps lead to
	Offset  int
	Steps   []Step
	Through []string // with Offset: the symbols round the first step, from depth 1 on

	Apart    int  // steps that are left out since they lead to files that are not asked for
	Possible int  // steps that are left out since they may as well be something else
	Outside  int  // calls of what no file declares, of callees and depth 1
	Unknown  int  // calls of which it is not known what they mean, of callees and depth 1
	Members  int  // of a type: its functions, whose calls are counted as its own
	Starts   int  // with To: symbols that the name may mean, where there are several
	Ways     int  // of them, those from which a way leads to To; the shortest is shown
	Reverse  bool // with To: there is no such way, but one from it to the symbol
	Left     int  // symbols that were not followed, because there are too many or the time was over
	Late     bool // the time was over
	Pending  int  // files whose syntax is not known yet
	Failed   int  // files that cannot be parsed, counted where nothing was found
}

// Step is one line of the tree: a symbol that calls, or is called by, the one
// above it.
type Step struct {
	Depth     int // from 1
	Direction Direction
	ID        string    // of the symbol; the path alone for code at the top of a file
	Above     string    // ID of the symbol that it continues
	Kind      code.Kind // KindUnknown for a file
	Path      string    // where it is declared
	Line      int

	Relation   Relation
	Confidence facts.Confidence
	Reason     string // of what is not certain
	At         Site   // the first use that proves it
	Times      int
	Among      int // symbols that the use may mean

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
		r.Direction = Callers
	}
	if !slices.Contains(Directions, r.Direction) {
		return &usage.Error{Arg: "direction", Value: string(r.Direction), Msg: "not a direction", Hint: directionHint(string(r.Direction))}
	}
	if r.Depth < 0 || r.Depth > MaxDepth {
		return &usage.Error{Arg: "depth", Value: strconv.Itoa(r.Depth), Msg: "out of range", Hint: "1 to " + strconv.Itoa(MaxDepth)}
	}
	if r.To != "" && r.Depth > 0 {
		return &usage.Error{Arg: "depth", Value: strconv.Itoa(r.Depth), Msg: "given together with to", Hint: "a way to a symbol may have any number of steps: leave depth out"}
	}
	if r.To == "" {
		r.Depth = max(r.Depth, 1)
	}
	if r.Limit == 0 {
		r.Limit = defaultLimit
	}
	return nil
}

func directionHint(word string) string {
	if near := nearest.Of(word, []string{string(Callers), string(Callees), string(Both)}, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "callers, callees or both"
}
