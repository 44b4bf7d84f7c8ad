package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// vueRules are those of the script of a component of Vue, whose template uses
// what the script declares.
func vueRules() *rules {
	r := javascriptRules()
	r.visit["export_statement"] = vueExport
	r.start = vueStart
	r.finish = vueFinish
	return r
}

// vueStart declares what <script setup> is to those that import the file.
func vueStart(w *walk) {
	m := markup{src: w.src}
	for p, ok := m.next(); ok; p, ok = m.next() {
		if a, ok := p.attributeOf("setup"); ok && p.isScript(w.src) {
			w.in = componentSymbol(w, a.nameAt, uint32(len(a.name)), p)
			return
		}
	}
}

// componentSymbol declares a component by the word at a byte of the tag of its
// script. It is what the file exports by default.
func componentSymbol(w *walk, at, size uint32, p piece) int32 {
	name := w.src[at : at+size]
	y := w.symbolAt(name, at, p.span.start, p.body.end, code.KindClass, facts.Exported)
	w.symbols[y].SigEnd = p.span.end
	jsPassOn(w, name, "default", at)
	return y
}

// vueExport reads an export. The options of export default defineComponent({...})
// are members of the component.
func vueExport(w *walk, n int32) int32 {
	call := w.child(n, "value")
	list := w.child(call, "arguments")
	options := w.only(list)
	if !w.has(n, "default") || !w.is(call, "call_expression") || !w.is(options, "object") || jsCount(w, list) != 1 {
		return jsExport(w, n)
	}
	y := w.symbol(w.childOf(n, "default"), n, code.KindVar, facts.Exported)
	w.document(y, w.start(n))
	w.signature(y, w.start(n), options)
	w.within(y, func() {
		jsRef(w, w.child(call, "function"), facts.RoleCall, 1)
		w.symbols[y].Type = jsMembers(w, options, y, facts.None)
	})
	return facts.None
}

// vueFinish reads the template within the scope of the script.
func vueFinish(w *walk) {
	t := &vueTemplate{template{w: w, m: markup{src: w.src, open: "{{", shut: "}}"}}}
	in := w.in
	if d := slices.IndexFunc(w.symbols, func(y facts.Symbol) bool { return y.Name == "default" && y.Parent < 0 }); d >= 0 {
		w.in = int32(d)
	}
	w.open(scopeBlock)
	vueOptions(w)
	t.run()
	w.close()
	w.in = in
	jsFinish(w)
}

// vueOptions makes the members of the options of a component known in its template
// and as members of this: its props, computed values, methods, and what data and
// setup give.
func vueOptions(w *walk) {
	members := map[string]int32{}
	for i := range w.symbols {
		y := &w.symbols[i]
		switch vueOption(w, y.Parent) {
		case "props", "computed", "methods":
		case "data":
			if y.Flags&facts.Local != 0 && y.Kind != code.KindField {
				continue
			}
		case "setup":
			if y.Kind == code.KindParam || isShort(w, y) {
				continue
			}
			y.Flags &^= facts.Local // the template and those above it see it
		default:
			continue
		}
		w.bind(w.top(), int32(i), 0)
		if _, known := members[y.Name]; !known {
			members[y.Name] = int32(i)
		}
	}
	for i := range w.uses {
		u := &w.uses[i]
		if m, ok := members[u.Name]; ok && u.Bind == facts.BindMember && vueThis(w, u.Target) {
			u.Bind, u.Target = facts.BindSymbol, m
		}
	}
}

// vueOption is the name of the option that a symbol is, empty for another one.
func vueOption(w *walk, i int32) string {
	if i < 0 || !vueComponent(w, w.symbols[i].Parent) {
		return ""
	}
	return w.symbols[i].Name
}

// vueComponent reports whether a symbol is the component that the file exports.
func vueComponent(w *walk, i int32) bool {
	return i >= 0 && w.symbols[i].Name == "default" && w.symbols[i].Parent < 0
}

// vueThis reports whether an expression is this in a function of a component.
func vueThis(w *walk, e int32) bool {
	if e < 0 || w.exprs[e].Op != facts.OpMembers {
		return false
	}
	return vueComponent(w, w.exprs[e].X) || vueOption(w, w.exprs[e].X) != ""
}

// vueTemplate reads the template of a component of Vue.
type vueTemplate struct{ template }

func (t *vueTemplate) run() {
	for p, ok := t.m.next(); ok; p, ok = t.m.next() {
		if len(t.elements) == 0 && p.kind == pieceOpening {
			t.top(&p)
			continue
		}
		switch {
		case p.kind == pieceClosing:
			t.leave(p.name)
		case len(t.elements) == 0:
		case p.kind == pieceExpression:
			t.expression(p.span)
		default:
			t.open(&p)
		}
	}
	t.end()
}

// top reads a block of the file. Those that hold no template are skipped.
func (t *vueTemplate) top(p *piece) {
	language, foreign := p.attributeOf("lang")
	if foreign && t.w.src[language.value.start:language.value.end] == "html" {
		foreign = false
	}
	switch {
	case p.closed || p.name == "script" || p.name == "style":
	case p.name == "template" && !foreign:
		t.enter(p, 0)
	default:
		t.m.skip("</" + p.name + ">")
	}
}

// open reads an opening tag: first what it repeats, then its attributes, then what
// it is given to show.
func (t *vueTemplate) open(p *piece) {
	scopes := 0
	if each, ok := p.attributeOf("v-for"); ok && each.has {
		scopes += t.repeat(each.value)
	}
	t.component(p, facts.RoleCall)
	var slot span
	for _, a := range p.attributes {
		switch {
		case a.name == "v-for":
		case strings.HasPrefix(a.name, "#"), strings.HasPrefix(a.name, "v-slot"), a.name == "slot-scope":
			slot = a.value
		default:
			t.attribute(a)
		}
	}
	if slot.end > slot.start {
		if n := t.scope(); n > 0 {
			scopes += n
			t.pattern(slot, facts.None)
		}
	}
	t.enter(p, scopes)
}

// repeat reads v-for: names in, or of, a value.
func (t *vueTemplate) repeat(s span) int {
	text := t.w.src[s.start:s.end]
	at, size := strings.Index(text, " in "), len(" in ")
	if of := strings.Index(text, " of "); of >= 0 && (at < 0 || of < at) {
		at = of
	}
	if at < 0 {
		return 0
	}
	value := t.expression(span{s.start + uint32(at+size), s.end})
	n := t.scope()
	if n > 0 {
		t.pattern(span{s.start, s.start + uint32(at)}, t.w.of(facts.OpElem, value, 0))
	}
	return n
}

// attribute reads what an attribute uses.
func (t *vueTemplate) attribute(a attribute) {
	switch name := a.name; {
	case strings.HasPrefix(name, "@"), strings.HasPrefix(name, "v-on"):
		if !strings.HasPrefix(strings.TrimSpace(t.w.src[a.value.start:a.value.end]), "{") {
			t.statements(a.value)
			return
		}
		t.expression(a.value)
	case strings.HasPrefix(name, ":") || strings.HasPrefix(name, "v-bind:"):
		if a.has {
			t.expression(a.value)
		} else if short := name[strings.IndexByte(name, ':')+1:]; !strings.ContainsAny(short, "-.:[") {
			t.name(a.nameAt+uint32(len(name)-len(short)), short, facts.RoleRead)
		}
	case strings.HasPrefix(name, "v-"):
		t.expression(a.value)
	case name == "ref" && a.has:
		if _, ok := t.w.declaredIn(0, t.w.src[a.value.start:a.value.end]); ok {
			t.name(a.value.start, t.w.src[a.value.start:a.value.end], facts.RoleWrite)
		}
	}
}
