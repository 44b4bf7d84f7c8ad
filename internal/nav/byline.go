package nav

import (
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// linesOutlined reports whether the outline of a file is what was found line by
// line: no grammar read it, and it is code, or asked for alone.
func (a *ask) linesOutlined(f corpus.FileID, alone bool) bool {
	return a.File(f).State() != syn.Parsed && (alone || lang.IsCode(a.Corpus.Language(f)))
}

// isReadByLine reports whether the definitions of a file are looked for line by line alone.
func (a *ask) isReadByLine(f corpus.FileID) bool {
	l, ok := lang.ByName(a.Corpus.Language(f))
	return ok && l.Outline && a.Corpus.Family(f) == corpus.NoFamily
}

// outlineLines lists the definitions of a file that were found line by line. They
// have no ids, for nothing is known of their uses. Where they end is told by indentation.
func (a *ask) outlineLines(f corpus.FileID, show func(n int) bool) (symbols []OutlineSymbol, total int, err error) {
	definitions := a.Corpus.Definitions(f)
	if len(definitions) == 0 {
		return nil, 0, nil
	}
	text, err := a.Text(f)
	if err != nil {
		return nil, 0, err
	}
	t := locate.LinesOf(text)
	nesting := t.Nesting(definitions)
	var open []int // the definitions round the next
	for i, d := range definitions {
		for len(open) > 0 && !nesting.Holds(open[len(open)-1], i) {
			open = open[:len(open)-1]
		}
		if show(i) {
			symbols = append(symbols, OutlineSymbol{
				Name: d.Name, Kind: d.Kind, Depth: len(open), Line: int(d.Line), EndLine: t.End(definitions, i), Signature: t.Signature(d),
			})
		}
		open = append(open, i)
	}
	return symbols, len(definitions), nil
}
