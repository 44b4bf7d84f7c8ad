package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// javascriptRules returns the rules of JavaScript and TypeScript. Their grammars
// share most names of nodes.
func javascriptRules() *rules {
	r := &rules{
		apart: apartTypes,
		branches: []string{"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case",
			"catch_clause", "ternary_expression"},
		comments: []string{"comment", "html_comment"},
		visit: map[string]visitor{
			"import_statement":               jsImport,
			"import_alias":                   jsImportAlias,
			"export_statement":               jsExport,
			"ambient_declaration":            jsAmbient,
			"function_declaration":           jsFunctionDeclaration,
			"generator_function_declaration": jsFunctionDeclaration,
			"function_signature":             jsFunctionDeclaration,
			"function_expression":            func(w *walk, n int32) int32 { return jsFunctionExpression(w, n, facts.None) },
			"generator_function":             func(w *walk, n int32) int32 { return jsFunctionExpression(w, n, facts.None) },
			"arrow_function":                 func(w *walk, n int32) int32 { return jsFunctionExpression(w, n, facts.None) },
			"class_declaration":              jsClass,
			"abstract_class_declaration":     jsClass,
			"class":                          jsClass,
			"lexical_declaration":            jsVariables,
			"variable_declaration":           jsVariables,
			"statement_block":                jsBlock,
			"if_statement":                   jsIf,
			"while_statement":                jsIf,
			"switch_statement":               jsSwitch,
			"for_statement":                  blockScope,
			"for_in_statement":               jsForIn,
			"catch_clause":                   jsCatch,
			"return_statement":               jsReturn,
			"assignment_expression":          jsAssignment,
			"augmented_assignment_expression": func(w *walk, n int32) int32 {
				v := w.visit(w.child(n, "right"))
				jsTarget(w, w.child(n, "left"), v)
				return v
			},
			"update_expression":      func(w *walk, n int32) int32 { return jsRef(w, w.child(n, "argument"), facts.RoleWrite, facts.None) },
			"identifier":             func(w *walk, n int32) int32 { return jsRef(w, n, readRole(w), facts.None) },
			"type_identifier":        func(w *walk, n int32) int32 { return w.use(n, facts.RoleType, facts.None) },
			"member_expression":      func(w *walk, n int32) int32 { return jsRef(w, n, readRole(w), facts.None) },
			"nested_identifier":      func(w *walk, n int32) int32 { return jsRef(w, n, readRole(w), facts.None) },
			"nested_type_identifier": func(w *walk, n int32) int32 { return jsRef(w, n, facts.RoleType, facts.None) },
			"subscript_expression": func(w *walk, n int32) int32 {
				return jsSubscript(w, n, readRole(w))
			},
			"shorthand_property_identifier": func(w *walk, n int32) int32 { return w.use(n, facts.RoleRead, facts.None) },
			"this":                          thisValue,
			"this_type":                     thisValue,
			"super":                         superValue,
			"call_expression":               jsCall,
			"new_expression":                jsNew,
			"parenthesized_expression":      func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"non_null_expression":           func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"await_expression":              func(w *walk, n int32) int32 { return w.of(facts.OpElem, w.visit(w.only(n)), 2) },
			"as_expression":                 jsAs,
			"satisfies_expression":          jsAs,
			"type_assertion":                jsAssertion,
			"ternary_expression":            func(w *walk, n int32) int32 { return jsTernary(w, n, facts.None) },
			"yield_expression":              jsYield,
			"spread_element":                func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"binary_expression":             func(w *walk, n int32) int32 { return jsBinary(w, n, facts.None) },
			"object":                        func(w *walk, n int32) int32 { return jsObject(w, n, facts.None) },
			"array":                         func(w *walk, n int32) int32 { return jsArray(w, n, facts.None) },
			"string":                        literalOf(facts.LiteralString),
			"template_string":               literalOf(facts.LiteralString),
			"number":                        literalOf(facts.LiteralNumber),
			"true":                          literalOf(facts.LiteralBool),
			"false":                         literalOf(facts.LiteralBool),
			"null":                          literalOf(facts.LiteralNull),
			"undefined":                     literalOf(facts.LiteralNull),
			"jsx_opening_element":           jsElement,
			"jsx_self_closing_element":      jsElement,
			"jsx_closing_element":           jsClosing,
			"decorator":                     jsDecorator,
			"expression_statement":          func(w *walk, n int32) int32 { return w.visitAll(n) },
		},
		finish: jsFinish,
		state: func() any {
			return &jsState{whole: facts.None, generic: facts.None, taken: facts.None, keyed: facts.None, over: facts.None, fields: map[fieldKey]int32{}}
		},
	}
	typescriptRules(r)
	return r
}

// jsState is what the rules of JavaScript and TypeScript remember of a file.
type jsState struct {
	flags      facts.Flags        // of the next declaration: that of the export around it
	whole      int32              // the node that holds the whole of the next declaration, or None
	keyed      int32              // what an interface gives for any key, or None
	called     []int32            // how an interface is called, or made
	signatures int                // types of functions that are read
	taken      int32              // the types that are written of what the function read last takes, an OpTuple, or None
	generic    int32              // the symbol whose type parameters were read last, or None
	inferring  int                // the scope of what a conditional type infers
	inferred   []int32            // what it does infer
	over       int32              // the type whose names the last mapped type goes over, or None
	fields     map[fieldKey]int32 // fields that methods declare and, once they are read, those that the class declares; None before

	holding map[int32]bool // the literals, of a type, that hold functions

	flows   flows             // what the tests above say of names
	tests   map[uint32]jsTest // the tests of conditions, by where they start
	testing int               // conditions that are read
}

func (w *walk) js() *jsState { return w.state.(*jsState) }

// jsRef reads an expression whose last name is used in a role.
func jsRef(w *walk, n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "identifier":
		return jsKnown(w, n, role, w.use(n, role, args))
	case "type_identifier", "shorthand_property_identifier":
		return w.use(n, role, args)
	case "member_expression", "nested_identifier":
		object := w.child(n, "object")
		if w.is(object, "member_expression") && w.text(object) == "module.exports" {
			return jsOwnExport(w, w.child(n, "property"), role, args)
		}
		v := jsMember(w, w.child(n, "property"), w.visitValue(object), role, args)
		jsHolding(w, n, role, v)
		return jsKnown(w, n, role, v)
	case "nested_type_identifier":
		module := w.visitValue(w.child(n, "module"))
		return jsMember(w, w.child(n, "name"), module, role, args)
	case "subscript_expression":
		return jsSubscript(w, n, role)
	case "parenthesized_expression", "non_null_expression":
		return jsRef(w, w.only(n), role, args)
	case "generic_type":
		name := w.child(n, "name")
		return apply(w, jsRef(w, name, role, args), w.child(n, "type_arguments"))
	case "instantiation_expression":
		first := w.only(n)
		return apply(w, jsRef(w, first, role, args), w.childOf(n, "type_arguments"))
	}
	return w.visit(n)
}

// jsOwnExport reads a name that this file itself exports: module.exports.name.
func jsOwnExport(w *walk, name int32, role facts.Role, args int) int32 {
	if name < 0 || w.text(name) == "" {
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Name: w.text(name), Place: facts.Place{At: w.start(name)}, In: facts.None})
	u := w.add(w.text(name), w.start(name), role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, int32(len(w.imports)-1)
	return w.expr(facts.OpUse, u, 0)
}

func jsMember(w *walk, name, object int32, role facts.Role, args int) int32 {
	if name < 0 {
		return facts.None
	}
	return w.member(name, object, role, args)
}

// jsScope is the scope that var declares names in.
func jsScope(w *walk) int { return w.enclosing(scopeFunction, scopeNamespace) }

// jsTakeFlags returns the flags of the next declaration in scope number s, and
// forgets them.
func jsTakeFlags(w *walk, s int) facts.Flags {
	f := w.js().flags
	w.js().flags = 0
	if w.isLocal(s) {
		f = f&^facts.Exported | facts.Local
	}
	return f
}

// jsTakeWhole returns the node around the whole declaration n, and forgets it.
func jsTakeWhole(w *walk, n int32) int32 {
	if j := w.js(); j.whole >= 0 {
		n, j.whole = j.whole, facts.None
	}
	return n
}

// jsDeclare reads declaration d of node n, which exports it.
func jsDeclare(w *walk, n, d int32) {
	j := w.js()
	j.flags, j.whole = facts.Exported, n
	w.visit(d)
	j.flags, j.whole = 0, facts.None
}

// jsName is the node with the name of a property, without quotes. It is None for a
// computed name, which is read, unless a constant of all files is the key: then the
// name is that with its brackets.
func jsName(w *walk, n int32) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "property_identifier", "private_property_identifier", "identifier", "type_identifier", "shorthand_property_identifier":
		return n
	case "string":
		return w.childOf(n, "string_fragment")
	case "number":
		return facts.None
	}
	w.visitValue(n)
	if w.is(n, "computed_property_name") && jsIsKey(w, w.only(n)) {
		return n
	}
	return facts.None
}

func jsFunctionDeclaration(w *walk, n int32) int32 {
	name, whole := w.child(n, "name"), jsTakeWhole(w, n)
	s := w.top()
	flags := jsTakeFlags(w, s)
	if name < 0 {
		return jsFunctionExpression(w, n, facts.None)
	}
	if w.child(n, "body") < 0 {
		flags |= facts.Abstract
	}
	f := w.symbol(name, whole, code.KindFunc, flags)
	w.bind(s, f, 0)
	jsFunction(w, n, f, whole, facts.None, receiver{symbol: facts.None})
	return w.expr(facts.OpSymbol, f, 0)
}

// jsFunctionExpression reads a function without a symbol. It must be of a type, or
// None.
func jsFunctionExpression(w *walk, n, typ int32) int32 {
	j := w.js()
	j.flags, j.whole = 0, facts.None
	this := w.this
	if !w.is(n, "arrow_function") {
		this = jsRunsOn(w, typ, receiver{symbol: facts.None})
	}
	w.open(scopeFunction)
	defer w.close()
	if name := w.child(n, "name"); name >= 0 {
		f := w.symbol(name, n, code.KindFunc, facts.Local)
		w.bind(w.top(), f, 0)
		jsFunction(w, n, f, n, typ, this)
		return w.expr(facts.OpSymbol, f, 0)
	}
	result := jsBody(w, n, facts.None, typ, this)
	if result < 0 && w.js().taken < 0 {
		return facts.None
	}
	return w.expr(facts.OpFunc, result, w.js().taken)
}

// jsRunsOn is this in a function of type typ, or None: what that says, else what else is.
func jsRunsOn(w *walk, typ int32, otherwise receiver) receiver {
	switch {
	case typ < 0:
		return otherwise
	case otherwise.symbol < 0:
		return receiver{facts.OpValue, w.of(facts.OpSelf, typ, 0)}
	}
	return receiver{facts.OpValue, w.expr(facts.OpElse, w.of(facts.OpSelf, typ, 0), otherwise.symbol)}
}

// jsFunction reads function n, whose symbol is f. It must be of a type, or None.
func jsFunction(w *walk, n, f, whole, typ int32, this receiver) {
	w.signature(f, w.start(whole), w.child(n, "body"))
	w.document(f, w.start(whole))
	branches := w.branches
	var result int32
	w.within(f, func() { result = jsBody(w, n, f, typ, this) })
	y := &w.symbols[f]
	y.Complexity = uint16(min(1+w.branches-branches, 0xffff))
	y.Type = result
	if w.child(n, "return_type") < 0 && result >= 0 {
		y.Flags |= facts.Inferred
	}
}

// jsBody reads the parameters, the result and the body of a function and returns
// its result. Its symbol f may be None. The type typ that the function must have,
// or None, gives the types that its parameters and result leave out.
func jsBody(w *walk, n, f, typ int32, this receiver) int32 {
	outer, that, inType := w.fn, w.this, w.inType
	w.fn, w.this, w.inType = &function{symbol: f, returns: facts.None, result: facts.None, yielded: facts.None}, this, false
	from, before := len(w.js().flows.all), len(w.symbols)
	w.open(scopeFunction)
	tsTypeParameters(w, n)
	least, most, many := jsParameters(w, n, typ)
	taken := w.js().taken
	if f >= 0 {
		w.arguments(f, least, most, many)
	}
	result := w.value(w.visitType(w.child(n, "return_type")))
	given := w.of(facts.OpCall, typ, 0)
	w.fn.result = jsReturned(w, n, result, given)
	body := w.child(n, "body")
	if w.is(body, "statement_block") {
		w.visitAll(body)
	} else if body >= 0 && w.fn.result < 0 && f >= 0 {
		w.fn.returns = jsInitial(w, body, facts.None, f)
	} else if body >= 0 {
		w.fn.returns = jsValue(w, body, w.fn.result)
	}
	switch {
	case result >= 0:
	case w.has(n, "*"):
		if result = given; given < 0 && w.fn.yielded >= 0 {
			result = w.expr(facts.OpLiteral, facts.LiteralList, w.fn.yielded)
		}
	default:
		result = w.union(w.fn.returns, given)
	}
	w.close()
	w.js().flows.cut(from)
	w.fn, w.this, w.inType = outer, that, inType
	w.js().taken = taken
	if f < 0 && body >= 0 && slices.ContainsFunc(w.symbols[before:], func(y facts.Symbol) bool { return y.Kind == code.KindField && y.Flags&facts.Local != 0 }) {
		w.expr(facts.OpWithin, int32(w.start(body)), int32(w.end(body)))
	}
	return result
}

// jsReturned is the type that function n must return: the written or the given
// result, awaited if the function is asynchronous.
func jsReturned(w *walk, n, result, given int32) int32 {
	if result < 0 {
		result = given
	}
	switch {
	case w.has(n, "*"):
		return facts.None
	case w.has(n, "async"):
		return w.of(facts.OpElem, result, 2)
	}
	return result
}

// jsParameters declares the parameters of a function of type typ, which may be
// None.
func jsParameters(w *walk, n, typ int32) (least, most int, many bool) {
	w.js().taken = facts.None
	if p := w.child(n, "parameter"); p >= 0 {
		jsPattern(w, p, p, w.of(facts.OpArgument, typ, 0), code.KindParam, w.top(), facts.Local)
		return 1, 1, false
	}
	list := w.child(n, "parameters")
	if list < 0 {
		return 0, 0, false
	}
	var written []int32
	types := 0
	for p := range w.kids(list) {
		optional, rest, ok, typ := jsParameter(w, p, w.of(facts.OpArgument, typ, int32(most)))
		if ok {
			written = append(written, typ)
		}
		if typ >= 0 && !rest {
			types++
		}
		switch {
		case !ok:
		case rest:
			many = true
		case optional:
			most++
		default:
			most++
			least = most
		}
	}
	if w.js().taken = facts.None; types > 0 {
		w.js().taken = w.tuple(written)
	}
	return least, most, many
}

// jsParameter declares one parameter. Without a type it is what calls give, or
// None. For the parameter this, ok is false.
func jsParameter(w *walk, p, given int32) (optional, rest, ok bool, written int32) {
	pattern, value := p, int32(facts.None)
	switch w.kind(p) {
	case "assignment_pattern":
		pattern, value = w.child(p, "left"), w.child(p, "right")
	case "required_parameter", "optional_parameter":
		pattern, value = w.child(p, "pattern"), w.child(p, "value")
	case "decorator":
		w.visit(p)
		return false, false, false, facts.None
	}
	if pattern < 0 {
		return false, false, false, facts.None
	}
	for c := range w.kids(p) {
		if w.is(c, "decorator") {
			w.visit(c)
		}
	}
	annotation := w.child(p, "type")
	typ := int32(facts.None)
	rest = w.is(pattern, "rest_pattern")
	if w.is(pattern, "this") {
		if typ := w.value(w.visitType(annotation)); typ >= 0 {
			w.this = receiver{facts.OpValue, typ}
		}
		return false, false, false, facts.None
	}
	if annotation >= 0 || rest {
		given = facts.None
	}
	if w.is(pattern, "identifier") {
		y := w.symbol(pattern, p, code.KindParam, facts.Local)
		w.bind(w.top(), y, 0)
		jsForgets(w, w.text(pattern))
		in := w.in
		w.within(y, func() {
			w.in = in
			typ = w.value(w.visitType(annotation))
		})
		written = typ
		setType(w, y, typ, w.union(given, jsValue(w, value, typ)))
		jsProperty(w, p, pattern, y)
	} else {
		typ = w.value(w.visitType(annotation))
		written = typ
		v := jsValue(w, value, typ)
		if typ < 0 {
			typ = w.union(given, v)
		}
		jsPattern(w, pattern, p, typ, code.KindParam, w.top(), facts.Local)
	}
	return w.is(p, "optional_parameter") || value >= 0, rest, true, written
}

// jsProperty declares the field that a constructor declares by its parameter.
func jsProperty(w *walk, p, name, param int32) {
	access := w.childOf(p, "accessibility_modifier")
	if access < 0 && !w.has(p, "readonly") || w.this.symbol < 0 || w.this.op != facts.OpThis {
		return
	}
	flags := facts.Exported
	if access >= 0 && w.text(access) == "private" {
		flags = 0
	}
	f := w.symbol(name, p, code.KindField, flags)
	w.symbols[f].Parent, w.symbols[f].Type = w.this.symbol, w.symbols[param].Type
}

// jsPattern declares the names of a pattern. Its value is an expression or None.
func jsPattern(w *walk, n, whole, value int32, kind code.Kind, s int, flags facts.Flags) {
	if n < 0 {
		return
	}
	declare := func(name, value int32) {
		y := w.symbol(name, whole, kind, flags)
		setType(w, y, facts.None, value)
		w.bind(s, y, 0)
		jsForgets(w, w.text(name))
	}
	part := func(c int32) int32 {
		if kind == code.KindParam {
			return whole // tells which names are of one parameter
		}
		return c
	}
	switch w.kind(n) {
	case "identifier":
		declare(n, value)
	case "shorthand_property_identifier_pattern":
		declare(n, w.member(n, value, facts.RoleRead, facts.None))
	case "object_pattern":
		for c := range w.kids(n) {
			jsPattern(w, c, part(c), value, kind, s, flags)
		}
	case "array_pattern":
		place, end := int32(0), w.start(n)
		for c := range w.kids(n) {
			if w.token(c) {
				continue
			}
			place += commas(w.src[end:w.start(c)])
			end = w.end(c)
			jsPattern(w, c, part(c), w.of(facts.OpResult, value, place), kind, s, flags)
		}
	case "pair_pattern":
		jsPattern(w, w.child(n, "value"), part(n), jsKey(w, w.child(n, "key"), value), kind, s, flags)
	case "object_assignment_pattern", "assignment_pattern":
		otherwise, left := w.visit(w.child(n, "right")), w.child(n, "left")
		if w.is(left, "shorthand_property_identifier_pattern") {
			declare(left, w.union(w.member(left, value, facts.RoleRead, facts.None), otherwise))
			return
		}
		jsPattern(w, left, part(n), w.union(value, otherwise), kind, s, flags)
	case "rest_pattern":
		if w.is(w.up(n), "array_pattern") {
			value = w.expr(facts.OpLiteral, facts.LiteralList, facts.None)
		}
		jsPattern(w, w.only(n), part(n), value, kind, s, flags)
	default:
		w.visit(n)
	}
}

// commas counts those in a text, without its comments.
func commas(text string) (n int32) {
	for ; text != ""; text = text[1:] {
		end := ""
		switch {
		case text[0] == ',':
			n++
		case strings.HasPrefix(text, "//"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		}
		if end != "" {
			_, text, _ = strings.Cut(text, end)
			text = "/" + text
		}
	}
	return n
}

// jsKey reads the key of a pattern or a literal as a member of its value.
func jsKey(w *walk, key, of int32) int32 {
	if name := jsName(w, key); name >= 0 {
		return w.member(name, of, facts.RoleRead, facts.None)
	}
	return facts.None
}

// jsVariables reads a declaration of let, const or var.
func jsVariables(w *walk, n int32) int32 {
	s, kind := w.top(), code.KindVar
	if w.is(n, "variable_declaration") {
		s = jsScope(w)
	}
	flags, whole := jsTakeFlags(w, s), jsTakeWhole(w, n)
	if w.is(w.child(n, "kind"), "const") && flags&facts.Local == 0 {
		kind = code.KindConst
	}
	single := int32(facts.None)
	count := 0
	for c := range w.kids(n) {
		if w.is(c, "variable_declarator") {
			single, count = c, count+1
		}
	}
	for c := range w.kids(n) {
		if !w.is(c, "variable_declarator") {
			continue
		}
		if c != single || count > 1 {
			jsVariable(w, c, c, kind, s, flags)
		} else {
			jsVariable(w, c, whole, kind, s, flags)
		}
	}
	return facts.None
}

func jsVariable(w *walk, n, whole int32, kind code.Kind, s int, flags facts.Flags) {
	name, value := w.child(n, "name"), w.child(n, "value")
	if jsRequire(w, name, value) {
		return
	}
	if !w.is(name, "identifier") {
		typ := w.value(w.visitType(w.child(n, "type")))
		v := jsValue(w, value, typ)
		if typ >= 0 {
			v = typ
		}
		jsPattern(w, name, whole, v, kind, s, flags)
		return
	}
	switch {
	case jsIsFunction(w, value):
		kind = code.KindFunc
	case w.is(value, "class") && w.child(value, "name") < 0:
		kind = code.KindClass
	}
	y := w.symbol(name, whole, kind, flags)
	w.bind(s, y, 0)
	jsForgets(w, w.text(name))
	w.document(y, w.start(whole))
	jsHolds(w, y, n, value, flags&facts.Local == 0)
}

func jsIsFunction(w *walk, n int32) bool {
	return n >= 0 && (w.is(n, "arrow_function") || w.is(n, "function_expression") || w.is(n, "generator_function"))
}

// jsHolds reads the type and the value of symbol y. Uses in them are in y unless
// it is local.
func jsHolds(w *walk, y, n, value int32, in bool) {
	outer := w.in
	if jsIsFunction(w, value) {
		typ := w.value(w.visitType(w.child(n, "type")))
		if typ >= 0 && w.exprs[typ].Op == facts.OpValue { // a type with a name, which may have members
			w.expr(facts.OpTyped, y, typ)
		}
		jsFunctionValue(w, y, value, typ)
		return
	}
	w.within(y, func() {
		if !in {
			w.in = outer
		}
		typ := w.value(w.visitType(w.child(n, "type")))
		setType(w, y, typ, jsInitial(w, value, typ, y))
	})
	if typ := w.symbols[y].Type; typ >= 0 && (w.exprs[typ].Op == facts.OpMembers || w.exprs[typ].Op == facts.OpBoth && jsLiteral(w, value) >= 0) {
		w.signature(y, w.symbols[y].Start, value)
	}
}

// jsFunctionValue reads a function that is the value of a symbol. It must be of a
// type, or None.
func jsFunctionValue(w *walk, y, n, typ int32) {
	this := w.this
	if !w.is(n, "arrow_function") {
		this = jsRunsOn(w, typ, receiver{symbol: facts.None})
	}
	start := w.symbols[y].Start
	branches := w.branches
	var result int32
	w.within(y, func() { result = jsBody(w, n, y, typ, this) })
	w.signature(y, start, w.child(n, "body"))
	s := &w.symbols[y]
	s.SigEnd = start + uint32(len(strings.TrimRight(strings.TrimSuffix(w.src[start:s.SigEnd], "=>"), " \t\r\n")))
	s.Complexity = uint16(min(1+w.branches-branches, 0xffff))
	s.Type = result
	if w.child(n, "return_type") < 0 && result >= 0 {
		s.Flags |= facts.Inferred
	}
}

// jsInitial reads the first value of symbol y, which may be None. An object
// literal declares its members unless the type is written.
func jsInitial(w *walk, n, typ, y int32) int32 {
	o := jsLiteral(w, n)
	if o < 0 || typ >= 0 {
		return jsValue(w, n, typ)
	}
	for x := n; x != o; {
		switch w.kind(x) {
		case "call_expression":
			jsRef(w, w.child(x, "function"), facts.RoleCall, 1)
			x = w.child(x, "arguments")
		case "satisfies_expression":
			typ = w.value(w.visitType(w.last(x)))
		}
		x = w.only(x)
	}
	return jsMembers(w, o, y, typ)
}

// jsLiteral is the object literal that a value in node n is, as it stands, in parentheses,
// as const, frozen or with the type that it satisfies; None of another value.
func jsLiteral(w *walk, n int32) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "object":
		return n
	case "parenthesized_expression":
		return jsLiteral(w, w.only(n))
	case "as_expression":
		if w.token(w.last(n)) { // const
			return jsLiteral(w, w.only(n))
		}
	case "satisfies_expression":
		return jsLiteral(w, w.only(n))
	case "call_expression":
		if list := w.child(n, "arguments"); w.is(list, "arguments") && jsCount(w, list) == 1 && w.text(w.child(n, "function")) == "Object.freeze" {
			return jsLiteral(w, w.only(list))
		}
	}
	return facts.None
}

// jsMembers reads an object literal whose properties are members of symbol y. They set
// those of a type that the literal satisfies, or None.
func jsMembers(w *walk, n, y, typ int32) int32 {
	parent := w.parent
	w.parent = y
	defer func() { w.parent = parent }()
	this := receiver{facts.OpMembers, y}
	spread := int32(facts.None)
	constants := map[int32]int32(nil)
	if typ >= 0 {
		typ, constants = jsShaped(w, n, typ)
	}
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "spread_element":
			if v := w.visit(c); v >= 0 && spread >= 0 {
				spread = w.expr(facts.OpBoth, spread, v)
			} else if v >= 0 {
				spread = v
			}
		case "pair":
			member := jsSatisfies(w, w.child(c, "key"), typ)
			if has, ok := constants[c]; ok && member >= 0 {
				w.exprs[has].X = w.exprs[member].X
			}
			jsPair(w, c, y, member)
		case "method_definition":
			jsMethod(w, c, jsSatisfies(w, w.child(c, "name"), typ), facts.Exported, this)
		case "shorthand_property_identifier":
			jsSatisfies(w, c, typ)
			f := w.symbol(c, c, code.KindField, w.symbols[y].Flags&facts.Local|facts.Exported)
			setType(w, f, facts.None, w.visit(c))
		default:
			w.visit(c)
		}
	}
	members := w.expr(facts.OpMembers, y, facts.None)
	if spread < 0 {
		return members
	}
	return w.expr(facts.OpBoth, members, spread)
}

// jsSatisfies reads the key of a literal as a member of the type that the literal
// satisfies, and returns its type; None where there is no such type.
func jsSatisfies(w *walk, key, typ int32) int32 {
	if typ < 0 || w.is(key, "computed_property_name") {
		return facts.None
	}
	return jsLiteralKey(w, key, typ)
}

// jsPair reads a key and its value, which must be of a type, or None, as a member of
// symbol y.
func jsPair(w *walk, n, y, typ int32) {
	name, value := jsName(w, w.child(n, "key")), w.child(n, "value")
	if name < 0 {
		jsValue(w, value, typ)
		return
	}
	kind := code.KindField
	if jsIsFunction(w, value) {
		kind = code.KindMethod
	}
	f := w.symbol(name, n, kind, w.symbols[y].Flags&facts.Local|facts.Exported)
	w.document(f, w.start(n))
	if kind == code.KindMethod {
		jsFunctionValue(w, f, value, typ)
		return
	}
	in := w.in
	w.within(f, func() {
		w.in = in
		switch {
		case typ < 0:
			setType(w, f, facts.None, jsInitial(w, value, typ, f))
		case w.is(value, "object"):
			setType(w, f, facts.None, jsMembers(w, value, f, typ))
		default:
			setType(w, f, facts.None, jsValue(w, value, typ))
		}
	})
}

func jsForIn(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	left, right := w.child(n, "left"), w.child(n, "right")
	which := int32(4) // of a map a pair
	if w.is(w.child(n, "operator"), "in") {
		which = 1
	}
	element := w.of(facts.OpElem, w.visit(right), which)
	if kind := w.child(n, "kind"); kind >= 0 {
		s := w.top()
		if w.is(kind, "var") {
			s = jsScope(w)
		}
		flags := facts.Local
		if w.scopes[s].kind == scopeModule {
			flags = 0
		}
		jsPattern(w, left, left, element, code.KindVar, s, flags)
	} else {
		jsTarget(w, left, element)
	}
	w.visitOther(n, left, right)
	return facts.None
}

func jsCatch(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	p := w.child(n, "parameter")
	jsPattern(w, p, p, facts.None, code.KindVar, w.top(), facts.Local)
	w.visitOther(n, p)
	return facts.None
}

func jsReturn(w *walk, n int32) int32 {
	v := w.only(n)
	if v < 0 || w.fn == nil {
		return w.visitAll(n)
	}
	var e int32
	if w.fn.result < 0 && w.fn.symbol >= 0 && w.fn.returns < 0 {
		e = jsInitial(w, v, facts.None, w.fn.symbol)
	} else {
		e = jsValue(w, v, w.fn.result)
	}
	if w.fn.returns < 0 || w.exprs[w.fn.returns].Op == facts.OpLiteral {
		w.fn.returns = e
	}
	return facts.None
}

// jsYield reads yield and yield*.
func jsYield(w *walk, n int32) int32 {
	v := w.last(n)
	if v < 0 || w.token(v) {
		return facts.None
	}
	value := w.visit(v)
	if w.has(n, "*") {
		value = w.of(facts.OpElem, value, 0)
	}
	if w.fn != nil && w.fn.yielded < 0 {
		w.fn.yielded = value
	}
	return facts.None
}

// jsTarget reads the target of an assignment.
func jsTarget(w *walk, n, value int32) {
	if n < 0 {
		return
	}
	switch w.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		w.use(n, facts.RoleWrite, facts.None)
	case "member_expression":
		jsRef(w, n, facts.RoleWrite, facts.None)
	case "object_pattern", "array_pattern", "parenthesized_expression", "non_null_expression", "rest_pattern", "object", "array":
		for c := range w.kids(n) {
			jsTarget(w, c, facts.None)
		}
	case "pair_pattern", "pair":
		jsKey(w, w.child(n, "key"), value)
		jsTarget(w, w.child(n, "value"), facts.None)
	case "object_assignment_pattern", "assignment_pattern":
		w.visit(w.child(n, "right"))
		jsTarget(w, w.child(n, "left"), facts.None)
	default:
		w.visit(n)
	}
}

func jsAssignment(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	if w.is(left, "member_expression") {
		if v, ok := jsAssignMember(w, n, left, right); ok {
			return v
		}
	}
	switch w.kind(max(left, 0)) {
	case "identifier", "member_expression", "subscript_expression":
		v := jsValue(w, right, jsRef(w, left, facts.RoleWrite, facts.None))
		jsForgets(w, w.text(left))
		jsLater(w, left, v)
		if w.is(w.child(left, "object"), "this") {
			jsLaterField(w, w.child(left, "property"), v)
		}
		return v
	}
	v := w.visit(right)
	jsTarget(w, left, v)
	return v
}

// jsAssignMember reads the assignments that declare a member: of this, a
// prototype, a function, an object or the exports.
func jsAssignMember(w *walk, n, left, right int32) (int32, bool) {
	object, name := w.child(left, "object"), w.child(left, "property")
	if name < 0 || right < 0 {
		return 0, false
	}
	top := w.scopes[jsScope(w)].kind == scopeModule
	switch {
	case w.is(object, "this"):
		return jsField(w, n, name, right)
	case !top:
		return 0, false
	case w.text(left) == "module.exports":
		return jsModuleExports(w, n, name, right), true
	case w.text(object) == "exports" || w.text(object) == "module.exports":
		return jsExportsMember(w, n, name, right), true
	case !jsIsFunction(w, right):
		return 0, false
	case w.is(object, "identifier"):
		return jsOwned(w, n, object, name, right, facts.Static), true
	case w.is(object, "member_expression") && w.is(w.child(object, "object"), "identifier") && w.text(w.child(object, "property")) == "prototype" && !tsDeclares(w):
		return jsOwned(w, n, w.child(object, "object"), name, right, 0), true
	}
	return 0, false
}

// jsField declares the field of a class that this.name = value declares. In TypeScript
// it sets one that the class or a base of it declares.
func jsField(w *walk, n, name, value int32) (int32, bool) {
	if w.this.symbol < 0 || w.this.op != facts.OpThis || tsDeclares(w) {
		return 0, false
	}
	key := fieldKey{w.this.symbol, w.number(w.text(name))}
	if _, ok := w.js().fields[key]; ok {
		return 0, false
	}
	f := w.symbol(name, n, code.KindField, jsVisible(w.text(name)))
	w.symbols[f].Parent = w.this.symbol
	w.js().fields[key] = f
	in := w.in
	var v int32
	w.within(f, func() {
		w.in = in
		v = jsInitial(w, value, facts.None, f)
	})
	setType(w, f, facts.None, v)
	return v, true
}

// jsLaterField gives a field that has no type yet that of a value which a method gives
// it.
func jsLaterField(w *walk, name, value int32) {
	if name < 0 || w.this.symbol < 0 || w.this.op != facts.OpThis {
		return
	}
	if f, ok := w.js().fields[fieldKey{w.this.symbol, w.number(w.text(name))}]; ok && f >= 0 {
		jsGains(w, f, value)
	}
}

// jsVisible tells whether a member is seen outside by its name alone.
func jsVisible(name string) facts.Flags {
	if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "_") {
		return 0
	}
	return facts.Exported
}

// jsOwned declares the method that owner.name = function declares.
func jsOwned(w *walk, n, owner, name, value int32, flags facts.Flags) int32 {
	w.use(owner, facts.RoleRead, facts.None)
	f := w.symbol(name, n, code.KindMethod, flags|facts.Exported)
	w.symbols[f].Owner = w.text(owner)
	w.document(f, w.start(n))
	jsFunctionValue(w, f, value, facts.None)
	return w.expr(facts.OpSymbol, f, 0)
}

// jsModuleExports reads module.exports = value.
func jsModuleExports(w *walk, n, name, value int32) int32 {
	switch {
	case w.is(value, "identifier"):
		jsPassOn(w, w.text(value), facts.WholeModule, w.start(value))
		return w.visit(value)
	case w.is(value, "object"):
		for c := range w.kids(value) {
			jsExportedProperty(w, c)
		}
		return w.expr(facts.OpLiteral, facts.LiteralMap, facts.None)
	case w.is(value, "class"):
		return jsExportedClass(w, n, name, value)
	case w.is(value, "assignment_expression"): // module.exports = exports = value
		jsModuleExports(w, n, name, w.child(value, "right"))
		return facts.None
	case jsPassAll(w, value):
		whole := w.imports[len(w.imports)-1]
		whole.Name, whole.Local = facts.WholeModule, facts.WholeModule
		w.imports = append(w.imports, whole)
		return w.visit(value)
	}
	kind := code.KindVar
	if jsIsFunction(w, value) {
		kind = code.KindFunc
	}
	y := w.symbol(name, n, kind, facts.Exported)
	w.document(y, w.start(n))
	jsPassOn(w, "exports", facts.WholeModule, w.start(name))
	jsHolds(w, y, n, value, true)
	return w.expr(facts.OpSymbol, y, 0)
}

// jsExportedClass reads module.exports = class.
func jsExportedClass(w *walk, n, name, class int32) int32 {
	own := w.child(class, "name")
	if own < 0 {
		own = name
	}
	y := w.symbol(own, n, code.KindClass, facts.Exported)
	w.signature(y, w.start(n), w.child(class, "body"))
	w.document(y, w.start(n))
	if own != name {
		w.open(scopeBlock) // its name is known within it only
		defer w.close()
		w.bind(w.top(), y, 0)
	}
	jsPassOn(w, w.text(own), facts.WholeModule, w.start(own))
	jsClassOf(w, class, y)
	return w.expr(facts.OpSymbol, y, 0)
}

// jsPassAll notes that all names of require("module") are passed on, where that is
// the value.
func jsPassAll(w *walk, value int32) bool {
	if !w.is(value, "call_expression") || !jsIsRequire(w, w.child(value, "function")) {
		return false
	}
	m := jsModule(w, w.childOf(w.child(value, "arguments"), "string"))
	if m < 0 {
		return false
	}
	w.imports = append(w.imports, facts.Import{Module: w.text(m), Name: "*", Place: facts.Place{At: w.start(m)}, In: facts.None, Flags: facts.Exported | facts.Reexport})
	return true
}

func jsExportedProperty(w *walk, n int32) {
	switch w.kind(n) {
	case "shorthand_property_identifier":
		jsPassOn(w, w.text(n), w.text(n), w.start(n))
		w.visit(n)
	case "pair":
		name, value := jsName(w, w.child(n, "key")), w.child(n, "value")
		if name >= 0 && w.is(value, "identifier") {
			jsPassOn(w, w.text(value), w.text(name), w.start(name))
			w.visit(value)
			return
		}
		if name >= 0 {
			jsExportsMember(w, n, name, value)
		}
	case "method_definition":
		jsMethod(w, n, facts.None, facts.Exported, receiver{symbol: facts.None})
	case "spread_element":
		jsPassAll(w, w.only(n))
		w.visit(n)
	default:
		w.visit(n)
	}
}

// jsExportsMember declares the name of exports.name = value.
func jsExportsMember(w *walk, n, name, value int32) int32 {
	if w.is(value, "identifier") {
		jsPassOn(w, w.text(value), w.text(name), w.start(name))
		return w.visit(value)
	}
	kind := code.KindVar
	if jsIsFunction(w, value) {
		kind = code.KindFunc
	}
	y := w.symbol(name, n, kind, facts.Exported)
	w.symbols[y].Parent = facts.None
	w.document(y, w.start(n))
	jsHolds(w, y, n, value, true)
	return w.expr(facts.OpSymbol, y, 0)
}

// jsPassOn notes that the file exports its name as local.
func jsPassOn(w *walk, name, local string, at uint32) {
	w.imports = append(w.imports, facts.Import{Name: name, Local: local, Place: facts.Place{At: at}, In: facts.None, Flags: facts.Exported | facts.Reexport})
}

// jsFinish marks the names in export clauses.
func jsFinish(w *walk) {
	exported := map[string]bool{}
	for i := range w.imports {
		if m := &w.imports[i]; m.Module == "" && m.Flags&facts.Reexport != 0 {
			exported[m.Name] = true
		}
	}
	for _, d := range w.scopes[0].declared {
		if d.bind == facts.BindSymbol && exported[w.symbols[d.target].Name] {
			w.symbols[d.target].Flags |= facts.Exported
		}
	}
}

func jsClass(w *walk, n int32) int32 {
	name, s := w.child(n, "name"), w.top()
	whole, flags := jsTakeWhole(w, n), jsTakeFlags(w, s)
	for c := range w.kids(n) {
		if w.is(c, "decorator") {
			w.visit(c)
		}
	}
	body := w.child(n, "body")
	if name < 0 {
		return jsAnonymousClass(w, n, body)
	}
	c := w.symbol(name, whole, code.KindClass, flags)
	if w.is(n, "class") {
		w.open(scopeBlock) // its name is known inside only
		defer w.close()
		s = w.top()
	}
	w.bind(s, c, 0)
	w.signature(c, w.start(whole), body)
	w.document(c, w.start(whole))
	jsClassOf(w, n, c)
	return w.expr(facts.OpSymbol, c, 0)
}

// jsAnonymousClass reads a class without a name. Its members belong to the symbol
// around it.
func jsAnonymousClass(w *walk, n, body int32) int32 {
	if w.parent < 0 {
		w.visitOther(n, body)
		jsClassBody(w, body, receiver{symbol: facts.None})
		return facts.None
	}
	jsClassOf(w, n, w.parent)
	return w.expr(facts.OpSymbol, w.parent, 0)
}

// jsClassOf reads heritage and body of class n, whose symbol is c.
func jsClassOf(w *walk, n, c int32) {
	w.within(c, func() {
		w.open(scopeBlock)
		tsTypeParameters(w, n)
		if h := w.childOf(n, "class_heritage"); h >= 0 {
			jsBases(w, c, jsHeritage(w, h))
		}
		jsClassBody(w, w.child(n, "body"), receiver{facts.OpThis, c})
		w.close()
	})
}

// jsBases sets the type of a class to its bases, where they are more than names.
func jsBases(w *walk, class int32, list []int32) {
	if slices.ContainsFunc(list, func(e int32) bool { return e < 0 || w.exprs[e].Op != facts.OpUse }) {
		w.symbols[class].Type = w.tuple(list)
	}
}

// jsHeritage reads the bases of a class.
func jsHeritage(w *walk, n int32) []int32 {
	var bases []int32
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "extends_clause":
			base := jsRef(w, w.child(c, "value"), facts.RoleInherit, facts.None)
			bases = append(bases, apply(w, base, w.child(c, "type_arguments")))
		case "implements_clause":
			bases = append(bases, tsBases(w, c, facts.RoleImplement)...)
		default:
			if !w.token(c) {
				bases = append(bases, jsRef(w, c, facts.RoleInherit, facts.None))
			}
		}
	}
	return bases
}

func jsClassBody(w *walk, body int32, this receiver) {
	if body < 0 {
		return
	}
	that := w.this
	w.this = this
	for c := range w.kids(body) {
		if name := jsMemberName(w, c); name >= 0 && this.symbol >= 0 {
			w.js().fields[fieldKey{this.symbol, w.number(w.text(name))}] = facts.None
		}
	}
	for c := range w.kids(body) {
		jsClassMember(w, c, this)
	}
	w.this = that
}

// jsMemberName is the name of a member, or None if it is computed.
func jsMemberName(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		name = w.child(n, "property")
	}
	if name >= 0 && (w.is(name, "property_identifier") || w.is(name, "private_property_identifier")) {
		return name
	}
	return facts.None
}

func jsClassMember(w *walk, n int32, this receiver) {
	flags := facts.Exported
	if a := w.childOf(n, "accessibility_modifier"); a >= 0 && w.text(a) == "private" {
		flags = 0
	}
	if w.has(n, "static") {
		flags |= facts.Static
	}
	if w.has(n, "override_modifier") {
		flags |= facts.Overrides
	}
	switch w.kind(n) {
	case "method_definition":
		jsMethod(w, n, facts.None, flags, this)
	case "abstract_method_signature", "method_signature":
		jsMethod(w, n, facts.None, flags|facts.Abstract, this)
	case "public_field_definition", "field_definition":
		jsClassField(w, n, flags)
	case "class_static_block":
		w.open(scopeFunction)
		w.visitAll(n)
		w.close()
	default:
		w.visit(n)
	}
}

// jsMethod declares method n of symbol w.parent. It must be of a type, or None.
func jsMethod(w *walk, n, typ int32, flags facts.Flags, this receiver) {
	for c := range w.kids(n) {
		if w.is(c, "decorator") {
			w.visit(c)
		}
	}
	name := jsName(w, w.child(n, "name"))
	if name < 0 {
		jsBody(w, n, facts.None, typ, this)
		return
	}
	if strings.HasPrefix(w.text(name), "#") {
		flags &^= facts.Exported
	}
	if w.has(n, "get") || w.has(n, "set") {
		flags |= facts.Accessor
	}
	f := w.symbol(name, n, code.KindMethod, flags)
	jsFunction(w, n, f, n, typ, this)
}

func jsClassField(w *walk, n int32, flags facts.Flags) {
	for c := range w.kids(n) {
		if w.is(c, "decorator") {
			w.visit(c)
		}
	}
	key := w.child(n, "name")
	if key < 0 {
		key = w.child(n, "property")
	}
	name, value := jsName(w, key), w.child(n, "value")
	if name < 0 {
		w.visitType(w.child(n, "type"))
		w.visit(value)
		return
	}
	if strings.HasPrefix(w.text(name), "#") {
		flags &^= facts.Exported
	}
	kind := code.KindField
	if jsIsFunction(w, value) {
		kind = code.KindMethod
	}
	if w.has(n, "abstract") {
		flags |= facts.Abstract
	}
	f := w.symbol(name, n, kind, flags)
	w.document(f, w.start(n))
	w.open(scopeFunction)
	jsHolds(w, f, n, value, true)
	w.close()
	if w.this.op == facts.OpThis && kind == code.KindField && w.child(n, "type") < 0 {
		w.js().fields[fieldKey{w.this.symbol, w.number(w.text(name))}] = f
	}
}

// jsDecorator reads @name or @name(...).
func jsDecorator(w *walk, n int32) int32 {
	x := w.only(n)
	if w.is(x, "identifier") || w.is(x, "member_expression") {
		return jsRef(w, x, facts.RoleCall, facts.None)
	}
	return w.visit(x)
}

func jsCall(w *walk, n int32) int32 { return jsCallGiving(w, n, facts.None) }

// jsCallGiving reads a call that must give a value of a type, or None.
func jsCallGiving(w *walk, n, typ int32) int32 {
	callee := w.child(n, "function")
	if w.is(callee, "await_expression") { // as the grammar reads await f<T>(a)
		return w.of(facts.OpElem, jsCallOf(w, n, w.only(callee), facts.None), 2)
	}
	return jsCallOf(w, n, callee, typ)
}

// jsCallOf reads a call, n, of the function in node callee, which must give a value of a
// type, or None: where that is written, it tells what functions among the arguments take.
func jsCallOf(w *walk, n, callee, typ int32) int32 {
	list := w.child(n, "arguments")
	if w.is(callee, "import") || jsIsRequire(w, callee) {
		if loaded := jsLoad(w, callee, list); loaded >= 0 {
			return loaded
		}
	}
	args := jsCount(w, list)
	var f int32
	if w.is(callee, "super") {
		f = w.member(callee, superValue(w, callee), facts.RoleCall, args)
	} else {
		f = jsRef(w, callee, facts.RoleCall, args)
	}
	if args > 0 && f >= 0 && w.js().testing > 0 {
		jsTests(w, n, w.only(list), w.expr(facts.OpGuarded, f, 0))
	}
	f = apply(w, f, w.child(n, "type_arguments"))
	takes := f
	if typ >= 0 && w.exprs[typ].Op == facts.OpValue && f >= 0 && jsGivesFunction(w, list) {
		takes = w.expr(facts.OpGives, f, typ)
	}
	jsGiven(w, n, f, jsArguments(w, list, takes))
	return w.of(facts.OpCall, f, 0)
}

// jsGivesFunction reports whether one of the arguments of a call is a function.
func jsGivesFunction(w *walk, list int32) bool {
	if !w.is(list, "arguments") {
		return false
	}
	for a := range w.kids(list) {
		if jsIsFunction(w, a) {
			return true
		}
	}
	return false
}

// jsCount counts the arguments of a call; None where some are spread.
func jsCount(w *walk, list int32) int {
	if !w.is(list, "arguments") {
		return facts.None
	}
	count := 0
	for a := range w.kids(list) {
		if w.is(a, "spread_element") {
			return facts.None
		}
		count++
	}
	return count
}

func jsNew(w *walk, n int32) int32 {
	list := w.child(n, "arguments")
	args := 0
	if list >= 0 {
		args = jsCount(w, list)
	}
	made := w.child(n, "constructor")
	c := jsRef(w, made, facts.RoleCall, args)
	if w.is(made, "this") && jsIsStatic(w) { // or one below
		class := w.expr(facts.OpSymbol, w.this.symbol, 0)
		w.member(made, w.expr(facts.OpElse, class, facts.None), facts.RoleCall, args)
	}
	c = apply(w, c, w.child(n, "type_arguments"))
	jsGiven(w, n, c, jsArguments(w, list, c))
	return w.of(facts.OpCall, c, 0)
}

// jsIsStatic reports whether this is the class around itself.
func jsIsStatic(w *walk) bool {
	for y := w.in; y >= 0 && w.this.op == facts.OpThis; y = w.symbols[y].Parent {
		if w.symbols[y].Parent == w.this.symbol {
			return w.symbols[y].Flags&facts.Static != 0
		}
	}
	return false
}

func jsIsRequire(w *walk, callee int32) bool {
	return w.is(callee, "identifier") && w.text(callee) == "require"
}

// jsLoad reads require("module") or import("module") and returns the module. It is
// None, and nothing is read, if the module is not written.
func jsLoad(w *walk, callee, list int32) int32 {
	m := jsModule(w, w.childOf(list, "string"))
	if m < 0 {
		return facts.None
	}
	row := facts.Import{Module: w.text(m), Place: facts.Place{At: w.start(m)}, In: w.parent}
	if jsIsRequire(w, callee) {
		row.Name = facts.WholeModule
	}
	w.imports = append(w.imports, row)
	u := w.add(w.text(callee), w.start(callee), facts.RoleImport, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, int32(len(w.imports)-1)
	w.visit(list)
	return w.expr(facts.OpUse, u, 0)
}

// jsModule is the text of the string that names a module, or None.
func jsModule(w *walk, n int32) int32 { return w.childOf(n, "string_fragment") }

// jsRequire reads name = require("module"), also with a member or await import.
// The names are imports.
func jsRequire(w *walk, name, value int32) bool {
	if value < 0 {
		return false
	}
	member := int32(facts.None)
	if w.is(value, "member_expression") {
		member, value = w.child(value, "property"), w.child(value, "object")
	}
	if w.is(value, "await_expression") {
		value = w.only(value)
	}
	callee := w.child(value, "function")
	if !w.is(value, "call_expression") || !w.is(callee, "import") && !jsIsRequire(w, callee) {
		return false
	}
	module := jsModule(w, w.childOf(w.child(value, "arguments"), "string"))
	if module < 0 {
		return false
	}
	switch {
	case w.is(name, "identifier"):
		m := facts.Import{Module: w.text(module), Local: w.text(name), Place: facts.Place{At: w.start(name)}}
		switch {
		case member >= 0:
			m.Name = w.text(member)
		case !w.is(callee, "import"):
			m.Name = facts.WholeModule
		}
		i := jsTake(w, m)
		if member >= 0 {
			w.imported(member, i)
		}
		return true
	case w.is(name, "object_pattern") && member < 0 && jsPlain(w, name):
		for c := range w.kids(name) {
			jsRequired(w, c, w.text(module))
		}
		return true
	}
	return false
}

// jsPlain reports that a pattern has only names, as an import has.
func jsPlain(w *walk, n int32) bool {
	for c := range w.kids(n) {
		if !w.is(c, "shorthand_property_identifier_pattern") && (!w.is(c, "pair_pattern") || !w.is(w.child(c, "value"), "identifier")) {
			return false
		}
	}
	return true
}

func jsRequired(w *walk, n int32, module string) {
	name, local := n, n
	if w.is(n, "pair_pattern") {
		name, local = jsName(w, w.child(n, "key")), w.child(n, "value")
		if name < 0 {
			name = local
		}
	}
	i := jsTake(w, facts.Import{Module: module, Name: w.text(name), Local: w.text(local), Place: facts.Place{At: w.start(local)}})
	w.imported(name, i)
}

// jsTake adds an import and declares its local name in the innermost scope.
func jsTake(w *walk, m facts.Import) int32 {
	s := w.top()
	m.In = facts.None
	if k := w.scopes[s].kind; k != scopeModule {
		m.In = w.parent
	}
	w.imports = append(w.imports, m)
	i := int32(len(w.imports) - 1)
	w.declare(s, m.Local, m.At, 0, facts.BindImport, i)
	return i
}

func jsImport(w *walk, n int32) int32 {
	source := w.child(n, "source")
	clause := w.childOf(n, "import_clause")
	if r := w.childOf(n, "import_require_clause"); r >= 0 {
		source, clause = w.child(r, "source"), r
	}
	module := jsModule(w, source)
	if module < 0 {
		return facts.None
	}
	if clause < 0 {
		w.imports = append(w.imports, facts.Import{Module: w.text(module), Place: facts.Place{At: w.start(module)}, In: facts.None})
		return facts.None
	}
	for c := range w.kids(clause) {
		switch w.kind(c) {
		case "identifier":
			m := facts.Import{Module: w.text(module), Name: "default", Local: w.text(c), Place: facts.Place{At: w.start(c)}}
			if w.is(clause, "import_require_clause") {
				m.Name = facts.WholeModule
			}
			i := jsTake(w, m)
			if m.Name != facts.WholeModule {
				w.imported(c, i)
			}
		case "namespace_import":
			if name := w.childOf(c, "identifier"); name >= 0 {
				jsTake(w, facts.Import{Module: w.text(module), Local: w.text(name), Place: facts.Place{At: w.start(name)}})
			}
		case "named_imports":
			for s := range w.kids(c) {
				jsSpecifier(w, s, w.text(module))
			}
		}
	}
	return facts.None
}

// jsSpecifier reads "name as alias" of an import.
func jsSpecifier(w *walk, n int32, module string) {
	key := w.child(n, "name")
	name, local := jsName(w, key), w.child(n, "alias")
	if local < 0 {
		local = name
	}
	if name < 0 {
		return
	}
	i := jsTake(w, facts.Import{Module: module, Name: w.text(name), Local: w.text(local), Place: facts.Place{At: w.start(local)}})
	w.imported(name, i)
}

// jsImportAlias reads import A = B.C.
func jsImportAlias(w *walk, n int32) int32 {
	name := w.childOf(n, "identifier")
	if name < 0 {
		return w.visitAll(n)
	}
	s := w.top()
	y := w.symbol(name, jsTakeWhole(w, n), code.KindModule, jsTakeFlags(w, s))
	w.bind(s, y, 0)
	w.symbols[y].Type = w.visit(w.last(n))
	return facts.None
}

func jsExport(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		if w.is(c, "decorator") {
			w.visit(c)
		}
	}
	source := jsModule(w, w.child(n, "source"))
	switch d := w.child(n, "declaration"); {
	case source >= 0:
		jsReexport(w, n, w.text(source), source)
	case w.has(n, "export_clause"):
		for s := range w.kids(w.childOf(n, "export_clause")) {
			jsExportSpecifier(w, s)
		}
	case w.has(n, "default"):
		jsDefault(w, n, d)
	case d >= 0:
		jsDeclare(w, n, d)
	case w.has(n, "="):
		if x := w.last(n); w.is(x, "identifier") {
			jsPassOn(w, w.text(x), facts.WholeModule, w.start(x))
			w.useIn(w.top(), w.text(x), w.start(x), facts.RoleImport, facts.None)
			break
		}
		w.visit(w.last(n))
	default:
		w.visitAll(n)
	}
	return facts.None
}

// jsReexport reads export ... from "module".
func jsReexport(w *walk, n int32, module string, source int32) {
	flags := facts.Exported | facts.Reexport
	if c := w.childOf(n, "export_clause"); c >= 0 {
		for s := range w.kids(c) {
			name := jsName(w, w.child(s, "name"))
			local := jsName(w, w.child(s, "alias"))
			if name < 0 {
				continue
			}
			if local < 0 {
				local = name
			}
			w.imports = append(w.imports, facts.Import{Module: module, Name: w.text(name), Local: w.text(local), Place: facts.Place{At: w.start(local)}, In: facts.None, Flags: flags})
			w.imported(name, int32(len(w.imports)-1))
		}
		return
	}
	m := facts.Import{Module: module, Name: "*", Place: facts.Place{At: w.start(source)}, In: facts.None, Flags: flags}
	if ns := w.childOf(n, "namespace_export"); ns >= 0 {
		if name := jsName(w, w.last(ns)); name >= 0 {
			m.Name, m.Local, m.At = "", w.text(name), w.start(name)
		}
	}
	w.imports = append(w.imports, m)
}

// jsExportSpecifier reads "name as alias" in an export of names of this file.
func jsExportSpecifier(w *walk, n int32) {
	name, alias := w.child(n, "name"), jsName(w, w.child(n, "alias"))
	if name < 0 {
		return
	}
	if alias < 0 {
		alias = name
	}
	jsPassOn(w, w.text(name), w.text(alias), w.start(alias))
	w.useIn(w.top(), w.text(name), w.start(name), facts.RoleImport, facts.None) // a type or a value
}

// jsDefault reads export default, of a declaration or a value.
func jsDefault(w *walk, n, d int32) {
	value := w.child(n, "value")
	named := d
	if named < 0 {
		named = value
	}
	name := w.child(named, "name")
	word := w.childOf(n, "default")
	switch {
	case d >= 0 && name >= 0:
		jsDeclare(w, n, d)
		jsPassOn(w, w.text(name), "default", w.start(word))
	case w.is(value, "identifier"):
		jsPassOn(w, w.text(value), "default", w.start(word))
		w.useIn(w.top(), w.text(value), w.start(value), facts.RoleImport, facts.None) // a type or a value
	case named >= 0:
		jsDefaultValue(w, n, word, named)
	}
}

// jsDefaultValue declares the symbol "default" for a value without a name.
func jsDefaultValue(w *walk, n, word, value int32) {
	kind := code.KindVar
	switch {
	case jsIsFunction(w, value) || w.is(value, "function_declaration") || w.is(value, "generator_function_declaration"):
		kind = code.KindFunc
	case w.is(value, "class") || w.is(value, "class_declaration") || w.is(value, "abstract_class_declaration"):
		kind = code.KindClass
	}
	y := w.symbol(word, n, kind, facts.Exported)
	w.document(y, w.start(n))
	switch kind {
	case code.KindFunc:
		jsFunctionValue(w, y, value, facts.None)
	case code.KindClass:
		jsClassOf(w, value, y)
	default:
		w.within(y, func() { setType(w, y, facts.None, jsInitial(w, value, facts.None, y)) })
	}
}

// jsBinary reads two operands. The result must be of a type, or None.
func jsBinary(w *walk, n, typ int32) int32 {
	operator := w.child(n, "operator")
	kind := "<"
	if operator >= 0 {
		kind = w.kind(operator)
	}
	switch kind {
	case "&&":
		w.branches++
		left := w.child(n, "left")
		jsCondition(w, left)
		return jsUnder(w, left, true, w.child(n, "right"), typ)
	case "||", "??":
		w.branches++
		w.js().testing++
		left := jsValue(w, w.child(n, "left"), typ)
		w.js().testing--
		return w.union(left, jsUnder(w, w.child(n, "left"), false, w.child(n, "right"), typ))
	}
	w.visit(w.child(n, "left"))
	right := w.visit(w.child(n, "right"))
	switch kind {
	case "instanceof":
		jsTests(w, n, w.child(n, "left"), w.value(right))
	case "===", "==", "!==", "!=":
		jsCompares(w, n, kind)
	}
	switch kind {
	case "==", "===", "!=", "!==", "<", "<=", ">", ">=", "instanceof", "in":
		return w.literal(facts.LiteralBool)
	case "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>":
		return w.literal(facts.LiteralNumber)
	}
	return facts.None
}

// jsElement reads the opening of a JSX element. Components are called; names in
// lower case are elements of HTML.
func jsElement(w *walk, n int32) int32 {
	component := jsComponent(w, n, facts.RoleCall)
	for c := range w.kids(n) {
		switch {
		case w.field(c) == "name":
		case w.is(c, "jsx_attribute"):
			jsAttribute(w, c, component)
		default:
			w.visit(c)
		}
	}
	return facts.None
}

// jsAttribute reads an attribute of a component, which may be None.
func jsAttribute(w *walk, n, component int32) {
	name, typ := w.only(n), int32(facts.None)
	if component >= 0 && w.is(name, "property_identifier") {
		typ = w.member(name, component, facts.RoleWrite, facts.None)
	}
	if x := w.childOf(n, "jsx_expression"); x >= 0 {
		jsValue(w, w.only(x), typ)
		return
	}
	w.visitOther(n, name)
}

func jsClosing(w *walk, n int32) int32 {
	jsComponent(w, n, facts.RoleRead)
	return facts.None
}

func jsComponent(w *walk, n int32, role facts.Role) int32 {
	name := w.child(n, "name")
	if name < 0 || w.is(name, "identifier") && jsIntrinsic(w.text(name)) {
		return facts.None
	}
	return jsRef(w, name, role, facts.None)
}

func jsIntrinsic(name string) bool {
	return name == "" || name[0] >= 'a' && name[0] <= 'z'
}
