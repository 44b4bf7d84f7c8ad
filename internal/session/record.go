package session

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

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

// maxName is the most characters that the name of a session may have.
const maxName = 64

// IsName reports whether a session may have the name: at most 64 letters and
// digits of any script, _ and -, the first a letter or digit.
func IsName(name string) bool {
	n := 0
	for _, r := range name {
		inner := unicode.IsMark(r) || r == '_' || r == '-'
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (n == 0 || !inner) {
			return false
		}
		n++
	}
	return n > 0 && n <= maxName
}

// keyOf returns what a session is called in the names of files: its name where
// that is ASCII, else a hash of it, behind a character with which no name begins.
func keyOf(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return name
	}
	hash := xxh3.HashString128(name).Bytes()
	return "_" + hex.EncodeToString(hash[:])
}

// The views of sessions are named session.KEY.N. A key has no dot in it.
const viewPrefix = "session."

func viewsOf(name string) string { return viewPrefix + keyOf(name) + "." }

// sessionOf returns the key of the session that a view belongs to.
func sessionOf(view string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(view, viewPrefix)
	key, _, cut := strings.Cut(rest, ".")
	return key, ok && cut && key != ""
}

// records is the folder of the records, one file a session.
type records string

const recordPrefix, recordSuffix = "session-", ".json"

func recordName(key string) string { return recordPrefix + key + recordSuffix }

func (r records) open() (*local.Dir, error) { return local.Open(string(r)) }

// read returns the record of a session; fs.ErrNotExist where there is none, and
// *DamagedError where it cannot be read.
func (r records) read(name string) (rec Record, err error) {
	rec, err = r.readKey(keyOf(name))
	if err == nil && rec.Name != name {
		err = &DamagedError{Name: name, Err: errUnfit}
	}
	return rec, err
}

var errUnfit = errors.New("it does not fit together")

// readKey is read by the key. The name of a damaged record is its key.
func (r records) readKey(key string) (rec Record, err error) {
	dir, err := r.open()
	if err != nil {
		return rec, err
	}
	data, err := dir.Record(recordName(key))
	if errors.Is(err, fs.ErrNotExist) {
		return rec, err
	}
	if err == nil {
		err = json.Unmarshal(data, &rec)
	}
	if err == nil && (keyOf(rec.Name) != key || rec.Windowing.Validate() != nil || !filepath.IsAbs(rec.Root)) {
		err = errUnfit
	}
	if err != nil {
		return Record{}, &DamagedError{Name: key, Err: err}
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
		key, ok := strings.CutPrefix(strings.TrimSuffix(n, recordSuffix), recordPrefix)
		if !ok || !strings.HasSuffix(n, recordSuffix) || !IsName(strings.TrimPrefix(key, "_")) {
			continue
		}
		rec, err := r.readKey(key)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			rec.Name = key
		}
		out = append(out, Entry{Record: rec, Err: err})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// ErrTaken says that a session has the name that was to be new.
var ErrTaken = errors.New("a session of that name exists")

// write publishes a record. Where it is to be new, and there is one, also one
// that cannot be read, it is ErrTaken.
func (r records) write(ctx context.Context, rec Record, isNew bool) error {
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
	if _, err := r.read(rec.Name); isNew && !errors.Is(err, fs.ErrNotExist) {
		return ErrTaken
	}
	return dir.Replace(recordName(keyOf(rec.Name)), data)
}

func (r records) remove(name string) error {
	dir, err := r.open()
	if err != nil {
		return err
	}
	return dir.Remove(recordName(keyOf(name)))
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
	key, ok := sessionOf(view)
	if !ok {
		return false
	}
	rec, err := r.readKey(key)
	return errors.Is(err, fs.ErrNotExist) || err == nil && rec.Repo == repo
}
