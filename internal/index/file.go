package index

import (
	"errors"
	"io/fs"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/lang"
	"espy/internal/merkle"
	"espy/internal/parse"
	"espy/internal/segment"
)

// file takes one changed file into the builder of a worker: read, look at the
// content, cut and outline it, add it. A file that cannot be indexed becomes a
// leaf with the reason; one whose content is what it was keeps its place in
// the old segments.
func (w *worker) file(e discover.Entry) error {
	old, known := w.run.plan.before[e.Path]
	content, left, err := w.reader.Read(e.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.bury(old, known)
		return nil // gone since the walk: the next one will not see it
	case err != nil:
		left = &discover.Exclusion{Path: e.Path, Reason: discover.ReasonUnreadable, Detail: err.Error(), Size: e.Size}
		content.Entry = e
	}
	leaf := merkle.Leaf{Path: e.Path, Stat: statOf(content.Entry), Hash: content.Hash, Read: true}
	if left != nil {
		leaf.Reason, leaf.Detail, leaf.Hash, leaf.Stat.Size = string(left.Reason), left.Detail, code.Hash{}, e.Size
		if leaf.Stat.Inode == 0 {
			leaf.Stat = statOf(e)
		}
		w.bury(old, known)
		w.leaves = append(w.leaves, leaf)
		return nil
	}
	if known && old.Reason == "" && old.Hash == leaf.Hash && !w.run.plan.lost(e.Path) {
		w.leaves = append(w.leaves, leaf)
		return nil
	}
	w.bury(old, known)
	w.leaves = append(w.leaves, leaf)
	return w.builder.Add(analyse(e.Path, content))
}

// bury notes that the indexed file at an old leaf is no longer live.
func (w *worker) bury(old merkle.Leaf, known bool) {
	if known && old.Reason == "" {
		w.dead = append(w.dead, old.Path)
	}
}

// analyse turns the content of one file into what a segment keeps.
func analyse(path string, c discover.Content) *segment.File {
	language := lang.Detect(path, c.Text[:min(len(c.Text), 512)])
	outline := parse.Parse(language, c.Text)
	f := &segment.File{
		Path: path, Hash: c.Hash, Size: c.Entry.Size, Class: c.Class | lang.Classify(path),
		Text: c.Text, Definitions: outline.Definitions, Chunks: outline.Chunks,
	}
	if language != nil {
		f.Language = language.Name
	}
	return f
}
