package tree

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// kotlinRules are those of Kotlin. Its files share the packages of Java.
func kotlinRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	return &rules{
		apart:    apartInvokes,
		state:    func() any { return &kotlinState{it: facts.None} },
		branches: []string{"if_expression", "for_statement", "while_statement", "do_while_statement", "catch_block"},
		comments: []string{"line_comment", "block_comment"},
		visit: map[string]visitor{
			"package_header":        kotlinPackage,
			"import":                kotlinImport,
			"class_declaration":     func(w *walk, n int32) int32 { return kotlinClass(w, n, kotlinKind(w, n)) },
			"object_declaration":    func(w *walk, n int32) int32 { return kotlinClass(w, n, code.KindClass) },
			"companion_object":      kotlinCompanion,
			"type_alias":            kotlinAlias,
			"enum_entry":            kotlinEntry,
			"function_declaration":  kotlinFunction,
			"anonymous_function":    kotlinFunction,
			"secondary_constructor": kotlinConstructor,
			"anonymous_initializer": kotlinInitializer,
			"property_declaration":  kotlinProperty,
			"getter":                kotlinAccessor,
			"setter":                kotlinAccessor,
			"block":                 kotlinBlock,
			"function_body":         func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"property_delegate":     only,
			"lambda_literal":        orInstead(func(w *walk, n int32) int32 { return kotlinLambda(w, n, kotlinGiven{facts.None, facts.None}) }),
			"annotated_lambda":      func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
			"if_expression":         kotlinIf,
			"when_expression":       kotlinWhen,
			"for_statement":         kotlinFor,
			"catch_block":           kotlinCatch,
			"try_expression":        eitherBut("finally_block"),
			"identifier":            orInstead(func(w *walk, n int32) int32 { return kotlinName(w, n, facts.RoleRead, facts.None) }),
			"user_type":             func(w *walk, n int32) int32 { return kotlinType(w, n, facts.RoleType, facts.None) },
			"nullable_type":         kotlinInner,
			"non_nullable_type":     kotlinInner,
			"parenthesized_type":    kotlinInner,
			"type_projection":       kotlinInner,
			"function_type":         kotlinFunctionType,
			"type_arguments":        typeList,
			"annotation":            kotlinAnnotation,
			"file_annotation":       kotlinAnnotation,
			"use_site_target":       none,
			"label":                 none,
			"navigation_expression": orInstead(func(w *walk, n int32) int32 { return kotlinMember(w, n, facts.RoleRead, facts.None) }),
			"callable_reference":    kotlinReference,
			"call_expression":       kotlinCall,
			"infix_expression":      kotlinInfix,
			"index_expression":      kotlinIndex,
			"object_literal":        kotlinObject,
			"assignment":            kotlinAssignment,
			"unary_expression":      kotlinUnary,
			"binary_expression":     kotlinBinary,
			"as_expression": func(w *walk, n int32) int32 {
				w.visit(w.child(n, "left"))
				return w.value(w.visitType(w.child(n, "right")))
			},
			"is_expression":            kotlinIs,
			"in_expression":            literalOf(facts.LiteralBool),
			"parenthesized_expression": orInstead(only),
			"labeled_expression":       kotlinLabeled,
			"annotated_expression":     func(w *walk, n int32) int32 { w.visitOther(n, w.last(n)); return w.visit(w.last(n)) },
			"return_expression":        kotlinReturn,
			"throw_expression":         func(w *walk, n int32) int32 { w.visitAll(n); return facts.None },
			"this_expression":          kotlinThis,
			"super_expression":         kotlinSuper,
			"string_literal":           kotlinString,
			"multiline_string_literal": kotlinString,
			"character_literal":        literalOf(facts.LiteralChar),
			"number_literal":           kotlinNumber,
			"float_literal":            kotlinNumber,
			"collection_literal":       listOf,
		},
	}
}

// kotlinPrepare ends members with a semicolon where their type ends on their line,
// hides the fun of fun interface, which the grammar takes for a function, and what else
// it does not know, and writes letters that it does not know, or that make it take a name for a word, as others.
func kotlinPrepare(text []byte) []byte {
	var hidden []span
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("fun interface "))
		if i < 0 {
			break
		}
		if at += i; at == 0 || !isLetter(text[at-1]) {
			hidden = append(hidden, span{uint32(at), uint32(at + len("fun"))})
		}
		at += len("fun")
	}
	letters := lettersBeyond(text)
	for i := range kotlinMisread {
		hidden = append(hidden, kotlinMisread[i].groups(text)...)
	}
	hidden = append(hidden, kotlinSigns(text)...)
	text = cover(cover(kotlinContextTypes(text), hidden, ' '), append(letters, kotlinNames(text)...), 'x')
	text = kotlinJoin(text)
	return cover(text, kotlinEnds(text), ';')
}

// kotlinState is what the rules of Kotlin remember of a file.
type kotlinState struct {
	it        int32           // the value of it in the innermost block that has one
	implicit  map[int32]int32 // by the innermost of receivers: what a bare name may be a member of
	receivers []int32         // what blocks and extensions around run on, the innermost last
	casts     []kotlinCast    // what tests say of variables here
	tests     []kotlinTestAt
	accessor  bool                      // within a getter or a setter, where field is no name
	params    []int32                   // parameters of the class around that are no properties: its methods do not see them
	aliases   map[string]int32          // names of the file for others that it imports, by what brings them
	own       map[string]bool           // members of the objects without a name around
	around    int                       // receivers around the innermost of them
	labels    []kotlinLabel             // what this@name is here
	typed     map[int32]kotlinTypedCall // by what they call: calls with a type argument that are read next
	instead   map[int32]int32           // by the node where its arguments stand: the value of such a call
}

// kotlinLabel is a name that this is followed by, and what it is then.
type kotlinLabel struct {
	name string
	this int32
}

// kotlinCast is the type that a test found a variable to be of, a.b of a property of one
// and this of what a function runs on.
type kotlinCast struct {
	name string
	typ  int32
}

func (w *walk) kotlin() *kotlinState { return w.state.(*kotlinState) }

// kotlinLabeled reads a loop with a label. break@label names one.
func kotlinLabeled(w *walk, n int32) int32 {
	if label := w.text(w.childOf(n, "label")); label == "break@" || label == "continue@" {
		return facts.None
	}
	return w.visit(w.last(n))
}

func kotlinInner(w *walk, n int32) int32 {
	v := int32(facts.None)
	for c := range w.kids(n) {
		if !w.token(c) {
			v = w.visitType(c)
		}
	}
	return v
}

func kotlinPackage(w *walk, n int32) int32 {
	w.pkg = withoutBlanks(w, w.only(n))
	return facts.None
}

func kotlinImport(w *walk, n int32) int32 {
	path := w.childOf(n, "qualified_identifier")
	if path < 0 {
		return facts.None
	}
	names := slices.DeleteFunc(slices.Collect(w.kids(path)), func(n int32) bool { return !w.is(n, "identifier") })
	if len(names) == 0 {
		return facts.None
	}
	if w.has(n, "*") {
		w.imports = append(w.imports, facts.Import{Module: withoutBlanks(w, path), Name: "*", Place: facts.Place{At: w.start(path)}, In: facts.None})
		kotlinImportClasses(w, names)
		return facts.None
	}
	name, local := names[len(names)-1], names[len(names)-1]
	if alias := w.childOf(n, "identifier"); alias >= 0 {
		local = alias
	}
	if w.text(name) == "" || w.text(local) == "" {
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Module: kotlinModule(w, names[:len(names)-1]), Name: kotlinBare(w.text(name)), Local: kotlinBare(w.text(local)), Place: facts.Place{At: kotlinAt(w, local)}, In: facts.None})
	i := int32(len(w.imports) - 1)
	w.declare(0, kotlinBare(w.text(local)), w.start(local), 0, facts.BindImport, i)
	if w.imports[i].Name != w.imports[i].Local {
		if w.kotlin().aliases == nil {
			w.kotlin().aliases = map[string]int32{}
		}
		w.kotlin().aliases[w.imports[i].Local] = i
	}
	kotlinImportClasses(w, names[:len(names)-1])
	u := w.add(kotlinBare(w.text(name)), kotlinAt(w, name), facts.RoleImport, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, i
	return facts.None
}

// kotlinModule is the name that names make together. Members of a companion are
// those of its class.
func kotlinModule(w *walk, names []int32) string {
	var all []string
	for _, n := range names {
		if text := kotlinBare(w.text(n)); text != "Companion" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ".")
}

// kotlinImportClasses notes the classes that an import names on its way. By custom
// they begin with an upper-case letter, and packages do not.
func kotlinImportClasses(w *walk, names []int32) {
	for i, n := range names {
		text := w.text(n)
		if text == "" || text[0] < 'A' || text[0] > 'Z' || text == "Companion" {
			continue
		}
		w.imports = append(w.imports, facts.Import{Module: kotlinModule(w, names[:i]), Name: text, Place: facts.Place{At: w.start(n)}, In: facts.None})
		w.imported(n, int32(len(w.imports)-1))
	}
}

// kotlinBare is a name without the quotes that may stand around it.
func kotlinBare(name string) string { return strings.Trim(name, "`") }

// kotlinAt is where the bare name in a node starts.
func kotlinAt(w *walk, n int32) uint32 {
	if strings.HasPrefix(w.text(n), "`") && len(w.text(n)) > 2 {
		return w.start(n) + 1
	}
	return w.start(n)
}

// kotlinSymbol declares the name in node n.
func kotlinSymbol(w *walk, n, whole int32, kind code.Kind, flags facts.Flags) int32 {
	return w.symbolAt(kotlinBare(w.text(n)), kotlinAt(w, n), w.start(whole), w.end(whole), kind, flags)
}

func kotlinNamed(w *walk, n int32) bool { return n >= 0 && kotlinBare(w.text(n)) != "" }

func kotlinKind(w *walk, n int32) code.Kind {
	if w.has(n, "interface") {
		return code.KindInterface
	}
	for c := range w.kids(w.childOf(n, "modifiers")) {
		if w.text(c) == "enum" {
			return code.KindEnum
		}
	}
	return code.KindClass
}

// kotlinFlags reads modifiers and annotations.
func kotlinFlags(w *walk, n int32) facts.Flags {
	flags := facts.Exported
	for c := range w.kids(w.childOf(n, "modifiers")) {
		if w.is(c, "annotation") {
			w.visit(c)
			continue
		}
		switch w.text(c) {
		case "private":
			flags &^= facts.Exported
		case "override":
			flags |= facts.Overrides
		case "abstract":
			flags |= facts.Abstract
		}
	}
	return flags
}

// kotlinStart is where the signature of a declaration starts: after its annotations.
func kotlinStart(w *walk, n int32) uint32 {
	for c := range w.kids(n) {
		if !w.is(c, "modifiers") {
			return w.start(c)
		}
		for m := range w.kids(c) {
			if !w.is(m, "annotation") {
				return w.start(m)
			}
		}
	}
	return w.start(n)
}

func kotlinClass(w *walk, n int32, kind code.Kind) int32 {
	name := w.child(n, "name")
	if !kotlinNamed(w, name) {
		return w.visitAll(n)
	}
	s := w.top()
	c := kotlinSymbol(w, name, n, kind, 0)
	w.bind(s, c, 0)
	body := w.childOf(n, "class_body", "enum_class_body")
	w.signature(c, kotlinStart(w, n), body)
	w.document(c, w.start(n))
	w.within(c, func() {
		flags := kotlinFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		w.symbols[c].Flags = flags
		w.open(scopeTemplate)
		kotlinTypeParameters(w, n)
		w.open(scopeClass)
		outer := kotlinEnter(w, receiver{facts.OpThis, c})
		kotlinPrimary(w, w.childOf(n, "primary_constructor"), c)
		kotlinInitializing(w, func() { w.bases(c, kotlinBases(w, w.childOf(n, "delegation_specifiers"))) })
		if body >= 0 {
			w.visitAll(body)
		}
		outer()
		w.close()
		w.close()
	})
	return facts.None
}

// kotlinEnter starts a class, in which this is something else. The function that
// it returns ends it.
func kotlinEnter(w *walk, this receiver) func() {
	that, fn, state := w.this, w.fn, *w.kotlin()
	w.this, w.fn = this, nil
	*w.kotlin() = kotlinState{it: facts.None, aliases: state.aliases, labels: state.labels}
	return func() { w.this, w.fn, *w.kotlin() = that, fn, state }
}

// kotlinPrimary reads the parameters of a class, which may be properties.
func kotlinPrimary(w *walk, n, class int32) {
	if n < 0 {
		return
	}
	kotlinFlags(w, n)
	for p := range w.kids(w.childOf(n, "class_parameters")) {
		name := w.childOf(p, "identifier")
		flags := kotlinFlags(w, p)
		if !kotlinNamed(w, name) {
			continue
		}
		kind := code.KindField
		if !w.has(p, "val") && !w.has(p, "var") {
			kind, flags = code.KindParam, facts.Local
		}
		y := kotlinSymbol(w, name, p, kind, flags)
		if state := w.kotlin(); kind == code.KindParam && len(state.params) < maxKotlinParams {
			state.params = append(state.params, y)
		} else {
			w.bind(w.top(), y, 0)
		}
		typ, value := int32(facts.None), int32(facts.None)
		for c := range w.kids(p) {
			switch {
			case c == name || w.token(c) || w.is(c, "modifiers"):
			case typ < 0 && kotlinIsType(w, c):
				typ = w.value(w.visitType(c))
				kotlinCallable(w, y, c)
			default:
				kotlinInitializing(w, func() { value = w.visit(c) })
			}
		}
		if strings.Contains(w.text(w.childOf(p, "modifiers")), "vararg") {
			typ = arrayOf(w, typ)
		}
		setType(w, y, typ, value)
	}
}

// maxKotlinParams bounds the parameters of a class that only its initializers see.
const maxKotlinParams = 64

// kotlinInitializing reads what sees the parameters of the class around: the initializers
// of its properties, what it gives its base and its blocks.
func kotlinInitializing(w *walk, read func()) {
	if len(w.kotlin().params) == 0 {
		read()
		return
	}
	w.open(scopeTemplate)
	for _, y := range w.kotlin().params {
		w.bind(w.top(), y, 0)
	}
	read()
	w.close()
}

// kotlinInitializer reads a block that runs when a value of the class around is made.
func kotlinInitializer(w *walk, n int32) int32 {
	kotlinInitializing(w, func() { blockScope(w, n) })
	return facts.None
}

// kotlinCallable marks a property whose value is a function: it is called like one.
func kotlinCallable(w *walk, y, typ int32) {
	for w.is(typ, "nullable_type") || w.is(typ, "parenthesized_type") {
		typ = w.only(typ)
	}
	if w.is(typ, "function_type") {
		w.symbols[y].Flags |= facts.Accessor
	}
}

func kotlinIsType(w *walk, n int32) bool {
	switch w.kind(n) {
	case "user_type", "nullable_type", "non_nullable_type", "parenthesized_type", "function_type":
		return true
	}
	return false
}

func kotlinTypeParameters(w *walk, n int32) {
	for p := range w.kids(w.childOf(n, "type_parameters")) {
		name := w.childOf(p, "identifier")
		if !kotlinNamed(w, name) {
			continue
		}
		y := kotlinSymbol(w, name, p, code.KindTypeParam, facts.Local)
		w.bind(w.top(), y, 0)
		for c := range w.kids(p) {
			if kotlinIsType(w, c) {
				w.symbols[y].Type = w.visitType(c)
			}
		}
	}
	for c := range w.kids(w.childOf(n, "type_constraints")) {
		for t := range w.kids(c) {
			if w.is(t, "identifier") {
				w.use(t, facts.RoleType, facts.None)
			} else {
				w.visitType(t)
			}
		}
	}
}

// kotlinBases reads what a class inherits.
func kotlinBases(w *walk, n int32) (bases []int32) {
	for c := range w.kids(n) {
		for d := range w.kids(c) {
			switch {
			case w.is(d, "constructor_invocation"):
				bases = append(bases, kotlinInvocation(w, d, facts.RoleInherit))
			case w.is(d, "explicit_delegation"):
				bases = append(bases, kotlinType(w, w.only(d), facts.RoleImplement, facts.None))
				w.visitOther(d, w.only(d))
			case w.is(d, "user_type"):
				bases = append(bases, kotlinType(w, d, facts.RoleImplement, facts.None))
			default:
				w.visit(d)
			}
		}
	}
	return bases
}

// kotlinInvocation reads Type(arguments), whose name is used in a role.
func kotlinInvocation(w *walk, n int32, role facts.Role) int32 {
	list := w.childOf(n, "value_arguments")
	args := int(facts.None)
	if role == facts.RoleCall {
		args = countArguments(w, list)
	}
	t := kotlinType(w, w.only(n), role, args)
	w.given(t, kotlinArguments(w, list, t))
	return t
}

// kotlinType reads a type whose last name is used in a role.
func kotlinType(w *walk, n int32, role facts.Role, args int) int32 {
	if !w.is(n, "user_type") {
		return w.visitType(n)
	}
	var names []int32
	for c := range w.kids(n) {
		if w.is(c, "identifier") && w.text(c) != "" {
			names = append(names, c)
		}
	}
	e := int32(facts.None)
	for i, c := range names {
		as, count := facts.RoleRead, int(facts.None)
		if i == len(names)-1 {
			as, count = role, args
		}
		if i == 0 {
			e = kotlinUse(w, c, as, count)
		} else {
			e = kotlinMemberUse(w, c, e, as, count)
		}
	}
	if list := w.childOf(n, "type_arguments"); list >= 0 {
		e = apply(w, e, list)
	}
	if len(names) == 1 && role == facts.RoleType {
		if kind, ok := kotlinPrimitives[w.text(names[0])]; ok {
			return w.literal(kind)
		}
	}
	return e
}

// kotlinPrimitives are the types of numbers, by their names.
var kotlinPrimitives = map[string]int32{
	"Byte": facts.LiteralByte, "Short": facts.LiteralShort, "Char": facts.LiteralChar, "Int": facts.LiteralInt,
	"Long": facts.LiteralLong, "Float": facts.LiteralFloat, "Double": facts.LiteralDouble, "Boolean": facts.LiteralBool,
}

// kotlinUse is a use of a name that scopes bind.
func kotlinUse(w *walk, n int32, role facts.Role, args int) int32 {
	return w.useIn(w.top(), kotlinBare(w.text(n)), kotlinAt(w, n), role, args)
}

// kotlinMemberUse is a use of a member.
func kotlinMemberUse(w *walk, n, of int32, role facts.Role, args int) int32 {
	name := kotlinBare(w.text(n))
	if name == "" {
		return facts.None
	}
	u := w.add(name, kotlinAt(w, n), role, args)
	if i, ok := w.kotlin().aliases[name]; ok && of >= 0 && role <= facts.RoleCall { // an extension, by the name that the file gives it
		w.uses[u].Bind, w.uses[u].Target = facts.BindImport, i
	} else {
		w.uses[u].Bind, w.uses[u].Target = facts.BindMember, of
	}
	return w.expr(facts.OpUse, u, 0)
}

// kotlinFunctionType reads (A) -> B and R.(A) -> B.
func kotlinFunctionType(w *walk, n int32) int32 {
	var takes []int32
	result, on := int32(facts.None), int32(facts.None)
	last := w.last(n)
	for c := range w.kids(n) {
		switch {
		case w.token(c) || w.is(c, "type_modifiers"):
			w.visit(c)
		case w.is(c, "function_type_parameters"):
			for p := range w.kids(c) {
				if w.is(p, "parameter") {
					takes = append(takes, w.value(w.visitType(w.last(p))))
				} else if !w.token(p) {
					takes = append(takes, w.value(w.visitType(p)))
				}
			}
		case c == last:
			result = w.value(w.visitType(c))
		default:
			on = w.value(w.visitType(c))
		}
	}
	f := w.expr(facts.OpFunc, result, w.tuple(takes))
	if on < 0 {
		return f
	}
	return w.expr(facts.OpOn, f, on)
}

// kotlinCompanion reads a companion object. Its members are static ones of the class.
func kotlinCompanion(w *walk, n int32) int32 {
	kotlinFlags(w, n)
	kotlinTypes(w, w.childOf(n, "delegation_specifiers"))
	class, from := w.parent, len(w.symbols)
	if body := w.childOf(n, "class_body"); body >= 0 {
		w.visitAll(body)
	}
	for i := from; i < len(w.symbols); i++ {
		if y := &w.symbols[i]; y.Parent == class && y.Flags&facts.Local == 0 {
			y.Flags |= facts.Static
		}
	}
	return facts.None
}

// kotlinTypes reads what something without a name inherits.
func kotlinTypes(w *walk, n int32) {
	for c := range w.kids(n) {
		for d := range w.kids(c) {
			if w.is(d, "constructor_invocation") {
				kotlinInvocation(w, d, facts.RoleType)
			} else {
				w.visit(d)
			}
		}
	}
}

func kotlinAlias(w *walk, n int32) int32 {
	name := w.child(n, "type")
	if !kotlinNamed(w, name) {
		return w.visitAll(n)
	}
	y := kotlinSymbol(w, name, n, code.KindType, kotlinFlags(w, n))
	w.bind(w.top(), y, 0)
	w.document(y, w.start(n))
	w.within(y, func() {
		w.open(scopeTemplate)
		kotlinTypeParameters(w, n)
		w.symbols[y].Type = w.visitType(w.last(n))
		w.close()
	})
	return facts.None
}

func kotlinEntry(w *walk, n int32) int32 {
	name := w.childOf(n, "identifier")
	if !kotlinNamed(w, name) {
		return w.visitAll(n)
	}
	enum := w.parent
	y := kotlinSymbol(w, name, n, code.KindConst, facts.Exported|facts.Static)
	w.bind(w.top(), y, 0)
	w.document(y, w.start(n))
	if enum >= 0 {
		w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, enum, 0))
	}
	w.within(y, func() {
		kotlinFlags(w, n)
		kotlinArguments(w, w.childOf(n, "value_arguments"), facts.None)
		if body := w.childOf(n, "class_body"); body >= 0 {
			kotlinMembers(w, body, receiver{facts.OpThis, y})
		}
	})
	return facts.None
}

// kotlinMembers reads the members of something that is no class of its own.
func kotlinMembers(w *walk, body int32, this receiver) {
	outer := kotlinEnter(w, this)
	w.open(scopeClass)
	w.visitAll(body)
	w.close()
	outer()
}

func kotlinObject(w *walk, n int32) int32 {
	var typ int32 = facts.None
	for c := range w.kids(w.childOf(n, "delegation_specifiers")) {
		for d := range w.kids(c) {
			t := int32(facts.None)
			if w.is(d, "constructor_invocation") {
				t = kotlinInvocation(w, d, facts.RoleCall)
			} else {
				t = w.visit(d)
			}
			if typ < 0 {
				typ = w.value(t)
			}
		}
	}
	if body := w.childOf(n, "class_body"); body >= 0 {
		receivers := slices.Clone(w.kotlin().receivers)
		if v := thisValue(w, n); v >= 0 {
			receivers = append(receivers, v)
		}
		own := kotlinOwn(w, body)
		outer := kotlinEnter(w, receiver{symbol: facts.None})
		w.kotlin().receivers, w.kotlin().own, w.kotlin().around = receivers, own, len(receivers)
		w.open(scopeClass)
		w.visitAll(body)
		w.close()
		outer()
	}
	return typ
}

// kotlinOwn are the names of the members of an object without a name, and of those around it.
func kotlinOwn(w *walk, body int32) map[string]bool {
	own := maps.Clone(w.kotlin().own)
	if own == nil {
		own = map[string]bool{}
	}
	for c := range w.kids(body) {
		switch {
		case w.is(c, "function_declaration"):
			own[kotlinBare(w.text(w.childOf(c, "identifier")))] = true
		case w.is(c, "property_declaration"):
			own[kotlinBare(w.text(w.childOf(w.childOf(c, "variable_declaration"), "identifier")))] = true
		}
	}
	return own
}

// kotlinReceiver is the type before the name of an extension.
func kotlinReceiver(w *walk, n, name int32) int32 {
	for c := range w.kids(n) {
		if c == name || w.is(c, "variable_declaration") || w.is(c, "function_value_parameters") {
			return facts.None
		}
		if kotlinIsType(w, c) {
			return c
		}
	}
	return facts.None
}

// kotlinOwner is the name of the type that an extension n is written for, of one for a
// type parameter the type that bounds it.
func kotlinOwner(w *walk, n, extends int32) string {
	owner := kotlinTypeName(w, extends)
	list := w.childOf(n, "type_parameters")
	for range w.kids(list) { // one may be bounded by another
		bound, ok := kotlinBound(w, list, owner)
		if !ok {
			break
		}
		owner = bound
	}
	return owner
}

// kotlinBound is the type that bounds a type parameter, Any for none; ok is false where
// no parameter has the name.
func kotlinBound(w *walk, list int32, name string) (bound string, ok bool) {
	for p := range w.kids(list) {
		id := w.childOf(p, "identifier")
		if id < 0 || kotlinBare(w.text(id)) != name {
			continue
		}
		for c := range w.kids(p) {
			if kotlinIsType(w, c) {
				return kotlinTypeName(w, c), true
			}
		}
		return "Any", true
	}
	return "", false
}

// kotlinGivesReceiver reports whether a function is declared to give the type parameter
// that it is written for: what that is depends on the call.
func kotlinGivesReceiver(w *walk, n, extends, result int32) bool {
	name := kotlinTypeName(w, extends)
	_, ok := kotlinBound(w, w.childOf(n, "type_parameters"), name)
	return ok && name == kotlinTypeName(w, result)
}

// kotlinTypeName is the last name of a type.
func kotlinTypeName(w *walk, n int32) string {
	for n >= 0 && !w.is(n, "user_type") {
		n = w.only(n)
	}
	name := ""
	for c := range w.kids(n) {
		if w.is(c, "identifier") {
			name = kotlinBare(w.text(c))
		}
	}
	return name
}

func kotlinFunction(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if !kotlinNamed(w, name) {
		return kotlinBody(w, n, facts.None, facts.None)
	}
	s := w.top()
	kind := code.KindFunc
	if w.scopes[s].kind == scopeClass {
		kind = code.KindMethod
	}
	f := kotlinSymbol(w, name, n, kind, 0)
	kotlinBegin(w, f)
	extends := kotlinReceiver(w, n, name)
	w.symbols[f].Owner = kotlinOwner(w, n, extends)
	if extends < 0 || w.isLocal(s) {
		w.bind(s, f, 0)
	}
	body := w.childOf(n, "function_body")
	w.signature(f, kotlinStart(w, n), body)
	w.document(f, w.symbols[f].Start)
	branches := w.branches
	w.within(f, func() {
		flags := kotlinFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		if body < 0 {
			flags |= facts.Abstract
		}
		w.symbols[f].Flags = flags
		kotlinBody(w, n, f, extends)
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	return facts.None
}

// kotlinExtends reads the type that a function or a property is written for. The symbol
// may be None.
func kotlinExtends(w *walk, symbol, typ int32) int32 {
	of := w.value(w.visitType(typ))
	if symbol >= 0 && of >= 0 && w.symbols[symbol].Flags&facts.Local == 0 {
		w.expr(facts.OpExtends, symbol, of)
	}
	return of
}

// kotlinBody reads a function from its type parameters on. The symbol f may be None.
func kotlinBody(w *walk, n, f, extends int32) int32 {
	fn, receivers := w.fn, w.kotlin().receivers
	w.fn = &function{symbol: f, returns: facts.None}
	w.open(scopeFunction)
	kotlinTypeParameters(w, n)
	w.kotlin().receivers = slices.Clip(receivers)
	kotlinContexts(w, n)
	labels := w.kotlin().labels
	if extends >= 0 {
		of := kotlinExtends(w, f, extends)
		w.kotlin().receivers = append(w.kotlin().receivers, of)
		if f >= 0 {
			w.kotlin().labels = append(slices.Clip(labels), kotlinLabel{w.symbols[f].Name, of})
		}
	}
	least, most, many := kotlinParameters(w, w.childOf(n, "function_value_parameters"))
	if f >= 0 {
		w.arguments(f, least, most, many)
	}
	result, after, same := int32(facts.None), false, false
	for c := range w.kids(n) {
		if w.is(c, "function_value_parameters") {
			after = true
		} else if after && kotlinIsType(w, c) {
			result, same = w.value(w.visitType(c)), kotlinGivesReceiver(w, n, extends, c)
		}
	}
	body := w.childOf(n, "function_body")
	value := w.visit(body)
	if !w.has(body, "=") {
		value = w.fn.returns
	}
	if f >= 0 && body >= 0 && w.has(body, "=") || result >= 0 {
		if f >= 0 && !same {
			setType(w, f, result, value)
		}
	}
	w.close()
	w.fn, w.kotlin().receivers, w.kotlin().labels = fn, receivers, labels
	if result < 0 {
		result = value
	}
	return w.of(facts.OpFunc, result, facts.None)
}

func kotlinParameters(w *walk, list int32) (least, most int, many bool) {
	y, spread := int32(facts.None), false
	for p := range w.kids(list) {
		switch {
		case w.is(p, "parameter_modifiers"):
			spread = strings.Contains(w.text(p), "vararg")
			w.visit(p)
		case w.is(p, "parameter"):
			name, typ := w.childOf(p, "identifier"), w.last(p)
			if !kotlinNamed(w, name) {
				continue
			}
			y = kotlinSymbol(w, name, p, code.KindParam, facts.Local)
			w.bind(w.top(), y, 0)
			if typ != name {
				w.symbols[y].Type = w.value(w.visitType(typ))
				kotlinCallable(w, y, typ)
			}
			if spread {
				w.symbols[y].Type = arrayOf(w, w.symbols[y].Type)
				many, spread = true, false
			} else {
				least, most = least+1, most+1
			}
		case y < 0: // no parameter is before
			w.visit(p)
		case !w.token(p): // the value of the parameter before
			kotlinValue(w, p, w.symbols[y].Type)
			least = max(0, least-1)
		}
	}
	return least, most, many
}

func kotlinConstructor(w *walk, n int32) int32 {
	kotlinFlags(w, n)
	w.open(scopeFunction)
	kotlinParameters(w, w.childOf(n, "function_value_parameters"))
	if call := w.childOf(n, "constructor_delegation_call"); call >= 0 {
		kotlinArguments(w, w.childOf(call, "value_arguments"), facts.None)
	}
	w.visit(w.childOf(n, "block"))
	w.close()
	return facts.None
}

func kotlinProperty(w *walk, n int32) int32 {
	s := w.top()
	declared := w.childOf(n, "variable_declaration")
	name := w.childOf(declared, "identifier")
	value := kotlinInitial(w, n)
	if !kotlinNamed(w, name) {
		kotlinFlags(w, n)
		kotlinDestructured(w, w.childOf(n, "multi_variable_declaration"), w.visit(value), w.end(n))
		return facts.None
	}
	local := w.isLocal(s)
	y := kotlinSymbol(w, name, n, kotlinPropertyKind(w, n, s), facts.Local)
	kotlinBegin(w, y)
	extends := kotlinReceiver(w, n, name)
	w.symbols[y].Owner = kotlinOwner(w, n, extends)
	from := uint32(0)
	if local {
		from = w.end(n) // its value does not see it
	}
	if extends < 0 {
		w.bind(s, y, from)
	}
	in, parent := w.in, w.parent
	if !local {
		w.document(y, w.symbols[y].Start)
		w.in, w.parent = y, y
	}
	flags := kotlinFlags(w, n)
	if !local {
		w.symbols[y].Flags = flags
	}
	w.open(scopeTemplate)
	kotlinTypeParameters(w, n)
	receivers, labels := w.kotlin().receivers, w.kotlin().labels
	w.kotlin().receivers = slices.Clip(receivers)
	kotlinContexts(w, n)
	if extends >= 0 {
		of := kotlinExtends(w, y, extends)
		w.kotlin().receivers = append(w.kotlin().receivers, of)
		w.kotlin().labels = append(slices.Clip(labels), kotlinLabel{w.symbols[y].Name, of})
	}
	typ := int32(facts.None)
	if written := w.last(declared); written != name {
		typ = w.value(w.visitType(written))
		kotlinCallable(w, y, written)
	}
	v := int32(facts.None)
	if local {
		v = kotlinValue(w, value, typ)
	} else {
		kotlinInitializing(w, func() { v = kotlinValue(w, value, typ) })
	}
	if w.is(value, "property_delegate") {
		v = kotlinDelegated(w, v)
	}
	if got := w.visit(w.childOf(n, "getter")); v < 0 {
		v = got
	}
	w.visit(w.childOf(n, "setter"))
	setType(w, y, typ, v)
	if typ < 0 && w.literalKind(v) < 0 {
		w.symbols[y].Flags |= facts.Accessor // it may hold a function
	}
	w.close()
	w.kotlin().receivers, w.kotlin().labels = receivers, labels
	w.in, w.parent = in, parent
	return facts.None
}

// kotlinDelegated is the value of a property that a call gives: with one type argument mostly
// one of that type, as by viewModels<T>() and by Delegates.notNull<T>().
func kotlinDelegated(w *walk, v int32) int32 {
	if v < 0 || w.exprs[v].Op != facts.OpCall || w.exprs[w.exprs[v].X].Op != facts.OpApply {
		return v
	}
	args := w.exprs[w.exprs[w.exprs[v].X].Y]
	if args.Op != facts.OpTuple || args.Y >= 0 || args.X < 0 {
		return v
	}
	return w.expr(facts.OpElse, w.value(args.X), v)
}

func kotlinPropertyKind(w *walk, n int32, s int) code.Kind {
	switch {
	case w.isLocal(s):
		return code.KindVar
	case strings.Contains(w.text(w.childOf(n, "modifiers")), "const"):
		return code.KindConst
	case w.scopes[s].kind == scopeClass:
		return code.KindField
	}
	return code.KindVar
}

// kotlinInitial is the first value of a property, or what it is delegated to.
func kotlinInitial(w *walk, n int32) int32 {
	after := false
	for c := range w.kids(n) {
		switch {
		case w.is(c, "property_delegate"):
			return c
		case w.token(c):
			after = after || w.text(c) == "="
		case after && !w.is(c, "getter") && !w.is(c, "setter"):
			return c
		}
	}
	return facts.None
}

// kotlinDestructured declares the variables of (a, b), the parts of a value, which are seen
// from a byte on.
func kotlinDestructured(w *walk, n, value int32, from uint32) {
	i := int32(0)
	for c := range w.kids(n) {
		if w.is(c, "variable_declaration") {
			kotlinVariable(w, c, w.of(facts.OpResult, value, i), from)
			i++
		}
	}
}

// kotlinVariable declares a local variable, whose value may be None. It is seen from a byte on:
// what gives it its value is not in its scope.
func kotlinVariable(w *walk, n, value int32, from uint32) {
	name := w.childOf(n, "identifier")
	if !kotlinNamed(w, name) || w.text(name) == "_" {
		return
	}
	y := kotlinSymbol(w, name, n, code.KindVar, facts.Local)
	w.bind(w.top(), y, from)
	typ := int32(facts.None)
	if written := w.last(n); written != name {
		typ = w.value(w.visitType(written))
	}
	setType(w, y, typ, value)
}

// kotlinAccessor reads a getter or a setter of a property. Its value is that of
// the getter.
func kotlinAccessor(w *walk, n int32) int32 {
	fn, accessor := w.fn, w.kotlin().accessor
	w.fn, w.kotlin().accessor = &function{symbol: facts.None, returns: facts.None}, true
	w.open(scopeFunction)
	kotlinFlags(w, n)
	body, value := w.childOf(n, "function_body"), int32(facts.None)
	for c := range w.kids(n) {
		switch {
		case w.token(c) || w.is(c, "modifiers"):
		case w.is(c, "identifier"):
			w.bind(w.top(), kotlinSymbol(w, c, c, code.KindParam, facts.Local), 0)
		case c == body:
			if value = w.visit(c); !w.has(c, "=") {
				value = w.fn.returns
			}
		default:
			w.visitType(c)
		}
	}
	w.close()
	w.fn, w.kotlin().accessor = fn, accessor
	if w.is(n, "setter") {
		return facts.None
	}
	return value
}
