package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/store/blob"
)

// Place is a folder as a place of parts and views: views are its records
// view-NAME.json, and beside each is edition-NAME.json, which says what was published.
// Who writes the folder otherwise changes the records alone. It implements blob.Place.
type Place struct{ dir *Dir }

// Place returns the folder as a place.
func (d *Dir) Place() *Place { return &Place{d} }

// edition is the record of what was published of a view.
type edition struct {
	Number int64             `json:"number"`
	Record uint64            `json:"record"` // XXH3-64 of the record that was published
	Parts  []string          `json:"parts"`
	Beside map[string]string `json:"beside,omitempty"`
}

// The names of records.
const (
	viewPrefix    = "view-"
	editionPrefix = "edition-"
	recordSuffix  = ".json"
)

// Put implements blob.Place.
func (p *Place) Put(_ context.Context, name string, write func(io.Writer) error) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	if _, err := p.dir.Stat(name); err == nil {
		return p.dir.Touch(name)
	}
	_, err := p.dir.Put(write, func() string { return name })
	return err
}

// Get implements blob.Place.
func (p *Place) Get(_ context.Context, name string, w io.Writer) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(p.dir.Path(), name))
	if err != nil {
		return fmt.Errorf("get part: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// Missing implements blob.Place.
func (p *Place) Missing(_ context.Context, names []string) (missing []string, err error) {
	for _, name := range names {
		if err := blob.CheckName(name); err != nil {
			return nil, err
		}
		switch err := p.dir.Touch(name); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return nil, fmt.Errorf("look for parts: %w", err)
		}
	}
	return missing, nil
}

// Publish implements blob.Place. It waits for the writer's lock.
func (p *Place) Publish(ctx context.Context, v blob.View, base int64) (int64, error) {
	if err := blob.CheckName(v.Name); err != nil {
		return 0, err
	}
	unlock, err := p.dir.Lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	now, err := p.edition(v.Name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged) {
		return 0, err
	}
	if now.Number != base {
		return 0, fmt.Errorf("publish %s: %w", v.Name, blob.ErrLost)
	}
	for _, part := range v.Listed() {
		if _, err := p.dir.Stat(part); err != nil {
			return 0, fmt.Errorf("publish %s: %w", v.Name, err)
		}
	}
	stays := v.Listed()
	for _, part := range (&blob.View{Parts: now.Parts, Beside: now.Beside}).Listed() {
		if !slices.Contains(stays, part) {
			_ = p.dir.Touch(part) // its grace begins; one that is gone needs none
		}
	}
	return p.replace(v, base)
}

// replace writes the record of a view, and then its edition: where only the first
// is done, the view is of the old edition still, and is published again.
func (p *Place) replace(v blob.View, base int64) (int64, error) {
	if v.Edition == 0 {
		v.Edition = max(base+1, time.Now().UnixNano())
	}
	if err := p.dir.Replace(viewPrefix+v.Name+recordSuffix, v.Record); err != nil {
		return 0, err
	}
	return v.Edition, p.Adopt(v)
}

// Adopt notes that what the folder holds of a view was published elsewhere as v.
func (p *Place) Adopt(v blob.View) error {
	data, err := json.Marshal(edition{Number: v.Edition, Record: hashOf(v.Record), Parts: v.Parts, Beside: v.Beside})
	if err != nil {
		return fmt.Errorf("publish %s: %w", v.Name, err)
	}
	return p.dir.Replace(editionPrefix+v.Name+recordSuffix, data)
}

// Adopted reports whether the record of a view, and what lies beside it, are those
// that were published last.
func (p *Place) Adopted(v blob.View) bool {
	e, err := p.edition(v.Name)
	return err == nil && e.Record == hashOf(v.Record) && maps.Equal(e.Beside, v.Beside)
}

// hashOf is that of a record, without the newline that it may end in.
func hashOf(record []byte) uint64 { return xxh3.Hash(bytes.TrimSuffix(record, []byte("\n"))) }

// Edition implements blob.Place.
func (p *Place) Edition(_ context.Context, name string) (int64, error) {
	if err := blob.CheckName(name); err != nil {
		return 0, err
	}
	e, err := p.edition(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return 0, nil // as if it had not been published
	}
	return e.Number, err
}

func (p *Place) edition(view string) (e edition, err error) {
	b, err := p.dir.Record(editionPrefix + view + recordSuffix)
	if err != nil {
		return e, fmt.Errorf("read edition: %w", err)
	}
	if err := json.Unmarshal(b, &e); err != nil {
		return e, fmt.Errorf("read edition of %s: %w", view, errors.Join(ErrDamaged, err))
	}
	return e, nil
}

// View implements blob.Place. It waits for the writer's lock. The record is that of
// now, also where it was replaced since the edition was published.
func (p *Place) View(ctx context.Context, name string) (blob.View, error) {
	v := blob.View{Name: name}
	if err := blob.CheckName(name); err != nil {
		return v, err
	}
	unlock, err := p.dir.Lock(ctx)
	if err != nil {
		return v, err
	}
	defer unlock()
	e, err := p.edition(name)
	if err != nil {
		return v, err
	}
	v.Edition, v.Parts, v.Beside = e.Number, e.Parts, e.Beside
	if v.Record, err = p.dir.Record(viewPrefix + name + recordSuffix); err != nil {
		return v, fmt.Errorf("read view: %w", err)
	}
	return v, nil
}

// Views implements blob.Place.
func (p *Place) Views(context.Context) (views []string, err error) {
	names, err := p.dir.Names()
	for _, n := range names {
		if view, ok := strings.CutPrefix(strings.TrimSuffix(n, recordSuffix), editionPrefix); ok {
			views = append(views, view)
		}
	}
	slices.Sort(views)
	return views, err
}

// Drop implements blob.Place.
func (p *Place) Drop(ctx context.Context, name string) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	unlock, err := p.dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	e, err := p.edition(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, part := range (&blob.View{Parts: e.Parts, Beside: e.Beside}).Listed() {
		_ = p.dir.Touch(part) // its grace begins; one that is gone needs none
	}
	return errors.Join(p.dir.Remove(editionPrefix+name+recordSuffix), p.dir.Remove(viewPrefix+name+recordSuffix))
}

// Sweep implements blob.Place. A part is as old as the last look for it.
func (p *Place) Sweep(ctx context.Context, grace time.Duration) (swept int, err error) {
	unlock, err := p.dir.Lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	listed, err := p.listed(ctx)
	if err != nil {
		return 0, err
	}
	names, err := p.dir.Names()
	for _, name := range names {
		info, statErr := p.dir.Stat(name)
		if statErr != nil || listed[name] || time.Since(info.ModTime()) < grace {
			continue
		}
		err = errors.Join(err, p.dir.Remove(name))
		swept++
	}
	return swept, err
}

// listed returns the files that stay: what views list, their records, and the lock.
func (p *Place) listed(ctx context.Context) (map[string]bool, error) {
	views, err := p.Views(ctx)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{filepath.Base(p.dir.lock().Path()): true}
	for _, view := range views {
		e, err := p.edition(view)
		if err != nil {
			return nil, err
		}
		for _, part := range (&blob.View{Parts: e.Parts, Beside: e.Beside}).Listed() {
			listed[part] = true
		}
		listed[viewPrefix+view+recordSuffix], listed[editionPrefix+view+recordSuffix] = true, true
	}
	return listed, nil
}

// Used is when a view was published or marked as used last; zero for one that there
// is not.
func (p *Place) Used(view string) time.Time {
	info, err := p.dir.Stat(viewPrefix + view + recordSuffix)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Evict removes a view with the parts that no other lists, at once, and returns
// their bytes. Who has them mapped keeps them.
func (p *Place) Evict(ctx context.Context, view string) (freed int64, err error) {
	unlock, err := p.dir.Lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	e, err := p.edition(view)
	if err != nil {
		return 0, err
	}
	for _, record := range []string{viewPrefix, editionPrefix} {
		err = errors.Join(err, p.dir.Remove(record+view+recordSuffix))
	}
	if err != nil {
		return 0, err
	}
	stays, err := p.listed(ctx)
	for _, part := range e.Parts {
		if info, statErr := p.dir.Stat(part); statErr == nil && err == nil && !stays[part] {
			freed += info.Size()
			err = p.dir.Remove(part)
		}
	}
	return freed, err
}
