package score

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/segment"
	"espy/internal/store"
)

// TestWithLonger holds that a vast tree is searched for the words of the names of its files
// too that begin or end with one of a query, unless there are many of them.
func TestWithLonger(t *testing.T) {
	files := map[string]string{"use.c": "int sdio, vsock, prox;\n", "mvsdio.c": "int a;\n", "gone_sdio.c": "int b;\n", "gonesdio.c": "int c;\n", "net/vsockmon.c": "int d;\n", "ledux.c": "int e;\n"}
	for i := range 45 {
		files[fmt.Sprintf("many%cprox%c.c", 'a'+i/26, 'a'+i%26)] = "int f;\n"
		files[fmt.Sprintf("%c%cprox.c", 'a'+i/26, 'a'+i%26)] = "int f;\n"
	}
	snap := sample.Repository(t, "vast", files)
	for i := range snap.Segments {
		if f, ok := snap.Segments[i].FindPath("gonesdio.c"); ok {
			snap.Segments[i].Live.Live = segment.NewBitmap(snap.Segments[i].NumFiles())
			snap.Segments[i].Live.Live.Clear(f)
		}
	}
	for _, c := range []struct {
		query string
		files int
		want  string
	}{
		{"sdio", 100_000, "mvsdio:0.29"},
		{"vsock sdio", 100_000, "mvsdio:0.29 vsockmon:0.29"},
		{"vsock", 5_000, ""},
		{"vsock", 6_000, "vsockmon:0.13"}, // hardly vast
		{"mvsdio, the sdio", 100_000, ""}, // said as it is
		{"prox", 100_000, ""},             // too many
		{"led", 100_000, ""},              // too short
	} {
		t.Run(fmt.Sprintf("%s among %d", c.query, c.files), func(t *testing.T) {
			in := corpusOf(t, []*store.Snapshot{snap})
			in.Files = c.files
			terms := rank.Understand(c.query, "").Terms
			all, err := WithLonger(terms, in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, t := range all {
				if strings.HasPrefix(t.Text, "mvsd") || strings.HasPrefix(t.Text, "vsockm") || strings.HasSuffix(t.Text, "prox") && len(t.Text) > 4 || t.Text == "gonesdio" || t.Text == "ledux" {
					if t.Weight < 1 {
						got = append(got, fmt.Sprintf("%s:%.2f", t.Text, t.Weight))
					}
				}
			}
			if got := strings.Join(got, " "); got != c.want || len(all) < len(terms) {
				t.Errorf("added %s, want %s", got, c.want)
			}
		})
	}
}
