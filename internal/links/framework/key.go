package framework

import (
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/route"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
)

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
