package loose

import (
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// terraform is the rules of Terraform: the files of a folder are one module.
type terraform struct{ loose }

// Terraform returns the rules of Terraform for one question.
func Terraform(read *corpus.Reader, files func() Files) *infer.Language {
	return &infer.Language{Rules: &terraform{newLoose(read, corpus.Terraform, files)}}
}

// Import finds what a folder declares of a kind: of its own, or of the module that it
// calls.
func (l *terraform) Import(f *corpus.File, m *facts.Import, _ infer.Budget) infer.Answer {
	folder, owner := f.Folder, m.Module
	if name, kind, ok := cutModule(owner); ok {
		called, ok := l.called(folder, name)
		if !ok {
			return infer.Answer{State: infer.Outside, Reason: "of a module from elsewhere", Via: "module." + name}
		}
		folder, owner = called, kind
	}
	if refs := l.declared(folder, owner, m.Name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in " + described(folder)}
	}
	return infer.Answer{State: infer.Outside}
}

// cutModule cuts module.name.kind.
func cutModule(owner string) (name, kind string, ok bool) {
	rest, ok := strings.CutPrefix(owner, "module.")
	if !ok {
		return "", "", false
	}
	i := strings.LastIndexByte(rest, '.')
	if i < 0 {
		return "", "", false
	}
	return rest[:i], rest[i+1:], true
}

func described(folder string) string {
	if folder == "" {
		return "the root"
	}
	return folder
}

// declared finds what the files of a folder declare under a name for an owner.
func (l *terraform) declared(folder, owner, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range l.read.Named(name) {
		if f := l.read.File(r.File); f.Family == corpus.Terraform && f.Folder == folder && l.read.Symbol(r).Owner == owner {
			refs = append(refs, r)
		}
	}
	return refs
}

// called is the folder of the module that a folder calls by a name.
func (l *terraform) called(folder, name string) (string, bool) {
	for _, r := range l.declared(folder, "module", name) {
		f := l.read.File(r.File)
		for i := range f.Facts.NumImports() {
			if m := f.Facts.Import(i); m.In == r.Index && strings.HasPrefix(m.Module, ".") {
				return corpus.Join(folder, m.Module)
			}
		}
	}
	return "", false
}

// Free is never asked: every use names its kind.
func (l *terraform) Free(*corpus.File, *facts.Use, infer.Budget) infer.Answer {
	return infer.Answer{State: infer.Outside}
}

// Owns is false: nothing has members.
func (l *terraform) Owns(corpus.Ref, corpus.Ref, infer.Budget) bool { return false }

// Exported finds what a file declares under a name.
func (l *terraform) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	return l.declaredIn(m, name)
}

// Same reports whether two symbols are declared in one scope of one file.
func (l *terraform) Same(a, b corpus.Ref) bool { return l.sameScope(a, b) }
