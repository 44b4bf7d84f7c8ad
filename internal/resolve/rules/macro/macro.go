// Package macro reads the text of macros of C that stand for a value: a name, and
// what leads on from it, as in #define current get_current()->task.
package macro

import (
	"strings"

	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// maxText bounds the text of a macro that is read, in bytes.
const maxText = 400

// Way returns the steps that lead to the value of a macro, whose text from its name on
// is given with its place; none where the text says something else. ok is false for a
// macro with parameters, which is no value.
func Way(f *corpus.File, at uint32, text string) (way []infer.Step, ok bool) {
	r := reader{file: f, at: at, text: text[:min(len(text), maxText)]}
	r.word()
	if r.i < len(r.text) && r.text[r.i] == '(' {
		return nil, false
	}
	if len(text) <= maxText && r.value() && r.next() == 0 {
		way = r.way
	}
	return way, true
}

type reader struct {
	file *corpus.File
	at   uint32 // of the text
	text string
	i    int
	way  []infer.Step
}

// value reads a value: a name or a value in parentheses, which a cast may stand
// before, and what follows.
func (r *reader) value() bool {
	switch {
	case r.next() != '(':
		if !r.step(infer.StepName, r.word) {
			return false
		}
	case r.cast():
		kept := len(r.way)
		if !r.value() { // which the type that is asked for stands for, whatever it is
			return false
		}
		r.way = r.way[:kept]
		return true
	default:
		r.i++
		if !r.value() || r.next() != ')' {
			return false
		}
		r.i++
	}
	return r.rest()
}

// rest reads the members, calls and elements behind a value.
func (r *reader) rest() bool {
	for {
		switch r.next() {
		case '(', '[':
			op := infer.StepCall
			if r.text[r.i] == '[' {
				op = infer.StepElement
			}
			if !r.skip() {
				return false
			}
			r.way = append(r.way, infer.Step{Op: op})
		case '.', '-':
			if r.i++; strings.HasPrefix(r.text[r.i-1:], "->") {
				r.i++
			}
			r.next()
			if !r.step(infer.StepMember, r.word) {
				return false
			}
		default:
			return true
		}
	}
}

// cast reads a type in parentheses, of a pointer; the reader stays where there is none.
func (r *reader) cast() bool {
	before := r.i
	r.i++
	name := r.word()
	for name == "struct" || name == "union" || name == "const" || name == "volatile" {
		r.next()
		name = r.word()
	}
	end := r.i
	stars := 0
	for r.next() == '*' {
		r.i++
		stars++
	}
	closed := r.next() == ')'
	r.i = end
	if name == "" || stars == 0 || !closed || !r.step(infer.StepName, func() string { return name }) {
		r.i = before
		return false
	}
	r.way = append(r.way, infer.Step{Op: infer.StepValue})
	r.i = strings.IndexByte(r.text[end:], ')') + end + 1
	return true
}

// step adds a step by the use that a name, which ends where the reader stands, is.
func (r *reader) step(op infer.StepOp, read func() string) bool {
	name := read()
	start := r.at + uint32(r.i-len(name))
	n := r.file.Facts.UsesFrom(start)
	if name == "" || n >= r.file.Facts.NumUses() || r.file.Use(int32(n)).At != start {
		return false
	}
	r.way = append(r.way, infer.Step{Op: op, Use: int32(n)})
	return true
}

// next skips blanks and written line ends, and returns the byte that follows, 0 at the end.
func (r *reader) next() byte {
	for r.i < len(r.text) && strings.IndexByte(" \t\r\n\\", r.text[r.i]) >= 0 {
		r.i++
	}
	if r.i == len(r.text) {
		return 0
	}
	return r.text[r.i]
}

// word reads a name.
func (r *reader) word() string {
	start := r.i
	for r.i < len(r.text) && isPart(r.text[r.i]) {
		r.i++
	}
	return r.text[start:r.i]
}

func isPart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

// skip reads what stands between brackets.
func (r *reader) skip() bool {
	for depth := 0; r.i < len(r.text); {
		switch r.text[r.i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if r.i++; depth == 0 {
			return true
		}
	}
	return false
}
