package discover

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// DialectWild reads the globs of a Policy as Rust's glob crate does with its
// default options: `*` and `?` match slashes too, `**` stands only as a whole
// component, `[abc]` and `[!abc]` are classes, there are no braces, and case
// counts. An include glob is matched against the absolute path, the path
// relative to the root with and without a leading slash, and the base name; an
// exclude glob that begins with a slash against the absolute path, and any
// against the relative one. So what the folders above the root are called
// excludes nothing. (https://docs.rs/glob/latest/glob/struct.Pattern.html)
const DialectWild = "wild"

// WildGlob is one compiled glob of DialectWild.
type WildGlob struct {
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

// CompileWild compiles a glob. The error says what is wrong in the words of
// the glob crate.
func CompileWild(glob string) (*WildGlob, error) {
	if len(glob) > maxGlobBytes {
		return nil, fmt.Errorf("glob of %d bytes: the limit is %d", len(glob), maxGlobBytes)
	}
	text, err := wildRegexpOf(glob)
	if err != nil {
		return nil, err
	}
	g := &WildGlob{text: glob}
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
func (g *WildGlob) String() string { return g.text }

// Match reports whether the glob matches the whole of path.
func (g *WildGlob) Match(path string) bool {
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

// wild is the globs of a policy in DialectWild.
type wild struct {
	base             string // absolute path of the root
	include, exclude []*WildGlob
}

func newWild(base string, p Policy) (*wild, error) {
	w := &wild{base: base}
	var err error
	if w.include, err = compileWild("include", p.Include); err != nil {
		return nil, err
	}
	if w.exclude, err = compileWild("exclude", p.Exclude); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.include, func(g *WildGlob) bool { return g.kind == wildAll }) {
		w.include = nil
	}
	return w, nil
}

func compileWild(list string, globs []string) (out []*WildGlob, err error) {
	if len(globs) > maxGlobs {
		return nil, fmt.Errorf("%d %s patterns given: the limit is %d", len(globs), list, maxGlobs)
	}
	for _, text := range globs {
		g, err := CompileWild(text)
		if err != nil {
			return nil, fmt.Errorf("invalid %s pattern '%s': %w", list, text, err)
		}
		out = append(out, g)
	}
	return out, nil
}

// leavesOut reports whether the globs leave out a file or folder.
func (w *wild) leavesOut(path, name string, dir bool) bool {
	rooted := "/" + path
	for _, g := range w.exclude {
		if g.Match(rooted) || g.Match(path) || dir && strings.HasSuffix(g.text, "/**") && g.Match(rooted+"/") {
			return true
		}
		if strings.HasPrefix(g.text, "/") && g.Match(w.base+rooted) {
			return true
		}
	}
	if dir || len(w.include) == 0 {
		return false
	}
	return !slices.ContainsFunc(w.include, func(g *WildGlob) bool {
		return g.Match(name) || g.Match(w.base+rooted) || g.Match(path) || g.Match(rooted)
	})
}
