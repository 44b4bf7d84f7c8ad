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
