// Package auth finds out who sends a request: the bearer of a token that the
// operator made, or of one that the authorization server signed which the
// operator trusts (OAuth 2.1). What the bearer may do and see goes with the
// request, as package permit has it.
package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/auth"

	"espy/internal/bearer"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/permit"
)

// Options say which tokens count.
type Options struct {
	Store    *bearer.Store
	Issuer   *Issuer // nil trusts no authorization server
	Required bool    // a request without a token is refused
	Audit    *slog.Logger
	Touched  func(t permit.Touch, from string) // told what the audit is told, with the address of the client; nil is not
	Now      func() time.Time                  // nil is the clock
}

// Auth finds out who sends requests.
type Auth struct{ opts Options }

// New returns what finds out who sends requests.
func New(o Options) *Auth {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Audit == nil {
		o.Audit = slog.New(slog.DiscardHandler)
	}
	return &Auth{opts: o}
}

// deniedError says why a token does not count.
type deniedError struct{ msg, hint string }

func (e *deniedError) Error() string { return e.msg }

// identity is who a token stands for, and until when.
type identity struct {
	permit.Caller
	until time.Time
}

// verify returns who a token stands for.
func (a *Auth) verify(ctx context.Context, text string) (*identity, error) {
	if !bearer.Own(text) && a.opts.Issuer != nil {
		return a.opts.Issuer.verify(ctx, text)
	}
	var t bearer.Token
	var ok bool
	var err error
	if a.opts.Store != nil {
		t, ok, err = a.opts.Store.Find(ctx, text)
	}
	switch {
	case err != nil:
		return nil, err
	case ok && a.opts.Now().Before(t.Expires):
		return &identity{permit.Caller{Name: t.Name + " (" + t.ID + ")", Role: t.Role, Only: len(t.Repos) > 0, Repos: t.Repos}, t.Expires}, nil
	case ok:
		return nil, &deniedError{"the token expired at " + t.Expires.UTC().Format(time.RFC3339), "ask the operator to rotate it: espy token rotate " + t.ID}
	}
	return nil, &deniedError{"the token is not known, or was revoked", "the operator makes one: espy token create"}
}

// Handler lets requests of known bearers through, and those of nobody where no
// token is required.
func (a *Auth) Handler(next http.Handler) http.Handler {
	known := sdk.RequireBearerToken(info, &sdk.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		if header == "" && !a.opts.Required {
			next.ServeHTTP(w, r)
			return
		}
		who, p := a.who(r.Context(), header)
		if p != nil {
			a.challenge(w.Header(), header != "")
			p.Write(w)
			return
		}
		who.Audit = func(t permit.Touch) {
			a.opts.Audit.Info("touched", "who", t.Who, "tool", t.Tool, "repo", t.Repo, "from", r.RemoteAddr)
			if a.opts.Touched != nil {
				a.opts.Touched(t, r.RemoteAddr)
			}
		}
		ctx := permit.With(r.Context(), &who.Caller)
		known.ServeHTTP(w, r.WithContext(context.WithValue(ctx, identityKey{}, who)))
	})
}

// who returns who sends a request with this header.
func (a *Auth) who(ctx context.Context, header string) (*identity, *problem.Problem) {
	scheme, token, _ := strings.Cut(header, " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "bearer") || token == "" {
		return nil, problem.New(http.StatusUnauthorized, "a token is needed", "send it in a header: Authorization: Bearer TOKEN; the operator makes one with espy token create")
	}
	who, err := a.verify(ctx, token)
	var denied *deniedError
	switch {
	case err == nil:
		return who, nil
	case errors.As(err, &denied):
		return nil, problem.New(http.StatusUnauthorized, denied.msg, denied.hint)
	}
	return nil, problem.New(http.StatusServiceUnavailable, "the token cannot be checked: "+err.Error(), "try again; the server's operator has to look at it if it stays so")
}

// challenge tells a client how to be let in.
func (a *Auth) challenge(h http.Header, invalid bool) {
	text := `Bearer realm="espy"`
	if invalid {
		text += `, error="invalid_token"`
	}
	if a.opts.Issuer != nil {
		text += fmt.Sprintf(", resource_metadata=%q", a.opts.Issuer.metadataURL())
	}
	h.Set("WWW-Authenticate", text)
}

type identityKey struct{}

// info tells the SDK who sends a request, so that it keeps sessions apart.
func info(ctx context.Context, _ string, _ *http.Request) (*sdk.TokenInfo, error) {
	who := ctx.Value(identityKey{}).(*identity)
	return &sdk.TokenInfo{UserID: who.Name, Expiration: who.until, Extra: map[string]any{host.CallerKey: &who.Caller}}, nil
}
