package nav_test

import (
	"testing"

	"espy/internal/locate"
	"espy/internal/nav"
)

// TestDoubtfulPlace holds that a place which may merely mean a symbol is not answered by
// the references of that symbol: a key whose literal a function from elsewhere takes, beside
// a member of its name.
func TestDoubtfulPlace(t *testing.T) {
	x := parsed(t, map[string][]byte{"a.ts": []byte(`export class Registry { get(key: string) { return key } }
export function f(r: Registry) { return r.get('a') }
Object.defineProperty(f, 'empty', { get() { return true } })
`)})
	for _, tt := range []struct {
		name       string
		at         locate.Target
		candidates int
	}{
		{"a call", locate.Target{Path: "a.ts", Line: 2, Column: 43}, 0},
		{"a key", locate.Target{Path: "a.ts", Line: 3, Column: 37}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := x.References(nav.ReferencesRequest{Target: tt.at})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Candidates) != tt.candidates || (res.Total > 0) != (tt.candidates == 0) {
				t.Errorf("%d candidates and %d references, want %d candidates", len(res.Candidates), res.Total, tt.candidates)
			}
		})
	}
}

// TestPartlyIsNoMoreThanLikely holds that a parameter of Ruby that gets a value on some
// of the ways is not certain to have it.
func TestPartlyIsNoMoreThanLikely(t *testing.T) {
	x := parsed(t, map[string][]byte{"a.rb": []byte("class Page\n  def path = 1\nend\n\nclass Other\n  def path = 2\nend\n\ndef partly(v)\n  v = Page.new if v.nil?\n  v.path\nend\n")})
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "a.rb#Page.path"}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Total != 1 || res.Certain != 0 {
		t.Errorf("%d references, %d certain; want one that is likely", res.Total, res.Certain)
	}
}
