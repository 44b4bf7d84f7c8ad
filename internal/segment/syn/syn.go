// Package syn reads and writes the syntax part of a segment: the facts of its
// files (facts.File), file by file in the order of the lex part, with look-ups
// by name. read.go describes the layout.
//
// A Builder takes the facts of the files in order, or why a file has none, and
// writes one part; Copy adds a file as another part has it. A Reader answers from
// one part in memory or mapped from disk.
//
// A part has the same files under the same numbers as the lex part it was made
// for, whose identity it holds. The bitmap of the lex part says which of them are
// live; look-ups here give the dead ones too.
//
// Bytes on disk are never trusted, as in package segment: methods without an
// error result end the enclosing segment.Guard with a *segment.CorruptError.
package syn

import "fmt"

// State says what a part holds of a file.
type State uint8

// The states. Their numbers are stored: append, never reorder.
const (
	Absent  State = iota // nothing yet
	Parsed               // its facts
	Failed               // why it has none: the parser gave up on these bytes
	Unknown              // its language has no grammar
)

var stateNames = [...]string{"absent", "parsed", "failed", "unknown"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}
