package render

import (
	"fmt"
	"strings"
)

// GraphForm is a form in which an answer that is a graph can be drawn.
type GraphForm string

// The forms.
const (
	GraphNone    GraphForm = ""
	GraphMermaid GraphForm = "mermaid"
	GraphDOT     GraphForm = "dot"
)

// GraphForms lists the forms.
var GraphForms = []GraphForm{GraphMermaid, GraphDOT}

// arrow is one line of a drawing.
type arrow struct {
	from, to string
	label    string // empty for none
	weak     bool   // drawn dotted
}

// drawing writes arrows between nodes in the order in which they come.
type drawing struct {
	form    GraphForm
	arrows  []arrow
	comment []string // what the drawing lacks
}

func (d *drawing) text() string {
	if d.form == GraphDOT {
		return d.dot()
	}
	return d.mermaid()
}

func (d *drawing) mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, c := range d.comment {
		b.WriteString("  %% " + oneLine(c) + "\n")
	}
	ids := map[string]string{}
	node := func(name string) string {
		if id, ok := ids[name]; ok {
			return id
		}
		id := fmt.Sprintf("n%d", len(ids)+1)
		ids[name] = id
		return id + `["` + mermaidText(name) + `"]`
	}
	for _, a := range d.arrows {
		line := "-->"
		if a.weak {
			line = "-.->"
		}
		if a.label != "" {
			line += "|" + mermaidText(a.label) + "|"
		}
		from := node(a.from)
		b.WriteString("  " + from + " " + line + " " + node(a.to) + "\n")
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// mermaidText writes what Mermaid would read as its own as entities.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "|", "#124;", "<", "#lt;", ">", "#gt;", "&", "#amp;").Replace(oneLine(s))
}

func (d *drawing) dot() string {
	var b strings.Builder
	b.WriteString("digraph {\n  rankdir=LR;\n")
	for _, c := range d.comment {
		b.WriteString("  // " + oneLine(c) + "\n")
	}
	for _, a := range d.arrows {
		fmt.Fprintf(&b, "  %s -> %s", dotText(a.from), dotText(a.to))
		var attributes []string
		if a.label != "" {
			attributes = append(attributes, "label="+dotText(a.label))
		}
		if a.weak {
			attributes = append(attributes, "style=dashed")
		}
		if len(attributes) > 0 {
			b.WriteString(" [" + strings.Join(attributes, ", ") + "]")
		}
		b.WriteString(";\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(s)) + `"`
}
