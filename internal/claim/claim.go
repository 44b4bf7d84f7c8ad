// Package claim lets processes share a piece of work: one does it, the others see
// how far it has come, wait for it, learn how it ended, or have it ended.
//
// A job is a name in a folder, with these files there:
//
//	<name>.lock    locked by the process that runs the job, for as long as it
//	               lives; holds the id of the run
//	<name>.json    the record of the run, replaced as a whole at most every
//	               quarter of a second; or how the last run ended
//	<name>.cancel  the id of a run that is to end
//
// A record of a run whose process is gone is recognised by the lock, which went
// with it, and removed by the next run.
package claim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"espy/internal/replace"
)

// tick is how often a run looks whether it is to end, and at most writes its
// record. Runs that end before the first tick leave none.
const tick = 250 * time.Millisecond

// beat is how often the record of a run is renewed though nothing has changed.
const beat = 2 * time.Second

// silent is how long a run that lives may be without renewing its record: one
// that is silent for longer was stopped, and is not worth waiting for.
const silent = 5 * beat

// States of a run.
const (
	Running   = "running"
	Done      = "done"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// ErrBusy says that another run of the job is under way.
var ErrBusy = errors.New("the job runs already")

// ErrCancelled is how a run ends that was asked to.
var ErrCancelled = errors.New("cancelled")

// Record tells of a run.
type Record struct {
	ID       string          `json:"id"`
	PID      int             `json:"pid"` // its process
	State    string          `json:"state"`
	Began    time.Time       `json:"began"`
	Updated  time.Time       `json:"updated"`
	Progress json.RawMessage `json:"progress,omitempty"` // what Tell was given last
	Error    string          `json:"error,omitempty"`    // of a run that failed
}

// Job is a name in a folder.
type Job struct{ Dir, Name string }

func (j Job) path(suffix string) string { return filepath.Join(j.Dir, j.Name+suffix) }

func (j Job) lock() *flock.Flock { return flock.New(j.path(".lock"), flock.SetPermissions(0o600)) }

// Look returns the record of the run under way, or else of the last one; ok is
// false where there is neither. A run that has written none yet is told with
// its id and process alone.
func (j Job) Look() (r Record, ok bool) {
	id, running := j.running()
	r, ok = j.read()
	switch {
	case running && (!ok || r.ID != id):
		return Record{ID: id, PID: pidOf(id), State: Running}, true
	case !running && r.State == Running: // its process is gone
		return Record{}, false
	}
	return r, ok
}

// running returns the id of the run under way.
func (j Job) running() (id string, ok bool) {
	l := flock.New(j.path(".lock"), flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	if free, err := l.TryRLock(); free || err != nil {
		return "", false
	}
	b, err := os.ReadFile(j.path(".lock"))
	if err != nil || len(b) == 0 || len(b) > 100 {
		return "", true // it begins or ends at this moment
	}
	return strings.TrimSpace(string(b)), true
}

func pidOf(id string) int {
	pid, _, _ := strings.Cut(id, "-")
	n, _ := strconv.Atoi(pid)
	return n
}

func (j Job) read() (r Record, ok bool) {
	b, err := os.ReadFile(j.path(".json"))
	if err != nil || json.Unmarshal(b, &r) != nil || r.ID == "" {
		return Record{}, false
	}
	return r, true
}

// Cancel asks the run under way to end, which it does at its next tick; ok is
// false where there is none.
func (j Job) Cancel() (r Record, ok bool, err error) {
	r, ok = j.Look()
	if !ok || r.State != Running || r.ID == "" {
		return r, false, nil
	}
	return r, true, replace.File(j.path(".cancel"), []byte(r.ID))
}

// Run is a job that this process does.
type Run struct {
	Before Record // of the run before, with an empty state where none is known

	job    Job
	lock   *flock.Flock
	id     string
	began  time.Time
	cancel func(error)
	quit   chan struct{}
	done   chan struct{}

	mu       sync.Mutex
	progress any  // guarded by mu
	told     bool // progress is newer than the record, guarded by mu
	wrote    time.Time
	wanted   bool // to end, guarded by mu
}

// Start begins a run, ErrBusy where one is under way. cancel is called with
// ErrCancelled when somebody asks for its end. End must be called.
func (j Job) Start(cancel func(error)) (*Run, error) {
	if err := os.MkdirAll(j.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("start job: %w", err)
	}
	l := j.lock()
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("start job: %w", err)
	}
	if !ok {
		return nil, ErrBusy
	}
	now := time.Now()
	r := &Run{job: j, lock: l, id: fmt.Sprintf("%d-%d", os.Getpid(), now.UnixNano()), began: now, cancel: cancel, quit: make(chan struct{}), done: make(chan struct{})}
	if err := os.WriteFile(j.path(".lock"), []byte(r.id), 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("start job: %w", err)
	}
	r.before()
	go r.tick()
	return r, nil
}

// before takes in how the last run ended, and removes what tells of it but is
// not true any more.
func (r *Run) before() {
	last, ok := r.job.read()
	if ok && last.State != Running {
		r.Before = last
	}
	if ok && last.State != Done {
		os.Remove(r.job.path(".json"))
	}
	old, _ := filepath.Glob(filepath.Join(r.job.Dir, replace.Leftover))
	for _, name := range old { // of a process that was killed, or of a run just asked to end
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Minute {
			os.Remove(name)
		}
	}
}

// Tell notes how far the run has come, as a value that has a JSON form.
func (r *Run) Tell(progress any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress, r.told = progress, true
}

func (r *Run) tick() {
	defer close(r.done)
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		select {
		case <-r.quit:
			return
		case <-ticks.C:
			r.look()
		}
	}
}

// look does what a tick is for. A record that cannot be written, as on a full
// disk, is not worth the run.
func (r *Run) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id, err := os.ReadFile(r.job.path(".cancel")); err == nil && string(id) == r.id && !r.wanted {
		r.wanted = true
		r.cancel(ErrCancelled)
	}
	if r.told || time.Since(r.wrote) >= beat {
		_ = r.writeLocked(Running, "")
	}
}

func (r *Run) writeLocked(state, problem string) error {
	progress, err := json.Marshal(r.progress)
	if err != nil {
		return err
	}
	r.told, r.wrote = false, time.Now()
	rec := Record{ID: r.id, PID: os.Getpid(), State: state, Began: r.began.UTC(), Updated: r.wrote.UTC(), Progress: progress, Error: problem}
	b, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	return replace.File(r.job.path(".json"), b)
}

// End ends the run, which left err.
func (r *Run) End(err error) {
	close(r.quit)
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	state, problem := Done, ""
	switch {
	case errors.Is(err, ErrCancelled):
		state = Cancelled
	case err != nil:
		state, problem = Failed, err.Error()
	}
	if !r.wrote.IsZero() || state == Cancelled {
		_ = r.writeLocked(state, problem)
	}
	if id, err := os.ReadFile(r.job.path(".cancel")); err == nil && string(id) == r.id {
		os.Remove(r.job.path(".cancel"))
	}
	r.lock.Close()
}

// Stopped reports whether a run that lives has not renewed its record for long.
func (r Record) Stopped(now time.Time) bool {
	return r.State == Running && !r.Updated.IsZero() && now.Sub(r.Updated) > silent
}

// Clean removes the files of a folder's jobs that are not under way, but for
// those to keep. Two runs of a job that begins at this moment do no harm other
// than doing the work twice.
func Clean(dir string, keep func(name string) bool) error {
	locks, err := filepath.Glob(filepath.Join(dir, "*.lock"))
	if err != nil {
		return err
	}
	for _, name := range locks {
		j := Job{Dir: dir, Name: strings.TrimSuffix(filepath.Base(name), ".lock")}
		if keep(j.Name) {
			continue
		}
		l := j.lock()
		if free, lockErr := l.TryLock(); lockErr != nil || !free {
			continue
		}
		for _, suffix := range []string{".json", ".cancel", ".lock"} {
			if e := os.Remove(j.path(suffix)); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
		l.Close()
	}
	return err
}
