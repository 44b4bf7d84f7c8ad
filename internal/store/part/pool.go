package part

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/segment/frame"
	"espy/internal/store/blob/local"
)

// BadSuffix ends the names of the files in quarantine.
const BadSuffix = ".bad"

// Pool holds the mapped parts of a folder. It is safe for concurrent use.
type Pool struct {
	dir   *local.Dir
	kinds []Kind

	mu    sync.Mutex
	parts map[string]*Part // in use, by name, guarded by mu
	bad   map[string]error // in quarantine, guarded by mu

	was map[string]fs.FileInfo // the files of these then, nil for none; guarded by mu
}

// NewPool returns a pool of the parts of some kinds.
func NewPool(dir *local.Dir, kinds []Kind) *Pool {
	return &Pool{dir: dir, kinds: kinds, parts: map[string]*Part{}, bad: map[string]error{}, was: map[string]fs.FileInfo{}}
}

// Acquire returns a part with one more user, which must release it. A part of
// another size or content, or for which fits returns an error, goes into
// quarantine. Fits may be nil; it is called inside a frame.Guard.
func (p *Pool) Acquire(want Ref, fits func(Content) error) (*Part, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, err := p.mapLocked(want.Name)
	if err != nil {
		return nil, err
	}
	if wrong := p.verify(found, want, fits); wrong != nil {
		p.noteLocked(want.Name, wrong)
		if found.users == 0 {
			wrong = errors.Join(wrong, found.mapped.Close())
		}
		return nil, wrong
	}
	found.users++
	p.parts[want.Name] = found
	return found, nil
}

// mapLocked returns a part that is in use, or maps it.
func (p *Pool) mapLocked(name string) (*Part, error) {
	if err := p.bad[name]; err != nil && !p.backLocked(name) {
		return nil, err
	}
	if found := p.parts[name]; found != nil {
		return found, nil
	}
	mapped, err := p.dir.Map(name)
	if err != nil {
		return nil, err
	}
	return &Part{Name: name, mapped: mapped}, nil
}

// noteLocked puts a part into quarantine.
func (p *Pool) noteLocked(name string, cause error) {
	info, err := p.dir.Stat(name)
	if err != nil {
		info = nil
	}
	p.bad[name], p.was[name] = cause, info
}

// backLocked takes a part out of quarantine that has another file now: it was written
// anew, perhaps by another process.
func (p *Pool) backLocked(name string) bool {
	now, err := p.dir.Stat(name)
	if err != nil {
		return false
	}
	if was := p.was[name]; was != nil && os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime()) {
		return false
	}
	p.renewLocked(name)
	return true
}

// verify opens a part, where that was not done, and returns what is wrong with it.
func (p *Pool) verify(found *Part, want Ref, fits func(Content) error) error {
	path := filepath.Join(p.dir.Path(), found.Name)
	if n := int64(len(found.mapped.Data)); n != want.Size {
		return fmt.Errorf("%s: %w: it is %d bytes long, not %d", path, local.ErrDamaged, n, want.Size)
	}
	err := frame.Guard(func() error {
		if err := p.open(found, path); err != nil {
			return err
		}
		if id := found.Content.Identity(); want.ID != (code.Hash{}) && id != want.ID {
			return fmt.Errorf("%s: %w: it holds segment %s of another index", path, local.ErrDamaged, id)
		}
		if fits == nil {
			return nil
		}
		return fits(found.Content)
	})
	if err != nil && !errors.Is(err, local.ErrDamaged) {
		err = fmt.Errorf("open part: %w", err)
	}
	return err
}

func (p *Pool) open(found *Part, path string) error {
	if found.Content != nil {
		return nil
	}
	for _, k := range p.kinds {
		if !strings.HasSuffix(found.Name, k.Suffix()) {
			continue
		}
		content, err := k.Open(found.mapped.Data, path)
		if err == nil {
			found.Content = content
		}
		return err
	}
	return fmt.Errorf("%s: %w: no part of this name is known", path, local.ErrDamaged)
}

// Put writes a part under the hash of its bytes and returns it with one user.
func (p *Pool) Put(kind Kind, write func(io.Writer) error) (*Part, error) {
	hash := xxh3.New128()
	var name string
	size, err := p.dir.Put(
		func(w io.Writer) error { return frame.Guard(func() error { return write(io.MultiWriter(w, hash)) }) },
		func() string { name = code.Hash(hash.Sum128().Bytes()).String() + kind.Suffix(); return name })
	if err != nil {
		return nil, err
	}
	p.renew(name)
	return p.Acquire(Ref{Name: name, Size: size}, nil)
}

// renew takes a part that was written anew out of quarantine. Readers that have
// the old file mapped keep it.
func (p *Pool) renew(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renewLocked(name)
}

func (p *Pool) renewLocked(name string) {
	delete(p.bad, name)
	delete(p.was, name)
	delete(p.parts, name)
}

// Retain counts one more user of parts that are in use. Nil is no part.
func (p *Pool) Retain(parts ...*Part) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range parts {
		if x != nil {
			x.users++
		}
	}
}

// Release counts one user less and unmaps parts without one. Nil is no part.
func (p *Pool) Release(parts ...*Part) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range parts {
		if x == nil {
			continue
		}
		if x.users--; x.users == 0 {
			if p.parts[x.Name] == x {
				delete(p.parts, x.Name)
			}
			err = errors.Join(err, x.mapped.Close())
		}
	}
	return err
}

// Quarantine takes a damaged part out of use, for all processes where the
// folder can be written. A cause of fs.ErrNotExist says that its file is gone.
func (p *Pool) Quarantine(name string, cause error) {
	if !errors.Is(cause, fs.ErrNotExist) {
		if err := p.dir.SetAside(name, BadSuffix); err != nil {
			cause = errors.Join(cause, err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.noteLocked(name, cause)
}

// Damage says why a part is in quarantine, nil for one that is not.
func (p *Pool) Damage(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bad[name]
}

// Recheck puts mapped parts into quarantine whose file is not as long as it was,
// and reports whether there are any.
func (p *Pool) Recheck() (found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, x := range p.parts {
		info, err := p.dir.Stat(name)
		if err == nil && info.Size() != int64(len(x.mapped.Data)) {
			p.noteLocked(name, fmt.Errorf("%s: %w: it is %d bytes long, not %d", name, local.ErrDamaged, info.Size(), len(x.mapped.Data)))
			found = true
		}
	}
	return found
}
