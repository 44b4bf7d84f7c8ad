package generic

import (
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// classOf is the class of the repository through which something from elsewhere was
// reached: Image of Image.objects.filter.
func classOf(e Evaluator, t infer.Thing) (class infer.Thing, models *infer.Models) {
	r := t.Recv
	for ; r != nil && r.Recv != nil; r = r.Recv {
		if r.Kind == infer.Elsewhere && r.Name != "" && r.Name[0] == '_' { // about the class
			return class, nil
		}
	}
	if t.Kind != infer.Elsewhere || r == nil || r.Kind != infer.AType || r.Unnamed {
		return class, nil
	}
	l := e.File(r.Ref.File).Language
	if l == nil {
		return class, nil
	}
	return infer.Thing{Kind: infer.AValue, Ref: r.Ref, Env: r.Env, Guess: true}, l.Models
}

// OfModel is a value of the class through which a method from elsewhere was reached that
// gives one so; nothing of another method.
func OfModel(e Evaluator, t infer.Thing, how infer.Gives) []infer.Thing {
	class, models := classOf(e, t)
	if models == nil || models.Gives[t.Name] != how {
		return nil
	}
	return []infer.Thing{class}
}

// ThroughClass marks what a class holds that is read through it, in a language where that
// makes values of the class.
func ThroughClass(l *infer.Language, class infer.Thing, name string, things []infer.Thing) []infer.Thing {
	if l == nil || l.Models == nil || !l.Models.Managers || class.Kind != infer.AType || class.Unnamed || len(things) != 1 {
		return things
	}
	switch t := things[0]; {
	case t.Kind == infer.Elsewhere && t.Expr.File == nil && !infer.IsUpper(name):
		return []infer.Thing{{Kind: infer.Elsewhere, Name: name, Recv: &class}}
	case t.Kind == infer.AValue:
		t.Recv = &class
		return []infer.Thing{t}
	}
	return things
}

// ClassNamed is the class that a symbol names to which a function from elsewhere gives a
// value, as User does for get_user_model(); else the things that it stands for.
func ClassNamed(e Evaluator, f *infer.File, s *facts.Symbol, things []infer.Thing) []infer.Thing {
	if l := f.Language; l == nil || l.Models == nil || l.Models.Named == nil || len(things) != 1 || !infer.IsUpper(s.Name) {
		return things
	}
	if t := things[0]; t.Kind != infer.Elsewhere || t.Expr.File != nil || infer.IsUpper(t.Name) {
		return things
	}
	r, ok := f.Language.Models.Named(f.ID, s.Name)
	if !ok {
		return things
	}
	return infer.Guesses([]infer.Thing{infer.TypeOf(r)})
}

// PartOfModel is place n of what a method from elsewhere gives: the first of a pair, or any of
// those that it holds, may be a value of the class through which it was reached.
func PartOfModel(e Evaluator, t infer.Thing, n int) []infer.Thing {
	how := infer.AllElements
	if _, models := classOf(e, t); n == 0 && models != nil && models.Gives[t.Name] == infer.AllEntries {
		how = infer.AllEntries
	}
	return orElse(OfModel(e, t, how), t)
}

// ofClass is what a function from elsewhere gives for a class of the repository, its first
// argument: get_object_or_404(Image) what Image.get_object_or_404() would.
func ofClass(e Evaluator, t infer.Thing, callee infer.Expr, b infer.Budget) (given []infer.Thing, ok bool) {
	n, models := callee.Node(), callee.File.Language.Models
	makes := models.Makers[t.Name]
	if !makes && !(models.Managers && models.Gives[t.Name] != 0) || n.Op != facts.OpUse {
		return nil, false
	}
	arguments := callee.File.Given(n.X)
	if len(arguments) == 0 || arguments[0] == facts.None {
		return nil, false
	}
	for _, class := range e.Eval(callee.To(arguments[0]), b.Deeper()) {
		if class.Kind != infer.AType || class.Unnamed {
			return nil, false
		}
		if makes {
			given = infer.Either(given, []infer.Thing{{Kind: infer.AValue, Ref: class.Ref, Env: class.Env, Guess: true}})
			continue
		}
		t.Recv = &class
		given = infer.Either(given, e.Give(t, b.Deeper()))
	}
	return given, len(given) > 0
}

// orElse are things, or another one where there are none.
func orElse(things []infer.Thing, other infer.Thing) []infer.Thing {
	if len(things) > 0 {
		return things
	}
	return []infer.Thing{other}
}

// Generated is what a method stands for that an annotation makes of a field: one that
// gives its value, or, as those that set it may, the thing itself.
func Generated(e Evaluator, t infer.Thing, field infer.Member, name string) []infer.Thing {
	f := e.File(field.Ref.File)
	if !strings.HasPrefix(name, "get") && !strings.HasPrefix(name, "is") || t.Kind == infer.Elsewhere {
		return []infer.Thing{{Kind: infer.Elsewhere, Name: name, Recv: &t}}
	}
	return []infer.Thing{{Kind: infer.AClosure, Expr: f.Expr(f.Symbol(field.Ref.Index).Type, field.Env), Params: facts.None}}
}
