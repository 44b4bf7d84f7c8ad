package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/store/blob/local"
	"espy/internal/windows"
)

// Schema is the version of session records. Version 3 is the first that this
// program wrote: records of other programs have lower numbers.
const Schema = 3

// Record is what is kept of a session beside its index.
type Record struct {
	Schema    int             `json:"schema"`
	Name      string          `json:"name"`
	Root      string          `json:"root"` // absolute, without symbolic links
	Repo      code.RepoID     `json:"repo"`
	View      string          `json:"view"` // of the repository's family
	Created   time.Time       `json:"created"`
	Indexed   time.Time       `json:"indexed"`
	Include   []string        `json:"include"`
	Exclude   []string        `json:"exclude"` // as asked for; Policy may hold more
	Policy    discover.Policy `json:"policy"`
	Windowing windows.Cut     `json:"windowing"`
	Files     int             `json:"files"`
	Windows   windows.Stats   `json:"windows"`
	Bytes     int64           `json:"bytes"` // of the index on disk
}

// Entry is one session of a list: its record, or why that cannot be read.
type Entry struct {
	Record
	Err error // a *DamagedError; only Name is then set
}

// NotFoundError says that there is no session of a name.
type NotFoundError struct {
	Name    string
	Nearest []string
}

func (e *NotFoundError) Error() string { return "no session " + strconv.Quote(e.Name) }

// DamagedError says that the record of a session cannot be read.
type DamagedError struct {
	Name string
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("record of session %s: %v", e.Name, e.Err)
}

// Unwrap returns the reason.
func (e *DamagedError) Unwrap() error { return e.Err }

var validName = regexp.MustCompile(`\A[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}\z`)

// IsName reports whether a session may have the name: at most 64 letters,
// digits, _ and -, the first a letter or digit.
func IsName(name string) bool { return validName.MatchString(name) }

// The views of sessions are named session.NAME.N. A name has no dot in it.
const viewPrefix = "session."

func viewsOf(name string) string { return viewPrefix + name + "." }

// sessionOf returns the name of the session that a view belongs to.
func sessionOf(view string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(view, viewPrefix)
	name, _, cut := strings.Cut(rest, ".")
	return name, ok && cut && IsName(name)
}

// records is the folder of the records, one file a session.
type records string

const recordPrefix, recordSuffix = "session-", ".json"

func recordName(name string) string { return recordPrefix + name + recordSuffix }

func (r records) open() (*local.Dir, error) { return local.Open(string(r)) }

// read returns the record of a session; fs.ErrNotExist where there is none, and
// *DamagedError where it cannot be read.
func (r records) read(name string) (rec Record, err error) {
	dir, err := r.open()
	if err != nil {
		return rec, err
	}
	data, err := dir.Record(recordName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return rec, err
	}
	if err == nil {
		err = json.Unmarshal(data, &rec)
	}
	if err == nil && (rec.Name != name || rec.Windowing.Validate() != nil || !filepath.IsAbs(rec.Root)) {
		err = errors.New("it does not fit together")
	}
	if err != nil {
		return Record{}, &DamagedError{Name: name, Err: err}
	}
	return rec, nil
}

// list returns all sessions by name.
func (r records) list() ([]Entry, error) {
	dir, err := r.open()
	if err != nil {
		return nil, err
	}
	names, err := dir.Names()
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, n := range names {
		name, ok := strings.CutPrefix(strings.TrimSuffix(n, recordSuffix), recordPrefix)
		if !ok || !strings.HasSuffix(n, recordSuffix) || !IsName(name) {
			continue
		}
		rec, err := r.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		rec.Name = name
		out = append(out, Entry{Record: rec, Err: err})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// write publishes a record.
func (r records) write(ctx context.Context, rec Record) error {
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("encode session: %w", err)
	}
	dir, err := r.open()
	if err != nil {
		return err
	}
	unlock, err := dir.LockSoon(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return dir.Replace(recordName(rec.Name), data)
}

func (r records) remove(name string) error {
	dir, err := r.open()
	if err != nil {
		return err
	}
	return dir.Remove(recordName(name))
}

// superseded reports whether a view belongs to a session of the name and is not
// the one of its record: it is of an earlier indexing, or of one that failed.
func (r records) superseded(name, view string) bool {
	if !strings.HasPrefix(view, viewsOf(name)) {
		return false
	}
	rec, err := r.read(name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && rec.View != view
}

// orphaned reports whether a view belongs to a session of a repository, or to
// one that has no record.
func (r records) orphaned(view string, repo code.RepoID) bool {
	name, ok := sessionOf(view)
	if !ok {
		return false
	}
	rec, err := r.read(name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && rec.Repo == repo
}
