package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"espy/internal/permit"
	"espy/internal/usage"
)

// A token is espy_ID_SECRET. The file of tokens has the SHA-256 of the secret,
// which is random and long, so that it cannot be guessed from there.

// Token is one token, without its secret.
type Token struct {
	ID      string      `json:"id"`
	Name    string      `json:"name"` // whom it is for
	Role    permit.Role `json:"role"`
	Repos   []string    `json:"repos,omitempty"` // UUIDs of the repositories that it sees; none for all
	Hash    string      `json:"hash"`            // of the secret, in hexadecimal
	Created time.Time   `json:"created"`
	Expires time.Time   `json:"expires"`
}

// Bounds of the life of a token.
const (
	minLife = time.Minute
	maxLife = 366 * 24 * time.Hour
)

// maxName is the longest name of a token in bytes.
const maxName = 100

// Store is the file of tokens.
type Store struct{ path string }

// NewStore returns the store of a data folder. There may be none yet.
func NewStore(dataDir string) *Store { return &Store{filepath.Join(dataDir, "tokens.json")} }

// file is what the file holds.
type file struct {
	Version int     `json:"version"`
	Tokens  []Token `json:"tokens"`
}

const version = 1

// List lists the tokens, expired ones too, the oldest first. A file that others
// than its owner may read or write is refused: what it says would not be known to
// be the owner's.
func (s *Store) List() ([]Token, error) {
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

// change runs f on the tokens and writes what it returns.
func (s *Store) change(ctx context.Context, f func([]Token) ([]Token, error)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("tokens: %w", err)
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("lock tokens: %w", err)
	}
	defer lock.Unlock() //nolint:errcheck // it ends with the process
	tokens, err := s.List()
	if err == nil {
		tokens, err = f(tokens)
	}
	if err != nil {
		return err
	}
	return s.write(file{version, tokens})
}

// write replaces the file, which only its owner may read.
func (s *Store) write(f file) error {
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

// Create makes a token, and returns its text, which is kept nowhere.
func (s *Store) Create(ctx context.Context, t Token, life time.Duration) (Token, string, error) {
	switch {
	case t.Name == "" || len(t.Name) > maxName || strings.ContainsFunc(t.Name, func(r rune) bool { return r < ' ' }):
		return t, "", &usage.Error{Arg: "name", Value: t.Name, Msg: fmt.Sprintf("must be one line of 1 to %d bytes", maxName), Hint: "say whom the token is for: --name ci"}
	case !slices.Contains(permit.Roles, t.Role):
		return t, "", &usage.Error{Arg: "role", Value: string(t.Role), Msg: "unknown role", Hint: "it is one of read, index, admin"}
	case life < minLife || life > maxLife:
		return t, "", &usage.Error{Arg: "expires", Value: life.String(), Msg: "a token lives between 1 minute and 366 days", Hint: "--expires 90d"}
	}
	t.ID = strings.ToLower(rand.Text()[:10])
	t.Created = time.Now().UTC().Truncate(time.Second)
	t.Expires = t.Created.Add(life)
	var text string
	err := s.change(ctx, func(all []Token) ([]Token, error) {
		text = t.renew()
		return append(all, t), nil
	})
	return t, text, err
}

// renew gives a token a new secret and returns its text.
func (t *Token) renew() string {
	secret := rand.Text() + rand.Text()
	t.Hash = hash(secret)
	return prefix + t.ID + "_" + secret
}

// Rotate gives a token a new secret and a new life as long as the one it had. The
// old secret ends at once.
func (s *Store) Rotate(ctx context.Context, id string) (t Token, text string, err error) {
	err = s.change(ctx, func(all []Token) ([]Token, error) {
		i, err := find(all, id)
		if err != nil {
			return nil, err
		}
		life := all[i].Expires.Sub(all[i].Created)
		all[i].Created = time.Now().UTC().Truncate(time.Second)
		all[i].Expires = all[i].Created.Add(life)
		text = all[i].renew()
		t = all[i]
		return all, nil
	})
	return t, text, err
}

// Revoke ends a token.
func (s *Store) Revoke(ctx context.Context, id string) (t Token, err error) {
	err = s.change(ctx, func(all []Token) ([]Token, error) {
		i, err := find(all, id)
		if err != nil {
			return nil, err
		}
		t = all[i]
		return slices.Delete(all, i, i+1), nil
	})
	return t, err
}

// find returns the token of an id, or of a name that only one has.
func find(all []Token, id string) (int, error) {
	var ids []string
	found := -1
	for i, t := range all {
		if t.ID == id {
			return i, nil
		}
		if t.Name == id {
			ids, found = append(ids, t.ID), i
		}
	}
	switch len(ids) {
	case 0:
		return 0, &usage.Error{Msg: fmt.Sprintf("no token %q", usage.Shorten(id, 100)), Hint: "espy token list shows them"}
	case 1:
		return found, nil
	}
	return 0, &usage.Error{Msg: fmt.Sprintf("%d tokens have the name %q", len(ids), id), Hint: "give one of their ids: " + strings.Join(ids, ", ")}
}

const prefix = "espy_"

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// parse takes the text of a token apart.
func parse(text string) (id, secret string, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "_")
}

// is reports whether a secret is that of the token, in a time that does not tell
// how much of it is right.
func (t *Token) is(secret string) bool {
	return subtle.ConstantTimeCompare([]byte(t.Hash), []byte(hash(secret))) == 1
}
