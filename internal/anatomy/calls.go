package anatomy

import (
	"bytes"
	"slices"

	"espy/internal/facts"
)

// Graph is who calls whom in a file, by names alone: functions of one name are one.
type Graph struct {
	calls map[string][]string // callees by caller, in the order of their first calls
}

// Calls are the calls of the functions of the file. Those in closures belong to the
// function around them. Of Rust, calls in the arguments of macros are left out, which
// macros may turn into anything; MacroCalls has them.
func (f *File) Calls() *Graph { return f.graph(true) }

// MacroCalls are the calls of Rust in the arguments of macros.
func (f *File) MacroCalls() *Graph { return f.graph(false) }

// graph makes the graph of the calls that are written as such, or of those in the
// arguments of macros.
func (f *File) graph(plain bool) *Graph {
	g := &Graph{calls: map[string][]string{}}
	var macros []span
	if f.IsRust() {
		macros = macrosOf(f.Text)
	}
	for i := range f.facts.Uses {
		u := &f.facts.Uses[i]
		if u.Role != facts.RoleCall || u.In == facts.None || within(macros, int(u.At)) == plain || !f.isCall(u) {
			continue
		}
		if caller := f.function(u.In); caller != nil && !slices.Contains(g.calls[caller.Name], u.Name) {
			g.calls[caller.Name] = append(g.calls[caller.Name], u.Name)
		}
	}
	return g
}

// isCall reports whether a use that the facts take for a call is one. In Rust macros
// and the literals of structs are among them.
func (f *File) isCall(u *facts.Use) bool {
	if !f.IsRust() || u.Args != facts.None && u.Args != facts.MacroArgs {
		return true
	}
	rest := bytes.TrimLeft(f.Text[int(u.At)+len(u.Name):], " \t\r\n")
	return bytes.HasPrefix(rest, []byte("("))
}

// Callers are the functions that call, by name.
func (g *Graph) Callers() (names []string) {
	for name := range g.calls {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Of are the functions that a function calls, in the order of their first calls.
func (g *Graph) Of(caller string) []string { return g.calls[caller] }

// To are the functions that call a function, by name.
func (g *Graph) To(callee string) []string {
	return slices.DeleteFunc(g.Callers(), func(caller string) bool { return !slices.Contains(g.calls[caller], callee) })
}

// Edges counts the pairs of caller and callee.
func (g *Graph) Edges() (n int) {
	for _, callees := range g.calls {
		n += len(callees)
	}
	return n
}

// Names counts the names that call or are called.
func (g *Graph) Names() int {
	all := map[string]bool{}
	for caller, callees := range g.calls {
		all[caller] = true
		for _, c := range callees {
			all[c] = true
		}
	}
	return len(all)
}
