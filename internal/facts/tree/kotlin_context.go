package tree

import (
	"bytes"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
)

// kotlinContextType is the context of a type of functions, with the bracket that begins
// it, what is in it and the bracket that ends it in groups.
var kotlinContextType = sought{pattern.New(`(?:[:,<(=>]|\bsuspend)\s*(context\()([^()\n]*)(\))[ \t]*(?:suspend[ \t]+)?\(`), []string{"context("}, 1, 0}

// kotlinContextTypes writes context(A, B) (C) -> D, which the grammar does not know, as
// A.(C) -> D: both run on a value of A.
func kotlinContextTypes(text []byte) []byte {
	found := kotlinContextType.matches(text)
	if len(found) == 0 {
		return text
	}
	text = bytes.Clone(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			text[i] = ' '
		}
	}
	for _, at := range found {
		blank(at[2], at[3])
		if first := kotlinFirst(text[at[4]:at[5]]); first < at[5]-at[4] {
			blank(at[4]+first, at[5])
		}
		text[at[6]] = '.'
	}
	return text
}

// kotlinFirst is the length of the first of types with commas between them.
func kotlinFirst(types []byte) int {
	open := 0
	for i, c := range types {
		switch {
		case c == '<':
			open++
		case c == '>':
			open--
		case c == ',' && open == 0:
			return i
		}
	}
	return len(types)
}

// kotlinContext is where the context of a declaration that begins at a byte begins, and
// where what is in its brackets ends; ok is false where it has none.
func kotlinContext(w *walk, declared uint32) (start, end uint32, ok bool) {
	before := strings.TrimRight(w.src[:declared], " \t\r\n")
	if !strings.HasSuffix(before, ")") {
		return 0, 0, false
	}
	i := strings.LastIndexAny(before[:len(before)-1], "()\n") + 1
	if !strings.HasSuffix(before[:i], "context(") {
		return 0, 0, false
	}
	if i -= len("context("); i > 0 && isLetter(before[i-1]) {
		return 0, 0, false
	}
	return uint32(i), uint32(len(before) - 1), true
}

// kotlinBegin has a declaration begin where its context does.
func kotlinBegin(w *walk, symbol int32) {
	if start, _, ok := kotlinContext(w, w.symbols[symbol].Start); ok {
		w.symbols[symbol].Start = start
	}
}

// kotlinContexts reads the context of the declaration n of a function or a property:
// context(a: A) declares a name for it, and what stands in context(A) it runs on.
func kotlinContexts(w *walk, n int32) {
	start, end, ok := kotlinContext(w, w.start(n))
	if !ok {
		return
	}
	const word = "context"
	inside := w.src[int(start)+len(word) : end+1]
	if strings.Contains(inside, ":") {
		w.embeddedAs(start, []byte("fun con"+inside+" {}"), func(root int32) {
			for p := range w.kids(w.childOf(w.childOf(root, "function_declaration"), "function_value_parameters")) {
				name, typ := w.childOf(p, "identifier"), w.last(p)
				if !w.is(p, "parameter") || name < 0 || typ == name {
					continue
				}
				y := kotlinSymbol(w, name, p, code.KindVar, facts.Local)
				w.bind(w.top(), y, 0)
				w.symbols[y].Type = w.value(w.visitType(typ))
			}
		})
		return
	}
	w.embeddedAs(start, []byte("val c: "+inside+" -> A"), func(root int32) {
		typ := w.childOf(w.childOf(w.childOf(root, "property_declaration"), "variable_declaration"), "function_type")
		for c := range w.kids(w.childOf(typ, "function_type_parameters")) {
			if !w.token(c) {
				w.kotlin().receivers = append(w.kotlin().receivers, w.value(w.visitType(c)))
			}
		}
	})
}
