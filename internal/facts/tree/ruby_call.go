package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/wordset"
)

// rubyCall reads a call: on a receiver, on self, or one that declares something.
func rubyCall(w *walk, n int32) int32 {
	object, method, list := w.child(n, "receiver"), w.child(n, "method"), w.child(n, "arguments")
	if method < 0 {
		return w.visitAll(n)
	}
	if object < 0 && (rubySig(w, n) || rubyDeclares(w, n, w.text(method), list)) || rubyDefinesOnSelf(w, n, list) {
		return facts.None
	}
	if value, ok := rubyAsserted(w, n); ok {
		return value
	}
	of, callee := int32(facts.None), int32(facts.None)
	if object >= 0 {
		of = w.visit(object)
		callee = w.member(method, of, facts.RoleCall, rubyCount(w, list))
	} else if w.is(method, "super") {
		callee = rubySuper(w, method, rubyCount(w, list))
	} else {
		callee = rubySelf(w, method, rubyCount(w, list))
	}
	first := rubyArguments(w, n, list, of, callee)
	switch {
	case rubyCallers[w.text(method)] && first >= 0:
		callee, first = first, facts.None
	case w.text(method) == "extend":
		rubyExtended(w, object, of, first)
	}
	rubyGives(w, n, of, callee, first)
	owner, opened, described, single, fn := w.ruby().owner, w.ruby().opened, w.ruby().described, w.ruby().single, w.fn
	groups := w.ruby().groups
	if rubyDescribers[w.text(method)] && selfClass(w) < 0 {
		w.ruby().groups = append(slices.Clip(groups), -2-n)
	}
	if rubyDescribers[w.text(method)] && first >= 0 && rubyIsType(w, w.only(list)) {
		w.ruby().described = first
	}
	if refined := w.only(list); w.text(method) == "refine" && rubyIsType(w, refined) {
		w.ruby().owner, w.ruby().opened = withoutBlanks(w, refined), first
	}
	if rubyOpen[w.text(method)] && rubyIsType(w, object) {
		w.ruby().owner, w.ruby().opened = withoutBlanks(w, object), of
	}
	rubyHook(w, object, w.text(method))
	made, makes := w.ruby().made, w.text(method) == "new" && w.text(object) == "Class"
	if makes {
		first = rubyBaseOf(w, list, first)
		w.ruby().made = first
	}
	v := rubyCallBlock(w, n, w.text(method), of, callee)
	w.ruby().groups, w.ruby().made = groups, made
	w.ruby().owner, w.ruby().opened, w.ruby().described, w.ruby().single, w.fn = owner, opened, described, single, fn
	switch name := w.text(method); {
	case makes:
		return first
	case rubyTests[name] && first >= 0 && rubyIsType(w, w.only(list)):
		rubyTestOf(w, n, object, first)
	case rubyFolds[name] && w.child(n, "block") >= 0 && (first >= 0 || v >= 0):
		return w.union(first, v)
	case name == "each_with_object" && first >= 0:
		return first
	case rubyMaps[name] && object >= 0 && v >= 0:
		return w.expr(facts.OpLiteral, facts.LiteralList, v)
	}
	return rubyResult(w, n, of, callee, v)
}

// rubyHooks are the methods of a module that are told what the module is given to.
var rubyHooks = wordset.Of(`included extended prepended`)

// rubyHook opens, for the block of a call, what a hook is told that the module around it is
// given to: what the block declares is had by what has the module.
func rubyHook(w *walk, object int32, method string) {
	if !w.is(object, "identifier") || !rubyOpen[method] && !rubyOn[method] || w.fn == nil || w.fn.symbol < 0 || w.this.op != facts.OpSymbol || selfClass(w) < 0 {
		return
	}
	hook, given := w.symbols[w.fn.symbol], w.fn.symbol+1
	if !rubyHooks[hook.Name] || int(given) >= len(w.symbols) || w.symbols[given].Kind != code.KindParam || w.symbols[given].Name != w.text(object) {
		return
	}
	module := selfClass(w)
	w.ruby().owner, w.ruby().opened = w.symbols[module].Name, w.expr(facts.OpSymbol, module, 0)
	w.ruby().single = rubyOpen[method] == (hook.Name == "extended") // values of what is extended, or what includes the module
	if rubyOpen[method] {
		w.fn = nil
	}
}

// rubyExtended gives a local variable the members of the module that its value is extended
// with, besides those of its own.
func rubyExtended(w *walk, object, of, module int32) {
	if symbol, ok := rubyVariable(w, w.text(object)); ok && w.is(object, "identifier") && of >= 0 && module >= 0 {
		rubyAssigned(w, w.text(object), symbol, w.expr(facts.OpBoth, of, w.value(module)))
	}
}

// rubySuper reads the keyword super: a use by which the method around it calls the one of its
// name above, as the rules of Ruby tell. Of an object that is no value of the class around,
// nothing is known.
func rubySuper(w *walk, n int32, args int) int32 {
	if w.in < 0 || !w.symbols[w.in].Kind.IsFunc() || w.this.op == facts.OpValue && w.symbols[w.in].Owner == "" {
		return facts.None
	}
	return w.expr(facts.OpUse, w.add("super", w.start(n), facts.RoleCall, args), 0)
}

// rubyBaseOf is what the class inherits from that Class.new makes of its argument: a call
// that is named like a type gives a class below it.
func rubyBaseOf(w *walk, list, first int32) int32 {
	if first >= 0 && rubyIsNamedAsType(w, w.only(list)) && w.exprs[first].Op == facts.OpCall {
		return w.exprs[first].X
	}
	return first
}

// rubyCount counts the arguments of a call, None where some are spread. Keys and
// their values are one.
func rubyCount(w *walk, list int32) int {
	count, keys := 0, 0
	for a := range w.kids(list) {
		switch w.kind(a) {
		case "splat_argument", "forward_argument":
			return facts.None
		case "pair", "hash_splat_argument":
			keys = 1
		case "block_argument":
		default:
			count++
		}
	}
	return count + keys
}

// rubySenders are the methods whose first argument names a method of their receiver, and
// rubyCallers those of them that call it.
var (
	rubySenders = wordset.Of(`send public_send __send__ method public_method instance_method respond_to? method_defined? try try!`)
	rubyCallers = wordset.Of(`send public_send __send__ try try!`)
)

// rubyArguments reads the arguments of a call and returns the value of the first.
func rubyArguments(w *walk, n, list, of, callee int32) int32 {
	value := int32(facts.None)
	name := w.text(w.child(n, "method"))
	first := w.only(list)
	if name == "new" && of >= 0 { // its arguments are those of initialize
		callee = of
	}
	how := ""                                       // base.send :include
	mixer, mixed := int32(facts.None), []int32(nil) // X.include M
	if rubyMixers[name] && rubyIsMixed(w, w.child(n, "receiver")) {
		mixer = callee
	}
	inClass := w.fn == nil && selfClass(w) >= 0 && w.this.op == facts.OpSymbol && of < 0
	for a := range w.kids(list) {
		switch {
		case w.token(a):
		case how != "" && rubyIsType(w, a):
			rubyMixin(w, a, how)
		case a == first && rubySenders[name] && (w.is(a, "simple_symbol") || w.is(a, "string")):
			value = rubySent(w, a, of, name, rubyCount(w, list))
			if sent, _ := rubySymbol(w, a); rubyExtends(w, n, sent) {
				how = sent
			} else if rubyMixers[sent] && rubyIsMixed(w, w.child(n, "receiver")) {
				mixer = value
			}
		case w.is(a, "block_argument"):
			rubyPassed(w, a, callee)
		case rubyExtends(w, n, name) && rubyIsType(w, a):
			rubyMixin(w, a, name)
		case inClass && (w.is(a, "self") || rubyIsType(w, a)):
			if v := w.visit(a); v >= 0 {
				w.ruby().given = append(w.ruby().given, v)
			}
		case inClass:
			rubyReferences(w, a)
		case w.is(a, "pair") && w.is(w.child(a, "key"), "hash_key_symbol"):
			w.member(w.child(a, "key"), callee, facts.RoleWrite, facts.None)
			rubyPair(w, a)
		default:
			v := w.visit(a)
			if a == first {
				value = v
			}
			if mixer >= 0 && rubyIsType(w, a) {
				mixed = append(mixed, v)
			}
		}
	}
	w.given(mixer, mixed)
	return value
}

// rubyIsType reports whether a node names a class or a module, as far as it can be seen.
func rubyIsType(w *walk, n int32) bool { return w.is(n, "constant") || w.is(n, "scope_resolution") }

// rubyIsMixed reports whether a node names a class or a module that is given the members of
// others from outside: X, and X.singleton_class.
func rubyIsMixed(w *walk, n int32) bool {
	if w.is(n, "call") && w.text(w.child(n, "method")) == "singleton_class" {
		n = w.child(n, "receiver")
	}
	return rubyIsType(w, n)
}

// rubySent notes the method that the first of some arguments names. It returns the method,
// where the call calls that.
func rubySent(w *walk, n, of int32, how string, arguments int) int32 {
	w.visit(n)
	name, at := rubySymbol(w, n)
	role, called := facts.RoleRead, rubyCallers[how]
	switch {
	case name == "":
		return facts.None
	case called && strings.HasSuffix(strings.TrimRight(w.text(n), `"'`), "="):
		role, arguments = facts.RoleWrite, 1
	case called && arguments != facts.None:
		role, arguments = facts.RoleCall, arguments-1
	case called:
		role = facts.RoleCall
	default:
		arguments = facts.None
	}
	if of < 0 && role == facts.RoleCall {
		return rubySelfAt(w, name, at, arguments)
	}
	if of < 0 {
		rubyReference(w, n)
		return facts.None
	}
	u := w.add(name, at, role, arguments)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, of
	if role != facts.RoleCall {
		return facts.None
	}
	return w.expr(facts.OpUse, u, 0)
}

// rubyPassed reads &:name, a method of what the call passes to its block.
func rubyPassed(w *walk, n, callee int32) {
	symbol := w.only(n)
	if !w.is(symbol, "simple_symbol") {
		w.visit(n)
		return
	}
	if name, at := rubySymbol(w, symbol); name != "" {
		u := w.add(name, at, facts.RoleCall, 0)
		w.uses[u].Bind, w.uses[u].Target = facts.BindMember, w.of(facts.OpArgument, w.of(facts.OpBlock, callee, 0), 0)
	}
}

// rubyMixers are the methods that give a class the members of modules.
var rubyMixers = wordset.Of(`include extend prepend`)

// rubyExtends reports whether a call within a class method gives the members of a
// module to what includes the class: base.extend ClassMethods.
func rubyExtends(w *walk, n int32, name string) bool {
	object := w.child(n, "receiver")
	if !rubyMixers[name] || !w.is(object, "identifier") || w.fn == nil || w.fn.symbol < 0 || w.this.op != facts.OpSymbol || selfClass(w) < 0 {
		return false
	}
	symbol, ok := rubyVariable(w, w.text(object))
	return !ok || w.symbols[symbol].Kind == code.KindParam
}

// rubyMixin reads a module whose members the class around it gets: itself, where it
// is extended, else its values.
func rubyMixin(w *walk, n int32, how string) {
	in, role := w.in, facts.RoleInherit
	if selfClass(w) >= 0 {
		w.in = selfClass(w)
	}
	if how == "extend" || w.ruby().single {
		role = facts.RoleImplement
	}
	if base := rubyConstant(w, n, role); how == "prepend" && base >= 0 {
		w.expr(facts.OpAhead, w.exprs[base].X, base)
	}
	w.in = in
}

// rubyInstance are the calls within a class whose block runs on a value of it.
// rubyInside are those whose block is a part of the class.
var (
	rubyInstance = wordset.Of(`define_method before_action after_action around_action before_save after_save before_create after_create validate before_validation after_initialize after_commit`)
	rubyInside   = wordset.Of(`included prepended class_methods class_eval module_eval concerning with_options refine class_exec`)
)

// rubyOn are the calls whose block runs on their receiver, rubyOpen those whose block is
// a part of it. rubyHere are those of Ruby
// whose block runs on self; any other one may run it on what it likes.
var (
	rubyOn   = wordset.Of(`instance_eval instance_exec`)
	rubyOpen = wordset.Of(`class_eval class_exec module_eval module_exec`)
	rubyHere = wordset.Of(`all? any? catch chunk_while collect collect_concat count cycle delete_if detect downto drop_while each each_char each_cons each_entry each_index each_key each_line
		each_pair each_slice each_value each_with_index each_with_object fetch fill filter filter_map find find_all find_index flat_map group_by gsub gsub! index inject keep_if lambda loop map map! max_by
		min_by minmax_by none? one? open partition proc reduce reject reject! reverse_each rindex scan select select! slice_when sort sort! sort_by sort_by! step sub sub! sum synchronize take_while tap
		then times to_h transform_keys transform_values uniq upto yield_self zip assert_raises assert_raise raise_error expect`)
)

// rubyDescribers are the calls that name the class which the tests in their block are about.
var rubyDescribers = wordset.Of(`describe context feature shared_examples shared_examples_for shared_context`)

// rubyCallBlock reads the block of a call on a value of, of a method that callee stands for.
func rubyCallBlock(w *walk, call int32, method string, of, callee int32) int32 {
	block := w.child(call, "block")
	if block < 0 {
		return facts.None
	}
	that, fn, foreign, runs := w.this, w.fn, w.ruby().foreign, w.ruby().runs
	switch {
	case rubyInstance[method] && selfClass(w) >= 0 && w.this.op == facts.OpSymbol:
		w.this.op = facts.OpThis
	case rubyOn[method] && of >= 0:
		w.this = receiver{facts.OpValue, of}
	case w.ruby().made >= 0 && method == "new" && w.text(w.child(call, "receiver")) == "Class":
		w.this, w.ruby().runs = receiver{facts.OpValue, w.ruby().made}, facts.None
	case !rubyHere[method] && !rubyInside[method]:
		w.ruby().runs = w.expr(facts.OpElse, w.of(facts.OpSelf, w.of(facts.OpBlock, callee, 0), 0), rubyRunsOn(w))
		w.ruby().foreign = true
	}
	if fn == nil && !rubyInside[method] {
		w.fn = &function{symbol: facts.None, returns: facts.None}
	}
	v := rubyBlock(w, block, callee, rubyYielded(w, call, method, of))
	w.this, w.fn, w.ruby().foreign, w.ruby().runs = that, fn, foreign, runs
	return v
}

// rubyYielded is what a call is likely to give the only parameter of its block: by custom,
// new gives the value that it makes. It is None for other calls.
func rubyYielded(w *walk, call int32, method string, of int32) int32 {
	switch object := w.child(call, "receiver"); {
	case method == "new" && rubyIsType(w, object):
		return w.value(of)
	case method == "tap" || method == "then" || method == "yield_self":
		return of
	}
	return facts.None
}

// rubyFolds are the methods that give what their block gives last, or what they are given
// first; rubyMaps those that give a list of what their block gives.
var (
	rubyFolds = wordset.Of(`inject reduce`)
	rubyMaps  = wordset.Of(`map collect`)
)

// rubyFinders are the methods that classes of models have, by what they give: a
// value of the class, or many.
var (
	rubyFinders  = wordset.Of(`new create create! build find find_by find_by! first first! last last! take take! find_or_create_by find_or_create_by! find_or_initialize_by sole instance allocate`)
	rubyRelation = wordset.Of(`all where order limit offset includes joins left_joins preload eager_load distinct not group unscoped reorder references select rewhere`)
	rubyKeepers  = wordset.Of(`dup clone freeze itself presence deep_dup then_return`)
)

// maxRelations bounds the calls on each other that are looked through for a class.
const maxRelations = 32

// rubyOfClass reports whether an expression is a class, or many of its values.
func rubyOfClass(w *walk, n int32) bool {
	for range maxRelations {
		if !w.is(n, "call") || !rubyRelation[w.text(w.child(n, "method"))] || w.child(n, "receiver") < 0 {
			break
		}
		n = w.child(n, "receiver")
	}
	return rubyIsType(w, n)
}

// rubyResult is what a call gives. of is its receiver, v the value of its block.
func rubyResult(w *walk, n, of, callee, v int32) int32 {
	name, object := w.text(w.child(n, "method")), w.child(n, "receiver")
	switch {
	case name == "new" && object >= 0: // which may write its own
		return w.of(facts.OpCall, callee, 0)
	case object < 0 && (name == "lambda" || name == "proc"):
		return w.of(facts.OpFunc, v, facts.None)
	case object < 0:
		return rubyBare(w, name, callee)
	case name == "const_get":
		return w.of(facts.OpElem, of, heldPart)
	case name == "class" && w.is(object, "self") && selfClass(w) >= 0:
		return w.expr(facts.OpSymbol, selfClass(w), 0)
	case rubyKeepers[name], name == "tap" && (w.child(n, "block") >= 0 || w.has(w.child(n, "arguments"), "block_argument")):
		return of
	case rubyFinders[name] && rubyOfClass(w, object):
		return w.expr(facts.OpElse, w.value(of), facts.None)
	case rubyRelation[name] && rubyOfClass(w, object):
		return of
	case name == "to_s" || name == "inspect" || name == "to_str":
		return w.literal(facts.LiteralString)
	case name == "to_i" || name == "size" || name == "length" || name == "count":
		return w.literal(facts.LiteralNumber)
	}
	return w.of(facts.OpCall, callee, 0)
}

// heldPart is the infer.HeldPart of a module.
const heldPart = 6

// rubyBare is what a call on self gives.
func rubyBare(w *walk, name string, callee int32) int32 {
	values := w.this.op == facts.OpThis && selfClass(w) >= 0 && w.symbols[selfClass(w)].Kind == code.KindClass
	if (name == "new" || name == "allocate") && !values {
		return w.of(facts.OpValue, thisValue(w, 0), 0)
	}
	if rubyKeepers[name] && selfClass(w) >= 0 {
		return w.of(facts.OpElse, thisValue(w, 0), facts.None)
	}
	return w.of(facts.OpCall, callee, 0)
}

// rubyDeclares reads a call on self that declares something or says something of
// a class, and reports whether it is one. Those of Ruby come first, then those of
// the frameworks that most programs are written with.
func rubyDeclares(w *walk, n int32, name string, list int32) bool {
	inClass := selfClass(w) >= 0 && w.fn == nil
	switch name {
	case "require", "require_relative", "load":
		return rubyRequire(w, list, name)
	case "let", "let!", "subject", "given", "let_it_be":
		return rubyLet(w, n, list)
	}
	tests := len(w.ruby().groups) > 0 && (w.fn == nil || w.fn.symbol < 0)
	if name == "include" && selfClass(w) < 0 && w.parent < 0 && (w.top() == 0 || tests) && list >= 0 {
		rubyMixins(w, list, name)
		return true
	}
	if !inClass || list < 0 {
		return false
	}
	switch name {
	case "attr_reader", "attr":
		rubyAccessors(w, n, list, 0, 0, 0)
	case "attr_writer":
		rubyAccessors(w, n, list, 1, 1, facts.Accessor)
	case "attr_accessor", "has_many", "has_one", "belongs_to", "has_and_belongs_to_many", "has_one_attached", "has_many_attached":
		rubyAccessors(w, n, list, 0, 1, facts.Accessor)
	case "mattr_accessor", "cattr_accessor", "class_attribute", "mattr_reader", "cattr_reader", "mattr_writer", "cattr_writer", "thread_mattr_accessor":
		rubyAccessors(w, n, list, 0, 1, facts.Accessor) // of the class and of its values
	case "delegate":
		rubyAccessors(w, n, list, 0, facts.ManyArgs, 0)
	case "scope":
		rubyDefined(w, n, list, facts.Static)
	case "define_method":
		rubyDefinedBy(w, n, name, rubyDefined(w, n, list, 0))
	case "alias_method":
		rubyAliased(w, n, w.only(list), w.last(list))
	case "include", "extend", "prepend":
		rubyMixins(w, list, name)
	case "private", "protected", "private_class_method", "public", "module_function":
		rubyVisibility(w, name, list)
	default:
		return false
	}
	return true
}

// rubyMixins reads the modules that include, extend or prepend names.
func rubyMixins(w *walk, list int32, how string) {
	for a := range w.kids(list) {
		if rubyIsType(w, a) {
			rubyMixin(w, a, how)
		} else {
			w.visit(a)
		}
	}
}

// rubyRequire reads require "name". A file beside this one begins with a dot.
func rubyRequire(w *walk, list int32, how string) bool {
	content := w.childOf(w.only(list), "string_content")
	if content < 0 || w.text(content) == "" || w.last(w.only(list)) != content {
		return false
	}
	module := w.text(content)
	if how == "require_relative" && !strings.HasPrefix(module, ".") {
		module = "./" + module
	}
	w.imports = append(w.imports, facts.Import{Module: module, Name: "*", Place: facts.Place{At: w.start(content)}, In: facts.None})
	return true
}

// rubyLet reads let(:name) { value }, a name that the tests around it know.
func rubyLet(w *walk, n, list int32) bool {
	symbol, block := w.only(list), w.child(n, "block")
	if method := w.child(n, "method"); list < 0 && w.text(method) == "subject" { // without a name of its own
		symbol = method
	}
	if !w.is(symbol, "simple_symbol") && symbol != w.child(n, "method") || block < 0 || w.fn != nil && w.fn.symbol >= 0 {
		return false
	}
	y := rubyNamed(w, symbol, n, code.KindVar, facts.Local)
	if y < 0 {
		return false
	}
	w.bind(w.top(), y, 0)
	setType(w, y, facts.None, rubyCallBlock(w, n, "let", facts.None, facts.None))
	return true
}

// rubyAccessors declares the methods that symbols name: attr_reader :a, :b.
func rubyAccessors(w *walk, n, list int32, least, most int, flags facts.Flags) {
	for a := range w.kids(list) {
		if !w.is(a, "simple_symbol") && !w.is(a, "string") {
			w.visit(a)
			continue
		}
		if y := rubyAccessor(w, a, n, least, most, flags); y >= 0 {
			setType(w, y, w.ruby().signature.returns, facts.None)
			w.ruby().accessors = append(w.ruby().accessors, y)
			w.ruby().named[fieldKey{selfClass(w), w.number(w.symbols[y].Name)}] = y
		}
	}
	w.ruby().signature = noSignature()
	w.visit(w.child(n, "block"))
}

// rubyTyped says what the accessors of a class give: the variables of their name.
func rubyTyped(w *walk, class int32, accessors []int32) {
	for _, a := range accessors {
		field, ok := w.ruby().fields[fieldKey{class, w.number("@" + w.symbols[a].Name)}]
		if written := w.symbols[a].Type >= 0 && w.symbols[a].Flags&facts.Inferred == 0; ok && !written && w.symbols[a].Parent == class {
			setType(w, a, facts.None, w.expr(facts.OpSymbol, field, 0))
		}
	}
}

// rubyDefined declares the method that the first argument of a call names.
func rubyDefined(w *walk, n, list int32, flags facts.Flags) (y int32) {
	first := w.only(list)
	if y = rubyNamed(w, first, n, code.KindMethod, rubyFlags(w, false)|flags); y >= 0 {
		w.arguments(y, 0, 0, true)
		w.document(y, w.start(n))
	} else {
		w.visit(first)
	}
	w.visitOther(list, first)
	return y
}

// rubyDefinedBy reads the block of a call that is the body of a method, which has a symbol
// where its name is known.
func rubyDefinedBy(w *walk, call int32, how string, method int32) {
	read := func() { rubyCallBlock(w, call, how, facts.None, facts.None) }
	if method < 0 {
		read()
		return
	}
	w.within(method, read)
}

// rubyDefinesOnSelf reads singleton_class.send(:define_method, :name) { ... } and
// define_singleton_method(:name) { ... } in a method, which declare a method of self. It
// reports whether a call is one.
func rubyDefinesOnSelf(w *walk, n, list int32) bool {
	object, name := w.child(n, "receiver"), w.text(w.child(n, "method"))
	if selfClass(w) < 0 || w.fn == nil || w.fn.symbol < 0 || w.this.op == facts.OpValue {
		return false
	}
	named := w.only(list)
	switch {
	case name == "define_singleton_method" && (object < 0 || w.is(object, "self")):
	case w.text(object) != "singleton_class":
		return false
	case name == "define_method":
	case rubySenders[name] && w.text(named) == ":define_method":
		named = rubyNext(w, list, named)
	default:
		return false
	}
	if !w.is(named, "simple_symbol") {
		return false
	}
	flags := facts.Flags(0)
	if w.this.op == facts.OpSymbol {
		flags = facts.Static
	}
	y := rubyNamed(w, named, n, code.KindMethod, facts.Exported|flags)
	if y >= 0 {
		w.symbols[y].Parent = selfClass(w)
		w.arguments(y, 0, 0, true)
	}
	rubyDefinedBy(w, n, "define_method", y)
	return true
}

// rubyNext is the argument behind another one; None behind the last.
func rubyNext(w *walk, list, arg int32) int32 {
	behind := false
	for a := range w.kids(list) {
		switch {
		case a == arg:
			behind = true
		case behind && !w.token(a):
			return a
		}
	}
	return facts.None
}

// rubyVisibility reads private def f ..., private :f and private attr_reader :f.
func rubyVisibility(w *walk, name string, list int32) {
	hidden := w.ruby().hidden
	w.ruby().hidden = hidden || strings.HasPrefix(name, "pr")
	for a := range w.kids(list) {
		rubyReferences(w, a)
	}
	w.ruby().hidden = hidden
}
