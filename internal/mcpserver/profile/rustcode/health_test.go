package rustcode

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMatrix tries every state of the components: of the engines working, failing and
// missing, of the snapshot there and not there.
func TestMatrix(t *testing.T) {
	sheet.Proves(t, "health.matrix")
	engines := map[string]component{"works": {Status: healthy}, "fails": {Status: unhealthy}, "missing": {Status: degraded, missing: true}}
	snapshots := map[string]component{"there": {Status: healthy}, "not there": {Status: degraded}}
	for words, bm25 := range engines {
		for meanings, vector := range engines {
			for record, merkle := range snapshots {
				want := degraded
				switch {
				case words != "works" && meanings != "works":
					want = unhealthy
				case words == "works" && meanings == "works" && record == "there":
					want = healthy
				}
				t.Run(fmt.Sprintf("%s, %s, %s", words, meanings, record), func(t *testing.T) {
					r := report{BM25: bm25, Vector: vector, Merkle: merkle}
					if r.conclude(); r.Overall != want {
						t.Errorf("%s, want %s", r.Overall, want)
					}
				})
			}
		}
	}
}

var measured2 = regexp.MustCompile(`"latency_ms": [0-9]+|\([0-9]+ bytes\)|\nEmbedder: \S+$`)

func TestHealth(t *testing.T) {
	sheet.Proves(t, "health.layout health.fresh health.all health.last health.merkle")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "b/b.go": "package b\n"}})
	is := func(name string, args object, want string) {
		t.Run(name, func(t *testing.T) {
			if got := measured2.ReplaceAllString(c.on(t).call("health_check", args), "#"); got != want {
				t.Errorf("\n%s\nwant\n%s", got, want)
			}
		})
	}
	json := func(overall string, vectors int, merkle, message string) string {
		return fmt.Sprintf("{\n  \"overall\": %q,\n  \"bm25\": {\n    \"status\": \"healthy\",\n    \"message\": \"BM25 search operational\",\n    #\n  },\n  \"vector\": {\n    \"status\": \"healthy\",\n    \"message\": \"Vector store operational (%d vectors)\",\n    #\n  },\n  \"merkle\": {\n    \"status\": %q,\n    \"message\": %q\n  }\n}", overall, vectors, merkle, message)
	}
	const guide = "\n\n=== Health Check Guide ===\n- Healthy: All components operational\n- Degraded: One search engine down OR Merkle snapshot missing\n- Unhealthy: Both BM25 and Vector search are down\n\nNote: Merkle snapshots are directory-specific. Use 'directory' parameter for accurate check.\n\n"
	const poor = "System Status: DEGRADED (some components unavailable but system functional)\n\n"
	pending := json(degraded, 0, degraded, "Merkle snapshot not found (first index pending)")
	is("nothing at all", object{}, poor+pending+guide+"Checked system-wide components#")
	is("never indexed", object{"directory": c.root}, poor+pending+guide+"Checked project: /repo#")
	c.call("index_codebase", object{"directory": c.root})
	fine := "System Status: HEALTHY\n\n" + json(healthy, 2, healthy, "Merkle snapshot exists #") + guide
	is("indexed", object{"directory": c.root}, fine+"Checked project: /repo#")
	is("every index", object{}, fine+"Checked system-wide components#")
	c.call("search", object{"directory": "b", "keyword": "b"})
	worst := strings.NewReplacer(`operational"`, `operational [/repo/b]"`, `vectors)"`, `vectors) [/repo/b]"`, `pending)"`, `pending) [/repo/b]"`).Replace(json(degraded, 1, degraded, "Merkle snapshot not found (first index pending)"))
	is("the worst of all", object{}, poor+worst+guide+"Checked system-wide components#")
	c.fails("health_check", object{"directory": "nope"}, "The specified path 'nope' is not a directory")
	repos, err := c.ws.Repos(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range repos {
		if err := os.WriteFile(filepath.Join(r.Folder(), indexRecord), []byte("espymrk1 broken"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.has("health_check", object{"directory": c.root}, "System Status: DEGRADED", `"merkle": {`, `"status": "degraded"`, "Merkle snapshot cannot be read: ", "is damaged")
	c.has("index_codebase", object{"directory": c.root}, "- Indexed files: 2 (incremental)")
	c.has("health_check", object{"directory": c.root}, "System Status: HEALTHY\n")
}
