package team

import (
	"context"
	"errors"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store"
	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
)

// Vectors are the vectors of parts that a database can be asked about itself, so that
// who answers need not take them. They are an addition: what they cannot do is done
// with the parts.
type Vectors interface {
	vec.Elsewhere

	// Held returns the models of those parts whose vectors can be asked about.
	Held(ctx context.Context, parts []string) (models map[string]string, err error)

	// Put makes the vectors of a part of a family so, once.
	Put(ctx context.Context, family code.RepoID, part string, vectors *vec.Reader, chunksOf func(file int) (first, end int)) error

	// Index does what questions to many vectors need.
	Index(ctx context.Context) error
}

// useVectors has parts of vectors left where they are by who answers, and given to the
// database by who publishes.
func (s *Source) useVectors() {
	switch {
	case s.shared.Vectors == nil:
	case s.shared.Answers():
		s.replica.Held = s.held
	default:
		s.replica.Keep = s.keepVectors
	}
}

// held returns the models of parts that need not be taken: none where the database
// does not say.
func (s *Source) held(ctx context.Context, parts []string) map[string]string {
	if len(parts) == 0 {
		return nil
	}
	models, err := s.shared.Vectors.Held(ctx, parts)
	if err != nil {
		s.shared.Log.Info("the vectors of parts are taken, as the database cannot be asked about them", "repo", s.repo.Name, "err", err)
	}
	return models
}

// Elsewhere answers for vectors that are not in the folder; nil for nobody.
func (s *Source) Elsewhere() vec.Keeper {
	if s.shared.Vectors == nil {
		return nil
	}
	return keeper{s.shared.Vectors, s}
}

type keeper struct {
	vec.Elsewhere
	of *Source
}

// fewChunks is up to how many chunks a question is compared with here from the second
// time on: that takes a few milliseconds, and their vectors some 30 MB. A database
// takes longer, and beyond it has an index that is quicker than a scan.
const fewChunks = 100_000

// Asked implements vec.Keeper.
func (k keeper) Asked(chunks int) {
	if k.of.shared.Stays && chunks <= fewChunks {
		k.of.fly(true)
	}
}

// Whole returns a snapshot that has its vectors in the folder: the one given, which it
// owns, or, where some are away, one that newest opens when they were brought.
func (s *Source) Whole(ctx context.Context, snap *store.Snapshot, newest func() (*store.Snapshot, error)) (*store.Snapshot, error) {
	away := false
	for i := range snap.Segments {
		away = away || len(snap.Segments[i].Away) > 0
	}
	if !away {
		return snap, nil
	}
	if err := errors.Join(s.Fetch(ctx, true), snap.Close()); err != nil {
		return nil, err
	}
	return newest()
}

// keepVectors gives the database the vectors that it lacks of what is published. Where
// it does not take them, the parts serve.
func (s *Source) keepVectors(ctx context.Context, m *manifest.Manifest) error {
	parts := m.VectorParts()
	if len(parts) == 0 {
		return nil
	}
	held, _ := s.shared.Vectors.Held(ctx, parts) // where it cannot say, Put does
	err := within(s.replica.Folder, func(dir *local.Dir) error { return s.keepMissing(ctx, dir, m, held) })
	if err != nil && ctx.Err() == nil {
		s.shared.Log.Info("vectors are not kept as rows: the parts serve", "repo", s.repo.Name, "err", err)
		return nil
	}
	return err
}

func (s *Source) keepMissing(ctx context.Context, dir *local.Dir, m *manifest.Manifest, held map[string]string) error {
	for _, ref := range m.Segments {
		for _, c := range []*manifest.Companion{ref.Vectors, ref.Remote} {
			if c == nil || c.Analysis != store.Vectors || held[c.Part] != "" {
				continue
			}
			if err := s.keepPart(ctx, dir, ref.Part, c.Part); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepPart gives the database a part that waits for no chunk: one that does is taken
// as a file.
func (s *Source) keepPart(ctx context.Context, dir *local.Dir, lex, name string) (err error) {
	files, err := dir.Map(lex)
	if err != nil {
		return err
	}
	defer files.Close()
	vectors, err := dir.Map(name)
	if err != nil {
		return err
	}
	defer vectors.Close()
	return segment.Guard(func() error {
		f, err := segment.Open(files.Data, lex)
		if err != nil {
			return err
		}
		v, err := vec.Open(vectors.Data, name)
		if err != nil || v.Stats().Pending() > 0 {
			return err
		}
		return s.shared.Vectors.Put(ctx, s.repo.FamilyID(), name, v, f.ChunksOf)
	})
}

// indexVectors has the database prepared for questions to many vectors.
func (s *Source) indexVectors(ctx context.Context) {
	if s.shared.Vectors == nil {
		return
	}
	if err := s.shared.Vectors.Index(ctx); err != nil {
		s.shared.Log.Warn("the vectors in the database have no index: each is compared", "err", err)
	}
}
