package postgres

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"espy/internal/usage"
)

// Parse reads the address of a database, also one that SQLAlchemy wrote. Nothing of
// it is in an error: it may hold a password.
func Parse(address string) (*pgx.ConnConfig, error) {
	wrong := &usage.Error{Msg: "the address is not that of a PostgreSQL database", Hint: "postgres://USER@HOST:5432/DATABASE, with the password in PGPASSWORD or ~/.pgpass"}
	scheme, rest, ok := strings.Cut(address, "://")
	scheme, _, _ = strings.Cut(scheme, "+") // postgresql+asyncpg, as SQLAlchemy names a driver
	if !ok || scheme != "postgres" && scheme != "postgresql" {
		return nil, wrong
	}
	if _, err := url.Parse("postgres://" + rest); err != nil {
		wrong.Hint = "characters such as @ : / # in a password are written as %40 %3A %2F %23; or put it in PGPASSWORD"
		return nil, wrong
	}
	cfg, err := pgx.ParseConfig("postgres://" + rest)
	if err != nil {
		return nil, wrong
	}
	if cfg.Database == "" {
		cfg.Database = cfg.User // as psql has it
	}
	return cfg, nil
}

// Describe is an address without its password.
func Describe(cfg *pgx.ConnConfig) string {
	return cfg.User + "@" + Place(cfg) + "/" + cfg.Database
}

// Place is the machine of an address, with its port; or a socket.
func Place(cfg *pgx.ConnConfig) string {
	if strings.HasPrefix(cfg.Host, "/") {
		return cfg.Host
	}
	return net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port)))
}
