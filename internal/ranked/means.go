package ranked

import (
	"espy/internal/embedding"
	"espy/internal/ranked/past"
)

// Means are what an answer needs beside an index.
type Means struct {
	Reranker embedding.Reranker // nil for none
	Commits  past.Reader        // of the repositories; nil for none
	Meaning  embedding.Model    // that the program has; nil for none
}
