//go:build cgo && !race

package treesitter

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/facts/tree"

	"github.com/google/go-cmp/cmp"
)

// TestSound reads texts in which the grammar cannot read one line: what stands round
// it is declared all the same.
func TestSound(t *testing.T) {
	tests := []struct {
		grammar, text, want string
		fault               uint32 // its line
	}{
		{"kotlin", `
/** Doc. */
class A(
    val a: Int,
) : B<C> {
    fun f() = 1

    /** Lost. */
    fun g(): Int {
        val x = @ @ in 3 ->
        return x
    }

    class D {
        fun h() = 2
    }
}
`, "A A.a A.f A.g A.D A.D.h", 10},
		{"csharp", `
class A
{
    int f()
    {
        switch (x)
        {
#if B
            case 1 => => 2;
#endif
        }
        return 1;
    }
    int g() { return 2; }
}
`, "A A.f A.g", 9},
	}
	for _, tt := range tests {
		t.Run(tt.grammar, func(t *testing.T) {
			text := []byte(tt.text)
			parsed, err := Parse(tt.grammar, tree.Prepare(tt.grammar, text))
			if err != nil {
				t.Fatal(err)
			}
			f := tree.Facts(parsed, text, Parse)
			checkFacts(t, f, text)
			if diff := cmp.Diff(strings.Fields(tt.want), declaredIn(f)); diff != "" {
				t.Errorf("declarations (-want +got):\n%s", diff)
			}
			if len(f.Errors) != 1 || f.Errors[0].Line != tt.fault {
				t.Errorf("faults %v, want one in line %d", f.Errors, tt.fault)
			}
		})
	}
}

// declaredIn lists what a file declares, but for local names, with what it is in.
func declaredIn(f *facts.File) (names []string) {
	for _, y := range f.Symbols {
		if y.Flags&facts.Local != 0 {
			continue
		}
		name := y.Name
		for p := y.Parent; p != facts.None; p = f.Symbols[p].Parent {
			name = f.Symbols[p].Name + "." + name
		}
		names = append(names, name)
	}
	return names
}

// TestManyFaults holds that a text with more faults than are kept has facts.
func TestManyFaults(t *testing.T) {
	var text []byte
	for i := range 3 * facts.MaxFaults {
		text = fmt.Appendf(text, "class A%d {\n    fun f() = @ @ in 3 ->\n    fun g() = 1\n}\n", i)
	}
	parsed, err := Parse("kotlin", tree.Prepare("kotlin", text))
	if err != nil {
		t.Fatal(err)
	}
	f := tree.Facts(parsed, text, Parse)
	checkFacts(t, f, text)
	if len(f.Errors) != facts.MaxFaults || len(declaredIn(f)) < 3*facts.MaxFaults {
		t.Errorf("%d faults, %d declarations", len(f.Errors), len(declaredIn(f)))
	}
}
