package outline

import (
	"path"
	"strings"
	"sync"
	"unicode"

	"espy/internal/wordset"
)

// Called reports whether code of a language calls the name that stands between two parts
// of its line: arguments in brackets follow it, or it stands as the language has it.
func Called(language, before, behind string) bool {
	bracket := strings.HasPrefix(behind, "(")
	switch language {
	case "clojure", "lisp", "racket", "scheme":
		return strings.HasSuffix(before, "(")
	case "objective-c":
		return bracket || isMessage(before, behind)
	case "haskell", "ocaml", "fsharp", "elm", "purescript", "lean", "coq", "crystal", "nim", "perl", "raku", "coffeescript":
		return bracket || isPiped(before) || isApplied(behind)
	case "powershell", "fish", "tcl":
		return bracket || isCommand(before)
	case "verilog":
		return bracket || strings.TrimSpace(before) == "" && isInstance(behind)
	}
	return bracket || isPiped(before)
}

// Heads reports whether a name that its file defines is declared where it stands, behind a
// part of its line: where a language writes a function as equations, each of which begins in the
// first column with its name, or says its types before them.
func Heads(language, before string) bool {
	switch language {
	case "haskell", "purescript", "elm":
		return before == ""
	case "erlang": // https://www.erlang.org/doc/system/typespec.html
		return before == "" || strings.HasPrefix(before, "-spec") && strings.Trim(before[len("-spec"):], " \t(") == ""
	}
	return false
}

// ModuleOf is the name of the module that a file is without declaring it; empty where its
// language has none. Source: the OCaml manual, chapter 2.5, "Modules and separate compilation".
func ModuleOf(language, p string) string {
	base, _, _ := strings.Cut(path.Base(p), ".")
	if language != "ocaml" || base == "" {
		return ""
	}
	return strings.ToUpper(base[:1]) + base[1:]
}

// maxAtom is how many bytes of the name of a module are read at most.
const maxAtom = 255

// Qualifier is the name of the module whose function a name is that stands behind a part of its
// text, in a language whose modules are files of their names: "" for that of the file around it.
// ok is false where that cannot be told.
// Source: the Erlang reference manual, "Modules" and "Function Calls".
func Qualifier(language string, before []byte) (module string, ok bool) {
	if language != "erlang" || len(before) == 0 {
		return "", language == "erlang"
	}
	end := len(before) - 1
	if before[end] != ':' {
		return "", strings.IndexByte("?#'.", before[end]) < 0 // macros, records, quoted names
	}
	start := end
	for start > max(0, end-maxAtom) && isAtomByte(before[start-1]) {
		start--
	}
	module = string(before[start:end])
	switch {
	case start > 0 && before[start-1] == '?':
		return "", module == "MODULE"
	case module == "" || module[0] < 'a' || module[0] > 'z': // of a variable, or in quotes
		return "", false
	}
	return module, true
}

func isAtomByte(b byte) bool {
	return b == '_' || b == '@' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
}

// isMessage reports whether a name is part of a message of Objective-C: [x name],
// [x name:y], and name:z behind it.
func isMessage(before, behind string) bool {
	blank := strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\t") || before == ""
	return blank && (strings.HasPrefix(behind, "]") || strings.HasPrefix(behind, ":")) && !strings.HasPrefix(strings.TrimLeft(before, " \t"), "case ")
}

// isInstance reports whether what stands behind the name of a module of Verilog makes an
// instance of it: #(...) for its parameters, or the name of the instance and its ports.
func isInstance(behind string) bool {
	rest := strings.TrimLeft(behind, " \t")
	if strings.HasPrefix(rest, "#") {
		return strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), "(")
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return end > 0 && len(rest) < len(behind) && strings.HasPrefix(strings.TrimLeft(rest[end:], " \t"), "(")
}

// isApplied reports whether an argument follows a name: name x, name $ x.
func isApplied(behind string) bool {
	rest := strings.TrimLeft(behind, " \t")
	if rest == "" || len(rest) == len(behind) {
		return false
	}
	if strings.HasPrefix(rest, "$ ") || strings.HasPrefix(rest, "<$> ") {
		return true
	}
	word := rest
	if end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end >= 0 {
		word = rest[:end]
	}
	return word != "" && !joining()[word] || strings.IndexByte("\"'([{\\", rest[0]) >= 0
}

// isPiped reports whether a value is piped to what follows: x |> name.
func isPiped(before string) bool {
	return strings.HasSuffix(strings.TrimRight(before, " \t"), "|>")
}

// joining are the words that may follow a value.
var joining = sync.OnceValue(func() map[string]bool {
	return wordset.Of("and andalso as do else elif elsif end eq ge gt if in is isnot le lt mod ne not notin of or orelse rescue shl shr then to unless until when where while with xor cmp div isa on from by deriving case ensure")
})

// isCommand reports whether a command stands behind a text: at the beginning of a line,
// behind a separator, a pipe, an opening bracket or an assignment.
func isCommand(before string) bool {
	t := strings.TrimRight(before, " \t")
	return t == "" || strings.IndexByte(";|&({[=", t[len(t)-1]) >= 0 || commanding()[t[strings.LastIndexAny(t, " \t;|&({[")+1:]]
}

// commanding are the words that a command follows.
var commanding = sync.OnceValue(func() map[string]bool {
	return wordset.Of("and begin command do else elseif if not or return then time while builtin")
})
