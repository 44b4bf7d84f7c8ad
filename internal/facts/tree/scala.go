package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// scalaRules are those of Scala 2 and 3. Its files share the packages of Java.
func scalaRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	typeOnly := func(w *walk, n int32) int32 { return w.visitType(w.only(n)) }
	return &rules{
		apart:    apartObjects,
		state:    func() any { return &scalaState{placeholder: facts.None} },
		branches: []string{"if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"},
		comments: []string{"comment", "block_comment"},
		visit: map[string]visitor{
			"compilation_unit":               scalaFile,
			"package_clause":                 scalaPackage,
			"package_object":                 scalaPackageObject,
			"import_declaration":             scalaImport,
			"export_declaration":             scalaImport,
			"class_definition":               func(w *walk, n int32) int32 { return scalaClass(w, n, code.KindClass) },
			"trait_definition":               func(w *walk, n int32) int32 { return scalaClass(w, n, code.KindTrait) },
			"enum_definition":                func(w *walk, n int32) int32 { return scalaClass(w, n, code.KindEnum) },
			"object_definition":              func(w *walk, n int32) int32 { return scalaClass(w, n, code.KindClass) },
			"simple_enum_case":               scalaCase,
			"full_enum_case":                 scalaCase,
			"type_definition":                scalaAlias,
			"function_definition":            scalaFunction,
			"function_declaration":           scalaFunction,
			"extension_definition":           scalaExtension,
			"given_definition":               scalaGiven,
			"val_definition":                 scalaValue,
			"var_definition":                 scalaValue,
			"val_declaration":                scalaValue,
			"var_declaration":                scalaValue,
			"self_type":                      scalaSelfType,
			"structural_type":                blockScope,
			"refinement":                     blockScope,
			"block":                          scalaBlock,
			"indented_block":                 scalaBlock,
			"annotation":                     scalaAnnotation,
			"access_modifier":                none,
			"identifier":                     func(w *walk, n int32) int32 { return scalaName(w, n, facts.RoleRead, facts.None) },
			"operator_identifier":            func(w *walk, n int32) int32 { return scalaName(w, n, facts.RoleRead, facts.None) },
			"field_expression":               func(w *walk, n int32) int32 { return scalaMember(w, n, facts.RoleRead, facts.None) },
			"call_expression":                scalaCall,
			"generic_function":               scalaGeneric,
			"infix_expression":               scalaInfix,
			"postfix_expression":             scalaPostfix,
			"prefix_expression":              scalaPrefix,
			"assignment_expression":          scalaAssignment,
			"lambda_expression":              func(w *walk, n int32) int32 { return scalaLambda(w, n, facts.None) },
			"if_expression":                  scalaIf,
			"while_expression":               func(w *walk, n int32) int32 { w.visitAll(n); return facts.None },
			"for_expression":                 scalaFor,
			"match_expression":               scalaMatch,
			"case_block":                     func(w *walk, n int32) int32 { return scalaCases(w, n, facts.None) },
			"indented_cases":                 func(w *walk, n int32) int32 { return scalaCases(w, n, facts.None) },
			"case_clause":                    func(w *walk, n int32) int32 { return scalaClause(w, n, facts.None) },
			"try_expression":                 eitherBut("finally_clause"),
			"catch_clause":                   scalaCatch,
			"instance_expression":            scalaNew,
			"ascription_expression":          scalaAscription,
			"tuple_expression":               tupleOf,
			"parenthesized_expression":       only,
			"return_expression":              scalaReturn,
			"throw_expression":               func(w *walk, n int32) int32 { w.visitAll(n); return facts.None },
			"wildcard":                       scalaWildcard,
			"unit":                           none,
			"interpolated_string_expression": scalaInterpolated,
			"string":                         literalOf(facts.LiteralString),
			"character_literal":              literalOf(facts.LiteralChar),
			"boolean_literal":                literalOf(facts.LiteralBool),
			"null_literal":                   literalOf(facts.LiteralNull),
			"integer_literal":                scalaNumber,
			"floating_point_literal":         scalaNumber,
			"type_identifier":                func(w *walk, n int32) int32 { return scalaTypeName(w, n, facts.RoleType) },
			"stable_type_identifier":         func(w *walk, n int32) int32 { return scalaTypeName(w, n, facts.RoleType) },
			"stable_identifier":              scalaStable,
			"generic_type":                   func(w *walk, n int32) int32 { return scalaTypeName(w, n, facts.RoleType) },
			"compound_type":                  scalaCompound,
			"annotated_type":                 scalaAnnotated,
			"infix_type":                     scalaInfixType,
			"tuple_type":                     func(w *walk, n int32) int32 { return typeList(w, n) },
			"named_tuple_type":               func(w *walk, n int32) int32 { return typeList(w, n) },
			"name_and_type":                  func(w *walk, n int32) int32 { return w.visitType(w.child(n, "type")) },
			"function_type":                  scalaFunctionType,
			"projected_type":                 scalaProjected,
			"singleton_type":                 scalaSingleton,
			"literal_type":                   typeOnly,
			"lazy_parameter_type":            typeOnly,
			"repeated_parameter_type":        func(w *walk, n int32) int32 { return arrayOf(w, w.visitType(w.only(n))) },
			"type_arguments":                 typeList,
			"type_lambda":                    scalaTypeLambda,
		},
	}
}

// scalaPrepare writes letters that the grammar does not know as others.
func scalaPrepare(text []byte) []byte { return cover(text, lettersBeyond(text), 'x') }

// scalaState is what the rules of Scala remember of a file.
type scalaState struct {
	receivers   []int32 // what bare names may be members of: self types and values that are imported from, the innermost last
	implicit    map[int32]int32
	placeholder int32 // the function that stands for _ here: what is given to it
	taken       int32 // how many _ of it were read
}

func (w *walk) scala() *scalaState { return w.state.(*scalaState) }

// scalaBare is a name without the quotes that may stand around it.
func scalaBare(name string) string { return strings.Trim(name, "`") }

// scalaAt is where the bare name in a node starts.
func scalaAt(w *walk, n int32) uint32 {
	if strings.HasPrefix(w.text(n), "`") && len(w.text(n)) > 2 {
		return w.start(n) + 1
	}
	return w.start(n)
}

func scalaNamed(w *walk, n int32) bool { return n >= 0 && scalaBare(w.text(n)) != "" }

// scalaSymbol declares the name in node n.
func scalaSymbol(w *walk, n, whole int32, kind code.Kind, flags facts.Flags) int32 {
	return w.symbolAt(scalaBare(w.text(n)), scalaAt(w, n), w.start(whole), w.end(whole), kind, flags)
}

// scalaFile reads a file. The packages that it names one below the other are its own; one
// in braces is, too, where nothing else stands beside it.
func scalaFile(w *walk, n int32) int32 {
	last, count := int32(facts.None), 0
	for c := range w.kids(n) {
		last, count = c, count+1
	}
	if count == 1 && w.is(last, "package_clause") && w.child(last, "body") >= 0 {
		w.pkg = scalaPath(w, w.child(last, "name"))
		scalaBody(w, w.child(last, "body"))
		return facts.None
	}
	return w.visitAll(n)
}

// scalaPath is a dotted name without blanks and quotes.
func scalaPath(w *walk, n int32) string {
	return strings.ReplaceAll(withoutBlanks(w, n), "`", "")
}

func scalaPackage(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	path := scalaPath(w, name)
	switch {
	case path == "":
		return w.visitAll(n)
	case body >= 0:
		y := w.symbolAt(path, w.start(name), w.start(n), w.end(n), code.KindModule, facts.Exported)
		w.signature(y, w.start(n), body)
		w.within(y, func() { scalaBody(w, body) })
		return facts.None
	case w.pkg == "":
		w.pkg = path
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Module: w.pkg, Name: "*", Place: facts.Place{At: w.start(name)}, In: facts.None})
	w.pkg += "." + path
	return facts.None
}

// scalaPackageObject reads an object whose members are those of a package.
func scalaPackageObject(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if !scalaNamed(w, name) {
		return w.visitAll(n)
	}
	y := scalaSymbol(w, name, n, code.KindModule, facts.Exported)
	body := w.child(n, "body")
	w.signature(y, w.start(n), body)
	w.document(y, w.start(n))
	w.within(y, func() {
		outer := scalaEnter(w, receiver{facts.OpThis, y})
		w.bases(y, scalaBases(w, w.child(n, "extend")))
		scalaBody(w, body)
		outer()
	})
	return facts.None
}

// scalaBody reads what stands in a class, an object or a package.
func scalaBody(w *walk, body int32) {
	w.open(scopeClass)
	if body >= 0 {
		w.visitAll(body)
	}
	w.close()
}

// scalaFlags reads modifiers and annotations.
func scalaFlags(w *walk, n int32) facts.Flags {
	flags := facts.Exported
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "annotation":
			w.visit(c)
		case "modifiers":
			for m := range w.kids(c) {
				switch text := w.text(m); {
				case text == "private" || text == "private[this]":
					flags &^= facts.Exported
				case text == "override":
					flags |= facts.Overrides
				case text == "abstract":
					flags |= facts.Abstract
				}
			}
		}
	}
	return flags
}

// scalaStart is where the signature of a declaration starts: after its annotations.
func scalaStart(w *walk, n int32) uint32 {
	for c := range w.kids(n) {
		if !w.is(c, "annotation") {
			return w.start(c)
		}
	}
	return w.start(n)
}

// scalaClass reads a class, a trait, an enumeration or an object, which is a static class.
func scalaClass(w *walk, n int32, kind code.Kind) int32 {
	name := w.child(n, "name")
	if !scalaNamed(w, name) {
		return w.visitAll(n)
	}
	s := w.top()
	c := scalaSymbol(w, name, n, kind, 0)
	w.bind(s, c, 0)
	body := w.child(n, "body")
	w.signature(c, scalaStart(w, n), body)
	w.document(c, w.start(n))
	w.within(c, func() {
		flags := scalaFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		if w.is(n, "object_definition") {
			flags |= facts.Static
		}
		w.symbols[c].Flags = flags
		w.open(scopeTemplate)
		scalaTypeParameters(w, w.child(n, "type_parameters"))
		w.open(scopeClass)
		outer := scalaEnter(w, receiver{facts.OpThis, c})
		scalaPrimary(w, n, w.has(n, "case"))
		w.bases(c, scalaBases(w, w.child(n, "extend")))
		w.visit(w.child(n, "derive"))
		from := len(w.symbols)
		if body >= 0 {
			w.visitAll(body)
		}
		if strings.Contains(w.text(w.childOf(n, "modifiers")), "implicit") && kind == code.KindClass && !w.is(n, "object_definition") {
			scalaOwned(w, from, c, scalaWrapped(w, n))
		}
		outer()
		w.close()
		w.close()
	})
	return facts.None
}

// scalaEnter starts a class, in which this is something else. The function that
// it returns ends it.
func scalaEnter(w *walk, this receiver) func() {
	that, fn, state := w.this, w.fn, *w.scala()
	w.this, w.fn = this, nil
	w.scala().placeholder = facts.None
	return func() { w.this, w.fn, *w.scala() = that, fn, state }
}

// scalaPrimary reads the parameters of a class, which are fields of a case class and
// where they say so.
func scalaPrimary(w *walk, n int32, fields bool) {
	for list := range w.kids(n) {
		if !w.is(list, "class_parameters") {
			continue
		}
		for p := range w.kids(list) {
			name := w.child(p, "name")
			if !w.is(p, "class_parameter") || !scalaNamed(w, name) {
				continue
			}
			kind, flags := code.KindField, scalaFlags(w, p)
			if !fields && !w.has(p, "val") && !w.has(p, "var") {
				kind, flags = code.KindParam, facts.Local
			}
			scalaParameter(w, p, name, kind, flags)
		}
		fields = false
	}
}

// scalaParameter declares a parameter p of a function or a class.
func scalaParameter(w *walk, p, name int32, kind code.Kind, flags facts.Flags) {
	y := scalaSymbol(w, name, p, kind, flags|facts.Accessor)
	w.bind(w.top(), y, 0)
	typ := w.value(w.visitType(w.child(p, "type")))
	value := w.visit(w.child(p, "default_value"))
	setType(w, y, typ, value)
}

// scalaTypeParameters reads [A <: B, +C: D].
func scalaTypeParameters(w *walk, n int32) {
	y := int32(facts.None)
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "covariant_type_parameter", "contravariant_type_parameter":
			scalaTypeParameters(w, c)
		case "type_parameters": // of a parameter that takes some
			w.open(scopeTemplate)
			scalaTypeParameters(w, c)
			w.close()
		case "upper_bound":
			bound := w.visitType(w.child(c, "type"))
			if y >= 0 {
				w.symbols[y].Type = bound
			}
		case "lower_bound", "view_bound", "context_bound":
			w.visitType(w.child(c, "type"))
		case "annotation":
			w.visit(c)
		case "identifier", "operator_identifier":
			if w.field(c) == "name" && scalaNamed(w, c) {
				y = scalaSymbol(w, c, c, code.KindTypeParam, facts.Local)
				w.bind(w.top(), y, 0)
			}
		}
	}
}

// scalaBases reads what a class extends.
func scalaBases(w *walk, n int32) (bases []int32) {
	last := int32(facts.None)
	add := func(t int32) {
		role := facts.RoleImplement
		if len(bases) == 0 {
			role = facts.RoleInherit
		}
		last = scalaTypeName(w, t, role)
		bases = append(bases, last)
	}
	for c := range w.kids(n) {
		switch {
		case w.token(c):
		case w.is(c, "arguments"):
			w.given(last, scalaArguments(w, c, last))
		case w.is(c, "compound_type"):
			for t := range w.kids(c) {
				if w.is(t, "refinement") {
					w.visit(t)
				} else if !w.token(t) {
					add(t)
				}
			}
		default:
			add(c)
		}
	}
	return bases
}

// scalaTypeName reads a type whose last name is used in a role.
func scalaTypeName(w *walk, n int32, role facts.Role) int32 {
	switch w.kind(n) {
	case "type_identifier", "identifier", "operator_identifier":
		if kind, ok := scalaPrimitives[w.text(n)]; ok && role == facts.RoleType {
			w.useIn(w.top(), w.text(n), w.start(n), role, facts.None)
			return w.literal(kind)
		}
		return w.useIn(w.top(), scalaBare(w.text(n)), scalaAt(w, n), role, facts.None)
	case "generic_type":
		e := scalaTypeName(w, w.child(n, "type"), role)
		return apply(w, e, w.child(n, "type_arguments"))
	case "stable_type_identifier":
		last := w.last(n)
		of := scalaStablePart(w, w.only(n))
		return scalaMemberUse(w, last, of, role, facts.None)
	case "annotated_type":
		first := w.only(n)
		e := scalaTypeName(w, first, role)
		w.visitOther(n, first)
		return e
	}
	return w.visitType(n)
}

// scalaPrimitives are the types of numbers, by their names.
var scalaPrimitives = map[string]int32{
	"Byte": facts.LiteralByte, "Short": facts.LiteralShort, "Char": facts.LiteralChar, "Int": facts.LiteralInt,
	"Long": facts.LiteralLong, "Float": facts.LiteralFloat, "Double": facts.LiteralDouble, "Boolean": facts.LiteralBool,
	"String": facts.LiteralString,
}

// scalaStablePart reads the value in front of a type or of another value.
func scalaStablePart(w *walk, n int32) int32 {
	if w.is(n, "stable_identifier") {
		return scalaStable(w, n)
	}
	return scalaName(w, n, facts.RoleRead, facts.None)
}

// scalaStable reads a.b.C of a pattern or in front of a type.
func scalaStable(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	if first == last {
		return scalaName(w, first, facts.RoleRead, facts.None)
	}
	return scalaSelect(w, last, scalaStablePart(w, first), facts.RoleRead, facts.None)
}

// scalaMemberUse is a use of a member.
func scalaMemberUse(w *walk, n, of int32, role facts.Role, args int) int32 {
	name := scalaBare(w.text(n))
	if name == "" {
		return facts.None
	}
	u := w.add(name, scalaAt(w, n), role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, of
	return w.expr(facts.OpUse, u, 0)
}

// scalaCompound reads A with B { ... }, a value of all of these.
func scalaCompound(w *walk, n int32) int32 {
	all := int32(facts.None)
	for c := range w.kids(n) {
		switch {
		case w.token(c):
		case w.is(c, "refinement"):
			w.visit(c)
		default:
			t := w.visitType(c)
			if all >= 0 && t >= 0 {
				t = w.expr(facts.OpBoth, all, t)
			}
			if t >= 0 {
				all = t
			}
		}
	}
	return all
}

func scalaAnnotated(w *walk, n int32) int32 {
	first := w.only(n)
	e := w.visitType(first)
	w.visitOther(n, first)
	return e
}

// scalaInfixType reads A | B, A & B and Either written between its arguments.
func scalaInfixType(w *walk, n int32) int32 {
	operator := w.child(n, "operator")
	left := w.visitType(w.child(n, "left"))
	base := int32(facts.None)
	switch w.text(operator) {
	case "|", "&":
	default:
		base = w.useIn(w.top(), scalaBare(w.text(operator)), scalaAt(w, operator), facts.RoleType, facts.None)
	}
	right := w.visitType(w.child(n, "right"))
	switch {
	case w.text(operator) == "|":
		return w.union(left, right)
	case w.text(operator) == "&" && left >= 0 && right >= 0:
		return w.expr(facts.OpBoth, left, right)
	case base >= 0:
		return w.expr(facts.OpApply, base, w.tuple([]int32{left, right}))
	}
	return facts.None
}

// scalaFunctionType reads (A, B) => C.
func scalaFunctionType(w *walk, n int32) int32 {
	w.open(scopeTemplate)
	scalaTypeParameters(w, w.child(n, "type_parameters"))
	var takes []int32
	for p := range w.kids(w.child(n, "parameter_types")) {
		if !w.token(p) {
			takes = append(takes, w.value(w.visitType(p)))
		}
	}
	result := w.value(w.visitType(w.child(n, "return_type")))
	w.close()
	return w.expr(facts.OpFunc, result, w.tuple(takes))
}

func scalaTypeLambda(w *walk, n int32) int32 {
	w.open(scopeTemplate)
	scalaTypeParameters(w, n)
	w.visitType(w.child(n, "return_type"))
	w.close()
	return facts.None
}

// scalaProjected reads A#B.
func scalaProjected(w *walk, n int32) int32 {
	of := w.visitType(w.child(n, "type"))
	return scalaMemberUse(w, w.child(n, "selector"), of, facts.RoleType, facts.None)
}

// scalaSingleton reads a.b.type, the type of a value.
func scalaSingleton(w *walk, n int32) int32 {
	return w.of(facts.OpItself, scalaStablePart(w, w.only(n)), 0)
}

func scalaAlias(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if !scalaNamed(w, name) {
		return w.visitAll(n)
	}
	s := w.top()
	flags := facts.Flags(0)
	y := scalaSymbol(w, name, n, code.KindType, 0)
	w.bind(s, y, 0)
	w.document(y, w.start(n))
	w.within(y, func() {
		flags = scalaFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		w.symbols[y].Flags = flags
		w.open(scopeTemplate)
		scalaTypeParameters(w, w.child(n, "type_parameters"))
		bound := int32(facts.None)
		for c := range w.kids(n) {
			switch w.kind(c) {
			case "upper_bound":
				bound = w.visitType(w.child(c, "type"))
			case "lower_bound", "context_bound":
				w.visitType(w.child(c, "type"))
			}
		}
		if t := w.visitType(w.child(n, "type")); t >= 0 {
			bound = t
		}
		w.symbols[y].Type = bound
		w.close()
	})
	return facts.None
}

// scalaCase reads a case of an enumeration.
func scalaCase(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if !scalaNamed(w, name) {
		return w.visitAll(n)
	}
	enum := w.parent
	y := scalaSymbol(w, name, n, code.KindConst, facts.Exported|facts.Static)
	w.bind(w.top(), y, 0)
	w.document(y, w.start(w.up(n)))
	if enum >= 0 {
		w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, enum, 0))
	}
	w.within(y, func() {
		w.open(scopeTemplate)
		scalaTypeParameters(w, w.child(n, "type_parameters"))
		w.open(scopeClass)
		scalaPrimary(w, n, true)
		scalaBases(w, w.child(n, "extend"))
		w.close()
		w.close()
	})
	return facts.None
}

func scalaFunction(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if !scalaNamed(w, name) || w.text(name) == "this" { // another constructor
		scalaFlags(w, n)
		scalaSignature(w, n, facts.None)
		return facts.None
	}
	s := w.top()
	kind := code.KindFunc
	if w.scopes[s].kind == scopeClass {
		kind = code.KindMethod
	}
	f := scalaSymbol(w, name, n, kind, 0)
	w.bind(s, f, 0)
	body := w.child(n, "body")
	w.signature(f, scalaStart(w, n), body)
	w.document(f, w.start(n))
	branches := w.branches
	w.within(f, func() {
		flags := scalaFlags(w, n)
		if w.isLocal(s) {
			flags = flags&^facts.Exported | facts.Local
		}
		if body < 0 {
			flags |= facts.Abstract
		}
		if !w.has(n, "parameters") {
			flags |= facts.Accessor
		}
		w.symbols[f].Flags = flags
		scalaSignature(w, n, f)
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	return facts.None
}

// scalaSignature reads a function from its type parameters on. The symbol f may be None.
// What the further lists of parameters take is the type of what a call gives: a function.
func scalaSignature(w *walk, n, f int32) {
	fn, outer := w.fn, *w.scala()
	w.fn = &function{symbol: f, returns: facts.None}
	w.scala().placeholder = facts.None
	w.open(scopeFunction)
	var lists []int32
	first := true
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "type_parameters":
			scalaTypeParameters(w, c)
		case "parameters":
			takes, count, least, many := scalaParameters(w, c)
			if first && f >= 0 {
				w.arguments(f, least, count, many)
			} else if !scalaContextual(w, c) {
				lists = append(lists, w.tuple(takes))
			}
			first = false
		}
	}
	result := w.value(w.visitType(w.child(n, "return_type")))
	body := w.child(n, "body")
	value := scalaGivenTo(w, body, result)
	if w.is(body, "block") && !w.has(n, "=") {
		value = facts.None // gives nothing
	}
	if f >= 0 {
		curried := func(e int32) int32 {
			for _, takes := range slices.Backward(lists) {
				e = w.expr(facts.OpFunc, e, takes)
			}
			return e
		}
		if result >= 0 {
			setType(w, f, curried(result), facts.None)
		} else if value >= 0 || len(lists) > 0 {
			setType(w, f, facts.None, curried(value))
		}
	}
	w.close()
	w.fn, *w.scala() = fn, outer
}

// scalaContextual reports whether the compiler gives the arguments of a list.
func scalaContextual(w *walk, list int32) bool {
	return w.has(list, "implicit") || w.has(list, "using")
}

// scalaParameters declares the parameters of a list.
func scalaParameters(w *walk, list int32) (takes []int32, count, least int, many bool) {
	contextual := scalaContextual(w, list)
	for p := range w.kids(list) {
		name := w.child(p, "name")
		switch {
		case w.token(p):
		case !w.is(p, "parameter"):
			w.visitType(p)
		case scalaNamed(w, name):
			scalaFlags(w, p)
			y := int32(len(w.symbols))
			scalaParameter(w, p, name, code.KindParam, facts.Local)
			takes = append(takes, w.symbols[y].Type)
			many = many || w.is(w.child(p, "type"), "repeated_parameter_type")
			if count++; w.child(p, "default_value") < 0 && !contextual && !w.is(w.child(p, "type"), "repeated_parameter_type") {
				least++
			}
		}
	}
	return takes, count, least, many
}

// scalaExtension reads the functions that Scala 3 writes for a type, which is their owner.
func scalaExtension(w *walk, n int32) int32 {
	w.open(scopeTemplate)
	scalaTypeParameters(w, w.child(n, "type_parameters"))
	owner, first := "", true
	for c := range w.kids(n) {
		if !w.is(c, "parameters") {
			continue
		}
		if p := w.childOf(c, "parameter"); first && p >= 0 && !scalaContextual(w, c) {
			owner, first = scalaLastName(w, w.child(p, "type")), false
		}
		scalaParameters(w, c)
	}
	from, parent := len(w.symbols), w.parent
	w.open(scopeClass)
	for c := range w.kids(n) {
		if w.field(c) == "body" || !w.is(c, "parameters") && !w.is(c, "type_parameters") && !w.token(c) {
			w.visit(c)
		}
	}
	w.close()
	w.close()
	scalaOwned(w, from, parent, owner)
	return facts.None
}

// scalaOwned makes a type the owner of the functions that were read since symbol number
// from and that another symbol holds.
func scalaOwned(w *walk, from int, holder int32, owner string) {
	for i := from; i < len(w.symbols); i++ {
		if y := &w.symbols[i]; y.Parent == holder && y.Kind.IsFunc() {
			y.Owner = owner
		}
	}
}

// scalaWrapped is the last name of the type to which an implicit class gives members;
// empty for one of any type.
func scalaWrapped(w *walk, class int32) string {
	p := w.childOf(w.childOf(class, "class_parameters"), "class_parameter")
	name := scalaLastName(w, w.child(p, "type"))
	for t := range w.kids(w.child(class, "type_parameters")) {
		if w.text(t) == name {
			return ""
		}
	}
	return name
}

// scalaLastName is the last name of a type.
func scalaLastName(w *walk, n int32) string {
	switch w.kind(max(n, 0)) {
	case "type_identifier":
		return scalaBare(w.text(n))
	case "generic_type":
		return scalaLastName(w, w.child(n, "type"))
	case "stable_type_identifier":
		return scalaBare(w.text(w.last(n)))
	case "annotated_type", "lazy_parameter_type":
		return scalaLastName(w, w.only(n))
	}
	return ""
}

// scalaGiven reads a value that the compiler gives, which may have no name.
func scalaGiven(w *walk, n int32) int32 {
	name := w.child(n, "name")
	s := w.top()
	read := func() int32 {
		fn := w.fn
		w.fn = &function{symbol: facts.None, returns: facts.None}
		w.open(scopeFunction)
		scalaTypeParameters(w, w.child(n, "type_parameters"))
		typ := int32(facts.None)
		for c := range w.kids(n) {
			switch {
			case w.is(c, "parameters") || w.is(c, "given_conditional"):
				scalaParameters(w, c)
			case w.field(c) == "return_type" && typ < 0:
				typ = w.value(w.visitType(c))
			case w.is(c, "with_template_body"):
				outer := scalaEnter(w, receiver{symbol: facts.None})
				scalaBody(w, c)
				outer()
			case !w.token(c) && c != name && !w.is(c, "modifiers") && !w.is(c, "type_parameters"):
				w.visit(c)
			}
		}
		w.close()
		w.fn = fn
		return typ
	}
	if !scalaNamed(w, name) {
		read()
		return facts.None
	}
	kind := code.KindVar
	if w.scopes[s].kind == scopeClass {
		kind = code.KindField
	}
	y := scalaSymbol(w, name, n, kind, facts.Exported|facts.Accessor)
	if w.isLocal(s) {
		w.symbols[y].Flags = facts.Local | facts.Accessor
	}
	w.bind(s, y, 0)
	w.document(y, w.start(n))
	w.within(y, func() { w.symbols[y].Type = read() })
	return facts.None
}

// scalaValue reads a val or a var.
func scalaValue(w *walk, n int32) int32 {
	s := w.top()
	local := w.isLocal(s)
	flags := facts.Local | facts.Accessor
	if !local {
		flags = scalaFlags(w, n) | facts.Accessor
	} else {
		scalaFlags(w, n)
	}
	pattern, written, body := w.child(n, "pattern"), w.child(n, "type"), w.child(n, "value")
	var names []int32
	switch {
	case pattern < 0:
		for c := range w.kids(n) {
			if w.field(c) == "name" && !w.token(c) {
				names = append(names, c)
			}
		}
		flags |= facts.Abstract
	case w.is(pattern, "identifiers"):
		for c := range w.kids(pattern) {
			if w.is(c, "identifier") {
				names = append(names, c)
			}
		}
	case w.is(pattern, "identifier") || w.is(pattern, "operator_identifier"):
		names = append(names, pattern)
	}
	if len(names) == 0 {
		typ := w.value(w.visitType(written))
		value := scalaGivenTo(w, body, typ)
		if typ < 0 {
			typ = value
		}
		scalaPattern(w, pattern, typ, flags)
		return facts.None
	}
	kind := code.KindVar
	if w.scopes[s].kind == scopeClass {
		kind = code.KindField
	}
	var all []int32
	for _, name := range names {
		if !scalaNamed(w, name) {
			continue
		}
		y := scalaSymbol(w, name, n, kind, flags)
		w.signature(y, scalaStart(w, n), facts.None)
		from := uint32(0)
		if local && !strings.Contains(w.text(w.childOf(n, "modifiers")), "lazy") {
			from = w.start(name)
		}
		w.bind(s, y, from)
		all = append(all, y)
	}
	if len(all) == 0 {
		return w.visitAll(n)
	}
	in, parent := w.in, w.parent
	if !local {
		w.document(all[0], w.start(n))
		w.in, w.parent = all[0], all[0]
	}
	typ := w.value(w.visitType(written))
	value := scalaGivenTo(w, body, typ)
	w.in, w.parent = in, parent
	for _, y := range all {
		setType(w, y, typ, value)
	}
	return facts.None
}

// scalaGivenTo reads a value for which a type is written, which may be None: a function is
// given what the type says.
func scalaGivenTo(w *walk, n, typ int32) int32 {
	switch {
	case n < 0:
		return facts.None
	case w.is(n, "lambda_expression"):
		return scalaLambda(w, n, typ)
	case w.is(n, "case_block"), w.is(n, "indented_cases"):
		return scalaPartial(w, n, typ)
	}
	placeholder, taken := w.scala().placeholder, w.scala().taken
	w.scala().placeholder, w.scala().taken = typ, 0
	v := w.visit(n)
	w.scala().placeholder, w.scala().taken = placeholder, taken
	return v
}

// scalaSelfType reads name: Type =>, which says what this is besides.
func scalaSelfType(w *walk, n int32) int32 {
	name := w.childOf(n, "identifier", "operator_identifier")
	typ := int32(facts.None)
	for c := range w.kids(n) {
		if c != name && !w.token(c) && !w.is(c, "wildcard") {
			typ = w.value(w.visitType(c))
		}
	}
	if typ >= 0 {
		w.scala().receivers = append(slices.Clip(w.scala().receivers), typ)
	}
	if !scalaNamed(w, name) || w.text(name) == "this" || w.text(name) == "_" {
		return facts.None
	}
	y := scalaSymbol(w, name, n, code.KindVar, facts.Local)
	w.bind(w.top(), y, 0)
	self := thisValue(w, n)
	if self >= 0 && typ >= 0 {
		self = w.expr(facts.OpBoth, self, typ)
	}
	w.symbols[y].Type = self
	return facts.None
}

// scalaBlock reads statements, whose value is that of the last one.
func scalaBlock(w *walk, n int32) int32 {
	outer := *w.scala()
	w.scala().placeholder = facts.None
	w.open(scopeBlock)
	last := int32(facts.None)
	for c := range w.kids(n) {
		if !w.token(c) {
			last = w.visit(c)
		}
	}
	w.close()
	*w.scala() = outer
	return last
}

func scalaAnnotation(w *walk, n int32) int32 {
	t := scalaTypeName(w, w.child(n, "name"), facts.RoleType)
	for c := range w.kids(n) {
		if w.is(c, "arguments") {
			scalaArguments(w, c, t)
		}
	}
	return facts.None
}
