package show

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"

	"espy/internal/grep/scan"
)

// print prints lines.
func (p *Printer) print(l *scan.Lines, context bool) {
	p.prelude()
	text, matches := p.visible(l)
	if p.bare {
		p.bareLine(l, text, context)
		return
	}
	w := &p.writer // which Fprintf would else move to the heap for each line
	*w = lineWriter{Printer: p, l: l, context: context, text: text, ranges: matches}
	switch {
	case len(matches) == 0 && (!p.spans || context):
		w.fields(l.Start, 0, 0)
		w.plain(text)
	case len(matches) == 0:
		w.plainLines()
	case !p.spans || context:
		w.matches1()
	default:
		w.matchesOver()
	}
}

// bareLine writes a line and what stands before it, as lineWriter does, in two pieces: nearly
// every line of a tree may be printed.
func (p *Printer) bareLine(l *scan.Lines, line []byte, context bool) {
	sep := p.separator
	if context {
		sep = p.contextSeparator
	}
	b := p.buf[:0]
	if p.o.Path && !p.o.Heading {
		if b = append(b, p.name...); p.o.Null {
			b = append(b, 0)
		} else {
			b = append(b, sep...)
		}
	}
	if p.o.LineNumber {
		b = append(strconv.AppendInt(b, int64(l.Number()), 10), sep...)
	}
	if p.o.ByteOffset {
		b = append(strconv.AppendInt(b, int64(l.Start), 10), sep...)
	}
	if p.buf = b; len(b) > 0 {
		p.write(b)
	}
	p.write(line)
	if !bytes.HasSuffix(line, newline) {
		p.write(newline)
	}
}

// prelude is printed before the first line of a file.
func (p *Printer) prelude() {
	if p.wrote > 0 {
		return
	}
	p.out.Separate()
	if p.o.Heading {
		p.pathLine()
	}
}

func (p *Printer) pathLine() {
	if !p.o.Path {
		return
	}
	p.colors(p.o.Colors.Path, p.name)
	if p.o.Null {
		p.write(nul)
	} else {
		p.write(newline)
	}
}

// lineWriter writes lines that were told together.
type lineWriter struct {
	*Printer
	l       *scan.Lines
	context bool
	text    []byte
	ranges  [][2]int

	shortened *byte // where what preview cut last begins, nil for nothing
	long, cut int   // how many bytes that had, and were left
}

// fields writes what stands before a line that so many others of those told together stand
// before. column 0 stands for none.
func (w *lineWriter) fields(offset, before, column int) {
	sep := w.separator
	if w.context {
		sep = w.contextSeparator
	}
	if !w.o.Heading {
		w.pathField(sep)
	}
	if w.o.LineNumber {
		w.number(w.o.Colors.Line, w.l.Number()+before, sep)
	}
	if column > 0 && w.o.Column {
		w.number(w.o.Colors.Column, column, sep)
	}
	if w.o.ByteOffset {
		w.number(w.o.Colors.Column, offset, sep)
	}
}

func (w *lineWriter) number(c color, n int, sep []byte) {
	w.buf = strconv.AppendInt(w.buf[:0], int64(n), 10)
	w.colors(c, w.buf)
	w.write(sep)
}

// plain writes a line without colours.
func (w *lineWriter) plain(line []byte) {
	if w.tooLong(line) {
		w.exceeded(line, 0, len(line), w.ranges)
		return
	}
	if w.o.Trim {
		line = line[spacesBefore(line):]
	}
	w.write(line)
	if !bytes.HasSuffix(line, newline) {
		w.write(newline)
	}
}

// spacesBefore counts the spaces that a line begins with.
func spacesBefore(line []byte) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || '\t' <= line[n] && line[n] <= '\r' && line[n] != '\n') {
		n++
	}
	return n
}

func (w *lineWriter) tooLong(line []byte) bool {
	return w.o.MaxColumns > 0 && len(line) > w.o.MaxColumns
}

// plainLines writes several lines without matches.
func (w *lineWriter) plainLines() {
	offset, before := w.l.Start, 0
	for line := range bytes.Lines(w.text) {
		w.fields(offset, before, 0)
		w.plain(line)
		offset += len(line)
		before++
	}
}

// matches1 writes one line with matches.
func (w *lineWriter) matches1() {
	switch {
	case w.o.OnlyMatching:
		for _, m := range w.ranges {
			w.fields(w.l.Start+m[0], 0, m[0]+1)
			part := w.text[m[0]:m[1]]
			w.colored(part, [][2]int{{0, len(part)}})
		}
	case w.o.PerMatch:
		for _, m := range w.ranges {
			w.fields(w.l.Start+m[0], 0, m[0]+1)
			w.colored(w.text, [][2]int{m})
		}
	default:
		w.fields(w.l.Start, 0, w.ranges[0][0]+1)
		w.colored(w.text, w.ranges)
	}
}

// colored writes a line with its matches in colour.
func (w *lineWriter) colored(line []byte, matches [][2]int) {
	switch {
	case !w.o.Color || w.o.Colors.Match.none():
		w.plain(line)
	case w.tooLong(line):
		w.exceeded(line, 0, len(line), matches)
	default:
		w.inColor(line, 0, len(line), matches)
		w.write(newline)
	}
}

// inColor writes a part of a text, without its line end, matches in colour.
func (w *lineWriter) inColor(text []byte, start, end int, matches [][2]int) {
	if end > start && text[end-1] == '\n' {
		end--
	}
	if w.o.Trim {
		start += spacesBefore(text[start:end])
	}
	for _, m := range matches {
		if m[1] <= start || start >= end {
			continue
		}
		if m[0] >= end {
			break
		}
		if start < m[0] {
			w.endColor()
			w.write(text[start:m[0]])
			start = m[0]
		}
		if m[0] == m[1] {
			continue
		}
		w.startColor()
		to := min(end, m[1])
		w.write(text[start:to])
		start = to
	}
	if start < end {
		w.endColor()
		w.write(text[start:end])
	}
	w.endColor()
}

func (w *lineWriter) startColor() {
	if w.o.Color && !w.Printer.colored {
		w.codes(w.o.Colors.Match.set())
		w.Printer.colored = true
	}
}

func (w *lineWriter) endColor() {
	if w.Printer.colored {
		w.codes(reset)
		w.Printer.colored = false
	}
}

// exceeded writes what stands for text[start:end], which is too long a line.
func (w *lineWriter) exceeded(text []byte, start, end int, matches [][2]int) {
	if w.o.Preview {
		w.preview(text, start, end, matches)
		return
	}
	what := "matching"
	if w.context {
		what = "context"
	}
	if w.origins == 0 || w.o.OnlyMatching {
		fmt.Fprintf(w, "[Omitted long %s line]", what)
	} else {
		fmt.Fprintf(w, "[Omitted long line with %d matches]", w.origins)
	}
	w.write(newline)
}

// preview writes the beginning of a long line.
func (w *lineWriter) preview(text []byte, start, end int, matches [][2]int) {
	cut := start + w.shorten(text[start:end])
	w.inColor(text, start, cut, matches)
	if len(matches) == 0 {
		w.write([]byte(" [... omitted end of long line]"))
	} else {
		before := func(at int) int { // a long line may be printed for each of its matches
			return sort.Search(len(matches), func(i int) bool { return matches[i][0] >= at })
		}
		left, word := before(end)-before(cut), "matches"
		if left == 1 {
			word = "match"
		}
		fmt.Fprintf(w, " [... %d more %s]", left, word)
	}
	w.write(newline)
}

// shorten returns how many bytes of a text are shown of it. A line may be asked about for
// each of its matches.
func (w *lineWriter) shorten(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	if w.shortened != &text[0] || w.long != len(text) {
		w.shortened, w.long, w.cut = &text[0], len(text), graphemes(text, w.o.MaxColumns)
	}
	return w.cut
}

// Write writes and counts.
func (w *lineWriter) Write(b []byte) (int, error) {
	w.write(b)
	return len(b), nil
}

// each calls f with each line of the text: where it starts and ends, and how many
// stand before it.
func (w *lineWriter) each(f func(start, end, n int) bool) {
	at, n := 0, 0
	for line := range bytes.Lines(w.text) {
		if !f(at, at+len(line), n) {
			return
		}
		at += len(line)
		n++
	}
}

// matchesOver writes several lines with matches, which may span them.
func (w *lineWriter) matchesOver() {
	switch {
	case w.o.OnlyMatching:
		w.each(func(start, end, n int) bool { w.onlyMatches(start, end, n); return true })
		return
	case w.o.PerMatch:
		for _, m := range w.ranges {
			w.oneMatch(m)
		}
		return
	}
	w.each(func(start, end, n int) bool {
		w.fields(w.l.Start+start, n, w.ranges[0][0]+1)
		if w.tooLong(w.text[start:end]) {
			w.exceeded(w.text, start, end, w.ranges)
		} else {
			w.inColor(w.text, start, end, w.ranges)
			w.write(newline)
		}
		return true
	})
}

// onlyMatches writes the parts of a line that matches cover.
func (w *lineWriter) onlyMatches(start, end, n int) {
	if end > start && w.text[end-1] == '\n' {
		end--
	}
	if w.o.Trim {
		start += spacesBefore(w.text[start:end])
	}
	for _, m := range w.ranges {
		from, to := max(start, m[0]), min(end, m[1])
		if from >= to {
			continue
		}
		w.fields(w.l.Start+m[0], n, m[0]+1)
		if w.tooLong(w.text[from:to]) {
			w.exceeded(w.text, from, to, w.ranges)
		} else {
			w.colors(w.o.Colors.Match, w.text[from:to])
			w.write(newline)
		}
	}
}

// oneMatch writes the first line of a match.
func (w *lineWriter) oneMatch(m [2]int) {
	w.each(func(start, end, n int) bool {
		switch {
		case start >= m[1]:
			return false
		case end <= m[0]:
			return true
		}
		w.fields(w.l.Start+start, n, max(m[0]-start, 0)+1)
		if w.tooLong(w.text[start:end]) {
			w.exceeded(w.text, start, end, [][2]int{m})
			return true
		}
		w.inColor(w.text, start, end, [][2]int{m})
		w.write(newline)
		return false
	})
}

// binaryMessage says that a file has matches and NUL bytes.
func (p *Printer) binaryMessage() {
	if p.matched == 0 || p.nul == scan.Text {
		return
	}
	if p.o.Path {
		p.colors(p.o.Colors.Path, p.name)
		p.write([]byte(": "))
	}
	what := "WARNING: stopped searching binary file after match"
	if p.nul == scan.Convert {
		what = "binary file matches"
	}
	p.write(fmt.Appendf(nil, "%s (found \"\\0\" byte around offset %d)\n", what, p.binary))
}
