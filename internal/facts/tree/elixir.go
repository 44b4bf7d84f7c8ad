package tree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// elixirRules are those of Elixir. Names of attributes keep their @. The clauses of a
// function are one symbol.
func elixirRules() *rules {
	return &rules{
		apart:    apartParens,
		comments: []string{"comment"},
		visit: map[string]visitor{
			"call":               elixirCall,
			"alias":              func(w *walk, n int32) int32 { return elixirModule(w, n, readRole(w)) },
			"identifier":         elixirIdentifier,
			"unary_operator":     elixirUnary,
			"binary_operator":    elixirBinary,
			"dot":                func(w *walk, n int32) int32 { return elixirDot(w, n, facts.RoleRead, facts.None) },
			"anonymous_function": elixirAnonymous,
			"stab_clause":        elixirClause,
			"do_block":           blockScope,
			"map":                elixirMap,
			"pair":               elixirPair,
			"string":             literalOf(facts.LiteralString),
			"charlist":           literalOf(facts.LiteralString),
			"integer":            literalOf(facts.LiteralNumber),
			"float":              literalOf(facts.LiteralNumber),
			"boolean":            literalOf(facts.LiteralBool),
		},
		state: func() any {
			return &elixirState{functions: map[elixirKey]int32{}, aliases: map[string]string{}, rows: map[string]int32{}, module: facts.None}
		},
	}
}

// elixirPrepare writes a letter for each byte of those beyond ASCII, not all of which
// the grammar knows.
func elixirPrepare(text []byte) []byte {
	foreign := func(b byte) bool { return b >= 0x80 }
	if !slices.ContainsFunc(text, foreign) {
		return text
	}
	text = bytes.Clone(text)
	for i, b := range text {
		if foreign(b) {
			text[i] = 'z'
		}
	}
	return text
}

// elixirKey tells functions and attributes of a file apart.
type elixirKey struct {
	module int32
	name   string
	arity  int
}

// elixirState is what the rules of Elixir remember of a file.
type elixirState struct {
	functions map[elixirKey]int32
	aliases   map[string]string // what the first part of the name of a module stands for
	rows      map[string]int32  // imports by the full name of the module
	module    int32             // the innermost, or None
	full      string            // its name
	doc       span              // what @doc said, of the next function
	piped     int               // arguments that a pipe gives to the next call
	pattern   bool              // identifiers are declared
}

func (w *walk) elixir() *elixirState { return w.state.(*elixirState) }

// elixirFull is the whole name of the module that is written so.
func elixirFull(w *walk, name string) string {
	first, rest, dotted := strings.Cut(name, ".")
	if full, ok := w.elixir().aliases[first]; ok {
		first = full
	}
	if dotted {
		return first + "." + rest
	}
	return first
}

// elixirSplit cuts the whole name of a module before its last part.
func elixirSplit(full string) (prefix, last string) {
	if i := strings.LastIndexByte(full, '.'); i >= 0 {
		return full[:i], full[i+1:]
	}
	return "", full
}

// elixirRow is the import of a module by its whole name.
func elixirRow(w *walk, full string, at uint32) int32 {
	e := w.elixir()
	if i, ok := e.rows[full]; ok {
		return i
	}
	prefix, last := elixirSplit(full)
	w.imports = append(w.imports, facts.Import{Module: prefix, Name: last, Place: facts.Place{At: at}, In: facts.None})
	e.rows[full] = int32(len(w.imports) - 1)
	return e.rows[full]
}

// elixirModule reads the name of a module, used in a role.
func elixirModule(w *walk, n int32, role facts.Role) int32 {
	name := w.text(n)
	if name == "" {
		return facts.None
	}
	_, last := elixirSplit(name)
	at := w.end(n) - uint32(len(last))
	u := w.add(last, at, role, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, elixirLocal(w, name, at)
	return w.expr(facts.OpUse, u, 0)
}

// elixirLocal is the import that a name of a module means: the one that an alias made for
// it, or one of its whole name.
func elixirLocal(w *walk, name string, at uint32) int32 {
	if i, ok := w.elixir().rows["alias "+name]; ok {
		return i
	}
	return elixirRow(w, elixirFull(w, name), at)
}

// elixirIdentifier reads the name of a variable, or of a function that is called
// without brackets. In a pattern it declares a variable.
func elixirIdentifier(w *walk, n int32) int32 {
	name := w.text(n)
	switch {
	case name == "__MODULE__":
		if m := w.elixir().module; m >= 0 {
			return w.expr(facts.OpSymbol, m, 0)
		}
		return facts.None
	case name == "" || strings.HasPrefix(name, "__") || name == "_":
		return facts.None
	case w.elixir().pattern:
		return elixirVariable(w, n, facts.None)
	}
	args := facts.None
	if w.elixir().piped > 0 {
		args = 1
	}
	return w.use(n, readRole(w), args)
}

// elixirVariable declares a variable, or uses the one that its scope has.
func elixirVariable(w *walk, n, value int32) int32 {
	if d, ok := w.declaredIn(w.top(), w.text(n)); ok && d.bind == facts.BindSymbol {
		w.use(n, facts.RoleWrite, facts.None)
		return w.expr(facts.OpSymbol, d.target, 0)
	}
	kind := code.KindVar
	if w.fn != nil && w.fn.yields { // the parameters
		kind = code.KindParam
	}
	y := w.symbol(n, n, kind, facts.Local)
	w.bind(w.top(), y, 0)
	setType(w, y, facts.None, value)
	return w.expr(facts.OpSymbol, y, 0)
}

// elixirPattern reads a pattern, whose names are declared.
func elixirPattern(w *walk, n int32) int32 {
	e := w.elixir()
	defer func(was bool) { e.pattern = was }(e.pattern)
	e.pattern = true
	return w.visit(n)
}

// elixirValue reads what stands in a pattern but is none.
func elixirValue(w *walk, n int32) int32 {
	e := w.elixir()
	defer func(was bool) { e.pattern = was }(e.pattern)
	e.pattern = false
	return w.visit(n)
}

func elixirUnary(w *walk, n int32) int32 {
	operator, operand := w.child(n, "operator"), w.child(n, "operand")
	switch {
	case w.is(operator, "@"):
		return elixirAttribute(w, n, operand)
	case w.is(operator, "^"):
		return elixirValue(w, operand)
	case w.is(operator, "&") && w.is(operand, "binary_operator") && w.is(w.child(operand, "right"), "integer"):
		return elixirCapture(w, operand)
	}
	return w.visitAll(n)
}

// elixirCapture reads name/1 and Module.name/1 behind &.
func elixirCapture(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	args, err := strconv.Atoi(w.text(right))
	if err != nil {
		return w.visitAll(n)
	}
	if w.is(left, "call") {
		left = w.child(left, "target")
	}
	switch {
	case w.is(left, "identifier"):
		return w.use(left, facts.RoleRead, args)
	case w.is(left, "dot"):
		return elixirDot(w, left, facts.RoleRead, args)
	}
	return w.visitAll(n)
}

// elixirDot reads Module.name and value.name.
func elixirDot(w *walk, n int32, role facts.Role, args int) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	object := elixirValue(w, left)
	switch {
	case w.is(right, "identifier"):
		return w.member(right, object, role, args)
	case w.is(right, "alias"): // __MODULE__.Name
		if m := w.elixir().full; m != "" && w.text(left) == "__MODULE__" {
			u := w.add(w.text(right), w.start(right), facts.RoleRead, facts.None)
			w.uses[u].Bind, w.uses[u].Target = facts.BindImport, elixirRow(w, m+"."+w.text(right), w.start(right))
			return w.expr(facts.OpUse, u, 0)
		}
	}
	return w.visit(right)
}

func elixirBinary(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	e := w.elixir()
	switch operator := w.text(w.child(n, "operator")); {
	case operator == "|>":
		w.visit(left)
		e.piped = 1
		value := w.visit(right)
		e.piped = 0
		return value
	case operator == "=" || operator == "<-":
		value := w.visit(right)
		if operator == "<-" {
			value = facts.None
		}
		if w.is(left, "identifier") && w.text(left) != "_" && !strings.HasPrefix(w.text(left), "__") {
			return elixirVariable(w, left, value)
		}
		typ := elixirPattern(w, left)
		if e.pattern && w.is(right, "identifier") { // %User{} = user
			elixirTyped(w, typ)
		}
		return typ
	case operator == "\\\\":
		w.visit(left)
		return elixirValue(w, right)
	case operator == "&&" || operator == "||" || operator == "and" || operator == "or":
		w.branches++
	case operator == "::" && e.pattern:
		w.visit(left)
		return elixirValue(w, right)
	}
	w.visit(left)
	w.visit(right)
	return facts.None
}

// elixirTyped gives the variable that was declared last the type that its pattern says.
func elixirTyped(w *walk, typ int32) {
	if y := len(w.symbols) - 1; typ >= 0 && y >= 0 && w.symbols[y].Flags&facts.Local != 0 && w.symbols[y].Type < 0 {
		w.symbols[y].Type = typ
	}
}

func elixirAnonymous(w *walk, n int32) int32 {
	w.open(scopeFunction)
	w.visitAll(n)
	w.close()
	return facts.None
}

// elixirClause reads pattern -> body.
func elixirClause(w *walk, n int32) int32 {
	if !w.is(w.up(n), "anonymous_function") {
		w.branches++
	}
	w.open(scopeBlock)
	elixirHead(w, w.child(n, "left"))
	elixirValue(w, w.child(n, "right"))
	w.close()
	return facts.None
}

// elixirHead reads patterns with or without a guard.
func elixirHead(w *walk, n int32) {
	if w.is(n, "binary_operator") && w.text(w.child(n, "operator")) == "when" {
		elixirPattern(w, w.child(n, "left"))
		elixirValue(w, w.child(n, "right"))
		return
	}
	elixirPattern(w, n)
}

// elixirMap reads a map or a struct. The keys of a struct are fields of its module.
func elixirMap(w *walk, n int32) int32 {
	s := w.childOf(n, "struct")
	typ := int32(facts.None)
	if s >= 0 {
		if name := w.only(s); w.is(name, "alias") {
			typ = elixirModule(w, name, facts.RoleType)
		} else {
			typ = w.visit(name)
		}
	}
	for c := range w.kids(w.childOf(n, "map_content")) {
		if !w.is(c, "keywords") || typ < 0 {
			w.visit(c)
			continue
		}
		for pair := range w.kids(c) {
			if name, at := elixirKeyword(w, w.child(pair, "key")); name != "" {
				u := w.add(name, at, facts.RoleWrite, facts.None)
				w.uses[u].Bind, w.uses[u].Target = facts.BindMember, typ
			}
			w.visit(w.child(pair, "value"))
		}
	}
	return w.value(typ)
}

func elixirPair(w *walk, n int32) int32 {
	if key := w.child(n, "key"); !w.is(key, "keyword") {
		w.visit(key)
	}
	return w.visit(w.child(n, "value"))
}

// elixirKeyword is the name of a key such as name:, and its place; empty for another one.
func elixirKeyword(w *walk, n int32) (name string, at uint32) {
	if !w.is(n, "keyword") {
		return "", 0
	}
	name = strings.TrimRight(w.text(n), ": \t\r\n")
	if strings.HasPrefix(name, `"`) {
		return "", 0
	}
	return name, w.start(n)
}

// elixirCall reads a call, which may be a declaration.
func elixirCall(w *walk, n int32) int32 {
	target, list := w.child(n, "target"), w.childOf(n, "arguments")
	e := w.elixir()
	piped := e.piped
	e.piped = 0
	if w.is(target, "identifier") {
		switch w.text(target) {
		case "defmodule", "defprotocol", "defimpl":
			return elixirDefmodule(w, n, list)
		case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
			return elixirDef(w, n, list, w.text(target))
		case "alias", "import", "require", "use":
			return elixirBring(w, list, w.text(target))
		case "defstruct", "defexception":
			return elixirStruct(w, list)
		case "if", "unless", "for", "with":
			w.branches++
			w.open(scopeBlock)
			w.visitOther(n, target)
			w.close()
			return facts.None
		case "case", "cond", "receive", "try", "quote", "unquote":
			w.visitOther(n, target)
			return facts.None
		}
	}
	args := elixirCount(w, list) + piped
	if w.has(n, "do_block") {
		args++
	}
	f := int32(facts.None)
	switch {
	case w.is(target, "identifier"):
		f = w.use(target, facts.RoleCall, args)
	case w.is(target, "dot"):
		role := facts.RoleCall
		if list < 0 && !w.is(w.child(target, "left"), "alias") && piped == 0 {
			role, args = facts.RoleRead, facts.None
		}
		f = elixirDot(w, target, role, args)
	default:
		w.visit(target)
	}
	w.visitOther(n, target)
	return w.of(facts.OpCall, f, 0)
}

func elixirCount(w *walk, list int32) int {
	count := 0
	for range w.kids(list) {
		count++
	}
	return count
}

// elixirDefmodule reads a module, a protocol or the implementation of one.
func elixirDefmodule(w *walk, n, list int32) int32 {
	name := w.only(list)
	if !w.is(name, "alias") {
		w.visitOther(n, w.child(n, "target"))
		return facts.None
	}
	e := w.elixir()
	prefix, last := elixirSplit(w.text(name))
	at := w.end(name) - uint32(len(last))
	kind, full := code.KindModule, w.text(name)
	switch w.text(w.child(n, "target")) {
	case "defprotocol":
		kind = code.KindInterface
	case "defimpl":
		kind = code.KindClass
	}
	if e.full != "" && kind != code.KindClass {
		e.aliases[strings.SplitN(full, ".", 2)[0]] = e.full + "." + strings.SplitN(full, ".", 2)[0]
		full = e.full + "." + full
	}
	m := w.symbolAt(last, at, w.start(n), w.end(n), kind, facts.Exported)
	w.symbols[m].Owner = prefix
	w.signature(m, w.start(n), w.childOf(n, "do_block"))
	w.symbols[m].SigEnd = max(w.symbols[m].SigStart, min(w.symbols[m].SigEnd, w.end(list)))
	w.document(m, w.start(n))
	if kind == code.KindClass {
		full = e.full
	}
	outer, fn := *e, w.fn
	e.aliases = map[string]string{}
	for local, to := range outer.aliases {
		e.aliases[local] = to
	}
	e.module, e.full, e.doc, w.fn = m, full, span{}, nil
	w.within(m, func() {
		if kind == code.KindClass {
			elixirModule(w, name, facts.RoleImplement)
			w.visitOther(list, name)
		}
		w.open(scopeNamespace)
		if block := w.childOf(n, "do_block"); block >= 0 {
			w.visitAll(block)
		}
		w.close()
	})
	e.module, e.full, e.aliases, e.doc, w.fn = outer.module, outer.full, outer.aliases, span{}, fn
	return facts.None
}

// elixirDef reads a clause of a function or a macro.
func elixirDef(w *walk, n, list int32, word string) int32 {
	head := w.only(list)
	guard := int32(facts.None)
	if w.is(head, "binary_operator") && w.text(w.child(head, "operator")) == "when" {
		head, guard = w.child(head, "left"), w.child(head, "right")
	}
	name, parameters := head, int32(facts.None)
	switch {
	case w.is(head, "call"):
		name, parameters = w.child(head, "target"), w.childOf(head, "arguments")
	case w.is(head, "binary_operator"): // of an operator
		name = w.child(head, "operator")
	}
	if !w.is(name, "identifier") {
		w.visitOther(n, w.child(n, "target"))
		return facts.None
	}
	f := elixirFunction(w, n, name, parameters, word)
	outer, branches := w.fn, w.branches
	w.within(f, func() {
		w.open(scopeFunction)
		w.fn = &function{symbol: f, yields: true}
		for p := range w.kids(parameters) {
			elixirPattern(w, p)
		}
		w.fn.yields = false
		w.visit(guard)
		for c := range w.kids(list) {
			if w.is(c, "keywords") {
				w.visit(c)
			}
		}
		if block := w.childOf(n, "do_block"); block >= 0 {
			w.visitAll(block)
		}
		w.close()
	})
	w.fn = outer
	w.symbols[f].Complexity = uint16(min(max(1, int(w.symbols[f].Complexity))+w.branches-branches, 0xffff))
	return facts.None
}

// elixirFunction is the symbol of a function, declared by its first clause.
func elixirFunction(w *walk, n, name, parameters int32, word string) int32 {
	e := w.elixir()
	least, most := 0, 0
	for p := range w.kids(parameters) {
		most++
		if !w.is(p, "binary_operator") || w.text(w.child(p, "operator")) != "\\\\" {
			least++
		}
	}
	doc := e.doc
	e.doc = span{}
	key := elixirKey{e.module, w.text(name), most}
	if f, ok := e.functions[key]; ok {
		if w.end(n) > w.symbols[f].End {
			w.symbols[f].End = w.end(n)
		}
		if w.symbols[f].Complexity > 0 {
			w.symbols[f].Complexity++
		}
		return f
	}
	kind, flags := code.KindFunc, facts.Exported
	switch word {
	case "defmacro", "defmacrop", "defguard", "defguardp":
		kind = code.KindMacro
	}
	if strings.HasSuffix(word, "p") {
		flags = 0
	}
	f := w.symbol(name, n, kind, flags)
	e.functions[key] = f
	w.bind(max(0, w.enclosing(scopeNamespace)), f, 0)
	w.arguments(f, least, most, false)
	w.symbols[f].SigEnd = max(w.end(name), w.end(max(parameters, name)))
	if w.document(f, w.start(n)); doc.end > doc.start {
		w.symbols[f].DocStart, w.symbols[f].DocEnd = doc.start, doc.end
	}
	return f
}

// elixirBring reads alias, import, require and use.
func elixirBring(w *walk, list int32, word string) int32 {
	name := w.only(list)
	if w.is(name, "dot") { // alias A.{B, C}
		prefix := w.text(w.child(name, "left"))
		for c := range w.kids(w.child(name, "right")) {
			if w.is(c, "alias") {
				elixirBrought(w, c, elixirFull(w, prefix)+"."+w.text(c), facts.None, word)
			}
		}
		return facts.None
	}
	if !w.is(name, "alias") {
		return w.visitAll(list)
	}
	as := int32(facts.None)
	for c := range w.kids(w.childOf(list, "keywords")) {
		if key, _ := elixirKeyword(w, w.child(c, "key")); key == "as" {
			as = w.child(c, "value")
		}
	}
	elixirBrought(w, name, elixirFull(w, w.text(name)), as, word)
	for c := range w.kids(list) {
		if c != name && (!w.is(c, "keywords") || word == "use") {
			w.visit(c)
		}
	}
	return facts.None
}

// elixirBrought reads the name of a module that a file brings.
func elixirBrought(w *walk, n int32, full string, as int32, word string) {
	e := w.elixir()
	prefix, last := elixirSplit(full)
	_, written := elixirSplit(w.text(n))
	at := w.end(n) - uint32(len(written))
	row := elixirRow(w, full, at)
	u := w.add(written, at, facts.RoleImport, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, row
	switch word {
	case "alias":
		if w.is(as, "alias") {
			w.imports = append(w.imports, facts.Import{Module: prefix, Name: last, Local: w.text(as), Place: facts.Place{At: w.start(as)}, In: facts.None})
			e.rows["alias "+w.text(as)] = int32(len(w.imports) - 1)
			last = w.text(as)
		}
		e.aliases[last] = full
	case "import", "use":
		flags := facts.Flags(0)
		if word == "use" {
			flags = facts.Exported
		}
		w.imports = append(w.imports, facts.Import{Module: full, Name: "*", Place: facts.Place{At: at}, In: facts.None, Flags: flags})
	}
}

// elixirStruct declares the fields of a struct.
func elixirStruct(w *walk, list int32) int32 {
	field := func(name string, at, start, end uint32) {
		if name == "" || w.elixir().module < 0 {
			return
		}
		y := w.symbolAt(name, at, start, end, code.KindField, facts.Exported)
		w.symbols[y].Parent = w.elixir().module
	}
	var read func(n int32)
	read = func(n int32) {
		for c := range w.kids(n) {
			switch {
			case w.is(c, "list"), w.is(c, "keywords"):
				read(c)
			case w.is(c, "pair"):
				name, at := elixirKeyword(w, w.child(c, "key"))
				field(name, at, w.start(c), w.end(c))
				w.visit(w.child(c, "value"))
			case w.is(c, "atom"):
				field(strings.TrimPrefix(w.text(c), ":"), w.start(c)+1, w.start(c), w.end(c))
			default:
				w.visit(c)
			}
		}
	}
	read(list)
	return facts.None
}

// elixirAttribute reads @name and @name value.
func elixirAttribute(w *walk, n, operand int32) int32 {
	e := w.elixir()
	if !w.is(operand, "call") {
		if w.is(operand, "identifier") && strings.HasPrefix(w.src[w.start(n):], "@"+w.text(operand)) {
			return w.useIn(w.top(), "@"+w.text(operand), w.start(n), facts.RoleRead, facts.None)
		}
		return w.visit(operand)
	}
	name, list := w.text(w.child(operand, "target")), w.childOf(operand, "arguments")
	switch first := w.only(list); name {
	case "doc", "moduledoc", "typedoc", "shortdoc":
		if name == "doc" && (w.is(first, "string") || w.is(first, "sigil")) {
			e.doc = span{w.start(first), w.end(first)}
		}
		w.visit(list)
	case "spec", "callback", "macrocallback":
		elixirSpec(w, n, first, name)
	case "type", "typep", "opaque":
		elixirType(w, n, first)
	case "behaviour", "impl":
		if w.is(first, "alias") {
			elixirModule(w, first, facts.RoleImplement)
		}
	default:
		elixirConstant(w, n, name)
		w.visit(list)
	}
	return facts.None
}

// elixirConstant declares an attribute of a module the first time that it is set.
func elixirConstant(w *walk, n int32, name string) {
	key := elixirKey{w.elixir().module, "@" + name, -1}
	if _, ok := w.elixir().functions[key]; ok || w.fn != nil {
		w.useIn(w.top(), "@"+name, w.start(n), facts.RoleWrite, facts.None)
		return
	}
	if !strings.HasPrefix(w.src[w.start(n):], "@"+name) {
		return
	}
	y := w.symbolAt("@"+name, w.start(n), w.start(n), w.end(n), code.KindConst, 0)
	w.elixir().functions[key] = y
	w.bind(max(0, w.enclosing(scopeNamespace)), y, 0)
}

// elixirSpec reads what a function takes and gives: of a callback it is the declaration.
func elixirSpec(w *walk, n, spec int32, word string) {
	if w.is(spec, "binary_operator") && w.text(w.child(spec, "operator")) == "when" {
		w.visitType(w.child(spec, "right"))
		spec = w.child(spec, "left")
	}
	head, result := w.child(spec, "left"), w.child(spec, "right")
	name, list := w.child(head, "target"), w.childOf(head, "arguments")
	if w.is(name, "identifier") {
		if count := elixirCount(w, list); word == "spec" {
			w.use(name, facts.RoleType, count)
		} else {
			y := w.symbol(name, n, code.KindFunc, facts.Exported|facts.Abstract)
			w.arguments(y, count, count, false)
			w.symbols[y].DocStart, w.symbols[y].DocEnd = w.elixir().doc.start, w.elixir().doc.end
			w.elixir().doc = span{}
		}
	}
	w.visitType(list)
	w.visitType(result)
}

// elixirType reads @type name :: what it is.
func elixirType(w *walk, n, typ int32) {
	left, right := w.child(typ, "left"), w.child(typ, "right")
	name := left
	if w.is(left, "call") {
		name = w.child(left, "target")
	}
	if w.is(name, "identifier") {
		y := w.symbol(name, n, code.KindType, facts.Exported)
		w.bind(max(0, w.enclosing(scopeNamespace)), y, 0)
	}
	w.visitType(right)
}
