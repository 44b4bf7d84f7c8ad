package syn

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// A symbol has one id everywhere: path#Type.method, path#name at the top of its
// file, with ~2 appended to the second of equal ones.

// Chain returns the names of what holds symbol i and its own, the outermost first.
func (f *File) Chain(i int) []string {
	var names []string
	for i != facts.None {
		names = append(names, f.Name(i))
		if owner := f.Owner(i); owner != "" {
			parts := facts.SplitName(owner)
			slices.Reverse(parts)
			names = append(names, parts...)
		}
		i = int(f.BareSymbol(i).Parent)
	}
	slices.Reverse(names)
	return names
}

// ID returns the id of symbol i of the file, which has the given path.
func (f *File) ID(path string, i int) string {
	chain := strings.Join(f.Chain(i), ".")
	id := path + "#" + chain
	n := 1
	for other := range f.Namesakes(i) {
		if other == i {
			break
		}
		if strings.Join(f.Chain(other), ".") == chain {
			n++
		}
	}
	if n > 1 {
		id += "~" + strconv.Itoa(n)
	}
	return id
}

// IDs returns the ids of all symbols of the file, as ID gives them one at a time. It
// takes less time where more than some are asked for.
func (f *File) IDs(path string) []string {
	ids := make([]string, f.NumSymbols())
	seen := make(map[string]int, len(ids))
	for i := range ids {
		chain := strings.Join(f.Chain(i), ".")
		seen[chain]++
		ids[i] = path + "#" + chain
		if n := seen[chain]; n > 1 {
			ids[i] += "~" + strconv.Itoa(n)
		}
	}
	return ids
}

// ByID returns the symbol whose id ends in #local, None for none.
func (f *File) ByID(local string) int {
	chain, n := local, 1
	if i := strings.LastIndexByte(chain, '~'); i > 0 {
		if m, err := strconv.Atoi(chain[i+1:]); err == nil {
			chain, n = chain[:i], m
		}
	}
	for cut := len(chain); cut >= 0; { // a name may have dots itself
		cut = strings.LastIndexByte(chain[:cut], '.')
		for i := range f.SymbolsNamed(chain[cut+1:]) {
			if strings.Join(f.Chain(i), ".") == chain {
				if n--; n == 0 {
					return i
				}
			}
		}
	}
	return facts.None
}

// Qualifies reports whether the names before symbol i's own are those of what
// holds it: types, its package, and the ends of the file's path.
func (f *File) Qualifies(file string, i int, names []string) bool {
	chain := f.Chain(i)
	chain = chain[:len(chain)-1]
	for len(names) > 0 && len(chain) > 0 && names[len(names)-1] == chain[len(chain)-1] {
		names, chain = names[:len(names)-1], chain[:len(chain)-1]
	}
	if len(names) == 0 {
		return true
	}
	if len(chain) > 0 {
		return false
	}
	if pkg := f.Package(); pkg != "" && endsIn(facts.SplitName(pkg), names) {
		return true
	}
	return PathQualifies(file, names)
}

// PathQualifies reports whether names are the end of a file's path: folders,
// with or without the file's stem after them.
func PathQualifies(file string, names []string) bool {
	folders := facts.SplitName(path.Dir(file))
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	return endsIn(folders, names) || endsIn(append(folders, stem), names)
}

func endsIn(all, names []string) bool {
	return len(names) <= len(all) && slices.Equal(all[len(all)-len(names):], names)
}

// notProper are the classes of files that the code proper is not in.
const notProper = code.ClassTest | code.ClassExample | code.ClassBench | code.ClassDocs | code.ClassLegacy |
	code.ClassDeclaration | code.ClassVendor | code.ClassGenerated | code.ClassMinified

// Unlikely ranks a symbol among those of its name, given the class of its file:
// 0 for the likeliest, up to 31. Names inside functions come last; before them
// tests, examples, vendored code and the like; private symbols come after
// exported ones; then count types, functions, methods and the rest.
func Unlikely(s *facts.Symbol, class code.Class) int {
	n := 3
	switch {
	case s.Kind.IsType():
		n = 0
	case s.Kind == code.KindFunc:
		n = 1
	case s.Kind.IsFunc():
		n = 2
	}
	if s.Flags&facts.Exported == 0 {
		n += 4
	}
	if class&notProper != 0 {
		n += 8
	}
	if s.Flags&facts.Local != 0 {
		n += 16
	}
	return n
}
