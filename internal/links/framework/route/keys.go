package route

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// Keys are the keys of one path: with its methods, and with what comes before it.
func (p *Prefixes) Keys(s *site.Site, path string, confidence facts.Confidence) (all []Path) {
	verbs, path := verbs(s, path)
	if s.Rule.Shape == rules.Called && !s.Rule.Bare && !strings.HasPrefix(path, "/") && path != "" && path != "*" && (s.Rule.In != corpus.Script || len(s.List) < 2 || !p.f.IsOf(s)) {
		return nil // a path of an object that is none of the framework
	}
	prefixes := p.of(s)
	if s.Rule.Final != "" && !p.isFinal(s) {
		confidence = max(confidence, facts.Likely)
	}
	if s.Rule.In == corpus.CSharp && s.Rule.Shape == rules.Marking && path == "" && prefixes[0].Text == "" {
		if !p.isConventional() {
			return nil
		}
		path, confidence = "[controller]/[action]", facts.Likely
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok { // of ASP.NET: whatever comes before it
		path, prefixes = "/"+rest, []Path{{}}
	}
	for _, prefix := range prefixes {
		for _, v := range verbs {
			text := p.nameTokens(s, written.JoinPath(prefix.Text, path))
			if s.Rule.Verb == rules.CallVerb {
				text = strings.ReplaceAll(strings.Trim(text, "/"), "/", ".")
			}
			if v != "" {
				text = v + " " + text
			}
			all = append(all, Path{text, max(confidence, prefix.Confidence)})
		}
	}
	return all
}

// isFinal reports whether a function that holds a site has the annotation of those whose
// keys are whole.
func (p *Prefixes) isFinal(s *site.Site) bool {
	for i := s.In; i != facts.None; {
		d := p.f.Symbol(corpus.Ref{File: s.File, Index: i})
		if d.Kind.IsFunc() && bytes.Contains(s.Text[d.Start:d.At], []byte(s.Rule.Final)) {
			return true
		}
		i = d.Parent
	}
	return false
}

// HasPrefix reports whether a path stands before the routes of a site, so that its
// own may be empty.
func (p *Prefixes) HasPrefix(s *site.Site) bool { return p.of(s)[0].Text != "" }

// IsChained reports whether a site stands behind a call that says its path.
func (p *Prefixes) IsChained(s *site.Site) bool { return p.chained(s) != nil }

// isConventional reports whether routes of ASP.NET that are not written follow the
// names of controllers and actions.
func (p *Prefixes) isConventional() bool {
	return slices.ContainsFunc([]string{"MapDefaultControllerRoute", "MapControllerRoute", "UseMvcWithDefaultRoute"}, func(name string) bool { return len(p.f.Reader.Uses(name)) > 0 })
}

// nameTokens replaces what stands for names in a path of ASP.NET: [controller], [action].
func (p *Prefixes) nameTokens(s *site.Site, path string) string {
	if s.Rule.In != corpus.CSharp || !strings.Contains(path, "[") {
		return path
	}
	d, ok := p.f.Marked(s)
	if !ok {
		return path
	}
	method := p.f.Symbol(d)
	path = strings.ReplaceAll(path, "[action]", method.Name)
	if method.Parent == facts.None {
		return path
	}
	class := p.f.Symbol(corpus.Ref{File: d.File, Index: method.Parent}).Name
	return strings.ReplaceAll(path, "[controller]", strings.TrimSuffix(class, "Controller"))
}

// verbs are the methods that a route answers, "" for any, and its path without
// them.
func verbs(s *site.Site, p string) ([]string, string) {
	switch s.Rule.Verb {
	case rules.NameVerb:
		if all := written.Methods(s.Name); len(all) > 0 {
			return all[:1], p
		}
	case rules.VerbInKey:
		if v, rest, ok := strings.Cut(p, " "); ok && written.IsMethod(v) {
			return []string{v}, strings.TrimLeft(rest, " ")
		}
		return chained(s), p
	case rules.CallVerb:
		return []string{strings.ToUpper(s.Name)}, p
	case rules.FirstVerb:
		if len(s.List) > 0 {
			return written.Methods(s.List[0].Text), p
		}
	case rules.ListVerb:
		if arg, ok := written.At(s.List, written.Position{Index: written.ByName, Name: "methods|method"}); ok {
			if all := written.Methods(arg.Text); len(all) > 0 {
				return all, p
			}
		}
		return chained(s), p
	}
	return []string{""}, p
}

// The calls behind a route, and right before it, that say its methods.
var (
	methodsCall   = pattern.New(`^\s*\.\s*Methods\(([^)]*)\)`)
	methodsBefore = pattern.New(`\.\s*Methods\(([^)]*)\)\s*\.\s*$`)
)

// chained are the methods of a call behind a route, or before it: .Methods("GET", "POST").
func chained(s *site.Site) []string {
	m := methodsCall().FindSubmatch(s.Text[s.End:min(len(s.Text), s.End+300)])
	if m == nil {
		m = methodsBefore().FindSubmatch(s.Text[max(0, s.At-300):s.At])
	}
	if m != nil {
		if all := written.Methods(string(m[1])); len(all) > 0 {
			return all
		}
	}
	return []string{""}
}

var clientMark = pattern.New(`@(?:FeignClient|RegisterRestClient|HttpExchange|Client)\b`)

// IsClient reports whether a route is marked in an interface that a client is made of:
// its methods send requests.
func (p *Prefixes) IsClient(s *site.Site) bool {
	if s.Rule.Kind != edge.Route || s.Rule.Shape != rules.Marking || s.Rule.In != corpus.Java {
		return false
	}
	d, ok := p.f.Marked(s)
	if !ok || p.f.Symbol(d).Parent == facts.None {
		return false
	}
	class := p.f.Symbol(corpus.Ref{File: d.File, Index: p.f.Symbol(d).Parent})
	return clientMark().Match(s.Text[class.Start:class.At])
}
