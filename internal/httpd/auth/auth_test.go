package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"espy/internal/bearer"
	"espy/internal/permit"
)

// newStore returns a store with one token, and the token's text.
func newStore(t *testing.T) (s *bearer.Store, id, text string) {
	t.Helper()
	s = bearer.NewStore(bearer.InFolder(t.TempDir()))
	made, text, err := s.Create(t.Context(), bearer.Token{Name: "ci", Role: permit.Index, Repos: []string{"repo-1"}}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return s, made.ID, text
}

// hashOf is what is kept of the secret of the only token.
func hashOf(t *testing.T, s *bearer.Store) string {
	t.Helper()
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Hash
}

// ask sends a request with a header through auth, and returns the status, the
// answer, and who was let in.
func ask(a *Auth, header string) (*httptest.ResponseRecorder, *permit.Caller) {
	var who *permit.Caller
	h := a.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { who = permit.Of(r.Context()) }))
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	if header != "" {
		r.Header.Set("Authorization", header)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w, who
}

// TestToken holds which headers let in, and what the others are answered.
func TestToken(t *testing.T) {
	s, id, text := newStore(t)
	a := New(Options{Store: s, Required: true})
	for name, tt := range map[string]struct {
		header string
		status int
		want   string
	}{
		"good":             {"Bearer " + text, 200, ""},
		"small letters":    {"bearer " + text, 200, ""},
		"none":             {"", 401, "a token is needed"},
		"another scheme":   {"Basic " + text, 401, "a token is needed"},
		"no token":         {"Bearer ", 401, "a token is needed"},
		"wrong secret":     {"Bearer " + text[:len(text)-1] + "!", 401, "the token is not known"},
		"id alone":         {"Bearer espy_" + id, 401, "the token is not known"},
		"another token":    {"Bearer ghp_0123456789", 401, "the token is not known"},
		"hash as a secret": {"Bearer espy_" + id + "_" + hashOf(t, s), 401, "the token is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			w, who := ask(a, tt.header)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
				t.Fatalf("%d %s, want %d %s", w.Code, w.Body, tt.status, tt.want)
			}
			if tt.status == 200 && (who == nil || who.Role != permit.Index || !who.Only || who.Repos[0] != "repo-1" || who.Name != "ci ("+id+")") {
				t.Errorf("caller %+v", who)
			}
			if challenge := w.Header().Get("WWW-Authenticate"); (tt.status == 401) != strings.HasPrefix(challenge, `Bearer realm="espy"`) {
				t.Errorf("WWW-Authenticate %q", challenge)
			}
		})
	}
}

// TestNotRequired checks that who sends no token is let in where none is required,
// and that one that is sent counts all the same.
func TestNotRequired(t *testing.T) {
	s, _, text := newStore(t)
	a := New(Options{Store: s})
	for name, tt := range map[string]struct {
		header string
		status int
		caller bool
	}{
		"none":  {"", 200, false},
		"good":  {"Bearer " + text, 200, true},
		"wrong": {"Bearer x", 401, false},
	} {
		t.Run(name, func(t *testing.T) {
			if w, who := ask(a, tt.header); w.Code != tt.status || (who != nil) != tt.caller {
				t.Errorf("%d, caller %+v", w.Code, who)
			}
		})
	}
}

// TestExpiry checks that a token counts to its last second and not longer.
func TestExpiry(t *testing.T) {
	s, _, text := newStore(t)
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		at   time.Duration // after it expires
		want int
	}{"before": {-time.Second, 200}, "then": {0, 401}, "after": {time.Second, 401}} {
		t.Run(name, func(t *testing.T) {
			a := New(Options{Store: s, Required: true, Now: func() time.Time { return all[0].Expires.Add(tt.at) }})
			w, _ := ask(a, "Bearer "+text)
			if w.Code != tt.want || tt.want == 401 && !strings.Contains(w.Body.String(), "the token expired at ") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// TestChange checks that a server heeds a rotated and a revoked token at once.
func TestChange(t *testing.T) {
	s, id, first := newStore(t)
	a := New(Options{Store: s, Required: true})
	code := func(text string) int { w, _ := ask(a, "Bearer "+text); return w.Code }
	if code(first) != 200 {
		t.Fatal("the new token does not count")
	}
	_, second, err := s.Rotate(t.Context(), "ci")
	if err != nil || code(first) != 401 || code(second) != 200 {
		t.Fatalf("after rotation: old %d, new %d, error %v", code(first), code(second), err)
	}
	if _, err := s.Revoke(t.Context(), id); err != nil || code(second) != 401 {
		t.Fatalf("after revocation: %d, error %v", code(second), err)
	}
	if _, err := s.Revoke(t.Context(), id); err == nil || !strings.Contains(err.Error(), "espy token list") {
		t.Errorf("error %v", err)
	}
}

// TestFile checks that a file that others may read lets nobody in.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	file := bearer.InFolder(dir)
	s := bearer.NewStore(file)
	_, text, err := s.Create(t.Context(), bearer.Token{Name: "ci", Role: permit.Index}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file.Path(), 0o640); err != nil {
		t.Fatal(err)
	}
	if w, _ := ask(New(Options{Store: s, Required: true}), "Bearer "+text); w.Code != 503 || !strings.Contains(w.Body.String(), "chmod 600") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestDamagedFile checks that a file that cannot be read lets nobody in.
func TestDamagedFile(t *testing.T) {
	for name, content := range map[string]string{"half": `{"version":1,"tok`, "newer": `{"version":2}`, "empty": ""} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "tokens.json"), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if w, who := ask(New(Options{Store: bearer.NewStore(bearer.InFolder(dir)), Required: true}), "Bearer espy_a_b"); w.Code != 503 || who != nil {
				t.Errorf("%d, caller %v", w.Code, who)
			}
		})
	}
}

// signer is an authorization server.
type signer struct {
	*httptest.Server
	key     *ecdsa.PrivateKey
	fetches int
}

const resource = "https://espy.example.org/mcp"

func newSigner(t *testing.T) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &signer{key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]string{"issuer": s.URL, "jwks_uri": s.URL + "/keys"}) //nolint:errcheck // a test
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		s.fetches++
		json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: s.key.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}}}) //nolint:errcheck // a test
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// sign returns a token.
func sign(t *testing.T, key any, algorithm jose.SignatureAlgorithm, c map[string]any) string {
	t.Helper()
	by, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "k1"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(by).Claims(c).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestIssuer holds which signed tokens let in.
func TestIssuer(t *testing.T) {
	s := newSigner(t)
	forger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i, err := NewIssuer(IssuerOptions{URL: s.URL, Resource: resource})
	if err != nil {
		t.Fatal(err)
	}
	a := New(Options{Issuer: i, Required: true})
	with := func(change map[string]any) map[string]any {
		c := map[string]any{"iss": s.URL, "aud": resource, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(), "scope": "openid espy:read"}
		for k, v := range change {
			if c[k] = v; v == nil {
				delete(c, k)
			}
		}
		return c
	}
	for name, tt := range map[string]struct {
		token string
		want  string // "" lets in
		role  permit.Role
	}{
		"good":             {sign(t, s.key, jose.ES256, with(nil)), "", permit.Read},
		"strongest scope":  {sign(t, s.key, jose.ES256, with(map[string]any{"scope": "espy:admin espy:read"})), "", permit.Admin},
		"scopes in a list": {sign(t, s.key, jose.ES256, with(map[string]any{"scope": nil, "scp": []string{"espy:index"}})), "", permit.Index},
		"several for":      {sign(t, s.key, jose.ES256, with(map[string]any{"aud": []string{"https://other.example.org", resource}})), "", permit.Read},
		"for another":      {sign(t, s.key, jose.ES256, with(map[string]any{"aud": "https://other.example.org"})), "the token is for another server", ""},
		"for nobody":       {sign(t, s.key, jose.ES256, with(map[string]any{"aud": nil})), "the token is for another server", ""},
		"another issuer":   {sign(t, s.key, jose.ES256, with(map[string]any{"iss": "https://evil.example"})), "the token is of another issuer", ""},
		"expired":          {sign(t, s.key, jose.ES256, with(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()})), "the token has expired", ""},
		"not yet":          {sign(t, s.key, jose.ES256, with(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()})), "not valid yet", ""},
		"for ever":         {sign(t, s.key, jose.ES256, with(map[string]any{"exp": nil})), "the token does not expire", ""},
		"no scope":         {sign(t, s.key, jose.ES256, with(map[string]any{"scope": "openid"})), "the token has no scope of this server", ""},
		"nobody":           {sign(t, s.key, jose.ES256, with(map[string]any{"sub": nil})), "the token names nobody", ""},
		"forged":           {sign(t, forger, jose.ES256, with(nil)), "no key of the issuer has signed the token", ""},
		"shared secret":    {sign(t, []byte(strings.Repeat("k", 32)), jose.HS256, with(nil)), "neither one of espy's nor a signed one", ""},
		"not signed":       {"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.", "neither one of espy's nor a signed one", ""},
		"no token at all":  {"hello", "neither one of espy's nor a signed one", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, who := ask(a, "Bearer "+tt.token)
			if tt.want == "" {
				if w.Code != 200 || who == nil || who.Role != tt.role || who.Only {
					t.Errorf("%d %s, caller %+v", w.Code, w.Body, who)
				}
				return
			}
			if w.Code != 401 || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("%d %s, want 401 %s", w.Code, w.Body, tt.want)
			}
			if !strings.Contains(w.Header().Get("WWW-Authenticate"), `resource_metadata="https://espy.example.org/.well-known/oauth-protected-resource/mcp"`) {
				t.Errorf("challenge %q", w.Header().Get("WWW-Authenticate"))
			}
		})
	}
	if s.fetches != 1 {
		t.Errorf("the keys were fetched %d times", s.fetches)
	}
}

// TestRepositoriesOfAToken checks that a signed token may name the repositories
// that it sees, none among them.
func TestRepositoriesOfAToken(t *testing.T) {
	s := newSigner(t)
	i, err := NewIssuer(IssuerOptions{URL: s.URL, Keys: s.URL + "/keys", Resource: resource})
	if err != nil {
		t.Fatal(err)
	}
	for name, repos := range map[string][]string{"two": {"shop", "api"}, "none": {}} {
		t.Run(name, func(t *testing.T) {
			token := sign(t, s.key, jose.ES256, map[string]any{"iss": s.URL, "aud": resource, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(), "scope": "espy:read", "espy_repositories": repos})
			_, who := ask(New(Options{Issuer: i, Required: true}), "Bearer "+token)
			if who == nil || !who.Only || len(who.Repos) != len(repos) {
				t.Errorf("caller %+v", who)
			}
		})
	}
}

// TestIssuerOptions holds which addresses are refused.
func TestIssuerOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		o    IssuerOptions
		want string
	}{
		"in the clear":   {IssuerOptions{URL: "http://login.example.org", Resource: resource}, "oauth-issuer"},
		"no resource":    {IssuerOptions{URL: "https://login.example.org"}, "public-url"},
		"keys, in clear": {IssuerOptions{URL: "https://login.example.org", Keys: "http://keys.example.org", Resource: resource}, "oauth-keys"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewIssuer(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestIssuerIsDown checks that nobody is let in while the keys cannot be had.
func TestIssuerIsDown(t *testing.T) {
	s := newSigner(t)
	i, err := NewIssuer(IssuerOptions{URL: s.URL, Resource: resource})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	token := sign(t, s.key, jose.ES256, map[string]any{"iss": s.URL, "aud": resource, "sub": "ann"})
	if w, who := ask(New(Options{Issuer: i, Required: true}), "Bearer "+token); w.Code != 503 || who != nil {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestAudit checks that a touched repository is noted once a call.
func TestAudit(t *testing.T) {
	var got []permit.Touch
	ctx := permit.With(context.Background(), &permit.Caller{Name: "ann", Audit: func(x permit.Touch) { got = append(got, x) }})
	for _, tool := range []string{"search", "read"} {
		call := permit.Calling(ctx, tool)
		for _, repo := range []string{"shop", "api", "shop"} {
			permit.Touched(call, repo)
		}
	}
	want := []permit.Touch{{Who: "ann", Tool: "search", Repo: "shop"}, {Who: "ann", Tool: "search", Repo: "api"}, {Who: "ann", Tool: "read", Repo: "shop"}, {Who: "ann", Tool: "read", Repo: "api"}}
	if len(got) != len(want) {
		t.Fatalf("noted %v", got)
	}
	for i := range want {
		t.Run(want[i].Tool+" "+want[i].Repo, func(t *testing.T) {
			if got[i] != want[i] {
				t.Errorf("noted %v, want %v", got[i], want[i])
			}
		})
	}
}
