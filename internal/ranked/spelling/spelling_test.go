package spelling_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// nearNames are files with 25,000 names that begin alike, and some behind them
// that are near to each other and spelled in several ways.
func nearNames() map[string]string {
	files := map[string]string{}
	define := func(path string, names ...string) {
		var text strings.Builder
		text.WriteString("package near\n\n")
		for _, n := range names {
			fmt.Fprintf(&text, "func %s() {}\n", n)
		}
		files[path] = text.String()
	}
	for i := range 250 {
		var names []string
		for n := range 100 {
			names = append(names, fmt.Sprintf("m%c%05dOf", 'a'+n%26, 100*i+n))
		}
		define(fmt.Sprintf("many/%03d.go", i), names...)
	}
	define("a.go", "mzLastName", "mzLastNames", "zebra")
	define("b.go", "MzLastName", "mzlastName", "zebras")
	define("c.go", "MZLASTNAME", "mzLostName", "zebraOne")
	define("d.go", "mzLastNames_", "mzListName", "ZebraTwo", "zebraFour")
	define("e.go", "_mzLastName", "mzLustName", "Zebrafive", "zEBRA")
	return files
}

// TestNearSegments holds that near names depend neither on the segments nor on
// what is dead in them, however many names there are.
func TestNearSegments(t *testing.T) {
	files := nearNames()
	snaps := map[int]*store.Snapshot{1: sample.Repository(t, "go", files)}
	for _, n := range []int{2, 7, 30} {
		snaps[n] = searchtest.Spread(t, files, n, true)
	}
	for _, c := range []struct {
		query string
		too   string // the names that are looked for too
		near  []string
	}{
		{"mzLastNmae of many", "mzLastName, mzListName", nil},
		{"MzLestName and zebar", "MzLastName, mzListName", nil},
		{"symbol:mzLasName", "mzLastName, mzListName", []string{"mzLastName", "mzListName", "mzLostName", "mzLustName", "mzLastNames"}},
		{"symbol:ZEB", "", []string{"zEBRA", "zebras", "zebraOne", "ZebraTwo", "Zebrafive"}},
		{"symbol:ma00", "", []string{"ma00000Of", "ma00026Of", "ma00052Of", "ma00078Of", "ma00100Of"}},
		{"symbol:ServeMxu", "", nil}, // near to a name of dead files alone
	} {
		for n, snap := range snaps {
			t.Run(fmt.Sprintf("%s in %d segments", c.query, n), func(t *testing.T) {
				res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: c.query})
				notes := strings.Join(res.Notes, "; ")
				if !slices.Equal(res.Nearest, c.near) || strings.Contains(notes, "looked for") != (c.too != "") || !strings.Contains(notes, c.too) {
					t.Errorf("near %q, notes %q, want %q and %q", res.Nearest, notes, c.near, c.too)
				}
			})
		}
	}
}

func TestNearest(t *testing.T) {
	snap := sample.GoSnapshot(t)
	for _, c := range []struct {
		query string
		want  string // among the nearest
	}{
		{"symbol:LstenAndServe", "ListenAndServe"},
		{"symbol:ListenAnd", "ListenAndServe"},
		{"xqzzqxqzzq", ""},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, snap, hit.Request{Query: c.query})
			if res.Total != 0 || c.want == "" && len(res.Nearest) > 0 || c.want != "" && !slices.Contains(res.Nearest, c.want) {
				t.Errorf("total %d, nearest %q, want %q among them", res.Total, res.Nearest, c.want)
			}
		})
	}
}
