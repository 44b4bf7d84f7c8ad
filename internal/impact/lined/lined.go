// Package lined finds what a change declares in code that no grammar reads.
package lined

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
)

// Definition is one that was found line by line.
type Definition struct {
	corpus.Outlined
	Doubt string // why who mentions its name tells nothing of its users; else empty
}

// In finds what lines of a file declare, from first to last, counted from 1: the
// innermost definitions, or all of the whole file, and at most so many. A name that other
// files declare too is in doubt. It is empty of a file that is no code or whose language
// has a grammar.
func In(ask *locate.Ask, id corpus.FileID, text []byte, first, last, most int) (found []Definition, err error) {
	language, p := ask.Corpus.Language(id), ask.Corpus.Path(id)
	if !lang.IsCode(language) || ask.Corpus.Family(id) != corpus.NoFamily {
		return nil, nil
	}
	if name := outline.ModuleOf(language, p); name != "" && first == 1 {
		found = append(found, Definition{Outlined: corpus.Outlined{Definition: code.Definition{Name: name, Kind: code.KindModule, Line: 1}, File: id}})
	}
	all, lines := ask.Corpus.Definitions(id), locate.LinesOf(text)
	for i, d := range all {
		if len(found) == most {
			break
		}
		end := lines.End(all, i)
		within := first > 1 && i+1 < len(all) && int(all[i+1].Line) <= min(first, end)
		if d.Kind == code.KindHeading || int(d.Line) > last || end < first || within || slices.ContainsFunc(found, func(o Definition) bool { return o.Name == d.Name }) {
			continue
		}
		same, err := ask.Corpus.Outlined(d.Name)
		if err != nil {
			return found, err
		}
		found = append(found, Definition{corpus.Outlined{Definition: d, File: id}, doubt(ask, id, d.Name, same)})
	}
	return found, nil
}

// doubt says of a name that other code than a file, and its head, declares it too.
func doubt(ask *locate.Ask, id corpus.FileID, name string, same []corpus.Outlined) string {
	others, kin := map[string]bool{}, corpus.Kin(ask.Corpus.Language(id))
	for _, o := range same {
		if p := stem(ask.Corpus.Path(o.File)); p != stem(ask.Corpus.Path(id)) && o.Name == name && slices.Contains(kin, ask.Corpus.Language(o.File)) {
			others[p] = true
		}
	}
	switch len(others) {
	case 0:
		return ""
	case 1:
		return "its name is declared in another file too, and no grammar tells whose is used"
	}
	return fmt.Sprintf("its name is declared in %d other files too, and no grammar tells whose is used", len(others))
}

// stem is a path without its ending.
func stem(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// Named finds what is declared under a name.
func Named(ask *locate.Ask, name string) (found []Definition, err error) {
	all, err := ask.ByLine(name)
	for _, d := range all {
		if d.Kind != code.KindHeading && ask.Corpus.Family(d.File) == corpus.NoFamily {
			found = append(found, Definition{Outlined: d})
		}
	}
	return found, err
}
