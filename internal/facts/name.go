package facts

import "strings"

// SplitName cuts a qualified name at the separators of any language. What stands in
// brackets is one name: [Symbol.iterator].
func SplitName(name string) []string {
	var parts []string
	name = strings.ReplaceAll(name, "->", ".")
	for start, i := 0, 0; i <= len(name); i++ {
		if i < len(name) && name[i] == '[' {
			i += max(0, strings.IndexByte(name[i:], ']'))
		}
		if i < len(name) && (strings.IndexByte(`.:#/\`, name[i]) < 0 || name[i] == '#' && i == start) {
			continue
		}
		if part := name[start:i]; part != "" && part != "#" {
			parts = append(parts, part)
		}
		start = i + 1
	}
	return parts
}
