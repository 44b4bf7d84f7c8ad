package metrics

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"espy/internal/tally"
)

// TestTeam holds what Prometheus is told of a team's database, also where it is away.
func TestTeam(t *testing.T) {
	var away error
	m := New("1", new(tally.Tally), func() (int, int) { return 0, 0 })
	m.Team(func(context.Context) (Team, error) {
		return Team{Jobs: map[string]int{"dead": 2, "running": 1}, Oldest: 3 * time.Second, Views: 4, Bytes: 1 << 20, Conns: 5, Max: 20}, away
	})
	scrape := func() string {
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
	text := scrape()
	for _, want := range []string{
		"espy_team_database_up 1", `espy_team_jobs{state="dead"} 2`, `espy_team_jobs{state="running"} 1`, "espy_team_oldest_waiting_seconds 3",
		"espy_team_published_views 4", "espy_team_published_bytes 1.048576e+06", "espy_team_database_connections_max 20",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not there", want)
		}
	}
	away = errors.New("the database is away")
	if text := scrape(); !strings.Contains(text, "espy_team_database_up 0\n") || strings.Contains(text, "espy_team_jobs") {
		t.Error("a database that is away is not said")
	}
}
