package resolve_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
	"espy/internal/sample"
	"espy/internal/segment"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMeaningsStay writes down what each use in the marked files means and each
// symbol's relations, with confidence and reason. Changes of the rules change
// them on purpose (make golden).
func TestMeaningsStay(t *testing.T) {
	forEachMarked(t, func(t *testing.T, name string, m *marks) {
		c := index(t, m.files)
		checkGolden(t, name+".golden", meanings(t, c, true))
	})
}

// TestReferencesStay does so for the symbols of two dependencies, whose content go.sum fixes.
func TestReferencesStay(t *testing.T) {
	for _, module := range []string{"github.com/spf13/cobra", "github.com/google/go-cmp"} {
		t.Run(filepath.Base(module), func(t *testing.T) {
			files := sample.Module(t, module)
			for p := range files {
				if !strings.HasSuffix(p, ".go") && p != "go.mod" {
					delete(files, p)
				}
			}
			checkGolden(t, "testdata/"+filepath.Base(module)+".golden", meanings(t, index(t, files), false))
		})
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("make golden writes it anew (-want +got):\n%s", diff)
	}
}

// meanings prints the symbols of all files, how they are used and what they are
// related to, and, if asked, what each use means.
func meanings(t *testing.T, c *corpus.Corpus, uses bool) string {
	var out strings.Builder
	err := segment.Guard(func() error {
		r := resolve.New(c)
		for id := range c.Files() {
			p := printer{out: &out, c: c, q: r.Ask(), uses: uses}
			f := p.q.File(id)
			for i := range f.NumSymbols() {
				if s := f.Symbol(i); uses || s.Flags&facts.Local == 0 {
					p.symbol(corpus.Ref{File: id, Index: int32(i)})
				}
			}
			for i := 0; uses && i < f.NumUses(); i++ {
				p.use(id, i)
			}
			for i := 0; uses && i < f.NumImports(); i++ {
				if e, ok := p.q.ImportedElsewhere(corpus.Ref{File: id, Index: int32(i)}); ok {
					fmt.Fprintf(p.out, "%s imports %s", p.place(id, f.Import(i).Place), e.Name)
					p.elsewhere(e)
					p.out.WriteByte('\n')
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

type printer struct {
	out *strings.Builder
	c   *corpus.Corpus
	q   *resolve.Question

	uses bool // prints them and what is listed beside references
}

func (p *printer) place(file corpus.FileID, at facts.Place) string {
	return fmt.Sprintf("%s:%d:%d", p.c.Path(file), at.Line, at.Column)
}

// symbol prints how a symbol is used: how often with which confidence and reason.
func (p *printer) symbol(r corpus.Ref) {
	s := p.q.Symbol(r)
	fmt.Fprintf(p.out, "%s %s %s", p.place(r.File, s.Place), s.Kind, s.Name)
	counts := map[string]int{}
	var order []string
	group := p.q.Together(r)
	found := p.q.References(group)
	for _, x := range found {
		key := fmt.Sprintf("%s, %s", x.Confidence, x.Reason)
		if counts[key]++; counts[key] == 1 {
			order = append(order, key)
		}
	}
	for _, key := range order {
		fmt.Fprintf(p.out, "\n\t%d %s", counts[key], key)
	}
	p.related("overridden", p.q.Overriding(r))
	if p.uses {
		p.counted(p.q.Others(s.Name, found, resolve.Whole))
		p.counted(p.q.Others(s.Name, found, resolve.Unattributed))
		p.beside("namesake", p.q.Namesakes(group))
		p.beside("implemented", p.q.Implementing(r))
	}
	if s.Kind.IsType() {
		p.related("above", p.q.Supertypes(r))
		p.related("below", p.q.Subtypes(r))
	}
	p.out.WriteByte('\n')
}

// counted prints how many references have which confidence and reason.
func (p *printer) counted(all []resolve.Reference) {
	counts := map[string]int{}
	var order []string
	for _, x := range all {
		key := fmt.Sprintf("%s, %s", x.Confidence, x.Reason)
		if counts[key]++; counts[key] == 1 {
			order = append(order, key)
		}
	}
	for _, key := range order {
		fmt.Fprintf(p.out, "\n\t%d %s", counts[key], key)
	}
}

// beside prints what is listed with the references of a symbol.
func (p *printer) beside(how string, all []resolve.Reference) {
	for _, x := range all {
		at := facts.Place{}
		if x.Use == facts.None {
			at = p.q.Symbol(corpus.Ref{File: x.File, Index: x.Symbol}).Place
		} else {
			at = p.q.File(x.File).Use(int(x.Use)).Place
		}
		fmt.Fprintf(p.out, "\n\t%s: %s, %s, %s", how, p.place(x.File, at), x.Confidence, x.Reason)
	}
}

func (p *printer) related(how string, all []kin.Related) {
	for _, x := range all {
		fmt.Fprintf(p.out, "\n\t%s: %s, %s, %s", how, p.place(x.File, p.q.Symbol(x.Ref).Place), x.Confidence, x.Reason)
	}
}

// use prints what a use means.
func (p *printer) use(id corpus.FileID, i int) {
	u := p.q.File(id).Use(i)
	fmt.Fprintf(p.out, "%s uses %s", p.place(id, u.Place), u.Name)
	for _, m := range p.q.Define(id, i) {
		fmt.Fprintf(p.out, "; %s %s, %s", p.place(m.File, p.q.Symbol(m.Ref).Place), m.Confidence, m.Reason)
	}
	if e, ok := p.q.UsedElsewhere(corpus.Ref{File: id, Index: int32(i)}); ok {
		p.elsewhere(e)
	}
	p.out.WriteByte('\n')
}

// elsewhere prints what is declared in no file, and where else it is used.
func (p *printer) elsewhere(e resolve.Elsewhere) {
	uses, imports := p.q.Uses(e)
	fmt.Fprintf(p.out, "\n\tfrom elsewhere, %s %q, %d imports", e.Name, e.From, len(imports))
	p.counted(uses)
}
