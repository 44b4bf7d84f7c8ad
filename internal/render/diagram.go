package render

import (
	"fmt"
	"strings"

	"espy/internal/calls"
	"espy/internal/facts"
)

// Diagram is a form of graphs that other programs draw.
type Diagram string

// The diagrams.
const (
	Mermaid Diagram = "mermaid"
	Dot     Diagram = "dot"
)

// Diagrams lists every form.
var Diagrams = []Diagram{Mermaid, Dot}

// Drawn is an answer whose text is a diagram.
type Drawn struct {
	*CallTree
	As Diagram
}

// Text writes the calls that the answer shows as a diagram: an arrow from each
// caller to what it calls, dotted where that is not certain. What the answer says
// besides is in comments.
func (d Drawn) Text(o Options) string {
	a := d.redacted(o)
	if len(a.Candidates) > 0 || len(a.Steps) == 0 {
		return a.Text(o)
	}
	g := diagram{as: d.As, numbers: map[string]int{}}
	for i := range a.Steps {
		g.step(&a.Steps[i])
	}
	return g.text(a.head(o, len(a.Steps)), a.foot(o, len(a.Steps)))
}

// diagram gathers nodes and arrows.
type diagram struct {
	as            Diagram
	numbers       map[string]int // of nodes, by id
	nodes, arrows strings.Builder
}

func (g *diagram) node(id string) string {
	n, ok := g.numbers[id]
	if !ok {
		n = len(g.numbers)
		g.numbers[id] = n
		if g.as == Dot {
			fmt.Fprintf(&g.nodes, "  n%d [label=%s];\n", n, quoteText(id))
		} else {
			fmt.Fprintf(&g.nodes, "  n%d[\"%s\"]\n", n, mermaidText(id))
		}
	}
	return fmt.Sprintf("n%d", n)
}

func (g *diagram) step(s *calls.Step) {
	from, to := g.node(s.ID), g.node(s.Above)
	if s.Direction == calls.Callees {
		from, to = to, from
	}
	label := ""
	if s.Relation != calls.Call {
		label = string(s.Relation)
	}
	g.arrow(from, to, label, s.Confidence != facts.Certain || s.Relation == calls.MayRun)
}

// arrow draws an arrow between two nodes.
func (g *diagram) arrow(from, to, label string, dotted bool) {
	switch {
	case g.as == Dot:
		var traits []string
		if label != "" {
			traits = append(traits, "label="+quoteText(label))
		}
		if dotted {
			traits = append(traits, "style=dashed")
		}
		fmt.Fprintf(&g.arrows, "  %s -> %s", from, to)
		if len(traits) > 0 {
			fmt.Fprintf(&g.arrows, " [%s]", strings.Join(traits, ", "))
		}
		g.arrows.WriteString(";\n")
	default:
		arrow := "-->"
		if dotted {
			arrow = "-.->"
		}
		if label != "" {
			arrow += "|" + mermaidText(label) + "|"
		}
		fmt.Fprintf(&g.arrows, "  %s %s %s\n", from, arrow, to)
	}
}

// DrawnImpact is what a change affects as a diagram: an arrow from each affected
// symbol to what it uses, dotted where that is not certain.
type DrawnImpact struct {
	*Impact
	As Diagram
}

// Text writes the affected symbols that the answer shows as a diagram. What the
// answer says besides is in comments.
func (d DrawnImpact) Text(o Options) string {
	if len(d.Symbols) == 0 {
		return d.Impact.Text(o)
	}
	g := diagram{as: d.As, numbers: map[string]int{}}
	for i := range d.Symbols {
		s := &d.Symbols[i]
		id := s.ID
		if id == "" {
			id = s.Path
		}
		verb, _, _ := strings.Cut(s.Reason, " ")
		g.arrow(g.node(id), g.node(s.Via), verb, s.Confidence != facts.Certain)
	}
	return g.text(d.head(0), d.foot(o, len(d.Symbols)))
}

// mermaidText is a label within quotes.
func mermaidText(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "#", "#35;", "|", "#124;", "\n", " ").Replace(clean(s))
}

func (g *diagram) text(head string, foot []string) string {
	comment, open, end := "%% ", "flowchart LR\n", ""
	if g.as == Dot {
		comment, open, end = "// ", "digraph espy {\n  rankdir=LR;\n", "}\n"
	}
	text := open + comment + head + "\n" + g.nodes.String() + g.arrows.String() + end
	for _, line := range foot {
		text += comment + line + "\n"
	}
	return text
}
