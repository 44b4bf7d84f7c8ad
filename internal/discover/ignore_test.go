package discover

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	tests := []struct {
		rules string
		path  string // a folder if it ends in a slash
		want  verdict
	}{
		{"a", "a", ignored}, {"a", "x/a", ignored}, {"a", "a/", ignored}, {"a", "ab", undecided},
		{"/a", "a", ignored}, {"/a", "x/a", undecided}, {"x/a", "x/a", ignored}, {"x/a", "y/x/a", undecided},
		{"a/", "a", undecided}, {"a/", "x/a/", ignored},
		{"*.o", "x/y.o", ignored}, {"*.o", ".o", ignored}, {"*.tar.gz", "a.tar.gz", ignored}, {"*.tar.gz", "a.gz", undecided}, {"*~", "a~", ignored},
		{"/*.o", "x/y.o", undecided}, {"x/*.o", "x/y.o", ignored}, {"x/*.o", "x/z/y.o", undecided},
		{"**/a", "a", ignored}, {"**/a", "x/y/a", ignored}, {"a/**", "a/", undecided}, {"a/**", "a/b/c", ignored},
		{"a/**/b", "a/b", ignored}, {"a/**/b", "a/x/y/b", ignored}, {"a/**/b", "ab", undecided}, {"foo**/bar", "foox/y/bar", ignored},
		{"a**b", "axb", ignored}, {"a/x**b", "a/x/b", undecided},
		{"!a", "a", kept}, {"a\n!a", "a", kept}, {"!a\na", "a", ignored}, {`\!a`, "!a", ignored}, {`\#a`, "#a", ignored}, {"#a", "#a", undecided},
		{"a ", "a", ignored}, {`a\ `, "a ", ignored}, {`a\  `, "a ", ignored}, {"a\t", "a", undecided}, {"a\r\n", "a", ignored}, {"a\r", "a", ignored}, {"\xef\xbb\xbfa", "a", ignored},
		{"[ab]c", "bc", ignored}, {"[!ab]c", "bc", undecided}, {"[^ab]c", "xc", ignored}, {"[]]", "]", ignored}, {"[a-c]", "b", ignored}, {"[c-a]", "b", undecided}, {"[c-a]", "c", ignored},
		{"[[:digit:]]", "7", ignored}, {"[[:nope:]]", "7", undecided}, {"[a", "[a", undecided}, {"a\\", "a\\", undecided}, {`\a`, "a", ignored}, {"x[/]y", "x/y", undecided},
		{"a?c", "abc", ignored}, {"x/a?c", "x/a/c", undecided}, {"?", "\xff", ignored},
		{"", "a", undecided}, {"/", "a/", undecided}, {"!", "a", undecided}, {"//", "a/", undecided}, {"*", "a", ignored}, {"**", "a/b", ignored}, {"a\x00b", "a", ignored},
	}
	for _, tt := range tests {
		path, dir := strings.CutSuffix(tt.path, "/")
		if got := parseRules([]byte(tt.rules)).verdict(path, dir); got != tt.want {
			t.Errorf("rules %q on %q: %d, want %d", tt.rules, tt.path, got, tt.want)
		}
	}
}

func (rs *rules) verdict(path string, dir bool) verdict {
	if rs == nil {
		return undecided
	}
	return rs.match(path, baseName(path), dir)
}

// Patterns made to make a matcher go back and forth for ever.
func TestRulesTakePolynomialTime(t *testing.T) {
	long := strings.Repeat("a", 255)
	deep := strings.Repeat("a/", 2000) + "a"
	for _, rule := range []string{
		strings.Repeat("a*", 100) + "b", strings.Repeat("**/", 500) + "*a*a*a*b", strings.Repeat("**/a/", 400) + "b", strings.Repeat("*", 10000) + "b",
		strings.Repeat("a/**/", 300) + "*a*b", strings.Repeat("[a-z]*", 120) + "0", strings.Repeat(`**\/`, 200) + "b", strings.Repeat("x", 1<<20), "/" + strings.Repeat("*a", 1<<19),
	} {
		rs := parseRules([]byte(rule))
		for _, path := range []string{long, deep, deep + "/" + long} {
			if got := rs.verdict(path, false); got != undecided {
				t.Errorf("rule %.20q on a path of %d bytes: %d", rule, len(path), got)
			}
		}
	}
	var many bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&many, "name%d\n*.ext%d\n/dir/file%d\n", i, i, i)
	}
	rs := parseRules(many.Bytes())
	for path, want := range map[string]verdict{"x/name99999": ignored, "a.ext0": ignored, "dir/file7": ignored, "file7": undecided} {
		for range 1000 {
			if got := rs.verdict(path, false); got != want {
				t.Fatalf("300,000 rules on %q: %d, want %d", path, got, want)
			}
		}
	}
}

// FuzzRules compares the indexed rules with the same rules one by one, each
// translated to a regular expression.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{"a", "*.o\n!b.o", "/a/**/b/", "**/x[a-c]?", `\#\!x `, "a*b*c", "foo**/bar", "[[:alpha:]-z]", "**", "x/**"} {
		for _, path := range []string{"a", "x/b.o", "a/b/c", "foo/x/bar", "é", "a b"} {
			f.Add([]byte(seed), path, true)
			f.Add([]byte(seed), path, false)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, path string, dir bool) {
		if !validPath(path) || len(text) > 200 || len(path) > 200 {
			return
		}
		got := parseRules(text).verdict(path, dir)
		want := undecided
		for line := range bytes.SplitSeq(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n")) {
			if v := oneRule(string(bytes.TrimSuffix(line, []byte("\r"))), path, dir); v != undecided {
				want = v
			}
		}
		if got != want {
			t.Errorf("rules %q on %q (folder %v): %d, one by one %d", text, path, dir, got, want)
		}
	})
}

// oneRule gives the verdict of one line without the index and without matchOps.
func oneRule(line, path string, dir bool) verdict {
	var rs rules
	line, _, _ = strings.Cut(line, "\x00")
	rs.add(line)
	if len(rs.rules) == 0 || rs.rules[0].dirOnly && !dir {
		return undecided
	}
	body := strings.TrimPrefix(trimSpaces(line), "!")
	body = strings.TrimSuffix(body, "/")
	prefix, subject := "", baseName(path)
	if strings.Contains(body, "/") {
		body = strings.TrimPrefix(body, "/")
		n := literalPrefix(body)
		prefix, body, subject = body[:n], body[n:], path
	}
	p := compile(prefix, body, subject == path && strings.Contains(trimSpaces(line), "/"))
	if !regexp.MustCompile(p.regexp()).MatchString(latin1(subject)) {
		return undecided
	}
	if rs.rules[0].negated {
		return kept
	}
	return ignored
}

// regexp translates a pattern; bytes stand as the code points of the same number.
func (p *pattern) regexp() string {
	var b strings.Builder
	b.WriteString("(?s)^" + regexp.QuoteMeta(latin1(p.prefix)))
	for _, o := range p.ops {
		switch o.kind {
		case opLiteral:
			b.WriteString(regexp.QuoteMeta(latin1(o.lit)))
		case opAny:
			b.WriteString("[^/]")
		case opClass:
			b.WriteString("(?:[^\\x{0}-\\x{10ffff}]")
			for c := range 256 {
				if o.set[c/64]&(1<<(c%64)) != 0 {
					b.WriteString("|" + regexp.QuoteMeta(string(rune(c))))
				}
			}
			b.WriteString(")")
		case opStar:
			b.WriteString("[^/]*")
		case opDeep:
			b.WriteString(".*")
		case opDirs:
			b.WriteString("(?:.*/)?")
		case opNever:
			b.WriteString("[^\\x{0}-\\x{10ffff}]")
		}
	}
	b.WriteString("$")
	return b.String()
}

func latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

func BenchmarkRules(b *testing.B) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "name%d\n*.e%d\n/build%d/out\nlib%d*.so\n", i, i, i, i)
	}
	rs := parseRules([]byte(text.String()))
	b.Run("400 rules", func(b *testing.B) {
		for b.Loop() {
			rs.match("internal/discover/discover.go", "discover.go", false)
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			parseRules([]byte(text.String()))
		}
	})
}
