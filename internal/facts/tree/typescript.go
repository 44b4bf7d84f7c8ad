package tree

import (
	"bytes"
	"maps"
	"path"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
)

// typescriptRules adds the nodes of TypeScript alone.
func typescriptRules(r *rules) {
	maps.Copy(r.visit, map[string]visitor{
		"interface_declaration":    tsInterface,
		"type_alias_declaration":   tsAlias,
		"enum_declaration":         tsEnum,
		"internal_module":          tsNamespace,
		"module":                   tsNamespace,
		"type_annotation":          func(w *walk, n int32) int32 { return w.visitType(w.only(n)) },
		"opting_type_annotation":   func(w *walk, n int32) int32 { return w.visitType(w.last(n)) },
		"omitting_type_annotation": func(w *walk, n int32) int32 { return w.visitType(w.last(n)) },
		"generic_type":             func(w *walk, n int32) int32 { return jsRef(w, n, facts.RoleType, facts.None) },
		"type_arguments":           typeList,
		"predefined_type":          tsPredefined,
		"literal_type":             tsConstant,
		"array_type": func(w *walk, n int32) int32 {
			return w.expr(facts.OpLiteral, facts.LiteralList, w.value(w.visit(w.only(n))))
		},
		"lookup_type":               tsLookup,
		"tuple_type":                tsTuple,
		"union_type":                unionOf,
		"intersection_type":         tsBoth,
		"parenthesized_type":        func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
		"readonly_type":             func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
		"optional_type":             func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
		"rest_type":                 func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
		"function_type":             tsFunctionType,
		"constructor_type":          tsFunctionType,
		"call_signature":            tsFunctionType,
		"construct_signature":       tsFunctionType,
		"object_type":               tsObject,
		"interface_body":            tsObject,
		"conditional_type":          tsConditional,
		"infer_type":                tsInfer,
		"mapped_type_clause":        tsMapped,
		"index_signature":           tsIndexSignature,
		"index_type_query":          tsKeyOf,
		"type_query":                func(w *walk, n int32) int32 { return w.of(facts.OpItself, w.visitValue(w.last(n)), 0) },
		"type_predicate":            tsPredicate,
		"asserts_annotation":        func(w *walk, n int32) int32 { w.visitAll(n); return facts.None },
		"type_predicate_annotation": func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
	})
}

// tsDeclares reports whether the members of a class are those that its body and its bases
// declare: an assignment adds none in TypeScript.
func tsDeclares(w *walk) bool {
	return w.t.Grammar.Name == "typescript" || w.t.Grammar.Name == "tsx"
}

func tsPredefined(w *walk, n int32) int32 {
	switch w.text(n) {
	case "string":
		return w.literal(facts.LiteralString)
	case "number", "bigint":
		return w.literal(facts.LiteralNumber)
	case "boolean":
		return w.literal(facts.LiteralBool)
	case "void", "undefined", "null", "never":
		return w.literal(facts.LiteralNull)
	}
	return facts.None
}

// tsLookup reads Type["member"], Type[0] and Type[number].
func tsLookup(w *walk, n int32) int32 {
	object, index := w.only(n), w.last(n)
	of := w.value(w.visit(object))
	if name := w.childOf(w.only(index), "string_fragment"); w.is(index, "literal_type") && name >= 0 {
		return w.member(name, of, facts.RoleType, facts.None)
	}
	if place, ok := jsPlace(w, w.only(index)); ok && w.is(index, "literal_type") {
		return w.of(facts.OpResult, of, place)
	}
	if w.is(index, "predefined_type") && w.text(index) == "number" {
		return w.of(facts.OpElem, of, 0)
	}
	if index != object {
		w.visit(index)
	}
	return facts.None
}

// tsBoth reads A & B. None stands for a part of which nothing is known.
func tsBoth(w *walk, n int32) int32 {
	both, unknown := int32(facts.None), false
	for c := range w.kids(n) {
		if w.token(c) {
			continue
		}
		next := w.visit(c)
		unknown = unknown || next < 0 && !w.is(c, "predefined_type")
		switch {
		case both < 0:
			both = next
		case next >= 0:
			both = w.expr(facts.OpBoth, both, next)
		}
	}
	if both >= 0 && unknown {
		return w.expr(facts.OpBoth, both, facts.None)
	}
	return both
}

func tsTuple(w *walk, n int32) int32 {
	var list []int32
	for c := range w.kids(n) {
		if t := w.child(c, "type"); t >= 0 {
			c = t
		}
		list = append(list, w.value(w.visit(c)))
	}
	return w.tuple(list)
}

// tsFunctionType reads the type of a function. The names of its parameters mean
// nothing.
func tsFunctionType(w *walk, n int32) int32 {
	w.open(scopeFunction)
	defer w.close()
	tsTypeParameters(w, n)
	w.js().signatures++
	defer func() { w.js().signatures-- }()
	var params []int32
	on := int32(facts.None)
	if list := w.child(n, "parameters"); list >= 0 {
		for p := range w.kids(list) {
			typ := w.value(w.visitType(w.child(p, "type")))
			switch pattern := w.child(p, "pattern"); {
			case w.is(pattern, "rest_pattern"):
				params = append(params, w.of(facts.OpElem, typ, 0))
			case w.is(pattern, "this"):
				on = typ
			default:
				params = append(params, typ)
			}
		}
	}
	result := w.child(n, "return_type")
	if result < 0 {
		result = w.child(n, "type")
	}
	f := w.expr(facts.OpFunc, w.value(w.visitType(result)), w.tuple(params))
	if on < 0 {
		return f
	}
	return w.expr(facts.OpOn, f, on)
}

// tsTypeParameters declares the type parameters of n in the innermost scope.
func tsTypeParameters(w *walk, n int32) {
	list := w.child(n, "type_parameters")
	if list < 0 {
		return
	}
	place, far := 0, tsIsFar(w, n)
	for p := range w.kids(list) {
		name := w.child(p, "name")
		if name < 0 {
			continue
		}
		y := w.symbol(name, p, code.KindTypeParam, facts.Local)
		w.bind(w.top(), y, 0)
		w.arguments(y, place, 0, far)
		place++
		if c := w.child(p, "constraint"); c >= 0 {
			w.symbols[y].Type = w.visitType(w.last(c))
		}
		if d := w.child(p, "value"); d >= 0 {
			if t := w.visitType(w.last(d)); t >= 0 && w.symbols[y].Type < 0 {
				w.symbols[y].Type = t
				w.symbols[y].Flags |= facts.Inferred // no bound, but what it is by default
			}
		}
	}
}

// tsIsFar reports whether the type parameters of n are not those that type arguments of
// the symbol around it stand for: those of a function type within another, or within
// what has some itself.
func tsIsFar(w *walk, n int32) bool {
	switch w.kind(n) {
	case "function_type", "constructor_type", "call_signature", "construct_signature":
		return w.js().signatures > 0 || w.js().generic == w.parent
	}
	w.js().generic = w.parent
	return false
}

// tsObject reads the members of an interface or an unnamed type. They belong to
// the symbol around it, or to none in a function without a name.
func tsObject(w *walk, n int32) int32 {
	keyed, members := int32(facts.None), false
	before := len(w.symbols)
	var calls, makes []int32
	for c := range w.kids(n) {
		members = members || !w.token(c) && !w.is(c, "index_signature") && !w.is(c, "call_signature") && !w.is(c, "construct_signature")
		switch w.kind(c) {
		case "index_signature":
			keyed = w.visit(c)
		case "property_signature":
			tsProperty(w, c)
		case "method_signature":
			was := w.inType
			w.inType = false
			this, flags := receiver{facts.OpThis, w.parent}, facts.Exported|facts.Abstract
			if w.parent < 0 {
				this, flags = receiver{symbol: facts.None}, flags|facts.Local
			}
			jsMethod(w, c, facts.None, flags, this)
			w.inType = was
		case "call_signature", "construct_signature":
			f := w.visit(c)
			if w.is(c, "call_signature") {
				calls = append(calls, f)
			} else {
				makes = append(makes, f)
			}
		default:
			w.visit(c)
		}
	}
	called := int32(facts.None)
	if len(calls) == 0 && !w.is(n, "interface_body") {
		calls = makes
	}
	for _, f := range calls {
		called = w.union(called, f)
	}
	switch {
	case w.is(n, "interface_body"):
		w.js().keyed, w.js().called = keyed, append(makes, calls...)
		if len(makes) > 0 {
			w.js().called = makes[:1] // what a class that extends it is made by
		}
	case keyed >= 0 && !members:
		return keyed
	case called >= 0 && !members:
		return called
	case called >= 0:
		return w.expr(facts.OpBoth, called, tsMembers(w, n, before))
	}
	return tsMembers(w, n, before)
}

// tsMembers is the unnamed type in node n, whose members are symbols from number before
// on. Where the symbol that holds them may hold those of others, it says which they are.
func tsMembers(w *walk, n int32, before int) int32 {
	extent := int32(facts.None)
	if !tsIsWhole(w, n) {
		first, last := int32(facts.None), int32(facts.None)
		for i := before; i < len(w.symbols); i++ {
			if y := &w.symbols[i]; y.Parent == w.parent && (y.Kind == code.KindField || y.Kind == code.KindMethod) {
				if first < 0 {
					first = int32(i)
				}
				last = int32(i)
			}
		}
		extent = w.expr(facts.OpExtent, first, last)
	}
	return w.expr(facts.OpMembers, w.parent, extent)
}

// tsIsWhole reports whether the unnamed type in node n is all that a type, a property or
// a variable is declared as.
func tsIsWhole(w *walk, n int32) bool {
	up := w.up(n)
	if w.is(n, "interface_body") || w.is(up, "type_alias_declaration") || w.parent < 0 {
		return w.parent >= 0
	}
	switch w.kind(w.up(up)) {
	case "property_signature", "public_field_definition", "variable_declarator":
		return w.is(up, "type_annotation")
	}
	return false
}

func tsProperty(w *walk, n int32) {
	name := jsName(w, w.child(n, "name"))
	if name < 0 {
		w.visitType(w.child(n, "type"))
		return
	}
	flags := facts.Exported | facts.Local
	if w.parent >= 0 {
		flags &= w.symbols[w.parent].Flags | facts.Exported
	}
	if w.has(n, "?") {
		flags |= facts.Optional
	}
	f := w.symbol(name, n, code.KindField, flags)
	w.document(f, w.start(n))
	in := w.in
	w.within(f, func() {
		w.in = in
		w.symbols[f].Type = w.value(w.visitType(w.child(n, "type")))
	})
}

func tsInterface(w *walk, n int32) int32 {
	name, s := w.child(n, "name"), w.top()
	whole, flags := jsTakeWhole(w, n), jsTakeFlags(w, s)
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, whole, code.KindInterface, flags)
	w.bind(s, y, 0)
	body := w.child(n, "body")
	w.signature(y, w.start(whole), body)
	w.document(y, w.start(whole))
	w.within(y, func() {
		w.open(scopeBlock)
		tsTypeParameters(w, n)
		var bases []int32
		if e := w.childOf(n, "extends_type_clause"); e >= 0 {
			bases = tsBases(w, e, facts.RoleInherit)
		}
		w.visitType(body)
		if keyed := w.js().keyed; keyed >= 0 {
			bases, w.js().keyed = append(bases, keyed), facts.None
		}
		if called := w.js().called; len(called) > 0 {
			w.symbols[y].Type, w.js().called = w.tuple(append(bases, called...)), nil
		} else {
			jsBases(w, y, bases)
		}
		w.close()
	})
	return facts.None
}

// tsBases reads the types that a clause lists.
func tsBases(w *walk, clause int32, role facts.Role) []int32 {
	var bases []int32
	for t := range w.kids(clause) {
		if !w.token(t) {
			bases = append(bases, jsRef(w, t, role, facts.None))
		}
	}
	return bases
}

func tsAlias(w *walk, n int32) int32 {
	name, s := w.child(n, "name"), w.top()
	whole, flags := jsTakeWhole(w, n), jsTakeFlags(w, s)
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, whole, code.KindType, flags)
	w.bind(s, y, 0)
	w.document(y, w.start(whole))
	w.within(y, func() {
		w.open(scopeBlock)
		tsTypeParameters(w, n)
		w.symbols[y].Type = w.visitType(w.child(n, "value"))
		w.close()
	})
	return facts.None
}

func tsEnum(w *walk, n int32) int32 {
	name, s := w.child(n, "name"), w.top()
	whole, flags := jsTakeWhole(w, n), jsTakeFlags(w, s)
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, whole, code.KindEnum, flags)
	w.bind(s, y, 0)
	body := w.child(n, "body")
	w.signature(y, w.start(whole), body)
	w.document(y, w.start(whole))
	if body < 0 {
		return facts.None
	}
	w.within(y, func() {
		w.open(scopeBlock)
		for c := range w.kids(body) {
			tsEnumMember(w, c, y)
		}
		w.close()
	})
	return facts.None
}

func tsEnumMember(w *walk, n, enum int32) {
	name := n
	if w.is(n, "enum_assignment") {
		name = w.child(n, "name")
		w.visit(w.child(n, "value"))
	}
	if name = jsName(w, name); name < 0 {
		return
	}
	m := w.symbol(name, n, code.KindConst, facts.Exported|facts.Static)
	w.bind(w.top(), m, 0)
	w.document(m, w.start(n))
	w.symbols[m].Type = w.value(w.expr(facts.OpSymbol, enum, 0))
}

// tsNamespace reads a namespace, or the declarations of another module.
func tsNamespace(w *walk, n int32) int32 {
	name, body, s := w.child(n, "name"), w.child(n, "body"), w.top()
	whole, flags := jsTakeWhole(w, n), jsTakeFlags(w, s)
	if w.is(name, "string") {
		name = w.childOf(name, "string_fragment")
		if name < 0 {
			return tsBody(w, body)
		}
		y := w.symbol(name, whole, code.KindModule, 0)
		w.signature(y, w.start(whole), body)
		w.document(y, w.start(whole))
		w.within(y, func() { tsBody(w, body) })
		return facts.None
	}
	for w.is(name, "nested_identifier") { // A.B.C is told as C in A
		name = w.child(name, "property")
	}
	if name < 0 {
		return w.visitAll(n)
	}
	y := w.symbol(name, whole, code.KindModule, flags)
	w.bind(s, y, 0)
	w.signature(y, w.start(whole), body)
	w.document(y, w.start(whole))
	w.within(y, func() { tsBody(w, body) })
	return facts.None
}

func tsBody(w *walk, body int32) int32 {
	if body >= 0 {
		w.open(scopeNamespace)
		w.visitAll(body)
		w.close()
	}
	return facts.None
}

// jsAmbient reads "declare ...". Such declarations have no body.
func jsAmbient(w *walk, n int32) int32 {
	if w.js().whole < 0 {
		w.js().whole = n
	}
	if w.has(n, "global") {
		w.js().whole = facts.None
		tsGlobal(w, n)
		return facts.None
	}
	for c := range w.kids(n) {
		if !w.token(c) {
			w.visit(c)
		}
	}
	return facts.None
}

// tsGlobal reads "declare global", whose names all files can mean: those of a
// module that is called global.
func tsGlobal(w *walk, n int32) {
	block := w.childOf(n, "statement_block")
	if block < 0 {
		return
	}
	y := w.symbol(w.childOf(n, "global"), n, code.KindModule, 0)
	w.signature(y, w.start(n), block)
	w.within(y, func() {
		w.open(scopeNamespace)
		for c := range w.kids(block) {
			w.js().flags = facts.Exported
			w.visit(c)
		}
		w.js().flags = 0
		w.close()
	})
}

func jsAs(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	if first == last || w.token(last) {
		return w.visit(first) // as const
	}
	t := w.value(w.visitType(last))
	v := jsValue(w, first, t)
	if w.is(n, "satisfies_expression") {
		return v
	}
	return t
}

// jsAssertion reads <Type>value.
func jsAssertion(w *walk, n int32) int32 {
	t := int32(facts.None)
	if list := w.childOf(n, "type_arguments"); list >= 0 {
		t = w.visitType(w.only(list))
	}
	w.visit(w.last(n))
	return w.value(t)
}

func tsConditional(w *walk, n int32) int32 {
	w.open(scopeBlock) // of what is inferred
	defer w.close()
	left := w.visit(w.child(n, "left"))
	outer, scope := w.js().inferred, w.js().inferring
	w.js().inferred, w.js().inferring = nil, w.top()
	right := w.visit(w.child(n, "right"))
	if left >= 0 && right >= 0 && len(w.js().inferred) > 0 {
		from := w.expr(facts.OpInfer, left, right)
		for _, y := range w.js().inferred {
			w.symbols[y].Type = from
		}
	}
	w.js().inferred, w.js().inferring = outer, scope
	yes := w.visit(w.child(n, "consequence"))
	return w.union(yes, w.visit(w.child(n, "alternative")))
}

func tsInfer(w *walk, n int32) int32 {
	if name := w.childOf(n, "type_identifier"); name >= 0 {
		y := w.symbol(name, n, code.KindTypeParam, facts.Local)
		w.bind(w.js().inferring, y, 0)
		w.js().inferred = append(w.js().inferred, y)
		w.visitOther(n, name)
		return w.expr(facts.OpSymbol, y, 0)
	}
	return facts.None
}

// tsMapped reads "K in keys", whose K is known in the rest of the type.
func tsMapped(w *walk, n int32) int32 {
	if name := w.child(n, "name"); name >= 0 {
		w.bind(w.top(), w.symbol(name, n, code.KindTypeParam, facts.Local), 0)
	}
	keys := w.child(n, "type")
	w.visit(keys)
	if !w.is(keys, "index_type_query") {
		w.js().over = facts.None
	}
	w.visit(w.child(n, "alias"))
	return facts.None
}

// tsIndexSignature reads [key: K]: T and [K in keys]: T. It is a map of T, and what
// K comes from where it goes over the names of a type.
func tsIndexSignature(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	typ := w.child(n, "type")
	w.visitOther(n, w.child(n, "name"), typ)
	names := tsNamesOf(w, w.childOf(n, "mapped_type_clause"))
	keyed := w.expr(facts.OpLiteral, facts.LiteralMap, w.value(w.visitType(typ)))
	return w.union(keyed, names)
}

// tsNamesOf is a value of T where a mapped type has "K in keyof T", or None.
func tsNamesOf(w *walk, clause int32) int32 {
	if clause < 0 || w.child(clause, "alias") >= 0 {
		return facts.None
	}
	return w.js().over
}

// tsKeyOf reads keyof T.
func tsKeyOf(w *walk, n int32) int32 {
	w.js().over = w.value(w.visitType(w.only(n)))
	return facts.None
}

// tsPredicate reads name is T.
func tsPredicate(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if w.is(name, "identifier") {
		w.use(name, facts.RoleRead, facts.None)
	}
	typ := w.value(w.visitType(w.child(n, "type")))
	if typ < 0 || !w.is(name, "identifier") {
		return w.literal(facts.LiteralBool)
	}
	return w.expr(facts.OpPredicate, typ, 0)
}

// tsSignatures finds the ends of the lines before a call signature such as "<T>(a:
// T): void". The grammar would join them.
func tsSignatures(text []byte, follows func(text []byte) bool) []span {
	var found []span
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return found
		}
		end := at + i
		at = end + 1
		if next := cBlank(text, at, len(text)); next >= len(text) || text[next] != '<' || !follows(text[next+1:]) {
			continue
		}
		end = tsCode(text, end)
		line := bytes.TrimRight(text[:end], " \t\r")
		if len(line) > 0 && (cLetter(line[len(line)-1]) || bytes.IndexByte([]byte(">])}"), line[len(line)-1]) >= 0) {
			found = append(found, span{uint32(end), uint32(end + 1)})
		}
	}
}

// tsParameterFollows reports whether what follows a < at the start of a line is a
// type parameter, at once or on the next line, not an operand.
func tsParameterFollows(text []byte) bool {
	line, _, more := bytes.Cut(text, []byte("\n"))
	return len(line) > 0 && cLetter(line[0]) || more && len(bytes.TrimSpace(line)) == 0
}

// tsxParameterFollows is tsParameterFollows where elements of JSX start in the same way: one
// has no bound, and no further name behind a comma.
func tsxParameterFollows(text []byte) bool {
	return tsxParameter().Match(text[:min(len(text), maxTsxParameter)])
}

// tsxParameter is a type parameter that no element of JSX begins as.
var tsxParameter = pattern.New(`^\s*[\pL_$][\w$]*(?:\s+extends\s|\s*,)`)

// maxTsxParameter bounds the text that tells a type parameter from an element.
const maxTsxParameter = 128

// tsCode is the end of the last line up to byte end that holds more than comments,
// 0 if that line holds one, too.
func tsCode(text []byte, end int) int {
	for end > 0 {
		start := lineStart(text, end)
		line := bytes.TrimSpace(text[start:end])
		switch {
		case bytes.HasSuffix(line, []byte("*/")):
			if start = tsComment(text, end); start == 0 {
				return 0
			}
		case len(line) > 0 && !bytes.HasPrefix(line, []byte("//")):
			if bytes.Contains(line, []byte("//")) {
				return 0
			}
			return end
		}
		end = start - 1
	}
	return 0
}

// tsComment is the start of the line on which the comment begins that ends before byte
// end, 0 if that is the first or holds more than the comment.
func tsComment(text []byte, end int) int {
	open := bytes.LastIndex(text[:end], []byte("/*"))
	if open < 0 {
		return 0
	}
	start := lineStart(text, open)
	if len(bytes.TrimSpace(text[start:open])) > 0 {
		return 0
	}
	return start
}

// tsPrepare ends the lines before call signatures, takes the word from what passes on
// types only and those of variance, renames members that bear a word of the grammar, and
// makes constants of what is declared with using.
func tsPrepare(text []byte) []byte { return tsPrepared(text, tsParameterFollows) }

// tsxPrepare is tsPrepare of TypeScript with JSX.
func tsxPrepare(text []byte) []byte { return tsPrepared(text, tsxParameterFollows) }

func tsPrepared(text []byte, follows func(text []byte) bool) []byte {
	text = cover(text, tsSignatures(text, follows), ';')
	text = cover(text, tsTypesOnly.groups(text), ' ')
	text = cover(text, tsVariance.groups(text), ' ')
	text = cover(text, tsLaterVariance.groups(text), ' ')
	return jsPrepare(cover(text, tsAbstract.groups(text), 'x'))
}

// tsVariance finds the words of variance, which the grammar lacks, before the first type
// parameter or one behind a comma.
var tsVariance = sought{pattern.New(`[<,]\s*(?:const[ \t]+)?((?:in[ \t]+out|in|out)[ \t]+)(?:const[ \t]+)?[\pL_$]`), []string{"in ", "out "}, 1, 0}

// tsLaterVariance finds those behind a comment.
var tsLaterVariance = sought{pattern.New(`(?m)^[ \t]*(?:const[ \t]+)?((?:in[ \t]+)?out[ \t]+)[\pL_$]`), []string{"out "}, 0, 0}

// tsAbstract finds a member that bears this word, which the grammar takes for a modifier.
var tsAbstract = sought{pattern.New(`(?m)^[ \t]*(?:readonly[ \t]+)?(a)bstract\??:`), []string{"abstract:", "abstract?:"}, 0, 0}

// tsTypesOnly finds the word in "export type * from", which the grammar lacks.
var tsTypesOnly = sought{pattern.New(`(?m)^[ \t]*export[ \t]+(type)[ \t]*\*`), []string{"type *", "type*"}, 0, 0}

// jsUsing finds the words of declarations such as "await using a = b", which the
// grammar lacks.
var jsUsing = sought{pattern.New(`(?m)^[ \t]*((?:await[ \t]+)?using)[ \t]+[\w$]+[ \t]*(?::[^=\n]+)?=[^=>]`), []string{"using "}, 0, 0}

// jsPrepare makes constants of what is declared with using.
func jsPrepare(text []byte) []byte {
	found := jsUsing.groups(text)
	if len(found) == 0 {
		return text
	}
	text = bytes.Clone(text)
	for _, at := range found {
		word := text[at.start:at.end]
		copy(word, "const"+strings.Repeat(" ", len(word)-len("const")))
	}
	return text
}

// tsGrammar tells TypeScript with JSX by the extension.
func tsGrammar(name string, _ []byte) string {
	if path.Ext(name) == ".tsx" {
		return "tsx"
	}
	return "typescript"
}
