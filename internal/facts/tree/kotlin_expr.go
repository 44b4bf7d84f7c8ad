package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// kotlinName reads a bare name. One that no function around declares may be a
// member of what a block or an extension runs on.
func kotlinName(w *walk, n int32, role facts.Role, args int) int32 {
	name := kotlinBare(w.text(n))
	if name == "" {
		return facts.None
	}
	if kotlinVisible(w, n, name, role) {
		return kotlinKnown(w, name, kotlinUse(w, n, role, args))
	}
	switch {
	case name == "true" || name == "false":
		return w.literal(facts.LiteralBool)
	case name == "null":
		return w.literal(facts.LiteralNull)
	case name == "break" || name == "continue" || name == "field" && w.kotlin().accessor:
		return facts.None
	case name == "it" && w.kotlin().it >= 0:
		return kotlinKnown(w, name, w.kotlin().it)
	case w.kotlin().own[name] && len(w.kotlin().receivers) == w.kotlin().around:
		return kotlinKnown(w, name, kotlinUse(w, n, role, args))
	case len(w.kotlin().receivers) > 0 && (name[0] < 'A' || name[0] > 'Z'):
		return kotlinKnown(w, name, kotlinMemberUse(w, n, kotlinImplicit(w), role, args))
	}
	return kotlinKnown(w, name, kotlinUse(w, n, role, args))
}

// kotlinImplicit is what a bare name may be a member of: what the innermost block
// runs on, else what those around it do.
func kotlinImplicit(w *walk) int32 {
	state := w.kotlin()
	all := state.receivers
	innermost := all[len(all)-1]
	if e, ok := state.implicit[innermost]; ok && innermost >= 0 {
		return e
	}
	e := int32(facts.None)
	for _, r := range all[max(0, len(all)-maxReceivers):] {
		if r >= 0 {
			e = w.expr(facts.OpElse, r, e)
		}
	}
	if e < 0 {
		e = w.expr(facts.OpElse, facts.None, facts.None)
	}
	if state.implicit == nil {
		state.implicit = map[int32]int32{}
	}
	state.implicit[innermost] = e
	return e
}

// Bounds of what is looked through for a name.
const (
	maxReceivers = 8  // blocks within each other that run on something
	maxCasts     = 64 // tests that hold at a place
)

// kotlinVisible reports whether a function around a use declares its name before it. Those
// around a class within a function are seen there, too.
func kotlinVisible(w *walk, n int32, name string, role facts.Role) bool {
	for i := w.top(); i > 0; i-- {
		if w.scopes[i].kind == scopeClass {
			continue
		}
		d, ok := w.declaredIn(i, name)
		if !ok || d.from > w.start(n) {
			continue
		}
		if d.bind != facts.BindSymbol || role != facts.RoleCall {
			return true
		}
		y := &w.symbols[d.target]
		if y.Kind.IsFunc() || y.Kind.IsType() || y.Flags&facts.Accessor != 0 {
			return true
		}
	}
	return false
}

// kotlinKnown is an expression of a variable with what tests say of it.
func kotlinKnown(w *walk, name string, e int32) int32 {
	all := w.kotlin().casts
	for _, c := range slices.Backward(all[max(0, len(all)-maxCasts):]) {
		if c.name == name {
			return w.expr(facts.OpNarrow, e, c.typ)
		}
	}
	return e
}

// kotlinMember reads a member whose name is used in a role.
func kotlinMember(w *walk, n int32, role facts.Role, args int) int32 {
	object, name := w.only(n), w.last(n)
	if w.is(object, "callable_reference") && w.only(object) == w.last(object) && w.text(name) == "isInitialized" { // ::property
		kotlinName(w, w.last(object), facts.RoleRead, facts.None)
		return w.literal(facts.LiteralBool)
	}
	of := w.visit(kotlinOperand(w, object))
	if op := w.text(w.child(object, "operator")); op == "++" || op == "--" { // ++a.b
		role = facts.RoleWrite
	}
	switch {
	case name == object || !w.is(name, "identifier"):
		return of
	case w.has(n, "::") && w.text(name) == "class":
		return w.literal(facts.LiteralMirror)
	case w.text(name) == "Companion":
		return of
	}
	e := kotlinMemberUse(w, name, of, role, args)
	if len(w.kotlin().casts) == 0 {
		return e
	}
	return kotlinKnown(w, kotlinPath(w, n), e)
}

// maxKotlinPath bounds the names of a path.
const maxKotlinPath = 8

// kotlinPath is what a test may say something of: a, a.b, this or this.a, else nothing.
func kotlinPath(w *walk, n int32) string {
	var names []string
	for range maxKotlinPath {
		switch {
		case w.is(n, "parenthesized_expression"):
			n = w.only(n)
		case w.is(n, "navigation_expression") && !w.has(n, "::") && w.is(w.last(n), "identifier") && w.only(n) != w.last(n):
			names = append(names, kotlinBare(w.text(w.last(n))))
			n = kotlinOperand(w, w.only(n))
		case w.is(n, "this_expression"):
			if label := w.childOf(n, "identifier"); label >= 0 && !kotlinIsInnermost(w, kotlinBare(w.text(label))) {
				return ""
			}
			names = append(names, kotlinThisName)
			slices.Reverse(names)
			return strings.Join(names, ".")
		case w.is(n, "identifier"):
			names = append(names, kotlinBare(w.text(n)))
			slices.Reverse(names)
			return strings.Join(names, ".")
		default:
			return ""
		}
	}
	return ""
}

// kotlinIsInnermost reports whether this@label is what this is here.
func kotlinIsInnermost(w *walk, label string) bool {
	state := w.kotlin()
	n := len(state.receivers)
	for _, c := range slices.Backward(state.casts) { // what tests say of it is above it
		if n > 0 && c.name == kotlinThisName && c.typ == state.receivers[n-1] {
			n--
		}
	}
	if n > 0 {
		last := len(state.labels) - 1
		return last >= 0 && state.labels[last].name == label && state.labels[last].this == state.receivers[n-1]
	}
	return w.this.op == facts.OpThis && w.this.symbol >= 0 && w.symbols[w.this.symbol].Name == label
}

// cast notes that a variable is of a type here. What this is has members.
func (s *kotlinState) cast(name string, typ int32) {
	s.casts = append(s.casts, kotlinCast{name, typ})
	if name == kotlinThisName {
		s.receivers = append(slices.Clip(s.receivers), typ)
	}
}

// kotlinThisName is the name of what a function runs on.
const kotlinThisName = "this"

// uncast forgets all but the first n of what tests say.
func (s *kotlinState) uncast(n int) {
	for _, c := range s.casts[n:] {
		if n := len(s.receivers); c.name == kotlinThisName && n > 0 {
			s.receivers = s.receivers[:n-1]
		}
	}
	s.casts = s.casts[:n]
}

// kotlinReference reads ::name, Type::name and Type::class.
func kotlinReference(w *walk, n int32) int32 {
	last, first := w.last(n), w.only(n)
	if first == last && w.is(last, "identifier") {
		return kotlinName(w, last, facts.RoleCall, facts.None)
	}
	of := w.visitType(first)
	if !w.is(last, "identifier") || first == last {
		return w.literal(facts.LiteralMirror)
	}
	return kotlinMemberUse(w, last, of, facts.RoleRead, facts.None)
}

// kotlinPieces are the parts of a call: what is called, its type arguments, its
// arguments and the block behind them.
func kotlinPieces(w *walk, n int32) (callee, types, list, block int32) {
	callee, types, list = kotlinOperand(w, w.only(n)), w.childOf(n, "type_arguments"), w.childOf(n, "value_arguments")
	block = w.childOf(n, "annotated_lambda")
	if block >= 0 && list < 0 && w.is(callee, "call_expression") && w.childOf(callee, "annotated_lambda") < 0 {
		inner := callee
		callee, types, list = kotlinOperand(w, w.only(inner)), w.childOf(inner, "type_arguments"), w.childOf(inner, "value_arguments")
	}
	return callee, types, list, block
}

func kotlinCall(w *walk, n int32) int32 {
	if v, ok := kotlinInstead(w, n); ok {
		return v
	}
	callee, types, list, block := kotlinPieces(w, n)
	count := countArguments(w, list)
	if block >= 0 {
		count++
	}
	for a := range w.kids(list) {
		if w.is(w.only(a), "spread_expression") || w.has(a, "*") {
			count = facts.None
			break
		}
	}
	of, f, name := kotlinCallee(w, callee, count)
	called := apply(w, f, types)
	if name == "copy" && of >= 0 { // its arguments are named like the properties
		w.given(called, kotlinArguments(w, list, of))
		return w.expr(facts.OpElse, w.of(facts.OpCall, called, 0), of)
	}
	if name == "invoke" && of >= 0 { // of a function, the same as a call of it
		called = of
	}
	given := kotlinArguments(w, list, f)
	w.given(called, given)
	if block >= 0 && count == facts.None {
		w.behind(called)
	}
	if block >= 0 {
		return kotlinWithBlock(w, block, kotlinBlockCall{name: name, of: of, f: called, given: given})
	}
	return w.of(facts.OpCall, called, 0)
}

// kotlinCallee reads what a call with some arguments calls, and what that is a member of.
func kotlinCallee(w *walk, callee int32, args int) (of, f int32, name string) {
	switch w.kind(max(callee, 0)) {
	case "identifier":
		return facts.None, kotlinName(w, callee, facts.RoleCall, args), w.text(callee)
	case "navigation_expression":
		last := w.last(callee)
		of = w.visit(kotlinOperand(w, w.only(callee)))
		return of, kotlinMemberUse(w, last, of, facts.RoleCall, args), w.text(last)
	}
	return facts.None, w.visit(callee), ""
}

// kotlinBlockCall is a call with a block behind it.
type kotlinBlockCall struct {
	name  string
	of, f int32
	given []int32
}

// kotlinWithBlock reads the block of a call and says what the call gives. Those of
// the standard library run on their receiver or pass it.
func kotlinWithBlock(w *walk, block int32, c kotlinBlockCall) int32 {
	lambda := block
	if !w.is(block, "lambda_literal") {
		lambda = w.last(block)
	}
	visit := func(it, this int32) int32 {
		if !w.is(lambda, "lambda_literal") {
			return w.visit(block)
		}
		if lambda != block {
			w.visitOther(block, lambda)
		}
		defer func(was []kotlinLabel) { w.kotlin().labels = was }(w.kotlin().labels)
		if this >= 0 {
			w.kotlin().labels = append(slices.Clip(w.kotlin().labels), kotlinLabel{c.name, this})
		}
		return kotlinLambda(w, lambda, kotlinGiven{it, this})
	}
	result := func(closure int32) int32 {
		if closure >= 0 && w.exprs[closure].Op == facts.OpFunc {
			return w.exprs[closure].X
		}
		return facts.None
	}
	if c.of < 0 && (c.name == "apply" || c.name == "also" || c.name == "let") {
		c.of = kotlinSelf(w)
	}
	switch {
	case c.of >= 0 && (c.name == "let" || c.name == "use"):
		return result(visit(c.of, facts.None))
	case c.of >= 0 && (c.name == "also" || c.name == "takeIf" || c.name == "takeUnless" || c.name == "onEach"):
		if c.name == "onEach" {
			visit(w.of(facts.OpElem, c.of, 0), facts.None)
		} else {
			visit(c.of, facts.None)
		}
		return c.of
	case c.of >= 0 && c.name == "apply":
		visit(facts.None, c.of)
		return c.of
	case c.of >= 0 && c.name == "run":
		return result(visit(facts.None, c.of))
	case c.of < 0 && c.name == "with" && len(c.given) == 1:
		return result(visit(facts.None, c.given[0]))
	case c.of < 0 && (c.name == "run" || c.name == "lazy" || c.name == "synchronized" || c.name == "runBlocking" || c.name == "remember"):
		return result(visit(facts.None, facts.None))
	}
	given := kotlinGivenBy(w, w.of(facts.OpBlock, c.f, 0))
	visit(given.it, given.this)
	return w.of(facts.OpCall, c.f, 0)
}

// kotlinSelf is what this means here: what the innermost block runs on, else the
// value of the class around.
func kotlinSelf(w *walk) int32 {
	e := thisValue(w, 0)
	for _, r := range w.kotlin().receivers {
		switch {
		case r >= 0 && w.exprs[r].Op == facts.OpSelf:
			e = w.expr(facts.OpElse, r, e)
		default:
			e = r
		}
	}
	return e
}

// kotlinArguments reads the arguments of a call of f, which may be None.
func kotlinArguments(w *walk, list, f int32) []int32 {
	var all []int32
	i := int32(0)
	for a := range w.kids(list) {
		name, value := w.childOf(a, "identifier"), w.last(a)
		if !w.has(a, "=") {
			name = facts.None
		}
		block := w.of(facts.OpArgument, f, i)
		if name >= 0 && name != value {
			block = kotlinMemberUse(w, name, f, facts.RoleWrite, facts.None)
			for c := range w.kids(a) {
				if c != name && c != value {
					w.visit(c)
				}
			}
		}
		all = append(all, kotlinValue(w, value, block))
		i++
	}
	return all
}

// kotlinGiven is what a block is given: the value of it or of its first parameter,
// and what it runs on.
type kotlinGiven struct{ it, this int32 }

// kotlinGivenBy is what a block is given where a function of the type of an expression
// is asked for, which may be None.
func kotlinGivenBy(w *walk, function int32) kotlinGiven {
	return kotlinGiven{w.of(facts.OpArgument, function, 0), w.of(facts.OpSelf, function, 0)}
}

// kotlinValue reads what a type is written for, which may be None: a block is given what
// the type says.
func kotlinValue(w *walk, n, typ int32) int32 {
	if w.is(n, "lambda_literal") {
		return kotlinLambda(w, n, kotlinGivenBy(w, typ))
	}
	return w.visit(n)
}

// kotlinLambda reads { a, b -> ... }.
func kotlinLambda(w *walk, n int32, given kotlinGiven) int32 {
	state := w.kotlin()
	it, receivers := state.it, state.receivers
	if given.this >= 0 {
		state.receivers = append(slices.Clip(receivers), given.this)
	}
	w.open(scopeFunction)
	list := w.childOf(n, "lambda_parameters")
	switch {
	case list >= 0:
	case given.this < 0:
		state.it = given.it
	case given.it >= 0 && it >= 0: // of a block that is given nothing it is that of the block around
		state.it = w.expr(facts.OpElse, given.it, it)
	case given.it >= 0:
		state.it = given.it
	}
	var takes []int32
	for p := range w.kids(list) {
		at := int32(len(takes))
		value := given.it
		if at > 0 && given.it >= 0 && w.exprs[given.it].Op == facts.OpArgument {
			value = w.expr(facts.OpArgument, w.exprs[given.it].X, at)
		} else if at > 0 {
			value = facts.None
		}
		if w.is(p, "multi_variable_declaration") {
			kotlinDestructured(w, p, value, w.start(p))
		} else if w.is(p, "variable_declaration") {
			kotlinParameter(w, p, value)
		}
		if !w.token(p) {
			takes = append(takes, facts.None)
		}
	}
	from, last := len(state.casts), int32(facts.None)
	for c := range w.kids(n) {
		if c != list && !w.token(c) {
			last = w.visit(c)
			kotlinLeft(w, c)
		}
	}
	state.uncast(from)
	w.close()
	state.it, state.receivers = it, receivers
	return w.expr(facts.OpFunc, last, w.tuple(takes))
}

// kotlinParameter declares a parameter of a block.
func kotlinParameter(w *walk, n, value int32) {
	from := len(w.symbols)
	kotlinVariable(w, n, value, w.start(n))
	if len(w.symbols) > from {
		w.symbols[from].Kind = code.KindParam
	}
}

func kotlinInfix(w *walk, n int32) int32 {
	var parts []int32
	for c := range w.kids(n) {
		parts = append(parts, c)
	}
	if len(parts) != 3 || !w.is(parts[1], "identifier") {
		return w.visitAll(n)
	}
	of := w.visit(parts[0])
	f := kotlinMemberUse(w, parts[1], of, facts.RoleCall, 1)
	w.given(f, []int32{w.visit(parts[2])})
	return w.of(facts.OpCall, f, 0)
}

func kotlinIndex(w *walk, n int32) int32 {
	first := w.only(n)
	v := w.visit(kotlinOperand(w, first))
	w.visitOther(n, first)
	return w.of(facts.OpElem, v, 0)
}

func kotlinAssignment(w *walk, n int32) int32 {
	kotlinTarget(w, w.child(n, "left"))
	w.visit(w.child(n, "right"))
	return facts.None
}

// kotlinTarget reads the target of an assignment.
func kotlinTarget(w *walk, n int32) int32 {
	switch {
	case w.is(n, "identifier"):
		return kotlinName(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "navigation_expression"):
		return kotlinMember(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "parenthesized_expression"):
		return kotlinTarget(w, w.only(n))
	}
	return w.visit(n)
}

// kotlinOperand is what stands behind the signs in front of an expression. The grammar takes
// !a.b for (!a).b, but a call, an index and the name of a member come first.
func kotlinOperand(w *walk, n int32) int32 {
	for w.is(n, "unary_expression") && w.start(w.child(n, "operator")) == w.start(n) {
		n = w.child(n, "argument")
	}
	return n
}

func kotlinUnary(w *walk, n int32) int32 {
	operator, argument := w.text(w.child(n, "operator")), w.child(n, "argument")
	if operator == "!!" {
		return w.visit(kotlinOperand(w, argument))
	}
	if operator == "++" || operator == "--" {
		return kotlinTarget(w, argument)
	}
	v := w.visit(argument)
	if operator == "!" {
		return w.literal(facts.LiteralBool)
	}
	return v
}

func kotlinBinary(w *walk, n int32) int32 {
	if t, ok := kotlinTyped(w, n); ok {
		return kotlinReadTyped(w, t)
	}
	operator, l, r := w.text(w.child(n, "operator")), w.child(n, "left"), w.child(n, "right")
	left := w.visit(l)
	from := len(w.kotlin().casts)
	switch operator {
	case "&&", "||":
		w.branches++
		kotlinTested(w, l, operator == "&&")
		w.visit(r)
		w.kotlin().uncast(from)
		return w.literal(facts.LiteralBool)
	case "?:":
		w.branches++
		return w.union(left, w.visit(r))
	}
	right := w.visit(r)
	switch operator {
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=":
		return w.literal(facts.LiteralBool)
	}
	x, y := w.literalKind(left), w.literalKind(right)
	switch {
	case x == facts.LiteralString:
		return w.literal(facts.LiteralString)
	case x >= facts.LiteralByte && y >= facts.LiteralByte:
		return w.literal(max(x, y, facts.LiteralInt))
	}
	return left
}

// maxKotlinTests bounds the operators within each other that tests are looked for in.
const maxKotlinTests = 20

// kotlinTested notes what a condition that holds, or that does not, says of variables.
func kotlinTested(w *walk, n int32, holds bool) {
	for range maxKotlinTests {
		switch {
		case w.is(n, "parenthesized_expression"):
			n = w.only(n)
		case w.is(n, "unary_expression") && w.text(w.child(n, "operator")) == "!":
			n, holds = w.child(n, "argument"), !holds
		case w.is(n, "binary_expression") && (w.text(w.child(n, "operator")) == "&&") == holds && (holds || w.text(w.child(n, "operator")) == "||"):
			kotlinTest(w, w.child(n, "right"), holds)
			n = w.child(n, "left")
		default:
			kotlinTest(w, n, holds)
			return
		}
	}
}

// kotlinTest notes the test x is T of a condition.
func kotlinTest(w *walk, n int32, holds bool) {
	left := w.child(n, "left")
	if !w.is(n, "is_expression") || w.has(n, "!is") == holds {
		return
	}
	path := kotlinPath(w, left)
	if typ, ok := w.kotlin().typeAt(w.start(n)); ok && path != "" {
		w.kotlin().cast(path, typ)
	}
}

func kotlinIs(w *walk, n int32) int32 {
	w.visit(w.child(n, "left"))
	typ := w.value(w.visitType(w.child(n, "right")))
	w.kotlin().tests = append(w.kotlin().tests, kotlinTestAt{w.start(n), typ})
	return w.literal(facts.LiteralBool)
}

// kotlinTestAt is the type that a test at a byte asks about.
type kotlinTestAt struct {
	at  uint32
	typ int32
}

// typeAt is the type that the test at a byte asks about. Tests are looked for soon
// after they are read.
func (s *kotlinState) typeAt(at uint32) (typ int32, ok bool) {
	for _, t := range slices.Backward(s.tests[max(0, len(s.tests)-maxKotlinTests):]) {
		if t.at == at {
			return t.typ, t.typ >= 0
		}
	}
	return facts.None, false
}

func kotlinIf(w *walk, n int32) int32 {
	condition := w.child(n, "condition")
	w.visit(condition)
	from, either := len(w.kotlin().casts), int32(facts.None)
	holds := true
	for c := range w.kids(n) {
		switch {
		case c == condition:
		case w.token(c):
			holds = holds && w.text(c) != "else"
		default:
			kotlinTested(w, condition, holds)
			either = w.union(either, w.visit(c))
			w.kotlin().uncast(from)
		}
	}
	return either
}

// kotlinBlock reads statements. What follows an if that leaves the block runs
// where its condition does not hold.
func kotlinBlock(w *walk, n int32) int32 {
	w.open(scopeBlock)
	from, last := len(w.kotlin().casts), int32(facts.None)
	for c := range w.kids(n) {
		last = w.visit(c)
		kotlinLeft(w, c)
	}
	w.kotlin().uncast(from)
	w.close()
	return last
}

// kotlinLeft notes what holds behind a statement that leaves what is around it if a
// condition holds.
func kotlinLeft(w *walk, n int32) {
	if w.is(n, "if_expression") && !w.has(n, "else") && kotlinLeaves(w, w.last(n)) {
		kotlinTested(w, w.child(n, "condition"), false)
	}
}

// kotlinLeaves reports whether nothing runs after a statement.
func kotlinLeaves(w *walk, n int32) bool {
	if w.is(n, "block") {
		n = w.last(n)
	}
	return w.is(n, "return_expression") || w.is(n, "throw_expression") || w.text(n) == "continue" || w.text(n) == "break"
}

func kotlinWhen(w *walk, n int32) int32 {
	w.open(scopeBlock)
	subject := w.childOf(n, "when_subject")
	tested := kotlinSubject(w, subject)
	either := int32(facts.None)
	for entry := range w.kids(n) {
		if entry != subject && w.is(entry, "when_entry") {
			either = w.union(either, kotlinEntryOf(w, entry, tested))
		}
	}
	w.close()
	return either
}

// kotlinSubject reads what a when compares, and names the variable.
func kotlinSubject(w *walk, n int32) string {
	if n < 0 {
		return ""
	}
	declared, last := w.childOf(n, "variable_declaration"), w.last(n)
	v := w.visit(last)
	if declared >= 0 {
		kotlinVariable(w, declared, v, w.end(n))
		return kotlinBare(w.text(w.childOf(declared, "identifier")))
	}
	return kotlinPath(w, last)
}

// kotlinEntryOf reads one entry of a when over a variable, which may have no name.
func kotlinEntryOf(w *walk, n int32, tested string) int32 {
	from := len(w.kotlin().casts)
	var condition int32 = facts.None
	count := 0
	body := w.last(n)
	for c := range w.kids(n) {
		if c == body {
			break
		}
		if w.field(c) != "condition" {
			w.visit(c)
			continue
		}
		if count == 1 && strings.TrimSpace(w.src[w.end(condition):w.start(c)]) == "if" {
			w.visit(c) // a guard
			continue
		}
		condition, count = c, count+1
		if !w.is(c, "type_test") {
			w.visit(c)
		} else if typ := w.value(w.visitType(w.only(c))); typ >= 0 && tested != "" && w.has(c, "is") {
			w.kotlin().cast(tested, typ)
		}
	}
	if count > 0 {
		w.branches++
	}
	switch {
	case count != 1:
		w.kotlin().uncast(from)
	case tested == "":
		kotlinTested(w, condition, true)
	}
	v := w.visit(body)
	w.kotlin().uncast(from)
	return v
}

func kotlinFor(w *walk, n int32) int32 {
	w.open(scopeBlock)
	after, element := false, int32(facts.None)
	declared := w.childOf(n, "variable_declaration", "multi_variable_declaration")
	for c := range w.kids(n) {
		switch {
		case c == declared:
		case w.token(c):
			after = after || w.text(c) == "in"
		case after:
			after = false
			element = w.of(facts.OpElem, w.visit(c), 0)
			if w.is(declared, "variable_declaration") {
				kotlinVariable(w, declared, element, w.end(c))
			} else {
				kotlinDestructured(w, declared, element, w.end(c))
			}
		default:
			w.visit(c)
		}
	}
	w.close()
	return facts.None
}

func kotlinCatch(w *walk, n int32) int32 {
	w.open(scopeBlock)
	name, typ := w.childOf(n, "identifier"), int32(facts.None)
	for c := range w.kids(n) {
		if kotlinIsType(w, c) {
			typ = w.value(w.visitType(c))
		}
	}
	if kotlinNamed(w, name) {
		y := kotlinSymbol(w, name, name, code.KindVar, facts.Local)
		w.symbols[y].Type = typ
		w.bind(w.top(), y, 0)
	}
	v := w.visit(w.childOf(n, "block"))
	w.close()
	return v
}

func kotlinReturn(w *walk, n int32) int32 {
	label := w.child(n, "label")
	for c := range w.kids(n) {
		if c != label && !w.token(c) {
			if v := w.visit(c); w.fn != nil && w.fn.returns < 0 && label < 0 {
				w.fn.returns = v
			}
		}
	}
	return facts.None
}

func kotlinThis(w *walk, n int32) int32 {
	if label := w.childOf(n, "identifier"); label >= 0 {
		name := kotlinBare(w.text(label))
		tested := len(w.kotlin().casts) > 0 && kotlinIsInnermost(w, name)
		for _, l := range slices.Backward(w.kotlin().labels) {
			if l.name == name && tested {
				return kotlinSelf(w)
			}
			if l.name == name {
				return l.this
			}
		}
		if name == "" || name[0] < 'A' || name[0] > 'Z' { // a block's, by the function that it is given to
			return facts.None
		}
		class := w.value(kotlinUse(w, label, facts.RoleType, facts.None))
		if tested {
			return kotlinSelf(w)
		}
		return class
	}
	return kotlinSelf(w)
}

func kotlinSuper(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		if kotlinIsType(w, c) {
			return w.value(w.visitType(c))
		}
	}
	return superValue(w, n)
}

// kotlinString reads a text with values in it: ${value} and $name.
func kotlinString(w *walk, n int32) int32 {
	dollar := false
	for c := range w.kids(n) {
		if w.is(c, "string_content") {
			if text := w.text(c); dollar && text != "$" {
				kotlinShort(w, c, text)
			}
			dollar = w.text(c) == "$"
			continue
		}
		dollar = false
		w.visit(c)
	}
	return w.literal(facts.LiteralString)
}

// kotlinShort reads the name that a part of a text begins with.
func kotlinShort(w *walk, n int32, text string) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && !isLetter(byte(r)) })
	if end < 0 {
		end = len(text)
	}
	name := text[:end]
	switch {
	case name == "" || name == "this" || name[0] >= '0' && name[0] <= '9':
	case !kotlinVisible(w, n, name, facts.RoleRead) && name == "it" && w.kotlin().it >= 0:
	case !kotlinVisible(w, n, name, facts.RoleRead) && len(w.kotlin().receivers) > 0:
		u := w.add(name, w.start(n), facts.RoleRead, facts.None)
		w.uses[u].Bind, w.uses[u].Target = facts.BindMember, kotlinImplicit(w)
	default:
		w.useIn(w.top(), name, w.start(n), facts.RoleRead, facts.None)
	}
}

// kotlinNumber reads a number, whose last letter may say its type.
func kotlinNumber(w *walk, n int32) int32 {
	text := strings.ToLower(w.text(n))
	switch {
	case strings.HasSuffix(text, "l"):
		return w.literal(facts.LiteralLong)
	case w.is(n, "float_literal") && strings.HasSuffix(text, "f"):
		return w.literal(facts.LiteralFloat)
	case w.is(n, "float_literal"):
		return w.literal(facts.LiteralDouble)
	}
	return w.literal(facts.LiteralInt)
}

// kotlinAnnotation reads @Type(arguments).
func kotlinAnnotation(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		switch {
		case w.is(c, "constructor_invocation"):
			kotlinInvocation(w, c, facts.RoleType)
		case !w.token(c):
			w.visitType(c)
		}
	}
	return facts.None
}
