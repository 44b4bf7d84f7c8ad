package tree

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
)

// phpRules are those of PHP. Names of variables keep their $, so that they do
// not meet functions, constants and types; names of properties have none.
func phpRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	class := func(kind code.Kind) visitor { return func(w *walk, n int32) int32 { return phpClass(w, n, kind) } }
	return &rules{
		apart: apartCalls,
		state: func() any { return &phpState{space: facts.None} },
		branches: []string{"if_statement", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement",
			"case_statement", "catch_clause", "conditional_expression"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"text":                              none,
			"php_tag":                           none,
			"namespace_definition":              phpNamespace,
			"namespace_use_declaration":         phpUse,
			"class_declaration":                 class(code.KindClass),
			"interface_declaration":             class(code.KindInterface),
			"trait_declaration":                 class(code.KindTrait),
			"enum_declaration":                  class(code.KindEnum),
			"use_declaration":                   phpTraits,
			"expression_statement":              phpStatement,
			"compound_statement":                phpBlock,
			"colon_block":                       phpBlock,
			"case_statement":                    phpCase,
			"default_statement":                 phpCase,
			"if_statement":                      phpIf,
			"else_if_clause":                    phpIf,
			"else_clause":                       func(w *walk, n int32) int32 { return phpRun(w, w.child(n, "body")) },
			"while_statement":                   phpIf,
			"enum_case":                         phpEnumCase,
			"method_declaration":                func(w *walk, n int32) int32 { return phpFunction(w, n, code.KindMethod) },
			"function_definition":               func(w *walk, n int32) int32 { return phpFunction(w, n, code.KindFunc) },
			"anonymous_function":                phpClosure,
			"arrow_function":                    phpClosure,
			"property_declaration":              phpProperties,
			"const_declaration":                 phpConstants,
			"attribute":                         phpAttribute,
			"global_declaration":                phpDeclared,
			"function_static_declaration":       phpDeclared,
			"foreach_statement":                 phpForEach,
			"catch_clause":                      phpCatch,
			"return_statement":                  phpReturn,
			"assignment_expression":             phpAssignment,
			"reference_assignment_expression":   phpAssignment,
			"augmented_assignment_expression":   phpAugmented,
			"update_expression":                 func(w *walk, n int32) int32 { return phpTarget(w, w.child(n, "argument"), facts.None) },
			"variable_name":                     func(w *walk, n int32) int32 { return phpVariable(w, n, facts.RoleRead) },
			"name":                              func(w *walk, n int32) int32 { return phpRef(w, n, readRole(w), facts.None) },
			"qualified_name":                    func(w *walk, n int32) int32 { return phpRef(w, n, readRole(w), facts.None) },
			"relative_scope":                    phpRelative,
			"named_type":                        func(w *walk, n int32) int32 { return w.visitType(w.only(n)) },
			"primitive_type":                    phpPrimitive,
			"bottom_type":                       none,
			"optional_type":                     func(w *walk, n int32) int32 { return w.visit(w.only(n)) },
			"union_type":                        unionOf,
			"intersection_type":                 unionOf,
			"disjunctive_normal_form_type":      unionOf,
			"type_list":                         unionOf,
			"member_access_expression":          phpProperty,
			"nullsafe_member_access_expression": phpProperty,
			"scoped_property_access_expression": phpProperty,
			"class_constant_access_expression":  phpConstant,
			"member_call_expression":            phpCall,
			"nullsafe_member_call_expression":   phpCall,
			"scoped_call_expression":            phpCall,
			"function_call_expression":          phpCall,
			"object_creation_expression":        phpNew,
			"subscript_expression":              phpSubscript,
			"array_creation_expression":         phpArray,
			"parenthesized_expression":          only,
			"clone_expression":                  only,
			"error_suppression_expression":      only,
			"cast_expression":                   phpCast,
			"binary_expression":                 phpBinary,
			"conditional_expression":            phpConditional,
			"match_expression":                  phpMatch,
			"string":                            literalOf(facts.LiteralString),
			"encapsed_string":                   literalOf(facts.LiteralString),
			"heredoc":                           literalOf(facts.LiteralString),
			"nowdoc":                            literalOf(facts.LiteralString),
			"integer":                           literalOf(facts.LiteralNumber),
			"float":                             literalOf(facts.LiteralNumber),
			"boolean":                           literalOf(facts.LiteralBool),
			"null":                              literalOf(facts.LiteralNull),
		},
	}
}

// phpState is what the rules of PHP remember of a file.
type phpState struct {
	namespace string           // the one that is read
	space     int32            // its symbol, None for the first of the file
	templates []phpTemplate    // names that doc comments give types
	variables map[string]int32 // what a doc comment above a statement says of variables

	flows flows              // what the statements above say of variables and properties
	tests map[uint32]phpTest // uses of instanceof, by their place

	classes map[uint32]int32 // the types of Type::class among the arguments of a call, by their place
}

// phpConstOrType finds constants with their modifiers, and types before them.
var phpConstOrType = pattern.New(`\b(class|interface|trait|enum)\s+\w|\b((?:(?:public|protected|private|final)\s+)*)(const)\s`)

// phpPrepare makes cases of the constants in enumerations, which the grammar does
// not know.
func phpPrepare(text []byte) []byte {
	if !bytes.Contains(text, []byte("enum")) {
		return text
	}
	var hidden, constants []span
	enum := false
	for _, at := range phpConstOrType().FindAllSubmatchIndex(text, -1) {
		if at[2] >= 0 {
			enum = string(text[at[2]:at[3]]) == "enum"
		} else if enum {
			hidden = append(hidden, span{uint32(at[4]), uint32(at[5])})
			constants = append(constants, span{uint32(at[6]), uint32(at[7])})
		}
	}
	text = cover(text, hidden, ' ')
	for _, c := range constants {
		copy(text[c.start:c.end], "case ")
	}
	return text
}

// phpNamespace reads a namespace. The first one names the package of the file,
// another one holds what it declares.
func phpNamespace(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	state := w.php()
	state.namespace, state.space = withoutBlanks(w, name), facts.None
	if last := w.last(max(name, 0)); name >= 0 && w.text(last) != "" {
		if w.pkg == "" && len(w.symbols) == 0 {
			w.pkg = state.namespace
		}
		y := w.symbol(last, n, code.KindModule, facts.Exported)
		w.symbols[y].Parent = facts.None
		w.signature(y, w.start(n), body)
		w.document(y, w.start(n))
		if state.namespace != w.pkg {
			state.space = y
			w.symbols[y].Owner = strings.TrimSuffix(strings.TrimSuffix(state.namespace, w.text(last)), `\`)
		}
	}
	w.parent = state.space
	if state.space >= 0 && body < 0 { // what follows is in it
		w.symbols[state.space].End = w.end(w.up(n))
	}
	if w.visit(body); body >= 0 {
		state.namespace, state.space, w.parent = w.pkg, facts.None, facts.None
	}
	return facts.None
}

// phpUse reads use App\Models\User as Person, function App\helper and groups.
func phpUse(w *walk, n int32) int32 {
	prefix := withoutBlanks(w, w.childOf(n, "namespace_name"))
	list := n
	if body := w.child(n, "body"); body >= 0 {
		list = body
	}
	for c := range w.kids(list) {
		if w.is(c, "namespace_use_clause") {
			phpUseClause(w, c, prefix)
		}
	}
	return facts.None
}

func phpUseClause(w *walk, n int32, prefix string) {
	path, local := w.childOf(n, "qualified_name", "name"), w.child(n, "alias")
	if path < 0 {
		return
	}
	module, name := phpSplit(w, path)
	if name < 0 {
		return
	}
	if local < 0 {
		local = name
	}
	module = strings.Trim(prefix+`\`+module, `\`)
	w.imports = append(w.imports, facts.Import{Module: module, Name: w.text(name), Local: w.text(local), Place: facts.Place{At: w.start(local)}, In: facts.None})
	i := int32(len(w.imports) - 1)
	w.declare(0, w.text(local), w.start(local), 0, facts.BindImport, i)
	w.imported(name, i)
}

// phpSplit cuts a name into the namespace before it, as it is written, and the
// node of its last part.
func phpSplit(w *walk, n int32) (namespace string, last int32) {
	if w.is(n, "name") {
		return "", n
	}
	last = w.last(n)
	if !w.is(last, "name") {
		return "", facts.None
	}
	return strings.TrimSuffix(strings.Join(strings.Fields(w.src[w.start(n):w.start(last)]), ""), `\`), last
}

// phpRef reads the name of a type, a function or a constant, used in a role.
func phpRef(w *walk, n int32, role facts.Role, args int) int32 {
	switch {
	case w.is(n, "name") && phpSelf(w.text(n)):
		of := phpRelative(w, n)
		if role == facts.RoleCall && of >= 0 { // new self, whose name is that of no member
			phpMakes(w, n, of, args)
		}
		return of
	case w.is(n, "name"):
		return w.use(n, role, args)
	case !w.is(n, "qualified_name"):
		return w.visit(n)
	}
	namespace, last := phpSplit(w, n)
	if last < 0 || w.text(last) == "" {
		return facts.None
	}
	w.imports = append(w.imports, facts.Import{Module: phpAbsolute(w, namespace), Name: w.text(last), Place: facts.Place{At: w.start(last)}, In: facts.None})
	u := w.add(w.text(last), w.start(last), role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, int32(len(w.imports)-1)
	return w.expr(facts.OpUse, u, 0)
}

// phpSelf reports whether a name means the class around it, or its base.
func phpSelf(name string) bool { return name == "self" || name == "static" || name == "parent" }

// phpMakes notes that a keyword makes a value: of the class around, of one below that, or of
// the one above.
func phpMakes(w *walk, n, of int32, args int) {
	switch {
	case w.this.symbol < 0:
		return
	case w.text(n) == "static":
		of = w.expr(facts.OpElse, w.expr(facts.OpSymbol, w.this.symbol, 0), facts.None)
	}
	w.member(n, of, facts.RoleCall, args)
}

// phpAbsolute is the namespace that one written in a name means: \A\B is A\B;
// the first part of A\B may be imported, else it is in the namespace of the file.
func phpAbsolute(w *walk, namespace string) string {
	if rest, ok := strings.CutPrefix(namespace, `\`); ok || namespace == "" {
		return rest
	}
	first, rest, _ := strings.Cut(namespace, `\`)
	here := w.php().namespace
	base := here + `\` + first
	if first == "namespace" {
		base = here
	} else if i := slices.IndexFunc(w.imports, func(m facts.Import) bool { return m.Local == first }); i >= 0 {
		base = w.imports[i].Module + `\` + w.imports[i].Name
	}
	return strings.Trim(base+`\`+rest, `\`)
}

// phpFlags reads the modifiers of a member and its attributes.
func phpFlags(w *walk, n int32) facts.Flags {
	flags := facts.Exported
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "visibility_modifier":
			if strings.HasPrefix(w.text(c), "private") {
				flags &^= facts.Exported
			}
		case "static_modifier":
			flags |= facts.Static
		case "abstract_modifier":
			flags |= facts.Abstract
		case "attribute_list":
			if strings.Contains(w.text(c), "Override") {
				flags |= facts.Overrides
			}
			w.visit(c)
		}
	}
	return flags
}

func phpAttribute(w *walk, n int32) int32 {
	name := w.only(n)
	list := w.child(n, "parameters")
	phpArguments(w, list, phpRef(w, name, facts.RoleCall, phpCount(w, list)))
	return facts.None
}

// phpStart is where the signature of a declaration starts: after its attributes.
func phpStart(w *walk, n int32) uint32 {
	for c := range w.kids(n) {
		if !w.is(c, "attribute_list") {
			return w.start(c)
		}
	}
	return w.start(n)
}

func phpClass(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 || w.text(name) == "" {
		return w.visitAll(n)
	}
	c := w.symbol(name, n, kind, facts.Exported)
	w.bind(0, c, 0)
	w.signature(c, phpStart(w, n), body)
	w.document(c, w.start(n))
	doc := phpDocOf(w, c)
	defer func(was []phpTemplate) { w.php().templates = was }(w.php().templates)
	doc.template()
	w.within(c, func() {
		w.symbols[c].Flags = phpFlags(w, n) & (facts.Exported | facts.Abstract)
		that := w.this
		w.this = receiver{facts.OpThis, c}
		phpMagic(w, c, doc)
		w.this = that
		w.bases(c, append(phpBases(w, w.childOf(n, "base_clause"), facts.RoleInherit),
			phpBases(w, w.childOf(n, "class_interface_clause"), facts.RoleImplement)...))
		w.visit(w.childOf(n, "primitive_type"))
		phpBody(w, body, receiver{facts.OpThis, c})
	})
	return facts.None
}

// phpBases reads the types that a clause lists.
func phpBases(w *walk, clause int32, role facts.Role) (bases []int32) {
	if clause < 0 {
		return nil
	}
	for c := range w.kids(clause) {
		if !w.token(c) {
			bases = append(bases, phpRef(w, c, role, facts.None))
		}
	}
	return bases
}

func phpBody(w *walk, body int32, this receiver) {
	that, fn := w.this, w.fn
	w.this, w.fn = this, nil
	w.open(scopeClass)
	w.visit(body)
	w.close()
	w.this, w.fn = that, fn
}

// phpTraits reads use Trait within a class, which gets its members. In
// { a as b } a is one of them.
func phpTraits(w *walk, n int32) int32 {
	for c := range w.kids(n) {
		if w.is(c, "name") || w.is(c, "qualified_name") {
			phpRef(w, c, facts.RoleInherit, facts.None)
		} else if w.is(c, "use_list") {
			for clause := range w.kids(c) {
				if name := w.only(clause); w.is(name, "name") {
					w.member(name, facts.None, facts.RoleRead, facts.None)
				} else {
					w.visit(name)
				}
			}
		}
	}
	return facts.None
}

func phpEnumCase(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 || w.text(name) == "" {
		return w.visitAll(n)
	}
	y := w.symbol(name, n, code.KindConst, facts.Exported|facts.Static)
	w.document(y, w.start(n))
	constant := strings.HasPrefix(w.src[w.start(n):], "const")
	if w.parent >= 0 && !constant {
		w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, w.parent, 0))
	}
	w.within(y, func() {
		if value := w.child(n, "value"); constant {
			w.visitOther(n, name, value)
			setType(w, y, facts.None, w.visit(value))
		} else {
			w.visitOther(n, name)
		}
	})
	return facts.None
}

func phpFunction(w *walk, n int32, kind code.Kind) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 || w.text(name) == "" {
		return w.visitAll(n)
	}
	f := w.symbol(name, n, kind, 0)
	if kind == code.KindFunc {
		w.symbols[f].Parent = w.php().space
		w.bind(0, f, 0)
	}
	w.signature(f, phpStart(w, n), body)
	w.document(f, w.start(n))
	doc := phpDocOf(w, f)
	defer func(was []phpTemplate) { w.php().templates = was }(w.php().templates)
	doc.template()
	outer, branches := w.fn, w.branches
	w.fn = &function{symbol: f, returns: facts.None}
	w.within(f, func() {
		w.symbols[f].Flags = phpFlags(w, n)
		if body < 0 {
			w.symbols[f].Flags |= facts.Abstract
		}
		w.open(scopeFunction)
		least, most, many := phpParameters(w, w.child(n, "parameters"), doc)
		w.arguments(f, least, most, many)
		result := doc.refine(w.value(w.visitType(w.child(n, "return_type"))), doc.returned())
		w.php().flows.isolated(func() { w.visit(body) })
		phpLeave(w)
		setType(w, f, result, w.fn.returns)
	})
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn = outer
	return facts.None
}

// phpLeave ends the scope of a function. Its variables are not those around it.
func phpLeave(w *walk) {
	s := &w.scopes[w.top()]
	s.pending = slices.DeleteFunc(s.pending, func(u int32) bool {
		name := w.uses[u].Name
		if !strings.HasPrefix(name, "$") {
			return false
		}
		_, own := w.declaredIn(w.top(), name)
		return !own
	})
	w.close()
}

// phpClosure reads a function without a name. An arrow function sees the
// variables around it, the other kind those that it lists.
func phpClosure(w *walk, n int32) int32 {
	taken, values := phpTaken(w, w.childOf(n, "anonymous_function_use_clause"))
	fn := w.fn
	w.fn = &function{symbol: facts.None, returns: facts.None}
	w.open(scopeFunction)
	result, v := int32(facts.None), int32(facts.None)
	read := func() {
		for i, c := range taken {
			phpDeclare(w, c, c, values[i])
		}
		phpParameters(w, w.child(n, "parameters"), nil)
		result = w.value(w.visitType(w.child(n, "return_type")))
		v = w.visit(w.child(n, "body"))
	}
	if w.is(n, "arrow_function") {
		read()
		w.close()
	} else {
		w.php().flows.isolated(read)
		v = w.fn.returns
		phpLeave(w)
	}
	w.fn = fn
	if result < 0 {
		result = v
	}
	return w.of(facts.OpFunc, result, facts.None)
}

// phpTaken reads the variables that a function lists in use (...), and their values.
func phpTaken(w *walk, list int32) (taken, values []int32) {
	for c := range w.kids(list) {
		if w.is(c, "by_ref") {
			c = w.only(c)
		}
		if w.is(c, "variable_name") {
			taken, values = append(taken, c), append(values, w.visit(c))
		}
	}
	return taken, values
}

// phpParameters declares parameters. What a doc comment, which may be nil, says of
// them counts where their types say less.
func phpParameters(w *walk, list int32, doc *phpDoc) (least, most int, many bool) {
	if list < 0 {
		return 0, 0, false
	}
	for p := range w.kids(list) {
		name, value := w.child(p, "name"), w.child(p, "default_value")
		flags := phpFlags(w, p)
		if w.is(name, "by_ref") {
			name = w.only(name)
		}
		if !w.is(name, "variable_name") || w.text(name) == "" {
			continue
		}
		y := phpParameter(w, p, name, flags)
		typ := doc.refine(w.value(w.visitType(w.child(p, "type"))), doc.typeOf("@param", w.text(name)))
		switch {
		case w.is(p, "variadic_parameter"):
			typ, many = w.expr(facts.OpLiteral, facts.LiteralList, typ), true
		case value >= 0:
			most++
		default:
			least, most = least+1, most+1
		}
		setType(w, y, typ, w.visit(value))
	}
	return least, most, many
}

// phpParameter declares a parameter. One of a constructor may be a field, too,
// and is known under both names.
func phpParameter(w *walk, p, name int32, flags facts.Flags) int32 {
	if bare := w.only(name); w.is(p, "property_promotion_parameter") && w.this.symbol >= 0 && w.text(bare) != "" {
		y := w.symbol(bare, p, code.KindField, flags)
		w.symbols[y].Parent = w.this.symbol
		w.declare(w.top(), w.text(name), w.start(name), 0, facts.BindSymbol, y)
		return y
	}
	y := w.symbol(name, p, code.KindParam, facts.Local)
	w.bind(w.top(), y, 0)
	return y
}

func phpProperties(w *walk, n int32) int32 {
	flags := phpFlags(w, n)
	typ := w.value(w.visitType(w.child(n, "type")))
	for c := range w.kids(n) {
		name := w.only(w.child(c, "name"))
		if !w.is(c, "property_element") || w.text(name) == "" {
			continue
		}
		y := w.symbol(name, n, code.KindField, flags)
		w.document(y, w.start(n))
		doc := phpDocOf(w, y)
		typ := doc.refine(typ, doc.typeOf("@var", ""))
		w.within(y, func() { setType(w, y, typ, w.visit(w.child(c, "default_value"))) })
	}
	w.visit(w.childOf(n, "property_hook_list"))
	return facts.None
}

func phpConstants(w *walk, n int32) int32 {
	flags := phpFlags(w, n)
	typ := w.value(w.visitType(w.child(n, "type")))
	for c := range w.kids(n) {
		name := w.only(c)
		if !w.is(c, "const_element") || w.text(name) == "" {
			continue
		}
		y := w.symbol(name, n, code.KindConst, flags)
		if w.scopes[w.top()].kind == scopeClass {
			w.symbols[y].Flags |= facts.Static
		} else {
			w.bind(0, y, 0)
		}
		w.document(y, w.start(n))
		w.within(y, func() { setType(w, y, typ, w.visit(w.last(c))) })
	}
	return facts.None
}

// phpScope is the scope that assignments declare variables in.
func phpScope(w *walk) int { return w.enclosing(scopeFunction) }

// phpVariable reads $name.
func phpVariable(w *walk, n int32, role facts.Role) int32 {
	if w.text(n) == "$this" {
		return thisValue(w, n)
	}
	return phpKnown(w, n, w.use(n, role, facts.None))
}

// phpDeclare declares a variable where it is first assigned to.
func phpDeclare(w *walk, n, whole, value int32) {
	name, s := w.text(n), phpScope(w)
	if name == "" || name == "$this" {
		return
	}
	said, known := w.php().variables[name]
	if d, again := w.declaredIn(s, name); again {
		if w.use(n, facts.RoleWrite, facts.None); known {
			value = said
		}
		if y := &w.symbols[max(d.target, 0)]; value >= 0 && d.bind == facts.BindSymbol && y.Kind == code.KindVar && (y.Type < 0 || w.literalKind(y.Type) == facts.LiteralNull) {
			y.Type, y.Flags = value, y.Flags|facts.Inferred
		}
		w.php().flows.assign(w, name, d.target, value)
		return
	}
	flags := facts.Local
	if s == 0 {
		flags = facts.Exported
	}
	y := w.symbol(n, whole, code.KindVar, flags)
	if !known {
		said = facts.None
	}
	setType(w, y, said, value)
	w.bind(s, y, 0)
	w.php().flows.assign(w, name, y, w.symbols[y].Type)
}

// phpStatement reads a statement. A comment above it may say the types of the
// variables that it sets.
func phpStatement(w *walk, n int32) int32 {
	state := w.php()
	state.variables = phpDocAt(w, w.start(n)).variables()
	w.visitAll(n)
	state.variables = nil
	return facts.None
}

// phpDeclareAll declares the variables that stand in a node.
func phpDeclareAll(w *walk, n int32) {
	for c := range w.kids(n) {
		switch {
		case w.is(c, "variable_name"):
			phpDeclare(w, c, c, facts.None)
		case w.is(c, "by_ref"):
			phpDeclareAll(w, c)
		case w.is(c, "static_variable_declaration"):
			phpDeclare(w, w.child(c, "name"), c, w.visit(w.child(c, "value")))
		}
	}
}

// phpDeclared reads global $a and static $b = 1.
func phpDeclared(w *walk, n int32) int32 {
	phpDeclareAll(w, n)
	return facts.None
}

func phpAssignment(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "right"))
	phpTarget(w, w.child(n, "left"), v)
	return v
}

func phpAugmented(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "right"))
	phpTarget(w, w.child(n, "left"), facts.None)
	return v
}

// phpTarget reads the target of an assignment of a value, which may be None.
func phpTarget(w *walk, n, value int32) int32 {
	switch {
	case n < 0:
	case w.is(n, "variable_name"):
		phpDeclare(w, n, n, value)
	case w.is(n, "member_access_expression") || w.is(n, "nullsafe_member_access_expression") || w.is(n, "scoped_property_access_expression"):
		phpForgets(w, n)
		return phpMember(w, n, facts.RoleWrite, facts.None)
	case w.is(n, "list_literal") || w.is(n, "array_creation_expression") || w.is(n, "array_element_initializer") || w.is(n, "pair") || w.is(n, "by_ref"):
		for c := range w.kids(n) {
			if !w.token(c) {
				phpTarget(w, c, w.of(facts.OpElem, value, 0))
			}
		}
	default:
		return w.visit(n)
	}
	return facts.None
}

func phpForEach(w *walk, n int32) int32 {
	state := w.php()
	state.variables = phpDocAt(w, w.start(n)).variables()
	body := w.child(n, "body")
	first := w.only(n)
	list := w.visit(first)
	for c := range w.kids(n) {
		switch {
		case c == first || c == body || w.token(c):
		case w.is(c, "pair"):
			phpTarget(w, w.only(c), w.of(facts.OpElem, list, 1))
			phpTarget(w, w.last(c), w.of(facts.OpElem, list, 0))
		default:
			phpTarget(w, c, w.of(facts.OpElem, list, 0))
		}
	}
	state.variables = nil
	w.visit(body)
	return facts.None
}

func phpCatch(w *walk, n int32) int32 {
	typ := w.value(w.visitType(w.child(n, "type")))
	if name := w.child(n, "name"); name >= 0 {
		phpDeclare(w, name, name, typ)
	}
	w.visit(w.child(n, "body"))
	return facts.None
}

func phpReturn(w *walk, n int32) int32 {
	v := w.visit(w.only(n))
	if w.fn != nil && (w.fn.returns < 0 || w.exprs[w.fn.returns].Op == facts.OpLiteral) {
		w.fn.returns = v
	}
	return facts.None
}

// phpRelative reads self, static and parent.
func phpRelative(w *walk, n int32) int32 {
	switch {
	case w.text(n) == "parent":
		return superValue(w, n)
	case w.text(n) == "static":
		return thisValue(w, n)
	case w.this.symbol < 0:
		return facts.None
	}
	return w.expr(facts.OpSymbol, w.this.symbol, 0)
}

// phpPrimitive reads a built-in type.
func phpPrimitive(w *walk, n int32) int32 {
	switch strings.ToLower(w.text(n)) {
	case "string":
		return w.literal(facts.LiteralString)
	case "int", "float":
		return w.literal(facts.LiteralNumber)
	case "bool", "true", "false":
		return w.literal(facts.LiteralBool)
	case "array", "iterable":
		return w.literal(facts.LiteralList)
	case "null", "void":
		return w.literal(facts.LiteralNull)
	case "static":
		return thisValue(w, n)
	}
	return facts.None
}

// phpObject reads the expression or the type before -> or ::.
func phpObject(w *walk, n int32) int32 {
	if object := w.child(n, "object"); object >= 0 {
		return w.visit(object)
	}
	scope := w.child(n, "scope")
	if w.is(scope, "name") || w.is(scope, "qualified_name") {
		return phpRef(w, scope, facts.RoleType, facts.None)
	}
	return w.visit(scope)
}

// phpMember reads a member whose name is used in a role.
func phpMember(w *walk, n int32, role facts.Role, args int) int32 {
	of, name := phpObject(w, n), w.child(n, "name")
	if w.is(name, "variable_name") && w.is(n, "scoped_property_access_expression") { // A::$b
		name = w.only(name)
	}
	if !w.is(name, "name") {
		w.visit(name)
		return facts.None
	}
	return w.member(name, of, role, args)
}

// phpProperty reads a property.
func phpProperty(w *walk, n int32) int32 {
	return phpKnown(w, n, phpMember(w, n, facts.RoleRead, facts.None))
}

// phpConstant reads Type::NAME and Type::class.
func phpConstant(w *walk, n int32) int32 {
	first, last := w.only(n), w.last(n)
	var of int32
	if w.is(first, "name") || w.is(first, "qualified_name") {
		of = phpRef(w, first, facts.RoleType, facts.None)
	} else {
		of = w.visit(first)
	}
	switch {
	case last == first || !w.is(last, "name"):
		return facts.None
	case w.text(last) == "class": // a text, which stands for the class
		if w.php().classes == nil {
			w.php().classes = map[uint32]int32{}
		}
		w.php().classes[w.start(n)] = of
		return of
	}
	return w.member(last, of, facts.RoleRead, facts.None)
}

// phpCount counts the arguments of a call, None where some are spread.
func phpCount(w *walk, list int32) int {
	if list < 0 {
		return 0
	}
	count := 0
	for a := range w.kids(list) {
		if w.has(a, "variadic_unpacking") || w.is(a, "variadic_placeholder") {
			return facts.None
		}
		count++
	}
	return count
}

func phpCall(w *walk, n int32) int32 {
	list, callee := w.child(n, "arguments"), w.child(n, "function")
	args := phpCount(w, list)
	var f int32
	if callee >= 0 {
		f = phpRef(w, callee, facts.RoleCall, args)
		phpDefine(w, n, callee, list)
	} else {
		f = phpMember(w, n, facts.RoleCall, args)
	}
	phpArguments(w, list, f)
	if callee >= 0 {
		phpAsserted(w, callee, list)
	} else {
		phpAssertedType(w, n, list, f)
	}
	if w.has(list, "variadic_placeholder") { // f(...) is the function itself
		return f
	}
	return w.of(facts.OpCall, f, 0)
}

// phpDefine declares the constant of define('NAME', value).
func phpDefine(w *walk, n, callee, list int32) {
	if strings.TrimPrefix(w.text(callee), `\`) != "define" {
		return
	}
	name := w.childOf(w.only(w.only(list)), "string_content")
	if name < 0 || w.text(name) == "" {
		return
	}
	y := w.symbol(name, n, code.KindConst, facts.Exported)
	w.symbols[y].Parent = facts.None
	w.bind(0, y, 0)
	w.document(y, w.start(n))
}

// phpArguments reads the arguments of a call of f, which may be None. A class that is given
// first is kept: containers make values of it.
func phpArguments(w *walk, list, f int32) {
	if list < 0 {
		return
	}
	first := w.only(list)
	for a := range w.kids(list) {
		if of := w.only(a); a == first && f >= 0 && w.is(of, "class_constant_access_expression") && w.text(w.last(of)) == "class" {
			w.given(f, []int32{phpConstant(w, of)})
			continue
		}
		name := w.child(a, "name")
		if name >= 0 {
			w.member(name, f, facts.RoleWrite, facts.None)
		}
		w.visitOther(a, name)
	}
}

func phpNew(w *walk, n int32) int32 {
	list := w.childOf(n, "arguments")
	for c := range w.kids(n) {
		switch {
		case c == list || w.token(c):
		case w.is(c, "anonymous_class"):
			return phpAnonymous(w, c)
		case w.is(c, "name") || w.is(c, "qualified_name"):
			t := phpRef(w, c, facts.RoleCall, phpCount(w, list))
			phpArguments(w, list, t)
			return w.value(t)
		default:
			t := w.visit(c)
			phpArguments(w, list, t)
			return w.value(t)
		}
	}
	phpArguments(w, list, facts.None)
	return facts.None
}

// phpClassWord finds the keyword of a class, after its modifiers.
var phpClassWord = pattern.New(`\bclass\b`)

// phpAnonymous reads new class extends Base { ... }. It is a class of the name
// "class", which no other can have.
func phpAnonymous(w *walk, n int32) int32 {
	phpArguments(w, w.childOf(n, "arguments"), facts.None)
	body := w.child(n, "body")
	start := phpStart(w, n)
	keyword := phpClassWord().FindStringIndex(w.src[start:w.end(n)])
	if keyword == nil {
		phpBody(w, body, receiver{symbol: facts.None})
		return facts.None
	}
	c := w.symbolAt("class", start+uint32(keyword[0]), w.start(n), w.end(n), code.KindClass, facts.Local)
	w.signature(c, start, body)
	w.within(c, func() {
		w.bases(c, append(phpBases(w, w.childOf(n, "base_clause"), facts.RoleInherit),
			phpBases(w, w.childOf(n, "class_interface_clause"), facts.RoleImplement)...))
		phpBody(w, body, receiver{facts.OpThis, c})
	})
	return w.value(w.expr(facts.OpSymbol, c, 0))
}

func phpSubscript(w *walk, n int32) int32 {
	first := w.only(n)
	v := w.visit(first)
	w.visitOther(n, first)
	return phpKnown(w, n, w.of(facts.OpElem, v, 0))
}

func phpArray(w *walk, n int32) int32 {
	if f := phpCallable(w, n); f >= 0 {
		return f
	}
	element := int32(facts.None)
	for c := range w.kids(n) {
		last := w.last(c)
		for x := range w.kids(c) {
			if v := w.visit(x); x == last && element < 0 {
				element = v
			}
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, element)
}

// phpCallable reads [A::class, 'method'], [$this, 'method'] and [$object, 'method'],
// which name a method; None for another array.
func phpCallable(w *walk, n int32) int32 {
	var parts []int32
	for c := range w.kids(n) {
		if parts = append(parts, w.only(c)); len(parts) > 2 || w.only(c) != w.last(c) {
			return facts.None
		}
	}
	if len(parts) != 2 || !w.is(parts[1], "string") && !w.is(parts[1], "encapsed_string") {
		return facts.None
	}
	name := w.childOf(parts[1], "string_content")
	if !phpIsName(w.text(name)) || w.end(name)-w.start(name)+2 != w.end(parts[1])-w.start(parts[1]) {
		return facts.None
	}
	of := parts[0]
	switch {
	case w.is(of, "class_constant_access_expression") && w.text(w.last(of)) == "class":
		typ := w.only(of)
		if w.is(typ, "name") || w.is(typ, "qualified_name") {
			return w.member(name, phpRef(w, typ, facts.RoleType, facts.None), facts.RoleRead, facts.None)
		}
		return w.member(name, w.visit(typ), facts.RoleRead, facts.None)
	case w.text(of) == "$this":
		return w.member(name, w.visit(of), facts.RoleRead, facts.None)
	case phpKey(w, of) != "" || w.is(of, "object_creation_expression"):
		return w.member(name, w.visit(of), facts.RoleCall, facts.None)
	}
	return facts.None
}

func phpCast(w *walk, n int32) int32 {
	w.visit(w.child(n, "value"))
	switch strings.ToLower(w.text(w.child(n, "type"))) {
	case "string":
		return w.literal(facts.LiteralString)
	case "int", "integer", "float", "double":
		return w.literal(facts.LiteralNumber)
	case "bool", "boolean":
		return w.literal(facts.LiteralBool)
	case "array":
		return w.literal(facts.LiteralList)
	}
	return facts.None
}

// phpBinary reads two operands. The right one of instanceof is a type.
func phpBinary(w *walk, n int32) int32 {
	operator := w.child(n, "operator")
	kind := ""
	if operator >= 0 {
		kind = w.kind(operator)
	}
	left, right := w.child(n, "left"), w.child(n, "right")
	switch kind {
	case "instanceof":
		return phpInstanceof(w, n, left, right)
	case "??":
		w.branches++
		l := w.visit(left)
		return w.union(l, w.visit(right))
	case "&&", "||", "and", "or":
		w.branches++
		return phpBoth(w, left, right, kind == "&&" || kind == "and")
	}
	w.visit(left)
	w.visit(right)
	switch kind {
	case "": // a sign that no tree keeps: of a text or of a comparison
		return facts.None
	case "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "<=>":
		return w.literal(facts.LiteralNumber)
	}
	return w.literal(facts.LiteralBool)
}
