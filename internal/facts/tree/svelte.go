package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// svelteRules are those of the scripts of a component of Svelte, whose markup uses
// what they declare.
func svelteRules() *rules {
	r := javascriptRules()
	r.visit["labeled_statement"] = svelteReactive
	r.start = svelteStart
	r.finish = svelteFinish
	return r
}

// svelteStart declares what the script is to those that import the file.
func svelteStart(w *walk) {
	m := markup{src: w.src, open: "{", shut: "}"}
	for p, ok := m.next(); ok; p, ok = m.next() {
		if p.isScript(w.src) && !svelteModule(&p) {
			w.in = componentSymbol(w, p.nameAt, uint32(len(p.name)), p)
			return
		}
	}
}

// svelteModule reports whether a script is shared by all components of its file.
func svelteModule(p *piece) bool {
	_, module := p.attributeOf("module")
	_, context := p.attributeOf("context")
	return module || context
}

// svelteReactive reads $: name = value, which declares the name unless it is known.
func svelteReactive(w *walk, n int32) int32 {
	body := w.child(n, "body")
	assignment := w.only(body)
	if w.text(w.child(n, "label")) != "$" || !w.is(assignment, "assignment_expression") {
		return w.visit(body)
	}
	left, right := w.child(assignment, "left"), w.child(assignment, "right")
	if _, known := w.declaredIn(w.top(), w.text(left)); known || !w.is(left, "identifier") {
		return w.visit(body)
	}
	y := w.symbol(left, n, code.KindVar, 0)
	w.bind(w.top(), y, 0)
	jsHolds(w, y, n, right, true)
	return facts.None
}

// svelteFinish reads the markup within the scope of the scripts.
func svelteFinish(w *walk) {
	t := &svelteTemplate{template{w: w, m: markup{src: w.src, open: "{", shut: "}"}}}
	w.open(scopeBlock)
	t.run()
	w.close()
	svelteStores(w)
	jsFinish(w)
}

// svelteStores reads $name as a use of the store that the scripts call name.
func svelteStores(w *walk) {
	for _, u := range w.scopes[0].pending {
		use := &w.uses[u]
		if len(use.Name) < 2 || use.Name[0] != '$' {
			continue
		}
		_, own := w.declaredIn(0, use.Name)
		if _, store := w.declaredIn(0, use.Name[1:]); store && !own {
			use.Name, use.At = use.Name[1:], use.At+1
			w.names[u] = w.number(use.Name)
		}
	}
}

// svelteTemplate reads the markup of a component of Svelte.
type svelteTemplate struct{ template }

func (t *svelteTemplate) run() {
	for p, ok := t.m.next(); ok; p, ok = t.m.next() {
		switch {
		case p.kind == pieceClosing:
			t.leave(p.name)
		case p.kind == pieceExpression:
			t.block(p.span)
		case p.name == "script" || p.name == "style":
		default:
			t.open(&p)
		}
	}
	t.end()
}

// word cuts the word after a sign off a block: each of {#each list as item}.
func (t *svelteTemplate) word(s span) (word string, rest span) {
	text := t.w.src[s.start+1 : s.end]
	word = text
	if n := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }); n >= 0 {
		word = text[:n]
	}
	return word, span{s.start + 1 + uint32(len(word)), s.end}
}

// block reads what stands in braces: an expression, or the begin, the middle or
// the end of a block.
func (t *svelteTemplate) block(s span) {
	s = t.trim(s)
	if s.end <= s.start {
		return
	}
	switch t.w.src[s.start] {
	case '#':
		word, rest := t.word(s)
		t.begin(word, rest)
	case ':':
		word, rest := t.word(s)
		t.middle(word, rest)
	case '/':
		word, _ := t.word(s)
		t.leave("#" + word)
	case '@':
		word, rest := t.word(s)
		t.special(word, rest)
	default:
		t.expression(s)
	}
}

func (t *svelteTemplate) begin(word string, rest span) {
	scopes := 0
	switch word {
	case "each":
		scopes = t.each(rest)
	case "await":
		scopes = t.await(rest)
	case "snippet":
		scopes = t.snippet(rest)
	default:
		t.expression(rest)
	}
	t.elements = append(t.elements, element{"#" + word, scopes})
}

// each reads list as item, index (key).
func (t *svelteTemplate) each(s span) int {
	text := t.w.src[s.start:s.end]
	as := strings.LastIndex(text, " as ")
	if as < 0 {
		t.expression(s)
		return 0
	}
	value := t.expression(span{s.start, s.start + uint32(as)})
	names := t.trim(span{s.start + uint32(as+len(" as ")), s.end})
	key := span{}
	if names.end > names.start && t.w.src[names.end-1] == ')' {
		if n := strings.LastIndex(t.w.src[names.start:names.end], "("); n >= 0 {
			key = span{names.start + uint32(n) + 1, names.end - 1}
			names.end = names.start + uint32(n)
		}
	}
	n := t.scope()
	if n > 0 {
		t.pattern(names, t.w.of(facts.OpElem, value, 0))
	}
	t.expression(key)
	return n
}

// await reads promise, and names what it gives: promise then value.
func (t *svelteTemplate) await(s span) int {
	text := t.w.src[s.start:s.end]
	for _, word := range []string{" then", " catch"} {
		if at := strings.LastIndex(text, word); at >= 0 {
			value := t.expression(span{s.start, s.start + uint32(at)})
			n := t.scope()
			if n > 0 {
				t.pattern(span{s.start + uint32(at+len(word)), s.end}, t.w.of(facts.OpElem, value, 2))
			}
			return n
		}
	}
	t.expression(s)
	return 0
}

// snippet declares name(parameters) for the markup around it.
func (t *svelteTemplate) snippet(s span) int {
	s = t.trim(s)
	name := t.w.src[s.start:s.end]
	if n := strings.IndexAny(name, "(<"); n >= 0 {
		name = name[:n]
	}
	if name != "" {
		y := t.w.symbolAt(name, s.start, s.start, s.end, code.KindFunc, 0)
		t.w.symbols[y].Complexity = 1
		t.w.bind(0, y, 0)
	}
	n := t.scope()
	if rest := (span{s.start + uint32(len(name)), s.end}); n > 0 && rest.end > rest.start && t.w.src[rest.start] == '(' {
		t.pattern(rest, facts.None)
	}
	return n
}

// middle reads {:else if value}, {:then name} and {:catch name}.
func (t *svelteTemplate) middle(word string, rest span) {
	switch word {
	case "then", "catch":
		if n := len(t.elements); n > 0 && rest.end > rest.start {
			if opened := t.scope(); opened > 0 {
				t.elements[n-1].scopes += opened
				t.pattern(rest, facts.None)
			}
		}
	case "else":
		if rest = t.trim(rest); strings.HasPrefix(t.w.src[rest.start:rest.end], "if") {
			t.expression(span{rest.start + 2, rest.end})
		}
	}
}

// special reads {@const name = value}, {@render snippet()} and their like.
func (t *svelteTemplate) special(word string, rest span) {
	if word != "const" {
		t.expression(rest)
		return
	}
	at := strings.IndexByte(t.w.src[rest.start:rest.end], '=')
	if at < 0 {
		return
	}
	value := t.expression(span{rest.start + uint32(at) + 1, rest.end})
	t.pattern(span{rest.start, rest.start + uint32(at)}, value)
}

// open reads an opening tag.
func (t *svelteTemplate) open(p *piece) {
	t.component(p, facts.RoleCall)
	scopes := 0
	for _, a := range p.attributes {
		if name, ok := strings.CutPrefix(a.name, "let:"); ok {
			if scopes == 0 {
				scopes = t.scope()
			}
			if scopes > 0 {
				t.let(a, name)
			}
			continue
		}
		t.attribute(a)
	}
	t.enter(p, scopes)
}

// let declares what a component gives to what it shows.
func (t *svelteTemplate) let(a attribute, name string) {
	if a.has {
		t.pattern(a.value, facts.None)
		return
	}
	at := a.nameAt + uint32(len("let:"))
	t.pattern(span{at, at + uint32(len(name))}, facts.None)
}

// attribute reads what an attribute uses.
func (t *svelteTemplate) attribute(a attribute) {
	directive, name, ok := strings.Cut(a.name, ":")
	if ok {
		name, _, _ = strings.Cut(name, "|")
		at := a.nameAt + uint32(len(directive)) + 1
		switch directive {
		case "use", "transition", "in", "out", "animate":
			t.name(at, strings.SplitN(name, ".", 2)[0], facts.RoleCall)
		case "bind", "class", "style":
			if !a.has && !strings.Contains(name, "-") {
				t.name(at, name, facts.RoleRead)
			}
		}
	}
	switch {
	case a.braced:
		text := t.w.src[a.value.start:a.value.end]
		if spread := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(spread, "...") {
			a.value.start += uint32(len(text)-len(spread)) + 3
		}
		t.expression(a.value)
	case a.has:
		t.within(a.value)
	}
}

// within reads the expressions in a value in quotes.
func (t *svelteTemplate) within(s span) {
	for i := int(s.start); i < int(s.end); i++ {
		if t.w.src[i] != '{' {
			continue
		}
		end := closeBraces(t.w.src[:s.end], i)
		if end < 0 {
			return
		}
		t.expression(span{uint32(i + 1), uint32(end - 1)})
		i = end - 1
	}
}
