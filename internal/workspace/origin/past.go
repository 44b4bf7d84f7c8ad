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
// the first time, and when older ones were fetched to a shallow clone. Those of an index
// that others publish come with it.
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
	if p.of == of && (p.err == nil || time.Now().Before(p.until)) {
		return p.known, p.err
	}
	log, err := past.Decode(p.kept(of))
	if err != nil && history != nil {
		var data []byte
		if data, err = p.read(ctx, history, head, of); err == nil {
			log, err = past.Decode(data)
		}
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
		if _, err := p.read(ctx, history, head, of); err != nil {
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
		return p.kept(of), nil
	}
	write := func(raw []byte) error {
		if err := os.MkdirAll(p.folder, 0o700); err != nil {
			return err
		}
		return replace.File(p.published, raw)
	}
	return replica.File{Name: "past", Read: read, Write: write}
}

// kept returns commits as they are kept, nil of none.
func (p *Past) kept(of file) []byte {
	if p.folder == "" {
		return nil
	}
	info, err := os.Stat(of.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > past.MaxBytes {
		return nil
	}
	data, err := os.ReadFile(of.path)
	if err != nil {
		return nil
	}
	return data
}

// read reads commits from git and keeps them. What cannot be kept is read again.
func (p *Past) read(ctx context.Context, history *git.Repository, head string, of file) ([]byte, error) {
	commits, err := history.Together(ctx, head, git.LogOptions{Limit: past.MaxCommits + 1})
	if err != nil {
		return nil, err
	}
	data := past.Encode(commits)
	if p.folder != "" && len(data) <= past.MaxBytes && os.MkdirAll(p.folder, 0o700) == nil && replace.File(of.path, data) == nil {
		p.forget()
	}
	return data, nil
}

// maxKept is how many commits the folder keeps the past of: those of branches that people
// go back and forth between.
const maxKept = 8

// forget removes what was kept longest ago beyond that, leftovers of killed processes too.
func (p *Past) forget() {
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), publishedPrefix) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, f := range files[min(len(files), maxKept):] {
		os.Remove(filepath.Join(p.folder, f.Name()))
	}
}
