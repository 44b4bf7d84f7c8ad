package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/catalog"
	shared "espy/internal/catalog/postgres"
	"espy/internal/embedding"
	"espy/internal/filetest"
	"espy/internal/pgvector"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/store"
	blob "espy/internal/store/blob/postgres"
	"espy/internal/store/replica"
	"espy/internal/usage"
	"espy/internal/workspace/team"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// member is a program of a team, with a data folder of its own.
type member struct {
	*Workspace
	pool     *pgxpool.Pool
	listener *postgres.Listener
	team     *team.Shared
	folder   string
}

func newMember(t *testing.T, u *url.URL, build bool, cache int64) *member {
	t.Helper()
	return newMemberOf(t, u, build, cache, embedding.Models{})
}

func newMemberOf(t *testing.T, u *url.URL, build bool, cache int64, models embedding.Models) *member {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 6})
	if err != nil {
		t.Fatal(err)
	}
	log, dir := slog.New(slog.DiscardHandler), t.TempDir()
	m := &member{pool: pool, listener: postgres.NewListener(pool, log), folder: filepath.Join(dir, "team")}
	shared := &team.Shared{
		Catalog: shared.New(pool, m.listener, m.folder), News: blob.NewNews(pool, m.listener, log), Build: build, Log: log,
		Cache: team.NewCache(m.folder, cache, log), Vectors: pgvector.New(pool, log),
	}
	m.team = shared
	m.listener.Start()
	if m.Workspace, err = Open(Options{DataDir: dir, Team: shared, Models: models}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		m.listener.Close()
		pool.Close()
	})
	return m
}

func (m *member) index(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := m.Attach(t.Context(), dir, AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	return r
}

func (m *member) find(t *testing.T, name string) *Repo {
	t.Helper()
	r, err := m.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// read returns the text of a file, or why there is none.
func read(t *testing.T, r *Repo, path string) string {
	t.Helper()
	c, err := r.Read(t.Context(), path)
	if err != nil {
		return err.Error()
	}
	return string(c.Text)
}

func generation(t *testing.T, r *Repo) uint64 {
	t.Helper()
	s, err := r.Snapshot(t.Context(), Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Freshness.Generation
}

var sharedFiles = map[string]string{"a.go": "package a\n\nfunc A() int { return 1 }\n", "b.md": "# B\n\nText of b.\n"}

// TestTeamFollows holds that who answers shows each generation that is published, that
// who indexes goes on from what another published, and that a removed repository is
// gone for all.
func TestTeamFollows(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	filetest.Write(t, dir, sharedFiles)
	first, second, server := newMember(t, u, true, 0), newMember(t, u, true, 0), newMember(t, u, false, 0)
	name := first.index(t, dir).Name()
	r := server.find(t, name)
	if got := read(t, r, "a.go"); got != sharedFiles["a.go"] {
		t.Errorf("a.go is %q", got)
	}
	if f := r.Freshness(t.Context()); f.Generation != 1 || f.Indexed == "" || f.Behind != "" {
		t.Errorf("freshness %+v", f)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc A() int { return 2 }\n"})
	rep, err := second.find(t, name).Index(t.Context(), IndexOptions{})
	if err != nil || rep.Generation != 2 || rep.Analysed != 1 {
		t.Errorf("the second program: %+v, %v, want generation 2 with one file analysed", rep, err)
	}
	for generation(t, r) != 2 { // until it is heard
	}
	if got := read(t, r, "a.go"); !strings.Contains(got, "return 2") {
		t.Errorf("a.go is %q", got)
	}
	if rep, err := first.find(t, name).Index(t.Context(), IndexOptions{}); err != nil || rep.Generation != 2 || rep.Analysed != 0 {
		t.Errorf("the first program again: %+v, %v, want generation 2", rep, err)
	}
	var refused *usage.Error
	if _, err := r.Index(t.Context(), IndexOptions{}); !errors.As(err, &refused) {
		t.Errorf("Index by who answers: error %v", err)
	}
	if _, err := server.Attach(t.Context(), t.TempDir(), AttachOptions{Exact: true}); !errors.As(err, &refused) {
		t.Errorf("Attach by who answers: error %v", err)
	}
	if err := first.Remove(t.Context(), first.find(t, name)); err != nil {
		t.Fatal(err)
	}
	var gone *catalog.NotFoundError
	for _, err = server.Find(t.Context(), name); err == nil; _, err = server.Find(t.Context(), name) {
	}
	if !errors.As(err, &gone) {
		t.Errorf("after it was removed: %v", err)
	}
	var left int
	if err := first.pool.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM espy.pieces) + (SELECT count(*) FROM espy.views) + (SELECT count(*) FROM espy.families)").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}

// TestTeamPast holds that who answers knows the commits up to the one that was indexed,
// though it has no git folder.
func TestTeamPast(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	indexes, server := newMember(t, u, true, 0), newMember(t, u, false, 0)
	var name string
	for n := range 3 {
		filetest.Write(t, dir, map[string]string{"a.go": fmt.Sprintf("package a // %d\n", n), "b.go": fmt.Sprintf("package a // %d\n", n)})
		filetest.Commit(t, dir, "change")
		name = indexes.index(t, dir).Name()
	}
	r := server.find(t, name)
	for generation(t, r) != 3 { // until it is heard
	}
	log, err := PastOf(r)(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if n := log.With([]string{"a.go"}, func(string) bool { return true })["b.go"]["a.go"].Together; n != 2 {
		t.Errorf("%d commits changed both files, want 2", n)
	}
}

// TestTeamTogether holds that programs which index one repository at once publish one
// generation after the other, and that none is lost.
func TestTeamTogether(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	filetest.Write(t, dir, sharedFiles)
	var wg sync.WaitGroup
	for range 3 {
		m := newMember(t, u, true, 0)
		wg.Go(func() {
			r, err := m.Attach(t.Context(), dir, AttachOptions{Exact: true})
			if err == nil {
				_, err = r.Index(t.Context(), IndexOptions{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	server := newMember(t, u, false, 0)
	repos, err := server.Repos(t.Context())
	if err != nil || len(repos) != 1 {
		t.Fatalf("%d repositories, %v", len(repos), err)
	}
	if got := read(t, repos[0], "b.md"); got != sharedFiles["b.md"] {
		t.Errorf("b.md is %q", got)
	}
}

// TestTeamBehind holds that what is here answers while the database is gone, and says
// since when it may be behind.
func TestTeamBehind(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	filetest.Write(t, dir, sharedFiles)
	name := newMember(t, u, true, 0).index(t, dir).Name()
	server := newMember(t, u, false, 0)
	r := server.find(t, name)
	if generation(t, r) != 1 {
		t.Fatal("nothing is published")
	}
	server.listener.Close()
	server.pool.Close()
	if got := read(t, server.find(t, name), "b.md"); got != sharedFiles["b.md"] {
		t.Errorf("b.md is %q", got)
	}
	if f := r.Freshness(t.Context()); f.Behind == "" || f.Generation != 1 {
		t.Errorf("freshness %+v", f)
	}
}

// TestTeamMends holds that a part which is damaged or lost here is taken again, and
// that damage in the database is named and spreads nowhere.
func TestTeamMends(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	filetest.Write(t, dir, sharedFiles)
	name := newMember(t, u, true, 0).index(t, dir).Name()
	for _, tt := range []struct {
		name string
		harm func(t *testing.T, part string)
	}{
		{"lost", func(t *testing.T, part string) { must(t, os.Remove(part)) }},
		{"cut off", func(t *testing.T, part string) { must(t, os.Truncate(part, 100)) }},
		{"other bytes", func(t *testing.T, part string) {
			b, err := os.ReadFile(part)
			must(t, err)
			for i := range b {
				b[i] ^= 0x55
			}
			must(t, os.WriteFile(part, b, 0o600))
		}},
	} {
		for _, kind := range []string{"*.lex", "*.syn", "*.tree"} {
			t.Run(tt.name+" "+kind, func(t *testing.T) {
				server := newMember(t, u, false, 0)
				if generation(t, server.find(t, name)) != 1 {
					t.Fatal("nothing is published")
				}
				parts, err := filepath.Glob(filepath.Join(server.folder, "*", kind))
				if err != nil || len(parts) == 0 {
					t.Fatalf("parts %q, %v", parts, err)
				}
				must(t, server.Close()) // it has the parts mapped
				tt.harm(t, parts[0])
				again, err := Open(server.opts)
				must(t, err)
				defer again.Close()
				r, err := again.Find(t.Context(), name)
				must(t, err)
				for range 2 {
					if got := read(t, r, "a.go"); got != sharedFiles["a.go"] {
						t.Errorf("a.go is %q", got)
					}
				}
				s, err := r.Snapshot(t.Context(), Wait{})
				must(t, err)
				defer s.Close()
				if len(s.Damaged)+len(s.Unparsed) > 0 {
					t.Errorf("damaged: %v, %v", s.Damaged, s.Unparsed)
				}
				if _, err := s.Tree(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	t.Run("database", func(t *testing.T) {
		postgrestest.Exec(t, u, "UPDATE espy.pieces SET bytes = '\\x00' WHERE part LIKE '%.lex'")
		server := newMember(t, u, false, 0)
		if _, err := server.find(t, name).Snapshot(t.Context(), Wait{}); !errors.Is(err, store.ErrDamaged) && (err == nil || !strings.Contains(err.Error(), "bytes")) {
			t.Errorf("error %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(server.folder, "*", "view-*")); len(left) > 0 {
			t.Errorf("%q", left)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTeamCache holds that the views used least recently make room, and come back when
// they are asked about.
func TestTeamCache(t *testing.T) {
	u := postgrestest.Database(t)
	builder := newMember(t, u, true, 0)
	var names []string
	for _, files := range []map[string]string{sharedFiles, {"c.go": "package c\n"}} {
		dir := t.TempDir()
		filetest.Write(t, dir, files)
		names = append(names, builder.index(t, dir).Name())
	}
	before := newMember(t, u, false, 0)
	if generation(t, before.find(t, names[0])) != 1 {
		t.Fatal("nothing is published")
	}
	held, err := before.find(t, names[0]).Snapshot(t.Context(), Wait{})
	must(t, err)
	defer held.Close()
	o := before.opts
	log := slog.New(slog.DiscardHandler)
	o.Team = &team.Shared{Catalog: shared.New(before.pool, nil, before.folder), News: blob.NewNews(before.pool, nil, log), Log: log, Cache: team.NewCache(before.folder, 1, log)}
	after, err := Open(o)
	must(t, err)
	defer after.Close()
	r, err := after.Find(t.Context(), names[1])
	must(t, err)
	if got := read(t, r, "c.go"); got != "package c\n" {
		t.Errorf("c.go is %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(before.folder, "*", "view-*")); len(left) != 1 {
		t.Errorf("views %q, want the one in use", left)
	}
	if held.Stats().Files != 2 {
		t.Error("the parts of an open snapshot are gone")
	}
	if got := read(t, before.find(t, names[0]), "b.md"); got != sharedFiles["b.md"] {
		t.Errorf("after its view made room b.md is %q", got)
	}
}

// TestTeamUnpublished says what would help where nothing was published yet.
func TestTeamUnpublished(t *testing.T) {
	u := postgrestest.Database(t)
	r, err := newMember(t, u, true, 0).Attach(t.Context(), t.TempDir(), AttachOptions{Exact: true, Name: "new"})
	must(t, err)
	_, err = newMember(t, u, false, 0).find(t, "new").Snapshot(context.Background(), Wait{})
	if !errors.Is(err, replica.ErrUnpublished) || !strings.Contains(err.Error(), "espy index "+r.Root()) {
		t.Errorf("error %v", err)
	}
}
