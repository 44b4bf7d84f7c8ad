package shaktiman

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"espy/internal/workspace"
)

const noArguments = `{
	"type": "object",
	"properties": {}
}`

func (s *server) statusTool() tool {
	return tool{
		name: "enrichment_status", schema: noArguments, failed: "stats query failed: ",
		description: `How far indexing and embedding are.`,
		call: func(ctx context.Context, _ *arguments) (*answer, error) {
			st, err := s.stats(ctx)
			if err != nil {
				return nil, err
			}
			e := enrichment{
				st.Chunks, st.embedded(), st.percent(), st.jobs(), "closed", st.Files, st.Definitions,
			}
			return (&answer{}).list(e, 1, e.text()), nil
		},
	}
}

func (s *server) summaryTool() tool {
	return tool{
		name: "summary", schema: noArguments, failed: "summary failed: ",
		description: `Size and languages of the project. Ask it first.`,
		call: func(ctx context.Context, _ *arguments) (*answer, error) {
			st, err := s.stats(ctx)
			if err != nil {
				return nil, err
			}
			v := struct {
				Files       int            `json:"total_files"`
				Chunks      int            `json:"total_chunks"`
				Symbols     int            `json:"total_symbols"`
				Languages   map[string]int `json:"languages"`
				Percent     float64        `json:"embedding_pct"`
				ParseErrors int            `json:"parse_errors"`
				Stale       int            `json:"stale_files"`
			}{st.Files, st.Chunks, st.Definitions, st.languages(), st.percent(), st.Syntax.Failed, st.Freshness.PendingFiles}
			return (&answer{}).list(v, 1, st.text()), nil
		},
	}
}

// readSummary is the resource.
func (s *server) readSummary(ctx context.Context) (string, error) {
	st, err := s.stats(ctx)
	if err != nil {
		return "", failure("summary failed: " + explained(err))
	}
	text, err := json.Marshal(struct {
		Files       int            `json:"total_files"`
		Chunks      int            `json:"total_chunks"`
		Symbols     int            `json:"total_symbols"`
		Languages   map[string]int `json:"languages"`
		ParseErrors int            `json:"parse_errors"`
		Stale       int            `json:"stale_files"`
	}{st.Files, st.Chunks, st.Definitions, st.languages(), st.Syntax.Failed, st.Freshness.PendingFiles})
	return string(text), err
}

// enrichment is how far indexing and embedding are.
type enrichment struct {
	Chunks   int     `json:"total_chunks"`
	Embedded int     `json:"embedded_chunks"`
	Percent  float64 `json:"embedding_pct"`
	Jobs     int     `json:"pending_jobs"`
	Circuit  string  `json:"circuit_state"`
	Files    int     `json:"total_files"`
	Symbols  int     `json:"total_symbols"`
}

func (e *enrichment) text() string {
	return fmt.Sprintf("Chunks:   %d\nEmbedded: %d (%.1f%%)\nPending:  %d\nCircuit:  %s\nFiles:    %d\nSymbols:  %d\n", e.Chunks, e.Embedded, e.Percent, e.Jobs, e.Circuit, e.Files, e.Symbols)
}

// stats is what there is to know of the project's index, once there is one.
type stats struct{ workspace.Status }

func (s *server) stats(ctx context.Context) (*stats, error) {
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := r.Snapshot(ctx, wait())
	if err != nil {
		return nil, err
	}
	if err := snap.Close(); err != nil {
		return nil, err
	}
	st, err := r.Status(ctx)
	return &stats{st}, err
}

// embedded are the chunks that have vectors, by the model that is asked first.
func (s *stats) embedded() int {
	if len(s.Vectors) == 0 {
		return 0
	}
	return s.Vectors[len(s.Vectors)-1].Chunks
}

func (s *stats) percent() float64 {
	if s.Chunks == 0 {
		return 0
	}
	return 100 * float64(s.embedded()) / float64(s.Chunks)
}

// jobs is whether something is worked on.
func (s *stats) jobs() int {
	if s.Indexing == nil {
		return 0
	}
	return 1
}

// languages are the files of each language that has a name.
func (s *stats) languages() map[string]int {
	all := map[string]int{}
	for name, n := range s.Languages {
		if name != "" {
			all[name] = n
		}
	}
	return all
}

func (s *stats) text() string {
	if s.Files == 0 {
		return "No index stats available.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Files:   %d\nChunks:  %d\nSymbols: %d\nErrors:  %d\nStale:   %d\nLanguages:\n", s.Files, s.Chunks, s.Definitions, s.Syntax.Failed, s.Freshness.PendingFiles)
	b.WriteString(s.languageLines())
	return b.String()
}

// languageLines are the files of each language, the most first.
func (s *stats) languageLines() string {
	all := s.languages()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if all[a] != all[b] {
			return all[b] - all[a]
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "  %s: %d files\n", name, all[name])
	}
	return b.String()
}
