package place

import "testing"

func TestName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"internal/a.go", "internal/a.go"},
		{"-rf", "-rf"},
		{"größe.txt", "größe.txt"},
		{"a b.txt", "a b.txt"},
		{" a", `" a"`},
		{"", `""`},
		{"new\nline", `"new\nline"`},
		{"\x1b[2J", `"\x1b[2J"`},
		{"bad\xff.go", `"bad\xff.go"`},
		{`q"uote`, `"q\"uote"`},
		{"rtl\u202egnp.exe", `"rtl\u202egnp.exe"`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			got := Name(tt.in)
			if got != tt.want {
				t.Errorf("Name(%q) = %s, want %s", tt.in, got, tt.want)
			}
			if back := ParseName(got); back != tt.in {
				t.Errorf("ParseName(%s) = %q, want %q", got, back, tt.in)
			}
		})
	}
}

func TestSymbol(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Server.Close":        "Server.Close",
		`App\Http\Kernel.run`: `App\Http\Kernel.run`,
		"operator\n":          `"operator\n"`,
		"A\\B\x1b":            `"A\\B\x1b"`,
		"":                    `""`,
	} {
		if got := Symbol(in); got != want {
			t.Errorf("Symbol(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		want  Place
		lines bool
	}{
		{"a.go", Place{"a.go", 0, 0}, false},
		{"a.go:10", Place{"a.go", 10, 10}, true},
		{"a.go:10-40", Place{"a.go", 10, 40}, true},
		{"a.go:10-", Place{"a.go", 10, 0}, true},
		{"a.go:0", Place{"a.go", 0, 0}, true},
		{"a.go:9-3", Place{"a.go", 9, 3}, true},
		{"a.go:1234567890", Place{"a.go:1234567890", 0, 0}, false},
		{"a:b.go", Place{"a:b.go", 0, 0}, false},
		{"a:1:2", Place{"a", 1, 1}, true},
		{"a.go:1:", Place{"a.go", 1, 1}, true},
		{"a.go:1:2:3", Place{"a.go:1", 2, 2}, true},
		{`"bad\xff.go":10-40`, Place{"bad\xff.go", 10, 40}, true},
		{`"bad\xff.go"`, Place{"bad\xff.go", 0, 0}, false},
		{`"unclosed:3`, Place{`"unclosed`, 3, 3}, true},
		{"`raw`:3", Place{"`raw`", 3, 3}, true},
		{"a.go:-3", Place{"a.go:-3", 0, 0}, false},
		{"a.go:", Place{"a.go:", 0, 0}, false},
		{"a\nb:2", Place{"a\nb", 2, 2}, true},
		{"", Place{}, false},
		{":5", Place{"", 5, 5}, true},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got, lines := Parse(tt.in); got != tt.want || lines != tt.lines {
				t.Errorf("Parse(%q) = %+v, %v, want %+v, %v", tt.in, got, lines, tt.want, tt.lines)
			}
		})
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"a.go", "a\xffb", `"`, `"\x`, "\u202e", " "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if back := ParseName(Name(s)); back != s {
			t.Fatalf("ParseName(Name(%q)) = %q", s, back)
		}
		if p, lines := Parse(Name(s) + ":7-9"); p != (Place{s, 7, 9}) || !lines {
			t.Fatalf("Parse(Name(%q):7-9) = %+v, %v", s, p, lines)
		}
	})
}

func TestParsePosition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Position{
		"a.go:3:4":        {"a.go", 3, 4},
		"a.go:3":          {"a.go", 3, 0},
		"a:1.go:3:4":      {"a:1.go", 3, 4},
		`"a\nb.go":3:4`:   {"a\nb.go", 3, 4},
		"a.go:0:4":        {"a.go:0", 4, 0},
		"C:/x/a.go:12:40": {"C:/x/a.go", 12, 40},
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParsePosition(text); err != nil || got != want {
				t.Errorf("ParsePosition(%q) = %+v, %v; want %+v", text, got, err, want)
			}
		})
	}
	for _, text := range []string{"", "a.go", ":3:4", "a.go:", "a.go:x", "a.go:-1"} {
		t.Run("not "+text, func(t *testing.T) {
			if got, err := ParsePosition(text); err == nil {
				t.Errorf("ParsePosition(%q) = %+v, want an error", text, got)
			}
			if IsPosition(text) {
				t.Errorf("IsPosition(%q), which ParsePosition does not read", text)
			}
		})
	}
}
