package app

import (
	"errors"
	"strings"
	"testing"

	"espy/internal/config"
	"espy/internal/usage"
)

// TestReranker holds which server is asked to rerank, and what is refused.
func TestReranker(t *testing.T) {
	for name, tt := range map[string]struct {
		env           map[string]string
		host, refused string // of the reranker, empty for none; what the error says
	}{
		"none":               {nil, "", ""},
		"address alone":      {map[string]string{"ESPY_RERANK_URL": "https://models.test"}, "", ""},
		"no server":          {map[string]string{}, "", "no server to ask"},
		"its own server":     {map[string]string{"ESPY_RERANK_URL": "http://localhost:8080"}, "localhost:8080", ""},
		"that of embeddings": {map[string]string{"ESPY_EMBEDDING": "openai", "ESPY_EMBEDDING_URL": "https://api.jina.ai/v1", "ESPY_EMBEDDING_DIMS": "32"}, "api.jina.ai", ""},
		"Ollama":             {map[string]string{"ESPY_EMBEDDING": "ollama"}, "", "Ollama has no endpoint that reranks"},
		"OpenAI":             {map[string]string{"ESPY_EMBEDDING": "openai"}, "", "OpenAI has no endpoint that reranks"},
		"a key in the clear": {map[string]string{"ESPY_RERANK_URL": "http://models.test", "ESPY_RERANK_KEY": "k-123"}, "", "in the clear"},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"HOME": t.TempDir()}
			if tt.env != nil && name != "address alone" {
				env["ESPY_RERANK_MODEL"] = "bge-reranker-v2-m3"
			}
			for k, v := range tt.env {
				env[k] = v
			}
			c, err := config.Load(config.Input{Env: env})
			var a *App
			if err == nil {
				a, err = Open(c, Options{})
			}
			if tt.refused != "" {
				var refused *usage.Error
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.refused) {
					t.Fatalf("error %v, want %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			host := ""
			if r := a.Workspace.Options().Models.Reranker; r != nil {
				host = r.Host()
			}
			if host != tt.host {
				t.Errorf("asked at %q, want %q", host, tt.host)
			}
		})
	}
}

// TestModels holds which models the settings make.
func TestModels(t *testing.T) {
	for name, tt := range map[string]struct {
		env            map[string]string
		identity, host string // of the remote model; empty for none
		refused        string // what the error says
	}{
		"none":            {nil, "", "", ""},
		"address alone":   {map[string]string{"ESPY_EMBEDDING_URL": "https://models.test"}, "", "", ""},
		"ollama":          {map[string]string{"ESPY_EMBEDDING": "ollama"}, "ollama/nomic-embed-text/768/", "localhost:11434", ""},
		"openai":          {map[string]string{"ESPY_EMBEDDING": "openai", "ESPY_EMBEDDING_KEY": "k-123"}, "openai/text-embedding-3-small/1536/", "api.openai.com", ""},
		"another server":  {map[string]string{"ESPY_EMBEDDING": "openai", "ESPY_EMBEDDING_URL": "https://models.test:8443/v1", "ESPY_EMBEDDING_MODEL": "bge-m3"}, "openai/bge-m3/1024/", "models.test:8443", ""},
		"an own model":    {map[string]string{"ESPY_EMBEDDING": "ollama", "ESPY_EMBEDDING_MODEL": "mine", "ESPY_EMBEDDING_DIMS": "32"}, "ollama/mine/32/", "localhost:11434", ""},
		"an unknown size": {map[string]string{"ESPY_EMBEDDING": "ollama", "ESPY_EMBEDDING_MODEL": "mine"}, "", "", "embedding_dims"},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"HOME": t.TempDir()}
			for k, v := range tt.env {
				env[k] = v
			}
			c, err := config.Load(config.Input{Env: env})
			if err != nil {
				t.Fatal(err)
			}
			a, err := Open(c, Options{})
			if tt.refused != "" {
				var refused *usage.Error
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.refused) {
					t.Fatalf("error %v, want %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			models := a.Workspace.Options().Models
			if models.Local == nil || (models.Remote != nil) != (tt.identity != "") {
				t.Fatalf("models %+v", models)
			}
			if r := models.Remote; r != nil && (!strings.HasPrefix(r.Identity(), tt.identity) || r.Host() != tt.host) {
				t.Errorf("model %s at %s, want %s at %s", r.Identity(), r.Host(), tt.identity, tt.host)
			}
		})
	}
}
