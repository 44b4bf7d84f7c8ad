package byline

import (
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/wordset"
)

// Finder finds the files that imports name.
type Finder struct {
	ask    *locate.Ask
	byStem map[string][]corpus.FileID                      // by the name of the file without its endings, in small letters
	byBase map[string][]string                             // folders, by their own name
	exists map[string]bool                                 // folders
	types  map[[2]corpus.FileID]map[string][]corpus.FileID // those of some files, by the first and the last
	pub    map[string][]string                             // folders of the packages of Dart, by name
}

// NewFinder makes a finder for a repository, whose packages of Dart lie in some folders.
func NewFinder(a *locate.Ask, pub map[string][]string) *Finder {
	f := &Finder{a, map[string][]corpus.FileID{}, map[string][]string{}, map[string]bool{}, map[[2]corpus.FileID]map[string][]corpus.FileID{}, pub}
	for id := range corpus.FileID(a.Corpus.NumFiles()) {
		p := a.Corpus.Path(id)
		stem := stemOf(p)
		f.byStem[stem] = append(f.byStem[stem], id)
		for d := corpus.Folder(p); d != "" && !f.exists[d]; d = corpus.Folder(d) {
			f.exists[d] = true
			f.byBase[path.Base(d)] = append(f.byBase[path.Base(d)], d)
		}
	}
	return f
}

func stemOf(p string) string {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	return strings.ToLower(stem)
}

// Find returns the files that an import of a file names, by path; whole says that they
// are all of a folder or several. There are none of what is from elsewhere.
func (f *Finder) Find(from corpus.FileID, m *Import) (files []corpus.FileID, whole bool) {
	switch m.How {
	case ByPath:
		if dir, ok := strings.CutSuffix(m.Path, "/*"); ok { // of Crystal
			return f.below(from, strings.TrimSuffix(dir, "/*")), true
		}
		files = f.path(from, m.Path)
	case ByModule:
		if files = f.module(from, m.Path); len(files) == 0 {
			return f.below(from, strings.TrimRight(strings.TrimSuffix(m.Path, "*"), "/_")), true
		}
	case ByUnit:
		files = f.unit(from, m.Path)
	case ByDeclare:
		files = f.declared(from, m.Path)
	case ByFolder:
		return f.below(from, m.Path), true
	case ByPackage:
		return f.packaged(from, m.Path), false
	case ByPub:
		pkg, file, _ := strings.Cut(m.Path, "/")
		folders, ok := f.pub[pkg]
		if !ok || !strings.HasPrefix(m.Name, "package:") {
			files = f.path(from, m.Path)
			break
		}
		for _, folder := range folders {
			if id, ok := f.ask.Corpus.Find(corpus.Child(corpus.Child(folder, "lib"), file)); ok {
				files = append(files, id)
			}
		}
		files = f.nearest(from, files)
	}
	files = slices.DeleteFunc(files, func(id corpus.FileID) bool { return id == from })
	slices.Sort(files)
	return slices.Compact(files), false
}

// path finds the file at a path: from the folder of the file that names it, without an
// ending of the language where none is written, else the nearest that ends so.
func (f *Finder) path(from corpus.FileID, p string) []corpus.FileID {
	folder := f.ask.Corpus.Folder(from)
	if joined, ok := corpus.Join(folder, p); ok {
		if id, ok := f.ask.Corpus.Find(joined); ok {
			return []corpus.FileID{id}
		}
		if f.exists[joined] { // of what a language calls the file of a folder
			for _, index := range []string{"default", "index", path.Base(joined)} {
				if id, ok := f.at(from, corpus.Child(joined, index)); ok {
					return []corpus.FileID{id}
				}
			}
		}
		dir, base := path.Split(joined)
		for _, stem := range []string{joined, dir + "_" + base} {
			if id, ok := f.at(from, stem); ok {
				return []corpus.FileID{id}
			}
		}
	}
	if strings.HasPrefix(p, ".") {
		return nil
	}
	rest := strings.TrimPrefix(path.Clean("/"+p), "/")
	all := f.ending(from, rest, path.Ext(rest) == "")
	if at, file, ok := strings.Cut(rest, "/"); ok && len(all) == 0 && strings.HasPrefix(at, "@") { // a scope of packages
		all = f.ending(from, file, false)
	}
	if len(all) == 0 { // package/file of Dart, of an application of Erlang: package/lib/file, package/include/file
		if pkg, file, ok := strings.Cut(rest, "/"); ok {
			for _, dir := range []string{"lib", "include", "src"} {
				if all = f.ending(from, pkg+"/"+dir+"/"+strings.TrimPrefix(file, dir+"/"), false); len(all) > 0 {
					break
				}
			}
		}
	}
	return f.nearest(from, all)
}

// at finds the file of the language of another that has a path without its ending.
func (f *Finder) at(from corpus.FileID, stem string) (corpus.FileID, bool) {
	for _, id := range f.byStem[stemOf(stem)] {
		if p := f.ask.Corpus.Path(id); f.isKin(from, id) && strings.TrimSuffix(p, path.Ext(p)) == stem {
			return id, true
		}
	}
	return 0, false
}

// ending finds the files whose path ends with one, with its ending or, of a module,
// without.
func (f *Finder) ending(from corpus.FileID, rest string, module bool) (all []corpus.FileID) {
	for _, id := range f.byStem[stemOf(rest)] {
		p := f.ask.Corpus.Path(id)
		if module {
			if !f.isKin(from, id) {
				continue
			}
			p = strings.TrimSuffix(p, path.Ext(p))
		}
		if len(p) >= len(rest) && strings.EqualFold(p[len(p)-len(rest):], rest) && (len(p) == len(rest) || p[len(p)-len(rest)-1] == '/') {
			all = append(all, id)
		}
	}
	return all
}

// module finds the file of a module by the end of its path. A name that may end with what
// the module declares is tried without its last part.
func (f *Finder) module(from corpus.FileID, p string) []corpus.FileID {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	for tries := 0; tries < 2 && p != ""; tries++ {
		if all := f.ending(from, p, true); len(all) > 0 {
			return f.nearest(from, all)
		}
		if all := f.ending(from, p+"/package", true); len(all) > 0 { // of D
			return f.nearest(from, all)
		}
		short, ok := partial(f.ask.Corpus.Language(from)), strings.Contains(corpus.Folder(p), "/")
		if !short || !ok {
			return nil
		}
		p = corpus.Folder(p)
	}
	return nil
}

// unit finds the module of OCaml that is called so: files of the folder, else those of the
// only folder with such files. Modules of the standard library are meant unless the folder
// has one of the name.
func (f *Finder) unit(from corpus.FileID, name string) (files []corpus.FileID) {
	here, elsewhere := f.ask.Corpus.Folder(from), ""
	for _, id := range f.byStem[strings.ToLower(name)] {
		dir := f.ask.Corpus.Folder(id)
		switch {
		case !f.isKin(from, id):
		case dir == here && elsewhere != here:
			files, elsewhere = []corpus.FileID{id}, here
		case dir == elsewhere || len(files) == 0:
			files, elsewhere = append(files, id), dir
		case elsewhere != here: // which of several folders is not known
			files = append(files, id)
			elsewhere = "\x00"
		}
	}
	if elsewhere == "\x00" || elsewhere != here && ofOCaml()[name] {
		return nil
	}
	return files
}

// ofOCaml are modules of the standard library that programs name most.
// Source: the OCaml manual, part IV, "The standard library".
var ofOCaml = sync.OnceValue(func() map[string]bool {
	return wordset.Of("Arg Array ArrayLabels Atomic Bigarray Bool Buffer Bytes Char Complex Condition Domain Dynarray Effect Either Ephemeron Filename Float Format Fun Gc Hashtbl Int Int32 Int64 In_channel Lazy Lexing List ListLabels Map Marshal MoreLabels Mutex Nativeint Obj Option Out_channel Parsing Printexc Printf Queue Random Result Scanf Semaphore Seq Set Stack Stdlib Str String StringLabels Sys Thread Type Uchar Unit Unix Weak")
})

// partial reports whether imports of a language may name what a module declares.
func partial(language string) bool {
	switch language {
	case "groovy", "haxe":
		return true
	}
	return false
}

// maxDeclaring is how many files may declare one module.
const maxDeclaring = 50

// declared finds the files that declare a module or a type: of a name in parts, its last.
func (f *Finder) declared(from corpus.FileID, name string) (files []corpus.FileID) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	all, err := f.ask.Corpus.Outlined(name)
	if err != nil {
		return nil
	}
	for _, d := range all {
		if d.Kind.IsType() && strings.EqualFold(d.Name, name) && f.isKin(from, d.File) {
			files = append(files, d.File)
		}
	}
	if len(files) > maxDeclaring {
		return nil
	}
	return f.nearest(from, files)
}

// folders finds those that a path names: the one at the path from the folder of the file that
// names it, else all that end so.
func (f *Finder) folders(from corpus.FileID, p string) (dirs []string) {
	if p == "" {
		return nil
	}
	if joined, ok := corpus.Join(f.ask.Corpus.Folder(from), p); ok && f.exists[joined] {
		return []string{joined}
	}
	for _, dir := range f.byBase[path.Base(p)] {
		if dir == p || strings.HasSuffix(dir, "/"+p) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// outermost leaves those of some folders that lie in the fewest others: the root of a
// collection of packages lies above tests that have folders of the same names.
func outermost(dirs []string) []string {
	least := math.MaxInt
	for _, dir := range dirs {
		least = min(least, strings.Count(dir, "/"))
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return strings.Count(dir, "/") > least })
}

// below finds the files that a folder and those in it hold. One that holds the file itself is
// no import.
func (f *Finder) below(from corpus.FileID, p string) (files []corpus.FileID) {
	for _, dir := range f.folders(from, p) {
		if !strings.HasPrefix(f.ask.Corpus.Path(from), dir+"/") {
			files = append(files, f.kinUnder(from, dir)...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// packaged finds the files of a package: of a folder without those in it. Of several
// folders as far out, the nearest is meant.
func (f *Finder) packaged(from corpus.FileID, p string) (files []corpus.FileID) {
	for _, dir := range outermost(f.folders(from, p)) {
		files = append(files, slices.DeleteFunc(f.kinUnder(from, dir), func(id corpus.FileID) bool { return f.ask.Corpus.Folder(id) != dir })...)
	}
	files = f.nearest(from, files)
	slices.Sort(files)
	return files
}

// kinUnder are the files below a folder that may be used in the language of one.
func (f *Finder) kinUnder(from corpus.FileID, dir string) (files []corpus.FileID) {
	for _, id := range f.ask.Corpus.Under(dir) {
		if f.isKin(from, id) {
			files = append(files, id)
		}
	}
	return files
}

// maxAlike is how many files of a folder may declare a name that tells which are used.
const maxAlike = 3

// Taken leaves of the files of folders those whose types a text names.
func (f *Finder) Taken(text []byte, files []corpus.FileID) (taken []corpus.FileID) {
	key := [2]corpus.FileID{files[0], files[len(files)-1]}
	types, ok := f.types[key]
	if !ok {
		types = map[string][]corpus.FileID{}
		for _, id := range files {
			for _, name := range f.declares(id) {
				types[name] = append(types[name], id)
			}
		}
		f.types[key] = types
	}
	for word := range wordsOf(text) {
		if of := types[word]; len(of) <= maxAlike {
			taken = append(taken, of...)
		}
	}
	slices.Sort(taken)
	return slices.Compact(taken)
}

// declares are the types of a file.
func (f *Finder) declares(id corpus.FileID) (names []string) {
	if f.ask.Corpus.Family(id) == corpus.NoFamily {
		for _, d := range f.ask.Corpus.Definitions(id) {
			if d.Kind.IsType() && !slices.Contains(names, d.Name) {
				names = append(names, d.Name)
			}
		}
		return names
	}
	file := f.ask.File(id)
	for i := range file.NumSymbols() {
		if s := f.ask.Symbol(corpus.Ref{File: id, Index: int32(i)}); s.Kind.IsType() && s.Parent == facts.None {
			names = append(names, s.Name)
		}
	}
	return names
}

// wordsOf goes through the words of a text, which may come several times.
func wordsOf(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(text); {
			end := at
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if end > at && !yield(string(text[at:end])) {
				return
			}
			at = end + 1
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// isKin reports whether programs of the languages of two files use one another's names.
func (f *Finder) isKin(a, b corpus.FileID) bool {
	return slices.Contains(corpus.Kin(f.ask.Corpus.Language(a)), f.ask.Corpus.Language(b))
}

// nearest leaves those of some files that share the most folders with one.
func (f *Finder) nearest(from corpus.FileID, all []corpus.FileID) (best []corpus.FileID) {
	shared := 0
	for _, id := range all {
		n := common(f.ask.Corpus.Path(from), f.ask.Corpus.Path(id))
		if n > shared {
			best, shared = nil, n
		}
		if n == shared {
			best = append(best, id)
		}
	}
	return best
}

// common counts the folders that two paths begin with.
func common(a, b string) (n int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
