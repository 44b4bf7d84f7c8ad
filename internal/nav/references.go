package nav

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/nearest"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// References finds who uses a symbol.
func (x *Index) References(r ReferencesRequest) (*References, error) {
	if err := r.check(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	if r.Kind == "" {
		r.Kind = KindAll
	}
	if !slices.Contains(Kinds, r.Kind) {
		return nil, &usage.Error{Arg: "kind", Value: string(r.Kind), Msg: "not a kind", Hint: kindHint(string(r.Kind))}
	}
	res := &References{Offset: r.Offset, Pending: x.corpus.Pending()}
	err := x.run(func(a *ask) error {
		groups, err := a.groups(r.Target)
		if err != nil {
			return err
		}
		if len(groups) == 0 && r.Name != "" {
			res.Near = a.near(r.Name)
		}
		if len(groups) > 1 && !r.Union {
			return a.candidates(res, groups)
		}
		return a.answer(res, &r, slices.Concat(groups...))
	})
	return res, err
}

func kindHint(kind string) string {
	var names []string
	for _, k := range Kinds {
		names = append(names, string(k))
	}
	if near := nearest.Of(kind, names, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	hint := "one of"
	for i, n := range names {
		if i > 0 {
			hint += ","
		}
		hint += " " + n
	}
	return hint
}

// groups are the symbols that a target means, each with all its declarations.
func (a *ask) groups(t Target) ([][]corpus.Ref, error) {
	all, err := a.targets(t)
	if err != nil {
		return nil, err
	}
	var groups [][]corpus.Ref
	for _, m := range all.meanings {
		if !slices.ContainsFunc(groups, func(g []corpus.Ref) bool { return slices.Contains(g, m.Ref) }) {
			groups = append(groups, a.Together(m.Ref))
		}
	}
	if all.use == facts.None && t.Name == "" && len(groups) > 1 {
		return [][]corpus.Ref{slices.Concat(groups...)}, nil
	}
	if t.Name == "" && len(groups) > 1 && all.meanings[0].Confidence < all.meanings[len(all.meanings)-1].Confidence {
		groups = groups[:1] // the place means the likeliest
	}
	return groups, nil
}

// candidates lists the symbols that a bare name may mean.
func (a *ask) candidates(res *References, groups [][]corpus.Ref) error {
	for _, g := range groups {
		d, err := a.definition(g[0], false)
		if err != nil {
			return err
		}
		res.Candidates = append(res.Candidates, d)
	}
	return nil
}

func (a *ask) answer(res *References, r *ReferencesRequest, group []corpus.Ref) error {
	for _, ref := range group {
		d, err := a.definition(ref, false)
		if err != nil {
			return err
		}
		res.Symbols = append(res.Symbols, d)
	}
	if r.Kind == KindMentions {
		return a.mentions(res, r, group)
	}
	var sure, maybe []resolve.Reference
	for _, ref := range a.found(r.Kind, group) {
		if r.Union && ref.Dispatch { // of a name alone, what it may run is asked for too
			ref.Confidence = facts.Likely
		}
		switch ref.Confidence {
		case facts.Possible:
			maybe = append(maybe, ref)
		case facts.Certain:
			res.Certain++
			fallthrough
		default:
			sure = append(sure, ref)
		}
	}
	res.Total, res.Possible, res.Left = len(sure), len(maybe), a.Left()
	if res.Total+res.Possible == 0 {
		res.Failed = a.corpus.Failed()
	}
	res.Update = a.update(group, sure)
	limit := r.Limit
	if limit == 0 {
		limit = defaultReferences
	}
	shown := page(sure, r.Offset, limit, limit)
	var err error
	if res.Files, err = a.byFile(shown); err != nil {
		return err
	}
	if left := limit - len(shown); left > 0 {
		res.Maybe, err = a.byFile(page(maybe, max(0, r.Offset-len(sure)), left, left))
	}
	return err
}

// found are the references of a kind.
func (a *ask) found(kind Kind, group []corpus.Ref) []resolve.Reference {
	switch kind {
	case KindImplementations, KindOverrides, KindSubtypes, KindSupertypes:
		return a.related(kind, group)
	}
	all := a.Question.References(group)
	if kind == KindAll {
		return all
	}
	return slices.DeleteFunc(all, func(r resolve.Reference) bool {
		return r.Use == facts.None || !kind.holds(a.Use(r.File, int(r.Use)).Role)
	})
}

// related are the declarations that stand in a relation to those of a group.
func (a *ask) related(kind Kind, group []corpus.Ref) []resolve.Reference {
	var all []resolve.Reference
	for _, r := range group {
		member := !a.Symbol(r).Kind.IsType()
		var found []resolve.Related
		switch {
		case kind == KindOverrides || kind == KindImplementations && member:
			found = a.Overriding(r)
		case member:
		case kind == KindSupertypes:
			found = a.Supertypes(r)
		default:
			found = a.Subtypes(r)
		}
		for _, f := range found {
			if kind != KindImplementations || a.Symbol(f.Ref).Kind != code.KindInterface && a.Symbol(f.Ref).Flags&facts.Abstract == 0 {
				all = append(all, resolve.Reference{File: f.File, Use: facts.None, Symbol: f.Index, Confidence: f.Confidence, Reason: f.Reason})
			}
		}
	}
	slices.SortFunc(all, func(x, y resolve.Reference) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Symbol, y.Symbol), cmp.Compare(x.Confidence, y.Confidence))
	})
	return slices.CompactFunc(all, func(x, y resolve.Reference) bool { return x.File == y.File && x.Symbol == y.Symbol })
}

func (k Kind) holds(r facts.Role) bool {
	switch k {
	case KindCalls:
		return r == facts.RoleCall
	case KindReads:
		return r == facts.RoleRead
	case KindWrites:
		return r == facts.RoleWrite
	case KindTypes:
		return r == facts.RoleType || r == facts.RoleInherit || r == facts.RoleImplement
	case KindImports:
		return r == facts.RoleImport
	}
	return true
}

// update lists the files that a change of the symbol concerns.
func (a *ask) update(group []corpus.Ref, sure []resolve.Reference) []string {
	var paths []string
	for _, r := range group {
		paths = append(paths, a.corpus.Path(r.File))
	}
	for _, r := range sure {
		paths = append(paths, a.corpus.Path(r.File))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func (a *ask) byFile(all []resolve.Reference) ([]FileReferences, error) {
	var files []FileReferences
	for _, r := range all {
		ref, err := a.reference(r)
		if err != nil {
			return nil, err
		}
		files = addReference(files, a.corpus.Path(r.File), ref)
	}
	return files, nil
}

func (a *ask) reference(r resolve.Reference) (Reference, error) {
	ref := Reference{Confidence: r.Confidence, Reason: r.Reason}
	in, at := int32(facts.None), facts.Place{}
	if r.Use == facts.None {
		s := a.Symbol(corpus.Ref{File: r.File, Index: r.Symbol})
		ref.Name, ref.Role, ref.Declaration = s.Name, facts.RoleImplement, true
		in, at = r.Symbol, s.Place
	} else {
		u := a.File(r.File).Use(int(r.Use))
		ref.Name, ref.Role = u.Name, u.Role
		in, at = u.In, u.Place
	}
	ref.Line, ref.Column = int(at.Line), int(at.Column)
	if in != facts.None {
		ref.In = a.id(corpus.Ref{File: r.File, Index: in})
	}
	var err error
	ref.Text, err = a.line(r.File, at.At)
	return ref, err
}

// maxLine bounds the bytes of a line in an answer.
const maxLine = 300

// line is the line of a file that holds a byte. It reads a stretch of text
// around that byte, of eight times as much until the line is in it.
func (a *ask) line(f corpus.FileID, at uint32) (string, error) {
	for reach := 512; ; reach *= 8 {
		from, to := max(int(at)-reach, 0), int(at)+reach
		text, err := a.corpus.TextRange(f, from, to, &a.piece)
		if err != nil || int(at) > from+len(text) {
			return "", err
		}
		here := int(at) - from
		begins := from == 0 || bytes.IndexByte(text[:here], '\n') >= 0
		ends := len(text) < to-from || bytes.IndexByte(text[here:], '\n') >= 0
		if begins && ends {
			return lineAt(text, uint32(here)), nil
		}
	}
}

// lineAt is the line that holds a byte.
func lineAt(text []byte, at uint32) string {
	if int(at) > len(text) {
		return ""
	}
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		end = int(at) + i
	}
	line := bytes.TrimSpace(text[start:end])
	if len(line) > maxLine {
		line = append(bytes.ToValidUTF8(line[:maxLine:maxLine], nil), " ..."...)
	}
	return string(line)
}
