// Package win writes and reads parts of windows: what the windows of some files
// of a view hold, so that they are ranked without their text. Its files are in
// path order, and so are its windows, which are numbered from 0. The pieces of
// all plain words (package plain) are numbered from 0 too, with one number left
// free behind each file, so that no two files have pieces side by side.
//
// A part has a frame (package frame). Its contents are 15 u64 numbers, then the
// u64 start and length of 26 sections, and a zero byte. The numbers are the end
// of the sections at 0, and the number of files at 1, of windows at 2, of the
// plain words of all windows at 6, of terms at 11 and of pieces at 14; the others
// are zero. The sections that have no name here are empty.
//
//	 2 postings       of each piece of a word, folded, the places where it stands
//	 3 terms          the pieces (package dict), with body postings alone, not spread
//	 4 term index     their index
//	16 window files   rows of 20 bytes: u32 segment of the view, u32 file in it, u32 ends of
//	                  its windows, of its pieces and of its path
//	17 window paths   of each file a zero byte, a slash, and the path in lower case
//	18 windows        rows of 8 bytes: u32 first piece that is whole in it, u32 behind the last
//	19 window words   of each window the u32 number of plain words, cut ones included
//	20 window places  rows of 8 bytes: u32 start and end in the text of the file
//	21 glue           a bit per piece: nothing stands between it and the one before
//	22 runs           rows of 12 bytes of the distinct runs, which are two and more pieces of
//	                  letters that are glued: u32 start of its name, u32 start of its postings,
//	                  u32 number of them
//	23 run names      of each run its pieces, folded, each behind a zero byte, and a byte 1
//	24 run postings   of each run the places where it begins
//	25 run heads      u32 starts in run names of all pieces but the last of each run,
//	                  sorted by that piece, and then by the letters behind it
//
// Places are up to 127 varints, or blocks of 128 (package pack) and then varints,
// of the distance from the place before less one.
package win

import (
	"encoding/binary"
	"fmt"

	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
)

// version is the format of parts of windows this program writes. Its history:
//
//	1  first format
const version = 1

var format = frame.Format{Magic: "espywin\n", EndMagic: "\nniwypse", Version: version}

// The sections that are in use.
const (
	secPostings  = 2
	secTerms     = 3
	secTermIndex = 4
	secFiles     = iota + 13
	secPaths
	secWindows
	secWords
	secPlaces
	secGlue
	secRuns
	secRunNames
	secRunPostings
	secRunHeads
	numSections
)

var sectionNames = [numSections]string{
	secPostings: "postings", secTerms: "terms", secTermIndex: "term index", secFiles: "window files", secPaths: "window paths",
	secWindows: "windows", secWords: "window words", secPlaces: "window places", secGlue: "glue",
	secRuns: "runs", secRunNames: "run names", secRunPostings: "run postings", secRunHeads: "run heads",
}

var dictForm = dict.Form{Postings: secPostings, Terms: secTerms, Index: secTermIndex}

const (
	fileRowSize = 20
	runRowSize  = 12
	pieceMark   = 0 // before each piece of the name of a run
	runMark     = 1 // behind the last
)

// counts are the numbers of the contents.
type counts struct {
	dataEnd, files, windows, words, terms, pieces uint64
}

const numbers = 15

// fields returns the places of the counts among the numbers.
func (c *counts) fields() map[int]*uint64 {
	return map[int]*uint64{0: &c.dataEnd, 1: &c.files, 2: &c.windows, 6: &c.words, 11: &c.terms, 14: &c.pieces}
}

// appendContents appends the contents of a part.
func (c *counts) appendContents(dst []byte, sections []frame.Span) []byte {
	le := binary.LittleEndian
	fields := c.fields()
	for i := range numbers {
		n := uint64(0)
		if field := fields[i]; field != nil {
			n = *field
		}
		dst = le.AppendUint64(dst, n)
	}
	for _, s := range sections {
		dst = le.AppendUint64(le.AppendUint64(dst, s.Off), s.Len)
	}
	return append(dst, 0)
}

// readContents sets the counts and the sections of a part.
func (c *counts) readContents(r *frame.Reader, b []byte) {
	if len(b) < 8*(numbers+2*numSections) {
		r.Corrupt(frame.NoSection, r.DataEnd, "contents are too short")
	}
	le := binary.LittleEndian
	for i, field := range c.fields() {
		*field = le.Uint64(b[8*i:])
	}
	b = b[8*numbers:]
	for i := range r.Sections {
		r.Sections[i] = frame.Span{Off: le.Uint64(b[16*i:]), Len: le.Uint64(b[16*i+8:])}
	}
	if c.dataEnd != r.DataEnd {
		r.Corrupt(frame.NoSection, r.DataEnd, "contents disagree with the footer")
	}
}

// checkSizes holds that the sections have the sizes that the counts call for.
func (r *Reader) checkSizes() {
	for _, n := range []uint64{r.files, r.windows, r.terms, r.pieces} {
		if n > 1<<32 {
			r.corrupt(frame.NoSection, r.dataEnd, "count out of range")
		}
	}
	for _, want := range []struct {
		section int
		size    uint64
	}{
		{secFiles, r.files * fileRowSize}, {secWindows, 8 * r.windows}, {secWords, 4 * r.windows}, {secPlaces, 8 * r.windows},
		{secGlue, (r.pieces + 63) / 64 * 8}, {secTermIndex, dict.IndexSize(r.terms)},
		{secRuns, r.size(secRuns) / runRowSize * runRowSize}, {secRunHeads, r.size(secRunHeads) / 4 * 4},
	} {
		if n := r.size(want.section); n != want.size {
			r.corrupt(frame.NoSection, r.dataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", sectionNames[want.section], n, want.size))
		}
	}
}
