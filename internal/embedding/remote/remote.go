// Package remote is what the models on other machines have in common: texts are
// made ready, sent in batches over HTTP, and the answers checked.
//
// Nothing is sent but to the address of the settings: redirects are not followed.
// Secrets are taken out of every text first (package redact). An answer is read up
// to the size that it may have; its vectors must be as many as were asked for,
// of one length, and finite. Requests that may work later are repeated, after
// growing times with jitter or when the server says; a server that keeps failing
// is left alone for a while (a circuit breaker), and then tried with one request.
// The errors say what was wrong and what helps.
//
// Packages ollama and openai are the protocols.
package remote

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"

	"espy/internal/embedding"
)

// Options describe a model and its server.
type Options struct {
	URL   string // of the server; empty is the usual one of the protocol
	Model string // its name there; empty is the usual one of the protocol
	Key   string // sent as a bearer token; empty for none
	Dims  int    // numbers of a vector; 0 where the model is known
	Proxy string // for https; empty for none

	Transport http.RoundTripper // nil is one of its own
	Wait      time.Duration     // before the first repeat; 0 is half a second
}

// Bounds of requests.
const (
	maxRequests  = 10               // at a time
	requestTime  = 2 * time.Minute  // of one with documents; a server may have to load the model first
	queryTime    = 2 * time.Second  // of one with a question, which somebody waits for
	defaultWait  = time.Second / 2  // before the first repeat
	maxWait      = 30 * time.Second // between two tries
	maxTries     = 5
	maxFailures  = 5 // in a row, after which the server is left alone
	restTime     = 30 * time.Second
	cachedVector = 512 // of questions
)

// Protocol is how a kind of server is asked.
type Protocol struct {
	Name     string                                             // of the kind, part of the identity of its vectors
	URL      *url.URL                                           // that texts are posted to
	Batch    int                                                // texts of a request, at most
	Request  func(texts []string) any                           // the body, to be written as JSON
	Response func(body []byte) (vectors [][]float32, err error) // in the order of the texts
	Failure  func(body []byte) string                           // the message of a body that comes with an error; empty for none
	Hint     func(status int, message string) string            // what helps; empty for what any server has
}

// Model is a model on another machine. It is safe for concurrent use.
type Model struct {
	caller[[][]float32]
	about    known
	dims     int
	protocol Protocol
	wait     time.Duration
	queries  *lru.Cache[string, embedding.Vector]
}

// New returns a model that is asked by a protocol. Nothing is sent.
func New(o Options, p Protocol) (*Model, error) {
	m := &Model{about: find(o.Model), protocol: p, wait: o.Wait}
	m.caller = caller[[][]float32]{to: p.URL, setting: "embedding", failure: p.Failure, hint: p.Hint}
	if m.wait == 0 {
		m.wait = defaultWait
	}
	if m.dims = o.Dims; m.dims == 0 {
		m.dims = m.about.dims
	}
	if m.dims == 0 {
		return nil, fmt.Errorf("the model %s is not known here: say how many numbers its vectors have, in embedding_dims", o.Model)
	}
	var err error
	if err = m.open(o); err != nil {
		return nil, err
	}
	if m.queries, err = lru.New[string, embedding.Vector](cachedVector); err != nil {
		return nil, err
	}
	return m, nil
}

// form is the version of how a document is written for a model.
const form = 1

// Identity names the protocol, the model, the length of its vectors, and by a hash
// what is added to its texts. The address and the key are no part of it: the same model may move.
func (m *Model) Identity() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %q %q", form, m.about.document, m.about.query)
	return fmt.Sprintf("%s/%s/%d/%08x", m.protocol.Name, m.about.name, m.dims, h.Sum32())
}

// Dims is the number of values of a vector.
func (m *Model) Dims() int { return m.dims }

// Documents returns the vectors of pieces of code. It repeats what fails for a
// while, up to some minutes.
func (m *Model) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	texts := make([]string, len(docs))
	for i := range docs {
		texts[i] = m.document(&docs[i])
	}
	vectors := make([]embedding.Vector, len(docs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(maxRequests)
	for _, b := range batches(texts, m.protocol.Batch) {
		g.Go(func() error {
			found, err := m.repeated(ctx, texts[b.from:b.to])
			copy(vectors[b.from:], found)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, m.named(err)
	}
	return vectors, nil
}

// Query returns the vector of a question, within two seconds or an error. It is
// tried once. What was answered before is remembered.
func (m *Model) Query(ctx context.Context, text string) (embedding.Vector, error) {
	text = m.question(text)
	if v, ok := m.queries.Get(text); ok {
		return v, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, queryTime, errSlow)
	defer cancel()
	found, err := m.vectors(ctx, []string{text})
	if err != nil {
		return nil, m.named(err)
	}
	m.queries.Add(text, found[0])
	return found[0], nil
}

var errSlow = fmt.Errorf("no answer within %v", queryTime)

// named says whose error it is.
func (m *Model) named(err error) error {
	return fmt.Errorf("model %s at %s: %w", m.about.name, m.Host(), err)
}
