// Package show prints what a scan tells, as ripgrep does: lines (standard.go),
// JSON Lines (json.go), or counts and names of files (counts.go). A scan tells it
// by the methods of sink.go.
package show

import (
	"bytes"
	"time"

	"espy/internal/grep/rust"
	"espy/internal/grep/scan"
	"espy/internal/redact"
)

// Kind is what is printed.
type Kind int

// What is printed.
const (
	Standard     Kind = iota // lines
	Count                    // how many lines match, by file
	CountMatches             // how many matches, by file
	With                     // the files with a match
	Without                  // the files without one
	Quiet                    // nothing
	JSON                     // JSON Lines
)

// Options say how it is printed.
type Options struct {
	Kind       Kind
	Color      bool
	Colors     Colors
	Stats      bool // count matches, even where they are not shown
	Heading    bool
	Path       bool // show the file of each line
	LineNumber bool
	Column     bool
	ByteOffset bool

	OnlyMatching bool
	PerMatch     bool // a line for each match
	Replace      *string
	MaxColumns   int // bytes; 0 for no limit
	Preview      bool
	MaxCount     int // lines of a file; -1 for no limit
	Trim         bool
	IncludeZero  bool

	ContextSeparator *string // between lines that are not neighbours; nil for none
	FileSeparator    *string // between files; nil for none
	MatchField       string  // between the fields of a line that matches
	ContextField     string  // of another line
	PathSeparator    string  // instead of a slash
	Null             bool    // a NUL byte follows each path

	Invert bool
	After  int
	Hide   bool // put markers in the place of secrets
}

// Output takes what a search prints, and keeps its error.
type Output interface {
	Write(p []byte) (int, error)
	// Separate says that what stands between files comes before, if there was a file
	// before.
	Separate()
}

// Printer prints the search of one file. It is a scan.Sink.
type Printer struct {
	o       *Options
	re      *rust.Regexp
	f       *rust.Finder
	spans   bool
	located bool // it matters where in a line the matches are
	bare    bool // lines that match are printed as they are, behind fields without colour

	separator, contextSeparator []byte // Options.MatchField and ContextField

	out  Output
	path string
	name []byte       // the path as it is shown
	part redact.Lines // the file, for its secrets
	nul  scan.Binary  // of the file at hand

	askClear func() Clear // about the file; nil for none that knows
	isClear  Clear

	matched int // so far
	after   int // lines of context that may still come behind the last match that counts
	binary  int // where NUL bytes were seen, -1 for none
	wrote   int // bytes, of this file
	colored bool
	began   bool // JSON: the first message was written

	writer   lineWriter
	ranges   [][2]int // matches of the lines at hand
	origins  int      // how many there were before they were replaced
	buf      []byte
	result   []byte // what stands in their place, with replaced
	replaced bool
	shown    [][2]int
	stats    Stats
	started  time.Time
	failed   bool // the output takes no more
}

// New returns a Printer for files, one after the other.
func New(o *Options, re *rust.Regexp, f *rust.Finder) *Printer {
	p := &Printer{o: o, re: re, f: f, spans: re != nil && re.Spans(), located: o.needsMatches(), separator: []byte(o.MatchField), contextSeparator: []byte(o.ContextField)}
	p.bare = !p.located && !p.spans && !o.Color && o.MaxColumns == 0 && !o.Trim
	return p
}

// SetBinary says what a NUL byte of the file means.
func (p *Printer) SetBinary(b scan.Binary) { p.nul = b }

// Name prints the name of the file.
func (p *Printer) Name() { p.nameLine() }

// Clear says whether a file is known to have no secret.
type Clear int

// What may be known.
const (
	Unasked Clear = iota // it is asked again with the next line
	Unclear
	IsClear
)

// File says which file comes, and what takes its output. clear tells whether it is known to
// have no secret, and is asked line by line; it may be nil.
func (p *Printer) File(path string, out Output, clear func() Clear) {
	p.askClear, p.isClear = clear, Unasked
	p.path, p.out, p.part = path, out, redact.Lines{Part: redact.Part{Path: path}}
	if p.name = append(p.name[:0], path...); p.o.PathSeparator != "" {
		p.name = bytes.ReplaceAll(p.name, []byte("/"), []byte(p.o.PathSeparator))
	}
	p.matched, p.after, p.binary, p.wrote, p.began, p.colored = 0, 0, -1, 0, false, false
	if p.stats = (Stats{}); p.o.Stats || p.o.Kind == JSON {
		p.started = time.Now()
	}
}

// Found reports whether the file has a match, as ripgrep's exit code has it.
func (p *Printer) Found() bool {
	if p.o.Kind == Without {
		return p.matched == 0
	}
	return p.matched > 0
}

// Stats are the counts of the search.
func (p *Printer) Stats() *Stats { return &p.stats }

// needsMatches reports whether it matters where in a line the matches are.
func (o *Options) needsMatches() bool {
	return o.Kind == JSON || o.Color && !o.Colors.Match.none() || o.Column || o.Replace != nil || o.PerMatch || o.OnlyMatching || o.Stats
}

var newline, nul, colon = []byte("\n"), []byte{0}, []byte(":")

// write writes and counts. Once that fails, nothing more is looked for.
func (p *Printer) write(b []byte) {
	p.wrote += len(b)
	if _, err := p.out.Write(b); err != nil {
		p.failed = true
	}
}

// codes writes without counting.
func (p *Printer) codes(s string) {
	if _, err := p.out.Write([]byte(s)); err != nil {
		p.failed = true
	}
}

// colors writes a text in a colour.
func (p *Printer) colors(c color, text []byte) {
	if p.o.Color {
		p.codes(c.set())
	}
	p.write(text)
	if p.o.Color {
		p.codes(reset)
	}
}

// nameLine prints the name of the file, whether or not lines have it.
func (p *Printer) nameLine() {
	p.colors(p.o.Colors.Path, p.name)
	if p.o.Null {
		p.write(nul)
	} else {
		p.write(newline)
	}
}

func (p *Printer) pathField(sep []byte) {
	if !p.o.Path {
		return
	}
	p.colors(p.o.Colors.Path, p.name)
	if p.o.Null {
		sep = nul
	}
	p.write(sep)
}
