package corpus

import (
	"cmp"
	"fmt"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/segment/syn"
	"espy/internal/token"
)

// Outlined is a definition that was found line by line.
type Outlined struct {
	code.Definition
	File FileID
}

// Where says where a definition that was found line by line stands, and in which language.
func (c *Corpus) Where(d Outlined) string {
	language := c.Language(d.File)
	if language == lang.Other {
		language = "a language that is not known"
	}
	return fmt.Sprintf("%s:%d, in %s", c.Path(d.File), d.Line, language)
}

// Outlined finds the definitions of a name, whatever its case, in the files that no
// grammar has read, by path and line.
func (c *Corpus) Outlined(name string) ([]Outlined, error) {
	var all []Outlined
	for p := c.own.parts; p < c.own.endParts; p++ {
		part := &c.parts[p]
		t, ok, err := part.Lookup(token.Name(name))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		symbols := t.Symbols()
		for i, ok := symbols.Next(); ok; i, ok = symbols.Next() {
			d := part.Definition(i)
			id := c.ids[p][d.File]
			if id == facts.None || part.Syntax != nil && part.Syntax.State(d.File) == syn.Parsed {
				continue
			}
			all = append(all, Outlined{d.Definition, id})
		}
	}
	slices.SortFunc(all, func(x, y Outlined) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line)) })
	return all, nil
}
