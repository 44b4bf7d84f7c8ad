package view

import (
	"log/slog"
	"sync/atomic"

	"espy/internal/catalog"
	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/segment"
)

// Env is what the views of a workspace share.
type Env struct {
	DataDir      string
	Policy       discover.Policy
	GlobalIgnore string
	Workers      int
	Parser       index.Parser
	Notices      []string // settings that could not be applied
	Log          *slog.Logger
	Catalog      *catalog.Catalog

	queries atomic.Int32 // under way
}

// Answer runs a query over snapshots. Indexing yields to it.
func (e *Env) Answer(find func() error) error {
	e.queries.Add(1)
	defer e.queries.Add(-1)
	return segment.Guard(find)
}
