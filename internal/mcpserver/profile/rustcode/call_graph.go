package rustcode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"espy/internal/anatomy"
	"espy/internal/mcpserver/host"
	"espy/internal/nearest"
)

const callGraphSchema = `{
	"type": "object",
	"properties": {
		"file_path": {"type": "string", "description": "Path of the file"},
		"symbol_name": {"type": "string", "description": "Only the calls of and to this function"}
	},
	"required": ["file_path"]
}`

func (s *server) callGraphTool() tool {
	return tool{
		name: "get_call_graph", schema: callGraphSchema, failed: "Parse error",
		description: `List who calls whom in a file.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			symbol := strings.TrimSpace(a.text("symbol_name"))
			src, file, err := s.parse(ctx, a)
			if err != nil {
				return "", err
			}
			var b strings.Builder
			fmt.Fprintf(&b, "Call graph for '%s':\n\n", src.given)
			if symbol == "" {
				writeGraph(&b, file)
			} else {
				writeCalls(&b, file, symbol)
			}
			return b.String(), nil
		},
	}
}

// writeGraph writes all calls of a file.
func writeGraph(b *strings.Builder, file *anatomy.File) {
	g := file.Calls()
	fmt.Fprintf(b, "Functions: %d\nCall relationships: %d\n\n", g.Names(), g.Edges())
	if g.Edges() == 0 {
		b.WriteString("No function calls found.\n")
	} else {
		b.WriteString("Call relationships:\n")
		writeEdges(b, g)
	}
	if within := file.MacroCalls(); within.Edges() > 0 {
		fmt.Fprintf(b, "\nIn arguments of macros (%d):\n", within.Edges())
		writeEdges(b, within)
	}
}

func writeEdges(b *strings.Builder, g *anatomy.Graph) {
	for _, caller := range g.Callers() {
		fmt.Fprintf(b, "%s -> [%s]\n", caller, strings.Join(g.Of(caller), ", "))
	}
}

// writeCalls writes the calls of and to one function.
func writeCalls(b *strings.Builder, file *anatomy.File, symbol string) {
	name := symbol[strings.LastIndexAny(symbol, ":.#")+1:]
	g, within := file.Calls(), file.MacroCalls()
	fmt.Fprintf(b, "Symbol: %s\n\n", symbol)
	calls, callers := g.Of(name), g.To(name)
	if len(calls) > 0 {
		writeList(b, "Calls", "->", calls)
	}
	if len(callers) > 0 {
		if len(calls) > 0 {
			b.WriteString("\n")
		}
		writeList(b, "Called by", "<-", callers)
	}
	if len(calls)+len(callers) == 0 {
		b.WriteString("No call relationships found.\n")
	}
	if more := within.Of(name); len(more) > 0 {
		b.WriteString("\n")
		writeList(b, "Calls in arguments of macros", "->", more)
	}
	if more := within.To(name); len(more) > 0 {
		b.WriteString("\n")
		writeList(b, "Called in arguments of macros by", "<-", more)
	}
	known := file.Names()
	if len(calls)+len(callers) > 0 || slices.Contains(known, name) {
		return
	}
	if near := nearest.Of(name, known, 5); len(near) > 0 {
		fmt.Fprintf(b, "Similar names in this file: %s\n", strings.Join(near, ", "))
	}
}

func writeList(b *strings.Builder, heading, arrow string, names []string) {
	fmt.Fprintf(b, "%s (%d):\n", heading, len(names))
	for _, n := range names {
		fmt.Fprintf(b, "  %s %s\n", arrow, n)
	}
}
