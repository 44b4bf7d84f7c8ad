package nav

import (
	"bytes"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// linesOutlined reports whether the outline of a file is what was found line by
// line: no grammar read it, and it is code, or asked for alone.
func (a *ask) linesOutlined(f corpus.FileID, alone bool) bool {
	return a.File(f).State() != syn.Parsed && (alone || lang.IsCode(a.Corpus.Language(f)))
}

// outlineLines lists the definitions of a file that were found line by line. They
// have no ids, for nothing is known of their uses, and end where they begin. One
// that is indented more than another above it is in that.
func (a *ask) outlineLines(f corpus.FileID, show func(n int) bool) (symbols []OutlineSymbol, total int, err error) {
	definitions := a.Corpus.Definitions(f)
	if len(definitions) == 0 {
		return nil, 0, nil
	}
	text, err := a.Text(f)
	if err != nil {
		return nil, 0, err
	}
	lines := bytes.Split(text, []byte("\n"))
	var open []int // the indents of the definitions round the next
	for i, d := range definitions {
		line := ""
		if n := int(d.Line); n > 0 && n <= len(lines) {
			line = string(lines[n-1])
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		for len(open) > 0 && open[len(open)-1] >= indent {
			open = open[:len(open)-1]
		}
		if show(i) {
			symbols = append(symbols, OutlineSymbol{
				Name: d.Name, Kind: d.Kind, Depth: len(open), Line: int(d.Line), EndLine: int(d.Line), Signature: lineOf(d, line),
			})
		}
		open = append(open, indent)
	}
	return symbols, len(definitions), nil
}

// lineOf is the line of a definition without its brace, or its name where the line
// does not hold that.
func lineOf(d code.Definition, line string) string {
	line = strings.TrimRight(strings.TrimSpace(line), " \t{")
	if !strings.Contains(line, d.Name) {
		return d.Name
	}
	return line
}
