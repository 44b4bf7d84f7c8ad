package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/cenkalti/backoff/v5"

	"espy/internal/embedding"
)

// repeated asks for the vectors of one batch until that works or is hopeless.
func (m *Model) repeated(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = m.wait, maxWait
	return backoff.Retry(ctx, func() ([]embedding.Vector, error) {
		ctx, cancel := context.WithTimeout(ctx, requestTime)
		defer cancel()
		found, err := m.vectors(ctx, texts)
		var f *failure
		if err != nil && (!errors.As(err, &f) || !f.again || f.after > maxWait) {
			err = backoff.Permanent(err)
		}
		return found, err
	}, backoff.WithBackOff(waits), backoff.WithMaxTries(maxTries))
}

// vectors asks for the vectors of one batch, unless the server is left alone.
func (m *Model) vectors(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	found, err := m.once(ctx, question[[][]float32]{m.protocol.Request(texts), m.maxAnswer(len(texts)), func(_ *http.Response, answer []byte) ([][]float32, error) {
		return m.checked(answer, len(texts))
	}})
	if err != nil {
		return nil, err
	}
	vectors := make([]embedding.Vector, len(found))
	for i, v := range found {
		vectors[i] = unit(v)
	}
	return vectors, nil
}

// maxAnswer is the size of the longest answer for so many texts, in bytes: a number
// takes at most 25.
func (m *Model) maxAnswer(texts int) int64 { return int64(texts)*int64(m.dims)*32 + 256<<10 }

// checked returns the vectors of an answer, if they are what was asked for.
func (m *Model) checked(answer []byte, want int) ([][]float32, error) {
	vectors, err := m.protocol.Response(answer)
	if err != nil {
		return nil, &failure{msg: fmt.Sprintf("the answer cannot be read: %v; is embedding_url that of a server of kind %s?", err, m.protocol.Name)}
	}
	if len(vectors) != want {
		return nil, &failure{msg: fmt.Sprintf("answers %d vectors for %d texts", len(vectors), want)}
	}
	for _, v := range vectors {
		if len(v) != m.dims {
			return nil, &failure{msg: fmt.Sprintf("answers vectors of %d numbers instead of %d; if that is the model's own number, set embedding_dims to %d", len(v), m.dims, len(v))}
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, &failure{msg: "answers a vector with a number that is none (NaN or infinite)"}
			}
		}
	}
	return vectors, nil
}

// unit scales a vector to length 1; that of length 0 stays.
func unit(v []float32) embedding.Vector {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if sum == 0 {
		return v
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

// Floats are numbers as a server writes them. What is null is no number.
type Floats []float32

// UnmarshalJSON reads a list of numbers.
func (f *Floats) UnmarshalJSON(text []byte) error {
	if bytes.Contains(text, []byte("null")) {
		return errors.New("null stands where a number should")
	}
	return json.Unmarshal(text, (*[]float32)(f))
}

// Lists returns the plain form of vectors.
func Lists(list []Floats) [][]float32 {
	vectors := make([][]float32, len(list))
	for i, v := range list {
		vectors[i] = v
	}
	return vectors
}
