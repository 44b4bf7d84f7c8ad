package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// NavigationSet is a file of symbols of one repository with the references and
// definitions that a language server gave for them. Only the questions are
// read here (navscore.go compares).
type NavigationSet struct {
	Repo    string // from meta.repo
	Symbols []NavigationSymbol
}

// NavigationSymbol is one symbol that is asked about.
type NavigationSymbol struct {
	ID          string
	Symbol      string          // its name
	Definition  NavigationPlace // where it is declared
	Probes      []NavigationPlace
	UnionWanted bool // the name is also asked for alone
}

// NavigationPlace is a place in a file.
type NavigationPlace struct {
	Path string
	Line int
	Col  int
}

// Navigation is what a scorer of navigation reads: lines by symbol, and the
// definitions of each probe, the likeliest first.
type Navigation struct {
	Refs     map[string][]Line `json:"refs"`
	NameRefs map[string][]Line `json:"name_refs"`
	NameMay  map[string][]Line `json:"name_possible"` // of the same answers as NameRefs
	Defs     map[string][]Line `json:"defs"`

	Symbol, References []time.Duration `json:"-"` // how long each call took
}

// Line is a line of a file, written as [path, line].
type Line struct {
	Path string
	Line int
}

// MarshalJSON writes the line as a pair.
func (l Line) MarshalJSON() ([]byte, error) { return json.Marshal([]any{l.Path, l.Line}) }

// ReadNavigationSet reads a file of questions.
func ReadNavigationSet(path string) (*NavigationSet, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var raw struct {
		Meta    struct{ Repo string }
		Symbols []struct {
			ID, Symbol string
			Definition NavigationPlace
			Probes     []struct{ From NavigationPlace } `json:"definition_probes"`
			Union      *struct{}                        `json:"name_union"`
		}
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, fmt.Errorf("read questions %s: %w", path, err)
	}
	set := &NavigationSet{Repo: raw.Meta.Repo}
	for _, s := range raw.Symbols {
		n := NavigationSymbol{ID: s.ID, Symbol: s.Symbol, Definition: s.Definition, UnionWanted: s.Union != nil}
		for _, p := range s.Probes {
			n.Probes = append(n.Probes, p.From)
		}
		set.Symbols = append(set.Symbols, n)
	}
	if set.Repo == "" || len(set.Symbols) == 0 {
		return nil, fmt.Errorf("read questions %s: no meta.repo or no symbols", path)
	}
	return set, nil
}

// newNavigation returns an empty set of answers.
func newNavigation() *Navigation {
	return &Navigation{Refs: map[string][]Line{}, NameRefs: map[string][]Line{}, NameMay: map[string][]Line{}, Defs: map[string][]Line{}}
}

// Navigate indexes the repositories that sets are about, each in the folder of
// its name below corpora, and asks every question.
func Navigate(ctx context.Context, w *workspace.Workspace, corpora string, sets []*NavigationSet) (*Navigation, error) {
	n := newNavigation()
	for _, set := range sets {
		if err := n.repository(ctx, w, filepath.Join(corpora, set.Repo), set); err != nil {
			return nil, fmt.Errorf("navigate %s: %w", set.Repo, err)
		}
	}
	return n, nil
}

func (n *Navigation) repository(ctx context.Context, w *workspace.Workspace, dir string, set *NavigationSet) (err error) {
	repo, err := w.Attach(ctx, dir, workspace.AttachOptions{Name: set.Repo, Exact: true})
	if err != nil {
		return err
	}
	if _, err := repo.Index(ctx, workspace.IndexOptions{}); err != nil {
		return err
	}
	snap, err := repo.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	x, err := nav.Open(snap)
	if err != nil {
		return err
	}
	return n.ask(x, set)
}

// ask adds the answers of an index to the questions of a set.
func (n *Navigation) ask(x *nav.Index, set *NavigationSet) error {
	for i := range set.Symbols {
		s := &set.Symbols[i]
		var err error
		if n.Refs[s.ID], _, err = n.references(x, nav.ReferencesRequest{Target: place(s.Definition), Limit: locate.MaxLimit}); err != nil {
			return fmt.Errorf("ask for references of %s: %w", s.ID, err)
		}
		if s.UnionWanted {
			if n.NameRefs[s.ID], n.NameMay[s.ID], err = n.references(x, nav.ReferencesRequest{Target: locate.Target{Name: s.Symbol}, Limit: locate.MaxLimit, Union: true}); err != nil {
				return fmt.Errorf("ask for references of the name %s: %w", s.Symbol, err)
			}
		}
		for j, p := range s.Probes {
			id := fmt.Sprintf("%s#%d", s.ID, j)
			if n.Defs[id], err = n.definitions(x, p); err != nil {
				return fmt.Errorf("ask for the definition of %s: %w", id, err)
			}
		}
	}
	return nil
}

func place(p NavigationPlace) locate.Target {
	return locate.Target{Path: p.Path, Line: p.Line, Column: p.Col}
}

// references returns the lines of certain and likely references, and of possible ones.
func (n *Navigation) references(x *nav.Index, r nav.ReferencesRequest) (sure, maybe []Line, err error) {
	start := time.Now()
	res, err := x.References(r)
	n.References = append(n.References, time.Since(start))
	if err != nil {
		sure, err = unknownPlace(err)
		return sure, nil, err
	}
	return linesOfFiles(res.Files), linesOfFiles(res.Maybe), nil
}

func linesOfFiles(files []nav.FileReferences) []Line {
	lines := []Line{}
	for _, f := range files {
		for _, ref := range f.References {
			lines = append(lines, Line{f.Path, ref.Line})
		}
	}
	return lines
}

func (n *Navigation) definitions(x *nav.Index, p NavigationPlace) ([]Line, error) {
	start := time.Now()
	res, err := x.Symbol(nav.SymbolRequest{Target: place(p)})
	n.Symbol = append(n.Symbol, time.Since(start))
	if err != nil {
		return unknownPlace(err)
	}
	lines := []Line{}
	for _, d := range res.Definitions {
		lines = append(lines, Line{d.Path, d.Line})
	}
	return lines, nil
}

// unknownPlace makes a question about a place without a known name one without an answer.
func unknownPlace(err error) ([]Line, error) {
	if refused := (*usage.Error)(nil); errors.As(err, &refused) {
		return []Line{}, nil
	}
	return nil, err
}

// percentile returns the p-th percentile of durations, p from 0 to 100; zero of none.
func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
