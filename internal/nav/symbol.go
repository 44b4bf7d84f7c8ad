package nav

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/nearest"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
	"espy/internal/usage"
)

// Symbol finds definitions: of a name, of the symbol declared at a place, or of
// what the use at a place means. It is a *usage.Error when the request cannot
// be answered as it was put; a name that no symbol has is no error.
func (x *Index) Symbol(r SymbolRequest) (*Symbols, error) {
	if err := r.check(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	res := &Symbols{Offset: r.Offset, Pending: x.corpus.Pending()}
	err := x.run(func(a *ask) error {
		all, err := a.targets(r.Target)
		if err != nil {
			return err
		}
		res.Total = len(all.meanings)
		if e := a.elsewhere(&all); e != nil {
			res.Elsewhere = &Elsewhere{Name: e.Name, From: e.From}
		}
		if all.use != facts.None {
			ref, err := a.reference(&located{Reference: resolve.Reference{File: all.file, Use: int32(all.use), Symbol: facts.None}})
			if err != nil {
				return err
			}
			res.Use = &ref
		}
		if res.Total == 0 {
			res.Failed = a.corpus.Failed()
		}
		if res.Total == 0 && r.Name != "" {
			res.Near = a.near(r.Name)
			if res.Unread, err = a.unread(r.Name); err != nil {
				return err
			}
		}
		for _, m := range page(all.meanings, r.Offset, r.Limit, defaultSymbols) {
			d, err := a.definition(m.Ref, r.Body)
			if err != nil {
				return err
			}
			d.Confidence, d.Reason = m.Confidence, m.Reason
			res.Definitions = append(res.Definitions, d)
		}
		return nil
	})
	return res, err
}

// check reports what is wrong with a target and its limits.
func (t *Target) check(limit, offset int) error {
	switch {
	case t.Name == "" && t.Path == "":
		return &usage.Error{Arg: "name", Msg: "missing", Hint: "give a name, an id, or a path with a line"}
	case t.Name != "" && t.Path != "":
		return &usage.Error{Arg: "path", Value: t.Path, Msg: "given together with a name", Hint: "give one of them"}
	case t.Path != "" && t.Line < 1:
		return &usage.Error{Arg: "line", Value: strconv.Itoa(t.Line), Msg: "not a line number", Hint: "lines count from 1"}
	case t.Column < 0:
		return &usage.Error{Arg: "column", Value: strconv.Itoa(t.Column), Msg: "negative", Hint: "columns count bytes from 1; leave it out for the first name of the line"}
	}
	return checkLimits(limit, offset)
}

func checkLimits(limit, offset int) error {
	switch {
	case limit < 0 || limit > MaxLimit:
		return &usage.Error{Arg: "limit", Value: strconv.Itoa(limit), Msg: "out of range", Hint: "0 to " + strconv.Itoa(MaxLimit)}
	case offset < 0:
		return &usage.Error{Arg: "offset", Value: strconv.Itoa(offset), Msg: "negative", Hint: "0 or more"}
	}
	return nil
}

// page cuts a list to what a request asks for.
func page[T any](all []T, offset, limit, usual int) []T {
	if limit == 0 {
		limit = usual
	}
	all = all[min(offset, len(all)):]
	return all[:min(limit, len(all))]
}

// targets are the symbols that a target may mean.
type targets struct {
	meanings []resolve.Meaning
	file     corpus.FileID
	use      int // at the place; None where there is none
	imported int // at the place, where it brings what no file declares; None where there is none
}

func (a *ask) targets(t Target) (targets, error) {
	all := targets{use: facts.None, imported: facts.None}
	if t.Name != "" {
		named := a.named(t.Name)
		if len(named) == 0 {
			if err := a.checkID(t.Name); err != nil {
				return all, err
			}
		}
		for _, r := range named {
			all.meanings = append(all.meanings, resolve.Meaning{Ref: r})
		}
		return all, nil
	}
	f, symbol, use, err := a.at(t)
	if err != nil {
		return all, err
	}
	switch {
	case symbol != facts.None:
		for _, r := range a.declaredTogether(f, symbol) {
			all.meanings = append(all.meanings, resolve.Meaning{Ref: r})
		}
	case use != facts.None:
		all.file, all.use = f, use
		all.meanings = a.Define(f, use)
	case a.importAt(&all, f, t):
	default:
		return all, &usage.Error{Arg: "line", Value: t.Path + ":" + strconv.Itoa(t.Line), Msg: "no known name there", Hint: "give the column of a name, or the name itself"}
	}
	return all, nil
}

// importAt finds the import that brings what no file declares and whose name stands
// at a place.
func (a *ask) importAt(all *targets, f corpus.FileID, t Target) bool {
	from, to, err := a.offset(f, t.Line, t.Column)
	if err != nil {
		return false
	}
	file := a.File(f)
	for i := range file.NumImports() {
		m := file.Import(i)
		if end := m.At + uint32(len(m.Local)); t.Column == 0 && (m.At < from || m.At >= to) || t.Column > 0 && (from < m.At || from >= end) {
			continue
		}
		if _, ok := a.ImportedElsewhere(corpus.Ref{File: f, Index: int32(i)}); ok {
			all.file, all.imported = f, i
			return true
		}
	}
	return false
}

// elsewhere describes what a target means that no file declares, nil where one may.
func (a *ask) elsewhere(all *targets) *resolve.Elsewhere {
	var e resolve.Elsewhere
	ok := false
	switch {
	case len(all.meanings) > 0:
	case all.imported != facts.None:
		e, ok = a.ImportedElsewhere(corpus.Ref{File: all.file, Index: int32(all.imported)})
	case all.use != facts.None:
		e, ok = a.UsedElsewhere(corpus.Ref{File: all.file, Index: int32(all.use)})
	}
	if !ok {
		return nil
	}
	return &e
}

// checkID refuses an id whose file is not in the index, or does not declare what
// it names.
func (a *ask) checkID(id string) error {
	file, local, ok := a.cutID(id)
	if !ok || len(syn.SplitName(local)) == 0 {
		return nil
	}
	if _, ok := a.corpus.Find(path.Clean(file)); ok {
		return &usage.Error{Arg: "symbol", Value: id, Msg: "not declared in " + file, Hint: a.nearestID(file, local)}
	}
	if !strings.Contains(file, "/") && (path.Ext(file) == "" || lang.Detect(file, nil) == nil) {
		return nil // Type#method
	}
	hint := a.sameName(local)
	if hint == "" {
		hint = a.nearestFile(file)
	}
	return &usage.Error{Arg: "symbol", Value: id, Msg: file + " is not in the index", Hint: hint}
}

// nearestID names symbols like one that its file does not declare: those of the
// same name elsewhere, else what the file declares under names like it.
func (a *ask) nearestID(file, local string) string {
	if hint := a.sameName(local); hint != "" {
		return hint
	}
	if near := a.nearestIn(file, local); len(near) > 0 {
		return didYouMean(near)
	}
	return "the outline of that file lists what it declares"
}

// sameName asks whether a symbol with the last name of an id is meant.
func (a *ask) sameName(local string) string {
	parts := syn.SplitName(local)
	var ids []string
	for _, r := range a.named(parts[len(parts)-1]) {
		ids = append(ids, a.id(r))
	}
	return didYouMean(ids)
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names[:min(len(names), 3)], ", ") + "?"
}

// nearestIn are the ids of what a file declares under names like one.
func (a *ask) nearestIn(file, local string) []string {
	f, _ := a.corpus.Find(path.Clean(file))
	var names []string
	for i := range a.File(f).NumSymbols() {
		if a.File(f).Flags(i)&facts.Local == 0 {
			name := strings.TrimPrefix(a.id(corpus.Ref{File: f, Index: int32(i)}), a.corpus.Path(f)+"#")
			names = append(names, name)
		}
	}
	near := nearest.Of(local, names, 3)
	for i, n := range near {
		near[i] = a.corpus.Path(f) + "#" + n
	}
	return near
}

// declaredTogether are the symbols that one name declares, such as the
// parameter of a constructor that is a field too, the widest seen first.
func (a *ask) declaredTogether(f corpus.FileID, symbol int) []corpus.Ref {
	first := corpus.Ref{File: f, Index: int32(symbol)}
	s := a.Symbol(first)
	all := []corpus.Ref{first}
	for i := range a.File(f).SymbolsNamed(s.Name) {
		if r := (corpus.Ref{File: f, Index: int32(i)}); r != first && a.Symbol(r).At == s.At {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(x, y corpus.Ref) int {
		return cmp.Compare(a.Symbol(x).Flags&facts.Local, a.Symbol(y).Flags&facts.Local)
	})
	return all
}

// unread is a language of files in which the last part of a name stands that has
// definitions, but no grammar here to find them with; empty for none.
func (a *ask) unread(name string) (language string, err error) {
	parts := syn.SplitName(name)
	if len(parts) == 0 {
		return "", nil
	}
	err = a.corpus.Mentions(parts[len(parts)-1], func(f corpus.FileID, _ uint32) bool {
		if a.corpus.Family(f) != corpus.NoFamily {
			return !a.late()
		}
		if l, ok := lang.ByName(a.corpus.Language(f)); ok && l.Outline {
			language = l.Name
			return false
		}
		return !a.late()
	})
	return language, err
}

// near are names that resemble the last part of a name that no symbol has.
func (a *ask) near(name string) []string {
	parts := syn.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	return a.corpus.Near(parts[len(parts)-1], 5)
}
