package nav

import (
	"bytes"
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/nearest"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// References finds who uses a symbol.
func (x *Index) References(r ReferencesRequest) (*References, error) {
	if err := r.Check(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	if r.Kind == "" {
		r.Kind = KindAll
	}
	if !slices.Contains(Kinds, r.Kind) {
		return nil, &usage.Error{Arg: "kind", Value: string(r.Kind), Msg: "not a kind", Hint: kindHint(string(r.Kind))}
	}
	res := &References{Offset: r.Offset, Pending: x.Pending()}
	err := x.run(func(a *ask) error {
		if _, name, ok := a.Unparsed(r.Name); ok && !r.Kind.IsRelation() {
			r.Target, r.Union, res.Instead = locate.Target{Name: name}, true, name
		}
		meant, err := a.Meant(r.Target)
		if err != nil {
			return err
		}
		if meant.Elsewhere != nil && r.Kind != KindMentions {
			return a.answerElsewhere(res, &r, meant.Elsewhere)
		}
		groups := meant.Groups
		res.Beside = meant.Beside
		if r.Kind.IsRelation() {
			groups = a.relatable(r.Kind, groups)
		}
		if len(groups) == 0 && r.Name != "" {
			res.Named = a.filesNamed(r.Name, nil)
			if res.Outlined, err = a.Outlined(r.Name); err != nil {
				return err
			}
			if res.Outlined == "" {
				res.Near = a.near(r.Name)
			}
			if parts := facts.SplitName(r.Name); res.Outlined != "" && !isBare(r.Name) && !r.Kind.IsRelation() {
				if r.declared, err = a.ByLine(r.Name); err != nil {
					return err
				}
				r.Name = parts[len(parts)-1]
				res.Instead = r.Name
			}
		}
		if r.First && r.Name != "" {
			groups = slices.DeleteFunc(groups, func(g []corpus.Ref) bool { return a.Corpus.Home(g[0].File) == 0 })
		}
		if r.Name != "" && !r.Union {
			groups, res.Namesakes = a.Program(groups)
		}
		if (len(groups) > 1 || meant.Doubtful) && !r.Union {
			return a.candidates(res, groups)
		}
		return a.answer(res, &r, groups)
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

// candidates lists the symbols that a bare name may mean.
func (a *ask) candidates(res *References, groups [][]corpus.Ref) error {
	for _, g := range groups {
		d, err := a.Definition(g[0], false)
		if err != nil {
			return err
		}
		res.Candidates = append(res.Candidates, d)
	}
	return nil
}

func (a *ask) answer(res *References, r *ReferencesRequest, groups [][]corpus.Ref) error {
	group := slices.Concat(groups...)
	for _, ref := range group {
		d, err := a.Definition(ref, false)
		if err != nil {
			return err
		}
		res.Symbols = append(res.Symbols, d)
	}
	if r.Kind == KindMentions {
		return a.mentions(res, r, group)
	}
	q := question{a, r, group}
	found, err := q.find(res)
	if err != nil {
		return err
	}
	res.Apart = found.within(a, r.Files)
	apart(a, r.Files, &group, func(r *corpus.Ref) corpus.FileID { return r.File })
	res.Update = a.files(group, slices.Concat(found.sure, declarations(found.maybe)))
	res.Check = a.check(found.maybe, res.Update)
	if len(q.group) == 0 {
		res.Elsewhere = q.imported(found)
	}
	return a.show(res, r, found)
}

// answerElsewhere lists the uses of what no file declares.
func (a *ask) answerElsewhere(res *References, r *ReferencesRequest, e *resolve.Elsewhere) error {
	res.Elsewhere = &Elsewhere{Name: e.Name, From: e.From}
	if r.Kind.IsRelation() {
		return nil
	}
	q := question{ask: a, request: r}
	uses, imports := a.Uses(*e)
	all := q.split(q.ofKind(uses), nil)
	if r.Kind.holds(facts.RoleImport) {
		q.addImports(all, imports)
	}
	res.Others = q.others(e.Name, all)
	res.Apart = all.within(a, r.Files)
	return a.show(res, r, all)
}

// declarations are the places that declare: what overrides a symbol, or what it
// overrides, changes with it.
func declarations(all []located) []located {
	return slices.DeleteFunc(slices.Clone(all), func(p located) bool { return p.Use != facts.None || p.word != "" })
}

// show puts the page of a request into its answer.
func (a *ask) show(res *References, r *ReferencesRequest, found *found) (err error) {
	res.Total, res.Possible = len(found.sure), len(found.maybe)
	res.Left += a.Left()
	for i := range found.sure {
		if found.sure[i].Confidence == facts.Certain {
			res.Certain++
		}
	}
	if res.Total+res.Possible+res.Apart == 0 {
		res.Failed = a.Corpus.Failed()
	}
	limit := r.Limit
	if limit == 0 {
		limit = defaultReferences
	}
	shown := pageOf(found.sure, r.Offset, limit, limit)
	if res.Files, err = a.byFile(shown); err != nil {
		return err
	}
	if left := limit - len(shown); left > 0 {
		res.Maybe, err = a.byFile(pageOf(found.maybe, max(0, r.Offset-len(found.sure)), left, left))
	}
	return err
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

// files lists the files of declarations and references, by path.
func (a *ask) files(group []corpus.Ref, sure []located) []string {
	ids := make([]corpus.FileID, 0, len(group))
	for _, r := range group {
		ids = append(ids, r.File)
	}
	for i := range sure {
		if n := len(ids); n == 0 || ids[n-1] != sure[i].File {
			ids = append(ids, sure[i].File)
		}
	}
	return a.paths(ids)
}

// check lists the files that have possible uses only.
func (a *ask) check(maybe []located, update []string) []string {
	var ids []corpus.FileID
	for i := range maybe {
		if n := len(ids); n == 0 || ids[n-1] != maybe[i].File {
			ids = append(ids, maybe[i].File)
		}
	}
	return slices.DeleteFunc(a.paths(ids), func(p string) bool {
		_, ok := slices.BinarySearch(update, p)
		return ok
	})
}

// paths are those of files, in order and once each.
func (a *ask) paths(ids []corpus.FileID) []string {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	paths := make([]string, len(ids))
	for i, id := range ids {
		paths[i] = a.Corpus.Path(id)
	}
	return paths
}

func (a *ask) byFile(all []located) ([]FileReferences, error) {
	var files []FileReferences
	for i := range all {
		ref, err := a.reference(&all[i])
		if err != nil {
			return nil, err
		}
		files = addReference(files, a.Corpus.Path(all[i].File), ref)
	}
	return files, nil
}

func (a *ask) reference(p *located) (Reference, error) {
	ref := Reference{Confidence: p.Confidence, Reason: p.Reason}
	in, at := int32(facts.None), facts.Place{}
	switch {
	case p.Use != facts.None:
		u := a.File(p.File).Use(int(p.Use))
		ref.Name, ref.Role = u.Name, u.Role
		in, at = u.In, u.Place
	case p.Symbol != facts.None:
		s := a.Symbol(corpus.Ref{File: p.File, Index: p.Symbol})
		ref.Name, ref.Role, ref.Declaration = s.Name, facts.RoleImplement, true
		in, at = p.Symbol, s.Place
	default:
		return a.wordReference(p)
	}
	ref.Line, ref.Column = int(at.Line), int(at.Column)
	if in != facts.None {
		ref.In = a.ID(corpus.Ref{File: p.File, Index: in})
	}
	var err error
	ref.Text, err = a.Line(p.File, at.At)
	return ref, err
}

// wordReference describes a word that no fact explains.
func (a *ask) wordReference(p *located) (Reference, error) {
	text, err := a.Text(p.File)
	if err != nil {
		return Reference{}, err
	}
	ref := Reference{
		Line: a.lineNumber(p.File, text, p.at), Column: int(p.at) - bytes.LastIndexByte(text[:p.at], '\n'),
		Name: p.word, Confidence: p.Confidence, Reason: p.Reason, Role: p.role, Text: locate.LineAt(text, p.at),
	}
	if in := a.File(p.File).Enclosing(p.at); in != facts.None {
		ref.In = a.ID(corpus.Ref{File: p.File, Index: int32(in)})
	} else if a.Corpus.Family(p.File) == corpus.NoFamily {
		var in string
		if in, err = a.Within(p.File, ref.Line); in != "" {
			ref.In = a.Corpus.Path(p.File) + "#" + in
		}
	}
	return ref, err
}
