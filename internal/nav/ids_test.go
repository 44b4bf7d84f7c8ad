//go:build cgo && !race

package nav_test

import (
	"testing"

	"espy/internal/locate"
	"espy/internal/nav"
)

// TestIDsLeadBack holds that every id an outline of the samples and of real trees names
// is one that a question takes, whatever its name is made of.
func TestIDsLeadBack(t *testing.T) {
	all := trees(t)
	for _, name := range []string{"samples", "npm", "python asyncio"} {
		t.Run(name, func(t *testing.T) {
			files := sources(t, all[name])
			if len(files) == 0 {
				t.Skip("no such tree here: ", all[name])
			}
			x := parsed(t, files)
			res, err := x.Outline(nav.OutlineRequest{Locals: true, Limit: locate.MaxLimit})
			if err != nil {
				t.Fatal(err)
			}
			ids := 0
			for _, f := range res.Files {
				for _, s := range f.Symbols {
					if s.ID == "" {
						continue
					}
					ids++
					got, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: s.ID}})
					if err != nil {
						t.Error(err)
					} else if len(got.Definitions) == 0 || got.Definitions[0].ID != s.ID {
						t.Errorf("%s: %d definitions, not of it", s.ID, got.Total)
					}
				}
			}
			if ids < 100 {
				t.Errorf("%d ids", ids)
			}
		})
	}
}
