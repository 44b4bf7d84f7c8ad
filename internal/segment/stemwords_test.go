package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestStemWords holds which words of the names of files begin or end with a part: those
// that are written in one piece and have more.
func TestStemWords(t *testing.T) {
	var files []*File
	for _, path := range []string{"a/mvsdio.c", "b/mvsdio.h", "mySdioHost.c", "nft-proxies.go", "sdio.c", "sdio/clock.c", "sdio2x.c", "sdio_bus.c", "sdiosdio.c", "xyzio.c"} {
		files = append(files, namesFile(path, "f"))
	}
	r := open(t, build(t, files))
	for part, want := range map[string]string{
		"sdio": "mvsdio:a/mvsdio.c,b/mvsdio.h sdiosdio:sdiosdio.c", "mvsd": "mvsdio:a/mvsdio.c,b/mvsdio.h",
		"prox": "", "oxies": "", "proxi": "", "clock": "", "io": "", "xyz": "xyzio:xyzio.c", "": "", "é": "",
	} {
		t.Run(part, func(t *testing.T) {
			var got []string
			r.StemWords().With(part, func(w *StemWord) {
				var paths []string
				for _, f := range w.Files {
					paths = append(paths, r.Path(int(f)))
				}
				got = append(got, fmt.Sprintf("%s:%s", w.Text, strings.Join(paths, ",")))
			})
			slices.Sort(got)
			if got := strings.Join(got, " "); got != want {
				t.Errorf("words with %q: %s, want %s", part, got, want)
			}
		})
	}
}
