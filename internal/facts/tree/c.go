package tree

import (
	"path"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// cRules returns the rules of C and C++. Their grammars share most names of nodes.
func cRules() *rules {
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	r := &rules{
		apart: apartTags,
		branches: []string{"if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement", "catch_clause",
			"conditional_expression"},
		comments: []string{"comment"},
		start:    cStart,
		visit: map[string]visitor{
			"preproc_include":             cInclude,
			"preproc_def":                 cMacro,
			"preproc_function_def":        cMacro,
			"type_definition":             cTypedef,
			"struct_specifier":            func(w *walk, n int32) int32 { return cClass(w, n, code.KindStruct) },
			"union_specifier":             func(w *walk, n int32) int32 { return cClass(w, n, code.KindStruct) },
			"enum_specifier":              cEnum,
			"function_definition":         cFunction,
			"declaration":                 cDeclaration,
			"field_declaration":           cDeclaration,
			"compound_statement":          cBlock,
			"expression_statement":        cMacroBody,
			"offsetof_expression":         cOffsetOf,
			"for_statement":               blockScope,
			"if_statement":                blockScope,
			"while_statement":             blockScope,
			"case_statement":              switchLabel,
			"identifier":                  func(w *walk, n int32) int32 { return cRef(w, n, readRole(w), facts.None) },
			"type_identifier":             func(w *walk, n int32) int32 { return w.use(n, facts.RoleType, facts.None) },
			"field_expression":            func(w *walk, n int32) int32 { return cRef(w, n, facts.RoleRead, facts.None) },
			"type_descriptor":             func(w *walk, n int32) int32 { return cDescriptor(w, n) },
			"preproc_ifdef":               cDefined,
			"preproc_defined":             cDefined,
			"primitive_type":              cPrimitive,
			"sized_type_specifier":        cSized,
			"call_expression":             cCall,
			"compound_literal_expression": cCompound,
			"initializer_list":            func(w *walk, n int32) int32 { return cList(w, n, facts.None) },
			"assignment_expression":       cAssignment,
			"update_expression":           func(w *walk, n int32) int32 { return cTarget(w, w.child(n, "argument")) },
			"subscript_expression":        cSubscript,
			"pointer_expression":          cPointer,
			"parenthesized_expression":    only,
			"cast_expression":             cCast,
			"conditional_expression":      ternary,
			"binary_expression":           binary,
			"number_literal":              func(w *walk, n int32) int32 { return w.literal(cNumber(w.text(n))) },
			"char_literal":                cCharacter,
			"string_literal":              cText,
			"concatenated_string":         literalOf(facts.LiteralString),
			"true":                        literalOf(facts.LiteralBool),
			"false":                       literalOf(facts.LiteralBool),
			"null":                        literalOf(facts.LiteralNull),
		},
		state: func() any { return &cState{members: map[string]cClassNames{}, pasted: map[string]uint64{}} },
	}
	cppRules(r)
	return r
}

// cState is what the rules of C and C++ remember of a file.
type cState struct {
	members map[string]cClassNames // of classes and namespaces, by name
	body    int32                  // the block that a macro makes a function of, once it was read
	parts   []int32                // the names of the structured binding that was read last
	hidden  bool                   // the members of the class are private
	unnamed bool                   // in a namespace without a name
	pasted  map[string]uint64      // of macros, the parameters that are only parts of names, a bit each
}

// cClassNames are the names that a class or a namespace declares.
type cClassNames struct {
	symbol   int32
	declared []declared
}

func (w *walk) c() *cState { return w.state.(*cState) }

// cRef reads a name whose last part is used in a role.
func cRef(w *walk, n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "identifier", "type_identifier", "field_identifier", "namespace_identifier":
		if cIsNumber(w.text(n)) { // unsigned(2), FLAG(int, size, 1)
			return cSized(w, n)
		}
		return w.use(n, role, args)
	case "qualified_identifier":
		scope := w.child(n, "scope")
		if scope < 0 {
			return cMember(w, w.child(n, "name"), w.expr(facts.OpTop, 0, 0), role, args)
		}
		return cMember(w, w.child(n, "name"), cRef(w, scope, facts.RoleType, facts.None), role, args)
	case "template_type", "template_function", "template_method":
		if name, list := w.child(n, "name"), w.child(n, "arguments"); list >= 0 && name >= 0 && cKeywords[w.text(name)] { // static_cast<T>
			return w.of(facts.OpFunc, cppCastTo(w, w.only(list)), facts.None)
		}
		base := cRef(w, w.child(n, "name"), role, args)
		return apply(w, base, w.child(n, "arguments"))
	case "field_expression":
		of, field := w.visit(w.child(n, "argument")), w.child(n, "field")
		if w.is(field, "qualified_identifier") { // this->Base::member
			return cRef(w, field, role, args)
		}
		return cMember(w, field, of, role, args)
	case "parenthesized_expression":
		return cRef(w, w.only(n), role, args)
	}
	return w.visit(n)
}

// cMember reads a name as a member of the type or value before :: or a dot.
func cMember(w *walk, n, of int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "identifier", "type_identifier", "field_identifier", "namespace_identifier", "operator_name", "destructor_name":
		return w.member(n, of, role, args)
	case "qualified_identifier":
		scope := cMember(w, w.child(n, "scope"), of, facts.RoleType, facts.None)
		return cMember(w, w.child(n, "name"), scope, role, args)
	case "dependent_name":
		return cMember(w, w.last(n), of, role, args)
	case "template_type", "template_function", "template_method":
		base := cMember(w, w.child(n, "name"), of, role, args)
		return apply(w, base, w.child(n, "arguments"))
	}
	return w.visit(n)
}

func cInclude(w *walk, n int32) int32 {
	path := w.child(n, "path")
	if path < 0 {
		return facts.None
	}
	module := strings.Trim(w.text(path), "<>\" \t")
	if w.is(path, "identifier") || w.is(path, "call_expression") {
		return w.visit(path)
	}
	w.imports = append(w.imports, facts.Import{Module: module, Name: "*", Place: facts.Place{At: w.start(path)}, In: w.parent})
	return facts.None
}

// cTop is the scope that a declaration belongs to. Scopes of template parameters
// do not count, and in C the tags within a struct belong to the scope around it.
func cTop(w *walk) int {
	s := w.top()
	for s > 0 && w.scopes[s].kind == scopeTemplate {
		s--
	}
	return s
}

func cTagScope(w *walk) int {
	s := cTop(w)
	for s > 0 && w.t.Grammar.Name == "c" && w.scopes[s].kind == scopeClass {
		s--
	}
	return s
}

// cFlags returns the flags of a declaration by node n in scope number s.
func cFlags(w *walk, n int32, s int) facts.Flags {
	switch w.scopes[s].kind {
	case scopeFunction, scopeBlock:
		return facts.Local
	case scopeClass:
		flags := facts.Exported
		if w.c().hidden {
			flags = 0
		}
		if cStorage(w, n, "static") {
			flags |= facts.Static
		}
		return flags
	}
	if cStorage(w, n, "static") || w.c().unnamed {
		return 0
	}
	return facts.Exported
}

// cSpecifiersOf yields what stands before the first declarator of a declaration: of
// many declarators each asks for it.
func cSpecifiersOf(w *walk, n int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range w.kids(n) {
			if w.field(c) == "declarator" || !yield(c) {
				return
			}
		}
	}
}

// cStorage reports whether a declaration has a storage class such as static.
func cStorage(w *walk, n int32, word string) bool {
	for c := range cSpecifiersOf(w, n) {
		if w.is(c, "storage_class_specifier") && w.text(c) == word {
			return true
		}
	}
	return false
}

// declarator is a C declarator, taken apart.
type declarator struct {
	name     int32 // node of the name, which may be qualified; None for none
	function int32 // the function_declarator when it is a function
	array    bool
	dims     int         // so many brackets
	call     bool        // a value that is a function: its pointer
	traits   facts.Flags // Pointer, Reference and Constant, as it writes them
	list     int32       // structured binding
}

// cDeclarator looks through pointers, references, arrays and parentheses.
func cDeclarator(w *walk, d int32) declarator {
	found := declarator{name: facts.None, function: facts.None, list: facts.None}
	for d >= 0 {
		next := w.child(d, "declarator")
		switch w.kind(d) {
		case "qualified_identifier":
			if next = cppMemberPointer(w, d); next < 0 {
				found.name = d
				return found
			}
			found.traits |= facts.Pointer
		case "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "template_function", "operator_cast":
			found.name = d
			return found
		case "structured_binding_declarator":
			found.list = d
			return found
		case "function_declarator":
			if found.function < 0 && cHasConst(w, d) {
				found.traits |= facts.Constant
			}
			if w.is(next, "parenthesized_declarator") && (w.has(next, "pointer_declarator") || cppLeadsToMember(w, w.last(next))) {
				found.call = true
			} else if found.function < 0 {
				found.function = d
			}
		case "array_declarator":
			found.array = true
			found.dims++
			w.visitValue(w.child(d, "size"))
		case "pointer_declarator", "pointer_type_declarator":
			found.traits |= facts.Pointer
		case "reference_declarator":
			found.traits |= facts.Reference
		case "parenthesized_declarator":
			cppClassOfMember(w, w.childOf(d, "ERROR"))
		case "init_declarator", "attributed_declarator", "variadic_declarator", "bitfield_clause":
		default:
			return found
		}
		if next < 0 {
			next = w.last(d)
			if next >= 0 && w.token(next) {
				next = facts.None
			}
		}
		d = next
	}
	return found
}

// cName splits a qualified name into the owner, as written but without template
// arguments, and the node of the last name. The parts of the owner become uses.
func cName(w *walk, n int32) (owner string, last int32) {
	if n < 0 || !w.is(n, "qualified_identifier") {
		if w.is(n, "template_function") {
			w.visitType(w.child(n, "arguments"))
			n = w.child(n, "name")
		}
		return "", n
	}
	var parts []string
	of := int32(facts.None)
	for w.is(n, "qualified_identifier") {
		if scope := w.child(n, "scope"); scope >= 0 {
			name := scope
			if w.is(scope, "template_type") {
				name = w.child(scope, "name")
			}
			parts = append(parts, w.text(max(name, 0)))
			if of < 0 {
				of = cRef(w, scope, facts.RoleType, facts.None)
			} else {
				of = cMember(w, scope, of, facts.RoleType, facts.None)
			}
		}
		n = w.child(n, "name")
	}
	if w.is(n, "template_function") {
		w.visitType(w.child(n, "arguments"))
		n = w.child(n, "name")
	}
	return strings.Join(parts, "::"), n
}

// cSymbol declares the name of declarator d, of declaration n.
func cSymbol(w *walk, d declarator, whole int32, kind code.Kind, flags facts.Flags) int32 {
	owner, name := cName(w, d.name)
	if name < 0 {
		return facts.None
	}
	var y int32
	if w.is(name, "operator_cast") {
		end := w.end(max(w.child(name, "type"), name))
		w.visitType(w.child(name, "type"))
		y = w.symbolAt(w.src[w.start(name):end], w.start(name), w.start(whole), w.end(whole), kind, flags)
	} else {
		if w.text(name) == "" {
			return facts.None
		}
		y = w.symbol(name, whole, kind, flags)
	}
	w.symbols[y].Owner = owner
	return y
}

func cFunction(w *walk, n int32) int32 {
	typ := w.visitType(w.child(n, "type"))
	d := cDeclarator(w, w.child(n, "declarator"))
	if d.name < 0 || d.function < 0 && !w.is(d.name, "operator_cast") {
		w.visitOther(n, w.child(n, "type"))
		return facts.None
	}
	if cMacroFunction(w, n, d) {
		return facts.None
	}
	f := cFunctionSymbol(w, n, d, 0)
	if f < 0 {
		w.visitOther(n, w.child(n, "type"))
		return facts.None
	}
	body := w.childOf(n, "compound_statement", "try_statement")
	y := &w.symbols[f]
	y.Type = w.value(typ)
	if body < 0 && w.childOf(n, "delete_method_clause", "default_method_clause") < 0 {
		y.Flags |= facts.Abstract
	}
	w.signature(f, y.Start, body)
	if list := w.childOf(n, "field_initializer_list"); list >= 0 {
		w.signature(f, y.Start, list)
	}
	cBody(w, n, f, d, body)
	return facts.None
}

// cFunctionSymbol declares a function. It is a method if it stands in a class or
// its name is qualified.
func cFunctionSymbol(w *walk, n int32, d declarator, extra facts.Flags) int32 {
	s := cTop(w)
	kind := code.KindFunc
	if w.scopes[s].kind == scopeClass || w.is(d.name, "qualified_identifier") {
		kind = code.KindMethod
	}
	flags := cFlags(w, n, s) | extra | d.traits
	for c := range cSpecifiersOf(w, n) {
		if w.is(c, "virtual") || w.is(c, "virtual_function_specifier") {
			flags |= facts.Virtual
		}
	}
	if d.function >= 0 {
		for c := range w.kids(d.function) {
			if w.is(c, "virtual_specifier") && w.text(c) == "override" {
				flags |= facts.Overrides
			}
		}
	}
	f := cSymbol(w, d, cWhole(w, n), kind, flags)
	if f < 0 {
		return f
	}
	constructs := kind == code.KindMethod && w.parent >= 0 && w.symbols[w.parent].Name == w.symbols[f].Name // whose name is that of the type
	if w.symbols[f].Owner == "" && !constructs {
		w.bind(s, f, 0)
	}
	if kind == code.KindMethod {
		cppConstructor(w, f)
	}
	w.document(f, w.symbols[f].Start)
	w.symbols[f].Complexity = 1
	return f
}

// cWhole is the whole of a declaration: the template around it.
func cWhole(w *walk, n int32) int32 {
	for up := w.up(n); up >= 0 && w.is(up, "template_declaration"); up = w.up(up) {
		n = up
	}
	return n
}

// cBody reads parameters and body of a function.
func cBody(w *walk, n, f int32, d declarator, body int32) {
	outer, branches, that := w.fn, w.branches, w.this
	w.fn = &function{symbol: f, returns: facts.None}
	members := w.symbols[f].Owner
	if i := strings.LastIndex(members, "::"); i >= 0 {
		members = members[i+2:]
	}
	w.within(f, func() {
		w.open(scopeClass)
		if c, ok := w.c().members[members]; ok && members != "" {
			w.scopes[w.top()].declared = append(w.scopes[w.top()].declared, c.declared...)
			w.this = receiver{facts.OpThis, c.symbol}
		}
		w.open(scopeFunction)
		if d.function >= 0 {
			least, most, many := cParameters(w, w.child(d.function, "parameters"))
			w.arguments(f, least, most, many)
			if t := w.childOf(d.function, "trailing_return_type"); t >= 0 {
				w.symbols[f].Type = w.value(w.visitType(w.only(t)))
			}
		}
		if list := w.childOf(n, "field_initializer_list"); list >= 0 {
			w.visit(list)
		}
		if body >= 0 {
			w.visitAll(body)
		}
		w.close()
		w.close()
	})
	if y := &w.symbols[f]; y.Type < 0 && w.fn.returns >= 0 && w.is(w.child(n, "type"), "placeholder_type_specifier") {
		y.Type, y.Flags = w.fn.returns, y.Flags|facts.Inferred
	}
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn, w.this = outer, that
}

func cParameters(w *walk, list int32) (least, most int, many bool) {
	if list < 0 {
		return 0, 0, false
	}
	for p := range w.kids(list) {
		switch w.kind(p) {
		case "...", "variadic_parameter", "variadic_parameter_declaration":
			many = true
			w.visitType(w.child(p, "type"))
			cParameter(w, p, facts.None)
			continue
		case "parameter_declaration", "optional_parameter_declaration":
		case "identifier": // of an old definition
		default:
			continue
		}
		declares := w.child(p, "declarator")
		if declares < 0 && w.text(p) == "void" {
			continue
		}
		typ := w.value(w.visitType(w.child(p, "type")))
		cParameter(w, p, typ)
		most++
		if w.is(p, "optional_parameter_declaration") {
			w.visitValue(w.child(p, "default_value"))
		} else {
			least = most
		}
	}
	return least, most, many
}

func cParameter(w *walk, p, typ int32) {
	d := cDeclarator(w, w.child(p, "declarator"))
	if d.name < 0 || !w.is(d.name, "identifier") {
		return
	}
	if d.call {
		cTypedefParameters(w, w.child(p, "declarator"))
	}
	y := w.symbol(d.name, p, code.KindParam, facts.Local|cTraits(w, p, d))
	w.symbols[y].Type = cTyped(w, d, typ)
	w.bind(w.top(), y, 0)
}

// cTraits are what a declaration of a value says beside its type.
func cTraits(w *walk, n int32, d declarator) facts.Flags {
	if w.t.Grammar.Name == "cpp" && cConst(w, n) {
		return d.traits | facts.Constant
	}
	return d.traits
}

// cTyped is the type that a declarator makes of a written one.
func cTyped(w *walk, d declarator, typ int32) int32 {
	switch {
	case d.call:
		return w.of(facts.OpFunc, typ, facts.None)
	case d.array && typ >= 0:
		return w.expr(facts.OpLiteral, facts.LiteralList, typ)
	}
	return typ
}

// cDeclaration reads a declaration of variables, fields and functions without
// body.
func cDeclaration(w *walk, n int32) int32 {
	typeNode := w.child(n, "type")
	declares := false
	for c := range w.kids(n) {
		if w.field(c) == "declarator" {
			declares = true
		}
	}
	if !declares {
		w.visitType(typeNode)
		w.visitOther(n, typeNode)
		return facts.None
	}
	count, typ := 0, int32(facts.None)
	for c := range w.kids(n) {
		if w.field(c) != "declarator" {
			continue
		}
		d := cDeclarator(w, c)
		count++
		values := cppValues(w, d)
		if values {
			d.function = facts.None
		}
		y := cDeclared(w, n, c, d, count == 1)
		if count == 1 {
			typ = cTypeOf(w, typeNode, y)
		}
		cInitialized(w, n, c, d, y, typ)
		if values {
			cppGiven(w, c)
		}
		if d.call {
			cTypedefParameters(w, c)
		}
	}
	return facts.None
}

// cTypeOf reads the type of a declaration. The first symbol of the declaration
// holds the members of an unnamed struct.
func cTypeOf(w *walk, n, y int32) int32 {
	if n < 0 {
		return facts.None
	}
	if y < 0 || w.child(n, "name") >= 0 || w.child(n, "body") < 0 {
		return w.visitType(n)
	}
	typ, in := int32(facts.None), w.in
	w.within(y, func() {
		w.in = in
		typ = w.visitType(n)
	})
	return typ
}

// cDeclared declares the names of declarator c in declaration n.
func cDeclared(w *walk, n, c int32, d declarator, first bool) int32 {
	if d.list >= 0 {
		cppParts(w, c, d)
		return facts.None
	}
	if d.name < 0 {
		return facts.None
	}
	whole := c
	if first {
		whole = n
	}
	if d.function >= 0 || w.is(d.name, "operator_cast") {
		return cFunctionSymbol(w, n, d, facts.Abstract)
	}
	s := cTop(w)
	kind, flags, from := code.KindVar, cFlags(w, n, s), uint32(0)
	switch k := w.scopes[s].kind; {
	case k == scopeClass:
		kind = code.KindField
	case flags&facts.Local != 0:
		from = w.start(d.name)
	case cConst(w, n):
		kind = code.KindConst
	}
	if cStorage(w, n, "extern") {
		flags |= facts.Abstract
	}
	y := cSymbol(w, d, cWhole(w, whole), kind, flags|cTraits(w, n, d))
	if y < 0 {
		return y
	}
	if w.symbols[y].Owner == "" {
		w.bind(s, y, from)
	}
	if flags&facts.Local == 0 {
		w.document(y, w.symbols[y].Start)
	}
	return y
}

// cHasConst reports whether the parameters of a function are followed by const.
func cHasConst(w *walk, n int32) bool {
	c := w.childOf(n, "type_qualifier")
	return c >= 0 && w.text(c) == "const"
}

func cConst(w *walk, n int32) bool {
	for c := range cSpecifiersOf(w, n) {
		if w.is(c, "type_qualifier") && (w.text(c) == "const" || w.text(c) == "constexpr") {
			return true
		}
	}
	return false
}

// cInitialized sets the type of a declared symbol and reads its value.
func cInitialized(w *walk, n, c int32, d declarator, y, typ int32) {
	written := w.value(typ)
	if y >= 0 && d.function >= 0 {
		w.symbols[y].Type = written
		cPrototype(w, y, d)
		return
	}
	value := w.child(c, "value")
	if value < 0 {
		value = cDefault(w, n, c)
	}
	in := w.in
	if y >= 0 && w.symbols[y].Flags&facts.Local == 0 {
		w.in = y
	}
	v := cValueOf(w, value, written, d.dims)
	w.in = in
	switch {
	case y >= 0:
		setType(w, y, cTyped(w, d, written), v)
	case d.list >= 0:
		cppTakeApart(w, v)
	}
}

// cDefault is the value that stands between declarator c and the next one of
// declaration n, or None.
func cDefault(w *walk, n, c int32) int32 {
	for c, end := w.t.Nodes[c].Next, w.t.Nodes[n].Next; c < end && w.field(c) != "declarator"; c = w.t.Nodes[c].Next {
		w.steps++
		if f := w.field(c); f == "default_value" || f == "value" && w.is(n, "declaration") { // if (A *b = c)
			return c
		}
	}
	return facts.None
}

// cPrototype reads the parameters of a function that has no body.
func cPrototype(w *walk, y int32, d declarator) {
	w.within(y, func() {
		w.open(scopeFunction)
		least, most, many := cParameters(w, w.child(d.function, "parameters"))
		w.arguments(y, least, most, many)
		if t := w.childOf(d.function, "trailing_return_type"); t >= 0 {
			w.symbols[y].Type = w.value(w.visitType(w.only(t)))
		}
		w.close()
	})
}

// cValue reads a value that must be of a type, or None.
func cValue(w *walk, n, typ int32) int32 { return cValueOf(w, n, typ, 0) }

// cValueOf is cValue of an array of so many dimensions, each of whose elements in braces
// is of the type.
func cValueOf(w *walk, n, typ int32, dims int) int32 {
	if w.is(n, "initializer_list") {
		return cListOf(w, n, typ, dims)
	}
	return w.visit(n)
}

// cList reads {...} of a type, which may be None.
func cList(w *walk, n, typ int32) int32 { return cListOf(w, n, typ, 0) }

// cListOf is cList of an array of so many dimensions.
func cListOf(w *walk, n, typ int32, dims int) int32 {
	for c := range w.kids(n) {
		if !w.is(c, "initializer_pair") {
			if dims > 0 && typ >= 0 {
				cValueOf(w, c, typ, dims-1)
			} else {
				w.visit(c)
			}
			continue
		}
		of := typ
		for d := range w.kids(c) {
			if !w.is(d, "field_designator") {
				continue
			}
			if name := w.only(d); name >= 0 {
				of = w.member(name, of, facts.RoleWrite, facts.None)
			}
		}
		w.visitOther(c, w.child(c, "designator"), w.child(c, "value"))
		if typ < 0 {
			of = facts.None
		}
		cValue(w, w.child(c, "value"), of)
	}
	if typ >= 0 {
		return typ
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, facts.None)
}

func cTypedef(w *walk, n int32) int32 {
	typeNode, typ, count := w.child(n, "type"), int32(facts.None), 0
	for c := range w.kids(n) {
		if w.field(c) != "declarator" {
			continue
		}
		d := cDeclarator(w, c)
		y := int32(facts.None)
		if d.name >= 0 {
			s := cTop(w)
			y = cSymbol(w, d, n, code.KindType, cFlags(w, n, s))
		}
		if y >= 0 {
			w.bind(cTop(w), y, w.symbols[y].At)
			w.document(y, w.start(n))
		}
		if count == 0 {
			typ = cTypeOf(w, typeNode, y)
		}
		count++
		if y >= 0 {
			w.symbols[y].Type = typ
			if d.function >= 0 || d.call {
				w.symbols[y].Type = w.of(facts.OpFunc, w.value(typ), facts.None)
			}
		}
		cTypedefParameters(w, c)
	}
	if count == 0 {
		w.visitType(typeNode)
	}
	return facts.None
}

// cTypedefParameters reads the types of parameters. Their names mean nothing.
func cTypedefParameters(w *walk, d int32) {
	for d >= 0 {
		if w.is(d, "function_declarator") {
			w.open(scopeFunction)
			if list := w.child(d, "parameters"); list >= 0 {
				for p := range w.kids(list) {
					w.visitType(w.child(p, "type"))
				}
			}
			w.close()
		}
		d = w.child(d, "declarator")
	}
}

// cClass reads a struct, union or class. With a body it is a definition, alone a
// declaration, otherwise a use.
func cClass(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	up := w.up(n)
	alone := w.field(n) != "type"
	switch {
	case body < 0 && !alone && name >= 0:
		return cRef(w, name, facts.RoleType, facts.None)
	case name < 0 && body < 0:
		return w.visitAll(n)
	case name < 0:
		return cUnnamed(w, n, body)
	}
	owner, last := cName(w, name)
	special := w.is(last, "template_type")
	if special {
		w.visitType(w.child(last, "arguments"))
		last = w.child(last, "name")
	}
	if last < 0 {
		return w.visitAll(n)
	}
	whole := n
	if alone {
		whole = cWhole(w, n)
	} else if w.is(up, "declaration") && w.child(up, "declarator") < 0 {
		whole = cWhole(w, up)
	}
	s := cTagScope(w)
	c := w.symbol(last, whole, kind, cFlags(w, n, s))
	w.symbols[c].Owner = owner
	if !special { // its name means the template
		w.bind(s, c, w.symbols[c].At)
	}
	w.document(c, w.symbols[c].Start)
	if body < 0 {
		w.symbols[c].Flags |= facts.Abstract
		return w.expr(facts.OpSymbol, c, 0)
	}
	w.signature(c, w.symbols[c].Start, body)
	w.within(c, func() {
		if bases := w.childOf(n, "base_class_clause"); bases >= 0 {
			w.signature(c, w.symbols[c].Start, body)
			var list []int32
			for b := range w.kids(bases) {
				if !w.token(b) && !w.is(b, "access_specifier") {
					list = append(list, cRef(w, b, facts.RoleInherit, facts.None))
				}
			}
			w.bases(c, list)
		}
		cMembers(w, body, receiver{facts.OpThis, c}, w.is(n, "class_specifier"), w.text(last))
	})
	return w.expr(facts.OpSymbol, c, 0)
}

// cUnnamed reads the members of a struct without a name. They belong to the symbol
// around it.
func cUnnamed(w *walk, n, body int32) int32 {
	if w.parent < 0 {
		return w.visitAll(body)
	}
	cMembers(w, body, receiver{symbol: facts.None}, false, "")
	return w.expr(facts.OpMembers, w.parent, facts.None)
}

func cMembers(w *walk, body int32, this receiver, hidden bool, name string) {
	that, was, inType := w.this, w.c().hidden, w.inType
	w.this, w.c().hidden, w.inType = this, hidden, false // where a variable is declared with the type, too
	w.open(scopeClass)
	for c := range w.kids(body) {
		if w.is(c, "access_specifier") {
			w.c().hidden = strings.HasPrefix(w.text(c), "private")
			continue
		}
		w.visit(c)
	}
	cppRemember(w, name, this.symbol)
	w.close()
	w.this, w.c().hidden, w.inType = that, was, inType
}

func cEnum(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if body < 0 && name >= 0 && w.field(n) == "type" {
		return cRef(w, name, facts.RoleType, facts.None)
	}
	enum := w.parent
	if name >= 0 {
		owner, last := cName(w, name)
		if last < 0 {
			return w.visitAll(n)
		}
		s := cTagScope(w)
		enum = w.symbol(last, n, code.KindEnum, cFlags(w, n, s))
		w.symbols[enum].Owner = owner
		w.bind(s, enum, w.symbols[enum].At)
		w.signature(enum, w.start(n), body)
		w.document(enum, w.start(n))
		if body < 0 {
			w.symbols[enum].Flags |= facts.Abstract
		}
		if !w.has(n, "class") && !w.has(n, "struct") {
			w.symbols[enum].Flags |= facts.Embedded
		}
	}
	w.visitType(w.child(n, "base"))
	if body < 0 {
		return facts.None
	}
	scoped := w.has(n, "class") || w.has(n, "struct")
	typ := int32(facts.None)
	if enum >= 0 {
		typ = w.expr(facts.OpSymbol, enum, 0)
	}
	parent := w.parent
	w.parent = enum
	for e := range w.kids(body) {
		cEnumerator(w, e, typ, scoped)
	}
	w.parent = parent
	return typ
}

func cEnumerator(w *walk, n, typ int32, scoped bool) {
	name := w.child(n, "name")
	if name < 0 {
		w.visit(n)
		return
	}
	s := cTagScope(w)
	y := w.symbol(name, n, code.KindConst, cFlags(w, n, s)|facts.Static)
	w.symbols[y].Type = w.value(typ)
	w.document(y, w.start(n))
	if !scoped {
		w.bind(s, y, w.symbols[y].At)
	}
	w.visitValue(w.child(n, "value"))
}

func cPrimitive(w *walk, n int32) int32 {
	switch w.text(n) {
	case "void":
		return facts.None
	case "bool":
		return w.literal(facts.LiteralBool)
	case "char":
		return w.literal(facts.LiteralChar)
	case "int":
		return w.literal(facts.LiteralInt)
	case "float":
		return w.literal(facts.LiteralFloat)
	case "double":
		return w.literal(facts.LiteralDouble)
	case "unsigned", "signed", "long", "short":
		return cSized(w, n)
	}
	text := w.text(n)
	if strings.HasSuffix(text, "_t") { // which the repository may declare
		w.use(n, facts.RoleType, facts.None)
	}
	if literal, ok := cIntegers[text]; ok {
		return w.literal(literal)
	}
	return w.literal(facts.LiteralNumber)
}

// cIntegers are the types of numbers of the library, by how many bits they have where
// pointers have 64.
var cIntegers = map[string]int32{
	"int8_t": facts.LiteralByte, "int16_t": facts.LiteralShort, "int32_t": facts.LiteralInt, "int64_t": facts.LiteralLong,
	"uint8_t": facts.LiteralUnsignedByte, "uint16_t": facts.LiteralUnsignedShort, "uint32_t": facts.LiteralUnsigned, "uint64_t": facts.LiteralUnsignedLong,
	"size_t": facts.LiteralUnsignedLong, "uintptr_t": facts.LiteralUnsignedLong,
	"ssize_t": facts.LiteralLong, "ptrdiff_t": facts.LiteralLong, "intptr_t": facts.LiteralLong,
}

// cIsNumber reports whether what the grammar takes for a name is a type of numbers.
func cIsNumber(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "unsigned", "signed", "long", "short", "int", "char", "bool", "float", "double":
		return true
	}
	return false
}

// cSized reads a type of several words, such as unsigned long.
func cSized(w *walk, n int32) int32 {
	signed, unsigned := facts.LiteralInt, facts.LiteralUnsigned
	plain := true
	for _, word := range strings.Fields(w.text(n)) {
		switch word {
		case "unsigned":
			plain = false
		case "char":
			signed, unsigned = facts.LiteralByte, facts.LiteralUnsignedByte
		case "short":
			signed, unsigned = facts.LiteralShort, facts.LiteralUnsignedShort
		case "long":
			signed, unsigned = facts.LiteralLong, facts.LiteralUnsignedLong
		case "double":
			signed = facts.LiteralLongDouble
		case "signed", "int":
		default:
			return w.literal(facts.LiteralNumber)
		}
	}
	if plain {
		return w.literal(int32(signed))
	}
	return w.literal(int32(unsigned))
}

// cNumber is the built-in type of a number as it is written. 0 may be a pointer.
func cNumber(text string) int32 {
	if text == "0" || len(text) > 1 && text[0] == '0' && (text[1]|0x20 == 'x' || text[1]|0x20 == 'b') {
		return facts.LiteralNumber
	}
	fraction, suffix := strings.ContainsAny(text, ".eE"), strings.ToLower(strings.TrimLeft(text, "0123456789.'eE+-"))
	switch {
	case fraction && suffix == "f":
		return facts.LiteralFloat
	case fraction && suffix == "l":
		return facts.LiteralLongDouble
	case fraction:
		return facts.LiteralDouble
	}
	switch suffix {
	case "":
		if len(text) < 10 {
			return facts.LiteralInt
		}
	case "u":
		return facts.LiteralUnsigned
	case "l", "ll":
		return facts.LiteralLong
	case "ul", "ull", "lu", "llu":
		return facts.LiteralUnsignedLong
	}
	return facts.LiteralNumber
}

func cCharacter(w *walk, n int32) int32 {
	if strings.HasPrefix(w.text(n), "'") {
		return w.literal(facts.LiteralChar)
	}
	return w.literal(facts.LiteralNumber)
}

// cText reads a text. What stands before the quotes says how wide it is.
func cText(w *walk, n int32) int32 {
	switch text := w.text(n); text[0] {
	case 'L', 'U':
		return w.literal(facts.LiteralWide)
	case 'u':
		if text[1] != '8' {
			return w.literal(facts.LiteralWide)
		}
	}
	return w.literal(facts.LiteralString)
}

// cDescriptor reads a type within an expression or template arguments.
func cDescriptor(w *walk, n int32) int32 {
	typ := w.visitType(w.child(n, "type"))
	if d := w.child(n, "declarator"); w.is(d, "abstract_function_declarator") {
		cTypedefParameters(w, d)
		if list := w.child(d, "parameters"); list >= 0 {
			for p := range w.kids(list) {
				w.visitType(w.child(p, "type"))
			}
		}
		return w.of(facts.OpFunc, w.value(typ), facts.None)
	}
	for d := w.child(n, "declarator"); d >= 0; d = w.child(d, "declarator") {
		if w.is(d, "abstract_array_declarator") {
			w.visitValue(w.child(d, "size"))
		}
	}
	return typ
}

func cCall(w *walk, n int32) int32 {
	list := w.child(n, "arguments")
	callee := w.child(n, "function")
	if cppThrough(w, callee, list) {
		return facts.None
	}
	f := cRef(w, callee, facts.RoleCall, countArguments(w, list))
	if given := cGiven(w, callee, list); given != nil && w.t.Grammar.Name == "cpp" {
		w.given(f, given)
	}
	return w.of(facts.OpCall, f, 0)
}

// cGiven reads the arguments of a call. The values are those whose types can
// be told from what is written, not pointers to what is named elsewhere; nil where
// none can.
func cGiven(w *walk, callee, list int32) []int32 {
	if !w.is(list, "argument_list") {
		w.visit(list)
		return nil
	}
	var given []int32
	known, tagged, typ := false, false, int32(facts.None)
	objects := cObjects{of: facts.None, macro: w.is(callee, "identifier") && cTakesMembers(w.text(callee))}
	for c := range w.kids(list) {
		if tagged = w.is(c, "ERROR") && tagged; tagged {
			given, typ = append(given, facts.None), cTagged(w, c)
			continue
		}
		if tagged = w.is(c, "identifier") && (w.text(c) == "struct" || w.text(c) == "union"); tagged {
			continue
		}
		if w.isPasted(callee, c, len(given)) || typ >= 0 && cOffset(w, list, c, typ) {
			given, typ = append(given, facts.None), facts.None
			continue
		}
		if objects.have(w, c) {
			given = append(given, facts.None)
			continue
		}
		x := w.visit(c)
		objects.add(w, c, x)
		typ = cTypeArgument(w, c, x)
		switch w.kind(c) {
		case "identifier", "qualified_identifier", "field_expression", "number_literal", "char_literal", "string_literal", "true", "false", "null", "nullptr", "this", "call_expression", "compound_literal_expression", "new_expression", "initializer_list", "cast_expression", "pointer_expression", "subscript_expression":
			known = known || x >= 0
		default:
			x = facts.None
		}
		given = append(given, x)
	}
	if !known {
		return nil
	}
	return given
}

// cCompound reads T{...} and (T){...}.
func cCompound(w *walk, n int32) int32 {
	typ := w.child(n, "type")
	if w.is(typ, "type_descriptor") {
		typ = w.child(typ, "type")
	}
	of := w.value(cRef(w, typ, facts.RoleCall, facts.None))
	return cValue(w, w.child(n, "value"), of)
}

func cAssignment(w *walk, n int32) int32 {
	cTarget(w, w.child(n, "left"))
	return w.visit(w.child(n, "right"))
}

// cTarget reads the target of an assignment.
func cTarget(w *walk, n int32) int32 {
	switch {
	case w.is(n, "identifier") || w.is(n, "field_expression") || w.is(n, "qualified_identifier"):
		return cRef(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "parenthesized_expression"):
		return cTarget(w, w.only(n))
	}
	return w.visit(n)
}

func cSubscript(w *walk, n int32) int32 {
	a := w.child(n, "argument")
	v := w.visit(a)
	w.visitOther(n, a)
	return w.of(facts.OpElem, v, 0)
}

// cPointer reads &x and *x: in C++ an iterator leads to what a loop takes.
func cPointer(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "argument"))
	switch {
	case w.t.Grammar.Name != "cpp":
		return v
	case w.is(w.child(n, "operator"), "*"):
		return w.of(facts.OpElem, v, 4)
	}
	return w.pointer(v)
}

// pointer is a pointer to a value, which may be None.
func (w *walk) pointer(value int32) int32 {
	return w.expr(facts.OpLiteral, facts.LiteralPointer, value)
}

func cCast(w *walk, n int32) int32 {
	t := int32(facts.None)
	if typ := w.child(n, "type"); w.t.Grammar.Name == "cpp" {
		t = cppCastTo(w, typ)
	} else {
		t = w.value(w.visitType(typ))
	}
	v := w.visit(w.child(n, "value"))
	if t < 0 {
		return v
	}
	return t
}

func cLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// cGrammar tells headers of C++ by their text.
func cGrammar(name string, text []byte) string {
	if path.Ext(name) == ".h" && looksLikeCpp(text) {
		return "cpp"
	}
	return "c"
}
