package tree

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/wordset"
)

func pythonRules() *rules {
	return &rules{
		branches: []string{"if_statement", "elif_clause", "for_statement", "while_statement", "except_clause", "case_clause",
			"conditional_expression", "boolean_operator", "for_in_clause", "if_clause"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"decorated_definition":     pyDecorated,
			"function_definition":      func(w *walk, n int32) int32 { return pyFunction(w, n, n, 0) },
			"class_definition":         func(w *walk, n int32) int32 { return pyClass(w, n, n) },
			"lambda":                   func(w *walk, n int32) int32 { return pyLambda(w, n, facts.None) },
			"list_comprehension":       pyComprehension,
			"set_comprehension":        pyComprehension,
			"generator_expression":     pyComprehension,
			"dictionary_comprehension": pyComprehension,
			"for_in_clause":            pyFor,
			"for_statement":            pyFor,
			"import_statement":         pyImport,
			"import_from_statement":    pyImportFrom,
			"future_import_statement":  func(*walk, int32) int32 { return facts.None },
			"block":                    pyBlock,
			"if_statement":             pyIf,
			"elif_clause":              pyIf,
			"while_statement":          pyIf,
			"assert_statement":         pyAssert,
			"if_clause":                pyAssert,
			"assignment":               pyAssignment,
			"augmented_assignment":     pyAugmented,
			"named_expression":         pyWalrus,
			"type_alias_statement":     pyTypeAlias,
			"global_statement":         pyGlobal,
			"nonlocal_statement":       pyNonlocal,
			"as_pattern":               pyAs,
			"dotted_name":              pyCapture,
			"splat_pattern":            pyCapture,
			"keyword_pattern":          pyKeywordPattern,
			"return_statement":         pyReturn,
			"yield":                    pyYield,
			"type":                     func(w *walk, n int32) int32 { return w.visitType(w.only(n)) },
			"generic_type":             pyGeneric,
			"subscript":                pySubscript,
			"union_type":               pyUnion,
			"member_type":              pyMemberType,
			"binary_operator":          pyUnion,
			"identifier":               func(w *walk, n int32) int32 { return pyRef(w, n, readRole(w), facts.None) },
			"attribute":                func(w *walk, n int32) int32 { return pyRef(w, n, readRole(w), facts.None) },
			"call":                     pyCall,
			"await":                    func(w *walk, n int32) int32 { return w.of(facts.OpElem, w.visit(w.only(n)), 2) },
			"parenthesized_expression": func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"expression_statement":     func(w *walk, n int32) int32 { return w.visitAll(n) },
			"conditional_expression":   pyConditional,
			"boolean_operator":         pyBoolean,
			"not_operator":             literalOf(facts.LiteralBool),
			"comparison_operator":      literalOf(facts.LiteralBool),
			"true":                     literalOf(facts.LiteralBool),
			"false":                    literalOf(facts.LiteralBool),
			"none":                     literalOf(facts.LiteralNull),
			"integer":                  literalOf(facts.LiteralNumber),
			"float":                    literalOf(facts.LiteralNumber),
			"string":                   pyString,
			"concatenated_string":      literalOf(facts.LiteralString),
			"list":                     listOf,
			"set":                      listOf,
			"tuple":                    tupleOf,
			"expression_list":          tupleOf,
			"dictionary":               pyDictionary,
		},
		finish: pyExports,
		state: func() any {
			return &pyState{class: facts.None, fields: map[fieldKey]int32{}, methods: map[fieldKey]bool{}}
		},
	}
}

// pyState is what the rules of Python remember of a file.
type pyState struct {
	class  int32              // the innermost class
	fields map[fieldKey]int32 // fields that methods declare

	methods map[fieldKey]bool // methods of the classes around
	listed  []string          // names in __all__
	flows   flows             // what the statements above say of names
	tests   map[uint32]pyTest // calls of isinstance, by their place
}

func (w *walk) py() *pyState { return w.state.(*pyState) }

// pyRef reads an expression whose last name is used in a role.
func pyRef(w *walk, n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "identifier":
		e := w.use(n, role, args)
		if w.inType || role == facts.RoleInherit {
			return e
		}
		return flowing(w, &w.py().flows, w.text(n), e)
	case "attribute":
		object := w.visit(w.child(n, "object"))
		e := w.member(w.child(n, "attribute"), object, role, args)
		if len(w.py().flows.all) == 0 || w.inType || role == facts.RoleInherit {
			return e
		}
		return flowing(w, &w.py().flows, w.text(n), e)
	case "parenthesized_expression":
		return pyRef(w, w.only(n), role, args)
	case "subscript":
		if role != facts.RoleInherit {
			break
		}
		base := pyRef(w, w.child(n, "value"), role, args)
		return pyApply(w, base, pyTypeArguments(w, n))
	}
	return w.visit(n)
}

// pyScope is the scope of assignments: the innermost function or class.
// Comprehensions do not count.
func pyScope(w *walk) int { return w.enclosing(scopeFunction, scopeHidden) }

// pyFlags returns the flags of a name declared in the innermost scope.
func pyFlags(w *walk, name string) facts.Flags {
	s := pyScope(w)
	if w.scopes[s].kind == scopeFunction {
		return facts.Local
	}
	if strings.HasPrefix(name, "_") && !strings.HasSuffix(name, "__") {
		return 0
	}
	return facts.Exported
}

func pyDecorated(w *walk, n int32) int32 {
	d := w.child(n, "definition")
	if d < 0 {
		return w.visitAll(n)
	}
	var flags facts.Flags
	outer := w.in
	for c := range w.kids(n) {
		if w.is(c, "decorator") {
			x := w.only(c)
			if w.is(x, "identifier") || w.is(x, "attribute") {
				pyRef(w, x, facts.RoleCall, facts.None)
			} else {
				w.visit(x)
			}
			flags |= pyDecorator(w.text(x))
		}
	}
	w.in = outer
	if w.is(d, "class_definition") {
		return pyClass(w, d, n)
	}
	return pyFunction(w, d, n, flags)
}

// pyDecorator returns the flags that a decorator gives to a function.
func pyDecorator(text string) facts.Flags {
	text, _, _ = strings.Cut(text, "(")
	name := text[strings.LastIndexByte(text, '.')+1:]
	switch name {
	case "property", "cached_property", "setter", "getter", "deleter", "abstractproperty", "hybrid_property":
		return facts.Accessor
	case "staticmethod", "classmethod", "abstractclassmethod":
		return facts.Static
	case "overload", "abstractmethod":
		return facts.Abstract
	case "override":
		return facts.Overrides
	}
	return 0
}

func pyFunction(w *walk, n, whole int32, flags facts.Flags) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	s := pyScope(w)
	kind := code.KindFunc
	if w.scopes[s].kind == scopeHidden {
		kind = code.KindMethod
	}
	f := w.symbol(name, whole, kind, flags|pyFlags(w, w.text(name)))
	w.bind(s, f, 0)
	body := w.child(n, "body")
	w.signature(f, w.start(n), body)
	pyDocument(w, f, w.start(whole), body)

	outer, branches, returned := w.fn, w.branches, int32(facts.None)
	w.fn = &function{symbol: f, returns: facts.None, yielded: facts.None}
	w.within(f, func() {
		typed := pyTypeParameters(w, n)
		params := pyReadParameters(w, w.child(n, "parameters"))
		if r := w.child(n, "return_type"); r >= 0 {
			returned = w.value(w.visit(r))
			if kind == code.KindMethod && pyReturnsReceiver(w, r, params) {
				returned = w.expr(facts.OpThis, w.py().class, 0)
			}
		}
		w.open(scopeFunction)
		pyDeclareParameters(w, params, kind == code.KindMethod, flags&facts.Static != 0 && !pyIsClassMethod(w, whole))
		w.py().flows.isolated(func() { w.visit(body) })
		w.close()
		if typed {
			w.close()
		}
	})
	if returned < 0 {
		if returned = w.fn.returns; w.fn.yields {
			returned = w.of(facts.OpLiteral, facts.LiteralList, w.fn.yielded)
		}
		if returned >= 0 {
			w.symbols[f].Flags |= facts.Inferred
		}
	}
	w.symbols[f].Type = returned
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn = outer
	return w.expr(facts.OpSymbol, f, 0)
}

// pyReturnsReceiver reports whether a method returns the type variable of its
// receiver: def f(self: T) -> T.
func pyReturnsReceiver(w *walk, result int32, params []pyParameter) bool {
	if w.py().class < 0 || len(params) == 0 {
		return false
	}
	typ := w.child(params[0].node, "type")
	return typ >= 0 && w.text(typ) == w.text(result)
}

func pyIsClassMethod(w *walk, whole int32) bool {
	if !w.is(whole, "decorated_definition") {
		return false
	}
	for c := range w.kids(whole) {
		if w.is(c, "decorator") && strings.Contains(w.text(c), "classmethod") {
			return true
		}
	}
	return false
}

// pyDocument sets the documentation: the docstring, else the comments above.
func pyDocument(w *walk, symbol int32, start uint32, body int32) {
	if body >= 0 {
		for c := range w.kids(body) {
			if s := w.only(c); w.is(c, "expression_statement") && w.is(s, "string") {
				y := &w.symbols[symbol]
				y.DocStart, y.DocEnd = w.start(s), w.end(s)
				return
			}
			break
		}
	}
	w.document(symbol, start)
}

// pyTypeParameters opens a scope for the type parameters of a definition, if it
// has some.
func pyTypeParameters(w *walk, n int32) bool {
	list := w.child(n, "type_parameters")
	if list < 0 {
		return false
	}
	w.open(scopeFunction)
	for t := range w.kids(list) {
		name := w.only(t)
		for name >= 0 && !w.is(name, "identifier") {
			name = w.only(name)
		}
		if name < 0 {
			continue
		}
		p := w.symbol(name, t, code.KindTypeParam, facts.Local)
		w.bind(w.top(), p, 0)
		for c := range w.kids(w.only(t)) {
			if c != name {
				w.visitType(c)
			}
		}
	}
	return true
}

// pyParameter is one parameter of a function.
type pyParameter struct {
	name, node, typ int32 // typ is an expression
	inferred        bool
	optional, star  bool
}

// pyReadParameters reads annotations and defaults, in the scope around the function.
func pyReadParameters(w *walk, list int32) []pyParameter {
	if list < 0 {
		return nil
	}
	var params []pyParameter
	for n := range w.kids(list) {
		p := pyParameter{name: n, node: n, typ: facts.None}
		switch w.kind(n) {
		case "identifier":
		case "list_splat_pattern", "dictionary_splat_pattern":
			p.name, p.star = w.only(n), true
		case "typed_parameter", "default_parameter", "typed_default_parameter":
			p.name = w.only(n)
			if w.is(p.name, "list_splat_pattern") || w.is(p.name, "dictionary_splat_pattern") {
				p.name, p.star = w.only(p.name), true
			}
			t := w.value(w.visit(w.child(n, "type")))
			d := w.child(n, "value")
			v := w.visit(d)
			p.optional = d >= 0
			p.typ = t
			if t < 0 {
				p.typ, p.inferred = v, v >= 0
			}
		default:
			w.visit(n)
			continue
		}
		if !w.is(p.name, "identifier") {
			continue
		}
		if p.star {
			rest := int32(facts.LiteralList)
			if w.is(w.up(p.name), "dictionary_splat_pattern") {
				rest = facts.LiteralMap
			}
			p.typ = w.expr(facts.OpLiteral, rest, p.typ)
		}
		params = append(params, p)
	}
	return params
}

// pyDeclareParameters declares the parameters that pyReadParameters read.
func pyDeclareParameters(w *walk, params []pyParameter, method, static bool) {
	least, most, many := 0, 0, false
	for i, p := range params {
		y := w.symbol(p.name, p.node, code.KindParam, facts.Local)
		w.bind(w.top(), y, 0)
		w.symbols[y].Type = p.typ
		if p.inferred {
			w.symbols[y].Flags |= facts.Inferred
		}
		if i == 0 && method && !static {
			pyReceiver(w, y)
			continue
		}
		switch {
		case p.star:
			many = true
		case p.optional:
			most++
		default:
			least, most = least+1, most+1
		}
	}
	if w.parent >= 0 && w.fn != nil && w.fn.symbol == w.parent {
		w.arguments(w.parent, least, most, many)
	}
}

// pyReceiver makes a parameter the receiver of the current method.
func pyReceiver(w *walk, param int32) {
	y := &w.symbols[param]
	f := &w.symbols[w.fn.symbol]
	if f.Flags&facts.Static != 0 || y.Name == "cls" || y.Name == "mcs" {
		y.Type = w.expr(facts.OpSymbol, w.py().class, 0)
	} else {
		y.Type = w.expr(facts.OpThis, w.py().class, 0)
		w.fn.self = y.Name
	}
	y.Flags |= facts.Inferred
}

func pyClass(w *walk, n, whole int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	c := w.symbol(name, whole, code.KindClass, pyFlags(w, w.text(name)))
	w.bind(pyScope(w), c, 0)
	body := w.child(n, "body")
	w.signature(c, w.start(n), body)
	pyDocument(w, c, w.start(whole), body)

	class, fn := w.py().class, w.fn
	w.within(c, func() {
		typed := pyTypeParameters(w, n)
		if bases := w.child(n, "superclasses"); bases >= 0 {
			var list []int32
			for b := range w.kids(bases) {
				if w.is(b, "keyword_argument") {
					w.visit(w.child(b, "value"))
				} else {
					list = append(list, pyRef(w, b, facts.RoleInherit, facts.None))
				}
			}
			w.bases(c, list)
		}
		w.py().class, w.fn = c, nil
		pyMethods(w, c, body)
		w.open(scopeHidden)
		w.visit(body)
		w.close()
		if typed {
			w.close()
		}
	})
	w.py().class, w.fn = class, fn
	return w.expr(facts.OpSymbol, c, 0)
}

// pyMethods notes the methods of a class before its body is read: what one of them
// sets may be a property that stands below it.
func pyMethods(w *walk, class, body int32) {
	for c := range w.kids(body) {
		if w.is(c, "decorated_definition") {
			c = w.child(c, "definition")
		}
		if name := w.child(c, "name"); w.is(c, "function_definition") && name >= 0 {
			w.py().methods[fieldKey{class, w.number(w.text(name))}] = true
		}
	}
}

// pyLambda reads a function without a name. The type that it must have, or None,
// gives the types of its parameters.
func pyLambda(w *walk, n, typ int32) int32 {
	defer func(was bool) { w.inType = was }(w.inType)
	w.inType = false
	params := pyReadParameters(w, w.child(n, "parameters"))
	for i := range params {
		if p := &params[i]; p.typ < 0 {
			p.typ, p.inferred = w.of(facts.OpArgument, typ, int32(i)), typ >= 0
		}
	}
	fn := w.fn
	w.fn = nil
	w.open(scopeFunction)
	pyDeclareParameters(w, params, false, false)
	result := w.visit(w.child(n, "body"))
	w.close()
	w.fn = fn
	return w.of(facts.OpFunc, result, facts.None)
}

func pyComprehension(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	from := len(w.py().flows.all)
	defer func() { w.py().flows.cut(from) }()
	body := w.child(n, "body")
	w.visitOther(n, body)
	if w.is(n, "dictionary_comprehension") {
		w.visit(w.child(body, "key"))
		return w.expr(facts.OpLiteral, facts.LiteralMap, w.visit(w.child(body, "value")))
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, w.visit(body))
}

// pyFor reads a loop, or the clause of a comprehension.
func pyFor(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	element := w.of(facts.OpElem, w.visit(right), 4)
	pyTarget(w, left, left, element, false)
	w.visitOther(n, left, right)
	return facts.None
}

func pyImport(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "dotted_name":
			pyImportModule(w, c)
		case "aliased_import":
			name, alias := w.child(c, "name"), w.child(c, "alias")
			if name >= 0 && alias >= 0 {
				pyTake(w, facts.Import{Module: w.text(name), Local: w.text(alias), Place: facts.Place{At: w.start(alias)}})
			}
		}
	}
	return facts.None
}

// pyImportModule reads "import a.b.c", which declares a and loads the rest.
func pyImportModule(w *walk, n int32) {
	first := w.only(n)
	if first < 0 {
		return
	}
	i := pyTake(w, facts.Import{Module: w.text(first), Local: w.text(first), Place: facts.Place{At: w.start(first)}})
	if last := w.last(n); last != first {
		w.imports = append(w.imports, facts.Import{Module: w.text(n), Place: facts.Place{At: w.start(last)}, In: w.imports[i].In})
	}
}

// pyTake adds an import and declares its local name.
func pyTake(w *walk, m facts.Import) int32 {
	s := pyScope(w)
	m.In = facts.None
	if s > 0 {
		m.In = w.parent
	} else if m.Local != "" && !strings.HasPrefix(m.Local, "_") {
		m.Flags |= facts.Exported
	}
	w.imports = append(w.imports, m)
	i := int32(len(w.imports) - 1)
	w.declare(s, m.Local, m.At, 0, facts.BindImport, i)
	return i
}

func pyImportFrom(w *walk, n int32) int32 {
	from := w.child(n, "module_name")
	if from < 0 {
		return facts.None
	}
	module := strings.Join(strings.Fields(w.text(from)), "")
	for c := range w.kids(n) {
		if c == from {
			continue
		}
		switch w.kind(c) {
		case "dotted_name":
			i := pyTake(w, facts.Import{Module: module, Name: w.text(c), Local: w.text(c), Place: facts.Place{At: w.start(c)}})
			w.imported(c, i)
		case "aliased_import":
			pyImportAs(w, c, module)
		case "wildcard_import":
			pyTake(w, facts.Import{Module: module, Name: "*", Place: facts.Place{At: w.start(c)}})
		}
	}
	return facts.None
}

func pyImportAs(w *walk, n int32, module string) {
	name, alias := w.child(n, "name"), w.child(n, "alias")
	if name < 0 || alias < 0 {
		return
	}
	m := facts.Import{Module: module, Name: w.text(name), Local: w.text(alias), Place: facts.Place{At: w.start(alias)}}
	if m.Name == m.Local {
		m.Flags = facts.Reexport
	}
	w.imported(name, pyTake(w, m))
}

// pyTarget reads the target of an assignment. value is an expression or None;
// written says that it is a type annotation.
func pyTarget(w *walk, n, statement, value int32, written bool) {
	if n < 0 {
		return
	}
	switch w.kind(n) {
	case "identifier":
		y := pyDeclare(w, n, statement)
		pyType(w, y, value, written)
		w.py().flows.assign(w, w.text(n), y, value)
	case "attribute":
		pyType(w, pyField(w, n, statement), value, written)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "parenthesized_expression", "expression_list":
		i := int32(0)
		for c := range w.kids(n) {
			pyTarget(w, c, c, w.of(facts.OpResult, value, i), false)
			i++
		}
	case "list_splat_pattern", "as_pattern_target":
		pyTarget(w, w.only(n), statement, value, written)
	default:
		w.visit(n)
	}
}

// pyType sets the type of a symbol by its first value that is known.
func pyType(w *walk, symbol, value int32, written bool) {
	if symbol < 0 || value < 0 {
		return
	}
	y := &w.symbols[symbol]
	if written {
		y.Type, y.Flags = value, y.Flags&^facts.Inferred
		return
	}
	if y.Type < 0 || y.Flags&facts.Inferred != 0 && w.exprs[y.Type] == (facts.Expr{Op: facts.OpLiteral, X: facts.LiteralNull, Y: facts.None}) {
		y.Type, y.Flags = value, y.Flags|facts.Inferred
	}
}

// pyDeclare declares a name at its first assignment; later ones are uses. It
// returns the symbol if this scope declares it.
func pyDeclare(w *walk, n, statement int32) int32 {
	name, s := w.text(n), pyScope(w)
	switch w.scopes[s].outer[w.number(name)] {
	case "global":
		s = 0
	case "nonlocal":
		w.useIn(s-1, name, w.start(n), facts.RoleWrite, facts.None)
		return facts.None
	}
	if d, ok := w.declaredIn(s, name); ok {
		w.useIn(s, name, w.start(n), facts.RoleWrite, facts.None)
		if d.bind == facts.BindSymbol && w.symbols[d.target].Kind != code.KindParam {
			return d.target
		}
		return facts.None
	}
	kind, parent, flags := code.KindVar, w.parent, pyFlags(w, name)
	switch {
	case w.scopes[s].kind == scopeHidden:
		kind = code.KindField
	case s == 0:
		if pyIsConst(name) {
			kind = code.KindConst
		}
		parent, flags = facts.None, flags&^facts.Local
		if !strings.HasPrefix(name, "_") {
			flags |= facts.Exported
		}
	}
	y := w.symbol(n, statement, kind, flags)
	w.symbols[y].Parent = parent
	from := uint32(0)
	if kind == code.KindField { // a class takes a name from around it until it has its own
		from = w.end(statement)
	}
	w.bind(s, y, from)
	return y
}

func pyIsConst(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// pyField reads an assignment to an attribute. The first one to an attribute of
// the receiver declares a field of the class.
func pyField(w *walk, n, statement int32) int32 {
	object, attribute := w.child(n, "object"), w.child(n, "attribute")
	of := w.visit(object)
	if attribute < 0 {
		return facts.None
	}
	if w.fn == nil || w.fn.self == "" || !w.is(object, "identifier") || w.text(object) != w.fn.self {
		w.member(attribute, of, facts.RoleWrite, facts.None)
		return facts.None
	}
	name := w.text(attribute)
	if y, ok := w.py().fields[fieldKey{w.py().class, w.number(name)}]; ok {
		w.member(attribute, of, facts.RoleWrite, facts.None)
		return y
	}
	if w.py().methods[fieldKey{w.py().class, w.number(name)}] { // a property
		w.member(attribute, of, facts.RoleWrite, facts.None)
		return facts.None
	}
	if d, ok := w.declaredIn(w.enclosing(scopeHidden), name); ok {
		w.member(attribute, of, facts.RoleWrite, facts.None)
		if d.bind == facts.BindSymbol && w.symbols[d.target].Kind == code.KindField {
			return d.target
		}
		return facts.None
	}
	flags := facts.Exported
	if strings.HasPrefix(name, "_") {
		flags = 0
	}
	y := w.symbol(attribute, statement, code.KindField, flags)
	w.symbols[y].Parent = w.py().class
	w.py().fields[fieldKey{w.py().class, w.number(name)}] = y
	return y
}

func pyAssignment(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	typ := w.value(w.visit(w.child(n, "type")))
	switch pyLastName(w.text(w.child(n, "type"))) {
	case "Final", "ClassVar", "TypeAlias": // which leave the type to the value
		typ = facts.None
	}
	if w.is(left, "identifier") {
		y := pyDeclare(w, left, n)
		in := w.in
		if y >= 0 && w.scopes[pyScope(w)].kind != scopeFunction {
			w.in = y
			w.document(y, w.start(left))
		}
		v := w.visit(right)
		w.in = in
		switch {
		case w.text(left) == "__all__" && pyScope(w) == 0:
			pyAll(w, right)
		case w.text(left) == "__slots__" && w.py().class >= 0 && w.scopes[pyScope(w)].kind == scopeHidden:
			pySlots(w, right)
		}
		pyType(w, y, v, false)
		pyType(w, y, typ, true)
		if w.child(n, "right") >= 0 {
			w.py().flows.assign(w, w.text(left), y, v)
		}
		return v
	}
	if w.is(right, "expression_list") && (w.is(left, "pattern_list") || w.is(left, "tuple_pattern")) && pyPairs(w, left, right) {
		return facts.None
	}
	v := w.visit(right)
	if typ >= 0 {
		pyTarget(w, left, n, typ, true)
	} else {
		pyTarget(w, left, n, v, false)
	}
	return v
}

// pyPairs reads a, b = c, d when both sides are as long.
func pyPairs(w *walk, left, right int32) bool {
	targets, values := slices.Collect(w.kids(left)), slices.Collect(w.kids(right))
	if len(targets) != len(values) {
		return false
	}
	for i := range values {
		values[i] = w.visit(values[i])
	}
	for i, t := range targets {
		pyTarget(w, t, t, values[i], false)
	}
	return true
}

func pyAugmented(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	v := w.visit(right)
	switch {
	case w.is(left, "identifier") && w.text(left) == "__all__" && pyScope(w) == 0:
		pyAll(w, right)
		w.use(left, facts.RoleWrite, facts.None)
	case w.is(left, "identifier"):
		w.py().flows.assign(w, w.text(left), pyDeclare(w, left, n), facts.None)
	default:
		pyTarget(w, left, n, v, false)
	}
	return facts.None
}

func pyWalrus(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "value"))
	pyTarget(w, w.child(n, "name"), n, v, false)
	return v
}

func pyTypeAlias(w *walk, n int32) int32 {
	left := w.child(n, "left")
	name := left
	for name >= 0 && !w.is(name, "identifier") {
		name = w.only(name)
	}
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, n, code.KindType, pyFlags(w, w.text(name)))
	w.bind(pyScope(w), y, 0)
	w.open(scopeFunction)
	for c := range w.kids(w.up(name)) {
		if c == name {
			continue
		}
		for t := range w.kids(c) {
			if id := w.only(t); w.is(id, "identifier") {
				p := w.symbol(id, t, code.KindTypeParam, facts.Local)
				w.symbols[p].Parent = y
				w.bind(w.top(), p, 0)
			}
		}
	}
	in := w.in
	w.in = y
	w.symbols[y].Type = w.visit(w.child(n, "right"))
	w.in = in
	w.close()
	return facts.None
}

func pyGlobal(w *walk, n int32) int32 { return pyElsewhere(w, n, "global") }

func pyNonlocal(w *walk, n int32) int32 { return pyElsewhere(w, n, "nonlocal") }

func pyElsewhere(w *walk, n int32, where string) int32 {
	s := pyScope(w)
	if s == 0 {
		return w.visitAll(n)
	}
	if w.scopes[s].outer == nil {
		w.scopes[s].outer = map[int32]string{}
	}
	for c := range w.kids(n) {
		if !w.is(c, "identifier") {
			continue
		}
		w.scopes[s].outer[w.number(w.text(c))] = where
		from := 0
		if where == "nonlocal" {
			from = s - 1
		}
		w.useIn(from, w.text(c), w.start(c), facts.RoleRead, facts.None)
	}
	return facts.None
}

// pyAs reads "value as name": of with, except and match.
func pyAs(w *walk, n int32) int32 {
	first := w.only(n)
	value := w.visit(first)
	up := w.up(n)
	switch {
	case w.is(up, "except_clause") || w.is(up, "except_group_clause"):
		value = w.value(pyEither(w, first, value))
	case w.is(up, "with_item"):
		value = w.of(facts.OpElem, value, 3)
	}
	alias := w.child(n, "alias")
	if alias < 0 {
		alias = w.last(n)
	}
	if alias != first {
		pyTarget(w, alias, alias, value, false)
	}
	return value
}

// pyEither is the union of the types in a tuple, else the one type.
func pyEither(w *walk, n, value int32) int32 {
	if !w.is(n, "tuple") || value < 0 {
		return value
	}
	either := int32(facts.None)
	for e := value; e >= 0 && w.exprs[e].Op == facts.OpTuple; e = w.exprs[e].Y {
		either = w.union(either, w.exprs[e].X)
	}
	return either
}

// pyCapture reads a name in a pattern. Without dots the pattern binds it.
func pyCapture(w *walk, n int32) int32 {
	first := w.only(n)
	if first < 0 {
		return facts.None
	}
	if w.last(n) == first && !w.is(w.up(n), "class_pattern") {
		pyTarget(w, first, first, facts.None, false)
		return facts.None
	}
	e := int32(facts.None)
	for c := range w.kids(n) {
		if c == first {
			e = w.use(c, facts.RoleRead, facts.None)
		} else {
			e = w.member(c, e, facts.RoleRead, facts.None)
		}
	}
	return e
}

func pyKeywordPattern(w *walk, n int32) int32 {
	name := w.only(n)
	w.member(name, facts.None, facts.RoleRead, facts.None)
	w.visitOther(n, name)
	return facts.None
}

func pyReturn(w *walk, n int32) int32 {
	v := w.visit(w.only(n))
	if w.fn != nil && (w.fn.returns < 0 || w.exprs[w.fn.returns].Op == facts.OpLiteral) {
		w.fn.returns = v
	}
	return facts.None
}

func pyYield(w *walk, n int32) int32 {
	if w.fn == nil {
		return w.visitAll(n)
	}
	w.fn.yields = true
	v := w.visit(w.only(n))
	if w.fn.yielded < 0 && !w.has(n, "from") {
		w.fn.yielded = v
	}
	return facts.None
}

// pyString reads interpolated values, and types quoted in annotations.
func pyString(w *walk, n int32) int32 {
	if content := w.childOf(n, "string_content"); w.inType && content >= 0 && !w.has(n, "interpolation") && !w.has(content, "escape_sequence") {
		typ := int32(facts.None)
		w.embedded(w.start(content), w.end(content), func(root int32) {
			for c := range w.kids(root) {
				if x := w.only(c); typ < 0 && w.is(c, "expression_statement") {
					typ = w.visit(x)
				}
			}
		})
		return typ
	}
	if w.has(n, "interpolation") {
		was := w.inType
		w.inType = false
		w.visitAll(n)
		w.inType = was
	}
	return w.literal(facts.LiteralString)
}

func pyCall(w *walk, n int32) int32 {
	callee, list := w.child(n, "function"), w.child(n, "arguments")
	was := w.inType
	w.inType = false
	defer func() { w.inType = was }()
	f := pyRef(w, callee, facts.RoleCall, pyCount(w, list))
	name := ""
	if callee >= 0 {
		name = pyLastName(w.text(callee))
	}
	if name == "cast" {
		return pyCast(w, list)
	}
	given, values := pyArguments(w, list, f)
	if name == "isinstance" {
		pyIsinstance(w, n, given, values)
	}
	if v := pyBuiltin(w, name, callee, values); v >= 0 {
		return v
	}
	if name == "super" && w.py().class >= 0 {
		return w.expr(facts.OpSuper, w.py().class, 0)
	}
	if len(given) > 0 && pyIsClass(w, given[0]) { // which get_object_or_404 makes a value of
		w.given(f, values[:1])
	}
	return w.of(facts.OpCall, f, 0)
}

// pyBuiltin is what a call of a built-in function makes of the elements of its
// first argument, or None.
func pyBuiltin(w *walk, name string, callee int32, values []int32) int32 {
	if len(values) == 0 || values[0] < 0 || !w.is(callee, "identifier") {
		return facts.None
	}
	element := w.expr(facts.OpElem, values[0], 4)
	switch name {
	case "list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "deque":
		return w.expr(facts.OpLiteral, facts.LiteralList, element)
	case "enumerate":
		return w.expr(facts.OpLiteral, facts.LiteralList, w.tuple([]int32{facts.None, element}))
	case "zip":
		var all []int32
		for _, v := range values {
			all = append(all, w.of(facts.OpElem, v, 4))
		}
		return w.expr(facts.OpLiteral, facts.LiteralList, w.tuple(all))
	case "next":
		return element
	}
	return facts.None
}

// pyCount counts the arguments of a call; None where some are spread.
func pyCount(w *walk, list int32) int {
	if !w.is(list, "argument_list") {
		return 1 // a generator expression
	}
	count := 0
	for a := range w.kids(list) {
		if w.is(a, "list_splat") || w.is(a, "dictionary_splat") {
			return facts.None
		}
		count++
	}
	return count
}

// pyArguments reads the arguments of a call. It returns those without a name, and
// their values.
func pyArguments(w *walk, list, callee int32) (given, values []int32) {
	if !w.is(list, "argument_list") {
		w.visit(list)
		return nil, nil
	}
	for a := range w.kids(list) {
		if w.token(a) {
			w.visit(a)
			continue
		}
		if !w.is(a, "keyword_argument") {
			values = append(values, pyValue(w, a, w.of(facts.OpArgument, callee, int32(len(values)))))
			given = append(given, a)
			continue
		}
		param := int32(facts.None)
		if name := w.child(a, "name"); name >= 0 {
			param = w.member(name, callee, facts.RoleWrite, facts.None)
		}
		if w.text(w.child(a, "name")) == "bound" && w.is(w.child(a, "value"), "string") { // of a type variable
			w.visitType(w.child(a, "value"))
			continue
		}
		pyValue(w, w.child(a, "value"), param)
	}
	return given, values
}

// pyValue reads a value that must be of a type, or None.
func pyValue(w *walk, n, typ int32) int32 {
	if w.is(n, "lambda") {
		return pyLambda(w, n, typ)
	}
	return w.visit(n)
}

// pyCast reads the arguments of typing.cast. The first one is a type.
func pyCast(w *walk, list int32) int32 {
	result := int32(facts.None)
	for a := range w.kids(list) {
		if result < 0 {
			result = w.value(w.visitType(a))
		} else {
			w.visit(a)
		}
	}
	return result
}

func pyGeneric(w *walk, n int32) int32 {
	base := w.only(n)
	b := w.visit(base)
	var args []int32
	if list := w.childOf(n, "type_parameter"); list >= 0 {
		args = pyTypesOf(w, base, slices.Collect(w.kids(list)))
	}
	return pyApplyNamed(w, w.text(base), b, args)
}

func pySubscript(w *walk, n int32) int32 {
	base := w.child(n, "value")
	if !w.inType && pyGenerics[pyLastName(w.text(base))] { // a type that gets a name
		return w.visitType(n)
	}
	if !w.inType && !pyIsAlias(w, n, base) {
		b := w.visit(base)
		w.visitOther(n, base)
		if i, err := strconv.Atoi(w.text(w.last(n))); err == nil && i >= 0 {
			return w.of(facts.OpResult, b, int32(min(i, math.MaxInt16)))
		}
		return w.of(facts.OpElem, b, 0)
	}
	b := w.visit(base)
	return pyApplyNamed(w, w.text(base), b, pyTypeArguments(w, n))
}

// pyIsClass reports whether an expression is a name that is written as those of classes.
func pyIsClass(w *walk, n int32) bool {
	name := strings.TrimLeft(pyLastName(w.text(n)), "_")
	return (w.is(n, "identifier") || w.is(n, "attribute")) && name != "" && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name
}

// pyIsAlias reports whether subscript n of base looks like a type: Base[Other], as
// in an alias.
func pyIsAlias(w *walk, n, base int32) bool {
	for c := range w.kids(n) {
		if !pyIsClass(w, c) {
			return false
		}
	}
	return base >= 0
}

// pyTypeArguments reads the types in the brackets of a subscript.
func pyTypeArguments(w *walk, n int32) []int32 {
	base := w.child(n, "value")
	var list []int32
	for c := range w.kids(n) {
		if c != base {
			list = append(list, c)
		}
	}
	return pyTypesOf(w, base, list)
}

func pyTypesOf(w *walk, base int32, list []int32) []int32 {
	name := w.text(base)
	for i, c := range list {
		switch {
		case strings.HasSuffix(name, "Literal") || strings.HasSuffix(name, "Annotated") && i > 0:
			list[i] = w.visitValue(c)
		case i == 0 && strings.HasSuffix(name, "Callable"):
			list[i] = pyTaken(w, c)
		default:
			list[i] = w.visitType(c)
		}
	}
	return list
}

// pyTaken reads the types of the parameters of a Callable. It is None for any
// parameters.
func pyTaken(w *walk, n int32) int32 {
	if w.is(n, "type") {
		n = w.only(n)
	}
	if !w.is(n, "list") {
		w.visitType(n)
		return facts.None
	}
	var values []int32
	for c := range w.kids(n) {
		values = append(values, w.value(w.visitType(c)))
	}
	return w.tuple(values)
}

// pyGenerics are the generic types of Python and of package typing. Their
// arguments are types in any place.
var pyGenerics = wordset.Of(`type list dict tuple set frozenset Type List Dict Tuple Set FrozenSet Union Optional Callable
	Iterable Iterator Sequence Mapping MutableMapping Awaitable Coroutine Generator AsyncIterable AsyncIterator AsyncGenerator`)

// pyLastName is the last name of a dotted one.
func pyLastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func pyApply(w *walk, base int32, args []int32) int32 {
	if base < 0 || len(args) == 0 {
		return base
	}
	return w.expr(facts.OpApply, base, w.tuple(args))
}

// pyApplyNamed reads the special forms of package typing.
func pyApplyNamed(w *walk, name string, base int32, args []int32) int32 {
	if len(args) == 0 {
		return base
	}
	switch pyLastName(name) {
	case "Callable":
		if len(args) == 2 {
			return w.expr(facts.OpFunc, w.value(args[1]), args[0])
		}
	case "Optional":
		return w.union(args[0], w.literal(facts.LiteralNull))
	case "Union":
		either := int32(facts.None)
		for _, a := range args {
			either = w.union(either, a)
		}
		return either
	case "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "InitVar":
		return args[0]
	}
	return pyApply(w, base, args)
}

// pyUnion reads x or y written with a bar, which is a union where types are
// expected.
func pyUnion(w *walk, n int32) int32 {
	either := int32(facts.None)
	for c := range w.kids(n) {
		if !w.token(c) {
			v := w.visit(c)
			if w.inType {
				either = w.union(either, v)
			}
		}
	}
	return either
}

func pyMemberType(w *walk, n int32) int32 {
	object := w.only(n)
	of := w.visit(object)
	return w.member(w.last(n), of, facts.RoleType, facts.None)
}

func pyConditional(w *walk, n int32) int32 {
	var parts []int32
	for c := range w.kids(n) {
		if !w.token(c) {
			parts = append(parts, c)
		}
	}
	if len(parts) != 3 {
		return w.visitAll(n)
	}
	w.visit(parts[1])
	f := &w.py().flows
	test := func(holds bool) { pyTested(w, parts[1], holds) }
	yes := f.under(w, test, true, parts[0])
	return w.union(yes, f.under(w, test, false, parts[2]))
}

func pyBoolean(w *walk, n int32) int32 {
	left := w.visit(w.child(n, "left"))
	and := w.is(w.child(n, "operator"), "and")
	right := w.py().flows.under(w, func(holds bool) { pyTested(w, w.child(n, "left"), holds) }, and, w.child(n, "right"))
	if and {
		return right
	}
	return w.union(left, right)
}

func pyDictionary(w *walk, n int32) int32 {
	value := int32(facts.None)
	for c := range w.kids(n) {
		if !w.is(c, "pair") {
			w.visit(c)
			continue
		}
		w.visit(w.child(c, "key"))
		if v := w.visit(w.child(c, "value")); value < 0 {
			value = v
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralMap, value)
}

// pyAll reads the names that __all__ lists: they are passed on, as by an import.
func pyAll(w *walk, n int32) {
	if n < 0 {
		return
	}
	for i := n; i < w.t.Nodes[n].Next; i++ {
		if w.kind(i) == "string_content" {
			w.py().listed = append(w.py().listed, w.text(i))
			w.useIn(0, w.text(i), w.start(i), facts.RoleImport, facts.None)
		}
	}
}

// pySlots reads the names of attributes that __slots__ lists.
func pySlots(w *walk, n int32) {
	for i := max(n, 0); n >= 0 && i < w.t.Nodes[n].Next; i++ {
		if w.kind(i) == "string_content" {
			w.member(i, w.expr(facts.OpThis, w.py().class, 0), facts.RoleRead, facts.None)
		}
	}
}

// pyExports marks the names in __all__.
func pyExports(w *walk) {
	for _, name := range w.py().listed {
		d, ok := w.declaredIn(0, name)
		switch {
		case ok && d.bind == facts.BindSymbol:
			w.symbols[d.target].Flags |= facts.Exported
		case ok && d.bind == facts.BindImport:
			w.imports[d.target].Flags |= facts.Reexport
		}
	}
}
