package ranked

import (
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/token"
)

// mentioned is a file that the query mentions by its path.
type mentioned struct {
	value float64
	line  int // 0 where the query gives none
}

// The worth of a file by how its path agrees with a place of the query.
const (
	wholePlace = 1.0 // one is the end of the other
	partsPlace = 0.7 // name and folder
	namePlace  = 0.4 // the name alone
	placeStep  = 0.05
	leastPlace = 0.5 // of a place far down a stack
)

// findPlaces finds the files that the query mentions. Of those with the name
// that a place gives count the ones that agree in most parts of the path.
// Earlier places count more, but in a Python traceback later ones do.
func (c *collection) findPlaces(latestLast bool) error {
	places := c.query.Places
	step := 0
	for i := range places {
		p := places[i]
		if latestLast {
			p = places[len(places)-1-i]
		}
		found, err := c.findPlace(p)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		factor := max(leastPlace, 1-placeStep*float64(step))
		step++
		for _, f := range found {
			f.source.mention(f.file, mentioned{float64(f.value * factor), p.Line})
		}
	}
	return nil
}

// placed is a file that a place may speak of.
type placed struct {
	source *source
	file   int
	parts  int
	value  float64
}

func (c *collection) findPlace(p rank.Place) ([]placed, error) {
	var best []placed
	for _, s := range c.sources {
		err := s.named(p, func(file int) {
			parts, whole := p.Matches(s.seg.Path(file))
			if parts == 0 || len(best) > 0 && parts < best[0].parts {
				return
			}
			if len(best) > 0 && parts > best[0].parts {
				best = best[:0]
			}
			f := placed{s, file, parts, namePlace}
			switch {
			case whole:
				f.value = wholePlace
			case parts > 1:
				f.value = partsPlace
			}
			best = append(best, f)
		})
		if err != nil {
			return nil, err
		}
	}
	return best, nil
}

// named calls yield for each live file that may have the name of a place: those
// with a term of it in their stem, or all where it has no term.
func (s *source) named(p rank.Place, yield func(file int)) error {
	term := ""
	for _, w := range token.Words(p.Stem()) {
		for _, t := range w.Terms {
			if len(t) > len(term) {
				term = t
			}
		}
	}
	if term == "" {
		for f := range s.seg.NumFiles() {
			if s.seg.Alive(f) {
				yield(f)
			}
		}
		return nil
	}
	t, ok, err := s.seg.Lookup(term)
	if err != nil || !ok {
		return err
	}
	for it := t.Path(); ; {
		file, inStem, _, ok := it.Next()
		if !ok {
			return nil
		}
		if inStem > 0 && s.seg.Alive(file) {
			yield(file)
		}
	}
}

// mention keeps the best mention of a file.
func (s *source) mention(file int, m mentioned) {
	if s.mentions == nil {
		s.mentions = map[int]mentioned{}
	}
	if old, ok := s.mentions[file]; !ok || m.value > old.value {
		s.mentions[file] = m
	}
}

// chunkAt returns the chunk of a file that holds a line, -1 where none does.
func (s *source) chunkAt(file, line int) int {
	first, end := s.seg.ChunksOf(file)
	for c := first; c < end; c++ {
		if i := s.seg.Chunk(c); int(i.StartLine) <= line && line <= int(i.EndLine) {
			return c
		}
	}
	return -1
}

// leftOutNamed notes what is not in the index and has every word of a query that
// found nothing in its path.
func (k *keywords) leftOutNamed() {
	var words []rank.Part
	for _, t := range k.collection.query.Terms {
		if t.Primary() {
			words = append(words, rank.NewPart(t.Text))
		}
	}
	if len(words) == 0 || len(k.collection.query.Places) > 0 {
		return
	}
	k.paths.Begin()
	for _, snap := range k.filter.Snaps {
		for _, e := range snap.Excluded() {
			dir, name := rank.CutPath([]byte(e.Path))
			folder := k.paths.Folder(dir)
			stem := k.paths.Stem(name, folder)
			missing := slices.ContainsFunc(words, func(w rank.Part) bool { return !stem.Has(w) && !folder.Has(w) })
			if !missing && len(k.res.Notes) < maxNotes {
				k.res.Notes = append(k.res.Notes, e.Path+" is not in the index: "+e.Reason.Explain())
			}
		}
	}
}

// leftOut notes the places that are files which are not in the index.
func (k *keywords) leftOut() {
	if len(k.collection.query.Places) == 0 {
		return
	}
	for _, snap := range k.filter.Snaps {
		for _, e := range snap.Excluded() {
			for _, p := range k.collection.query.Places {
				if _, whole := p.Matches(e.Path); whole && len(k.res.Notes) < maxNotes {
					k.res.Notes = append(k.res.Notes, e.Path+" is not in the index: "+e.Reason.Explain())
				}
			}
		}
	}
}

// maxNotes bounds the notes of an answer.
const maxNotes = 8

// latestLast reports whether a text is a traceback whose last call stands last.
func latestLast(text string) bool { return strings.Contains(text, "most recent call last") }
