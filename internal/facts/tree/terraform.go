package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// terraformRules are those of HCL as Terraform writes it. The owner of a symbol is how
// expressions call its kind: var, local, module, output, data.type, or the type of a resource.
func terraformRules() *rules {
	return &rules{
		comments: []string{"comment"},
		visit: map[string]visitor{
			"block":         terraformBlock,
			"attribute":     terraformAttribute,
			"variable_expr": terraformRef,
			"get_attr":      func(*walk, int32) int32 { return facts.None },
			"object_elem":   terraformElement,
			"for_intro":     func(w *walk, n int32) int32 { return w.visitAll(n) },
		},
		state: func() any { return map[[2]string]int32{} },
	}
}

// terraformName is what stands between the quotes of a label.
func terraformName(w *walk, n int32) int32 {
	if w.is(n, "identifier") {
		return n
	}
	return w.childOf(n, "template_literal")
}

// terraformBlock reads a block: one of the file itself declares what its labels name.
func terraformBlock(w *walk, n int32) int32 {
	if w.parent >= 0 {
		return w.visitAll(n)
	}
	word := w.only(n)
	var labels []int32
	for c := range w.kids(n) {
		if c != word && (w.is(c, "string_lit") || w.is(c, "identifier")) {
			labels = append(labels, terraformName(w, c))
		}
	}
	body := w.childOf(n, "body")
	kind, owner := code.KindVar, w.text(word)
	switch owner {
	case "locals":
		terraformLocals(w, body)
		return facts.None
	case "provider", "terraform":
		return w.visitAll(n)
	case "variable":
		owner = "var"
	case "module":
		kind = code.KindModule
	case "resource", "data", "ephemeral":
		if len(labels) == 2 {
			prefix := ""
			if owner != "resource" {
				prefix = owner + "."
			}
			owner = prefix + w.text(labels[0])
		}
	}
	if len(labels) == 0 || w.text(labels[len(labels)-1]) == "" {
		return w.visitAll(n)
	}
	y := w.symbol(labels[len(labels)-1], n, kind, facts.Exported)
	w.symbols[y].Owner = owner
	w.signature(y, w.start(n), w.childOf(n, "block_start"))
	w.document(y, w.start(n))
	w.within(y, func() {
		if owner == "module" {
			terraformModule(w, y, body)
			return
		}
		w.visit(body)
	})
	return facts.None
}

func terraformLocals(w *walk, body int32) {
	for c := range w.kids(body) {
		name := w.childOf(c, "identifier")
		if !w.is(c, "attribute") || name < 0 {
			w.visit(c)
			continue
		}
		y := w.symbol(name, c, code.KindConst, facts.Exported)
		w.symbols[y].Owner = "local"
		w.document(y, w.start(c))
		w.within(y, func() { w.visitOther(c, name) })
	}
}

// terraformModule reads a call of a module: where it is, and its variables.
func terraformModule(w *walk, y, body int32) {
	for c := range w.kids(body) {
		name := w.childOf(c, "identifier")
		switch {
		case !w.is(c, "attribute") || name < 0:
			w.visit(c)
			continue
		case w.text(name) == "source":
			text := strings.TrimSpace(w.text(w.childOf(c, "expression")))
			if path := strings.Trim(text, `"`); len(path) == len(text)-2 && !strings.Contains(path, "${") {
				w.imports = append(w.imports, facts.Import{Module: path, Place: facts.Place{At: w.end(c) - uint32(len(path)) - 1}, In: y})
			}
		case !terraformMeta(w.text(name)):
			terraformUse(w, name, "module."+w.symbols[y].Name+".var", facts.RoleWrite)
		}
		w.visitOther(c, name)
	}
}

// terraformMeta reports whether an argument of a module is no variable of it.
func terraformMeta(name string) bool {
	switch name {
	case "version", "providers", "count", "for_each", "depends_on":
		return true
	}
	return false
}

// terraformAttribute reads name = value. In a file of values the name is that of a variable.
func terraformAttribute(w *walk, n int32) int32 {
	name := w.childOf(n, "identifier")
	if body := w.up(n); name >= 0 && body >= 0 && w.is(w.up(body), "config_file") {
		terraformUse(w, name, "var", facts.RoleWrite)
	}
	w.visitOther(n, name)
	return facts.None
}

// terraformElement reads key = value: a key that is a word is a text.
func terraformElement(w *walk, n int32) int32 {
	key := w.child(n, "key")
	if only := w.only(key); !w.is(only, "variable_expr") || w.last(key) != only {
		w.visit(key)
	}
	w.visitOther(n, key)
	return facts.None
}

// terraformUse reads a name that things of some kind have.
func terraformUse(w *walk, n int32, owner string, role facts.Role) {
	name := w.text(n)
	if name == "" {
		return
	}
	rows := w.state.(map[[2]string]int32)
	key := [2]string{owner, name}
	row, ok := rows[key]
	if !ok {
		w.imports = append(w.imports, facts.Import{Module: owner, Name: name, Place: facts.Place{At: w.start(n)}, In: facts.None})
		row = int32(len(w.imports) - 1)
		rows[key] = row
	}
	u := w.add(name, w.start(n), role, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, row
}

// terraformRef reads var.name, local.name, module.name.output, data.type.name and type.name.
func terraformRef(w *walk, n int32) int32 {
	head := w.text(w.only(n))
	var names []int32
	for c, end := w.t.Nodes[n].Next, w.t.Nodes[w.up(n)].Next; c < end && len(names) < 3; c = w.t.Nodes[c].Next {
		if w.is(c, "get_attr") {
			names = append(names, w.only(c))
		} else if !w.is(c, "index") && !w.is(c, "splat") {
			break
		}
	}
	switch {
	case len(names) == 0, head == "path", head == "each", head == "count", head == "self", head == "terraform":
	case head == "var", head == "local":
		terraformUse(w, names[0], head, facts.RoleRead)
	case head == "module":
		terraformUse(w, names[0], head, facts.RoleRead)
		if len(names) > 1 {
			terraformUse(w, names[1], "module."+w.text(names[0])+".output", facts.RoleRead)
		}
	case head == "data" || head == "ephemeral":
		if len(names) > 1 {
			terraformUse(w, names[1], head+"."+w.text(names[0]), facts.RoleRead)
		}
	default:
		terraformUse(w, names[0], head, facts.RoleRead)
	}
	return facts.None
}
