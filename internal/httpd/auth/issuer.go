package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	sdk "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"espy/internal/permit"
	"espy/internal/usage"
)

// IssuerOptions name the authorization server that is trusted. They come from the
// operator alone.
type IssuerOptions struct {
	Groups   *Groups      // which repositories exist for groups; nil is all for everybody
	URL      string       // of the authorization server, as its tokens have it in iss
	Keys     string       // address of its keys; empty asks it where they are
	Resource string       // public address of this server's /mcp, as tokens have it in aud
	Client   *http.Client // nil is one without a proxy
}

// Issuer checks tokens that an authorization server has signed.
type Issuer struct {
	opts     IssuerOptions
	metadata http.Handler

	mu      sync.Mutex
	keys    jose.JSONWebKeySet // guarded by mu
	fetched time.Time          // when the keys were last asked for, guarded by mu
}

const (
	fetchTime  = 5 * time.Second  // to fetch the keys
	fetchAgain = 30 * time.Second // at least, between two fetches: a forged token may name any key
	keysLife   = time.Hour        // then they are fetched anew
	maxKeys    = 1 << 20          // bytes of an answer
	leeway     = 30 * time.Second // by which clocks may differ
)

// algorithms are those of public keys: a token signed by a shared secret, or not at
// all, does not count.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// The scopes of a token, of which the strongest is its role.
var scopes = map[string]permit.Role{"espy:read": permit.Read, "espy:index": permit.Index, "espy:admin": permit.Admin}

// NewIssuer returns what checks the tokens of an authorization server. It asks the
// server nothing yet.
func NewIssuer(o IssuerOptions) (*Issuer, error) {
	for arg, address := range map[string]string{"oauth-issuer": o.URL, "oauth-keys": o.Keys, "public-url": o.Resource} {
		if arg == "oauth-keys" && address == "" {
			continue
		}
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
			return nil, &usage.Error{Arg: arg, Value: address, Msg: "is no https address", Hint: "such as https://login.example.org"}
		}
	}
	if o.Client == nil {
		o.Client = &http.Client{}
	}
	i := &Issuer{opts: o}
	i.metadata = sdk.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: o.Resource, AuthorizationServers: []string{o.URL}, ScopesSupported: []string{"espy:read", "espy:index", "espy:admin"},
		BearerMethodsSupported: []string{"header"}, ResourceName: "Espy code search",
	})
	return i, nil
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// metadataPath is where RFC 9728 has the metadata of a resource, before its path.
const metadataPath = "/.well-known/oauth-protected-resource"

// Metadata says where a client gets a token (RFC 9728), by the paths it is found at.
func (i *Issuer) Metadata() (paths []string, h http.Handler) {
	u, err := url.Parse(i.opts.Resource)
	if err != nil {
		panic(err) // it was checked
	}
	return slices.Compact([]string{metadataPath, metadataPath + strings.TrimRight(u.Path, "/")}), i.metadata
}

func (i *Issuer) metadataURL() string {
	u, err := url.Parse(i.opts.Resource)
	if err != nil {
		panic(err) // it was checked
	}
	u.Path = metadataPath + strings.TrimRight(u.Path, "/")
	return u.String()
}

// claims is what a token says beside the registered claims.
type claims struct {
	jwt.Claims
	Scope string   `json:"scope"`             // words
	Scp   []string `json:"scp"`               // as some servers have it
	Repos []string `json:"espy_repositories"` // names or UUIDs; absent is what the groups see
	Group []string `json:"groups"`
}

// verify returns who a token stands for.
func (i *Issuer) verify(ctx context.Context, text string) (*identity, error) {
	token, err := jwt.ParseSigned(text, algorithms)
	if err != nil || len(token.Headers) != 1 {
		return nil, &deniedError{"the token is neither one of espy's nor a signed one", "get one from " + i.opts.URL}
	}
	var c claims
	if err := i.signed(ctx, token, &c); err != nil {
		return nil, err
	}
	now := time.Now()
	switch {
	case c.Issuer != i.opts.URL:
		return nil, &deniedError{"the token is of another issuer", "get one from " + i.opts.URL}
	case !oauthex.MatchesResource(c.Audience, i.opts.Resource):
		return nil, &deniedError{"the token is for another server", "ask for one for " + i.opts.Resource}
	case c.Expiry == nil:
		return nil, &deniedError{"the token does not expire", "get one that does"}
	case c.ValidateWithLeeway(jwt.Expected{Time: now}, leeway) != nil:
		return nil, &deniedError{"the token has expired, or is not valid yet", "get a new one from " + i.opts.URL}
	case c.Subject == "":
		return nil, &deniedError{"the token names nobody", "its sub has to"}
	}
	role := c.role()
	if role == "" {
		return nil, &deniedError{"the token has no scope of this server", "ask for espy:read, espy:index or espy:admin"}
	}
	who := permit.Caller{Name: c.Issuer + " " + c.Subject, Role: role, Only: c.Repos != nil, Repos: c.Repos}
	if c.Repos == nil && i.opts.Groups != nil {
		if who.Repos, who.Only, err = i.opts.Groups.sees(c.Group); err != nil {
			return nil, err
		}
	}
	return &identity{who, c.Expiry.Time()}, nil
}

// role is the strongest role of the scopes.
func (c *claims) role() (role permit.Role) {
	for _, s := range append(strings.Fields(c.Scope), c.Scp...) {
		if r, ok := scopes[s]; ok && (role == "" || r.Allows(role)) {
			role = r
		}
	}
	return role
}

// signed reads the claims of a token that one of the issuer's keys has signed.
func (i *Issuer) signed(ctx context.Context, token *jwt.JSONWebToken, c *claims) error {
	for _, again := range []bool{false, true} {
		set, err := i.keySet(ctx, again)
		if err != nil {
			return err
		}
		keys := set.Keys
		if id := token.Headers[0].KeyID; id != "" {
			keys = set.Key(id)
		}
		for _, k := range keys {
			if k.IsPublic() && token.Claims(k.Key, c) == nil {
				return nil
			}
		}
	}
	return &deniedError{"no key of the issuer has signed the token", "get a new one from " + i.opts.URL}
}

// keySet returns the keys of the issuer, fetched where they are old or, once in a
// while, where a token needs another.
func (i *Issuer) keySet(ctx context.Context, again bool) (jose.JSONWebKeySet, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	have, age := len(i.keys.Keys) > 0, time.Since(i.fetched)
	if have && (age < fetchAgain || !again && age < keysLife) {
		return i.keys, nil
	}
	if age < fetchAgain {
		return i.keys, errors.New("the keys of the issuer could not be fetched a moment ago")
	}
	i.fetched = time.Now()
	set, err := i.fetchKeys(ctx)
	if err != nil {
		if have {
			return i.keys, nil // the old ones still tell good from bad
		}
		return i.keys, fmt.Errorf("fetch the keys of %s: %w", i.opts.URL, err)
	}
	i.keys = set
	return set, nil
}

func (i *Issuer) fetchKeys(ctx context.Context) (set jose.JSONWebKeySet, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
	defer cancel()
	address := i.opts.Keys
	if address == "" {
		if address, err = i.discover(ctx); err != nil {
			return set, err
		}
	}
	return set, i.fetch(ctx, address, &set)
}

// discover asks the issuer where its keys are: as RFC 8414 has it, or OpenID Connect.
func (i *Issuer) discover(ctx context.Context) (address string, err error) {
	u, err := url.Parse(i.opts.URL)
	if err != nil {
		return "", err
	}
	path := strings.TrimRight(u.Path, "/")
	for _, p := range []string{"/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"} {
		u.Path = p
		var about struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		if err = i.fetch(ctx, u.String(), &about); err != nil {
			continue
		}
		if about.Issuer != i.opts.URL {
			return "", fmt.Errorf("%s says it is the issuer %q", u.String(), usage.Shorten(about.Issuer, 200))
		}
		if k, err := url.Parse(about.Keys); err == nil && k.Host != "" && (k.Scheme == "https" || isLoopback(k.Hostname())) {
			return about.Keys, nil
		}
		return "", fmt.Errorf("%s names no https address of keys", u.String())
	}
	return "", err
}

func (i *Issuer) fetch(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := i.opts.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, res.Status)
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxKeys))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
