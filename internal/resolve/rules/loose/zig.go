package loose

import (
	"path"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// zig is the rules of Zig. A file is known by @import only.
type zig struct {
	loose
	infer     *meaning.Evaluator
	following *infer.Guard[corpus.Ref] // imports that are passed on: files may do so in circles
}

// Zig returns the rules of Zig for one question.
func Zig(read *corpus.Reader, e *meaning.Evaluator, files func() Files) *infer.Language {
	z := &zig{newLoose(read, corpus.Zig, files), e, infer.NewGuard[corpus.Ref](e.Memory())}
	return &infer.Language{Rules: z, ExplicitReceiver: true, PassesOn: true, Overrides: infer.AllApart}
}

// Import finds the file that @import names beside its own, or what such a file
// declares. A name without an extension is that of a package: the only file of the
// repository that is called so is likely its root.
func (z *zig) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	id, confidence, ok := z.imported(f.Folder, m.Module)
	if !ok {
		return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Module}
	}
	mod := z.module(id)
	if r, ok := z.fileStruct(id); ok && m.Name == "" {
		return infer.Answer{Refs: []corpus.Ref{r}, State: infer.Found, Confidence: confidence, Reason: "imported file"}
	}
	if m.Name == "" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Confidence: confidence, Reason: "imported module"}
	}
	a := z.Exported(mod, m.Name, b)
	a.Confidence = max(a.Confidence, confidence)
	return a
}

func (z *zig) imported(folder, module string) (corpus.FileID, facts.Confidence, bool) {
	if path.Ext(module) == "" {
		if module == "std" || module == "builtin" || module == "root" {
			return 0, 0, false
		}
		id, ok := z.file(folder, module+".zig")
		return id, facts.Likely, ok
	}
	if at, ok := corpus.Join(folder, module); ok && strings.HasSuffix(at, ".zig") {
		id, ok := z.corpus.Find(at)
		return id, facts.Certain, ok
	}
	return 0, 0, false
}

// fileStruct is the struct that a file is by const Name = @This(): all that the file
// declares stands in it.
func (z *zig) fileStruct(id corpus.FileID) (whole corpus.Ref, ok bool) {
	f := z.read.File(id)
	whole = corpus.Ref{File: id, Index: 0}
	if f.Facts.NumSymbols() == 0 {
		return whole, false
	}
	s := f.Symbol(0)
	if s.Kind != code.KindStruct || s.Start != 0 || s.EndLine == 0 || int(s.EndLine) < z.corpus.Lines(id) {
		return whole, false
	}
	return whole, true
}

// Free finds nothing: what no scope declares is of the language.
func (z *zig) Free(_ *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// Exported finds what a file declares under a name, or imports and passes on.
func (z *zig) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if a := z.declaredIn(m, name); a.State == infer.Found {
		return a
	}
	for _, id := range m.Files {
		f := z.read.File(id)
		if whole, ok := z.fileStruct(id); ok {
			if refs := z.infer.Declared(whole, name, b); len(refs) > 0 {
				return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in " + m.Path}
			}
		}
		for i := range f.Facts.NumImports() {
			r := corpus.Ref{File: id, Index: int32(i)}
			if row := f.Facts.Import(i); row.Local != name || row.In != facts.None {
				continue
			}
			var a infer.Answer
			if z.following.Once(r, b, func() { a = z.infer.Imported(r, b) }) {
				return a
			}
		}
	}
	return infer.Answer{State: infer.Absent}
}

// Same reports whether two symbols are declared in one scope of one file.
func (z *zig) Same(a, b corpus.Ref) bool { return a == b }

// Owns reports whether a symbol and the one that it names stand in one file.
func (z *zig) Owns(typ, owned corpus.Ref, _ infer.Budget) bool { return typ.File == owned.File }
