package written

import "strings"

// Index reads the key of environ["KEY"], env.KEY, and those of { KEY } = process.env,
// whose name stands between two bytes. end is the byte behind them.
func Index(text []byte, at, behind int) (list []Argument, end int, ok bool) {
	if behind < len(text) && text[behind] == '[' {
		return Arguments(text, behind)
	}
	if behind+1 < len(text) && text[behind] == '.' {
		n := NameEnd(string(text[behind+1 : min(len(text), behind+200)]))
		name := string(text[behind+1 : behind+1+n])
		end = behind + 1 + n
		if n == 0 || name != strings.ToUpper(name) || end < len(text) && text[end] == '(' {
			return nil, end, false
		}
		return []Argument{{From: behind + 1, To: end, Text: `"` + name + `"`}}, end, true
	}
	chain := Chain(text, at)
	names := destructured(text, at-len(chain)-1)
	if chain == "" || len(names) == 0 {
		return nil, behind, false
	}
	return []Argument{{From: at, To: behind, Text: `["` + strings.Join(names, `", "`) + `"]`}}, behind, true
}

// Placeholder is the key in ${key:default}; of any other text, that text.
func Placeholder(v string) string {
	if inner, ok := strings.CutPrefix(v, "${"); ok {
		inner, _, _ = strings.Cut(strings.TrimSuffix(inner, "}"), ":")
		return inner
	}
	return v
}

// BlockEnd is the byte behind the block in braces that follows a byte in its line, 0
// where none does.
func BlockEnd(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at == len(text) || text[at] != '{' {
		return 0
	}
	return Skip(text, at, len(text))
}
