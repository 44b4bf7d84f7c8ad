// Package filter says which files of an index a search looks at: by path,
// language, kind of file and repository. It also hands out what the files of a
// segment were parsed to, where that is known.
package filter

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/glob"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/usage"
)

// Filter says which files of some snapshots a search looks at. It is shared by
// the goroutines of the search and decides on a file when it is first asked.
type Filter struct {
	all      []*store.Snapshot
	Snaps    []*store.Snapshot // without those that the query's repo: leaves out
	Segments []*Segment        // of the snapshots that are searched, in a row
	paths    []pathRule
}

// Compile compiles the filters of a request and those of its query: a file
// passes when both let it. Errors are *usage.Error.
func Compile(req *hit.Request, q query.Filters) (*Rules, error) {
	r := Rules{repos: q.Repos, sentence: q.Sentence, kinds: newKindSet(q.Kinds), only: req.Only}
	for _, list := range [][]string{req.Paths, signed(q.Paths, q.NotPaths), q.Extensions} {
		p, err := newPathRule(list)
		if err != nil {
			return nil, err
		}
		if !p.empty() {
			r.paths = append(r.paths, p)
		}
	}
	for _, list := range [][]string{req.Languages, signed(q.Langs, q.NotLangs)} {
		l, err := newLanguageRule(list)
		if err != nil {
			return nil, err
		}
		if !l.empty() {
			r.languages = append(r.languages, l)
		}
	}
	for _, s := range []code.Scope{req.Scope, q.Scope} {
		if s != "" && s != code.ScopeAll {
			r.scopes = append(r.scopes, s)
		}
	}
	return &r, nil
}

// Tied returns globs that cover every file that passes, each tied to one folder or one
// file; none where there are no such globs.
func (r *Rules) Tied() []string {
	for _, p := range r.paths {
		if globs := p.tied(); globs != nil {
			return globs
		}
	}
	return nil
}

// tied returns the globs of which one must match, if each is tied to one folder or file.
func (r *pathRule) tied() (globs []string) {
	for i := range r.only {
		if !r.only[i].Tied() {
			return nil
		}
		globs = append(globs, r.only[i].String())
	}
	return globs
}

// InScope reports whether a file of a class and a language lies in a scope. That
// of code holds programming languages only.
func InScope(s code.Scope, c code.Class, language string) bool {
	return s.Holds(c) && (s != code.ScopeCode || lang.IsCode(language))
}

// Over applies the rules to snapshots. It refuses, with a *usage.Error, a
// repository of the query that is not among them.
func (r *Rules) Over(snaps []*store.Snapshot) (*Filter, error) {
	f := &Filter{all: snaps, paths: r.paths}
	if r.sentence && knownRepos(snaps, r.repos) != nil {
		r.repos = nil
	}
	for _, s := range snaps {
		if len(r.repos) > 0 && !slices.Contains(r.repos, s.Name) && !slices.Contains(r.repos, string(s.Repo)) {
			continue
		}
		f.Snaps = append(f.Snaps, s)
		rules := r.of(s.Name)
		for _, l := range s.Segments {
			f.Segments = append(f.Segments, newSegmentFilter(s, l.Live, l.Syntax, rules))
		}
	}
	return f, knownRepos(snaps, r.repos)
}

// signed joins values to pass and values to leave out in the notation of a request.
func signed(values, not []string) []string {
	out := slices.Clone(values)
	for _, v := range not {
		out = append(out, "!"+v)
	}
	return out
}

// knownRepos refuses a repository of the query that is not among those searched.
func knownRepos(snaps []*store.Snapshot, repos []string) error {
	if len(snaps) == 0 {
		return nil
	}
	var names []string
	for _, s := range snaps {
		names = append(names, s.Name)
	}
	for _, want := range repos {
		known := slices.ContainsFunc(snaps, func(s *store.Snapshot) bool { return want == s.Name || want == string(s.Repo) })
		if !known {
			return &usage.Error{Arg: "repo", Value: want, Msg: "not among the repositories searched", Hint: "these are " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// Lets reports whether a file of a repository passes, and its class. It belongs
// inside segment.Guard.
func (f *Filter) Lets(repo, path string) (code.Class, bool) {
	for _, seg := range f.Segments {
		if seg.Snap.Name != repo {
			continue
		}
		if file, ok := seg.FindPath(path); ok && seg.Allows(file) {
			return seg.Class(file), true
		}
	}
	return 0, false
}

// Searched reports per repository what the filters let through. It looks at
// every file and belongs inside segment.Guard.
func (f *Filter) Searched() []hit.Searched {
	var out []hit.Searched
	for _, s := range f.Snaps {
		files := 0
		for _, seg := range f.Segments {
			if seg.Snap == s {
				files += seg.count()
			}
		}
		out = append(out, hit.Searched{Repo: s.Name, Files: files, Excluded: f.left(s), Freshness: s.Freshness})
	}
	return out
}

// left counts what a snapshot left out of the folders that are searched.
func (f *Filter) left(s *store.Snapshot) (n int) {
	tied := slices.DeleteFunc(slices.Clone(f.paths), func(p pathRule) bool { return p.tied() == nil })
	if s.Left() == 0 || len(tied) == 0 {
		return s.Left()
	}
	for _, x := range s.Excluded() {
		outside := func(p pathRule) bool { return !p.mayHold(x.Path, x.Dir) }
		if x.Reason != discover.ReasonVCS && !slices.ContainsFunc(tied, outside) {
			n++
		}
	}
	return n
}

// Damaged tells which parts of the index an answer lacks.
func (f *Filter) Damaged() []string {
	var notes []string
	for _, s := range f.all {
		for _, d := range s.Damaged {
			notes = append(notes, fmt.Sprintf("%s: a damaged part of the index is left out: %v", s.Name, d.Err))
		}
	}
	return notes
}

// FileFilter says which files a question is about that is not put to an index,
// by globs and languages as a Request has them.
type FileFilter struct {
	paths     pathRule
	languages languageRule
}

// NewFileFilter compiles globs and names of languages. Errors are *usage.Error.
func NewFileFilter(paths, languages []string) (*FileFilter, error) {
	p, err := newPathRule(paths)
	if err != nil {
		return nil, err
	}
	l, err := newLanguageRule(languages)
	return &FileFilter{p, l}, err
}

// Tied is that of Rules.
func (f *FileFilter) Tied() []string { return f.paths.tied() }

// Allows reports whether a file passes; the language is empty where there is none.
func (f *FileFilter) Allows(path, language string) bool {
	return f.paths.allows(path, false) && f.languages.allows(language)
}

// AllowsPath reports whether a file, or a folder, passes the globs.
func (f *FileFilter) AllowsPath(path string, folder bool) bool { return f.paths.allows(path, folder) }

// Within reports whether one of the globs asks for something within a folder.
func (f *FileFilter) Within(folder string) bool {
	return slices.ContainsFunc(f.paths.only, func(g glob.Glob) bool { return g.Within(folder) })
}

// Segment is a filter over the files of one segment. Its methods may be
// called from several goroutines, each inside segment.Guard.
type Segment struct {
	segment.Live
	Snap   *store.Snapshot
	syntax *syn.Reader           // what its files were parsed to; nil where that is not known
	damage atomic.Pointer[error] // of syntax, once met
	rules  *Rules
	free   bool            // every live file passes
	known  []atomic.Uint64 // two bits per file: decided, allowed
}

func newSegmentFilter(s *store.Snapshot, l segment.Live, syntax *syn.Reader, r *Rules) *Segment {
	f := &Segment{Live: l, Snap: s, syntax: syntax, rules: r, free: r.free()}
	if !f.free {
		f.known = make([]atomic.Uint64, (l.NumFiles()+31)/32)
	}
	return f
}

// Kinds returns the kinds of symbols that the query asks for. They limit what
// is found in a file rather than the files that pass.
func (f *Segment) Kinds() KindSet { return f.rules.kinds }

// AllowsAll reports whether every file is live and passes.
func (f *Segment) AllowsAll() bool { return f.free && f.Live.Live == nil }

// Allows reports whether a file is live and passes.
func (f *Segment) Allows(file int) bool {
	if !f.Alive(file) {
		return false
	}
	if f.free {
		return true
	}
	word, shift := &f.known[file/32], 2*(file%32)
	if bits := word.Load() >> shift; bits&1 != 0 {
		return bits&2 != 0
	}
	allowed := f.rules.allow(f.Reader, file)
	bits := uint64(1)
	if allowed {
		bits |= 2
	}
	word.Or(bits << shift)
	return allowed
}

// count returns how many files pass.
func (f *Segment) count() int {
	if f.free {
		return f.Live.Count()
	}
	n := 0
	for i := range f.NumFiles() {
		if f.Allows(i) {
			n++
		}
	}
	return n
}

// Rules are conditions on a file, all of which must hold.
type Rules struct {
	repos     []string // names or ids; any where it is empty
	sentence  bool     // they stand in prose: those that are not known are none
	paths     []pathRule
	languages []languageRule
	scopes    []code.Scope
	kinds     KindSet                                            // no condition on a file, but on symbols of it
	only      func(path, language string, class code.Class) bool // nil lets all
}

// of are the rules in the repository of a name.
func (r *Rules) of(repo string) *Rules {
	own := *r
	own.scopes = nil
	for _, s := range r.scopes {
		if s = s.Of(repo); s != code.ScopeAll {
			own.scopes = append(own.scopes, s)
		}
	}
	return &own
}

func (r *Rules) free() bool { return len(r.paths)+len(r.languages)+len(r.scopes) == 0 && r.only == nil }

func (r *Rules) allow(reader *segment.Reader, file int) bool {
	for _, s := range r.scopes {
		if !InScope(s, reader.Class(file), reader.Language(file)) {
			return false
		}
	}
	for i := range r.languages {
		if !r.languages[i].allows(reader.Language(file)) {
			return false
		}
	}
	if len(r.paths) == 0 && r.only == nil {
		return true
	}
	path := reader.Path(file)
	if r.only != nil && !r.only(path, reader.Language(file), reader.Class(file)) {
		return false
	}
	for i := range r.paths {
		if !r.paths[i].allows(path, false) {
			return false
		}
	}
	return true
}

// languageRule passes files of one of the languages in only (any where it is
// empty) and none in not.
type languageRule struct{ only, not []string }

func newLanguageRule(names []string) (languageRule, error) {
	var r languageRule
	for _, name := range names {
		bare, not := strings.CutPrefix(name, "!")
		l, ok := lang.ByName(bare)
		if !ok {
			hint := "use the name of a language, such as go or python"
			if near := lang.Nearest(bare); near != "" {
				hint = "did you mean " + near + "?"
			}
			return r, &usage.Error{Arg: "lang", Value: bare, Msg: "unknown language", Hint: hint}
		}
		if not {
			r.not = append(r.not, l.Name)
		} else {
			r.only = append(r.only, l.Name)
		}
	}
	return r, nil
}

func (r *languageRule) empty() bool { return len(r.only)+len(r.not) == 0 }

func (r *languageRule) allows(language string) bool {
	return (len(r.only) == 0 || slices.Contains(r.only, language)) && !slices.Contains(r.not, language)
}

// pathRule passes files that one of the globs in only matches (any where it is
// empty) and none in not.
type pathRule struct{ only, not []glob.Glob }

func newPathRule(globs []string) (pathRule, error) {
	var r pathRule
	for _, text := range globs {
		bare, not := strings.CutPrefix(text, "!")
		if bare == "." || bare == "./" || bare == "/" { // the root
			bare = "**"
		}
		g, err := glob.Compile(bare)
		if err != nil {
			return r, usage.Of("path", err)
		}
		if not {
			r.not = append(r.not, g)
		} else {
			r.only = append(r.only, g)
		}
	}
	return r, nil
}

func (r *pathRule) empty() bool { return len(r.only)+len(r.not) == 0 }

// mayHold reports whether a file passes, or something below a folder may.
func (r *pathRule) mayHold(path string, folder bool) bool {
	return r.allows(path, folder) || folder && slices.ContainsFunc(r.only, func(g glob.Glob) bool { return g.Within(path) })
}

func (r *pathRule) allows(path string, folder bool) bool {
	matches := func(g glob.Glob) bool { return g.Covers(path, folder) }
	return (len(r.only) == 0 || slices.ContainsFunc(r.only, matches)) && !slices.ContainsFunc(r.not, matches)
}
