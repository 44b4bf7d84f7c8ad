package shape

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Specialized leaves, of the templates of one name, those that a use means by the
// arguments that are written behind it: the specializations of most of these, else
// those that are none. All are left where there is no other.
func (v *Choice) Specialized(use corpus.Ref, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 {
		return refs
	}
	u := v.read.File(use.File).Use(use.Index)
	given := v.arguments(use.File, int(u.At)+len(u.Name))
	var best, plain []corpus.Ref
	most := 0
	for _, r := range refs {
		s := v.read.Symbol(r)
		special := v.arguments(r.File, int(s.At)+len(s.Name))
		if len(special) == 0 {
			plain = append(plain, r)
			continue
		}
		header, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.At), nil)
		if err != nil {
			continue
		}
		if n := matching(special, given, string(header)); n > most {
			best, most = []corpus.Ref{r}, n
		} else if n == most && n > 0 {
			best = append(best, r)
		}
	}
	switch {
	case len(best) > 0:
		return best
	case len(plain) > 0:
		return plain
	}
	return refs
}

// OfLibrary answers a use of a template of the library that the repository specializes for
// the arguments that are written behind it: std::hash<Key>.
func (v *Choice) OfLibrary(use corpus.Ref, a *infer.Answer) {
	f := v.e.File(use.File)
	u := f.Use(use.Index)
	if a.State != infer.Outside || u.Bind != facts.BindMember || len(v.read.Named(u.Name)) == 0 || !isOfStd(f.Expr(facts.None, nil), u) {
		return
	}
	var all []corpus.Ref
	given := v.arguments(use.File, int(u.At)+len(u.Name))
	for _, r := range v.read.Named(u.Name) {
		s := v.read.Symbol(r)
		if !isClass(s.Kind) || s.Parent == facts.None || v.read.Symbol(corpus.Ref{File: r.File, Index: s.Parent}).Name != "std" {
			continue
		}
		header, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.At), nil)
		if err == nil && matching(v.arguments(r.File, int(s.At)+len(s.Name)), given, string(header)) > 0 {
			all = append(all, r)
		}
	}
	if len(all) > 0 {
		*a = infer.Answer{Refs: all, State: infer.Found, Reason: "specialized for what is written behind it"}
	}
}

// matching counts the arguments of a specialization that a use has, too; it is 0 where
// one differs. What the header of the template declares stands for any.
func matching(special, given []string, header string) int {
	if len(given) == 0 || len(special) < len(given) {
		return 0
	}
	n := 0
	for i, g := range given {
		outer, _, generic := strings.Cut(special[i], "<")
		other, _, alike := strings.Cut(g, "<")
		switch {
		case special[i] == g:
			n++
		case generic && alike && corpus.LastName(outer) == corpus.LastName(other):
			n++
		case slices.Contains(strings.FieldsFunc(header, notInName), special[i]):
		default:
			return 0
		}
	}
	return n
}

func notInName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

const maxArguments = 400 // bytes

// arguments are those of a template that stand in angle brackets at a byte of a file,
// without blanks.
func (v *Choice) arguments(file corpus.FileID, at int) (all []string) {
	text, err := v.read.Corpus().TextRange(file, at, at+maxArguments, nil)
	if err != nil {
		return nil
	}
	rest := strings.TrimLeft(string(text), " \t\r\n")
	if !strings.HasPrefix(rest, "<") {
		return nil
	}
	depth, start := 0, 1
	for i := range len(rest) {
		switch b := rest[i]; {
		case b == '<' || b == '(':
			depth++
		case b == ')' || b == '>':
			if depth--; depth == 0 {
				return append(all, strings.Join(strings.Fields(rest[start:i]), ""))
			}
		case b == ',' && depth == 1:
			all = append(all, strings.Join(strings.Fields(rest[start:i]), ""))
			start = i + 1
		case b == ';' || b == '{':
			return nil
		}
	}
	return nil
}

// OfSpecialized leaves, of members that several specializations of one template have,
// those of the one that a use stands in, or that the arguments mean which are written
// before it.
func (v *Choice) OfSpecialized(use corpus.Ref, members []corpus.Ref) []corpus.Ref {
	types := v.holders(members)
	if len(types) < 2 {
		return members
	}
	left := v.around(use, types)
	if template, ok := v.templateBefore(use); ok {
		left = v.Specialized(template, types)
	}
	if len(left) == 0 {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), func(r corpus.Ref) bool {
		return !slices.Contains(left, corpus.Ref{File: r.File, Index: v.read.Symbol(r).Parent})
	})
}

// holders are the types that hold members, of one name; nil where they are others.
func (v *Choice) holders(members []corpus.Ref) (types []corpus.Ref) {
	for _, r := range members {
		s := v.read.Symbol(r)
		of := corpus.Ref{File: r.File, Index: s.Parent}
		if s.Parent == facts.None || !isClass(v.read.Symbol(of).Kind) || len(types) > 0 && v.read.Symbol(of).Name != v.read.Symbol(types[0]).Name {
			return nil
		}
		if !slices.Contains(types, of) {
			types = append(types, of)
		}
	}
	return types
}

// isClass reports whether a kind is that of a type which may be a template with members.
func isClass(k code.Kind) bool { return k == code.KindClass || k == code.KindStruct }

// around are those of some types that a use without a receiver stands in.
func (v *Choice) around(use corpus.Ref, types []corpus.Ref) (all []corpus.Ref) {
	f := v.read.File(use.File)
	u := f.Use(use.Index)
	if u.Bind == facts.BindMember {
		return nil
	}
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		if r := (corpus.Ref{File: use.File, Index: i}); slices.Contains(types, r) {
			return []corpus.Ref{r}
		}
	}
	return nil
}

// templateBefore is the use of a template whose arguments stand before a member.
func (v *Choice) templateBefore(use corpus.Ref) (template corpus.Ref, ok bool) {
	f := v.e.File(use.File)
	u := f.Use(use.Index)
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return corpus.Ref{}, false
	}
	x := f.Expr(u.Target, nil)
	if x.Node().Op != facts.OpApply {
		return corpus.Ref{}, false
	}
	of := x.To(x.Node().X).Node()
	return corpus.Ref{File: use.File, Index: of.X}, of.Op == facts.OpUse
}
