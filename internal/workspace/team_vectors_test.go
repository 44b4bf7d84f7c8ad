package workspace

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/git/gittest"
	"espy/internal/hit"
	"espy/internal/postgrestest"
	"espy/internal/search"
)

// meaning asks repositories by meaning.
func meaning(t *testing.T, m *member, req hit.Request, repos ...*Repo) *hit.Result {
	t.Helper()
	req.Mode, req.Explain = hit.ModeSemantic, true
	q, err := search.Compile(req)
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.Search(t.Context(), repos, q, Wait{})
	if err != nil {
		t.Fatal(err)
	}
	res.Duration = 0
	for i := range res.Repos { // what is said of the state of files, which a server has not
		res.Repos[i] = hit.Searched{Repo: res.Repos[i].Repo, Files: res.Repos[i].Files}
	}
	return res
}

func (m *member) vectorFiles(t *testing.T) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(m.folder, "*", "*.vec"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

var ownModel = embedding.Models{Local: static.BuiltIn()}

// library is a tree of files about several matters.
func library(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	files := map[string]string{"README.md": "# " + name + "\n\nHow to retry a request.\n"}
	for i, matter := range []string{"retry a request with a growing delay", "parse a configuration file", "open a connection to the database", "sort a list of numbers", "compress a file", "check a password"} {
		files[fmt.Sprintf("src/m%d.go", i)] = fmt.Sprintf("package src\n\n// M%d will %s, for %s.\nfunc M%d() error {\n\treturn nil\n}\n", i, matter, name, i)
		files[fmt.Sprintf("test/m%d_test.go", i)] = fmt.Sprintf("package src\n\n// TestM%d holds that M%d can %s.\nfunc TestM%d() {}\n", i, i, matter, i)
	}
	filetest.Write(t, dir, files)
	return dir
}

// published indexes two repositories, and returns a server that has seen neither.
func published(t *testing.T, u *url.URL) (builder, server *member, there, here []*Repo) {
	t.Helper()
	builder = newMemberOf(t, u, true, 0, ownModel)
	for _, name := range []string{"one", "two"} {
		there = append(there, builder.index(t, library(t, name)))
	}
	server = newMemberOf(t, u, false, 0, ownModel)
	for _, r := range there {
		here = append(here, server.find(t, r.Name()))
	}
	return builder, server, there, here
}

// TestVectorsInDatabase holds that a server answers questions by meaning over all
// repositories as who indexed them does, and takes no vectors for it; and that it takes
// them for a question to every chunk.
func TestVectorsInDatabase(t *testing.T) {
	builder, server, there, here := published(t, postgrestest.Vectors(t))
	for _, req := range []hit.Request{
		{Query: "retry a request with a growing delay", Limit: 5},
		{Query: "check a password", Limit: 50},
		{Query: "compress path:src/*", Limit: 50},
		{Query: "how to sort numbers scope:test", Limit: 3, Offset: 2},
	} {
		t.Run(req.Query, func(t *testing.T) {
			if diff := cmp.Diff(meaning(t, builder, req, there...), meaning(t, server, req, here...)); diff != "" {
				t.Errorf("the builder, the server:\n%s", diff)
			}
		})
	}
	if n := server.vectorFiles(t); n != 0 {
		t.Errorf("the server took %d parts of vectors", n)
	}
	every := hit.Request{Query: "check a password", Limit: 50, Passages: true}
	if diff := cmp.Diff(meaning(t, builder, every, there...), meaning(t, server, every, here...)); diff != "" {
		t.Errorf("every chunk: the builder, the server:\n%s", diff)
	}
	if n := server.vectorFiles(t); n != 2 {
		t.Errorf("the server took %d parts of vectors, want 2", n)
	}
}

// TestVectorsGone holds that a server answers the same where the extension is dropped
// while it runs, and that who indexes gives the database the vectors again when it is
// back.
func TestVectorsGone(t *testing.T) {
	u := postgrestest.Vectors(t)
	builder, server, there, here := published(t, u)
	req := hit.Request{Query: "check a password", Limit: 5}
	before := meaning(t, server, req, here...)
	postgrestest.Exec(t, u, "DROP EXTENSION vector CASCADE")
	after := meaning(t, server, req, here...)
	if len(after.Notes) == 0 || !strings.Contains(after.Notes[len(after.Notes)-1], "pgvector was removed") {
		t.Errorf("notes %q", after.Notes)
	}
	after.Notes = before.Notes
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("with pgvector, without:\n%s", diff)
	}
	if n := server.vectorFiles(t); n != 2 {
		t.Errorf("%d parts of vectors were taken, want 2", n)
	}
	for _, r := range there { // a superuser's program makes the extension itself
		if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	other := newMemberOf(t, u, false, 0, ownModel)
	again := meaning(t, other, req, other.find(t, "one"), other.find(t, "two"))
	if diff := cmp.Diff(before, again); diff != "" || other.vectorFiles(t) != 0 {
		t.Errorf("when it is back, with %d parts taken:\n%s", other.vectorFiles(t), diff)
	}
	_, _ = builder, context.Background
}

// asksOnce calls a function where it is asked its first question.
type asksOnce struct {
	embeddingtest.Words
	first func()
}

func (m *asksOnce) Query(ctx context.Context, text string) (embedding.Vector, error) {
	m.first()
	return m.Words.Query(ctx, text)
}

// TestTeamLearns holds that a generation is published before anything is learned of its
// commits, and that what is learned is published after it.
func TestTeamLearns(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	_, commits := gittest.Lessons(400)
	gittest.Import(t, dir, commits)
	filetest.Git(t, dir, "reset", "-q", "--hard", "main")
	ctx, cancel := context.WithCancel(t.Context())
	model := &asksOnce{Words: embeddingtest.Words{Size: 256}, first: cancel}
	builder := newMemberOf(t, u, true, 0, embedding.Models{Local: model})
	r, err := builder.Attach(t.Context(), dir, AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Index(ctx, IndexOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Index, cancelled while it learns: error %v", err)
	}
	server := newMemberOf(t, u, false, 0, embedding.Models{Local: model})
	s := server.find(t, r.Name())
	if got := generation(t, s); got != 1 || s.book.Lesson(model.Identity()) != nil {
		t.Errorf("generation %d, lesson %+v, want the first without a lesson", got, s.book.Lesson(model.Identity()))
	}
	if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	for s.book.Adapter(model.Identity()) == nil && t.Context().Err() == nil { // until it is heard
		if got := generation(t, s); got != 1 {
			t.Fatalf("generation %d", got)
		}
	}
	edition := func() (n int64) {
		t.Helper()
		if err := builder.pool.QueryRow(t.Context(), "SELECT max(edition) FROM espy.views").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := edition()
	if _, err := r.Index(t.Context(), IndexOptions{}); err != nil || edition() != before {
		t.Errorf("nothing new: edition %d after %d, error %v", edition(), before, err)
	}
}

// TestVectorsCome holds that a program which stays takes few vectors that it was asked
// about, and that the answer is the same afterwards.
func TestVectorsCome(t *testing.T) {
	_, server, _, here := published(t, postgrestest.Vectors(t))
	server.team.Stays = true
	req := hit.Request{Query: "check a password", Limit: 50}
	first := meaning(t, server, req, here...)
	away := func(r *Repo) bool {
		t.Helper()
		s, err := r.Snapshot(t.Context(), Wait{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return len(s.Segments[0].Away) > 0
	}
	for _, r := range here {
		for away(r) && t.Context().Err() == nil { // until they have come
			runtime.Gosched()
		}
	}
	if diff := cmp.Diff(first, meaning(t, server, req, here...)); diff != "" || server.vectorFiles(t) != 2 {
		t.Errorf("the first time, the second, with %d parts of vectors:\n%s", server.vectorFiles(t), diff)
	}
}
