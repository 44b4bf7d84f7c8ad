package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// csRules are those of C#. The first namespace of a file is its package; symbols
// of another one are held by it. Whether a base is a class or an interface is
// told by its name alone.
func csRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	typ := func(kind code.Kind) visitor { return func(w *walk, n int32) int32 { return csType(w, n, kind) } }
	r := &rules{
		apart:  apartTypes,
		state:  func() any { return &csState{attributes: map[string]int32{}} },
		finish: csFinish,
		branches: []string{"if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement", "catch_clause",
			"conditional_expression", "switch_expression_arm"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"using_directive":                   csUsing,
			"extern_alias_directive":            none,
			"preproc_define":                    none,
			"preproc_undef":                     none,
			"preproc_line":                      none,
			"preproc_pragma":                    none,
			"preproc_region":                    none,
			"preproc_endregion":                 none,
			"preproc_error":                     none,
			"preproc_warning":                   none,
			"preproc_nullable":                  none,
			"preproc_if":                        csCondition,
			"preproc_elif":                      csCondition,
			"namespace_declaration":             csNamespace,
			"file_scoped_namespace_declaration": csNamespace,
			"class_declaration":                 typ(code.KindClass),
			"struct_declaration":                typ(code.KindStruct),
			"record_declaration":                typ(code.KindClass),
			"interface_declaration":             typ(code.KindInterface),
			"enum_declaration":                  typ(code.KindEnum),
			"enum_member_declaration":           csEnumMember,
			"delegate_declaration":              csDelegate,
			"method_declaration":                csMethod,
			"constructor_declaration":           csMethod,
			"destructor_declaration":            csMethod,
			"operator_declaration":              csMethod,
			"conversion_operator_declaration":   csMethod,
			"local_function_statement":          csMethod,
			"indexer_declaration":               csMethod,
			"property_declaration":              csProperty,
			"event_declaration":                 csProperty,
			"field_declaration":                 csFields,
			"event_field_declaration":           csFields,
			"accessor_declaration":              csAccessor,
			"attribute":                         csAttribute,
			"variable_declaration":              func(w *walk, n int32) int32 { csVariables(w, n, n, code.KindVar, facts.Local); return facts.None },
			"block":                             blockScope,
			"for_statement":                     blockScope,
			"using_statement":                   blockScope,
			"fixed_statement":                   blockScope,
			"lock_statement":                    blockScope,
			"catch_clause":                      blockScope,
			"switch_section":                    csSection,
			"catch_declaration":                 csCatch,
			"foreach_statement":                 csForEach,
			"labeled_statement":                 func(w *walk, n int32) int32 { w.visitOther(n, w.only(n)); return facts.None },
			"goto_statement":                    csGoto,
			"return_statement":                  csReturn,
			"arrow_expression_clause":           csReturn,
			"parenthesized_expression":          only,
			"checked_expression":                only,
			"ref_expression":                    only,
			"expression_statement":              only,
		},
	}
	csValues(r.visit)
	return r
}

// csState is what the rules of C# remember of a file.
type csState struct {
	attributes map[string]int32 // the imports that stand for attributes, by the name used
	namespace  string           // the one around what is read
}

// csFinish leaves out of the scope of the file the types that it declares twice, in
// parts or with other numbers of type parameters, and all where it has several
// namespaces: their names are looked up as those of other files are.
func csFinish(w *walk) {
	s := &w.scopes[0]
	times, several := map[int32]int{}, false
	for _, d := range s.declared {
		if d.bind == facts.BindSymbol && w.symbols[d.target].Kind.IsType() {
			times[d.name]++
			several = several || w.symbols[d.target].Parent >= 0
		}
	}
	kept := s.declared[:0]
	for _, d := range s.declared {
		if times[d.name] == 0 || times[d.name] == 1 && !several || d.bind != facts.BindSymbol {
			kept = append(kept, d)
		}
	}
	s.declared = kept
}

// csCondition reads what #if holds, without the names of its condition.
func csCondition(w *walk, n int32) int32 {
	w.visitOther(n, w.child(n, "condition"))
	return facts.None
}

func csGoto(w *walk, n int32) int32 {
	if !w.is(w.only(n), "identifier") {
		w.visitAll(n)
	}
	return facts.None
}

// csNamespace reads a namespace. Another one than the first of the file holds its types.
func csNamespace(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if w.text(name) == "" {
		return w.visitAll(n)
	}
	state, full := w.state.(*csState), withoutBlanks(w, name)
	outer := state.namespace
	if outer != "" {
		full = outer + "." + full
	}
	_, last := csPath(w, name)
	if w.text(last) == "" {
		return w.visit(body)
	}
	y := w.symbol(last, n, code.KindModule, facts.Exported)
	w.symbols[y].Owner = strings.TrimSuffix(strings.TrimSuffix(full, w.text(last)), ".")
	w.signature(y, w.start(n), body)
	w.document(y, w.start(n))
	state.namespace = full
	if w.pkg == "" {
		w.pkg = full
	}
	if w.pkg == full {
		w.visit(body)
	} else {
		w.within(y, func() { w.in = facts.None; w.visit(body) })
	}
	if body >= 0 {
		state.namespace = outer
	}
	return facts.None
}

// csPath cuts a dotted name into what stands before its last part, and the node of
// that part.
func csPath(w *walk, n int32) (before string, last int32) {
	switch {
	case w.is(n, "qualified_name"):
		before, last = withoutBlanks(w, w.child(n, "qualifier")), w.child(n, "name")
	case w.is(n, "alias_qualified_name"):
		last = w.child(n, "name")
	default:
		last = n
	}
	if w.is(last, "generic_name") {
		last = w.only(last)
	}
	if !w.is(last, "identifier") {
		return "", facts.None
	}
	return strings.TrimPrefix(before, "global::"), last
}

// csUsing reads using A.B, using static A.B.C and using X = A.B.C.
func csUsing(w *walk, n int32) int32 {
	alias, path := w.child(n, "name"), w.last(n)
	flags := facts.Flags(0)
	if w.has(n, "global") {
		flags = facts.Exported
	}
	before, last := csPath(w, path)
	whole := strings.Trim(before+"."+w.text(last), ".")
	add := func(m facts.Import, at int32) int32 {
		m.Place, m.In, m.Flags = facts.Place{At: w.start(at)}, facts.None, flags
		w.imports = append(w.imports, m)
		return int32(len(w.imports) - 1)
	}
	switch {
	case last < 0 && alias >= 0:
		y := w.symbol(alias, n, code.KindType, facts.Local)
		w.bind(0, y, 0)
		w.symbols[y].Type = w.visitType(path)
	case last < 0:
		w.visitType(path)
	case alias >= 0:
		i := add(facts.Import{Module: before, Name: w.text(last), Local: w.text(alias)}, alias)
		w.declare(0, w.text(alias), w.start(alias), 0, facts.BindImport, i)
		w.imported(last, i)
		w.visitType(w.childOf(w.up(last), "type_argument_list"))
	case w.text(last) == "":
	case w.has(n, "static"):
		w.imported(last, add(facts.Import{Module: before, Name: w.text(last)}, last))
		add(facts.Import{Module: whole, Name: "*"}, last)
	default:
		w.imported(last, add(facts.Import{Module: whole, Name: "*"}, last))
	}
	return facts.None
}

// csFlags reads the modifiers of a declaration and its attributes.
func csFlags(w *walk, n int32) facts.Flags {
	flags := facts.Exported
	for c := range w.kids(n) {
		if w.is(c, "attribute_list") {
			w.visit(c)
		}
		if !w.is(c, "modifier") {
			continue
		}
		switch w.text(c) {
		case "private":
			flags &^= facts.Exported
		case "static", "const":
			flags |= facts.Static
		case "abstract":
			flags |= facts.Abstract | facts.Virtual
		case "virtual":
			flags |= facts.Virtual
		case "override":
			flags |= facts.Overrides | facts.Virtual
		case "partial":
			flags |= facts.Partial
		}
	}
	return flags
}

// csStart is where the signature of a declaration starts: after its attributes.
func csStart(w *walk, n int32) uint32 {
	for c := range w.kids(n) {
		if !w.is(c, "attribute_list") {
			return w.start(c)
		}
	}
	return w.start(n)
}

// csAttribute reads [Name(...)], which means the type Name or NameAttribute.
func csAttribute(w *walk, n int32) int32 {
	before, last := csPath(w, w.child(n, "name"))
	list := w.childOf(n, "attribute_argument_list")
	if last < 0 || w.text(last) == "" { // a name that the grammar made up
		return w.visitAll(n)
	}
	name, args := w.text(last), 0
	for a := range w.kids(list) {
		if !w.is(w.only(a), "assignment_expression") {
			args++
		}
	}
	state := w.state.(*csState)
	i, known := state.attributes[before+"."+name]
	if !known {
		w.imports = append(w.imports, facts.Import{Module: "global::" + before, Name: name + "Attribute", Local: name, Place: facts.Place{At: w.start(last)}, In: facts.None})
		i = int32(len(w.imports) - 1)
		state.attributes[before+"."+name] = i
	}
	u := w.add(name, w.start(last), facts.RoleCall, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, i
	typ := w.expr(facts.OpUse, u, 0)
	w.visitType(w.childOf(w.up(last), "type_argument_list"))
	var given []int32
	for a := range w.kids(list) {
		first := w.only(a)
		switch {
		case w.is(first, "assignment_expression"):
			w.member(w.child(first, "left"), typ, facts.RoleWrite, facts.None)
			w.visit(w.child(first, "right"))
		case first != w.last(a):
			w.member(first, typ, facts.RoleWrite, facts.None)
			w.visit(w.last(a))
		default:
			given = append(given, w.visit(first))
		}
	}
	w.given(typ, given)
	return facts.None
}

func csType(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if w.text(name) == "" {
		return w.visitAll(n)
	}
	if w.is(n, "record_declaration") && w.has(n, "struct") {
		kind = code.KindStruct
	}
	c := w.symbol(name, n, kind, 0)
	w.bind(w.top(), c, 0)
	w.signature(c, csStart(w, n), body)
	w.document(c, w.start(n))
	w.within(c, func() {
		w.symbols[c].Flags = csFlags(w, n) & (facts.Exported | facts.Abstract | facts.Static | facts.Partial)
		w.open(scopeBlock)
		csTypeParameters(w, n)
		list := csBases(w, n, kind)
		that, fn := w.this, w.fn
		w.this, w.fn = receiver{facts.OpThis, c}, nil
		w.open(scopeClass)
		csPrimary(w, n, c)
		csBaseArguments(w, w.childOf(n, "base_list"))
		w.bases(c, list)
		if body >= 0 {
			w.visitAll(body)
		}
		w.close()
		w.this, w.fn = that, fn
		w.close()
	})
	return facts.None
}

// csPrimary reads the parameters of a primary constructor: those of a record are
// properties.
func csPrimary(w *walk, n, class int32) {
	list := w.childOf(n, "parameter_list")
	if list < 0 {
		return
	}
	for p := range w.kids(list) {
		name := w.child(p, "name")
		if !w.is(p, "parameter") || w.text(name) == "" {
			continue
		}
		kind, flags := code.KindParam, facts.Local
		if w.is(n, "record_declaration") {
			kind, flags = code.KindField, facts.Exported|facts.Accessor
		}
		y := w.symbol(name, p, kind, flags)
		w.bind(w.top(), y, 0)
		csFlags(w, p)
		typ := w.value(w.visitType(w.child(p, "type")))
		setType(w, y, typ, csDefault(w, p))
	}
}

// csDefault reads the value of a parameter that a call may leave out.
func csDefault(w *walk, p int32) int32 {
	if last := w.last(p); w.has(p, "=") && !w.token(last) {
		return w.visit(last)
	}
	return facts.None
}

// csTypeParameters declares type parameters with what they are at least.
func csTypeParameters(w *walk, n int32) {
	list := w.childOf(n, "type_parameter_list")
	if list < 0 {
		return
	}
	at := map[string]int32{}
	for p := range w.kids(list) {
		name := w.child(p, "name")
		if w.text(name) == "" {
			continue
		}
		csFlags(w, p)
		y := w.symbol(name, p, code.KindTypeParam, facts.Local)
		w.bind(w.top(), y, 0)
		at[w.text(name)] = y
	}
	for c := range w.kids(n) {
		if !w.is(c, "type_parameter_constraints_clause") {
			continue
		}
		name := w.childOf(c, "identifier")
		w.use(name, facts.RoleType, facts.None)
		either := int32(facts.None)
		for k := range w.kids(c) {
			if !w.is(k, "type_parameter_constraint") {
				continue
			}
			switch v := w.visitType(w.child(k, "type")); {
			case v >= 0 && either >= 0:
				either = w.expr(facts.OpBoth, either, v)
			case v >= 0:
				either = v
			}
		}
		if y, ok := at[w.text(name)]; ok && either >= 0 {
			w.symbols[y].Type = either
		}
	}
}

// csBases reads the types that a type is derived from.
func csBases(w *walk, n int32, kind code.Kind) (bases []int32) {
	list := w.childOf(n, "base_list")
	for c := range w.kids(list) {
		typ := c
		if w.is(c, "primary_constructor_base_type") {
			typ = w.child(c, "type")
		}
		switch {
		case w.token(c), w.is(c, "argument_list"):
		case kind == code.KindEnum:
			w.visitType(typ)
		default:
			role := facts.RoleImplement
			if kind == code.KindInterface || kind == code.KindClass && len(bases) == 0 && !csIsInterface(csLastName(w, typ)) {
				role = facts.RoleInherit
			}
			bases = append(bases, csTypeRef(w, typ, role, facts.None))
		}
	}
	return bases
}

// csIsInterface reports whether a type is named as interfaces are: I and a capital letter.
func csIsInterface(name string) bool {
	return len(name) > 1 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z'
}

// csLastName is the last part of the name of a type without type arguments; empty
// of types without a name.
func csLastName(w *walk, n int32) string {
	switch {
	case w.is(n, "nullable_type"):
		return csLastName(w, w.child(n, "type"))
	case w.is(n, "predefined_type"):
		return w.text(n)
	}
	_, last := csPath(w, n)
	return w.text(last)
}

func csEnumMember(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if w.text(name) == "" {
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
		csFlags(w, n)
		w.visit(w.child(n, "value"))
	})
	return facts.None
}

// csDelegate reads a type of functions.
func csDelegate(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if w.text(name) == "" {
		return w.visitAll(n)
	}
	y := w.symbol(name, n, code.KindType, 0)
	w.bind(w.top(), y, 0)
	w.signature(y, csStart(w, n), facts.None)
	w.document(y, w.start(n))
	w.within(y, func() {
		w.symbols[y].Flags = csFlags(w, n) & facts.Exported
		w.open(scopeFunction)
		csTypeParameters(w, n)
		result := w.value(w.visitType(w.child(n, "type")))
		first := int32(len(w.symbols))
		csParameters(w, w.child(n, "parameters"), facts.None)
		var takes []int32
		for i := first; int(i) < len(w.symbols); i++ {
			takes = append(takes, w.symbols[i].Type)
		}
		w.symbols[y].Type = w.expr(facts.OpFunc, result, w.tuple(takes))
		w.close()
	})
	return facts.None
}

// csName declares the symbol of a method.
func csName(w *walk, n int32) (symbol int32, ok bool) {
	name, kind := w.child(n, "name"), code.KindMethod
	switch w.kind(n) {
	case "local_function_statement":
		kind = code.KindFunc
	case "destructor_declaration":
		if at := w.start(n); name >= 0 && strings.HasPrefix(w.src[at:], "~"+w.text(name)) {
			return w.symbolAt("~"+w.text(name), at, at, w.end(n), kind, 0), true
		}
	case "indexer_declaration":
		name = w.childOf(n, "this")
	case "operator_declaration", "conversion_operator_declaration":
		if name = w.child(n, "operator"); name < 0 {
			name = w.child(n, "type")
		}
		if at, end := w.childOf(n, "operator"), w.child(n, "operator"); at >= 0 && end >= 0 && at != end && !strings.ContainsAny(w.src[w.start(at):w.end(end)], "\r\n") {
			return w.symbolAt(w.src[w.start(at):w.end(end)], w.start(at), w.start(n), w.end(n), kind, 0), true
		}
	}
	if w.text(name) == "" {
		return facts.None, false
	}
	return w.symbol(name, n, kind, 0), true
}

func csMethod(w *walk, n int32) int32 {
	body := w.child(n, "body")
	if body < 0 {
		body = w.child(n, "accessors")
	}
	if body < 0 {
		body = w.child(n, "value")
	}
	f, ok := csName(w, n)
	if !ok {
		return w.visitAll(n)
	}
	local := w.is(n, "local_function_statement")
	if local || w.is(n, "method_declaration") {
		w.bind(w.top(), f, 0)
	}
	w.signature(f, csStart(w, n), body)
	w.document(f, w.start(n))
	outer, branches, class := w.fn, w.branches, w.parent
	w.fn = &function{symbol: f, returns: facts.None, result: facts.None}
	w.within(f, func() {
		w.symbols[f].Flags = csFlags(w, n)
		if local {
			w.symbols[f].Flags = w.symbols[f].Flags&^facts.Exported | facts.Local
		}
		if body < 0 {
			w.symbols[f].Flags |= facts.Abstract
		}
		if w.is(n, "indexer_declaration") {
			w.symbols[f].Flags |= facts.Accessor
		}
		w.open(scopeFunction)
		csTypeParameters(w, n)
		if s := w.childOf(n, "explicit_interface_specifier"); s >= 0 {
			w.visitType(w.only(s))
			w.symbols[f].Flags &^= facts.Exported
		}
		csResult(w, n, f, class)
		least, most, many := csParameters(w, w.child(n, "parameters"), f)
		w.arguments(f, least, most, many)
		w.visit(w.childOf(n, "constructor_initializer"))
		w.visit(body)
		w.close()
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn = outer
	return facts.None
}

// csResult sets what a method gives.
func csResult(w *walk, n, f, class int32) {
	typ := w.child(n, "returns")
	if typ < 0 {
		typ = w.child(n, "type")
	}
	result := w.value(w.visitType(typ))
	if w.is(n, "constructor_declaration") && class >= 0 {
		result = w.value(w.expr(facts.OpSymbol, class, 0))
	}
	w.symbols[f].Type, w.fn.result = result, result
	if result >= 0 && w.symbols[f].Kind.IsFunc() && csIsAsync(w, n) {
		w.fn.result = w.expr(facts.OpElem, result, 2)
	}
}

func csIsAsync(w *walk, n int32) bool {
	for c := range w.kids(n) {
		if w.is(c, "modifier") && w.text(c) == "async" {
			return true
		}
	}
	return false
}

// csParameters declares parameters. The one marked this takes the receiver: it is
// no argument, and its type owns the method, which may be None.
func csParameters(w *walk, list, method int32) (least, most int, many bool) {
	if list < 0 {
		return 0, 0, false
	}
	for p := range w.kids(list) {
		name, typ := w.child(p, "name"), w.child(p, "type")
		switch {
		case w.is(p, "array_type") && w.has(list, "params"), w.is(p, "nullable_type") && w.has(list, "params"):
			if w.text(w.child(list, "name")) == "" {
				continue
			}
			y := w.symbol(w.child(list, "name"), list, code.KindParam, facts.Local)
			w.symbols[y].Start = w.start(p)
			w.symbols[y].SigStart = w.start(p)
			w.bind(w.top(), y, 0)
			w.symbols[y].Type = w.value(w.visitType(p))
			many = true
			continue
		case !w.is(p, "parameter") || w.text(name) == "":
			continue
		}
		kind, extends := code.KindParam, csExtends(w, p)
		if extends {
			kind = code.KindVar
		}
		y := w.symbol(name, p, kind, facts.Local)
		csFlags(w, p)
		w.bind(w.top(), y, 0)
		w.symbols[y].Type = w.value(w.visitType(typ))
		switch {
		case extends && method >= 0:
			w.symbols[method].Owner = csReceiver(w, typ)
		case w.has(p, "="):
			csDefault(w, p)
			most++
		default:
			least, most = least+1, most+1
		}
	}
	return least, most, many
}

// csExtends reports whether a parameter is marked this.
func csExtends(w *walk, p int32) bool {
	for c := range w.kids(p) {
		if w.is(c, "modifier") && w.text(c) == "this" {
			return true
		}
	}
	return false
}

// csReceiver names the type that a method extends: of a type parameter what it is
// at least.
func csReceiver(w *walk, typ int32) string {
	name := csLastName(w, typ)
	for i := w.top(); i >= 0; i-- {
		d, ok := w.declaredIn(i, name)
		if !ok || name == "" || d.bind != facts.BindSymbol {
			continue
		}
		y := &w.symbols[d.target]
		if y.Kind != code.KindTypeParam {
			break
		}
		e := y.Type
		for e >= 0 && w.exprs[e].Op != facts.OpUse {
			e = w.exprs[e].X
		}
		if e < 0 {
			return "object"
		}
		return w.uses[w.exprs[e].X].Name
	}
	return name
}

// csProperty reads a property, or an event with methods of its own.
func csProperty(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if w.text(name) == "" {
		return w.visitAll(n)
	}
	body := w.child(n, "accessors")
	if body < 0 {
		body = w.child(n, "value")
	}
	y := w.symbol(name, n, code.KindField, 0)
	w.bind(w.top(), y, 0)
	w.signature(y, csStart(w, n), body)
	w.document(y, w.start(n))
	fn := w.fn
	w.fn = &function{symbol: y, returns: facts.None, result: facts.None}
	w.within(y, func() {
		w.symbols[y].Flags = csFlags(w, n) | facts.Accessor
		if s := w.childOf(n, "explicit_interface_specifier"); s >= 0 {
			w.visitType(w.only(s))
			w.symbols[y].Flags &^= facts.Exported
		}
		typ := w.value(w.visitType(w.child(n, "type")))
		w.symbols[y].Type, w.fn.result = typ, typ
		w.open(scopeFunction)
		w.visit(w.child(n, "accessors"))
		csValue(w, w.child(n, "value"), typ)
		w.close()
	})
	w.fn = fn
	return facts.None
}

// csAccessor reads get, set, add and so on. What is set has the type of the property.
func csAccessor(w *walk, n int32) int32 {
	w.open(scopeFunction)
	defer w.close()
	csFlags(w, n)
	if name := w.text(w.child(n, "name")); name != "get" && w.in >= 0 {
		w.declare(w.top(), "value", w.start(n), 0, facts.BindSymbol, w.in)
	}
	w.visit(w.child(n, "body"))
	return facts.None
}

func csFields(w *walk, n int32) int32 {
	flags, kind := csFlags(w, n), code.KindField
	readonly := false
	for c := range w.kids(n) {
		readonly = readonly || w.is(c, "modifier") && (w.text(c) == "readonly" || w.text(c) == "const")
	}
	if readonly && flags&facts.Static != 0 {
		kind = code.KindConst
	}
	csVariables(w, w.childOf(n, "variable_declaration"), n, kind, flags)
	return facts.None
}

// csVariables declares the variables of a declaration. Members are known in the
// whole type, others from their name on.
func csVariables(w *walk, n, whole int32, kind code.Kind, flags facts.Flags) {
	typ, first := int32(facts.None), true
	for d := range w.kids(n) {
		if !w.is(d, "variable_declarator") {
			continue
		}
		name := w.child(d, "name")
		if w.text(name) == "" {
			if first {
				typ, first = w.value(w.visitType(w.child(n, "type"))), false
			}
			csTarget(w, w.childOf(d, "tuple_pattern"), w.visit(w.last(d)))
			continue
		}
		y := w.symbol(name, d, kind, flags)
		if first {
			w.symbols[y].Start, w.symbols[y].SigStart = w.start(whole), csStart(w, whole)
			if flags&facts.Local != 0 {
				w.symbols[y].Start, w.symbols[y].SigStart = w.start(n), w.start(n)
			}
			typ = w.value(w.visitType(w.child(n, "type")))
		}
		first = false
		from, in := w.start(name), w.in
		if flags&facts.Local == 0 {
			w.document(y, w.start(whole))
			from, in = 0, y
		}
		w.bind(w.top(), y, from)
		w.within(y, func() {
			if w.in = in; flags&facts.Local != 0 {
				w.parent = w.symbols[y].Parent
			}
			v := int32(facts.None)
			if w.has(d, "=") {
				v = csValue(w, w.last(d), typ)
			}
			setType(w, y, typ, v)
		})
	}
}
