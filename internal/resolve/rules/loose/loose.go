// Package loose has the rules of languages whose programs bring files and see all
// that these declare: shell scripts, Lua, Elixir, Terraform and Zig. What no file in
// reach declares is likely the only thing of its name.
package loose

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Files are the files of the families of this package by the last part of their path.
type Files map[string][]corpus.FileID

// ReadFiles lists the files of a corpus.
func ReadFiles(c *corpus.Corpus) Files {
	all := Files{}
	for f := range c.Files() {
		switch c.Family(f) {
		case corpus.Shell, corpus.Lua, corpus.Elixir, corpus.Terraform, corpus.Zig:
			base := path.Base(c.Path(f))
			all[base] = append(all[base], f)
		}
	}
	return all
}

// loose is what the languages share.
type loose struct {
	corpus *corpus.Corpus
	read   *corpus.Reader
	family corpus.Family
	files  func() Files
	fits   func(u *facts.Use, s *facts.Symbol) bool // whether a use can mean a symbol that another file declares
}

func newLoose(read *corpus.Reader, family corpus.Family, files func() Files) loose {
	return loose{read.Corpus(), read, family, files, isCallable}
}

// file finds the file with a path: from a folder, from the root, or the only one
// whose path ends so.
func (l *loose) file(folder, p string) (corpus.FileID, bool) {
	for _, from := range []string{folder, ""} {
		if at, ok := corpus.Join(from, p); ok {
			if id, ok := l.corpus.Find(at); ok {
				return id, true
			}
		}
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	var found []corpus.FileID
	for _, id := range l.files()[path.Base(p)] {
		if l.corpus.Family(id) == l.family && strings.HasSuffix("/"+l.corpus.Path(id), "/"+p) {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// module is a file as a module.
func (l *loose) module(id corpus.FileID) *infer.Module {
	return &infer.Module{Files: []corpus.FileID{id}, Path: l.corpus.Path(id), Family: l.family}
}

// inFiles finds what some files declare at their top under the name of a use.
func (l *loose) inFiles(files []corpus.FileID, u *facts.Use) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range l.read.Named(u.Name) {
		if s := l.read.Symbol(r); slices.Contains(files, r.File) && corpus.AtTop(s) && l.fits(u, s) {
			refs = append(refs, r)
		}
	}
	return refs
}

// isCallable reports whether a use and a symbol are both of a function, or neither.
func isCallable(u *facts.Use, s *facts.Symbol) bool {
	return (u.Role == facts.RoleCall) == s.Kind.IsFunc()
}

// anywhere finds the functions that a call may mean among those of all files. The
// only one in code that is no test is likely meant.
func (l *loose) anywhere(u *facts.Use) infer.Answer {
	var all, program []corpus.Ref
	for _, r := range l.read.Named(u.Name) {
		if s := l.read.Symbol(r); l.read.File(r.File).Family != l.family || !corpus.AtTop(s) || !l.fits(u, s) {
			continue
		}
		all = append(all, r)
		if !l.corpus.Class(r.File).Has(code.ClassTest) {
			program = append(program, r)
		}
	}
	if len(program) == 0 {
		program = all
	}
	switch {
	case len(all) == 0:
		return infer.Answer{State: infer.Outside, Via: u.Name}
	case inOneFile(program):
		return infer.Answer{Refs: program, State: infer.Found, Confidence: facts.Likely, Reason: "the only one of that name"}
	}
	return infer.Answer{Refs: all, State: infer.Found, Confidence: facts.Possible, Reason: "one of several of that name"}
}

func inOneFile(refs []corpus.Ref) bool {
	return !slices.ContainsFunc(refs, func(r corpus.Ref) bool { return r.File != refs[0].File })
}

// declaredIn finds what the files of a module declare under a name.
func (l *loose) declaredIn(m *infer.Module, name string) infer.Answer {
	for _, id := range m.Files {
		if refs := l.read.File(id).TopNamed(name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in " + m.Path}
		}
	}
	return infer.Answer{State: infer.Absent}
}

// sameScope reports whether two symbols are declared in one scope of one file.
func (l *loose) sameScope(a, b corpus.Ref) bool {
	s, o := l.read.Symbol(a), l.read.Symbol(b)
	return a.File == b.File && s.Parent == o.Parent && s.Owner == o.Owner
}
