package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/ranked/report"
)

// TestDiagnostics holds which places are read in what compilers, linters and runs of tests
// print, and in which order.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"rustc", "warning: unused import: `a::B`\n --> src/lib.rs:1:5\n  |\n1 | use a::B;\n  |     ^^^^\n\nerror[E0308]: mismatched types\n  --> src/cart.rs:12:9\n   |\n12 |     let n = \"a\";\n   |             ^^^ expected `u8`\n   |\nnote: it is declared here\n  --> src/shelf.rs:3:1\n\nerror: aborting due to 1 previous error; 1 warning emitted\n", "src/cart.rs:12 src/lib.rs:1 src/shelf.rs:3"},
		{"cargo test", "thread 'tests::takes' panicked at src/cart.rs:12:9:\nassertion `left == right` failed\n", "src/cart.rs:12"},
		{"gcc", "In file included from src/all.h:3,\n                 from src/main.c:1:\nsrc/cart.c: In function 'take':\nsrc/cart.c:12:9: warning: unused variable 'n'\nsrc/cart.c:14:3: error: 'm' undeclared; info is lost\n   14 |   m = 1;\n      |   ^\nmake: *** [Makefile:4: cart.o] Error 1\n", "src/cart.c:14 src/cart.c:12"},
		{"clang in colours", "\x1b[1msrc/cart.c:14:3: \x1b[0m\x1b[0;1;31merror: \x1b[0muse of undeclared identifier 'm'\n  m = 1;\n  ^\n", "src/cart.c:14"},
		{"MSVC", "C:\\work\\shop\\src\\cart.cpp(14,3): error C2065: 'm': undeclared identifier [C:\\work\\shop\\a.vcxproj]\nD:\\b.cpp(2): warning C4244: conversion\n", "C:/work/shop/src/cart.cpp:14 D:/b.cpp:2"},
		{"PowerShell", "no lid\nAt C:\\shop\\Cart.ps1:14 char:3\n+   throw \"no lid ...\n+   ~~~~~~\n    + CategoryInfo : x\n", "C:/shop/Cart.ps1:14"},
		{"PowerShell 7", "Get-Cart: /home/me/shop/Cart.ps1:14:3\nLine |\n  14 |    $m.Take()\n     |    ~~~~~~~~~\n     | no lid\n", "/home/me/shop/Cart.ps1:14"},
		{"PSScriptAnalyzer", "RuleName       Severity     ScriptName Line  Message\n--------       --------     ---------- ----  -------\nPSAvoidAliases Warning      Cart.ps1   14    'gc' is an alias of 'Get-Content'.\n", "Cart.ps1:14"},
		{"a difference", "--- a/cart.pl\n+++ b/cart.pl\n@@ -12,5 +12,5 @@\n a\n-  take($m);\n+  take($n);\n b\n", "cart.pl:13"},
		{"tsc", "src/cart.ts(14,3): error TS2304: Cannot find name 'm'.\n", "src/cart.ts:14"},
		{"tsc in colours", "\x1b[96msrc/cart.ts\x1b[0m:\x1b[93m14\x1b[0m:\x1b[93m3\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2304: \x1b[0mCannot find name 'm'.\n\n\x1b[7m14\x1b[0m   m = 1\n", "src/cart.ts:14"},
		{"go build", "# shop/internal/stock\n./stock.go:14:3: undefined: m\ninternal/cart/cart.go:2:1: undefined: info\n", "shop/internal/stock/stock.go:14 internal/cart/cart.go:2"},
		{"go vet", "# shop/stock\n# [shop/stock]\nvet: stock/stock.go:14:3: declared and not used: m\n", "stock/stock.go:14"},
		{"go test", "--- FAIL: TestTake (0.00s)\n    stock_test.go:14: 1 is left\nFAIL\nFAIL\tshop/stock\t0.004s\n", "shop/stock/stock_test.go:14"},
		{"golangci-lint", "stock/stock.go:14:3: Error return value of `m` is not checked (errcheck)\n  m()\n  ^\n", "stock/stock.go:14"},
		{"Groovy", "startup failed:\n/home/me/shop/src/Cart.groovy: 14: [Static type checking] - Cannot find m\n @ line 14, column 3.\n             m()\n             ^\n\n1 error\n", "/home/me/shop/src/Cart.groovy:14"},
		{"D", "core.exception.RangeError@src/shop/cart.d(14): Range violation\n", "src/shop/cart.d:14"},
		{"dmd in a mixin", "src/cart.d-mixin-14(17): Error: undefined identifier `m`\n", "src/cart.d:14"},
		{"gfortran's runtime", "At line 14 of file src/cart.f90\nFortran runtime error: End of file\n", "src/cart.f90:14"},
		{"javac", "src/Cart.java:14: error: cannot find symbol\n  m = 1;\n  ^\n  symbol:   variable m\n", "src/Cart.java:14"},
		{"Maven", "[ERROR] /home/me/shop/src/Cart.java:[14,3] cannot find symbol\n[ERROR]   symbol:   variable m\n", "/home/me/shop/src/Cart.java:14"},
		{"kotlinc", "w: file:///home/me/shop/src/Cart.kt:2:1 Variable 'a' is never used\ne: file:///home/me/shop/src/Cart.kt:14:3 Unresolved reference: m\n", "///home/me/shop/src/Cart.kt:14 ///home/me/shop/src/Cart.kt:2"},
		{"kotlinc before 1.9", "e: /home/me/shop/src/Cart.kt: (14, 3): Unresolved reference: m\n", "/home/me/shop/src/Cart.kt:14"},
		{"mypy", "shop/cart.py:14: error: Name \"m\" is not defined  [name-defined]\nshop/cart.py:2: note: see there\n", "shop/cart.py:14 shop/cart.py:2"},
		{"pytest", "    def test_take():\n>       assert take() == 1\nE       assert 2 == 1\n\ntests/test_cart.py:14: AssertionError\n=== short test summary info ===\nFAILED tests/test_cart.py::test_take - assert 2 == 1\n", "tests/test_cart.py:14 tests/test_cart.py:test_take"},
		{"the summary of pytest", "=== short test summary info ===\nFAILED tests/test_cart.py::TestCart::test_take - assert 2 == 1\n=== 1 failed in 0.1s ===\n", "tests/test_cart.py:test_take"},
		{"a trace of pytest", "shop/cart.py:14: in take\n    m()\nE   NameError: m\nFAILED tests/test_cart.py::test_take - NameError\n", ""},
		{"pyright", "/home/me/shop/cart.py\n  /home/me/shop/cart.py:14:3 - error: \"m\" is not defined (reportUndefinedVariable)\n", "/home/me/shop/cart.py:14"},
		{"eslint", "/home/me/shop/src/cart.js\n  2:1   warning  Unexpected console statement  no-console\n  14:3  error    'm' is not defined            no-undef\n\n✖ 2 problems\n", "/home/me/shop/src/cart.js:14 /home/me/shop/src/cart.js:2"},
		{"PHPStan", " ------ -------------------- \n  Line   src/Cart.php        \n ------ -------------------- \n  14     Undefined variable: $m  \n", "src/Cart.php:14"},
		{"PHP", "PHP Warning:  Undefined variable $m in /srv/shop/src/Cart.php on line 14\n", "/srv/shop/src/Cart.php:14"},
		{"PHP uncaught", "PHP Fatal error:  Uncaught Error: Call to undefined function m() in /srv/shop/src/Cart.php:14\n", "/srv/shop/src/Cart.php:14"},
		{"PHPUnit", "1) CartTest::testTake\nFailed asserting that 2 matches expected 1.\n\n/srv/shop/tests/CartTest.php:14\n", "/srv/shop/tests/CartTest.php:14"},
		{"RuboCop", "lib/cart.rb:14:3: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings.\n", "lib/cart.rb:14"},
		{"minitest", "  1) Failure:\nCartTest#test_take [test/cart_test.rb:14]:\nExpected: 1\n", "test/cart_test.rb:14"},
		{"swiftc", "/Users/me/shop/Cart.swift:14:3: error: cannot find 'm' in scope\n", "/Users/me/shop/Cart.swift:14"},
		{"dotnet", "/home/me/shop/src/Cart.cs(14,3): error CS0103: The name 'm' does not exist [/home/me/shop/a.csproj]\n", "/home/me/shop/src/Cart.cs:14"},
		{"scalac", "[error] /home/me/shop/src/Cart.scala:14:3: not found: value m\n[error]   m = 1\n[error]   ^\n", "/home/me/shop/src/Cart.scala:14"},
		{"Scala 3", "-- [E006] Not Found Error: src/Cart.scala:14:2 ------\n14 |  m = 1\n   |  ^\n", "src/Cart.scala:14"},
		{"ghc", "[2 of 3] Compiling Cart ( src/Cart.hs, interpreted )\n\nsrc/Cart.hs:14:3: error: [GHC-88464]\n    Variable not in scope: m\nsrc/Shelf.hs:(2,1)-(3,4): warning: [-Wname-shadowing]\n", "src/Cart.hs:14 src/Shelf.hs:2"},
		{"Elixir", "    error: undefined variable \"m\"\n    │\n 14 │   m = 1\n    │   ^\n    │\n    └─ lib/cart.ex:14:3: Cart.take/1\n", "lib/cart.ex:14"},
		{"Elixir before 1.15", "** (CompileError) lib/cart.ex:14: undefined function m/0\n", "lib/cart.ex:14"},
		{"ExUnit", "  1) test takes (CartTest)\n     test/cart_test.exs:14\n     Assertion with == failed\n", "test/cart_test.exs:14"},
		{"Jest", "FAIL src/cart.test.ts\n  ● takes\n\n      13 |\n    > 14 |   expect(info(m)).toBe(1)\n         |           ^\n\n      at Object.<anonymous> (src/cart.test.ts:14:11)\n", "src/cart.test.ts:14"},
		{"Vitest", " FAIL  src/cart.test.ts > takes\nAssertionError: expected 2 to be 1\n ❯ src/cart.test.ts:14:11\n", "src/cart.test.ts:14"},
		{"Babel", "SyntaxError: /home/me/shop/src/cart.jsx: Unexpected token (14:3)\n", "/home/me/shop/src/cart.jsx:14"},
		{"webpack", "ERROR in ./src/cart.ts 14:3-10\nModule not found: Error: Can't resolve './m'\n", "src/cart.ts:14"},
		{"ShellCheck", "In scripts/take.sh line 14:\nrm $m\n   ^-- SC2086 (info): Double quote to prevent globbing.\n", "scripts/take.sh:14"},
		{"bash", "scripts/take.sh: line 14: m: command not found\n", "scripts/take.sh:14"},
		{"Terraform", "│ Error: Reference to undeclared resource\n│ \n│   on net/main.tf line 14, in resource \"a\" \"b\":\n", "net/main.tf:14"},
		{"CMake", "CMake Error at cmake/cart.cmake:14 (message):\n", "cmake/cart.cmake:14"},
		{"Clojure", "Syntax error compiling at (shop/cart.clj:14:3).\nUnable to resolve symbol: m in this context\n", "shop/cart.clj:14"},
		{"Nim", "/home/me/shop/cart.nim(14, 3) Error: undeclared identifier: 'm'\n", "/home/me/shop/cart.nim:14"},
		{"Xcelium", "xmvlog: *E,UNDIDN (./rtl/cart.sv,14|12): 'm': undeclared identifier [12.5(IEEE)].\nxmsim: *E,ASRTST (/srv/rtl/shelf.sv,3): (time 10 NS) Assertion tb.dut.NoLid has failed\n", "rtl/cart.sv:14 /srv/rtl/shelf.sv:3"},
		{"VCS", "Error-[SE] Syntax error\n  Following verilog source has syntax error :\n  \"rtl/cart.sv\", 14: token is 'm'\n\nError-[URMI] Unresolved modules\nrtl/shelf.sv, 3\n", "rtl/cart.sv:14 rtl/shelf.sv:3"},
		{"Questa", "# ** Error: Assertion error.\n#    Time: 105 ns  Scope: tb.dut File: rtl/cart.sv Line: 14\n** Error: rtl/shelf.sv(3): (vlog-2730) Undefined variable: 'm'.\n", "rtl/cart.sv:14 rtl/shelf.sv:3"},
		{"Quartus", "Error (10161): Verilog HDL error at cart.sv(14): object \"m\" is not declared File: /srv/rtl/cart.sv Line: 14\n", "/srv/rtl/cart.sv:14"},
		{"UVM", "UVM_FATAL /srv/dv/cart.sv(14) @ 2341500: top.env [env] no lid\n", "/srv/dv/cart.sv:14"},
		{"D", "source/cart.d(14): Error: undefined identifier `m`\n", "source/cart.d:14"},
		{"Azure", "##[error]stock/stock.go:14:3: missing return (typecheck)\n##[error]Process completed with exit code 2.\n", "stock/stock.go:14"},
		{"GitHub", "2026-10-01T08:12:14.0034567Z stock/stock.go:14: undefined\n::error file=src/cart.ts,line=3,col=1::Cannot find name\n", "stock/stock.go:14 src/cart.ts:3"},
		{"a difference", "diff --git a/src/cart.go b/src/cart.go\nindex 1a2b3c4..5d6e7f8 100644\n--- a/src/cart.go\n+++ b/src/cart.go\n@@ -10,6 +10,6 @@ func Take() {\n \tn := 1\n \tm := 2\n-\tsrc/a.go:3:4\n+\tsrc/a.go:3:5\n@@ -30 +30 @@\n+a\n--- a/src/b.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n", "src/cart.go:12 src/a.go:3 src/cart.go:30 src/b.go:1"},

		{"a trace of Python", "Traceback (most recent call last):\n  File \"shop/cart.py\", line 14, in take\n    m()\nNameError: m\n", ""},
		{"a warning before a trace", "/usr/lib/shop/a.py:3: DeprecationWarning: old\nlib/b.py:4:1: warning: old\nTraceback (most recent call last):\n  File \"shop/cart.py\", line 14, in take\n    m()\nNameError: m\n", ""},
		{"a trace of Node", "TypeError: m is not a function\n    at take (/srv/src/cart.js:14:3)\n    at /srv/src/main.js:2:1\n", ""},
		{"a trace of Go", "panic: m\n\ngoroutine 1 [running]:\nshop.Take()\n\t/src/stock/stock.go:14 +0x1d\n", ""},
		{"a trace of Go with what was put in line", "panic: m\n\ngoroutine 1 [running]:\nshop.(*Shelf).Take(...)\n\t/src/stock/stock.go:14\n", ""},
		{"code", "m = sp.Matrix(4, 4)\nfor x in map.insert(5: 1)\nvalues.get(14)\n", ""},
		{"a log", "2026-11-22T17:13:49.001Z INFO stock/stock.go:14 taken 12:13\nlistening on shop.example.com:8080\n", ""},
		{"a question", "why is line 14 of cart.go:14 never reached\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var all []string
			for _, d := range report.Diagnostics(c.text) {
				where := d.Function
				if d.Line > 0 {
					where = fmt.Sprint(d.Line)
				}
				all = append(all, d.Path+":"+where)
			}
			if got := strings.Join(all, " "); got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

// TestDiagnosticsShowCode holds what tools show of the line that they name.
func TestDiagnosticsShowCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"rustc", "error: m\n  --> src/cart.rs:12:9\n   |\n11 | fn a() {\n12 |     let n = m;\n   |         ^ expected\n", "    let n = m;"},
		{"gcc", "src/cart.c:12:3: error: m\n   12 |   n = m;\n      |   ^\n", "  n = m;"},
		{"clang", "src/cart.c:12:3: error: m\n  n = m;\n  ^~~\n", "n = m;"},
		{"scalac", "[error] src/Cart.scala:12:3: m\n[error]   n = m;\n[error]   ^\n", "n = m;"},
		{"Jest", "FAIL src/cart.test.ts\n    > 12 |   n = m;\n         |   ^\n", "  n = m;"},
		{"tsc", "src/cart.ts:12:3 - error TS2322: m\n\n12   n = m;\n     ~\n", "  n = m;"},
		{"tags", "src/cart.tsx:12:3 - error TS2322: m\n\n12 |   <div id={m}>\n", "  <div id={m}>"},
		{"none", "src/cart.c:12:3: error: m\n  ^\n", ""},
		{"mypy", "shop/cart.py:12: error: m\nFound 1 error in 1 file\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if all := report.Diagnostics(c.text); len(all) != 1 || all[0].Code != c.want {
				t.Errorf("read %+v, want the code %q", all, c.want)
			}
		})
	}
}

// TestDiagnosticsAreBounded holds that a long text of places costs no more than its bytes.
func TestDiagnosticsAreBounded(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"a.c:1:1: error: b\n", "src/a.js\n", " 1:1 error b\n", "FAIL a.b\n", strings.Repeat("a.b:", 2000) + "\n", strings.Repeat("(", 8000) + "a.b(1\n"} {
		start := time.Now()
		if n := len(report.Diagnostics(strings.Repeat(line, 200_000/len(line)))); n > report.MaxDiagnostics {
			t.Errorf("%d diagnostics", n)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.20q took %s", line, took)
		}
	}
}

func BenchmarkDiagnostics(b *testing.B) {
	log := strings.Repeat("2026-11-22T17:13:50.123Z error controller cannot take 5 items of shelf left in 2.31s from 10.0.0.1:8080\n", 100)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		report.Diagnostics(log)
	}
}
