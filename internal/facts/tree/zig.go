package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// zigRules are those of Zig. A file is a struct, and so is what @import gives. A
// struct, an enum or a union that has no name of its own belongs to the function that
// returns it.
func zigRules() *rules {
	r := &rules{
		branches: []string{"if_statement", "if_expression", "if_type_expression", "for_statement", "for_expression", "while_statement", "while_expression", "catch_expression"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"variable_declaration":         zigVariable,
			"function_declaration":         zigFunction,
			"function_signature":           zigSignature,
			"container_field":              zigField,
			"test_declaration":             zigTest,
			"struct_declaration":           zigUnnamed,
			"opaque_declaration":           zigUnnamed,
			"enum_declaration":             zigUnnamed,
			"union_declaration":            zigUnnamed,
			"error_set_declaration":        zigUnnamed,
			"block":                        blockScope,
			"if_statement":                 zigPayloads,
			"if_expression":                zigPayloads,
			"for_statement":                zigPayloads,
			"for_expression":               zigPayloads,
			"while_statement":              zigPayloads,
			"while_expression":             zigPayloads,
			"else_clause":                  zigPayloads,
			"catch_expression":             zigPayloads,
			"errdefer_statement":           zigPayloads,
			"identifier":                   func(w *walk, n int32) int32 { return w.use(n, readRole(w), facts.None) },
			"field_expression":             func(w *walk, n int32) int32 { return zigRef(w, n, readRole(w), facts.None) },
			"call_expression":              zigCall,
			"builtin_function":             zigBuiltin,
			"struct_initializer":           zigLiteral,
			"anonymous_struct_initializer": zigLiteral,
			"assignment_expression":        zigAssignment,
			"binary_expression":            zigBinary,
			"try_expression":               func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"comptime_expression":          func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"parenthesized_expression":     func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"null_coercion_expression":     func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"dereference_expression":       func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"unary_expression":             func(w *walk, n int32) int32 { return w.visit(w.child(n, "argument")) },
			"nullable_type":                func(w *walk, n int32) int32 { return w.visitType(w.only(n)) },
			"pointer_type":                 zigLastType,
			"slice_type":                   zigElements,
			"array_type":                   zigElements,
			"error_union_type":             zigErrorUnion,
			"index_expression":             zigIndex,
			"return_expression":            zigReturn,
			"error_type": func(w *walk, n int32) int32 {
				for c := range w.kids(n) {
					zigError(w, c)
				}
				return facts.None
			},
			"switch_expression": zigSwitch,
			"break_label":       func(*walk, int32) int32 { return facts.None },
			"block_label":       func(*walk, int32) int32 { return facts.None },
			"string":            literalOf(facts.LiteralString),
			"multiline_string":  literalOf(facts.LiteralString),
			"integer":           literalOf(facts.LiteralNumber),
			"float":             literalOf(facts.LiteralNumber),
			"boolean":           literalOf(facts.LiteralBool),
		},
		start:  zigStart,
		finish: zigFinish,
		state:  func() any { return &zigState{known: map[int32]int32{}, container: facts.None, file: facts.None} },
	}
	return r
}

// zigStart declares what stands at the top of a file. One that has a name for itself, by
// const Name = @This(), is a struct of that name.
func zigStart(w *walk) {
	for c := range w.kids(0) {
		if value := zigValue(w, c); w.is(c, "variable_declaration") && w.text(value) == "@This()" {
			name := zigName(w, c)
			y := w.symbolAt(w.text(name), w.start(name), 0, uint32(len(w.src)), code.KindStruct, facts.Exported)
			w.symbols[y].SigStart, w.symbols[y].SigEnd = w.start(c), w.end(value)
			w.document(y, w.start(c))
			w.bind(0, y, 0)
			w.zig().known[c] = facts.None
			w.zig().container, w.zig().file = y, y
			w.parent, w.in = y, y
			break
		}
	}
	for c := range w.kids(0) {
		zigForward(w, c)
	}
}

// zigFinish takes the marks off names that are written @"name".
func zigFinish(w *walk) {
	plain := func(name string, at *uint32) string {
		if inner, ok := strings.CutPrefix(name, `@"`); ok && len(inner) > 1 {
			*at += 2
			return strings.TrimSuffix(inner, `"`)
		}
		return name
	}
	for i := range w.symbols {
		w.symbols[i].Name = plain(w.symbols[i].Name, &w.symbols[i].At)
	}
	for i := range w.uses {
		w.uses[i].Name = plain(w.uses[i].Name, &w.uses[i].At)
	}
	for i := range w.imports {
		w.imports[i].Local = plain(w.imports[i].Local, &w.imports[i].At)
	}
}

// zigState is what the rules of Zig remember of a file.
type zigState struct {
	known     map[int32]int32 // symbols by the node that declares them
	container int32           // the symbol that @This() means; None at the top of the file
	file      int32           // the symbol that the file is; None where it is none
	unnamed   bool            // the container has no name: its members are those of a function
}

func (w *walk) zig() *zigState { return w.state.(*zigState) }

// zigContainers are what declares members, and the kind of symbol that it makes.
var zigContainers = map[string]code.Kind{
	"struct_declaration": code.KindStruct, "opaque_declaration": code.KindStruct, "union_declaration": code.KindStruct,
	"enum_declaration": code.KindEnum, "error_set_declaration": code.KindEnum,
}

// zigName is the name that a declaration gives.
func zigName(w *walk, n int32) int32 {
	if w.is(n, "function_declaration") {
		return w.child(n, "name")
	}
	return w.childOf(n, "identifier")
}

// zigValue is the value of a variable, or None.
func zigValue(w *walk, n int32) int32 {
	name, typ := w.childOf(n, "identifier"), w.child(n, "type")
	last := w.last(n)
	if last == name || last == typ || last < 0 || w.token(last) || w.is(last, "byte_alignment") || w.is(last, "address_space") || w.is(last, "link_section") {
		return facts.None
	}
	return last
}

// zigForward declares a name of a container before any of its code is read: the
// order of declarations says nothing there.
func zigForward(w *walk, n int32) {
	name := zigName(w, n)
	if _, known := w.zig().known[n]; known || name < 0 || !w.is(n, "function_declaration") && !w.is(n, "variable_declaration") || w.text(name) == "_" {
		return
	}
	if module, _ := zigImported(w, zigValue(w, n)); module >= 0 && w.is(n, "variable_declaration") {
		zigImport(w, n, 0)
		return
	}
	y := w.symbol(name, n, zigKind(w, n), zigFlags(w, n))
	w.zig().known[n] = y
	w.bind(w.top(), y, 0)
}

// zigKind is the kind of what a declaration declares.
func zigKind(w *walk, n int32) code.Kind {
	if w.is(n, "function_declaration") {
		if w.parent >= 0 {
			return code.KindMethod
		}
		return code.KindFunc
	}
	if k, ok := zigContainers[w.kindOf(zigValue(w, n))]; ok {
		return k
	}
	if w.has(n, "const") {
		return code.KindConst
	}
	return code.KindVar
}

// kindOf is the kind of a node, empty for None.
func (w *walk) kindOf(n int32) string {
	if n < 0 {
		return ""
	}
	return w.kind(n)
}

func zigFlags(w *walk, n int32) facts.Flags {
	var flags facts.Flags
	if w.has(n, "pub") || w.has(n, "export") {
		flags |= facts.Exported
	}
	if w.parent >= 0 {
		flags |= facts.Static // unless a parameter takes the value
	}
	return flags
}

// zigImported finds @import("x") in a value, and the member that is taken of it.
func zigImported(w *walk, n int32) (module, member int32) {
	member = facts.None
	if w.is(n, "field_expression") {
		member, n = w.child(n, "member"), w.child(n, "object")
	}
	if !w.is(n, "builtin_function") || w.text(w.childOf(n, "builtin_identifier")) != "@import" {
		return facts.None, facts.None
	}
	return w.childOf(w.childOf(w.childOf(n, "arguments"), "string"), "string_content"), member
}

// zigImport reads const name = @import("x"), or a member of that.
func zigImport(w *walk, n int32, from uint32) {
	name := zigName(w, n)
	module, member := zigImported(w, zigValue(w, n))
	row := facts.Import{Module: w.text(module), Local: w.text(name), Place: facts.Place{At: w.start(name)}, In: w.parent}
	if member >= 0 {
		row.Name = w.text(member)
	}
	if row.In == w.zig().file {
		row.In = facts.None
	}
	if w.has(n, "pub") {
		row.Flags = facts.Exported
	}
	w.imports = append(w.imports, row)
	i := int32(len(w.imports) - 1)
	w.declare(w.top(), w.text(name), w.start(name), from, facts.BindImport, i)
	if member < 0 {
		member = name
	}
	w.imported(member, i)
	w.zig().known[n] = facts.None
}

// zigVariable reads const and var, at the top of a container and within functions.
func zigVariable(w *walk, n int32) int32 {
	y, known := w.zig().known[n]
	if known && y < 0 {
		return facts.None
	}
	if !known {
		return zigLocals(w, n)
	}
	zigDeclared(w, n, y, w.child(n, "type"), zigValue(w, n))
	return facts.None
}

// zigDeclared reads the type and the value of a symbol.
func zigDeclared(w *walk, n, y, typ, value int32) {
	w.document(y, w.start(n))
	if zigContainers[w.kindOf(value)] != 0 {
		w.signature(y, w.start(n), facts.None)
		if at := strings.IndexByte(w.text(n), '{'); at >= 0 {
			w.symbols[y].SigEnd = w.start(n) + uint32(len(strings.TrimRight(w.text(n)[:at], " \t\r\n")))
		}
		w.within(y, func() { zigMembers(w, value, y, false) })
		return
	}
	in := w.in
	if w.symbols[y].Flags&facts.Local == 0 {
		w.in = y
	}
	written := w.value(w.visitType(typ))
	setType(w, y, written, zigExpected(w, value, written))
	w.in = in
	if typ >= 0 || value < 0 {
		w.symbols[y].Flags &^= facts.Inferred
	}
}

// zigLocals reads const and var within a function, which may name several values.
// A statement without either is an assignment.
func zigLocals(w *walk, n int32) int32 {
	if !w.has(n, "const") && !w.has(n, "var") {
		left, last := int32(facts.None), w.last(n)
		for c := range w.kids(n) {
			if c == last {
				zigExpected(w, c, left)
			} else {
				left = zigRef(w, c, facts.RoleWrite, facts.None)
			}
		}
		return facts.None
	}
	if module, _ := zigImported(w, zigValue(w, n)); module >= 0 {
		zigImport(w, n, w.end(n))
		return facts.None
	}
	names := zigNames(w, n)
	value := zigValue(w, n)
	if len(names) == 1 {
		y := w.symbol(names[0], n, zigLocalKind(w, value), facts.Local)
		zigDeclared(w, n, y, w.child(n, "type"), value)
		w.bind(w.top(), y, w.end(n))
		return facts.None
	}
	w.visit(value)
	for _, name := range names {
		w.bind(w.top(), w.symbol(name, n, code.KindVar, facts.Local), w.end(n))
	}
	return facts.None
}

func zigLocalKind(w *walk, value int32) code.Kind {
	if k, ok := zigContainers[w.kindOf(value)]; ok {
		return k
	}
	return code.KindVar
}

// zigNames are the names behind const and var.
func zigNames(w *walk, n int32) (names []int32) {
	declares := false
	for c := range w.kids(n) {
		switch {
		case w.is(c, "const") || w.is(c, "var"):
			declares = true
		case declares && w.is(c, "identifier"):
			if w.text(c) != "_" {
				names = append(names, c)
			}
			declares = false
		}
	}
	return names
}

// zigMembers reads what stands in a container, which belongs to a symbol.
func zigMembers(w *walk, n, y int32, unnamed bool) {
	s := w.zig()
	outer := *s
	s.container, s.unnamed = y, unnamed
	w.open(scopeClass)
	if w.is(n, "error_set_declaration") {
		for c := range w.kids(n) {
			if w.is(c, "identifier") {
				w.symbol(c, c, code.KindConst, facts.Exported|facts.Static)
			}
		}
	} else {
		for c := range w.kids(n) {
			zigForward(w, c)
		}
		w.visitAll(n)
	}
	w.close()
	s.container, s.unnamed = outer.container, outer.unnamed
}

// zigUnnamed reads a container without a name: its members are those of the function
// that returns it, or of the variable whose type it is.
func zigUnnamed(w *walk, n int32) int32 {
	if w.parent < 0 || w.is(n, "error_set_declaration") {
		for c := range w.kids(n) {
			zigError(w, c)
		}
		return facts.None
	}
	zigMembers(w, n, w.parent, true)
	return w.expr(facts.OpMembers, w.parent, facts.None)
}

// zigError reads a part of a set of errors, or of error.Name: any set may declare it.
func zigError(w *walk, n int32) int32 {
	if !w.is(n, "identifier") {
		return w.visit(n)
	}
	return w.member(n, facts.None, facts.RoleRead, facts.None)
}

// zigField reads a field of a struct, or a constant of an enum.
func zigField(w *walk, n int32) int32 {
	name, typ := w.child(n, "name"), w.child(n, "type")
	if !w.is(name, "identifier") || w.parent < 0 && typ < 0 || w.text(name) == "_" {
		return w.visitAll(n)
	}
	kind, flags := code.KindField, facts.Exported
	if w.parent >= 0 && w.symbols[w.parent].Kind == code.KindEnum {
		kind, flags = code.KindConst, flags|facts.Static
	}
	y := w.symbol(name, n, kind, flags)
	w.document(y, w.start(n))
	in := w.in
	w.in = y
	if kind == code.KindConst && w.parent >= 0 {
		w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, w.parent, 0))
	}
	if written := w.visitType(typ); written >= 0 {
		w.symbols[y].Type = w.value(written)
	}
	for c := range w.kids(n) {
		if c != name && c != typ {
			zigExpected(w, c, w.symbols[y].Type)
		}
	}
	w.in = in
	return facts.None
}

// zigExpected reads a value where one of some type is expected, which may be None:
// .{ ... } and .name leave that type out.
func zigExpected(w *walk, n, typ int32) int32 {
	switch {
	case w.is(n, "anonymous_struct_initializer"):
		return zigInitialized(w, n, typ)
	case w.is(n, "field_expression") && w.child(n, "object") < 0:
		w.member(w.child(n, "member"), typ, facts.RoleRead, facts.None)
		return typ
	case w.is(n, "call_expression"):
		return zigCalled(w, n, typ)
	}
	return w.visit(n)
}

// zigTest reads a test, which has a name in quotes or that of what it tests.
func zigTest(w *walk, n int32) int32 {
	name := w.childOf(w.childOf(n, "string"), "string_content")
	if name < 0 {
		return blockScope(w, n)
	}
	y := w.symbol(name, n, code.KindFunc, 0)
	w.signature(y, w.start(n), w.childOf(n, "block"))
	before := w.branches
	w.within(y, func() {
		w.open(scopeFunction)
		w.visit(w.childOf(n, "block"))
		w.close()
	})
	w.symbols[y].Complexity = uint16(min(1+w.branches-before, 0xffff))
	return facts.None
}

// zigFunction reads a function.
func zigFunction(w *walk, n int32) int32 {
	y, known := w.zig().known[n]
	if !known || y < 0 {
		return w.visitAll(n)
	}
	outer, before := w.fn, w.branches
	w.fn = &function{symbol: y, returns: facts.None, result: facts.None}
	w.document(y, w.start(n))
	w.signature(y, w.start(n), w.child(n, "body"))
	w.within(y, func() {
		w.open(scopeFunction)
		zigParameters(w, w.childOf(n, "parameters"), y)
		result := w.child(n, "type")
		if isType := w.text(result) == "type"; isType {
			w.visit(w.child(n, "body"))
			w.symbols[y].Type = w.fn.returns
		} else {
			w.fn.result = w.value(w.visitType(result))
			w.symbols[y].Type = w.fn.result
			w.visit(w.child(n, "body"))
		}
		w.close()
	})
	w.symbols[y].Complexity = uint16(min(1+w.branches-before, 0xffff))
	if w.child(n, "body") < 0 {
		w.symbols[y].Flags |= facts.Abstract
	}
	w.fn = outer
	return facts.None
}

// zigParameters reads the parameters of a function, and whether its first takes a
// value that it is called on.
func zigParameters(w *walk, list, f int32) {
	count, many, method := 0, false, false
	for p := range w.kids(list) {
		if !w.is(p, "parameter") {
			continue
		}
		typ, name := w.child(p, "type"), w.child(p, "name")
		if typ < 0 {
			many = true
			continue
		}
		written := w.visitType(typ)
		count++
		if count == 1 && zigTakesSelf(w, typ) {
			method = true
			count--
		}
		if name < 0 || w.text(name) == "_" {
			continue
		}
		y := w.symbol(name, p, code.KindParam, facts.Local)
		if w.text(typ) != "type" && w.text(typ) != "anytype" {
			w.symbols[y].Type = w.value(written)
		}
		w.bind(w.top(), y, 0)
	}
	most := count
	if method {
		w.symbols[f].Flags &^= facts.Static
		most++ // T.f(x) gives it, too
	}
	w.arguments(f, count, most, many)
}

// zigTakesSelf reports whether the type of a parameter is the container that a
// function stands in, or a pointer to that.
func zigTakesSelf(w *walk, typ int32) bool {
	s := w.zig()
	if s.container < 0 && w.symbols[w.in].Kind != code.KindFunc {
		return false
	}
	for w.is(typ, "pointer_type") || w.is(typ, "nullable_type") {
		typ = w.last(typ)
	}
	text := w.text(typ)
	return text == "@This()" || text == "Self" || s.container >= 0 && !s.unnamed && text == w.symbols[s.container].Name
}

// zigSignature reads the type of a function.
func zigSignature(w *walk, n int32) int32 {
	for p := range w.kids(w.childOf(n, "parameters")) {
		w.visitType(w.child(p, "type"))
	}
	return w.of(facts.OpFunc, w.value(w.visitType(w.child(n, "type"))), facts.None)
}

// zigPayloads reads what gives names between bars to a part of itself.
func zigPayloads(w *walk, n int32) int32 {
	w.open(scopeBlock)
	value := int32(facts.None)
	loop := strings.HasPrefix(w.kind(n), "for")
	for c := range w.kids(n) {
		if !w.is(c, "payload") {
			if v := w.visit(c); value < 0 {
				value = v
			}
			continue
		}
		given := value
		if loop {
			given = w.of(facts.OpElem, value, 0)
		}
		if w.is(n, "catch_expression") {
			given = facts.None
		}
		zigPayload(w, c, given)
	}
	w.close()
	return value
}

// zigPayload declares the names between bars, the first with a value.
func zigPayload(w *walk, n, given int32) {
	for name := range w.kids(n) {
		if !w.is(name, "identifier") || w.text(name) == "_" {
			continue
		}
		y := w.symbol(name, name, code.KindVar, facts.Local)
		if given >= 0 {
			w.symbols[y].Type, w.symbols[y].Flags = given, w.symbols[y].Flags|facts.Inferred
		}
		w.bind(w.top(), y, w.end(n))
		given = facts.None
	}
}

// zigRef reads an expression whose last name is used in a role.
func zigRef(w *walk, n int32, role facts.Role, args int) int32 {
	switch {
	case w.is(n, "identifier"):
		if w.text(n) == "_" {
			return facts.None
		}
		return w.use(n, role, args)
	case w.is(n, "field_expression"):
		object := w.child(n, "object")
		if object < 0 { // .name, of the type that is expected
			return w.member(w.child(n, "member"), facts.None, role, args)
		}
		return w.member(w.child(n, "member"), w.visit(object), role, args)
	}
	return w.visit(n)
}

// zigCall reads a call.
func zigCall(w *walk, n int32) int32 { return zigCalled(w, n, facts.None) }

// zigCalled reads a call that must give a value of some type, which may be None.
func zigCalled(w *walk, n, typ int32) int32 {
	callee, count := w.child(n, "function"), 0
	for c := range w.kids(n) {
		if c != callee && !w.token(c) {
			count++
		}
	}
	f := int32(facts.None)
	if w.is(callee, "field_expression") && w.child(callee, "object") < 0 {
		f = w.member(w.child(callee, "member"), typ, facts.RoleCall, count)
	} else {
		f = zigRef(w, callee, facts.RoleCall, count)
	}
	in := w.inType
	w.inType = false
	w.visitOther(n, callee)
	w.inType = in
	return w.of(facts.OpCall, f, 0)
}

// zigBuiltin reads a function of the compiler.
func zigBuiltin(w *walk, n int32) int32 {
	list := w.childOf(n, "arguments")
	switch w.text(w.childOf(n, "builtin_identifier")) {
	case "@This":
		return zigThis(w)
	case "@import":
		if module := w.childOf(w.childOf(list, "string"), "string_content"); module >= 0 {
			return zigModule(w, module)
		}
	case "@as":
		return w.value(w.visitFirst(list))
	}
	w.visitAll(list)
	return facts.None
}

// visitFirst reads the children of a node, and returns the value of the first.
func (w *walk) visitFirst(n int32) int32 {
	first, value := true, int32(facts.None)
	for c := range w.kids(n) {
		if v := w.visit(c); first {
			value, first = v, false
		}
	}
	return value
}

// zigThis is the container that code stands in.
func zigThis(w *walk) int32 {
	s := w.zig()
	switch {
	case s.container < 0:
		return facts.None
	case s.unnamed:
		return w.expr(facts.OpMembers, s.container, facts.None)
	}
	return w.expr(facts.OpSymbol, s.container, 0)
}

// zigModule is the file that @import names in an expression.
func zigModule(w *walk, module int32) int32 {
	w.imports = append(w.imports, facts.Import{Module: w.text(module), Place: facts.Place{At: w.start(module)}, In: w.parent})
	w.imported(module, int32(len(w.imports)-1))
	return w.expr(facts.OpUse, int32(len(w.uses)-1), 0)
}

// zigLiteral reads a value that is written with its fields.
func zigLiteral(w *walk, n int32) int32 {
	if w.is(n, "struct_initializer") {
		return zigInitialized(w, n, w.value(w.visitType(w.only(n))))
	}
	return zigInitialized(w, n, facts.None)
}

// zigInitialized reads the fields of a value of some type, which may be None.
func zigInitialized(w *walk, n, typ int32) int32 {
	in := w.inType
	w.inType = false
	for c := range w.kids(w.childOf(n, "initializer_list")) {
		left := w.child(c, "left") // the grammar takes .name = value for an assignment
		name := w.child(left, "member")
		if w.is(c, "field_initializer") {
			name = w.childOf(c, "identifier")
		} else if !w.is(c, "assignment_expression") || name < 0 || w.child(left, "object") >= 0 {
			w.visit(c)
			continue
		}
		field := w.member(name, typ, facts.RoleWrite, facts.None)
		zigExpected(w, w.last(c), field)
	}
	w.inType = in
	return typ
}

// zigSwitch reads a switch, whose labels may leave out the type of its value.
func zigSwitch(w *walk, n int32) int32 {
	value := int32(facts.None)
	for c := range w.kids(n) {
		if !w.is(c, "switch_case") {
			value = w.visit(c)
			continue
		}
		w.branches++
		w.open(scopeBlock)
		for part := range w.kids(c) {
			switch {
			case w.is(part, "payload"):
				zigPayload(w, part, facts.None)
			case part != w.last(c):
				zigExpected(w, part, value)
			default:
				w.visit(part)
			}
		}
		w.close()
	}
	return facts.None
}

func zigAssignment(w *walk, n int32) int32 {
	left := zigRef(w, w.child(n, "left"), facts.RoleWrite, facts.None)
	return zigExpected(w, w.child(n, "right"), left)
}

// zigBinary reads two operands: orelse gives either, and || both sets of errors.
func zigBinary(w *walk, n int32) int32 {
	operator := w.text(w.child(n, "operator"))
	left := w.visit(w.child(n, "left"))
	right := zigExpected(w, w.child(n, "right"), left)
	switch {
	case operator == "orelse":
		w.branches++
		return w.union(left, right)
	case operator == "and" || operator == "or":
		w.branches++
		return w.literal(facts.LiteralBool)
	case slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, operator):
		return w.literal(facts.LiteralBool)
	}
	return left
}

// zigLastType reads a type behind signs, such as a pointer to it, which has its members.
func zigLastType(w *walk, n int32) int32 {
	last := w.last(n)
	w.visitOther(n, last)
	return w.visitType(last)
}

// zigElements reads the type of several elements.
func zigElements(w *walk, n int32) int32 { return arrayOf(w, zigLastType(w, n)) }

// zigErrorUnion reads error!value: the value is what try gives.
func zigErrorUnion(w *walk, n int32) int32 {
	w.visitType(w.child(n, "error"))
	return w.visitType(w.child(n, "ok"))
}

func zigIndex(w *walk, n int32) int32 {
	object := w.visit(w.child(n, "object"))
	index := w.child(n, "index")
	w.visitValue(index)
	if w.is(index, "range_expression") {
		return object
	}
	return w.of(facts.OpElem, object, 0)
}

func zigReturn(w *walk, n int32) int32 {
	result := int32(facts.None)
	if w.fn != nil {
		result = w.fn.result
	}
	value := zigExpected(w, w.only(n), result)
	if w.fn != nil && w.fn.returns < 0 {
		w.fn.returns = value
	}
	return facts.None
}
