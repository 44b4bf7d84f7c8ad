// Package ollama asks the models of an Ollama server, by its API for embeddings:
// https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings
package ollama

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"espy/internal/embedding/remote"
)

// What is asked where the settings do not say.
const (
	defaultURL   = "http://localhost:11434"
	defaultModel = "nomic-embed-text"
)

// batch is how many texts a request has: a server without a graphics card takes
// some seconds for them.
const batch = 16

// New returns a model of a server. Nothing is sent.
func New(o remote.Options) (*remote.Model, error) {
	if o.URL == "" {
		o.URL = defaultURL
	}
	if o.Model == "" {
		o.Model = defaultModel
	}
	base, err := url.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	to := base
	if !strings.HasSuffix(base.Path, "/api/embed") {
		to = base.JoinPath("api/embed")
	}
	return remote.New(o, remote.Protocol{
		Name: "ollama", URL: to, Batch: batch,
		Request:  func(texts []string) any { return request{o.Model, texts, true} },
		Response: response,
		Failure:  failure,
		Hint: func(status int, message string) string {
			switch {
			case strings.Contains(message, "not found"):
				return "ollama pull " + o.Model + " fetches it"
			case status == http.StatusNotFound && message == "":
				return "an Ollama server of version 0.2.6 or newer answers there"
			}
			return ""
		},
	})
}

type request struct {
	Model    string   `json:"model"`
	Input    []string `json:"input"`
	Truncate bool     `json:"truncate"` // what is too long for the model, rather than refuse it
}

func response(body []byte) ([][]float32, error) {
	var r struct {
		Embeddings []remote.Floats `json:"embeddings"`
	}
	err := json.Unmarshal(body, &r)
	return remote.Lists(r.Embeddings), err
}

func failure(body []byte) string {
	var r struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &r) != nil {
		return ""
	}
	return r.Error
}
