package byline

import (
	"bytes"
	"strings"
	"sync"

	"espy/internal/pattern"
)

// form is one way in which a language writes imports.
type form struct {
	begins   []string // what a line begins with behind its blanks, one of these; with anywhere, what it holds
	anywhere bool     // the expression may match anywhere in the line, and several times
	anyCase  bool     // begins is written in small letters, and the case of the line does not count
	until    string   // what ends a statement that may go on behind the line; "" for the end of the line
	re       pattern.Pattern
	split    func(string) []string // the names in what the groups of re hold; nil for the one name
	path     func(string) string   // the path that a name stands for; nil for the name itself, "" for none
	how      How
	bare     bool // what it names may be no import
}

// may reports whether a line can hold the form: a look without the expression.
func (f *form) may(line []byte) bool {
	if !f.anywhere {
		line = bytes.TrimLeft(line, " \t")
	}
	for _, word := range f.begins {
		switch {
		case f.anywhere && contains(line, word, f.anyCase):
			return true
		case f.anywhere || len(line) < len(word):
		case f.anyCase && strings.EqualFold(string(line[:len(word)]), word) || string(line[:len(word)]) == word:
			return true
		}
	}
	return false
}

func (f *form) names(text string) []string {
	if f.split == nil {
		return []string{text}
	}
	return f.split(text)
}

// dotted is the path of a name in parts with dots; those of a wildcard are its folder.
func dotted(name string) string { return strings.ReplaceAll(strings.Trim(name, "."), ".", "/") }

// colons is the path of a name in parts with two colons.
func colons(name string) string { return strings.ReplaceAll(name, "::", "/") }

// lisp is the path of a name of Clojure, whose files have _ for -.
func lisp(name string) string { return strings.ReplaceAll(dotted(name), "-", "_") }

// gnat is the file of a unit of Ada, as GNAT calls it: a.b is in a-b.ads.
func gnat(name string) string { return strings.ToLower(strings.ReplaceAll(name, ".", "-")) }

// listed cuts a list at commas, without what follows a name: its alias, what is taken of it.
func listed(text string) (all []string) {
	for _, one := range strings.Split(text, ",") {
		if f := strings.Fields(one); len(f) > 0 {
			all = append(all, f[0])
		}
	}
	return all
}

// words cuts a list at blanks.
func words(text string) []string { return strings.Fields(text) }

// braced writes out a list that may have {a, b} or [a, b] behind a common part: x.{a, b} is
// x.a and x.b. What is renamed (a => b, a as b) keeps its first name.
func braced(text string) (all []string) {
	depth, start := 0, 0
	var parts []string
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				parts, start = append(parts, text[start:i]), i+1
			}
		}
	}
	for _, part := range append(parts, text[start:]) {
		open := strings.IndexAny(part, "{[")
		if open < 0 {
			all = append(all, listed(part)...)
			continue
		}
		for _, one := range listed(strings.TrimRight(part[open+1:], "}] \t\r\n")) {
			all = append(all, strings.TrimSpace(part[:open])+one)
		}
	}
	return all
}

// ofD cuts a list of modules of D: a, b = c.d : e, f, where what follows the colon is taken
// of the last one.
func ofD(text string) (all []string) {
	text, _, _ = strings.Cut(text, ":")
	for _, one := range strings.Split(text, ",") {
		if _, behind, ok := strings.Cut(one, "="); ok {
			one = behind
		}
		all = append(all, strings.TrimSpace(one))
	}
	return all
}

// ofJulia cuts a list of modules of Julia, whose members follow a colon.
func ofJulia(text string) []string {
	text, _, _ = strings.Cut(text, ":")
	return listed(text)
}

// ofCoq adds the library of From behind which modules stand.
func ofCoq(text string) (all []string) {
	f := strings.Fields(text)
	if len(f) > 0 && f[0] == "From" && len(f) > 1 {
		for _, one := range f[2:] {
			all = append(all, f[1]+"."+one)
		}
		return all
	}
	return f
}

// ofPerl finds the classes in what use parent and use base are given.
func ofPerl(text string) []string { return perlNames().FindAllString(text, -1) }

var perlNames = pattern.New(`\b[A-Z]\w*(?:::\w+)*`)

// ofClojure finds the namespaces that a form ns or require takes in: the first name of
// each vector or list, and names that stand alone, behind :require, :use and the like.
func ofClojure(text string) (all []string) {
	tokens := clojureTokens().FindAllString(text, -1)
	var depths []string // the name at the head of each open bracket
	takes := 0          // the depth of :require, 0 outside of it
	prefix := ""
	for i, t := range tokens {
		switch t {
		case "(", "[", "{":
			depths = append(depths, "")
			continue
		case ")", "]", "}":
			if len(depths) > 0 {
				depths = depths[:len(depths)-1]
			}
			if len(depths) < takes {
				takes = 0
			}
			if takes > 0 && len(depths) <= takes {
				prefix = ""
			}
			continue
		}
		depth := len(depths)
		head := depth > 0 && depths[depth-1] == "" && (tokens[i-1] == "(" || tokens[i-1] == "[")
		if depth > 0 && depths[depth-1] == "" {
			depths[depth-1] = t
		}
		switch {
		case head && isTaking(t):
			takes, prefix = depth, ""
		case takes == 0 || strings.HasPrefix(t, ":") || strings.HasPrefix(t, "#") || !isName(t):
		case depth == takes && tokens[i-1] != ":as":
			all = append(all, t)
		case depth == takes+1 && head && tokens[i-1] == "(" && !strings.HasPrefix(next(tokens, i), ":"):
			prefix = t + "." // (a [b] c)
		case depth == takes+1 && head:
			all = append(all, t)
		case depth == takes+1 && prefix != "", depth == takes+2 && head && prefix != "":
			all = append(all, prefix+t)
		}
	}
	return all
}

func next(tokens []string, i int) string {
	if i+1 < len(tokens) {
		return tokens[i+1]
	}
	return ""
}

// isTaking reports whether a word of Clojure takes in namespaces.
func isTaking(word string) bool {
	switch word {
	case ":require", ":use", ":require-macros", ":use-macros", ":require-global", "require", "use", "require-macros":
		return true
	}
	return false
}

func isName(t string) bool {
	return t[0] >= 'a' && t[0] <= 'z' || t[0] >= 'A' && t[0] <= 'Z' || t[0] == '_' || t[0] == '\''
}

var clojureTokens = pattern.New(`;[^\n]*|"(?:\\.|[^"\\])*"|[()\[\]{}]|[^\s()\[\]{},;"']+`)

// on makes a form of lines that begin with one of some words.
func on(begins, expression string, how How, path func(string) string, split func(string) []string) form {
	return form{begins: strings.Fields(begins), re: pattern.New(expression), how: how, path: path, split: split}
}

// within makes a form that stands anywhere in a line which holds one of some words.
func within(holds, expression string, how How, path func(string) string) form {
	f := on(holds, expression, how, path, nil)
	f.anywhere = true
	return f
}

// to makes a form whose statements go on to a text.
func (f form) to(end string) form { f.until = end; return f }

// maybe makes a form whose names may be no imports.
func (f form) maybe() form { f.bare = true; return f }

// inAnyCase makes a form whose words are written in any case.
func (f form) inAnyCase() form { f.anyCase = true; return f }

var quoted = `["']([^"'\n]+)["']`

// headers are the includes of languages that the preprocessor of C reads.
func headers() []form {
	return []form{on("#", `^\s*#\s*(?:include|import|include_next)\s*["<]([^">]+)[">]`, ByPath, nil, nil)}
}

// sheets are the imports of style sheets.
func sheets() []form {
	return []form{within("@import @use @forward", `@(?:import|use|forward)\s+(?:\([^)]*\)\s*)?(?:url\()?\s*["']([^"':]+)["']`, ByPath, nil)}
}

// scripts are the imports of languages that become JavaScript.
func scripts() []form {
	return []form{
		on("import export", `^\s*(?:import|export)\b(?:[^"'\n]*\bfrom\b)?\s*`+quoted, ByPath, relative, nil),
		within("require( require", `\brequire\(?\s*["'](\.[^"'\n]+)["']`, ByPath, relative),
	}
}

// relative is a path that begins with a dot: others name packages.
func relative(name string) string {
	if strings.HasPrefix(name, ".") {
		return name
	}
	return ""
}

// below is a path without the variable or the scheme of a root before it.
func below(name string) string {
	for _, root := range []string{"res://", "$PSScriptRoot/", `$PSScriptRoot\`, "${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/", "${CMAKE_SOURCE_DIR}/", "${PROJECT_SOURCE_DIR}/", "$(dirname (status --current-filename))/", "<sfile>:p:h/"} {
		if rest, ok := strings.CutPrefix(name, root); ok {
			name = rest
		}
	}
	if strings.ContainsAny(name, "$*<") {
		return ""
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// inside makes a path of the file of a build that a folder has: the folder is one of the
// file that names it, unless a variable says of which.
func inside(file string) func(string) string {
	return func(name string) string {
		p := below(name)
		if p == name {
			p = "./" + p
		}
		return p + "/" + file
	}
}

// collected is the path of a package of Odin: core:fmt is in the folder core/fmt of what the
// collection core is.
func collected(name string) string { return strings.Replace(name, ":", "/", 1) }

// forms are those of each language.
var forms = sync.OnceValue(func() map[string][]form {
	module := `([A-Z][\w']*(?:\.[A-Z][\w']*)*)`
	return map[string][]form{
		"ada":          {on("with limited private", `(?i)^\s*(?:limited\s+|private\s+)*with\s+([\w.,\s]+);`, ByModule, gnat, listed).inAnyCase().to(";")},
		"astro":        scripts(),
		"assembly":     append(headers(), on(".include %include", `^\s*[.%]include\s+["<]?([^">\s]+)`, ByPath, nil, nil)),
		"awk":          {on("@include", `^\s*@include\s+"([^"]+)"`, ByPath, nil, nil)},
		"capnp":        {within("import", `\bimport\s+"/?([^"]+)"`, ByPath, nil)},
		"clojure":      {on("(ns", `(?s)^\s*\(ns\s(.*)`, ByModule, lisp, ofClojure).to("\n("), on("(require (use", `^(\((?:require|use)\s.*)`, ByModule, lisp, ofClojure)},
		"cmake":        {on("include", `(?i)^\s*include\s*\(\s*"?([^\s)"]+\.cmake)`, ByPath, below, nil).inAnyCase(), on("add_subdirectory", `(?i)^\s*add_subdirectory\s*\(\s*"?([^\s)"]+)`, ByPath, inside("CMakeLists.txt"), nil).inAnyCase()},
		"coffeescript": scripts(),
		"coq":          {on("Require From", `^\s*(?:(From)\s+(\S+)\s+)?Require\s+(?:Import\s+|Export\s+)?([\w.'\s]+?)\.\s*$`, ByModule, dotted, ofCoq)},
		"crystal":      {on("require", `^\s*require\s+"([^"]+)"`, ByPath, nil, nil)},
		"css":          sheets(), "scss": sheets(), "sass": sheets(), "less": sheets(),
		"cuda":   headers(),
		"opencl": headers(),
		"glsl":   headers(),
		"hlsl":   headers(),
		"yacc":   headers(),
		"d":      {on("import public private static package", `^\s*(?:(?:public|private|static|package|protected)\s+)*import\s+([^;]+);`, ByModule, dotted, ofD).to(";")},
		"dart":   {on("import export part", `^\s*(?:import|export|part)\s+(?:of\s+)?`+quoted, ByPub, func(s string) string { return strings.TrimPrefix(s, "package:") }, nil)},
		"elm":    {on("import", `^import\s+`+module, ByModule, dotted, nil)},
		"erlang": {
			on("-include", `^\s*-\s*include(?:_lib)?\s*\(\s*"([^"]+)"`, ByPath, nil, nil),
			on("-behavio -import", `^\s*-\s*(?:behaviou?r|import)\s*\(\s*([a-z]\w*)`, ByModule, nil, nil),
			within(":", `\b([a-z]\w*):[a-z]\w*\(`, ByModule, nil).maybe(),
		},
		"fish":        {on("source .", `^\s*(?:source|\.)\s+["']?([^\s"';|&]+)`, ByPath, below, nil)},
		"flatbuffers": {on("include", `^\s*include\s+"([^"]+)"`, ByPath, nil, nil)},
		"fortran": {
			on("use", `(?i)^\s*use\b\s*(?:,\s*(?:non_)?intrinsic\s*)?(?:::)?\s*([a-z]\w*)`, ByDeclare, strings.ToLower, nil).inAnyCase(),
			on("include #include", `(?i)^\s*#?\s*include\s*["']([^"']+)["']`, ByPath, nil, nil).inAnyCase(),
			on("submodule", `(?i)^\s*submodule\s*\(\s*([a-z]\w*)`, ByDeclare, strings.ToLower, nil).inAnyCase(),
		},
		"fsharp": {on("open", `^\s*open\s+(?:type\s+)?([A-Z][\w.]*)`, ByDeclare, nil, nil), on("#load", `^\s*#load\s+"([^"]+)"`, ByPath, nil, nil)},
		"gdscript": {
			within("load(", `\b(?:pre)?load\(\s*`+quoted, ByPath, below).maybe(),
			on("extends", `^\s*extends\s+`+quoted, ByPath, below, nil),
			on("extends", `^\s*extends\s+([A-Z]\w*)\s*$`, ByDeclare, nil, nil).maybe(),
			on("class_name", `^\s*class_name\s+\w+\s+extends\s+([A-Z]\w*)`, ByDeclare, nil, nil).maybe(),
		},
		"gleam":        {on("import", `^\s*import\s+([a-z][\w/]*)`, ByModule, nil, nil)},
		"graphql":      {on("#import", `^\s*#import\s+`+quoted, ByPath, nil, nil)},
		"groovy":       {on("import", `^\s*import\s+(?:static\s+)?((?:\w+\.)*(?:\w+|\*))`, ByModule, dotted, nil)},
		"haskell":      {on("import", `^import\s+(?:safe\s+)?(?:qualified\s+)?(?:"[^"]*"\s+)?`+module, ByModule, dotted, nil)},
		"haxe":         {on("import", `^\s*import\s+([\w.]+)`, ByModule, dotted, nil)},
		"idris":        {on("import", `^import\s+(?:public\s+)?`+module, ByModule, dotted, nil)},
		"julia":        {within("include(", `\binclude\(\s*"([^"]+)"`, ByPath, nil), on("using import", `^\s*(?:using|import)\s+([^#\n]+)`, ByDeclare, func(s string) string { return strings.Trim(s, ".") }, ofJulia)},
		"jq":           {on("import include", `^\s*(?:import|include)\s+"([^"]+)"`, ByModule, nil, nil)},
		"kconfig":      {on("source orsource rsource", `^\s*o?r?source\s+"?([^"\s]+)`, ByPath, below, nil)},
		"lean":         {on("import public meta", `^(?:(?:public|meta)\s+)*import\s+(?:all\s+)?([\w.\s]+)`, ByModule, dotted, words)},
		"lisp":         {within("(require", `\(require\s+'([\w-]+)`, ByModule, nil), within("(load", `\((?:load|load-file|load-library)\s+"([^"]+)"`, ByPath, nil)},
		"linkerscript": {on("INCLUDE", `^\s*INCLUDE\s+"?([^"\s]+)`, ByPath, nil, nil)},
		"makefile":     {on("include -include sinclude", `^(?:-|s)?include\s+([^#\n]+)`, ByPath, below, words)},
		"meson":        {on("subdir", `^\s*subdir\(\s*'([^']+)'`, ByPath, inside("meson.build"), nil)},
		"mojo":         {on("from", `^\s*from\s+([\w.]+)\s+import`, ByModule, dotted, nil), on("import", `^\s*import\s+([\w.]+)`, ByModule, dotted, nil)},
		"nim":          {on("import include", `^\s*(?:import|include)\s+([^#\n]+)`, ByModule, nil, braced), on("from", `^\s*from\s+(\S+)\s+import`, ByModule, nil, nil)},
		"nix":          {within("./", `(?:^|[\s(\[=])(\.{1,2}/[\w./+-]+)`, ByPath, nil)},
		"objective-c":  append(headers(), on("@import", `^\s*@import\s+(\w+)`, ByFolder, nil, nil)),
		"ocaml":        {within(".", `\b([A-Z][\w']*)\.`, ByUnit, nil).maybe(), on("open include", `^\s*(?:open!?|include)\s+([A-Z][\w']*)`, ByUnit, nil, nil).maybe()},
		"odin":         {on("import", `^\s*import\s+(?:\w+\s+)?"([^"]+)"`, ByPackage, collected, nil)},
		"pascal":       {on("uses", `(?i)^\s*uses\s+([^;]+);`, ByModule, nil, listed).inAnyCase().to(";"), on("{$i", `(?i)^\s*\{\$i(?:nclude)?\s+'?([^'}\s]+)`, ByPath, nil, nil).inAnyCase()},
		"perl": {
			on("use require no", `^\s*(?:use|require|no)\s+([A-Z]\w*(?:::\w+)*)`, ByModule, colons, nil),
			on("use", `^\s*use\s+(?:parent|base)\s+(.+)`, ByModule, colons, ofPerl),
			on("with extends", `^\s*(?:with|extends)\s+(.+)`, ByModule, colons, ofPerl),
			within("use_ok require_ok", `\b(?:use_ok|require_ok)\W+([A-Z]\w*(?:::\w+)*)`, ByModule, colons),
			within("require do", `\b(?:require|do)\s+["']([\w./]+\.p[lm])["']`, ByPath, nil),
		},
		"powershell": {on(".", `^\s*\.\s+["']?([^\s"';|]+\.ps1)`, ByPath, below, nil), within("Import-Module using", `\b(?:Import-Module|using module)\s+(?:-Name\s+)?["']?([^\s"';|]+\.ps[md]?1)`, ByPath, below)},
		"protobuf":   {on("import", `^\s*import\s+(?:public\s+|weak\s+)?"([^"]+)"`, ByPath, nil, nil)},
		"puppet":     {on("include contain require", `^\s*(?:include|contain|require)\s+(?:::)?([a-z]\w*(?:::\w+)*)`, ByModule, puppet, nil)},
		"purescript": {on("import", `^import\s+`+module, ByModule, dotted, nil)},
		"qml":        {on("import", `^\s*import\s+"([^"]+)"`, ByPath, nil, nil)},
		"r":          {within("source(", `\bsource\(\s*`+quoted, ByPath, nil)},
		"racket":     {within(`"`, `"((?:\.{1,2}/)*[\w./-]+\.rkt)"`, ByPath, nil)},
		"raku":       {on("use need require", `^\s*(?:use|need|require)\s+([A-Z]\w*(?:::\w+)*)`, ByModule, colons, nil)},
		"scheme":     {within("(load (include", `\((?:load|include)\s+"([^"]+)"`, ByPath, nil)},
		"solidity":   {on("import", `^\s*import\s+(?:[^"';]*\bfrom\s*)?`+quoted, ByPath, nil, nil).to(";")},
		"swift":      {on("import @ public internal private", `^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|internal|private|package)\s+)?import\s+(?:(?:class|struct|enum|protocol|typealias|func|let|var)\s+)?(\w+)`, ByFolder, nil, nil)},
		"tcl":        {on("source", `^\s*source\s+["{]?([^\s"{}\[\]]+)`, ByPath, below, nil)},
		"thrift":     {on("include", `^\s*include\s+`+quoted, ByPath, nil, nil)},
		"v":          {on("import", `^import\s+([a-z_][\w.]*)`, ByPackage, dotted, nil)},
		"verilog":    {within("`include", "`include\\s+\"([^\"]+)\"", ByPath, nil), within("import", `\bimport\s+(\w+)::`, ByDeclare, nil)},
		"vhdl":       {on("use", `(?i)^\s*use\s+work\.([a-z]\w*)`, ByDeclare, nil, nil).inAnyCase()},
		"vim":        {on("source runtime so ru import", `^\s*(?:source|so|runtime!?|ru!?|import\s+autoload|import)\s+["']?([^\s"'|]+\.vim)`, ByPath, below, nil)},
		"wgsl":       {on("#import", `^\s*#import\s+"([^"]+)"`, ByPath, nil, nil)},
	}
})

// puppet is the path of a class: a::b is in the manifests of module a.
func puppet(name string) string {
	module, rest, ok := strings.Cut(name, "::")
	if !ok {
		return module + "/manifests/init"
	}
	return module + "/manifests/" + colons(rest)
}
