package framework

import (
	"cmp"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/resolve/corpus"
)

// apply finds the links of one rule.
func (f *finder) apply(r *rules.Rule) error {
	switch r.Shape {
	case rules.Stated:
		return f.eachStated(r)
	case rules.Lined:
		return f.eachLine(r)
	case rules.Drawn:
		return f.eachDrawn(r)
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
	if f.IsForeign(s) {
		return
	}
	switch {
	case s.Rule.Verb == rules.ResourceVerb:
		f.links = append(f.links, f.prefixes.Resource(s)...)
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
