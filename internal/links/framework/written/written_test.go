package written_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/links/framework/written"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`f("/x", handler)`, `"/x" handler`},
		{`f("/x", methods=["GET", "POST"])`, `"/x" methods=["GET", "POST"]`},
		{`f<User>('/x', ctx => ctx.body)`, `'/x' ctx => ctx.body`},
		{`f '/x'`, "none"},
		{`f("/x", :as => "y", to: "c#a")`, `"/x" as="y" to="c#a"`},
		{`f('prefix' => 'admin', "a b": 1)`, `prefix='admin' a b=1`},
		{`f(a == b, c::d, e = "=")`, `a == b c::d e="="`},
		{`f(/* , */ a, b // ) c
		, c)`, "/* , */ a b // ) c c"},
		{`f("it's", 'a, b', ` + "`c\n,`)", `"it's" 'a, b' ` + "`c\n,`"},
		{`f(")" + x, [1, 2], {a: 1})`, `")" + x [1, 2] {a: 1}`},
		{`f(a, b`, "none"},
		{`f(` + strings.Repeat("(", 1000), "none"},
		{`f(` + strings.Repeat("x, ", 10000) + `)`, "none"},
		{`f()`, ""},
	} {
		t.Run(c.text[:min(len(c.text), 30)], func(t *testing.T) {
			list, end, ok := written.Arguments([]byte(c.text), 1)
			var all []string
			for _, a := range list {
				if got := c.text[a.From:a.To]; got != a.Text {
					t.Errorf("%q stands at the place of %q", got, a.Text)
				}
				if a.Name != "" {
					a.Text = a.Name + "=" + a.Text
				}
				all = append(all, a.Text)
			}
			got := strings.Join(all, " ")
			if !ok {
				got = "none"
			} else if end != len(c.text) {
				t.Errorf("ends at %d of %d", end, len(c.text))
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a", `'a'`: "a", "`a`": "a", `r"a\b"`: `a\b`, `"""a"""`: "a", `:name`: "name", `@"a"`: "a",
		`f"/x/{id}"`: "/x/{} filled", "`/x/${id}`": "/x/{} filled", `"/x/#{id}"`: "/x/{} filled", `$"/x/{id}"`: "/x/{} filled",
		`"/x/{id}"`: "/x/{id}", `"a" + "b"`: "none", `name`: "none", `"`: "none", ``: "none", `:a.b`: "none", `"a`: "none", `:`: "none",
	} {
		t.Run(text, func(t *testing.T) {
			got, filled, ok := written.Literal(text)
			if filled {
				got += " filled"
			}
			if !ok {
				got = "none"
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestAt(t *testing.T) {
	list, _, _ := written.Arguments([]byte(`("a", name="b", "c")`), 0)
	for want, p := range map[string]written.Position{
		`"a"`: {}, `"c"`: {Index: -1}, `"b"`: {Name: "x|name"}, "none": {Index: written.ByName, Name: "other"},
	} {
		t.Run(want, func(t *testing.T) {
			a, ok := written.At(list, p)
			if !ok {
				a.Text = "none"
			}
			if a.Text != want {
				t.Errorf("got %s", a.Text)
			}
		})
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]string{
		"  @app.get": "true app", "#[route": "true ", "client.get": "false client", "x = std::env::var": "false std::env", "@a\nget": "false ", "get": "false ",
	} {
		t.Run(text, func(t *testing.T) {
			at := len(text)
			for at > 0 && text[at-1] >= 'a' && text[at-1] <= 'z' {
				at--
			}
			if got := fmt.Sprintf("%v %s", written.IsMark([]byte(text), at), written.Chain([]byte(text), at)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestIsAttribute(t *testing.T) {
	for text, want := range map[string]bool{
		"}\n  [Get": true, "[ApiController, Get": true, "[Route(\"[x]\"), Get": true, "[Authorize(\"a\")]\n[Get": true, "/// <x/>\n[Get": true,
		"a[Get": false, "x = [Get": false, "Get": false, "; Get": false, "f(Get": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := written.IsAttribute([]byte(text), len(text)-3); got != want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestBehindMarks(t *testing.T) {
	for text, want := range map[string]string{
		"\n  @Post('x')\n  // why\n  @a.b @c\n  public f() {}": "public f() {}", " f()": "f()", "@x": "", "/x": "/x", "": "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := text[written.BehindMarks([]byte(text), 0):]; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{`("a", b: c)`, "(`", `("""`, "(/*", "('\\", `({[`, `(:a => :b)`, `("" => "")`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, end, ok := written.Arguments([]byte(s), 0)
		if ok && (end < 1 || end > len(s)) {
			t.Errorf("ends at %d of %d", end, len(s))
		}
		for _, a := range list {
			if s[a.From:a.To] != a.Text {
				t.Errorf("%q at the place of %q", s[a.From:a.To], a.Text)
			}
			written.Literal(a.Text)
			written.Literals(a.Text)
		}
	})
}
