package remote_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/remote"
)

// reranking is a server with /v1/rerank, as the documentation of Cohere, Jina, vLLM
// and llama.cpp has it: the results come best first.
type reranking struct {
	path, key string
	body      struct {
		Model, Query string
		Documents    []string
		TopN         int `json:"top_n"`
	}
	before func(w http.ResponseWriter, r *http.Request) bool
}

func (s *reranking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	s.path, s.key = r.URL.Path, r.Header.Get("Authorization")
	_ = json.Unmarshal(text, &s.body) // what cannot be read has no documents
	if s.before != nil && s.before(w, r) {
		return
	}
	type result struct {
		Index    int            `json:"index"`
		Score    float64        `json:"relevance_score"`
		Document map[string]any `json:"document"`
	}
	var all []result
	for i, d := range s.body.Documents {
		all = append(all, result{i, float64(len(d)) / 1000, map[string]any{"text": d}})
	}
	slices.SortFunc(all, func(a, b result) int { return int(1000 * (b.Score - a.Score)) })
	write(w, http.StatusOK, map[string]any{"id": "r-1", "model": s.body.Model, "results": all[:min(len(all), s.body.TopN)], "usage": map[string]int{"total_tokens": 9}})
}

func (s *reranking) start(t *testing.T, o remote.Options) *remote.Reranker {
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	o.URL, o.Model = h.URL+o.URL, "bge-reranker-v2-m3"
	r, err := remote.NewReranker(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRerank(t *testing.T) {
	for _, tt := range []struct{ url, path string }{
		{"", "/v1/rerank"}, {"/v1", "/v1/rerank"}, {"/v2/", "/v2/rerank"}, {"/v1/rerank", "/v1/rerank"}, {"/v1/embeddings", "/v1/rerank"},
	} {
		t.Run(tt.url, func(t *testing.T) {
			s := &reranking{}
			r := s.start(t, remote.Options{URL: tt.url, Key: "k-123"})
			token := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
			docs := []embedding.Document{{Path: "a.go", Text: "short"}, {Path: "b.go", Text: "token = " + token}, {Path: "c.go", Text: strings.Repeat("long ", 2000)}}
			scores, err := r.Rerank(t.Context(), "why "+token+strings.Repeat(" x", 5000), docs)
			if err != nil {
				t.Fatal(err)
			}
			if s.path != tt.path || s.key != "Bearer k-123" || s.body.Model != r.Name() || s.body.TopN != 3 {
				t.Errorf("asked %s with key %q for %+v", s.path, s.key, s.body)
			}
			for i, d := range s.body.Documents {
				if scores[i] != float64(len(d))/1000 || len(d) > 2<<10 {
					t.Errorf("document %d of %d bytes has the score %v", i, len(d), scores[i])
				}
			}
			if sent := fmt.Sprint(s.body); strings.Contains(sent, token) || len(s.body.Query) > 4<<10 || !strings.HasPrefix(s.body.Documents[0], "a.go\n") {
				t.Errorf("sent %.300s", sent)
			}
		})
	}
}

// TestRerankFails holds what is said where a server does not rerank.
func TestRerankFails(t *testing.T) {
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	for name, tt := range map[string]struct {
		status     int
		body, want string
	}{
		"Ollama":             {404, "404 page not found", "Ollama and OpenAI have none"},
		"unknown model":      {404, `{"object":"error","message":"The model does not exist","code":404}`, "The model does not exist"},
		"Jina's refusal":     {422, `{"detail":"Model x not found"}`, "rerank_model"},
		"wrong key":          {401, `{"message":"invalid api token"}`, "rerank_key is missing or wrong"},
		"overloaded":         {503, `{"error":{"message":"loading model"}}`, "loading model"},
		"Ollama's own form":  {400, `{"error":"no such endpoint"}`, "no such endpoint"},
		"a web page":         {200, "<html>", "web page"},
		"too few results":    {200, `{"results":[{"index":0,"relevance_score":1}]}`, "1 results for 2 documents"},
		"twice one index":    {200, `{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`, "out of place"},
		"an index beyond":    {200, `{"results":[{"index":0,"relevance_score":1},{"index":2,"relevance_score":1}]}`, "out of place"},
		"no score":           {200, `{"results":[{"index":0,"relevance_score":null},{"index":1,"relevance_score":1}]}`, "no relevance_score"},
		"another API":        {200, `[{"index":0,"score":1}]`, "cannot be read"},
		"longer than it may": {200, strings.Repeat("x", 1<<20), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &reranking{before: answer(tt.status, tt.body)}
			r := s.start(t, remote.Options{})
			_, err := r.Rerank(t.Context(), "q", documents(2))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "bge-reranker-v2-m3 at 127.0.0.1") {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
		})
	}
}

// slow never answers.
type slow struct{}

func (slow) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestRerankIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := remote.NewReranker(remote.Options{URL: "http://models.test", Model: "m", Transport: slow{}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := r.Rerank(t.Context(), "q", documents(2)); err == nil || !strings.Contains(err.Error(), "no answer within 5s") || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
