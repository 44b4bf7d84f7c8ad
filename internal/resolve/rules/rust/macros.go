package rust

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// macro finds the macro that a call in a file means: of the same crate one that is
// exported or that a module around the file declares, else one that another
// crate exports.
func (r *rust) macro(f *corpus.File, name string) infer.Answer {
	var near, far []corpus.Ref
	for _, m := range r.read.Named(name) {
		s := r.read.Symbol(m)
		switch {
		case s.Kind != code.KindMacro || r.corpus.Family(m.File) != corpus.Rust:
		case m.File == f.ID, r.top(m.File) == r.top(f.ID) && (s.Flags&facts.Exported != 0 || r.isWithin(f.ID, m.File) || r.passesMacros(m.File)):
			near = append(near, m)
		case s.Flags&facts.Exported != 0 && !standardMacros[name]:
			far = append(far, m)
		}
	}
	switch {
	case len(near) == 1:
		return infer.Answer{Refs: near, State: infer.Found, Reason: "the macro of that name"}
	case len(near) > 0:
		return infer.Answer{Refs: near, State: infer.Found, Confidence: facts.Likely, Reason: "one of the macros of that name"}
	case len(far) > 0:
		return infer.Answer{Refs: far, State: infer.Found, Confidence: facts.Likely, Reason: "the macro of that name"}
	}
	return infer.Answer{}
}

// standardMacros are the macros of the standard library.
var standardMacros = map[string]bool{"assert": true, "assert_eq": true, "assert_ne": true, "cfg": true, "column": true, "compile_error": true,
	"concat": true, "dbg": true, "debug_assert": true, "debug_assert_eq": true, "debug_assert_ne": true, "env": true, "eprint": true,
	"eprintln": true, "file": true, "format": true, "format_args": true, "include": true, "include_bytes": true, "include_str": true,
	"line": true, "matches": true, "module_path": true, "option_env": true, "panic": true, "print": true, "println": true,
	"stringify": true, "thread_local": true, "todo": true, "try": true, "unimplemented": true, "unreachable": true, "vec": true,
	"write": true, "writeln": true}

// passesMacros reports whether the module of a file lets its macros be seen by
// those around it: #[macro_use] mod name;
func (r *rust) passesMacros(id corpus.FileID) bool {
	up := r.up(id)
	if up == id {
		return false
	}
	f := r.read.File(up)
	for i := range f.Facts.SymbolsNamed(moduleName(r.corpus.Path(id))) {
		if s := f.Symbol(int32(i)); s.Kind == code.KindModule && s.Flags&facts.Reexport != 0 {
			return true
		}
	}
	return false
}

// moduleName is the name of the module that a file is.
func moduleName(p string) string {
	p = strings.TrimSuffix(strings.TrimSuffix(p, ".rs"), "/mod")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// exportedMacros are the macros that a crate, given by the file of its top module,
// exports under a name.
func (r *rust) exportedMacros(top corpus.FileID, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, m := range r.read.Named(name) {
		s := r.read.Symbol(m)
		if s.Kind == code.KindMacro && s.Flags&facts.Exported != 0 && r.corpus.Family(m.File) == corpus.Rust && r.top(m.File) == top {
			refs = append(refs, m)
		}
	}
	return refs
}
