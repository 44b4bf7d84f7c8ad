// Package segment reads and writes the immutable files that answer lexical
// queries: the lex part of a segment. One part holds a set of files with their
// compressed text, the terms of package token with their postings, lists of
// the regions that hold each trigram, and tables of files, regions, chunks and
// definitions. read.go describes the layout.
//
// A Builder takes files in the order of their paths and writes one part, Merge
// writes one part from the live files of several, and a Reader answers from
// one part in memory or mapped from disk. A posting says that a term occurs in
// a chunk (the body), in a path or in the name of a definition. A region is a
// stretch of whole lines of one file. Files, regions, chunks and definitions are
// numbered from 0 within a part, in path order; a file that
// was replaced later stays in its part and is dead, which the reader of
// postings learns from the Bitmap beside the Reader in a Live.
//
// Bytes on disk are never trusted: every page is checked when it is first
// touched and every decoded number before it is used. Methods without an error
// result end the enclosing Guard with the *CorruptError instead, so all reading
// belongs inside one Guard per goroutine. It also turns the fault of a mapped
// file that somebody truncated into ErrTruncated.
package segment

import (
	"espy/internal/code"
	"espy/internal/segment/frame"
)

// File is what a Builder takes.
type File struct {
	Path        string
	Hash        code.Hash
	Size        int64 // bytes on disk
	Language    string
	Class       code.Class
	Clear       bool              // its text was looked through for secrets, and has none
	Text        []byte            // searchable text, which need not be UTF-8
	Definitions []code.Definition // in order of their lines, each within a chunk
	Chunks      []code.Chunk      // in order, apart from each other, whole lines
}

// Stats counts what a part holds, dead files included. The token counts are
// sums over all chunks or files, for average field lengths.
type Stats struct {
	Files, Chunks, Definitions int
	TextBytes                  int64 // searchable text
	SourceBytes                int64 // the files on disk
	BodyTokens                 int64 // terms and compounds of the text
	DefTypeTokens              int64 // of names that define types
	DefFuncTokens              int64 // of all other defined names
	StemTokens                 int64 // of file names
	DirTokens                  int64 // of the directories above them
}

// Add adds the counts of o.
func (s *Stats) Add(o Stats) { s.combine(o, 1) }

func (s *Stats) combine(o Stats, sign int) {
	s.Files += sign * o.Files
	s.Chunks += sign * o.Chunks
	s.Definitions += sign * o.Definitions
	n := int64(sign)
	s.TextBytes += n * o.TextBytes
	s.SourceBytes += n * o.SourceBytes
	s.BodyTokens += n * o.BodyTokens
	s.DefTypeTokens += n * o.DefTypeTokens
	s.DefFuncTokens += n * o.DefFuncTokens
	s.StemTokens += n * o.StemTokens
	s.DirTokens += n * o.DirTokens
}

// CorruptError says where a part is damaged.
type CorruptError = frame.CorruptError

// ErrTruncated is wrapped by the error of a Guard whose function touched a page
// of a mapped file that is no longer there.
var ErrTruncated = frame.ErrTruncated

// Guard calls f. When f reads damaged bytes through a method that returns no
// error, Guard returns the *CorruptError; when it touches a page that a mapped
// file has lost, an error that wraps ErrTruncated. Other panics go on.
func Guard(f func() error) error { return frame.Guard(f) }
