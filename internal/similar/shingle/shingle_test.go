package shingle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/lang"
	"espy/internal/sample"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", "x := f(a, \"b c\") // d", `x : = f ( a , "b c" )`},
		{"go", "/* a\n b */ if x_1 { 'c' }", "if x_1 { 'c' }"},
		{"python", "def f(x): # c\n  return 1.5", "def f ( x ) : return 1 . 5"},
		{"sql", "select 'it''s' -- no", "select 'it' 's'"},
		{"erlang", "f(X) -> \"% no\". % yes", `f ( X ) - > "% no" .`},
		{"markdown", "Don't // not a comment", "Don ' t / / not a comment"},
		{"", "größe = `a` 日本 \xff \"open", "größe = `a` 日 本 \" open"},
		{"go", "", ""},
	} {
		t.Run(c.language+" "+c.text, func(t *testing.T) {
			l, _ := lang.ByName(c.language)
			var got []string
			for _, tok := range Tokens(l, []byte(c.text), 1) {
				got = append(got, c.text[tok.Start:tok.End])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	golang, _ := lang.ByName("go")
	for _, c := range []struct {
		text string
		kind Kind
	}{{"if", Keyword}, {"iffy", Name}, {"12", Number}, {"0x1f", Number}, {`"if"`, Literal}, {"{", Mark}} {
		t.Run(c.text, func(t *testing.T) {
			if got := Tokens(golang, []byte(c.text), 1); len(got) != 1 || got[0].Kind != c.kind || got[0].IsWord() != (c.kind != Mark) {
				t.Errorf("%+v, want kind %d", got, c.kind)
			}
		})
	}
}

// body is a text of 37 tokens.
const body = `func sum(list []int) int {
	total := 0
	for _, x := range list {
		if x > 0 {
			total += x
		}
	}
	return total
}`

func TestMatches(t *testing.T) {
	golang, _ := lang.ByName("go")
	renamed := strings.NewReplacer("total", "n", "list", "all", "sum", "count").Replace(body)
	mixed := strings.Replace(renamed, "n += x", "other += x", 1)
	for _, c := range []struct{ name, text, want string }{
		{"equal", body, "equal 37 alike 37 in 1"},
		{"other spacing", strings.ReplaceAll(body, "\n", " ") + "// end", "equal 37 alike 37 in 1"},
		{"within more", "package p\n" + body + "\nvar x int\n", "equal 37 alike 37 in 1"},
		{"renamed", renamed, "equal 31 alike 37 in 1"},
		{"one name is another", mixed, "equal 31 alike 36 in 1"},
		{"twice", body + "\n" + body, "equal 37 alike 37 in 1; equal 37 alike 37 in 1"},
		{"a line put in", strings.Replace(body, "\tfor", "\tprintln(1, 2)\n\tfor", 1), "equal 37 alike 37 in 2"},
		{"parts moved", body[strings.Index(body, "\tfor"):] + "\n" + body[:strings.Index(body, "\tfor")], "equal 37 alike 37 in 2"},
		{"nothing", "package p\n\nvar x, y = 1, 2\n", ""},
		{"no text", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewPattern(Tokens(golang, []byte(body), 1))
			var got []string
			for _, m := range p.Matches(Tokens(golang, []byte(c.text), 1), 10) {
				got = append(got, fmt.Sprintf("equal %d alike %d in %d", m.Equal, m.Alike, len(m.Tiles)))
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, "; "), c.want)
			}
		})
	}
}

func TestHide(t *testing.T) {
	golang, _ := lang.ByName("go")
	p := NewPattern(Tokens(golang, []byte(body), 1))
	for _, c := range []struct{ first, last, want int }{{0, 0, 2}, {1, 9, 1}, {9, 9, 2}, {1, 18, 0}} {
		t.Run(fmt.Sprintf("%d-%d", c.first, c.last), func(t *testing.T) {
			tokens := Tokens(golang, []byte(body+"\n"+body), 1)
			Hide(tokens, c.first, c.last)
			if got := p.Matches(tokens, 30); len(got) != c.want {
				t.Errorf("%d places, want %d", len(got), c.want)
			}
		})
	}
}

// TestRealCode holds of real files that tokens stand where they say, in order, and
// that tiles are what both texts have and do not overlap.
func TestRealCode(t *testing.T) {
	golang, _ := lang.ByName("go")
	sources := sample.GoSources(t)
	var last []Token
	for _, name := range []string{"encoding/base64/base64.go", "encoding/base32/base32.go", "net/url/url.go", "strings/strings.go", "encoding/json/decode.go"} {
		t.Run(name, func(t *testing.T) {
			text := []byte(sources[name])
			if len(text) == 0 {
				t.Skipf("the source of Go here has no %s", name)
			}
			tokens := Tokens(golang, text, 1)
			checkTokens(t, text, tokens)
			other := last
			last = tokens
			if other == nil {
				return
			}
			found := NewPattern(tokens).Matches(other, 1)
			if len(found) == 0 {
				t.Fatal("nothing in common")
			}
			seen := make([]bool, len(other))
			for _, m := range found {
				for _, tile := range m.Tiles {
					for i := range tile.Len {
						a, b := tokens[tile.A+i], other[tile.B+i]
						if a.Shape != b.Shape || !tile.Shape && a.Exact != b.Exact || seen[tile.B+i] {
							t.Fatalf("tile %+v: token %d is not shared, or twice", tile, i)
						}
						seen[tile.B+i] = true
					}
				}
			}
		})
	}
}

func checkTokens(t *testing.T, text []byte, tokens []Token) {
	t.Helper()
	at := int32(0)
	for i, tok := range tokens {
		if tok.Start < at || tok.End <= tok.Start || int(tok.End) > len(text) {
			t.Fatalf("token %d stands at %d-%d, the one before ends at %d", i, tok.Start, tok.End, at)
		}
		at = tok.End
	}
	for _, i := range []int{0, len(tokens) / 2, len(tokens) - 1} {
		if i < 0 || i >= len(tokens) {
			continue
		}
		tok := tokens[i]
		if want := 1 + strings.Count(string(text[:tok.Start]), "\n"); int(tok.Line) != want {
			t.Fatalf("token %d is on line %d, want %d", i, tok.Line, want)
		}
		if want := int(tok.Line) + strings.Count(string(text[tok.Start:tok.End]), "\n"); int(tok.LastLine) != want {
			t.Fatalf("token %d ends on line %d, want %d", i, tok.LastLine, want)
		}
	}
}

// TestRepetition holds that a table of equal rows takes no time for each pair of them.
func TestRepetition(t *testing.T) {
	golang, _ := lang.ByName("go")
	row := "\t{0, 0, 0, 0, 0, 0, 0, 0},\n"
	for _, rows := range []int{10, 2_000} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			tokens := Tokens(golang, []byte(strings.Repeat(row, rows)), 1)
			found := NewPattern(slices.Clone(tokens)).Matches(tokens, len(tokens)/2)
			if len(found) != 1 || found[0].Equal != len(tokens) {
				t.Errorf("%d places, want one that is equal", len(found))
			}
		})
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{body, "a \"b\n", "/* x", "'\\", "\xff\x00é日"} {
		f.Add("go", []byte(seed), []byte(body))
		f.Add("sql", []byte(seed), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, language string, text, other []byte) {
		l, _ := lang.ByName(language)
		tokens := Tokens(l, text, 1)
		checkTokens(t, text, tokens)
		if len(tokens) == 0 {
			return
		}
		p := NewPattern(tokens)
		for _, m := range p.Matches(Tokens(l, other, 1), 1) {
			if m.Equal > m.Alike || m.Alike > m.Common || m.Common > len(tokens) {
				t.Fatalf("%+v of %d tokens", m, len(tokens))
			}
		}
		if whole := p.Matches(slices.Clone(tokens), 1); len(whole) == 0 || whole[0].Equal == 0 {
			t.Fatal("a text is not like itself")
		}
	})
}
