// Package part keeps the parts of a folder mapped: files that are written once,
// named by the hash of their bytes, and shared by all their readers. A damaged
// part goes into quarantine. A part stays whole for its readers when its file is
// removed or written anew.
package part

import (
	"errors"
	"fmt"
	"io"

	"espy/internal/code"
	"espy/internal/segment/frame"
	"espy/internal/store/blob/local"
)

// Kind is one kind of part. All its files have one suffix.
type Kind interface {
	Suffix() string

	// Open opens the bytes of a part, which must not change while the content is
	// in use. The name is for messages.
	Open(data []byte, name string) (Content, error)
}

// Content answers from an open part. Its methods belong inside a frame.Guard.
type Content interface {
	Identity() code.Hash // of the whole content
	Size() int64         // in bytes

	// Check reads every byte and holds that the part agrees with itself. Release,
	// which may be nil, gives the memory of what was read back to the system.
	Check(release func()) error
}

// Ref says which part is wanted.
type Ref struct {
	Name string
	Size int64
	ID   code.Hash // of its content; zero for any
}

// Part is a mapped part. Its name and content are fixed.
type Part struct {
	Name    string
	Content Content

	mapped *local.Mapped
	users  int // guarded by Pool.mu
}

// Ref returns what leads to the part again.
func (p *Part) Ref() Ref { return Ref{Name: p.Name, Size: p.Content.Size(), ID: p.Content.Identity()} }

// Drop gives the memory of the part's pages back to the system, which reads them
// again when they are touched. Nil is no part.
func (p *Part) Drop() error {
	if p == nil {
		return nil
	}
	if err := p.mapped.Drop(); err != nil {
		return fmt.Errorf("drop pages of %s: %w", p.Name, err)
	}
	return nil
}

// Check reads every byte of the part and returns its damage. It gives the memory
// back; err says that this failed.
func (p *Part) Check() (damage, err error) {
	release := func() { err = errors.Join(err, p.Drop()) }
	damage = frame.Guard(func() error { return p.Content.Check(release) })
	release()
	return damage, err
}

// Dropping returns a writer for what parts are merged into. It gives the memory
// of the parts back every dropEvery bytes, so that a merge never holds them whole.
func Dropping(w io.Writer, parts []*Part) io.Writer { return &dropper{w: w, parts: parts} }

type dropper struct {
	w     io.Writer
	parts []*Part
	n     int
}

const dropEvery = 16 << 20

func (d *dropper) Write(b []byte) (int, error) {
	if d.n += len(b); d.n >= dropEvery {
		d.n = 0
		for _, p := range d.parts {
			if err := p.Drop(); err != nil {
				return 0, err
			}
		}
	}
	return d.w.Write(b)
}
