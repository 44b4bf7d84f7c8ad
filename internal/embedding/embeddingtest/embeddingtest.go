// Package embeddingtest is a model for tests: what it says of a text is how often
// its words occur.
package embeddingtest

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"strings"
	"sync"
	"unicode"

	"espy/internal/embedding"
)

// ErrDown is the error of a model that is down.
var ErrDown = errors.New("the model is down")

// Words is a model whose vectors are counts of words, each at a place that its
// hash tells. Words of one list of Same are one word. The zero value is ready for use.
type Words struct {
	Name string     // of the model; empty is "words"
	Size int        // numbers of a vector; 0 is 64
	Same [][]string // words that mean the same

	mu    sync.Mutex
	left  int      // documents that are answered before the model is down; guarded by mu
	down  bool     // guarded by mu
	asked []string // paths of documents, guarded by mu
}

// Identity returns the name.
func (w *Words) Identity() string {
	if w.Name == "" {
		return "words"
	}
	return w.Name
}

// Dims returns the size.
func (w *Words) Dims() int {
	if w.Size == 0 {
		return 64
	}
	return w.Size
}

// Fail makes the model go down after so many documents.
func (w *Words) Fail(after int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.down = after, true
}

// Mend makes the model answer again.
func (w *Words) Mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}

// Host is that of no machine: the model may stand for one on another.
func (w *Words) Host() string { return "words.test" }

// Failure is ErrDown while the model is down.
func (w *Words) Failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return ErrDown
	}
	return nil
}

// Asked returns the paths of the documents that were asked for since the last call.
func (w *Words) Asked() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

// Documents counts the words of paths, symbols and texts.
func (w *Words) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	if err := w.take(ctx, docs); err != nil {
		return nil, err
	}
	all := make([]embedding.Vector, len(docs))
	for i, d := range docs {
		all[i] = w.vector(d.Path + " " + strings.Join(d.Symbols, " ") + " " + d.Text)
	}
	return all, nil
}

func (w *Words) take(ctx context.Context, docs []embedding.Document) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down && w.left < len(docs) {
		return ErrDown
	}
	w.left -= len(docs)
	for _, d := range docs {
		w.asked = append(w.asked, d.Path)
	}
	return ctx.Err()
}

// Query counts the words of a question.
func (w *Words) Query(ctx context.Context, text string) (embedding.Vector, error) {
	return w.vector(text), ctx.Err()
}

func (w *Words) vector(text string) embedding.Vector {
	v := make(embedding.Vector, w.Dims())
	square := 0.0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		h := fnv.New32a()
		h.Write([]byte(w.one(word)))
		at := &v[h.Sum32()%uint32(w.Dims())]
		square += float64(2**at + 1)
		*at++
	}
	for i := range v {
		if square > 0 {
			v[i] /= float32(math.Sqrt(square))
		}
	}
	return v
}

// one returns the word that stands for all that mean the same.
func (w *Words) one(word string) string {
	for _, list := range w.Same {
		for _, same := range list {
			if same == word {
				return list[0]
			}
		}
	}
	return word
}
