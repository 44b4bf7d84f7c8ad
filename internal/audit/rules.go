package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/glob"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// rule forbids imports: what from matches must not import what to matches.
type rule struct {
	text     string // as it is given
	from, to pattern
	set      bool // by the settings, for whatever repository it fits
}

// pattern is a glob of files and folders, or the name of something from elsewhere.
type pattern struct {
	text string
	glob glob.Glob
}

// maxRules bounds the rules of a request.
const maxRules = 200

// parseRules reads rules: "A -> B", A must not import B, and "A > B > C", where
// none may import one that stands before it.
func parseRules(texts []string) (rules []rule, err error) {
	for _, text := range texts {
		one, err := parseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, one...)
	}
	if len(rules) > maxRules {
		return nil, &usage.Error{Arg: "forbid", Msg: fmt.Sprintf("%d rules are more than the limit of %d", len(rules), maxRules), Hint: "use globs, or ask in several calls"}
	}
	return rules, nil
}

// ofSettings are the rules of the settings that are for a repository: those without a
// name in front are for every one that has both sides.
func ofSettings(texts []string, repo string) (rules []rule, err error) {
	for _, text := range texts {
		name, rest, ok := strings.Cut(text, ": ")
		if ok && strings.Contains(name, ">") {
			ok, rest = false, text
		}
		if !ok {
			rest = text
		} else if strings.TrimSpace(name) != repo {
			continue
		}
		one, err := parseRule(rest)
		var refused *usage.Error
		if errors.As(err, &refused) {
			refused.Arg, refused.Value = "setting forbid", text
			return nil, refused
		}
		for i := range one {
			one[i].set = !ok
		}
		rules = append(rules, one...)
	}
	return rules, nil
}

func parseRule(text string) (rules []rule, err error) {
	bad := func(msg string) ([]rule, error) {
		return nil, &usage.Error{Arg: "forbid", Value: text, Msg: msg, Hint: "write 'internal/store -> internal/cli', or layers such as 'cli > workspace > store'"}
	}
	if from, to, ok := strings.Cut(text, "->"); ok {
		if strings.Contains(to, "->") {
			return bad("more than one arrow")
		}
		f, err := parsePattern(from)
		if err != nil {
			return nil, err
		}
		t, err := parsePattern(to)
		return []rule{{text: strings.TrimSpace(text), from: f, to: t}}, err
	}
	layers := strings.Split(text, ">")
	if len(layers) < 2 {
		return bad("no arrow between two folders")
	}
	var all []pattern
	for _, l := range layers {
		p, err := parsePattern(l)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	for i, low := range all {
		for _, high := range all[:i] {
			rules = append(rules, rule{text: low.text + " -> " + high.text, from: low, to: high})
		}
	}
	return rules, nil
}

func parsePattern(text string) (pattern, error) {
	text = strings.TrimSpace(text)
	g, err := glob.Compile(text)
	if err != nil {
		return pattern{}, &usage.Error{Arg: "forbid", Value: text, Msg: "not a folder, a file or a glob", Hint: "write 'internal/store -> internal/cli'"}
	}
	return pattern{text, g}, nil
}

// matched are the files of a pattern.
func (a *auditor) matched(p pattern) map[corpus.FileID]bool {
	files := map[corpus.FileID]bool{}
	for f := range corpus.FileID(a.ask.Corpus.NumFiles()) {
		if p.glob.Covers(a.ask.Corpus.Path(f), false) {
			files[f] = true
		}
	}
	return files
}

// elsewhere are the sources from elsewhere that a pattern names: a module, a
// package, or what is below it.
func elsewhere(p pattern, g *modules.Graph) map[int32]bool {
	all := map[int32]bool{}
	for i := range g.Sources {
		s := &g.Sources[i]
		if len(s.Files) == 0 && (names(p.text, s.Name) || s.Origin.Package != "" && names(p.text, s.Origin.Package)) {
			all[int32(i)] = true
		}
	}
	return all
}

// names reports whether a module is what a name says, or below it.
func names(name, module string) bool {
	rest, ok := strings.CutPrefix(module, name)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], `/.:\`))
}

// forbidden lists the imports that break a rule, rule by rule.
func (a *auditor) forbidden() (found []Finding, t Total, err error) {
	g := modules.Of(a.ask)
	t.AtLeast = g.Left > 0
	a.Left = max(a.Left, g.Left)
	for _, r := range a.rules {
		from, to := a.matched(r.from), a.matched(r.to)
		outside := map[int32]bool{}
		if len(to) == 0 {
			outside = elsewhere(r.to, g)
		}
		if len(from) == 0 || len(to)+len(outside) == 0 {
			if r.set {
				a.Notes = append(a.Notes, "the rule "+r.text+" of the setting forbid was not checked: the repository has no such files and imports")
				continue
			}
			return nil, t, a.namesNothing(r, len(from) == 0)
		}
		for _, f := range a.under {
			if !from[f] || a.ask.Corpus.Class(f)&(code.ClassVendor|code.ClassTest) != 0 {
				continue
			}
			for n, end := g.From(f); n < end; n++ {
				e := &g.Edges[n]
				if outside[e.Source] || slices.ContainsFunc(g.Targets(e), func(o corpus.FileID) bool { return to[o] && !from[o] }) {
					found = append(found, a.breach(&r, g, e))
				}
			}
		}
	}
	return found, t, nil
}

// namesNothing is the error of a rule one side of which matches nothing.
func (a *auditor) namesNothing(r rule, from bool) error {
	p := r.to
	if from {
		p = r.from
	}
	return &usage.Error{Arg: "forbid", Value: r.text, Msg: p.text + " matches no file and no import", Hint: a.ask.NearestPath(p.text)}
}

// breach is an import that a rule forbids.
func (a *auditor) breach(r *rule, g *modules.Graph, e *modules.Edge) Finding {
	s := &g.Sources[e.Source]
	target := s.Name
	if len(s.Files) > 0 {
		target = a.ask.Corpus.Path(s.Files[0])
	}
	if s.Folder != "" {
		target = s.Folder + "/"
	}
	p := a.ask.Corpus.Path(e.From)
	return Finding{
		Report: Forbidden, Path: p, Line: int(e.Line), EndLine: int(e.Line), Reason: "breaks " + r.text,
		Places: []Place{{Path: p, Line: int(e.Line), EndLine: int(e.Line), Text: target}},
	}
}
