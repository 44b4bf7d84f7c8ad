package origin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/git"
	"espy/internal/ranked/past"
	"espy/internal/replace"
	"espy/internal/store/manifest"
	"espy/internal/store/replica"
)

// Past keeps the newest commits up to the one that is checked out, in memory and in a
// folder that processes share. They are read from git where another is checked out for
// the first time, only those that no kept ones have where these are near, and when older
// ones were fetched to a shallow clone. Those of an index that others publish come with it.
// It is safe for concurrent use.
type Past struct {
	folder    string
	published string // the file of commits that came with the index

	turn  chan struct{} // holds something while one reads or changes what follows
	of    file
	known *past.Log
	err   error     // why they could not be read
	until time.Time // when to try again
}

// tryAgain is how long what could not be read is not tried again: a repository may lack
// objects, and each question would wait for git to find that out.
const tryAgain = time.Minute

// publishedPrefix begins the names of files of commits that came with an index.
const publishedPrefix = "published-"

// NewPast returns what keeps commits of a view in a folder, which is made when there are
// some and which other views may use as well; "" keeps them in memory alone.
func NewPast(folder, view string) *Past {
	return &Past{folder: folder, published: filepath.Join(folder, fmt.Sprintf("%s%x", publishedPrefix, view)), turn: make(chan struct{}, 1)}
}

// file is where commits are kept. That of commits up to one, as far as a shallow clone
// has them, never changes; that of published ones does.
type file struct {
	path string
	at   git.Stamp // of one that changes
}

// fileOf returns the file of the commits up to one. Another version of words has another.
func (p *Past) fileOf(head string, depth git.Stamp) file {
	return file{path: filepath.Join(p.folder, fmt.Sprintf("%s-%x-%x-%x-%d", head, depth.Size, depth.MTime, depth.Inode, manifest.Analysis))}
}

// head returns the commit that a file is named for, and what else its name says.
func (f file) head() (commit, kind string) {
	commit, kind, _ = strings.Cut(filepath.Base(f.path), "-")
	return commit, kind
}

// newest returns the history of an origin, its newest commit and the file of its commits;
// none of a folder without a history, and no history where the commits come with the index.
func (p *Past) newest(o Origin) (history *git.Repository, head string, of file, err error) {
	history, err = o.Repository()
	if errors.Is(err, ErrPublished) {
		info, err := os.Stat(p.published)
		if err != nil {
			return nil, "", file{}, nil
		}
		return nil, "", file{p.published, git.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}}, nil
	}
	if err != nil {
		return nil, "", file{}, nil
	}
	head, _, err = o.Head()
	if err != nil || head == "" {
		return nil, "", file{}, err
	}
	return history, head, p.fileOf(head, history.Depth()), nil
}

// Of returns the commits of an origin; none of one without a history.
func (p *Past) Of(ctx context.Context, o Origin) (*past.Log, error) {
	history, head, of, err := p.newest(o)
	if err != nil || of == (file{}) {
		return nil, err
	}
	if !p.begin(ctx) {
		return nil, ctx.Err()
	}
	defer p.end()
	if p.of == of && (p.err == nil && p.known.Rest() != past.Unread || time.Now().Before(p.until)) {
		return p.known, p.err
	}
	data, age := p.kept(of)
	log, err := past.Decode(data)
	if again := log.Rest() == past.Unread && age > tryAgain; history != nil && (err != nil || again) {
		log, err = p.read(ctx, history, head, of, again)
	}
	p.note(ctx, of, log, err)
	return log, err
}

// begin waits for the turn to read, and reports false where the context ends first.
func (p *Past) begin(ctx context.Context) bool {
	select {
	case p.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *Past) end() { <-p.turn }

// note remembers what reading brought, unless it was ended.
func (p *Past) note(ctx context.Context, of file, log *past.Log, err error) {
	if ctx.Err() == nil {
		p.of, p.known, p.err, p.until = of, log, err, time.Now().Add(tryAgain)
	}
}

// Keep begins to read the commits of an origin for questions to come, unless they are kept,
// and returns how to wait for that. What could not be read is read by who asks.
func (p *Past) Keep(ctx context.Context, o Origin) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		history, head, of, err := p.newest(o)
		if err != nil || history == nil || p.folder == "" || !p.begin(ctx) {
			return
		}
		defer p.end()
		if _, err := os.Lstat(of.path); err == nil || p.of == of {
			return
		}
		if _, err := p.read(ctx, history, head, of, false); err != nil {
			p.note(ctx, of, nil, err)
		}
	}()
	return func() { <-done }
}

// Beside returns the commits of an origin as a file that goes with its index where that is
// published.
func (p *Past) Beside(o Origin) replica.File {
	read := func() ([]byte, error) {
		_, _, of, err := p.newest(o)
		if err != nil {
			return nil, nil
		}
		raw, _ := p.kept(of)
		return raw, nil
	}
	write := func(raw []byte) error {
		if err := os.MkdirAll(p.folder, 0o700); err != nil {
			return err
		}
		return replace.File(p.published, raw)
	}
	return replica.File{Name: "past", Read: read, Write: write}
}

// kept returns commits as they are kept and how long ago they were read, nil of none.
func (p *Past) kept(of file) (data []byte, age time.Duration) {
	if p.folder == "" {
		return nil, 0
	}
	info, err := os.Stat(of.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > past.MaxBytes {
		return nil, 0
	}
	if data, err = os.ReadFile(of.path); err != nil {
		return nil, 0
	}
	return data, time.Since(info.ModTime())
}

// read reads commits from git and keeps them: all of them anew, or those that no kept ones
// have. What cannot be kept is read again. Where git fails at one, those before it are taken.
func (p *Past) read(ctx context.Context, history *git.Repository, head string, of file, anew bool) (*past.Log, error) {
	var data []byte
	if !anew {
		data = p.resume(ctx, history, head, of)
	}
	if data == nil {
		commits, err := history.Together(ctx, head, git.LogOptions{Limit: past.MaxCommits + 1})
		rest := past.Whole
		if err != nil && len(commits) > 0 {
			rest, err = past.Unread, nil
		}
		if err != nil {
			return nil, err
		}
		data = past.Encode(commits, rest, nil)
	}
	if p.folder != "" && len(data) <= past.MaxBytes && os.MkdirAll(p.folder, 0o700) == nil && replace.File(of.path, data) == nil {
		p.forget()
	}
	return past.Decode(data)
}

// Bounds of what is read beside the commits that are kept.
const (
	maxOnTop = 32  // commits, merges too, up to the kept ones
	maxNew   = 500 // commits that are new anywhere among them: of more, all are read
)

// resume returns what reading all commits would give, of kept ones and those that are new;
// nil where that takes all.
func (p *Past) resume(ctx context.Context, history *git.Repository, head string, of file) []byte {
	kept := p.others(of)
	if len(kept) == 0 {
		return nil
	}
	recent, _ := history.Recent(ctx, head, maxOnTop) // those before one that git cannot read
	if base, n := onTop(head, recent, kept); n > 0 {
		if log := p.open(base); log != nil && len(log.IDs()) > 0 {
			return past.Encode(before(recent[:n], log.IDs()), log.Rest(), log)
		}
		return nil
	}
	log := p.open(kept[0])
	if log == nil || log.Rest() == past.Unread {
		return nil
	}
	order, err := history.Order(ctx, head, past.MaxCommits+1)
	if err != nil {
		return nil
	}
	known := map[string]bool{}
	for _, id := range log.IDs() {
		known[id] = true
	}
	commits := make([]git.Step, len(order))
	var unknown []string
	for i, id := range order {
		commits[i].ID = id
		if !known[id] && i < past.MaxCommits {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > maxNew {
		return nil
	}
	steps, err := history.Steps(ctx, unknown)
	if err != nil || len(steps) != len(unknown) {
		return nil
	}
	for i := range commits {
		if len(steps) > 0 && steps[0].ID == commits[i].ID {
			commits[i], steps = steps[0], steps[1:]
		}
	}
	return past.Encode(commits, past.Whole, log)
}

// others returns the files of other commits that are kept in the same way, the newest first.
func (p *Past) others(of file) (files []file) {
	head, kind := of.head()
	if p.known != nil {
		files = append(files, p.of)
	}
	for _, info := range p.files() {
		files = append(files, file{path: filepath.Join(p.folder, info.Name())})
	}
	return slices.DeleteFunc(files, func(f file) bool {
		h, k := f.head()
		return h == head || k != kind
	})
}

// open returns the commits of a file of others, nil where they cannot be read.
func (p *Past) open(of file) *past.Log {
	if of == p.of && p.known != nil {
		return p.known
	}
	data, _ := p.kept(of)
	log, err := past.Decode(data)
	if err != nil {
		return nil
	}
	return log
}

// onTop returns which of the kept files ends with the commit that all commits behind the
// first n of recent ones are reached by, 0 of none. Git goes on from there in the order of
// that file: what it has not listed yet hangs on this one commit.
func onTop(head string, recent []git.Step, kept []file) (base file, n int) {
	listed, next := map[string]bool{}, map[string]bool{head: true}
	for i, c := range recent {
		listed[c.ID] = true
		delete(next, c.ID)
		for _, parent := range c.Parents {
			if !listed[parent] {
				next[parent] = true
			}
		}
		for _, f := range kept {
			if h, _ := f.head(); len(next) == 1 && next[h] {
				return f, i + 1
			}
		}
	}
	return file{}, 0
}

// before returns the commits with one parent of recent ones, then those of the ids that are
// not among them.
func before(recent []git.Step, ids []string) (commits []git.Step) {
	listed := map[string]bool{}
	for _, c := range recent {
		if listed[c.ID] = true; c.Single() {
			commits = append(commits, c)
		}
	}
	for _, id := range ids {
		if !listed[id] {
			commits = append(commits, git.Step{ID: id})
		}
	}
	return commits
}

// maxKept is how many commits the folder keeps the past of: those of branches that people
// go back and forth between.
const maxKept = 8

// forget removes what was kept longest ago beyond that, leftovers of killed processes too.
func (p *Past) forget() {
	files := p.files()
	for _, f := range files[min(len(files), maxKept):] {
		os.Remove(filepath.Join(p.folder, f.Name()))
	}
}

// files lists what the folder keeps of git, the newest first.
func (p *Past) files() (files []fs.FileInfo) {
	if p.folder == "" {
		return nil
	}
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), publishedPrefix) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return files
}
