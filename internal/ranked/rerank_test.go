package ranked_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/store"
)

// fakeReranker prefers documents that hold a word.
type fakeReranker struct {
	word string
	err  error
	docs []embedding.Document // that it was asked about last
}

func (*fakeReranker) Name() string { return "fake" }
func (*fakeReranker) Host() string { return "models.test" }

func (r *fakeReranker) Rerank(_ context.Context, _ string, docs []embedding.Document) ([]float64, error) {
	r.docs = docs
	scores := make([]float64, len(docs))
	for i, d := range docs {
		if strings.Contains(d.Text, r.word) {
			scores[i] = 1
		}
	}
	return scores, r.err
}

// TestRerank holds that a reranker orders the first places and no more, that what is
// certain stays first, and that without an answer the order stays.
func TestRerank(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("shelf%02d.go", i)] = fmt.Sprintf("package shelf\n\n// Shelf%02d counts items%s.\nfunc Shelf%02d() {}\n", i, strings.Repeat(" of items", 40-i), i)
	}
	files["token.go"] = "package shelf\n\n// items\nconst token = \"ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a\"\n"
	snaps := []*store.Snapshot{sample.Repository(t, "go", files)}
	ask := func(req hit.Request, r embedding.Reranker) *hit.Result {
		q, err := search.Compile(req)
		if err != nil {
			t.Fatal(err)
		}
		res, err := q.Run(t.Context(), snaps, search.Means{Models: embedding.Models{Reranker: r}})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	paths := func(res *hit.Result) (all []string) {
		for _, h := range res.Hits {
			all = append(all, h.Path)
		}
		return all
	}
	plain := paths(ask(hit.Request{Query: "count items", Limit: 41}, nil))
	eighth := strings.TrimSuffix(strings.ToUpper(plain[7][:1])+plain[7][1:], ".go")

	t.Run("first places", func(t *testing.T) {
		r := &fakeReranker{word: eighth}
		res := ask(hit.Request{Query: "count items", Limit: 5}, r)
		want := append([]string{plain[7]}, plain[:4]...)
		if got := paths(res); !slices.Equal(got, want) || len(r.docs) != 20 || res.Reranked == nil || res.Reranked.Places != 20 {
			t.Errorf("%v, want %v; %d documents, %+v", got, want, len(r.docs), res.Reranked)
		}
	})
	t.Run("pages", func(t *testing.T) {
		want := append([]string{plain[7]}, slices.Delete(slices.Clone(plain), 7, 8)...)
		for offset := 0; offset < 40; offset += 8 {
			if got := paths(ask(hit.Request{Query: "count items", Limit: 8, Offset: offset}, &fakeReranker{word: eighth})); !slices.Equal(got, want[offset:offset+8]) {
				t.Errorf("from %d: %v, want %v", offset, got, want[offset:offset+8])
			}
		}
	})
	t.Run("no secrets", func(t *testing.T) {
		r := &fakeReranker{}
		ask(hit.Request{Query: "items token", ShowSecrets: true}, r)
		all := fmt.Sprint(r.docs)
		if strings.Contains(all, "16C7e42F292c") || !strings.Contains(all, "[secret") {
			t.Error("a secret is sent")
		}
	})
	t.Run("certain", func(t *testing.T) {
		if got := paths(ask(hit.Request{Query: "Shelf03"}, &fakeReranker{word: "Shelf00"})); got[0] != "shelf03.go" {
			t.Errorf("%v", got)
		}
	})
	t.Run("no answer", func(t *testing.T) {
		res := ask(hit.Request{Query: "count items", Limit: 5}, &fakeReranker{err: errors.New("model fake: gone")})
		if got := paths(res); !slices.Equal(got, plain[:5]) || res.Reranked != nil || !slices.Contains(res.Notes, "not reranked, the order is that of words: model fake: gone") {
			t.Errorf("%v, notes %q", got, res.Notes)
		}
	})
}
