package httpd

import (
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"espy/internal/permit"
)

// TestMetrics checks that calls, requests and what the indexes do are counted, and
// that no label names a repository or a caller.
func TestMetrics(t *testing.T) {
	m := newTeam(t)
	token := m.token(t, permit.Read)
	m.call(t, token, "/mcp", "search", args{"query": "begins", "repo": "shop"})
	m.call(t, token, "/mcp", "search", args{"query": "begins", "repo": "nowhere"})
	m.call(t, token, "/mcp/shebe", "list_sessions", args{})
	request{path: "/made/up"}.send(t, m.URL)
	_, text, _ := request{method: "GET", path: "/metrics", header: map[string]string{"Authorization": "Bearer " + token}}.send(t, m.URL)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	if _, err := parser.TextToMetricFamilies(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`espy_tool_calls_total{outcome="ok",profile="espy",tool="search"} 1`,
		`espy_tool_calls_total{outcome="refused",profile="espy",tool="search"} 1`,
		`espy_tool_calls_total{outcome="ok",profile="shebe",tool="list_sessions"} 1`,
		`espy_tool_seconds_count{profile="espy",tool="search"} 2`,
		`espy_http_requests_total{route="/mcp",status="200"} 3`,
		`espy_http_requests_total{route="other",status="401"} 1`,
		`espy_http_requests_at_work 1`,
		`espy_http_streams_open 0`,
		`espy_queue_at_work{profile="espy"} 0`,
		`espy_queue_waiting{profile="espy"} 0`,
		`espy_index_passes_total{outcome="ok",pass="files"} 3`,
		`espy_index_passes_total{outcome="failed",pass="files"} 0`,
		`espy_embedding_batches_total{outcome="failed"} 0`,
		`espy_cache_lookups_total{cache="snapshots",outcome="hit"}`,
		`espy_build_info{version="1.2.3"} 1`,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Error("not there")
			}
		})
	}
	for _, no := range []string{"shop", "ann", "nowhere", "made"} {
		t.Run("without "+no, func(t *testing.T) {
			if strings.Contains(text, no) {
				t.Error("it is there")
			}
		})
	}
}
