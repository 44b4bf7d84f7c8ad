package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/wordset"
)

// cMacro declares a macro. The names in its text are found without parsing it.
func cMacro(w *walk, n int32) int32 {
	name, value := w.child(n, "name"), w.child(n, "value")
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, n, code.KindMacro, facts.Exported)
	w.symbols[y].Parent = facts.None
	w.bind(0, y, 0)
	w.signature(y, w.start(n), value)
	w.document(y, w.start(n))
	w.symbols[y].Complexity = 1
	params := map[string]bool{}
	if list := w.child(n, "parameters"); list >= 0 {
		many := false
		var names []string
		for p := range w.kids(list) {
			if w.is(p, "identifier") {
				params[w.text(p)] = true
				names = append(names, w.text(p))
			} else {
				many = true
			}
		}
		w.arguments(y, len(params), len(params), many)
		w.c().paste(w.text(name), names, w.text(max(value, 0)), value >= 0)
	}
	if value >= 0 {
		w.within(y, func() { cTokens(w, w.start(value), w.text(value), params, cReadFields(w.text(value))) })
	}
	return facts.None
}

// maxPasted bounds the parameters of a macro that are looked at.
const maxPasted = 64

// paste notes which parameters of a macro are only made parts of other names or
// of texts, by each of its definitions.
func (c *cState) paste(macro string, params []string, text string, has bool) {
	only := uint64(0)
	if has && strings.Contains(text, "#") {
		for i, p := range params[:min(len(params), maxPasted)] {
			if cOnlyPasted(text, p) {
				only |= 1 << i
			}
		}
	}
	if before, ok := c.pasted[macro]; ok {
		only &= before
	} else if only == 0 {
		return
	}
	c.pasted[macro] = only
}

// cOnlyPasted reports whether a name stands in the text of a macro, and nowhere
// but beside # or ##.
func cOnlyPasted(text, name string) bool {
	found := false
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return found
		}
		i += at
		at = i + len(name)
		if i > 0 && cPart(text[i-1]) || at < len(text) && cPart(text[at]) {
			continue
		}
		found = true
		before, after := strings.TrimRight(text[:i], " \t\\\r\n"), strings.TrimLeft(text[at:], " \t\\\r\n")
		if !strings.HasSuffix(before, "#") && !strings.HasPrefix(after, "##") {
			return false
		}
	}
}

// cPart reports whether a byte is part of a name.
func cPart(c byte) bool { return cLetter(c) || c >= '0' && c <= '9' }

// isPasted reports whether argument n of a call of a macro is a name that is only
// made a part of others.
func (w *walk) isPasted(callee, argument int32, n int) bool {
	only, ok := uint64(0), false
	if len(w.c().pasted) > 0 && w.is(callee, "identifier") && w.is(argument, "identifier") && n < maxPasted {
		only, ok = w.c().pasted[w.text(callee)]
	}
	return ok && only&(1<<n) != 0
}

// cDefined reads what asks whether a macro is defined: the name means no function
// and no type. One in capitals is a macro without being told.
func cDefined(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if w.is(n, "preproc_defined") {
		name = w.childOf(n, "identifier")
	}
	if name >= 0 {
		if cUpper(w.text(name)) {
			w.use(name, facts.RoleRead, facts.None)
		} else {
			w.member(name, w.expr(facts.OpTop, 1, 0), facts.RoleRead, facts.None)
		}
	}
	w.visitOther(n, name)
	return facts.None
}

// cKeywords are the keywords that macros contain.
var cKeywords = wordset.Of(`auto bool break case catch char class const const_cast constexpr continue decltype default define defined
	delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept
	nullptr operator private protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast
	struct switch template this throw true try typedef typename union unsigned using virtual void volatile while __VA_ARGS__ __VA_OPT__`)

// cTokens reads the names in the text of a macro, which may declare fields.
func cTokens(w *walk, at uint32, text string, params map[string]bool, fields *cFields) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\'':
			i = cQuoted(text, i)
		case c == '/' && strings.HasPrefix(text[i:], "//"):
			return
		case c == '/' && strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return
			}
			i += end + 4
		case cLetter(c):
			end := i
			for end < len(text) && (cLetter(text[end]) || text[end] >= '0' && text[end] <= '9') {
				end++
			}
			if name := text[i:end]; params[name] || !fields.declare(w, at, i, name) {
				cToken(w, at, text, i, end, params)
			}
			i = end
		case c >= '0' && c <= '9':
			for i < len(text) && (cLetter(text[i]) || text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
				i++
			}
		default:
			i++
		}
	}
}

// cQuoted returns the byte behind the literal that starts at byte i.
func cQuoted[T string | []byte](text T, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func cToken(w *walk, at uint32, text string, start, end int, params map[string]bool) {
	name := text[start:end]
	if cKeywords[name] || params[name] {
		return
	}
	before := strings.TrimRight(text[:start], " \t\\\r\n")
	if strings.HasSuffix(before, "#") {
		return
	}
	role := facts.RoleRead
	if strings.HasPrefix(strings.TrimLeft(text[end:], " \t"), "(") {
		role = facts.RoleCall
	}
	place := at + uint32(start)
	if strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->") || strings.HasSuffix(before, "::") {
		u := w.add(name, place, role, facts.None)
		w.uses[u].Bind = facts.BindMember
		return
	}
	w.useIn(w.top(), name, place, role, facts.None)
}

// cStart adds uses for the names in hidden text: macros are called, and the conditions
// of hidden directives are read.
func cStart(w *walk) {
	hidden := cHidden([]byte(w.src))
	lines, _ := cBranches(cover([]byte(w.src), hidden, ' '))
	for _, l := range lines {
		switch word, rest := cDirectiveWord([]byte(w.src[l.start+1 : l.end])); word {
		case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef":
			cTokens(w, l.end-uint32(len(rest)), string(rest), nil, nil)
		}
	}
	for _, h := range hidden {
		text := w.src[h.start:h.end]
		if !cLetter(text[0]) || strings.HasPrefix(text, "extern") { // a brace, a directive
			continue
		}
		name := text[:cWordEnd([]byte(text), 0, len(text))]
		w.useIn(0, name, h.start, facts.RoleCall, facts.None)
		cTokens(w, h.start+uint32(len(name)), text[len(name):], nil, nil)
	}
}

// cNamesFirst are the macros of the library of tests that make a function of their first
// argument and its parameters of the others: https://google.github.io/googletest/reference/actions.html
var cNamesFirst = pattern.New(`^(?:ACTION|MATCHER)_P\d*$`)

// cMacroFunction reads a definition by a macro, as in TEST(Suite, Name) {...}. The
// name of the function is the last argument, or the first if others are not names.
func cMacroFunction(w *walk, n int32, d declarator) bool {
	if w.child(n, "type") >= 0 || d.function < 0 || !w.is(d.name, "identifier") || !cUpper(w.text(d.name)) {
		return false
	}
	list := w.child(d.function, "parameters")
	if list < 0 {
		return false
	}
	first, last, plain, count := int32(facts.None), int32(facts.None), true, 0
	for p := range w.kids(list) {
		count++
		name := w.child(p, "type")
		if !w.is(name, "type_identifier") || w.child(p, "declarator") >= 0 {
			plain = false
			continue
		}
		if first < 0 {
			first = name
		}
		last = name
	}
	several := plain && count > 1 // of which the macro makes a name, which the last is a part of
	if !plain || cNamesFirst().MatchString(w.text(d.name)) {
		last, several = first, false
	}
	w.use(d.name, facts.RoleCall, count)
	for p := range w.kids(list) {
		if t := w.child(p, "type"); t != last {
			w.visitType(t)
		}
	}
	body := w.childOf(n, "compound_statement")
	if last < 0 {
		w.visit(body)
		return true
	}
	f := w.symbol(last, n, code.KindFunc, cFlags(w, n, cTop(w)))
	if !several {
		w.bind(cTop(w), f, 0)
	}
	w.signature(f, w.start(n), body)
	w.document(f, w.start(n))
	branches := w.branches
	w.within(f, func() {
		w.open(scopeFunction)
		w.visit(body)
		w.close()
	})
	w.symbols[f].MaxArgs = facts.ManyArgs
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	return true
}

// cMacroBody reads a statement outside of functions. A macro without a semicolon
// before a block, as in TEST_CASE("title") {...}, makes a function of it: one
// without a name that others can use. It is called by its title here.
func cMacroBody(w *walk, n int32) int32 {
	call, body := w.only(n), w.t.Nodes[n].Next
	if w.isLocal(w.top()) || !w.is(call, "call_expression") || int(body) >= len(w.t.Nodes) || !w.is(body, "compound_statement") {
		return w.visitAll(n)
	}
	macro := w.child(call, "function")
	if !w.is(macro, "identifier") || !cUpper(w.text(macro)) || w.text(n)[len(w.text(n))-1] == ';' {
		return w.visitAll(n)
	}
	title := w.childOf(w.childOf(w.child(call, "arguments"), "string_literal"), "string_content")
	if title < 0 {
		title = macro
	}
	w.visitAll(n)
	f := w.symbol(title, n, code.KindFunc, facts.Local)
	w.symbols[f].End, w.symbols[f].MaxArgs = w.end(body), facts.ManyArgs
	w.signature(f, w.start(n), body)
	w.within(f, func() {
		w.open(scopeFunction)
		w.visitAll(body)
		w.close()
	})
	w.c().body = body
	return facts.None
}

// cBlock reads a block, unless it was read as that of a function.
func cBlock(w *walk, n int32) int32 {
	if n == w.c().body {
		return facts.None
	}
	return blockScope(w, n)
}

func cUpper(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}
