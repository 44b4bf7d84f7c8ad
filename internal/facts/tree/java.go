package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func javaRules() *rules {
	local := func(w *walk, n int32) int32 { return javaClass(w, n, code.KindClass) }
	return &rules{
		apart: apartCalls,
		state: func() any { return &javaState{compared: facts.None} },
		branches: []string{"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
			"catch_clause", "ternary_expression"},
		comments: []string{"line_comment", "block_comment"},
		visit: map[string]visitor{
			"package_declaration":                 javaPackage,
			"import_declaration":                  javaImport,
			"class_declaration":                   local,
			"record_declaration":                  local,
			"interface_declaration":               func(w *walk, n int32) int32 { return javaClass(w, n, code.KindInterface) },
			"annotation_type_declaration":         func(w *walk, n int32) int32 { return javaClass(w, n, code.KindInterface) },
			"enum_declaration":                    func(w *walk, n int32) int32 { return javaClass(w, n, code.KindEnum) },
			"enum_constant":                       javaEnumConstant,
			"method_declaration":                  javaMethod,
			"constructor_declaration":             javaMethod,
			"compact_constructor_declaration":     javaMethod,
			"annotation_type_element_declaration": javaMethod,
			"field_declaration":                   javaFields,
			"constant_declaration":                javaFields,
			"local_variable_declaration":          javaLocals,
			"static_initializer":                  blockScope,
			"block":                               blockScope,
			"constructor_body":                    blockScope,
			"switch_block":                        blockScope,
			"switch_expression":                   javaSwitch,
			"switch_label":                        javaLabel,
			"for_statement":                       blockScope,
			"enhanced_for_statement":              javaForEach,
			"try_with_resources_statement":        blockScope,
			"resource":                            javaResource,
			"catch_clause":                        blockScope,
			"catch_formal_parameter":              javaCatch,
			"lambda_expression":                   func(w *walk, n int32) int32 { return javaLambda(w, n, facts.None) },
			"return_statement":                    javaReturn,
			"labeled_statement":                   javaLabeled,
			"break_statement":                     func(*walk, int32) int32 { return facts.None },
			"continue_statement":                  func(*walk, int32) int32 { return facts.None },
			"instanceof_expression":               javaInstanceof,
			"type_pattern":                        javaTypePattern,
			"record_pattern":                      javaRecordPattern,
			"record_pattern_component":            javaTypePattern,
			"annotation":                          javaAnnotation,
			"marker_annotation":                   javaAnnotation,
			"identifier":                          func(w *walk, n int32) int32 { return javaName(w, n, readRole(w), facts.None) },
			"type_identifier":                     javaTypeName,
			"scoped_type_identifier":              func(w *walk, n int32) int32 { return javaScoped(w, n, facts.RoleType, facts.None) },
			"scoped_identifier":                   func(w *walk, n int32) int32 { return javaScoped(w, n, facts.RoleRead, facts.None) },
			"generic_type":                        func(w *walk, n int32) int32 { return javaTypeRef(w, n, facts.RoleType, facts.None) },
			"type_arguments":                      typeList,
			"wildcard":                            func(w *walk, n int32) int32 { return w.visitType(w.last(n)) },
			"annotated_type":                      func(w *walk, n int32) int32 { w.visitOther(n, w.last(n)); return w.visit(w.last(n)) },
			"array_type":                          func(w *walk, n int32) int32 { return javaArray(w, n, w.visitType(w.child(n, "element"))) },
			"integral_type":                       javaPrimitive,
			"floating_point_type":                 javaPrimitive,
			"boolean_type":                        literalOf(facts.LiteralBool),
			"void_type":                           func(*walk, int32) int32 { return facts.None },
			"field_access":                        func(w *walk, n int32) int32 { return javaField(w, n, facts.RoleRead) },
			"method_invocation":                   javaCall,
			"explicit_constructor_invocation":     javaConstructorCall,
			"object_creation_expression":          javaNew,
			"method_reference":                    javaMethodReference,
			"array_access": func(w *walk, n int32) int32 {
				a := w.visit(w.child(n, "array"))
				w.visit(w.child(n, "index"))
				return w.of(facts.OpElem, a, 0)
			},
			"array_creation_expression":      javaNewArray,
			"array_initializer":              listOf,
			"cast_expression":                javaCast,
			"parenthesized_expression":       func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"assignment_expression":          javaAssignment,
			"update_expression":              func(w *walk, n int32) int32 { return javaTarget(w, w.only(n)) },
			"this":                           thisValue,
			"super":                          javaSuper,
			"ternary_expression":             ternary,
			"binary_expression":              javaBinary,
			"unary_expression":               javaUnary,
			"string_literal":                 literalOf(facts.LiteralString),
			"character_literal":              literalOf(facts.LiteralChar),
			"decimal_integer_literal":        javaNumber,
			"hex_integer_literal":            javaNumber,
			"octal_integer_literal":          javaNumber,
			"binary_integer_literal":         javaNumber,
			"decimal_floating_point_literal": javaNumber,
			"hex_floating_point_literal":     javaNumber,
			"true":                           literalOf(facts.LiteralBool),
			"false":                          literalOf(facts.LiteralBool),
			"null_literal":                   literalOf(facts.LiteralNull),
			"class_literal":                  func(w *walk, n int32) int32 { w.visitType(w.only(n)); return w.literal(facts.LiteralClass) },
		},
	}
}

// javaPrimitives are the types that are no classes, by their names.
var javaPrimitives = map[string]int32{
	"byte": facts.LiteralByte, "short": facts.LiteralShort, "char": facts.LiteralChar, "int": facts.LiteralInt,
	"long": facts.LiteralLong, "float": facts.LiteralFloat, "double": facts.LiteralDouble,
}

func javaPrimitive(w *walk, n int32) int32 { return w.literal(javaPrimitives[w.text(n)]) }

// javaNumber reads the literal of a number, whose last letter may say its type.
func javaNumber(w *walk, n int32) int32 {
	text := strings.ToLower(w.text(n))
	whole := strings.Contains(w.kind(n), "integer")
	switch {
	case whole && strings.HasSuffix(text, "l"):
		return w.literal(facts.LiteralLong)
	case whole:
		return w.literal(facts.LiteralInt)
	case strings.HasSuffix(text, "f"):
		return w.literal(facts.LiteralFloat)
	}
	return w.literal(facts.LiteralDouble)
}

// javaArray is an array of a type with the dimensions that a node writes.
func javaArray(w *walk, n, element int32) int32 {
	a := w.value(element)
	for range strings.Count(w.text(w.childOf(n, "dimensions")), "[") {
		a = arrayOf(w, a)
	}
	return a
}

func javaNewArray(w *walk, n int32) int32 {
	typ := w.child(n, "type")
	a := javaArray(w, n, w.visitType(typ))
	for c := range w.kids(n) {
		if w.is(c, "dimensions_expr") {
			a = arrayOf(w, a)
		}
	}
	w.visitOther(n, typ)
	return a
}

// javaBinary reads two operands. A sum with a text is a text, and a sum of
// numbers of the larger type, int at least.
func javaBinary(w *walk, n int32) int32 {
	operator := w.child(n, "operator")
	left := w.visit(w.child(n, "left"))
	right := w.visit(w.child(n, "right"))
	switch w.text(operator) {
	case "&&", "||":
		w.branches++
		return w.literal(facts.LiteralBool)
	case "==", "!=", "<=", ">=", "<", ">":
		return w.literal(facts.LiteralBool)
	}
	x, y := w.literalKind(left), w.literalKind(right)
	switch {
	case x == facts.LiteralString || y == facts.LiteralString:
		return w.literal(facts.LiteralString)
	case x >= facts.LiteralByte && y >= facts.LiteralByte:
		return w.literal(max(x, y, facts.LiteralInt))
	}
	return facts.None
}

// javaUnary reads !x, which is a condition, and the others, which are known of a literal:
// an int at least.
func javaUnary(w *walk, n int32) int32 {
	operator := w.child(n, "operator")
	v := w.visit(w.child(n, "operand"))
	switch x := w.literalKind(v); {
	case w.text(operator) == "!":
		return w.literal(facts.LiteralBool)
	case x >= facts.LiteralByte && x <= facts.LiteralDouble:
		return w.literal(max(x, facts.LiteralInt))
	}
	return facts.None
}

// javaValue reads an expression where a value like another one is expected, which
// may be None.
func javaValue(w *walk, n, expected int32) int32 {
	switch {
	case w.is(n, "lambda_expression"):
		return javaLambda(w, n, expected)
	case w.is(n, "parenthesized_expression"):
		return javaValue(w, w.only(n), expected)
	case w.is(n, "ternary_expression"):
		w.branches++
		w.visit(w.child(n, "condition"))
		yes := javaValue(w, w.child(n, "consequence"), expected)
		return w.union(yes, javaValue(w, w.child(n, "alternative"), expected))
	}
	return w.visit(n)
}

// javaReturn reads what a method gives, which has the type that is written.
func javaReturn(w *walk, n int32) int32 {
	result := int32(facts.None)
	if w.fn != nil {
		result = w.fn.result
	}
	return javaValue(w, w.only(n), result)
}

// javaArguments reads the arguments of a call of f, which may be None.
func javaArguments(w *walk, list, f int32) []int32 {
	var all []int32
	for a := range w.kids(list) {
		if w.token(a) {
			continue
		}
		v := javaValue(w, a, w.of(facts.OpArgument, f, int32(len(all))))
		if w.is(a, "method_reference") {
			v = w.expr(facts.OpFunc, facts.None, facts.None)
		}
		all = append(all, v)
	}
	return all
}

func javaPackage(w *walk, n int32) int32 {
	w.pkg = withoutBlanks(w, w.last(n))
	return facts.None
}

func javaImport(w *walk, n int32) int32 {
	path := w.childOf(n, "scoped_identifier", "identifier")
	if path < 0 {
		return facts.None
	}
	flags := facts.Flags(0)
	if w.has(n, "static") {
		flags = facts.Static
	}
	if w.has(n, "asterisk") {
		w.imports = append(w.imports, facts.Import{Module: withoutBlanks(w, path), Name: "*", Place: facts.Place{At: w.start(path)}, In: facts.None, Flags: flags})
		javaImportClass(w, path)
		return facts.None
	}
	name, scope := w.child(path, "name"), w.child(path, "scope")
	if name < 0 {
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Module: withoutBlanks(w, scope), Name: w.text(name), Local: w.text(name), Place: facts.Place{At: w.start(name)}, In: facts.None, Flags: flags})
	i := int32(len(w.imports) - 1)
	w.declare(0, w.text(name), w.start(name), 0, facts.BindImport, i)
	javaImportClass(w, scope)
	w.imported(name, i)
	return facts.None
}

// javaImportClass notes the classes that an import names on its way. By custom
// they begin with an upper-case letter, and packages do not.
func javaImportClass(w *walk, path int32) {
	name, scope := w.child(path, "name"), w.child(path, "scope")
	if text := w.text(name); text == "" || text[0] >= 'a' && text[0] <= 'z' {
		return
	}
	javaImportClass(w, scope)
	w.imports = append(w.imports, facts.Import{Module: withoutBlanks(w, scope), Name: w.text(name), Place: facts.Place{At: w.start(name)}, In: facts.None})
	w.imported(name, int32(len(w.imports)-1))
}

// javaFlags reads modifiers and their annotations.
func javaFlags(w *walk, n int32) facts.Flags {
	flags := facts.Exported
	m := w.childOf(n, "modifiers")
	if m < 0 {
		return flags
	}
	for c := range w.kids(m) {
		switch w.kind(c) {
		case "private":
			flags &^= facts.Exported
		case "static":
			flags |= facts.Static
		case "marker_annotation", "annotation":
			if w.text(w.child(c, "name")) == "Override" {
				flags |= facts.Overrides
			}
			w.visit(c)
		}
	}
	return flags
}

// javaSignature is where the declaration n starts, annotations left out.
func javaSignature(w *walk, n int32) uint32 {
	for c := range w.kids(n) {
		if !w.is(c, "modifiers") {
			return w.start(c)
		}
		for m := range w.kids(c) {
			if !w.is(m, "marker_annotation") && !w.is(m, "annotation") {
				return w.start(m)
			}
		}
	}
	return w.start(n)
}

func javaClass(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	s := w.top()
	c := w.symbol(name, n, kind, 0)
	w.bind(s, c, 0)
	w.signature(c, javaSignature(w, n), body)
	w.document(c, w.start(n))
	w.within(c, func() {
		flags := javaFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		w.symbols[c].Flags = flags
		w.open(scopeBlock)
		javaTypeParameters(w, n)
		bases := javaBases(w, w.child(n, "superclass"), facts.RoleInherit)
		bases = append(bases, javaBases(w, w.childOf(n, "extends_interfaces"), facts.RoleInherit)...)
		w.bases(c, append(bases, javaBases(w, w.child(n, "interfaces"), facts.RoleImplement)...))
		javaBody(w, n, body, receiver{facts.OpThis, c})
		w.close()
	})
	return facts.None
}

// javaUnnamedBody reads the members of a class without a name, whose values are seen as
// those of the type that it is made of.
func javaUnnamedBody(w *walk, body, base int32) {
	state := w.state.(*javaState)
	that, around := w.this, state.unnamed
	w.this = receiver{facts.OpValue, base}
	w.open(scopeClass)
	state.unnamed = append(slices.Clip(around), javaAnonymous{base, w.top(), javaDeclared(w, body)})
	w.visitAll(body)
	w.close()
	w.this, state.unnamed = that, around
}

// javaDeclared are the names of the members of a class.
func javaDeclared(w *walk, body int32) map[string]bool {
	own := map[string]bool{}
	for m := range w.kids(body) {
		own[w.text(w.child(m, "name"))] = true
		for d := range w.kids(m) {
			if w.is(d, "variable_declarator") {
				own[w.text(w.child(d, "name"))] = true
			}
		}
	}
	return own
}

// javaUnnamed is the innermost class without a name that a place stands in, with the
// number of its scope; nil where there is none.
func javaUnnamed(w *walk) *javaAnonymous {
	all := w.state.(*javaState).unnamed
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// javaOwns reports whether this is a value of a class without a name that declares a
// member.
func javaOwns(w *walk, name string) bool {
	in := javaUnnamed(w)
	return in != nil && w.this.op == facts.OpValue && in.own[name]
}

// javaSuper reads super. In a class without a name, that is the value of the type that
// it is made of.
func javaSuper(w *walk, n int32) int32 {
	if w.this.op == facts.OpValue {
		return thisValue(w, n)
	}
	return superValue(w, n)
}

// javaName reads a bare name. In a class without a name it may be a member of the type
// that this is made of, or of those around it. Names of types are no members here.
func javaName(w *walk, n int32, role facts.Role, args int) int32 {
	name := w.text(n)
	all := w.state.(*javaState).unnamed
	isType := name != "" && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name
	if len(all) == 0 || isType || javaVisible(w, name, role) {
		return w.use(n, role, args)
	}
	of := int32(facts.None)
	for _, in := range all[max(0, len(all)-maxReceivers):] {
		of = w.union(in.base, of)
	}
	return w.member(n, w.expr(facts.OpElse, of, facts.None), role, args)
}

// javaVisible reports whether a method around or a class without a name declares a name.
func javaVisible(w *walk, name string, role facts.Role) bool {
	all := w.state.(*javaState).unnamed
	for i := w.top(); i > 0; i-- {
		if w.scopes[i].kind == scopeClass {
			if at := slices.IndexFunc(all, func(in javaAnonymous) bool { return in.scope == i }); at >= 0 && all[at].own[name] {
				return true
			}
			continue
		}
		if d, ok := w.declaredIn(i, name); ok && (role != facts.RoleCall || d.bind != facts.BindSymbol || w.symbols[d.target].Kind.IsFunc()) {
			return true
		}
	}
	return false
}

// javaBody reads the members of a class. The components of a record are fields.
func javaBody(w *walk, n, body int32, this receiver) {
	that := w.this
	w.this = this
	state := w.state.(*javaState)
	defer func(around []javaAnonymous) { state.unnamed = around }(state.unnamed)
	state.unnamed = nil
	w.open(scopeClass)
	if list := w.child(n, "parameters"); list >= 0 {
		for p := range w.kids(list) {
			if name := w.child(p, "name"); name >= 0 {
				f := w.symbol(name, p, code.KindField, facts.Exported|facts.Accessor)
				w.bind(w.top(), f, 0)
				w.symbols[f].Type = w.value(w.visitType(w.child(p, "type")))
			}
		}
	}
	if body >= 0 {
		w.visitAll(body)
	}
	w.close()
	w.this = that
}

func javaTypeParameters(w *walk, n int32) {
	list := w.child(n, "type_parameters")
	if list < 0 {
		list = w.childOf(n, "type_parameters")
	}
	if list < 0 {
		return
	}
	for p := range w.kids(list) {
		name := w.childOf(p, "type_identifier", "identifier")
		if name < 0 {
			continue
		}
		y := w.symbol(name, p, code.KindTypeParam, facts.Local)
		w.bind(w.top(), y, 0)
		if b := w.childOf(p, "type_bound"); b >= 0 {
			w.symbols[y].Type = unionOf(w, b)
		}
	}
}

// javaBases reads the types that a class extends or implements.
func javaBases(w *walk, n int32, role facts.Role) (bases []int32) {
	if n < 0 {
		return nil
	}
	for c := range w.kids(n) {
		switch {
		case w.is(c, "type_list"):
			bases = append(bases, javaBases(w, c, role)...)
		case !w.token(c):
			bases = append(bases, javaTypeRef(w, c, role, facts.None))
		}
	}
	return bases
}

// javaTypeRef reads a type whose name is used in a role.
func javaTypeRef(w *walk, n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "type_identifier", "identifier":
		return w.use(n, role, args)
	case "scoped_type_identifier", "scoped_identifier":
		return javaScoped(w, n, role, args)
	case "generic_type":
		base := javaTypeRef(w, w.only(n), role, args)
		return apply(w, base, w.childOf(n, "type_arguments"))
	case "annotated_type":
		w.visitOther(n, w.last(n))
		return javaTypeRef(w, w.last(n), role, args)
	}
	return w.visitType(n)
}

// javaScoped reads a name with dots. The last one is used in the role.
func javaScoped(w *walk, n int32, role facts.Role, args int) int32 {
	e, last := int32(facts.None), w.last(n)
	for c := range w.kids(n) {
		switch {
		case w.token(c):
		case w.is(c, "annotation") || w.is(c, "marker_annotation"):
			w.visit(c)
		case c != last:
			e = javaTypeRef(w, c, facts.RoleRead, facts.None)
		case e < 0:
			e = javaTypeRef(w, c, role, args)
		default:
			e = w.member(c, e, role, args)
		}
	}
	return e
}

func javaTypeName(w *walk, n int32) int32 {
	if w.text(n) == "var" {
		return facts.None
	}
	return w.use(n, facts.RoleType, facts.None)
}

// javaTyped is a value of type n, or an array of it if dimensions follow the name.
func javaTyped(w *walk, n, named int32) int32 {
	return javaArray(w, named, w.visitType(n))
}

func javaEnumConstant(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	enum := w.parent
	y := w.symbol(name, n, code.KindConst, facts.Exported|facts.Static)
	w.bind(w.top(), y, 0)
	w.document(y, w.start(n))
	if enum >= 0 {
		w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, enum, 0))
	}
	w.within(y, func() {
		javaFlags(w, n)
		w.visit(w.child(n, "arguments"))
		if body := w.child(n, "body"); body >= 0 {
			javaBody(w, body, body, receiver{facts.OpThis, y})
		}
	})
	return facts.None
}

func javaMethod(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	f := w.symbol(name, n, code.KindMethod, 0)
	if w.is(n, "method_declaration") || w.is(n, "annotation_type_element_declaration") {
		w.bind(w.top(), f, 0)
	}
	w.signature(f, javaSignature(w, n), body)
	w.document(f, w.start(n))
	outer, branches := w.fn, w.branches
	w.fn = &function{symbol: f, returns: facts.None, result: facts.None}
	w.within(f, func() {
		w.symbols[f].Flags = javaFlags(w, n)
		if body < 0 {
			w.symbols[f].Flags |= facts.Abstract
		}
		w.open(scopeFunction)
		javaTypeParameters(w, n)
		result := javaTyped(w, w.child(n, "type"), n)
		if w.is(n, "constructor_declaration") && w.this.op == facts.OpThis && w.this.symbol >= 0 {
			result = w.value(w.expr(facts.OpSymbol, w.this.symbol, 0))
		}
		w.symbols[f].Type, w.fn.result = result, result
		least, most, many := javaParameters(w, w.child(n, "parameters"))
		w.arguments(f, least, most, many)
		if t := w.childOf(n, "throws"); t >= 0 {
			w.visitType(t)
		}
		w.visit(w.child(n, "value"))
		w.visit(body)
		w.close()
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn = outer
	return facts.None
}

func javaParameters(w *walk, list int32) (least, most int, many bool) {
	if list < 0 {
		return 0, 0, false
	}
	for p := range w.kids(list) {
		name, typ := w.child(p, "name"), w.child(p, "type")
		spread := w.is(p, "spread_parameter")
		if spread {
			name = w.child(w.childOf(p, "variable_declarator"), "name")
		}
		javaFlags(w, p)
		if name < 0 {
			continue
		}
		y := w.symbol(name, p, code.KindParam, facts.Local)
		w.bind(w.top(), y, 0)
		if !spread {
			w.symbols[y].Type = javaTyped(w, typ, p)
			least, most = least+1, most+1
			continue
		}
		many = true
		for c := range w.kids(p) {
			if !w.token(c) && !w.is(c, "modifiers") && !w.is(c, "variable_declarator") {
				w.symbols[y].Type = arrayOf(w, w.visitType(c))
			}
		}
	}
	return least, most, many
}

func javaFields(w *walk, n int32) int32 {
	flags := javaFlags(w, n)
	if w.is(n, "constant_declaration") {
		flags |= facts.Static
	}
	kind := code.KindField
	if m := w.childOf(n, "modifiers"); w.is(n, "constant_declaration") || m >= 0 && w.has(m, "static") && w.has(m, "final") {
		kind = code.KindConst
	}
	javaDeclarators(w, n, kind, flags, true)
	return facts.None
}

func javaLocals(w *walk, n int32) int32 {
	javaFlags(w, n)
	javaDeclarators(w, n, code.KindVar, facts.Local, false)
	return facts.None
}

// javaDeclarators declares the variables of n. Members are known in the whole
// class, locals from their name on.
func javaDeclarators(w *walk, n int32, kind code.Kind, flags facts.Flags, member bool) {
	typ, first := int32(facts.None), true
	for d := range w.kids(n) {
		if !w.is(d, "variable_declarator") {
			continue
		}
		name := w.child(d, "name")
		if name < 0 {
			continue
		}
		y := w.symbol(name, d, kind, flags)
		if first {
			w.symbols[y].Start, w.symbols[y].SigStart = w.start(n), javaSignature(w, n)
			typ = w.visitType(w.child(n, "type"))
		}
		first = false
		from, in := w.start(name), w.in
		if member {
			w.document(y, w.start(n))
			from, in = 0, y
		}
		w.bind(w.top(), y, from)
		written := javaArray(w, d, typ)
		w.within(y, func() {
			w.in = in
			if !member {
				w.parent = w.symbols[y].Parent
			}
			setType(w, y, written, javaValue(w, w.child(d, "value"), written))
		})
	}
}

// javaLocal declares a local variable.
func javaLocal(w *walk, name, whole, typ int32) {
	if name < 0 {
		return
	}
	y := w.symbol(name, whole, code.KindVar, facts.Local)
	w.symbols[y].Type = typ
	w.bind(w.top(), y, w.start(name))
}

func javaForEach(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	element := w.of(facts.OpElem, w.visit(w.child(n, "value")), 0)
	if t := w.value(w.visitType(w.child(n, "type"))); t >= 0 {
		element = t
	}
	javaFlags(w, n)
	javaLocal(w, w.child(n, "name"), w.child(n, "name"), element)
	w.visit(w.child(n, "body"))
	return facts.None
}

func javaResource(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	typ := w.value(w.visitType(w.child(n, "type")))
	v := w.visit(w.child(n, "value"))
	if typ < 0 {
		typ = v
	}
	javaLocal(w, name, n, typ)
	return facts.None
}

func javaCatch(w *walk, n int32) int32 {
	typ := int32(facts.None)
	if t := w.childOf(n, "catch_type"); t >= 0 {
		typ = w.value(unionOf(w, t))
	}
	javaLocal(w, w.child(n, "name"), n, typ)
	return facts.None
}

// javaLambda reads a function without a name. Parameters without types are what the
// function that is expected takes, which may be None.
func javaLambda(w *walk, n, expected int32) int32 {
	w.open(scopeFunction)
	defer w.close()
	defer func(fn *function) { w.fn = fn }(w.fn)
	w.fn = &function{symbol: facts.None, returns: facts.None, result: facts.None}
	list, count := w.child(n, "parameters"), 0
	declare := func(name int32) {
		y := w.symbol(name, name, code.KindParam, facts.Local)
		w.symbols[y].Type = w.of(facts.OpArgument, expected, int32(count))
		w.bind(w.top(), y, 0)
		count++
	}
	switch {
	case w.is(list, "identifier"):
		declare(list)
	case w.is(list, "inferred_parameters"):
		for p := range w.kids(list) {
			declare(p)
		}
	default:
		_, count, _ = javaParameters(w, list)
	}
	body := w.visit(w.child(n, "body"))
	return w.expr(facts.OpFunc, body, w.tuple(slices.Repeat([]int32{facts.None}, count)))
}

func javaLabeled(w *walk, n int32) int32 {
	w.visitOther(n, w.only(n))
	return facts.None
}

// javaSwitch reads a switch. Its labels may be constants of the type of its value.
func javaSwitch(w *walk, n int32) int32 {
	state := w.state.(*javaState)
	defer func(was int32) { state.compared = was }(state.compared)
	condition := w.child(n, "condition")
	v := w.visit(condition)
	state.compared = v
	w.visitOther(n, condition)
	return facts.None
}

func javaLabel(w *walk, n int32) int32 {
	if w.has(n, "case") {
		w.branches++
	}
	for c := range w.kids(n) {
		if !w.is(c, "identifier") {
			w.visit(c)
			continue
		}
		v := w.use(c, facts.RoleRead, facts.None)
		if compared := w.state.(*javaState).compared; compared >= 0 {
			w.given(v, []int32{compared})
		}
	}
	return facts.None
}

// javaState is what the rules of Java remember of a file.
type javaState struct {
	compared int32           // the value of the innermost switch
	unnamed  []javaAnonymous // the classes without a name that a place stands in, the innermost last
}

// javaAnonymous is a class without a name.
type javaAnonymous struct {
	base  int32 // a value of the type that it extends or implements
	scope int
	own   map[string]bool // what it declares
}

func javaInstanceof(w *walk, n int32) int32 {
	w.visit(w.child(n, "left"))
	typ := w.value(w.visitType(w.child(n, "right")))
	w.visit(w.child(n, "pattern"))
	javaLocal(w, w.child(n, "name"), n, typ)
	return w.literal(facts.LiteralBool)
}

// javaTypePattern reads "Type name".
func javaTypePattern(w *walk, n int32) int32 {
	name, typ := w.last(n), int32(facts.None)
	for c := range w.kids(n) {
		if c != name && !w.token(c) {
			typ = w.value(w.visitType(c))
		}
	}
	switch {
	case w.is(name, "identifier"):
		javaLocal(w, name, n, typ)
	case name >= 0:
		w.visit(name)
	}
	return facts.None
}

func javaRecordPattern(w *walk, n int32) int32 {
	first := w.only(n)
	javaTypeRef(w, first, facts.RoleType, facts.None)
	w.visitOther(n, first)
	return facts.None
}

func javaAnnotation(w *walk, n int32) int32 {
	a := javaTypeRef(w, w.child(n, "name"), facts.RoleType, facts.None)
	list := w.child(n, "arguments")
	if list < 0 {
		return facts.None
	}
	for c := range w.kids(list) {
		if !w.is(c, "element_value_pair") {
			w.visitValue(c)
			continue
		}
		if key := w.child(c, "key"); key >= 0 {
			w.member(key, a, facts.RoleWrite, facts.None)
		}
		w.visitValue(w.child(c, "value"))
	}
	return facts.None
}

func javaField(w *walk, n int32, role facts.Role) int32 {
	object, field := w.child(n, "object"), w.child(n, "field")
	of := w.visit(object)
	switch {
	case field < 0:
		return facts.None
	case w.is(field, "this"):
		return w.value(of)
	case w.has(n, "super"):
		of = javaSuper(w, n)
	}
	if w.is(object, "this") && javaOwns(w, w.text(field)) {
		return w.useIn(javaUnnamed(w).scope, w.text(field), w.start(field), role, facts.None)
	}
	return w.member(field, of, role, facts.None)
}

func javaCall(w *walk, n int32) int32 {
	object, name, list := w.child(n, "object"), w.child(n, "name"), w.child(n, "arguments")
	of := w.visit(object)
	if name < 0 {
		return w.visitAll(n)
	}
	if object >= 0 && w.has(n, "super") && !w.is(object, "super") { // I.super.m()
		of = w.value(of)
	}
	w.visitType(w.child(n, "type_arguments"))
	var f int32
	switch {
	case object < 0:
		f = javaName(w, name, facts.RoleCall, countArguments(w, list))
	case w.is(object, "this") && javaOwns(w, w.text(name)):
		f = w.useIn(javaUnnamed(w).scope, w.text(name), w.start(name), facts.RoleCall, countArguments(w, list))
	default:
		f = w.member(name, of, facts.RoleCall, countArguments(w, list))
	}
	w.given(f, javaArguments(w, list, f))
	return w.of(facts.OpCall, f, 0)
}

// javaConstructorCall reads this(...) and super(...).
func javaConstructorCall(w *walk, n int32) int32 {
	word, list := w.child(n, "constructor"), w.child(n, "arguments")
	w.visit(w.child(n, "object"))
	if word >= 0 {
		called := w.member(word, w.visit(word), facts.RoleCall, countArguments(w, list))
		w.given(called, javaArguments(w, list, called))
		return facts.None
	}
	w.visit(list)
	return facts.None
}

func javaNew(w *walk, n int32) int32 {
	typ, list := w.child(n, "type"), w.child(n, "arguments")
	for c := range w.kids(n) {
		if c != typ && c != list && !w.token(c) && !w.is(c, "class_body") {
			w.visit(c) // the object that an inner class is made of, annotations
		}
	}
	t := javaTypeRef(w, typ, facts.RoleCall, countArguments(w, list))
	w.given(t, javaArguments(w, list, t))
	if body := w.childOf(n, "class_body"); body >= 0 {
		javaUnnamedBody(w, body, w.value(t))
	}
	return w.value(t)
}

func javaMethodReference(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	of := w.visit(first)
	if last != first && w.is(last, "identifier") {
		return w.member(last, of, facts.RoleRead, facts.None)
	}
	if of >= 0 && w.is(last, "new") {
		newOf(w, w.start(last), of, facts.RoleRead, facts.None)
	}
	return w.of(facts.OpFunc, w.value(of), facts.None)
}

func javaCast(w *walk, n int32) int32 {
	t := w.value(w.visitType(w.child(n, "type")))
	javaValue(w, w.child(n, "value"), t)
	return t
}

func javaAssignment(w *walk, n int32) int32 {
	to := javaTarget(w, w.child(n, "left"))
	return javaValue(w, w.child(n, "right"), to)
}

// javaTarget reads the target of an assignment.
func javaTarget(w *walk, n int32) int32 {
	switch {
	case n < 0:
		return facts.None
	case w.is(n, "identifier"):
		return javaName(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "field_access"):
		return javaField(w, n, facts.RoleWrite)
	case w.is(n, "parenthesized_expression"):
		return javaTarget(w, w.only(n))
	}
	return w.visit(n)
}
