package corpus

import "espy/internal/segment"

// Longer returns the words of the names of live files that begin or end with a term and
// have more, and how many files are called so, by word.
func (c *Corpus) Longer(term string) map[string]int {
	all := map[string]int{}
	for _, s := range c.Segments {
		s.StemWords().With(term, func(w *segment.StemWord) {
			for _, file := range w.Files {
				if s.Alive(int(file)) {
					all[w.Text]++
				}
			}
		})
	}
	return all
}
