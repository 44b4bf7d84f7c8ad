package report

import (
	"strconv"
	"strings"

	"espy/internal/pattern"
)

// written returns the name that a symbol of a linker was made of, with dots between the
// parts: module.procedure of Fortran, package.module.function of D, namespace.function of
// C++. Another name stays as it is.
// Sources: the manuals of gfortran (Naming conventions), of Intel Fortran (Mixed-language
// naming) and of flang (BijectiveInternalNameUniquing); the specification of D, "Name mangling";
// Itanium C++ ABI, 5.1 "External Names".
func written(symbol string) string {
	for _, form := range fortranSymbols {
		if m := form().FindStringSubmatch(symbol); m != nil {
			return strings.TrimSuffix(m[1], "_") + "." + strings.TrimSuffix(m[2], "_")
		}
	}
	for _, mark := range []string{"_D", "_ZNK", "_ZN", "_Z"} {
		rest, ok := strings.CutPrefix(symbol, mark)
		if !ok {
			continue
		}
		if parts := lengths(rest); len(parts) > 0 {
			return strings.Join(parts, ".")
		}
	}
	return symbol
}

// The module and the procedure in a symbol of gfortran, of flang and of Intel's and NAG's
// compilers: with a mark at its end, on Windows in capitals.
var fortranSymbols = [...]pattern.Pattern{
	pattern.New(`^_*([A-Za-z]\w*?)_MOD_(\w+)$`),
	pattern.New(`^_QM([a-z]\w*?)(?:S\w+?)?P([a-z]\w*)$`),
	pattern.New(`^_*([A-Za-z]\w*?)_(?:mp|MP)_(\w+_)$`),
	pattern.New(`^_*([A-Z][A-Z0-9_]*?)_mp_([A-Z0-9_]+)$`),
}

// lengths reads names that stand behind their lengths: 3std4conv2to is std, conv, to. One
// that is a template (__T2toT) is known by its name alone, and a hash of Rust is none.
func lengths(text string) (parts []string) {
	for len(parts) < maxParts {
		bare, template := strings.CutPrefix(text, "__T") // whose end its arguments hide
		name, rest := counting(bare)
		if name == "" || rest == "E" && len(name) == rustHash && name[0] == 'h' {
			break
		}
		if inner, ok := strings.CutPrefix(name, "__T"); ok {
			name, _ = counting(inner)
		}
		if len(parts) == 0 || parts[len(parts)-1] != name { // a function of the template that is called like it
			parts = append(parts, name)
		}
		if template {
			break
		}
		text = rest
	}
	return parts
}

// rustHash is the length of the hash that Rust puts behind a name.
const rustHash = 17

// counting returns the name that a text begins with behind its length, "" where it does not.
func counting(text string) (name, rest string) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil || n > len(text)-digits {
		return "", ""
	}
	return text[digits : digits+n], text[digits+n:]
}

// maxParts is the most parts of a name that are read.
const maxParts = 32

// ofD returns the name in what the runtime of D writes of a function, with dots between its
// parts: without attributes, results, parameters and what templates are filled in with.
func ofD(text string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case depth > 0:
		case c == '!':
			for i+1 < len(text) && text[i+1] != '(' && text[i+1] != '.' && text[i+1] != ' ' {
				i++
			}
		default:
			b.WriteByte(c)
		}
	}
	words := strings.Fields(b.String())
	for len(words) > 1 && afterD[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(words[len(words)-1], ".") {
		if len(parts) == 0 || parts[len(parts)-1] != part {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// afterD are what D writes behind the parameters of a method.
var afterD = map[string]bool{"const": true, "immutable": true, "inout": true, "shared": true}

// moduleOfD returns the file of the module that a name of D is of: names of modules are in
// small letters. It is empty where the name has none.
func moduleOfD(name string) string {
	parts := strings.Split(name, ".")
	n := 0
	for n < len(parts)-1 && parts[n] != "" && parts[n] == strings.ToLower(parts[n]) {
		n++
	}
	if n < 2 {
		return ""
	}
	return strings.Join(parts[:n], "/") + ".d"
}
