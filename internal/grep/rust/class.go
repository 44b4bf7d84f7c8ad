package rust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A set of characters is a list of ranges: the first and the last character of
// each, in order and apart from each other.

// union returns the characters of a or b.
func union(a, b []rune) []rune { return tidy(slices.Concat(a, b)) }

// tidy sorts ranges and joins those that meet.
func tidy(set []rune) []rune {
	pairs := make([][2]rune, 0, len(set)/2)
	for i := 0; i+1 < len(set); i += 2 {
		pairs = append(pairs, [2]rune{set[i], set[i+1]})
	}
	slices.SortFunc(pairs, func(a, b [2]rune) int { return cmp.Compare(a[0], b[0]) })
	out := set[:0:0]
	for _, p := range pairs {
		if n := len(out); n > 0 && p[0] <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p[1])
			continue
		}
		out = append(out, p[0], p[1])
	}
	return out
}

// not returns all characters but those of a set.
func not(set []rune) []rune {
	var out []rune
	next := rune(0)
	for i := 0; i < len(set); i += 2 {
		if next < set[i] {
			out = append(out, next, set[i]-1)
		}
		next = set[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func minus(a, b []rune) []rune  { return not(union(not(a), b)) }
func common(a, b []rune) []rune { return not(union(not(a), not(b))) }

// holds reports whether a character is in a set.
func holds(set []rune, r rune) bool {
	for i := 0; i < len(set); i += 2 {
		if set[i] <= r && r <= set[i+1] {
			return true
		}
	}
	return false
}

// of returns the characters of Unicode's tables.
func of(tables ...*unicode.RangeTable) []rune {
	var set []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			set = append(set, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			set = append(set, r, r)
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return tidy(set)
}

var (
	alphabetic = []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_Alphabetic}

	// words are the characters of \w: see Annex C of Unicode Technical Standard 18.
	words = sync.OnceValue(func() []rune {
		return of(append(slices.Clone(alphabetic), unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)...)
	})
	digits = sync.OnceValue(func() []rune { return of(unicode.Nd) })
	spaces = sync.OnceValue(func() []rune { return of(unicode.White_Space) })

	asciiWords  = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	asciiDigits = []rune{'0', '9'}
	asciiSpaces = []rune{'\t', '\r', ' ', ' '}
)

// isWord reports whether a character is of \w.
func isWord(r rune) bool {
	if r < 0x80 {
		return holds(asciiWords, r)
	}
	set := words()
	i, found := slices.BinarySearch(set, r)
	return found || i%2 == 1
}

// wordEdges is where isWord changes.
var wordEdges = sync.OnceValue(func() []rune {
	edges := slices.Clone(words())
	for i := 1; i < len(edges); i += 2 {
		edges[i]++
	}
	return edges
})

// perl returns the set of \d, \s or \w; with a large letter all others.
func perl(c byte, unicodeOn bool) []rune {
	var set []rune
	switch c | 0x20 {
	case 'd':
		set = asciiDigits
		if unicodeOn {
			set = digits()
		}
	case 's':
		set = asciiSpaces
		if unicodeOn {
			set = spaces()
		}
	default:
		set = asciiWords
		if unicodeOn {
			set = words()
		}
	}
	if c < 'a' {
		return not(set)
	}
	return set
}

// posix are the classes of brackets in brackets.
var posix = map[string][]rune{
	"alnum": {'0', '9', 'A', 'Z', 'a', 'z'}, "alpha": {'A', 'Z', 'a', 'z'}, "ascii": {0, 0x7f}, "blank": {'\t', '\t', ' ', ' '},
	"cntrl": {0, 0x1f, 0x7f, 0x7f}, "digit": {'0', '9'}, "graph": {'!', '~'}, "lower": {'a', 'z'}, "print": {' ', '~'},
	"punct": {'!', '/', ':', '@', '[', '`', '{', '~'}, "space": asciiSpaces, "upper": {'A', 'Z'}, "word": asciiWords,
	"xdigit": {'0', '9', 'A', 'F', 'a', 'f'},
}

// long are the long names of general categories.
var long = map[string]string{
	"letter": "L", "casedletter": "LC", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm", "otherletter": "Lo",
	"mark": "M", "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me", "number": "N", "decimalnumber": "Nd", "letternumber": "Nl", "othernumber": "No",
	"punctuation": "P", "connectorpunctuation": "Pc", "dashpunctuation": "Pd", "openpunctuation": "Ps", "closepunctuation": "Pe", "initialpunctuation": "Pi",
	"finalpunctuation": "Pf", "otherpunctuation": "Po", "symbol": "S", "mathsymbol": "Sm", "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So",
	"separator": "Z", "spaceseparator": "Zs", "lineseparator": "Zl", "paragraphseparator": "Zp", "other": "C", "control": "Cc", "format": "Cf", "surrogate": "Cs", "privateuse": "Co",
	"digit": "Nd", "punct": "P", "cntrl": "Cc",
}

// property returns the characters of \p{name}: a general category, a script or a
// property of Unicode. Case, spaces, lines and what stands before = do not matter.
func property(name string) (set []rune, ok bool) {
	if _, value, some := strings.Cut(strings.ReplaceAll(name, ":", "="), "="); some {
		name = value
	}
	plain := flat(name)
	switch plain {
	case "any":
		return []rune{0, unicode.MaxRune}, true
	case "ascii":
		return []rune{0, 0x7f}, true
	case "assigned":
		return nil, false
	case "alphabetic", "alpha":
		return of(alphabetic...), true
	case "lowercase", "lower":
		return of(unicode.Ll, unicode.Other_Lowercase), true
	case "uppercase", "upper":
		return of(unicode.Lu, unicode.Other_Uppercase), true
	}
	if short, ok := long[plain]; ok {
		plain = flat(short)
	}
	if plain == "lc" {
		return of(unicode.Lu, unicode.Ll, unicode.Lt), true
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		for name, t := range tables {
			if flat(name) == plain {
				return of(t), true
			}
		}
	}
	return nil, false
}

// flat is a name without case, spaces, hyphens and underscores.
func flat(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// written is a set as a class of regexp/syntax.
func written(set []rune, negated bool) string {
	var b strings.Builder
	b.WriteByte('[')
	if negated {
		b.WriteByte('^')
	}
	if len(set) == 0 { // a class of nothing, or of everything
		b.Reset()
		if negated {
			return `[\x{0}-\x{10ffff}]`
		}
		return `[^\x{0}-\x{10ffff}]`
	}
	for i := 0; i < len(set); i += 2 {
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, set[i], set[i+1])
	}
	b.WriteByte(']')
	return b.String()
}
