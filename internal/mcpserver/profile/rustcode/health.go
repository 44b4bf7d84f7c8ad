package rustcode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"espy/internal/hit"
	"espy/internal/hybrid"
	"espy/internal/mcpserver/host"
	"espy/internal/merkle"
	"espy/internal/search"
	"espy/internal/workspace"
)

const healthSchema = `{
	"type": "object",
	"properties": {
		"directory": {"type": "string", "description": "Directory to check; all that are indexed if not given"}
	}
}`

// The states of a component and of all together.
const (
	healthy   = "healthy"
	degraded  = "degraded"
	unhealthy = "unhealthy"
)

// component is one part of what a search stands on.
type component struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Latency *int64 `json:"latency_ms,omitempty"` // milliseconds
	missing bool   // it is not configured
}

// down reports whether an engine does not answer.
func (c *component) down() bool { return c.Status == unhealthy || c.missing }

// report is the health of one index.
type report struct {
	Overall string    `json:"overall"`
	BM25    component `json:"bm25"`
	Vector  component `json:"vector"`
	Merkle  component `json:"merkle"`
}

// conclude says how the components are together.
func (r *report) conclude() {
	r.Overall = degraded
	switch {
	case r.BM25.down() && r.Vector.down():
		r.Overall = unhealthy
	case r.BM25.Status == healthy && r.Vector.Status == healthy && r.Merkle.Status == healthy:
		r.Overall = healthy
	}
}

// worse reports whether a report is worse than another.
func (r *report) worse(o *report) bool {
	rank := map[string]int{healthy: 0, degraded: 1, unhealthy: 2}
	return rank[r.Overall] > rank[o.Overall]
}

// headings are the first lines of answers.
var headings = map[string]string{
	healthy:   "System Status: HEALTHY",
	degraded:  "System Status: DEGRADED (some components unavailable but system functional)",
	unhealthy: "System Status: UNHEALTHY (critical components failing)",
}

const healthGuide = `

=== Health Check Guide ===
- Healthy: All components operational
- Degraded: One search engine down OR Merkle snapshot missing
- Unhealthy: Both BM25 and Vector search are down

Note: Merkle snapshots are directory-specific. Use 'directory' parameter for accurate check.

`

func (s *server) healthTool() tool {
	return tool{
		name: "health_check", schema: healthSchema, more: []string{"embedding_profile"}, failed: "Health check failed",
		description: `Check the search engines and the index of a directory.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			a.models()
			if a.err != nil {
				return "", a.err
			}
			if !a.has("directory") {
				return s.checkAll(ctx)
			}
			f, err := s.look(ctx, a, notFolder)
			if err != nil {
				return "", err
			}
			r := s.health(ctx, s.seen(ctx, f.path))
			return s.told(&r, "Checked project: "+f.given), nil
		},
	}
}

// told is the answer of a report.
func (s *server) told(r *report, checked string) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		panic(fmt.Errorf("rustcode: encode a report: %w", err))
	}
	return headings[r.Overall] + "\n\n" + string(bytes.TrimSpace(text.Bytes())) + healthGuide + checked + "\nEmbedder: " + s.embedder()
}

// checkAll checks every index: the worst one decides, and is named.
func (s *server) checkAll(ctx context.Context) (string, error) {
	all, err := s.Workspace.Repos(ctx)
	if err != nil {
		return "", err
	}
	var worst *report
	for _, repo := range all {
		r := s.health(ctx, repo)
		if worst != nil && !r.worse(worst) {
			continue
		}
		if worst = &r; r.Overall != healthy {
			for _, c := range []*component{&r.BM25, &r.Vector, &r.Merkle} {
				c.Message += " [" + repo.Place() + "]"
			}
		}
	}
	if worst == nil {
		r := s.health(ctx, nil)
		worst = &r
	}
	return s.told(worst, "Checked system-wide components"), nil
}

// health checks the index of a repository, nil for one that is not there yet.
func (s *server) health(ctx context.Context, r *workspace.Repo) report {
	out := report{BM25: s.words(ctx, r), Vector: s.vectors(ctx, r), Merkle: snapshot(r)}
	out.conclude()
	return out
}

// words asks the engine of words.
func (s *server) words(ctx context.Context, r *workspace.Repo) component {
	began := time.Now()
	if err := s.probe(ctx, r); err != nil {
		return component{Status: unhealthy, Message: "BM25 search error: " + err.Error()}
	}
	return working("BM25 search operational", began)
}

func working(message string, began time.Time) component {
	took := time.Since(began).Milliseconds()
	return component{Status: healthy, Message: message, Latency: &took}
}

// probe puts a question to an index that exists.
func (s *server) probe(ctx context.Context, r *workspace.Repo) error {
	if r == nil {
		return nil
	}
	st, err := r.Status(ctx)
	switch {
	case err != nil:
		return err
	case len(st.Damaged) > 0:
		return fmt.Errorf("%d parts of the index are damaged and will be made anew: %s", len(st.Damaged), st.Damaged[0])
	case st.LastIndexed.IsZero():
		return nil
	}
	q, err := search.Compile(hit.Request{Query: "__health_check__", Limit: 1, Detail: hit.DetailLocate})
	if err != nil {
		return err
	}
	_, err = s.Workspace.Search(ctx, []*workspace.Repo{r}, q, healthWait)
	return err
}

// vectors asks the models and counts the vectors of an index.
func (s *server) vectors(ctx context.Context, r *workspace.Repo) component {
	began := time.Now()
	models := s.Workspace.Models()
	if models.Local == nil && models.Remote == nil {
		return component{Status: degraded, Message: "Vector store not configured", missing: true}
	}
	why := s.embeds(ctx)
	if why != nil && (models.Local == nil || models.Remote == nil) {
		return component{Status: unhealthy, Message: "Vector store error: " + why.Error()}
	}
	n, err := s.count(ctx, r)
	if err != nil {
		return component{Status: unhealthy, Message: "Vector store error: " + err.Error()}
	}
	c := working(fmt.Sprintf("Vector store operational (%d vectors)", n), began)
	if why != nil {
		c.Status = degraded
		c.Message += "; the model of the program answers, since the other one does not: " + why.Error()
	}
	return c
}

// embeds asks the models for a vector: the one on another machine where there is one.
func (s *server) embeds(ctx context.Context) error {
	models := s.Workspace.Models()
	if models.Remote != nil {
		_, err := models.Remote.Query(ctx, "is the model there")
		return err
	}
	_, err := models.Local.Query(ctx, "is the model there")
	return err
}

// count counts the vectors of an index that exists.
func (s *server) count(ctx context.Context, r *workspace.Repo) (int, error) {
	if r == nil {
		return 0, nil
	}
	st, err := r.Status(ctx)
	if err != nil || st.LastIndexed.IsZero() {
		return 0, err
	}
	return hybrid.Vectors(ctx, r, healthWait)
}

// healthWait does not wait for what is not indexed yet.
var healthWait = workspace.Wait{First: time.Millisecond, Fresh: freshWait}

// snapshot looks for the record of index_codebase.
func snapshot(r *workspace.Repo) component {
	const none = "Merkle snapshot not found (first index pending)"
	if r == nil {
		return component{Status: degraded, Message: none}
	}
	file := record(r, indexRecord)
	info, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		return component{Status: degraded, Message: none}
	}
	if err == nil {
		_, err = merkle.Load(file)
	}
	if err != nil {
		return component{Status: degraded, Message: "Merkle snapshot cannot be read: " + err.Error()}
	}
	return component{Status: healthy, Message: fmt.Sprintf("Merkle snapshot exists (%d bytes)", info.Size())}
}
