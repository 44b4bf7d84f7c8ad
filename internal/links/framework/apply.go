package framework

import (
	"cmp"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/route"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// apply finds the links of one rule.
func (f *finder) apply(r *rules.Rule) error {
	switch r.Shape {
	case rules.Stated:
		return f.eachStated(r)
	case rules.Lined:
		return f.eachLine(r)
	case rules.Paged:
		return f.eachPage(r)
	case rules.Drawn:
		return f.eachDrawn(r)
	case rules.Routed:
		all, err := f.prefixes.Routed(r)
		f.links = append(f.links, all...)
		return err
	case rules.Schema:
		return f.schemas(r)
	case rules.Nested:
		return f.eachNested(r)
	case rules.Inherited:
		return f.Each(r, f.fields)
	}
	return f.Each(r, f.link)
}

// eachDrawn adds the links of a rule about files that draw routes.
func (f *finder) eachDrawn(r *rules.Rule) error {
	var failed error
	err := f.Each(r, func(s *site.Site) {
		all, err := f.prefixes.Drawn(s)
		f.links, failed = append(f.links, all...), cmp.Or(failed, err)
	})
	return cmp.Or(failed, err)
}

// link adds the links of a site.
func (f *finder) link(s *site.Site) {
	if s.Rule.Verb != rules.CallVerb && f.IsForeign(s) {
		return
	}
	switch {
	case s.Rule.Kind == edge.Route && f.several(s):
		return
	case s.Rule.Verb == rules.ResourceVerb:
		f.links = append(f.links, f.prefixes.Resource(s)...)
		return
	case s.Rule.Verb == rules.RestVerb:
		f.links = append(f.links, f.prefixes.Actions(s)...)
		return
	case s.Rule.Takes != rules.Nothing:
		f.inject(s)
		return
	}
	to, reason, ok := f.target(s)
	if !ok {
		return
	}
	all := f.keys(s)
	if len(all) == 0 {
		return
	}
	base := edge.Link{
		Kind: s.Rule.Kind, Role: s.Rule.Role, By: f.Told(s), At: corpus.Ref{File: s.File, Index: s.In}, Line: int(f.File(s.File).Line(uint32(s.At))),
		To: corpus.Ref{File: s.File, Index: facts.None}, Reason: reason,
	}
	if f.prefixes.IsClient(s) {
		base.Role, base.Reason, to = edge.Sends, "an interface of a client", nil
	}
	for _, key := range all {
		l := base
		l.Key, l.Confidence = key.Text, key.Confidence
		if !s.Sure {
			l.Confidence = max(l.Confidence, facts.Likely)
		}
		if l.Confidence == facts.Possible && l.Reason == "" {
			l.Reason = "what stands before its path cannot be followed"
		}
		if len(to) == 0 {
			f.links = append(f.links, l)
		}
		for _, m := range to {
			l.To, l.Confidence = m.Ref, max(l.Confidence, m.Confidence)
			f.links = append(f.links, l)
		}
	}
}

// several adds the links of a call that stands for several: with the methods that its
// last argument names, or in a loop over a list of routes.
func (f *finder) several(s *site.Site) bool {
	if s.Rule.Verb == rules.MethodVerbs {
		f.answers(s)
		return true
	}
	if s.Rule.Shape != rules.Called || s.Rule.Target != rules.InArgument {
		return false
	}
	key, _ := written.At(s.List, s.Rule.Key)
	handler, _ := written.At(s.List, s.Rule.Handler)
	keys, handlers := f.Looped(s, key), f.Looped(s, handler)
	for i, one := range keys {
		if len(handlers) == len(keys) {
			handler = handlers[i].Argument
		}
		if one.File != s.File {
			continue
		}
		r, c := *s.Rule, *s
		r.Key, r.Handler = written.Position{}, written.Position{Index: 1}
		c.Rule, c.List = &r, []written.Argument{one.Argument, handler}
		c.List[0].Name, c.List[1].Name = "", ""
		f.link(&c)
	}
	return len(keys) > 0
}

// answers adds a route for each function that a call of Rust names with its method.
func (f *finder) answers(s *site.Site) {
	last, ok := written.At(s.List, written.Position{Index: -1})
	if !ok {
		return
	}
	for _, a := range written.Answers(last) {
		r, c := *s.Rule, *s
		r.Verb, r.Handler = rules.NameVerb, written.Position{Index: 1}
		c.Rule, c.Name, c.List = &r, a.Method, []written.Argument{s.List[0], a.Handler}
		f.link(&c)
	}
}

// keys are the keys of a site.
func (f *finder) keys(s *site.Site) (all []route.Path) {
	arg, ok := written.At(s.List, s.Rule.Key)
	if s.Rule.Kind == edge.Inject {
		return f.injected(s, arg)
	}
	var values []string
	confidence := facts.Certain
	switch {
	case s.Rule.Verb == rules.CallVerb:
		if f.prefixes.IsProcedure(s) {
			values = []string{""}
		}
	case s.Rule.Kind == edge.Service && s.Rule.Shape == rules.Marking:
		return f.field(s, arg)
	case s.Rule.Kind == edge.Route && s.Rule.Shape == rules.Called && f.prefixes.IsChained(s):
		values = []string{""}
	case ok:
		var filled bool
		if values, filled = f.Texts(s.File, arg); filled {
			confidence = facts.Likely
		}
	case s.Rule.Kind == edge.Route && (s.Rule.Shape == rules.Marking || s.Rule.Shape == rules.Blocked && f.prefixes.HasPrefix(s)):
		values = []string{""}
	}
	for _, v := range values {
		if s.Rule.Kind == edge.Setting {
			v = written.Placeholder(v)
		}
		switch {
		case s.Rule.Kind == edge.Route:
			all = append(all, f.prefixes.Keys(s, v, confidence)...)
		case v != "":
			all = append(all, route.Path{Text: v, Confidence: confidence})
		}
	}
	return all
}

// field is the field of a schema that a method answers: @Query(() => User) user().
func (f *finder) field(s *site.Site, name written.Argument) []route.Path {
	v, filled, ok := written.Literal(name.Text)
	if !ok {
		d, _ := f.Marked(s)
		v = f.Symbol(d).Name
	}
	if filled {
		return nil
	}
	return []route.Path{{Text: s.Name + "." + v}}
}
