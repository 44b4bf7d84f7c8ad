package windows

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/windows/win"
)

// Bounds of the text of one part of windows, whose building takes about twice
// that much memory, in each worker.
const (
	minWindowedText = 2 << 20
	maxWindowedText = 16 << 20
)

const maxWorkers = 16

// Index cuts the texts of the generation that a batch has committed, and
// publishes what their windows hold with it. The snapshot is of that generation.
// So many workers build parts at once; 0 is one per processor.
func Index(ctx context.Context, b *store.Batch, s *store.Snapshot, cut Cut, workers int) error {
	if workers <= 0 {
		workers = min(max(1, runtime.GOMAXPROCS(0)), maxWorkers)
	}
	var groups [][]windowed
	err := segment.Guard(func() error { groups = grouped(s, workers); return nil })
	if err != nil {
		return err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for n, files := range groups {
		work.Go(func() error {
			return segment.Guard(func() error {
				built, err := build(ctx, s, files, cut)
				if err != nil {
					return err
				}
				return b.AddWindows(n, built)
			})
		})
	}
	if err := work.Wait(); err != nil {
		return fmt.Errorf("index windows: %w", err)
	}
	return b.CommitWindows()
}

// windowed is where a view has a file.
type windowed struct{ segment, file int }

// grouped cuts the live files of a snapshot, in path order, into what makes a
// part of windows each: of much the same text, enough of them for all workers.
func grouped(s *store.Snapshot, workers int) (groups [][]windowed) {
	full := s.Stats().TextBytes/int64(workers) + 1
	full = max(minWindowedText, min(maxWindowedText, full))
	text := full // of the last group
	s.Each(func(seg, file int) bool {
		if text >= full {
			groups, text = append(groups, nil), 0
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], windowed{seg, file})
		text += int64(s.Segments[seg].TextSize(file))
		return true
	})
	return groups
}

func build(ctx context.Context, s *store.Snapshot, files []windowed, cut Cut) (*win.Builder, error) {
	b := win.NewBuilder()
	var cache segment.TextCache
	var windows []win.Window
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := s.Segments[f.segment].Reader
		text, err := r.Text(f.file, &cache)
		if err != nil {
			return nil, err
		}
		windows = cut.Append(windows[:0], text)
		if err := b.Add(&win.File{Segment: f.segment, File: f.file, Path: r.Path(f.file), Text: text, Windows: windows}); err != nil {
			return nil, err
		}
	}
	return b, nil
}
