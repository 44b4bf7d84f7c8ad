package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/windows"
	"espy/internal/workspace"
)

// Options say what to index under a name.
type Options struct {
	Name      string
	Root      string
	Include   []string // shown by the record
	Exclude   []string
	Policy    discover.Policy
	Windowing windows.Cut
	Created   time.Time // of a session that is made anew; zero is now
	New       bool      // no session may have the name: ErrTaken where one has, also one made meanwhile
	Progress  func(progress.Report)
}

// Report says what indexing a session did.
type Report struct {
	Record
	Left     []discover.Exclusion // files left out by other than patterns and hidden names
	Duration time.Duration
}

// builder writes the views of sessions.
type builder struct {
	ws      *workspace.Workspace
	records records
}

// build indexes a folder under a name, and returns its repository too.
func (b *builder) build(ctx context.Context, o Options) (*Report, *workspace.Repo, error) {
	began := time.Now()
	if !IsName(o.Name) {
		return nil, nil, fmt.Errorf("session name %q: must be 1 to 64 letters and digits of any script, _ and -, beginning with a letter or digit", o.Name)
	}
	if err := errors.Join(o.Windowing.Validate(), o.Policy.Validate()); err != nil {
		return nil, nil, err
	}
	repo, err := b.ws.Attach(ctx, o.Root, workspace.AttachOptions{Exact: true})
	if err != nil {
		return nil, nil, err
	}
	if repo.Published() {
		return nil, nil, &usage.Error{
			Msg:  "a session is made of the files of its folder, and this program answers from the team's database (setting database_url), which has none",
			Hint: "make it where the folder is, with ESPY_DATABASE_URL= set to nothing; the tools of espy mcp search what the team has published",
		}
	}
	rep := &Report{Record: Record{
		Schema: Schema, Name: o.Name, Root: repo.Root(), Repo: repo.ID(), Created: o.Created,
		View:    viewsOf(o.Name) + strconv.FormatInt(began.UnixNano(), 36),
		Include: o.Include, Exclude: o.Exclude, Policy: o.Policy, Windowing: o.Windowing,
	}}
	if rep.Created.IsZero() {
		rep.Created = began.UTC()
	}
	if err := repo.Recover(func() error { return b.write(ctx, repo, rep, &o) }); err != nil {
		return nil, nil, errors.Join(err, b.tidy(context.WithoutCancel(ctx), repo, o.Name))
	}
	rep.Duration = time.Since(began)
	return rep, repo, nil
}

// write writes the view and then, under the same lock, the record.
func (b *builder) write(ctx context.Context, repo *workspace.Repo, rep *Report, as *Options) error {
	unlock, err := repo.Lock(ctx, as.Progress)
	if err != nil {
		return err
	}
	batch, err := repo.Family().Begin(rep.View, unlock, true)
	if err != nil {
		return err
	}
	o := index.Options{Policy: rep.Policy, NoTerms: true, Workers: b.ws.Options().Workers, Hooks: index.Hooks{Progress: as.Progress}}
	err = writeFiles(ctx, repo, batch, o)
	if err == nil {
		err = writeWindows(ctx, repo, batch, rep, o)
	}
	if err == nil {
		err = b.publish(ctx, repo, rep, as.New)
	}
	return errors.Join(err, batch.Close())
}

// writeFiles adds the files of the folder to the new view.
func writeFiles(ctx context.Context, repo *workspace.Repo, batch *store.Batch, o index.Options) error {
	root, err := repo.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	plan, err := index.Compare(ctx, root, batch.Base(), o)
	if err != nil {
		return err
	}
	if err := repo.Family().Reserve(plan.Bytes); err != nil {
		return err
	}
	_, err = index.Sync(ctx, batch, plan, o)
	return err
}

// writeWindows adds the windows to the new view.
func writeWindows(ctx context.Context, repo *workspace.Repo, batch *store.Batch, rep *Report, o index.Options) error {
	s, err := repo.Family().Snapshot(rep.View)
	if err != nil {
		return err
	}
	defer s.Close()
	return windows.Index(ctx, batch, s, rep.Windowing, o.Workers)
}

// publish counts what the new view holds and writes its record.
func (b *builder) publish(ctx context.Context, repo *workspace.Repo, rep *Report, isNew bool) error {
	s, err := repo.Family().Snapshot(rep.View)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := segment.Guard(func() error { rep.Files = s.Stats().Files; return nil }); err != nil {
		return err
	}
	rep.Windows = windows.Count(s)
	for _, x := range s.Excluded() {
		switch x.Reason {
		case discover.ReasonExcluded, discover.ReasonHidden, discover.ReasonVCS, discover.ReasonIgnored:
		default:
			rep.Left = append(rep.Left, x)
		}
	}
	rep.Bytes, rep.Indexed = s.IndexBytes(), time.Now().UTC()
	return b.records.write(ctx, rep.Record, isNew)
}

// tidy drops the views of a session that its record does not name, and what
// their watchers left.
func (b *builder) tidy(ctx context.Context, repo *workspace.Repo, name string) error {
	gone := func(view string) bool { return b.records.superseded(name, view) }
	return errors.Join(repo.Family().Drop(ctx, gone), removeWatches(repo.Folder(), gone))
}

func (b *builder) tidyEverywhere(ctx context.Context, name string) error {
	repos, err := b.ws.Repos(ctx)
	for _, r := range repos {
		err = errors.Join(err, b.tidy(ctx, r, name))
	}
	return err
}

// watchPrefix begins the name of the folder where the watchers of a view meet,
// in the folder of its repository.
const watchPrefix = "watch-"

// removeWatches removes the folders of watchers of the views for which gone is true.
func removeWatches(dir string, gone func(view string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if view, ok := strings.CutPrefix(e.Name(), watchPrefix); ok && gone(view) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
