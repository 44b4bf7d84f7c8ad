package rules

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// asker is what rules ask about a repository, within one question.
type asker struct {
	corpus *corpus.Corpus
	read   *corpus.Reader
	infer  *meaning.Evaluator
}

// imported says what import i of a file brings.
func (a *asker) imported(f *corpus.File, i int, b infer.Budget) infer.Answer {
	return a.infer.Imported(corpus.Ref{File: f.ID, Index: int32(i)}, b)
}

// inherited looks a name up in the types that a use stands in, the innermost first.
func (a *asker) inherited(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		t := corpus.Ref{File: f.ID, Index: i}
		s := f.Symbol(i)
		if s.Owner != "" {
			owner, ok := a.infer.OwnerType(t, b)
			if !ok {
				continue
			}
			t = owner
		} else if !s.Kind.IsType() || u.At < s.SigEnd { // its own bases do not know what it inherits
			continue
		}
		if answer := a.memberOf(t, u, b); answer.State == infer.Found {
			return answer
		}
		for around, ok := a.infer.OwnerType(t, b); ok && s.Owner != "" && !b.Spent(); around, ok = a.infer.OwnerType(around, b) { // the type that it names
			b.Spend()
			if answer := a.memberOf(around, u, b); answer.State == infer.Found {
				return answer
			}
		}
	}
	return infer.Answer{}
}

// memberOf looks a bare name up among the members of a type.
func (a *asker) memberOf(t corpus.Ref, u *facts.Use, b infer.Budget) infer.Answer {
	found, _ := a.infer.MemberFor(infer.TypeOf(t), u, b.Restart())
	answer := infer.Answer{Reason: "member of " + a.read.Symbol(t).Name}
	for _, m := range found {
		if a.isBare(m.Ref, u.Role) {
			answer.Refs, answer.State = append(answer.Refs, m.Ref), infer.Found
		}
	}
	return answer
}

// isBare reports whether a bare name in a role can mean a member. Constructors
// are called by the name of their type.
func (a *asker) isBare(r corpus.Ref, role facts.Role) bool {
	s := a.read.Symbol(r)
	switch role {
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		constant := s.Kind == code.KindConst || s.Kind == code.KindField && s.Flags&facts.Static != 0
		return s.Kind.IsType() || constant && a.corpus.Family(r.File) == corpus.C // an argument of a template
	}
	return !s.Kind.IsFunc() || s.Name != corpus.LastName(a.read.Owner(r))
}

// sameScope reports whether two symbols of a name are declared in one scope of one file.
func (a *asker) sameScope(x, y corpus.Ref) bool {
	s, o := a.read.Symbol(x), a.read.Symbol(y)
	return x.File == y.File && s.Parent == o.Parent && s.Owner == o.Owner
}

// lookups are what modules export by some names, which they may pass on in circles.
type lookups = infer.Book[lookup, infer.Answer]

type lookup struct{ module, name string }

func (a *asker) lookups() lookups {
	return infer.NewBook[lookup](a.infer.Memory(), infer.Answer{State: infer.Absent})
}
