package byline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/lang"
	"espy/internal/modules/byline"
)

// TestOf holds what a text of each language imports, with the line: not what stands in
// comments and texts.
func TestOf(t *testing.T) {
	for _, tt := range []struct{ language, text, want string }{
		{"haskell", "module A.B where\n\nimport qualified Data.Map as M\nimport safe A.C (x)\nimport \"pkg\" D\n{- import X -}\n-- import Y\n", "3 Data/Map, 4 A/C, 5 D"},
		{"elm", "module Main exposing (..)\nimport Html.Attributes as A exposing (class)\n", "2 Html/Attributes"},
		{"purescript", "import Data.Maybe (Maybe(..))\n", "1 Data/Maybe"},
		{"lean", "import Mathlib.Data.Nat Batteries.A\npublic import B\n", "1 Mathlib/Data/Nat, 1 Batteries/A, 2 B"},
		{"coq", "From A.B Require Import C D.\nRequire Export E.F.\n", "1 A/B/C, 1 A/B/D, 2 E/F"},
		{"clojure", "(ns a.b-c\n  (:require [clojure.string :as str]\n            [x.y-z :refer [f]] p.q\n            (lib [one :as o] two))\n  (:import (java.io File))\n  (:use [a.use :only [g]]))\n\n(defn f [x]\n  (require 'no.thing))\n(require '[late.ns :as l])\n", "2 clojure/string, 3 x/y_z, 3 p/q, 4 lib/one, 4 lib/two, 6 a/use, 10 late/ns"},
		{"groovy", "import static a.b.C.d\nimport spock.lang.*\n", "1 a/b/C/d, 2 spock/lang/*"},
		{"fsharp", "open Giraffe.Core\nopen type A.B\n#load \"x.fsx\"\n", "1 Giraffe.Core, 2 A.B, 3 x.fsx"},
		{"ocaml", "open Stdune\nlet x = Path.to_string (Map.empty)\n(* Not.this *)\nlet s = \"No.that\"\n", "1 Stdune, 2 Path, 2 Map"},
		{"perl", "package A;\nuse strict;\nuse B::C qw(x);\nuse parent -norequire, 'D::E', 'F';\nrequire G;\nextends 'H::I';\n# use No::Thing;\n", "3 B/C, 4 D/E, 4 F, 5 G, 6 H/I"},
		{"raku", "use A::B;\nneed C;\n", "1 A/B, 2 C"},
		{"erlang", "-module(m).\n-include(\"a.hrl\").\n-include_lib(\"app/include/b.hrl\").\n-behaviour(gen_server).\nf() -> other:call(1), lists:map(F, L).\n%% no:thing()\n", "2 a.hrl, 3 app/include/b.hrl, 4 gen_server, 5 other, 5 lists"},
		{"gleam", "import gleam/list.{map}\nimport app/web\n", "1 gleam/list, 2 app/web"},
		{"r", "source('a/b.R')\nx <- 1\n", "1 a/b.R"},
		{"julia", "include(\"a.jl\")\nusing .Sub, B: c, d\nimport E\n", "1 a.jl, 2 Sub, 2 B, 3 E"},
		{"dart", "import 'package:shelf/src/a.dart' show x;\nexport \"b.dart\";\npart of 'c.dart';\nimport 'dart:io';\n", "1 shelf/src/a.dart, 2 b.dart, 3 c.dart, 4 dart:io"},
		{"nim", "import std/[os, strutils], a/b\nfrom c/d import e\ninclude f # g\n", "1 std/os, 1 std/strutils, 1 a/b, 2 c/d, 3 f"},
		{"crystal", "require \"./a\"\nrequire \"../b/*\"\nrequire \"json\"\n", "1 ./a, 2 ../b/*, 3 json"},
		{"d", "module m;\nimport std.stdio, a = b.c : d, e;\npublic import f;\nvoid g() {\n  import h.i;\n}\n", "2 std/stdio, 2 b/c, 3 f, 5 h/i"},
		{"fortran", "module m\n  USE, intrinsic :: iso_c_binding\n  use a_b, only: x\n  include 'c.inc'\n! use no\n", "2 iso_c_binding, 3 a_b, 4 c.inc"},
		{"ada", "with Ada.Text_IO, A.B; use A.B;\nlimited with C;\nwith\n  D.E;\n", "1 ada-text_io, 1 a-b, 2 c, 4 d-e"},
		{"pascal", "unit U;\nuses\n  SysUtils, A.B,\n  C;\n", "3 SysUtils, 3 A.B, 4 C"},
		{"vhdl", "library ieee;\nuse ieee.std_logic_1164.all;\nuse work.pkg.all;\n", "3 pkg"},
		{"v", "module main\n\nimport v.ast { Expr }\nimport net.http as web\n// import no\n", "3 v/ast, 4 net/http"},
		{"verilog", "`include \"a.svh\"\nimport p_pkg::*;\nmodule m import q_pkg::x; ();\n", "1 a.svh, 2 p_pkg, 3 q_pkg"},
		{"gdscript", "extends \"res://a/b.gd\"\nvar s = preload(\"res://c.tscn\")\n", "1 a/b.gd, 2 c.tscn"},
		{"gdscript", "class_name X extends Base\n", "1 Base"},
		{"powershell", ". $PSScriptRoot\\a.ps1\nImport-Module \"$PSScriptRoot/b.psm1\" -Force\n", "1 a.ps1, 2 b.psm1"},
		{"objective-c", "#import \"A.h\"\n#include <b/c.h>\n@import UIKit;\n", "1 A.h, 2 b/c.h, 3 UIKit"},
		{"swift", "import Foundation\n@testable import Vapor\nimport struct A.B\n// import C\n", "1 Foundation, 2 Vapor, 3 A"},
		{"solidity", "import \"./A.sol\";\nimport {B,\n  C} from \"../d/E.sol\";\nimport * as F from '@x/F.sol';\n", "1 ./A.sol, 3 ../d/E.sol, 4 @x/F.sol"},
		{"protobuf", "import \"a/b.proto\";\nimport public \"c.proto\";\n", "1 a/b.proto, 2 c.proto"},
		{"thrift", "include \"a.thrift\"\n", "1 a.thrift"},
		{"cmake", "include(cmake/a.cmake)\nadd_subdirectory( ${PROJECT_SOURCE_DIR}/src)\ninclude(${X}/b.cmake)\nadd_subdirectory(lib)\n", "1 cmake/a.cmake, 2 src/CMakeLists.txt, 4 ./lib/CMakeLists.txt"},
		{"meson", "subdir('src')\n", "1 ./src/meson.build"},
		{"odin", "package a\nimport \"core:fmt\"\nimport b \"../b\"\n", "2 core/fmt, 3 ../b"},
		{"kconfig", "source \"net/Kconfig\"\norsource \"x/Kconfig\"\n", "1 net/Kconfig, 2 x/Kconfig"},
		{"nix", "{ x = import ./a.nix; y = callPackage ../b/c { }; }\n", "1 ./a.nix, 1 ../b/c"},
		{"lisp", "(require 'magit-git)\n(eval-when-compile (require 'x))\n", "1 magit-git, 2 x"},
		{"racket", "#lang racket\n(require racket/list \"a.rkt\" \"../b/c.rkt\")\n", "2 a.rkt, 2 ../b/c.rkt"},
		{"scss", "@use \"src/a\";\n@import 'b', 'c';\n@use \"sass:math\";\n", "1 src/a, 2 b"},
		{"vim", "source %:h/a.vim\nruntime plugin/b.vim\n", "1 %:h/a.vim, 2 plugin/b.vim"},
		{"astro", "---\nimport A from '../a.astro';\nimport b from 'react';\n---\n", "2 ../a.astro"},
		{"makefile", "include a.mk b.mk\n-include c.mk\n", "1 a.mk, 1 b.mk, 2 c.mk"},
		{"odin", "/* import \"no\"\nimport \"core:no\"\n*/\npackage a\n", ""},
		{"solidity", "/*\nimport \"./no.sol\";\n*/\n", ""},
		{"go", "import \"x\"\n", ""},
	} {
		var got []string
		for _, m := range byline.Of(tt.language, []byte(tt.text)) {
			got = append(got, fmt.Sprintf("%d %s", m.Line, m.Path))
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q imports\n%s, want\n%s", tt.language, tt.text, s, tt.want)
		}
	}
}

// TestKnows holds that languages are those of the table, and that hostile texts end.
func TestKnows(t *testing.T) {
	n := 0
	for _, l := range lang.All() {
		if !byline.Knows(l.Name) {
			continue
		}
		n++
		for _, text := range []string{"", "\x00\xff", strings.Repeat("import ", 1<<14), strings.Repeat("(ns a (:require [", 1<<12), strings.Repeat("import a.{", 1<<12) + "\n", strings.Repeat("use a, ", 1<<12), strings.Repeat("uses a\n", 1<<12)} {
			if all := byline.Of(l.Name, []byte(text)); !slices.IsSortedFunc(all, func(a, b byline.Import) int { return a.Line - b.Line }) {
				t.Errorf("%s: imports of %.20q are not in order", l.Name, text)
			}
		}
	}
	if n < 55 {
		t.Errorf("imports of %d languages are read, want 55", n)
	}
}
