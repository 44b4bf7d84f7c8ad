package modules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/sample"
)

// shop is a repository whose packages a and b import each other.
var shop = map[string]string{
	"go.mod":        "module shop\n\nrequire lib.org/x v1.4.0\n",
	"a/a.go":        "package a\n\nimport (\n\t\"fmt\"\n\n\t\"shop/b\"\n)\n\nfunc A() { fmt.Println(b.B) }\n",
	"a/more.go":     "package a\n\nimport \"shop/b\"\n\nvar X = b.B\n",
	"a/a_test.go":   "package a\n\nimport \"shop/c\"\n\nvar Y = c.C\n",
	"b/b.go":        "package b\n\nimport \"shop/a\"\n\nvar B = a.X\n",
	"c/c.go":        "package c\n\nimport (\n\t\"lib.org/x/sub\"\n\t\"other.org/y\"\n\t\"shop/a\"\n)\n\nvar C = a.X\n\nvar D = sub.E + y.F\n",
	"docs/notes.md": "# Notes\n",
}

// within opens a repository and asks about it.
func within(t *testing.T, files map[string]string, do func(*locate.Ask)) {
	t.Helper()
	snap := sample.Parsed(t, sample.Repository(t, "r", files))
	x, err := locate.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(func(a *locate.Ask) error { do(a); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestOf(t *testing.T) {
	within(t, shop, func(a *locate.Ask) {
		g := Of(a)
		var got []string
		for i := range g.Edges {
			e := &g.Edges[i]
			s := &g.Sources[e.Source]
			got = append(got, fmt.Sprintf("%s:%d %s %s%s %s", a.Corpus.Path(e.From), e.Line, s.Name, s.Folder, s.Origin.Kind, s.Origin.Version))
		}
		want := []string{
			"a/a.go:4 fmt standard library ", "a/a.go:6 shop/b b ", "a/a_test.go:3 shop/c c ", "a/more.go:3 shop/b b ", "b/b.go:3 shop/a a ",
			"c/c.go:4 lib.org/x third party v1.4.0", "c/c.go:5 other.org/y unknown ", "c/c.go:6 shop/a a ",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if Of(a) != g {
			t.Error("the graph of one state is gathered again")
		}
		b, _ := a.Corpus.Find("b/b.go")
		if into := g.Into(b); len(into) != 2 {
			t.Errorf("%d imports of b, want 2", len(into))
		}
	})
}

func TestUnits(t *testing.T) {
	within(t, shop, func(a *locate.Ask) {
		g := Of(a)
		for name, tt := range map[string]struct {
			unit Unit
			want []string
		}{
			"by file":   {ByFile(a), []string{"a/ -> b/ 2", "a/(tests) -> c/ 1", "b/ -> a/ 1", "c/ -> a/ 1"}},
			"by folder": {ByFolder(a), []string{"a/ -> b/ 2", "a/ -> c/ 1", "b/ -> a/ 1", "c/ -> a/ 1"}},
			"by load":   {ByLoad(a), []string{"a/ -> b/ 2", "a/(tests) -> c/ 1", "b/ -> a/ 1", "c/ -> a/ 1"}},
		} {
			t.Run(name, func(t *testing.T) {
				u := g.Units(a, tt.unit)
				var got []string
				for _, l := range u.Links {
					got = append(got, fmt.Sprintf("%s -> %s %d", u.Names[l.From], u.Names[l.To], l.Files))
				}
				slices.Sort(got)
				if !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				cycles := u.Cycles(nil)
				if len(cycles) != 1 || len(cycles[0].Units) != 2 || len(cycles[0].Shortest) != 2 {
					t.Errorf("cycles %+v, want a and b", cycles)
				}
			})
		}
	})
}

// ring makes units that import each other in one circle.
func ring(n int) *Units {
	u := &Units{first: make([]int32, n+1)}
	for i := range n {
		u.Names = append(u.Names, fmt.Sprintf("u%06d", i))
		u.Links = append(u.Links, Link{From: int32(i), To: int32((i + 1) % n)})
		u.first[i+1] = int32(i + 1)
	}
	return u
}

// TestCycles holds that cycles are found whatever their size, and what counts as one.
func TestCycles(t *testing.T) {
	for name, tt := range map[string]struct {
		units    *Units
		counts   func(*Link) bool
		members  int
		shortest int
	}{
		"two":                      {ring(2), nil, 2, 2},
		"a giant circle":           {ring(10_000), nil, 10_000, 10_000},
		"links that do not count":  {ring(3), func(l *Link) bool { return l.From != 1 }, 0, 0},
		"nothing at all":           {ring(0), nil, 0, 0},
		"one that imports itself?": {&Units{Names: []string{"a"}, first: []int32{0, 0}}, nil, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			members, shortest := 0, 0
			for _, c := range tt.units.Cycles(tt.counts) {
				members, shortest = len(c.Units), len(c.Shortest)
				for i, l := range c.Shortest {
					if next := c.Shortest[(i+1)%len(c.Shortest)]; l.To != next.From {
						t.Fatalf("link %d leads to %d, the next starts at %d", i, l.To, next.From)
					}
				}
			}
			if members != tt.members || shortest != tt.shortest {
				t.Errorf("%d members and a way of %d, want %d and %d", members, shortest, tt.members, tt.shortest)
			}
		})
	}
}

// TestEcosystems holds what is told of a module by its name.
func TestEcosystems(t *testing.T) {
	for _, tt := range []struct {
		family     corpus.Family
		module     facts.Import
		standard   bool
		dependency string // that provides it; empty for none
		not        string // that does not
	}{
		{corpus.Go, facts.Import{Module: "net/http"}, true, "", ""},
		{corpus.Go, facts.Import{Module: "a.org/b/c"}, false, "a.org/b", "a.org/bc"},
		{corpus.Script, facts.Import{Module: "node:fs"}, true, "", ""},
		{corpus.Script, facts.Import{Module: "fs/promises"}, true, "", ""},
		{corpus.Script, facts.Import{Module: "@babel/core/lib"}, false, "@babel/core", "@babel/cor"},
		{corpus.Python, facts.Import{Module: "os.path"}, true, "", ""},
		{corpus.Python, facts.Import{Module: "yaml"}, false, "PyYAML", "yam"},
		{corpus.Python, facts.Import{Module: "google.cloud.storage"}, false, "google-cloud-storage", "google-auth"},
		{corpus.Rust, facts.Import{Module: "std::io"}, true, "", ""},
		{corpus.Rust, facts.Import{Module: "serde_json::Value"}, false, "serde-json", "serde"},
		{corpus.Java, facts.Import{Module: "java.util"}, true, "", ""},
		{corpus.Java, facts.Import{Module: "javax.inject"}, false, "javax.inject:javax.inject", "java:x"},
		{corpus.Java, facts.Import{Module: "com.google.common.base"}, false, "com.google.common:x", "com.goo:x"},
		{corpus.C, facts.Import{Module: "stdio.h"}, true, "", ""},
		{corpus.C, facts.Import{Module: "vector"}, true, "", ""},
		{corpus.C, facts.Import{Module: "zlib.h"}, false, "", ""},
		{corpus.PHP, facts.Import{Module: "", Name: "DateTime"}, true, "", ""},
		{corpus.PHP, facts.Import{Module: `Symfony\Component\HttpFoundation`, Name: "Request"}, false, "symfony/http-foundation", "symfony/console"},
	} {
		t.Run(tt.module.Module, func(t *testing.T) {
			e := ecosystems[tt.family]
			if got := e.standard(&tt.module); got != tt.standard {
				t.Errorf("standard: %v, want %v", got, tt.standard)
			}
			if tt.dependency != "" && !e.provides(tt.dependency, &tt.module) {
				t.Errorf("%s does not provide it", tt.dependency)
			}
			if tt.not != "" && e.provides(tt.not, &tt.module) {
				t.Errorf("%s provides it", tt.not)
			}
		})
	}
}

// TestByLine holds where the imports of languages without a grammar lead: to the file that
// their build tools mean, the nearest of several, and of a folder to what is named.
func TestByLine(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a module by its path", map[string]string{"src/Data/Name.hs": "module Data.Name where\n", "app/Main.hs": "import Data.Name\nimport Data.Map\n"}, "app/Main.hs:1 -> src/Data/Name.hs; app/Main.hs:2 -> Data.Map?"},
		{"the nearest of one name", map[string]string{"a/Util.hs": "x = 1\n", "b/Util.hs": "x = 1\n", "b/Main.hs": "import Util\n"}, "b/Main.hs:1 -> b/Util.hs"},
		{"dashes of Clojure", map[string]string{"src/a/b_c.clj": "(ns a.b-c)\n", "test/t.clj": "(ns t (:require [a.b-c :as b]))\n"}, "test/t.clj:1 -> src/a/b_c.clj"},
		{"a package of Dart", map[string]string{"pkgs/shelf/lib/src/a.dart": "class A {}\n", "pkgs/other/lib/src/a.dart": "class B {}\n", "pkgs/other/bin/x.dart": "import 'package:shelf/src/a.dart';\nimport '../lib/src/a.dart';\n"}, "pkgs/other/bin/x.dart:1 -> pkgs/shelf/lib/src/a.dart; pkgs/other/bin/x.dart:2 -> pkgs/other/lib/src/a.dart"},
		{"a package of Dart that is not called as its folder", map[string]string{"app/pubspec.yaml": "name: shop_app\ndependencies:\n  http: ^1.0.0\n  kept: {path: ../kept}\n", "app/lib/src/a.dart": "class A {}\n", "kept/pubspec.yaml": "name: kept\n", "other/lib/src/a.dart": "class B {}\n",
			"app/bin/x.dart": "import 'dart:io';\nimport 'package:http/http.dart';\nimport 'package:http/io.dart';\nimport 'package:kept/made.g.dart';\nimport 'package:shop_app/src/a.dart';\nimport 'gone.dart';\nimport 'package:odd/odd.dart';\n"},
			"app/bin/x.dart:1 -> dart:io?; app/bin/x.dart:2 -> http?; app/bin/x.dart:4 -> kept?; app/bin/x.dart:5 -> app/lib/src/a.dart; app/bin/x.dart:6 -> gone.dart?; app/bin/x.dart:7 -> package:odd/odd.dart?"},
		{"a module that a file declares", map[string]string{"src/kinds.f90": "module my_kinds\nend module\n", "src/a.f90": "program p\n  use MY_KINDS\nend program\n"}, "src/a.f90:2 -> src/kinds.f90"},
		{"headers below a folder", map[string]string{"include/x/A.h": "@interface A\n@end\n", "src/A.m": "#import <x/A.h>\n#import \"B.h\"\n", "src/B.h": "void b(void);\n"}, "src/A.m:1 -> include/x/A.h; src/A.m:2 -> src/B.h"},
		{"types of a folder of Swift", map[string]string{"Sources/Kit/A.swift": "public struct Alpha {}\n", "Sources/Kit/B.swift": "public struct Beta {}\n", "Tests/KitTests/T.swift": "import Kit\n\nlet x = Alpha()\n"}, "Tests/KitTests/T.swift:1 -> Sources/Kit/A.swift"},
		{"a module of OCaml: of the folder, or the only one", map[string]string{"lib/path.ml": "let x = 1\n", "other/path.ml": "let x = 1\n", "lib/use.ml": "let y = Path.x\n", "bin/main.ml": "let z = Path.x + Use.y\n", "bin/list.ml": "let a = 1\n", "lib/l.ml": "let b = List.length []\n"}, "bin/main.ml:1 -> lib/use.ml; lib/use.ml:1 -> lib/path.ml"},
		{"what has no ending, and a whole folder", map[string]string{"src/k.cr": "require \"./k/*\"\nrequire \"../lib/z\"\n", "src/k/a.cr": "class A\nend\n", "lib/z.cr": "class Z\nend\n", "src/k/b.cr": "A.new\nrequire \"json\"\n"}, "src/k.cr:2 -> lib/z.cr; src/k/b.cr:2 -> json?"},
		{"partials of style sheets", map[string]string{"css/_vars.scss": "$a: 1;\n", "css/main.scss": "@use 'vars';\n"}, "css/main.scss:1 -> css/_vars.scss"},
		{"modules of V of one name", map[string]string{"vlib/orm/orm.v": "module orm\n\nimport os\n", "examples/orm/main.v": "module main\n\nimport db.sqlite\n", "vlib/db/sqlite/a.v": "module sqlite\n\nimport orm\n"},
			"examples/orm/main.v:3 -> vlib/db/sqlite/a.v; vlib/db/sqlite/a.v:3 -> vlib/orm/orm.v; vlib/orm/orm.v:3 -> os?"},
		{"a package of Odin: the folder without those below it", map[string]string{"core/fmt/fmt.odin": "package fmt\n\nimport f \"core:fmt\"\nimport \"core:os\"\nimport \"core:fmt/part\"\n", "core/fmt/part/part.odin": "package part\n\nimport \"core:fmt\"\n", "tests/core/fmt/t.odin": "package t\n", "x/main.odin": "package main\n\nimport p \"../core/fmt\"\n"},
			"core/fmt/fmt.odin:3 -> core/fmt/fmt.odin; core/fmt/fmt.odin:4 -> core:os?; core/fmt/fmt.odin:5 -> core/fmt/part/part.odin; core/fmt/part/part.odin:3 -> core/fmt/fmt.odin; x/main.odin:3 -> core/fmt/fmt.odin"},
		{"a folder of CMake is one of the file, unless a variable says of which", map[string]string{"examples/CMakeLists.txt": "project(a)\n", "ext/CMakeLists.txt": "add_subdirectory(examples)\nadd_subdirectory(${CMAKE_SOURCE_DIR}/examples)\nadd_subdirectory(src)\n", "ext/src/CMakeLists.txt": "project(b)\n"},
			"ext/CMakeLists.txt:1 -> examples?; ext/CMakeLists.txt:2 -> examples/CMakeLists.txt; ext/CMakeLists.txt:3 -> ext/src/CMakeLists.txt"},
		{"a folder of Meson is one of the file", map[string]string{"src/meson.build": "project('a')\n", "ext/meson.build": "subdir('src')\n"}, "ext/meson.build:1 -> src?"},
		{"a class of a package, and its member", map[string]string{"src/main/groovy/a/b/C.groovy": "package a.b\n\nclass C { static d }\n", "src/test/groovy/T.groovy": "import static a.b.C.d\n"}, "src/test/groovy/T.groovy:1 -> src/main/groovy/a/b/C.groovy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			within(t, tt.files, func(a *locate.Ask) {
				g := Of(a)
				for i := range g.Edges {
					e := &g.Edges[i]
					line := fmt.Sprintf("%s:%d ->", a.Corpus.Path(e.From), e.Line)
					for _, f := range g.Targets(e) {
						line += " " + a.Corpus.Path(f)
					}
					if s := g.Sources[e.Source]; len(s.Files) == 0 {
						line += " " + s.Name + "?"
					}
					got = append(got, line)
				}
			})
			if text := strings.Join(got, "; "); text != tt.want {
				t.Errorf("got\n%s\nwant\n%s", text, tt.want)
			}
		})
	}
}
