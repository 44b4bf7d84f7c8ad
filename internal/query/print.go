package query

import (
	"strings"
	"unicode"
)

// printed returns a node as text that parses to the same node: every operator
// is written out.
func printed(n Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n Node) {
	switch n := n.(type) {
	case Word:
		b.WriteString(n.Text)
	case Phrase:
		b.WriteString(quote(n.Text))
	case Symbol:
		b.WriteString("symbol:" + value(n.Name))
	case Not:
		b.WriteString("NOT ")
		operand(b, n.Node)
	case And:
		join(b, n.Nodes, " AND ")
	case Or:
		join(b, n.Nodes, " OR ")
	case Any:
		join(b, n.Nodes, " ")
	}
}

func join(b *strings.Builder, nodes []Node, operator string) {
	for i, n := range nodes {
		if i > 0 {
			b.WriteString(operator)
		}
		operand(b, n)
	}
}

// operand writes a node, in parentheses where it has an operator of its own.
func operand(b *strings.Builder, n Node) {
	switch n.(type) {
	case And, Or, Any:
	default:
		write(b, n)
		return
	}
	text := printed(n)
	b.WriteByte('(')
	b.WriteString(text)
	if opens(lastWord(text)) {
		b.WriteByte(' ') // or the word would take the parenthesis for its own
	}
	b.WriteByte(')')
}

func lastWord(text string) string {
	return text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
}

// opens reports whether a closing parenthesis right after the word would belong to it.
func opens(word string) bool {
	return strings.Count(word, "(") > strings.Count(word, ")")
}

// value quotes the value of a prefix where it would not be read as it is.
func value(v string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '(' || r == ')' }
	if strings.HasPrefix(v, ":") || strings.ContainsFunc(v, odd) {
		return quote(v)
	}
	return v
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + escape.Replace(s) + `"` }
