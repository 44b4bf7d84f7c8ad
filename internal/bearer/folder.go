package bearer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"espy/internal/usage"
)

// Folder keeps tokens in a file of a data folder. There may be none yet.
type Folder struct {
	path string

	mu    sync.Mutex
	at    os.FileInfo // the file as it was read, nil for none; guarded by mu
	known []Token     // guarded by mu
}

// InFolder returns the keeper of a data folder.
func InFolder(dataDir string) *Folder { return &Folder{path: filepath.Join(dataDir, "tokens.json")} }

// Path returns the file, which may not be there.
func (s *Folder) Path() string { return s.path }

// Tokens implements Keeper. The file is read again where it has changed, so that a
// revoked token ends at once.
func (s *Folder) Tokens(context.Context, time.Time) ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if err != nil {
		s.at, s.known = nil, nil
		return s.list()
	}
	if s.at != nil && os.SameFile(s.at, info) && s.at.ModTime().Equal(info.ModTime()) && s.at.Size() == info.Size() {
		return s.known, nil
	}
	list, err := s.list()
	if err == nil {
		s.at, s.known = info, list
	}
	return list, err
}

// file is what the file holds.
type file struct {
	Version int     `json:"version"`
	Tokens  []Token `json:"tokens"`
}

const version = 1

// list reads the file. One that others than its owner may read or write is refused:
// what it says would not be known to be the owner's.
func (s *Folder) list() ([]Token, error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, &usage.Error{Msg: fmt.Sprintf("the file of tokens %s is open to other users (mode %#o)", s.path, info.Mode().Perm()), Hint: "close it: chmod 600 " + s.path + "; and rotate its tokens"}
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("tokens %s: %w", s.path, err)
	}
	if f.Version != version {
		return nil, fmt.Errorf("tokens %s: version %d, and this espy knows %d", s.path, f.Version, version)
	}
	return f.Tokens, nil
}

// Change implements Keeper.
func (s *Folder) Change(ctx context.Context, f func([]Token) ([]Token, error)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("lock tokens: %w", err)
	}
	defer lock.Unlock() //nolint:errcheck // it ends with the process
	tokens, err := s.list()
	if err == nil {
		tokens, err = f(tokens)
	}
	if err != nil {
		return err
	}
	return s.write(file{version, tokens})
}

// write replaces the file, which only its owner may read.
func (s *Folder) write(f file) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("encode tokens: %w", err)
	}
	out, err := os.CreateTemp(filepath.Dir(s.path), "tokens-*")
	if err != nil {
		return fmt.Errorf("write tokens: %w", err)
	}
	_, err = out.Write(append(text, '\n'))
	err = errors.Join(err, out.Chmod(0o600), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write tokens: %w", err), os.Remove(out.Name()))
	}
	return nil
}
