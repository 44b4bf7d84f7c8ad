// Package replica keeps the folder of a family and a place that a team shares in
// step. Who indexes pushes: the parts that the place lacks, then the view, in place
// of the edition that he built on. Who answers pulls: the parts that his folder
// lacks, under temporary names until they are whole and what their names say, then
// the record of the view, as a commit replaces it. So the folder is that of an
// ordinary index at any moment, and all that reads one reads it.
package replica

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"

	"espy/internal/code"
	"espy/internal/store/blob"
	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// ErrUnpublished says that a place has nothing of a view.
var ErrUnpublished = errors.New("nothing of it is published")

// Replica is one view of a family, here and in the place that a team shares.
type Replica struct {
	Shared blob.Place
	Folder string // of the family
	View   string
	Beside []File // what goes with the view

	// Held returns the models of those parts of vectors that need not be pulled, as they
	// are asked elsewhere; nil pulls all.
	Held func(ctx context.Context, parts []string) (models map[string]string)

	// Keep is given what is about to be published, when all its parts are there; nil
	// for nobody.
	Keep func(ctx context.Context, m *manifest.Manifest) error
}

// File is a small file that goes with a view: the newest edition brings it along.
type File struct {
	Name  string
	Read  func() ([]byte, error) // nil bytes where there is none
	Write func([]byte) error
}

const (
	besideSuffix = ".beside" // of the parts that hold files

	tries     = 5 // how often one begins again, because others publish meanwhile
	transfers = 4 // parts that are copied side by side
)

// Edition is the one that the folder shows, or was built on; 0 for none.
func (r *Replica) Edition(ctx context.Context) (int64, error) {
	dir, err := local.Open(r.Folder)
	if err != nil {
		return 0, err
	}
	return dir.Place().Edition(ctx, r.View)
}

// Pulled says what a pull brought.
type Pulled struct {
	Edition int64
	Parts   []string // names
	Bytes   int64    // of them
}

// Pull brings the folder to the newest edition, or leaves it as it was. Where that
// is the one that the folder is of, it does nothing, or, to mend, brings the parts
// that are not there, also those that are held elsewhere. ErrUnpublished says that
// there is no edition.
func (r *Replica) Pull(ctx context.Context, mend bool) (p Pulled, err error) {
	dir, err := local.Open(r.Folder)
	if err != nil {
		return p, err
	}
	for range tries {
		p, err = r.pull(ctx, dir.Place(), mend)
		if !errors.Is(err, blob.ErrLost) && !errors.Is(err, fs.ErrNotExist) {
			break // what was missing is of an edition that was replaced meanwhile
		}
	}
	return p, err
}

func (r *Replica) pull(ctx context.Context, here *local.Place, mend bool) (p Pulled, err error) {
	v, err := r.Shared.View(ctx, r.View)
	if errors.Is(err, fs.ErrNotExist) {
		return p, ErrUnpublished
	}
	if err != nil {
		return p, err
	}
	base, err := here.Edition(ctx, r.View)
	if err != nil {
		return p, err
	}
	p.Edition = v.Edition
	if base == v.Edition && !mend {
		return p, nil
	}
	if err := r.leave(ctx, here, &v, mend); err != nil {
		return p, err
	}
	if mend {
		if err := r.setAside(ctx, here, v.Parts); err != nil {
			return p, err
		}
	}
	if p.Parts, err = here.Missing(ctx, v.Parts); err != nil {
		return p, err
	}
	if p.Bytes, err = copyParts(ctx, r.Shared, here, p.Parts); err != nil {
		return p, err
	}
	if err := r.bring(ctx, v); err != nil {
		return p, err
	}
	beside := v.Beside
	v.Beside = nil // they are files here
	if _, err = here.Publish(ctx, v, base); err != nil {
		return p, err
	}
	v.Beside = beside
	return p, here.Adopt(v)
}

// leave fills in the parts of a view, and leaves away those of vectors that are held
// elsewhere and not here, unless all are wanted.
func (r *Replica) leave(ctx context.Context, here *local.Place, v *blob.View, all bool) error {
	m, err := parsed(*v)
	if err != nil {
		return err
	}
	if !all && r.Held != nil {
		missing, err := here.Missing(ctx, m.VectorParts())
		if err != nil {
			return err
		}
		held := r.Held(ctx, missing)
		for i := range m.Segments {
			m.Segments[i].Leave(held)
		}
		if len(held) > 0 {
			if v.Record, err = json.Marshal(m); err != nil {
				return fmt.Errorf("write manifest: %w", err)
			}
		}
	}
	v.Parts = listed(m)
	return nil
}

// Follow makes what the folder holds, perhaps nothing, stand for the newest edition,
// which it cannot be brought to: it will be published in its place.
func (r *Replica) Follow(ctx context.Context) error {
	dir, err := local.Open(r.Folder)
	if err != nil {
		return err
	}
	edition, err := r.Shared.Edition(ctx, r.View)
	if err != nil {
		return err
	}
	return dir.Place().Adopt(blob.View{Name: r.View, Edition: edition})
}

// setAside gives the parts here that are not what their names say another name.
func (r *Replica) setAside(ctx context.Context, here *local.Place, parts []string) error {
	dir, err := local.Open(r.Folder)
	if err != nil {
		return err
	}
	for _, name := range parts {
		_, wrong := verified(ctx, here, name, io.Discard)
		if errors.Is(wrong, local.ErrDamaged) {
			err = errors.Join(err, dir.SetAside(name, part.BadSuffix))
		}
	}
	return err
}

// parsed is the record of a view.
func parsed(v blob.View) (*manifest.Manifest, error) {
	return manifest.Parse(bytes.TrimSuffix(v.Record, []byte("\n")), v.Name)
}

// listed returns the parts that a manifest lists.
func listed(m *manifest.Manifest) []string {
	parts := map[string]bool{}
	m.List(parts)
	return slices.Sorted(maps.Keys(parts))
}

// copyParts copies parts from one place to another.
func copyParts(ctx context.Context, from, to blob.Place, names []string) (int64, error) {
	var copied atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(transfers)
	for _, name := range names {
		group.Go(func() error {
			return to.Put(ctx, name, func(w io.Writer) error {
				n, err := verified(ctx, from, name, w)
				copied.Add(n)
				return err
			})
		})
	}
	err := group.Wait()
	return copied.Load(), err
}

// verified writes a part whose name is the hash of its bytes, and fails where it is
// not.
func verified(ctx context.Context, from blob.Place, name string, w io.Writer) (int64, error) {
	sum, size := xxh3.New128(), counter(0)
	if err := from.Get(ctx, name, io.MultiWriter(w, sum, &size)); err != nil {
		return 0, err
	}
	is, _, _ := strings.Cut(name, ".")
	if got := code.Hash(sum.Sum128().Bytes()).String(); got != is {
		return 0, fmt.Errorf("copy part %s: %w: it holds %s", name, local.ErrDamaged, got)
	}
	return int64(size), nil
}

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// bring writes the files that go with a view.
func (r *Replica) bring(ctx context.Context, v blob.View) error {
	for _, f := range r.Beside {
		name := v.Beside[f.Name]
		if name == "" {
			continue
		}
		var data bytes.Buffer
		if _, err := verified(ctx, r.Shared, name, &data); err != nil {
			return err
		}
		if err := f.Write(data.Bytes()); err != nil {
			return fmt.Errorf("write %s: %w", f.Name, err)
		}
	}
	return nil
}

// Push publishes what the folder holds of the view in place of the edition that it
// was built on; blob.ErrLost says that there is a newer one: pull it, and begin
// again. Where nothing has changed it does nothing.
func (r *Replica) Push(ctx context.Context) (err error) {
	for range tries {
		if err = r.push(ctx); !errors.Is(err, fs.ErrNotExist) {
			break // what is missing was swept there, or replaced by a commit here, meanwhile
		}
	}
	return err
}

func (r *Replica) push(ctx context.Context) error {
	dir, err := local.Open(r.Folder)
	if err != nil {
		return err
	}
	here := dir.Place()
	base, err := here.Edition(ctx, r.View)
	if err != nil {
		return err
	}
	v := blob.View{Name: r.View}
	if v.Record, err = dir.Record(manifest.Name(r.View)); err != nil {
		return fmt.Errorf("publish %s: %w", r.View, err)
	}
	files, err := r.pack(&v)
	if err != nil {
		return err
	}
	m, err := parsed(v)
	if err != nil {
		return err
	}
	if base != 0 && here.Adopted(v) {
		return r.keep(ctx, m)
	}
	v.Parts = listed(m)
	if err := r.upload(ctx, here, v, files); err != nil {
		return err
	}
	if err := r.keep(ctx, m); err != nil {
		return err
	}
	if v.Edition, err = r.Shared.Publish(ctx, v, base); err != nil {
		return err
	}
	return here.Adopt(v)
}

func (r *Replica) keep(ctx context.Context, m *manifest.Manifest) error {
	if r.Keep == nil {
		return nil
	}
	return r.Keep(ctx, m)
}

// pack names in v the parts that hold the files that go with it, and returns them.
func (r *Replica) pack(v *blob.View) (files map[string][]byte, err error) {
	files, v.Beside = map[string][]byte{}, map[string]string{}
	for _, f := range r.Beside {
		data, err := f.Read()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name, err)
		}
		if data == nil {
			continue
		}
		name := code.Hash(xxh3.Hash128(data).Bytes()).String() + besideSuffix
		files[name], v.Beside[f.Name] = data, name
	}
	return files, nil
}

// upload puts what the shared place lacks.
func (r *Replica) upload(ctx context.Context, here blob.Place, v blob.View, files map[string][]byte) error {
	missing, err := r.Shared.Missing(ctx, v.Listed())
	if err != nil {
		return err
	}
	var large []string
	for _, name := range missing {
		data, small := files[name]
		if !small {
			large = append(large, name)
			continue
		}
		if err := r.Shared.Put(ctx, name, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
	}
	_, err = copyParts(ctx, here, r.Shared, large)
	return err
}
