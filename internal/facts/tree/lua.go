package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// luaRules are those of Lua. What is set in a table that has a name is a member of
// that name: of a module, a class, an object.
func luaRules() *rules {
	return &rules{
		branches: []string{"if_statement", "elseif_statement", "for_statement", "while_statement", "repeat_statement"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"function_declaration":    luaFunction,
			"function_definition":     func(w *walk, n int32) int32 { return luaClosure(w, n, facts.None) },
			"variable_declaration":    luaLocal,
			"assignment_statement":    luaAssignment,
			"return_statement":        luaReturn,
			"block":                   blockScope,
			"do_statement":            blockScope,
			"repeat_statement":        luaRepeat,
			"for_statement":           luaFor,
			"goto_statement":          func(*walk, int32) int32 { return facts.None },
			"label_statement":         func(*walk, int32) int32 { return facts.None },
			"attribute":               func(*walk, int32) int32 { return facts.None },
			"identifier":              func(w *walk, n int32) int32 { return luaRef(w, n, facts.RoleRead, facts.None) },
			"dot_index_expression":    func(w *walk, n int32) int32 { return luaRef(w, n, facts.RoleRead, facts.None) },
			"method_index_expression": func(w *walk, n int32) int32 { return luaRef(w, n, facts.RoleRead, facts.None) },
			"bracket_index_expression": func(w *walk, n int32) int32 {
				return luaRef(w, n, facts.RoleRead, facts.None)
			},
			"function_call":            luaCall,
			"table_constructor":        luaTable,
			"parenthesized_expression": func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"binary_expression":        luaBinary,
			"string":                   literalOf(facts.LiteralString),
			"number":                   literalOf(facts.LiteralNumber),
			"true":                     literalOf(facts.LiteralBool),
			"false":                    literalOf(facts.LiteralBool),
			"nil":                      literalOf(facts.LiteralNull),
		},
		state: func() any { return &luaState{members: map[fieldKey]bool{}, globals: map[string]bool{}} },
	}
}

// luaState is what the rules of Lua remember of a file.
type luaState struct {
	members map[fieldKey]bool // that are declared, by table
	globals map[string]bool
}

func (w *walk) lua() *luaState { return w.state.(*luaState) }

// luaRef reads an expression whose last name is used in a role.
func luaRef(w *walk, n int32, role facts.Role, args int) int32 {
	switch {
	case n < 0:
		return facts.None
	case w.is(n, "identifier"):
		if w.text(n) == "self" && w.this.symbol >= 0 {
			return w.expr(facts.OpThis, w.this.symbol, 0)
		}
		return w.use(n, role, args)
	case w.is(n, "dot_index_expression"):
		object := w.visit(w.child(n, "table"))
		return w.member(w.child(n, "field"), object, role, args)
	case w.is(n, "method_index_expression"):
		object := w.visit(w.child(n, "table"))
		return w.member(w.child(n, "method"), object, role, args)
	case w.is(n, "bracket_index_expression"):
		object, field := w.visit(w.child(n, "table")), w.child(n, "field")
		if name := w.child(field, "content"); w.is(field, "string") && name >= 0 {
			return w.member(name, object, role, args)
		}
		w.visit(field)
		return w.of(facts.OpElem, object, 0)
	}
	return w.visit(n)
}

// luaOwner is the symbol of the table that an expression names, or None.
func luaOwner(w *walk, n int32) int32 {
	if !w.is(n, "identifier") {
		return facts.None
	}
	name := w.text(n)
	if name == "self" && w.this.symbol >= 0 {
		return w.this.symbol
	}
	for s := w.top(); s >= 0; s-- {
		if d, ok := w.declaredIn(s, name); ok {
			if d.bind != facts.BindSymbol {
				return facts.None
			}
			y := &w.symbols[d.target]
			if y.Kind == code.KindParam || y.Kind.IsFunc() || y.Flags&facts.Local != 0 && (y.Type < 0 || w.exprs[y.Type].Op != facts.OpMembers) {
				return facts.None
			}
			return d.target
		}
	}
	return facts.None
}

// luaMember declares a member of a table, unless it is declared already: then
// it is None.
func luaMember(w *walk, owner, name, whole int32, kind code.Kind) int32 {
	key := fieldKey{owner, w.number(w.text(name))}
	if w.text(name) == "" || w.lua().members[key] {
		return facts.None
	}
	w.lua().members[key] = true
	flags := facts.Exported
	if w.symbols[owner].Flags&facts.Local != 0 {
		flags = facts.Local
	}
	y := w.symbol(name, whole, kind, flags)
	w.symbols[y].Parent = owner
	if w.start(whole) >= w.symbols[owner].End {
		luaIs(w, owner, code.KindModule)
	}
	return y
}

// luaIs makes a module or a class of a table that is known in its whole file: what
// is set in it elsewhere belongs to it.
func luaIs(w *walk, table int32, kind code.Kind) {
	y := &w.symbols[table]
	if y.Flags&facts.Local == 0 && y.Kind != code.KindClass && (y.Parent < 0 || w.symbols[y.Parent].Kind.IsType()) {
		y.Kind, y.Type, y.Flags = kind, facts.None, y.Flags&^facts.Inferred
	}
}

// luaFunction reads function name(), function M.name(), function M:name() and
// local function name().
func luaFunction(w *walk, n int32) int32 {
	name := w.child(n, "name")
	switch {
	case w.has(n, "local"):
		f := w.symbol(name, n, code.KindFunc, luaFlags(w))
		w.bind(w.top(), f, w.start(n))
		luaBody(w, n, f, w.this)
	case w.is(name, "identifier"):
		f := luaGlobal(w, name, n, code.KindFunc)
		luaBody(w, n, f, receiver{symbol: facts.None})
	case name >= 0:
		luaMethod(w, n, name)
	default:
		return w.visitAll(n)
	}
	return facts.None
}

// luaFlags are those of a local name.
func luaFlags(w *walk) facts.Flags {
	if w.fn != nil || w.top() > 0 {
		return facts.Local
	}
	return 0
}

// luaGlobal declares a global the first time that it is set; else its name is a use
// and the symbol None.
func luaGlobal(w *walk, name, whole int32, kind code.Kind) int32 {
	text := w.text(name)
	known := w.lua().globals[text]
	for s := w.top(); s >= 0 && !known; s-- {
		_, known = w.declaredIn(s, text)
	}
	if known || text == "" {
		w.use(name, facts.RoleWrite, facts.None)
		return facts.None
	}
	w.lua().globals[text] = true
	y := w.symbol(name, whole, kind, facts.Exported)
	w.symbols[y].Parent = facts.None
	w.bind(0, y, 0)
	return y
}

// luaMethod reads a function that is set in a table.
func luaMethod(w *walk, n, name int32) {
	table, last := w.child(name, "table"), w.child(name, "field")
	method := w.is(name, "method_index_expression")
	if method {
		last = w.child(name, "method")
	}
	owner := luaOwner(w, table)
	f := int32(facts.None)
	if owner >= 0 {
		f = luaMember(w, owner, last, n, code.KindMethod)
		w.visit(table)
		if f < 0 {
			w.member(last, w.expr(facts.OpSymbol, owner, 0), facts.RoleWrite, facts.None)
		}
	} else {
		w.visit(table)
		f = w.symbol(last, n, code.KindMethod, facts.Exported)
		w.symbols[f].Parent, w.symbols[f].Owner = facts.None, w.text(table)
	}
	if f >= 0 && !method {
		w.symbols[f].Flags |= facts.Static
	}
	this := receiver{symbol: facts.None}
	if method && owner >= 0 {
		this = receiver{facts.OpThis, owner}
		luaIs(w, owner, code.KindClass)
	}
	luaBody(w, n, f, this)
}

// luaBody reads the parameters and the body of a function, whose symbol may be None,
// and returns its result.
func luaBody(w *walk, n, f int32, this receiver) int32 {
	outer, that, branches := w.fn, w.this, w.branches
	w.fn, w.this = &function{symbol: f, returns: facts.None}, this
	read := func() {
		w.open(scopeFunction)
		count, many := luaParameters(w, w.child(n, "parameters"))
		if f >= 0 {
			w.arguments(f, 0, count, many)
		}
		w.visit(w.child(n, "body"))
		w.close()
	}
	if f >= 0 {
		w.signature(f, w.start(n), w.child(n, "body"))
		if w.child(n, "body") < 0 {
			w.symbols[f].SigEnd = w.end(w.child(n, "parameters"))
		}
		w.document(f, w.symbols[f].Start)
		w.within(f, read)
		w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
		setType(w, f, facts.None, w.fn.returns)
	} else {
		read()
	}
	result := w.fn.returns
	w.fn, w.this = outer, that
	return result
}

func luaParameters(w *walk, list int32) (count int, many bool) {
	for p := range w.kids(list) {
		switch {
		case w.is(p, "vararg_expression"):
			many = true
		case w.is(p, "identifier"):
			count++
			y := w.symbol(p, p, code.KindParam, facts.Local)
			w.bind(w.top(), y, 0)
			if count == 1 && w.text(p) == "self" && w.this.symbol >= 0 {
				w.symbols[y].Type = w.expr(facts.OpSymbol, w.this.symbol, 0)
			}
		}
	}
	return count, many
}

// luaClosure reads a function that is a value: of a symbol, or of None.
func luaClosure(w *walk, n, y int32) int32 {
	if y < 0 {
		return w.of(facts.OpFunc, luaBody(w, n, facts.None, w.this), facts.None)
	}
	this := w.this
	if owner := w.symbols[y].Parent; owner >= 0 && w.symbols[y].Kind == code.KindMethod {
		this = receiver{facts.OpThis, owner}
	}
	start := w.symbols[y].Start
	luaBody(w, n, y, this)
	w.signature(y, start, w.child(n, "body"))
	return facts.None
}

// luaLocal reads local names and their values.
func luaLocal(w *walk, n int32) int32 {
	assignment := w.childOf(n, "assignment_statement")
	if assignment < 0 {
		assignment = n
	}
	values := luaList(w, w.childOf(assignment, "expression_list"))
	i := 0
	for name := range w.kids(w.childOf(assignment, "variable_list")) {
		if !w.is(name, "identifier") {
			continue
		}
		value := int32(facts.None)
		if i < len(values) {
			value = values[i]
			values[i] = facts.None
		}
		i++
		luaDeclare(w, name, n, value)
	}
	for _, v := range values {
		w.visit(v)
	}
	return facts.None
}

func luaList(w *walk, n int32) (list []int32) {
	for c := range w.kids(n) {
		list = append(list, c)
	}
	return list
}

// luaDeclare declares a local name with a value, a node or None. The name is known
// after its declaration.
func luaDeclare(w *walk, name, whole, value int32) {
	if m, member, ok := luaRequired(w, value); ok {
		row := facts.Import{Module: w.text(m), Name: facts.WholeModule, Local: w.text(name), Place: facts.Place{At: w.start(name)}, In: facts.None}
		if member >= 0 {
			row.Name = w.text(member)
		}
		w.imports = append(w.imports, row)
		i := int32(len(w.imports) - 1)
		w.declare(w.top(), w.text(name), w.start(name), w.end(whole), facts.BindImport, i)
		if member < 0 {
			member = name
		}
		w.imported(member, i)
		return
	}
	kind := code.KindVar
	if w.is(value, "function_definition") {
		kind = code.KindFunc
	}
	y := w.symbol(name, whole, kind, luaFlags(w))
	luaValue(w, y, value)
	w.bind(w.top(), y, w.end(whole))
}

// luaValue reads the first value of a symbol.
func luaValue(w *walk, y, value int32) {
	w.document(y, w.symbols[y].Start)
	if w.is(value, "function_definition") {
		luaClosure(w, value, y)
		return
	}
	outer := w.in
	w.within(y, func() {
		if w.fn != nil {
			w.in = outer
		}
		if typ := luaInitial(w, value, y); !w.symbols[y].Kind.IsType() {
			setType(w, y, facts.None, typ)
		}
	})
}

// luaInitial reads a value. What a table holds is declared as members of symbol y: of
// a literal, and of one that Base:extend{...} or setmetatable({...}, x) is given.
func luaInitial(w *walk, n, y int32) int32 {
	if w.is(n, "table_constructor") {
		return luaMembers(w, n, y)
	}
	if !w.is(n, "function_call") {
		return w.visit(n)
	}
	list := w.child(n, "arguments")
	table := w.only(list)
	callee := w.child(n, "name")
	if !w.is(table, "table_constructor") || w.text(callee) != "setmetatable" && !luaMakes(w, callee) {
		return w.visit(n)
	}
	if base := luaReceiver(w, luaRef(w, callee, facts.RoleCall, luaCount(w, list))); base >= 0 && luaMakes(w, callee) && w.symbols[y].Flags&facts.Local == 0 {
		luaIs(w, y, code.KindClass)
		luaInherit(w, base, y)
	}
	members := luaMembers(w, table, y)
	w.visitOther(list, table)
	return members
}

// luaInherit makes what an expression uses the base of a class.
func luaInherit(w *walk, base, class int32) {
	if w.exprs[base].Op == facts.OpUse {
		u := &w.uses[w.exprs[base].X]
		u.Role, u.In = facts.RoleInherit, class
	}
}

// luaReceiver is what the member that an expression uses is a member of, or None.
func luaReceiver(w *walk, member int32) int32 {
	if member < 0 || w.exprs[member].Op != facts.OpUse || w.uses[w.exprs[member].X].Bind != facts.BindMember {
		return facts.None
	}
	return w.uses[w.exprs[member].X].Target
}

// luaMakes reports whether a call gives a value of the kind of its receiver, by the
// name of the method.
func luaMakes(w *walk, callee int32) bool {
	last := w.child(callee, "method")
	if last < 0 {
		last = w.child(callee, "field")
	}
	switch w.text(last) {
	case "new", "extend", "subclass", "clone", "derive":
		return true
	}
	return false
}

// luaMembers reads a table whose fields are members of symbol y.
func luaMembers(w *walk, n, y int32) int32 {
	for f := range w.kids(n) {
		name, value := w.child(f, "name"), w.child(f, "value")
		if w.is(name, "string") {
			name = w.child(name, "content")
		}
		computed := strings.HasPrefix(w.text(f), "[") && !w.is(name, "string_content")
		if computed || !w.is(name, "identifier") && !w.is(name, "string_content") {
			luaField(w, f)
			continue
		}
		kind := code.KindField
		if w.is(value, "function_definition") {
			kind = code.KindMethod
		}
		if m := luaMember(w, y, name, f, kind); m >= 0 {
			luaValue(w, m, value)
		} else {
			w.visit(value)
		}
	}
	return w.expr(facts.OpMembers, y, facts.None)
}

// luaTable reads a table that no name has.
func luaTable(w *walk, n int32) int32 {
	for f := range w.kids(n) {
		luaField(w, f)
	}
	return w.expr(facts.OpLiteral, facts.LiteralMap, facts.None)
}

// luaField reads a field that no name has: name = value, [key] = value, value.
func luaField(w *walk, f int32) {
	if name := w.child(f, "name"); strings.HasPrefix(w.text(f), "[") {
		w.visit(name)
	}
	w.visit(w.child(f, "value"))
}

// luaAssignment reads names and fields that are set.
func luaAssignment(w *walk, n int32) int32 {
	values := luaList(w, w.childOf(n, "expression_list"))
	i := 0
	for target := range w.kids(w.childOf(n, "variable_list")) {
		value := int32(facts.None)
		if i < len(values) {
			value = values[i]
		}
		i++
		luaSet(w, n, target, value)
	}
	for ; i < len(values); i++ {
		w.visit(values[i])
	}
	return facts.None
}

// luaSet reads one target of an assignment and its value.
func luaSet(w *walk, n, target, value int32) {
	kind, field := code.KindVar, code.KindField
	if w.is(value, "function_definition") {
		kind, field = code.KindFunc, code.KindMethod
	}
	y := int32(facts.None)
	switch {
	case w.is(target, "identifier"):
		y = luaGlobal(w, target, n, kind)
	case w.is(target, "dot_index_expression"):
		table, name := w.child(target, "table"), w.child(target, "field")
		if owner := luaOwner(w, table); owner >= 0 {
			if y = luaMember(w, owner, name, n, field); y >= 0 {
				w.visit(table)
				break
			}
		}
		luaRef(w, target, facts.RoleWrite, facts.None)
	default:
		luaRef(w, target, facts.RoleWrite, facts.None)
	}
	if y < 0 {
		w.visit(value)
		return
	}
	luaValue(w, y, value)
}

// luaRequired finds the module that require brings, and the member of it that is
// taken, if one is.
func luaRequired(w *walk, n int32) (module, member int32, ok bool) {
	member = facts.None
	if w.is(n, "dot_index_expression") {
		member, n = w.child(n, "field"), w.child(n, "table")
	}
	if !w.is(n, "function_call") || w.text(w.child(n, "name")) != "require" {
		return 0, 0, false
	}
	s := w.only(w.child(n, "arguments"))
	module = w.child(s, "content")
	return module, member, w.is(s, "string") && module >= 0
}

// luaCount counts the arguments of a call; None where the last may be several.
func luaCount(w *walk, list int32) int {
	count := 0
	for a := range w.kids(list) {
		if w.is(a, "vararg_expression") {
			return facts.None
		}
		count++
	}
	return count
}

func luaCall(w *walk, n int32) int32 {
	callee, list := w.child(n, "name"), w.child(n, "arguments")
	if m, _, ok := luaRequired(w, n); ok {
		w.imports = append(w.imports, facts.Import{Module: w.text(m), Name: facts.WholeModule, Place: facts.Place{At: w.start(m)}, In: facts.None})
		u := w.add(w.text(callee), w.start(callee), facts.RoleImport, facts.None)
		w.uses[u].Bind, w.uses[u].Target = facts.BindImport, int32(len(w.imports)-1)
		return w.expr(facts.OpUse, u, 0)
	}
	f := luaRef(w, callee, facts.RoleCall, luaCount(w, list))
	first := int32(facts.None)
	for i, a := range luaList(w, list) {
		if v := w.visit(a); i == 0 {
			first = v
		}
	}
	call := w.of(facts.OpCall, f, 0)
	if w.text(callee) == "setmetatable" {
		return first
	}
	if object := luaReceiver(w, f); object >= 0 && luaMakes(w, callee) {
		return w.expr(facts.OpElse, call, object)
	}
	return call
}

func luaBinary(w *walk, n int32) int32 {
	left, right := w.visit(w.child(n, "left")), w.visit(w.child(n, "right"))
	switch operator := w.child(n, "operator"); {
	case w.is(operator, "or"):
		w.branches++
		return w.union(left, right)
	case w.is(operator, "and"):
		w.branches++
		return right
	}
	return facts.None
}

// luaReturn reads return. At the end of a file it says what the module is.
func luaReturn(w *walk, n int32) int32 {
	list := w.childOf(n, "expression_list")
	first := w.only(list)
	if w.fn != nil {
		e := w.visit(first)
		w.visitOther(list, first)
		if w.fn.returns < 0 || w.exprs[w.fn.returns].Op == facts.OpLiteral {
			w.fn.returns = e
		}
		return facts.None
	}
	if first < 0 || w.top() > 0 {
		return w.visitAll(n)
	}
	luaModule(w, n, first)
	w.visitOther(list, first)
	return facts.None
}

// luaModule reads the value that a file gives to those that require it.
func luaModule(w *walk, n, value int32) {
	named := value
	if w.is(value, "function_call") && w.text(w.child(value, "name")) == "setmetatable" {
		named = w.only(w.child(value, "arguments"))
	}
	if w.is(named, "identifier") {
		jsPassOn(w, w.text(named), facts.WholeModule, w.start(named))
		w.visit(value)
		return
	}
	if m, member, ok := luaRequired(w, value); ok && member < 0 {
		w.imports = append(w.imports, facts.Import{Module: w.text(m), Name: facts.WholeModule, Local: facts.WholeModule,
			Place: facts.Place{At: w.start(m)}, In: facts.None, Flags: facts.Exported | facts.Reexport})
		return
	}
	kind := code.KindVar
	if w.is(value, "function_definition") {
		kind = code.KindFunc
	}
	y := w.symbolAt("return", w.start(n), w.start(n), w.end(n), kind, facts.Exported)
	if !strings.HasPrefix(w.text(n), "return") {
		w.symbols = w.symbols[:y]
		w.visit(value)
		return
	}
	jsPassOn(w, "return", facts.WholeModule, w.start(n))
	luaValue(w, y, value)
	if w.is(value, "table_constructor") {
		w.signature(y, w.start(n), value)
	}
}

func luaRepeat(w *walk, n int32) int32 {
	w.open(scopeBlock)
	if body := w.child(n, "body"); body >= 0 {
		w.visitAll(body)
	}
	w.visit(w.child(n, "condition"))
	w.close()
	return facts.None
}

func luaFor(w *walk, n int32) int32 {
	clause := w.child(n, "clause")
	values := w.childOf(clause, "expression_list")
	w.visit(values)
	for _, field := range []string{"start", "end", "step"} {
		w.visit(w.child(clause, field))
	}
	w.open(scopeBlock)
	list := w.childOf(clause, "variable_list")
	if list < 0 {
		list = clause
	}
	for name := range w.kids(list) {
		if w.field(name) == "name" && w.is(name, "identifier") {
			y := w.symbol(name, name, code.KindVar, facts.Local)
			w.bind(w.top(), y, 0)
		}
	}
	w.visit(w.child(n, "body"))
	w.close()
	return facts.None
}
