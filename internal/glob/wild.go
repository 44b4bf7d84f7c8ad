package glob

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Wild is one compiled glob as Rust's glob crate reads it with its default
// options: `*` and `?` match slashes too, `**` stands only as a whole component,
// `[abc]` and `[!abc]` are classes, there are no braces, and case counts. A Wild
// may match absolute paths. (https://docs.rs/glob/latest/glob/struct.Pattern.html)
type Wild struct {
	text     string
	kind     wildKind
	literal  string // of wildSuffix and wildFolder
	compiled *regexp.Regexp
}

type wildKind uint8

const (
	wildRegexp wildKind = iota
	wildAll             // **/*
	wildSuffix          // *.go, **/*.go
	wildFolder          // **/target/**
)

// CompileWild compiles a glob of up to 1000 bytes. The error says what is wrong
// in the words of the glob crate.
func CompileWild(glob string) (*Wild, error) {
	if len(glob) > maxBytes {
		return nil, errors.New(tooLong(glob))
	}
	text, err := wildRegexpOf(glob)
	if err != nil {
		return nil, err
	}
	g := &Wild{text: glob}
	if g.kind, g.literal = wildShape(glob); g.kind != wildRegexp {
		return g, nil
	}
	if g.compiled, err = regexp.Compile(text); err != nil {
		return nil, fmt.Errorf("invalid range pattern")
	}
	return g, nil
}

// wildShape finds the shapes that most globs have, which need no automaton.
func wildShape(glob string) (wildKind, string) {
	if glob == "**/*" || glob == "*" || glob == "**" {
		return wildAll, ""
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(glob, "**/"), "*"); ok && rest != "" && !strings.ContainsAny(rest, "*?[") {
		return wildSuffix, rest
	}
	if rest, ok := strings.CutPrefix(glob, "**/"); ok {
		if name, ok := strings.CutSuffix(rest, "/**"); ok && name != "" && !strings.ContainsAny(name, "*?[") {
			return wildFolder, name
		}
	}
	return wildRegexp, ""
}

func wildRegexpOf(glob string) (string, error) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for i := 0; i < len(glob); {
		switch c := glob[i]; c {
		case '?':
			b.WriteByte('.')
			i++
		case '*':
			n, text, err := wildStar(glob, i)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
			i += n
		case '[':
			n, text, err := wildClass(glob[i:])
			if err != nil {
				return "", fmt.Errorf("pattern syntax error near position %d: %w", i, err)
			}
			b.WriteString(text)
			i += n
		default:
			end := i + 1
			for end < len(glob) && !strings.ContainsRune("?*[", rune(glob[end])) {
				end++
			}
			b.WriteString(regexp.QuoteMeta(glob[i:end]))
			i = end
		}
	}
	b.WriteString(`\z`)
	return b.String(), nil
}

// wildStar translates the run of stars at i, with the slash after two of them.
func wildStar(glob string, i int) (n int, text string, err error) {
	for i+n < len(glob) && glob[i+n] == '*' {
		n++
	}
	switch {
	case n == 1:
		return 1, ".*", nil
	case n > 2:
		return 0, "", fmt.Errorf("pattern syntax error near position %d: wildcards are either regular `*` or recursive `**`", i+2)
	case i > 0 && glob[i-1] != '/', i+2 < len(glob) && glob[i+2] != '/':
		return 0, "", fmt.Errorf("pattern syntax error near position %d: recursive wildcards must form a single path component", i+1)
	case i+2 < len(glob):
		return 3, "(?:.*/)?", nil
	}
	return 2, ".*", nil
}

// wildClass translates a class, which s begins with. A bracket that closes
// right after the opening one belongs to the class.
func wildClass(s string) (n int, text string, err error) {
	start := 1
	negated := strings.HasPrefix(s[start:], "!")
	if negated {
		start++
	}
	end := -1
	if len(s) > start {
		end = strings.IndexByte(s[start+1:], ']')
	}
	if end < 0 {
		return 0, "", fmt.Errorf("invalid range pattern")
	}
	members := []rune(s[start : start+1+end])
	var b strings.Builder
	for i := 0; i < len(members); i++ {
		from, to := members[i], members[i]
		if i+2 < len(members) && members[i+1] == '-' {
			to = members[i+2]
			i += 2
		}
		if from <= to {
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, from, to)
		}
	}
	n = start + 1 + end + 1
	switch {
	case b.Len() == 0 && negated:
		return n, ".", nil
	case b.Len() == 0:
		return n, `[^\x{0}-\x{10FFFF}]`, nil
	case negated:
		return n, "[^" + b.String() + "]", nil
	}
	return n, "[" + b.String() + "]", nil
}

// String returns the glob as written.
func (g *Wild) String() string { return g.text }

// All reports whether the glob matches every path.
func (g *Wild) All() bool { return g.kind == wildAll }

// Endings takes the globs out of a list that match every path with an ending
// from its last dot on, as *.go does, and returns these endings: a path is then
// looked up among them instead of being compared with each.
func Endings(globs []*Wild) (endings map[string]bool, rest []*Wild) {
	endings = map[string]bool{}
	for _, g := range globs {
		if g.kind == wildSuffix && strings.LastIndexAny(g.literal, "./") == 0 && g.literal[0] == '.' {
			endings[g.literal] = true
			continue
		}
		rest = append(rest, g)
	}
	return endings, rest
}

// Match reports whether the glob matches the whole of path.
func (g *Wild) Match(path string) bool {
	switch g.kind {
	case wildAll:
		return true
	case wildSuffix:
		return strings.HasSuffix(path, g.literal)
	case wildFolder:
		at := strings.Index(path, g.literal+"/")
		for from := 0; at >= 0; {
			if at += from; at == 0 || path[at-1] == '/' {
				return true
			}
			from = at + 1
			at = strings.Index(path[from:], g.literal+"/")
		}
		return false
	}
	return g.compiled.MatchString(path)
}
