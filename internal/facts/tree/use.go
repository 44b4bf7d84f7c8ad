package tree

import (
	"math"

	"espy/internal/facts"
)

// add adds a use of a name that no scope is asked for.
func (w *walk) add(name string, at uint32, role facts.Role, args int) int32 {
	w.uses = append(w.uses, facts.Use{Name: name, Role: role, Place: facts.Place{At: at}, In: w.in, Target: facts.None, Args: argCount(args)})
	w.names = append(w.names, 0)
	return int32(len(w.uses) - 1)
}

func argCount(n int) int16 { return int16(max(facts.None, min(n, math.MaxInt16))) }

// useIn adds a use of a name that scope number s, or one around it, declares.
func (w *walk) useIn(s int, name string, at uint32, role facts.Role, args int) int32 {
	if name == "" {
		return facts.None
	}
	u := w.add(name, at, role, args)
	w.names[u] = w.number(name)
	w.scopes[s].pending = append(w.scopes[s].pending, u)
	return w.expr(facts.OpUse, u, 0)
}

// use adds a use of the name in node n and returns its expression.
func (w *walk) use(n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	return w.useIn(w.top(), w.text(n), w.start(n), role, args)
}

// member adds a use of the name in node n as a member of the expression object.
// That is None if it is not known.
func (w *walk) member(n, object int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	return w.memberAt(w.text(n), w.start(n), object, role, args)
}

// memberAt is member of a name at a place.
func (w *walk) memberAt(name string, at uint32, object int32, role facts.Role, args int) int32 {
	if name == "" {
		return facts.None
	}
	u := w.add(name, at, role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, object
	return w.expr(facts.OpUse, u, 0)
}

// imported adds the use of the name that an import statement takes.
func (w *walk) imported(n int32, target int32) {
	if w.text(n) == "" {
		return
	}
	u := w.add(w.text(n), w.start(n), facts.RoleImport, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, target
}
