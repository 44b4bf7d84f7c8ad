package resolve_test

import (
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestTell holds that Tell says what Define does of each use, without what is merely
// possible: all of it where the meaning is known, else some of it if there is any.
func TestTell(t *testing.T) {
	forEachMarked(t, func(t *testing.T, _ string, m *marks) {
		c := index(t, m.files)
		err := segment.Guard(func() error {
			q := resolve.New(c).Ask()
			for id := range c.Files() {
				for i := range q.File(id).NumUses() {
					m.tell(t, c, q, corpus.Ref{File: id, Index: int32(i)})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// tell compares what is told of one use with what it may mean.
func (m *marks) tell(t *testing.T, c *corpus.Corpus, q *resolve.Question, use corpus.Ref) {
	all := q.Define(use.File, int(use.Index))
	likely := slices.DeleteFunc(slices.Clone(all), func(m resolve.Meaning) bool { return m.Confidence == facts.Possible })
	told, maybe := q.Tell(use.File, int(use.Index))
	u := q.File(use.File).Use(int(use.Index))
	for _, d := range told {
		if !slices.Contains(likely, d) {
			t.Errorf("%s:%d:%d %s is told to be %v, not defined as that", c.Path(use.File), u.Line, u.Column, u.Name, d)
		}
	}
	if len(likely) > 0 && len(told) == 0 {
		t.Errorf("%s:%d:%d %s is defined as %v, nothing is told", c.Path(use.File), u.Line, u.Column, u.Name, likely)
	}
	if maybe && len(all) == 0 || !maybe && len(all) > 0 && len(likely) == 0 {
		t.Errorf("%s:%d:%d %s may mean %d symbols, %v is told", c.Path(use.File), u.Line, u.Column, u.Name, len(all), maybe)
	}
}

// TestDeclarationsOfMany holds that the declarations of one thing are one where many
// things have its name.
func TestDeclarationsOfMany(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/cpp_many.txtar")
	if err != nil {
		t.Fatal(err)
	}
	m := readMarks(archive)
	c := index(t, m.files)
	err = segment.Guard(func() error {
		q := resolve.New(c).Ask()
		for name, at := range m.declarations {
			var group []corpus.Ref
			for _, d := range at {
				f, _ := c.Find(d.path)
				group = append(group, corpus.Ref{File: f, Index: int32(q.File(f).SymbolAt(d.at))})
			}
			if got := q.Together(group[0]); len(got) != len(group) {
				t.Errorf("%s has %d declarations, want %d", name, len(got), len(group))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
