package touches_test

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/touches"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// TestTrail holds that every touch is kept, whatever it is called, also where the
// connections are cut off meanwhile; that some can be picked; and that old ones go.
func TestTrail(t *testing.T) {
	u := postgrestest.Database(t)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	log, now := slog.New(slog.DiscardHandler), time.Now()
	count := func(by touches.Filter) (n int) {
		if err := touches.Export(t.Context(), pool, by, func(touches.Touch) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	trail := touches.Open(pool, 0, log)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 50 {
				trail.Add(touches.Touch{At: now.Add(-time.Duration(i) * 24 * time.Hour), Who: fmt.Sprint("ann ", w), Tool: "search", Repo: "shop", Remote: "10.0.0.1:4"})
			}
		})
	}
	trail.Add(touches.Touch{At: now, Who: "'; DROP TABLE espy.touches --\x00\xff", Tool: "read", Repo: "api"})
	var long strings.Builder // an index takes a third of a page, and packs what repeats
	for i := range 1 << 14 {
		fmt.Fprintf(&long, "%x", sha256.Sum256([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
	}
	trail.Add(touches.Touch{At: now, Who: "long " + long.String(), Tool: long.String(), Repo: long.String(), Remote: long.String()})
	group.Wait()
	postgrestest.Exec(t, u, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'espy'")
	trail.Close()
	for _, tt := range []struct {
		name string
		by   touches.Filter
		want int
	}{
		{"all", touches.Filter{}, 202},
		{"who", touches.Filter{Who: "ann 1"}, 50},
		{"repo", touches.Filter{Repo: "api"}, 1},
		{"who of a megabyte", touches.Filter{Who: "long " + long.String()}, 1},
		{"repo of a megabyte", touches.Filter{Repo: long.String()}, 1},
		{"since", touches.Filter{Since: now.Add(-36 * time.Hour)}, 10},
		{"SQL", touches.Filter{Who: "' OR true --", Repo: "\x00"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := count(tt.by); got != tt.want {
				t.Errorf("%d touches, want %d", got, tt.want)
			}
		})
	}
	old := touches.Open(pool, 10*24*time.Hour+time.Hour, log)
	for count(touches.Filter{}) > 46 { // the first look at what is old is at once
		if t.Context().Err() != nil {
			t.Fatal("old touches stay")
		}
	}
	old.Close()
	if got := count(touches.Filter{}); got != 46 {
		t.Errorf("%d touches are left, want those of 11 days and two", got)
	}
}
