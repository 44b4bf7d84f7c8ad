package generic

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Self is the environment of a method: where it has that from a type above that of its
// receiver, self is the receiver in it.
func Self(e Evaluator, method infer.Thing, b infer.Budget) *infer.Env {
	l, recv := e.File(method.Ref.File).Language, method.Recv
	if l == nil || !l.Reopens || !l.Mixins || recv == nil || recv.Super || recv.Kind != infer.AType && recv.Kind != infer.AValue {
		return method.Env
	}
	owner, ok := e.OwnerType(method.Ref, b)
	if !ok || e.Defined(owner) == recv.Ref {
		return method.Env
	}
	return &infer.Env{Of: e.Defined(owner), Self: &infer.Thing{Kind: recv.Kind, Ref: recv.Ref}}
}

// SelfIn is what self is at an expression that stands for the class around it, in a method
// that a type below that class inherits.
func SelfIn(e Evaluator, x infer.Expr) (self infer.Thing, ok bool) {
	if x.Env == nil || x.Env.Self == nil || x.Node().Op == facts.OpSuper {
		return self, false
	}
	around := x.Node().X
	if !x.File.Symbol(around).Kind.IsType() || e.Defined(corpus.Ref{File: x.File.ID, Index: around}) != x.Env.Of {
		return self, false
	}
	return *x.Env.Self, true
}

// OnSelf are the things that a bare name stands for, where it is a keyword by which a
// member calls one above its own: that runs on the same self.
func OnSelf(e Evaluator, f *infer.File, u *facts.Use, in *infer.Env, things []infer.Thing, b infer.Budget) []infer.Thing {
	if f.Language == nil || f.Language.Keyword == nil || u.Bind != facts.BindFree {
		return things
	}
	if _, ok := f.Language.Keyword(f.File, u); !ok {
		return things
	}
	owner, ok := e.OwnerType(corpus.Ref{File: f.ID, Index: u.In}, b)
	if !ok {
		return things
	}
	self := infer.ValueOf(e.Defined(owner))
	if f.Symbol(u.In).Flags&facts.Static != 0 {
		self.Kind = infer.AType
	}
	if in != nil && in.Self != nil && in.Of == self.Ref {
		self = *in.Self
	}
	return infer.Each(things, func(t infer.Thing) []infer.Thing {
		if t.Kind == infer.AFunc {
			t.Recv = &self
		}
		return []infer.Thing{t}
	})
}
