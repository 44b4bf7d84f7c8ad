package nav_test

import (
	"bytes"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/locate"
	"espy/internal/nav"
)

// TestElsewhere asks for the uses of names that no file declares, by a place.
func TestElsewhere(t *testing.T) {
	files := map[string]string{
		"a.c":      "#include <net.h>\nstruct sockaddr *a;\n",
		"b.c":      "#include \"b.h\"\nint f(struct sockaddr *x) { return sockaddr(x); }\n",
		"b.h":      "#include <net.h>\n",
		"other.c":  "struct sockaddr *z;\n",
		"a.py":     "import os\nimport os as sys\nfrom os import path as p\nos.path.join(p)\nsys.exit(print(1))\n",
		"b.py":     "import os\nimport mine.os\nprint(os.path)\n\ndef f(os):\n    return os.path\n",
		"a.ts":     "export function a(e: KeyboardEvent) { document.write(e.key); }\n",
		"b.ts":     "import { document } from 'other';\nlet k: KeyboardEvent = document.write();\n",
		"a.go":     "package a\n\nimport \"net/http\"\n\nfunc A(h http.Handler, r *http.Request) error { return f(r.URL, undeclared) }\n",
		"c/c.go":   "package c\n\nimport web \"net/http\"\n\nfunc C(r *web.Request, h web.Handler) error { return g(r.URL, undeclared) }\n",
		"d/d.go":   "package d\n\ntype Handler struct{}\n\nvar h Handler\n",
		"A.java":   "package a;\nimport org.x.Thing;\nclass A { Thing t; }\n",
		"b/B.java": "package b;\nimport org.y.Thing;\nclass B { Thing t; }\n",
		"a.rs":     "use std::io::Write;\nfn f(w: &dyn Write) {}\n",
		"b.rs":     "use std::io::Write as W;\nfn g(w: &dyn W) {}\n",
	}
	for _, tt := range []struct {
		at, from string
		want     string // path:line, ? behind likely and ?? behind possible ones
	}{
		{"a.c:2:8", "", "a.c:2 b.c:2? other.c:1??"},
		{"b.c:2:37", "", "b.c:2"},
		{"a.py:1:8", "os", "a.py:1 a.py:2 a.py:4 a.py:5 b.py:1 b.py:3"},
		{"a.py:4:4", "os.path", "a.py:3 a.py:4 a.py:4 b.py:3"},
		{"a.py:5:10", "", "a.py:5 b.py:3?"},
		{"a.ts:1:22", "", "a.ts:1 b.ts:2?"},
		{"a.ts:1:39", "", "a.ts:1"},
		{"b.ts:2:24", "other.document", "b.ts:1 b.ts:2"},
		{"a.go:5:15", "net/http.Handler", "a.go:5 c/c.go:5"},
		{"a.go:5:10", "net/http", "a.go:3 a.go:5 a.go:5 c/c.go:3 c/c.go:5 c/c.go:5"},
		{"a.go:5:42", "", "a.go:5 c/c.go:5?"},
		{"a.go:5:65", "", "a.go:5 c/c.go:5??"},
		{"A.java:3:11", "org.x.Thing", "A.java:2 A.java:3 b/B.java:2?? b/B.java:3??"},
		{"a.rs:2:14", "std.io.Write", "a.rs:1 a.rs:2 b.rs:1 b.rs:2"},
	} {
		t.Run(tt.at, func(t *testing.T) {
			at := locate.Target{}
			path, rest, _ := strings.Cut(tt.at, ":")
			at.Path = path
			if _, err := fmt.Sscanf(rest, "%d:%d", &at.Line, &at.Column); err != nil {
				t.Fatal(err)
			}
			res := references(t, files, nav.ReferencesRequest{Target: at})
			if res.Elsewhere == nil {
				t.Fatalf("it is declared here: %v", listed(res))
			}
			var got []string
			for _, l := range listed(res) {
				place, why, _ := strings.Cut(l, " ")
				confidence, _, _ := strings.Cut(why, ":")
				got = append(got, place+map[string]string{"certain": "", "likely": "?", "possible": "??"}[confidence])
			}
			if diff := cmp.Diff([]string{tt.from, tt.want}, []string{res.Elsewhere.From, strings.Join(got, " ")}); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(listed(res), "\n"))
			}
		})
	}
}

// TestEmbeddedFieldsAreMeant asks at an embedded field whose type is declared elsewhere.
func TestEmbeddedFieldsAreMeant(t *testing.T) {
	files := map[string]string{
		"a.go": "package a\n\nimport \"net/http\"\n\ntype A struct {\n\thttp.Header\n}\n\nfunc f(a A, h http.Header) { a.Header.Get(\"x\") }\n",
	}
	res := references(t, files, nav.ReferencesRequest{Target: locate.Target{Path: "a.go", Line: 6, Column: 7}})
	if diff := cmp.Diff([]string{"a.go:9 certain: receiver is A"}, listed(res)); diff != "" || res.Elsewhere != nil {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestElsewhereIsMutual asks from each certain use of what a real package imports,
// and must find the same uses from each.
func TestElsewhereIsMutual(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src/net/http/httputil/*.go"))
	if len(paths) == 0 {
		t.Skip("no source of Go here")
	}
	files := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(p)] = text
	}
	x := parsed(t, files)
	ask := func(path string, line, column int) *nav.References {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Path: path, Line: line, Column: column}, Limit: 10000})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	for _, name := range []string{"http.Header", "io.EOF", "strings.ToLower", "context.Context", "bufio.NewReader"} {
		t.Run(name, func(t *testing.T) {
			_, member, _ := strings.Cut(name, ".")
			for p, text := range files {
				at := bytes.Index(text, []byte(name))
				if at < 0 || bytes.Contains(text[bytes.LastIndexByte(text[:at], '\n')+1:at], []byte("//")) {
					continue
				}
				at += len(name) - len(member)
				line, column := bytes.Count(text[:at], []byte("\n"))+1, at-bytes.LastIndexByte(text[:at], '\n')
				first := ask(p, line, column)
				if first.Elsewhere == nil || first.Certain == 0 {
					t.Fatalf("%s:%d: %d certain uses", p, line, first.Certain)
				}
				for _, f := range first.Files {
					for _, r := range f.References {
						if again := ask(f.Path, r.Line, r.Column); again.Certain != first.Certain || again.Total != first.Total {
							t.Errorf("%s:%d has %d certain uses, %s:%d has %d", p, line, first.Certain, f.Path, r.Line, again.Certain)
						}
					}
				}
			}
		})
	}
}

// TestUnionElsewhere asks for all uses of bare names that no file declares.
func TestUnionElsewhere(t *testing.T) {
	files := map[string]string{
		"a.py": "from datetime import timedelta\nx = timedelta(1)\n# timedelta(2)\n",
		"b.py": "from datetime import timedelta as span\nimport datetime\ny = datetime.timedelta(span(3))\n",
		"c.py": "from mine import near\nfrom lost.a import Far\nfrom lost.b import Far as F\nself.nowhere = near(Far)\nz.unknown()\n# unsaid(1)\n",
		"d.py": "from lost.b import Far\nfrom lost.c import Far\nfrom lost.d import Far\nfrom lost.e import Far\n",
		"a.ts": "import { useState } from 'react';\nuseState(1);\n",
		"a.rs": "use std::collections::HashMap;\nfn f(m: HashMap<u8, u8>) {}\n",
	}
	for name, want := range map[string]string{
		"timedelta": "datetime.timedelta +0", "useState": "react.useState +0", "HashMap": "std.collections.HashMap +0", "near": "mine.near +0",
		"Far": "lost.a.Far, lost.b.Far, lost.c.Far +2", "unknown": "not said", "unsaid": "not said", "absent": "not said",
	} {
		t.Run(name, func(t *testing.T) {
			got := "not said"
			if e := references(t, files, nav.ReferencesRequest{Target: locate.Target{Name: name}, Union: true}).Elsewhere; e != nil {
				got = fmt.Sprintf("%s +%d", e.From, e.More)
			}
			if got != want {
				t.Errorf("%s comes from %s, want %s", name, got, want)
			}
		})
	}
}

// TestBrought holds that a name which no code declares comes with the modules that code
// takes it from and the lines that pass it on, and that no declared one does.
func TestBrought(t *testing.T) {
	x := parsed(t, map[string][]byte{
		"src/light.rs":   []byte("pub use lamps::bright::{Dim, Lantern};\n"),
		"src/user.rs":    []byte("use crate::light::Lantern;\nuse std::fs::File as Paper;\n\nfn f(l: Lantern, p: Paper) {}\n"),
		"docs/a.md":      []byte("# Lantern\n\nText.\n"),
		"py/__init__.py": []byte("from ext import Candle, Other as Wick\n\ndef light():\n    from inside import Match\n"),
		"py/use.py":      []byte("from beside import Candle\nfrom . import Candle as C\nfrom .wax import Wax\nfrom .gone import Lost\n"),
		"py/wax.py":      []byte("class Wax: pass\n"),
		"web/index.ts":   []byte("export { Torch as Flare } from 'torches'\nimport { Ember } from 'embers'\n"),
		"web/flare.ts":   []byte("import { Flare } from './index'\nlet Ember: Flare\n"),
	})
	for name, want := range map[string]string{
		"Lantern":   "lamps.bright.Lantern; src/light.rs:1",
		"Paper":     "std.fs.File; ",
		"Candle":    "beside.Candle, ext.Candle; py/__init__.py:1",
		"Wick":      "ext.Other; py/__init__.py:1",
		"Match":     "inside.Match; ",
		"Lost":      "py/.gone.Lost; ",
		"Wax":       "",
		"Flare":     "torches.Torch; web/index.ts:1",
		"File":      "",
		"NoSuch":    "",
		"Candle.a":  "",
		"py/use.py": "",
	} {
		res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if res.Brought != nil {
			got = res.Brought.From + "; "
			for _, p := range res.Passed {
				got += fmt.Sprintf("%s:%d", p.Path, p.First)
			}
		}
		if got != want || got != "" && len(res.Near) > 0 {
			t.Errorf("%s: %q near %q, want %q", name, got, res.Near, want)
		}
	}
}
