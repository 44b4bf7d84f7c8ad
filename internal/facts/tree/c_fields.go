package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/wordset"
)

// cFields are the fields that the text of a macro declares, as in
// #define HEAD struct node *next; int size;
// by the byte where a name or the name of a type starts.
type cFields struct {
	names map[int]cField
	types map[int]int32 // the expression of each, once it was read
}

// cField is one of them.
type cField struct {
	typ    int // byte where the name of its type starts, -1 where that is none of the program
	traits facts.Flags
	array  bool
	call   bool
}

// maxFields bounds the bytes of the text of a macro that is read for fields.
const maxFields = 8000

// cStatements are the words that no field begins with.
var cStatements = wordset.Of("return goto break continue case default do if else for while switch typedef extern using delete throw namespace template friend static inline sizeof new asm operator")

// cReadFields reads the text of a macro that is nothing but declarations, each with its
// semicolon, and names of further macros. It finds none in another one.
func cReadFields(text string) *cFields {
	if len(text) > maxFields || !strings.Contains(text, ";") {
		return nil
	}
	r := cFieldReader{text: text, found: cFields{names: map[int]cField{}, types: map[int]int32{}}}
	for r.next() != 0 {
		if !r.declaration() {
			return nil
		}
	}
	if len(r.found.names) == 0 {
		return nil
	}
	return &r.found
}

type cFieldReader struct {
	text  string
	i     int
	found cFields
}

// next skips blanks, written line ends and comments, and returns the byte that follows, 0
// at the end.
func (r *cFieldReader) next() byte {
	for r.i < len(r.text) {
		switch rest := r.text[r.i:]; {
		case strings.IndexByte(" \t\r\n\\", rest[0]) >= 0:
			r.i++
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				r.i = len(r.text)
				return 0
			}
			r.i += end + 4
		case strings.HasPrefix(rest, "//"):
			r.i = len(r.text)
		default:
			return rest[0]
		}
	}
	return 0
}

// word reads a name: where it starts, and itself, empty where none stands there.
func (r *cFieldReader) word() (start int, name string) {
	if !cLetter(r.next()) {
		return r.i, ""
	}
	start = r.i
	for r.i < len(r.text) && cPart(r.text[r.i]) {
		r.i++
	}
	return start, r.text[start:r.i]
}

// is takes a byte where it stands next.
func (r *cFieldReader) is(c byte) bool {
	if r.next() != c {
		return false
	}
	r.i++
	return true
}

// skip takes what stands between an opening bracket, which is next, and its closing one.
func (r *cFieldReader) skip() bool {
	for depth := 0; r.i < len(r.text); {
		switch r.text[r.i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if r.i++; depth == 0 {
			return true
		}
	}
	return false
}

// declaration reads the declaration of fields, or the name of a macro in its place.
func (r *cFieldReader) declaration() bool {
	typ, last, count := -1, -1, 0 // where the last two names start
	tagged := false
	for {
		before := r.i
		start, name := r.word()
		switch {
		case cStatements[name]:
			return false
		case name == "struct" || name == "union" || name == "enum":
			if _, tag := r.word(); r.next() == '{' { // with its body
				if !r.skip() {
					return false
				}
				if r.is(';') { // of no name, whose members are not told
					return true
				}
				count++
			} else if tag != "" {
				r.i -= len(tag)
			}
			tagged = true
			continue
		case cTypeWords[name] || name == "unsigned" || name == "signed":
			count++
			continue
		case name == "const" || name == "volatile" || name == "mutable":
			continue
		case name != "" && cKeywords[name]:
			return false
		case name != "" && last < 0 && count == 0 && !tagged && cUpper(name) && r.isMacro():
			return true
		case name != "":
			typ, last = last, start
			count++
			continue
		}
		r.i = before
		break
	}
	if count == 0 {
		return false
	}
	if next := r.next(); next == '*' || next == '(' { // the name follows
		typ = last
	} else if last < 0 || count < 2 {
		return false
	} else {
		r.i = last
	}
	return r.declarators(typ)
}

// isMacro reports whether the name in capitals that was read last is no type: nothing
// follows, or a whole declaration.
func (r *cFieldReader) isMacro() bool {
	at := r.i
	defer func() { r.i = at }()
	if r.next() == 0 {
		return true
	}
	if _, name := r.word(); name == "" {
		return false
	}
	_, further := r.word()
	return further != "" || r.next() == '*'
}

// declarators reads the names of a declaration and the semicolon behind them. The name of
// their type starts at byte typ.
func (r *cFieldReader) declarators(typ int) bool {
	for {
		f := cField{typ: typ}
		for r.is('*') {
			f.traits |= facts.Pointer
			if _, word := r.word(); word != "" && word != "const" && word != "volatile" && word != "restrict" {
				r.i -= len(word)
			}
		}
		inside := r.is('(')
		if inside {
			if f.call = r.is('*'); !f.call {
				return false
			}
		}
		start, name := r.word()
		if name == "" || cKeywords[name] || inside && (!r.is(')') || r.next() != '(' || !r.skip()) {
			return false
		}
		for r.next() == '[' {
			if f.array = true; !r.skip() {
				return false
			}
		}
		if r.is(':') { // so many bits
			for c := r.next(); cPart(c); c = r.next() {
				r.i++
			}
		}
		r.found.names[start] = f
		if typ >= 0 {
			r.found.types[typ] = facts.None
		}
		switch {
		case r.is(';'):
			return true
		case !r.is(','):
			return false
		}
	}
}

// declare declares the field whose name starts at byte start of the text of a macro,
// or reads the name of a type of one. It reports whether one of these stands there.
func (f *cFields) declare(w *walk, at uint32, start int, name string) bool {
	if f == nil {
		return false
	}
	place := at + uint32(start)
	if field, ok := f.names[start]; ok {
		y := w.symbolAt(name, place, place, place+uint32(len(name)), code.KindField, facts.Exported|field.traits)
		typ := int32(facts.None)
		if field.typ >= 0 {
			typ = w.value(f.types[field.typ])
		}
		w.symbols[y].Type = cTyped(w, declarator{array: field.array, call: field.call}, typ)
		return true
	}
	if _, ok := f.types[start]; ok {
		f.types[start] = w.useIn(w.top(), name, place, facts.RoleType, facts.None)
		return true
	}
	return false
}
