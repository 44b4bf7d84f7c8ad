package grep

import (
	"context"
	"errors"
	"os"

	"espy/internal/grep/indexed"
	"espy/internal/store"
)

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
