package store

import (
	"strings"
	"time"

	"espy/internal/store/changelog"

	"espy/internal/store/manifest"
)

// The names of views. A family has the view of each of its work trees, and what
// is kept of those; others name views as they like, beginning with another word.
const (
	treePrefix = "tree." // a work tree that lies in the folder of another
	keptPrefix = "kept." // keptPrefix + view + "." + what it showed
)

// TreeOf returns the view of the work tree that a view shows, or is kept of;
// false for a view of another kind.
func TreeOf(view string) (tree string, ok bool) {
	if rest, kept := strings.CutPrefix(view, keptPrefix); kept {
		view = rest[:max(0, strings.LastIndexByte(rest, '.'))]
	}
	return view, view == MainView || strings.HasPrefix(view, treePrefix)
}

// Views returns the names of the views that have a generation, in no order.
func (f *Family) Views() (views []string, err error) {
	names, err := f.dir.Names()
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		view, ok := strings.CutPrefix(n, "view-")
		if view, isManifest := strings.CutSuffix(view, ".json"); ok && isManifest {
			views = append(views, view)
		}
	}
	return views, nil
}

// Scratch makes an empty folder for the holder of the writer's lock, which must
// remove it. When a process is killed before that, the next writer removes it.
func (f *Family) Scratch() (string, error) { return f.dir.Scratch() }

// Used is when a view was committed, or marked as used, last; zero for one
// without a generation.
func (f *Family) Used(view string) time.Time {
	info, err := f.dir.Stat(manifest.Name(view))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// usedEvery is how often the use of a view is noted: its Stamp changes with it.
const usedEvery = time.Hour

// NoteUse marks a view as used now. It ignores that the folder cannot be written:
// then no process drops its views.
func (f *Family) NoteUse(view string) {
	if time.Since(f.Used(view)) > usedEvery {
		_ = f.dir.Touch(manifest.Name(view))
	}
}

// ViewInfo is what a manifest says of a view.
type ViewInfo struct {
	Commit, Branch string
	Bytes          int64 // of the parts it lists
}

// About describes the newest generation of a view without opening its parts.
func (f *Family) About(view string) (ViewInfo, error) {
	m, err := f.readManifest(view)
	if err != nil {
		return ViewInfo{}, err
	}
	v := ViewInfo{Commit: m.Commit, Branch: m.Branch}
	for _, size := range m.Sizes() {
		v.Bytes += size
	}
	return v, nil
}

// Log returns the log records of a view, the oldest first.
func (f *Family) Log(view string) ([]changelog.Record, error) { return changelog.Read(f.dir, view) }
