package workspace

import (
	"log/slog"
	"time"

	"espy/internal/discover"
	"espy/internal/embedding"
	"espy/internal/index"
	"espy/internal/lines"
	"espy/internal/progress"
	"espy/internal/tally"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/team"
)

// Options say where the index is kept and how files are looked at.
type Options struct {
	DataDir      string
	Roots        []string // folders that may be attached, absolute; none for all but broad ones
	Policy       discover.Policy
	GlobalIgnore string       // the user's own ignore file, "" for none
	Home         string       // the user's home folder, which is not attached by accident
	Notices      []string     // settings that could not be applied; shown with the answers
	Workers      int          // 0: one per processor
	Watch        bool         // follow the files of the repositories that are asked about
	Parser       index.Parser // of languages other than Go; nil leaves their files without symbols
	Trees        lines.Trees  // that patterns of syntax are compared by; nil for none
	Models       embedding.Models
	Remote       origin.RemoteOptions
	Forbid       []string     // rules of imports that an audit checks, some for the repository whose name and a colon stand in front
	ShowSecrets  bool         // answers show keys and tokens; else a marker stands in the place of each
	Team         *team.Shared // what the programs of a team share; nil keeps all in the data folder
	Log          *slog.Logger
	Tally        *tally.Tally // nil counts for nobody

	// Patience is how long a question waits for another process that writes the
	// index, where an older generation or a part of one can answer; 0 is 5 s.
	Patience time.Duration
}

// IndexOptions say how to index. The zero value indexes what has changed.
type IndexOptions struct {
	Force    bool // from nothing
	Paranoid bool // hash every file, whatever its stat says
	Progress func(progress.Report)
	URL      string // of a repository on another machine: its address with user and password, for this time; "" without

	enter func(dir string) // called with each folder before it is read
	fetch bool             // ask the other machine for what is new
}
