package tree

import (
	"sort"
	"strings"

	"espy/internal/facts"
)

// lines finds the line of a byte. Bytes that rise are found fastest.
type lines struct {
	starts []uint32
	last   int // index of the line that was found last
}

func newLines(src string) *lines {
	l := &lines{starts: make([]uint32, 1, 1+strings.Count(src, "\n"))}
	for at := 0; ; {
		i := strings.IndexByte(src[at:], '\n')
		if i < 0 {
			return l
		}
		at += i + 1
		l.starts = append(l.starts, uint32(at))
	}
}

// at returns the line and the column of a byte, both from 1.
func (l *lines) at(at uint32) (line, column uint32) {
	i := l.last
	if l.starts[i] > at || i+8 < len(l.starts) && l.starts[i+8] <= at {
		i = sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > at }) - 1
	}
	for i+1 < len(l.starts) && l.starts[i+1] <= at {
		i++
	}
	l.last = i
	return uint32(i + 1), at - l.starts[i] + 1
}

// locate sets the lines and columns of all facts.
func locate(src string, f *facts.File, errors []located) {
	l := newLines(src)
	for i := range f.Symbols {
		y := &f.Symbols[i]
		y.Line, y.Column = l.at(y.At)
		y.EndLine, _ = l.at(max(y.End, y.Start+1) - 1)
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		u.Line, u.Column = l.at(u.At)
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		m.Line, m.Column = l.at(m.At)
	}
	for _, e := range errors {
		line, _ := l.at(e.at)
		f.Errors = append(f.Errors, facts.Fault{Line: line, Message: e.message})
	}
}
