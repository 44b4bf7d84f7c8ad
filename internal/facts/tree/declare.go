package tree

import (
	"sort"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
)

// symbol adds the declaration d of the name that node n holds.
func (w *walk) symbol(n, d int32, kind code.Kind, flags facts.Flags) int32 {
	return w.symbolAt(w.text(n), w.start(n), w.start(d), w.end(d), kind, flags)
}

func (w *walk) symbolAt(name string, at, start, end uint32, kind code.Kind, flags facts.Flags) int32 {
	sigEnd := start + uint32(len(strings.TrimRight(w.src[start:end], " \t\r\n;,")))
	w.symbols = append(w.symbols, facts.Symbol{
		Name: name, Kind: kind, Flags: flags, Place: facts.Place{At: at}, Parent: w.parent,
		Start: start, End: end, SigStart: start, SigEnd: sigEnd, Type: facts.None,
	})
	return int32(len(w.symbols) - 1)
}

// bind makes a symbol known in scope number s.
func (w *walk) bind(s int, symbol int32, from uint32) {
	y := &w.symbols[symbol]
	w.declare(s, y.Name, y.At, from, facts.BindSymbol, symbol)
}

// signature sets the signature of a symbol: from start to the body, which may be
// None, without blanks and the bracket before the body.
func (w *walk) signature(symbol int32, start uint32, body int32) {
	y := &w.symbols[symbol]
	y.SigStart = start
	if body >= 0 {
		y.SigEnd = max(start, w.start(body))
	}
	y.SigEnd = start + uint32(len(strings.TrimRight(w.src[start:y.SigEnd], " \t\r\n{:;=")))
}

// arguments sets how many arguments calls of a symbol give.
func (w *walk) arguments(symbol int32, least, most int, many bool) {
	y := &w.symbols[symbol]
	y.MinArgs, y.MaxArgs = uint8(min(least, facts.ManyArgs)), uint8(min(most, facts.ManyArgs))
	if many {
		y.MaxArgs = facts.ManyArgs
	}
}

// document gives a symbol the comments that end right above byte at.
func (w *walk) document(symbol int32, at uint32) {
	i := sort.Search(len(w.comments), func(i int) bool { return w.comments[i].end > at }) - 1
	if i < 0 || !w.adjoins(w.comments[i].end, at) || !w.startsLine(w.comments[i].start) {
		return
	}
	y := &w.symbols[symbol]
	y.DocStart, y.DocEnd = w.comments[i].start, w.comments[i].end
	for i--; i >= 0; i-- {
		if c := w.comments[i]; !w.adjoins(c.end, y.DocStart) || !w.startsLine(c.start) || !w.sameStyle(c.start, y.DocStart) {
			return
		}
		y.DocStart = w.comments[i].start
	}
}

// adjoins reports whether only blanks without an empty line lie between two bytes.
func (w *walk) adjoins(from, to uint32) bool {
	if from > to {
		return false
	}
	ends := 0
	if w.src[max(from, 1)-1] == '\n' {
		ends++
	}
	rest := strings.TrimLeftFunc(w.src[from:to], func(r rune) bool {
		if r == '\n' {
			ends++
		}
		return unicode.IsSpace(r)
	})
	return rest == "" && ends <= 1
}

// startsLine reports whether only blanks stand before a byte on its line.
func (w *walk) startsLine(at uint32) bool {
	before := strings.TrimRightFunc(w.src[:at], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
	return before == "" || before[len(before)-1] == '\n'
}

// sameStyle reports that both comments are of lines: blocks stand alone.
func (w *walk) sameStyle(a, b uint32) bool {
	return !strings.HasPrefix(w.src[a:], "/*") && !strings.HasPrefix(w.src[b:], "/*")
}
