package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/segment"
)

// The log of a view tells what each commit of it changed. It is a convenience
// that no answer about content rests on: a commit does not fail for it, it is
// not flushed to disk, and damage costs the records that it hits. A record is a
// line of JSON, a blank and the XXH3-64 of the JSON; it begins with a newline of
// its own, so that one that was cut off does not harm the next. When the file
// reaches half of what the log may take it becomes the older half in place of
// the one before.

// logVersion is the version of records that are written and read, maxLog bounds
// the bytes of a view's log on disk, maxLogRecord those of a record.
const (
	logVersion   = 1
	maxLog       = 1 << 20
	maxLogRecord = maxLog / 8
)

// LogRecord is what one commit changed.
type LogRecord struct {
	Version    int         `json:"version"` // of the record's form, set when it is written
	Generation uint64      `json:"generation"`
	Base       uint64      `json:"base"` // the generation before, 0 for none: then nothing is listed
	Time       time.Time   `json:"time"`
	Commit     string      `json:"commit,omitempty"` // checked out then
	Files      int         `json:"files"`            // that changed; more than are listed where they are too many
	Changes    []LogChange `json:"changes,omitempty"`
}

// LogChange is a file that a commit changed.
type LogChange struct {
	Path    LogPath     `json:"path"`
	Old     LogPath     `json:"old,omitempty"` // of one that was renamed, unchanged
	Status  string      `json:"status"`        // added, removed, modified or renamed
	Symbols []LogSymbol `json:"symbols,omitempty"`
	More    int         `json:"more,omitempty"` // symbols that are not listed
	Unread  bool        `json:"unread,omitempty"`
}

// LogSymbol is a definition that a commit changed.
type LogSymbol struct {
	Change string    `json:"change"`
	Name   string    `json:"name"`
	Kind   code.Kind `json:"kind"`
	Line   int       `json:"line"` // of a removed one, where it was
	End    int       `json:"end"`
}

// LogPath is a path, whatever its bytes.
type LogPath string

// MarshalJSON writes a path that is not UTF-8 as an array with its bytes.
func (p LogPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal([][]byte{[]byte(p)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *LogPath) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*p = LogPath(s)
		return nil
	}
	var raw [][]byte
	if err := json.Unmarshal(b, &raw); err != nil || len(raw) != 1 {
		return fmt.Errorf("read path %q: %w", b, errors.Join(ErrDamaged, err))
	}
	*p = LogPath(raw[0])
	return nil
}

func logName(view string) string { return "changes-" + view + ".log" }

func olderLog(view string) string { return "changes-" + view + ".older.log" }

// appendLog adds a record to the log of a view, which begins anew with one
// without a Base. The caller holds the writer's lock.
func (f *Family) appendLog(view string, r *LogRecord) error {
	if r.Base == 0 {
		if err := errors.Join(f.dir.Remove(logName(view)), f.dir.Remove(olderLog(view))); err != nil {
			return err
		}
	}
	line, err := r.encode()
	if err != nil {
		return err
	}
	name := filepath.Join(f.dir.Path(), logName(view))
	if info, err := os.Stat(name); err == nil && info.Size()+int64(len(line)) > maxLog/2 {
		if err := os.Rename(name, filepath.Join(f.dir.Path(), olderLog(view))); err != nil {
			return fmt.Errorf("turn log: %w", err)
		}
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// encode writes a record, without the changes beyond the bound.
func (r LogRecord) encode() ([]byte, error) {
	r.Version = logVersion
	for {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("encode log: %w", err)
		}
		if len(text) <= maxLogRecord || len(r.Changes) == 0 {
			return append([]byte{'\n'}, sealLog(text)...), nil
		}
		r.Changes = r.Changes[:min(len(r.Changes)-1, len(r.Changes)*maxLogRecord/len(text))]
	}
}

// Log returns what is known of the commits of a view, the oldest first. A
// record whose Base is not the Generation of the one before it follows commits
// of which the log does not know.
func (f *Family) Log(view string) ([]LogRecord, error) {
	var records []LogRecord
	for _, name := range []string{olderLog(view), logName(view)} {
		data, err := f.dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read log: %w", err)
		}
		whole, _ := parseLog(data)
		records = append(records, whole...)
	}
	return records, nil
}

// parseLog reads the records of a log that are whole, and counts the others.
func parseLog(data []byte) (records []LogRecord, damaged int) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var r LogRecord
		text := line[:max(len(line)-17, 0)]
		if !bytes.Equal(line, sealLog(text)) || json.Unmarshal(text, &r) != nil || r.Version != logVersion {
			damaged++
			continue
		}
		records = append(records, r)
	}
	return records, damaged
}

// sealLog returns the line of a record.
func sealLog(text []byte) []byte { return fmt.Appendf(nil, "%s %016x", text, xxh3.Hash(text)) }

// Place is a file in a segment.
type Place struct {
	Segment segment.Live
	File    int
}

// Pair is a path whose file is another than when a batch began.
type Pair struct {
	Path     string
	Old, New *Place // nil for none
}

// Changed lists the paths whose content the batch has changed so far, sorted;
// none where it starts from nothing.
func (b *Batch) Changed() (pairs []Pair, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil {
		return nil, nil
	}
	byPath := map[string]*Pair{}
	at := func(path string) *Pair {
		if byPath[path] == nil {
			byPath[path] = &Pair{Path: path}
		}
		return byPath[path]
	}
	err = segment.Guard(func() error {
		now := map[string]segment.Live{}
		for _, m := range b.members {
			now[m.part.name] = m.live
		}
		before := map[string]bool{}
		for i, l := range b.base.Segments {
			name := b.base.parts[i].name
			before[name] = true
			n, kept := now[name]
			for file := range l.NumFiles() {
				was, is := l.Alive(file), kept && n.Alive(file)
				if was && !is {
					at(l.Path(file)).Old = &Place{l, file}
				} else if is && !was {
					at(l.Path(file)).New = &Place{n, file}
				}
			}
		}
		for _, m := range b.members {
			for file := range m.live.NumFiles() {
				if !before[m.part.name] && m.live.Alive(file) {
					at(m.live.Path(file)).New = &Place{m.live, file}
				}
			}
		}
		for _, p := range byPath {
			if p.Old == nil || p.New == nil || p.Old.Segment.FileHash(p.Old.File) != p.New.Segment.FileHash(p.New.File) {
				pairs = append(pairs, *p)
			}
		}
		return nil
	})
	slices.SortFunc(pairs, func(a, b Pair) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return pairs, err
}
