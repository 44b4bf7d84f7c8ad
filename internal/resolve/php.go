package resolve

import (
	"espy/internal/code"
	"espy/internal/facts"
)

func phpLanguage() *language {
	return &language{
		family: familyPHP, module: phpImport, free: phpFree, exported: phpExported, hierarchy: true, constructor: "__construct",
		same: func(*Question, Ref, Ref) bool { return false },
		one:  func(*Question, Ref, Ref) bool { return false },
	}
}

// phpImport finds what a name with a namespace before it means. A namespace
// itself may be imported too: it is no symbol.
func phpImport(q *Question, f *file, m *facts.Import) meaning {
	got := phpExported(q, &module{dir: m.Module, language: f.language}, m.Name)
	if got.state == stateFound {
		return got
	}
	return meaning{state: stateOutside, reason: "imported from elsewhere", via: m.Name}
}

// phpExported finds what a namespace has under a name.
func phpExported(q *Question, m *module, name string) meaning {
	if refs := q.inNamespace(m.dir, name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "declared in namespace " + m.dir}
	}
	return meaning{state: stateAbsent}
}

// inNamespace finds the symbols of a name at the top of the files of a namespace.
func (q *Question) inNamespace(namespace, name string) []Ref {
	var refs []Ref
	for _, r := range q.Named(name) {
		f := q.file(r.File)
		if f.language != nil && f.language.family == familyPHP && f.Package() == namespace {
			if s := f.symbol(r.Index); !topLevel(s) || s.Kind == code.KindModule {
				continue
			}
			refs = append(refs, r)
		}
	}
	return refs
}

// phpFree looks a name up in the namespace of its file. A function or a constant
// that the namespace lacks is one of no namespace.
func phpFree(q *Question, f *file, u *facts.Use) meaning {
	if refs := q.inNamespace(f.Package(), u.Name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "declared in this namespace"}
	}
	if u.Role == facts.RoleCall || u.Role == facts.RoleRead {
		if refs := q.inNamespace("", u.Name); len(refs) > 0 {
			return meaning{refs: refs, state: stateFound, reason: "declared outside of namespaces"}
		}
	}
	return meaning{state: stateOutside, via: u.Name}
}
