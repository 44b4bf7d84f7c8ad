package tree

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// bashRules are those of shell scripts. A variable is declared where it is first set:
// by local in its function, else for the whole program.
func bashRules() *rules {
	return &rules{
		apart: apartCalls,
		branches: []string{"if_statement", "elif_clause", "while_statement", "for_statement", "c_style_for_statement", "case_item",
			"list", "ternary_expression"},
		comments: []string{"comment"},
		visit: map[string]visitor{
			"function_definition":   bashFunction,
			"variable_assignment":   func(w *walk, n int32) int32 { return bashAssignment(w, n, n, 0, false) },
			"declaration_command":   bashDeclaration,
			"for_statement":         bashFor,
			"command":               bashCommand,
			"variable_name":         bashVariable,
			"simple_expansion":      func(w *walk, n int32) int32 { return w.visitAll(n) },
			"special_variable_name": func(*walk, int32) int32 { return facts.None },
		},
		state: func() any { return &bashState{globals: map[string]bool{}} },
	}
}

// bashState is what the rules of shell scripts remember of a file.
type bashState struct {
	globals map[string]bool   // variables that are declared
	locals  []map[string]bool // of the functions that are open
}

func (w *walk) bash() *bashState { return w.state.(*bashState) }

func bashFunction(w *walk, n int32) int32 {
	name, body := w.child(n, "name"), w.child(n, "body")
	if name < 0 || w.text(name) == "" {
		return w.visitAll(n)
	}
	f := w.symbol(name, n, code.KindFunc, facts.Exported)
	w.symbols[f].Parent = facts.None
	w.bind(0, f, 0)
	w.signature(f, w.start(n), body)
	w.document(f, w.start(n))
	w.arguments(f, 0, 0, true)
	b, branches := w.bash(), w.branches
	b.locals = append(b.locals, map[string]bool{})
	w.within(f, func() {
		w.open(scopeFunction)
		w.visitOther(n, name)
		w.close()
	})
	b.locals = b.locals[:len(b.locals)-1]
	w.symbols[f].Complexity = uint16(min(1+w.branches-branches, 0xffff))
	return facts.None
}

// bashVariable reads the name of a variable; $1 has none.
func bashVariable(w *walk, n int32) int32 {
	if name := w.text(n); name != "" && (name[0] < '0' || name[0] > '9') {
		w.use(n, facts.RoleRead, facts.None)
	}
	return facts.None
}

// bashAssignment reads name=value, a part of the whole.
func bashAssignment(w *walk, n, whole int32, kind code.Kind, local bool) int32 {
	name, value := w.child(n, "name"), w.child(n, "value")
	if w.is(name, "subscript") {
		w.visit(w.child(name, "index"))
		name = w.child(name, "name")
	}
	y := bashSet(w, name, whole, kind, local)
	if y >= 0 && len(w.bash().locals) == 0 {
		w.document(y, w.start(whole))
		w.within(y, func() { w.visit(value) })
		return facts.None
	}
	w.visit(value)
	return facts.None
}

// bashSet reads the name of a variable that is set. The first time declares it, and
// gives its symbol; later it is None.
func bashSet(w *walk, name, whole int32, kind code.Kind, local bool) int32 {
	b, text := w.bash(), w.text(name)
	if text == "" || text[0] >= '0' && text[0] <= '9' {
		return facts.None
	}
	if kind == 0 {
		kind = code.KindVar
	}
	if depth := len(b.locals); local && depth > 0 {
		if b.locals[depth-1][text] {
			w.use(name, facts.RoleWrite, facts.None)
			return facts.None
		}
		b.locals[depth-1][text] = true
		y := w.symbol(name, whole, kind, facts.Local)
		w.bind(w.top(), y, 0)
		return y
	}
	if b.globals[text] || slices.ContainsFunc(b.locals, func(names map[string]bool) bool { return names[text] }) {
		w.use(name, facts.RoleWrite, facts.None)
		return facts.None
	}
	b.globals[text] = true
	y := w.symbol(name, whole, kind, facts.Exported)
	w.symbols[y].Parent = facts.None
	w.bind(0, y, 0)
	return y
}

// bashDeclaration reads local, declare, readonly and export with names and values.
func bashDeclaration(w *walk, n int32) int32 {
	word := w.text(n + 1)
	local := word == "local" || word == "declare" || word == "typeset"
	kind := code.KindVar
	if word == "readonly" {
		kind = code.KindConst
	}
	functions := false
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "word":
			option := w.text(c)
			if strings.HasPrefix(option, "-") {
				functions = functions || strings.Contains(option, "f")
				local = local && !strings.Contains(option, "g")
				if strings.Contains(option, "r") {
					kind = code.KindConst
				}
			}
		case "variable_assignment":
			bashAssignment(w, c, c, kind, local)
		case "variable_name":
			switch {
			case functions:
				w.use(c, facts.RoleCall, facts.None)
			case local:
				bashSet(w, c, c, kind, true)
			default:
				w.use(c, facts.RoleRead, facts.None)
			}
		default:
			w.visit(c)
		}
	}
	return facts.None
}

func bashFor(w *walk, n int32) int32 {
	name := w.child(n, "variable")
	bashSet(w, name, name, code.KindVar, false)
	w.visitOther(n, name)
	return facts.None
}

// bashCommand reads a command: a call of a function, or of a program. Some take the
// names of others, of variables to set, or of files to read.
func bashCommand(w *walk, n int32) int32 {
	name := w.child(n, "name")
	word := w.only(name)
	text := w.text(word)
	switch {
	case word < 0 || !w.is(word, "word") || w.text(word) != w.text(name):
		return w.visitAll(n)
	case text == "source" || text == "." || text == "load":
		bashSource(w, n, name)
	case text == "read" || text == "mapfile" || text == "readarray":
		bashRead(w, n)
	case text == "trap":
		bashTrap(w, n)
	case text == "command" || text == "type" || text == "exec" || text == "time" || text == "nohup" || text == "run":
		bashNames(w, n, "")
	case text == "complete":
		bashNames(w, n, "-F")
	}
	w.use(word, facts.RoleCall, facts.None)
	for c := range w.kids(n) {
		switch {
		case c == name:
		case w.is(c, "variable_assignment"): // for the command alone
			w.visit(w.child(c, "value"))
		case text == "alias" && w.is(c, "concatenation"):
			bashAlias(w, c)
		default:
			w.visit(c)
		}
	}
	return facts.None
}

// bashAlias reads name='text', which alias declares as a command.
func bashAlias(w *walk, n int32) {
	name, _, ok := strings.Cut(w.text(n), "=")
	if !ok || name == "" || strings.ContainsAny(name, "$\"'`") {
		w.visit(n)
		return
	}
	y := w.symbolAt(name, w.start(n), w.start(n), w.end(n), code.KindFunc, facts.Exported)
	w.symbols[y].Parent, w.symbols[y].Complexity = facts.None, 1
	w.bind(0, y, 0)
	w.arguments(y, 0, 0, true)
	w.visit(n)
}

// bashArguments yields the arguments of a command.
func bashArguments(w *walk, n int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range w.kids(n) {
			if w.field(c) == "argument" && !yield(c) {
				return
			}
		}
	}
}

// bashNames reads the first argument, or the one behind an option, as the name of what is run.
func bashNames(w *walk, n int32, option string) {
	next := option == ""
	for c := range bashArguments(w, n) {
		text := w.text(c)
		switch {
		case next && w.is(c, "word") && !strings.HasPrefix(text, "-"):
			w.use(c, facts.RoleCall, facts.None)
			return
		case option != "":
			next = text == option
		case !strings.HasPrefix(text, "-"):
			return
		}
	}
}

// bashRead reads the names of variables that a command sets.
func bashRead(w *walk, n int32) {
	for c := range bashArguments(w, n) {
		if w.is(c, "word") && isShellName(w.text(c)) {
			bashSet(w, c, c, code.KindVar, false)
		}
	}
}

// bashTrap reads what a trap runs: a name, or a script in quotes.
func bashTrap(w *walk, n int32) {
	for c := range bashArguments(w, n) {
		switch {
		case w.is(c, "word") && isShellName(w.text(c)):
			w.use(c, facts.RoleCall, facts.None)
		case w.is(c, "raw_string") && w.end(c)-w.start(c) > 2:
			w.embedded(w.start(c)+1, w.end(c)-1, func(root int32) { w.visit(root) })
		}
		return
	}
}

// isShellName reports whether a word is the name of a variable or a function.
func isShellName(s string) bool {
	for i := range len(s) {
		if b := s[i]; b != '_' && !isLetter(b) && (i == 0 || b < '0' || b > '9') {
			return false
		}
	}
	return s != ""
}

// bashSource reads the file whose functions and variables a command brings.
func bashSource(w *walk, n, name int32) {
	for c := range bashArguments(w, n) {
		if p := bashPath(w.text(c)); p != "" && (w.text(name) != "load" || w.is(c, "word")) {
			w.imports = append(w.imports, facts.Import{Module: p, Name: "*", Place: facts.Place{At: w.start(c)}, In: facts.None})
		}
		return
	}
}

// bashPath is the part of the path of a file that is written: what stands behind
// the last expansion.
func bashPath(text string) string {
	text = strings.NewReplacer(`"`, "", `'`, "").Replace(text)
	if i := strings.LastIndexAny(text, "})`"); i >= 0 {
		text = strings.TrimPrefix(text[i+1:], "/")
	}
	if i := strings.LastIndexByte(text, '$'); i >= 0 {
		text = strings.TrimLeftFunc(text[i+1:], func(r rune) bool { return r == '_' || r < 0x80 && (isLetter(byte(r)) || r >= '0' && r <= '9') })
		text = strings.TrimPrefix(text, "/")
	}
	return strings.TrimPrefix(text, "./")
}
