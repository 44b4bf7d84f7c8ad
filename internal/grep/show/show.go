// Package show prints what a scan tells, as ripgrep does: lines (standard.go),
// JSON Lines (json.go), or counts and names of files.
package show

import (
	"bytes"
	"strconv"
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

// Stats are the counts of one search, or of several.
type Stats struct {
	Matches, Lines, Searches, WithMatch, Printed, Searched int
	Nanoseconds                                            int64
	Hidden                                                 int // lines in which secrets were hidden
}

// Add adds the counts of another search.
func (s *Stats) Add(o *Stats) {
	s.Matches += o.Matches
	s.Lines += o.Lines
	s.Searches += o.Searches
	s.WithMatch += o.WithMatch
	s.Printed += o.Printed
	s.Searched += o.Searched
	s.Nanoseconds += o.Nanoseconds
	s.Hidden += o.Hidden
}

// Printer prints the search of one file. It is a scan.Sink.
type Printer struct {
	o     *Options
	re    *rust.Regexp
	f     *rust.Finder
	spans bool

	out  Output
	path string
	nul  scan.Binary // of the file at hand

	matched int // so far
	after   int // lines of context that may still come behind the last match that counts
	binary  int // where NUL bytes were seen, -1 for none
	wrote   int // bytes, of this file
	colored bool
	began   bool // JSON: the first message was written

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
	return &Printer{o: o, re: re, f: f, spans: re != nil && re.Spans()}
}

// SetBinary says what a NUL byte of the file means.
func (p *Printer) SetBinary(b scan.Binary) { p.nul = b }

// Name prints the name of the file.
func (p *Printer) Name() { p.nameLine() }

// File says which file comes, and what takes its output.
func (p *Printer) File(path string, out Output) {
	p.path, p.out = path, out
	p.matched, p.after, p.binary, p.wrote, p.began, p.colored = 0, 0, -1, 0, false, false
	p.stats, p.started = Stats{}, time.Now()
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
func (p *Printer) needsMatches() bool {
	o := p.o
	return o.Kind == JSON || o.Color && !o.Colors.Match.none() || o.Column || o.Replace != nil || o.PerMatch || o.OnlyMatching || o.Stats
}

// Begin begins a search.
func (p *Printer) Begin() bool { return p.o.MaxCount != 0 }

// Binary notes a NUL byte.
func (p *Printer) Binary(at int) { p.binary = at }

// Gap prints what stands between lines that are not neighbours.
func (p *Printer) Gap() {
	if p.o.Kind == Standard && p.o.ContextSeparator != nil {
		p.write([]byte(*p.o.ContextSeparator))
		p.write(newline)
	}
}

// Matched prints lines that match.
func (p *Printer) Matched(l *scan.Lines) bool {
	switch p.o.Kind {
	case Standard, JSON:
		return p.match(l)
	}
	return p.summed(l)
}

// match prints lines, and reports whether more may come.
func (p *Printer) match(l *scan.Lines) bool {
	if p.matched++; p.o.MaxCount >= 0 && p.matched > p.o.MaxCount {
		p.after = max(p.after-1, 0)
	} else {
		p.after = p.o.After
	}
	if p.o.Kind == JSON {
		p.begin()
	}
	p.locate(l)
	if p.o.Stats || p.o.Kind == JSON {
		p.stats.Matches += len(p.ranges)
		p.stats.Lines += lineCount(l.Bytes())
	}
	if p.o.Kind == JSON {
		p.line(l, "match")
		return !p.full()
	}
	if p.nul == scan.Convert && p.binary >= 0 {
		return false
	}
	p.print(l, false)
	return !p.full()
}

func lineCount(text []byte) int {
	n := bytes.Count(text, newline)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// full reports whether as many lines as are wanted were told.
func (p *Printer) full() bool {
	return p.failed || p.o.MaxCount >= 0 && p.matched >= p.o.MaxCount && p.after == 0
}

// Context prints lines round those that match.
func (p *Printer) Context(l *scan.Lines) bool {
	if p.o.Kind != Standard && p.o.Kind != JSON {
		return true
	}
	p.ranges, p.replaced, p.origins = p.ranges[:0], false, 0
	if l.After {
		p.after = max(p.after-1, 0)
	}
	if p.o.Kind == JSON {
		p.begin()
	}
	if p.o.Invert {
		p.locate(l)
	}
	if p.o.Kind == JSON {
		p.line(l, "context")
		return !p.full()
	}
	if p.nul == scan.Convert && p.binary >= 0 {
		return false
	}
	p.print(l, true)
	return !p.full()
}

// lookAhead is how far behind the lines at hand a match may be looked for.
const lookAhead = 128

// locate finds the matches in lines, and what stands in their place.
func (p *Printer) locate(l *scan.Lines) {
	p.ranges, p.replaced, p.origins = p.ranges[:0], false, 0
	if !p.needsMatches() {
		return
	}
	text, from, base, end := trimEnd(l.Bytes()), 0, 0, l.End-l.Start
	if p.spans {
		text, from, base, end = l.Text[:min(len(l.Text), l.End+lookAhead)], l.Start, l.Start, l.End
	}
	var out []byte
	last := from
	replacing := p.o.Replace != nil && p.o.Kind == Standard
	p.shown = p.shown[:0]
	p.f.All(text, from, func(m []int) bool {
		if m[0] < end {
			p.ranges = append(p.ranges, [2]int{m[0] - base, m[1] - base})
		} else if !replacing || p.spans {
			return false
		}
		if replacing {
			out = append(out, text[last:m[0]]...)
			start := len(out)
			out = p.expand(out, text, m)
			p.shown = append(p.shown, [2]int{start, len(out)})
			last = m[1]
		}
		return true
	})
	p.origins = len(p.ranges)
	if replacing && len(p.shown) > 0 {
		p.replaced, p.result = true, append(out, text[last:max(last, min(end, len(text)))]...)
	}
}

// visible is what is shown of lines, and where the matches are in it: the result of
// a replacement, without secrets.
func (p *Printer) visible(l *scan.Lines) (text []byte, matches [][2]int) {
	text, matches = l.Bytes(), p.ranges
	if p.replaced {
		text, matches = p.result, p.shown
	}
	if !p.o.Hide {
		return text, matches
	}
	part := redact.Part{Path: p.path, Text: l.Text}
	start, end := l.Start, l.End
	spans := part.Spans(start, end)
	if len(spans) == 0 {
		return text, matches
	}
	p.stats.Hidden++
	if !p.replaced {
		return hide(text, matches, spans, start)
	}
	kind := spans[0].Marker()
	part = redact.Part{Path: p.path, Text: text}
	if found := part.Spans(0, len(text)); len(found) >= len(spans) {
		return hide(text, matches, found, 0)
	}
	return []byte(kind + "\n"), nil // what tells the secret stands on another line, or was replaced
}

// hide puts markers in the place of secrets, and moves the matches with them.
func hide(text []byte, matches [][2]int, spans []redact.Span, start int) ([]byte, [][2]int) {
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-start, 0), min(spans[i].End-start, len(text))
		if n := spans[i].End; n > spans[i].Start && text[n-1] == '\n' {
			spans[i].End--
		}
	}
	moved := make([][2]int, len(matches))
	for i, m := range matches {
		moved[i] = [2]int{shift(m[0], spans, false), shift(m[1], spans, true)}
	}
	return redact.Replace(text, spans), moved
}

// shift is where a place is when markers stand for secrets: within a secret, the
// marker's start or end.
func shift(at int, spans []redact.Span, end bool) int {
	by := 0
	for _, s := range spans {
		n := len(s.Marker())
		switch {
		case at >= s.End:
			by += n - (s.End - s.Start)
		case at > s.Start && end:
			return s.Start + by + n
		case at > s.Start:
			return s.Start + by
		}
	}
	return at + by
}

// expand appends a replacement with its groups.
func (p *Printer) expand(dst, text []byte, m []int) []byte {
	r := *p.o.Replace
	for i := 0; i < len(r); {
		if r[i] != '$' {
			dst = append(dst, r[i])
			i++
			continue
		}
		name, width := groupName(r[i:])
		switch {
		case width == 0:
			dst = append(dst, '$')
			i++
			continue
		case name == "$":
			dst = append(dst, '$')
		default:
			dst = p.group(dst, text, m, name)
		}
		i += width
	}
	return dst
}

// groupName reads $name, ${name} or $$ at the start of a text. width 0 says that
// there is none.
func groupName(s string) (name string, width int) {
	if len(s) < 2 {
		return "", 0
	}
	if s[1] == '$' {
		return "$", 2
	}
	if s[1] == '{' {
		n := 2
		for n < len(s) && s[n] != '}' {
			n++
		}
		if n == len(s) {
			return "", 0
		}
		return s[2:n], n + 1
	}
	n := 1
	for n < len(s) && isName(s[n]) {
		n++
	}
	if n == 1 {
		return "", 0
	}
	return s[1:n], n
}

func isName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// group appends the text of a group, nothing where there is none.
func (p *Printer) group(dst, text []byte, m []int, name string) []byte {
	n, err := strconv.Atoi(name)
	if err != nil {
		var ok bool
		if n, ok = p.re.Group(name); !ok {
			return dst
		}
	}
	if n < 0 || 2*n+1 >= len(m) || m[2*n] < 0 {
		return dst
	}
	return append(dst, text[m[2*n]:m[2*n+1]]...)
}

// Finish ends a search.
func (p *Printer) Finish(e *scan.Ending) {
	switch p.o.Kind {
	case Standard:
		if p.binary >= 0 {
			p.binaryMessage()
		}
	case JSON:
		p.end(e)
		return
	}
	p.count(e)
	if p.o.Kind != Standard {
		p.sum(e)
	}
}

// count counts the search.
func (p *Printer) count(e *scan.Ending) {
	p.stats.Nanoseconds = time.Since(p.started).Nanoseconds()
	p.stats.Searches = 1
	if p.matched > 0 {
		p.stats.WithMatch = 1
	}
	p.stats.Searched = e.Searched
	p.stats.Printed = p.wrote
}

var newline = []byte("\n")

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

// summed counts lines that match.
func (p *Printer) summed(l *scan.Lines) bool {
	matches := 1
	counted := p.o.Stats || p.o.Kind == CountMatches
	if counted || p.spans {
		matches = p.countIn(l)
	}
	if p.spans {
		p.matched += matches
	} else {
		p.matched++
	}
	if counted {
		p.stats.Matches += matches
		p.stats.Lines += lineCount(l.Bytes())
	} else if p.o.Kind == With || p.o.Kind == Without || p.o.Kind == Quiet {
		return false
	}
	return p.o.MaxCount < 0 || p.matched < p.o.MaxCount
}

// countIn counts the matches in lines.
func (p *Printer) countIn(l *scan.Lines) (n int) {
	text, end, from := l.Text, l.End, l.Start
	if p.spans {
		text = text[:min(len(text), end+lookAhead)]
	} else {
		text, from = trimEnd(l.Bytes()), 0
		end -= l.Start
	}
	p.f.All(text, from, func(m []int) bool {
		if m[0] >= end {
			return false
		}
		n++
		return true
	})
	return n
}

func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}

// sum prints what was counted. A binary file that was not named has no matches.
func (p *Printer) sum(e *scan.Ending) {
	if e.Binary >= 0 && p.nul == scan.Quit {
		p.matched = 0
		return
	}
	switch p.o.Kind {
	case Count, CountMatches:
		n := p.matched
		if p.o.Kind == CountMatches {
			n = p.stats.Matches
		}
		if p.matched > 0 || p.o.IncludeZero {
			p.pathField(":")
			p.write(strconv.AppendInt(nil, int64(n), 10))
			p.write(newline)
		}
	case With:
		if p.matched > 0 {
			p.nameLine()
		}
	case Without:
		if p.matched == 0 {
			p.nameLine()
		}
	}
}

// nameLine prints the name of the file, whether or not lines have it.
func (p *Printer) nameLine() {
	p.colors(p.o.Colors.Path, p.shownPath())
	if p.o.Null {
		p.write([]byte{0})
	} else {
		p.write(newline)
	}
}
