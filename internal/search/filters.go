package search

import (
	"slices"
	"strings"
	"sync/atomic"

	"espy/internal/code"
	"espy/internal/glob"
	"espy/internal/lang"
	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/usage"
)

// filter says which files a search looks at. It is compiled once for a search,
// is shared by its goroutines, and decides on a file when first asked.
type filter struct {
	snaps    []*store.Snapshot // without those that the query's repo: leaves out
	segments []*segmentFilter  // of all snapshots in a row, nil where one is left out
}

// newFilter compiles the filters of a request and those of its query: a file
// passes when both let it. Errors are *UsageError.
func newFilter(snaps []*store.Snapshot, req *Request, q query.Filters) (*filter, error) {
	var r rules
	for _, list := range [][]string{req.Paths, signed(q.Paths, q.NotPaths)} {
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
	r.kinds = newKindSet(q.Kinds)
	f := &filter{}
	for _, s := range snaps {
		if len(q.Repos) > 0 && !slices.Contains(q.Repos, s.Name) && !slices.Contains(q.Repos, string(s.Repo)) {
			f.segments = append(f.segments, make([]*segmentFilter, len(s.Segments))...)
			continue
		}
		f.snaps = append(f.snaps, s)
		for i, l := range s.Segments {
			f.segments = append(f.segments, newSegmentFilter(s, l, syntaxOf(s, i), &r))
		}
	}
	return f, knownRepos(snaps, q.Repos)
}

// signed joins values to pass and values to leave out in the notation of a request.
func signed(values, not []string) []string {
	out := slices.Clone(values)
	for _, v := range not {
		out = append(out, "!"+v)
	}
	return out
}

// knownRepos reports a repository of the query that is not among those
// searched. Where none is, which is how a request is checked, nothing is known.
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

// searched reports per repository what the filters let through. It looks at
// every file and belongs inside segment.Guard.
func (f *filter) searched() []Searched {
	var out []Searched
	for _, s := range f.snaps {
		files := 0
		for _, seg := range f.segments {
			if seg != nil && seg.snap == s {
				files += seg.count()
			}
		}
		out = append(out, Searched{Repo: s.Name, Files: files, Excluded: s.Left(), Freshness: s.Freshness})
	}
	return out
}

// FileFilter says which files a question is about that is not put to an index,
// by globs and languages as a Request has them.
type FileFilter struct {
	paths     pathRule
	languages languageRule
}

// NewFileFilter compiles globs and names of languages. Errors are *UsageError.
func NewFileFilter(paths, languages []string) (*FileFilter, error) {
	p, err := newPathRule(paths)
	if err != nil {
		return nil, err
	}
	l, err := newLanguageRule(languages)
	return &FileFilter{p, l}, err
}

// Allows reports whether a file passes; the language is empty where there is none.
func (f *FileFilter) Allows(path, language string) bool {
	return f.paths.allows(path) && f.languages.allows(language)
}

// segmentFilter is a filter over the files of one segment. Its methods may be
// called from several goroutines, each inside segment.Guard.
type segmentFilter struct {
	segment.Live
	snap   *store.Snapshot
	syntax *syn.Reader           // what its files were parsed to; nil where that is not known
	damage atomic.Pointer[error] // of syntax, once met
	rules  *rules
	free   bool            // every live file passes
	known  []atomic.Uint64 // two bits per file: decided, allowed
}

func newSegmentFilter(s *store.Snapshot, l segment.Live, syntax *syn.Reader, r *rules) *segmentFilter {
	f := &segmentFilter{Live: l, snap: s, syntax: syntax, rules: r, free: r.free()}
	if !f.free {
		f.known = make([]atomic.Uint64, (l.NumFiles()+31)/32)
	}
	return f
}

// allowsAll reports whether every file is live and passes.
func (f *segmentFilter) allowsAll() bool { return f.free && f.Live.Live == nil }

// allows reports whether a file is live and passes.
func (f *segmentFilter) allows(file int) bool {
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
func (f *segmentFilter) count() int {
	if f.free {
		return f.Live.Count()
	}
	n := 0
	for i := range f.NumFiles() {
		if f.allows(i) {
			n++
		}
	}
	return n
}

// rules are conditions on a file, all of which must hold.
type rules struct {
	paths     []pathRule
	languages []languageRule
	scopes    []code.Scope
	kinds     kindSet // no condition on a file, but on symbols of it
}

func (r *rules) free() bool { return len(r.paths)+len(r.languages)+len(r.scopes) == 0 }

func (r *rules) allow(reader *segment.Reader, file int) bool {
	for _, s := range r.scopes {
		if !s.Holds(reader.Class(file)) {
			return false
		}
	}
	for i := range r.languages {
		if !r.languages[i].allows(reader.Language(file)) {
			return false
		}
	}
	if len(r.paths) == 0 {
		return true
	}
	path := reader.Path(file)
	for i := range r.paths {
		if !r.paths[i].allows(path) {
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
			hint := "the language is known by a name such as go or python"
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

func (r *pathRule) allows(path string) bool {
	matches := func(g glob.Glob) bool { return g.Covers(path, false) }
	return (len(r.only) == 0 || slices.ContainsFunc(r.only, matches)) && !slices.ContainsFunc(r.not, matches)
}
