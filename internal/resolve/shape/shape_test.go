package shape

import (
	"slices"
	"testing"

	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// TestRankOf holds how a value fits what a function takes.
func TestRankOf(t *testing.T) {
	class := shape{kind: declared, name: "App"}
	pointer := shape{kind: declared, name: "App", flags: facts.Pointer}
	text := shape{kind: builtin, literal: facts.LiteralString}
	char := shape{kind: builtin, literal: facts.LiteralChar, flags: facts.Pointer}
	number := shape{kind: builtin, literal: facts.LiteralInt}
	l := &infer.Language{Texts: map[string]int32{"string": facts.LiteralString, "wstring": facts.LiteralWide}}
	for _, tt := range []struct {
		name       string
		takes, got shape
		want       rank
	}{
		{"a class", class, class, same},
		{"a pointer to it", pointer, pointer, same},
		{"a class for a pointer", pointer, class, never},
		{"a pointer for a class", class, pointer, converted},
		{"a text for a pointer to a class", pointer, text, never},
		{"a number for a pointer to a class", pointer, number, never},
		{"a null for a pointer to a class", pointer, shape{kind: builtin, literal: facts.LiteralNull}, unranked},
		{"a text for characters", char, text, same},
		{"a text for characters of another name", shape{name: "char_t", flags: facts.Pointer}, text, same},
		{"a text for a pointer of another name", shape{name: "node_t", flags: facts.Pointer}, text, unranked},
		{"a text for one of wide characters", shape{kind: foreign, name: "wstring"}, text, never},
		{"a text of whatever characters for it", shape{kind: foreign, name: "wstring"}, shape{kind: builtin, literal: facts.LiteralString, generic: true}, converted},
		{"a number", number, number, same},
		{"what is not known", class, shape{}, unranked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rankOf(tt.takes, tt.got, l); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// TestJudge holds which traits are taken to hold of a type.
func TestJudge(t *testing.T) {
	tuple, list := shape{kind: foreign, name: "tuple"}, shape{kind: foreign, name: "vector"}
	number := shape{kind: builtin, literal: facts.LiteralInt}
	for _, tt := range []struct {
		trait string
		got   shape
		want  verdict
	}{
		{"is_tuple_like", tuple, holds},
		{"TupleLike", tuple, holds},
		{"is_tuple_like", list, doubted},
		{"is_tuple_like", shape{}, open},
		{"is_integral", number, holds},
		{"is_integral_v", number, holds},
		{"integral", shape{kind: builtin, literal: facts.LiteralDouble}, fails},
		{"is_floating_point", number, fails},
		{"is_pointer", shape{kind: declared, flags: facts.Pointer}, holds},
		{"is_integral", list, open},
	} {
		t.Run(tt.trait+" of "+tt.got.name, func(t *testing.T) {
			if got := (&Choice{}).judge(tt.trait, tt.got); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// TestAsks finds what the head of a template asks of a type parameter.
func TestAsks(t *testing.T) {
	for _, tt := range []struct {
		head string
		want []string // traits, with ! where they are denied
	}{
		{"template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0>", []string{"is_integral"}},
		{"template <typename T, ENABLE_IF(!is_tuple_like<T>::value)>", []string{"!is_tuple_like"}},
		{"template <class T> requires sized<std::remove_cvref_t<T>>", []string{"sized"}},
		{"template <class T, class TT> requires sized<TT>", nil},
	} {
		t.Run(tt.head, func(t *testing.T) {
			var got []string
			for _, m := range asks("T").FindAllStringSubmatch(tt.head, -1) {
				got = append(got, m[1]+m[2])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
