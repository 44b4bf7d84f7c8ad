package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Mode is what kind of thing an entry of a commit's tree is, as git writes it.
type Mode uint32

// The modes.
const (
	ModeFile       Mode = 0o100644
	ModeExecutable Mode = 0o100755
	ModeLink       Mode = 0o120000 // its content is where it points to
	ModeSubmodule  Mode = 0o160000 // its id is a commit of another repository
)

// IsFile reports whether the entry is a regular file.
func (m Mode) IsFile() bool { return m&0o170000 == 0o100000 }

// Change is how one file differs between two commits.
type Change struct {
	Status       byte   // A added, D removed, M changed, R renamed, T of another type
	Path         string // in the newer commit; of a removed file, in the older
	Old          string // path in the older commit of a renamed file
	OldID, NewID string // of its content; empty where there is none
	OldMode      Mode   // 0 where there is none
	NewMode      Mode
}

// Changes lists the files that differ between two commits, by path. Renamed
// files are found by likeness, as git does: half of the content or more.
func (r *Repository) Changes(ctx context.Context, from, to string) ([]Change, error) {
	for _, c := range []string{from, to} {
		if commitID(c) == "" {
			return nil, &RevisionError{Revision: c}
		}
	}
	out, err := r.read(ctx, "diff-tree", "-r", "-z", "-M", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", from, to, "--")
	if err != nil {
		return nil, err
	}
	return parseChanges(out)
}

// parseChanges reads git's raw form: ":mode mode id id status", then one path
// or two, each ended by a NUL.
func parseChanges(out []byte) ([]Change, error) {
	var changes []Change
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(f); i += 2 {
		c := Change{Path: f[i+1]}
		var score string
		n, err := fmt.Sscanf(f[i], ":%o %o %s %s %s", &c.OldMode, &c.NewMode, &c.OldID, &c.NewID, &score)
		if err != nil || n != 5 {
			return nil, fmt.Errorf("read git's changes: %.60q before %.60q", f[i], f[i+1])
		}
		c.OldID, c.NewID = contentID(c.OldID), contentID(c.NewID)
		if c.Status = score[0]; c.Status == 'R' {
			if i+2 >= len(f) {
				return nil, fmt.Errorf("read git's changes: %.60q is renamed to nothing", f[i+1])
			}
			c.Old, c.Path = f[i+1], f[i+2]
			i++
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// contentID returns an id, none where it is the one of nothing.
func contentID(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return commitID(id)
}

// TreeEntry is a file of a commit, or what else stands in its place.
type TreeEntry struct {
	Path string
	ID   string // of its content
	Mode Mode
	Size int64 // bytes, as SizedTree tells; negative where that is not known
}

// Tree lists the files of a commit, in the order of their paths.
func (r *Repository) Tree(ctx context.Context, commit string) ([]TreeEntry, error) {
	return r.tree(ctx, commit, "ls-tree", "-r", "-z", "--full-tree", commit)
}

// SizedTree is Tree with the sizes of the files. Those of objects that the
// repository does not hold are negative.
func (r *Repository) SizedTree(ctx context.Context, commit string) ([]TreeEntry, error) {
	return r.tree(ctx, commit, "ls-tree", "-r", "-z", "--long", "--full-tree", commit)
}

func (r *Repository) tree(ctx context.Context, commit string, args ...string) ([]TreeEntry, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, err
	}
	return parseTree(out)
}

// Entry returns the file of a commit at a path; ok is false where there is none.
func (r *Repository) Entry(ctx context.Context, commit, path string) (e TreeEntry, ok bool, err error) {
	if commitID(commit) == "" {
		return e, false, &RevisionError{Revision: commit}
	}
	out, err := r.read(ctx, "ls-tree", "-z", "--full-tree", commit, "--", path)
	if err != nil {
		return e, false, err
	}
	entries, err := parseTree(out)
	if err != nil || len(entries) != 1 || entries[0].Path != path || !entries[0].Mode.IsFile() {
		return e, false, err
	}
	return entries[0], true, nil
}

// parseTree reads what ls-tree -z prints: mode, type, object and with --long
// size, separated by blanks, a tab, the path and a NUL.
func parseTree(out []byte) (entries []TreeEntry, err error) {
	for row := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(row) == 0 {
			continue
		}
		facts, name, ok := strings.Cut(string(row), "\t")
		f := strings.Fields(facts)
		if !ok || len(f) < 3 || len(f) > 4 || commitID(f[2]) == "" {
			return nil, fmt.Errorf("read git's tree: %.60q", row)
		}
		mode, err := strconv.ParseUint(f[0], 8, 32)
		if err != nil {
			return nil, fmt.Errorf("read git's tree: mode of %.60q: %w", name, err)
		}
		e := TreeEntry{Path: name, ID: f[2], Mode: Mode(mode), Size: -1}
		if len(f) == 4 && f[3] != "-" && f[3] != "BAD" {
			if e.Size, err = strconv.ParseInt(f[3], 10, 64); err != nil || e.Size < 0 {
				return nil, fmt.Errorf("read git's tree: size of %.60q", row)
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// MergeBase returns the newest commit that two commits both come from, an
// empty one where they have none.
func (r *Repository) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, c := range []string{a, b} {
		if commitID(c) == "" {
			return "", &RevisionError{Revision: c}
		}
	}
	out, err := r.read(ctx, "merge-base", a, b)
	if err != nil && len(out) == 0 && ctx.Err() == nil {
		return "", nil // git ends with 1 and says nothing
	}
	id, _, _ := strings.Cut(string(out), "\n")
	return commitID(id), err
}
