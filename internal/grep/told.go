package grep

import (
	"context"
	"encoding/binary"
	"errors"
	"os"

	"espy/internal/grep/indexed"
	"espy/internal/store"
)

// A process that follows the files of a repository knows them without a walk. It is
// given the command line, and tells which files are to be searched:
//
//	for each folder that was named
//	    the length of the path where the walk began, the path
//	    the files that were not known to the index, the number of files, then for each
//	        the length of its path, the path, its size, its time (zigzag), 1 where it cannot match
//
// Numbers are unsigned varints unless said otherwise.

// Look has an index of the repository that a folder is in looked at, which is up to date
// as far as that can be known. Its error says that there is none.
type Look func(ctx context.Context, dir string, at At) error

// At returns what looks at the index of a repository in which the folder has a path, ""
// where it is the root.
type At func(path string) func(*store.Snapshot) error

// Tell writes which files a request searches below the folders that it names. An error
// says that the files must be walked to know.
func Tell(ctx context.Context, req *Request, env *Env, look Look) error {
	r := &run{req: req, env: env, ctx: ctx}
	var out []byte
	r.files = func(root *os.Root, w *walk) (f *found, err error) {
		err = look(ctx, w.top, func(path string) func(*store.Snapshot) error {
			return func(s *store.Snapshot) (err error) {
				f, err = r.known(root, w, s, path)
				return err
			}
		})
		if err == nil {
			out = f.encode(out, w.top)
		}
		return f, err
	}
	if _, err := r.targets(); err != nil {
		return err
	}
	if r.out.Failed { // it says more by a walk
		return errors.New("a path cannot be read")
	}
	_, err := env.Out.Write(out)
	return err
}

// known lists a folder, which has a path in a repository, by an index that shows the
// files as they are now.
func (r *run) known(root *os.Root, w *walk, s *store.Snapshot, path string) (*found, error) {
	if fresh := &s.Freshness; fresh.Unchecked || fresh.Partial || fresh.PendingFiles > 0 {
		return nil, errors.New("the index is not up to date")
	}
	q, _ := r.question()
	x, err := indexed.Of(s, path, q)
	if err != nil {
		return nil, err
	}
	return r.walk(root, w, x)
}

func (f *found) encode(p []byte, top string) []byte {
	p = appendText(p, top)
	p = binary.AppendUvarint(p, uint64(f.unknown))
	p = binary.AppendUvarint(p, uint64(len(f.files)))
	for i := range f.files {
		e := &f.files[i]
		p = appendText(p, e.path)
		p = binary.AppendUvarint(p, uint64(e.size))
		p = binary.AppendVarint(p, e.mtime)
		skip := byte(0)
		if e.skip {
			skip = 1
		}
		p = append(p, skip)
	}
	return p
}

func appendText(p []byte, s string) []byte {
	return append(binary.AppendUvarint(p, uint64(len(s))), s...)
}

// told is what another process has told, and not been used yet.
type told struct {
	p   []byte
	bad bool // what comes next was not told as expected
}

// files returns what was told of the folder that comes next.
func (t *told) files(w *walk) (f *found, ok bool) {
	if top := t.text(); t.bad || top != w.top {
		return nil, false
	}
	f = &found{unknown: int(t.number())}
	n := t.number()
	if n > uint64(len(t.p)) {
		return nil, false
	}
	f.files = make([]file, n)
	for i := range f.files {
		e := &f.files[i]
		e.path, e.size, e.mtime = t.text(), int64(t.number()), t.signed()
		e.skip = t.number() != 0
	}
	return f, !t.bad
}

func (t *told) number() uint64 {
	v, n := binary.Uvarint(t.p)
	t.advance(n)
	return v
}

func (t *told) signed() int64 {
	v, n := binary.Varint(t.p)
	t.advance(n)
	return v
}

func (t *told) advance(n int) {
	if n <= 0 {
		t.bad, t.p = true, nil
		return
	}
	t.p = t.p[n:]
}

func (t *told) text() string {
	n := t.number()
	if n > uint64(len(t.p)) {
		t.bad, t.p = true, nil
		return ""
	}
	s := string(t.p[:n])
	t.p = t.p[n:]
	return s
}
