package corpus

import (
	"slices"

	"espy/internal/code"
	"espy/internal/token"
)

// Definitions finds the definitions of a name in the outlines of live files: by
// segment, their numbers. Where some are spelled in just that way, in whichever
// segment, only those count; folded says that there are none and that these
// differ in case.
func (c *Corpus) Definitions(name string) (found [][]int, folded bool, err error) {
	term := token.Name(name)
	all := make([][]int, len(c.Segments))
	exact := make([][]int, len(c.Segments))
	same := 0
	for i, s := range c.Segments {
		t, ok, err := s.Lookup(term)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			continue
		}
		for it := t.Symbols(); ; {
			def, ok := it.Next()
			if !ok {
				break
			}
			d := s.Definition(def)
			if !s.Alive(d.File) {
				continue
			}
			all[i] = append(all[i], def)
			if d.Name == name {
				exact[i] = append(exact[i], def)
				same++
			}
		}
	}
	if same > 0 {
		return exact, false, nil
	}
	return all, true, nil
}

// Defines reports whether the outline of a live file defines a name of code, spelled in
// just that way.
func (c *Corpus) Defines(name string) (bool, error) {
	found, folded, err := c.Definitions(name)
	if err != nil || folded {
		return false, err
	}
	for i, s := range c.Segments {
		if slices.ContainsFunc(found[i], func(d int) bool { return s.Definition(d).Kind < code.KindField }) {
			return true, nil
		}
	}
	return false, nil
}

// Knows reports whether a name is defined in a live file or occurs in the text
// of one, whatever its case.
func (c *Corpus) Knows(name string) (bool, error) {
	terms := []string{token.Name(name)}
	if a := token.Analyze(name); len(a.Terms) == 1 {
		terms = append(terms, a.Terms[0])
	}
	for _, term := range terms {
		n, err := c.ChunksWith(term)
		if err != nil || n > 0 {
			return n > 0, err
		}
		for _, s := range c.Segments {
			defined, err := s.defines(term)
			if err != nil || defined {
				return defined, err
			}
		}
	}
	return false, nil
}

// joinedShare times as many files that have two words as one name of both as those that
// write them in one piece say that it is two words: somebody writes any word with a
// capital in it.
const joinedShare = 8

// Joined reports whether live files have two words as one name of both, in camel case
// or with an underscore. What cannot be read says that they have not.
func (c *Corpus) Joined(first, second string) bool {
	n := 0
	for _, name := range []string{token.Name(first + "_" + second), "=" + first + second} {
		files, err := c.FilesWith(name)
		if err != nil {
			return false
		}
		n += files
	}
	whole, err := c.FilesWith(token.Stem(first + second))
	return err == nil && n > 0 && joinedShare*n >= whole
}

// defines reports whether a term is in the name of a live definition.
func (s *Segment) defines(term string) (bool, error) {
	t, ok, err := s.Lookup(term)
	if err != nil || !ok {
		return false, err
	}
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return false, nil
		}
		if chunk, _, _ := s.DefinitionPlace(def); s.Alive(s.FileOf(chunk)) {
			return true, nil
		}
	}
}
