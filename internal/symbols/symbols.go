// Package symbols lists the symbols of repositories whose names fit a pattern, of
// some kinds, in some files, and counts them.
package symbols

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/query"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request says which symbols to list. The zero value lists all.
type Request struct {
	Pattern   string      // of names, see pattern.go; "" for every name
	Fuzzy     bool        // the letters of the pattern in their order, with others between them
	Kinds     []code.Kind // none for every kind but headings
	Paths     []string    // globs as in a search; "!glob" excludes
	Languages []string    // names or aliases; "!name" excludes
	Scope     code.Scope
	Limit     int // 0: defaultLimit
	Offset    int
}

// defaultLimit is how many symbols a list shows unless the request says so.
const defaultLimit = 100

// Answer is the symbols that fit, the nearest to the pattern first, then by
// repository, path and line.
type Answer struct {
	Request Request
	In      []hit.Searched
	Total   int
	Counts  []Count // of all that fit, the most first
	Symbols []Symbol
	Pending int      // files whose symbols are not known yet
	Left    []string // repositories that were not looked at, because the time was over
}

// Count is how many symbols of a kind fit.
type Count struct {
	Kind code.Kind
	N    int
}

// Symbol is one symbol.
type Symbol struct {
	Repo string
	locate.Definition
	distance int // from the pattern
}

// List lists the symbols of repositories. A request that cannot be answered is a
// *usage.Error.
func List(ctx context.Context, repos []*workspace.Repo, w workspace.Wait, req Request) (*Answer, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	allowed, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	a := &Answer{Request: req}
	counts := map[code.Kind]int{}
	for i, r := range repos {
		if i > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			a.Left = append(a.Left, r.Name())
			continue
		}
		var some []Symbol
		var found map[code.Kind]int
		in, err := r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
			a.Pending += x.Pending()
			return x.Run(func(ask *locate.Ask) (err error) {
				l := lister{Ask: ask, request: &req, allowed: allowed, match: newMatcher(req.Pattern, req.Fuzzy), counts: map[code.Kind]int{}}
				some, err = l.list(req.Offset + req.limit())
				found = l.counts
				if l.late {
					a.Left = append(a.Left, r.Name())
				}
				return err
			})
		})
		if err != nil {
			return nil, err
		}
		for i := range some {
			some[i].Repo = r.Name()
		}
		a.In, a.Symbols = append(a.In, in), append(a.Symbols, some...)
		for kind, n := range found {
			counts[kind] += n
			a.Total += n
		}
	}
	a.cut(counts)
	return a, nil
}

// limit is how many symbols the answer shows at most.
func (r *Request) limit() int { return cmp.Or(r.Limit, defaultLimit) }

func (r *Request) check() error {
	if err := locate.CheckLimits(r.Limit, r.Offset); err != nil {
		return err
	}
	if r.Fuzzy && strings.ContainsAny(r.Pattern, "*?") {
		return &usage.Error{Arg: "query", Value: r.Pattern, Msg: "wildcards mean nothing where letters may lie between", Hint: "leave out fuzzy, or * and ?"}
	}
	return nil
}

// cut orders what was found and leaves the page that is asked for.
func (a *Answer) cut(counts map[code.Kind]int) {
	for kind, n := range counts {
		a.Counts = append(a.Counts, Count{kind, n})
	}
	slices.SortFunc(a.Counts, func(x, y Count) int {
		return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.Kind, y.Kind))
	})
	slices.SortStableFunc(a.Symbols, func(x, y Symbol) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(x.Repo, y.Repo))
	})
	a.Symbols = a.Symbols[min(a.Request.Offset, len(a.Symbols)):]
	a.Symbols = a.Symbols[:min(a.Request.limit(), len(a.Symbols))]
}

// lister lists the symbols of one repository.
type lister struct {
	*locate.Ask
	request *Request
	allowed *filter.FileFilter
	match   *matcher
	counts  map[code.Kind]int
	late    bool // the time was over before all files were looked at
}

// place is a symbol that fits: of the facts of a file, or of its lines.
type place struct {
	ref      corpus.Ref
	byLine   bool
	distance int
}

// list counts the symbols that fit and describes the first n.
func (l *lister) list(n int) (found []Symbol, err error) {
	var all []place
	declares := l.Corpus.Declaring(l.match.mayFit)
	for f := range l.Corpus.Files() {
		if l.Late() {
			l.late = true
			break
		}
		if !l.allowed.Allows(l.Corpus.Path(f), l.Corpus.Language(f)) || !filter.InScope(cmp.Or(l.request.Scope, code.ScopeAll), l.Corpus.Class(f), l.Corpus.Language(f)) {
			continue
		}
		parsed := l.Corpus.State(f) == syn.Parsed
		if !parsed && lang.IsCode(l.Corpus.Language(f)) || l.wantsHeadings() {
			all = l.byLine(f, parsed, all)
		}
		if declares(f) {
			all = l.byFacts(f, all)
		}
	}
	slices.SortStableFunc(all, func(x, y place) int { return cmp.Compare(x.distance, y.distance) })
	for _, at := range all[:min(n, len(all))] {
		s := Symbol{distance: at.distance}
		if at.byLine {
			s.Definition, err = l.atLine(at.ref)
		} else {
			s.Definition, err = l.Declared(at.ref)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}

// byFacts adds what a parsed file declares.
func (l *lister) byFacts(f corpus.FileID, all []place) []place {
	l.Corpus.Look(f, func(file *syn.File) {
		for i := range file.NumSymbols() {
			s := facts.Symbol{Kind: file.Kind(i), Flags: file.Flags(i)}
			if !locate.IsListed(&s) || !l.wants(s.Kind) {
				continue
			}
			name := file.Name(i)
			if d, ok := l.match.fits(name, func() string { return qualified(file, i, name) }); ok {
				all = append(all, place{ref: corpus.Ref{File: f, Index: int32(i)}, distance: d})
				l.counts[s.Kind]++
			}
		}
	})
	return all
}

// qualified is the name of a symbol behind those that hold it: Type.method.
func qualified(file *syn.File, i int, name string) string {
	if file.Parent(i) == facts.None && file.Owner(i) == "" {
		return name
	}
	return strings.Join(file.Chain(i), ".")
}

// byLine adds what the lines of a file define: of one that is parsed the headings.
func (l *lister) byLine(f corpus.FileID, parsed bool, all []place) []place {
	for i, d := range l.Corpus.Definitions(f) {
		if d.Kind != code.KindHeading && parsed || !l.wants(d.Kind) {
			continue
		}
		if n, ok := l.match.fits(d.Name, func() string { return d.Name }); ok {
			all = append(all, place{ref: corpus.Ref{File: f, Index: int32(i)}, byLine: true, distance: n})
			l.counts[d.Kind]++
		}
	}
	return all
}

// atLine describes a definition that was found line by line. It has no id.
func (l *lister) atLine(ref corpus.Ref) (locate.Definition, error) {
	text, err := l.Text(ref.File)
	if err != nil {
		return locate.Definition{}, err
	}
	lines, all := locate.LinesOf(text), l.Corpus.Definitions(ref.File)
	d := all[ref.Index]
	return locate.Definition{
		Path: l.Corpus.Path(ref.File), Line: int(d.Line), EndLine: lines.End(all, int(ref.Index)),
		Name: d.Name, QualifiedName: d.Name, Kind: d.Kind, Signature: lines.Signature(d),
	}, nil
}

func (l *lister) wants(k code.Kind) bool {
	if len(l.request.Kinds) == 0 {
		return k != code.KindHeading
	}
	return slices.Contains(l.request.Kinds, k)
}

func (l *lister) wantsHeadings() bool { return slices.Contains(l.request.Kinds, code.KindHeading) }

// ParseKinds reads kinds of symbols as queries write them: with other names for them,
// several with commas between.
func ParseKinds(words []string) (kinds []code.Kind, err error) {
	for _, word := range words {
		if word == code.KindHeading.String() {
			kinds = append(kinds, code.KindHeading)
			continue
		}
		q, err := query.Parse("kind:" + word)
		if err != nil || len(q.Filters.Kinds) == 0 {
			names := make([]string, len(query.Kinds))
			for i, k := range query.Kinds {
				names[i] = k.String()
			}
			return nil, &usage.Error{Arg: "kind", Value: word, Msg: "not a kind of symbol", Hint: "the kinds are " + strings.Join(names, ", ") + ", heading"}
		}
		kinds = append(kinds, q.Filters.Kinds...)
	}
	return kinds, nil
}
