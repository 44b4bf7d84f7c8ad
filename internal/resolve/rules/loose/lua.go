package loose

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// lua is the rules of Lua.
type lua struct {
	loose
	infer     *meaning.Evaluator
	following *infer.Guard[string] // modules that pass on what others give: they may do so in circles
}

// Lua returns the rules of Lua for one question.
func Lua(read *corpus.Reader, e *meaning.Evaluator, files func() Files) *infer.Language {
	l := &lua{newLoose(read, corpus.Lua, files), e, infer.NewGuard[string](e.Memory())}
	l.fits = func(_ *facts.Use, s *facts.Symbol) bool {
		return s.Flags&facts.Exported != 0 && s.Kind != code.KindMethod && s.Name != "return"
	}
	return &infer.Language{Rules: l, Dynamic: true, PassesOn: true}
}

// required finds the file of a module a.b: a/b.lua or a/b/init.lua, from the root or
// a folder of sources, else from another folder.
func (l *lua) required(folder, module string) (corpus.FileID, bool) {
	p := strings.ReplaceAll(module, ".", "/")
	ends := []string{".lua", "/init.lua"}
	for _, end := range ends {
		for _, from := range []string{"", "lua/", "src/", "lib/"} {
			if id, ok := l.corpus.Find(from + p + end); ok {
				return id, true
			}
		}
	}
	for _, from := range []string{"lua/", ""} {
		for _, end := range ends {
			if id, ok := l.file(folder, from+p+end); ok {
				return id, true
			}
		}
	}
	return 0, false
}

// Import finds the value of a module, or a member of it. Without a module it is a name of the file
// itself.
func (l *lua) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if m.Module == "" {
		if refs := f.TopNamed(m.Name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this file"}
		}
		return l.passedOn(f, m.Name, b)
	}
	id, ok := l.required(f.Folder, m.Module)
	if !ok {
		return infer.Answer{State: infer.Outside, Reason: "required from elsewhere", Via: m.Module}
	}
	mod := l.module(id)
	whole := l.whole(mod, b)
	if m.Name == facts.WholeModule || whole.State != infer.Found {
		return whole
	}
	a := infer.Answer{State: infer.Absent}
	for _, r := range whole.Refs {
		for _, t := range l.infer.ThingsOf(r, b.Restart()) {
			found, _ := l.infer.Member(t, m.Name, b.Restart())
			for _, member := range found {
				if member.Module == nil {
					a.Refs, a.State, a.Reason = append(a.Refs, member.Ref), infer.Found, "required from "+mod.Path
				}
			}
		}
	}
	return a
}

// passedOn finds what a file means by a name that it has required.
func (l *lua) passedOn(f *corpus.File, name string, b infer.Budget) infer.Answer {
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Local == name && row.Module != "" && row.Flags&facts.Reexport == 0 {
			return l.infer.Imported(corpus.Ref{File: f.ID, Index: int32(i)}, b)
		}
	}
	return infer.Answer{State: infer.Absent}
}

// whole finds the value that a module gives, else the module itself.
func (l *lua) whole(m *infer.Module, b infer.Budget) infer.Answer {
	a := infer.Answer{Modules: []*infer.Module{m}, State: infer.Found, Reason: "required module"}
	l.following.Once(m.Path, b, func() { a = l.given(m, a, b) })
	return a
}

// given is the value that a module gives, or what stands for it.
func (l *lua) given(m *infer.Module, a infer.Answer, b infer.Budget) infer.Answer {
	f := l.read.File(m.Files[0])
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		if row.Local != facts.WholeModule || row.Flags&facts.Reexport == 0 {
			continue
		}
		given := l.infer.Imported(corpus.Ref{File: f.ID, Index: int32(i)}, b)
		if given.State == infer.Found {
			given.Reason = "required from " + m.Path
			return given
		}
	}
	return a
}

// Free looks a name up among the globals of all files.
func (l *lua) Free(_ *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer { return l.anywhere(u) }

// Exported finds what a file declares under a name.
func (l *lua) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	return l.declaredIn(m, name)
}

// Same reports whether two symbols are declared in one scope of one file.
func (l *lua) Same(a, b corpus.Ref) bool { return l.sameScope(a, b) }

// Owns reports whether a symbol and the one that it names stand in one file.
func (l *lua) Owns(typ, owned corpus.Ref, _ infer.Budget) bool { return typ.File == owned.File }
