// Package openai asks servers that have OpenAI's API for embeddings, which many
// have: https://platform.openai.com/docs/api-reference/embeddings/create
package openai

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"espy/internal/embedding/remote"
)

// What is asked where the settings do not say.
const (
	defaultURL   = "https://api.openai.com/v1"
	defaultModel = "text-embedding-3-small"
)

// batch is how many texts a request has.
const batch = 64

// New returns a model of a server. Nothing is sent.
func New(o remote.Options) (*remote.Model, error) {
	if o.URL == "" {
		o.URL = defaultURL
	}
	if o.Model == "" {
		o.Model = defaultModel
	}
	to, err := endpoint(o.URL)
	if err != nil {
		return nil, err
	}
	r := request{Model: o.Model, Format: "float"}
	if strings.Contains(o.Model, "text-embedding-3") { // which can make shorter vectors
		r.Dims = o.Dims
	}
	return remote.New(o, remote.Protocol{
		Name: "openai", URL: to, Batch: batch,
		Request: func(texts []string) any {
			r := r
			r.Input = texts
			return r
		},
		Response: response,
		Failure:  failure,
		Hint:     func(int, string) string { return "" },
	})
}

// endpoint is where a server embeds: its address may be given with the path of the
// API, of the call, or without any.
func endpoint(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, err
	case strings.HasSuffix(u.Path, "/embeddings"):
		return u, nil
	case strings.Trim(u.Path, "/") == "":
		return u.JoinPath("v1/embeddings"), nil
	}
	return u.JoinPath("embeddings"), nil
}

type request struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
	Dims   int      `json:"dimensions,omitempty"`
}

func response(body []byte) ([][]float32, error) {
	var r struct {
		Data []struct {
			Index     int           `json:"index"`
			Embedding remote.Floats `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(r.Data))
	for _, d := range r.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
			return nil, fmt.Errorf("the index %d of a vector is out of place", d.Index)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

func failure(body []byte) string {
	var r struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &r) != nil {
		return ""
	}
	return r.Error.Message
}
