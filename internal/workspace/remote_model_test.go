package workspace

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/embedding/ollama"
	"espy/internal/embedding/remote"
	"espy/internal/filetest"
	"espy/internal/workspace/coverage"
)

// farServer is an Ollama server that may be down.
type farServer struct {
	words embeddingtest.Words

	mu    sync.Mutex
	left  int // texts that are answered before it goes down, guarded by mu
	asked int // texts, guarded by mu
}

func (s *farServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	err := json.NewDecoder(r.Body).Decode(&req)
	s.mu.Lock()
	s.asked += len(req.Input)
	s.left -= len(req.Input)
	down := s.left < 0
	s.mu.Unlock()
	if err != nil || down {
		w.WriteHeader(http.StatusBadRequest) // which is not repeated
		fmt.Fprint(w, `{"error": "the model runner has died"}`)
		return
	}
	var vectors []embedding.Vector
	for _, text := range req.Input {
		v, err := s.words.Query(r.Context(), text)
		if err != nil {
			return
		}
		vectors = append(vectors, v)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors}) // the client may be gone
}

// answer has the server answer so many texts from now on.
func (s *farServer) answer(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = n
}

const always = 1 << 30

func (s *farServer) model(t *testing.T, url, name string) *remote.Model {
	t.Helper()
	m, err := ollama.New(remote.Options{URL: url, Model: name, Dims: s.words.Dims(), Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// far returns what the status says of the model on the server.
func far(t *testing.T, r *Repo) coverage.OfVectors {
	t.Helper()
	st, err := r.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(st.Vectors, func(v coverage.OfVectors) bool { return v.Remote })
	if i < 0 {
		t.Fatalf("vectors %+v", st.Vectors)
	}
	return st.Vectors[i]
}

// embedFar runs the pass of the model on the server to its end.
func embedFar(t *testing.T, r *Repo) {
	t.Helper()
	if _, err := r.remote.Finish(t.Context(), r.remoteWork(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestRemoteModel goes through the life of a model on another machine. Its server
// knows that words mean the same which the model of the program takes for others.
func TestRemoteModel(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	files := map[string]string{"a.go": "package a\n\nfunc Erase() {}\n"}
	for i := range 39 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package f\n\nfunc Keep%d() {}\n", i)
	}
	filetest.Write(t, dir, files)
	s := &farServer{words: embeddingtest.Words{Same: [][]string{{"remove", "erase"}}}}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	var w *Workspace
	var r *Repo
	open := func(t *testing.T, name string) {
		if w != nil {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if w, err = Open(Options{DataDir: data, Models: embedding.Models{Local: &embeddingtest.Words{}, Remote: s.model(t, web.URL, name)}}); err != nil {
			t.Fatal(err)
		}
		r = attach(t, w, dir)
	}
	t.Cleanup(func() { w.Close() })
	ask := func(t *testing.T, text string) (first, model, notes string) {
		paths, res := means(t, w, r, text)
		if len(paths) == 0 {
			paths = []string{""}
		}
		return paths[0], strings.Split(res.Model, "/")[0], strings.Join(res.Notes, "; ")
	}
	for _, step := range []struct {
		name               string
		do                 func(t *testing.T)
		question           string
		first, model, note string
		pending            int
	}{
		{"indexed, and nobody asked it", func(t *testing.T) { s.answer(always); open(t, "nomic-embed-text") }, "keep", "", "words", "no file has vectors of ollama/nomic-embed-text", 40},
		{"it dies half-way", func(t *testing.T) { s.answer(20); embedFar(t, r) }, "package keep", "", "words", "does not: model nomic-embed-text", -1},
		{"it comes back", func(t *testing.T) { s.answer(always); embedFar(t, r) }, "remove", "a.go", "ollama", "", 0},
		{"a file is new", func(t *testing.T) {
			filetest.Write(t, dir, map[string]string{"new.go": "package paint\n\nfunc Paint() {}\n"})
		}, "paint", "new.go", "ollama", "1 of 41 files have no vectors of ollama/nomic-embed-text", -1},
		{"it is down", func(*testing.T) { s.answer(0) }, "package paint", "new.go", "words", "the model runner has died", -1},
		{"it is up again", func(t *testing.T) {
			s.answer(always)
			if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			embedFar(t, r)
		}, "erase", "a.go", "ollama", "", 0},
		{"another model", func(t *testing.T) { open(t, "mxbai-embed-large") }, "keep", "", "words", "no file has vectors of ollama/mxbai-embed-large", 41},
		{"another model that is asked", func(t *testing.T) { embedFar(t, r) }, "remove", "a.go", "ollama", "", 0},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.do(t)
			first, model, notes := ask(t, step.question)
			if step.first != "" && first != step.first || model != step.model || (step.note == "") != (notes == "") || !strings.Contains(notes, step.note) {
				t.Errorf("%s first, by %s, notes %q; want %s by %s, %q", first, model, notes, step.first, step.model, step.note)
			}
			if v := far(t, r); step.pending >= 0 && v.Pending != step.pending || !strings.HasPrefix(v.Host, "127.0.0.1:") || (v.Failure != "") != strings.Contains(notes, "does not: ") {
				t.Errorf("status %+v", v)
			}
		})
	}
}
