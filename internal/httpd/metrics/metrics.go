// Package metrics tells Prometheus what a server does: how many calls of each tool
// ended how and after how long, how much is at work, and what the indexes do
// meanwhile. No label names a repository, a caller or what was asked.
package metrics

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"espy/internal/mcpserver/host"
	"espy/internal/tally"
)

// Metrics is what was measured.
type Metrics struct {
	all      *prometheus.Registry
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	requests *prometheus.CounterVec
}

// New returns metrics of a process. load says how many requests are at work and
// how many streams are open.
func New(version string, t *tally.Tally, load func() (requests, streams int)) *Metrics {
	m := &Metrics{
		all: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "espy_tool_calls_total", Help: "Calls of tools by how they ended: ok, refused, late, busy, cancelled, panic, failed.",
		}, []string{"profile", "tool", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "espy_tool_seconds", Help: "Time of calls of tools.", Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"profile", "tool"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "espy_http_requests_total", Help: "Requests by route and status.",
		}, []string{"route", "status"}),
	}
	m.all.MustRegister(m.calls, m.seconds, m.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("espy_build_info", "The version that runs.", prometheus.Labels{"version": version}, func() float64 { return 1 })
	m.gauge("espy_http_requests_at_work", "Requests at work.", nil, func() float64 { n, _ := load(); return float64(n) })
	m.gauge("espy_http_streams_open", "Streams open.", nil, func() float64 { _, n := load(); return float64(n) })
	m.tally(t)
	return m
}

// tally adds what the indexes do.
func (m *Metrics) tally(t *tally.Tally) {
	for pass, c := range map[string]*tally.Count{"files": &t.Files, "syntax": &t.Syntax, "vectors": &t.Vectors} {
		m.count("espy_index_passes_total", "Passes over the files of a repository.", "pass", pass, [2]string{"ok", "failed"}, c)
	}
	m.count("espy_embedding_batches_total", "Requests to a model of vectors.", "", "", [2]string{"ok", "failed"}, &t.Batches)
	m.counter("espy_embedding_texts_total", "Texts in these requests.", nil, t.Texts.Load)
	for cache, c := range map[string]*tally.Count{"snapshots": &t.Snapshots, "symbols": &t.Symbols} {
		m.count("espy_cache_lookups_total", "Looks into what is kept of an index between questions.", "cache", cache, [2]string{"hit", "miss"}, c)
	}
}

// count adds a count of two outcomes.
func (m *Metrics) count(name, help, label, value string, outcomes [2]string, c *tally.Count) {
	for i, load := range []func() int64{c.Good.Load, c.Bad.Load} {
		labels := prometheus.Labels{"outcome": outcomes[i]}
		if label != "" {
			labels[label] = value
		}
		m.counter(name, help, labels, load)
	}
}

func (m *Metrics) counter(name, help string, labels prometheus.Labels, load func() int64) {
	m.all.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, func() float64 { return float64(load()) }))
}

func (m *Metrics) gauge(name, help string, labels prometheus.Labels, f func() float64) {
	m.all.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}, f))
}

// Watch measures the calls of a server of tools, under the name of its profile.
func (m *Metrics) Watch(profile string, s *host.Server) {
	s.OnEnd(func(e host.End) {
		m.calls.WithLabelValues(profile, e.Tool, string(e.Kind)).Inc()
		m.seconds.WithLabelValues(profile, e.Tool).Observe(e.Took.Seconds())
	})
	of := prometheus.Labels{"profile": profile}
	m.gauge("espy_queue_at_work", "Calls at work.", of, func() float64 { n, _ := s.Load(); return float64(n) })
	m.gauge("espy_queue_waiting", "Calls that wait for their turn.", of, func() float64 { _, n := s.Load(); return float64(n) })
}

// Requested counts a request that was answered.
func (m *Metrics) Requested(path string, status int) {
	m.requests.WithLabelValues(route(path), strconv.Itoa(status)).Inc()
}

// route is the part of a path that the server knows: what clients make up would be
// a series each.
func route(path string) string {
	for _, known := range []string{"/mcp/", "/api/v1/"} {
		if strings.HasPrefix(path, known) {
			return strings.TrimSuffix(known, "/")
		}
	}
	switch path {
	case "/mcp", "/sse", "/messages", "/health", "/readyz", "/metrics":
		return path
	}
	return "other"
}

// Handler shows the metrics.
func (m *Metrics) Handler() http.Handler { return promhttp.HandlerFor(m.all, promhttp.HandlerOpts{}) }
