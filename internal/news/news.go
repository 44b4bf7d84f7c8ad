// Package news counts what is new in a repository since a reader last asked: the
// files whose path and content the reader has not been told of, whoever indexed
// them. What a reader was told is kept in the repository's folder, NAME.news: eight
// bytes for each file, a hash of its path and content, sorted, little endian.
package news

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"espy/internal/discover"
	"espy/internal/replace"
	"espy/internal/store"
	"espy/internal/workspace"
)

// News is what a reader has not been told of.
type News struct {
	Files, Chunks int  // new, and the chunks of those
	All           int  // files of the repository
	First         bool // the reader was told of nothing before
	Left          []discover.Exclusion
}

// Take counts what is new for a reader, and remembers that it was told. With again,
// everything is new.
func Take(ctx context.Context, r *workspace.Repo, reader string, again bool) (*News, error) {
	file := filepath.Join(r.Folder(), reader+".news")
	told, err := load(file)
	if err != nil {
		return nil, err
	}
	first := told == nil
	if again {
		told = nil
	}
	var n News
	var now []uint64
	err = r.Look(ctx, workspace.Wait{}, func(s *store.Snapshot) error {
		n, now = News{Left: s.Excluded(), First: first}, nil
		for _, seg := range s.Segments {
			for f := range seg.NumFiles() {
				if !seg.Alive(f) {
					continue
				}
				hash := seg.FileHash(f)
				key := xxh3.Hash(append(hash[:], seg.Reader.Path(f)...))
				now = append(now, key)
				if _, known := slices.BinarySearch(told, key); !known {
					first, end := seg.ChunksOf(f)
					n.Files, n.Chunks = n.Files+1, n.Chunks+end-first
				}
			}
		}
		n.All = len(now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(now)
	return &n, save(file, now)
}

func load(file string) (told []uint64, err error) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("news: %w", err)
	}
	for ; len(text) >= 8; text = text[8:] {
		told = append(told, binary.LittleEndian.Uint64(text))
	}
	if !slices.IsSorted(told) {
		return nil, nil // damaged: everything counts as new once
	}
	return told, nil
}

func save(file string, told []uint64) error {
	text := make([]byte, 0, 8*len(told))
	for _, key := range told {
		text = binary.LittleEndian.AppendUint64(text, key)
	}
	if err := replace.File(file, text); err != nil {
		return fmt.Errorf("news: %w", err)
	}
	return nil
}
