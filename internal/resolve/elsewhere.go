package resolve

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/origin"
)

// Elsewhere is a name that no file declares, as one place uses or imports it.
type Elsewhere = origin.Origin

// UsedElsewhere describes what a use means that no file declares; ok is false where
// one does.
func (q *Question) UsedElsewhere(use corpus.Ref) (e Elsewhere, ok bool) {
	return q.origin.Used(use)
}

// ImportedElsewhere describes what an import brings that no file declares; ok is
// false where one does.
func (q *Question) ImportedElsewhere(imported corpus.Ref) (e Elsewhere, ok bool) {
	if a := q.infer.Imported(imported, infer.Full()); a.State == infer.Found {
		return e, false
	}
	m := q.read.File(imported.File).Facts.Import(int(imported.Index))
	return Elsewhere{Name: m.Local, From: q.origin.Whole(imported.File, &m), Import: imported, Path: m.Name, How: origin.ByImport, File: imported.File, Use: facts.None}, m.Local != ""
}

// Brought returns what imports bring under a name that no file declares, by path and place.
func (q *Question) Brought(name string) (all []Elsewhere) {
	for at, m := range q.read.Imports(name) {
		if m.Local != name {
			continue
		}
		if e, ok := q.ImportedElsewhere(at); ok {
			all = append(all, e)
		}
	}
	return all
}

// elsewhere finds the uses of what is declared elsewhere.
type elsewhere struct {
	*Question
	asked Elsewhere
	about *units // what the file that is asked about takes from headers and wildcard imports
	last  *units // of the file that was looked at last
	left  int    // files that are still followed
}

// Uses finds the uses and the imports that mean the same as one place does that no
// file declares, and the uses that may: each by path and place. Other uses of the
// name are left out.
func (q *Question) Uses(e Elsewhere) (uses []Reference, imports []corpus.Ref) {
	s := elsewhere{Question: q, asked: e, left: maxFollowed}
	names := []string{e.Name}
	if e.How == origin.ByImport {
		names, imports = s.importing()
	}
	for _, name := range names {
		for _, use := range q.read.Uses(name) {
			if q.corpus.Family(use.File) != q.corpus.Family(e.File) || q.late() {
				continue
			}
			r := Reference{File: use.File, Use: use.Index, Symbol: facts.None}
			if s.decide(&r, name == e.Name) {
				uses = append(uses, r)
			}
		}
	}
	return q.inOrder(uses), imports
}

// importing finds the imports of what is asked about, and the names that they give it.
func (s *elsewhere) importing() (names []string, imports []corpus.Ref) {
	names = []string{s.asked.Name}
	from := s.asked.From
	for _, key := range []string{s.asked.Name, from[strings.LastIndexByte(from, '.')+1:], from, strings.ReplaceAll(from, ".", "::")} {
		for r, m := range s.read.Imports(key) {
			if s.corpus.Family(r.File) != s.corpus.Family(s.asked.File) || m.Local == "" || s.origin.Whole(r.File, m) != from || slices.Contains(imports, r) {
				continue
			}
			imports = append(imports, r)
			if !slices.Contains(names, m.Local) {
				names = append(names, m.Local)
			}
		}
	}
	return names, imports
}

// decide says how a use refers to what is asked about; own is false of a name that
// an import gives it.
func (s *elsewhere) decide(r *Reference, own bool) bool {
	use := corpus.Ref{File: r.File, Index: r.Use}
	if s.infer.Meaning(use, infer.Full()).State == infer.Found {
		return false
	}
	e := s.origin.Of(use)
	switch {
	case use.File == s.asked.File && use.Index == s.asked.Use:
		r.Reason = "the place itself"
	case e.From != "" && e.From == s.asked.From && e.How == s.asked.How:
		r.Reason = "the same import"
		if e.How == origin.ByType {
			r.Confidence, r.Reason = facts.Likely, "of "+strings.TrimSuffix(e.From, "."+e.Name)+", which is from elsewhere"
		}
	case !own:
		return false
	case s.asked.How == origin.ByScope && e.How == origin.ByScope && e.Tag == s.asked.Tag:
		r.Confidence, r.Reason = s.sameScope(use.File)
	case s.asked.How == origin.ByImport && e.How == origin.ByImport && s.isImport(use):
		r.Confidence, r.Reason = facts.Possible, "imported as "+e.From
	case s.asked.How == origin.Unknown || s.asked.How == origin.ByType:
		r.Confidence, r.Reason = facts.Possible, "receiver is not known"
		return e.How == origin.Unknown
	default:
		return false
	}
	return true
}

// isImport reports whether a use names what an import brings.
func (s *elsewhere) isImport(use corpus.Ref) bool {
	return s.Use(use.File, int(use.Index)).Bind == facts.BindImport
}

// sameScope says how a name that no file declares is the same in a file and in the
// one that is asked about.
func (s *elsewhere) sameScope(id corpus.FileID) (facts.Confidence, string) {
	if id == s.asked.File {
		return facts.Certain, "the same name of this file"
	}
	if s.about == nil {
		s.about = s.unitsOf(s.asked.File)
	}
	if s.last == nil || s.last.of != id {
		s.last = s.unitsOf(id)
	}
	with := s.last
	private := s.corpus.Family(id) == corpus.Go || s.corpus.Family(id) == corpus.Java
	switch {
	case with.holds(s.asked.File) || s.about.holds(id):
		return facts.Likely, "declared in no file, and one of the two files includes the other"
	case with.shares(s.about):
		return facts.Likely, "declared in no file, and both take in " + with.shared(s.about)
	case s.corpus.Family(id) == corpus.C || len(with.outside)+len(s.about.outside) > 0 || with.whole || s.about.whole:
		return facts.Possible, "declared in no file, and the two have no header or import in common"
	case private && !isPredeclared(s.asked.Name) && s.corpus.Folder(id) != s.corpus.Folder(s.asked.File):
		return facts.Possible, "declared in no file, and may be of another package"
	}
	return facts.Likely, "declared in no file: of the language or its environment"
}

// predeclared are the names that every file of Go and of Java knows.
const predeclared = " any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real recover " +
	"Object String System Integer Long Double Float Boolean Character Byte Short Number Math Thread Runnable Iterable Comparable CharSequence StringBuilder Throwable Exception RuntimeException Error Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Class Void Enum Record AutoCloseable IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException IndexOutOfBoundsException InterruptedException ClassCastException "

func isPredeclared(name string) bool { return strings.Contains(predeclared, " "+name+" ") }

// units are what a file takes in whole: headers and wildcard imports.
type units struct {
	of      corpus.FileID
	files   []corpus.FileID // of the repository, itself too, sorted
	outside []string        // modules and headers from elsewhere, sorted
	whole   bool            // not all of them were looked at
}

// Bounds of the files that are followed.
const (
	maxUnits    = 2000   // for one
	maxFollowed = 200000 // for an answer
)

// unitsOf follows the headers and wildcard imports of a file.
func (s *elsewhere) unitsOf(id corpus.FileID) *units {
	u := &units{of: id}
	seen := map[corpus.FileID]bool{id: true}
	todo := []corpus.FileID{id}
	for ; len(todo) > 0 && len(u.files) < maxUnits && s.left > 0; todo = todo[1:] {
		s.left--
		u.files = append(u.files, todo[0])
		f := s.read.File(todo[0])
		for i := range f.Facts.NumImports() {
			m := f.Facts.Import(i)
			if m.Name != "*" || m.Local != "" {
				continue
			}
			files := s.filesOf(corpus.Ref{File: todo[0], Index: int32(i)})
			if len(files) == 0 {
				u.outside = append(u.outside, m.Module)
			}
			for _, to := range files {
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	u.whole = len(todo) > 0
	slices.Sort(u.files)
	slices.Sort(u.outside)
	u.outside = slices.Compact(u.outside)
	return u
}

// filesOf are the files that an import takes names from, none where it is from elsewhere.
func (s *elsewhere) filesOf(imported corpus.Ref) (files []corpus.FileID) {
	for _, m := range s.infer.Imported(imported, infer.Full()).Modules {
		files = append(files, m.Files...)
	}
	return files
}

func (u *units) holds(id corpus.FileID) bool {
	_, ok := slices.BinarySearch(u.files, id)
	return ok
}

func (u *units) shares(o *units) bool { return u.shared(o) != "" }

// shared is the first module or header from elsewhere that two files take in; empty
// for none.
func (u *units) shared(o *units) string {
	for _, m := range u.outside {
		if _, ok := slices.BinarySearch(o.outside, m); ok {
			return m
		}
	}
	return ""
}
