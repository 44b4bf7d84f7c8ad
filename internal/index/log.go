package index

import (
	"context"

	"espy/internal/code"
	"espy/internal/diff"
	"espy/internal/lang"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/changelog"
)

// Of one commit the log tells so many files, so many symbols of each, and looks
// into so much text for symbols, both versions counted: a commit should not
// wait for it.
const (
	loggedFiles   = 2_000
	loggedSymbols = 50
	loggedText    = 2 << 20
)

// commitLogged commits what a batch holds and logs what that changed.
func commitLogged(ctx context.Context, b *store.Batch, g store.Generation) (generation uint64, err error) {
	files, changes := logOf(b)
	if generation, err = b.Commit(ctx, g); err != nil {
		return 0, err
	}
	b.Log(files, changes)
	return generation, nil
}

// logOf returns what the log tells of the changes of a batch, and of how many
// files. Where that cannot be read the log tells less: it is no reason to fail
// the commit.
func logOf(b *store.Batch) (files int, changes []changelog.Change) {
	pairs, err := b.Changed()
	if err != nil {
		return 0, nil
	}
	l := logger{gone: map[code.Hash][]string{}}
	_ = segment.Guard(func() error {
		changes = l.changes(pairs)
		return nil
	})
	return len(pairs) - l.renamed, changes
}

// logger turns pairs of files into what the log tells of them.
type logger struct {
	gone     map[code.Hash][]string // paths that were removed, by content
	renamed  int
	text     int // bytes looked into
	old, new segment.TextCache
}

func (l *logger) changes(pairs []store.Pair) []changelog.Change {
	for _, p := range pairs {
		if p.New == nil {
			hash := p.Old.Segment.FileHash(p.Old.File)
			l.gone[hash] = append(l.gone[hash], p.Path)
		}
	}
	from := map[string]bool{} // paths that were renamed
	var changes []changelog.Change
	for _, p := range pairs {
		c := changelog.Change{Path: changelog.Path(p.Path), Status: "modified"}
		switch {
		case p.New == nil:
			c.Status = "removed"
		case p.Old == nil:
			c.Status = "added"
			hash := p.New.Segment.FileHash(p.New.File)
			if old := l.gone[hash]; len(old) > 0 {
				c.Status, c.Old, l.gone[hash] = "renamed", changelog.Path(old[0]), old[1:]
				from[old[0]] = true
				l.renamed++
			}
		}
		if len(changes) < loggedFiles+len(from) {
			changes = append(changes, c)
			if c.Status == "modified" {
				l.symbols(&changes[len(changes)-1], &p)
			}
		}
	}
	kept := changes[:0]
	for _, c := range changes {
		if c.Status != "removed" || !from[string(c.Path)] {
			kept = append(kept, c)
		}
	}
	return kept
}

// symbols adds the definitions that differ between two versions of a file.
func (l *logger) symbols(c *changelog.Change, p *store.Pair) {
	size := p.Old.Segment.TextSize(p.Old.File) + p.New.Segment.TextSize(p.New.File)
	if l.text += size; l.text > loggedText {
		c.Unread = true
		return
	}
	old, errOld := outlined(p.Path, p.Old, &l.old)
	new, errNew := outlined(p.Path, p.New, &l.new)
	if errOld != nil || errNew != nil {
		c.Unread = true // what is damaged is found by who reads the file
		return
	}
	for _, d := range diff.Compare(old, new) {
		if d.Symbol.ID == diff.Outside {
			continue
		}
		if len(c.Symbols) == loggedSymbols {
			c.More++
			continue
		}
		c.Symbols = append(c.Symbols, changelog.Symbol{
			Change: d.Kind.String(), Name: d.Symbol.ID, Kind: d.Symbol.Kind, Line: d.Symbol.Line, End: d.Symbol.EndLine,
		})
	}
}

// outlined is what a version of a file declares, by the outline that a segment has of it.
func outlined(path string, p *store.Place, cache *segment.TextCache) (*diff.Version, error) {
	text, err := p.Segment.Text(p.File, cache)
	if err != nil {
		return nil, err
	}
	var definitions []code.Definition
	for i, end := p.Segment.DefinitionsOf(p.File); i < end; i++ {
		d := p.Segment.Definition(i)
		definitions = append(definitions, code.Definition{Name: d.Name, Kind: d.Kind, Line: d.Line})
	}
	l, _ := lang.ByName(p.Segment.Language(p.File))
	return diff.Outlined(diff.NewSource(path, l, text), definitions), nil
}
