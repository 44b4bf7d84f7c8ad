package rust

import (
	"regexp/syntax"
	"strings"
	"unicode"

	"espy/internal/grep/pcre"
)

// CompilePerl compiles patterns that are written as PCRE2 has them. Those that need
// nothing of PCRE2 alone are compiled as others are. The error is a *usage.Error.
func CompilePerl(patterns []string, o Options) (*Regexp, error) {
	var plain []string
	for _, p := range patterns {
		x, err := pcre.Parse(p, pcre.Options{Multiline: o.Multiline})
		if err != nil {
			return nil, err
		}
		if text, ok := x.Plain(); ok {
			plain = append(plain, text)
		}
	}
	if len(plain) == len(patterns) {
		r, err := Compile(plain, o)
		if err == nil && o.Multiline { // PCRE2 does not tell whether a match may hold a line end
			r.spans = true
		}
		return r, err
	}
	ignore := o.IgnoreCase || o.SmartCase && !hasUpper(patterns)
	x, err := pcre.Parse(joined(patterns, o), pcre.Options{IgnoreCase: ignore, Multiline: o.Multiline, DotAll: o.Multiline && o.DotAll})
	if err != nil {
		return nil, err
	}
	r, err := Compile([]string{x.Wide()}, Options{IgnoreCase: ignore, Multiline: o.Multiline, DotAll: o.DotAll})
	if err != nil {
		return nil, err
	}
	r.names, r.spans, r.literal = x.Names(), o.Multiline, nil
	r.perl, err = x.Compile(classOf, r.starts)
	return r, err
}

// joined is one expression of several, as ripgrep writes it.
func joined(patterns []string, o Options) string {
	one := "(?:" + strings.Join(patterns, ")|(?:") + ")"
	switch {
	case o.Line:
		return "^(?:" + one + ")$"
	case o.Word:
		return `(?<!\w)(?:` + one + `)(?!\w)`
	}
	return one
}

// hasUpper reports whether patterns have large letters, but for those behind a backslash.
func hasUpper(patterns []string) bool {
	for _, p := range patterns {
		escaped := false
		for _, c := range p {
			if !escaped && unicode.IsUpper(c) {
				return true
			}
			escaped = !escaped && c == '\\'
		}
	}
	return false
}

// classOf returns the characters that an expression of one character matches.
func classOf(class string, fold bool) ([]rune, error) {
	t, err := translate([]string{class}, Options{IgnoreCase: fold})
	if err != nil {
		return nil, err
	}
	flags := syntax.Perl &^ syntax.OneLine
	if fold {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(string(t.out), flags)
	if err != nil {
		return nil, refused([]string{class}, err)
	}
	switch re.Op {
	case syntax.OpCharClass:
		return re.Rune, nil
	case syntax.OpAnyChar:
		return []rune{0, unicode.MaxRune}, nil
	case syntax.OpAnyCharNotNL:
		return not([]rune{'\n', '\n'}), nil
	case syntax.OpLiteral:
		r := re.Rune[0]
		set := []rune{r, r}
		for f := unicode.SimpleFold(r); re.Flags&syntax.FoldCase != 0 && f != r; f = unicode.SimpleFold(f) {
			set = append(set, f, f)
		}
		return tidy(set), nil
	}
	return nil, nil
}
