package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func rustRules() *rules {
	none := func(*walk, int32) int32 { return facts.None }
	only := func(w *walk, n int32) int32 { return w.visit(w.only(n)) }
	field := func(name string) visitor { return func(w *walk, n int32) int32 { return w.visit(w.child(n, name)) } }
	return &rules{
		apart:    apartTypes,
		branches: []string{"if_expression", "while_expression", "for_expression", "loop_expression", "match_arm"},
		comments: []string{"line_comment", "block_comment"},
		visit: map[string]visitor{
			"use_declaration":          rustUse,
			"extern_crate_declaration": rustExternCrate,
			"attribute_item":           rustAttribute,
			"inner_attribute_item":     none,
			"mod_item":                 rustMod,
			"struct_item":              rustStruct,
			"union_item":               rustStruct,
			"enum_item":                rustEnum,
			"trait_item":               rustTrait,
			"impl_item":                rustImpl,
			"function_item":            rustFunction,
			"function_signature_item":  rustFunction,
			"macro_definition":         rustMacro,
			"const_item":               func(w *walk, n int32) int32 { return rustConst(w, n, code.KindConst) },
			"static_item":              func(w *walk, n int32) int32 { return rustConst(w, n, code.KindVar) },
			"type_item":                rustAlias,
			"associated_type":          rustAlias,
			"macro_invocation":         rustMacroCall,
			"token_tree":               rustTokens,
			"block":                    rustBlock,
			"let_declaration":          rustLet,
			"let_condition":            rustLetCondition,
			"if_expression":            blockScope,
			"while_expression":         blockScope,
			"for_expression":           rustFor,
			"match_expression":         rustMatch,
			"closure_expression":       rustClosure,
			"identifier":               func(w *walk, n int32) int32 { return rustRef(w, n, readRole(w), facts.None) },
			"scoped_identifier":        func(w *walk, n int32) int32 { return rustRef(w, n, readRole(w), facts.None) },
			"field_expression":         func(w *walk, n int32) int32 { return rustRef(w, n, facts.RoleRead, facts.None) },
			"generic_function":         func(w *walk, n int32) int32 { return rustRef(w, n, facts.RoleRead, facts.None) },
			"type_identifier":          func(w *walk, n int32) int32 { return rustRef(w, n, facts.RoleType, facts.None) },
			"scoped_type_identifier":   func(w *walk, n int32) int32 { return rustRef(w, n, facts.RoleType, facts.None) },
			"generic_type":             func(w *walk, n int32) int32 { return rustRef(w, n, facts.RoleType, facts.None) },
			"self":                     func(w *walk, n int32) int32 { return w.use(n, facts.RoleRead, facts.None) },
			"type_arguments":           rustTypeArguments,
			"type_binding":             func(w *walk, n int32) int32 { return w.visit(w.child(n, "type")) },
			"primitive_type":           rustPrimitive,
			"reference_type":           field("type"),
			"pointer_type":             field("type"),
			"bounded_type":             only,
			"abstract_type":            field("trait"),
			"dynamic_type":             field("trait"),
			"qualified_type":           func(w *walk, n int32) int32 { t := w.visit(w.child(n, "type")); w.visit(w.child(n, "alias")); return t },
			"bracketed_type":           only,
			"array_type": func(w *walk, n int32) int32 {
				t := arrayOf(w, w.visit(w.child(n, "element")))
				w.visitValue(w.child(n, "length"))
				return t
			},
			"tuple_type":               rustTupleType,
			"function_type":            rustFunctionType,
			"lifetime":                 none,
			"label":                    none,
			"call_expression":          rustCall,
			"struct_expression":        rustStructLiteral,
			"parenthesized_expression": only,
			"reference_expression":     field("value"),
			"unary_expression":         func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
			"try_expression":           func(w *walk, n int32) int32 { return w.of(facts.OpElem, w.visit(w.only(n)), 0) },
			"await_expression":         func(w *walk, n int32) int32 { return w.of(facts.OpElem, w.visit(w.only(n)), 2) },
			"index_expression": func(w *walk, n int32) int32 {
				v := w.visit(w.only(n))
				w.visitOther(n, w.only(n))
				return w.of(facts.OpElem, v, 0)
			},
			"type_cast_expression": func(w *walk, n int32) int32 {
				w.visit(w.child(n, "value"))
				return w.value(w.visitType(w.child(n, "type")))
			},
			"assignment_expression":    rustAssignment,
			"compound_assignment_expr": rustAssignment,
			"binary_expression":        binary,
			"tuple_expression":         func(w *walk, n int32) int32 { return tupleOf(w, n) },
			"array_expression":         listOf,
			"unsafe_block":             func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
			"async_block":              func(w *walk, n int32) int32 { return w.visit(w.last(n)) },
			"return_expression":        rustReturn,
			"string_literal":           literalOf(facts.LiteralString),
			"raw_string_literal":       literalOf(facts.LiteralString),
			"char_literal":             literalOf(facts.LiteralNumber),
			"integer_literal":          literalOf(facts.LiteralNumber),
			"float_literal":            literalOf(facts.LiteralNumber),
			"boolean_literal":          literalOf(facts.LiteralBool),
		},
		finish: rustFinish,
		state:  func() any { return &rustState{impl: rustImplOf{self: facts.None}, lead: facts.None} },
	}
}

// rustState is what the rules of Rust remember of a file.
type rustState struct {
	impl    rustImplOf
	lead    int32 // first of the attributes before an item
	macros  int   // around what is read
	headers []rustHeader
}

// rustImplOf is the impl or the trait whose items are read.
type rustImplOf struct {
	self      int32       // expression: what Self names
	owner     string      // name of the type
	public    bool        // the items are seen wherever the type is
	overrides facts.Flags // of the methods
}

func (w *walk) rust() *rustState { return w.state.(*rustState) }

// rustRef reads a path or a member whose last name is used in a role.
func rustRef(w *walk, n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "identifier", "type_identifier":
		if w.text(n) == "Self" && w.rust().impl.self >= 0 {
			return w.rust().impl.self
		}
		if w.text(n) == "_" {
			return facts.None
		}
		return w.use(n, role, args)
	case "scoped_identifier", "scoped_type_identifier":
		name := w.child(n, "name")
		if name < 0 {
			return w.visitAll(n)
		}
		return w.member(name, rustPrefix(w, w.child(n, "path")), role, args)
	case "field_expression":
		of := w.visit(w.child(n, "value"))
		if f := w.child(n, "field"); w.is(f, "field_identifier") {
			return w.member(f, of, role, args)
		}
		return rustTupleField(w, of, w.child(n, "field"))
	case "generic_function":
		f := rustRef(w, w.child(n, "function"), role, args)
		w.visitType(w.child(n, "type_arguments"))
		return f
	case "generic_type":
		return apply(w, rustRef(w, w.child(n, "type"), role, args), w.child(n, "type_arguments"))
	}
	return w.visit(n)
}

// rustTupleField is x.0.
func rustTupleField(w *walk, of, field int32) int32 {
	if field < 0 || len(w.text(field)) != 1 {
		return facts.None
	}
	return w.of(facts.OpResult, of, int32(w.text(field)[0]-'0'))
}

// rustPrefix reads the part of a path before ::. No declaration binds crate, super
// and self.
func rustPrefix(w *walk, n int32) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "crate", "super", "self":
		return w.expr(facts.OpUse, w.add(w.text(n), w.start(n), facts.RoleRead, facts.None), 0)
	case "metavariable":
		if w.text(n) == "$crate" {
			return w.expr(facts.OpUse, w.add("crate", w.start(n)+1, facts.RoleRead, facts.None), 0)
		}
		return facts.None
	}
	return rustRef(w, n, facts.RoleType, facts.None)
}

func rustUse(w *walk, n int32) int32 {
	flags := facts.Flags(0)
	if w.has(n, "visibility_modifier") {
		flags = facts.Exported | facts.Reexport
	}
	rustTree(w, w.child(n, "argument"), rustBelow{of: facts.None}, flags)
	return facts.None
}

// rustBelow is the path that a use tree stands below, as written and as an
// expression.
type rustBelow struct {
	path string
	of   int32
}

// rustTree takes the names of a use tree below a path.
func rustTree(w *walk, n int32, below rustBelow, flags facts.Flags) {
	if n < 0 {
		return
	}
	switch w.kind(n) {
	case "identifier", "crate", "super", "metavariable":
		rustTake(w, below.path, n, n, flags)
	case "self":
		module, name := rustCut(below.path)
		rustTakeAs(w, module, name, name, w.start(n), flags)
	case "scoped_identifier":
		under := rustUnder(w, w.child(n, "path"), below)
		if name := w.child(n, "name"); name >= 0 {
			rustTake(w, under.path, name, name, flags)
		}
	case "use_as_clause":
		rustAs(w, n, below, flags)
	case "scoped_use_list":
		rustTree(w, w.child(n, "list"), rustUnder(w, w.child(n, "path"), below), flags)
	case "use_list":
		for c := range w.kids(n) {
			rustTree(w, c, below, flags)
		}
	case "use_wildcard":
		if prefix := w.only(n); prefix >= 0 {
			below = rustUnder(w, prefix, below)
		}
		rustGlob(w, n, below.path, flags)
	}
}

// rustUnder reads a path below another.
func rustUnder(w *walk, n int32, below rustBelow) rustBelow {
	return rustBelow{rustJoin(below.path, rustPath(w, n)), rustParts(w, n, below.of)}
}

func rustAs(w *walk, n int32, below rustBelow, flags facts.Flags) {
	whole, alias := w.child(n, "path"), w.child(n, "alias")
	if whole < 0 || alias < 0 {
		return
	}
	name := whole
	if w.is(whole, "scoped_identifier") {
		name = w.child(whole, "name")
		below = rustUnder(w, w.child(whole, "path"), below)
	}
	switch {
	case name < 0:
	case w.is(name, "self") && below.path != "": // {self as alias}
		module, last := rustCut(below.path)
		rustTakeAs(w, module, last, w.text(alias), w.start(alias), flags)
	default:
		rustTake(w, below.path, name, alias, flags)
	}
}

// rustGlob imports all names of a path. Those of super are the names around an
// inner module, which then does not hide them.
func rustGlob(w *walk, n int32, path string, flags facts.Flags) {
	if path == "super" {
		w.scopes[w.top()].closed = false
	}
	w.imports = append(w.imports, facts.Import{Module: path, Name: "*", Place: facts.Place{At: w.start(n)}, In: w.parent, Flags: flags})
}

// rustTake imports a name under the name of another node.
func rustTake(w *walk, path string, name, local int32, flags facts.Flags) {
	i := rustTakeAs(w, path, w.text(name), w.text(local), w.start(local), flags)
	w.imported(name, i)
}

func rustTakeAs(w *walk, path, name, local string, at uint32, flags facts.Flags) int32 {
	if path == "" {
		path, name = name, ""
	}
	if local == "_" {
		local = ""
	}
	w.imports = append(w.imports, facts.Import{Module: path, Name: name, Local: local, Place: facts.Place{At: at}, In: w.parent, Flags: flags})
	i := int32(len(w.imports) - 1)
	w.declare(w.top(), local, at, 0, facts.BindImport, i)
	return i
}

// rustParts reads the path of a use before the name that it takes, below what
// stands before it. It returns what the path names.
func rustParts(w *walk, n, below int32) int32 {
	switch {
	case n < 0:
		return below
	case w.is(n, "scoped_identifier"):
		below = rustParts(w, w.child(n, "path"), below)
		n = w.child(n, "name")
		if below >= 0 && w.is(n, "identifier") {
			return w.member(n, below, facts.RoleType, facts.None)
		}
		return facts.None
	case below >= 0:
		return w.member(n, below, facts.RoleType, facts.None)
	}
	return rustPrefix(w, n)
}

func rustPath(w *walk, n int32) string { return withoutBlanks(w, n) }

func rustJoin(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "::" + name
}

func rustCut(path string) (before, last string) {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return path[:i], path[i+2:]
	}
	return "", path
}

func rustExternCrate(w *walk, n int32) int32 {
	name, local := w.child(n, "name"), w.child(n, "alias")
	if name < 0 {
		return facts.None
	}
	if local < 0 {
		local = name
	}
	flags := facts.Flags(0)
	if w.has(n, "visibility_modifier") {
		flags = facts.Exported | facts.Reexport
	}
	rustTakeAs(w, "", w.text(name), w.text(local), w.start(local), flags)
	return facts.None
}

// rustBuiltin are attributes of the language: no names of a program.
var rustBuiltin = []string{"allow", "automatically_derived", "bench", "cfg", "cfg_attr", "cold", "default", "deny", "deprecated", "derive", "doc",
	"expect", "export_name", "feature", "forbid", "global_allocator", "ignore", "inline", "link", "link_name", "macro_export", "macro_use", "must_use",
	"no_mangle", "no_std", "non_exhaustive", "panic_handler", "path", "proc_macro", "proc_macro_attribute", "proc_macro_derive", "repr", "rustfmt",
	"should_panic", "target_feature", "test", "track_caller", "unsafe", "used", "warn"}

// rustAttribute reads an attribute, which belongs to the item behind it.
func rustAttribute(w *walk, n int32) int32 {
	if !rustLeads(w, w.rust().lead, n) {
		w.rust().lead = n
	}
	a := w.childOf(n, "attribute")
	name := w.only(a)
	if name < 0 {
		return facts.None
	}
	if w.text(name) == "derive" {
		rustDerive(w, w.child(a, "arguments"))
		return facts.None
	}
	if slices.Contains(rustBuiltin, w.text(name)) {
		return facts.None
	}
	rustRef(w, name, facts.RoleCall, facts.None)
	if list := w.child(a, "arguments"); list >= 0 && !strings.HasSuffix(w.text(name), rustInstrument) {
		rustArguments(w, list, false)
	}
	return facts.None
}

// rustInstrument is the attribute of tracing whose values are read within the function
// behind it, where its parameters are known.
const rustInstrument = "instrument"

// rustStandard are the traits of the language that derive implements. Their methods
// are few and known, so that they are no bases that may have others.
var rustStandard = []string{"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"}

func rustDerive(w *walk, list int32) {
	for c := range w.kids(list) {
		switch {
		case !w.is(c, "identifier"):
		case slices.Contains(rustStandard, w.text(c)):
			w.use(c, facts.RoleType, facts.None)
		default:
			w.use(c, facts.RoleImplement, facts.None)
		}
	}
}

// rustLeads reports that only attributes and comments lie from lead to n.
func rustLeads(w *walk, lead, n int32) bool {
	if lead < 0 || int(lead) >= len(w.t.Nodes) || w.up(lead) != w.up(n) {
		return false
	}
	for lead < n {
		if !w.is(lead, "attribute_item") && !w.is(lead, "line_comment") && !w.is(lead, "block_comment") {
			return false
		}
		lead = w.t.Nodes[lead].Next
	}
	return lead == n
}

// rustSymbol declares item n: its attributes belong to it.
func rustSymbol(w *walk, name, n int32, kind code.Kind) int32 {
	start := w.start(n)
	if rustLeads(w, w.rust().lead, n) {
		start = w.start(w.rust().lead)
	}
	w.rust().lead = facts.None
	flags := facts.Flags(0)
	if w.has(n, "visibility_modifier") {
		flags = facts.Exported
	}
	if k := w.scopes[w.top()].kind; k == scopeFunction || k == scopeBlock && w.fn != nil {
		flags = flags&^facts.Exported | facts.Local
	}
	y := w.symbolAt(w.text(name), w.start(name), start, w.end(n), kind, flags)
	w.symbols[y].SigStart = w.start(n)
	w.document(y, start)
	for i := len(w.uses) - 1; i >= 0 && w.uses[i].At >= start && w.uses[i].At < w.start(n); i-- {
		w.uses[i].In = y // what its attributes name
	}
	return y
}

// rustItem declares an item. The innermost scope knows its name unless it belongs
// to a type.
func rustItem(w *walk, name, n int32, kind code.Kind) int32 {
	y := rustSymbol(w, name, n, kind)
	if w.scopes[w.top()].kind == scopeClass {
		if w.rust().impl.owner != "" {
			w.symbols[y].Owner = w.rust().impl.owner
		}
		if w.rust().impl.public {
			w.symbols[y].Flags |= facts.Exported
		}
		w.symbols[y].Flags |= w.rust().impl.overrides
		return y
	}
	w.bind(w.top(), y, 0)
	return y
}

func rustMod(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	passed := facts.Flags(0)
	if rustHasAttribute(w, n, "macro_use") {
		passed = facts.Reexport // its macros
	}
	m := rustItem(w, name, n, code.KindModule)
	w.symbols[m].Flags |= passed
	w.signature(m, w.start(n), body)
	if body < 0 {
		w.symbols[m].Flags |= facts.Abstract
		w.imports = append(w.imports, facts.Import{Module: "self::" + w.text(name), Place: facts.Place{At: w.start(name)}, In: w.parent})
		return facts.None
	}
	w.within(m, func() {
		w.open(scopeNamespace)
		w.scopes[w.top()].closed = true
		w.visitAll(body)
		w.close()
	})
	return facts.None
}

// rustGenerics declares type parameters and reads the bounds of n.
func rustGenerics(w *walk, n int32) {
	if list := w.child(n, "type_parameters"); list >= 0 {
		for p := range w.kids(list) {
			name := w.child(p, "name")
			if !w.is(name, "type_identifier") && !w.is(name, "identifier") {
				continue
			}
			y := w.symbol(name, p, code.KindTypeParam, facts.Local)
			w.bind(w.top(), y, 0)
			w.symbols[y].Type = rustBounds(w, w.child(p, "bounds"), facts.RoleType)
			w.visitType(w.child(p, "default_type"))
			if w.is(p, "const_parameter") {
				w.symbols[y].Type = w.value(w.visitType(w.child(p, "type")))
			}
		}
	}
	w.visitType(w.childOf(n, "where_clause"))
}

// rustBounds is the union of the traits in bounds.
func rustBounds(w *walk, n int32, role facts.Role) int32 {
	either := int32(facts.None)
	if n < 0 {
		return either
	}
	was := w.inType
	w.inType = true
	for c := range w.kids(n) {
		if !w.token(c) {
			either = w.union(either, rustRef(w, c, role, facts.None))
		}
	}
	w.inType = was
	return either
}

func rustStruct(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	s := rustItem(w, name, n, code.KindStruct)
	if w.is(body, "field_declaration_list") {
		w.signature(s, w.start(n), body)
	}
	w.within(s, func() {
		w.open(scopeBlock)
		rustGenerics(w, n)
		rustFields(w, body, s, false)
		w.close()
	})
	return facts.None
}

// rustFields declares the fields of a struct or a variant. Fields without names
// are the arguments of a call.
func rustFields(w *walk, body, s int32, public bool) {
	if body < 0 {
		return
	}
	var types []int32
	for f := range w.kids(body) {
		if !w.is(f, "field_declaration") {
			if typ := w.visitType(f); w.field(f) == "type" {
				types = append(types, w.value(typ))
			}
			continue
		}
		name := w.child(f, "name")
		if name < 0 {
			continue
		}
		y := rustSymbol(w, name, f, code.KindField)
		w.symbols[y].Flags &^= facts.Local
		if public {
			w.symbols[y].Flags |= facts.Exported
		}
		w.symbols[y].Type = w.value(w.visitType(w.child(f, "type")))
	}
	w.arguments(s, len(types), len(types), false)
	if len(types) > 0 {
		w.symbols[s].Type = w.expr(facts.OpFunc, w.symbols[s].Type, w.tuple(types))
	}
}

func rustEnum(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	e := rustItem(w, name, n, code.KindEnum)
	w.signature(e, w.start(n), body)
	if body < 0 {
		return facts.None
	}
	w.within(e, func() {
		w.open(scopeBlock)
		rustGenerics(w, n)
		for v := range w.kids(body) {
			name := w.child(v, "name")
			if name < 0 {
				w.visit(v)
				continue
			}
			y := rustSymbol(w, name, v, code.KindConst)
			w.symbols[y].Flags = facts.Exported | facts.Static
			w.symbols[y].Type = w.value(w.expr(facts.OpSymbol, e, 0))
			w.within(y, func() { rustFields(w, w.child(v, "body"), y, true) })
			w.visit(w.child(v, "value"))
		}
		w.close()
	})
	return facts.None
}

func rustTrait(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	t := rustItem(w, name, n, code.KindTrait)
	w.signature(t, w.start(n), body)
	w.within(t, func() {
		w.open(scopeBlock)
		rustGenerics(w, n)
		rustBounds(w, w.child(n, "bounds"), facts.RoleInherit)
		rustMembers(w, body, w.expr(facts.OpThis, t, 0), "", true)
		w.close()
	})
	return facts.None
}

// rustMembers reads the items of a trait or an impl of type owner.
func rustMembers(w *walk, body, self int32, owner string, public bool) {
	if body < 0 {
		return
	}
	r := w.rust()
	outer := r.impl
	defer func() { r.impl = outer }()
	r.impl = rustImplOf{self: self, owner: owner, public: public}
	if public && owner != "" {
		r.impl.overrides = facts.Overrides
	}
	w.open(scopeClass)
	w.visitAll(body)
	w.close()
}

func rustImpl(w *walk, n int32) int32 {
	w.rust().lead = facts.None
	w.open(scopeBlock)
	defer w.close()
	rustGenerics(w, n)
	trait, typ := w.child(n, "trait"), w.child(n, "type")
	first := len(w.uses)
	if trait >= 0 {
		rustRef(w, trait, facts.RoleImplement, facts.None)
	}
	r := w.rust()
	r.headers = append(r.headers, rustHeader{first, len(w.uses), w.parent, rustOwner(w, typ)})
	self := w.visitType(typ)
	rustMembers(w, w.child(n, "body"), self, rustOwner(w, typ), trait >= 0)
	return facts.None
}

// rustHeader is the uses of a trait in the header of an impl. They are in the type
// that implements the trait if the same module declares it.
type rustHeader struct {
	first, end int // uses
	parent     int32
	owner      string
}

// rustFinish puts the traits of impls into the types that implement them.
func rustFinish(w *walk) {
	type key struct {
		parent int32
		name   string
	}
	types := map[key]int32{}
	for i := range w.symbols {
		if y := &w.symbols[i]; y.Kind.IsType() && y.Kind != code.KindModule {
			types[key{y.Parent, y.Name}] = int32(i)
		}
	}
	for _, h := range w.rust().headers {
		if y, ok := types[key{h.parent, h.owner}]; ok {
			for i := h.first; i < h.end; i++ {
				w.uses[i].In = y
			}
		}
	}
}

// rustOwner is the name of the type that an impl is of.
func rustOwner(w *walk, n int32) string {
	for n >= 0 {
		switch w.kind(n) {
		case "type_identifier", "primitive_type":
			return w.text(n)
		case "scoped_type_identifier":
			n = w.child(n, "name")
		case "generic_type", "reference_type", "pointer_type":
			n = w.child(n, "type")
		case "dynamic_type":
			n = w.child(n, "trait")
		default:
			return ""
		}
	}
	return ""
}

func rustFunction(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 {
		return w.visitAll(n)
	}
	member := w.scopes[w.top()].kind == scopeClass
	kind := code.KindFunc
	if member {
		kind = code.KindMethod
	}
	f := rustItem(w, name, n, kind)
	if body < 0 {
		w.symbols[f].Flags |= facts.Abstract
	}
	w.signature(f, w.start(n), body)
	outer, branches := w.fn, w.branches
	w.fn = &function{symbol: f, returns: facts.None}
	impl := &w.rust().impl
	owner, public := impl.owner, impl.public
	w.within(f, func() {
		impl.owner, impl.public = "", false
		w.open(scopeFunction)
		rustGenerics(w, n)
		receiver := rustParameters(w, w.child(n, "parameters"), f)
		if member && !receiver {
			w.symbols[f].Flags |= facts.Static
		}
		w.symbols[f].Type = w.value(w.visitType(w.child(n, "return_type")))
		if body >= 0 {
			w.visitAll(body)
		}
		w.close()
	})
	impl.owner, impl.public = owner, public
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	w.fn = outer
	return facts.None
}

func rustParameters(w *walk, list, f int32) (receiver bool) {
	if list < 0 {
		return false
	}
	count, many := 0, false
	for p := range w.kids(list) {
		switch w.kind(p) {
		case "self_parameter":
			receiver = true
			rustSelf(w, w.childOf(p, "self"), p, w.value(w.rust().impl.self))
		case "parameter":
			pattern := w.child(p, "pattern")
			typ := w.value(w.visitType(w.child(p, "type")))
			if w.is(pattern, "self") {
				receiver = true
				rustSelf(w, pattern, p, w.value(w.rust().impl.self))
				continue
			}
			count++
			rustPattern(w, pattern, typ, rustBinding{code.KindParam, 0, p})
		case "variadic_parameter":
			many = true
		default:
			w.visitType(p)
		}
	}
	w.arguments(f, count, count, many)
	return receiver
}

func rustSelf(w *walk, name, p, typ int32) {
	if name < 0 {
		return
	}
	y := w.symbol(name, p, code.KindParam, facts.Local|facts.Inferred)
	w.symbols[y].Type = typ
	w.bind(w.top(), y, 0)
}

// rustBinding says how to declare the names of a pattern. They are known from byte
// from on.
type rustBinding struct {
	kind  code.Kind
	from  uint32
	whole int32 // the node that holds the declaration
}

// rustPattern declares the names of a pattern for a value, and reads the values it
// compares with.
func rustPattern(w *walk, n, value int32, b rustBinding) {
	if n < 0 {
		return
	}
	switch w.kind(n) {
	case "identifier", "shorthand_field_identifier":
		rustBind(w, n, value, b)
	case "tuple_pattern", "slice_pattern":
		i := int32(0)
		for c := range w.kids(n) {
			rustPattern(w, c, w.of(facts.OpResult, value, i), b)
			i++
		}
	case "tuple_struct_pattern":
		rustTuplePattern(w, n, value, b)
	case "struct_pattern":
		rustStructPattern(w, n, b)
	case "ref_pattern", "mut_pattern", "reference_pattern", "match_pattern", "or_pattern", "captured_pattern":
		for c := range w.kids(n) {
			if w.field(c) == "condition" {
				w.visit(c)
			} else if !w.token(c) {
				rustPattern(w, c, value, b)
			}
		}
	default:
		w.visit(n)
	}
}

// rustBind declares one name of a pattern. A name with a capital letter is a
// constant. A name that the pattern has already declared is the same one.
func rustBind(w *walk, n, value int32, b rustBinding) {
	name := w.text(n)
	if name == "" || name[0] >= 'A' && name[0] <= 'Z' {
		w.use(n, facts.RoleRead, facts.None)
		return
	}
	if d, ok := w.lastDeclared(name); ok && d.from == b.from && d.at >= w.start(b.whole) {
		w.useIn(w.top(), name, w.start(n), facts.RoleWrite, facts.None)
		return
	}
	y := w.symbolAt(name, w.start(n), w.start(b.whole), w.end(b.whole), b.kind, facts.Local)
	if w.start(b.whole) > w.start(n) || w.end(b.whole) < w.end(n) {
		w.symbols[y].Start, w.symbols[y].End = w.start(n), w.end(n)
	}
	setType(w, y, value, facts.None)
	w.bind(w.top(), y, b.from)
}

// lastDeclared finds the last declaration of a name in the innermost scope.
func (w *walk) lastDeclared(name string) (declared, bool) {
	number := w.number(name)
	list := w.scopes[w.top()].declared
	for i := len(list) - 1; i >= max(0, len(list)-20); i-- {
		if list[i].name == number {
			return list[i], true
		}
	}
	return declared{}, false
}

func rustTuplePattern(w *walk, n, value int32, b rustBinding) {
	typ := w.child(n, "type")
	made := rustRef(w, typ, facts.RoleRead, facts.None)
	i := int32(0)
	for c := range w.kids(n) {
		if c == typ || w.token(c) {
			continue
		}
		part := w.of(facts.OpArgument, made, i)
		if name := w.text(max(typ, n)); name == "Some" || name == "Ok" {
			part = w.of(facts.OpElem, value, 0)
		}
		rustPattern(w, c, part, b)
		i++
	}
}

func rustStructPattern(w *walk, n int32, b rustBinding) {
	typ := w.child(n, "type")
	of := w.value(rustRef(w, typ, facts.RoleType, facts.None))
	for c := range w.kids(n) {
		name := w.child(c, "name")
		if !w.is(c, "field_pattern") || name < 0 {
			continue
		}
		member := w.member(name, of, facts.RoleRead, facts.None)
		if w.is(name, "shorthand_field_identifier") {
			rustBind(w, name, member, b)
		} else {
			rustPattern(w, w.child(c, "pattern"), member, b)
		}
	}
}

func rustConst(w *walk, n int32, kind code.Kind) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	y := rustItem(w, name, n, kind)
	value := w.child(n, "value")
	w.signature(y, w.start(n), value)
	in := w.in
	w.within(y, func() {
		if w.symbols[y].Flags&facts.Local != 0 {
			w.in = in
		}
		setType(w, y, w.value(w.visitType(w.child(n, "type"))), w.visit(value))
	})
	return facts.None
}

func rustAlias(w *walk, n int32) int32 {
	name := w.child(n, "name")
	if name < 0 {
		return w.visitAll(n)
	}
	y := rustItem(w, name, n, code.KindType)
	if w.is(n, "associated_type") {
		w.symbols[y].Flags |= facts.Abstract
	}
	w.within(y, func() {
		w.open(scopeBlock)
		rustGenerics(w, n)
		w.symbols[y].Type = w.visitType(w.child(n, "type"))
		if bounds := rustBounds(w, w.child(n, "bounds"), facts.RoleType); w.symbols[y].Type < 0 {
			w.symbols[y].Type = bounds
		}
		w.close()
	})
	return facts.None
}

func rustBlock(w *walk, n int32) int32 {
	w.open(scopeBlock)
	defer w.close()
	v := int32(facts.None)
	for c := range w.kids(n) {
		v = w.visit(c)
	}
	return v
}

func rustLet(w *walk, n int32) int32 {
	typ := w.value(w.visitType(w.child(n, "type")))
	v := w.visit(w.child(n, "value"))
	w.visit(w.child(n, "alternative"))
	inferred := typ < 0
	if inferred {
		typ = v
	}
	first := len(w.symbols)
	rustPattern(w, w.child(n, "pattern"), typ, rustBinding{code.KindVar, w.end(n), n})
	for i := first; inferred && i < len(w.symbols); i++ {
		w.symbols[i].Flags |= facts.Inferred
	}
	return facts.None
}

func rustLetCondition(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "value"))
	rustPattern(w, w.child(n, "pattern"), v, rustBinding{code.KindVar, w.end(n), n})
	return facts.None
}

func rustFor(w *walk, n int32) int32 {
	element := w.of(facts.OpElem, w.visit(w.child(n, "value")), 0)
	w.open(scopeBlock)
	defer w.close()
	p := w.child(n, "pattern")
	if p >= 0 {
		rustPattern(w, p, element, rustBinding{code.KindVar, w.end(p), p})
	}
	w.visit(w.child(n, "body"))
	return facts.None
}

func rustMatch(w *walk, n int32) int32 {
	v := w.visit(w.child(n, "value"))
	body, result := w.child(n, "body"), int32(facts.None)
	if body < 0 {
		return facts.None
	}
	for arm := range w.kids(body) {
		if !w.is(arm, "match_arm") {
			w.visit(arm)
			continue
		}
		w.branches++
		w.open(scopeBlock)
		p := w.child(arm, "pattern")
		if p >= 0 {
			rustPattern(w, p, v, rustBinding{code.KindVar, w.start(p), p})
		}
		if r := w.visit(w.child(arm, "value")); result < 0 {
			result = r
		}
		w.close()
	}
	return result
}

func rustClosure(w *walk, n int32) int32 { return rustClosureOf(w, n, facts.None) }

// rustClosureOf reads a closure that is given where a function of a type must
// stand, which may be None.
func rustClosureOf(w *walk, n, of int32) int32 {
	w.open(scopeFunction)
	defer w.close()
	i := int32(0)
	for p := range w.kids(w.child(n, "parameters")) {
		switch {
		case w.is(p, "parameter"):
			typ := w.value(w.visitType(w.child(p, "type")))
			rustPattern(w, w.child(p, "pattern"), typ, rustBinding{code.KindParam, 0, p})
			i++
		case !w.token(p):
			first := len(w.symbols)
			rustPattern(w, p, w.of(facts.OpArgument, of, i), rustBinding{code.KindParam, 0, p})
			for y := first; y < len(w.symbols); y++ {
				w.symbols[y].Flags |= facts.Inferred
			}
			i++
		}
	}
	typ := w.value(w.visitType(w.child(n, "return_type")))
	v := w.visit(w.child(n, "body"))
	if typ >= 0 {
		v = typ
	}
	return w.of(facts.OpFunc, v, facts.None)
}

func rustReturn(w *walk, n int32) int32 {
	w.visit(w.only(n))
	return facts.None
}

func rustTypeArguments(w *walk, n int32) int32 {
	var list []int32
	for c := range w.kids(n) {
		if !w.is(c, "lifetime") {
			list = append(list, w.visitType(c))
		}
	}
	return w.tuple(list)
}

func rustPrimitive(w *walk, n int32) int32 {
	switch w.text(n) {
	case "str":
		return w.literal(facts.LiteralString)
	case "bool":
		return w.literal(facts.LiteralBool)
	}
	return w.literal(facts.LiteralNumber)
}

func rustTupleType(w *walk, n int32) int32 {
	var list []int32
	for c := range w.kids(n) {
		list = append(list, w.value(w.visit(c)))
	}
	return w.tuple(list)
}

func rustFunctionType(w *walk, n int32) int32 {
	w.visit(w.child(n, "trait"))
	var takes []int32
	for p := range w.kids(w.child(n, "parameters")) {
		if t := w.child(p, "type"); t >= 0 {
			p = t
		}
		takes = append(takes, w.value(w.visit(p)))
	}
	return w.expr(facts.OpFunc, w.value(w.visit(w.child(n, "return_type"))), w.tuple(takes))
}

func rustCall(w *walk, n int32) int32 {
	list, callee := w.child(n, "arguments"), w.child(n, "function")
	f := rustRef(w, callee, facts.RoleCall, countArguments(w, list))
	first, i := int32(facts.None), int32(0)
	for a := range w.kids(list) {
		v := int32(facts.None)
		if w.is(a, "closure_expression") {
			v = rustClosureOf(w, a, w.of(facts.OpArgument, f, i))
		} else {
			v = w.visit(a)
		}
		if i++; i == 1 {
			first = v
		}
	}
	switch rustGiven[w.text(max(callee, 0))] {
	case givesFirst:
		return first
	case givesHolder:
		return w.expr(facts.OpLiteral, facts.LiteralList, first)
	case givesItself:
		return w.value(w.uses[w.exprs[f].X].Target)
	}
	return w.of(facts.OpCall, f, 0)
}

// What functions of the standard library give: their first argument, something that
// holds it, or a value of the type that they are of.
const (
	givesFirst = iota + 1
	givesHolder
	givesItself
)

var rustGiven = map[string]int{
	"Box::new": givesFirst, "Rc::new": givesFirst, "Arc::new": givesFirst, "Pin::new": givesFirst, "ManuallyDrop::new": givesFirst,
	"Box::pin": givesFirst, "Arc::clone": givesFirst, "Rc::clone": givesFirst, "mem::take": givesFirst, "mem::replace": givesFirst,
	"std::mem::take": givesFirst, "std::mem::replace": givesFirst, "core::mem::take": givesFirst, "core::mem::replace": givesFirst,
	"ManuallyDrop::into_inner": givesFirst, "Reverse": givesFirst, "Wrapping": givesFirst,
	"Some": givesHolder, "Ok": givesHolder, "Mutex::new": givesHolder, "RwLock::new": givesHolder, "RefCell::new": givesHolder,
	"Cell::new": givesHolder, "Arc::from": givesFirst, "Box::from": givesFirst, "iter::once": givesHolder, "std::iter::once": givesHolder,
	"Vec::new": givesItself, "Vec::with_capacity": givesItself, "String::new": givesItself, "String::with_capacity": givesItself, "String::from": givesItself,
	"VecDeque::new": givesItself, "HashMap::new": givesItself, "HashSet::new": givesItself, "BTreeMap::new": givesItself, "BTreeSet::new": givesItself,
	"VecDeque::with_capacity": givesItself, "HashMap::with_capacity": givesItself, "HashSet::with_capacity": givesItself, "BinaryHeap::new": givesItself,
}

func rustStructLiteral(w *walk, n int32) int32 {
	of := w.value(rustRef(w, w.child(n, "name"), facts.RoleCall, facts.None))
	body := w.child(n, "body")
	if body < 0 {
		return of
	}
	for c := range w.kids(body) {
		switch w.kind(c) {
		case "field_initializer":
			if name := w.child(c, "field"); w.is(name, "field_identifier") {
				w.member(name, of, facts.RoleWrite, facts.None)
			}
			w.visit(w.child(c, "value"))
		case "shorthand_field_initializer":
			if name := w.childOf(c, "identifier"); name >= 0 {
				w.member(name, of, facts.RoleWrite, facts.None)
				w.visit(name)
			}
		default:
			w.visit(c)
		}
	}
	return of
}

func rustAssignment(w *walk, n int32) int32 {
	left, right := w.child(n, "left"), w.child(n, "right")
	w.visit(right)
	switch {
	case w.is(left, "identifier") || w.is(left, "field_expression") || w.is(left, "scoped_identifier"):
		rustRef(w, left, facts.RoleWrite, facts.None)
	default:
		w.visit(left)
	}
	return facts.None
}
