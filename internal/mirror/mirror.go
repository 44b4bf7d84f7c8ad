// Package mirror brings repositories up to date for a team: those that its jobs name,
// and those that a plain file lists.
//
// A line of the file is a URL, or the path of a folder that every worker sees, and what
// is to be done with it:
//
//	# a comment
//	https://git.example/shop.git
//	https://git.example/api.git every=15m branch=main branch=next
//	/srv/git/web every=1h
//
// Without branch= the one is taken that the place has checked out, without every= an
// hour goes by between looks. The list of an organisation's repositories is such a file.
package mirror

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/catalog"
	"espy/internal/git/clone"
	"espy/internal/queue"
	"espy/internal/usage"
)

// The times between looks.
const (
	defaultEvery = time.Hour
	minEvery     = 10 * time.Second
	maxEvery     = 30 * 24 * time.Hour
)

// list is what a file says.
type list struct {
	Mirrors []queue.Mirror
	// Full are the addresses with their passwords, by the address without.
	Full map[string]string
}

// Limits of a file.
const (
	maxBytes = 16 << 20
	maxLines = 100_000
)

// parse reads a list. Errors are *usage.Error, and name the line.
func parse(name string, text []byte) (*list, error) {
	if len(text) > maxBytes || bytes.Count(text, []byte("\n")) > maxLines {
		return nil, &usage.Error{Arg: "mirror", Value: name, Msg: fmt.Sprintf("longer than %d lines or %d MB", maxLines, maxBytes>>20), Hint: "part it into several files, one a worker"}
	}
	l := &list{Full: map[string]string{}}
	seen := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxBytes+1)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		all, err := l.line(fields)
		for i := 0; i < len(all) && err == nil; i++ {
			key := all[i].Place + "#" + all[i].Ref
			if before := seen[key]; before > 0 {
				err = &usage.Error{Msg: fmt.Sprintf("the same repository and branch as line %d", before), Hint: "leave one of them out"}
			}
			seen[key] = n
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		l.Mirrors = append(l.Mirrors, all...)
	}
	return l, lines.Err()
}

// line reads the fields of one line.
func (l *list) line(fields []string) ([]queue.Mirror, error) {
	if !utf8.ValidString(strings.Join(fields, " ")) || strings.Contains(fields[0], "\x00") {
		return nil, &usage.Error{Msg: "not text", Hint: "the file is written in UTF-8"}
	}
	place, err := l.place(fields[0])
	if err != nil {
		return nil, err
	}
	every, refs := defaultEvery, []string(nil)
	for _, f := range fields[1:] {
		key, value, _ := strings.Cut(f, "=")
		switch {
		case key == "every":
			if every, err = time.ParseDuration(value); err != nil || every < minEvery || every > maxEvery {
				return nil, &usage.Error{Arg: "every", Value: value, Msg: "not a time from 10s to 720h", Hint: "such as every=15m or every=24h"}
			}
		case key == "branch" && value != "":
			refs = append(refs, value)
		default:
			return nil, &usage.Error{Arg: "option", Value: f, Msg: "unknown", Hint: "a line is PLACE [every=TIME] [branch=NAME]..."}
		}
	}
	if len(refs) > 0 && !catalog.IsURL(place) {
		return nil, &usage.Error{Arg: "branch", Value: refs[0], Msg: "a folder has the branch that is checked out", Hint: "give the repository as a URL, such as https://HOST/PATH, to name a branch"}
	}
	if refs == nil {
		refs = []string{""}
	}
	var all []queue.Mirror
	for _, ref := range refs {
		all = append(all, queue.Mirror{Place: place, Ref: ref, Every: every})
	}
	return all, nil
}

// place returns a place as jobs name it, without a password, which stays here.
func (l *list) place(text string) (string, error) {
	if filepath.IsAbs(text) {
		return filepath.Clean(text), nil
	}
	if strings.Contains(text, "#") {
		return "", &usage.Error{Arg: "place", Value: "a URL with #", Msg: "the branch is not part of the URL here", Hint: "write branch=NAME behind it"}
	}
	if !catalog.IsURL(text) {
		return "", &usage.Error{Arg: "place", Value: text, Msg: "neither a URL nor an absolute path", Hint: "such as https://HOST/PATH or /srv/git/NAME"}
	}
	public, err := clone.PublicURL(text)
	if err != nil {
		return "", err
	}
	public = strings.TrimRight(public, "/")
	if public != strings.TrimRight(text, "/") {
		l.Full[public] = text
	}
	return public, nil
}
