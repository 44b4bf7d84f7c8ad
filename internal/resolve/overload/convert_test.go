package overload

import (
	"testing"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// hierarchy is an evaluator that knows which of the types of a repository are
// below others.
type hierarchy map[[2]corpus.Ref]bool

func (h hierarchy) File(corpus.FileID) *infer.File { return nil }

func (h hierarchy) Eval(infer.Expr, infer.Budget) []infer.Thing { return nil }

func (h hierarchy) Below(typ corpus.Ref, above infer.Thing, _ infer.Budget) (found, known bool) {
	return h[[2]corpus.Ref{typ, above.Ref}], above.Kind == infer.AValue
}

func builtin(literal int32) infer.Thing {
	return infer.Thing{Kind: infer.ABuiltin, Argument: literal}
}

func object(name string) infer.Thing { return infer.Thing{Kind: infer.Elsewhere, Name: name} }

// TestThingsFitAsFarAsTheyAreKnown tells no function apart by a type that is not known.
func TestThingsFitAsFarAsTheyAreKnown(t *testing.T) {
	circle, shape, text := corpus.Ref{Index: 1}, corpus.Ref{Index: 2}, corpus.Ref{Index: 3}
	known := &infer.Conversions{
		Top: "Object", Text: "String", Class: "Class",
		Boxes:   map[string]int32{"Integer": facts.LiteralInt, "Long": facts.LiteralLong},
		Above:   map[string][]string{"String": {"CharSequence"}, "Integer": {"Number"}},
		Results: map[string]string{"toString": "String"},
		Numbers: map[string]int32{"hashCode": facts.LiteralInt},
	}
	c := New(known, hierarchy{{circle, shape}: true}, infer.Full())
	list := infer.Thing{Kind: infer.AList, Expr: infer.Expr{At: facts.None}}
	method := func(name string) infer.Thing {
		recv := object("Unknown")
		return infer.Thing{Kind: infer.Elsewhere, Name: name, Recv: &recv}
	}
	for _, tt := range []struct {
		name       string
		takes, got infer.Thing
		want       fit
	}{
		{"int to int", builtin(facts.LiteralInt), builtin(facts.LiteralInt), exact},
		{"int to long", builtin(facts.LiteralLong), builtin(facts.LiteralInt), below},
		{"long to int", builtin(facts.LiteralInt), builtin(facts.LiteralLong), no},
		{"int to char", builtin(facts.LiteralChar), builtin(facts.LiteralInt), no},
		{"char to int", builtin(facts.LiteralInt), builtin(facts.LiteralChar), below},
		{"bool to int", builtin(facts.LiteralInt), builtin(facts.LiteralBool), no},
		{"int to Integer", object("Integer"), builtin(facts.LiteralInt), boxed},
		{"int to Number", object("Number"), builtin(facts.LiteralInt), boxed},
		{"int to Long", object("Long"), builtin(facts.LiteralInt), no},
		{"int to Object", object("Object"), builtin(facts.LiteralInt), boxed},
		{"Integer to int", builtin(facts.LiteralInt), object("Integer"), boxed},
		{"Integer to long", builtin(facts.LiteralLong), object("Integer"), boxed},
		{"text to String", object("String"), builtin(facts.LiteralString), exact},
		{"text to CharSequence", object("CharSequence"), builtin(facts.LiteralString), below},
		{"text to Integer", object("Integer"), builtin(facts.LiteralString), no},
		{"class to Class", object("Class"), builtin(facts.LiteralClass), exact},
		{"Object to Object", object("Object"), object("Object"), exact},
		{"what is not listed to an interface", object("Closeable"), object("Stream"), unsure},
		{"what is not listed to what nothing is below", object("String"), object("Stream"), no},
		{"list to int", builtin(facts.LiteralInt), list, no},
		{"list to Object", object("Object"), list, below},
		{"circle to circle", infer.ValueOf(circle), infer.ValueOf(circle), exact},
		{"circle to shape", infer.ValueOf(shape), infer.ValueOf(circle), below},
		{"circle to text", infer.ValueOf(text), infer.ValueOf(circle), no},
		{"circle to what is from elsewhere", object("Drawable"), infer.ValueOf(circle), unsure},
		{"guessed circle to text", infer.ValueOf(text), infer.Thing{Kind: infer.AValue, Ref: circle, Guess: true}, unsure},
		{"result of toString", object("String"), method("toString"), exact},
		{"result of hashCode", builtin(facts.LiteralLong), method("hashCode"), below},
		{"result of any other method", object("String"), method("next"), unsure},
		{"type parameter of elsewhere", object("T"), infer.Thing{Kind: infer.Elsewhere, Name: "T", Generic: true}, unsure},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := c.fitThing(tt.takes, tt.got); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// TestPhasesGoFromPlainToBoxedToVariadic keeps what may be meant while another
// function surely is not better.
func TestPhasesGoFromPlainToBoxedToVariadic(t *testing.T) {
	for _, tt := range []struct {
		name string
		fits [][]fit
		want int // functions that are left
	}{
		{"plain goes before boxed", [][]fit{{exact}, {boxed}}, 1},
		{"boxed goes before variadic", [][]fit{{boxed}, {variadic}}, 1},
		{"what is not known is left", [][]fit{{exact}, {unsure}}, 2},
		{"and decides nothing", [][]fit{{unsure}, {boxed, unsure}, {variadic}}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var all []candidate
			for _, fits := range tt.fits {
				all = append(all, candidate{fits: fits})
			}
			if left := inPhase(all); len(left) != tt.want {
				t.Errorf("%d are left, want %d", len(left), tt.want)
			}
		})
	}
}
