package changes

import (
	"fmt"

	"espy/internal/diff"
)

// pairedFiles bounds the changed files among which moved symbols are looked
// for. Where more files changed, symbols beyond the page are only counted.
const pairedFiles = 1000

// count adds up the files, and pairs the symbols that moved between them.
func (c *Changes) count(files []File) {
	c.Total, c.Status = len(files), map[Status]int{}
	var all []diff.Change
	for i := range files {
		f := &files[i]
		c.Status[f.Status]++
		if f.Pending {
			c.Pending++
		}
		all = append(all, f.Symbols...)
		f.Symbols = nil
	}
	if len(files) <= pairedFiles {
		all = diff.Pair(all)
	} else if c.Source.ByContent() {
		c.Notes = append(c.Notes, fmt.Sprintf("more than %d files differ, so a symbol that moved to another file counts as removed and added", pairedFiles))
	}
	byPath := map[string][]diff.Change{}
	for _, s := range all {
		c.Symbols[s.Kind]++
		byPath[s.Path] = append(byPath[s.Path], s)
	}
	for i := range files {
		files[i].Symbols = byPath[files[i].Path]
	}
}
