package structure

import (
	"fmt"
	"strings"

	"espy/internal/facts/tree"
	"espy/internal/pattern"
)

// Holes stand in the text that a grammar reads as names which no program has.
const (
	one   = "espyqone"
	many  = "espyqmany"
	large = "E" // the first letter where that must be large
)

// shape is the form that a node must have.
type shape struct {
	kind     uint16
	text     string // of a leaf
	leaf     bool
	list     bool   // holds any number of nodes, all of which count
	call     bool   // is the list of what a function is called with
	word     bool   // a word or sign of the grammar itself, such as "if"
	before   string // the signs between it and the one before, or the start of what holds it
	children []shape
	after    string // the signs behind the last child

	hole string // the name of a hole, "_" for one without; "" for none
	many bool   // a hole for any number of nodes
}

// Matcher finds the nodes of the trees of one grammar that a pattern matches.
type Matcher struct {
	kind   int // of the nodes; none of shapes
	shapes [][]shape
}

const noKind = -1

// NoCodeError says that a pattern is no code of a language.
type NoCodeError struct{ Reason string }

func (e *NoCodeError) Error() string { return e.Reason }

// New reads a pattern with a grammar: *NoCodeError where it is no code of it.
func New(p Pattern, grammar string, parse tree.Parser) (*Matcher, error) {
	if p.kind != "" {
		return newKind(p.kind, grammar, parse)
	}
	m := &Matcher{kind: noKind}
	seen := map[string]bool{}
	for _, sp := range spellings(p.text) {
		for _, f := range framesOf(grammar) {
			whole := f.before + sp.text + f.after
			t, err := parse(grammar, []byte(whole))
			if err != nil {
				return nil, err
			}
			r := reader{t: t, src: whole, from: uint32(len(f.before)), to: uint32(len(f.before) + len(sp.text)), hollows: sp.hollows}
			shapes, ok := r.read()
			ok = ok && (len(shapes) == 1 || f != ofType)
			if key := fmt.Sprint(shapes); ok && !seen[key] {
				seen[key] = true
				m.shapes = append(m.shapes, shapes)
			}
		}
		if len(m.shapes) > 0 && !bothWays[grammar] {
			return m, nil
		}
	}
	if len(m.shapes) > 0 {
		return m, nil
	}
	return nil, &NoCodeError{fmt.Sprintf("the pattern is no code of %s", grammar)}
}

// newKind finds nodes by the name of their kind.
func newKind(name, grammar string, parse tree.Parser) (*Matcher, error) {
	t, err := parse(grammar, nil)
	if err != nil {
		return nil, err
	}
	for i, k := range t.Grammar.Kinds {
		if k == name && t.Grammar.Named[i] {
			return &Matcher{kind: i}, nil
		}
	}
	return nil, &NoCodeError{fmt.Sprintf("the grammar of %s has no kind %s%s", grammar, name, nearKinds(name, t.Grammar))}
}

// bothWays are the grammars that read more than one spelling of a pattern, each as other
// code: in Kotlin a name between the braces of a class makes them a lambda.
var bothWays = map[string]bool{"kotlin": true}

// spelling is a text that a grammar may read in the place of a pattern.
type spelling struct {
	text    string
	hollows []hollow
}

// hollow is a hole that was left out, because nothing may stand in its place that is
// code of every language: the members of a class.
type hollow struct {
	at   uint32 // of the text
	name string
}

// openBlock is how a pattern ends that begins a block and leaves the rest to be whatever
// stands there, as in $A.each do |$X|.
var openBlock = pattern.New(`\bdo(?:[ \t]*\|[^|\n]*\|)?\s*$`)

// spellings are those of a pattern, the likeliest first: with the block closed that it
// begins; holes as names; as
// statements, which end in a semicolon in some languages; as parameters with a type,
// before or behind the name; those between braces left out; and names with a large first
// letter, as modules of Ruby have.
func spellings(text string) []spelling {
	var all []spelling
	if openBlock().MatchString(text) {
		all = append(all, spell(text+"\n$$$\nend", "", false, false))
	}
	for _, o := range []struct {
		typed                string
		ended, hollow, large bool
	}{{}, {ended: true}, {typed: " "}, {typed: " ", ended: true}, {typed: ": "}, {hollow: true}, {hollow: true, typed: " "}, {hollow: true, typed: ": "}, {large: true}} {
		s := spell(text, o.typed, o.ended, o.hollow)
		if o.large {
			s.text = strings.ReplaceAll(strings.ReplaceAll(s.text, one, large+one[1:]), many, large+many[1:])
		}
		all = append(all, s)
	}
	return all
}

// spell writes a pattern. typed is what stands between a parameter and its type, "" for
// parameters without one.
func spell(text, typed string, ended, empty bool) (s spelling) {
	last := 0
	for _, at := range holeForm().FindAllStringIndex(text, -1) {
		s.text += text[last:at[0]]
		last = at[1]
		hole := text[at[0]:at[1]]
		name := holeName(hole)
		before, after := strings.TrimRight(text[:at[0]], " \t"), strings.TrimLeft(text[at[1]:], " \t\r")
		inBraces := endsIn(strings.TrimRight(before, "\r\n"), "{") && startsWith(strings.TrimLeft(after, "\n"), "}")
		switch {
		case empty && inBraces && strings.HasPrefix(name, many):
			s.hollows = append(s.hollows, hollow{uint32(len(s.text)), strings.TrimPrefix(name, many)})
			continue
		case typed != "" && endsIn(before, "(,") && startsWith(after, "),"):
			s.text += name + typed
		}
		s.text += name
		if ended && (before == "" || endsIn(before, "{};\n")) && (after == "" || startsWith(after, "}\n")) {
			s.text += ";"
		}
	}
	s.text += text[last:]
	return s
}

func endsIn(s, signs string) bool {
	return s != "" && strings.Contains(signs, s[len(s)-1:])
}

func startsWith(s, signs string) bool {
	return s != "" && strings.Contains(signs, s[:1])
}

// holeName is what stands for a hole in the text that a grammar reads.
func holeName(hole string) string {
	if rest, ok := strings.CutPrefix(hole, "$$$"); ok {
		return many + rest
	}
	return one + hole[1:]
}

// frame is what a grammar needs round a piece of code.
type frame struct{ before, after string }

// ofType is the frame of types of Go: each is a single node.
var ofType = frame{"package p\nvar _ ", "\n"}

// frames are those of the languages whose files are not statements, a file, a
// declaration, a member, a statement, an expression; and of those whose blocks end in a
// word: a pattern may be the head of one.
var frames = map[string][]frame{
	"go":     {{"", "\n"}, {"package p\n", "\n"}, {"package p\nfunc _() {\n", "\n}\n"}, {"package p\nvar _ = ", "\n"}, ofType, {"package p\nvar _ = T{", "}\n"}},
	"java":   {{"", "\n"}, {"class A {\n", "\n}"}, {"class A { void m() {\n", "\n} }"}, {"class A { void m() {\n", ";\n} }"}, {"class A { Object m = ", "; }"}},
	"csharp": {{"", "\n"}, {"class A {\n", "\n}"}, {"class A { void M() {\n", "\n} }"}, {"class A { void M() {\n", ";\n} }"}, {"class A { object M = ", "; }"}},
	"c":      {{"", "\n"}, {"void f(void) {\n", "\n}"}, {"void f(void) {\n", ";\n}"}, {"int x = ", ";"}},
	"cpp":    {{"", "\n"}, {"void f() {\n", "\n}"}, {"void f() {\n", ";\n}"}, {"int x = ", ";"}, {"class A {\n", "\n};"}},
	"rust":   {{"", "\n"}, {"fn f() {\n", "\n}"}, {"fn f() {\n", ";\n}"}, {"impl A {\n", "\n}"}},
	"php":    {{"", "\n"}, {"<?php\n", "\n"}, {"<?php\n", ";\n"}, {"<?php class A {\n", "\n}"}},
	"zig":    {{"", "\n"}, {"fn f() void {\n", "\n}"}, {"fn f() void {\n", ";\n}"}, {"const x = ", ";"}},
	"kotlin": {{"", "\n"}, {"fun f() {\n", "\n}"}, {"class A {\n", "\n}"}},
	"ruby":   {{"", "\n"}, {"", "\nend\n"}},
	"elixir": {{"", "\n"}, {"", "\nend\n"}},
	"lua":    {{"", "\n"}, {"", "\nend\n"}},
}

// scripted frame languages whose files are statements, some of which have classes.
var scripted = []frame{{"", "\n"}, {"class A {\n", "\n}"}}

func framesOf(grammar string) []frame {
	if f, ok := frames[grammar]; ok {
		return f
	}
	return scripted
}

// reader reads the part of a tree that a pattern is.
type reader struct {
	t        *tree.Tree
	src      string
	from, to uint32 // of the pattern in src
	hollows  []hollow
}

// read returns the nodes that are the pattern, or ok false where it was not understood.
func (r *reader) read() (shapes []shape, ok bool) {
	from, to := r.trimmed(r.from, r.to)
	top := -1 // the innermost node that holds the pattern
	for i, n := range r.t.Nodes {
		if n.Start < r.to && n.End > r.from && n.Flags != 0 {
			return nil, false
		}
		if n.Start <= from && n.End >= to {
			top = i
		}
	}
	if top < 0 {
		return nil, false
	}
	if start, end := r.trimmed(r.t.Nodes[top].Start, r.t.Nodes[top].End); start == from && end == to {
		if s := r.shape(top); !s.list || s.after != "" || len(s.children) < 2 {
			return []shape{s}, s.hole == ""
		}
	}
	covered := from
	for i := range children(r.t, top) {
		n := r.t.Nodes[i]
		if n.End <= from || n.Start >= to {
			continue
		}
		if n.Start < from || n.End > r.to {
			return nil, false
		}
		if signs(r.src[covered:n.Start]) != "" {
			return nil, false
		}
		shapes, covered = append(shapes, r.shape(i)), n.End
	}
	return shapes, len(shapes) > 1 && signs(r.src[min(covered, to):to]) == ""
}

// blanks are the signs that do not count between nodes.
const blanks = " \t\r\n,;"

// trimmed is a range without what does not count at its ends.
func (r *reader) trimmed(from, to uint32) (uint32, uint32) {
	for from < to && strings.IndexByte(blanks, r.src[from]) >= 0 {
		from++
	}
	for from < to && strings.IndexByte(blanks, r.src[to-1]) >= 0 {
		to--
	}
	return from, to
}

// shape is the form of a node of the pattern.
func (r *reader) shape(i int) shape {
	n := r.t.Nodes[i]
	text := r.src[n.Start:n.End]
	if name, several, ok := holeOf(text); ok && !r.gathers(n) {
		return shape{hole: name, many: several}
	}
	s := shape{kind: n.Kind, word: !named(r.t, n), list: r.gathers(n)}
	s.call = s.list && strings.Contains(r.kind(n), "argument")
	at := n.Start
	for c := range children(r.t, i) {
		at = r.holes(&s, at, r.t.Nodes[c].Start)
		child := r.shape(c)
		child.before = signs(r.src[at:r.t.Nodes[c].Start])
		if child.onlyMany() && (child.before == "" || endsIn(child.before, "([{")) { // a list that is not there where it is empty
			child = shape{hole: child.children[0].hole, many: true, before: child.before}
		}
		s.children = append(s.children, child)
		at = r.t.Nodes[c].End
	}
	at = r.holes(&s, at, n.End)
	s.after = signs(r.src[at:n.End])
	if s.isOperand(r.kind(n)) {
		return shape{hole: s.children[0].hole}
	}
	if s.leaf = len(s.children) == 0; s.leaf {
		s.text = text
	}
	return s
}

// isOperand reports whether a node of a kind, which may hold several expressions without
// brackets, holds nothing but one hole: that stands for all of them, as in $A := $B of Go.
func (s *shape) isOperand(kind string) bool {
	return (kind == "expression_list" || kind == "variable_list") && len(s.children) == 1 && s.children[0].hole != "" && !s.children[0].many && s.children[0].before+s.after == ""
}

// onlyMany reports whether a node without signs of its own holds nothing but a hole
// for any number of nodes.
func (s *shape) onlyMany() bool {
	return s.hole == "" && len(s.children) == 1 && s.children[0].many && s.children[0].before+s.after == ""
}

// gathers reports whether a node holds any number of others, so that it is never what
// stands in a hole.
func (r *reader) gathers(n tree.Node) bool {
	kind := r.kind(n)
	if kind == "" {
		return true
	}
	for _, part := range []string{"list", "arguments", "block", "body", "parameters", "program", "source_file", "module", "then", "else"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}

// kind is the name of the kind of a node, "" for none.
func (r *reader) kind(n tree.Node) string {
	if int(n.Kind) >= len(r.t.Grammar.Kinds) {
		return ""
	}
	return r.t.Grammar.Kinds[n.Kind]
}

// holes adds those that were left out in a range, and returns where the last of them is.
func (r *reader) holes(s *shape, from, to uint32) uint32 {
	for _, h := range r.hollows {
		if at := r.from + h.at; from < at && at < to {
			s.children = append(s.children, shape{hole: nameOf(h.name), many: true, before: signs(r.src[from:at])})
			from = at
		}
	}
	return from
}

// signs are those between nodes that count. Quotes are alike.
func signs(text string) string {
	var b []byte
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', ',', ';', '\\':
		case '\'':
			b = append(b, '"')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// holeOf reads the text of a node that is nothing but a hole.
func holeOf(text string) (name string, several, ok bool) {
	var found string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(blanks+":", c) }) {
		if found != "" && word != found {
			return "", false, false
		}
		found = word
	}
	if rest, ok := strings.CutPrefix(found, large); ok {
		found = one[:1] + rest
	}
	rest, ok := strings.CutPrefix(found, many)
	if several = ok; !ok {
		rest, ok = strings.CutPrefix(found, one)
	}
	if !ok || holeForm().FindString("$"+rest) != "$"+rest && rest != "" {
		return "", false, false
	}
	return nameOf(rest), several, true
}

// nameOf is the name of a hole, _ for those whose text does not matter.
func nameOf(name string) string {
	if name == "" || strings.HasPrefix(name, "_") {
		return "_"
	}
	return name
}
