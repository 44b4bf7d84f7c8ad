package claim

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func start(t *testing.T, j Job, cancel func(error)) *Run {
	t.Helper()
	r, err := j.Start(cancel)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// await looks until the record is as wanted.
func await(t *testing.T, j Job, what string, want func(r Record, ok bool) bool) Record {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.After(3 * time.Minute); ; {
		r, ok := j.Look()
		if want(r, ok) {
			return r
		}
		select {
		case <-end:
			t.Fatalf("%s: %+v, %v", what, r, ok)
		case <-tick.C:
		}
	}
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := Job{Dir: filepath.Join(t.TempDir(), "jobs"), Name: "main.index"}
		if r, ok := j.Look(); ok {
			t.Errorf("Look before any run = %+v", r)
		}
		run := start(t, j, nil)
		if _, err := j.Start(nil); !errors.Is(err, ErrBusy) {
			t.Errorf("a second run: %v, want ErrBusy", err)
		}
		first, ok := j.Look()
		if !ok || first.State != Running || first.PID != os.Getpid() {
			t.Errorf("Look at a run that begins = %+v, %v", first, ok)
		}
		run.Tell(map[string]int{"files": 7})
		rec := await(t, j, "progress", func(r Record, _ bool) bool { return string(r.Progress) == `{"files":7}` })
		if rec.ID != first.ID || rec.State != Running || rec.Stopped(time.Now()) || !rec.Stopped(time.Now().Add(silent+time.Second)) {
			t.Errorf("record %+v", rec)
		}
		run.End(nil)
		if r, ok := j.Look(); !ok || r.State != Done || r.ID != first.ID {
			t.Errorf("Look at what ended = %+v, %v", r, ok)
		}
		short := start(t, j, nil)
		if short.Before.ID != first.ID || short.Before.State != Done {
			t.Errorf("Before = %+v", short.Before)
		}
		short.End(nil)
		failed := start(t, j, nil)
		failed.Tell(1)
		await(t, j, "a record", func(r Record, _ bool) bool { return string(r.Progress) == "1" })
		failed.End(errors.New("disk full"))
		if r, ok := j.Look(); !ok || r.State != Failed || r.Error != "disk full" {
			t.Errorf("Look at what failed = %+v, %v", r, ok)
		}
		start(t, j, nil).End(nil)
		if r, ok := j.Look(); ok {
			t.Errorf("the failure is told after a run that did not fail: %+v", r)
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := Job{Dir: t.TempDir(), Name: "x"}
		if _, ok, err := j.Cancel(); ok || err != nil {
			t.Errorf("Cancel of nothing = %v, %v", ok, err)
		}
		asked := make(chan error, 2)
		run := start(t, j, func(err error) { asked <- err })
		if _, ok, err := j.Cancel(); !ok || err != nil {
			t.Errorf("Cancel = %v, %v", ok, err)
		}
		if err := <-asked; !errors.Is(err, ErrCancelled) {
			t.Errorf("the run was asked to end by %v", err)
		}
		run.End(ErrCancelled)
		next := start(t, j, func(err error) { t.Errorf("the next run was asked to end by %v", err) })
		if next.Before.State != Cancelled {
			t.Errorf("Before = %+v", next.Before)
		}
		next.Tell(1)
		await(t, j, "a tick", func(r Record, _ bool) bool { return r.ID == next.id && r.Progress != nil })
		next.End(nil)
		if names, _ := filepath.Glob(filepath.Join(j.Dir, "*.cancel")); len(names) > 0 {
			t.Errorf("left behind: %v", names)
		}
	})
}

// TestReadersAndRuns looks at jobs that come and go: what a reader sees is
// whole, and no reader keeps a run from beginning for long.
func TestReadersAndRuns(t *testing.T) {
	j := Job{Dir: t.TempDir(), Name: "x"}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if r, ok := j.Look(); ok && (r.State == "" || r.Progress != nil && !json.Valid(r.Progress)) {
					t.Errorf("record %+v", r)
				}
			}
		})
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 50 {
		run, err := j.Start(nil)
		for errors.Is(err, ErrBusy) {
			<-tick.C
			run, err = j.Start(nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		run.Tell("progress")
		run.look()
		run.End(nil)
	}
	close(stop)
	readers.Wait()
}

// TestMain runs a job until the process is killed, when it is told to.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CLAIM_TEST_DIR"); dir != "" {
		run, err := Job{Dir: dir, Name: "x"}.Start(nil)
		if err != nil {
			panic(err)
		}
		run.Tell(42)
		select {}
	}
	os.Exit(m.Run())
}

func TestKilledProcess(t *testing.T) {
	j := Job{Dir: t.TempDir(), Name: "x"}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CLAIM_TEST_DIR="+j.Dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	rec := await(t, j, "the other process", func(r Record, _ bool) bool { return string(r.Progress) == "42" })
	if rec.PID != cmd.Process.Pid {
		t.Errorf("process %d, want %d", rec.PID, cmd.Process.Pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() //nolint:errcheck // it was killed
	if r, ok := j.Look(); ok {
		t.Errorf("the run of a process that is gone is told: %+v", r)
	}
	if _, ok, _ := j.Cancel(); ok {
		t.Error("a run of a process that is gone was cancelled")
	}
	start(t, j, nil).End(nil)
	entries, err := os.ReadDir(j.Dir)
	if err != nil || len(entries) != 1 || !strings.HasSuffix(entries[0].Name(), ".lock") {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestDamagedRecords(t *testing.T) {
	j := Job{Dir: t.TempDir(), Name: "x"}
	for _, text := range []string{"", "{", "null", "[]", `{"id":7}`, `{"id":"1-1","state":"running"}`, strings.Repeat("x", 1<<16)} {
		t.Run(fmt.Sprintf("%.40q", text), func(t *testing.T) {
			if err := os.WriteFile(j.path(".json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if r, ok := j.Look(); ok {
				t.Errorf("Look at %.40q = %+v", text, r)
			}
			start(t, j, nil).End(nil)
		})
	}
	if err := os.WriteFile(filepath.Join(j.Dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Job{Dir: filepath.Join(j.Dir, "file", "jobs"), Name: "x"}).Start(nil); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("Start in no folder: %v", err)
	}
}

func TestClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		dead, alive, kept := Job{Dir: dir, Name: "dead"}, Job{Dir: dir, Name: "alive"}, Job{Dir: dir, Name: "kept"}
		start(t, dead, nil).End(ErrCancelled)
		start(t, kept, nil).End(ErrCancelled)
		run := start(t, alive, nil)
		defer run.End(nil)
		run.Tell(1)
		await(t, alive, "a record", func(r Record, _ bool) bool { return r.Progress != nil })
		if err := Clean(dir, func(name string) bool { return name == "kept" }); err != nil {
			t.Fatal(err)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "dead*")); len(names) > 0 {
			t.Errorf("left behind: %v", names)
		}
		if r, ok := kept.Look(); !ok || r.State != Cancelled {
			t.Errorf("what was to be kept is %+v, %v", r, ok)
		}
		if r, ok := alive.Look(); !ok || string(r.Progress) != "1" {
			t.Errorf("the record of a run under way is %+v, %v", r, ok)
		}
	})
}
