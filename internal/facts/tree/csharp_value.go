package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// csValues are the rules of the expressions, types and patterns of C#.
func csValues(visit map[string]visitor) {
	for kind, v := range map[string]visitor{
		"identifier":               csIdentifier,
		"generic_name":             func(w *walk, n int32) int32 { return csTypeRef(w, n, readRole(w), facts.None) },
		"qualified_name":           func(w *walk, n int32) int32 { return csTypeRef(w, n, facts.RoleType, facts.None) },
		"alias_qualified_name":     func(w *walk, n int32) int32 { return csTypeRef(w, n, readRole(w), facts.None) },
		"type_argument_list":       typeList,
		"nullable_type":            func(w *walk, n int32) int32 { return w.visit(w.child(n, "type")) },
		"ref_type":                 func(w *walk, n int32) int32 { return w.visit(w.child(n, "type")) },
		"scoped_type":              func(w *walk, n int32) int32 { return w.visit(w.child(n, "type")) },
		"pointer_type":             func(w *walk, n int32) int32 { return w.visit(w.child(n, "type")) },
		"array_type":               csArrayType,
		"tuple_type":               csTupleType,
		"predefined_type":          csPredefined,
		"implicit_type":            func(*walk, int32) int32 { return facts.None },
		"this":                     thisValue,
		"base":                     superValue,
		"constructor_initializer":  csConstructorCall,
		"member_access_expression": func(w *walk, n int32) int32 { return csMember(w, n, facts.RoleRead, facts.None) },
		"conditional_access_expression": func(w *walk, n int32) int32 {
			return csConditional(w, n, facts.RoleRead, facts.None)
		},
		"element_access_expression":            csElement,
		"invocation_expression":                csCall,
		"object_creation_expression":           csNew,
		"implicit_object_creation_expression":  func(w *walk, n int32) int32 { return csValue(w, n, facts.None) },
		"anonymous_object_creation_expression": csAnonymous,
		"array_creation_expression":            csNewArray,
		"implicit_array_creation_expression":   func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
		"initializer_expression":               listOf,
		"lambda_expression":                    func(w *walk, n int32) int32 { return csLambda(w, n, facts.None) },
		"anonymous_method_expression":          func(w *walk, n int32) int32 { return csLambda(w, n, facts.None) },
		"assignment_expression":                csAssignment,
		"prefix_unary_expression":              csUnary,
		"postfix_unary_expression":             csUnary,
		"binary_expression":                    csBinary,
		"conditional_expression":               ternary,
		"switch_expression":                    csSwitchExpression,
		"switch_statement":                     csSwitch,
		"is_pattern_expression":                csIs,
		"is_expression":                        csIsType,
		"as_expression":                        csAs,
		"cast_expression":                      csCast,
		"default_expression":                   func(w *walk, n int32) int32 { return w.value(w.visitType(w.child(n, "type"))) },
		"typeof_expression":                    func(w *walk, n int32) int32 { w.visitType(w.child(n, "type")); return w.literal(facts.LiteralClass) },
		"sizeof_expression":                    func(w *walk, n int32) int32 { w.visitType(w.child(n, "type")); return w.literal(facts.LiteralInt) },
		"await_expression":                     func(w *walk, n int32) int32 { return w.of(facts.OpElem, w.visit(w.only(n)), 2) },
		"tuple_expression":                     csTuple,
		"declaration_expression":               func(w *walk, n int32) int32 { return csDeclared(w, n, facts.None) },
		"with_expression":                      csWith,
		"query_expression":                     csQuery,
		"interpolated_string_expression":       literalOf(facts.LiteralString),
		"string_literal":                       literalOf(facts.LiteralString),
		"verbatim_string_literal":              literalOf(facts.LiteralString),
		"raw_string_literal":                   literalOf(facts.LiteralString),
		"character_literal":                    literalOf(facts.LiteralChar),
		"boolean_literal":                      literalOf(facts.LiteralBool),
		"null_literal":                         literalOf(facts.LiteralNull),
		"integer_literal":                      csNumber,
		"real_literal":                         csNumber,
		"interpolation_format_clause":          func(*walk, int32) int32 { return facts.None },
		"tuple_element":                        func(w *walk, n int32) int32 { return w.value(w.visitType(w.child(n, "type"))) },
		"function_pointer_type":                func(w *walk, n int32) int32 { return w.visitAll(n) },
		"parenthesized_variable_designation":   func(w *walk, n int32) int32 { csPattern(w, n, facts.None); return facts.None },
		"primary_constructor_base_type":        func(w *walk, n int32) int32 { w.visit(w.childOf(n, "argument_list")); return facts.None },
		"implicit_stackalloc_expression":       listOf,
		"stackalloc_expression":                csNewArray,
		"property_pattern_clause":              func(w *walk, n int32) int32 { csProperties(w, n, facts.None); return facts.None },
		"argument":                             func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
	} {
		visit[kind] = v
	}
	for _, kind := range []string{"declaration_pattern", "recursive_pattern", "var_pattern", "type_pattern", "list_pattern"} {
		visit[kind] = func(w *walk, n int32) int32 { csPattern(w, n, facts.None); return facts.None }
	}
}

// csBaseArguments reads what a type gives the constructor of its base: the base
// itself is read apart.
func csBaseArguments(w *walk, n int32) {
	for c := range w.kids(n) {
		if w.is(c, "argument_list") || w.is(c, "primary_constructor_base_type") {
			w.visit(c)
		}
	}
}

func csIdentifier(w *walk, n int32) int32 {
	if w.text(n) == "_" {
		return facts.None
	}
	return w.use(n, readRole(w), facts.None)
}

// csTypeRef reads a type whose name is used in a role.
func csTypeRef(w *walk, n int32, role facts.Role, args int) int32 {
	switch {
	case n < 0:
		return facts.None
	case w.is(n, "identifier"):
		return w.use(n, role, args)
	case w.is(n, "generic_name"):
		name, list := w.only(n), w.childOf(n, "type_argument_list")
		base := w.use(name, role, args)
		if f := csFunctionType(w, w.text(name), list, role); f >= 0 {
			return f
		}
		return csApply(w, base, list)
	case w.is(n, "qualified_name"):
		return csOf(w, w.child(n, "name"), csTypeRef(w, w.child(n, "qualifier"), facts.RoleRead, facts.None), role, args)
	case w.is(n, "alias_qualified_name"):
		alias, name := w.child(n, "alias"), w.child(n, "name")
		if w.text(alias) == "global" {
			return csTypeRef(w, name, role, args)
		}
		return csOf(w, name, w.use(alias, facts.RoleRead, facts.None), role, args)
	case w.is(n, "nullable_type"):
		return csTypeRef(w, w.child(n, "type"), role, args)
	}
	return w.visitType(n)
}

// csApply is apply where the list may be one that stands beside values.
func csApply(w *walk, base, list int32) int32 {
	if w.has(list, "identifier") || w.only(list) >= 0 {
		return apply(w, base, list)
	}
	return base
}

// csFunctionType is a type of functions of the library: Func<A, R>, Action<A>,
// Predicate<A>; None of others.
func csFunctionType(w *walk, name string, list int32, role facts.Role) int32 {
	if role != facts.RoleType || name != "Func" && name != "Action" && name != "Predicate" && name != "Expression" {
		return facts.None
	}
	var types []int32
	for c := range w.kids(list) {
		types = append(types, w.value(w.visitType(c)))
	}
	result := int32(facts.None)
	switch {
	case len(types) == 0:
		return facts.None
	case name == "Expression":
		return types[0]
	case name == "Func":
		result, types = types[len(types)-1], types[:len(types)-1]
	case name == "Predicate":
		result = w.literal(facts.LiteralBool)
	}
	return w.expr(facts.OpFunc, result, w.tuple(types))
}

// csOf reads a name, which may have type arguments, as a member.
func csOf(w *walk, name, object int32, role facts.Role, args int) int32 {
	if !w.is(name, "generic_name") {
		return w.member(name, object, role, args)
	}
	return csApply(w, w.member(w.only(name), object, role, args), w.childOf(name, "type_argument_list"))
}

func csArrayType(w *walk, n int32) int32 {
	element := w.visitType(w.child(n, "type"))
	for c := range w.kids(w.child(n, "rank")) {
		w.visitValue(c)
	}
	return arrayOf(w, element)
}

func csTupleType(w *walk, n int32) int32 {
	var all []int32
	for c := range w.kids(n) {
		all = append(all, w.visit(c))
	}
	return w.tuple(all)
}

// csLiterals are the built-in types that literals have, by their names.
var csLiterals = map[string]int32{
	"string": facts.LiteralString, "bool": facts.LiteralBool, "char": facts.LiteralChar, "byte": facts.LiteralByte,
	"short": facts.LiteralShort, "int": facts.LiteralInt, "long": facts.LiteralLong, "float": facts.LiteralFloat, "double": facts.LiteralDouble,
}

// csPredefined reads a built-in type. One without a literal of its own is a name.
func csPredefined(w *walk, n int32) int32 {
	name := w.text(n)
	if l, ok := csLiterals[name]; ok {
		return w.literal(l)
	}
	if name == "void" || name == "" {
		return facts.None
	}
	return w.use(n, facts.RoleType, facts.None)
}

// csNumber reads the literal of a number, whose last letters may say its type.
func csNumber(w *walk, n int32) int32 {
	text := strings.ToLower(w.text(n))
	switch {
	case w.is(n, "integer_literal") && strings.HasPrefix(text, "0x"):
		text = strings.TrimLeft(text[2:], "0123456789abcdef_")
	case strings.HasSuffix(text, "f"):
		return w.literal(facts.LiteralFloat)
	}
	switch {
	case strings.HasSuffix(text, "m"), strings.ContainsRune(text, 'u'):
		return facts.None
	case strings.HasSuffix(text, "l"):
		return w.literal(facts.LiteralLong)
	case w.is(n, "integer_literal"):
		return w.literal(facts.LiteralInt)
	}
	return w.literal(facts.LiteralDouble)
}

// csReturn reads what a function gives, which has the type that is written.
func csReturn(w *walk, n int32) int32 {
	result := int32(facts.None)
	if w.fn != nil {
		result = w.fn.result
	}
	return csValue(w, w.only(n), result)
}

// csValue reads an expression where a value like another one is expected, which
// may be None.
func csValue(w *walk, n, expected int32) int32 {
	switch {
	case n < 0:
		return facts.None
	case w.is(n, "implicit_object_creation_expression"):
		list, made := w.childOf(n, "argument_list"), int32(facts.None)
		if expected >= 0 {
			made = newOf(w, w.start(n), expected, facts.RoleCall, csCount(w, list))
		}
		w.given(made, csArguments(w, list, made))
		csInitialize(w, w.childOf(n, "initializer_expression"), expected)
		return expected
	case w.is(n, "lambda_expression") || w.is(n, "anonymous_method_expression"):
		return csLambda(w, n, expected)
	case w.is(n, "declaration_expression"):
		return csDeclared(w, n, expected)
	case w.is(n, "parenthesized_expression"):
		return csValue(w, w.only(n), expected)
	case w.is(n, "conditional_expression"):
		w.visit(w.child(n, "condition"))
		yes := csValue(w, w.child(n, "consequence"), expected)
		return w.union(yes, csValue(w, w.child(n, "alternative"), expected))
	case w.is(n, "initializer_expression"):
		return csInitialize(w, n, expected)
	case w.is(n, "arrow_expression_clause"):
		return csValue(w, w.only(n), expected)
	}
	return w.visit(n)
}

// csInitialize reads { A = 1 }, { [key] = value } and { a, b } of a value, which
// may be None. The last is a list.
func csInitialize(w *walk, n, of int32) int32 {
	element := int32(facts.None)
	for c := range w.kids(n) {
		left := w.child(c, "left")
		switch {
		case w.is(c, "assignment_expression") && w.is(left, "identifier"):
			m := w.member(left, of, facts.RoleWrite, facts.None)
			csValue(w, w.child(c, "right"), m)
		case w.is(c, "assignment_expression") && w.is(left, "element_binding_expression"):
			w.visit(left)
			csValue(w, w.child(c, "right"), w.of(facts.OpElem, of, 0))
		default:
			if v := csValue(w, c, w.of(facts.OpElem, of, 0)); element < 0 {
				element = v
			}
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, element)
}

// csArguments reads the arguments of a call of f, which may be None.
func csArguments(w *walk, list, f int32) []int32 {
	var all []int32
	i := int32(0)
	for a := range w.kids(list) {
		if !w.is(a, "argument") {
			continue
		}
		name := w.child(a, "name")
		if name >= 0 {
			w.member(name, f, facts.RoleWrite, facts.None)
		}
		v := csArgument(w, a, w.of(facts.OpArgument, f, i))
		if w.is(w.last(a), "implicit_object_creation_expression") {
			v = facts.None // it has any type
		}
		all = append(all, v)
		i++
	}
	if w.has(list, "argument") && slices.ContainsFunc(csKids(w, list), func(a int32) bool { return w.child(a, "name") >= 0 }) {
		return nil // their order does not tell
	}
	return all
}

// csArgument reads an argument. The grammar takes f(a * b) for a declaration.
func csArgument(w *walk, n, expected int32) int32 {
	last := w.last(n)
	if typ := w.child(last, "type"); w.is(last, "declaration_expression") && w.is(typ, "pointer_type") && !w.has(n, "out") {
		left := w.visit(w.child(typ, "type"))
		w.use(w.child(last, "name"), facts.RoleRead, facts.None)
		return left
	}
	return csValue(w, last, expected)
}

func csKids(w *walk, n int32) (all []int32) {
	for c := range w.kids(n) {
		all = append(all, c)
	}
	return all
}

func csCount(w *walk, list int32) int {
	n := 0
	for a := range w.kids(list) {
		if w.is(a, "argument") {
			n++
		}
	}
	return n
}

func csCall(w *walk, n int32) int32 {
	callee, list := w.child(n, "function"), w.child(n, "arguments")
	args := csCount(w, list)
	var f int32
	switch w.kind(max(callee, 0)) {
	case "identifier":
		if w.text(callee) == "nameof" {
			csArguments(w, list, facts.None)
			return w.literal(facts.LiteralString)
		}
		f = w.use(callee, facts.RoleCall, args)
	case "generic_name":
		f = csTypeRef(w, callee, facts.RoleCall, args)
	case "member_access_expression":
		f = csMember(w, callee, facts.RoleCall, args)
	case "conditional_access_expression":
		f = csConditional(w, callee, facts.RoleCall, args)
	default:
		f = w.visit(callee)
	}
	w.given(f, csArguments(w, list, f))
	return w.of(facts.OpCall, f, 0)
}

// csMember reads a.b in a role.
func csMember(w *walk, n int32, role facts.Role, args int) int32 {
	return csOf(w, w.child(n, "name"), w.visit(w.child(n, "expression")), role, args)
}

// csConditional reads a?.b and a?[i].
func csConditional(w *walk, n int32, role facts.Role, args int) int32 {
	of, last := w.visit(w.child(n, "condition")), w.last(n)
	switch {
	case w.is(last, "member_binding_expression"):
		return csOf(w, w.child(last, "name"), of, role, args)
	case w.is(last, "element_binding_expression"):
		w.visitAll(last)
		return w.of(facts.OpElem, of, 0)
	}
	return w.visit(last)
}

func csElement(w *walk, n int32) int32 {
	of := w.visit(w.child(n, "expression"))
	csArguments(w, w.child(n, "subscript"), facts.None)
	return w.of(facts.OpElem, of, 0)
}

// csConstructorCall reads this(...) and base(...).
func csConstructorCall(w *walk, n int32) int32 {
	word, list := w.only(n), w.childOf(n, "argument_list")
	for c := range w.kids(n) {
		if w.is(c, "this") || w.is(c, "base") {
			word = c
		}
	}
	of := w.visit(word)
	f := w.member(word, of, facts.RoleCall, csCount(w, list))
	w.given(f, csArguments(w, list, f))
	return facts.None
}

func csNew(w *walk, n int32) int32 {
	list, typ, from := w.child(n, "arguments"), w.child(n, "type"), len(w.uses)
	t := csTypeRef(w, typ, facts.RoleCall, csCount(w, list))
	if w.is(typ, "identifier") || w.is(typ, "generic_name") { // not a property of that name
		w.asType(from, facts.RoleType)
	}
	w.given(t, csArguments(w, list, t))
	v := w.value(t)
	csInitialize(w, w.child(n, "initializer"), v)
	return v
}

// csAnonymous reads new { A = x, y.B }, whose members have no declarations.
func csAnonymous(w *walk, n int32) int32 {
	kids := csKids(w, n)
	for i, c := range kids {
		if w.is(c, "identifier") && i+1 < len(kids) && w.is(kids[i+1], "=") {
			continue
		}
		w.visit(c)
	}
	return facts.None
}

func csNewArray(w *walk, n int32) int32 {
	t := w.value(w.visitType(w.child(n, "type")))
	csInitialize(w, w.childOf(n, "initializer_expression"), t)
	return t
}

// csLambda reads a function without a name. Parameters without types are what the
// function that is expected takes.
func csLambda(w *walk, n, expected int32) int32 {
	w.open(scopeFunction)
	defer w.close()
	fn := w.fn
	w.fn = &function{symbol: facts.None, returns: facts.None, result: facts.None}
	defer func() { w.fn = fn }()
	list := w.child(n, "parameters")
	var takes []int32
	declare := func(name, whole, typ int32) {
		if w.text(name) == "" {
			return
		}
		y := w.symbol(name, whole, code.KindParam, facts.Local)
		w.symbols[y].Type = typ
		if typ < 0 {
			w.symbols[y].Type = w.of(facts.OpArgument, expected, int32(len(takes)))
		}
		takes = append(takes, typ)
		w.bind(w.top(), y, 0)
	}
	if w.is(list, "implicit_parameter") {
		declare(list, list, facts.None)
	}
	for p := range w.kids(list) {
		csFlags(w, p)
		declare(w.child(p, "name"), p, w.value(w.visitType(w.child(p, "type"))))
	}
	w.visitType(w.child(n, "type"))
	body := w.child(n, "body")
	if body < 0 {
		body = w.childOf(n, "block")
	}
	v := w.visit(body)
	if csIsAsync(w, n) {
		v = facts.None
	}
	return w.expr(facts.OpFunc, v, w.tuple(takes))
}

func csAssignment(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	if w.is(left, "tuple_expression") {
		v := w.visit(right)
		csTarget(w, left, v)
		return v
	}
	to := csTarget(w, left, facts.None)
	return csValue(w, right, to)
}

// csTarget reads what a value is assigned to, which may be None, and returns the
// expression of what is there.
func csTarget(w *walk, n, value int32) int32 {
	switch {
	case n < 0:
	case w.is(n, "identifier"):
		if w.text(n) != "_" {
			return w.use(n, facts.RoleWrite, facts.None)
		}
	case w.is(n, "member_access_expression"):
		return csMember(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "conditional_access_expression"):
		return csConditional(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "parenthesized_expression"):
		return csTarget(w, w.only(n), value)
	case w.is(n, "declaration_expression"):
		return csDeclared(w, n, value)
	case w.is(n, "tuple_pattern") || w.is(n, "tuple_expression"):
		i := int32(0)
		for c := range w.kids(n) {
			part := w.of(facts.OpResult, value, i)
			switch {
			case w.is(c, "argument"):
				csTarget(w, w.last(c), part)
			case w.is(c, "identifier"):
				csLocal(w, c, c, part)
			default:
				csTarget(w, c, part)
			}
			i++
		}
	default:
		return w.visit(n)
	}
	return facts.None
}

// csLocal declares a local variable.
func csLocal(w *walk, name, whole, typ int32) {
	if text := w.text(name); text == "" || text == "_" {
		return
	}
	y := w.symbol(name, whole, code.KindVar, facts.Local)
	w.symbols[y].Type = typ
	w.bind(w.top(), y, w.start(name))
}

// csDeclared reads "Type name" and "var name" of a value, which may be None.
func csDeclared(w *walk, n, value int32) int32 {
	typ := w.value(w.visitType(w.child(n, "type")))
	if typ < 0 {
		typ = value
	}
	csLocal(w, w.child(n, "name"), n, typ)
	return typ
}

func csForEach(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	element := w.of(facts.OpElem, w.visit(w.child(n, "right")), 4)
	if w.has(n, "await") {
		element = w.of(facts.OpElem, element, 2)
	}
	left := w.child(n, "left")
	if t := w.value(w.visitType(w.child(n, "type"))); t >= 0 {
		element = t
	}
	if w.is(left, "identifier") {
		csLocal(w, left, left, element)
	} else {
		csTarget(w, left, element)
	}
	w.visit(w.child(n, "body"))
	return facts.None
}

func csCatch(w *walk, n int32) int32 {
	typ := w.value(w.visitType(w.child(n, "type")))
	csLocal(w, w.child(n, "name"), n, typ)
	return facts.None
}

// csUnary reads an operator with one operand. ++ and -- write to it.
func csUnary(w *walk, n int32) int32 {
	operand := w.only(n)
	switch {
	case w.has(n, "++") || w.has(n, "--"):
		return csTarget(w, operand, facts.None)
	case w.is(n, "prefix_unary_expression") && w.text(w.childOf(n, "!")) == "!":
		w.visit(operand)
		return w.literal(facts.LiteralBool)
	}
	return w.visit(operand)
}

// csBinary reads two operands. A sum with a text is a text, and a sum of numbers of
// the larger type, int at least.
func csBinary(w *walk, n int32) int32 {
	operator := w.text(w.child(n, "operator"))
	left := w.visit(w.child(n, "left"))
	right := w.visit(w.child(n, "right"))
	switch operator {
	case "&&", "||":
		w.branches++
		return w.literal(facts.LiteralBool)
	case "??":
		w.branches++
		return w.union(left, right)
	case "==", "!=", "<=", ">=", "<", ">", "": // signs that no tree keeps compare
		return w.literal(facts.LiteralBool)
	}
	x, y := w.literalKind(left), w.literalKind(right)
	switch {
	case operator == "+" && (x == facts.LiteralString || y == facts.LiteralString):
		return w.literal(facts.LiteralString)
	case x >= facts.LiteralByte && y >= facts.LiteralByte:
		return w.literal(max(x, y, facts.LiteralInt))
	case x < 0 && y < 0:
		return left // an operator of their type most often gives the same
	}
	return facts.None
}

func csIsType(w *walk, n int32) int32 {
	w.visit(w.child(n, "left"))
	w.visitType(w.child(n, "right"))
	return w.literal(facts.LiteralBool)
}

func csAs(w *walk, n int32) int32 {
	w.visit(w.child(n, "left"))
	return w.value(w.visitType(w.child(n, "right")))
}

func csCast(w *walk, n int32) int32 {
	t := w.value(w.visitType(w.child(n, "type")))
	csValue(w, w.child(n, "value"), t)
	return t
}

func csTuple(w *walk, n int32) int32 {
	var all []int32
	for a := range w.kids(n) {
		all = append(all, w.visit(w.last(a)))
	}
	return w.tuple(all)
}

func csWith(w *walk, n int32) int32 {
	first := w.only(n)
	v := w.visit(first)
	for c := range w.kids(n) {
		if w.is(c, "with_initializer") {
			m := w.member(w.only(c), v, facts.RoleWrite, facts.None)
			csValue(w, w.last(c), m)
		}
	}
	return v
}

func csIs(w *walk, n int32) int32 {
	csPattern(w, w.child(n, "pattern"), w.visit(w.child(n, "expression")))
	return w.literal(facts.LiteralBool)
}

func csSwitch(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "value"))
	w.open(scopeBlock)
	defer w.close()
	for section := range w.kids(w.child(n, "body")) {
		csSectionOf(w, section, v)
	}
	return facts.None
}

func csSection(w *walk, n int32) int32 { csSectionOf(w, n, facts.None); return facts.None }

// csSectionOf reads a part of a switch over a value, which may be None.
func csSectionOf(w *walk, n, value int32) {
	if w.has(n, "case") {
		w.branches++
	}
	for c := range w.kids(n) {
		if kind := w.kind(c); strings.HasSuffix(kind, "_pattern") {
			csPattern(w, c, value)
		} else {
			w.visit(c)
		}
	}
}

func csSwitchExpression(w *walk, n int32) int32 {
	first := w.only(n)
	v, result := w.visit(first), int32(facts.None)
	for arm := range w.kids(n) {
		if !w.is(arm, "switch_expression_arm") {
			continue
		}
		w.branches++
		w.open(scopeBlock)
		last := w.last(arm)
		for c := range w.kids(arm) {
			if c != last {
				csPattern(w, c, v)
			}
		}
		result = w.union(result, w.visit(last))
		w.close()
	}
	return result
}

// csPattern reads a pattern that a value is compared with, which may be None.
func csPattern(w *walk, n, value int32) {
	switch w.kind(max(n, 0)) {
	case "compilation_unit", "discard":
	case "declaration_pattern", "var_pattern", "recursive_pattern":
		typ := w.value(w.visitType(w.child(n, "type")))
		if typ < 0 {
			typ = value
		}
		for c := range w.kids(n) {
			switch w.kind(c) {
			case "property_pattern_clause":
				csProperties(w, c, typ)
			case "positional_pattern_clause":
				csPositions(w, c)
			case "parenthesized_variable_designation":
				csPattern(w, c, typ)
			}
		}
		csLocal(w, w.child(n, "name"), n, typ)
	case "parenthesized_variable_designation":
		i := int32(0)
		for c := range w.kids(n) {
			part := w.of(facts.OpResult, value, i)
			if i++; w.is(c, "identifier") {
				csLocal(w, c, c, part)
			} else {
				csPattern(w, c, part)
			}
		}
	case "type_pattern":
		w.visitType(w.child(n, "type"))
	case "negated_pattern", "parenthesized_pattern", "and_pattern", "or_pattern":
		for c := range w.kids(n) {
			if !w.token(c) {
				csPattern(w, c, value)
			}
		}
	case "list_pattern":
		for c := range w.kids(n) {
			csPattern(w, c, w.of(facts.OpElem, value, 0))
		}
	case "constant_pattern":
		from := len(w.uses)
		if w.visit(n); w.is(w.only(n), "identifier") {
			w.asType(from, rolePattern)
		}
	default:
		w.visit(n)
	}
}

// csProperties reads { Name: pattern } of a value, which may be None.
func csProperties(w *walk, n, of int32) {
	for s := range w.kids(n) {
		first, last := w.only(s), w.last(s)
		m := int32(facts.None)
		switch {
		case first == last:
		case w.is(first, "identifier"):
			m = w.member(first, of, facts.RoleRead, facts.None)
		case w.is(first, "member_access_expression"):
			m = csNested(w, first, of)
		default:
			w.visit(first)
		}
		csPattern(w, last, m)
	}
}

// csNested reads A.B of { A.B: pattern }.
func csNested(w *walk, n, of int32) int32 {
	inner := w.child(n, "expression")
	if w.is(inner, "member_access_expression") {
		of = csNested(w, inner, of)
	} else {
		of = w.member(inner, of, facts.RoleRead, facts.None)
	}
	return w.member(w.child(n, "name"), of, facts.RoleRead, facts.None)
}

// csPositions reads (pattern, name: pattern).
func csPositions(w *walk, n int32) {
	for s := range w.kids(n) {
		csPattern(w, w.last(s), facts.None)
	}
}

// csQuery reads from x in list ... select y: a list of what it selects.
func csQuery(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	result, into := int32(facts.None), false
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "into":
			into = true
		case "identifier":
			if into {
				csLocal(w, c, c, result)
			}
			into = false
		case "from_clause":
			csRange(w, c, w.child(c, "name"))
		case "join_clause":
			csJoin(w, c)
		case "let_clause":
			v := w.visit(w.last(c))
			csLocal(w, w.only(c), c, v)
		case "select_clause":
			result = w.visit(w.only(c))
		case "group_clause":
			w.visitAll(c)
			result = facts.None
		default:
			w.visit(c)
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, result)
}

// csRange declares the variable that runs over a list.
func csRange(w *walk, n, name int32) {
	typ := w.value(w.visitType(w.child(n, "type")))
	v := w.of(facts.OpElem, w.visit(w.last(n)), 4)
	if typ >= 0 {
		v = typ
	}
	csLocal(w, name, n, v)
}

// csJoin reads join x in list on a equals b into g.
func csJoin(w *walk, n int32) {
	typ := w.value(w.visitType(w.child(n, "type")))
	var name, list int32 = facts.None, facts.None
	for c := range w.kids(n) {
		switch {
		case w.token(c) || c == w.child(n, "type"):
		case name < 0:
			name = c
		case list < 0:
			list = w.of(facts.OpElem, w.visit(c), 4)
			if typ >= 0 {
				list = typ
			}
			csLocal(w, name, n, list)
		case w.is(c, "join_into_clause"):
			csLocal(w, w.only(c), c, w.expr(facts.OpLiteral, facts.LiteralList, list))
		default:
			w.visit(c)
		}
	}
}
