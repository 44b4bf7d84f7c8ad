package message

import (
	"bytes"
	"slices"
	"strings"
)

// dialect is how a language writes literals, where that differs from most.
type dialect struct {
	escape byte   // before a byte that stands for itself or for another one; 0 for none
	single bool   // '...' is a literal
	sign   bool   // ` is a sign of the language, which ends nothing
	marks  string // words that open a literal together with a bracket or a mark behind them: q qq
	lists  bool   // values stand beside each other with nothing between them, as in Lisp
}

var (
	common   = &dialect{escape: '\\', single: true}
	dialects = map[string]*dialect{
		"perl":        {escape: '\\', single: true, marks: "q qq"},
		"raku":        {escape: '\\', single: true, marks: "q qq Q"},
		"ruby":        {escape: '\\', single: true, marks: "%q %Q %"},
		"crystal":     {escape: '\\', single: true, marks: "%q %Q %"},
		"elixir":      {escape: '\\', single: true, marks: "~s ~S"},
		"lua":         {escape: '\\', single: true, marks: "["},
		"powershell":  {escape: '`', single: true},
		"visualbasic": {},
		"pascal":      {single: true},
		"verilog":     {escape: '\\', sign: true},
		"ocaml":       {escape: '\\', single: true, sign: true},
		"fsharp":      {escape: '\\', single: true, sign: true},
		"clojure":     {escape: '\\', sign: true, lists: true},
		"lisp":        {escape: '\\', sign: true, lists: true},
		"scheme":      {escape: '\\', sign: true, lists: true},
		"racket":      {escape: '\\', sign: true, lists: true},
	}
)

// dialectOf returns how a language writes literals.
func dialectOf(language string) *dialect {
	if d, ok := dialects[language]; ok {
		return d
	}
	return common
}

// piece is a part of a line: a literal, or what stands between literals.
type piece struct {
	text    []byte // with blanks for what is filled in
	literal bool
	source  []byte // as it is written
}

// fills reports whether something is filled in between two places of a piece.
func (p *piece) fills(from, to int) bool {
	return p.literal && bytes.ContainsAny(p.source[from:to], "%{$")
}

// pieces splits a line at its quotes and takes out what is filled in, in which literals
// may stand as well: "no $(if (x) { "lid" }) here".
func (d *dialect) pieces(line []byte) []piece {
	var all []piece
	start, quote, open := 0, byte(0), byte(0) // what ends a literal, and what a mark of the language opened it with
	depth := 0                                // of brackets like the latter
	cut := func(end, next int) {
		if end > start {
			all = append(all, piece{d.filled(line[start:end], quote != 0), quote != 0, line[start:end]})
		}
		start = next
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == d.escape && c != 0:
			i++
		case quote == 0 && i+2 < len(line) && c != '`' && (c == '"' || c == '\'') && line[i+1] == c && line[i+2] == c: // prose
			i += 2
		case quote != 0 && open != 0 && c == open && open != quote:
			depth++
		case quote != 0 && c == quote && depth > 0:
			depth--
		case quote != 0 && c == quote:
			cut(i, i+1)
			quote, open = 0, 0
		case quote != 0 && quote != '\'':
			if n := hole(line[i:]); n > 0 && bytes.IndexByte(line[i:i+n], quote) >= 0 {
				i += n - 1
			}
		case quote != 0:
		case c == '"' || c == '`' && d.escape != '`' && !d.sign || c == '\'' && d.single && opens(line[:i]):
			cut(i, i+1)
			quote = c
		default:
			if n := d.mark(line, i); n > 0 {
				cut(i, i+n)
				open = line[i+n-1]
				quote = closer(open)
				i += n - 1
			}
		}
	}
	if quote == '\'' && len(all) > 0 { // an apostrophe
		quote = 0
	}
	cut(len(line), len(line))
	return all
}

// mark returns how many bytes a mark of the language has that opens a literal at a place of
// a line: qq{, %q(, ~s(; 0 where none does.
func (d *dialect) mark(line []byte, at int) int {
	if d.marks == "" || at > 0 && (wordByte(line[at-1]) || bytes.IndexByte([]byte("$@%&>)]{"), line[at-1]) >= 0) {
		return 0
	}
	for m := range strings.FieldsSeq(d.marks) {
		rest, ok := bytes.CutPrefix(line[at:], []byte(m))
		n := len(m)
		if ok && wordByte(m[len(m)-1]) { // a blank may follow a word: qq {...}
			blank := len(rest)
			rest = bytes.TrimLeft(rest, " ")
			n += blank - len(rest)
		}
		if ok && len(rest) > 1 && (closer(rest[0]) != rest[0] || bytes.IndexByte([]byte("/|!~"), rest[0]) >= 0 && rest[1] != ' ') && (m != "[" || rest[0] == '[') {
			return n + 1
		}
	}
	return 0
}

// closer returns what closes a bracket, or the byte itself.
func closer(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	case '<':
		return '>'
	}
	return open
}

// opens reports whether a single quote behind some text opens a literal: it is no
// apostrophe, and may have a prefix as in f'...'.
func opens(before []byte) bool {
	n := len(before)
	if n > 0 && bytes.IndexByte([]byte("fFrRbBuU"), before[n-1]) >= 0 {
		n--
	}
	return n == 0 || !wordByte(before[n-1])
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// filled returns a literal with blanks for verbs, for what stands in braces, and for names
// and expressions that are filled in.
func (d *dialect) filled(text []byte, literal bool) []byte {
	if !literal || !bytes.ContainsAny(text, "%{$\\`@#") {
		return text
	}
	out := bytes.Clone(text)
	for i := 0; i < len(out); {
		n := 0
		switch c := out[i]; {
		case c == '%':
			n = verbEnd(out, i) - i
		case c == d.escape && c != 0:
			n = min(2, len(out)-i)
		default:
			n = hole(out[i:])
		}
		for end := i + n; i < end; i++ {
			out[i] = ' '
		}
		if n == 0 {
			i++
		}
	}
	return out
}

// maxHole bounds the bytes of an expression that is filled in.
const maxHole = 200

// hole returns how many bytes the value has that a literal begins with, in the ways in which
// languages write it: {x}, ${x}, #{x}, @{[x]}, $(x), \(x), $x, $x->{y}, $x[0]; 0 for none.
func hole(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch c := text[0]; {
	case c == '{':
		return closed(text)
	case (c == '$' || c == '\\') && text[1] == '(', (c == '$' || c == '#' || c == '@') && text[1] == '{':
		if n := closed(text[1:]); n > 0 {
			return n + 1
		}
		return 0
	case c != '$' || !startsName(text[1]):
		return 0
	}
	n := 2
	for n < len(text) && wordByte(text[n]) {
		n++
	}
	for {
		at := n
		if bytes.HasPrefix(text[at:], []byte("->")) {
			at += 2
		}
		switch {
		case at < len(text) && (text[at] == '[' || text[at] == '{' && at > n) && closed(text[at:]) > 0:
			n = at + closed(text[at:])
		case at > n && at < len(text) && startsName(text[at]):
			for n = at; n < len(text) && wordByte(text[n]); n++ {
			}
		default:
			return n
		}
	}
}

// closed returns how many bytes there are up to where the bracket is closed that a text
// begins with, 0 for nowhere near.
func closed(text []byte) int {
	open, depth := text[0], 0
	for i, c := range text[:min(len(text), maxHole)] {
		switch c {
		case open:
			depth++
		case closer(open):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func startsName(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// verbEnd returns where the verb that begins at a percent sign ends.
func verbEnd(text []byte, at int) int {
	i := at + 1
	if i < len(text) && text[i] == '(' { // %(name)s
		if n := bytes.IndexByte(text[i:], ')'); n > 0 {
			i += n + 1
		}
	}
	for i < len(text) && strings.IndexByte("+-# 0123456789.*hlzjt", text[i]) >= 0 {
		if text[i] == ' ' { // a space is a flag, but mostly an end
			return i
		}
		i++
	}
	if i < len(text) && wordByte(text[i]) {
		i++
	}
	return i
}

// formats returns the literals of a line, those as one that values are joined with:
// "no " + kind + " here" as "no {} here". Those of one call, (str "no " kind " here"), may be
// joined as well, and stand there both ways.
func (d *dialect) formats(line []byte) (all [][]byte) {
	all = d.joined(line, d.sums)
	if calls := d.joined(line, d.arguments); !slices.EqualFunc(all, calls, bytes.Equal) {
		all = append(all, calls...)
	}
	return all
}

// joined returns the literals of a line, those as one that code between them joins: before
// and after it, as a function tells of the code and of the literal before it.
func (d *dialect) joined(line []byte, how func(code, open []byte) (before, after bool)) (all [][]byte) {
	var open []byte // what is joined by now
	joined := false // the next literal belongs to it
	end := func() {
		if open != nil {
			all = append(all, open)
		}
		open = nil
	}
	for _, p := range d.pieces(line) {
		if p.literal {
			if !joined {
				end()
			}
			open, joined = append(open, p.source...), false
			continue
		}
		text := bytes.TrimSpace(p.source)
		before, after := how(text, open)
		if !before {
			end()
		}
		if before && len(bytes.Trim(text, joins)) > 0 || after && open == nil {
			open = append(open, "{}"...)
		}
		joined = after
	}
	end()
	return all
}

// joins are the marks that join literals and values: + ++ .. <> & ~ <<, and . between
// variables of PHP and Perl; and the comma between arguments.
const joins = "+.<>&~, \t"

// sums reports whether code between literals adds what stands before it, and after it.
func (d *dialect) sums(text, _ []byte) (before, after bool) {
	for _, mark := range []string{"+", "..", "<>", "<<", "&", "~", "."} {
		if mark != "." || len(text) == 1 || bytes.IndexByte(text, '$') >= 0 {
			before = before || bytes.HasPrefix(text, []byte(mark))
			after = after || bytes.HasSuffix(text, []byte(mark))
		}
	}
	return before, after
}

// arguments reports whether code between literals is arguments of the call that these are
// of: values between commas, in Lisp between blanks. Of the last literal a value is one that
// it leaves room for.
func (d *dialect) arguments(text, open []byte) (before, after bool) {
	if len(text) == 0 {
		return false, false
	}
	room := bytes.HasSuffix(open, []byte(" ")) || bytes.HasSuffix(open, []byte(":"))
	if d.lists {
		after = balanced(text)
		return after || room && text[0] != ')', after
	}
	after = balanced(text) && text[0] == ',' && text[len(text)-1] == ','
	return after || room && text[0] == ',', after
}

// balanced reports whether all brackets of some code are opened and closed in it.
func balanced(code []byte) bool {
	depth := 0
	for _, c := range code {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// fixedParts returns what stands before, between and behind the values of a format, each
// bare; all of it where it has none. Values are verbs and what hole tells of.
func (d *dialect) fixedParts(format []byte) (parts []string) {
	var b strings.Builder
	value := func() {
		parts = append(parts, strings.TrimRight(b.String(), "$#"))
		b.Reset()
	}
	for i := 0; i < len(format); i++ {
		c, n := format[i], hole(format[i:])
		switch {
		case n > 0 && (c != '\\' || d.escape == '\\'):
			value()
			i += n - 1
		case c == '%' && i+1 < len(format) && format[i+1] == '%':
			b.WriteByte('%')
			i++
		case c == '%':
			value()
			i = verbEnd(format, i) - 1
		case c == '{' || (c == '\\' || c == '$') && i+1 < len(format) && format[i+1] == '(':
			return nil
		case c == d.escape && c != 0 && i+1 < len(format):
			if i++; format[i] == 'n' || format[i] == 't' || format[i] == 'r' {
				b.WriteByte(' ')
			} else {
				b.WriteByte(format[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	value()
	for i, p := range parts {
		parts[i] = bare(p)
	}
	parts[0] = strings.TrimPrefix(parts[0], " ")
	parts[len(parts)-1] = strings.TrimSuffix(parts[len(parts)-1], " ")
	return parts
}
