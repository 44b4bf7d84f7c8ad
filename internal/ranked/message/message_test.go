package message

import (
	"strings"
	"testing"
)

// TestBest holds how texts agree with a place of some code: the line, how many
// words and what part of the literal.
func TestBest(t *testing.T) {
	code := "import os\n\ndef run(name):\n\t# could not find a service that is named so\n\traise Error(\"could not find service %s in %d manifests\" % (name, n))\n\treturn f'the {kind} is not supported here'\n\tlog(\"netns not provided, \" +\n\t\t\"but it is needed\")\n"
	for _, c := range []struct {
		name, text string
		line       int
		words      int
		literal    float64
	}{
		{"as it stands", "could not find service in manifests", 4, 6, 1},
		{"with values", "could not find service web-7 in 12 manifests", 4, 6, 1},
		{"behind a log prefix", "2026-11-22 17:13 WARN main: could not find service web in 3 manifests", 4, 6, 1},
		{"cut", "could not find service web", 4, 4, 4.0 / 6},
		{"a cause behind it", "could not find service web in 3 manifests: connection refused by peer", 4, 6, 1},
		{"in braces", "the widget is not supported here", 5, 5, 1},
		{"over lines", "netns not provided, but it is needed", 6, 7, 1},
		{"in a comment", "find a service that is named so", 3, 7, 0},
		{"other words", "where are sockets closed", 0, 0, 0},
		{"stop words", "is not", 0, 0, 0},
		{"nothing", "", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := New(c.text).Best([]byte(code), "")
			if got.Words != c.words || got.Words > 0 && (got.Line != c.line || got.Literal != c.literal) {
				t.Errorf("Best(%q) = %+v, want line %d, %d words, literal %v", c.text, got, c.line, c.words, c.literal)
			}
		})
	}
}

// TestHolesAreNoWords holds that what is filled in does not count among the words of a literal.
func TestHolesAreNoWords(t *testing.T) {
	for _, code := range []string{"fail(\"what stands in tray $(name(of(t, me))) is not here\")", "fail(\"what stands in tray %s is not here\")", "fail(\"what stands in tray ${name} is not here\")"} {
		if got := New("what stands in tray A7 is not here").Best([]byte(code), ""); got.Literal != 1 || !got.IsMessage(false) {
			t.Errorf("%s: %+v, want all of its words", code, got)
		}
	}
}

// TestFormats holds which lines fill in a format of few words: those that have all that
// stands beside its values, behind no more than a logger writes.
func TestFormats(t *testing.T) {
	code := "x = 1\nfprintf(stderr, \"error connecting to %s (%s)\\n\", path, why)\nlog.warn(`shelf ${name} lacks item: ${item}`)\nprint(\"user name %s\")\nraise E(\"%s: bad depot {}\")\n" +
		"echo \"lost key $name: gone\"\nputs \"room #{shelf}, sorry\"\nthrow E(\"stale cup \\(n): thrown\")\n" +
		"die(\"no lamp \" + kind + \" here\")\ncerr << at << \" broken pans\" << endl;\nfail(\"%s was not an oven\" % it)\n// whether `hall::Lamp` burns. It is what `Oven` said.\n" +
		"notice(\"odd tray $(size(of(t))): left\")\n"
	for _, c := range []struct {
		name, text string
		line       int // 0 for none
	}{
		{"values filled in", "error connecting to /tmp/x (No such file)", 1},
		{"as a query reads it", "error connecting to /tmp/x No such file", 1},
		{"behind a level", "12:13:50 ERROR error connecting to /tmp/x (No such file)", 1},
		{"behind a cause", "client: error connecting to /tmp/x (No such file)", 1},
		{"in a sentence", "we saw error connecting to /tmp/x (No such file)", 0},
		{"holes of a template", "shelf left lacks item: a cup", 2},
		{"a name", "lost key A7: gone", 5},
		{"an expression", "room 7b, sorry", 6},
		{"in parentheses", "stale cup 7: thrown", 7},
		{"nested parentheses", "odd tray 17: left", 12},
		{"a mark is missing", "shelf left lacks item a cup", 0},
		{"other order", "item: a cup lacks shelf left", 0},
		{"no value", "error connecting to", 0},
		{"two words alone", "user name, and where it is checked", 0},
		{"a value first", "stock: bad depot 17", 4},
		{"joined literals", "error: no lamp A7 here", 8},
		{"a sentence of names in code", "hall::Lamp and what lights it", 0},
		{"another value joined", "no lamp here", 0},
		{"one word that says something", "it7 was not an oven", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := New(c.text).Best([]byte(code), "")
			if got.Format != (c.line > 0) || got.Format && got.Line != c.line {
				t.Errorf("Best(%q) = %+v, want a format at line %d", c.text, got, c.line)
			}
			if got.Format && (!got.IsMessage(false) || got.IsMessage(true)) {
				t.Errorf("%q is a message %v, in prose %v", c.text, got.IsMessage(false), got.IsMessage(true))
			}
		})
	}
}

// TestLogged holds which lines look as a logger writes them: short ones with any
// mark or that begin with what failed, long ones that begin as a log does.
func TestLogged(t *testing.T) {
	long := strings.Repeat(" the worker that lost its connection, as we saw it (twice), was started again", 3)
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"plain words", "the service is not in manifests", false},
		{"a failure", "could not find service in manifests", true},
		{"a value", "could not find service web-7", true},
		{"a failure in the middle", "the lid cannot be shut on shelf seven", true},
		{"a comma", "not provided, but needed", true},
		{"a time before a long line", "2026-11-22 17:13 WARN" + long, true},
		{"a level before a long line", "WARNING main:" + long, true},
		{"sentences", "Since yesterday" + long, false},
		{"a number late in sentences", "Since yesterday" + long + " in 12 seconds", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Logged(c.line); got != c.want {
				t.Errorf("Logged(%q) = %v", c.line, got)
			}
		})
	}
}

func FuzzBest(f *testing.F) {
	f.Add("could not find %s in {x}", "raise E(\"could not find %(a)s in ${x}\")\n'it''s \\")
	f.Add("could not find a in b", "die qq{could not find @{[$x->{y}]} in $z[0]->a} . q(")
	f.Fuzz(func(t *testing.T, text, code string) {
		for _, language := range []string{"", "perl", "ruby", "powershell", "clojure"} {
			got := New(text).Best([]byte(code), language)
			if got.Words > New(text).Words() || got.Quoted > got.Words || got.Literal > 1 || got.Share > 1 {
				t.Fatalf("Best(%q, %q, %s) = %+v", text, code, language, got)
			}
		}
	})
}
