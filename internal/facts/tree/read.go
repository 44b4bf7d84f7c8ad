package tree

import (
	"strings"

	"espy/internal/facts"
)

// Facts reads the tree of a text. The parser, which may be nil, reads code within
// literals. A grammar without rules gives empty facts. A tree that takes far more
// steps than its nodes explain is a panic with an error.
func Facts(t *Tree, text []byte, parse Parser) *facts.File {
	l, ok := languages[t.Grammar.Name]
	if !ok || len(t.Nodes) == 0 {
		return &facts.File{}
	}
	f := read(t, l, text, parse).facts()
	if len(f.Errors) == 0 || !l.again {
		return f
	}
	return richer(f, soundFacts(l, t, text, parse))
}

// read walks a tree.
func read(t *Tree, l language, text []byte, parse Parser) *walk {
	w := newWalk(t, tableOf(t.Grammar, l.rules), string(text), parse)
	w.survey()
	w.open(scopeModule)
	if start := w.table.rules.start; start != nil {
		start(w)
	}
	w.visit(0)
	if finish := w.table.rules.finish; finish != nil {
		finish(w)
	}
	w.close()
	return w
}

// survey notes comments and faults.
func (w *walk) survey() {
	for i, n := range w.t.Nodes {
		if n.Kind != kindError && w.table.traits[n.Kind]&traitComment != 0 {
			w.comments = append(w.comments, span{n.Start, n.End})
		}
		if n.Flags != 0 && len(w.errors) < facts.MaxFaults {
			w.fault(n, int32(i))
		}
	}
}

// leftOut notes a fault of lines that were left out.
func (w *walk) leftOut(at span) {
	if len(w.errors) >= facts.MaxFaults {
		return
	}
	text, _, _ := strings.Cut(strings.TrimSpace(w.src[at.start:at.end]), "\n")
	w.errors = append(w.errors, located{at.start, "unexpected " + clip(text, 40)})
}

func (w *walk) fault(n Node, i int32) {
	switch {
	case n.Flags&missing != 0:
		w.errors = append(w.errors, located{n.Start, "missing " + w.kind(i)})
	case n.Flags&cut != 0:
		w.errors = append(w.errors, located{n.Start, "nested too deep: what lies deeper was left out"})
	default:
		text, _, _ := strings.Cut(w.src[n.Start:n.End], "\n")
		w.errors = append(w.errors, located{n.Start, "unexpected " + clip(text, 40)})
	}
}

// clip cuts text for a message, between runes.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "?")
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
