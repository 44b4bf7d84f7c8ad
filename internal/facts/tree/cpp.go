package tree

import (
	"bytes"
	"maps"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// cppRules adds the nodes of C++ alone. Headers are often parsed as C.
func cppRules(r *rules) {
	none := func(*walk, int32) int32 { return facts.None }
	maps.Copy(r.visit, map[string]visitor{
		"namespace_definition":       cppNamespace,
		"namespace_alias_definition": cppNamespaceAlias,
		"using_declaration":          cppUsing,
		"alias_declaration":          cppAlias,
		"template_declaration":       cppTemplate,
		"friend_declaration":         cppFriend,
		"class_specifier":            func(w *walk, n int32) int32 { return cClass(w, n, code.KindClass) },
		"concept_definition":         cppConcept,
		"for_range_loop":             cppForRange,
		"catch_clause":               cppCatch,
		"lambda_expression":          cppLambda,
		"namespace_identifier":       func(w *walk, n int32) int32 { return w.use(n, facts.RoleType, facts.None) },
		"qualified_identifier":       func(w *walk, n int32) int32 { return cRef(w, n, readRole(w), facts.None) },
		"template_type":              func(w *walk, n int32) int32 { return cRef(w, n, facts.RoleType, facts.None) },
		"template_function":          func(w *walk, n int32) int32 { return cRef(w, n, readRole(w), facts.None) },
		"dependent_type":             func(w *walk, n int32) int32 { return w.visitType(w.last(n)) },
		"template_argument_list":     typeList,
		"placeholder_type_specifier": none,
		"decltype":                   cppDecltype,
		"new_expression":             cppNew,
		"field_initializer":          cppFieldInitializer,
		"condition_clause":           func(w *walk, n int32) int32 { return w.visitAll(n) },
		"return_statement":           cppReturn,
		"this":                       thisValue,
		"raw_string_literal":         literalOf(facts.LiteralString),
		"nullptr":                    literalOf(facts.LiteralNull),
		"inline_method_definition":   cFunction,
	})
}

func cppNamespace(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if body < 0 {
		return facts.None
	}
	last := name
	if w.is(name, "nested_namespace_specifier") {
		last = w.last(name)
		for w.is(last, "nested_namespace_specifier") {
			last = w.last(last)
		}
	}
	if last < 0 {
		was := w.c().unnamed
		w.c().unnamed = true
		w.open(scopeNamespace)
		w.visitAll(body)
		declared := append([]declared(nil), w.scopes[w.top()].declared...)
		w.close()
		w.scopes[w.top()].declared = append(w.scopes[w.top()].declared, declared...)
		w.c().unnamed = was
		return facts.None
	}
	m := w.symbol(last, n, code.KindModule, facts.Exported)
	w.symbols[m].Owner = strings.TrimSuffix(strings.TrimSuffix(withoutBlanks(w, name), w.text(last)), "::")
	if w.has(n, "inline") {
		w.symbols[m].Flags |= facts.Embedded
	}
	w.bind(cTop(w), m, 0)
	w.signature(m, w.start(n), body)
	w.document(m, w.start(n))
	w.within(m, func() {
		key := withoutBlanks(w, name)
		w.open(scopeNamespace)
		if before, ok := w.c().members[key]; ok {
			w.scopes[w.top()].declared = append(w.scopes[w.top()].declared, before.declared...)
		}
		w.visitAll(body)
		cppRemember(w, key, m)
		w.close()
	})
	return facts.None
}

func cppNamespaceAlias(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, n, code.KindModule, cFlags(w, n, cTop(w)))
	w.bind(cTop(w), y, 0)
	w.symbols[y].Type = w.visit(w.last(n))
	return facts.None
}

// cppUsing reads using namespace and using declarations.
func cppUsing(w *walk, n int32) int32 {
	what := w.last(n)
	if what < 0 {
		return facts.None
	}
	if w.has(n, "namespace") {
		w.imports = append(w.imports, facts.Import{Module: withoutBlanks(w, what), Name: "*", Place: facts.Place{At: w.start(what)}, In: w.parent})
		w.visitType(what)
		return facts.None
	}
	s := cTop(w)
	if w.scopes[s].kind == scopeClass || !w.is(what, "qualified_identifier") {
		return w.visitType(what)
	}
	owner, last := cName(w, what)
	if last < 0 {
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Module: owner, Name: w.text(last), Local: w.text(last), Place: facts.Place{At: w.start(last)}, In: w.parent})
	i := int32(len(w.imports) - 1)
	w.declare(s, w.text(last), w.start(last), w.start(last), facts.BindImport, i)
	w.imported(last, i)
	return facts.None
}

func cppAlias(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	s := cTop(w)
	y := w.symbol(name, cWhole(w, n), code.KindType, cFlags(w, n, s))
	w.bind(s, y, w.start(name))
	w.document(y, w.symbols[y].Start)
	in := w.in
	w.within(y, func() {
		if w.symbols[y].Flags&facts.Local != 0 {
			w.in = in
		}
		w.symbols[y].Type = w.visitType(w.child(n, "type"))
	})
	return facts.None
}

// cppTemplate reads a template. Its parameters are those of what it declares.
func cppTemplate(w *walk, n int32) int32 {
	list := w.child(n, "parameters")
	w.open(scopeTemplate)
	defer w.close()
	first := len(w.symbols)
	if list >= 0 {
		for p := range w.kids(list) {
			cppTemplateParameter(w, p)
		}
	}
	behind, start := len(w.symbols), w.start(cWhole(w, n))
	w.visitOther(n, list)
	for y := behind; y < len(w.symbols); y++ {
		if w.symbols[y].Start != start {
			continue
		}
		for p := first; p < behind; p++ {
			w.symbols[p].Parent = int32(y)
		}
		break
	}
	return facts.None
}

func cppTemplateParameter(w *walk, p int32) {
	name := w.child(p, "name")
	if name < 0 {
		name = w.childOf(p, "type_identifier")
	}
	if d := w.child(p, "declarator"); d >= 0 {
		w.visitType(w.child(p, "type"))
		name = cDeclarator(w, d).name
	}
	w.visitType(w.child(p, "default_type"))
	w.visitValue(w.child(p, "default_value"))
	if name >= 0 && w.text(name) != "" {
		w.bind(w.top(), w.symbol(name, p, code.KindTypeParam, facts.Local), 0)
	}
}

func cppFriend(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "declaration":
			w.visitType(w.child(c, "type"))
			d := cDeclarator(w, w.child(c, "declarator"))
			if w.is(d.name, "identifier") || w.is(d.name, "qualified_identifier") {
				cRef(w, d.name, facts.RoleRead, facts.None)
			}
			cTypedefParameters(w, w.child(c, "declarator"))
		case "type_identifier", "qualified_identifier", "template_type":
			w.visitType(c)
		default:
			if !w.token(c) {
				w.visit(c)
			}
		}
	}
	return facts.None
}

// cppLeadsToMember reports whether a declarator is that of a pointer to a member, A::*p.
func cppLeadsToMember(w *walk, d int32) bool {
	return w.is(d, "qualified_identifier") && w.is(w.child(d, "name"), "pointer_type_declarator")
}

// cppMemberPointer is what stands behind the class of a pointer to a member, A::*p, whose
// class is read; None where a declarator is no such pointer.
func cppMemberPointer(w *walk, d int32) int32 {
	if !cppLeadsToMember(w, d) {
		return facts.None
	}
	if scope := w.child(d, "scope"); scope >= 0 {
		cRef(w, scope, facts.RoleType, facts.None)
	}
	return w.child(d, "name")
}

// cppClassOfMember reads the class of a pointer to a member, which the grammar takes for an
// error before the pointer: void (A::*p)().
func cppClassOfMember(w *walk, n int32) {
	if n < 0 || !strings.HasSuffix(w.text(n), "::") {
		return
	}
	of := int32(facts.None)
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "identifier", "type_identifier", "namespace_identifier":
			if of < 0 {
				of = w.use(c, facts.RoleType, facts.None)
			} else {
				of = w.member(c, of, facts.RoleType, facts.None)
			}
		}
	}
}

// cppConstructor adds the use of the class that the name of constructor or
// destructor f is.
func cppConstructor(w *walk, f int32) {
	y := &w.symbols[f]
	owner := y.Owner
	if owner == "" && w.parent >= 0 {
		owner = w.symbols[w.parent].Name
	}
	if i := strings.LastIndex(owner, "::"); i >= 0 {
		owner = owner[i+2:]
	}
	bare := strings.TrimLeft(y.Name, "~ ")
	if bare != owner || owner == "" {
		return
	}
	at := y.At + uint32(len(y.Name)-len(bare))
	if y.Owner == "" {
		u := w.add(bare, at, facts.RoleType, facts.None)
		w.uses[u].Bind, w.uses[u].Target = facts.BindSymbol, w.parent
		return
	}
	w.useIn(w.top(), bare, at, facts.RoleType, facts.None)
}

// cppValues reports that what looks like the declaration of a function is that of
// a variable, made from values: in a function, with nothing but names and calls of
// these in the parentheses.
func cppValues(w *walk, d declarator) bool {
	if d.function < 0 || w.t.Grammar.Name != "cpp" || !w.is(d.name, "identifier") || w.scopes[w.top()].kind < scopeFunction || w.scopes[w.top()].kind > scopeBlock {
		return false
	}
	return cppAreValues(w, w.child(d.function, "parameters"), 0) > 0
}

// maxValues bounds the calls within each other that look like parameters.
const maxValues = 8

// cppAreValues counts the parameters of a list that may be values: A, or A(B) with
// values in the parentheses. It is -1 where one is none.
func cppAreValues(w *walk, list int32, depth int) int {
	count := 0
	for p := range w.kids(list) {
		typ, d := w.child(p, "type"), w.child(p, "declarator")
		if !w.is(p, "parameter_declaration") || depth > maxValues || !w.is(typ, "type_identifier") && !w.is(typ, "qualified_identifier") {
			return -1
		}
		switch {
		case d < 0 && w.t.Nodes[typ].End == w.t.Nodes[p].End:
		case w.is(d, "abstract_function_declarator") && w.t.Nodes[w.child(d, "parameters")].End == w.t.Nodes[p].End && cppAreValues(w, w.child(d, "parameters"), depth+1) >= 0:
		default:
			return -1
		}
		count++
	}
	return count
}

// cppGiven reads the names in the parentheses of declarator c as values.
func cppGiven(w *walk, c int32) {
	for !w.is(c, "function_declarator") && c >= 0 {
		c = w.child(c, "declarator")
	}
	cppReadValues(w, w.child(c, "parameters"))
}

// cppReadValues reads what cppAreValues counts.
func cppReadValues(w *walk, list int32) {
	for p := range w.kids(list) {
		inner := w.child(w.child(p, "declarator"), "parameters")
		if inner < 0 {
			cRef(w, w.child(p, "type"), facts.RoleRead, facts.None)
			continue
		}
		cRef(w, w.child(p, "type"), facts.RoleCall, countArguments(w, inner))
		cppReadValues(w, inner)
	}
}

func cppConcept(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, cWhole(w, n), code.KindType, cFlags(w, n, cTop(w)))
	w.bind(cTop(w), y, 0)
	w.visitOther(n, name)
	return facts.None
}

// cppParts declares the names of a structured binding, auto [a, b].
func cppParts(w *walk, whole int32, d declarator) {
	w.c().parts = nil
	for name := range w.kids(d.list) {
		if w.is(name, "identifier") {
			y := w.symbol(name, whole, code.KindVar, facts.Local)
			w.bind(w.top(), y, w.start(name))
			w.c().parts = append(w.c().parts, y)
		}
	}
}

// cppTakeApart gives the names of the structured binding that was read last the
// parts of a value.
func cppTakeApart(w *walk, value int32) {
	for i, y := range w.c().parts {
		if value >= 0 {
			w.symbols[y].Type, w.symbols[y].Flags = w.of(facts.OpResult, value, int32(i)), w.symbols[y].Flags|facts.Inferred
		}
	}
}

func cppForRange(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	typ := w.value(w.visitType(w.child(n, "type")))
	inferred := typ < 0
	if v := w.of(facts.OpElem, w.visit(w.child(n, "right")), 5); inferred {
		typ = v
	}
	w.visit(w.child(n, "initializer"))
	d := cDeclarator(w, w.child(n, "declarator"))
	if d.list >= 0 {
		cppParts(w, w.child(n, "declarator"), d)
		cppTakeApart(w, typ)
	} else if w.is(d.name, "identifier") {
		y := w.symbol(d.name, d.name, code.KindVar, facts.Local)
		w.symbols[y].Type = typ
		w.bind(w.top(), y, w.start(d.name))
	}
	w.visit(w.child(n, "body"))
	return facts.None
}

func cppCatch(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	list := w.child(n, "parameters")
	cParameters(w, list)
	w.visitOther(n, list)
	return facts.None
}

func cppLambda(w *walk, n int32) int32 {
	w.visit(w.child(n, "captures"))
	outer := w.fn
	w.fn = &function{returns: facts.None}
	defer func() { w.fn = outer }()
	w.open(scopeFunction)
	defer w.close()
	typ := int32(facts.None)
	if d := w.child(n, "declarator"); d >= 0 {
		cParameters(w, w.child(d, "parameters"))
		if t := w.childOf(d, "trailing_return_type"); t >= 0 {
			typ = w.value(w.visitType(w.only(t)))
		}
	}
	w.visit(w.child(n, "body"))
	return w.of(facts.OpFunc, typ, facts.None)
}

// cppDecltype reads the type of an expression.
func cppDecltype(w *walk, n int32) int32 {
	of := w.only(n)
	v := w.visitValue(of)
	w.visitOther(n, of)
	return w.value(v)
}

// cppCastTo reads the type that a value is cast to, with the pointers of it.
func cppCastTo(w *walk, n int32) int32 {
	typ := w.value(w.visitType(n))
	for d := w.child(n, "declarator"); w.is(d, "abstract_pointer_declarator"); d = w.child(d, "declarator") {
		typ = w.pointer(typ)
	}
	return typ
}

// cppReturn reads a return statement. The first one gives what a function returns
// whose type is auto.
func cppReturn(w *walk, n int32) int32 {
	v := w.visit(w.only(n))
	if w.fn != nil && w.fn.returns < 0 {
		w.fn.returns = v
	}
	return facts.None
}

// cppThrough reads a call such as ::MACRO(f(x)), where what follows :: is what the
// macro is given. It reports whether it is one.
func cppThrough(w *walk, callee, list int32) bool {
	if !w.is(callee, "qualified_identifier") || w.child(callee, "scope") >= 0 {
		return false
	}
	macro, call := w.child(callee, "name"), w.only(list)
	if !w.is(macro, "identifier") || !cUpper(w.text(macro)) || !w.is(call, "call_expression") {
		return false
	}
	w.use(macro, facts.RoleCall, countArguments(w, list))
	inner, given := w.child(call, "function"), w.child(call, "arguments")
	if w.is(inner, "identifier") {
		w.member(inner, w.expr(facts.OpTop, 0, 0), facts.RoleCall, countArguments(w, given))
		w.visit(given)
	} else {
		w.visit(call)
	}
	w.visitOther(list, call)
	return true
}

func cppNew(w *walk, n int32) int32 {
	typ, list := w.child(n, "type"), w.child(n, "arguments")
	args := 0
	if list >= 0 {
		args = countArguments(w, list)
	}
	w.visit(w.child(n, "placement"))
	t := cRef(w, typ, facts.RoleCall, args)
	w.visit(list)
	return w.pointer(w.value(t))
}

func cppFieldInitializer(w *walk, n int32) int32 {
	name := w.only(n)
	if w.is(name, "field_identifier") {
		if !cppDelegates(w, n, name) {
			cppInitializes(w, name)
		}
	} else {
		cRef(w, name, facts.RoleCall, facts.None)
	}
	w.visitOther(n, name)
	return facts.None
}

// cppInitializes reads the name of a field in the list of a constructor, whose parameters it
// does not mean.
func cppInitializes(w *walk, name int32) {
	s := w.top()
	if s > 0 && w.scopes[s].kind == scopeFunction {
		s--
	}
	w.useIn(s, w.text(name), w.start(name), facts.RoleWrite, facts.None)
}

// cppDelegates reads the name of its own class in the list of a constructor, which
// calls another one. It reports whether it is one.
func cppDelegates(w *walk, n, name int32) bool {
	if w.parent < 0 || w.symbols[w.parent].Name != w.text(name) {
		return false
	}
	args := int32(facts.None)
	if list := w.childOf(n, "argument_list", "initializer_list"); list >= 0 {
		args = int32(countArguments(w, list))
	}
	class := w.symbols[w.parent].Parent
	if w.symbols[w.parent].Owner != "" || class < 0 {
		w.use(name, facts.RoleCall, int(args))
		return true
	}
	u := w.add(w.text(name), w.start(name), facts.RoleCall, int(args))
	w.uses[u].Bind, w.uses[u].Target = facts.BindSymbol, class
	return true
}

// cppRemember keeps the names of the innermost scope: members may be defined
// outside of their class, and namespaces opened again.
func cppRemember(w *walk, name string, symbol int32) {
	const most = 2000 // names, so that many definitions stay cheap
	list := w.scopes[w.top()].declared
	if name == "" || len(list) > most {
		return
	}
	w.c().members[name] = cClassNames{symbol, append([]declared(nil), list...)}
}

// looksLikeCpp reports whether a line of a header starts with a word of C++.
func looksLikeCpp(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		for _, word := range [][]byte{[]byte("namespace "), []byte("class "), []byte("template"), []byte("using "), []byte("public:"), []byte("private:"), []byte("protected:")} {
			if bytes.HasPrefix(line, word) {
				return true
			}
		}
	}
	return false
}
