package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Source is what an import takes names from.
type Source struct {
	Files []corpus.FileID // of the repository, by path; none where it is from elsewhere
	Whole bool            // Files are a package or a namespace, of which the import names all
	Known bool            // what no file declares is from elsewhere; else nothing says where it is from
	Not   bool            // the statement gives names to what others take in: using namespace of C++
}

// Source says which files an import takes names from. Where a module passes on
// what another one declares, the language decides: a module of Python or
// JavaScript runs and counts itself, elsewhere the files that declare it count.
func (q *Question) Source(imported corpus.Ref) Source {
	f := q.infer.File(imported.File)
	if f.Language == nil {
		return Source{}
	}
	m := f.Facts.Import(int(imported.Index))
	if m.Module == "" {
		return Source{Not: true}
	}
	if f.Family == corpus.C {
		return q.included(imported, &m)
	}
	a := q.infer.Imported(imported, infer.Full())
	if s, ok := ofModules(a.Modules); ok {
		s.Whole = s.Whole || f.Family == corpus.Go
		return s
	}
	if runs := f.Family == corpus.Python || f.Family == corpus.Script; runs || len(a.Refs) == 0 {
		if s, ok := q.sourceOfModule(f, m, a); ok {
			return s
		}
	}
	if len(a.Refs) > 0 {
		return Source{Files: q.filesOfRefs(f, a.Refs)}
	}
	return Source{Known: a.State == infer.Outside}
}

// sourceOfModule is the module that an import names, whatever it takes from it.
func (q *Question) sourceOfModule(f *infer.File, m facts.Import, a infer.Answer) (Source, bool) {
	if m.Name != "" {
		m.Name = ""
		a = f.Language.Import(f.File, &m, infer.Full())
	}
	if s, ok := ofModules(a.Modules); ok {
		return s, ok
	}
	for _, mod := range a.Modules {
		if files := q.resolver.packages()[corpus.InPackage{Family: f.Family, Name: mod.Path}]; len(files) > 0 {
			return Source{Files: files, Whole: true}, true
		}
	}
	files := q.filesOfRefs(f, a.Refs) // what macros declare there
	return Source{Files: files}, len(files) > 0
}

func ofModules(modules []*infer.Module) (s Source, ok bool) {
	for _, m := range modules {
		s.Files = append(s.Files, m.Files...)
		s.Whole = s.Whole || len(m.Files) > 1
	}
	slices.Sort(s.Files)
	s.Files = slices.Compact(s.Files)
	return s, len(s.Files) > 0
}

// included is the header of an #include. A using declaration takes in no file.
func (q *Question) included(imported corpus.Ref, m *facts.Import) Source {
	if m.Name != "*" {
		return Source{Not: true}
	}
	if s, ok := ofModules(q.infer.Imported(imported, infer.Full()).Modules); ok {
		return s
	}
	return Source{Known: true, Not: q.isUsing(imported.File, m)}
}

// isUsing reports whether a wildcard of C++ names a namespace, not a header: its
// name is used as one.
func (q *Question) isUsing(id corpus.FileID, m *facts.Import) bool {
	file := q.File(id)
	i := file.UsesFrom(m.At)
	return i < file.NumUses() && file.Use(i).At < m.At+uint32(len(m.Module))
}

// filesOfRefs are the files of some symbols: of a module of Rust the file that it names.
func (q *Question) filesOfRefs(f *infer.File, refs []corpus.Ref) (files []corpus.FileID) {
	for _, r := range refs {
		files = append(files, r.File)
		if y := q.Symbol(r); f.Family == corpus.Rust && y.Kind == code.KindModule {
			if m, _ := f.Language.Namespace(r, y); m != nil {
				files[len(files)-1] = m.Files[0]
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
