package macro

import "strings"

// Namespaces names the namespaces that a text opens, a::b, without the
// inline ones.
func Namespaces(text string) string {
	var names []string
	words := strings.Fields(strings.NewReplacer("{", " { ", "}", " } ", "\\", " ").Replace(text))
	for i := 0; i+2 < len(words); i++ {
		if words[i] == "namespace" && words[i+2] == "{" && (i == 0 || words[i-1] != "inline") {
			names = append(names, words[i+1])
		}
	}
	return strings.Join(names, "::")
}
