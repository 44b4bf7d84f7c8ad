package generic

import (
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// maxNested bounds the blocks within each other that are asked for a member.
const maxNested = 8

// Nested is what a use is of a member of. A bare name in blocks within each other, of
// which each runs on something, is a member of the innermost of these that has it, else
// of the innermost one that is known.
func Nested(e Evaluator, of infer.Expr, u *facts.Use, b infer.Budget) (first []infer.Thing) {
	l := of.File.Language
	if of.At == facts.None || l == nil || !l.Nests || of.Node().Op != facts.OpElse {
		return e.Eval(of, b)
	}
	for range maxNested {
		if of.At == facts.None {
			break
		}
		at, next := of, int32(facts.None)
		if n := of.Node(); n.Op == facts.OpElse {
			at, next = of.To(n.X), n.Y
		}
		things := infer.Guesses(e.Eval(at, b))
		if len(first) == 0 {
			first = things
		}
		for _, t := range things {
			found, state := e.Member(t, u.Name, b)
			if _, state = of.File.OrAdded(t, u.Name, found, state, b); state == infer.Found {
				return things
			}
		}
		of.At = next
	}
	return first
}
