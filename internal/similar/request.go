package similar

import "espy/internal/hit"

// Grade says how like a place is.
type Grade string

// The grades, the likest first.
const (
	Same  Grade = "same"  // every token is equal: other spacing and comments at most
	Near  Grade = "near"  // edited: other names, lines put in, left out or moved
	Alike Grade = "alike" // means the like, as a model has it: no more of its text is shared
)

// Request is one question. The zero value of each field but the code is its default.
type Request struct {
	Snippet string // the code, or
	Place   *Place // where it stands, by ParsePlace

	hit.Request // filters, page and detail; nothing else of it counts
}

// Place is code of a repository.
type Place struct {
	Path        string // relative to the root
	First, Last int    // lines; one line means the definition round it, 0 and 0 the whole file
	Symbol      string // or a symbol of the file, as in an id behind its #
}

// Result is the answer to a request. Hits are ordered by score; Total counts them
// all, and Files their files.
type Result struct {
	*hit.Result
	Of       Source
	Likeness []Likeness // of Hits
	Same     int        // places of each grade, before offset and limit
	Near     int
	Alike    int      // of the places that mean the like, only the nearest are listed
	AtLeast  bool     // not every chunk was compared: there may be more that are near
	Cut      bool     // comparing ended while something was still found: there may be more that are the same, too
	Words    []string // with no hit: the rarest words of the code that occur
}

// Likeness says how a hit is like what was asked for.
type Likeness struct {
	Grade  Grade
	Shared []Shared // in the order of the hit's lines
	More   int      // shared runs of lines that are not listed
	Cosine float64  // of grade Alike: between the vectors of both
}

// Shared is a run of lines that a hit shares with what was asked for.
type Shared struct {
	First, Last       int // of the hit
	OwnFirst, OwnLast int // of the snippet or the file of the place
	Renamed           bool
}

// Source is the code that others were compared with.
type Source struct {
	Repo, Path  string // of a place
	First, Last int    // lines; of a snippet counted in it
	Symbol      string // the id of what a place is, where it is one definition
	Tokens      int    // that were compared
}
