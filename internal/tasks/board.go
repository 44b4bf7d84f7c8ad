package tasks

import (
	"context"
	"slices"
	"strings"
	"sync"

	"espy/internal/code"
)

// board remembers the open tasks of repositories until the store's mark changes.
type board struct {
	store Store

	mu    sync.Mutex
	mark  int64                   // of what is remembered; guarded by mu
	tasks map[code.RepoID]*opened // guarded by mu
}

// maxOpen bounds how many open tasks of a repository are looked at, the newest.
const maxOpen = 1000

// opened is the open tasks that name code of one repository. A nil one has none.
type opened struct {
	files   map[string][]*Task
	symbols map[string][]*Task // by the last part of the name
	names   map[*Task][]string
	ids     map[string][]*Task // by the file that an id of a symbol names
}

// Near is the open tasks that name code of some repositories. A nil one has none.
type Near struct {
	repos map[string]*opened
	sight sight
	Err   error // why they are not known; nil where they are
}

// near returns the open tasks that name code of repositories, nil for none.
func (b *board) near(ctx context.Context, repos map[string]code.RepoID, s sight) *Near {
	var n *Near
	for name, id := range repos {
		o, err := b.open(ctx, id)
		if err != nil {
			return &Near{Err: err}
		}
		if o != nil && n == nil {
			n = &Near{repos: map[string]*opened{}, sight: s}
		}
		if o != nil {
			n.repos[name] = o
		}
	}
	return n
}

// Of returns the tasks that name a file of a repository, or a symbol of it by its
// id or qualified name, empty where there is no symbol.
func (n *Near) Of(repo, path, symbol string) []*Task {
	if n == nil {
		return nil
	}
	return n.seen(n.repos[repo].of(path, symbol))
}

// In returns the tasks that name a file of a repository, or a symbol of it by its id.
func (n *Near) In(repo, path string) []*Task {
	if n == nil || n.repos[repo] == nil {
		return nil
	}
	list := n.Of(repo, path, "")
	add(&list, n.repos[repo].ids[path])
	return n.seen(list)
}

// seen leaves out of a list of its own what does not exist for who asks.
func (n *Near) seen(list []*Task) []*Task {
	return slices.DeleteFunc(list, func(t *Task) bool { return !n.sight.sees(t) })
}

// open returns the open tasks that name code of a repository, nil for none. Where
// nothing has changed since the last call, the store is only asked for its mark.
func (b *board) open(ctx context.Context, repo code.RepoID) (*opened, error) {
	mark, err := b.store.Mark(ctx)
	if err != nil || mark == 0 {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if mark != b.mark || b.tasks == nil {
		b.mark, b.tasks = mark, map[code.RepoID]*opened{}
	}
	if o, ok := b.tasks[repo]; ok {
		return o, nil
	}
	list, err := b.store.List(ctx, Filter{Open: true, Repo: repo}, Page{Limit: maxOpen})
	if err != nil {
		return nil, err
	}
	o := newOpened(repo, list.Tasks)
	b.tasks[repo] = o
	return o, nil
}

func newOpened(repo code.RepoID, list []*Task) *opened {
	if len(list) == 0 {
		return nil
	}
	o := &opened{files: map[string][]*Task{}, symbols: map[string][]*Task{}, names: map[*Task][]string{}, ids: map[string][]*Task{}}
	for _, t := range list {
		for _, f := range t.Files {
			if f.Repo == repo {
				o.files[f.Path] = append(o.files[f.Path], t)
			}
		}
		for _, s := range t.Symbols {
			if s.Repo == repo {
				last := lastPart(s.Name)
				o.symbols[last] = append(o.symbols[last], t)
				o.names[t] = append(o.names[t], s.Name)
				if path, _, isID := strings.Cut(s.Name, "#"); isID {
					o.ids[path] = append(o.ids[path], t)
				}
			}
		}
	}
	return o
}

// lastPart is the last part of a name or id, which others of it begin with.
func lastPart(name string) string { return name[strings.LastIndexAny(name, "#.")+1:] }

// of returns the tasks that name a file, or a symbol of it.
func (o *opened) of(path, symbol string) (list []*Task) {
	if o == nil {
		return nil
	}
	add(&list, o.files[path])
	if symbol == "" {
		return list
	}
	_, qualified, ok := strings.Cut(symbol, "#")
	if !ok {
		qualified = symbol
	}
	for _, t := range o.symbols[lastPart(symbol)] {
		for _, name := range o.names[t] {
			if means(name, path, qualified) {
				add(&list, []*Task{t})
			}
		}
	}
	return list
}

// means reports whether a task's name of a symbol is that of one in a file: all of
// its name, the last parts of it, or the id.
func means(name, path, qualified string) bool {
	at, rest, isID := strings.Cut(name, "#")
	if isID {
		return at == path && rest == qualified
	}
	return name == qualified || strings.HasSuffix(qualified, "."+name)
}
