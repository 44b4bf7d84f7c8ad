package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"espy/internal/embedding"
	"espy/internal/redact"
)

// Bounds of what is asked of a reranker: of its documents together, with the question,
// at most 44 KiB are sent for the 20 places of an answer.
const (
	rerankTime    = 5 * time.Second // somebody waits for it
	maxReranked   = 2 << 10         // bytes of a document
	maxRerankText = 4 << 10         // and of the question
)

// Reranker is a model on another machine that says how well texts answer a question,
// over the API that Jina, Cohere, vLLM and llama.cpp have in common: POST /v1/rerank
// with a query and documents, answered by results with an index and a
// relevance_score. It is safe for concurrent use.
// https://docs.cohere.com/reference/rerank, https://jina.ai/reranker
type Reranker struct {
	caller[[]float64]
	model string
}

// NewReranker returns a reranker. The options must name a server and a model. Nothing is
// sent.
func NewReranker(o Options) (*Reranker, error) {
	to, err := rerankEndpoint(o.URL)
	if err != nil {
		return nil, err
	}
	r := &Reranker{model: o.Model}
	r.caller = caller[[]float64]{to: to, setting: "rerank", failure: rerankFailure, hint: rerankHint}
	return r, r.open(o)
}

// rerankEndpoint is where a server reranks: its address may be given with the path of
// the API, of the call, of the call that embeds, or without any.
func rerankEndpoint(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(address, "/embeddings"))
	switch {
	case err != nil:
		return nil, err
	case strings.HasSuffix(u.Path, "/rerank"):
		return u, nil
	case strings.Trim(u.Path, "/") == "":
		return u.JoinPath("v1/rerank"), nil
	}
	return u.JoinPath("rerank"), nil
}

// Name is the name of the model.
func (r *Reranker) Name() string { return r.model }

// rerankRequest is the body of a request.
type rerankRequest struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

// Rerank returns how well documents answer a question, the higher the better, within
// five seconds or an error. It is tried once. Secrets are taken out of what is sent.
func (r *Reranker) Rerank(ctx context.Context, question string, docs []embedding.Document) ([]float64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, rerankTime, fmt.Errorf("no answer within %v", rerankTime))
	defer cancel()
	scores, err := r.once(ctx, r.request(question, docs))
	if err != nil {
		return nil, fmt.Errorf("model %s at %s: %w", r.model, r.Host(), err)
	}
	return scores, nil
}

func (r *Reranker) request(text string, docs []embedding.Document) question[[]float64] {
	body := rerankRequest{Model: r.model, Query: clipped(redact.String("", text), maxRerankText), TopN: len(docs)}
	size := 0
	for i := range docs {
		body.Documents = append(body.Documents, clipped(plainDocument(&docs[i]), maxReranked))
		size += len(body.Documents[i])
	}
	most := int64(6*size + 512*len(docs) + 16<<10) // some servers send the documents back
	return question[[]float64]{body, most, func(_ *http.Response, answer []byte) ([]float64, error) {
		return relevances(answer, len(docs))
	}}
}

// relevances reads the scores of an answer, one for each of so many documents.
func relevances(answer []byte, want int) ([]float64, error) {
	var a struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, &failure{msg: fmt.Sprintf("the answer cannot be read: %v; is rerank_url that of a server with /v1/rerank?", err)}
	}
	if len(a.Results) != want {
		return nil, &failure{msg: fmt.Sprintf("answers %d results for %d documents", len(a.Results), want)}
	}
	scores := make([]float64, want)
	known := make([]bool, want)
	for _, one := range a.Results {
		if one.Index == nil || *one.Index < 0 || *one.Index >= want || known[*one.Index] {
			return nil, &failure{msg: "the index of a result is missing or out of place"}
		}
		if one.Score == nil || math.IsInf(*one.Score, 0) {
			return nil, &failure{msg: "a result has no relevance_score"}
		}
		scores[*one.Index], known[*one.Index] = *one.Score, true
	}
	return scores, nil
}

// rerankFailure is the message of a body that comes with an error, as one of these
// servers writes it.
func rerankFailure(body []byte) string {
	var a struct {
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &a) != nil {
		return ""
	}
	var inner struct {
		Message string `json:"message"`
	}
	for _, raw := range []json.RawMessage{a.Error, a.Detail} {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			return inner.Message
		}
	}
	return a.Message
}

// rerankHint says what helps where there is nothing that reranks.
func rerankHint(status int, message string) string {
	if status == http.StatusNotFound || status == http.StatusMethodNotAllowed {
		return "rerank_url must be that of a server with /v1/rerank, such as llama.cpp, vLLM, Jina or Cohere; Ollama and OpenAI have none"
	}
	if strings.Contains(strings.ToLower(message), "model") {
		return "is rerank_model its name there?"
	}
	return ""
}
