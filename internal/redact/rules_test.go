package redact

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

var update = flag.Bool("update", false, "rewrite rules.go from the rules of gitleaks")

const generated = "rules.go"

// theirs is the part of gitleaks' configuration that the rules are made of.
type theirs struct {
	Allowlist theirAllowance
	Rules     []struct {
		ID, Regex, Path string
		Entropy         float64
		SecretGroup     int
		Keywords        []string
		Allowlists      []theirAllowance
	}
}

type theirAllowance struct {
	Condition, RegexTarget    string
	Paths, Regexes, StopWords []string
}

// TestRulesAreThoseOfGitleaks holds rules.go against the module that go.mod names.
// Run with -update after another version of it is chosen.
func TestRulesAreThoseOfGitleaks(t *testing.T) {
	var c theirs
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &c); err != nil {
		t.Fatal(err)
	}
	want, err := format.Source(source(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(generated, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(generated)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("error %v; run go test -update:\n%s", err, cmp.Diff(string(want), string(got)))
	}
}

// source writes the rules as a Go file.
func source(t *testing.T, c theirs) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	fmt.Fprintf(&b, "var everywhere = allowance{regexes: %s, stopWords: %s, paths: %s}\n\n", stringList(c.Allowlist.Regexes), quote(wrap(c.Allowlist.StopWords)), stringList(c.Allowlist.Paths))
	b.WriteString("var rules = []rule{\n")
	for _, r := range c.Rules {
		if r.Regex == "" {
			continue // judged by its name alone
		}
		fmt.Fprintf(&b, "{id: %q, regex: %s, keywords: %s", r.ID, quote(r.Regex), stringList(r.Keywords))
		if n := longest(t, r.Regex); n > 0 {
			fmt.Fprintf(&b, ", run: %d", n)
		}
		if r.Entropy > 0 {
			fmt.Fprintf(&b, ", entropy: %v", r.Entropy)
		}
		if r.SecretGroup > 0 {
			fmt.Fprintf(&b, ", group: %d", r.SecretGroup)
		}
		if r.Path != "" {
			fmt.Fprintf(&b, ", path: %s", quote(r.Path))
		}
		if len(r.Allowlists) > 0 {
			b.WriteString(", allowed: []allowance{\n")
			for _, a := range r.Allowlists {
				b.WriteString("{" + strings.Join(fields(a), ", ") + "},\n")
			}
			b.WriteString("}")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// longest returns the length of the longest run, in the sense of candidates, that every
// match of an expression is sure to have.
func longest(t *testing.T, expression string) int {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	return sure(re.Simplify())
}

func sure(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return sure(re.Sub[0])
	case syntax.OpLiteral, syntax.OpCharClass:
		return runLength(re)
	case syntax.OpAlternate:
		least := sure(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			least = min(least, sure(sub))
		}
		return least
	case syntax.OpConcat:
		most, row := 0, 0
		for _, sub := range re.Sub {
			n := runLength(sub)
			if row += n; n == 0 {
				row = 0
			}
			most = max(most, row, sure(sub))
		}
		return most
	}
	return 0
}

// runLength is the length of what a literal or one character of a run matches, else 0.
func runLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if !isRun(r) {
				return 0
			}
		}
		return len(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if !isRun(r) {
					return 0
				}
			}
		}
		return 1
	case syntax.OpCapture:
		return runLength(re.Sub[0])
	}
	return 0
}

func isRun(r rune) bool { return r < 0x80 && classes[r]&inRun != 0 || r == 0x17f || r == 0x212a } // the last two fold to s and k

func fields(a theirAllowance) (list []string) {
	if a.RegexTarget != "" {
		list = append(list, "target: "+a.RegexTarget+"Text")
	}
	if strings.EqualFold(a.Condition, "and") {
		list = append(list, "all: true")
	}
	for _, f := range []struct {
		name  string
		words []string
	}{{"paths", a.Paths}, {"regexes", a.Regexes}} {
		if len(f.words) > 0 {
			list = append(list, f.name+": "+stringList(f.words))
		}
	}
	if len(a.StopWords) > 0 {
		words := slices.Clone(a.StopWords)
		slices.Sort(words)
		list = append(list, "stopWords: "+quote(wrap(words)))
	}
	return list
}

// wrap puts words on lines of readable length.
func wrap(words []string) string {
	var b strings.Builder
	column := 0
	for _, w := range words {
		if column += len(w) + 1; column > 150 {
			b.WriteString("\n")
			column = len(w)
		} else if b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(w)
	}
	return b.String()
}

func stringList(list []string) string {
	if len(list) == 0 {
		return "nil"
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}

func quote(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

const head = `// Code generated by go test -update from the default configuration of gitleaks; DO NOT EDIT.
//
// The rules are those of github.com/zricethezav/gitleaks/v8, under this licence:
//
// MIT License
//
// Copyright (c) 2019 Zachary Rice
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

package redact

`

// TestRulesCompile compiles every expression, which is otherwise done at need.
func TestRulesCompile(t *testing.T) {
	for i := range allRules {
		r := &allRules[i]
		t.Run(r.id, func(t *testing.T) {
			for _, expression := range append([]string{r.regex, r.path}, allowedExpressions(r)...) {
				if _, err := regexp.Compile(expression); err != nil {
					t.Error(err)
				}
			}
			if len(r.keywords) == 0 || r.id == "" {
				t.Error("a rule without name or words is never used")
			}
			for _, k := range r.keywords {
				if len(k) < 2 || k != strings.ToLower(k) {
					t.Errorf("word %q", k)
				}
			}
		})
	}
}

func allowedExpressions(r *rule) (list []string) {
	for _, a := range r.allowed {
		list = append(list, append(slices.Clone(a.regexes), a.paths...)...)
	}
	return list
}
