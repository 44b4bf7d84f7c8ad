package across

import (
	"maps"
	"slices"

	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// maxAsked bounds the packages of one repository that another is searched for.
const maxAsked = 300

// links finds the packages of one repository that another may import: those that its
// manifests ask for, and those whose names its code writes.
func (s *source) links(to *source) (all []corpus.Package) {
	asked := 0
	for i := range to.published {
		p := &to.published[i]
		wanted := p.Name != "" && s.wants[p.Ecosystem][coordinate(p.Ecosystem, p.Name)]
		if s.publishes(p) || p.Private && !wanted || asked >= maxAsked {
			continue
		}
		if !wanted {
			asked++
			if !s.writes(p) {
				continue
			}
		}
		for _, name := range p.imports {
			all = append(all, corpus.Package{Family: p.family, Import: name.name, Path: name.path, Wanted: wanted || told(p.family)})
		}
	}
	return all
}

// publishes reports whether a repository publishes a package itself, as another
// checkout of the same does.
func (s *source) publishes(p *published) bool {
	return slices.ContainsFunc(s.published, func(own published) bool {
		return own.Ecosystem == p.Ecosystem && own.family == p.family && own.Name == p.Name && slices.Equal(own.texts, p.texts)
	})
}

// writes reports whether code of a repository has what imports of a package write.
func (s *source) writes(p *published) bool {
	is := func(path string) bool { return corpus.FamilyOf(path) == p.family }
	return slices.ContainsFunc(p.texts, func(text string) bool { return s.has(text, is) })
}

// has reports whether a file of a repository has a text. Damage is met by the question
// itself.
func (s *source) has(text string, in func(path string) bool) (found bool) {
	_ = segment.Guard(func() (err error) {
		found, err = corpus.HasText(s.parts, text, in)
		return err
	})
	return found
}
