package across

import (
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/segment"
)

// concerned are the repositories that a question can concern, by their numbers: those
// that have the name, in which it may be declared, those that import from them and have
// it too, and what lies between these. Where it follows more than uses of the name, all
// that import from them, directly or not, and all that these import.
func (l *looked) concerned(q *Question) []bool {
	g := l.graph()
	start, word := l.start(q.Target)
	if q.From != nil {
		word = ""
		for i, r := range l.repos {
			start[i] = slices.Contains(q.From, r)
		}
	}
	has := make([]bool, len(l.sources))
	for i, s := range l.sources {
		has[i] = word == "" || s.has(word, anyPath)
	}
	set := both(g.reach(start, g.to), has, start)
	if q.Follows {
		return g.reach(g.reach(set, g.from), g.to)
	}
	set = both(g.reach(set, g.from), has, set)
	return both(g.reach(set, g.to), g.reach(set, g.from), set)
}

// both are those that are in two sets, and those of a third one.
func both(a, b, besides []bool) []bool {
	all := make([]bool, len(a))
	for i := range a {
		all[i] = a[i] && b[i] || besides[i]
	}
	return all
}

func anyPath(string) bool { return true }

// start are the repositories that a target may be declared or used in: the one that
// it names, those that have its file, or its name in their text. The word is what uses
// of it write, empty where that is not known.
func (l *looked) start(t locate.Target) (start []bool, word string) {
	start = make([]bool, len(l.sources))
	text := t.Name + t.Path
	file := t.Path
	if t.Name != "" {
		parts := facts.SplitName(afterHash(t.Name))
		if len(parts) > 0 {
			word = parts[len(parts)-1]
		}
		file, _, _ = strings.Cut(t.Name, "#")
	}
	named, found := false, false
	for i, s := range l.sources {
		rest, ok := strings.CutPrefix(text, s.name+":")
		if !ok {
			continue
		}
		named, start[i] = true, true
		if t.Path != "" {
			word = l.wordAt(i, rest, t)
		}
	}
	if named {
		return start, word
	}
	for i := range l.sources {
		if _, _, ok := l.snaps[i].Find(file); ok {
			start[i], found = true, true
			if t.Path != "" {
				word = l.wordAt(i, file, t)
			}
		}
	}
	for i, s := range l.sources {
		if !found {
			start[i] = word == "" || s.has(word, anyPath)
		}
	}
	return start, word
}

// afterHash is the symbol of an id, or the whole name.
func afterHash(name string) string {
	if i := strings.LastIndexByte(name, '#'); i >= 0 && i+1 < len(name) && strings.ContainsAny(name[:i], "/.") {
		return name[i+1:]
	}
	return name
}

// wordAt is the name at a place of a file, empty where the place has no column or the
// file cannot be read.
func (l *looked) wordAt(i int, path string, t locate.Target) (word string) {
	if t.Column == 0 {
		return ""
	}
	_ = segment.Guard(func() error {
		seg, file, ok := l.snaps[i].Find(path)
		if !ok {
			return nil
		}
		text, err := l.snaps[i].Segments[seg].Text(file, &segment.TextCache{})
		if err != nil {
			return err
		}
		word = nameAt(string(text), t.Line, t.Column)
		return nil
	})
	return strings.Clone(word)
}

// nameAt is the name that holds a byte of a line, both counted from 1.
func nameAt(text string, line, column int) string {
	n := 0
	for s := range strings.Lines(text) {
		if n++; n < line {
			continue
		}
		if column > len(s) {
			return ""
		}
		from := strings.LastIndexFunc(s[:column-1], isNoLetter) + 1
		to := strings.IndexFunc(s[from:], isNoLetter)
		if to < 0 {
			to = len(s) - from
		}
		return s[from : from+to]
	}
	return ""
}

func isNoLetter(r rune) bool {
	return r < utf8.RuneSelf && r != '_' && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
}

// graph says which repositories import from which.
type graph struct{ to, from [][]int }

func (l *looked) graph() *graph {
	g := &graph{make([][]int, len(l.sources)), make([][]int, len(l.sources))}
	for i, s := range l.sources {
		for j, o := range l.sources {
			if i != j && len(s.links(o)) > 0 {
				g.to[i] = append(g.to[i], j)
				g.from[j] = append(g.from[j], i)
			}
		}
	}
	return g
}

// reach are the repositories that steps lead to from some, and these.
func (g *graph) reach(start []bool, steps [][]int) []bool {
	seen := slices.Clone(start)
	var queue []int
	for i, is := range start {
		if is {
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, next := range steps[at] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return seen
}
