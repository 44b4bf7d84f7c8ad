package resolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestUsedElsewhere asks from a marked use or import for the uses of what no file declares.
func TestUsedElsewhere(t *testing.T) {
	const (
		language = ": declared in no file: of the language or its environment"
		apart    = ": declared in no file, and the two have no header or import in common"
		included = ": declared in no file, and one of the two files includes the other"
		imported = ": the same import"
		unknown  = ": receiver is not known"
		itself   = ": the place itself"
		here     = ": the same name of this file"
	)
	for _, tt := range []struct {
		name, files, from string
		want              []string // path:line:column, ? behind likely and ?? behind possible ones
	}{
		{"a name of an import in another module",
			"-- a.py --\nfrom m import thing\n⟦?use⟧thing\n-- b.py --\nfrom n import thing\nthing\nx.thing\n-- c.py --\nthing\n-- d.py --\nfrom m import thing\nthing\n",
			"m.thing", []string{"a.py:1:15" + imported, "a.py:2:1" + itself, "b.py:1:15??: imported as n.thing", "b.py:2:1??: imported as n.thing", "d.py:1:15" + imported, "d.py:2:1" + imported, "import a.py:1", "import d.py:1"}},
		{"a name of no import beside ones of imports",
			"-- a.py --\n⟦?use⟧thing\nthing\n-- b.py --\nfrom n import thing\nthing\n-- c.py --\nthing\n",
			"", []string{"a.py:1:1" + itself, "a.py:2:1" + here, "c.py:1:1?" + language}},
		{"under another name, which another file has for something else",
			"-- a.py --\nfrom m import thing as other\n⟦?use⟧other\n-- b.py --\nfrom m import thing\nthing\n-- c.py --\nfrom n import thing\nthing\n-- d.py --\nother\n",
			"m.thing", []string{"a.py:1:15" + imported, "a.py:2:1" + itself, "b.py:1:15" + imported, "b.py:2:1" + imported, "import a.py:1", "import b.py:1"}},
		{"an import that is marked",
			"-- a.py --\nfrom m import ⟦?use⟧thing\nthing\n-- b.py --\nthing\n",
			"m.thing", []string{"a.py:1:15" + imported, "a.py:2:1" + imported, "import a.py:1"}},
		{"a member of an imported module",
			"-- a.py --\nimport os\nos.⟦?use⟧path\nx.path\n-- b.py --\nimport os as o\no.path\n",
			"os.path", []string{"a.py:2:4" + itself, "b.py:2:3" + imported}},
		{"a member of something unknown",
			"-- a.py --\nimport os\ndef f(x):\n    x.⟦?use⟧path\n    os.path\n    path\n-- b.py --\ndef g(y):\n    y.path\n",
			"", []string{"a.py:3:7" + itself, "b.py:2:7??" + unknown}},
		{"members of members as deep as they are followed",
			"-- a.py --\nimport m\nm.b.c.d.e.f.g.h.⟦?use⟧i\n-- b.py --\nimport m\nm.b.c.d.e.f.g.h.i\n",
			"m.b.c.d.e.f.g.h.i", []string{"a.py:2:17" + itself, "b.py:2:17" + imported}},
		{"members of members deeper than they are followed",
			"-- a.py --\nimport m\nm.b.c.d.e.f.g.h.i.⟦?use⟧j\n-- b.py --\nimport m\nm.b.c.d.e.f.g.h.i.j\n",
			"i.j", []string{"a.py:2:19" + itself, "b.py:2:19?: of i, which is from elsewhere"}},
		{"another language",
			"-- a.py --\n⟦?use⟧thing\n-- b.ts --\nthing\n",
			"", []string{"a.py:1:1" + itself}},
		{"a file with a wildcard import from elsewhere",
			"-- a.py --\n⟦?use⟧thing\n-- b.py --\nfrom m import *\nthing\n-- c.py --\nthing\n",
			"", []string{"a.py:1:1" + itself, "b.py:2:1??" + apart, "c.py:1:1?" + language}},
		{"from a file with a wildcard import from elsewhere",
			"-- a.py --\nfrom m import *\n⟦?use⟧thing\n-- b.py --\nfrom m import *\nthing\n-- c.py --\nthing\n-- d.py --\nfrom n import *\nthing\n",
			"", []string{"a.py:2:1" + itself, "b.py:2:1?: declared in no file, and both take in m", "c.py:1:1??" + apart, "d.py:2:1??" + apart}},
		{"headers within headers",
			"-- a.c --\n#include \"a.h\"\nstruct ⟦?use⟧s *a;\n-- a.h --\n#include <net.h>\n#include \"b.h\"\nstruct s *b;\n-- b.h --\n#include \"a.h\"\nstruct s *c;\n-- c.c --\n#include <zoo.h>\n#include <net.h>\nstruct s *d;\n-- d.c --\n#include <zoo.h>\nstruct s *e;\n-- e.c --\nstruct s *f;\nint g = s;\n",
			"", []string{"a.c:2:8" + itself, "a.h:3:8?" + included, "b.h:2:8?" + included, "c.c:3:8?: declared in no file, and both take in net.h", "d.c:2:8??" + apart, "e.c:1:8??" + apart}},
		{"from a header that others include",
			"-- a.c --\n#include \"a.h\"\nstruct s *a;\n-- a.h --\nstruct ⟦?use⟧s *b;\n-- b.c --\nstruct s *c;\n",
			"", []string{"a.c:2:8?" + included, "a.h:1:8" + itself, "b.c:1:8??" + apart}},
		{"headers that are not in order",
			"-- a.c --\n#include <zoo.h>\n#include \"z.h\"\n#include \"m.h\"\n#include \"b.h\"\n#include <net.h>\n#include <alpha.h>\nstruct ⟦?use⟧s *a;\n-- b.h --\nstruct s *b;\n-- c.c --\n#include <alpha.h>\nstruct s *c;\n-- m.h --\n-- z.h --\n",
			"", []string{"a.c:7:8" + itself, "b.h:1:8?" + included, "c.c:2:8?: declared in no file, and both take in alpha.h"}},
		{"more modules than are followed",
			modules(2000) + "-- b.py --\n⟦?use⟧thing\n-- a.py --\nthing\n",
			"", []string{"a.py:2001:1??" + apart, "b.py:1:1" + itself}},
		{"from a file with more modules than are followed",
			modules(2000) + "-- b.py --\nthing\n-- a.py --\n⟦?use⟧thing\n",
			"", []string{"a.py:2001:1" + itself, "b.py:1:1??" + apart}},
		{"as many headers as are followed",
			headers(2000) + "-- a.c --\nstruct ⟦?use⟧s *a;\n-- h/1998.h --\nstruct s *b;\n",
			"", []string{"a.c:2001:8" + itself, "h/1998.h:1:8?" + included}},
		{"more headers than are followed",
			headers(2000) + "-- a.c --\nstruct ⟦?use⟧s *a;\n-- h/1999.h --\nstruct s *b;\n",
			"", []string{"a.c:2001:8" + itself, "h/1999.h:1:8??" + apart}},
		{"a name of Go in another package",
			"-- a.go --\npackage a\n\nvar X = ⟦?use⟧undeclared\n-- b.go --\npackage a\n\nvar Y = undeclared\n-- c/c.go --\npackage c\n\nvar Z = undeclared\n",
			"", []string{"a.go:3:9" + itself, "b.go:3:9?" + language, "c/c.go:3:9??: declared in no file, and may be of another package"}},
		{"a predeclared name of Go in another package",
			"-- a.go --\npackage a\n\nvar X ⟦?use⟧error\n-- c/c.go --\npackage c\n\nvar Z error\n",
			"", []string{"a.go:3:7" + itself, "c/c.go:3:7?" + language}},
		{"a name of Java in another package",
			"-- A.java --\nclass A { ⟦?use⟧Thing t; String s; }\n-- b/B.java --\npackage b;\nclass B { Thing t; String s; }\n",
			"", []string{"A.java:1:11" + itself, "b/B.java:2:11??: declared in no file, and may be of another package"}},
		{"a name of TypeScript in another folder",
			"-- a.ts --\nlet a: ⟦?use⟧Thing\n-- b/b.ts --\nlet b: Thing\n",
			"", []string{"a.ts:1:8" + itself, "b/b.ts:1:8?" + language}},
		{"a member of a type from elsewhere",
			"-- a.go --\npackage a\n\nimport \"net/http\"\n\nfunc A(r *http.Request) { r.⟦?use⟧URL() }\n-- b.go --\npackage a\n\nimport \"net/http\"\n\nfunc B(r *http.Request, x unknown, c *http.Client) { r.URL(); x.URL(); c.URL() }\n",
			"Request.URL", []string{"a.go:5:29" + itself, "b.go:5:56?: of Request, which is from elsewhere"}},
		{"a member of a type from elsewhere beside one of something unknown",
			"-- a.py --\nfrom m import Request\ndef f(r: Request):\n    r.⟦?use⟧url\n-- b.py --\nfrom m import Response\ndef g(y, z: Response):\n    y.url\n    z.url\n",
			"Request.url", []string{"a.py:3:7" + itself, "b.py:3:7??" + unknown}},
		{"a module that is named from its folder",
			"-- x/a.py --\nfrom .m import ⟦?use⟧thing\n-- x/b.py --\nfrom .m import thing\n-- y/c.py --\nfrom .m import thing\n",
			"x/.m.thing", []string{"x/a.py:1:16" + imported, "x/b.py:1:16" + imported, "y/c.py:1:16??: imported as y/.m.thing", "import x/a.py:1", "import x/b.py:1"}},
		{"a crate of Rust, from its folder",
			"-- a/a.rs --\nuse crate::m::⟦?use⟧Thing;\n-- b/b.rs --\nuse crate::m::Thing;\n",
			"a/crate.m.Thing", []string{"a/a.rs:1:15" + imported, "b/b.rs:1:15??: imported as b/crate.m.Thing", "import a/a.rs:1"}},
		{"a module of Rust within its file",
			"-- a/a.rs --\nuse self::m::⟦?use⟧Thing;\n-- b/b.rs --\nuse self::m::Thing;\n",
			"a/self.m.Thing", []string{"a/a.rs:1:14" + imported, "b/b.rs:1:14??: imported as b/self.m.Thing", "import a/a.rs:1"}},
		{"a module of Rust above its file",
			"-- a/a.rs --\nuse super::m::⟦?use⟧Thing;\n-- b/b.rs --\nuse super::m::Thing;\n",
			"a/super.m.Thing", []string{"a/a.rs:1:15" + imported, "b/b.rs:1:15??: imported as b/super.m.Thing", "import a/a.rs:1"}},
		{"all names of a module, and its one value",
			"-- a.ts --\nimport * as ⟦?use⟧m from 'm'\n-- b.ts --\nimport m = require('m')\nm.x\n",
			"m", []string{"b.ts:2:1" + imported, "import a.ts:1", "import b.ts:1"}},
		{"paths of Rust",
			"-- a.rs --\nuse std::io::⟦?use⟧Write;\nfn f(w: &dyn Write) {}\n-- b.rs --\nuse std::io::Write as W;\nfn g(w: &dyn W) {}\n-- c.rs --\nuse std::fmt::Write;\nfn h(w: &dyn Write) {}\n",
			"std.io.Write", []string{"a.rs:1:14" + imported, "a.rs:2:14" + imported, "b.rs:1:14" + imported, "b.rs:2:14" + imported, "c.rs:1:15??: imported as std.fmt.Write", "c.rs:2:14??: imported as std.fmt.Write", "import a.rs:1", "import b.rs:1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := readMarks(merged(txtar.Parse([]byte(tt.files))))
			c := index(t, m.files)
			var from string
			var got []string
			if err := segment.Guard(func() error { from, got = usedElsewhere(t, c, m.uses["use"][0]); return nil }); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{tt.from}, tt.want...), append([]string{from}, got...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// headers is n headers, and the beginning of a file that includes them.
func headers(n int) string {
	var files, includes strings.Builder
	for i := range n {
		fmt.Fprintf(&files, "-- h/%04d.h --\n", i)
		fmt.Fprintf(&includes, "#include \"h/%04d.h\"\n", i)
	}
	return files.String() + "-- a.c --\n" + includes.String()
}

// modules is n modules, and the beginning of a file that imports all of them.
func modules(n int) string {
	var files, imports strings.Builder
	for i := range n {
		fmt.Fprintf(&files, "-- m%04d.py --\n", i)
		fmt.Fprintf(&imports, "from m%04d import *\n", i)
	}
	return files.String() + "-- a.py --\n" + imports.String()
}

// merged joins the texts of a file that an archive names more than once.
func merged(a *txtar.Archive) *txtar.Archive {
	at := map[string]int{}
	out := &txtar.Archive{}
	for _, f := range a.Files {
		if i, ok := at[f.Name]; ok {
			out.Files[i].Data = slices.Concat(out.Files[i].Data, f.Data)
			continue
		}
		at[f.Name] = len(out.Files)
		out.Files = append(out.Files, f)
	}
	return out
}

// usedElsewhere lists the uses and imports of what the use or import at a place means.
func usedElsewhere(t *testing.T, c *corpus.Corpus, where string) (from string, all []string) {
	q := resolve.New(c).Ask()
	path, _, _ := strings.Cut(where, ":")
	id, _ := c.Find(path)
	f := q.File(id)
	at := func(p facts.Place) bool { return fmt.Sprintf("%s:%d:%d", path, p.Line, p.Column) == where }
	var e resolve.Elsewhere
	ok := false
	for i := range f.NumUses() {
		if at(f.Use(i).Place) {
			e, ok = q.UsedElsewhere(corpus.Ref{File: id, Index: int32(i)})
		}
	}
	for i := range f.NumImports() {
		if at(f.Import(i).Place) {
			e, ok = q.ImportedElsewhere(corpus.Ref{File: id, Index: int32(i)})
		}
	}
	if !ok {
		t.Fatalf("%s is declared in a file, or is no use", where)
	}
	uses, imports := q.Uses(e)
	for _, r := range uses {
		p := q.File(r.File).Use(int(r.Use)).Place
		doubt := map[facts.Confidence]string{facts.Likely: "?", facts.Possible: "??"}[r.Confidence]
		all = append(all, fmt.Sprintf("%s:%d:%d%s: %s", c.Path(r.File), p.Line, p.Column, doubt, r.Reason))
	}
	for _, r := range imports {
		all = append(all, fmt.Sprintf("import %s:%d", c.Path(r.File), q.File(r.File).Import(int(r.Index)).Line))
	}
	return e.From, all
}
