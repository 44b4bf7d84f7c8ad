package changes

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"espy/internal/diff"
	"espy/internal/discover"
	"espy/internal/facts"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/lang"
	"espy/internal/outline"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/workspace"
)

// maxCompared bounds the bytes of a version whose symbols are compared.
const maxCompared = 4 << 20

// sides read and parse the versions of files: those of commits out of git,
// those of the work tree from their folder, those that are published out of their
// indexes. They belong to one goroutine.
type sides struct {
	opts   index.Options
	begin  func() (*git.Blobs, error)
	blobs  *git.Blobs       // nil before the first is read
	root   *os.Root         // nil where no work tree is read
	reader *discover.Reader // below root
	pair   *pair            // of indexes; nil where git has the versions
	lines  bool             // files keep those that differ
}

func openSides(ctx context.Context, r *workspace.Repo, history *git.Repository) (*sides, error) {
	s := &sides{opts: r.Options(), begin: func() (*git.Blobs, error) { return history.Blobs(ctx) }}
	if err := s.openTree(r); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// blob reads a content of git, of at most limit bytes, which is valid until the next one.
func (s *sides) blob(id string, limit int64) (content []byte, err error) {
	if s.blobs == nil {
		if s.blobs, err = s.begin(); err != nil {
			return nil, err
		}
	}
	return s.blobs.Read(id, limit)
}

// openTree opens the work tree. A repository that shows a commit has none.
func (s *sides) openTree(r *workspace.Repo) (err error) {
	if r.Frozen() {
		return nil
	}
	if s.root, err = r.Open(); err == nil {
		s.reader, err = discover.NewReader(s.root, s.opts.Policy)
	}
	return err
}

func (s *sides) close() {
	if s.blobs != nil {
		_ = s.blobs.Close() // it only reads
	}
	if s.reader != nil {
		s.reader.Close()
	}
	if s.root != nil {
		s.root.Close()
	}
}

// compare compares the two versions of a file.
func (s *sides) compare(ctx context.Context, f *File) error {
	if f.Why != "" {
		return nil
	}
	before, current := s.committed, s.committed
	switch {
	case s.pair != nil:
		before, current = s.indexed(s.pair.old), s.indexed(s.pair.new)
	case f.inTree:
		current = s.checkedOut
	}
	old, err := before(ctx, f, f.before(), noVersion())
	if err != nil {
		return err
	}
	new, err := current(ctx, f, f.after(), old)
	if err != nil || f.Why != "" {
		return err
	}
	hunks := diff.Lines(old.source.Text, new.source.Text)
	f.Added, f.Removed = diff.Count(hunks)
	if s.lines {
		f.Lines = diff.Text(hunks, old.source.Text, new.source.Text)
	}
	f.Counted, f.Outline = true, old.Outline || new.Outline
	f.Symbols = diff.Compare(old.Version, new.Version)
	return nil
}

// version is a version of a file: its text and what that declares. It is empty
// where there is no file, or where File.Why says why it is not compared.
type version struct {
	*diff.Version
	source  *diff.Source
	symbols []facts.Symbol // by a grammar; nil where there is none
}

func noVersion() version { return version{Version: &diff.Version{}, source: &diff.Source{}} }

// committed reads and parses a version out of git.
func (s *sides) committed(ctx context.Context, f *File, b blob, other version) (version, error) {
	switch {
	case b.id == "":
		return noVersion(), nil
	case b.mode == git.ModeSubmodule:
		f.Why = "it is a submodule"
		return noVersion(), nil
	case !b.mode.IsFile():
		f.Why = discover.ReasonSymlink.Explain()
		return noVersion(), nil
	case s.opts.Policy.Secret(b.path, nil):
		f.Why = discover.ReasonSecret.Explain()
		return noVersion(), nil
	}
	raw, err := s.blob(b.id, maxCompared)
	switch {
	case errors.Is(err, git.ErrLarge):
		f.Why = discover.ReasonTooLarge.Explain()
		return noVersion(), nil
	case errors.Is(err, git.ErrMissing):
		f.Why = "the repository does not hold its content, as a partial clone"
		return noVersion(), nil
	case err != nil:
		return version{}, err
	}
	return s.parse(ctx, f, Text{Path: b.path, Text: slices.Clone(raw)}, other)
}

// checkedOut reads and parses a file of the work tree.
func (s *sides) checkedOut(ctx context.Context, f *File, b blob, other version) (version, error) {
	if b.mode == git.ModeSubmodule {
		f.Why = "it is a submodule"
		return noVersion(), nil
	}
	content, left, err := s.reader.Read(b.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noVersion(), nil // removed since
	case err != nil:
		return version{}, err
	case left != nil:
		f.Why = left.Reason.Explain()
		return noVersion(), nil
	case len(content.Raw) > maxCompared:
		f.Why = discover.ReasonTooLarge.Explain()
		return noVersion(), nil
	}
	return s.parse(ctx, f, Text{Path: b.path, Text: slices.Clone(content.Raw)}, other)
}

// Text is a version of a file that is given as text.
type Text struct {
	Path  string // empty where there is no file
	Text  []byte
	Known *facts.File // what an index knows of it; nil where it must be parsed
}

// parse finds what the bytes of a version declare, by another version of the file where
// that is known.
func (s *sides) parse(ctx context.Context, f *File, t Text, other version) (v version, err error) {
	text, reason := discover.Text(t.Text)
	if reason != "" {
		f.Why = reason.Explain()
		return noVersion(), nil
	}
	if s.opts.Policy.Secret(t.Path, text) {
		f.Why = discover.ReasonSecret.Explain()
		return noVersion(), nil
	}
	l := lang.Detect(t.Path, text)
	v.source = diff.NewSource(t.Path, l, text)
	if t.Known != nil {
		v.symbols = t.Known.Symbols
	} else if v.symbols, err = s.declared(ctx, v.source, other); ctx.Err() != nil {
		return version{}, ctx.Err()
	} else if err != nil {
		v.Version = diff.Outlined(v.source, outline.Parse(l, text).Definitions)
		return v, nil
	}
	v.Version = diff.Parsed(v.source, v.symbols)
	return v, nil
}

// declared returns the symbols of a version by a grammar. What another version of the file
// declares as well is not parsed again.
func (s *sides) declared(ctx context.Context, src *diff.Source, other version) (all []facts.Symbol, err error) {
	name := ""
	if src.Language != nil {
		name = src.Language.Name
	}
	if other.symbols != nil {
		if spared := diff.Spare(other.source, other.symbols, src); spared != nil {
			rest, err := s.opts.Facts(ctx, name, src.Path, spared.Rest)
			if err != nil {
				return nil, err
			}
			all, ok := spared.Symbols(rest)
			rest.Release()
			if ok {
				return all, nil
			}
		}
	}
	whole, err := s.opts.Facts(ctx, name, src.Path, src.Text)
	if err != nil {
		return nil, err
	}
	defer whole.Release()
	return slices.Clone(whole.Symbols), nil
}

// Known returns what an index knows that one of its files declares, nil where it has not
// been parsed.
func Known(s *store.Snapshot, seg, file int) *facts.File {
	syntax := s.Segments[seg].Syntax
	if syntax == nil {
		return nil
	}
	f := syntax.File(file)
	if f.State() != syn.Parsed {
		return nil
	}
	return &facts.File{Symbols: f.Symbols()}
}

// CompareTexts compares the symbols of two versions of a file. why says that they are not
// compared: they are no text, ...
func CompareTexts(ctx context.Context, r *workspace.Repo, old, new Text) (all []diff.Change, why string, err error) {
	s := &sides{opts: r.Options()}
	versions := [2]version{noVersion(), noVersion()}
	texts, first := [2]Text{old, new}, 0
	if new.Known != nil {
		first = 1
	}
	for _, i := range []int{first, 1 - first} {
		if texts[i].Path == "" {
			continue
		}
		var f File
		if versions[i], err = s.parse(ctx, &f, texts[i], versions[first]); err != nil || f.Why != "" {
			return nil, f.Why, err
		}
	}
	return diff.Compare(versions[0].Version, versions[1].Version), "", nil
}
