package index

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/lang"
	"espy/internal/listing"
	"espy/internal/outline"
	"espy/internal/redact"
	"espy/internal/segment"
)

// maxCleared bounds the bytes of a text that is looked through for secrets: of larger ones,
// tables of data mostly, the lines that are shown are looked at when they are.
const maxCleared = 256 << 10

// isClear reports whether a text was looked through and has no secret.
func isClear(path string, text []byte) bool {
	return len(text) <= maxCleared && redact.IsClear(path, text)
}

// file takes one changed file into the builder of a worker: read, look at the
// content, cut and outline it, add it. A file that cannot be indexed becomes a
// leaf with the reason. A file with the same content as before keeps its place
// in the old segments, and content that the family has analysed is reused.
func (w *worker) file(e discover.Entry) error {
	if h, ok := w.run.opts.Frozen.Held[e.Path]; ok {
		w.held(e, h)
		return nil
	}
	old, known := w.run.plan.before[e.Path]
	content, left, err := w.reader.Read(e.Path)
	var odd *discover.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.tombstone(old, known)
		return nil // gone since the walk: the next one will not see it
	case errors.As(err, &odd):
		left = &discover.Exclusion{Path: e.Path, Reason: discover.ReasonUnreadable, Detail: err.Error()}
	case err != nil:
		return err // of the machine, not of the file
	}
	if left != nil {
		w.tombstone(old, known)
		w.leaves = append(w.leaves, listing.Leaf{
			Path: e.Path, Stat: statOf(e), Reason: string(left.Reason), Detail: left.Detail, Read: settled(left),
		})
		return nil
	}
	leaf := listing.Leaf{Path: e.Path, Stat: statOf(content.Entry), Hash: content.Hash, Read: true}
	if w.stays(leaf) {
		w.leaves = append(w.leaves, leaf)
		return nil
	}
	w.tombstone(old, known)
	return w.take(leaf, content)
}

// held takes a file whose content is indexed already, without reading it.
func (w *worker) held(e discover.Entry, h Held) {
	leaf := h.Leaf
	leaf.Stat = statOf(e)
	w.leaves = append(w.leaves, leaf)
	if w.stays(leaf) {
		return
	}
	old, known := w.run.plan.before[e.Path]
	w.tombstone(old, known)
	if leaf.Reason == "" {
		w.reused = append(w.reused, h.Place)
	}
}

// stays reports whether a file keeps its place in the old segments.
func (w *worker) stays(leaf listing.Leaf) bool {
	old, known := w.run.plan.before[leaf.Path]
	return known && old.Reason == "" && leaf.Reason == "" && old.Hash == leaf.Hash && !w.run.plan.lost(leaf.Path)
}

// take makes new content live. It reuses the analysis of the family where there
// is one.
func (w *worker) take(leaf listing.Leaf, c discover.Content) error {
	r, found, err := w.run.known.Find(leaf.Path, c.Hash, c.Entry.Size)
	switch {
	case err != nil:
		return err
	case found:
		w.reused = append(w.reused, r)
	default:
		if err := w.add(leaf.Path, c); err != nil {
			leaf.Reason, leaf.Detail, leaf.Hash = string(discover.ReasonLimit), err.Error(), code.Hash{}
		}
	}
	w.leaves = append(w.leaves, leaf)
	return nil
}

// settled reports whether a file stays left out until its stat changes. After
// read errors other than missing permission it is tried again.
func settled(x *discover.Exclusion) bool {
	switch x.Reason {
	case discover.ReasonChanging:
		return false
	case discover.ReasonUnreadable:
		return x.Detail == syscall.EACCES.Error()
	}
	return true
}

// add takes a file into the builder. Errors concern only this file: a limit of
// the format, or a panic of the analysis, which is a bug.
func (w *worker) add(path string, c discover.Content) error {
	w.run.opts.analysed(1)
	f, err := analyse(path, c)
	if err != nil {
		return err
	}
	return w.builder.Add(f)
}

// tombstone notes that the indexed file at an old leaf is no longer live.
func (w *worker) tombstone(old listing.Leaf, known bool) {
	if known && old.Reason == "" {
		w.dead = append(w.dead, old.Path)
	}
}

// analyse turns the content of one file into what a segment keeps.
func analyse(path string, c discover.Content) (f *segment.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("analysis failed, please report this: %v", p)
		}
	}()
	language := lang.Detect(path, c.Text)
	file := outline.Parse(language, c.Text)
	f = &segment.File{
		Path: path, Hash: c.Hash, Size: c.Entry.Size, Class: c.Class | lang.Classify(path), Clear: isClear(path, c.Text),
		Text: c.Text, Definitions: file.Definitions, Chunks: file.Chunks,
	}
	if language != nil {
		f.Language = language.Name
	}
	return f, nil
}
