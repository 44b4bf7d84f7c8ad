package tree

import (
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// rubyRules are those of Ruby. Constants are looked up when a question is asked,
// by what is nested where. A name that is no variable is a call on self.
func rubyRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	class := func(kind code.Kind) visitor { return func(w *walk, n int32) int32 { return rubyClass(w, n, kind) } }
	return &rules{
		state: func() any {
			return &rubyState{described: facts.None, runs: facts.None, made: facts.None, takes: noBlock(), signature: noSignature(), fields: map[fieldKey]int32{}, named: map[fieldKey]int32{}}
		},
		finish: rubyFunctions,
		branches: []string{"if", "elsif", "unless", "if_modifier", "unless_modifier", "while", "until", "while_modifier", "until_modifier",
			"for", "when", "in_clause", "rescue", "rescue_modifier", "conditional"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"program":        rubyLast,
			"body_statement": rubyLast,
			"block_body":     rubyLast,
			"begin":          rubyLast,
			"then":           rubyLast,
			"else":           rubyLast,
			"do": func(w *walk, n int32) (v int32) {
				w.ruby().flows.block(w, func() { v = rubyLast(w, n) }, rubyEnds(w, n))
				return v
			},
			"parenthesized_statements":   rubyLast,
			"pattern":                    rubyLast,
			"interpolation":              func(w *walk, n int32) int32 { w.visitAll(n); return facts.None },
			"module":                     class(code.KindModule),
			"class":                      class(code.KindClass),
			"singleton_class":            rubySingleton,
			"method":                     rubyMethod,
			"singleton_method":           rubyMethod,
			"alias":                      rubyAlias,
			"undef":                      none,
			"lambda":                     rubyLambda,
			"block":                      func(w *walk, n int32) int32 { return rubyBlock(w, n, facts.None, facts.None) },
			"do_block":                   func(w *walk, n int32) int32 { return rubyBlock(w, n, facts.None, facts.None) },
			"call":                       rubyCall,
			"identifier":                 func(w *walk, n int32) int32 { return rubyName(w, n) },
			"constant":                   func(w *walk, n int32) int32 { return rubyConstant(w, n, facts.RoleRead) },
			"scope_resolution":           func(w *walk, n int32) int32 { return rubyConstant(w, n, facts.RoleRead) },
			"instance_variable":          func(w *walk, n int32) int32 { return rubyField(w, n) },
			"class_variable":             func(w *walk, n int32) int32 { return rubyField(w, n) },
			"global_variable":            func(w *walk, n int32) int32 { return w.useIn(0, w.text(n), w.start(n), facts.RoleRead, facts.None) },
			"self":                       thisValue,
			"super":                      func(w *walk, n int32) int32 { return w.of(facts.OpCall, rubySuper(w, n, facts.None), 0) },
			"assignment":                 rubyAssignment,
			"operator_assignment":        rubyAssignment,
			"return":                     rubyReturn,
			"yield":                      rubyYield,
			"if":                         rubyIf,
			"unless":                     rubyIf,
			"elsif":                      rubyIf,
			"if_modifier":                rubyModified,
			"unless_modifier":            rubyModified,
			"conditional":                rubyChoice,
			"case":                       rubyCase,
			"case_match":                 rubyCase,
			"when":                       rubyClause,
			"in_clause":                  rubyClause,
			"match_pattern":              rubyMatch,
			"test_pattern":               rubyMatch,
			"rescue":                     rubyRescue,
			"for":                        rubyFor,
			"binary":                     rubyBinary,
			"element_reference":          rubyElement,
			"array":                      rubyArray,
			"hash":                       rubyHash,
			"pair":                       rubyPair,
			"hash_key_symbol":            none,
			"string":                     literalOf(facts.LiteralString),
			"chained_string":             literalOf(facts.LiteralString),
			"heredoc_beginning":          literalOf(facts.LiteralString),
			"string_array":               func(w *walk, n int32) int32 { w.visitAll(n); return arrayOf(w, w.literal(facts.LiteralString)) },
			"simple_symbol":              literalOf(facts.LiteralString),
			"integer":                    literalOf(facts.LiteralNumber),
			"float":                      literalOf(facts.LiteralNumber),
			"true":                       literalOf(facts.LiteralBool),
			"false":                      literalOf(facts.LiteralBool),
			"nil":                        literalOf(facts.LiteralNull),
			"variable_reference_pattern": func(w *walk, n int32) int32 { return w.visit(w.child(n, "name")) },
		},
	}
}

// rubyState is what the rules of Ruby remember of a file.
type rubyState struct {
	fields map[fieldKey]int32 // variables of instances and classes, by class and name
	hidden bool               // private stands above in the class
	single bool               // within class << self
	bare   []int32            // the calls on self outside of classes
	owner  string             // the class that refine or class_eval adds methods to, as it is written
	opened int32              // that class, an expression

	groups    []int32 // the blocks of tests around, each one by its start: what stands in one is of it alone
	described int32   // the class that the tests around are about, an expression; None without one
	foreign   bool    // within a block that may run on another object than self
	runs      int32   // what such a block runs on, or self, where that is not known: an expression
	takes     rubyTaken

	flows   flows
	tests   map[int32]rubyTest // by node
	subject string             // what flows call the value of the case around; empty where that is no variable

	accessors []int32            // of the class that is read
	given     []int32            // the modules that calls in that class are given, expressions
	signature rubySignature      // what sig says of the next method
	made      int32              // the class around that Class.new makes, as what it inherits from, an expression; None of none
	named     map[fieldKey]int32 // accessors by class and name
}

func (w *walk) ruby() *rubyState { return w.state.(*rubyState) }

// rubyLast reads statements. Their value is that of the last one.
func rubyLast(w *walk, n int32) int32 {
	value := int32(facts.None)
	for c := range w.kids(n) {
		v := w.visit(c)
		switch w.kind(c) {
		case "rescue", "ensure", "else", "comment", "heredoc_body":
		default:
			if !w.token(c) {
				value = v
			}
		}
	}
	return value
}

// rubySplit cuts the name of a class or module into what stands before its last
// name, as it is written, and the node of that.
func rubySplit(w *walk, n int32) (owner string, last int32) {
	if !w.is(n, "scope_resolution") {
		return "", n
	}
	last = w.child(n, "name")
	if last < 0 {
		return "", facts.None
	}
	scope := w.child(n, "scope")
	if scope < 0 {
		return "::", last
	}
	return withoutBlanks(w, scope), last
}

func rubyClass(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	owner, last := rubySplit(w, name)
	if last < 0 || w.text(last) == "" {
		return w.visitAll(n)
	}
	c := w.symbol(last, n, kind, facts.Exported)
	w.symbols[c].Owner = owner
	w.document(c, w.start(n))
	superclass := w.child(n, "superclass")
	switch {
	case superclass >= 0:
		w.symbols[c].SigEnd = w.end(superclass)
	default:
		w.symbols[c].SigEnd = w.end(name)
	}
	w.within(c, func() {
		w.visit(w.child(name, "scope"))
		if base := w.only(superclass); base >= 0 {
			rubyBase(w, base, c)
		}
		rubyBody(w, c, func() { w.visit(body) })
	})
	return facts.None
}

// rubyBase reads what a class inherits from: a constant, or a call that makes a class.
func rubyBase(w *walk, n, class int32) {
	switch {
	case w.is(n, "constant"), w.is(n, "scope_resolution"):
		rubyConstant(w, n, facts.RoleInherit)
	case rubyMade(w, n, class):
	case w.is(n, "element_reference"): // Migration[7.1]
		rubyBase(w, w.child(n, "object"), class)
		w.visitOther(n, w.child(n, "object"))
	case rubyIsNamedAsType(w, n): // Model(:table)
		rubyTypeCalled(w, n, facts.RoleInherit)
		w.visit(w.child(n, "arguments"))
		w.visit(w.child(n, "block"))
	default:
		w.visit(n)
	}
}

// rubyIsNamedAsType reports whether a node is a call of a method that is named like a type
// and given something, by custom to make a value of that type or a class below it.
func rubyIsNamedAsType(w *walk, n int32) bool {
	name := w.text(w.child(n, "method"))
	return w.is(n, "call") && w.child(n, "arguments") >= 0 && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// rubyTypeCalled reads what such a call names as the type.
func rubyTypeCalled(w *walk, n int32, role facts.Role) int32 {
	method, object := w.child(n, "method"), w.child(n, "receiver")
	if object < 0 {
		return rubyConstant(w, method, role)
	}
	return w.member(method, w.visit(object), role, facts.None)
}

// rubyMakers are the calls whose value is a class, and whether what they are given
// names its members.
var rubyMakers = map[string]bool{"Struct.new": true, "Data.define": true, "Class.new": false, "Module.new": false}

// rubyMaker reports whether a call makes a class, and whether what it is given names its
// members: one of rubyMakers, or new of a class that inherits from Struct, whose block
// declares methods.
func rubyMaker(w *walk, n int32) (members, ok bool) {
	if !w.is(n, "call") {
		return false, false
	}
	if rubyIsMaker(w, n) {
		return rubyMakers[rubyCalled(w, n)], true
	}
	receiver, body := w.child(n, "receiver"), w.child(w.child(n, "block"), "body")
	named := w.text(w.child(n, "method")) == "new" && (w.is(receiver, "constant") || w.is(receiver, "scope_resolution"))
	return named, named && w.childOf(body, "method", "singleton_method") >= 0
}

func rubyIsMaker(w *walk, n int32) bool {
	_, ok := rubyMakers[rubyCalled(w, n)]
	return ok
}

// rubyCalled is what a call names, as Struct.new.
func rubyCalled(w *walk, n int32) string {
	return strings.TrimPrefix(w.text(w.child(n, "receiver")), "::") + "." + w.text(w.child(n, "method"))
}

// rubyMade reads a call that makes a class: Struct.new(:a, :b) { ... }. It reports
// whether the call is one.
func rubyMade(w *walk, n, class int32) bool {
	if !w.is(n, "call") {
		return false
	}
	receiver := w.child(n, "receiver")
	members, ok := rubyMaker(w, n)
	if !ok {
		return false
	}
	role := facts.RoleRead
	if !rubyIsMaker(w, n) {
		role = facts.RoleInherit
	}
	rubyConstant(w, receiver, role)
	rubyBody(w, class, func() {
		for a := range w.kids(w.child(n, "arguments")) {
			switch {
			case members && w.is(a, "simple_symbol"):
				rubyAccessor(w, a, n, 0, 1, facts.Accessor)
			case !members && (w.is(a, "constant") || w.is(a, "scope_resolution")):
				rubyConstant(w, a, facts.RoleInherit)
			default:
				w.visit(a)
			}
		}
		if block := w.child(n, "block"); block >= 0 {
			w.visit(w.child(block, "body"))
		}
	})
	return true
}

// rubyBody reads what stands in a class, where self is the class.
func rubyBody(w *walk, class int32, read func()) {
	that, fn, state := w.this, w.fn, *w.ruby()
	w.this, w.fn = receiver{facts.OpSymbol, class}, nil
	w.ruby().hidden, w.ruby().single, w.ruby().foreign, w.ruby().accessors, w.ruby().given = false, false, false, nil, nil
	w.ruby().flows, w.ruby().subject, w.ruby().runs, w.ruby().made = flows{}, "", facts.None, facts.None
	w.open(scopeFunction)
	w.scopes[w.top()].closed = true
	read()
	w.close()
	rubyTyped(w, class, w.ruby().accessors)
	if given := w.ruby().given; len(given) > 0 {
		w.expr(facts.OpTakes, class, w.tuple(given))
	}
	state.bare, state.signature = w.ruby().bare, noSignature()
	w.this, w.fn, *w.ruby() = that, fn, state
}

// rubySingleton reads class << self.
func rubySingleton(w *walk, n int32) int32 {
	w.visit(w.child(n, "value"))
	body := w.child(n, "body")
	if !w.is(w.child(n, "value"), "self") || selfClass(w) < 0 {
		w.open(scopeFunction)
		w.visit(body)
		w.close()
		return facts.None
	}
	rubyBody(w, selfClass(w), func() {
		w.ruby().single = true
		w.visit(body)
	})
	return facts.None
}

// rubyMethodName is the node of the bare name of a method: that of a setter is
// without its sign.
func rubyMethodName(w *walk, n int32) (name int32, setter bool) {
	name = w.child(n, "name")
	if w.is(name, "setter") {
		return w.child(name, "name"), true
	}
	return name, false
}

func rubyMethod(w *walk, n int32) int32 {
	name, setter := rubyMethodName(w, n)
	if name < 0 || w.text(name) == "" {
		return w.visitAll(n)
	}
	object, class := w.child(n, "object"), selfClass(w)
	kind := code.KindMethod
	if class < 0 && object < 0 && w.ruby().owner == "" {
		kind = code.KindFunc
	}
	f := w.symbol(name, n, kind, rubyFlags(w, setter))
	w.symbols[f].Owner = w.ruby().owner
	if kind == code.KindFunc && len(w.ruby().groups) > 0 { // of these tests
		w.symbols[f].Flags |= facts.Local
	}
	this := receiver{facts.OpThis, class}
	if w.is(n, "singleton_method") {
		w.symbols[f].Flags |= facts.Static
		this = rubyReceiver(w, object, f)
	} else if w.ruby().single {
		this = receiver{facts.OpSymbol, class}
	} else if w.ruby().owner != "" {
		this = receiver{facts.OpValue, w.value(w.ruby().opened)}
	} else if w.ruby().made >= 0 {
		this = receiver{facts.OpValue, w.value(w.ruby().made)}
	}
	if kind == code.KindFunc && w.parent < 0 {
		w.bind(0, f, 0)
	}
	body, said := w.child(n, "body"), w.ruby().signature
	w.ruby().signature = noSignature()
	w.signature(f, w.start(n), body)
	w.document(f, rubyStatement(w, n))
	outer, that, branches, foreign, runs, takes, made := w.fn, w.this, w.branches, w.ruby().foreign, w.ruby().runs, w.ruby().takes, w.ruby().made
	w.fn, w.this, w.ruby().foreign, w.ruby().takes, w.ruby().made = &function{symbol: f, returns: facts.None}, this, false, noBlock(), facts.None
	if this.op == facts.OpValue {
		w.ruby().runs = facts.None
	}
	w.within(f, func() {
		w.open(scopeFunction)
		w.scopes[w.top()].closed = true
		least, most, many := rubyParameters(w, w.child(n, "parameters"))
		w.arguments(f, least, most, many)
		said.parameters(w, f)
		if y := f + 1; w.text(name) == "inherited" && this.op == facts.OpSymbol && int(y) < len(w.symbols) {
			setType(w, y, facts.None, thisValue(w, 0)) // the class below, which has what this one has
		}
		w.ruby().flows.isolated(func() {
			value := w.visit(body)
			setType(w, f, said.returns, w.union(w.fn.returns, value))
		})
		w.close()
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	rubyTakes(w, f)
	w.fn, w.this, w.ruby().foreign, w.ruby().runs, w.ruby().takes, w.ruby().made = outer, that, foreign, runs, takes, made
	return facts.None
}

func rubyFlags(w *walk, setter bool) facts.Flags {
	flags := facts.Exported
	if w.ruby().hidden {
		flags = 0
	}
	if setter {
		flags |= facts.Accessor
	}
	if w.ruby().single {
		flags |= facts.Static
	}
	return flags
}

// selfClass is the class that self is or is a value of; None where self is another
// object, as in def object.name.
func selfClass(w *walk) int32 {
	if w.this.op == facts.OpValue {
		return facts.None
	}
	return w.this.symbol
}

// rubyReceiver is self in def object.name, whose owner it notes.
func rubyReceiver(w *walk, object, f int32) receiver {
	class := selfClass(w)
	if w.is(object, "self") || class >= 0 && w.text(object) == w.symbols[class].Name {
		if w.is(object, "constant") {
			rubyConstant(w, object, facts.RoleRead)
		}
		return receiver{facts.OpSymbol, class}
	}
	value := w.visit(object)
	if w.is(object, "constant") || w.is(object, "scope_resolution") {
		w.symbols[f].Owner = withoutBlanks(w, object)
	} else {
		w.symbols[f].Flags |= facts.Local
	}
	if value < 0 {
		return receiver{symbol: facts.None}
	}
	return receiver{facts.OpValue, value}
}

// rubyStatement is where the statement starts that a definition is: private def f.
func rubyStatement(w *walk, n int32) uint32 {
	if list := w.up(n); w.is(list, "argument_list") && w.only(list) == n {
		return w.start(w.up(list))
	}
	return w.start(n)
}

func rubyParameters(w *walk, list int32) (least, most int, many bool) {
	if list < 0 {
		return 0, 0, false
	}
	keys := 0
	for p := range w.kids(list) {
		if w.token(p) {
			continue
		}
		name, value := p, w.child(p, "value")
		if !w.is(p, "identifier") {
			name = w.child(p, "name")
		}
		switch w.kind(p) {
		case "identifier", "destructured_parameter":
			least, most = least+1, most+1
		case "optional_parameter":
			most++
		case "keyword_parameter", "hash_splat_parameter":
			keys = 1
		case "splat_parameter", "forward_parameter":
			many = true
		}
		if w.is(p, "destructured_parameter") {
			rubyParameters(w, p)
			continue
		}
		v := w.visit(value)
		if w.text(name) == "" {
			continue
		}
		y := w.symbol(name, p, code.KindParam, facts.Local)
		w.bind(w.top(), y, 0)
		if w.is(p, "block_parameter") {
			w.ruby().takes.name = y
		}
		setType(w, y, facts.None, v)
	}
	return least, most + keys, many
}

// rubySymbol is the name that a literal :name or "name" holds, and its place.
func rubySymbol(w *walk, n int32) (name string, at uint32) {
	switch {
	case w.is(n, "simple_symbol"):
		name, at = strings.TrimPrefix(w.text(n), ":"), w.start(n)+1
	case w.is(n, "string"), w.is(n, "bare_symbol"):
		if content := w.only(n); w.is(content, "string_content") && w.last(n) == content {
			name, at = w.text(content), w.start(content)
		}
	case w.is(n, "identifier"), w.is(n, "constant"):
		name, at = w.text(n), w.start(n)
	case w.is(n, "setter"):
		name, at = w.text(w.child(n, "name")), w.start(n)
	}
	if strings.ContainsAny(name, " \n\t:./-@$") || len(name) > 1 && strings.HasSuffix(name, "=") && !isWordByte(name[len(name)-2]) {
		return "", 0
	}
	if len(name) > 1 {
		name = strings.TrimSuffix(name, "=")
	}
	return name, at
}

func isWordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// rubyNamed declares what a symbol names: attr_reader :name.
func rubyNamed(w *walk, n, whole int32, kind code.Kind, flags facts.Flags) int32 {
	name, at := rubySymbol(w, n)
	if name == "" {
		return facts.None
	}
	y := w.symbolAt(name, at, w.start(whole), w.end(whole), kind, flags)
	w.symbols[y].Owner = w.ruby().owner
	return y
}

func rubyAccessor(w *walk, n, whole int32, least, most int, flags facts.Flags) int32 {
	y := rubyNamed(w, n, whole, code.KindMethod, rubyFlags(w, false)|flags)
	if y >= 0 {
		w.arguments(y, least, most, false)
		w.document(y, w.start(whole))
	}
	return y
}

// rubyGains gives the accessor that self.name = value sets the type of the value, where
// it has none.
func rubyGains(w *walk, n int32, name string, value int32) {
	if y, ok := w.ruby().named[fieldKey{selfClass(w), w.number(name)}]; ok && w.is(w.child(n, "receiver"), "self") && w.symbols[y].Type < 0 {
		setType(w, y, facts.None, value)
	}
}

// rubyReference notes that a symbol names a method of the class around it.
func rubyReference(w *walk, n int32) {
	if name, at := rubySymbol(w, n); name != "" {
		w.add(name, at, facts.RoleRead, facts.None)
	}
}

// rubyReferences notes the methods that the symbols in an argument name.
func rubyReferences(w *walk, n int32) {
	switch w.kind(n) {
	case "simple_symbol":
		rubyReference(w, n)
	case "array", "symbol_array":
		for c := range w.kids(n) {
			if w.is(c, "simple_symbol") || w.is(c, "bare_symbol") {
				rubyReference(w, c)
			} else {
				w.visit(c)
			}
		}
	case "pair":
		if key := w.child(n, "key"); w.is(key, "simple_symbol") {
			w.visit(key)
		}
		rubyReferences(w, max(w.child(n, "value"), w.child(n, "key")))
	default:
		w.visit(n)
	}
}

func rubyAlias(w *walk, n int32) int32 {
	rubyAliased(w, n, w.child(n, "name"), w.child(n, "alias"))
	return facts.None
}

// rubyAliased declares another name of a method.
func rubyAliased(w *walk, whole, name, of int32) {
	if w.is(name, "global_variable") {
		return
	}
	kind := code.KindMethod
	if selfClass(w) < 0 {
		kind = code.KindFunc
	}
	if y := rubyNamed(w, name, whole, kind, rubyFlags(w, false)); y >= 0 {
		w.arguments(y, 0, 0, true)
	}
	rubyReference(w, of)
}

// rubyName reads a bare name: a variable, else a call on self.
func rubyName(w *walk, n int32) int32 {
	name := w.text(n)
	if symbol, ok := rubyVariable(w, name); ok {
		return rubyFlowing(w, rubyKey(name, symbol), w.use(n, facts.RoleRead, facts.None))
	}
	switch name {
	case "private", "public", "protected", "module_function", "private_class_method":
		if w.fn == nil {
			w.ruby().hidden = name != "public" && name != "module_function"
			return facts.None
		}
	case "described_class", "subject":
		if of := w.ruby().described; of >= 0 {
			rubySelf(w, n, 0)
			if name == "subject" {
				return w.value(of)
			}
			return of
		}
	case "_1", "it", "__FILE__", "__LINE__", "__dir__", "__method__", "block_given?":
		return facts.None
	}
	return rubyBare(w, name, rubySelf(w, n, 0))
}

// rubySelf is a call on self. Outside of classes that is a function, or a method
// of what a block runs on.
func rubySelf(w *walk, n int32, args int) int32 {
	if w.text(n) == "" {
		return facts.None
	}
	return rubySelfAt(w, w.text(n), w.start(n), args)
}

// rubySelfAt is rubySelf of a text at a place.
func rubySelfAt(w *walk, name string, at uint32, args int) int32 {
	u := w.add(name, at, facts.RoleCall, args)
	if selfClass(w) >= 0 || w.this.op == facts.OpValue {
		w.uses[u].Bind, w.uses[u].Target = facts.BindMember, rubySelfOf(w)
		return w.expr(facts.OpUse, u, 0)
	}
	w.names[u] = w.number(name)
	w.ruby().bare = append(w.ruby().bare, u)
	if w.top() > 0 {
		w.uses[u].Bind, w.uses[u].Target = facts.BindMember, rubyRunsOn(w)
	}
	return w.expr(facts.OpUse, u, 0)
}

// rubySelfOf is self, which a block around may run on something else than.
func rubySelfOf(w *walk) int32 {
	if selfClass(w) >= 0 && !w.ruby().foreign {
		return thisValue(w, facts.None)
	}
	return rubyRunsOn(w)
}

// rubyFunctions binds the calls outside of classes to the functions of the file.
func rubyFunctions(w *walk) {
	for _, u := range w.ruby().bare {
		if d, ok := w.declaredIn(0, w.uses[u].Name); ok && w.symbols[d.target].Kind == code.KindFunc {
			w.uses[u].Bind, w.uses[u].Target = facts.BindFree, facts.None
			w.scopes[0].pending = append(w.scopes[0].pending, u)
		}
	}
}

// rubyConstant reads a constant, whose last name is used in a role.
func rubyConstant(w *walk, n int32, role facts.Role) int32 {
	if w.is(n, "scope_resolution") {
		name, scope := w.child(n, "name"), w.child(n, "scope")
		of := w.expr(facts.OpTop, 0, 0)
		if scope >= 0 {
			of = w.visit(scope)
		}
		if name < 0 {
			return facts.None
		}
		return w.member(name, of, role, facts.None)
	}
	if w.text(n) == "" {
		return facts.None
	}
	return w.expr(facts.OpUse, w.add(w.text(n), w.start(n), role, facts.None), 0)
}

// rubyField reads @name or @@name.
func rubyField(w *walk, n int32) int32 {
	if w.text(n) == "" {
		return facts.None
	}
	if selfClass(w) >= 0 {
		return w.member(n, thisValue(w, n), facts.RoleRead, facts.None)
	}
	if y, ok := rubyKnownField(w, n); ok {
		return rubyFileField(w, n, y, facts.RoleRead)
	}
	return w.use(n, facts.RoleRead, facts.None)
}

// rubyHolder is what variables of instances are of here: the class around, else the
// innermost block of tests.
func rubyHolder(w *walk) int32 {
	if groups := w.ruby().groups; selfClass(w) < 0 && len(groups) > 0 {
		return groups[len(groups)-1]
	}
	return selfClass(w)
}

// rubyKnownField finds the variable of an instance or a class, which the blocks of tests
// around share with the one within.
func rubyKnownField(w *walk, n int32) (y int32, ok bool) {
	name := w.number(w.text(n))
	for i := len(w.ruby().groups) - 1; i >= 0 && selfClass(w) < 0; i-- {
		if y, ok = w.ruby().fields[fieldKey{w.ruby().groups[i], name}]; ok {
			return y, ok
		}
	}
	y, ok = w.ruby().fields[fieldKey{selfClass(w), name}]
	return y, ok
}

// rubyFileField is a use of a variable of an instance outside of classes.
func rubyFileField(w *walk, n, y int32, role facts.Role) int32 {
	u := w.add(w.text(n), w.start(n), role, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindSymbol, y
	return w.expr(facts.OpUse, u, 0)
}

func rubyAssignment(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	if w.is(left, "constant") || w.is(left, "scope_resolution") {
		return rubyConstantSet(w, n, left, right)
	}
	value := rubyRight(w, right)
	if w.is(n, "operator_assignment") {
		if op := w.text(w.child(n, "operator")); op == "||=" || op == "&&=" {
			w.branches++
		} else {
			value = facts.None
		}
	}
	if method := w.child(left, "method"); method >= 0 && w.child(left, "receiver") >= 0 && w.is(n, "operator_assignment") { // which is read, too
		of := w.visit(w.child(left, "receiver"))
		w.member(method, of, facts.RoleCall, 0)
		w.member(method, of, facts.RoleWrite, 1)
		rubyGains(w, left, w.text(method), value)
		return value
	}
	rubyTarget(w, left, value)
	return value
}

// rubyRight reads the values of an assignment, which may be several.
func rubyRight(w *walk, n int32) int32 {
	if w.is(n, "right_assignment_list") {
		return tupleOf(w, n)
	}
	return w.visit(n)
}

// rubyConstantSet declares a constant, or the class that it names.
func rubyConstantSet(w *walk, n, left, right int32) int32 {
	owner, name := rubySplit(w, left)
	if name < 0 || w.text(name) == "" {
		return w.visit(right)
	}
	if w.is(left, "scope_resolution") {
		w.visit(w.child(left, "scope"))
	}
	_, made := rubyMaker(w, right)
	kind := code.KindConst
	switch {
	case made && w.text(w.child(right, "receiver")) == "Module":
		kind = code.KindModule
	case made:
		kind = code.KindClass
	}
	y := w.symbol(name, n, kind, facts.Exported)
	w.symbols[y].Owner = owner
	w.document(y, w.start(n))
	if made {
		w.symbols[y].SigEnd = w.end(max(w.child(right, "method"), w.child(right, "arguments")))
		w.within(y, func() { rubyMade(w, right, y) })
		return facts.None
	}
	in := w.in
	w.in = y
	value := w.visit(right)
	w.in = in
	setType(w, y, facts.None, value)
	return value
}

// rubyTarget reads the target of an assignment of a value, which may be None.
func rubyTarget(w *walk, n, value int32) {
	switch {
	case n < 0:
	case w.is(n, "identifier"):
		rubyLocal(w, n, value)
	case w.is(n, "instance_variable"):
		rubySetField(w, n, value, 0)
	case w.is(n, "class_variable"):
		rubySetField(w, n, value, facts.Static)
	case w.is(n, "global_variable"):
		rubyGlobal(w, n, value)
	case w.is(n, "call") && w.child(n, "receiver") >= 0 && w.child(n, "arguments") < 0:
		of := w.visit(w.child(n, "receiver"))
		if method := w.child(n, "method"); method >= 0 {
			w.member(method, of, facts.RoleWrite, 1)
			rubyGains(w, n, w.text(method), value)
		}
	case w.is(n, "left_assignment_list"), w.is(n, "destructured_left_assignment"):
		i := int32(0)
		for c := range w.kids(n) {
			if !w.token(c) {
				rubyTarget(w, c, w.of(facts.OpResult, value, i))
				i++
			}
		}
	case w.is(n, "rest_assignment"), w.is(n, "exception_variable"):
		rubyTarget(w, w.only(n), value)
	default:
		w.visit(n)
	}
}

// rubyLocal declares a local variable where it first gets a value. Later ones may
// be of other types.
func rubyLocal(w *walk, n, value int32) {
	name := w.text(n)
	if name == "" {
		return
	}
	if symbol, ok := rubyVariable(w, name); ok {
		w.use(n, facts.RoleWrite, facts.None)
		rubyAssigned(w, name, symbol, value)
		return
	}
	y := w.symbol(n, n, code.KindVar, facts.Local)
	setType(w, y, facts.None, value)
	w.bind(w.top(), y, w.start(n))
	rubyAssigned(w, name, y, value)
}

// rubySetField declares a variable of an instance or a class where it first gets
// a value. What it gets later, it may be as well.
func rubySetField(w *walk, n, value int32, flags facts.Flags) {
	if w.text(n) == "" {
		return
	}
	key := fieldKey{rubyHolder(w), w.number(w.text(n))}
	if y, again := rubyKnownField(w, n); again {
		if selfClass(w) < 0 {
			rubyFileField(w, n, y, facts.RoleWrite)
		} else {
			w.member(n, thisValue(w, n), facts.RoleWrite, facts.None)
		}
		if of := w.symbols[y].Type; value >= 0 && w.symbols[y].Start < w.start(n) && (of < 0 || w.exprs[of].Op != facts.OpUnion) {
			setType(w, y, facts.None, w.union(of, value))
		}
		return
	}
	kind := code.KindField
	if selfClass(w) < 0 {
		kind, flags = code.KindVar, facts.Local
	}
	y := w.symbol(n, n, kind, flags)
	w.ruby().fields[key] = y
	if kind == code.KindField && w.this.op != facts.OpValue {
		w.symbols[y].Parent = selfClass(w)
	}
	if kind == code.KindVar && len(w.ruby().groups) == 0 {
		w.bind(0, y, 0)
	}
	setType(w, y, facts.None, value)
}

func rubyGlobal(w *walk, n, value int32) {
	if _, again := w.declaredIn(0, w.text(n)); again || w.text(n) == "" {
		w.useIn(0, w.text(n), w.start(n), facts.RoleWrite, facts.None)
		return
	}
	y := w.symbol(n, n, code.KindVar, facts.Exported)
	w.symbols[y].Parent = facts.None
	setType(w, y, facts.None, value)
	w.bind(0, y, 0)
}

func rubyReturn(w *walk, n int32) int32 {
	list := w.only(n)
	v := int32(facts.None)
	if w.only(list) == w.last(list) {
		v = w.visit(w.only(list))
	} else {
		v = tupleOf(w, list)
	}
	switch {
	case w.fn == nil || v < 0:
	case w.fn.returns < 0 || rubyIsNil(w, w.fn.returns):
		w.fn.returns, w.fn.several = v, 1
	case v != w.fn.returns && w.fn.several < maxReturns && w.exprs[v].Op != facts.OpLiteral:
		w.fn.returns = w.union(w.fn.returns, v)
		w.fn.several++
	}
	return facts.None
}

// maxReturns bounds the values that a method returns in several places.
const maxReturns = 4

func rubyMatch(w *walk, n int32) int32 {
	w.visit(w.child(n, "value"))
	rubyPattern(w, w.child(n, "pattern"))
	return facts.None
}

// rubyPattern reads a pattern, whose names are variables.
func rubyPattern(w *walk, n int32) {
	if n < 0 {
		return
	}
	switch w.kind(n) {
	case "identifier":
		rubyLocal(w, n, facts.None)
	case "splat_parameter", "hash_splat_parameter":
		if name := w.child(n, "name"); name >= 0 {
			rubyLocal(w, name, facts.None)
		}
	case "keyword_pattern":
		if value := w.child(n, "value"); value >= 0 {
			rubyPattern(w, value)
		} else if key := w.child(n, "key"); w.is(key, "hash_key_symbol") {
			rubyLocal(w, key, facts.None)
		}
	case "array_pattern", "hash_pattern", "find_pattern", "alternative_pattern", "as_pattern", "parenthesized_pattern":
		for c := range w.kids(n) {
			rubyPattern(w, c)
		}
	default:
		w.visit(n)
	}
}

func rubyRescue(w *walk, n int32) int32 {
	either := int32(facts.None)
	for c := range w.kids(w.child(n, "exceptions")) {
		either = w.union(either, w.visit(c))
	}
	rubyTarget(w, w.child(n, "variable"), w.value(either))
	return rubyRun(w, w.child(n, "body"))
}

func rubyFor(w *walk, n int32) int32 {
	list := w.visit(w.only(w.child(n, "value")))
	rubyTarget(w, w.child(n, "pattern"), w.of(facts.OpElem, list, 0))
	w.visit(w.child(n, "body"))
	return facts.None
}

func rubyBinary(w *walk, n int32) int32 {
	operator := w.text(w.child(n, "operator"))
	left := w.visit(w.child(n, "left"))
	switch operator {
	case "||", "or":
		w.branches++
		return w.union(left, rubyTrue(w, w.child(n, "right"), w.child(n, "left"), false))
	case "&&", "and":
		w.branches++
		return rubyTrue(w, w.child(n, "right"), w.child(n, "left"), true)
	}
	w.visit(w.child(n, "right"))
	switch operator {
	case "===":
		rubyTestOf(w, n, w.child(n, "right"), left)
		return w.literal(facts.LiteralBool)
	case "==", "!=", "<", ">", "<=", ">=", "=~", "!~":
		return w.literal(facts.LiteralBool)
	}
	return left
}

func rubyElement(w *walk, n int32) int32 {
	object := w.child(n, "object")
	v := w.visit(object)
	w.visitOther(n, object)
	for c := range w.kids(n) {
		if at, err := strconv.Atoi(w.text(c)); err == nil && w.is(c, "integer") && at < maxTuple {
			return w.of(facts.OpResult, v, int32(at))
		}
	}
	return w.of(facts.OpElem, v, 0)
}

// maxTuple bounds the elements of an array that are told apart.
const maxTuple = 8

// rubyArray reads an array. One of several things of different kinds is several values
// side by side, as a method gives them: [status, headers, body].
func rubyArray(w *walk, n int32) int32 {
	var values []int32
	apart := false
	for c := range w.kids(n) {
		if w.token(c) {
			continue
		}
		v := w.visit(c)
		values = append(values, v)
		apart = apart || v >= 0 && w.exprs[v].Op != facts.OpLiteral
	}
	apart = apart && !w.has(n, "splat_argument") && !w.has(n, "pair")
	if apart && len(values) > 1 && len(values) <= maxTuple {
		return w.tuple(values)
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, firstOf(values))
}

// maxAlternatives bounds the values of a hash that are told apart.
const maxAlternatives = 4

func rubyHash(w *walk, n int32) int32 {
	value, several := int32(facts.None), 0
	for c := range w.kids(n) {
		if v := w.visit(c); v >= 0 && several < maxAlternatives && (several == 0 || w.exprs[v].Op != facts.OpLiteral) {
			value = w.union(value, v)
			several++
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralMap, value)
}

// rubyPair reads a key and its value. A key without one is a name: {x:}.
func rubyPair(w *walk, n int32) int32 {
	key, value := w.child(n, "key"), w.child(n, "value")
	if value < 0 && w.is(key, "hash_key_symbol") {
		return rubyName(w, key)
	}
	w.visit(key)
	return w.visit(value)
}

// rubyLambda reads -> (x) { ... }.
func rubyLambda(w *walk, n int32) int32 {
	fn := w.fn
	if fn == nil {
		w.fn = &function{symbol: facts.None, returns: facts.None}
	}
	w.open(scopeFunction)
	rubyParameters(w, w.child(n, "parameters"))
	v := rubyRun(w, w.child(w.child(n, "body"), "body"))
	w.close()
	w.fn = fn
	return w.of(facts.OpFunc, v, facts.None)
}
