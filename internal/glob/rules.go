package glob

import (
	"bytes"
	"strings"
)

// Verdict is what ignore rules say about a path.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // no rule matches
	Ignored
	Kept // a negated rule matches
)

// Rules is one compiled ignore file in the syntax of gitignore. The last rule
// of the file that matches decides, so each index holds positions of rules in
// ascending order.
type Rules struct {
	rules []rule
	names map[string][]int32 // rules that are a plain base name
	paths map[string][]int32 // rules that are a plain path
	exts  map[string][]int32 // rules that are *.ext, by ".ext"
	globs []globRule         // all others
}

// globRule is what is needed to pass over most rules without looking at them.
type globRule struct {
	at    int32
	first byte // of every match; 0 if that is not fixed
	name  bool
}

type rule struct {
	negated bool
	dirOnly bool
	name    bool    // the pattern is matched against the base name
	pattern pattern // unused for rules in names, paths and exts
}

// ParseRules compiles the text of an ignore file as git reads it. It never
// fails: a malformed pattern matches nothing, as in git. It returns nil when
// there are no rules.
func ParseRules(text []byte) *Rules {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	rs := &Rules{}
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		rs.add(string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	if len(rs.rules) == 0 {
		return nil
	}
	return rs
}

// add compiles one line.
func (rs *Rules) add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	if i := strings.IndexByte(line, 0); i >= 0 {
		line = line[:i]
	}
	line = trimSpaces(line)
	var r rule
	line, r.negated = cutPrefixByte(line, '!')
	if n := len(line); n > 0 && line[n-1] == '/' {
		line, r.dirOnly = line[:n-1], true
	}
	r.name = !strings.Contains(line, "/")
	if !r.name {
		line, _ = cutPrefixByte(line, '/')
	}
	r.pattern = compile(line, !r.name)
	if r.pattern.never() || r.name && line == "" {
		return
	}
	rs.index(r)
}

func (rs *Rules) index(r rule) {
	at := int32(len(rs.rules))
	if lit, ok := r.pattern.literal(); ok {
		table := &rs.paths
		if r.name {
			table = &rs.names
		}
		put(table, lit, at)
	} else if ext, ok := r.pattern.suffix(); ok && r.name && ext[0] == '.' && strings.LastIndexByte(ext, '.') == 0 {
		put(&rs.exts, ext, at)
	} else {
		g := globRule{at: at, name: r.name}
		if r.pattern.prefix != "" {
			g.first = r.pattern.prefix[0]
		}
		rs.globs = append(rs.globs, g)
		rs.rules = append(rs.rules, r)
		return
	}
	r.pattern = pattern{}
	rs.rules = append(rs.rules, r)
}

func put(table *map[string][]int32, key string, at int32) {
	if *table == nil {
		*table = make(map[string][]int32)
	}
	(*table)[key] = append((*table)[key], at)
}

// Match returns the verdict of the last matching rule. rel is the path relative
// to the folder of the ignore file, name its last component.
func (rs *Rules) Match(rel, name string, dir bool) Verdict {
	best := int32(-1)
	if rs.names != nil {
		best = rs.last(rs.names[name], dir, best)
	}
	if rs.exts != nil {
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			best = rs.last(rs.exts[name[dot:]], dir, best)
		}
	}
	if rs.paths != nil {
		best = rs.last(rs.paths[rel], dir, best)
	}
	for i := len(rs.globs) - 1; i >= 0 && rs.globs[i].at > best; i-- {
		g := rs.globs[i]
		subject := rel
		if g.name {
			subject = name
		}
		if g.first != 0 && g.first != subject[0] {
			continue
		}
		if r := &rs.rules[g.at]; (dir || !r.dirOnly) && r.pattern.match(subject) {
			best = g.at
			break
		}
	}
	switch {
	case best < 0:
		return Undecided
	case rs.rules[best].negated:
		return Kept
	}
	return Ignored
}

// last returns the greatest position in at that applies, or best if that is greater.
func (rs *Rules) last(at []int32, dir bool, best int32) int32 {
	for i := len(at) - 1; i >= 0 && at[i] > best; i-- {
		if dir || !rs.rules[at[i]].dirOnly {
			return at[i]
		}
	}
	return best
}

// trimSpaces drops trailing spaces that no backslash protects.
func trimSpaces(line string) string {
	end := len(line)
	for i, last := 0, -1; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if last < 0 {
				last = i
			}
			end = last
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		last, end = -1, len(line)
	}
	return line[:end]
}

func cutPrefixByte(s string, c byte) (string, bool) {
	if s != "" && s[0] == c {
		return s[1:], true
	}
	return s, false
}
