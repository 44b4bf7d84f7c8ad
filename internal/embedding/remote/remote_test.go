package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/ollama"
	"espy/internal/embedding/openai"
	"espy/internal/embedding/remote"
)

// kind is a kind of server, as its documentation has it.
type kind struct {
	path   string
	new    func(remote.Options) (*remote.Model, error)
	answer func(vectors [][]float32) any
	fault  func(message string) any
}

var kinds = map[string]kind{
	"ollama": {
		"/api/embed", ollama.New,
		func(vectors [][]float32) any {
			return map[string]any{"model": "m", "embeddings": vectors, "total_duration": 14143917, "load_duration": 1019500, "prompt_eval_count": 8}
		},
		func(message string) any { return map[string]any{"error": message} },
	},
	"openai": {
		"/v1/embeddings", openai.New,
		func(vectors [][]float32) any {
			data := []any{}
			for i, v := range slices.Backward(vectors) { // in any order
				data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
			}
			return map[string]any{"object": "list", "data": data, "model": "m", "usage": map[string]int{"prompt_tokens": 8, "total_tokens": 8}}
		},
		func(message string) any {
			return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": nil}}
		},
	},
}

// asked is a request as a server got it.
type asked struct {
	body, path, key string
	Model           string
	Input           []string
	Dimensions      int
}

// server is a server of a kind.
type server struct {
	kind
	dims int

	mu       sync.Mutex
	requests []asked // guarded by mu
	under    int     // requests under way, guarded by mu
	most     int     // that were under way, guarded by mu

	// before handles a request in another way and reports whether it did. Requests
	// are counted from 1. Once requests were made it is guarded by mu.
	before func(n int, w http.ResponseWriter, r *http.Request) bool
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a := asked{body: string(body), path: r.URL.Path, key: r.Header.Get("Authorization")}
	_ = json.Unmarshal(body, &a) // what cannot be read has no input
	s.mu.Lock()
	s.requests = append(s.requests, a)
	n := len(s.requests)
	s.under++
	s.most = max(s.most, s.under)
	before := s.before
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.under--
		s.mu.Unlock()
	}()
	if before != nil && before(n, w, r) {
		return
	}
	vectors := make([][]float32, len(a.Input))
	for i, text := range a.Input {
		vectors[i] = vectorOf(text, s.dims)
	}
	write(w, http.StatusOK, s.answer(vectors))
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

// vectorOf is some vector that depends on a text.
func vectorOf(text string, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		h := fnv.New32a()
		fmt.Fprint(h, text, i)
		v[i] = float32(h.Sum32()%1000) - 500
	}
	return v
}

func (s *server) all() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// mend has the server answer from now on.
func (s *server) mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = nil
}

// start serves and returns a model that asks there.
func (s *server) start(t *testing.T, o remote.Options) *remote.Model {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	o.URL, o.Wait = h.URL, time.Millisecond
	return s.model(t, o)
}

func (s *server) model(t *testing.T, o remote.Options) *remote.Model {
	t.Helper()
	if o.Dims = s.dims; o.Model == "" {
		o.Model = "nomic-embed-text"
	}
	m, err := s.new(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// RoundTrip serves without a network, so that the time of a test may be its own.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	done := make(chan *http.Response, 1)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		done <- w.Result()
	}()
	select {
	case res := <-done:
		return res, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// each runs a test with a server of each kind.
func each(t *testing.T, test func(t *testing.T, s *server)) {
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) { test(t, &server{kind: k, dims: 8}) })
	}
}

// timed is each in a time of its own, without a network.
func timed(t *testing.T, test func(t *testing.T, s *server, m *remote.Model)) {
	each(t, func(t *testing.T, s *server) {
		synctest.Test(t, func(t *testing.T) {
			test(t, s, s.model(t, remote.Options{URL: "http://models.test", Transport: s}))
		})
	})
}

func documents(n int) (docs []embedding.Document) {
	for i := range n {
		docs = append(docs, embedding.Document{Path: fmt.Sprintf("a/%d.go", i), Symbols: []string{"F", fmt.Sprint("G", i)}, Text: strings.Repeat("x ", i%7)})
	}
	return docs
}

func TestDocuments(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		m := s.start(t, remote.Options{Key: "k-123"})
		docs := documents(150)
		got, err := m.Documents(t.Context(), docs)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range docs {
			want := vectorOf(fmt.Sprintf("search_document: %s\n%s\n%s", d.Path, strings.Join(d.Symbols, " "), d.Text), s.dims)
			if !like(got[i], want) {
				t.Fatalf("vector %d is that of another text", i)
			}
		}
		texts := 0
		for _, a := range s.all() {
			texts += len(a.Input)
			if a.path != s.path || a.key != "Bearer k-123" || a.Model != "nomic-embed-text" || a.Dimensions != 0 {
				t.Errorf("asked %s of %s with key %q", a.Model, a.path, a.key)
			}
		}
		if texts != len(docs) || len(s.all()) < 3 || m.Failure() != nil {
			t.Errorf("%d texts in %d requests, failure %v", texts, len(s.all()), m.Failure())
		}
	})
}

// like reports whether a vector has length 1 and the direction of another.
func like(got embedding.Vector, want []float32) bool {
	dot, a, b := 0.0, 0.0, 0.0
	for i := range want {
		dot += float64(got[i]) * float64(want[i])
		a += float64(got[i]) * float64(got[i])
		b += float64(want[i]) * float64(want[i])
	}
	return len(got) == len(want) && math.Abs(a-1) < 1e-5 && math.Abs(dot/math.Sqrt(b)-1) < 1e-5
}

func TestQuery(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		m := s.start(t, remote.Options{})
		for range 3 {
			v, err := m.Query(t.Context(), "where are retries")
			if err != nil || !like(v, vectorOf("search_query: where are retries", s.dims)) {
				t.Fatalf("vector %v, error %v", v, err)
			}
		}
		if n := len(s.all()); n != 1 {
			t.Errorf("asked %d times for one question", n)
		}
	})
}

func TestDimensionsAreAskedForWhereTheModelHasThem(t *testing.T) {
	for model, want := range map[string]int{"text-embedding-3-small": 8, "nomic-embed-text": 0} {
		t.Run(model, func(t *testing.T) {
			s := &server{kind: kinds["openai"], dims: 8}
			if _, err := s.start(t, remote.Options{Model: model}).Query(t.Context(), "a"); err != nil || s.all()[0].Dimensions != want {
				t.Errorf("error %v, asked for %d dimensions, want %d", err, s.all()[0].Dimensions, want)
			}
		})
	}
}

// raw answers with a body as it is.
func raw(contentType, body string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// number answers with a vector that has some text where a number should be.
func (s *server) number(text string) func(int, http.ResponseWriter, *http.Request) bool {
	body, err := json.Marshal(s.answer([][]float32{{1234, 1, 1, 1, 1, 1, 1, 1}}))
	if err != nil {
		panic(err)
	}
	return raw("application/json", strings.Replace(string(body), "1234", text, 1))
}

func TestBadAnswers(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for name, tt := range map[string]struct {
			before func(int, http.ResponseWriter, *http.Request) bool
			want   string // in the error
		}{
			"web page":          {raw("text/html", "<!DOCTYPE html><html><body>Sign in</body></html>"), "web page"},
			"web page as JSON":  {raw("application/json", "\n<html></html>"), "web page"},
			"plain text":        {raw("text/plain", "Ollama is running"), "cannot be read"},
			"empty":             {raw("application/json", ""), "cannot be read"},
			"cut off":           {raw("application/json", `{"embeddings": [[1, 2`), "cannot be read"},
			"other JSON":        {raw("application/json", `{"ok": true}`), "0 vectors for 1 texts"},
			"no vectors":        {s.vectors(), "0 vectors for 1 texts"},
			"too many vectors":  {s.vectors(vectorOf("a", 8), vectorOf("b", 8)), "2 vectors for 1 texts"},
			"short vector":      {s.vectors(vectorOf("a", 7)), "7 numbers instead of 8"},
			"long vector":       {s.vectors(vectorOf("a", 768)), "set embedding_dims to 768"},
			"NaN":               {s.number("NaN"), "cannot be read"},
			"infinite":          {s.number("1e999"), "cannot be read"},
			"null":              {s.number("null"), "null stands where a number should"},
			"text for a number": {s.number(`"1"`), "cannot be read"},
			"deep nesting":      {raw("application/json", strings.Repeat("[", 50_000)), "cannot be read"},
		} {
			t.Run(name, func(t *testing.T) {
				s := &server{kind: s.kind, dims: 8, before: tt.before}
				m := s.start(t, remote.Options{})
				_, err := m.Documents(t.Context(), documents(1))
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "nomic-embed-text at 127.0.0.1") {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				if n := len(s.all()); n != 1 || m.Failure() == nil {
					t.Errorf("asked %d times for what will not change, failure %v", n, m.Failure())
				}
			})
		}
	})
}

// vectors answers with some vectors, whatever was asked.
func (s *server) vectors(list ...[]float32) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		write(w, http.StatusOK, s.answer(append([][]float32{}, list...)))
		return true
	}
}

func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, tt := range []struct {
			status  int
			message string
			want    string
		}{
			{http.StatusUnauthorized, "Incorrect API key provided", "embedding_key is missing or wrong"},
			{http.StatusForbidden, "", "embedding_key is missing or wrong"},
			{http.StatusNotFound, `model "m" not found, try pulling it first`, `model "m" not found`},
			{http.StatusBadRequest, "input is too long\n\x1b[31m", "input is too long"},
		} {
			t.Run(fmt.Sprint(tt.status), func(t *testing.T) {
				s := &server{kind: s.kind, dims: 8, before: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
					write(w, tt.status, s.fault(tt.message))
					return true
				}}
				_, err := s.start(t, remote.Options{Key: "k-123"}).Documents(t.Context(), documents(1))
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "k-123") || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				if n := len(s.all()); n != 1 {
					t.Errorf("asked %d times", n)
				}
			})
		}
	})
}

func TestEndlessAnswer(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		sent := make(chan int64, 1)
		s.before = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/json")
			n := int64(0)
			for block := []byte(strings.Repeat("[0.1,", 1<<14)); n < 10<<30; n += int64(len(block)) {
				if _, err := w.Write(block); err != nil {
					break
				}
			}
			sent <- n
			return true
		}
		_, err := s.start(t, remote.Options{}).Documents(t.Context(), documents(1))
		if err == nil || !strings.Contains(err.Error(), "longer than") {
			t.Errorf("error %v", err)
		}
		if n := <-sent; n > 64<<20 {
			t.Errorf("%d bytes were read", n)
		}
	})
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		other := &server{kind: s.kind, dims: 8}
		to := httptest.NewServer(other)
		defer to.Close()
		s.before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, to.URL+r.URL.Path+"?token=secret", http.StatusTemporaryRedirect)
			return true
		}
		_, err := s.start(t, remote.Options{Key: "k-123"}).Documents(t.Context(), documents(1))
		if err == nil || !strings.Contains(err.Error(), "redirect to "+to.URL+",") || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v", err)
		}
		if n := len(other.all()); n != 0 {
			t.Errorf("the other server was asked %d times", n)
		}
	})
}

func TestServerThatComesBack(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for name, fail := range map[string]func(w http.ResponseWriter){
			"unavailable": func(w http.ResponseWriter) { write(w, http.StatusServiceUnavailable, s.fault("loading")) },
			"broken":      func(w http.ResponseWriter) { http.Error(w, "oops", http.StatusBadGateway) },
			"dies": func(w http.ResponseWriter) {
				w.Header().Set("Content-Length", "5000")
				_, _ = io.WriteString(w, `{"embeddings": [[1, 2`)
				panic(http.ErrAbortHandler)
			},
		} {
			t.Run(name, func(t *testing.T) {
				s := &server{kind: s.kind, dims: 8, before: func(n int, w http.ResponseWriter, _ *http.Request) bool {
					if n > 2 {
						return false
					}
					fail(w)
					return true
				}}
				m := s.start(t, remote.Options{})
				got, err := m.Documents(t.Context(), documents(3))
				if err != nil || len(got) != 3 || len(s.all()) != 3 || m.Failure() != nil {
					t.Errorf("%d vectors after %d requests, error %v, failure %v", len(got), len(s.all()), err, m.Failure())
				}
			})
		}
	})
}

// TestDiesHalfWay holds that of a call that cannot be completed nothing is given.
func TestDiesHalfWay(t *testing.T) {
	timed(t, func(t *testing.T, s *server, m *remote.Model) {
		s.before = func(n int, w http.ResponseWriter, _ *http.Request) bool {
			if n > 2 {
				write(w, http.StatusInternalServerError, s.fault("out of memory"))
			}
			return n > 2
		}
		got, err := m.Documents(t.Context(), documents(300))
		if err == nil || got != nil || !strings.Contains(err.Error(), "out of memory") {
			t.Errorf("%d vectors, error %v", len(got), err)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for name, tt := range map[string]struct {
		header      func() string
		least, most time.Duration
	}{
		"seconds": {func() string { return "7" }, 7 * time.Second, 7 * time.Second},
		"date":    {func() string { return time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat) }, 19 * time.Second, 20 * time.Second},
		"none":    {func() string { return "" }, 0, time.Second},
		"odd":     {func() string { return "soon" }, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			timed(t, func(t *testing.T, s *server, m *remote.Model) {
				s.before = func(n int, w http.ResponseWriter, _ *http.Request) bool {
					if n == 1 {
						w.Header().Set("Retry-After", tt.header())
						write(w, http.StatusTooManyRequests, s.fault("slow down"))
					}
					return n == 1
				}
				began := time.Now()
				_, err := m.Documents(t.Context(), documents(1))
				if took := time.Since(began); err != nil || took < tt.least || took > tt.most {
					t.Errorf("error %v after %v, want %v to %v", err, took, tt.least, tt.most)
				}
			})
		})
	}
	t.Run("too long", func(t *testing.T) {
		timed(t, func(t *testing.T, s *server, m *remote.Model) {
			s.before = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Retry-After", "3600")
				write(w, http.StatusTooManyRequests, s.fault("quota"))
				return true
			}
			began := time.Now()
			if _, err := m.Documents(t.Context(), documents(1)); err == nil || time.Since(began) > 0 || !strings.Contains(err.Error(), "quota") {
				t.Errorf("error %v after %v", err, time.Since(began))
			}
		})
	})
}

// hang answers when the client is gone.
func hang(_ int, _ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

func TestServerThatHangs(t *testing.T) {
	timed(t, func(t *testing.T, s *server, m *remote.Model) {
		s.before = hang
		began := time.Now()
		if _, err := m.Query(t.Context(), "a"); err == nil || time.Since(began) != 2*time.Second || !strings.Contains(err.Error(), "no answer within 2s") {
			t.Errorf("error %v after %v", err, time.Since(began))
		}
		began = time.Now()
		if _, err := m.Documents(t.Context(), documents(1)); err == nil || time.Since(began) > 15*time.Minute {
			t.Errorf("error %v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.Documents(ctx, documents(1)); err == nil {
			t.Error("no error of a call that was given up")
		}
	})
}

// TestBreaker holds that a server that fails is left alone, and asked again later.
func TestBreaker(t *testing.T) {
	timed(t, func(t *testing.T, s *server, m *remote.Model) {
		s.before = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			write(w, http.StatusInternalServerError, s.fault("no memory"))
			return true
		}
		for range 5 {
			if _, err := m.Query(t.Context(), "a"); err == nil {
				t.Fatal("no error")
			}
		}
		began := time.Now()
		_, err := m.Query(t.Context(), "a")
		if n := len(s.all()); n != 5 || time.Since(began) != 0 || !strings.Contains(err.Error(), "not asked") || !strings.Contains(err.Error(), "no memory") {
			t.Errorf("error %v after %d requests and %v", err, n, time.Since(began))
		}
		s.mend()
		time.Sleep(31 * time.Second)
		if _, err := m.Query(t.Context(), "a"); err != nil || m.Failure() != nil {
			t.Errorf("error %v, failure %v", err, m.Failure())
		}
	})
}

// TestGivenUpIsNoFailure holds that a caller who leaves says nothing of the server.
func TestGivenUpIsNoFailure(t *testing.T) {
	timed(t, func(t *testing.T, s *server, m *remote.Model) {
		s.before = hang
		for range 10 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := m.Query(ctx, "a"); !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
		}
		s.mend()
		if m.Failure() != nil {
			t.Errorf("failure %v", m.Failure())
		}
		if _, err := m.Query(t.Context(), "a"); err != nil {
			t.Error(err)
		}
	})
}

func TestRequestsAtATime(t *testing.T) {
	timed(t, func(t *testing.T, s *server, m *remote.Model) {
		s.before = func(int, http.ResponseWriter, *http.Request) bool { time.Sleep(time.Second); return false }
		var calls sync.WaitGroup
		for range 3 {
			calls.Go(func() {
				if _, err := m.Documents(t.Context(), documents(2000)); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if s.most != 10 {
			t.Errorf("%d requests at a time, want 10", s.most)
		}
	})
}

func TestIdentity(t *testing.T) {
	base := remote.Options{Model: "nomic-embed-text"}
	identity := func(t *testing.T, kind string, o remote.Options) string {
		m, err := kinds[kind].new(o)
		if err != nil {
			t.Fatal(err)
		}
		return m.Identity()
	}
	for name, tt := range map[string]struct {
		kind string
		o    remote.Options
		same bool
	}{
		"again":        {"ollama", base, true},
		"usual model":  {"ollama", remote.Options{}, true},
		"tag latest":   {"ollama", remote.Options{Model: "nomic-embed-text:latest"}, true},
		"address, key": {"ollama", remote.Options{Model: base.Model, URL: "https://b.test:1", Key: "k-123"}, true},
		"other kind":   {"openai", base, false},
		"other model":  {"ollama", remote.Options{Model: "mxbai-embed-large"}, false},
		"other tag":    {"ollama", remote.Options{Model: "nomic-embed-text:v2"}, false},
		"other dims":   {"ollama", remote.Options{Model: base.Model, Dims: 256}, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := identity(t, "ollama", base), identity(t, tt.kind, tt.o)
			if (a == b) != tt.same || strings.Contains(b, "k-123") {
				t.Errorf("%q and %q", a, b)
			}
		})
	}
	t.Run("unknown model", func(t *testing.T) {
		if _, err := ollama.New(remote.Options{Model: "my-own"}); err == nil || !strings.Contains(err.Error(), "embedding_dims") {
			t.Errorf("error %v", err)
		}
	})
}

// TestNoKeyLeaves holds the bodies that a server gets against what texts hold.
func TestNoKeyLeaves(t *testing.T) {
	secrets := []string{
		"ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq", "AKIA" + "QYLPMN5HFIQR7BLA", "glpat-" + "zS7yF1kR3mQe5Xc8Vb2N", "npm_" + "4fH2kLx9Qz7Wc1Vb5Nm8Rt3Yu6Pa0SdGjKeT",
		"MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu", "zaCELgL0imfnc8mVLWwsAawjYr4Rx",
	}
	code := fmt.Sprintf("// with %s\nconst a = %q\n", secrets[1], secrets[0])
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + secrets[4] + "\n-----END RSA " + "PRIVATE KEY-----\n"
	docs := []embedding.Document{
		{Path: "a.go", Symbols: []string{secrets[2]}, Text: code},
		{Path: "a.yaml", Text: "client_secret: \"" + secrets[5] + "\"\n"},
		{Path: "a.ipynb", Text: `"source": ["t = \"` + secrets[3] + `\"\n"]`},
		{Path: "docs/" + secrets[0] + "/a.md", Text: strings.Repeat("x ", 4090) + secrets[0] + pem},
		{Path: "b.md", Text: pem},
	}
	each(t, func(t *testing.T, s *server) {
		m := s.start(t, remote.Options{})
		if _, err := m.Documents(t.Context(), docs); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Query(t.Context(), "who uses "+secrets[0]+" and client_secret = "+secrets[5]); err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, a := range s.all() {
			all += a.body
		}
		for _, secret := range secrets {
			if strings.Contains(all, secret[:len(secret)*2/3]) {
				t.Errorf("%s was sent", secret)
			}
		}
		if !strings.Contains(all, "[secret: github-pat]") || !strings.Contains(all, "// with ") {
			t.Errorf("sent %s", all)
		}
	})
}
