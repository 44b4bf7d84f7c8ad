package worker

import (
	"math"
	"slices"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawFacts(t *rapid.T, text string) *facts.File {
	n := uint32(len(text))
	at := rapid.Uint32Range(0, n)
	index := rapid.Int32Range(facts.None, 50)
	name := rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "own") {
			return rapid.String().Draw(t, "name")
		}
		a, b := at.Draw(t, "a"), at.Draw(t, "b")
		return text[min(a, b):max(a, b)]
	})
	place := rapid.Custom(func(t *rapid.T) facts.Place {
		return facts.Place{At: at.Draw(t, "at"), Line: rapid.Uint32().Draw(t, "line"), Column: rapid.Uint32().Draw(t, "column")}
	})
	span := rapid.Custom(func(t *rapid.T) [2]uint32 {
		a, b := at.Draw(t, "a"), at.Draw(t, "b")
		return [2]uint32{min(a, b), max(a, b)}
	})
	return &facts.File{
		Package: name.Draw(t, "package"),
		Symbols: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facts.Symbol {
			own, sig, doc := span.Draw(t, "own"), span.Draw(t, "sig"), span.Draw(t, "doc")
			return facts.Symbol{
				Name: name.Draw(t, "name"), Kind: code.Kind(rapid.Byte().Draw(t, "kind")), Flags: facts.Flags(rapid.Uint16().Draw(t, "flags")),
				Place: place.Draw(t, "place"), Parent: index.Draw(t, "parent"), Owner: name.Draw(t, "owner"),
				Start: own[0], End: own[1], EndLine: rapid.Uint32().Draw(t, "end"), SigStart: sig[0], SigEnd: sig[1], DocStart: doc[0], DocEnd: doc[1],
				Type: index.Draw(t, "type"), MinArgs: rapid.Byte().Draw(t, "min"), MaxArgs: rapid.Byte().Draw(t, "max"), Complexity: rapid.Uint16().Draw(t, "complexity"),
			}
		}), -1, 5).Draw(t, "symbols"),
		Uses: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facts.Use {
			return facts.Use{
				Name: name.Draw(t, "name"), Role: facts.Role(rapid.ByteRange(0, 6).Draw(t, "role")), Bind: facts.Bind(rapid.ByteRange(0, 3).Draw(t, "bind")),
				Place: place.Draw(t, "place"), In: index.Draw(t, "in"), Target: index.Draw(t, "target"), Args: rapid.Int16Min(-1).Draw(t, "args"),
			}
		}), -1, 5).Draw(t, "uses"),
		Imports: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facts.Import {
			return facts.Import{
				Module: name.Draw(t, "module"), Name: name.Draw(t, "name"), Local: name.Draw(t, "local"), Place: place.Draw(t, "place"),
				In: index.Draw(t, "in"), Flags: facts.Flags(rapid.Uint16().Draw(t, "flags")),
			}
		}), -1, 5).Draw(t, "imports"),
		Exprs: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facts.Expr {
			x := facts.Expr{Op: facts.Op(rapid.ByteRange(0, uint8(facts.OpAhead)).Draw(t, "op")), X: index.Draw(t, "x")}
			if hasY(x.Op) {
				x.Y = index.Draw(t, "y")
			}
			return x
		}), -1, 5).Draw(t, "exprs"),
		Errors: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facts.Fault {
			return facts.Fault{Line: rapid.Uint32().Draw(t, "line"), Message: rapid.String().Draw(t, "message")}
		}), -1, 3).Draw(t, "errors"),
	}
}

func TestEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		want := drawFacts(t, text)
		got, err := decode(encode(nil, want, text), text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(*want, *got, cmp.Transformer("empty", nilWhenEmpty)); diff != "" {
			t.Fatalf("decoded facts differ (-want +got):\n%s", diff)
		}
	})
}

// TestOperandsAreKept holds that an operator keeps its second operand on its way out of
// the parser, unless facts.Op says nothing of one.
func TestOperandsAreKept(t *testing.T) {
	without := []facts.Op{facts.OpUse, facts.OpValue, facts.OpSymbol, facts.OpThis, facts.OpSuper, facts.OpCall, facts.OpTop, facts.OpItself, facts.OpPredicate, facts.OpGuarded, facts.OpBlock, facts.OpSelf}
	for op := facts.OpUse; op <= facts.OpAhead; op++ {
		for _, y := range []int32{facts.None, 0, 5, math.MaxInt32} {
			got, err := decode(encode(nil, &facts.File{Exprs: []facts.Expr{{Op: op, X: 1, Y: y}}}, ""), "")
			if err != nil {
				t.Fatal(err)
			}
			if x := got.Exprs[0]; x.Op != op || x.X != 1 || x.Y != y && !slices.Contains(without, op) {
				t.Errorf("operator %d of 1 and %d came as %+v", op, y, x)
			}
		}
	}
}

// nilWhenEmpty makes empty tables equal to missing ones.
func nilWhenEmpty(f facts.File) map[string]any {
	m := map[string]any{"package": f.Package}
	if len(f.Symbols) > 0 {
		m["symbols"] = f.Symbols
	}
	if len(f.Uses) > 0 {
		m["uses"] = f.Uses
	}
	if len(f.Imports) > 0 {
		m["imports"] = f.Imports
	}
	if len(f.Exprs) > 0 {
		m["exprs"] = f.Exprs
	}
	if len(f.Errors) > 0 {
		m["errors"] = f.Errors
	}
	return m
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0}, "x = 1")
	f.Add(encode(nil, &facts.File{Symbols: []facts.Symbol{{Name: "x", Parent: -1, Type: -1, End: 5}}}, "x = 1"), "x = 1")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		decode(data, text) // must not panic, nor allocate more than the message warrants
	})
}
