// Package changelog keeps the log of a view: what each commit of it changed. It
// is a convenience that no answer about content rests on: a commit does not fail
// for it, it is not flushed to disk, and damage costs the records that it hits.
//
// A record is a line of JSON, a blank and the XXH3-64 of the JSON. It begins with
// a newline of its own, so that a record that was cut off does not harm the next.
// When the file reaches half of what the log may take, it becomes the older half
// in place of the one before.
package changelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/replace"
	"espy/internal/store/blob/local"
)

// version is the version of records that are written and read, maxLog bounds
// the bytes of a view's log on disk, maxRecord those of a record.
const (
	version   = 1
	maxLog    = 1 << 20
	maxRecord = maxLog / 8
)

// Record is what one commit changed.
type Record struct {
	Version    int       `json:"version"` // of the record's form, set when it is written
	Generation uint64    `json:"generation"`
	Base       uint64    `json:"base"` // the generation before, 0 for none: then nothing is listed
	Time       time.Time `json:"time"`
	Commit     string    `json:"commit,omitempty"` // checked out then
	Files      int       `json:"files"`            // that changed; more than are listed where they are too many
	Changes    []Change  `json:"changes,omitempty"`
}

// Change is a file that a commit changed.
type Change struct {
	Path    Path     `json:"path"`
	Old     Path     `json:"old,omitempty"` // of one that was renamed, unchanged
	Status  string   `json:"status"`        // added, removed, modified or renamed
	Symbols []Symbol `json:"symbols,omitempty"`
	More    int      `json:"more,omitempty"` // symbols that are not listed
	Unread  bool     `json:"unread,omitempty"`
}

// Symbol is a definition that a commit changed.
type Symbol struct {
	Change string    `json:"change"`
	Name   string    `json:"name"`
	Kind   code.Kind `json:"kind"`
	Line   int       `json:"line"` // of a removed one, where it was
	End    int       `json:"end"`
}

// Path is a path, whatever its bytes.
type Path string

// MarshalJSON writes a path that is not UTF-8 as an array with its bytes.
func (p Path) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal([][]byte{[]byte(p)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Path) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*p = Path(s)
		return nil
	}
	var raw [][]byte
	if err := json.Unmarshal(b, &raw); err != nil || len(raw) != 1 {
		return fmt.Errorf("read path %q: %w", b, errors.Join(local.ErrDamaged, err))
	}
	*p = Path(raw[0])
	return nil
}

func fileName(view string) string { return "changes-" + view + ".log" }

func olderName(view string) string { return "changes-" + view + ".older.log" }

// Remove removes the log of a view.
func Remove(dir *local.Dir, view string) error {
	return errors.Join(dir.Remove(fileName(view)), dir.Remove(olderName(view)))
}

// Append adds a record to the log of a view, which begins anew with one
// without a Base. The caller holds the writer's lock of the folder.
func Append(dir *local.Dir, view string, r *Record) error {
	if r.Base == 0 {
		if err := Remove(dir, view); err != nil {
			return err
		}
	}
	line, err := r.encode()
	if err != nil {
		return err
	}
	name := filepath.Join(dir.Path(), fileName(view))
	if info, err := os.Stat(name); err == nil && info.Size()+int64(len(line)) > maxLog/2 {
		if err := os.Rename(name, filepath.Join(dir.Path(), olderName(view))); err != nil {
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
func (r Record) encode() ([]byte, error) {
	r.Version = version
	for {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("encode log: %w", err)
		}
		if len(text) <= maxRecord || len(r.Changes) == 0 {
			return append([]byte{'\n'}, seal(text)...), nil
		}
		r.Changes = r.Changes[:min(len(r.Changes)-1, len(r.Changes)*maxRecord/len(text))]
	}
}

// Read returns the records of a view, the oldest first. A
// record whose Base is not the Generation of the one before it follows commits
// that the log does not know.
func Read(dir *local.Dir, view string) ([]Record, error) {
	var records []Record
	for _, name := range []string{olderName(view), fileName(view)} {
		data, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read log: %w", err)
		}
		whole, _ := parse(data)
		records = append(records, whole...)
	}
	return records, nil
}

// Raw returns the log of a view as it is kept, nil where there is none.
func Raw(dir *local.Dir, view string) (raw []byte, err error) {
	for _, name := range []string{olderName(view), fileName(view)} {
		data, err := dir.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read log: %w", err)
		}
		raw = append(raw, data...)
	}
	return raw, nil
}

// Restore makes what Raw returned the log of a view.
func Restore(dir *local.Dir, view string, raw []byte) error {
	err := replace.File(filepath.Join(dir.Path(), fileName(view)), raw)
	if err != nil {
		return fmt.Errorf("write log: %w", err)
	}
	return dir.Remove(olderName(view))
}

// parse reads the records of a log that are whole, and counts the others.
func parse(data []byte) (records []Record, damaged int) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var r Record
		text := line[:max(len(line)-17, 0)]
		if !bytes.Equal(line, seal(text)) || json.Unmarshal(text, &r) != nil || r.Version != version {
			damaged++
			continue
		}
		records = append(records, r)
	}
	return records, damaged
}

// seal returns the line of a record.
func seal(text []byte) []byte { return fmt.Appendf(nil, "%s %016x", text, xxh3.Hash(text)) }
