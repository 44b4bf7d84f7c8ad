package rank

import "testing"

// TestForeign holds what speaks for a question being about what is here.
func TestForeign(t *testing.T) {
	twoWords := func(absent int) func(*About) {
		return func(e *About) {
			*e = About{Score: -3, Pairs: 1}
			e.AddWord(1, 900, 1000)
			e.AddWord(1, 900-900*absent, 1000)
		}
	}
	vague := func(change func(*About)) *About {
		e := &About{Score: -1.5, Mass: 0.2, Pairs: 2}
		for range 3 {
			e.AddWord(1, 50, 1000)
		}
		change(e)
		return e
	}
	for name, c := range map[string]struct {
		change  func(*About)
		foreign bool
	}{
		"vague":                     {func(*About) {}, true},
		"a name stands here":        {func(e *About) { e.Names = 1 }, false},
		"its pairs stand here":      {func(e *About) { e.Paired = 2 }, false},
		"a file of a high score":    {func(e *About) { e.Score = 3 }, false},
		"and a name that is lost":   {func(e *About) { e.Score, e.Lost = 3, 2 }, true},
		"two words that stand here": {twoWords(0), false},
		"two words, one nowhere":    {twoWords(1), true},
		"without a word of weight":  {func(e *About) { *e = About{Score: -9} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			if e := vague(c.change); e.Foreign() != c.foreign {
				t.Errorf("%+v: %v", *e, !c.foreign)
			}
		})
	}
}
