package tree

import (
	"slices"
	"strings"

	"espy/internal/facts"
)

// scalaImport reads import a.b.{C, D => E, _}, c.F and the same of export.
func scalaImport(w *walk, n int32) int32 {
	var path []int32
	end := func(tail int32) {
		if len(path) > 0 {
			scalaImported(w, path, tail)
		}
		path = nil
	}
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "identifier", "operator_identifier":
			if len(path) > 0 && strings.Contains(w.src[w.end(path[len(path)-1]):w.start(c)], ",") {
				end(facts.None)
			}
			path = append(path, c)
		case "namespace_wildcard", "namespace_selectors", "as_renamed_identifier":
			end(c)
		}
	}
	end(facts.None)
	return facts.None
}

// scalaSelector is one name that an import takes: local is None where it is hidden.
type scalaSelector struct{ name, local int32 }

// scalaSelectors are the names that the last part of an import takes; all is true where
// it takes all names.
func scalaSelectors(w *walk, tail int32) (names []scalaSelector, all bool) {
	switch w.kind(tail) {
	case "namespace_wildcard":
		return nil, true
	case "identifier", "operator_identifier":
		return []scalaSelector{{tail, tail}}, false
	case "arrow_renamed_identifier", "as_renamed_identifier":
		s := scalaSelector{w.child(tail, "name"), w.child(tail, "alias")}
		if w.is(s.local, "wildcard") || w.text(s.local) == "_" {
			s.local = facts.None
		}
		return []scalaSelector{s}, false
	case "namespace_selectors":
		for c := range w.kids(tail) {
			if w.token(c) {
				continue
			}
			more, every := scalaSelectors(w, c)
			names, all = append(names, more...), all || every
		}
		return names, all
	}
	w.visitType(tail) // given Type
	return nil, true
}

// scalaImported reads one path of an import, whose tail may be None.
func scalaImported(w *walk, path []int32, tail int32) {
	if tail < 0 {
		if len(path) == 1 {
			return
		}
		tail, path = path[len(path)-1], path[:len(path)-1]
	}
	names, all := scalaSelectors(w, tail)
	if of, ok := scalaHeld(w, path); ok {
		for _, s := range names {
			scalaMemberUse(w, s.name, of, facts.RoleImport, facts.None)
		}
		w.scala().receivers = append(slices.Clip(w.scala().receivers), of)
		return
	}
	module := scalaModule(w, path)
	scalaOnTheWay(w, path)
	in := w.in
	if all {
		w.imports = append(w.imports, facts.Import{Module: module, Name: "*", Place: facts.Place{At: w.start(path[0])}, In: in})
	}
	for _, s := range names {
		if !scalaNamed(w, s.name) {
			continue
		}
		row := facts.Import{Module: module, Name: scalaBare(w.text(s.name)), Place: facts.Place{At: scalaAt(w, s.name)}, In: in}
		if scalaNamed(w, s.local) {
			row.Local, row.At = scalaBare(w.text(s.local)), scalaAt(w, s.local)
		}
		w.imports = append(w.imports, row)
		i := int32(len(w.imports) - 1)
		if row.Local != "" {
			from := w.start(s.local)
			if w.top() == 0 {
				from = 0
			}
			w.declare(w.top(), row.Local, row.At, from, facts.BindImport, i)
		}
		u := w.add(row.Name, scalaAt(w, s.name), facts.RoleImport, facts.None)
		w.uses[u].Bind, w.uses[u].Target = facts.BindImport, i
	}
}

// scalaHeld is the value that a path names where it begins with a variable of this file,
// whose members an import makes known.
func scalaHeld(w *walk, path []int32) (of int32, ok bool) {
	d, ok := scalaDeclared(w, scalaBare(w.text(path[0])))
	if !ok && w.text(path[0]) != "this" || ok && (d.bind != facts.BindSymbol || w.symbols[d.target].Kind.IsType()) {
		return facts.None, false
	}
	of = scalaName(w, path[0], facts.RoleRead, facts.None)
	for _, n := range path[1:] {
		of = scalaMemberUse(w, n, of, facts.RoleRead, facts.None)
	}
	return of, of >= 0
}

// scalaDeclared is what the scopes around declare under a name so far, the innermost first.
func scalaDeclared(w *walk, name string) (declared, bool) {
	for i := w.top(); i >= 0; i-- {
		if d, ok := w.declaredIn(i, name); ok {
			return d, true
		}
	}
	return declared{}, false
}

// scalaModule is the dotted name of a path. One that begins with what another import
// brings begins with the path of that.
func scalaModule(w *walk, path []int32) string {
	var all []string
	for i, n := range path {
		name := scalaBare(w.text(n))
		switch {
		case i == 0 && name == "_root_" && len(path) > 1:
			continue
		case i == 0:
			if d, ok := scalaDeclared(w, name); ok && d.bind == facts.BindImport {
				if row := w.imports[d.target]; row.Name != "" && row.Name != "*" && row.Module != "" {
					name = row.Module + "." + row.Name
				}
			}
		}
		all = append(all, name)
	}
	return strings.Join(all, ".")
}

// scalaOnTheWay notes the objects that a path leads through. By custom they begin with an
// upper-case letter, and packages do not.
func scalaOnTheWay(w *walk, path []int32) {
	for i, n := range path {
		text := scalaBare(w.text(n))
		if text == "" || text[0] < 'A' || text[0] > 'Z' {
			continue
		}
		if i == 0 {
			w.useIn(w.top(), text, scalaAt(w, n), facts.RoleImport, facts.None)
			continue
		}
		w.imports = append(w.imports, facts.Import{Module: scalaModule(w, path[:i]), Name: text, Place: facts.Place{At: scalaAt(w, n)}, In: w.in})
		w.imported(n, int32(len(w.imports)-1))
	}
}
