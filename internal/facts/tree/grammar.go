package tree

import (
	"bytes"
	"path"
)

// GrammarOf names the grammar that reads a file, empty when there is none.
// language is its name in package lang.
func GrammarOf(language, name string, text []byte) string {
	switch language {
	case "python", "javascript", "java", "rust", "cpp":
		return language
	case "typescript":
		if path.Ext(name) == ".tsx" {
			return "tsx"
		}
		return language
	case "tsx":
		return "tsx"
	case "c":
		if ext := path.Ext(name); ext == ".h" && looksLikeCpp(text) {
			return "cpp"
		}
		return language
	}
	return ""
}

// HasGrammar reports whether files of a language have a grammar.
func HasGrammar(language string) bool { return GrammarOf(language, "", nil) != "" }

// looksLikeCpp reports whether a header says what only C++ has: a line that
// starts with one of its words.
func looksLikeCpp(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		for _, word := range [][]byte{[]byte("namespace "), []byte("class "), []byte("template"), []byte("using "), []byte("public:"), []byte("private:"), []byte("protected:")} {
			if bytes.HasPrefix(line, word) {
				return true
			}
		}
	}
	return false
}
