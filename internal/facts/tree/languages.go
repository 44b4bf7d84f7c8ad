package tree

// language is what this package knows of a grammar.
type language struct {
	rules   func() *rules
	choose  func(name string, text []byte) string // the grammar of a file in the language of this name; nil: this one
	prepare func(text []byte) []byte              // see Prepare; nil: the text itself
	again   bool                                  // its grammar gets over few faults: a text that has some is read again without them
}

// languages holds every grammar with rules, by name. A language of package lang
// is parsed when a grammar has its name.
var languages = map[string]language{
	"bash":       {rules: bashRules},
	"c":          {rules: cRules, prepare: cPrepare, choose: cGrammar},
	"cpp":        {rules: cRules, prepare: cPrepare},
	"elixir":     {rules: elixirRules, prepare: elixirPrepare},
	"csharp":     {rules: csRules, again: true, prepare: csPrepare},
	"java":       {rules: javaRules, again: true},
	"javascript": {rules: javascriptRules, prepare: jsPrepare},
	"jupyter":    {rules: jupyterRules, prepare: jupyterPrepare},
	"lua":        {rules: luaRules},
	"php":        {rules: phpRules, prepare: phpPrepare},
	"kotlin":     {rules: kotlinRules, again: true, prepare: kotlinPrepare},
	"python":     {rules: pythonRules},
	"ruby":       {rules: rubyRules},
	"rust":       {rules: rustRules},
	"tsx":        {rules: javascriptRules, prepare: tsxPrepare},
	"typescript": {rules: javascriptRules, prepare: tsPrepare, choose: tsGrammar},
	"scala":      {rules: scalaRules, again: true, prepare: scalaPrepare},
	"svelte":     {rules: svelteRules, prepare: scriptsPrepare},
	"terraform":  {rules: terraformRules},
	"vue":        {rules: vueRules, prepare: scriptsPrepare},
	"zig":        {rules: zigRules},
}

// GrammarOf names the grammar for a file, or returns "" if there is none.
// language is its name in package lang, name its path.
func GrammarOf(language, name string, text []byte) string {
	l, ok := languages[language]
	switch {
	case !ok:
		return ""
	case l.choose != nil:
		return l.choose(name, text)
	}
	return language
}

// HasGrammar reports whether files of a language have a grammar.
func HasGrammar(language string) bool { return GrammarOf(language, "", nil) != "" }

// Prepare returns the text that a grammar should parse: the text itself, or a
// copy of the same length that hides constructs the grammar misreads. In C and
// C++ macros become blanks, in C# branches of #if that are no whole statements; in
// PHP constants of enumerations become cases. In TypeScript a semicolon ends the
// line before a call signature and the words of variance become blanks, and there and in
// JavaScript using becomes const.
// Facts takes the text itself and counts the hidden macros as uses.
// In Kotlin fun before interface is blank, and there and in Scala letters beyond ASCII are x.
func Prepare(grammar string, text []byte) []byte {
	if prepare := languages[grammar].prepare; prepare != nil {
		return prepare(text)
	}
	return text
}
