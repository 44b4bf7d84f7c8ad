package locate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// MaxLimit is the most that a request may ask to be shown.
const MaxLimit = 1_000_000

// Target says which symbol a question is about: by name, or by a place where
// it is declared or used.
type Target struct {
	// Name is a bare name, a qualified one in the way of any language
	// (pkg.Type.Method, Type::method, Type#method) or an id.
	Name string

	Path   string // with Line, instead of Name
	Line   int    // from 1
	Column int    // byte from 1; 0 for the first declaration of the line, else its first use
}

// Check reports what is wrong with a target and its limits.
func (t *Target) Check(limit, offset int) error {
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
	return CheckLimits(limit, offset)
}

func CheckLimits(limit, offset int) error {
	switch {
	case limit < 0 || limit > MaxLimit:
		return &usage.Error{Arg: "limit", Value: strconv.Itoa(limit), Msg: "out of range", Hint: "0 to " + strconv.Itoa(MaxLimit)}
	case offset < 0:
		return &usage.Error{Arg: "offset", Value: strconv.Itoa(offset), Msg: "negative", Hint: "0 or more"}
	}
	return nil
}

// Targets are the symbols that a target may mean.
type Targets struct {
	Meanings []resolve.Meaning
	File     corpus.FileID
	Use      int // at the place; None where there is none
	imported int // at the place, where it brings what no file declares; None where there is none
}

func (a *Ask) Targets(t Target) (Targets, error) {
	all := Targets{Use: facts.None, imported: facts.None}
	if t.Name != "" {
		named := a.Find(t.Name)
		if len(named) == 0 {
			if err := a.checkID(t.Name); err != nil {
				return all, err
			}
		}
		for _, r := range named {
			all.Meanings = append(all.Meanings, resolve.Meaning{Ref: r})
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
			all.Meanings = append(all.Meanings, resolve.Meaning{Ref: r})
		}
	case use != facts.None:
		all.File, all.Use = f, use
		all.Meanings = a.Define(f, use)
	case a.importAt(&all, f, t):
	default:
		return all, a.noName(f, t)
	}
	return all, nil
}

// importAt finds the import that brings what no file declares and whose name stands
// at a place.
func (a *Ask) importAt(all *Targets, f corpus.FileID, t Target) bool {
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
			all.File, all.imported = f, i
			return true
		}
	}
	return false
}

// Elsewhere describes what a target means that no file declares, nil where one may.
func (a *Ask) Elsewhere(all *Targets) *resolve.Elsewhere {
	var e resolve.Elsewhere
	ok := false
	switch {
	case len(all.Meanings) > 0:
	case all.imported != facts.None:
		e, ok = a.ImportedElsewhere(corpus.Ref{File: all.File, Index: int32(all.imported)})
	case all.Use != facts.None:
		e, ok = a.UsedElsewhere(corpus.Ref{File: all.File, Index: int32(all.Use)})
	}
	if !ok {
		return nil
	}
	return &e
}

// declaredTogether are the symbols that one name declares, such as the
// parameter of a constructor that is a field too, the widest seen first.
func (a *Ask) declaredTogether(f corpus.FileID, symbol int) []corpus.Ref {
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

// offset finds the byte of a place.
func (a *Ask) offset(f corpus.FileID, line, column int) (from, to uint32, err error) {
	text, err := a.Text(f)
	if err != nil {
		return 0, 0, err
	}
	start := 0
	for n := 1; n < line; n++ {
		i := slices.Index(text[start:], '\n')
		if i < 0 {
			return 0, 0, &usage.Error{Arg: "line", Value: strconv.Itoa(line), Msg: "past the end of the file", Hint: "the file has " + strconv.Itoa(n) + " lines"}
		}
		start += i + 1
	}
	end := len(text)
	if i := slices.Index(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	if column > 0 {
		start = min(start+column-1, end)
		return uint32(start), uint32(start + 1), nil
	}
	return uint32(start), uint32(end), nil
}

// at finds the symbol at a place, else the use.
func (a *Ask) at(t Target) (f corpus.FileID, symbol, use int, err error) {
	f, ok := a.Corpus.Find(path.Clean(t.Path))
	if !ok {
		return 0, 0, 0, &usage.Error{Arg: "path", Value: t.Path, Msg: "not in the index", Hint: a.nearestFile(t.Path)}
	}
	if all := a.Corpus.All(path.Clean(t.Path)); len(all) > 1 {
		return 0, 0, 0, &usage.Error{Arg: "path", Value: t.Path, Msg: "in several repositories", Hint: didYouMean(a.paths(all))}
	}
	from, to, err := a.offset(f, t.Line, t.Column)
	if err != nil {
		return 0, 0, 0, err
	}
	file := a.File(f)
	symbol, use = facts.None, facts.None
	if t.Column > 0 {
		use = file.UseAt(from)
		if symbol = file.SymbolAt(from); symbol != facts.None && !a.isShort(f, symbol, use) {
			use = facts.None
		}
		if use != facts.None {
			symbol = facts.None
		}
		return f, symbol, use, nil
	}
	for i := range file.NumSymbols() {
		if s := a.Symbol(corpus.Ref{File: f, Index: int32(i)}); s.At >= from && s.At < to {
			return f, i, facts.None, nil
		}
	}
	if i := file.UsesFrom(from); i < file.NumUses() && a.Use(f, i).At < to {
		use = i
	}
	return f, facts.None, use, nil
}

// isShort reports whether a symbol is declared by the use of its value, as the key in
// {a} is: a question at that place is about the value. Of an embedded field whose type
// is declared elsewhere it is about the field.
func (a *Ask) isShort(f corpus.FileID, symbol, use int) bool {
	s := a.Symbol(corpus.Ref{File: f, Index: int32(symbol)})
	if use == facts.None || s.Type == facts.None {
		return false
	}
	x := a.File(f).Expr(int(s.Type))
	if x.Op != facts.OpUse || int(x.X) != use {
		return false
	}
	return s.Flags&facts.Embedded == 0 || len(a.Define(f, use)) > 0
}

// Meant is what a target means.
type Meant struct {
	Groups    [][]corpus.Ref     // the symbols, each with all its declarations
	Elsewhere *resolve.Elsewhere // what is declared outside of the repository instead
	Beside    string             // of a bare name: where code without a grammar declares it too; else empty
	Doubtful  bool               // of the use at a place nothing is known but what is merely possible
}

// Meant says what a target means.
func (a *Ask) Meant(t Target) (m Meant, err error) {
	all, err := a.Targets(t)
	if err != nil {
		return m, err
	}
	if m.Elsewhere = a.Elsewhere(&all); m.Elsewhere != nil {
		return m, nil
	}
	for _, one := range all.Meanings {
		if !slices.ContainsFunc(m.Groups, func(g []corpus.Ref) bool { return slices.Contains(g, one.Ref) }) {
			m.Groups = append(m.Groups, a.Likeliest(one.Ref))
		}
	}
	switch {
	case len(m.Groups) == 0:
		return m, nil
	case len(facts.SplitName(t.Name)) == 1:
		beside, err := a.Besides(t.Name)
		if len(beside) > 0 {
			m.Beside = a.Corpus.Where(beside[0])
		}
		return m, err
	case t.Name != "":
		return m, nil
	}
	m.Doubtful = !slices.ContainsFunc(all.Meanings, func(m resolve.Meaning) bool { return m.Confidence != facts.Possible })
	switch {
	case len(m.Groups) == 1:
	case all.Use == facts.None:
		m.Groups = [][]corpus.Ref{slices.Concat(m.Groups...)}
	case all.Meanings[0].Confidence < all.Meanings[len(all.Meanings)-1].Confidence:
		m.Groups = m.Groups[:1] // the place means the likeliest
	}
	return m, nil
}

// Program leaves the only one of the symbols of a name that the program declares, and counts
// the others: those in tests, examples and documents, in generated and in vendored code, and
// modules that are no more than the file of another, as mod parse of parse.rs with its parse.
func (a *Ask) Program(groups [][]corpus.Ref) (left [][]corpus.Ref, others int) {
	own := slices.DeleteFunc(slices.Clone(groups), func(g []corpus.Ref) bool {
		return tier(a.Corpus.Class(g[0].File)) > 1 || slices.ContainsFunc(groups, func(o []corpus.Ref) bool { return a.isFileOf(g[0], o[0]) })
	})
	if len(own) != 1 || a.Symbol(own[0][0]).Flags&facts.Local != 0 {
		return groups, 0
	}
	return own, len(groups) - 1
}

// isFileOf reports whether a symbol is a module without a body, which stands for the file that
// declares another.
func (a *Ask) isFileOf(module, other corpus.Ref) bool {
	s, p := a.Symbol(module), a.Corpus.Path(other.File)
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if stem == "mod" {
		stem = path.Base(path.Dir(p))
	}
	const end = 1 // the semicolon after the signature
	return s.Kind == code.KindModule && s.End <= s.SigEnd+end && stem == s.Name && module.File != other.File && a.Symbol(other).Kind != code.KindModule
}

// Likeliest is a symbol with the other declarations of the same thing behind it,
// the likeliest first.
func (a *Ask) Likeliest(r corpus.Ref) []corpus.Ref {
	all := slices.Clone(a.Together(r))
	slices.SortStableFunc(all, a.byLikelihood)
	if i := slices.Index(all, r); i > 0 {
		all = slices.Insert(slices.Delete(all, i, i+1), 0, r)
	}
	return all
}
