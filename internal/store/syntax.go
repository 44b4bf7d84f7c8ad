package store

import (
	"io"
	"path"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// Syntax is the version of what the text of files is parsed to. It is raised
// with every change of what a parser tells of a file and of the format of the
// parts. Parts of another version are of no use: the files are parsed again,
// while what search reads stays. Version 1 is the first.
const Syntax = 52

// syntaxKind is the kind of syntax parts.
type syntaxKind struct{}

func (syntaxKind) Suffix() string { return ".syn" }

func (syntaxKind) Open(data []byte, name string) (part.Content, error) { return syn.Open(data, name) }

func (syntaxKind) version() int { return Syntax }

func (syntaxKind) ref(r *manifest.Segment) **manifest.Companion { return &r.Syntax }

func (syntaxKind) of(s *Segment) *part.Part { return s.syntax }

func (syntaxKind) set(s *Segment, p *part.Part) { s.syntax, s.Syntax = p, p.Content.(*syn.Reader) }

func (syntaxKind) beside(c part.Content, lex *segment.Reader) bool {
	r := c.(*syn.Reader)
	return r.Lex() == lex.Identity() && r.NumFiles() == lex.NumFiles()
}

func (syntaxKind) pending(c part.Content) int { return c.(*syn.Reader).Stats().Pending() }

// merge copies the facts of live files.
func (syntaxKind) merge(w io.Writer, merged *segment.Reader, from []Segment) error {
	files := make([]Parsed, merged.NumFiles())
	for i := range from {
		if from[i].Syntax != nil {
			placeSyntax(files, merged, &from[i])
		}
	}
	return writeSyntax(w, merged.Identity(), files)
}

// placeSyntax notes where the live files of a segment are in the merged one.
func placeSyntax(files []Parsed, merged *segment.Reader, s *Segment) {
	placeFiles(merged, s, func(at, file int) { files[at].Source = syn.Source{Reader: s.Syntax, File: file} })
}

// writeSyntax writes the syntax of the files of a segment.
func writeSyntax(w io.Writer, lex code.Hash, files []Parsed) error {
	b := syn.NewBuilder(w, lex)
	for _, p := range files {
		var err error
		if p.Record != nil {
			err = b.AddRecord(p.Record)
		} else {
			err = b.Copy(p.Source)
		}
		if err != nil {
			return err
		}
	}
	_, err := b.Finish()
	return err
}

// SyntaxKey is what the facts of a file depend on.
type SyntaxKey struct {
	Hash     code.Hash // of its content
	Language string
	Ext      string // of its path, which tells dialects apart
}

func syntaxKey(r *segment.Reader, file int) SyntaxKey {
	return SyntaxKey{Hash: r.FileHash(file), Language: r.Language(file), Ext: path.Ext(r.Path(file))}
}

// Parsed is what was found of the syntax of a file: a record, or where another
// part holds it.
type Parsed struct {
	Record *syn.Record
	Source syn.Source // without a Record
}

func (p Parsed) state() syn.State {
	if p.Record != nil {
		return p.Record.State()
	}
	return p.Source.Reader.State(p.Source.File)
}

// OldSyntax returns the version of the syntax parts that the generation has and
// this program cannot use, 0 where it has none.
func (s *Snapshot) OldSyntax() int {
	for _, ref := range s.manifest.Segments {
		if ref.Syntax != nil && ref.Syntax.Analysis != Syntax {
			return ref.Syntax.Analysis
		}
	}
	return 0
}

// SyntaxState says what is known of the syntax of a file.
func (s *Snapshot) SyntaxState(seg, file int) syn.State {
	if s.Segments[seg].Syntax == nil {
		return syn.Absent
	}
	return s.Segments[seg].Syntax.State(file)
}

// SyntaxPending is the number of live files that were not parsed yet.
func (s *Snapshot) SyntaxPending() int {
	s.pendingOnce.Do(func() {
		for seg, l := range s.Segments {
			if l.Syntax != nil && l.Syntax.Stats().Pending() == 0 {
				continue
			}
			for f := range l.NumFiles() {
				if l.Alive(f) && s.SyntaxState(seg, f) == syn.Absent {
					s.pending++
				}
			}
		}
	})
	return s.pending
}

// SyntaxKey returns the key of a file.
func (s *Snapshot) SyntaxKey(seg, file int) SyntaxKey {
	return syntaxKey(s.Segments[seg].Reader, file)
}
