package trigram

import (
	"math/rand"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

func TestGramsOfRegex(t *testing.T) {
	for _, c := range []struct{ pattern, grams, need string }{
		{"abc", "abc", "abc"},
		{"Abcd", "abc bcd", "Abcd"},
		{"ab", "*", "ab"},
		{"a", "*", ""},
		{"a.c", "*", ""},
		{"abc.*defgh", "abc def efg fgh", "defgh"},
		{"abc|def", "abc|def", "abc def"},
		{"(abc|abd)e", "abc bce|abd bde", "abce abde"},
		{"ab(c|d)ef", "abc bce cef|abd bde def", "abcef abdef"},
		{"abc?d", "abc bcd|abd", "abcd abd"},
		{"(abc)*def", "def", "def"},
		{"(abc)+def", "abc bcd cde def", "abcdef"},
		{"x(abc)+", "abc xab", "xabc"},
		{"[ab]cde", "cde (acd|bcd)", "acde bcde"},
		{"[a-z]cde", "cde", "cde"},
		{"[a-z]+xy", "(axy|bxy|cxy|dxy|exy|fxy|gxy|hxy|ixy|jxy|kxy|lxy|mxy|nxy|oxy|pxy|qxy|rxy|sxy|txy|uxy|vxy|wxy|xxy|yxy|zxy)", "xy"},
		{"abc|x", "*", ""},
		{"abc|.", "*", ""},
		{"", "*", ""},
		{"^abc$", "abc", "abc"},
		{`\bfoo\b`, "foo", "foo"},
		{`func \(\w+ \*Server\) \w+`, " *s *se c ( er) erv fun nc  r)  rve ser unc ver", " *Server) "},
		{"(?i)Skel", "kel ske", "skel"},
		{"(?i)straße", "str tra", "stra"},
		{"a{3}", "aaa", "aaa"},
		{"(ab){2,}", "aba bab", "abab"},
		{"foo(bar|baz)?qux", "foo qux (arq bar oba oob rqu|azq baz oba oob zqu|ooq oqu)", "foobarqux foobazqux fooqux"},
		{"(abcd|bcde).*x", "bcd (abc|cde)", "abcd bcde"},
		{"日本", "\x97\xa5\xe6 \xa5\xe6\x9c \xe6\x97\xa5 \xe6\x9c\xac", "日本"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			re, err := syntax.Parse(c.pattern, syntax.Perl&^syntax.OneLine)
			if err != nil {
				t.Fatal(err)
			}
			g, need := Required(re.Simplify())
			if g.String() != c.grams || strings.Join(need, " ") != c.need {
				t.Errorf("%q requires %q and %q, want %q and %q", c.pattern, g.String(), strings.Join(need, " "), c.grams, c.need)
			}
		})
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Foo.Bar", "foo.bar"},
		{"naïve IDEA", "na|ve idea"},
		{"ÉTÉ", "t"},
		{"日本go", "日本go"},
		{"\u212aelvin", "elvin"},
		{"a\xffB", "a\xffb"},
		{"é", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := strings.Join(Pieces(c.text), "|"); got != c.want {
				t.Errorf("pieces(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestCommonAndMerged(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 2000 {
		a, b := someNumbers(rng), someNumbers(rng)
		var both, all []uint32
		for v := uint32(0); v < 300; v++ {
			_, inA := slices.BinarySearch(a, v)
			_, inB := slices.BinarySearch(b, v)
			if inA && inB {
				both = append(both, v)
			}
			if inA || inB {
				all = append(all, v)
			}
		}
		if got := merged(a, b); !slices.Equal(got, all) {
			t.Fatalf("merged(%v, %v) = %v, want %v", a, b, got, all)
		}
		if got := common(slices.Clone(a), b); !slices.Equal(got, both) {
			t.Fatalf("common(%v, %v) = %v, want %v", a, b, got, both)
		}
	}
}

func someNumbers(rng *rand.Rand) []uint32 {
	var out []uint32
	share := rng.Intn(100)
	for v := uint32(0); v < 300; v++ {
		if rng.Intn(100) < share {
			out = append(out, v)
		}
	}
	return out
}

// TestGramsOfClasses holds that classes of digits and letters narrow a search by what
// stands next to them.
func TestGramsOfClasses(t *testing.T) {
	for _, c := range []struct{ pattern, fits, not string }{
		{"[0-9]{4}-[0-9]{2}", "on 1999-12-31", "one-two 1999"},
		{"[A-Z]{4,}_[A-Z]+", "MAX_SIZE_T", "max 9_9 SIZE"},
		{"#[0-9a-f]{2};", "#fe;", "#fe ;"},
	} {
		re, err := syntax.Parse(c.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if g, _ := Required(re.Simplify()); !g.Fits(c.fits, false) || g.Fits(c.not, false) {
			t.Errorf("%q: fits %q %v, %q %v", c.pattern, c.fits, g.Fits(c.fits, false), c.not, g.Fits(c.not, false))
		}
	}
}
