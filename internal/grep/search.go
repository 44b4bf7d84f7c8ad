package grep

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"espy/internal/discover"
	"espy/internal/discover/content"
	"espy/internal/grep/rust"
	"espy/internal/grep/scan"
	"espy/internal/grep/show"
)

// search searches files side by side.
func (r *run) search(targets []target) error {
	jobs := make([]*target, 0, len(targets))
	for i := range targets {
		t := &targets[i]
		if !t.skip {
			jobs = append(jobs, t)
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(len(jobs), r.threads()) {
		group.Go(func() {
			s := r.newSearcher()
			defer s.close()
			for !r.over() {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				s.search(i, jobs[i])
			}
		})
	}
	group.Wait()
	return r.queue.failed()
}

func (r *run) threads() int {
	return cmp.Or(r.req.Threads, min(runtime.GOMAXPROCS(0), 12))
}

// over reports whether no more files are to be searched.
func (r *run) over() bool {
	if r.ctx.Err() != nil || r.queue.failed() != nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.req.Show.Kind == show.Quiet && !r.req.Stats && r.out.Found
}

// searcher is a goroutine that searches.
type searcher struct {
	*run
	readers map[*folder]*discover.Reader
	finder  *rust.Finder
	printer *show.Printer
	text    []byte
	printed []byte // room for what a file prints
}

func (r *run) newSearcher() *searcher {
	stop := func() bool { return r.ctx.Err() != nil || r.queue.failed() != nil }
	f := r.req.Regex.NewFinder(stop)
	return &searcher{run: r, readers: map[*folder]*discover.Reader{}, finder: f, printer: show.New(&r.req.Show, r.req.Regex, f)}
}

func (s *searcher) close() {
	for _, r := range s.readers {
		r.Close()
	}
}

// search searches one file.
func (s *searcher) search(job int, t *target) {
	slot := s.queue.slot(job, s.printed)
	defer func() { s.printed = slot.done() }()
	raw, lacks, err := s.read(t)
	if err != nil {
		s.fail(t.name, err)
	}
	if err != nil || lacks {
		return
	}
	o, marked := s.req.Scan, false
	text := raw
	if !s.req.Raw {
		text = content.Decode(raw, &s.text)
		marked = len(text) != len(raw)
	}
	o.Mapped = o.Mapped && !marked && !t.stdin && t.pipe == nil && len(text) > 0
	if o.Binary == scan.Quit && (t.explicit || s.req.Converts) {
		o.Binary = scan.Convert
	}
	s.printer.File(t.name, slot, s.clearness(t, raw))
	s.printer.SetBinary(o.Binary)
	scan.Run(text, s.finder, s.req.Regex.Spans(), &o, s.printer)
	if s.finder.Exhausted() {
		s.fail(t.name, errors.New("matching took more steps than PCRE2 makes (10 million): write the pattern so that it can be matched in fewer ways"))
	}
	s.note()
}

// note adds the counts of a search.
func (s *searcher) note() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Add(s.printer.Stats())
	s.out.Found = s.out.Found || s.printer.Found()
}

// read returns the bytes of a file, which are valid until the next call, or that it is a
// long one without a match that nothing is told of.
func (s *searcher) read(t *target) (raw []byte, lacks bool, err error) {
	if t.stdin {
		if s.env.Stdin == nil {
			return nil, false, nil
		}
		raw, err = io.ReadAll(s.env.Stdin)
		return raw, false, err
	}
	if t.pipe != nil {
		defer t.pipe.Close()
		raw, err = io.ReadAll(t.pipe)
		return raw, false, err
	}
	r := s.readers[t.in]
	if r == nil {
		if r, err = discover.NewReader(t.in.root, discover.Policy{MaxFileBytes: -1, Secrets: true}); err != nil {
			return nil, false, err
		}
		s.readers[t.in] = r
	}
	raw, left, err := r.Bytes(t.path, s.lacking())
	switch {
	case left != nil && left.Reason == discover.ReasonUnreadable:
		return nil, false, errors.New(left.Detail)
	case left != nil:
		return nil, false, errors.New(left.Reason.Explain() + detail(left.Detail))
	}
	return raw, raw == nil, err
}

// lacking tells of the lines at the beginning of a file, and of those behind each other, that
// they are plain text without a match; nil where that says nothing of the whole file.
func (s *searcher) lacking() func(lines []byte) bool {
	if !s.prunes() || s.req.Regex.Spans() {
		return nil
	}
	first := true
	return func(lines []byte) bool {
		if first && (lines[0] >= 0xef) { // a byte order mark
			return false
		}
		first = false
		s.finder.Reset()
		return bytes.IndexByte(lines, 0) < 0 && s.finder.Line(lines, 0) < 0 && !s.finder.Exhausted()
	}
}

func detail(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// patternsOf returns the lines of a file of patterns.
func patternsOf(text []byte) (list []string) {
	for line := range bytes.Lines(text) {
		list = append(list, string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))))
	}
	return list
}
