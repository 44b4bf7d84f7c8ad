package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// navigationTruth is what a language server said of the symbols of a set.
type navigationTruth struct {
	Meta struct {
		Repo, Scope, Server, Lang string
		In                        string `json:"scope_re"`  // files that the server knew, as a regular expression
		NotIn                     string `json:"scope_not"` // and those of them that it did not
	}
	Symbols []symbolTruth

	in, notIn *regexp.Regexp
}

// readTruth reads a set.
func readTruth(name string) (*navigationTruth, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t := &navigationTruth{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("read questions %s: %w", name, err)
	}
	if t.in, err = regexp.Compile(t.Meta.In); err == nil {
		t.notIn, err = regexp.Compile(cmp.Or(t.Meta.NotIn, `^\b$`))
	}
	if err != nil {
		return nil, fmt.Errorf("read the scope of %s: %w", name, err)
	}
	return t, nil
}

type symbolTruth struct {
	ID, Lang, Kind string
	Repo           string
	Ambiguous      bool
	Zero           bool `json:"zero_refs"`
	Definition     usePlace
	Definitions    []usePlace `json:"definitions_all"`
	References     []usePlace
	Unresolved     []usePlace
	Union          *struct{ Definitions, References []usePlace } `json:"name_union"`
	Probes         []struct{ To []usePlace }                     `json:"definition_probes"`
}

type usePlace struct {
	Path, Via string
	Line      int
	Ident     string // what stands there, where it is another word than the name
}

// lineSet is a set of lines of files.
type lineSet map[Line]bool

func linesOf(lists ...[]usePlace) lineSet {
	s := lineSet{}
	for _, l := range lists {
		for _, p := range l {
			s[Line{p.Path, p.Line}] = true
		}
	}
	return s
}

// without returns the lines of s that are in none of the others.
func (s lineSet) without(others ...lineSet) lineSet {
	rest := lineSet{}
	for l := range s {
		keep := true
		for _, o := range others {
			keep = keep && !o[l]
		}
		if keep {
			rest[l] = true
		}
	}
	return rest
}

// neutral are the lines that count neither for nor against: uses that exist
// only through an interface, and those the server itself could not resolve.
func (s *symbolTruth) neutral() lineSet {
	n := linesOf(s.Unresolved)
	for _, r := range s.References {
		if r.Via == "interface" {
			n[Line{r.Path, r.Line}] = true
		}
	}
	return n
}

// navigationEnds are the files that count, by language.
var navigationEnds = map[string][]string{
	"go": {".go"}, "python": {".py"}, "ts": {".ts", ".tsx", ".mts", ".cts", ".js", ".mjs"}, "java": {".java"}, "rust": {".rs"},
	"c": {".c", ".h"}, "cpp": {".cc", ".h", ".cpp", ".hpp"}, "php": {".php"}, "csharp": {".cs"}, "ruby": {".rb"}, "kotlin": {".kt", ".java"},
}

// inScope returns the answered lines that the truth speaks of.
func (t *navigationTruth) inScope(s *symbolTruth, lines []Line) lineSet {
	in := lineSet{}
	for _, l := range lines {
		known := (t.Meta.Scope == "." || strings.HasPrefix(l.Path, t.Meta.Scope+"/")) && t.in.MatchString(l.Path) && !t.notIn.MatchString(l.Path)
		for _, end := range navigationEnds[s.Lang] {
			if known && strings.HasSuffix(l.Path, end) {
				in[l] = true
			}
		}
	}
	return in
}

// navStratum sums one row of a table.
type navStratum struct {
	name              string
	symbols           int
	precision, recall float64 // sums over symbols
	hits, told, truth int     // lines
}

func (r *navStratum) add(told, truth lineSet) {
	hits := 0
	for l := range told {
		if truth[l] {
			hits++
		}
	}
	precision, recall := 0.0, 1.0
	switch {
	case len(truth) == 0 && len(told) == 0:
		precision = 1
	case len(truth) > 0:
		recall = float64(hits) / float64(len(truth))
		if len(told) > 0 {
			precision = float64(hits) / float64(len(told))
		}
	}
	r.symbols++
	r.precision, r.recall = r.precision+precision, r.recall+recall
	r.hits, r.told, r.truth = r.hits+hits, r.told+len(told), r.truth+len(truth)
}

// navTable is the rows of one mode, in the order they first occur.
type navTable struct{ rows []*navStratum }

func (t *navTable) row(name string) *navStratum {
	for _, r := range t.rows {
		if r.name == name {
			return r
		}
	}
	r := &navStratum{name: name}
	t.rows = append(t.rows, r)
	return r
}

// add adds one symbol to the rows that it belongs to. One that nobody uses has
// a row of its own: what counts there is that nothing is told.
func (t *navTable) add(s *symbolTruth, told, truth lineSet) {
	if s.Zero {
		t.row("symbols without references").add(told, truth)
		return
	}
	kind := "unique names"
	if s.Ambiguous {
		kind = "ambiguous names"
	}
	for _, name := range []string{"all", kind, "in " + s.Lang, s.Kind} {
		t.row(name).add(told, truth)
	}
}

func (t *navTable) write(b *strings.Builder) {
	b.WriteString("| symbols | n | precision | recall | of lines: precision | recall |\n|---|---|---|---|---|---|\n")
	share := func(n, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.3f", float64(n)/float64(of))
	}
	for _, r := range t.rows {
		n := float64(r.symbols)
		fmt.Fprintf(b, "| %s | %d | %.3f | %.3f | %s | %s |\n", r.name, r.symbols, r.precision/n, r.recall/n, share(r.hits, r.told), share(r.hits, r.truth))
	}
}

// navProbes counts the definitions that were asked for from a use.
type navProbes struct{ n, first, ambiguous, ambiguousFirst int }

func (p *navProbes) add(s *symbolTruth, told []Line, to []usePlace) {
	truth := lineSet{}
	for _, place := range to {
		if place.Path != "<outside>" {
			truth[Line{place.Path, place.Line}] = true
		}
	}
	if len(truth) == 0 {
		return
	}
	first := 0
	if len(told) > 0 && truth[told[0]] {
		first = 1
	}
	p.n, p.first = p.n+1, p.first+first
	if s.Ambiguous {
		p.ambiguous, p.ambiguousFirst = p.ambiguous+1, p.ambiguousFirst+first
	}
}

// NavigationReport compares answers with what language servers said, in the
// way of the scorer that comes with the sets, and returns it as a page.
func (n *Navigation) NavigationReport(files []string) ([]byte, error) {
	var r navReport
	for _, name := range files {
		t, err := readTruth(name)
		if err != nil {
			return nil, err
		}
		r.servers = append(r.servers, fmt.Sprintf("%s (%s, %d symbols)", path.Base(t.Meta.Repo), t.Meta.Server, len(t.Symbols)))
		for i := range t.Symbols {
			r.add(n, t, &t.Symbols[i])
		}
	}
	return r.page(), nil
}

// navReport is what a page says.
type navReport struct {
	servers         []string
	byPlace, byName navTable
	probes          navProbes
	named, lost     int // lines of names: all, and those that no part of an answer has
}

func (r *navReport) add(n *Navigation, t *navigationTruth, s *symbolTruth) {
	neutral, own := s.neutral(), linesOf([]usePlace{s.Definition}, s.Definitions)
	r.byPlace.add(s, t.inScope(s, n.Refs[s.ID]).without(own, neutral), linesOf(s.References).without(own, neutral))
	if s.Union != nil {
		drop := linesOf(s.Union.Definitions, s.Unresolved)
		truth := linesOf(s.Union.References).without(drop)
		r.byName.add(s, t.inScope(s, n.NameRefs[s.ID]).without(drop), truth)
		spelled := linesOf(slices.DeleteFunc(slices.Clone(s.Union.References), func(p usePlace) bool { return p.Ident != "" })).without(drop)
		r.named += len(spelled)
		r.lost += len(spelled.without(t.inScope(s, n.NameRefs[s.ID]), t.inScope(s, n.NameMay[s.ID])))
	}
	for j, p := range s.Probes {
		r.probes.add(s, n.Defs[fmt.Sprintf("%s#%d", s.ID, j)], p.To)
	}
}

func (r *navReport) page() []byte {
	var b strings.Builder
	b.WriteString(`# Navigation: are references and definitions right?

Written by ` + "`make eval`" + `. What ` + "`references` and `symbol`" + ` answer, compared with what a language server says of
` + strings.Join(r.servers, ", ") + `.
What counts is a line of a file; possible references, which answers set apart, do not. Precision and recall are means over
symbols, then over all lines together.

## A symbol given by its place

`)
	r.byPlace.write(&b)
	b.WriteString("\n## A name alone\n\nThe uses of all symbols that bear it (`union`), of names that several bear:\n\n")
	r.byName.write(&b)
	fmt.Fprintf(&b, "\nOf %d lines with these names that a server attributes, %d are in no part of the answer, not even possible.\n", r.named, r.lost)
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	p := &r.probes
	fmt.Fprintf(&b, "\n## The definition of a use\n\nOf %d uses the right definition came first for %.3f; of the %d of ambiguous names, for %.3f.\n",
		p.n, share(p.first, p.n), p.ambiguous, share(p.ambiguousFirst, p.ambiguous))
	return []byte(b.String())
}

// Speed tells in one line how long the answers took.
func (n *Navigation) Speed() string {
	ms := func(all []time.Duration, p int) float64 { return float64(percentile(all, p).Microseconds()) / 1000 }
	return fmt.Sprintf("symbol p50 %.2f ms, p95 %.2f ms; references p50 %.2f ms, p95 %.2f ms", ms(n.Symbol, 50), ms(n.Symbol, 95), ms(n.References, 50), ms(n.References, 95))
}
