package learned

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/git/gittest"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// school is a repository of git with its snapshot.
type school struct {
	t    *testing.T
	s    *store.Snapshot
	repo *git.Repository
	dir  string
	head string
}

func newSchool(t *testing.T, n int) *school {
	t.Helper()
	sc := &school{t: t, dir: t.TempDir()}
	sc.s, _ = lessons(t, n)
	_, commits := gittest.Lessons(n)
	sc.head = gittest.Import(t, sc.dir, commits)
	repo, err := git.OpenBare(filepath.Join(sc.dir, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	sc.repo = repo
	return sc
}

// study has a new book of a folder study, and returns how often the model was asked.
func (sc *school) study(folder, model string) (questions int) {
	sc.t.Helper()
	m := newModel(model)
	if err := NewBook(folder).Study(sc.t.Context(), sc.s, m, sc.repo, sc.head); err != nil {
		sc.t.Fatal(err)
	}
	return m.questions
}

func recordOf(t *testing.T, folder string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, fileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBook(t *testing.T) {
	sc, folder := newSchool(t, 400), t.TempDir()
	reader := NewBook(folder)
	if l := reader.Lesson("words"); l != nil {
		t.Fatalf("an empty folder taught %+v", l)
	}
	if sc.study(folder, "words") == 0 {
		t.Fatal("nothing was studied")
	}
	lesson, first := reader.Lesson("words"), recordOf(t, folder)
	if lesson == nil || lesson.Adapter == nil || reader.Adapter("words") != lesson.Adapter {
		t.Fatalf("another process reads %+v", lesson)
	}
	if reader.Lesson("another") != nil || reader.Adapter("another") != nil {
		t.Error("another model is told what this one learned")
	}
	t.Run("same commit", func(t *testing.T) {
		if n := sc.study(folder, "words"); n != 0 || recordOf(t, folder) != first {
			t.Errorf("it is studied again by %d questions", n)
		}
	})
	t.Run("same week", func(t *testing.T) {
		sc.head = filetest.Git(t, sc.dir, "rev-parse", "main~1")
		if n := sc.study(folder, "words"); n != 0 || !cmp.Equal(NewBook(folder).Lesson("words"), lesson) {
			t.Errorf("the same commits are studied again by %d questions", n)
		}
		sc.head = filetest.Git(t, sc.dir, "rev-parse", "main")
	})
	t.Run("same bytes", func(t *testing.T) {
		other := t.TempDir()
		if sc.study(other, "words"); recordOf(t, other) != first {
			t.Error("the same commits and files give another record")
		}
	})
	t.Run("another model", func(t *testing.T) {
		sc.study(folder, "another")
		if reader.Lesson("words") != nil {
			t.Error("what one model learned is told of another")
		}
	})
}

func TestLittleHistory(t *testing.T) {
	for name, n := range map[string]int{"one commit": 0, "one week": 10, "few commits": 100} {
		t.Run(name, func(t *testing.T) {
			sc, folder := newSchool(t, n), t.TempDir()
			sc.study(folder, "words")
			if l := NewBook(folder).Lesson("words"); l != nil {
				t.Errorf("learned %+v", l)
			}
			if b := NewBook(folder).current(); b == nil || b.Head != sc.head {
				t.Errorf("the record is %+v, so that it is studied again", b)
			}
		})
	}
}

// What is no record of this version is as none, and is written anew.
func TestBadRecord(t *testing.T) {
	sc, folder := newSchool(t, 200), t.TempDir()
	sc.study(folder, "words")
	good := recordOf(t, folder)
	for name, write := range map[string]func(dir *local.Dir, path string) error{
		"damaged": func(_ *local.Dir, path string) error { return os.WriteFile(path, []byte("{"+good), 0o600) },
		"empty":   func(_ *local.Dir, path string) error { return os.WriteFile(path, nil, 0o600) },
		"huge":    func(_ *local.Dir, path string) error { return os.Truncate(path, maxSize+1) },
		"no JSON": func(dir *local.Dir, _ string) error { return dir.Replace(fileName, []byte("[")) },
		"another version": func(dir *local.Dir, _ string) error {
			return dir.Replace(fileName, []byte(`{"version":99,"model":"words","head":"`+sc.head+`","Lesson":{}}`))
		},
		"odd weights": func(dir *local.Dir, _ string) error {
			return dir.Replace(fileName, []byte(`{"version":1,"model":"words","head":"`+sc.head+`","Lesson":{},"weight":"AAAA"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := local.Open(folder)
			if err == nil {
				err = write(dir, filepath.Join(folder, fileName))
			}
			if err != nil {
				t.Fatal(err)
			}
			if l := NewBook(folder).Lesson("words"); l != nil {
				t.Errorf("it is read as %+v", l)
			}
			if sc.study(folder, "words"); recordOf(t, folder) != good {
				t.Error("it is not written anew as it was")
			}
		})
	}
}

func TestStudyCancelled(t *testing.T) {
	sc, folder := newSchool(t, 200), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := NewBook(folder).Study(ctx, sc.s, newModel("words"), sc.repo, sc.head); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, fileName)); err == nil {
		t.Error("a record is written")
	}
}

func TestBookIsReadWhileItIsWritten(t *testing.T) {
	sc, folder := newSchool(t, 200), t.TempDir()
	b := NewBook(folder)
	var readers sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				b.Adapter("words")
			}
		})
	}
	for range 2 {
		if err := b.Study(t.Context(), sc.s, newModel("words"), sc.repo, sc.head); err != nil {
			t.Error(err)
		}
	}
	cancel()
	readers.Wait()
	if b.Lesson("words") == nil {
		t.Error("nothing was learned")
	}
}

func TestWeek(t *testing.T) {
	for from, want := range map[string]string{
		"2024-01-01T00:00:00Z":      "2024-01-01",
		"2024-01-07T23:59:59Z":      "2024-01-01",
		"2024-01-08T01:00:00+02:00": "2024-01-01",
		"2024-01-10T12:00:00Z":      "2024-01-08",
	} {
		t.Run(from, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, from)
			if err != nil {
				t.Fatal(err)
			}
			if got := week(at).Format(time.DateOnly); got != want {
				t.Errorf("week(%s) = %s, want %s", from, got, want)
			}
		})
	}
}
