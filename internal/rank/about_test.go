package rank

import (
	"testing"

	"espy/internal/token"
)

// TestForeign holds what speaks for a question being about what is here.
func TestForeign(t *testing.T) {
	twoWords := func(absent int) func(*About) {
		return func(e *About) {
			*e = About{Score: -5, Mean: -5, Files: 1000, Chunks: 3000, All: 2}
			e.AddWord(1, 900, 900, 1.5)
			e.AddWord(1, 900-900*absent, 900-900*absent, 1.5)
		}
	}
	vague := func(change func(*About)) *About {
		e := &About{Score: 0.2, Mean: -2.5, Mass: 0.2, Best: 0.8, Files: 1000, Chunks: 3000, All: 3, Named: 40}
		for range 3 {
			e.AddWord(1, 20, 60, 1.2)
		}
		change(e)
		return e
	}
	for name, c := range map[string]struct {
		change  func(*About)
		foreign bool
	}{
		"vague":                                 {func(*About) {}, true},
		"a name stands here":                    {func(e *About) { e.Names = 1 }, false},
		"its pairs stand here":                  {func(e *About) { e.Paired = 2 }, false},
		"its words share chunks":                {func(e *About) { e.Together = 2 }, false},
		"much is named by a word of it":         {func(e *About) { e.Named = 900 }, false},
		"a change":                              {func(e *About) { e.Task = true }, false},
		"the best file stands out":              {func(e *About) { e.Mean = -5 }, false},
		"a file of a high score":                {func(e *About) { e.Score = 3 }, false},
		"and a name that is lost":               {func(e *About) { e.Score, e.Lost = 3, 3 }, true},
		"and words that nobody knows":           {func(e *About) { e.Score, e.Unknown = 3, 4 }, true},
		"the best file is named by it":          {func(e *About) { e.Add(0, &Signals{StemSaid: 1}); e.Score = 0.6 }, false},
		"a file of a fair score":                {func(e *About) { e.Score = 1 }, false},
		"and one of its words next to absent":   {func(e *About) { e.Score = 1; e.AddWord(1, 1, 1, 0.7) }, true},
		"two words that call something here":    {func(e *About) { twoWords(0)(e); e.Called = true }, false},
		"two words that stand here":             {twoWords(0), true},
		"two words, one nowhere":                {func(e *About) { twoWords(1)(e); e.Called = true }, true},
		"three words, one of which says little": {func(e *About) { twoWords(0)(e); e.All, e.Called = 3, true }, true},
		"without a word of weight":              {func(e *About) { *e = About{Score: -9} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			if e := vague(c.change); e.Foreign() != c.foreign {
				t.Errorf("%+v: %v", *e, !c.foreign)
			}
		})
	}
}

// TestAsksForChange holds which words ask for a change, in whatever form.
func TestAsksForChange(t *testing.T) {
	for word, want := range map[string]bool{"fixes": true, "refactors": true, "added": true, "router": false, "code": false} {
		if AsksForChange(token.Stem(word)) != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
}
