package lang

import (
	"fmt"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	tests := []struct{ path, head, want string }{
		{"main.go", "", "go"},
		{"a/b.c/main.go", "", "go"},
		{"x.py", "", "python"},
		{"x.pyi", "", "python"},
		{"BUILD.bazel", "", "python"},
		{"x.tsx", "", "typescript"},
		{"x.d.ts", "", "typescript"},
		{"x.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>", "xml"},
		{"x.mjs", "", "javascript"},
		{"x.cc", "", "cpp"},
		{"x.C", "", "cpp"},
		{"x.c", "", "c"},
		{"X.GO", "", "go"},
		{"x.R", "", "r"},
		{"x.S", "", "assembly"},
		{"x.h", "", "c"},
		{"x.h", "#include <stdio.h>\nint f(int);\n", "c"},
		{"x.h", "#pragma once\nnamespace a {\n", "cpp"},
		{"x.h", "  class Foo {\n", "cpp"},
		{"x.h", "std::string f();\n", "cpp"},
		{"x.h", strings.Repeat("// a licence\n", 300) + "#include <type_traits>\n", "cpp"},
		{"x.h", "/* using this header needs\n class names */\n#include <sys/types.h>\nint f(void); // std::string\n", "c"},
		{"x.h", "#ifdef __cplusplus\nextern \"C\" {\nnamespace a {\n#endif\nint f(void);\n", "c"},
		{"x.h", "#ifdef __cplusplus\n#if X\nclass A;\n#endif\n#else\nint f(void);\n#endif\n#include \"a.hpp\"\n", "cpp"},
		{"x.h", "#import <Foundation/Foundation.h>\n@interface A\n", "objective-c"},
		{"x.m", "", "objective-c"},
		{"x.m", "function y = f(x)\n% help\nend\n", "matlab"},
		{"x.m", "#import \"a.h\"\n@implementation A\n@end\n", "objective-c"},
		{"x.pl", "use strict;\n", "perl"},
		{"x.pl", "", "perl"},
		{"x.pl", ":- module(a, []).\nfoo(X) :- bar(X).\n", "prolog"},
		{"x.v", "module a;\n", "verilog"},
		{"x.v", "Require Import List.\nTheorem a : b.\n", "coq"},
		{"x.fs", "let x = 1\n", "fsharp"},
		{"x.fs", "#version 330\n", "glsl"},
		{"x.inc", "<?php echo 1;\n", "php"},
		{"x.inc", "int x;\n", "c"},
		{"x.r", "f <- function(x) x\n", "r"},
		{"x.r", "REBOL []\n", ""},
		{"x.cls", "% a class\n", "tex"},
		{"x.cls", "\\LoadClass{article}\n\\newif\\if@class\n% public class A\n", "tex"},
		{"x.cls", strings.Repeat("// a licence of many words\n", 40) + "@isTest\nprivate with sharing Class A {\n}\n", "apex"},
		{"x.cls", "VERSION 1.0 CLASS\r\nBEGIN\r\n  MultiUse = -1\r\nEND\r\n", "visualbasic"},
		{"x.trigger", "trigger A on B (before insert) {\n}\n", "apex"},
		{"x.pp", "class apache {\n}\n", "puppet"},
		{"x.pp", "{ A licence. }\n{$mode objfpc}\nunit a.b;\n", "pascal"},
		{"x.tsx", "<?xml version=\"1.0\"?>\n<tileset/>\n", "xml"},
		{"x.pm", "foo(X) :- bar(X).\n", "prolog"},
		{"x.pl", "#!/usr/bin/perl\nprint ':- ';\n", "perl"},
		{"x.pl", "use strict;\n# a :- b\n", "perl"},
		{"x.m", "@interface A\n% no comment\nend\n", "objective-c"},
		{"script", "#!/bin/sh\n", "bash"},
		{"script", "#!/usr/bin/env python3\n", "python"},
		{"script", "#!/usr/bin/env -S FOO=1 node --flag\n", "javascript"},
		{"script", "#! /usr/bin/perl5.36 -w\n", "perl"},
		{"script", "#!/usr/bin/unknown\n", ""},
		{"script", "#!\n", ""},
		{"script.unknown", "#!/bin/bash\n", "bash"},
		{"x.pony", "actor Main\n  new create(env: Env) =>\n    None\n", Other},
		{"x.pony", strings.Repeat("// a licence\n", 40) + "primitive Words is Report\n", Other},
		{"x.ha", "use fmt;\n\nexport fn main() void = {\n", Other},
		{"x.unknown", "class of 2009\ntype the command\nfunction keys are sub pages\n", ""},
		{"x.unknown", "fun and games\nA class = a set\n", ""},
		{"x.orig", "class A:\n  def b(self):\n", ""},
		{"x.pony", "", ""},
		{"unknown", "class A {\n", ""},
		{"script", "", ""},
		{"Makefile", "", "makefile"},
		{"Makefile.am", "", "makefile"},
		{"Dockerfile", "", "dockerfile"},
		{"docker/Dockerfile.dev", "", "dockerfile"},
		{"CMakeLists.txt", "", "cmake"},
		{"notes.txt", "", "text"},
		{"README", "", "text"},
		{"go.mod", "", "gomod"},
		{"Gemfile", "", "ruby"},
		{".bashrc", "", "bash"},
		{".hidden", "", ""},
		{"trailing.", "", ""},
		{"", "", ""},
		{"schema.graphql", "", "graphql"},
		{"a.tf", "", "terraform"},
		{"package.json", "", "json"},
		{"Cargo.lock", "", "toml"},
		{"x.vue", "", "vue"},
		{"x.svelte", "", "svelte"},
		{"init.vim", "", "vim"},
		{"x.zig", "", "zig"},
		{"x.v", "", "verilog"},
		{"x.v", "// adder\nmodule adder (\n  input a,\n  output b\n);\nendmodule\n", "verilog"},
		{"x.v", "`timescale 1ns\nmodule adder\n  #(parameter N = 1)\n  (input a);\nimport pkg::*;\n", "verilog"},
		{"x.v", "Require Import List.\nTheorem t : True.\n", "coq"},
		{"x.v", "module main\n\nimport os\n", "v"},
		{"x.v", "// a\nfn main() {\n}\n", "v"},
		{"x.v", "module ast\n\npub struct Node {\n}\n", "v"},
		{"x.v", strings.Repeat("// a licence of many words\n", 40) + "module ast\n\npub struct Node {\n}\n", "v"},
		{"build.vsh", "#!/usr/bin/env -S v run\n", "v"},
		{"x.proto", "", "protobuf"},
		{"x.unknown", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path+" "+tt.head, func(t *testing.T) {
			var head []byte
			if tt.head != "" {
				head = []byte(tt.head)
			}
			got := ""
			if l := Detect(tt.path, head); l != nil {
				got = l.Name
			}
			if got != tt.want {
				t.Errorf("Detect(%q, %q) = %q, want %q", tt.path, tt.head, got, tt.want)
			}
		})
	}
}

func TestByName(t *testing.T) {
	for alias, want := range map[string]string{
		"go": "go", "Golang": "go", "TS": "typescript", "tsx": "typescript", "js": "javascript", "py": "python", "rs": "rust", "c++": "cpp", "sh": "bash",
		"C#": "csharp", "cs": "csharp", "yml": "yaml", "md": "markdown", " kt ": "kotlin", "proto": "protobuf", "hcl": "terraform", "objc": "objective-c",
	} {
		t.Run(alias, func(t *testing.T) {
			if l, ok := ByName(alias); !ok || l.Name != want {
				t.Errorf("ByName(%q) = %v, %v, want %q", alias, l, ok, want)
			}
		})
	}
	if l, ok := ByName("klingon"); ok {
		t.Errorf("ByName(klingon) = %v, want none", l)
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"pyton": "python", "Typescirpt": "typescript", "golan": "go", "jva": "java", "rusty": "rust", "csharpp": "csharp", "javascrpt": "javascript", "haskel": "haskell",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Nearest(name); got != want {
				t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
			}
		})
	}
	for _, odd := range []string{"", strings.Repeat("x", 10_000), "\xff"} {
		t.Run(fmt.Sprintf("%.40q", odd), func(t *testing.T) {
			if _, ok := ByName(Nearest(odd)); !ok {
				t.Errorf("Nearest(%.20q) is no language", odd)
			}
		})
	}
}

func TestTable(t *testing.T) {
	all := All()
	for i, l := range all {
		t.Run(l.Name, func(t *testing.T) {
			if int(l.ID) != i || i > 0 && all[i-1].Name >= l.Name {
				t.Errorf("%s has place %d and ID %d, after %s", l.Name, i, l.ID, all[max(i-1, 0)].Name)
			}
			if l.Name != strings.ToLower(l.Name) || strings.ContainsAny(l.Name, " :,") {
				t.Errorf("%q cannot be written in a filter", l.Name)
			}
			for _, e := range l.Extensions {
				if !strings.HasPrefix(e, ".") {
					t.Errorf("%s: extension %q has no dot", l.Name, e)
				}
				if got := Detect("x"+e, nil); got != l {
					t.Errorf("Detect(x%s) = %v, want %s", e, got, l.Name)
				}
			}
			for _, f := range l.Files {
				if got := Detect("a/"+f, nil); got != l {
					t.Errorf("Detect(%s) = %v, want %s", f, got, l.Name)
				}
			}
		})
	}
	for _, name := range strings.Fields("bash c cpp csharp elixir go haskell java javascript kotlin lua php python ruby rust scala swift typescript zig sql protobuf " +
		"markdown yaml toml json xml ini html css clojure perl r julia erlang ocaml dart vim vue svelte terraform dockerfile makefile cmake groovy objective-c fsharp " +
		"graphql nix powershell text rst asciidoc assembly cuda solidity") {
		if l, ok := ByName(name); !ok || l.Name != name {
			t.Errorf("no language %s", name)
		}
	}
}

// TestContestedExtensions holds that the claims on extensions name languages, and extensions of the table.
func TestContestedExtensions(t *testing.T) {
	for ext, claims := range contested {
		t.Run(ext, func(t *testing.T) {
			if byExtension[ext] == nil {
				t.Error("no language has it")
			}
			for _, c := range claims {
				if c.language != "" && byName[c.language] == nil {
					t.Errorf("no language %q", c.language)
				}
			}
		})
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("a/b.h", []byte("class A"))
	f.Add("x", []byte("#!/usr/bin/env -S"))
	f.Fuzz(func(t *testing.T, path string, head []byte) {
		if l := Detect(path, head); l != nil {
			if again, ok := ByName(l.Name); !ok || again != l {
				t.Fatalf("Detect(%q) = %v, which ByName does not know", path, l)
			}
		}
		Classify(path)
	})
}
