package written

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"espy/internal/pattern"
)

// maxStatement bounds the lines before a place that its statement may begin in.
const maxStatement = 60

// StatementStart is the byte of the line in which a statement begins that holds a
// byte: its lines begin with a dot, or the ones before them end in one or in =.
func StatementStart(text []byte, at int) int {
	start := LineStart(text, at)
	for range maxStatement {
		if start == 0 {
			break
		}
		before := LineStart(text, start-1)
		head, above := bytes.TrimSpace(text[start:at]), bytes.TrimSpace(text[before:start])
		if !bytes.HasPrefix(head, []byte(".")) && !bytes.HasSuffix(above, []byte(".")) && !bytes.HasSuffix(above, []byte("=")) {
			break
		}
		start = before
	}
	return start
}

var assignment = pattern.New(`^\s*([A-Za-z_][\w.]*)\s*:?=\s*[^=]`)

// Assigned is the name that a statement between two bytes gives a value.
func Assigned(text []byte, start, at int) (Argument, bool) {
	m := assignment().FindSubmatchIndex(text[start:at])
	if m == nil {
		return Argument{}, false
	}
	return Argument{From: start + m[2], To: start + m[3], Text: string(text[start+m[2] : start+m[3]])}, true
}

// Listed are the elements of an argument that is a list, [a, b] or routes![a, b]; else
// the argument. Those that are spread into it are as they are.
func Listed(a Argument) []Argument {
	n := NameEnd(a.Text)
	if n > 0 && (strings.HasPrefix(a.Text[n:], "![") || strings.HasPrefix(a.Text[n:], "!(")) {
		n++
	} else if n = 0; !strings.HasPrefix(a.Text, "[") {
		return []Argument{a}
	}
	all := Elements(a.Text[n:])
	for i := range all {
		all[i].From, all[i].To = all[i].From+a.From+n, all[i].To+a.From+n
	}
	return all
}

// Part is the value of a field of an argument that is a list or an object; of part n
// of a list where n is not negative; the argument itself where neither is asked for.
func Part(a Argument, n int, field string) (Argument, bool) {
	list := Elements(a.Text)
	for i := range list {
		list[i].From, list[i].To = list[i].From+a.From, list[i].To+a.From
		if list[i].Name == "" {
			list[i].Name = list[i].Text[:NameEnd(list[i].Text)] // of { a } in JavaScript
		}
	}
	if n >= 0 {
		if n >= len(list) {
			return a, false
		}
		a = list[n]
	}
	if field == "" {
		return a, true
	}
	for _, one := range list {
		if one.Name == field {
			return one, true
		}
	}
	return a, false
}

// Options are the arguments of a call with those that an object among them names.
func Options(list []Argument) []Argument {
	for _, a := range list {
		if a.Name != "" || !strings.HasPrefix(a.Text, "{") {
			continue
		}
		for _, one := range Elements(a.Text) {
			if one.Name == "" {
				if one.Name = one.Text[:NameEnd(one.Text)]; one.Name == "" {
					continue
				}
			}
			one.From, one.To = one.From+a.From, one.To+a.From
			list = append(list, one)
		}
	}
	return list
}

// LeadingChain is the names that an argument begins with: users.Router of
// users.Router(db), what is made by new and what & and * stand before too.
func LeadingChain(a Argument) Argument {
	text := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(a.Text, "&*.!"), "mut "), "new ")
	start := a.From + len(a.Text) - len(text)
	n := 0
	for n < len(text) && (inName(text[n]) || text[n] == '.' || text[n] == ':' || text[n] == '$') {
		n++
	}
	return Argument{From: start, To: start + n, Text: text[:n]}
}

// Included is the first argument of include(...), which may be a list that begins with
// what is included; any other argument as it is.
func Included(a Argument) Argument {
	if !strings.HasPrefix(a.Text, "include(") {
		return a
	}
	list := Elements(a.Text[len("include"):])
	if len(list) == 0 {
		return a
	}
	one := list[0]
	one.From, one.To = one.From+a.From+len("include"), one.To+a.From+len("include")
	if inner := Elements(one.Text); len(inner) > 0 && one.Text[0] == '(' {
		inner[0].From, inner[0].To = inner[0].From+one.From, inner[0].To+one.From
		return inner[0]
	}
	return one
}

var required = pattern.New(`^(?:await\s+)?(?:require|import)\(\s*["']([^"']+)["']\s*\)(?:\.\w+)?$`)

// Required is the module that an argument names: require('./users').
func Required(s string) (string, bool) {
	if m := required().FindStringSubmatch(s); m != nil {
		return m[1], true
	}
	return "", false
}

// LastCall is the byte of the name that is called last in an argument: Group of
// e.Group("/x").
func LastCall(a Argument) int {
	text := []byte(a.Text)
	at := 0
	for i := 0; i < len(text); {
		if inName(text[i]) {
			at = i
			i += max(1, NameEnd(string(text[i:])))
			continue
		}
		i = Skip(text, i, len(text))
	}
	return a.From + at
}

// Loop is what a loop goes through.
type Loop struct {
	List  Argument
	Part  int    // of each element that a name stands for; -1 for the whole
	Field string // of each element that a name stands for; empty for the whole
}

// maxLoop bounds the bytes before a place that the head of its loop is looked for in.
const maxLoop = 2000

var (
	loopHead = pattern.New(`\bfor\s+(?:await\s*)?\(?\s*(?:const |let |var |_\s*,\s*)?(?P<names>[\[({]?\s*\w[\w\s,]*?\s*[\])}]?)\s+(?:in|of|:?=\s*range)\s+(?P<list>[\[({A-Za-z_])`)
	eachHead = pattern.New(`(?P<list>[A-Za-z_][\w.]*|\])\s*\.\s*(?:forEach|map)\(\s*(?:async\s*)?(?:function\s*)?\(?\s*(?P<names>[{\[]?\s*\w[\w\s,]*[}\]]?)`)
)

// LoopOver is what the innermost loop goes through that stands before a byte of a text
// and has a name in its head.
func LoopOver(text []byte, at int, name string) (Loop, bool) {
	start := max(0, at-maxLoop)
	if !bytes.Contains(text[start:at], []byte("for")) && !bytes.Contains(text[start:at], []byte(".map(")) {
		return Loop{}, false
	}
	best, found := 0, Loop{}
	for _, p := range []*regexp.Regexp{loopHead(), eachHead()} {
		for _, m := range p.FindAllSubmatchIndex(text[start:at], -1) {
			head := Match{Pattern: p, Start: start, Groups: m}
			if l, ok := loopOf(text, &head, name); ok && head.Groups[0]+start >= best {
				best, found = head.Groups[0]+start, l
			}
		}
	}
	return found, found.List.Text != ""
}

// loopOf is the loop of a head that has a name.
func loopOf(text []byte, head *Match, name string) (l Loop, ok bool) {
	from, to := head.Span("names")
	names := strings.FieldsFunc(string(text[from:to]), func(r rune) bool { return strings.ContainsRune("{}[]() ,\t\n", r) })
	l.Part = -1
	for i, n := range names {
		if n == name {
			ok = true
			switch {
			case text[from] == '{':
				l.Field = name
			case len(names) > 1 || text[from] == '[':
				l.Part = i
			}
		}
	}
	if !ok {
		return l, false
	}
	from, to = head.Span("list")
	if head.Pattern == eachHead() && text[from] == ']' {
		if from = bytes.LastIndexByte(text[:from], '['); from < 0 {
			return l, false
		}
	} else if head.Pattern == loopHead() {
		if to = from + 1; strings.IndexByte("[({", text[from]) >= 0 {
			to = Skip(text, from, len(text))
		} else {
			for to < len(text) && (inName(text[to]) || text[to] == '.') {
				to++
			}
		}
	}
	l.List = Argument{From: from, To: to, Text: string(text[from:to])}
	return l, true
}

// LongValue is what a declaration gives its name, whose last byte stands before a byte
// of a text: a list over several lines too.
func LongValue(text []byte, behind int) (a Argument) {
	end := min(len(text), LineEnd(text, behind, len(text)))
	i := bytes.IndexByte(text[behind:end], '=')
	if i < 0 {
		return a
	}
	from := behind + i + 1
	for from < len(text) && strings.IndexByte(" \t\r\n", text[from]) >= 0 {
		from++
	}
	if from == len(text) || strings.IndexByte("[({", text[from]) < 0 {
		return a
	}
	to := Skip(text, from, len(text))
	return Argument{From: from, To: to, Text: string(text[from:to])}
}

var wrapped = pattern.New(`^(?:\w+\.)*path\(\s*("[^"]*")\s*\)$`)

// Unwrapped is the literal in path("/x"); any other argument as it is.
func Unwrapped(a Argument) Argument {
	if m := wrapped().FindStringSubmatchIndex(a.Text); m != nil {
		return Argument{Name: a.Name, From: a.From + m[2], To: a.From + m[3], Text: a.Text[m[2]:m[3]]}
	}
	return a
}

var methodCall = pattern.New(`\b(get|post|put|delete|patch|head|options|trace|any|on)(?:_service)?\s*\(`)

// Answer is a function that answers a method of HTTP.
type Answer struct {
	Method  string // as it is called: get
	Handler Argument
}

// Answers are the functions in get(a).post(b), on(MethodFilter::GET, a) and
// web::get().to(a).
func Answers(a Argument) (all []Answer) {
	text := []byte(a.Text)
	for i := 0; i < len(text); {
		m := methodCall().FindSubmatchIndex(text[i:])
		if m == nil {
			return all
		}
		method := string(text[i+m[2] : i+m[3]])
		list, end, ok := Arguments(text, i+m[1]-1)
		if !ok {
			return all
		}
		if n := bytes.Index(text[end:], []byte(".to(")); len(list) == 0 && n >= 0 {
			if list, end, ok = Arguments(text, end+n+len(".to")); !ok {
				return all
			}
		}
		if len(list) > 0 {
			h := list[len(list)-1]
			h.From, h.To = h.From+a.From, h.To+a.From
			for _, m := range methodsOf(method, list[0].Text) {
				all = append(all, Answer{m, h})
			}
		}
		i = end
	}
	return all
}

// methodsOf are the methods of HTTP that a call answers: its name, or those that its
// first argument filters.
func methodsOf(call, first string) (all []string) {
	if !strings.HasPrefix(call, "on") {
		return []string{call}
	}
	for _, m := range methodFilter().FindAllStringSubmatch(first, -1) {
		all = append(all, strings.ToLower(m[1]))
	}
	return all
}

// methodFilter names a method of HTTP of axum.
var methodFilter = pattern.New(`\bMethodFilter::([A-Z]+)\b`)

// nextArgument is the argument behind the call that ends at a byte, in the call that
// holds it; the calls of members between are passed over.
func nextArgument(text []byte, at int) (Argument, bool) {
	i := CallsBehind(text, at)
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	if i == len(text) || text[i] != ',' {
		return Argument{}, false
	}
	list, _ := split(text, i+1, min(len(text), i+1+maxArguments))
	return append(list, Argument{})[0], len(list) > 0
}

// Beside is the function among the arguments of a call behind the first, the last of
// them where none is written as one; where there is none, the argument behind the call.
func Beside(text []byte, list []Argument, end int) (Argument, bool) {
	if len(list) < 2 {
		return nextArgument(text, end)
	}
	for _, a := range list[1:] {
		if strings.Contains(a.Text, "::") || IsInline(a.Text) || strings.Contains(a.Text, "->") {
			return a, true
		}
	}
	return list[len(list)-1], true
}

// maxBehind bounds the calls of a chain that are looked through.
const maxBehind = 16

// ArgumentBehind is the first argument of the call of one of some methods in the chain
// behind a byte: that of HandlerFunc in .Methods("GET").HandlerFunc(f).
func ArgumentBehind(text []byte, at int, methods ...string) (Argument, bool) {
	for range maxBehind {
		dot := len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
		if dot == len(text) || text[dot] != '.' {
			break
		}
		name := len(text) - len(bytes.TrimLeft(text[dot+1:], " \t\r\n"))
		end := name + NameEnd(string(text[name:min(len(text), name+maxName)]))
		list, behind, ok := LongArguments(text, end)
		if !ok {
			break
		}
		if slices.Contains(methods, string(text[name:end])) && len(list) > 0 {
			return list[0], true
		}
		at = behind
	}
	return Argument{}, false
}

// maxName bounds the bytes of the name of a method in a chain.
const maxName = 80
