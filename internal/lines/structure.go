package lines

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/structure"
	"espy/internal/usage"
)

// Trees compares patterns with the syntax of files.
type Trees interface {
	// Matches reports whether files of a language, by its name in package lang, can be
	// compared.
	Matches(language string) bool
	// Match returns where a pattern matches in a file, in order, and whether all of it
	// was looked at. The path tells dialects apart. *structure.NoCodeError says that
	// the pattern is no code of the language.
	Match(ctx context.Context, p structure.Pattern, language, path string, text []byte) (found []structure.Match, all bool, err error)
}

// Structure is a pattern of syntax, ready to be searched for.
type Structure struct {
	req     hit.Request
	pattern structure.Pattern
	grams   trigram.Query
}

// NewStructure makes a query for every line in which a match of a pattern begins.
func NewStructure(req hit.Request) (*Structure, error) {
	p, err := structure.Parse(req.Query)
	if err != nil {
		return nil, err
	}
	s := &Structure{req: req, pattern: p}
	for _, word := range p.Words() {
		s.grams = trigram.And(s.grams, trigram.Of(word))
	}
	return s, nil
}

// Run answers the query as Query.Run does. It refuses, with a *usage.Error, a pattern
// that is no code of any language that is searched.
func (s *Structure) Run(ctx context.Context, f *filter.Filter, trees Trees) (*hit.Result, error) {
	if trees == nil {
		return nil, &usage.Error{Arg: "mode", Value: string(hit.ModeStructure), Msg: "this program was built without grammars", Hint: "use mode regex, or a program that was built with cgo"}
	}
	m := &structureMatcher{ctx: ctx, pattern: s.pattern, trees: trees, named: slices.ContainsFunc(s.req.Paths, func(glob string) bool { return !strings.HasPrefix(glob, "!") })}
	if err := m.learn(f); err != nil {
		return nil, err
	}
	q := Query{s.req, lookup{matcher: m, grams: s.grams, whole: true}}
	res, err := q.Run(ctx, f)
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, m.notes(res.Total)...)
	res.Partial = res.Partial || len(m.failed) > 0
	return res, nil
}

// structureMatcher compares the files of one search with a pattern.
type structureMatcher struct {
	ctx     context.Context // of the search
	pattern structure.Pattern
	trees   Trees
	reads   map[string]bool // languages that the pattern is code of
	none    []string        // those that it is not
	named   bool            // the request names the files, so minified ones are compared too

	mu     sync.Mutex
	failed map[string]string // why files were not compared, by their paths; guarded by mu
	spared map[string]bool   // minified files that may match, by their paths; guarded by mu
}

// learn finds the languages that the pattern is code of, among those of the files.
func (m *structureMatcher) learn(f *filter.Filter) error {
	m.reads, m.failed, m.spared = map[string]bool{}, map[string]string{}, map[string]bool{}
	all := m.dialects(f)
	var refused *structure.NoCodeError
	for _, l := range slices.Sorted(maps.Keys(all)) {
		for _, name := range slices.Sorted(maps.Keys(all[l])) {
			_, _, err := m.trees.Match(m.ctx, m.pattern, l, name, nil)
			switch {
			case errors.As(err, &refused):
			case m.ctx.Err() != nil:
				return m.ctx.Err()
			case err != nil:
				return &usage.Error{Arg: "mode", Value: string(hit.ModeStructure), Msg: "patterns of syntax cannot be compared: " + err.Error(), Hint: "use mode regex"}
			default:
				m.reads[l] = true
			}
		}
		if !m.reads[l] {
			m.none = append(m.none, l)
		}
	}
	if len(m.reads) > 0 {
		return nil
	}
	if len(m.none) == 0 {
		return &usage.Error{Arg: "mode", Value: string(hit.ModeStructure), Msg: "none of the files is in a language with a grammar", Hint: "use mode regex for them; docs/structure-search.md lists the languages"}
	}
	hint := "write it as it stands in the code, with $NAME in the place of one expression and $$$ in that of any number: foo($A, $$$)"
	if len(m.none) == 1 {
		return &usage.Error{Arg: "query", Value: m.pattern.String(), Msg: refused.Reason, Hint: hint}
	}
	return &usage.Error{Arg: "query", Value: m.pattern.String(), Msg: "the pattern is no code of " + strings.Join(m.none, ", "), Hint: hint}
}

// dialects are the languages of the files that can be compared, each with a name of a file
// for every extension: that tells dialects apart, as TypeScript with JSX.
func (m *structureMatcher) dialects(f *filter.Filter) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, s := range f.Segments {
		for i := range s.NumFiles() {
			if !s.Allows(i) {
				continue
			}
			l := s.Language(i)
			names, known := all[l]
			if !known {
				if m.trees.Matches(l) {
					names = map[string]bool{}
				}
				all[l] = names
			}
			if names != nil {
				names["x"+path.Ext(s.Path(i))] = true
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, names map[string]bool) bool { return names == nil })
	return all
}

// notes say what was not compared.
func (m *structureMatcher) notes(total int) (notes []string) {
	if total == 0 && len(m.none) > 0 {
		notes = append(notes, fmt.Sprintf("the pattern was read as code of %s; it is none of %s", strings.Join(slices.Sorted(maps.Keys(m.reads)), ", "), strings.Join(m.none, ", ")))
	}
	if paths := slices.Sorted(maps.Keys(m.failed)); len(paths) > 0 {
		notes = append(notes, fmt.Sprintf("%d files that may match could not be compared, such as %s: %s", len(paths), paths[0], m.failed[paths[0]]))
	}
	if paths := slices.Sorted(maps.Keys(m.spared)); len(paths) > 0 {
		notes = append(notes, fmt.Sprintf("minified files that may match were left out: %d, such as %s; to compare them too, name a path that covers them, or ** for all", len(paths), paths[0]))
	}
	return notes
}

// spare notes that a file was not compared since it is minified.
func (m *structureMatcher) spare(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spared[path] = true
}

// fail notes that a file was not compared.
func (m *structureMatcher) fail(path, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed[path] = why
}

func (m *structureMatcher) finder(parallel.Pause) finder { return &structureFinder{m: m} }

// structureFinder knows the matches of one file after the other.
type structureFinder struct {
	m     *structureMatcher
	found [][2]int
}

func (f *structureFinder) open(p piece) {
	f.found = f.found[:0]
	language := p.of.Language(p.file)
	if !f.m.reads[language] || !f.m.pattern.MayMatch(p.text) {
		return
	}
	name := p.of.Path(p.file)
	if !f.m.named && p.of.Class(p.file)&code.ClassMinified != 0 {
		f.m.spare(name)
		return
	}
	found, all, err := f.m.trees.Match(f.m.ctx, f.m.pattern, language, name, p.text)
	var none *structure.NoCodeError
	switch {
	case f.m.ctx.Err() != nil:
		return // the search says that its time is over
	case errors.As(err, &none):
		return // it is code of another dialect of the language
	case err != nil:
		f.m.fail(name, err.Error())
	case !all:
		f.m.fail(name, "the pattern can be compared with it in too many ways; what was found until then is shown")
	}
	for _, m := range found {
		f.found = append(f.found, [2]int{int(m.Start), int(m.End)})
	}
}

// from is the index of the first match that starts at or after a place.
func (f *structureFinder) from(pos int) int {
	return sort.Search(len(f.found), func(i int) bool { return f.found[i][0] >= pos })
}

func (f *structureFinder) line(pos int) int {
	if i := f.from(pos); i < len(f.found) {
		return f.found[i][0]
	}
	return -1
}

func (f *structureFinder) matches(dst [][2]int, start, end int) [][2]int {
	covered := start
	for i := f.from(start); i < len(f.found) && f.found[i][0] < end; i++ {
		if m := f.found[i]; m[0] >= covered { // not within the one before
			dst, covered = append(dst, m), m[1]
		}
	}
	return dst
}
