package shebe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"espy/internal/pattern"
	"espy/internal/render"
	"espy/internal/session"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Codes of Shebe's own.
const (
	codeSession = -32001 // session not found, and requests that its state refuses
	codeSearch  = -32004 // a query that cannot be parsed
)

func failure(code int64, message, hint string) *jsonrpc.Error {
	e := &jsonrpc.Error{Code: code, Message: render.Visible(message)}
	if hint != "" {
		data, err := json.Marshal(map[string]string{"hint": hint})
		if err != nil {
			panic(fmt.Errorf("shebe: encode a hint: %w", err))
		}
		e.Data = data
	}
	return e
}

// invalid is the error of an argument that does not fit.
func invalid(message string) *jsonrpc.Error { return failure(jsonrpc.CodeInvalidParams, message, "") }

// refused is the error of a request that the state of a session refuses.
func refused(message string) *jsonrpc.Error { return failure(codeSession, message, "") }

func internal(prefix string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return failure(jsonrpc.CodeInternalError, prefix+err.Error(), "")
}

var nameForm = pattern.New(`\A[\p{L}\p{M}\p{N}_-]*\z`)

// checkName refuses what cannot be the name of a session.
func checkName(name string) error {
	if session.IsName(name) {
		return nil
	}
	switch n := len([]rune(name)); {
	case n < 1 || n > 64:
		return invalid("Session must be 1-64 characters")
	case !nameForm().MatchString(name):
		message := "Session must contain only alphanumeric, hyphen, underscore"
		if proposed := strings.ReplaceAll(name, ".", "-"); session.IsName(proposed) {
			message += " (use '" + proposed + "')"
		}
		return invalid(message)
	}
	return invalid("Session must start with alphanumeric character")
}

// noSession is the error of a name without a session.
func noSession(name string, nearest []string) error {
	hint := "Use list_sessions to see available sessions."
	if len(nearest) > 0 {
		hint += " Did you mean '" + nearest[0] + "'?"
	}
	return failure(codeSession, "Session not found: "+name, hint)
}

// session returns the session of a name, whatever its schema.
func (s *server) session(ctx context.Context, name string) (*session.Session, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	found, err := s.find(ctx, name)
	var none *session.NotFoundError
	if errors.As(err, &none) {
		return nil, noSession(name, none.Nearest)
	}
	if err != nil {
		return nil, internal("Serialization error: ", err)
	}
	return found, nil
}

// find returns the session of a valid name, of Shebe's own where Espy has none.
func (s *server) find(ctx context.Context, name string) (*session.Session, error) {
	found, err := s.all.Find(ctx, name)
	if !errors.As(err, new(*session.NotFoundError)) {
		return found, err
	}
	for _, dir := range s.former(ctx) {
		rec, oldErr := legacy(dir).session(name)
		switch {
		case errors.Is(oldErr, fs.ErrNotExist):
			continue
		case oldErr != nil:
			return nil, &session.DamagedError{Name: name, Err: oldErr}
		}
		rec.Policy = s.policy(rec.Include, rec.Exclude)
		return s.all.Of(rec), nil
	}
	return nil, err
}

// open opens a session for questions.
func (s *server) open(ctx context.Context, name string) (*session.View, error) {
	found, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	if found.Schema < session.Schema {
		return nil, invalid(fmt.Sprintf("Invalid session: Session '%s' uses schema v%d but current version is v%d.\nRepository path: %s\nRe-index to upgrade: use upgrade_session tool or index_repository with force=true.",
			name, found.Schema, session.Schema, found.Root))
	}
	return s.view(ctx, found)
}

// view opens a session, indexing it again where it has no index. A folder that
// is gone is told in the words of reindex_session.
func (s *server) view(ctx context.Context, found *session.Session) (*session.View, error) {
	if found.View == "" { // one of Shebe's own, at its first use
		s.say("Indexing " + found.Root + " as '" + found.Name + "'...")
	}
	v, err := found.Open(ctx)
	if err == nil {
		return v, nil
	}
	if gone := checkRoot(found, "re-indexed"); gone != nil {
		return nil, gone
	}
	return nil, internal("Storage error: ", err)
}
