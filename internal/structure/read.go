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
	whole    bool   // no other nodes may follow, as the pattern ends there in a semicolon

	hole string // the name of a hole, "_" for one without; "" for none
	many bool   // a hole for any number of nodes
	own  bool   // a hole for nodes of the same kind alone
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
	for _, frames := range framesOf(grammar) {
		if err := m.readIn(frames, p, grammar, parse); err != nil {
			return nil, err
		}
		if len(m.shapes) > 0 {
			return m, nil
		}
	}
	return nil, &NoCodeError{fmt.Sprintf("the pattern is no code of %s", grammar)}
}

// readIn adds what a pattern is in any of some frames, by the likeliest spelling.
func (m *Matcher) readIn(frames []frame, p Pattern, grammar string, parse tree.Parser) error {
	seen := map[string]bool{}
	all := spellings(p.text)
	if endedFirst[grammar] {
		all[0], all[1] = all[1], all[0]
	}
	for _, sp := range all {
		for _, f := range frames {
			whole := f.before + sp.text + f.after
			t, err := parse(grammar, []byte(whole))
			if err != nil {
				return err
			}
			r := reader{t: t, src: whole, from: uint32(len(f.before)), to: uint32(len(f.before) + len(sp.text)), spelling: sp}
			shapes, ok := r.read()
			ok = ok && (!f.typed || len(shapes) == 1 && typeKinds[t.Grammar.Kinds[shapes[0].kind]])
			if key := fmt.Sprint(shapes); ok && !seen[key] {
				seen[key] = true
				m.shapes = append(m.shapes, shapes)
			}
		}
		if len(m.shapes) > 0 && !bothWays[grammar] {
			return nil
		}
	}
	return nil
}

// close says that nothing may follow a shape, nor what its last children hold.
func (s *shape) close() {
	s.whole = true
	if last := len(s.children) - 1; last >= 0 {
		s.children[last].close()
	}
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

// endedFirst are the grammars that read a body whose statements do not end in a semicolon as
// something else: in C++ void f(a) { b } is a variable with its first value.
var endedFirst = map[string]bool{"cpp": true}

// spelling is a text that a grammar may read in the place of a pattern.
type spelling struct {
	text    string
	hollows []hollow
	quoted  bool // some holes stand in quotes
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

// fromText matches what stands before the name of a module that is written in quotes.
var fromText = pattern.New(`\b(?:from|import)\s*\(?\s*$`)

// ofGroup matches what stands before the declarations that Go has in round brackets.
var ofGroup = pattern.New(`\b(?:import|const|var|type)\s*\(\s*$`)

// spellings are those of a pattern, the likeliest first: with the block closed that it
// begins; holes as names; as statements, which end in a semicolon in some languages; as
// parameters with a type, before or behind the name; those between braces left out;
// parameters with a dollar; names of modules in quotes, and declarations in round brackets;
// and names with a large first letter, as modules of Ruby have.
func spellings(text string) []spelling {
	var all []spelling
	if openBlock().MatchString(text) {
		all = append(all, manner{}.spell(text+"\n$$$\nend"))
	}
	for _, o := range []manner{{}, {ended: true}, {typed: " "}, {typed: " ", ended: true}, {typed: ": "}, {hollow: true}, {hollow: true, typed: " "}, {hollow: true, typed: ": "}, {ended: true, dollar: true}, {hollow: true, dollar: true}, {quoted: true}, {quoted: true, typed: " "}, {large: true}} {
		all = append(all, o.spell(text))
	}
	return all
}

// manner is how holes are spelled.
type manner struct {
	typed  string // what stands between a parameter and its type, "" for parameters without one
	ended  bool   // statements end in a semicolon
	hollow bool   // those for any number of nodes between braces are left out
	quoted bool   // names of modules are in quotes, declarations in round brackets end in a line
	dollar bool   // parameters begin with a dollar, as variables of PHP do
	large  bool   // the first letter of names is large
}

// spell writes a pattern.
func (o manner) spell(text string) (s spelling) {
	s.quoted = o.quoted
	last := 0
	for _, at := range holeForm().FindAllStringIndex(text, -1) {
		s.text += text[last:at[0]]
		last = at[1]
		hole := text[at[0]:at[1]]
		name := holeName(hole)
		before, after := strings.TrimRight(text[:at[0]], " \t"), strings.TrimLeft(text[at[1]:], " \t\r")
		inBraces := endsIn(strings.TrimRight(before, "\r\n"), "{") && startsWith(strings.TrimLeft(after, "\n"), "}")
		grouped := o.quoted && startsWith(strings.TrimLeft(after, "\n"), ")") && ofGroup().MatchString(before)
		switch {
		case o.hollow && inBraces && strings.HasPrefix(name, many):
			s.hollows = append(s.hollows, hollow{uint32(len(s.text)), strings.TrimPrefix(name, many)})
			continue
		case o.quoted && fromText().MatchString(before) && (after == "" || startsWith(after, ";\n)")):
			name = `"` + name + `"`
		case o.typed != "" && (grouped || endsIn(before, "(,") && startsWith(after, "),")):
			name += o.typed + name
		case o.dollar && startsWith(after, "),="):
			name = "$" + name
		}
		s.text += name
		if grouped {
			s.text += "\n"
		}
		if o.ended && (before == "" || endsIn(before, "{};\n")) && (after == "" || startsWith(after, "}\n")) {
			s.text += ";"
		}
	}
	s.text += text[last:]
	if o.large {
		s.text = strings.ReplaceAll(strings.ReplaceAll(s.text, one, large+one[1:]), many, large+many[1:])
	}
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
type frame struct {
	before, after string
	typed         bool // a type stands there, of typeKinds
}

// typeKinds are kinds of types that no other frame reads, and nothing else.
var typeKinds = map[string]bool{
	"array_type": true, "channel_type": true, "function_type": true, "generic_type": true, "interface_type": true, "map_type": true,
	"qualified_identifier": true, "qualified_type": true, "scoped_type_identifier": true, "slice_type": true, "struct_type": true,
}

// frames are those of the languages whose files are not statements, a file, a
// declaration, a member, a statement, an expression; and of those whose blocks end in a
// word: a pattern may be the head of one.
var frames = map[string][]frame{
	"go":     {{after: "\n"}, {before: "package p\n", after: "\n"}, {before: "package p\nfunc _() {\n", after: "\n}\n"}, {before: "package p\nvar _ = ", after: "\n"}, {before: "package p\nvar _ ", after: "\n", typed: true}, {before: "package p\nvar _ = T{", after: "}\n"}},
	"java":   {{after: "\n"}, {before: "class A {\n", after: "\n}"}, {before: "class A { void m() {\n", after: "\n} }"}, {before: "class A { void m() {\n", after: ";\n} }"}, {before: "class A { Object m = ", after: "; }"}},
	"csharp": {{after: "\n"}, {before: "class A {\n", after: "\n}"}, {before: "class A { void M() {\n", after: "\n} }"}, {before: "class A { void M() {\n", after: ";\n} }"}, {before: "class A { object M = ", after: "; }"}},
	"c":      {{after: "\n"}, {before: "void f(void) {\n", after: "\n}"}, {before: "void f(void) {\n", after: ";\n}"}, {before: "int x = ", after: ";"}},
	"cpp":    {{after: "\n"}, {before: "void f() {\n", after: "\n}"}, {before: "void f() {\n", after: ";\n}"}, {before: "int x = ", after: ";"}, {before: "class A {\n", after: "\n};"}, {after: " x;\n", typed: true}},
	"rust":   {{after: "\n"}, {before: "fn f() {\n", after: "\n}"}, {before: "fn f() {\n", after: ";\n}"}, {before: "impl A {\n", after: "\n}"}, {before: "type A = ", after: ";\n", typed: true}},
	"php":    {{before: "<?php\n", after: "\n"}, {before: "<?php\n", after: ";\n"}, {before: "<?php class A {\n", after: "\n}"}},
	"zig":    {{after: "\n"}, {before: "fn f() void {\n", after: "\n}"}, {before: "fn f() void {\n", after: ";\n}"}, {before: "const x = ", after: ";"}},
	"kotlin": {{after: "\n"}, {before: "fun f() {\n", after: "\n}"}, {before: "class A {\n", after: "\n}"}},
	"ruby":   {{after: "\n"}, {after: "\nend\n"}},
	"elixir": {{after: "\n"}, {after: "\nend\n"}},
	"lua":    {{after: "\n"}, {after: "\nend\n"}},
}

// scripted frame languages whose files are statements.
var scripted = []frame{{after: "\n"}}

// parts are frames of what is no code on its own, in groups: the first that reads a pattern
// counts, and only where no other frame does. They are those of members, cases, clauses that
// follow a block, annotations and types.
var parts = map[string][][]frame{
	"go": {
		{{before: "package p\nfunc _() { switch x {\n", after: "\n}\n}\n"}, {before: "package p\nfunc _() { switch x.(type) {\n", after: "\n}\n}\n"}, {before: "package p\nfunc _() { select {\n", after: "\n}\n}\n"}},
		{{before: "package p\ntype T struct {\n", after: "\n}\n"}, {before: "package p\ntype T interface {\n", after: "\n}\n"}},
	},
	"java":   {{{before: "class A { void m() { switch (x) {\n", after: "\n} } }"}}, {{before: "class A { void m() { try { }\n", after: "\n} }"}}, {{after: "\nclass A { }"}}},
	"csharp": {{{before: "class A { void M() { switch (x) {\n", after: "\n} } }"}}, {{before: "class A { void M() { try { }\n", after: "\n} }"}}, {{after: "\nclass A { }"}}},
	"cpp":    {{{before: "void f() { try { }\n", after: "\n}"}}},
	"rust":   {{{before: "fn f() { match x {\n", after: "\n} }"}}, {{before: "struct A {\n", after: "\n}"}}, {{before: "trait A {\n", after: "\n}"}}},
	"php":    {{{before: "<?php switch ($x) {\n", after: "\n}"}}, {{before: "<?php try { }\n", after: "\n"}}, {{before: "<?php interface A {\n", after: "\n}"}}, {{after: "\n"}}},
	"python": {{{after: "\ndef f():\n    pass\n"}}, {{before: "try:\n    pass\n", after: "\n"}}, {{before: "if x:\n    pass\n", after: "\n"}}},
	"ruby":   {{{before: "case x\n", after: "\nend\n"}}, {{before: "begin\n  x\n", after: "\nend\n"}}},
	"kotlin": {{{before: "fun f() { try { }\n", after: "\n}"}}, {{before: "fun f() { when (x) {\n", after: "\n} }"}}, {{after: "\nclass A"}}},
}

// ofScript are the parts of JavaScript and of what is built on it.
var ofScript = [][]frame{{{before: "switch (x) {\n", after: "\n}"}}, {{before: "try { }\n", after: "\n"}}, {{before: "class A {\n", after: "\n}"}, {before: "interface A {\n", after: "\n}"}}, {{after: "\nclass A { }"}}}

// framesOf returns the frames of a grammar in groups: the first that reads a pattern counts.
func framesOf(grammar string) [][]frame {
	whole, ok := frames[grammar]
	if !ok {
		whole = scripted
	}
	more, known := parts[grammar]
	if !known && !ok {
		more = ofScript
	}
	return append([][]frame{whole}, more...)
}

// reader reads the part of a tree that a pattern is.
type reader struct {
	t        *tree.Tree
	src      string
	from, to uint32 // of the pattern in src
	spelling
}

// read returns the nodes that are the pattern, or ok false where it was not understood.
func (r *reader) read() (shapes []shape, ok bool) {
	from, to := r.trimmed(r.from, r.to)
	top := -1 // the innermost node that holds the pattern
	for i, n := range r.t.Nodes {
		if n.Flags != 0 && n.Start <= r.to && n.End >= r.from && !r.closesDirective(n) || n.Start == from && r.misreads(i) {
			return nil, false
		}
		if n.Start <= from && n.End >= to {
			top = i
		}
	}
	if top < 0 {
		return nil, false
	}
	if n := r.t.Nodes[top]; !named(r.t, n) && n.Parent >= 0 { // a statement that is a word alone
		if start, end := r.trimmed(r.t.Nodes[n.Parent].Start, r.t.Nodes[n.Parent].End); start == from && end == to {
			top = int(n.Parent)
		}
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

// closesDirective reports whether a node is the #endif that a grammar puts behind an #ifdef
// which has none.
func (r *reader) closesDirective(n tree.Node) bool {
	return n.Start == n.End && r.kind(n) == "#endif"
}

// statementWords begin statements and clauses, and are no names where code begins.
var statementWords = map[string]bool{
	"case": true, "catch": true, "delete": true, "do": true, "else": true, "finally": true, "for": true, "if": true,
	"namespace": true, "return": true, "switch": true, "throw": true, "try": true, "using": true, "while": true,
}

// misreads reports whether a grammar took a word that begins a statement for a name, as
// between members, where if (x) { } looks like a method.
func (r *reader) misreads(i int) bool {
	n := r.t.Nodes[i]
	return named(r.t, n) && n.Next == int32(i)+1 && statementWords[r.src[n.Start:n.End]]
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
	hole := text
	if r.quoted {
		hole = strings.Trim(hole, `"`)
	}
	if name, several, ok := holeOf(hole); ok && !r.gathers(n) {
		return shape{hole: name, many: several}
	}
	if r.kind(n) == "system_lib_string" {
		if name, _, ok := holeOf(strings.Trim(text, "<>")); ok {
			return shape{hole: name, kind: n.Kind, own: true}
		}
	}
	s := shape{kind: n.Kind, word: !named(r.t, n), list: r.gathers(n)}
	s.call = s.list && strings.Contains(r.kind(n), "argument")
	at := n.Start
	for c := range children(r.t, i) {
		if r.closesDirective(r.t.Nodes[c]) {
			break
		}
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
	if n.End == r.to && at < n.End && strings.HasSuffix(text, ";") {
		s.close()
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

// holeOf reads the text of a node that is nothing but a hole. A colon at its start is a sign
// of the pattern, as that before a type.
func holeOf(text string) (name string, several, ok bool) {
	var found string
	if startsWith(text, ":") {
		return "", false, false
	}
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(blanks+":$", c) }) {
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
