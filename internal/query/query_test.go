package query

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shape prints a tree with its structure visible.
func shape(n Node) string {
	within := func(name string, nodes []Node) string {
		parts := make([]string, len(nodes))
		for i, n := range nodes {
			parts[i] = shape(n)
		}
		return name + "{" + strings.Join(parts, " ") + "}"
	}
	switch n := n.(type) {
	case And:
		return within("And", n.Nodes)
	case Or:
		return within("Or", n.Nodes)
	case Any:
		return within("Any", n.Nodes)
	case Not:
		return "Not{" + shape(n.Node) + "}"
	case Word:
		return n.Text
	case Phrase:
		return fmt.Sprintf("%q", n.Text)
	case Symbol:
		return "symbol<" + n.Name + ">"
	}
	return "nothing"
}

func filters(f Filters) string {
	var parts []string
	for _, l := range []struct {
		name   string
		values []string
	}{{"path", f.Paths}, {"-path", f.NotPaths}, {"ext", f.Extensions}, {"lang", f.Langs}, {"-lang", f.NotLangs}, {"repo", f.Repos}} {
		for _, v := range l.values {
			parts = append(parts, l.name+"<"+v+">")
		}
	}
	if f.Scope != "" {
		parts = append(parts, "scope<"+string(f.Scope)+">")
	}
	for _, k := range f.Kinds {
		parts = append(parts, "kind<"+k.String()+">")
	}
	return strings.Join(parts, " ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, tree, filters, canonical string }{
		{"", "nothing", "", ""},
		{" \t\n", "nothing", "", ""},
		{"token", "token", "", "token"},
		{"where are  ignore rules", "Any{where are ignore rules}", "", "where are ignore rules"},
		{"auth AND (token OR session) NOT deprecated", "And{auth Or{token session} Not{deprecated}}", "", "auth AND (token OR session) AND NOT deprecated"},
		{"a b AND c", "And{a b c}", "", "a AND b AND c"},
		{"a b c AND d", "And{Any{a b} c d}", "", "(a b) AND c AND d"},
		{"a OR b c", "And{Or{a b} c}", "", "(a OR b) AND c"},
		{"a OR b AND c", "Or{a And{b c}}", "", "a OR (b AND c)"},
		{"a AND b OR c AND d", "Or{And{a b} And{c d}}", "", "(a AND b) OR (c AND d)"},
		{"(a b) OR c", "Or{Any{a b} c}", "", "(a b) OR c"},
		{"a (b c) d", "Any{a b c d}", "", "a b c d"},
		{"(((a)))", "a", "", "a"},
		{"a AND (b AND (c AND d))", "And{a b c d}", "", "a AND b AND c AND d"},
		{"a AND a AND b AND a", "And{a b}", "", "a AND b"},
		{"a OR a", "a", "", "a"},
		{`open file "not found" -test`, `And{Any{open file} "not found" Not{test}}`, "", `(open file) AND "not found" AND NOT test`},
		{`"p" a "q" b`, `And{"p" Any{a b} "q"}`, "", `"p" AND (a b) AND "q"`},
		{`"say \"hi\" \\ \n"`, `"say \"hi\" \\ \\n"`, "", `"say \"hi\" \\ \\n"`},
		{`"" " " a`, "a", "", "a"},
		{`"a"b`, `And{"a" b}`, "", `"a" AND b`},
		{"-a", "Not{a}", "", "NOT a"},
		{"NOT NOT a", "a", "", "a"},
		{"NOT -a", "a", "", "a"},
		{"NOT (a b)", "Not{Any{a b}}", "", "NOT (a b)"},
		{`-"a b" -(c OR d)`, `And{Not{"a b"} Not{Or{c d}}}`, "", `NOT "a b" AND NOT (c OR d)`},
		{"symbol:Open", "symbol<Open>", "", "symbol:Open"},
		{`symbol:"operator ()" -symbol:Close`, "And{symbol<operator ()> Not{symbol<Close>}}", "", `symbol:"operator ()" AND NOT symbol:Close`},
		{"path:net/** http", "http", "path<net/**>", "http path:net/**"},
		{"http path:a path:b -path:c NOT path:d", "http", "path<a> path<b> -path<c> -path<d>", "http path:a path:b -path:c -path:d"},
		{"NOT (path:a OR -path:b)", "nothing", "path<b> -path<a>", "path:b -path:a"},
		{"lang:go,ts -lang:css scope:test repo:api", "nothing", "lang<go> lang<ts> -lang<css> repo<api> scope<test>", "lang:go lang:ts -lang:css scope:test repo:api"},
		{`path:"a b" path:":x" path:"(y)"`, "nothing", "path<a b> path<:x> path<(y)>", `path:"a b" path:":x" path:"(y)"`},
		{"a AND lang:go AND b", "And{a b}", "lang<go>", "a AND b lang:go"},
		{"a OR path:x", "a", "path<x>", "a path:x"},
		{"(lang:go)", "nothing", "lang<go>", "lang:go"},
		{"lang:,", "nothing", "lang<,>", "lang:,"},
		{"scope:code scope:code", "nothing", "scope<code>", "scope:code"},
		{"retry kind:method kind:func,method", "retry", "kind<func> kind<method>", "retry kind:func kind:method"},
		{"symbol:Open AND kind:struct path:a", "symbol<Open>", "path<a> kind<struct>", "symbol:Open path:a kind:struct"},
		{"kind::x kind", "Any{kind::x kind}", "", "kind::x kind"},
		{"retry kind:function,variable language:go", "retry", "lang<go> kind<func> kind<var>", ""},
		{"file:main.go -file:vendor ext:go,.ts sym:Open", "symbol<Open>", "path<main.go> -path<vendor> ext<*.go> ext<*.ts>", ""},
		{"file://x file: x ext:: sym:", "Any{file://x file: x ext:: sym:}", "", ""},
		// Odd text is words.
		{"foo(bar)", "foo(bar)", "", "foo(bar)"},
		{`fmt.Errorf("%w", err)`, `Any{fmt.Errorf("%w", err}`, "", `fmt.Errorf("%w", err`},
		{`fmt.Println("hello world")`, `Any{fmt.Println("hello world"}`, "", `fmt.Println("hello world"`},
		{"func (s *Server) Close() error {", "Any{func s *Server Close() error {}", "", "func s *Server Close() error {"},
		{"foo)) AND bar", "And{foo bar}", "", "foo AND bar"},
		{"foo)bar", "Any{foo bar}", "", "foo bar"},
		{"(baz foo(bar )", "Any{baz foo(bar}", "", "baz foo(bar"},
		{"x OR (baz foo(bar )", "Or{x Any{baz foo(bar}}", "", "x OR (baz foo(bar )"},
		{"return -1", "Any{return -1}", "", "return -1"},
		{"p->next --flag - -> a-b", "Any{p->next --flag - -> a-b}", "", "p->next --flag - -> a-b"},
		{"std::path path::Path http://x lang::y", "Any{std::path path::Path http://x lang::y}", "", "std::path path::Path http://x lang::y"},
		{"AND", "and", "", "and"},
		{"a AND", "Any{a and}", "", "a and"},
		{"OR a", "Any{or a}", "", "or a"},
		{"a AND NOT", "Any{a and not}", "", "a and not"},
		{"(a OR) b", "Any{a or b}", "", "a or b"},
		{"and or not And", "Any{and or not And}", "", "and or not And"},
		{"!? %% {}", "Any{!? %% {}}", "", "!? %% {}"},
		{"()", "nothing", "", ""},
		{"naïve 東京\u3000ﬁ", "Any{naïve 東京 ﬁ}", "", "naïve 東京 ﬁ"},
		{"\xff\xfe a", "Any{\xff\xfe a}", "", "\xff\xfe a"},
	} {
		t.Run(c.text, func(t *testing.T) {
			q, err := Parse(c.text)
			if err != nil {
				t.Errorf("Parse(%q): %v", c.text, err)
				return
			}
			if got := shape(q.Root); got != c.tree {
				t.Errorf("Parse(%q) = %s, want %s", c.text, got, c.tree)
			}
			if got := filters(q.Filters); got != c.filters {
				t.Errorf("Parse(%q) filters = %s, want %s", c.text, got, c.filters)
			}
			if got := canonical(q); got != c.canonical && c.canonical != "" {
				t.Errorf("Parse(%q) prints %s, want %s", c.text, got, c.canonical)
			}
			again(t, q)
		})
	}
}

// again checks that a printed query reads back as itself.
func again(t *testing.T, q *Query) {
	t.Helper()
	text := canonical(q)
	back, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q) of a printed query: %v", text, err)
	}
	if shape(back.Root) != shape(q.Root) || !cmp.Equal(back.Filters, q.Filters) {
		t.Fatalf("Parse(%q) = %s %s, want %s %s", text, shape(back.Root), filters(back.Filters), shape(q.Root), filters(q.Filters))
	}
	if canonical(back) != text {
		t.Fatalf("Parse(%q) prints %q", text, canonical(back))
	}
}

func TestPositions(t *testing.T) {
	q, err := Parse(`  ab AND "c d" AND -symbol:E`)
	if err != nil {
		t.Fatal(err)
	}
	want := And{[]Node{Word{"ab", 2}, Phrase{"c d", 9}, Not{Symbol{"E", 20}}}}
	if diff := cmp.Diff(Node(want), q.Root); diff != "" {
		t.Fatal(diff)
	}
}

func TestParseErrors(t *testing.T) {
	long := strings.Repeat("a", maxBytes+1)
	for _, c := range []struct {
		text string
		pos  int
		want string
	}{
		{`a "open`, 2, "this quote is never closed"},
		{`"`, 0, "this quote is never closed"},
		{`path:"x`, 5, "this quote is never closed"},
		{"a (b", 2, "this parenthesis is never closed"},
		{"(a (b)", 0, "this parenthesis is never closed"},
		{"a )", 2, "this parenthesis closes nothing"},
		{") a", 0, "this parenthesis closes nothing"},
		{"a AND path:", 6, "path: has no value"},
		{`lang:"" x`, 0, "lang: has no value"},
		{"(symbol:)", 1, "symbol: has no value"},
		{"scope:tests", 0, `unknown scope "tests"; the scopes are [all code test docs deps]`},
		{"a kind:widget", 2, `unknown kind "widget"; the kinds are [func method type class `},
		{"kind: x", 0, "kind: has no value"},
		{"-kind:func", 1, "kind: cannot be negated"},
		{"scope:test a scope:code", 13, "a second scope, code after test"},
		{"-scope:test", 1, "scope: cannot be negated"},
		{"NOT (repo:x)", 5, "repo: cannot be negated"},
		{long, maxBytes, "the query is 10001 bytes long and the limit is 10000"},
		{strings.Repeat(`"a" `, maxClauses+1), 4 * maxClauses, "more than 256 conditions"},
		{"lang:" + strings.Repeat("a,", maxClauses+1), 0, "more than 256 conditions"},
		{strings.Repeat("(", maxDepth+1), maxDepth, "more than 100 groups"},
	} {
		t.Run(fmt.Sprintf("%.40q", c.text), func(t *testing.T) {
			_, err := Parse(c.text)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Errorf("Parse(%.40q) = %v, want a syntax error", c.text, err)
				return
			}
			if syntax.Pos != c.pos || !strings.Contains(err.Error(), c.want) || syntax.Hint == "" {
				t.Errorf("Parse(%.40q) = %v, want %q at %d and a hint", c.text, err, c.want, c.pos)
			}
		})
	}
}

// TestParseWorstCases holds texts that could cost a careless parser its stack or its time.
func TestParseWorstCases(t *testing.T) {
	for _, unit := range []string{"NOT ", "-", "-a", "()", ")", "a)", "AND ", "(a OR ", `\`, "NOT (", "path:", "a(", `""`, "a OR b AND ", "\xff"} {
		t.Run(unit, func(t *testing.T) {
			text := strings.Repeat(unit, maxBytes/len(unit))
			if q, err := Parse(text); err == nil && len(canonical(q)) <= maxBytes {
				again(t, q)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"auth AND (token OR session) NOT deprecated", `"a \" b" symbol:X -path:"a b" lang:go,ts scope:test repo:r`,
		"func (s *Server) Close() error {", "foo) AND (bar baz(q )", "NOT NOT -a OR -(b -c)", "retry kind:func,method kind:struct", "path::x -1 -> AND OR NOT", "\xff\u3000\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Pos < 0 || syntax.Pos > len(text) || syntax.Hint == "" {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		if s := canonical(q); len(s) <= maxBytes && strings.Count(s, "(") <= maxDepth {
			again(t, q)
		}
	})
}

// canonical prints a query in one form: every operator written out, filters
// last. Parsing it gives the same query, positions aside, unless the text is now
// over the limits.
func canonical(q *Query) string {
	var parts []string
	if q.Root != nil {
		parts = append(parts, printed(q.Root))
	}
	add := func(prefix string, values []string) {
		for _, v := range values {
			parts = append(parts, prefix+value(v))
		}
	}
	f := &q.Filters
	add("path:", f.Paths)
	add("-path:", f.NotPaths)
	add("ext:", f.Extensions)
	add("lang:", f.Langs)
	add("-lang:", f.NotLangs)
	if f.Scope != "" {
		parts = append(parts, "scope:"+string(f.Scope))
	}
	add("repo:", f.Repos)
	for _, k := range f.Kinds {
		parts = append(parts, "kind:"+k.String())
	}
	return strings.Join(parts, " ")
}
