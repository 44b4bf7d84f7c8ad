package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/wordset"
)

// rustMacro declares a macro and reads what its rules become.
func rustMacro(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return facts.None
	}
	exported := facts.Flags(0)
	if rustHasAttribute(w, n, "macro_export") {
		exported = facts.Exported
	}
	y := rustSymbol(w, name, n, code.KindMacro)
	w.symbols[y].Flags |= exported
	w.declare(w.top(), rustMacroKey(w.text(name)), w.start(name), 0, facts.BindSymbol, y)
	w.symbols[y].MaxArgs = facts.ManyArgs
	w.symbols[y].Complexity = 1
	w.signature(y, w.start(n), w.childOf(n, "macro_rule"))
	outer := w.fn
	w.fn = &function{symbol: y, returns: facts.None}
	w.within(y, func() {
		for rule := range w.kids(n) {
			if body := w.child(rule, "right"); body >= 0 {
				w.open(scopeFunction)
				rustBody(w, body)
				w.close()
			}
		}
	})
	w.fn = outer
	return facts.None
}

// rustMacroKey is the name by which scopes know a macro: macros and functions may
// have one name.
func rustMacroKey(name string) string { return name + "!" }

// rustHasAttribute reports whether an attribute of a name stands before item n.
func rustHasAttribute(w *walk, n int32, name string) bool {
	if !rustLeads(w, w.rust().lead, n) {
		return false
	}
	for a := w.rust().lead; a < n; a = w.t.Nodes[a].Next {
		if w.text(w.only(w.childOf(a, "attribute"))) == name {
			return true
		}
	}
	return false
}

// rustFormats are macros that read names within their text.
var rustFormats = []string{"print", "println", "eprint", "eprintln", "format", "format_args", "write", "writeln", "panic", "assert", "assert_eq", "assert_ne",
	"debug_assert", "debug_assert_eq", "debug_assert_ne", "todo", "unreachable", "unimplemented", "trace", "debug", "info", "warn", "error", "bail", "ensure", "anyhow"}

var rustPlaceholder = pattern.New(`\{([a-z_][a-zA-Z0-9_]*)[:}]`)

func rustMacroCall(w *walk, n int32) int32 {
	name := w.child(n, "macro")
	if w.is(name, "identifier") {
		rustMacroUse(w, name)
	} else {
		rustRef(w, name, facts.RoleCall, facts.MacroArgs)
	}
	first := int32(facts.None)
	for c := range w.kids(n) {
		if w.is(c, "token_tree") {
			if slices.Contains(rustFormats, w.text(name)) {
				rustFormat(w, c)
			}
			first = rustBody(w, c)
		}
	}
	switch w.text(max(name, 0)) {
	case "vec":
		return w.expr(facts.OpLiteral, facts.LiteralList, first)
	case "format", "concat", "stringify":
		return w.literal(facts.LiteralString)
	case "dbg":
		return first
	}
	return facts.None
}

// rustMacroUse is the use of a macro by its name alone.
func rustMacroUse(w *walk, name int32) int32 {
	if w.text(name) == "" {
		return facts.None
	}
	u := w.add(w.text(name), w.start(name), facts.RoleCall, facts.MacroArgs)
	w.names[u] = w.number(rustMacroKey(w.text(name)))
	w.scopes[w.top()].pending = append(w.scopes[w.top()].pending, u)
	return w.expr(facts.OpUse, u, 0)
}

// rustFormat reads the names in the text of a format.
func rustFormat(w *walk, tokens int32) {
	for c := range w.kids(tokens) {
		if !w.is(c, "string_literal") && !w.is(c, "raw_string_literal") {
			continue
		}
		text := strings.ReplaceAll(w.text(c), "{{", "\x00\x00")
		for _, m := range rustPlaceholder().FindAllStringSubmatchIndex(text, -1) {
			w.useIn(w.top(), text[m[2]:m[3]], w.start(c)+uint32(m[2]), facts.RoleRead, facts.None)
		}
		return
	}
}

// maxRustMacros bounds the macros within macros that are parsed.
const maxRustMacros = 6

// rustBody reads what is between the brackets of a macro: as code if that is what
// it is, else token by token. It returns the value of the first argument.
func rustBody(w *walk, tokens int32) int32 {
	r := w.rust()
	if items, ok := rustConditional(w.text(tokens)); ok && r.macros < maxRustMacros && rustItems(w, tokens, items) {
		return facts.None
	}
	if r.macros >= maxRustMacros || !rustNests(w.text(tokens)) && w.src[w.start(tokens)] != '[' {
		return rustTokens(w, tokens)
	}
	first, lead, read := int32(facts.None), r.lead, false
	r.lead, r.macros = facts.None, r.macros+1
	w.embeddedAs(w.start(tokens), rustListed(w.text(tokens)), func(root int32) {
		if read = rustReadable(w); read {
			first = rustCode(w, root)
		}
	})
	r.lead, r.macros = lead, r.macros-1
	if !read {
		return rustTokens(w, tokens)
	}
	return first
}

// rustItems reads the items that a macro is given for builds to choose among, as if they
// stood where it is called. It returns false where they cannot be read.
func rustItems(w *walk, tokens int32, items []byte) (read bool) {
	r := w.rust()
	lead := r.lead
	r.lead, r.macros = facts.None, r.macros+1
	w.embeddedAs(w.start(tokens), items, func(root int32) {
		if read = rustReadable(w); read {
			w.visitAll(root)
		}
	})
	r.lead, r.macros = lead, r.macros-1
	return read
}

// rustConditional is what is between the brackets of a macro such as cfg_if without
// the conditions and the braces round each choice: if #[cfg(unix)] { ... } else { ... }
func rustConditional(tokens string) (items []byte, ok bool) {
	if len(tokens) < 2 || !strings.HasPrefix(strings.TrimLeft(tokens[1:], " \t\r\n"), "if #[cfg(") {
		return nil, false
	}
	text := []byte(tokens)
	depth := 0 // of braces, those round the choices are the second
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := cQuoted(tokens, i)
			if depth < 2 {
				blank(text[i:end])
			}
			i = end - 1
		case c == '\'' && i+2 < len(text) && text[i+2] == '\'':
			i += 2
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '{':
			if depth++; depth <= 2 {
				text[i] = ' '
			}
		case c == '}':
			if depth--; depth < 2 {
				text[i] = ' '
			}
		case depth < 2 && c != '\n':
			text[i] = ' '
		}
	}
	return text, depth == 0
}

// blank overwrites a text, lines aside.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// rustNests reports whether a text has closures, blocks, literals of structs or
// type arguments outside of quotes: tokens alone do not tell what these are.
func rustNests(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = cQuoted(text, i) - 1
		case '{':
			return true
		case '|':
			if i++; i >= len(text) || text[i] != '|' {
				return true
			}
		case '<':
			if strings.HasSuffix(text[:i], "::") {
				return true
			}
		}
	}
	return false
}

// rustListed is what is between the brackets of a macro as a list of values: [a; b]
// becomes (a, b).
func rustListed(tokens string) []byte {
	text := []byte(tokens)
	if len(text) < 2 || text[0] != '[' {
		return text
	}
	text[0], text[len(text)-1] = '(', ')'
	depth := 0
	for i, c := range text[1 : len(text)-1] {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			if depth == 0 {
				text[i+1] = ','
			}
		}
	}
	return text
}

// rustReadable reports whether the text in the brackets of a macro is code: all
// of it is read, and nothing is declared under a name that the macro is given.
func rustReadable(w *walk) bool {
	for i := range w.t.Nodes {
		n := int32(i)
		if w.t.Nodes[i].Kind == kindError || w.is(n, "metavariable") && w.field(n) == "name" {
			return false
		}
	}
	return true
}

// rustCode reads a list of values or a block. In a list, name = value gives an
// argument by its name.
func rustCode(w *walk, root int32) int32 {
	list := w.only(root)
	if w.is(list, "expression_statement") {
		list = w.only(list)
	}
	switch {
	case w.is(list, "block") && w.fn == nil:
		return w.visitAll(list)
	case !w.is(list, "tuple_expression") && !w.is(list, "parenthesized_expression"):
		return w.visitAll(root)
	}
	first, count := int32(facts.None), 0
	for c := range w.kids(list) {
		v := int32(facts.None)
		if w.is(c, "assignment_expression") && w.is(w.child(c, "left"), "identifier") {
			v = w.visit(w.child(c, "right"))
		} else {
			v = w.visit(c)
		}
		if count++; count == 1 {
			first = v
		}
	}
	return first
}

// rustTokens reads the arguments of a macro without knowing it: names, members and
// calls.
func rustTokens(w *walk, n int32) int32 {
	rustArguments(w, n, true)
	return facts.None
}

// rustArguments reads names, members and calls in the arguments of a macro or of an
// attribute. Of an attribute most names are words of its own: the others are those of
// types, what follows = or =>, and what fills the text that it begins with. Where all names
// count, nothing is looked at between them.
func rustArguments(w *walk, n int32, all bool) {
	before, value, filled := int32(facts.None), all, false // before: what the last token stands for
	from := w.start(n) + 1
	for c := range w.kids(n) {
		if !all {
			signs := w.src[min(from, w.start(c)):w.start(c)]
			if i := strings.LastIndexByte(signs, ','); i >= 0 {
				value, signs = filled, signs[i:]
			}
			value = value || strings.Contains(signs, "=")
		}
		switch w.kind(c) {
		case "identifier", "self", "super", "crate", "metavariable":
			if all || rustIsValue(w, c, value) {
				before = rustToken(w, c, before)
			}
		case "token_tree":
			rustArguments(w, c, value)
			if w.src[w.start(c)] == '[' {
				before = w.of(facts.OpElem, before, 0)
			} else {
				before = w.of(facts.OpCall, before, 0)
			}
		case "?":
			before = w.of(facts.OpElem, before, 0)
		case "::":
		case "string_literal", "raw_string_literal":
			if !all && value {
				rustNamed(w, c)
			}
			before, filled = facts.None, filled || !value
		default:
			before = facts.None
			continue
		}
		from = w.end(c)
	}
}

// rustNaming are the words of attributes whose text is the path of a function or module.
// Sources: serde, "Field attributes"; validator, "custom".
var rustNaming = wordset.Of("default with serialize_with deserialize_with skip_serializing_if getter custom function")

var rustQuoted = pattern.New(`^"[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*"$`)

// rustNamed reads the path that an attribute gives as a text: default = "config::port".
func rustNamed(w *walk, text int32) {
	path, at := w.text(text), w.start(text)+1
	behind := strings.TrimRight(w.src[:w.start(text)], " \t\r\n=")
	if word := strings.LastIndexAny(behind, " \t\r\n(,") + 1; !rustNaming[behind[word:]] || !rustQuoted().MatchString(path) {
		return
	}
	object := int32(facts.None)
	names := strings.Split(strings.Trim(path, `"`), "::")
	for i, name := range names {
		role := facts.RoleType
		if i == len(names)-1 {
			role = facts.RoleRead
		}
		switch {
		case i > 0:
			object = w.memberAt(name, at, object, role, facts.None)
		case name == "crate" || name == "super" || name == "self":
			object = w.expr(facts.OpUse, w.add(name, at, facts.RoleRead, facts.None), 0)
		default:
			object = w.useIn(w.top(), name, at, role, facts.None)
		}
		at += uint32(len(name) + len("::"))
	}
}

// rustIsValue reports whether a name in the arguments of an attribute is none of the words
// of the attribute: value tells that it stands where a value does.
func rustIsValue(w *walk, n int32, value bool) bool {
	ahead := strings.TrimLeft(w.src[w.end(n):], " \t\r\n")
	if strings.HasPrefix(ahead, "=") && !strings.HasPrefix(ahead, "=>") && !strings.HasPrefix(ahead, "==") {
		return false
	}
	first := w.src[w.start(n)]
	return value || first >= 'A' && first <= 'Z'
}

func rustToken(w *walk, n, before int32) int32 {
	ahead := strings.TrimLeft(w.src[w.end(n):], " \t\r\n")
	behind := strings.TrimRight(w.src[max(0, int(w.start(n))-200):w.start(n)], " \t\r\n")
	role, args := facts.RoleRead, facts.None
	switch {
	case strings.HasPrefix(ahead, "!") && !strings.HasPrefix(ahead, "!="):
		role, args = facts.RoleCall, facts.MacroArgs
	case strings.HasPrefix(ahead, "("), strings.HasPrefix(ahead, "::<"):
		role = facts.RoleCall
	case strings.HasPrefix(ahead, "::"):
		role = facts.RoleType
	}
	if k := w.kind(n); k != "identifier" {
		if k != "self" || role == facts.RoleType {
			return rustPrefix(w, n)
		}
		return w.use(n, role, facts.None)
	}
	if strings.HasSuffix(behind, ".") && !strings.HasSuffix(behind, "..") || strings.HasSuffix(behind, "::") {
		return w.member(n, before, role, args)
	}
	switch {
	case w.text(n) == "Self":
		return w.rust().impl.self
	case args == facts.MacroArgs:
		return rustMacroUse(w, n)
	}
	return w.use(n, role, facts.None)
}
