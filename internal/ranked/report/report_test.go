package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/ranked/report"
)

func TestIs(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a question", "how are the flags of a command parsed before it runs", false},
		{"a message", "Error: unknown command \"srve\" for \"app\"\nRun 'app --help' for usage.", false},
		{"39 words", strings.Repeat("word ", 39), false},
		{"40 words", strings.Repeat("word ", 40), true},
		{"15 words in four lines", "a b c d\na b c d\na b c d\na b c\n", false},
		{"16 words in four lines", "a b c d\na b c d\n\na b c d\na b c d\n", true},
		{"16 words in three lines", "a b c d\na b c d\na b c d e f g h", false},
		{"nothing", "", false},
		{"blank lines", strings.Repeat("\n", 100), false},
		{"one endless word", strings.Repeat("x", 10000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.Is(c.text); got != c.want {
				t.Errorf("Is(%.40q) = %v, want %v", c.text, got, c.want)
			}
		})
	}
}

// issue is one as people file it, after a template.
const issue = `Parser drops the last row
<!-- Please search for other issues first.
     Thank you! -->
### Describe the bug
The last row of a table is lost when it has no line end.
![shot](https://host/shot.png) <details>

### To Reproduce
` + "```python\nrows = parse(text)\nprint(rows[-1])\n```\n\n```\nTraceback (most recent call last):\n  File \"/home/me/app/tables/read.py\", line 12, in parse\n    rows.append(row)\n  File \"/home/me/app/tables/row.py\", line 3, in make\nValueError: no cells\n```" + `
    >>> parse("a")
    []

**Environment:**
 - OS: Ubuntu 22.04
 - Python version: 3.11.2
- [x] I have searched
`

func TestFields(t *testing.T) {
	r := report.Parse(issue)
	for f, want := range map[report.Field]string{
		report.Title: "Parser drops the last row\n",
		report.Prose: "The last row of a table is lost when it has no line end.\n",
		report.Code:  "rows = parse(text)\nprint(rows[-1])\n    >>> parse(\"a\")\n    []\n",
		report.Output: "Traceback (most recent call last):\n  File \"/home/me/app/tables/read.py\", line 12, in parse\n    rows.append(row)\n" +
			"  File \"/home/me/app/tables/row.py\", line 3, in make\nValueError: no cells\n",
	} {
		if diff := cmp.Diff(want, r.Texts[f]); diff != "" {
			t.Errorf("field %d (-want +got):\n%s", f, diff)
		}
	}
	if strings.Contains(r.All(), "Ubuntu") || strings.Contains(r.All(), "search") || strings.Contains(r.All(), "Describe") {
		t.Errorf("the template and the environment are in the text:\n%s", r.All())
	}
	want := []report.Frame{{Path: "/home/me/app/tables/row.py", Line: 3, Function: "make"}, {Path: "/home/me/app/tables/read.py", Line: 12, Function: "parse"}}
	if diff := cmp.Diff(want, r.Frames); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       report.Frame
	}{
		{"IPython", "File ~/code/plot.py:265, in Plot.draw(self)", report.Frame{Path: "~/code/plot.py", Line: 265, Function: "draw"}},
		{"IPython before 8", "~/code/plot.py in draw(self, *args)\n    263 \n--> 265     self.pen.move()\n    266 ", report.Frame{Path: "~/code/plot.py", Line: 265, Function: "draw"}},
		{"IPython on Windows", "c:\\code\\plot.py in <lambda>(x)\n----> 7     move(x)", report.Frame{Path: "c:/code/plot.py", Line: 7}},
		{"pytest", "src/app/run.py:71: in start", report.Frame{Path: "src/app/run.py", Line: 71, Function: "start"}},
		{"Java", "\tat com.shop.Cart.add(Cart.java:17)", report.Frame{Path: "com/shop/Cart.java", Line: 17, Function: "add"}},
		{"JavaScript", "    at Object.sum (/srv/shop/total.js:55:12)", report.Frame{Path: "/srv/shop/total.js", Line: 55, Function: "sum"}},
		{"no function", "    at file:///srv/shop/total.js:55:12", report.Frame{Path: "/srv/shop/total.js", Line: 55}},
		{"Go", "shop/stock.(*Shelf).Take(0x5)\n\t/home/me/stock.go:66 +0x1d", report.Frame{Path: "/home/me/stock.go", Line: 66, Function: "Take"}},
		{"C++", "#3 0x00005555 in shop::Cart::add (this=0x0) at src/cart.cpp:31", report.Frame{Path: "src/cart.cpp", Line: 31, Function: "add"}},
		{"Rust", "   4: shop::cart::add", report.Frame{Function: "add"}},
		{"Rust with its place", "   4: shop::cart::add\n             at ./src/cart.rs:31:5", report.Frame{Path: "./src/cart.rs", Line: 31, Function: "add"}},
		{"a log", "05-17 10:22 W/System.err:     at com.shop.Cart.add(Cart.java:17)", report.Frame{Path: "com/shop/Cart.java", Line: 17, Function: "add"}},
		{"a lambda", "\tat com.shop.Cart.lambda$add$0(Cart.java:17)", report.Frame{Path: "com/shop/Cart.java", Line: 17, Function: "add"}},
		{"a module of Kotlin", "\tat com.shop.Cart.add$shop(Cart.kt:17)", report.Frame{Path: "com/shop/Cart.kt", Line: 17, Function: "add"}},
		{"C#", `   at Shop.Cart.Add(Item item) in C:\src\Shop\Cart.cs:line 17`, report.Frame{Path: "C:/src/Shop/Cart.cs", Line: 17, Function: "Add"}},
		{"PHP", "#0 /srv/shop/Cart.php(17): Shelf->take()", report.Frame{Path: "/srv/shop/Cart.php", Line: 17}},
		{"PHP by what is called above", "#0 /srv/shop/Cart.php(17): Shelf->take()\n#1 /srv/shop/run.php(3): Shop\\Cart->add()", report.Frame{Path: "/srv/shop/Cart.php", Line: 17, Function: "add"}},
		{"Python's form, by others", `  File "/srv/lib/Cart.pm", line 17, in "Shop::Cart::add"`, report.Frame{Path: "/srv/lib/Cart.pm", Line: 17, Function: "add"}},
		{"Perl", "no lid at /srv/lib/Cart.pm line 17, <IN> line 3.\n\tShop::Cart::add(Shop::Cart=HASH(0x5), \"a (b)\") called at /srv/run.pl line 3", report.Frame{Path: "/srv/lib/Cart.pm", Line: 17, Function: "add"}},
		{"Perl outside of functions", "\teval {...} called at /srv/run.pl line 3", report.Frame{Path: "/srv/run.pl", Line: 3}},
		{"PowerShell", "at Add-Cart, C:\\shop\\Cart.psm1: line 17", report.Frame{Path: "C:/shop/Cart.psm1", Line: 17, Function: "Add-Cart"}},
		{"C# without places", "   at Shop.Carts.Cart.Add(Item item, Int32& n)", report.Frame{Path: "Shop/Carts/Cart.cs", Function: "Add"}},
		{"Ruby", "\tfrom /srv/shop/cart.rb:17:in `block in add'", report.Frame{Path: "/srv/shop/cart.rb", Line: 17, Function: "add"}},
		{"Ruby with its class", "cart.rb:17:in 'Shop::Cart#add'", report.Frame{Path: "cart.rb", Line: 17, Function: "add"}},
		{"Ruby behind a level", "WARN: /srv/shop/cart.rb:17:in `add'", report.Frame{Path: "/srv/shop/cart.rb", Line: 17, Function: "add"}},
		{"Julia", " [2] add(cart::Cart, item::Item)\n   @ Shop.Carts ~/shop/src/cart.jl:17\n", report.Frame{Path: "~/shop/src/cart.jl", Line: 17, Function: "add"}},
		{"Elixir", "    (shop 1.0.0) lib/shop/cart.ex:17: Shop.Cart.add/2", report.Frame{Path: "lib/shop/cart.ex", Line: 17, Function: "add"}},
		{"Lua", "\tshop/cart.lua:17: in function 'cart.add'", report.Frame{Path: "shop/cart.lua", Line: 17, Function: "add"}},
		{"Go, who began it", "created by shop/stock.(*Shelf).Open.func1 in goroutine 7\n\t/home/me/stock.go:9 +0x1d", report.Frame{Path: "/home/me/stock.go", Line: 9, Function: "Open"}},
		{"Emacs", "Debugger entered--Lisp error: (no-lid)\n  shop--add-item(nil \"a (b)\")\n", report.Frame{Function: "shop--add-item"}},
		{"Haskell", "  takeItem, called at src/Shop/Cart.hs:9:3 in shop-1.0:Shop.Cart\n  add', called at app/Main.hs:17:1 in main:Main", report.Frame{Path: "src/Shop/Cart.hs", Line: 9, Function: "add'"}},
		{"a package of one word", "\tat shop.Cart$1.add(Cart.java:17)", report.Frame{Path: "shop/Cart.java", Line: 17, Function: "add"}},
		{"Java without lines", "\tat com.shop.Cart.add(Cart.java)", report.Frame{Path: "com/shop/Cart.java", Function: "add"}},
		{"a method that a sentence names", "\tat com.shop.CartTest.adds 'x', if it has room (or not)(CartTest.groovy:17)", report.Frame{Path: "com/shop/CartTest.groovy", Line: 17, Function: "adds 'x', if it has room (or not)"}},
		{"a method that words name", "    at com.shop.CartTest.adds an item(CartTest.groovy:17)", report.Frame{Path: "com/shop/CartTest.groovy", Line: 17, Function: "adds an item"}},
		{"Firefox", "add@http://localhost:8080/src/cart.js:17:3", report.Frame{Path: "http://localhost:8080/src/cart.js", Line: 17, Function: "add"}},
		{"gfortran", "#1  0x55d0 in __shop_carts_MOD_add_item\n\tat ./src/carts.f90:17", report.Frame{Path: "./src/carts.f90", Line: 17, Function: "add_item"}},
		{"gfortran without lines", "#1  0x55d0 in __shop_carts_MOD_add_item\n#2  0x55d1 in MAIN__", report.Frame{Function: "add_item", Within: "shop_carts"}},
		{"Intel Fortran", "shop   000000000040A1B2  carts_mp_add_item_         17  carts.F90", report.Frame{Path: "carts.F90", Line: 17, Function: "add_item"}},
		{"Intel Fortran without lines", "shop   000000000040A1B2  carts_mp_add_item_    Unknown  Unknown", report.Frame{Function: "add_item", Within: "carts"}},
		{"flang", "./shop(_QMcartsPadd_item+0x2ab) [0x55f1]", report.Frame{Function: "add_item", Within: "carts"}},
		{"glibc", "./shop(_ZN4shop4Cart3addEi+0x2ab)[0x55f1]", report.Frame{Function: "add", Within: "Cart"}},
		{"gdb without lines", "#3  0x00007f00 in cart_add () from /usr/lib/libshop.so.1", report.Frame{Function: "cart_add"}},
		{"gdb, of what looks like a module", "#3  0x00007f00 in cart_mp_add () from /usr/lib/libshop.so.1", report.Frame{Function: "cart_mp_add"}},
		{"D", "src/shop/cart.d:17 pure nothrow @safe int[] shop.cart.add!(int[]).add(ref int[], ulong) [0x55e9a1]", report.Frame{Path: "src/shop/cart.d", Line: 17, Function: "add"}},
		{"D without lines", "??:? const(char)[] shop.carts.Cart.add(const(char)[]) const [0x4a1]", report.Frame{Path: "shop/carts.d", Function: "add"}},
		{"a linker", "cart.c:(.text+0x1): undefined reference to `__shop_carts_MOD_add_item'", report.Frame{Function: "add_item", Within: "shop_carts"}},
		{"a linker, of D", "undefined reference to `_D4shop5carts__T3addTiZQhFNaNbiZv'", report.Frame{Path: "shop/carts.d", Function: "add"}},
		{"lld", "ld.lld: error: undefined symbol: cart_add", report.Frame{Function: "cart_add"}},
		{"a message", `"error":"no cart","trace":"shop.add (cart.go:17)"`, report.Frame{Path: "cart.go", Line: 17, Function: "add", Told: true}},
		{"a hosting site", "see https://host/me/shop/blob/0a1b2c/src/cart.c#L10", report.Frame{Path: "src/cart.c", Line: 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.Parse(c.text).Frames; !slices.Contains(got, c.want) {
				t.Errorf("frames of %q: %+v, want %+v", c.text, got, c.want)
			}
		})
	}
}

// TestCauses holds that what caused an exception stands before what it caused.
func TestCauses(t *testing.T) {
	const trace = "java.io.IOException: a\n\tat a.b.Cart.add(Cart.java:1)\n\tat a.b.Main.main(Main.java:2)\nCaused by: java.io.EOFException: b\n\tat a.b.Shelf.take(Shelf.java:3)\nCaused by: c\n\tat a.b.Room.open(Room.java:4)\n"
	var got []string
	for _, f := range report.Frames(trace) {
		got = append(got, f.Function)
	}
	if want := "open take add main"; strings.Join(got, " ") != want {
		t.Errorf("frames %q, want %q", got, want)
	}
}

// TestHostile takes apart what nobody means to ask.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, text string
		terms      int // at most
	}{
		{"a log of one repeated line", strings.Repeat("2026-01-02 10:00:00 worker 17 lost its lease\n", 230), 12},
		{"a minified trace", "Error: x\n" + strings.Repeat("    at a.b (https://host/app.min.js:1:28391)\n", 200), 20},
		{"base64", strings.Repeat("TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24\n", 150), 2},
		{"colours", "\x1b[31merror\x1b[0m the \x1b[1mshelf\x1b[0m is empty\n", 6},
		{"an empty template", "### Describe the bug\n\n### Steps to reproduce\n\n### Expected behavior\n\n### Environment\n- OS:\n- Version:\n", 8},
		{"another language", strings.Repeat("购物车是空的。Корзина пуста.\n", 40), 40},
		{"a diff", "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-old\n+new\n", 12},
		{"noise", strings.Repeat("|| l1 ;; ~~ 0O |l\n", 100), 8},
		{"bad bytes", strings.Repeat("\xff\xfe\x00 \xc3\n", 500), 4},
		{"a comment without an end", "title\n<!-- " + strings.Repeat("so it goes\n", 50), 4},
		{"a fence without an end", "title\n```\n" + strings.Repeat("x = y\n", 50), 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := report.Parse(c.text).Terms(); len(got) > c.terms {
				t.Errorf("%d terms, want at most %d: %v", len(got), c.terms, got)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(issue)
	f.Add("```\n<!--")
	f.Fuzz(func(t *testing.T, text string) {
		r := report.Parse(text)
		for _, term := range r.Terms() {
			if term.Text == "" || term.Weight <= 0 {
				t.Fatalf("term %+v of %q", term, text)
			}
		}
	})
}
