package postgrestest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"espy/internal/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// TestDatabase holds that each test has tables of its own on one server.
func TestDatabase(t *testing.T) {
	a, b := postgrestest.Database(t), postgrestest.Database(t)
	if a.Host != b.Host || a.Path == b.Path {
		t.Fatalf("databases %s and %s", a.Redacted(), b.Redacted())
	}
	postgrestest.Exec(t, a, "CREATE TABLE one (n int); INSERT INTO one VALUES (7)")
	for _, tt := range []struct {
		name, url string
		want      int
	}{{"where it was made", a.String(), 1}, {"the other", b.String(), 0}, {"by name", postgrestest.Beside(b, a.Path[1:]).String(), 1}} {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := pgx.Connect(t.Context(), tt.url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(t.Context())
			var n int
			if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_class WHERE relname = 'one'").Scan(&n); err != nil || n != tt.want {
				t.Errorf("%d tables, %v, want %d", n, err, tt.want)
			}
		})
	}
}
