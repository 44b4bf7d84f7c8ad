package framework

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// apply finds the links of one rule.
func (f *finder) apply(r *rule) error {
	switch r.shape {
	case stated:
		return f.eachStated(r)
	case lined:
		return f.eachLine(r)
	case drawn:
		return f.eachDrawn(r)
	case nested:
		return f.eachNested(r)
	case inherited:
		return f.each(r, f.fields)
	}
	return f.each(r, f.link)
}

// link adds the links of a site.
func (f *finder) link(s *site) {
	if f.isForeign(s) {
		return
	}
	switch {
	case s.rule.verb == resourceVerb:
		f.resource(s)
		return
	case s.rule.takes != nothing:
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
	base := Link{
		Kind: s.rule.kind, Role: s.rule.role, By: f.told(s), At: corpus.Ref{File: s.file, Index: s.in}, Line: int(f.File(s.file).Line(uint32(s.at))),
		To: corpus.Ref{File: s.file, Index: facts.None}, Reason: reason,
	}
	if f.isClient(s) {
		base.Role, base.Reason, to = Sends, "an interface of a client", nil
	}
	for _, key := range all {
		l := base
		l.Key, l.Confidence = key.text, key.confidence
		if !s.sure {
			l.Confidence = max(l.Confidence, facts.Likely)
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
