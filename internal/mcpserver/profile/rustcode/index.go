package rustcode

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/mcpserver/host"
	"espy/internal/merkle"
	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/workspace"
)

const indexSchema = `{
	"type": "object",
	"properties": {
		"directory": {"type": "string", "description": "Directory to index"},
		"force_reindex": {"type": "boolean", "description": "Index every file again", "default": false}
	},
	"required": ["directory"]
}`

func (s *server) indexTool() tool {
	return tool{
		name: "index_codebase", schema: indexSchema, slow: true, failed: "Indexing failed",
		description: `Index a directory: files that have changed, or all of them with force_reindex. Searches do it themselves.`,
		call: func(ctx context.Context, a *arguments, tell host.Tell) (string, error) {
			force := a.flag("force_reindex")
			a.models()
			f, err := s.open(ctx, a, notIndexable)
			if err != nil {
				return "", err
			}
			return s.index(ctx, f, force, tell)
		},
	}
}

func (s *server) index(ctx context.Context, f folder, force bool, tell host.Tell) (string, error) {
	began := time.Now()
	report, err := s.bring(ctx, f.repo, force, tell)
	if err != nil {
		return "", err
	}
	file := record(f.repo, indexRecord)
	var old *merkle.Tree
	if !force {
		if old, err = merkle.Load(file); err != nil {
			s.Log.Warn("the record of the files is damaged and is made anew", "err", err)
		}
	}
	changes, now, err := merkle.Compare(ctx, f.repo, old, searched, workspace.Wait{})
	if err != nil {
		return "", err
	}
	if err := now.Save(file); err != nil {
		return "", err
	}
	if err := now.Save(record(f.repo, seenRecord)); err != nil {
		return "", err
	}
	took := time.Since(began)
	if changes.Files() == 0 {
		return fmt.Sprintf("No Rust files suitable for indexing were found in '%s'.\nSkipped files: %d\nTime: %s", f.given, changes.Left+changes.Deleted, duration(took)), nil
	}
	return s.indexed(f, force, changes, took, report.Notices), nil
}

// bring brings the index of a repository up to date, with the vectors of every model.
func (s *server) bring(ctx context.Context, r *workspace.Repo, force bool, tell host.Tell) (workspace.IndexReport, error) {
	told := func(p progress.Report) {
		done, total := render.ProgressOf(p)
		tell(render.Progress(p), done, total)
	}
	report, err := r.Index(ctx, workspace.IndexOptions{Force: force, Progress: told})
	if err == nil {
		err = r.EmbedRemote(ctx, told)
	}
	return report, err
}

// indexed is the answer to an indexing that found files.
func (s *server) indexed(f folder, force bool, c *merkle.Changes, took time.Duration, noted []string) string {
	heading, how, check := "✓ Successfully indexed", "incremental", ""
	switch {
	case force:
		how = "forced full reindex"
	case c.Indexed()+c.Deleted == 0:
		heading, how, check = "✓ No changes detected in", "no changes", fmt.Sprintf(" (%s change detection)", checked(took))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s '%s'\n\nIndexing stats:\n", heading, f.given)
	fmt.Fprintf(&b, "- Indexed files: %d (%s)\n- Total chunks: %d\n", c.Indexed(), how, c.Chunks)
	fmt.Fprintf(&b, "- Unchanged files: %d\n- Skipped files: %d\n- Time: %s%s\n\n", c.Unchanged, c.Left+c.Deleted, duration(took), check)
	fmt.Fprintf(&b, "Background sync: %s\nCollection: %s", s.syncing(), collection(f.repo))
	fmt.Fprintf(&b, "\nTotal files: %d (Rust %d)\nEmbedder: %s", c.Files(), c.Languages["rust"], s.embedder())
	notes(&b, noted)
	return b.String()
}

// checked says how long the look for changes took.
func checked(took time.Duration) string {
	if took < 10*time.Millisecond {
		return "< 10ms"
	}
	return fmt.Sprintf("%dms", took.Milliseconds())
}

func (s *server) syncing() string {
	if s.NoSync {
		return "disabled"
	}
	return "enabled (5-minute interval)"
}

// collection is the name of the vectors of a repository.
func collection(r *workspace.Repo) string {
	return fmt.Sprintf("code_chunks_%08x", uint32(xxh3.HashString(string(r.ID()))))
}

// duration is a time as Rust shows it for debugging: 78.100539ms, 1.2s, 75.3s.
func duration(d time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case d < time.Microsecond:
		unit, name = time.Nanosecond, "ns"
	case d < time.Millisecond:
		unit, name = time.Microsecond, "µs"
	case d < time.Second:
		unit, name = time.Millisecond, "ms"
	}
	text := fmt.Sprintf("%d.%0*d", d/unit, len(fmt.Sprint(int64(unit)))-1, d%unit)
	if unit == time.Nanosecond {
		return fmt.Sprint(int64(d)) + name
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + name
}
