package nav

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
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

// outlineLines lists the definitions of a file that were found line by line. They
// have no ids, for nothing is known of their uses. All but headings end where
// they begin.
func (a *ask) outlineLines(f corpus.FileID, show func(n int) bool) (symbols []OutlineSymbol, total int, err error) {
	definitions := a.Corpus.Definitions(f)
	if len(definitions) == 0 {
		return nil, 0, nil
	}
	text, err := a.Text(f)
	if err != nil {
		return nil, 0, err
	}
	t := textLines(text)
	var open []int // the levels of the definitions round the next
	for i, d := range definitions {
		level := t.level(d)
		for len(open) > 0 && open[len(open)-1] >= level {
			open = open[:len(open)-1]
		}
		if show(i) {
			symbols = append(symbols, OutlineSymbol{
				Name: d.Name, Kind: d.Kind, Depth: len(open), Line: int(d.Line), EndLine: t.end(definitions, i), Signature: lineOf(d, t.at(d.Line)),
			})
		}
		open = append(open, level)
	}
	return symbols, len(definitions), nil
}

// lines are those of a text.
type lines []string

func textLines(text []byte) lines {
	var all lines
	for _, line := range bytes.Split(text, []byte("\n")) {
		all = append(all, string(line))
	}
	return all
}

// at is a line, from 1; empty where the text lacks it.
func (t lines) at(n uint32) string {
	if n == 0 || int(n) > len(t) {
		return ""
	}
	return t[n-1]
}

// level tells which definitions stand in others: how far they are indented, and of
// headings the level that their marks say.
func (t lines) level(d code.Definition) int {
	line := t.at(d.Line)
	rest := strings.TrimLeft(line, " \t")
	if d.Kind != code.KindHeading {
		return len(line) - len(rest)
	}
	if marks := len(rest) - len(strings.TrimLeft(rest, "#=")); marks > 0 {
		return marks
	}
	if strings.HasPrefix(strings.TrimSpace(t.at(d.Line+1)), "=") {
		return 1
	}
	return 2
}

// end is the last line of a definition: of a heading that of its section.
func (t lines) end(all []code.Definition, i int) int {
	if all[i].Kind != code.KindHeading {
		return int(all[i].Line)
	}
	end := len(t)
	for _, next := range all[i+1:] {
		if t.level(next) <= t.level(all[i]) {
			end = int(next.Line) - 1
			break
		}
	}
	for end > int(all[i].Line) && strings.TrimSpace(t[end-1]) == "" {
		end--
	}
	return end
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

// byLine finds the definitions of a name that were found line by line. Those of
// the very name come before those that differ in case. What stands before the last
// part of the name must stand on the line, or begin a word of it.
func (a *ask) byLine(r *SymbolRequest) (total int, page []locate.Definition, err error) {
	parts := syn.SplitName(r.Name)
	if len(parts) == 0 {
		return 0, nil, nil
	}
	name := parts[len(parts)-1]
	all, err := a.Corpus.Outlined(r.Name)
	if err == nil && len(all) == 0 && len(parts) > 1 {
		if all, err = a.Corpus.Outlined(name); err == nil {
			all, err = a.qualified(all, parts[:len(parts)-1])
		}
	} else {
		name = r.Name
	}
	if err != nil {
		return 0, nil, err
	}
	slices.SortStableFunc(all, func(x, y corpus.Outlined) int {
		switch {
		case x.Name == y.Name || x.Name != name && y.Name != name:
			return 0
		case x.Name == name:
			return -1
		}
		return 1
	})
	for _, d := range pageOf(all, r.Offset, r.Limit, defaultSymbols) {
		found, err := a.lineDefinition(d, r.Body)
		if err != nil {
			return 0, nil, err
		}
		page = append(page, found)
	}
	return len(all), page, nil
}

// qualified leaves the definitions whose line has the words before their name.
func (a *ask) qualified(all []corpus.Outlined, before []string) (some []corpus.Outlined, err error) {
	for _, d := range all {
		text, err := a.Text(d.File)
		if err != nil {
			return nil, err
		}
		line := strings.FieldsFunc(textLines(text).at(d.Line), func(r rune) bool { return strings.ContainsRune(" \t\"'.,:;(){}[]#`", r) })
		if !slices.ContainsFunc(before, func(part string) bool {
			return !slices.ContainsFunc(line, func(word string) bool { return strings.HasPrefix(word, part) })
		}) {
			some = append(some, d)
		}
	}
	return some, nil
}

// lineDefinition describes a definition that was found line by line. It has no id.
func (a *ask) lineDefinition(o corpus.Outlined, body bool) (locate.Definition, error) {
	d := locate.Definition{
		Path: a.Corpus.Path(o.File), Line: int(o.Line), EndLine: int(o.Line), Name: o.Name, QualifiedName: o.Name, Kind: o.Kind,
		Uses: a.CountUses(o.Name), Confidence: facts.Likely, Reason: "found line by line: no grammar read its file",
	}
	text, err := a.Text(o.File)
	if err != nil {
		return d, err
	}
	t := textLines(text)
	line := t.at(o.Line)
	d.Column = strings.Index(line, o.Name) + 1
	d.Signature = lineOf(o.Definition, line)
	if o.Kind == code.KindHeading {
		all := a.Corpus.Definitions(o.File)
		d.EndLine = t.end(all, slices.Index(all, o.Definition))
		if body {
			d.Body = strings.Join(t[d.Line-1:d.EndLine], "\n") + "\n"
		}
	}
	return d, nil
}
