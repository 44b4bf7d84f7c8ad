package view

import (
	"log/slog"
	"strings"
	"sync/atomic"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/segment"
	"espy/internal/tally"
	"espy/internal/usage"
)

// Env is what the views of a workspace share.
type Env struct {
	DataDir      string
	Roots        []string // folders that may be attached, without links; none for all
	Policy       discover.Policy
	GlobalIgnore string
	Workers      int
	Parser       index.Parser
	Notices      []string // settings that could not be applied
	Log          *slog.Logger
	Tally        *tally.Tally
	Catalog      catalog.Catalog
	Answers      bool // others index the repositories; here they are only asked about

	queries atomic.Int32 // under way
}

// CheckRoots refuses a repository whose folder the setting roots does not allow.
// Clones are in the data folder, and allowed.
func (e *Env) CheckRoots(rec catalog.Repo) error {
	if len(e.Roots) == 0 || rec.Remote != nil {
		return nil
	}
	for _, dir := range e.Roots {
		if _, ok := code.Below(dir, rec.Root); ok {
			return nil
		}
	}
	return &usage.Error{
		Msg:  rec.Root + " is in none of the folders that the setting roots allows: " + strings.Join(e.Roots, ", "),
		Hint: "choose a folder below one of these, or add this one to roots (ESPY_ROOTS, or the settings file)",
	}
}

// Answer runs a query over snapshots. Indexing yields to it.
func (e *Env) Answer(find func() error) error {
	e.queries.Add(1)
	defer e.queries.Add(-1)
	return segment.Guard(find)
}
