package codebase

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/tasks"
)

// resources are those of V2: what the server stands on, and what it did.
func (s *server) resources() []host.ProfileResource {
	list := []host.ProfileResource{
		{URI: "health://status", Name: "Health Status"},
		{URI: "health://connection-pool", Name: "Connection Pool"},
		{URI: "metrics://prometheus", Name: "Metrics"},
	}
	for i, read := range []func(context.Context) any{s.readHealth, s.readPool, s.readMetrics} {
		list[i].MIME = "application/json"
		list[i].Read = func(ctx context.Context) (string, error) {
			return strings.TrimSuffix(string(render.JSON(read(ctx))), "\n"), nil
		}
	}
	return list
}

// How long the index may take to answer, and the share of the connections that may be
// busy, before the server is degraded and unhealthy.
const (
	slowAnswer, noAnswer  = 100 * time.Millisecond, time.Second
	manyBusy, tooManyBusy = 0.80, 0.95
)

// pool are the connections that questions about tasks are answered by. They are made
// when they are needed.
type pool struct {
	Size int `json:"size"`
	Min  int `json:"min_size"`
	Max  int `json:"max_size"`
	Free int `json:"free"`
}

func newPool(r tasks.Readers) pool { return pool{Size: r.Open, Max: r.Most, Free: r.Open - r.Busy} }

type health struct {
	Status   string `json:"status"` // healthy, degraded or unhealthy
	Time     string `json:"timestamp"`
	Database string `json:"database_status"` // connected, degraded or disconnected
	Pool     pool   `json:"connection_pool"`
	Uptime   int64  `json:"uptime_seconds"`
	Details  string `json:"details"`
}

func (s *server) readHealth(ctx context.Context) any {
	ctx, cancel := context.WithTimeout(ctx, noAnswer)
	defer cancel()
	began := s.Now()
	_, err := s.Workspace.Repos(ctx)
	r := s.Tasks.Readers()
	h := health{
		Status: "healthy", Time: stamp(began), Database: "connected", Pool: newPool(r),
		Uptime: int64(began.Sub(s.began).Seconds()), Details: "the index answers",
	}
	busy := float64(r.Busy) / float64(max(1, r.Most))
	switch took := s.Now().Sub(began); {
	case err != nil:
		h.Status, h.Database, h.Details = "unhealthy", "disconnected", "the index cannot be read: "+err.Error()
	case busy > tooManyBusy:
		h.Status, h.Details = "unhealthy", "nearly every connection is busy"
	case busy > manyBusy:
		h.Status, h.Details = "degraded", "most connections are busy"
	case took > slowAnswer:
		h.Status, h.Database, h.Details = "degraded", "degraded", "the index took "+took.Round(time.Millisecond).String()+" to answer"
	}
	return h
}

func (s *server) readPool(context.Context) any { return newPool(s.Tasks.Readers()) }

func (s *server) readMetrics(context.Context) any { return s.calls.metrics() }

// buckets are the upper bounds of the documented histograms, in seconds.
var buckets = []float64{0.1, 0.5, 1, 2, 5, 10}

// callCounts counts the calls of each tool. It is safe for concurrent use.
type callCounts struct {
	mu    sync.Mutex
	tools map[string]*toolCalls // guarded by mu
}

type toolCalls struct {
	done, failed int
	seconds      float64
	within       [7]int // calls by the first bucket that holds their time, the last for longer ones
}

func (c *callCounts) add(tool string, took time.Duration, failed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools = map[string]*toolCalls{}
	}
	t := c.tools[tool]
	if t == nil {
		t = &toolCalls{}
		c.tools[tool] = t
	}
	if failed {
		t.failed++
	} else {
		t.done++
	}
	seconds := took.Seconds()
	t.seconds += seconds
	i, _ := slices.BinarySearch(buckets, seconds)
	t.within[i]++
}

type counter struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels"`
	Value  int               `json:"value"`
}

type histogram struct {
	Name    string            `json:"name"`
	Labels  map[string]string `json:"labels"`
	Count   int               `json:"count"`
	Sum     float64           `json:"sum"`
	Buckets []bucket          `json:"buckets"`
}

type bucket struct {
	Most  string `json:"le"` // seconds
	Count int    `json:"count"`
}

type metrics struct {
	Counters   []counter   `json:"counters"`
	Histograms []histogram `json:"histograms"`
}

// metrics are the counts so far, by the names of the tools.
func (c *callCounts) metrics() metrics {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := metrics{Counters: []counter{}, Histograms: []histogram{}}
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		t := c.tools[name]
		for _, n := range []struct {
			status string
			value  int
		}{{"error", t.failed}, {"success", t.done}} {
			m.Counters = append(m.Counters, counter{"codebase_mcp_requests_total", map[string]string{"tool": name, "status": n.status}, n.value})
		}
		h := histogram{Name: "codebase_mcp_request_duration_seconds", Labels: map[string]string{"tool": name}, Count: t.done + t.failed, Sum: t.seconds}
		sum := 0
		for i, n := range t.within {
			sum += n
			most := "+Inf"
			if i < len(buckets) {
				most = strconv.FormatFloat(buckets[i], 'g', -1, 64)
			}
			h.Buckets = append(h.Buckets, bucket{most, sum})
		}
		m.Histograms = append(m.Histograms, h)
	}
	return m
}
