// Package embedding is the contract of the models that turn text into vectors,
// so that texts of like meaning have vectors of like direction.
package embedding

import "context"

// Model turns text into vectors. It may be used from several goroutines.
type Model interface {
	// Identity names the model, its version and all that its vectors depend on.
	// Vectors of two identities are never compared.
	Identity() string

	// Dims is the number of values of a vector.
	Dims() int

	// Documents returns the vectors of pieces of code, in their order: all of them
	// or an error.
	Documents(ctx context.Context, docs []Document) ([]Vector, error)

	// Query returns the vector of a question in words.
	Query(ctx context.Context, text string) (Vector, error)
}

// Remote is a model on another machine.
type Remote interface {
	Model

	// Host is the machine that texts are sent to.
	Host() string

	// Failure is why the last request failed, nil where it worked.
	Failure() error
}

// Models are those of a workspace.
type Models struct {
	Local  Model  // of the program: it asks nobody and answers at once; nil for none
	Remote Remote // nil for none

	Reranker Reranker // nil for none
}

// Reranker is a model on another machine that says how well texts answer a question.
type Reranker interface {
	// Name is the name of the model, Host the machine that texts are sent to.
	Name() string
	Host() string

	// Rerank returns a score for each document, the higher the better, or an error.
	Rerank(ctx context.Context, question string, docs []Document) ([]float64, error)
}

// Document is a piece of code.
type Document struct {
	Path    string   // of its file, relative to the root
	Symbols []string // names that it declares
	Text    string
}

// Vector is the meaning of a text: of length 1, or all 0 where the model knows
// nothing of it.
type Vector []float32
