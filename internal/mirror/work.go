package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"espy/internal/catalog"
	"espy/internal/queue"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Worker does the jobs of a team with a workspace that publishes what it indexes.
type Worker struct {
	Workspace *workspace.Workspace
	Queue     *queue.Queue
	AtOnce    int    // jobs that run at a time; 0 for 1
	File      string // a list of repositories; empty for none
	Log       *slog.Logger
	// Tell is told what happened, in one line; nil is silent.
	Tell func(string)

	mu   sync.Mutex
	full map[string]string // guarded by mu; addresses with their passwords
}

// lookEvery is how often the list and what is due are looked at.
const lookEvery = 10 * time.Second

// Run works until ctx ends. A list that cannot be read at first is an error; later it
// is said, and the one before counts on.
func (w *Worker) Run(ctx context.Context) error {
	var list lists
	if err := w.read(ctx, &list); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.schedule(ctx, &list)
	}()
	err := w.Queue.Work(ctx, queue.WorkOptions{Do: w.do, AtOnce: w.AtOnce})
	cancel()
	<-ended
	return err
}

// lists is what was read of the file last.
type lists struct {
	stamp time.Time
	size  int64
}

// schedule asks for what is due, and reads the list when it has changed.
func (w *Worker) schedule(ctx context.Context, list *lists) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if _, err := w.Queue.Due(ctx); err != nil && ctx.Err() == nil {
			w.Log.Warn("the schedule is not kept", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := w.read(ctx, list); err != nil && ctx.Err() == nil {
			w.Log.Warn("the list of repositories is not read, the one before counts on", "err", err)
		}
	}
}

// read takes the file over where it has changed.
func (w *Worker) read(ctx context.Context, list *lists) error {
	if w.File == "" {
		return nil
	}
	info, err := os.Stat(w.File)
	if errors.Is(err, fs.ErrNotExist) {
		return &usage.Error{Arg: "mirror", Value: w.File, Msg: "there is no such file", Hint: "it lists one repository a line: PLACE [every=TIME] [branch=NAME]..."}
	}
	if err != nil || info.ModTime().Equal(list.stamp) && info.Size() == list.size {
		return err
	}
	text, err := os.ReadFile(w.File)
	if err != nil {
		return err
	}
	l, err := parse(w.File, text)
	if err != nil {
		return err
	}
	name, err := filepath.Abs(w.File)
	if err != nil {
		return err
	}
	gone, err := w.Queue.Mirrors(ctx, name, l.Mirrors)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.full = l.Full
	w.mu.Unlock()
	list.stamp, list.size = info.ModTime(), info.Size()
	w.tell("%s lists %d", w.File, len(l.Mirrors))
	for _, m := range gone {
		w.tell("no longer in %s: %s; it stays indexed until espy remove", w.File, addressed(m.Place, m.Ref))
	}
	return nil
}

func (w *Worker) tell(format string, values ...any) {
	if w.Tell != nil {
		w.Tell(fmt.Sprintf(format, values...))
	}
}

// addressed is a place with its ref, as AttachURL takes it.
func addressed(place, ref string) string {
	if ref == "" {
		return place
	}
	return place + "#" + ref
}

// do brings the repository of a job up to date, by every pass, and publishes it.
func (w *Worker) do(ctx context.Context, j queue.Job) error {
	began, name := time.Now(), addressed(j.Place, j.Ref)
	w.tell("begin %s", name)
	rep, err := w.bring(ctx, j)
	if err != nil {
		w.tell("failed %s: %v", name, err)
		return err
	}
	w.tell("done %s: generation %d, %d files, %v", name, rep.Generation, rep.Files, time.Since(began).Round(time.Millisecond))
	return nil
}

func (w *Worker) bring(ctx context.Context, j queue.Job) (rep workspace.IndexReport, err error) {
	var r *workspace.Repo
	var o workspace.IndexOptions
	if catalog.IsURL(j.Place) {
		o.URL = addressed(w.address(j.Place), j.Ref)
		r, err = w.Workspace.AttachURL(ctx, o.URL, "")
	} else if _, err = os.Stat(j.Place); err != nil {
		err = fmt.Errorf("this worker does not see the folder: %w", err) // another may
	} else {
		r, err = w.Workspace.Attach(ctx, j.Place, workspace.AttachOptions{Exact: true})
	}
	if err != nil {
		return rep, err
	}
	if rep, err = r.Index(ctx, o); err != nil {
		return rep, errors.Join(err, w.Workspace.Abandon(context.WithoutCancel(ctx), r))
	}
	return rep, r.EmbedRemote(ctx, nil)
}

// address is that of a place with the password that the list of this worker has.
func (w *Worker) address(place string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if full, ok := w.full[place]; ok {
		return full
	}
	return place
}
