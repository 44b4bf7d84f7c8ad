package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is one commit.
type Commit struct {
	ID            string
	Author, Email string
	Time          time.Time // of the author, UTC
	Subject, Body string
}

// LogOptions say which commits to list. The zero value lists all.
type LogOptions struct {
	Paths      []string  // only commits that touch one of these files or folders
	First, End int       // with one path: only those that touch these lines, as they stand in the newest commit, 1-based, both included
	Since      time.Time // only commits of this time or later
	Before     time.Time // only commits made before this time
	Limit      int       // at most so many; 0 lists all
}

// Log lists commit and the commits before it, the newest first. When ctx reaches
// its deadline first, those that were found come with its error.
func (r *Repository) Log(ctx context.Context, commit string, o LogOptions) ([]Commit, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	args := []string{"log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes", "--no-patch",
		"--format=%x01%H%x00%an%x00%ae%x00%at%x00%s%x00%b%x00"}
	args = o.limits(args)
	if o.First > 0 {
		args = append(args, fmt.Sprintf("-L%d,%d:%s", o.First, o.End, o.Paths[0]), commit)
	} else {
		args = append(append(args, commit, "--"), o.Paths...)
	}
	out, err := r.read(ctx, args...)
	if errors.Is(err, context.DeadlineExceeded) {
		if last := max(bytes.LastIndexByte(out, 1), 0); bytes.Count(out[last:], []byte{0}) < logFields {
			out = out[:last] // which is cut
		}
		commits, _ := parseLog(out)
		return commits, err
	}
	if err != nil {
		return nil, err
	}
	return parseLog(out)
}

// logFields is how many fields a record of Log's format has, each with a NUL behind it.
const logFields = 6

// limits adds the options that limit which commits are listed to arguments.
func (o *LogOptions) limits(args []string) []string {
	if o.Limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(o.Limit))
	}
	if !o.Since.IsZero() {
		args = append(args, "--since-as-filter="+o.Since.UTC().Format(time.RFC3339))
	}
	if !o.Before.IsZero() {
		args = append(args, "--before="+o.Before.UTC().Add(-time.Second).Format(time.RFC3339))
	}
	return args
}

// parseLog reads the records that Log's format writes.
func parseLog(out []byte) ([]Commit, error) {
	var commits []Commit
	for record := range bytes.SplitSeq(out, []byte{1}) {
		if len(bytes.TrimSpace(record)) == 0 {
			continue
		}
		f := strings.Split(string(record), "\x00")
		if len(f) < logFields || commitID(f[0]) == "" {
			return nil, fmt.Errorf("read git's log: %.60q is no commit", record)
		}
		at, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read git's log: time of %s: %w", f[0], err)
		}
		commits = append(commits, Commit{
			ID: f[0], Author: f[1], Email: f[2], Time: time.Unix(at, 0).UTC(), Subject: f[4], Body: strings.TrimSpace(f[5]),
		})
	}
	return commits, nil
}

// Line is one line of a file and the commit it comes from.
type Line struct {
	Number int    // in the file, from 1
	Commit string // id
	Text   string
}

// Blame tells which commits lines of a file come from, as the file stands in a
// commit. Lines are 1-based; 0 for last is the end of the file. The commits
// are without bodies.
func (r *Repository) Blame(ctx context.Context, commit, path string, first, last int) ([]Line, map[string]Commit, error) {
	if commitID(commit) == "" {
		return nil, nil, &RevisionError{Revision: commit}
	}
	lines := fmt.Sprintf("-L%d,", max(first, 1))
	if last > 0 {
		lines += strconv.Itoa(last)
	}
	out, err := r.read(ctx, "blame", "--porcelain", "--no-textconv", lines, commit, "--", path)
	if err != nil {
		return nil, nil, err
	}
	return parseBlame(out)
}

// parseBlame reads the porcelain form: a header line for each line with commit
// and numbers, facts of the commit the first time, and the text behind a tab.
func parseBlame(out []byte) ([]Line, map[string]Commit, error) {
	var lines []Line
	commits := map[string]Commit{}
	var at Line
	var c Commit
	for row := range strings.SplitSeq(string(out), "\n") {
		key, value, _ := strings.Cut(row, " ")
		switch {
		case strings.HasPrefix(row, "\t"):
			at.Text = row[1:]
			lines = append(lines, at)
			if _, known := commits[at.Commit]; !known {
				commits[at.Commit] = c
			}
		case commitID(key) != "":
			numbers := strings.Fields(value)
			if len(numbers) < 2 {
				return nil, nil, fmt.Errorf("read git's blame: %.60q", row)
			}
			n, err := strconv.Atoi(numbers[1])
			if err != nil {
				return nil, nil, fmt.Errorf("read git's blame: %.60q: %w", row, err)
			}
			at, c = Line{Number: n, Commit: key}, Commit{ID: key}
		case key == "author":
			c.Author = value
		case key == "author-mail":
			c.Email = strings.Trim(value, "<>")
		case key == "author-time":
			if t, err := strconv.ParseInt(value, 10, 64); err == nil {
				c.Time = time.Unix(t, 0).UTC()
			}
		case key == "summary":
			c.Subject = value
		}
	}
	return lines, commits, nil
}
