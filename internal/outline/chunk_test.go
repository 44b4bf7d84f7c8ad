package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"espy/internal/lang"
)

// repeat is n lines of about 40 bytes.
func repeat(n int) string { return strings.Repeat("\tcall(\"something of forty bytes, about\")\n", n) }

func TestChunksAreCutWhereDefinitionsStart(t *testing.T) {
	function := func(name string, lines int) string {
		return "// " + name + " does things.\n//\n//go:noinline\nfunc " + name + "() {\n" + repeat(lines) + "}\n\n"
	}
	tests := []struct {
		name, language, text string
		want                 string // lines of the chunks
	}{
		{"empty", "go", "", ""},
		{"only blanks", "go", "\n \n\t\r\n\n", ""},
		{"blank ends are left out", "go", "\n\npackage x\n\n\n", "3-3"},
		{"no line end", "go", "package x", "1-1"},
		{"comments stay with their function", "go", "package x\n\n" + function("A", 20) + function("B", 20) + function("C", 5), "1-27 29-64"},
		{"small ones share a chunk", "go", "package x\n\n" + strings.Repeat(function("A", 2), 12), "1-89 91-97"},
		{"a long function is cut at its blank line", "go", "package x\n\nfunc A() {\n" + repeat(25) + "\n" + repeat(25) + "}\n", "1-28 30-55"},
		{"else where it is full", "go", repeat(60), "1-36 37-60"},
		{"a long line stands alone", "go", "package x\n" + strings.Repeat("x", 5000) + "\npackage y\n", "1-1 2-2 3-3"},
		{"decorators stay with their function", "python", repeat(30) + "\n@decorator\n@other(1)\ndef f():\n" + repeat(20), "1-30 32-54"},
		{"unknown language", "", repeat(30) + "\n" + repeat(30), "1-30 32-61"},
		{"lines end at newlines only", "", "a\rb\r\nc\r\n", "1-2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := lang.ByName(tt.language)
			var got []string
			for _, c := range Parse(l, []byte(tt.text)).Chunks {
				got = append(got, fmt.Sprintf("%d-%d", c.StartLine, c.EndLine))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("lines of the chunks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	golang, _ := lang.ByName("go")
	yaml, _ := lang.ByName("yaml")
	if n := len(Parse(golang, []byte(strings.Repeat("func f() {}\n", maxDefinitions+10))).Definitions); n != maxDefinitions {
		t.Errorf("%d definitions, want %d", n, maxDefinitions)
	}
	if n := len(Parse(yaml, []byte(strings.Repeat("key: 1\n", maxKeys+10))).Definitions); n != maxKeys {
		t.Errorf("%d keys, want %d", n, maxKeys)
	}
	long := strings.Repeat("f", maxNameBytes)
	text := "func " + long + "() {}\nfunc " + long + "f() {}\n"
	if d := Parse(golang, []byte(text)).Definitions; len(d) != 1 || d[0].Line != 1 {
		t.Errorf("definitions with a name of %d and %d bytes: %v, want the first only", maxNameBytes, maxNameBytes+1, d)
	}
}

// TestAnyMixtureOfPieces builds texts out of pieces that open and close things
// in all languages, which random bytes rarely do.
func TestAnyMixtureOfPieces(t *testing.T) {
	pieces := strings.Split("{ } ( ) [ ] ; : , = => :: ' \" ` ''' \"\"\" /* */ // # -- {- -} [[ ]] << <<- EOF <?php ?> $$ ${ r#\" \"# @ @a( #if #else #endif #define "+
		"class struct enum interface func fn def end function type const var let impl trait module namespace typedef template public static return new A b_c 'x' 1 \\ ~s( %w[ | - * < >", " ")
	pieces = append(pieces, "\n", "\n", "\n\n", " ", "  ", "\t")
	languages := lang.All()
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(languages).Draw(t, "language")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 200).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		if err := check(l, []byte(text), Parse(l, []byte(text))); err != nil {
			t.Fatalf("%s: %v\n%q", l.Name, err, text)
		}
	})
}
