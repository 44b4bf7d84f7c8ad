package conditions_test

import (
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

func TestConditions(t *testing.T) {
	snap := sample.Repository(t, "demo",
		map[string]string{
			"auth/token.go":   "package auth\n\n// Token grants access.\ntype Token struct{}\n\nfunc max_tokens() int { return 1 }\n",
			"auth/session.go": "package auth\n\n// a session needs auth, not a token\nfunc open() {}\n",
			"misc/old.go":     "package misc\n\n// deprecated auth by token in an old way\nfunc Old() {}\n",
		},
		map[string]string{
			"doc/long.txt": strings.Repeat("filler words stand here\n", 120) + "quick\nbrown fox\n" + strings.Repeat("and here\n", 200),
			"doc/none.txt": "brown quick fox\nmaxTokens are many\n",
			"empty.txt":    "",
		},
	)
	for _, c := range []struct{ query, want string }{
		{"auth AND token", "auth/session.go auth/token.go misc/old.go"}, // auth is in the path of token.go
		{"auth AND (token OR session) NOT deprecated", "auth/session.go auth/token.go"},
		{"token -deprecated", "auth/session.go auth/token.go doc/none.txt"},
		{"NOT auth", "doc/long.txt doc/none.txt empty.txt"},
		{`"brown fox"`, "doc/long.txt"},
		{`"quick brown"`, "doc/long.txt"}, // across lines
		{`"fox brown"`, ""},
		{"brown_quick AND fox", "doc/none.txt"}, // the other order is another word
		{`"Brown, FOX!"`, "doc/long.txt"},       // punctuation and case do not count
		{"max_tokens AND NOT zebra", "auth/token.go doc/none.txt"},
		{`"max tokens"`, "auth/token.go doc/none.txt"},
		{"symbol:Token", "auth/token.go"},
		{"symbol:token", "auth/token.go"},
		{"symbol:Toke", ""},
		{"symbol:open OR symbol:Old", "auth/session.go misc/old.go"},
		{"brown -> AND fox", "doc/long.txt doc/none.txt"},
		{"token path:auth/**", "auth/session.go auth/token.go"},
		{"path:doc/**", "doc/long.txt doc/none.txt"},
		{"-path:doc/** scope:all", "auth/session.go auth/token.go empty.txt misc/old.go"},
		{"empty", "empty.txt"}, // by its name alone
		{"zebra OR auth", "auth/session.go auth/token.go misc/old.go"},
		{"zebra OR (the auth)", "auth/session.go auth/token.go misc/old.go"}, // stop words do not count
		{"zebra OR (in the)", "misc/old.go"},                                 // unless they are all there is
		{"zebra auth", "auth/session.go auth/token.go misc/old.go"},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Limit: 50})
			var paths []string
			for _, h := range res.Hits {
				paths = append(paths, h.Path)
			}
			slices.Sort(paths)
			if got := strings.Join(paths, " "); got != c.want {
				t.Errorf("found %s\nwant  %s", got, c.want)
			}
			if res.Total != len(res.Hits) || res.Files != res.Total {
				t.Errorf("total %d, files %d, hits %d", res.Total, res.Files, len(res.Hits))
			}
		})
	}
}

// kindFiles has a struct and functions in chunks of their own, once in Go and
// once in a language whose syntax is not known.
func kindFiles() map[string]string {
	long := strings.Repeat("\tprintln(\"filler\")\n", 150)
	pyLong := strings.Repeat("        print('filler')\n", 150)
	return map[string]string{
		"pool/pool.go": "package pool\n\nfunc Warm() {\n" + long + "\tprintln(\"retry\")\n}\n\n" +
			"// Pool is one.\ntype Pool struct {\n\tretry int\n}\n\nfunc (p *Pool) Drain() {\n" + long + "\tprintln(\"flush\")\n}\n",
		"pool/limits.go": "package pool\n\nconst MaxRetry = 3\n",
		"job.py": "def warm():\n" + strings.ReplaceAll(pyLong, "        ", "    ") + "    retry()\n\n\n" +
			"class Job:\n    def drain(self):\n" + pyLong + "        flush()\n",
	}
}

func TestKinds(t *testing.T) {
	bare := sample.Repository(t, "demo", kindFiles())
	snap := sample.Parsed(t, sample.Repository(t, "demo", kindFiles()))
	for _, c := range []struct{ query, want, outlined string }{
		{"retry kind:struct", "pool/pool.go Pool", "pool/pool.go Pool"},
		{"retry kind:func", "job.py warm, pool/pool.go Warm", "job.py warm, pool/pool.go Warm"},
		{"retry kind:method", "", ""},
		{"flush kind:method", "job.py drain, pool/pool.go Drain", "job.py drain, pool/pool.go Drain"},
		{"flush kind:method lang:go", "pool/pool.go Drain", "pool/pool.go Drain"},
		{"retry kind:struct kind:const", "pool/limits.go MaxRetry, pool/pool.go Pool", "pool/limits.go MaxRetry, pool/pool.go Pool"},
		{"kind:class,struct", "job.py Job, pool/pool.go Pool", "job.py Job, pool/pool.go Pool"},
		{"kind:field", "pool/pool.go retry", ""},
		{"symbol:Drain kind:method", "pool/pool.go Drain", "pool/pool.go Drain"},
		{"symbol:Drain kind:func", "", ""},
		{"symbol:Pool.Drain", "pool/pool.go Drain", "pool/pool.go Drain"},
		{"symbol:Pond.Drain", "", ""},
		{"symbol:pool/pool.go#Pool.Drain", "pool/pool.go Drain", "pool/pool.go Drain"},
		{"symbol:Pool.retry", "pool/pool.go retry", ""},
		{`"print filler" kind:class`, "job.py Job", "job.py Job"},
		{"Drain kind:func", "", ""},
		{"kind:trait", "", ""},
	} {
		for name, s := range map[string]*store.Snapshot{"facts": snap, "outline": bare} {
			t.Run(c.query+" by "+name, func(t *testing.T) {
				want := c.want
				if s == bare {
					want = c.outlined
				}
				res := searchtest.Must(t, []*store.Snapshot{s}, hit.Request{Query: c.query})
				var found []string
				for _, h := range res.Hits {
					found = append(found, h.Path+" "+h.Symbol)
				}
				slices.Sort(found)
				if got := strings.Join(found, ", "); got != want {
					t.Errorf("found %s\nwant  %s", got, want)
				}
				if res.Total != len(res.Hits) {
					t.Errorf("total %d of %d hits", res.Total, len(res.Hits))
				}
			})
		}
	}
}
