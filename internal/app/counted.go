package app

import (
	"context"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/tally"
)

// counted are the models of a workspace, whose requests are counted. far is nil for
// none.
func counted(t *tally.Tally, far embedding.Remote) embedding.Models {
	m := embedding.Models{Local: countedModel{static.BuiltIn(), t}}
	if far != nil {
		m.Remote = countedRemote{far, t}
	}
	return m
}

// BuiltIn are the models that need no other machine, uncounted.
func BuiltIn() embedding.Models { return embedding.Models{Local: static.BuiltIn()} }

type countedModel struct {
	embedding.Model
	tally *tally.Tally
}

// Documents implements embedding.Model.
func (m countedModel) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	return noted(m.tally, docs)(m.Model.Documents(ctx, docs))
}

type countedRemote struct {
	embedding.Remote
	tally *tally.Tally
}

// Documents implements embedding.Model.
func (m countedRemote) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	return noted(m.tally, docs)(m.Remote.Documents(ctx, docs))
}

// noted counts a request and passes its outcome on.
func noted(t *tally.Tally, docs []embedding.Document) func([]embedding.Vector, error) ([]embedding.Vector, error) {
	return func(v []embedding.Vector, err error) ([]embedding.Vector, error) {
		t.Batches.Note(err == nil)
		t.Texts.Add(int64(len(docs)))
		return v, err
	}
}
