package anatomy

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
)

// Imports are what the file imports, in its order.
//
// Of Rust these are the paths of use items that stand in no function, one for each
// name of a group: a::self for a::{self}, a for a::*, without aliases. Elsewhere they
// are modules, packages and files as they are written, each once.
func (f *File) Imports() (all []string) {
	for i := range f.facts.Imports {
		m := &f.facts.Imports[i]
		if path := f.path(m); path != "" && (f.IsRust() || !slices.Contains(all, path) && !f.isPart(i, path)) {
			all = append(all, path)
		}
	}
	return all
}

// path is what an import takes, empty for nothing.
func (f *File) path(m *facts.Import) string {
	switch {
	case f.IsRust():
		return f.rustPath(m)
	case slices.Contains(dotted, f.language.Name) && m.Name != "" && m.Name != "*":
		return m.Module + "." + m.Name
	}
	return m.Module
}

// isPart reports whether an import only brings the beginning of a dotted path that
// another one of its line has: import a.b brings a too.
func (f *File) isPart(i int, path string) bool {
	return slices.ContainsFunc(f.facts.Imports, func(o facts.Import) bool {
		return o.Line == f.facts.Imports[i].Line && strings.HasPrefix(f.path(&o), path+".") && f.facts.Imports[i].Name != "*"
	})
}

// dotted are languages in which the name of an import is written behind its package.
var dotted = []string{"java", "kotlin", "scala"}

var externCrate = pattern.New(`^\s*(pub(\([^)]*\))?\s+)?extern\s+crate\b`)

// rustPath is the path of a use item, empty for what is none.
func (f *File) rustPath(m *facts.Import) string {
	if m.In != facts.None && f.function(m.In) != nil {
		return ""
	}
	line := f.Text[:m.At]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	switch {
	case m.Name == "" && m.Local == "" || externCrate().Match(line): // mod x; extern crate x;
		return ""
	case f.isSelf(m):
		return strings.TrimSuffix(join(m.Module, m.Name), "::self") + "::self"
	case m.Name == "*":
		return m.Module
	}
	return join(m.Module, m.Name)
}

func join(module, name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(module+"::"+name, "::"), "::")
}

// isSelf reports whether an import is the self of a group.
func (f *File) isSelf(m *facts.Import) bool {
	if word(f.Text[m.At:]) == "self" {
		return true
	}
	before, aliased := bytes.CutSuffix(bytes.TrimRight(f.Text[:m.At], " \t\r\n"), []byte(" as"))
	before = bytes.TrimRight(before, " \t\r\n")
	return aliased && lastWord(before) == "self"
}

// word is the identifier that a text begins with.
func word(text []byte) string {
	end := bytes.IndexFunc(text, func(r rune) bool { return !isLetter(r) })
	if end < 0 {
		end = len(text)
	}
	return string(text[:end])
}

// lastWord is the identifier that a text ends with.
func lastWord(text []byte) string {
	return string(text[bytes.LastIndexFunc(text, func(r rune) bool { return !isLetter(r) })+1:])
}

func isLetter(r rune) bool {
	return r == '_' || r >= 0x80 || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// isUnion reports whether a struct of Rust is a union.
func (f *File) isUnion(s *facts.Symbol) bool {
	return s.Kind == code.KindStruct && lastWord(bytes.TrimRight(f.Text[:s.At], " \t\r\n")) == "union"
}
