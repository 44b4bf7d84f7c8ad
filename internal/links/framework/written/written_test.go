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
		, c)`, "a b // ) c c"},
		{`f("it's", 'a, b', ` + "`c\n,`)", `"it's" 'a, b' ` + "`c\n,`"},
		{`f(")" + x, [1, 2], {a: 1})`, `")" + x [1, 2] {a: 1}`},
		{`f(|a: A, _: B<C>| async { a }, move |(x, y), z| x | y, c | d, e | f)`, "|a: A, _: B<C>| async { a } move |(x, y), z| x | y c | d e | f"},
		{`f(a || b, || c, |d)`, "a || b || c |d"},
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

func TestNestedKeys(t *testing.T) {
	got := fmt.Sprint(written.NestedKeys([]byte("# x: y\na:\n  b: 1\n  c.d:\n    - e: 2\n    f: 3\ng: h\n---\nb:\n")))
	if want := "[{a 2} {a.b 3} {a.c.d 4} {a.c.d.f 6} {g 7} {b 9}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWordBefore(t *testing.T) {
	for text, want := range map[string]string{"x from ": "from", "FROM\n  app.": "FROM", "into `": "into", "": "", "a.": "", "x, ": "", "join \"": "join"} {
		t.Run(text, func(t *testing.T) {
			if got := written.WordBefore([]byte(text), len(text)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"const { A, B: b, C = 'x' } = process.env": `["A", "B", "C"]`, "const {\n  A,\n} =\nprocess.env": `["A"]`, "x = process.env": "none", "{ A } == process.env": "none",
		"} = process.env": "none", "process.env": "none", "{ A } = env": "none",
	} {
		t.Run(text, func(t *testing.T) {
			got := "none"
			if list, _, ok := written.Index([]byte(text), len(text)-len("env"), len(text)); ok {
				got = list[0].Text
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestIndex(t *testing.T) {
	for text, want := range map[string]string{
		`env["A"]`: `"A"`, "env.A_B;": `"A_B"`, "env.get": "none", "env.A(": "none", "env": "none", "env.": "none",
	} {
		t.Run(text, func(t *testing.T) {
			got := "none"
			if list, _, ok := written.Index([]byte(text), 0, len("env")); ok {
				got = list[0].Text
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestJoinPath(t *testing.T) {
	for want, parts := range map[string][2]string{"/a/b": {"a/", "/b"}, "/": {"", ""}, "/a": {"/a", ""}, "/b/": {"", "^b/"}, "/x": {"", "/x"}} {
		t.Run(want, func(t *testing.T) {
			if got := written.JoinPath(parts[0], parts[1]); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestTemplate(t *testing.T) {
	for p, want := range map[string]string{"a/b.html.erb": "a/b", "x.blade.php": "x", "x.php": "", "views/.html": "views/.html"} {
		t.Run(p, func(t *testing.T) {
			if got, _ := written.Template(p); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestCallsBehind(t *testing.T) {
	for text, want := range map[string]int{"\n  .get(a, b)\n  .post(c);": 24, ";": 0, " .x": 0, ".get(a) + 1": 7, "": 0} {
		t.Run(text, func(t *testing.T) {
			if got := written.CallsBehind([]byte(text), 0); got != want {
				t.Errorf("got %d, want %d", got, want)
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

func TestAnswers(t *testing.T) {
	for text, want := range map[string]string{
		"get(show).post(create)":                                    "get show, post create",
		"web::get().to(show)":                                       "get show",
		"get(|_: Path<i32>, _: State| async {})":                    "get |_: Path<i32>, _: State| async {}",
		"on(MethodFilter::GET, a).on(MethodFilter::POST, b)":        "get a, post b",
		"on_service(MethodFilter::PUT.or(MethodFilter::PATCH), a,)": "put a, patch a",
		"on(filter, a)":                                             "",
	} {
		t.Run(text, func(t *testing.T) {
			var all []string
			for _, a := range written.Answers(written.Argument{Text: text}) {
				all = append(all, a.Method+" "+a.Handler.Text)
			}
			if got := strings.Join(all, ", "); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
