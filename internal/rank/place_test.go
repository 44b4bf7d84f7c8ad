package rank

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Place
		rest string
	}{
		{"read and/or write", nil, "read and/or write"},
		{"version 1.2.3 of http.Server", nil, "version 1.2.3 of http.Server"},
		{"see https://example.com/a.go", nil, "see https://example.com/a.go"},
		{"internal/foo/bar.go:120", []Place{{"internal/foo/bar.go", 120}}, "internal/foo/bar.go "},
		{"bar.go", []Place{{"bar.go", 0}}, "bar.go "},
		{"./bar.go:7:2: undefined: x", []Place{{"bar.go", 7}}, "bar.go :2: undefined: x"},
		{"at foo (src/a.js:10:5)", []Place{{"src/a.js", 10}}, "at foo (src/a.js :5)"},
		{`  File "/home/u/p/app/x.py", line 3, in f`, []Place{{"home/u/p/app/x.py", 3}}, `  File "p/app/x.py , in f`},
		{"pkg.Func(0x1)\n\t/go/src/net/file.go:12 +0x1d", []Place{{"go/src/net/file.go", 12}}, "pkg.Func(0x1)\n\tsrc/net/file.go  +0x1d"},
		{"at com.foo.Bar.run(Bar.java:123)", []Place{{"Bar.java", 123}}, "at com.foo.Bar.run(Bar.java )"},
		{`in C:\src\App\Main.cs:line 12`, []Place{{"src/App/Main.cs", 12}}, "in src/App/Main.cs "},
		{"app/models/x.rb:12:in 'foo'", []Place{{"app/models/x.rb", 12}}, "app/models/x.rb :in 'foo'"},
		{" --> src/main.rs:10:5", []Place{{"src/main.rs", 10}}, " --> src/main.rs :5"},
		{"web/page.test.ts#L9", []Place{{"web/page.test.ts", 9}}, "web/page.test.ts "},
		{"see https://github.com/o/r/blob/1a2b/web/src/page.ts#L9-L12 first", []Place{{"web/src/page.ts", 9}}, "see web/src/page.ts -L12 first"},
		{"https://gitlab.com/g/o/r/-/blob/main/web/page.md?plain=1#L9", []Place{{"web/page.md", 9}}, "web/page.md "},
		{"src/a.ts (12 lines)", []Place{{"src/a.ts", 0}}, "src/a.ts  (12 lines)"},
		{`File "src/a.py" , line 12, in f`, []Place{{"src/a.py", 12}}, `File "src/a.py , in f`},
		{"src/a.ts(12,5): error TS2304", []Place{{"src/a.ts", 12}}, "src/a.ts ,5): error TS2304"},
		{"a.go:1 a.go:1 a.go:2", []Place{{"a.go", 1}, {"a.go", 2}}, "a.go  a.go  a.go "},
		{"at f (file:///app/src/a.js:10:5)", []Place{{"app/src/a.js", 10}}, "at f (app/src/a.js :5)"},
		{"at http://localhost:5173/src/App.svelte:12:5", []Place{{"src/App.svelte", 12}}, "at src/App.svelte :5"},
		{"at f (http://localhost:5173/src/a.js?v=1a2b:12:5)", []Place{{"src/a.js", 12}}, "at f (src/a.js :5)"},
		{"webpack-internal:///./src/a.ts:3:1", []Place{{"src/a.ts", 3}}, "src/a.ts :1"},
		{"open@file:///app/a.js:1:2", []Place{{"app/a.js", 1}}, "app/a.js :2"},
		{"core.RangeError@lib/list.d(56): x", []Place{{"lib/list.d", 56}}, "lib/list.d ): x"},
		{"node_modules/@a/b/c.js:3", []Place{{"node_modules/@a/b/c.js", 3}}, "@a/b/c.js "},
		{"conf/app.yaml and data.bin", []Place{{"conf/app.yaml", 0}}, "conf/app.yaml  and data.bin"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, rest := places(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" || rest != c.rest {
				t.Errorf("places(%q): rest %q, want %q (-want +got)\n%s", c.text, rest, c.rest, diff)
			}
		})
	}
}

func TestPlaceMatches(t *testing.T) {
	for _, c := range []struct {
		place, path string
		parts       int
		whole       bool
	}{
		{"bar.go", "internal/foo/bar.go", 1, true},
		{"foo/bar.go", "internal/foo/bar.go", 2, true},
		{"home/u/internal/foo/bar.go", "internal/foo/bar.go", 3, true},
		{"x/bar.go", "internal/foo/bar.go", 1, false},
		{"bar.go", "internal/foo/ubar.go", 0, false},
		{"usr/lib/python3/dist-packages/shop/cart.py", "src/shop/cart.py", 2, true},
		{"usr/local/share/perl/5.34.0/Shop/Cart.pm", "lib/Shop/Cart.pm", 2, true},
		{"home/me/shop/cart.py", "src/shop/cart.py", 2, false},
		{"usr/lib/python3/dist-packages/shop/cart.py", "tools/shop/cart.py", 2, false},
		{"usr/lib/python3/dist-packages/cart.py", "src/cart.py", 1, false},
		{"app/node_modules/shop/cart.js", "packages/shop/cart.js", 2, true},
	} {
		t.Run(c.place+" for "+c.path, func(t *testing.T) {
			parts, whole := Place{Path: c.place}.Matches(c.path)
			if parts != c.parts || whole != c.whole {
				t.Errorf("%s matches %s in %d parts, whole %v; want %d, %v", c.place, c.path, parts, whole, c.parts, c.whole)
			}
		})
	}
}

func TestPlaceStem(t *testing.T) {
	for path, want := range map[string]string{
		"bar.go": "bar", "a.b/bar.test.ts": "bar.test", "conf/.env": ".env", ".env.local": ".env", "Makefile": "Makefile", "x.y/Makefile": "Makefile",
	} {
		t.Run(path, func(t *testing.T) {
			if got := (Place{Path: path}).Stem(); got != want {
				t.Errorf("stem of %s = %q, want %q", path, got, want)
			}
		})
	}
}

func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"a/b.go:12", "File \"x.py\", line 3", "C:\\a\\b.cs:line 1", "...//..a.go", "\xff/é.go:9999999999", strings.Repeat("a/", 99) + "b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := places(text)
		for _, p := range found {
			if p.Path == "" || p.Line < 0 || p.Stem() == "" {
				t.Errorf("places(%q): %+v", text, p)
			}
			if parts, whole := p.Matches(p.Path); parts == 0 || !whole {
				t.Errorf("%q does not match itself", p.Path)
			}
		}
	})
}
