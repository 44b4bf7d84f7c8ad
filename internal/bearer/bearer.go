// Package bearer keeps the tokens that a server asks its clients for. Those of a data
// folder are in a file, those of a team in its database (package bearer/postgres).
//
// A token is espy_ID_SECRET. What is kept of it has the SHA-256 of the secret, which is
// random and long, so that it cannot be guessed from there.
package bearer

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/permit"
	"espy/internal/usage"
)

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

// Keeper is where tokens are kept. It is safe for use by several goroutines and
// processes.
type Keeper interface {
	// Tokens returns the tokens as they were at a time or later, zero for as they are known
	// here: expired ones too, the oldest first. The caller does not change the slice.
	Tokens(ctx context.Context, since time.Time) ([]Token, error)

	// Change calls f with the tokens and keeps what it returns in their place. Nobody
	// else changes them meanwhile. f may be called again with what it returned before.
	Change(ctx context.Context, f func([]Token) ([]Token, error)) error
}

// Store makes, ends and recognizes tokens.
type Store struct{ keeper Keeper }

// NewStore returns the store of what a keeper keeps.
func NewStore(k Keeper) *Store { return &Store{k} }

// List lists the tokens, expired ones too, the oldest first.
func (s *Store) List(ctx context.Context) ([]Token, error) {
	return s.keeper.Tokens(ctx, time.Now())
}

// Find returns the token that a text is, expired or not; ok is false where there is
// none, or none any more. One that is not known yet is looked for among the tokens of
// this very moment: what another process has just made counts at once.
func (s *Store) Find(ctx context.Context, text string) (t Token, ok bool, err error) {
	id, secret, own := parse(text)
	if !own {
		return t, false, nil
	}
	for _, since := range []time.Time{{}, time.Now()} {
		tokens, err := s.keeper.Tokens(ctx, since)
		if err != nil {
			return t, false, err
		}
		for _, t := range tokens {
			if t.ID == id && t.is(secret) {
				return t, true, nil
			}
		}
	}
	return t, false, nil
}

// Own reports whether a text has the form of a token that a Store makes.
func Own(text string) bool {
	_, _, own := parse(text)
	return own
}

// Create makes a token, and returns its text, which is kept nowhere.
func (s *Store) Create(ctx context.Context, t Token, life time.Duration) (Token, string, error) {
	switch {
	case t.Name == "" || len(t.Name) > maxName || !utf8.ValidString(t.Name) || strings.ContainsFunc(t.Name, func(r rune) bool { return r < ' ' }):
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
	err := s.keeper.Change(ctx, func(all []Token) ([]Token, error) {
		text = t.renew()
		return append(without(all, t.ID), t), nil
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
	err = s.keeper.Change(ctx, func(all []Token) ([]Token, error) {
		i, err := find(all, id)
		if err != nil {
			return nil, err
		}
		all = slices.Clone(all)
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
	err = s.keeper.Change(ctx, func(all []Token) ([]Token, error) {
		if t.ID != "" { // called again
			return without(all, t.ID), nil
		}
		i, err := find(all, id)
		if err != nil {
			return nil, err
		}
		t = all[i]
		return without(all, t.ID), nil
	})
	return t, err
}

// without returns the tokens but for one.
func without(all []Token, id string) []Token {
	return slices.DeleteFunc(slices.Clone(all), func(t Token) bool { return t.ID == id })
}

// Import adds tokens that were made elsewhere, and returns how many are new.
func (s *Store) Import(ctx context.Context, tokens []Token) (added int, err error) {
	err = s.keeper.Change(ctx, func(all []Token) ([]Token, error) {
		before := len(all)
		for _, t := range tokens {
			if !slices.ContainsFunc(all, func(o Token) bool { return o.ID == t.ID }) {
				all = append(slices.Clone(all), t)
			}
		}
		added = max(added, len(all)-before)
		return all, nil
	})
	return added, err
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
