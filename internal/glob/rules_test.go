package glob

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	tests := []struct {
		rules string
		path  string // a folder if it ends in a slash
		want  Verdict
	}{
		{"a", "a", Ignored}, {"a", "x/a", Ignored}, {"a", "a/", Ignored}, {"a", "ab", Undecided},
		{"/a", "a", Ignored}, {"/a", "x/a", Undecided}, {"x/a", "x/a", Ignored}, {"x/a", "y/x/a", Undecided},
		{"a/", "a", Undecided}, {"a/", "x/a/", Ignored},
		{"*.o", "x/y.o", Ignored}, {"*.o", ".o", Ignored}, {"*.tar.gz", "a.tar.gz", Ignored}, {"*.tar.gz", "a.gz", Undecided}, {"*~", "a~", Ignored},
		{"/*.o", "x/y.o", Undecided}, {"x/*.o", "x/y.o", Ignored}, {"x/*.o", "x/z/y.o", Undecided},
		{"**/a", "a", Ignored}, {"**/a", "x/y/a", Ignored}, {"a/**", "a/", Undecided}, {"a/**", "a/b/c", Ignored},
		{"a/**/b", "a/b", Ignored}, {"a/**/b", "a/x/y/b", Ignored}, {"a/**/b", "ab", Undecided}, {"foo**/bar", "foox/y/bar", Ignored},
		{"a**b", "axb", Ignored}, {"a/x**b", "a/x/b", Undecided},
		{"!a", "a", Kept}, {"a\n!a", "a", Kept}, {"!a\na", "a", Ignored}, {`\!a`, "!a", Ignored}, {`\#a`, "#a", Ignored}, {"#a", "#a", Undecided},
		{"a ", "a", Ignored}, {`a\ `, "a ", Ignored}, {`a\  `, "a ", Ignored}, {"a\t", "a", Undecided}, {"a\r\n", "a", Ignored}, {"a\r", "a", Ignored}, {"\xef\xbb\xbfa", "a", Ignored},
		{"[ab]c", "bc", Ignored}, {"[!ab]c", "bc", Undecided}, {"[^ab]c", "xc", Ignored}, {"[]]", "]", Ignored}, {"[a-c]", "b", Ignored}, {"[c-a]", "b", Undecided}, {"[c-a]", "c", Ignored},
		{"[[:digit:]]", "7", Ignored}, {"[[:nope:]]", "7", Undecided}, {"[a", "[a", Undecided}, {"a\\", "a\\", Undecided}, {`\a`, "a", Ignored}, {"x[/]y", "x/y", Undecided},
		{"a?c", "abc", Ignored}, {"x/a?c", "x/a/c", Undecided}, {"?", "\xff", Ignored},
		{"", "a", Undecided}, {"/", "a/", Undecided}, {"!", "a", Undecided}, {"//", "a/", Undecided}, {"*", "a", Ignored}, {"**", "a/b", Ignored}, {"a\x00b", "a", Ignored},
	}
	for _, tt := range tests {
		t.Run(tt.rules+" "+tt.path, func(t *testing.T) {
			path, dir := strings.CutSuffix(tt.path, "/")
			if got := ParseRules([]byte(tt.rules)).verdict(path, dir); got != tt.want {
				t.Errorf("rules %q on %q: %d, want %d", tt.rules, tt.path, got, tt.want)
			}
		})
	}
}

func (rs *Rules) verdict(path string, dir bool) Verdict {
	if rs == nil {
		return Undecided
	}
	return rs.Match(path, path[strings.LastIndexByte(path, '/')+1:], dir)
}

// Patterns made to make a matcher go back and forth for ever.
func TestRulesTakePolynomialTime(t *testing.T) {
	long := strings.Repeat("a", 255)
	deep := strings.Repeat("a/", 2000) + "a"
	for _, rule := range []string{
		strings.Repeat("a*", 100) + "b", strings.Repeat("**/", 500) + "*a*a*a*b", strings.Repeat("**/a/", 400) + "b", strings.Repeat("*", 10000) + "b",
		strings.Repeat("a/**/", 300) + "*a*b", strings.Repeat("[a-z]*", 120) + "0", strings.Repeat(`**\/`, 200) + "b", strings.Repeat("x", 1<<20), "/" + strings.Repeat("*a", 1<<19),
	} {
		t.Run(fmt.Sprintf("%.40q", rule), func(t *testing.T) {
			rs := ParseRules([]byte(rule))
			for _, path := range []string{long, deep, deep + "/" + long} {
				if got := rs.verdict(path, false); got != Undecided {
					t.Errorf("rule %.20q on a path of %d bytes: %d", rule, len(path), got)
				}
			}
		})
	}
	var many bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&many, "name%d\n*.ext%d\n/dir/file%d\n", i, i, i)
	}
	rs := ParseRules(many.Bytes())
	for path, want := range map[string]Verdict{"x/name99999": Ignored, "a.ext0": Ignored, "dir/file7": Ignored, "file7": Undecided} {
		t.Run(path, func(t *testing.T) {
			for range 1000 {
				if got := rs.verdict(path, false); got != want {
					t.Fatalf("300,000 rules on %q: %d, want %d", path, got, want)
				}
			}
		})
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
		if !clean(path) || len(text) > 200 || len(path) > 200 {
			return
		}
		got := ParseRules(text).verdict(path, dir)
		want := Undecided
		for line := range bytes.SplitSeq(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n")) {
			if v := oneRule(string(bytes.TrimSuffix(line, []byte("\r"))), path, dir); v != Undecided {
				want = v
			}
		}
		if got != want {
			t.Errorf("rules %q on %q (folder %v): %d, one by one %d", text, path, dir, got, want)
		}
	})
}

// clean reports whether a path is one that a walk would ask about.
func clean(name string) bool {
	return name != "" && !strings.ContainsRune(name, 0) && name == path.Clean(name) && name != "." && filepath.IsLocal(name)
}

// oneRule gives the verdict of one line without the index and without matchOps.
func oneRule(line, path string, dir bool) Verdict {
	var rs Rules
	line, _, _ = strings.Cut(line, "\x00")
	rs.add(line)
	if len(rs.rules) == 0 || rs.rules[0].dirOnly && !dir {
		return Undecided
	}
	body := strings.TrimPrefix(trimSpaces(line), "!")
	body = strings.TrimSuffix(body, "/")
	subject, whole := path[strings.LastIndexByte(path, '/')+1:], strings.Contains(body, "/")
	if whole {
		body, subject = strings.TrimPrefix(body, "/"), path
	}
	p := compile(body, whole)
	if !regexp.MustCompile(p.regexp()).MatchString(latin1(subject)) {
		return Undecided
	}
	if rs.rules[0].negated {
		return Kept
	}
	return Ignored
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
	rs := ParseRules([]byte(text.String()))
	b.Run("400 rules", func(b *testing.B) {
		for b.Loop() {
			rs.Match("internal/discover/discover.go", "discover.go", false)
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			ParseRules([]byte(text.String()))
		}
	})
}
