package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Team is what the database of a team says.
type Team struct {
	Jobs       map[string]int // by state
	Oldest     time.Duration  // that a job waits which could run
	Views      int            // published
	Parts      int
	Bytes      int64   // of the parts
	NewestAge  float64 // seconds since the last publication
	Conns, Max int     // connections of this process, and how many it may have
}

// askTime bounds how long a scrape waits for the database.
const askTime = 5 * time.Second

// team asks the database once a scrape.
type team struct {
	ask func(context.Context) (Team, error)

	up, jobs, oldest, views, parts, bytes, newest, conns, most *prometheus.Desc
}

// Team adds the figures of a team's queue and publications. ask is called once a
// scrape; where it fails, espy_team_database_up is 0 and the others are absent.
func (m *Metrics) Team(ask func(context.Context) (Team, error)) {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("espy_team_"+name, help, labels, nil)
	}
	m.all.MustRegister(&team{
		ask: ask, up: desc("database_up", "1 where the database of the team answers, else 0."),
		jobs: desc("jobs", "Jobs by state: running, waiting, retrying, dead, cancelled, done.", "state"), oldest: desc("oldest_waiting_seconds", "How long the oldest job waits that could run."),
		views: desc("published_views", "Views of repositories that are published."), parts: desc("published_parts", "Files of their generations."), bytes: desc("published_bytes", "Bytes of these files."),
		newest: desc("newest_publication_age_seconds", "Time since the last publication."),
		conns:  desc("database_connections", "Connections of this process to the database."), most: desc("database_connections_max", "How many it may have."),
	})
}

// Describe implements prometheus.Collector.
func (t *team) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{t.up, t.jobs, t.oldest, t.views, t.parts, t.bytes, t.newest, t.conns, t.most} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (t *team) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	now, err := t.ask(ctx)
	put := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if err != nil {
		put(t.up, 0)
		return
	}
	put(t.up, 1)
	for state, n := range now.Jobs {
		put(t.jobs, float64(n), state)
	}
	put(t.oldest, now.Oldest.Seconds())
	put(t.views, float64(now.Views))
	put(t.parts, float64(now.Parts))
	put(t.bytes, float64(now.Bytes))
	put(t.newest, now.NewestAge)
	put(t.conns, float64(now.Conns))
	put(t.most, float64(now.Max))
}
