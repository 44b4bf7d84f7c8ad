package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// scalaName reads a bare name. One that no scope around declares may be a member of what
// is imported from, or of what a class is besides.
func scalaName(w *walk, n int32, role facts.Role, args int) int32 {
	name := scalaBare(w.text(n))
	switch {
	case name == "":
		return facts.None
	case name == "this":
		return thisValue(w, n)
	case name == "super":
		return superValue(w, n)
	case len(w.scala().receivers) > 0 && (name[0] < 'A' || name[0] > 'Z'):
		if _, ok := scalaDeclared(w, name); !ok {
			return scalaMemberUse(w, n, scalaImplicit(w), role, args)
		}
	}
	return w.useIn(w.top(), name, scalaAt(w, n), role, args)
}

// scalaImplicit is what a bare name may be a member of.
func scalaImplicit(w *walk) int32 {
	state := w.scala()
	all := state.receivers
	innermost := all[len(all)-1]
	if e, ok := state.implicit[innermost]; ok {
		return e
	}
	e := int32(facts.None)
	for _, r := range all[max(0, len(all)-maxReceivers):] {
		e = w.expr(facts.OpElse, r, e)
	}
	if state.implicit == nil {
		state.implicit = map[int32]int32{}
	}
	state.implicit[innermost] = e
	return e
}

// scalaMember reads a member whose name is used in a role.
func scalaMember(w *walk, n int32, role facts.Role, args int) int32 {
	object, name := w.child(n, "value"), w.child(n, "field")
	if name < 0 {
		return w.visitAll(n)
	}
	if w.text(name) == "this" && w.is(object, "identifier") {
		return w.value(scalaTypeName(w, object, facts.RoleType))
	}
	return scalaSelect(w, name, w.visit(object), role, args)
}

// scalaBareMethods are methods of collections that take no arguments and are written
// without brackets: what they give is what a call does.
var scalaBareMethods = map[string]bool{
	"head": true, "last": true, "tail": true, "init": true, "get": true, "reverse": true, "iterator": true, "values": true, "distinct": true,
	"toList": true, "toSeq": true, "toVector": true, "toArray": true, "toSet": true, "toIndexedSeq": true, "headOption": true, "lastOption": true,
	"sorted": true, "toBuffer": true, "toIterator": true, "toStream": true, "view": true, "force": true, "par": true, "toIterable": true,
}

// scalaSelect is a member of a value.
func scalaSelect(w *walk, name, of int32, role facts.Role, args int) int32 {
	e := scalaMemberUse(w, name, of, role, args)
	if role == facts.RoleRead && of >= 0 && e >= 0 && scalaBareMethods[w.text(name)] {
		return w.expr(facts.OpUnion, w.expr(facts.OpCall, e, 0), e)
	}
	return e
}

// scalaCallee reads what a call calls. of is what it is a member of.
func scalaCallee(w *walk, n int32, count int) (f, of int32, name string) {
	switch w.kind(max(n, 0)) {
	case "identifier", "operator_identifier":
		return scalaName(w, n, facts.RoleCall, count), facts.None, scalaBare(w.text(n))
	case "field_expression":
		last := w.child(n, "field")
		if last < 0 || w.text(last) == "this" {
			break
		}
		of = w.visit(w.child(n, "value"))
		return scalaMemberUse(w, last, of, facts.RoleCall, count), of, scalaBare(w.text(last))
	case "generic_function":
		f, of, name = scalaCallee(w, w.child(n, "function"), count)
		return apply(w, f, w.child(n, "type_arguments")), of, name
	}
	return w.visit(n), facts.None, ""
}

func scalaGeneric(w *walk, n int32) int32 {
	f := w.visit(w.child(n, "function"))
	return apply(w, f, w.child(n, "type_arguments"))
}

func scalaCall(w *walk, n int32) int32 {
	callee, list := w.child(n, "function"), w.child(n, "arguments")
	f, of, name := scalaCallee(w, callee, scalaCount(w, list))
	if name == "copy" && of >= 0 && w.is(list, "arguments") { // its arguments are named like the fields
		w.given(f, scalaArguments(w, list, of))
		return w.expr(facts.OpUnion, w.of(facts.OpCall, f, 0), of)
	}
	switch w.kind(max(list, 0)) {
	case "arguments":
		w.given(f, scalaArguments(w, list, f))
	case "block", "case_block", "colon_argument":
		w.given(f, []int32{scalaBlockArgument(w, list, w.of(facts.OpArgument, f, 0))})
	}
	if w.is(callee, "instance_expression") { // further arguments of a constructor
		return f
	}
	return w.of(facts.OpCall, f, 0)
}

// scalaCount counts the arguments of a call; None where that is not known.
func scalaCount(w *walk, list int32) int {
	if !w.is(list, "arguments") {
		return 1
	}
	count := 0
	for a := range w.kids(list) {
		switch {
		case w.is(a, "using"), w.is(a, "ascription_expression") && strings.HasSuffix(w.text(a), "*"):
			return facts.None
		case !w.token(a):
			count++
		}
	}
	return count
}

// scalaArguments reads the arguments of a call of f, which may be None.
func scalaArguments(w *walk, list, f int32) []int32 {
	var all []int32
	i := int32(0)
	for a := range w.kids(list) {
		if w.token(a) {
			continue
		}
		given := w.of(facts.OpArgument, f, i)
		value := a
		if left := w.child(a, "left"); w.is(a, "assignment_expression") && w.is(left, "identifier") {
			given = scalaMemberUse(w, left, f, facts.RoleWrite, facts.None)
			value = w.child(a, "right")
		}
		all = append(all, scalaArgument(w, value, given))
		i++
	}
	return all
}

// scalaArgument reads an argument where one of the type of an expression is asked for,
// which may be None.
func scalaArgument(w *walk, n, given int32) int32 {
	for w.is(n, "parenthesized_expression") {
		n = w.only(n)
	}
	switch w.kind(max(n, 0)) {
	case "lambda_expression":
		return scalaLambda(w, n, given)
	case "block", "case_block":
		return scalaBlockArgument(w, n, given)
	case "wildcard": // of the function around
		return w.visit(n)
	}
	state := w.scala()
	placeholder, taken := state.placeholder, state.taken
	state.placeholder, state.taken = given, 0
	v := w.visit(n)
	if state.taken > 0 {
		v = w.expr(facts.OpFunc, v, facts.None)
	}
	state.placeholder, state.taken = placeholder, taken
	return v
}

// scalaBlockArgument reads a block that a function is given.
func scalaBlockArgument(w *walk, n, given int32) int32 {
	if w.is(n, "case_block") {
		return scalaPartial(w, n, given)
	}
	if w.is(n, "colon_argument") {
		return scalaColon(w, n, given)
	}
	if first := w.only(n); w.is(first, "lambda_expression") && first == w.last(n) {
		return scalaLambda(w, first, given)
	}
	return w.visit(n)
}

// scalaColon reads the indented block behind a colon, with the parameters of a function
// in front of it.
func scalaColon(w *walk, n, given int32) int32 {
	w.open(scopeFunction)
	outer := *w.scala()
	w.scala().placeholder = facts.None
	last, takes := int32(facts.None), []int32(nil)
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "bindings", "identifier":
			takes = scalaBindings(w, c, given)
		case "indented_cases":
			last = scalaPartial(w, c, given)
		case "indented_block":
			last = w.visit(c)
		}
	}
	*w.scala() = outer
	w.close()
	if takes == nil {
		return last
	}
	return w.expr(facts.OpFunc, last, w.tuple(takes))
}

// scalaPartial reads cases that a function is made of.
func scalaPartial(w *walk, n, given int32) int32 {
	return w.expr(facts.OpFunc, scalaCases(w, n, w.of(facts.OpArgument, given, 0)), w.tuple([]int32{facts.None}))
}

// scalaLambda reads (a, b) => c, which is given what a type says, which may be None.
func scalaLambda(w *walk, n, given int32) int32 {
	w.open(scopeFunction)
	scalaTypeParameters(w, w.child(n, "type_parameters"))
	outer := *w.scala()
	w.scala().placeholder = facts.None
	body := w.last(n)
	list := w.child(n, "parameters")
	if w.is(list, "implicit") { // a word in front of the name
		for c := range w.kids(n) {
			if c != body && w.is(c, "identifier") {
				list = c
			}
		}
	}
	takes := scalaBindings(w, list, given)
	value := int32(facts.None)
	if body != list {
		value = scalaGivenTo(w, body, facts.None)
	}
	*w.scala() = outer
	w.close()
	return w.expr(facts.OpFunc, value, w.tuple(takes))
}

// scalaBindings declares the parameters of a function without a name.
func scalaBindings(w *walk, n, given int32) (takes []int32) {
	declare := func(name, whole, typ int32) {
		i := int32(len(takes))
		if typ < 0 {
			typ = w.of(facts.OpArgument, given, i)
		}
		takes = append(takes, facts.None)
		if !scalaNamed(w, name) || w.text(name) == "_" {
			return
		}
		y := scalaSymbol(w, name, whole, code.KindParam, facts.Local|facts.Accessor)
		w.bind(w.top(), y, 0)
		w.symbols[y].Type = typ
	}
	if !w.is(n, "bindings") {
		declare(n, n, facts.None)
		return takes
	}
	for b := range w.kids(n) {
		if w.is(b, "binding") {
			declare(w.child(b, "name"), b, w.value(w.visitType(w.child(b, "type"))))
		}
	}
	return takes
}

// scalaWildcard reads the _ that makes a function of what stands around it.
func scalaWildcard(w *walk, n int32) int32 {
	state := w.scala()
	e := w.of(facts.OpArgument, state.placeholder, state.taken)
	state.taken++
	return e
}

// scalaInfix reads a op b, a call of a member. One whose name ends in a colon is of b.
func scalaInfix(w *walk, n int32) int32 {
	left, operator, right := w.child(n, "left"), w.child(n, "operator"), w.child(n, "right")
	if operator < 0 {
		return w.visitAll(n)
	}
	op := scalaBare(w.text(operator))
	if strings.HasSuffix(op, ":") && op != ":" {
		w.visit(left)
		of := w.visit(right)
		f := scalaMemberUse(w, operator, of, facts.RoleCall, 1)
		if op == "::" || op == "+:" || op == ":::" || op == "++:" {
			return of
		}
		return w.of(facts.OpCall, f, 0)
	}
	l := int32(facts.None)
	if scalaAssigns(op) && w.is(left, "identifier") {
		l = scalaName(w, left, facts.RoleWrite, facts.None)
	} else {
		l = w.visit(left)
	}
	switch op {
	case "&&", "||":
		w.branches++
		w.visit(right)
		return w.literal(facts.LiteralBool)
	case "==", "!=", "<", ">", "<=", ">=":
		w.visit(right)
		return w.literal(facts.LiteralBool)
	case "->":
		return w.tuple([]int32{l, w.visit(right)})
	}
	f := scalaMemberUse(w, operator, l, facts.RoleCall, scalaOperands(w, right))
	var r int32 = facts.None
	switch {
	case w.is(right, "colon_argument"):
		r = scalaColon(w, right, w.of(facts.OpArgument, f, 0))
	case w.is(right, "tuple_expression"): // arguments
		r = w.visit(right)
	case w.is(right, "parenthesized_expression"), w.is(right, "block"), w.is(right, "case_block"):
		r = scalaArgument(w, right, w.of(facts.OpArgument, f, 0))
	default:
		r = w.visit(right)
	}
	w.given(f, []int32{r})
	x, y := w.literalKind(l), w.literalKind(r)
	switch {
	case x == facts.LiteralString && op == "+":
		return w.literal(facts.LiteralString)
	case x >= facts.LiteralByte && x <= facts.LiteralDouble && y >= facts.LiteralByte && y <= facts.LiteralDouble:
		return w.literal(max(x, y, facts.LiteralInt))
	}
	return w.of(facts.OpCall, f, 0)
}

// scalaAssigns reports whether an operator changes the variable before it.
func scalaAssigns(op string) bool {
	switch op {
	case "==", "!=", "<=", ">=", "===", "=!=":
		return false
	}
	return strings.HasSuffix(op, "=") && !strings.HasPrefix(op, ":")
}

// scalaOperands counts what an operator is given: several values in brackets are several.
func scalaOperands(w *walk, right int32) int {
	if w.is(right, "tuple_expression") {
		return facts.None
	}
	return 1
}

func scalaPostfix(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	if first == last {
		return w.visit(first)
	}
	return scalaSelect(w, last, w.visit(first), facts.RoleRead, facts.None)
}

func scalaPrefix(w *walk, n int32) int32 {
	v := w.visit(w.only(n))
	if strings.HasPrefix(w.text(n), "!") {
		return w.literal(facts.LiteralBool)
	}
	return v
}

func scalaAssignment(w *walk, n int32) int32 {
	left := w.child(n, "left")
	switch w.kind(max(left, 0)) {
	case "identifier", "operator_identifier":
		scalaName(w, left, facts.RoleWrite, facts.None)
	case "field_expression":
		scalaMember(w, left, facts.RoleWrite, facts.None)
	default:
		w.visit(left)
	}
	w.visit(w.child(n, "right"))
	return facts.None
}

func scalaIf(w *walk, n int32) int32 {
	w.visit(w.child(n, "condition"))
	yes := w.visit(w.child(n, "consequence"))
	return w.union(yes, w.visit(w.child(n, "alternative")))
}

// scalaFor reads for (a <- b; c = d if e) yield f. What it yields are elements.
func scalaFor(w *walk, n int32) int32 {
	w.open(scopeBlock)
	body := w.child(n, "body")
	for c := range w.kids(n) {
		if !w.is(c, "enumerators") {
			continue
		}
		for e := range w.kids(c) {
			if w.is(e, "enumerator") {
				scalaEnumerator(w, e)
			}
		}
	}
	v := w.visit(body)
	w.close()
	if !w.has(n, "yield") {
		return facts.None
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, v)
}

func scalaEnumerator(w *walk, n int32) {
	pattern, value := int32(facts.None), int32(facts.None)
	var guards []int32
	for c := range w.kids(n) {
		switch {
		case w.token(c):
		case w.is(c, "guard"):
			guards = append(guards, c)
		case pattern < 0:
			pattern = c
		default:
			value = c
		}
	}
	if value >= 0 {
		v := w.visit(value)
		if !w.has(n, "=") {
			v = w.of(facts.OpElem, v, 0)
		}
		scalaPattern(w, pattern, v, facts.Local|facts.Accessor)
	}
	for _, g := range guards {
		w.visit(g)
	}
}

func scalaMatch(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "value"))
	return scalaCases(w, w.child(n, "body"), v)
}

// scalaCases reads the cases that a value is compared with, which may be None.
func scalaCases(w *walk, n, value int32) int32 {
	either := int32(facts.None)
	for c := range w.kids(n) {
		if w.is(c, "case_clause") {
			w.branches++
			either = w.union(either, scalaClause(w, c, value))
		}
	}
	return either
}

// scalaClause reads one case.
func scalaClause(w *walk, n, value int32) int32 {
	outer := *w.scala()
	w.scala().placeholder = facts.None
	w.open(scopeBlock)
	pattern, last := w.child(n, "pattern"), int32(facts.None)
	scalaPattern(w, pattern, value, facts.Local|facts.Accessor)
	for c := range w.kids(n) {
		if c != pattern && !w.token(c) {
			last = w.visit(c)
		}
	}
	w.close()
	*w.scala() = outer
	return last
}

func scalaCatch(w *walk, n int32) int32 {
	if pattern := w.child(n, "pattern"); pattern >= 0 {
		return scalaClause(w, n, facts.None)
	}
	return w.visit(w.only(n))
}

// scalaNew reads new Type(arguments) { members }.
func scalaNew(w *walk, n int32) int32 {
	typ, list, count := int32(facts.None), w.childOf(n, "arguments"), int(facts.None)
	if list >= 0 {
		count = scalaCount(w, list)
	}
	body := w.childOf(n, "template_body")
	for c := range w.kids(n) {
		switch {
		case w.token(c) || c == body:
		case c == list:
			w.given(typ, scalaArguments(w, c, typ))
		case w.is(c, "compound_type"):
			typ = scalaNewCompound(w, c)
		case typ < 0:
			typ = scalaConstructed(w, c, count)
		default:
			w.visitType(c)
		}
	}
	v := w.value(typ)
	if body >= 0 {
		receivers := w.scala().receivers
		outer := scalaEnter(w, receiver{facts.OpValue, v})
		if v >= 0 {
			w.scala().receivers = append(slices.Clip(receivers), v)
		}
		scalaBody(w, body)
		outer()
	}
	return v
}

// scalaConstructed reads the type of which a value is made.
func scalaConstructed(w *walk, n int32, count int) int32 {
	from := len(w.uses)
	t := scalaTypeName(w, n, facts.RoleCall)
	for i := from; i < len(w.uses); i++ {
		if w.uses[i].Role == facts.RoleCall {
			w.uses[i].Args = argCount(count)
		}
	}
	return t
}

func scalaNewCompound(w *walk, n int32) int32 {
	typ := int32(facts.None)
	for c := range w.kids(n) {
		switch {
		case w.token(c):
		case w.is(c, "refinement"):
			w.visit(c)
		case typ < 0:
			typ = scalaConstructed(w, c, facts.None)
		default:
			if t := w.visitType(c); t >= 0 {
				typ = w.expr(facts.OpBoth, typ, t)
			}
		}
	}
	return typ
}

// scalaAscription reads value: Type.
func scalaAscription(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	if first == last || w.is(last, "annotation") {
		w.visitAll(n)
		return facts.None
	}
	v := w.visit(first)
	t := w.value(w.visitType(last))
	if t < 0 || w.is(last, "repeated_parameter_type") {
		return v
	}
	return t
}

func scalaReturn(w *walk, n int32) int32 {
	w.visit(w.only(n))
	return facts.None
}

// scalaInterpolated reads s"$a ${b}".
func scalaInterpolated(w *walk, n int32) int32 {
	by := w.child(n, "interpolator")
	name := w.text(by)
	plain := name == "s" || name == "f" || name == "raw"
	if by >= 0 && !plain {
		scalaMemberUse(w, by, facts.None, facts.RoleCall, facts.None)
	}
	w.visitOther(n, by)
	if !plain {
		return facts.None
	}
	return w.literal(facts.LiteralString)
}

// scalaNumber reads a number, whose last letter may say its type.
func scalaNumber(w *walk, n int32) int32 {
	text := strings.ToLower(w.text(n))
	switch {
	case strings.HasSuffix(text, "l"):
		return w.literal(facts.LiteralLong)
	case w.is(n, "floating_point_literal") && strings.HasSuffix(text, "f"):
		return w.literal(facts.LiteralFloat)
	case w.is(n, "floating_point_literal"):
		return w.literal(facts.LiteralDouble)
	}
	return w.literal(facts.LiteralInt)
}

// scalaPattern reads a pattern that a value is compared with, which may be None, and
// declares its variables. It returns what the value is where the pattern fits.
func scalaPattern(w *walk, n, value int32, flags facts.Flags) int32 {
	switch w.kind(max(n, 0)) {
	case "identifier":
		scalaBinder(w, n, n, value, flags)
	case "stable_identifier":
		scalaStable(w, n)
	case "capture_pattern":
		name := w.child(n, "name")
		value = scalaPattern(w, w.child(n, "pattern"), value, flags)
		scalaBinder(w, name, n, value, flags)
	case "typed_pattern":
		value = w.value(w.visitType(w.child(n, "type")))
		scalaPattern(w, w.child(n, "pattern"), value, flags)
	case "tuple_pattern":
		scalaParts(w, n, value, flags)
	case "case_class_pattern":
		return scalaTaken(w, n, flags)
	case "named_tuple_pattern":
		for c := range w.kids(n) {
			scalaNamedPattern(w, c, facts.None, flags)
		}
	case "infix_pattern":
		scalaInfixPattern(w, n, value, flags)
	case "alternative_pattern":
		for c := range w.kids(n) {
			if !w.token(c) {
				scalaPattern(w, c, value, flags)
			}
		}
	case "repeat_pattern":
		scalaPattern(w, w.child(n, "pattern"), facts.None, flags)
	case "wildcard":
	default:
		w.visit(n)
	}
	return value
}

// scalaTaken reads Type(a, b), which takes a value apart, and returns the value.
func scalaTaken(w *walk, n int32, flags facts.Flags) int32 {
	name := w.child(n, "type")
	t := w.value(scalaExtractor(w, name))
	i := int32(0)
	for c := range w.kids(n) {
		switch {
		case c == name || w.token(c):
			continue
		case w.is(c, "named_pattern"):
			scalaNamedPattern(w, c, t, flags)
		default:
			scalaPattern(w, c, w.of(facts.OpResult, t, i), flags)
		}
		i++
	}
	return t
}

// scalaParts reads the patterns of the parts of a value.
func scalaParts(w *walk, n, value int32, flags facts.Flags) {
	i := int32(0)
	for c := range w.kids(n) {
		if !w.token(c) {
			scalaPattern(w, c, w.of(facts.OpResult, value, i), flags)
			i++
		}
	}
}

// scalaInfixPattern reads head :: tail and the like.
func scalaInfixPattern(w *walk, n, value int32, flags facts.Flags) {
	operator := w.child(n, "operator")
	left, right := int32(facts.None), int32(facts.None)
	switch op := w.text(operator); op {
	case "::", "+:":
		left, right = w.of(facts.OpElem, value, 0), value
	case ":+":
		left, right = value, w.of(facts.OpElem, value, 0)
	case "|":
		left, right = value, value
	default:
		if operator >= 0 {
			scalaExtractor(w, operator)
		}
	}
	scalaPattern(w, w.child(n, "left"), left, flags)
	scalaPattern(w, w.child(n, "right"), right, flags)
}

// scalaNamedPattern reads field = pattern.
func scalaNamedPattern(w *walk, n, of int32, flags facts.Flags) {
	name := w.only(n)
	e := scalaMemberUse(w, name, of, facts.RoleRead, facts.None)
	for c := range w.kids(n) {
		if c != name && !w.token(c) {
			scalaPattern(w, c, e, flags)
		}
	}
}

// scalaExtractor reads what takes a value apart: mostly a class, or else a variable that
// holds such a thing.
func scalaExtractor(w *walk, n int32) int32 {
	if d, ok := scalaDeclared(w, scalaBare(w.text(n))); ok && d.bind == facts.BindSymbol && !w.symbols[d.target].Kind.IsType() {
		return scalaName(w, n, facts.RoleRead, facts.None)
	}
	return scalaTypeName(w, n, facts.RoleType)
}

// scalaBinder declares the variable of a pattern. A name with an upper-case letter or in
// quotes is that of a constant.
func scalaBinder(w *walk, n, whole, value int32, flags facts.Flags) {
	text := w.text(n)
	switch {
	case text == "" || text == "_":
		return
	case text[0] == '`' || n == whole && text[0] >= 'A' && text[0] <= 'Z':
		scalaName(w, n, facts.RoleRead, facts.None)
		return
	}
	kind, from := code.KindVar, w.start(n)
	if flags&facts.Local == 0 {
		from = 0
		if w.scopes[w.top()].kind == scopeClass {
			kind = code.KindField
		}
	}
	y := scalaSymbol(w, n, whole, kind, flags)
	w.bind(w.top(), y, from)
	setType(w, y, facts.None, value)
}
