// Package files lists the files of repositories: those the index holds, or
// those it leaves out and why.
package files

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/filter"
	"espy/internal/glob"
	"espy/internal/hit"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Request says which files to list. The zero value lists every indexed file.
type Request struct {
	Paths     []string   // globs as in a search; "!glob" excludes
	Regex     string     // RE2 syntax, matched anywhere in the path
	Languages []string   // names or aliases; "!name" excludes
	Scope     code.Scope // as in a search
	Excluded  bool       // list the files that the index leaves out instead
	Unparsed  bool       // only files that cannot be parsed for their symbols
	Folders   bool       // list one level: the files and folders directly in Folder
	Folder    string     // with Folders: the folder, "" for the root
	Limit     int        // entries; 0 lists all
	Offset    int        // entries left out, for paging
}

// List is the files of one or more repositories that a request lists.
type List struct {
	Request Request
	Repos   []hit.Searched
	Total   int // files and folders that match, before offset and limit
	Entries []Entry
	Indexed []Entry  // with Request.Excluded, where the paths asked for match nothing that is left out: the indexed files that they match
	Near    []string // where nothing matches the one path asked for: indexed files with a name like it
	Notes   []string // for the reader: what of the scope is not listed
	Left    []string // repositories that were not looked at, because the time was over
}

// Entry is one file, or in a list by folders one folder.
type Entry struct {
	Repo     string
	Path     string
	Folder   bool
	Files    int    // of a folder: indexed files below it
	Size     int64  // bytes; of a folder: all files below it
	Lines    int    // 0 where unknown
	Language string // "" where unknown
	Class    code.Class
	Reason   discover.Reason // why it is not in the index; "" if it is
	Detail   string
	Unparsed string // why it could not be parsed; "" if it was, or may be
}

// Find lists the files of repositories, in order of repository and path. A
// request that cannot be answered is a *usage.Error.
func Find(ctx context.Context, repos []*workspace.Repo, wait workspace.Wait, req Request) (*List, error) {
	m, err := newMatcher(req)
	if err != nil {
		return nil, err
	}
	list := &List{Request: req}
	below := wait
	if !req.Excluded && !req.Folders {
		below.Below = m.filter.Tied()
	}
	for i, r := range repos {
		if i > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			list.Left = append(list.Left, r.Name())
			continue
		}
		if err := r.Look(ctx, below, func(s *store.Snapshot) error { list.add(s, m); return nil }); err != nil {
			return nil, fmt.Errorf("list files of %s: %w", r.Name(), err)
		}
	}
	if list.Total = len(list.Entries); list.Total > 0 {
		list.Indexed = nil // of another repository
	}
	if list.Total == 0 && len(list.Indexed) == 0 && len(req.Paths) == 1 {
		if path, ok := Unescape(req.Paths[0]); ok {
			list.Near = near(ctx, repos, wait, path)
		}
	}
	list.Entries = list.Entries[min(req.Offset, list.Total):]
	if req.Limit > 0 {
		list.Entries = list.Entries[:min(req.Limit, len(list.Entries))]
	}
	return list, nil
}

// Check reports an invalid request, as a *usage.Error.
func (req Request) Check() error {
	_, err := newMatcher(req)
	return err
}

// add adds the files of one snapshot.
func (list *List) add(s *store.Snapshot, m *matcher) {
	searched := hit.Searched{Repo: s.Name, Files: s.Stats().Files, Excluded: s.Left(), Freshness: s.Freshness}
	var entries []Entry
	if list.Request.Excluded {
		if entries = m.excluded(s.Name, s.Excluded()); len(entries) == 0 && len(list.Request.Paths) > 0 {
			list.Indexed = append(list.Indexed, m.indexed(s)...)
		}
	} else {
		entries = m.indexed(s)
	}
	if list.Request.Folders {
		entries = level(entries, strings.Trim(list.Request.Folder, "/"))
	}
	list.Repos = append(list.Repos, searched)
	list.Entries = append(list.Entries, entries...)
}

// isGlob reports whether a path has characters of the glob syntax.
func isGlob(path string) bool { return strings.ContainsAny(path, "*?[{!\\") }

// Escape writes a path as a glob that matches it alone.
func Escape(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if isGlob(path[i : i+1]) {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// Unescape returns the path that a glob without wildcards stands for. ok is false
// for a glob that has some.
func Unescape(glob string) (path string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch {
		case glob[i] == '\\' && i+1 < len(glob):
			i++
		case isGlob(glob[i : i+1]):
			return "", false
		}
		b.WriteByte(glob[i])
	}
	return b.String(), true
}

// matcher is a Request ready to be asked.
type matcher struct {
	filter   *filter.FileFilter
	regex    *regexp.Regexp
	scope    code.Scope
	unparsed bool
}

// maxEchoed is how many bytes of an expression its error repeats.
const maxEchoed = 200

func newMatcher(req Request) (*matcher, error) {
	f, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	m := &matcher{filter: f, scope: req.Scope, unparsed: req.Unparsed}
	if req.Regex == "" {
		return m, nil
	}
	if m.regex, err = glob.CompileRegexp(req.Regex); err != nil {
		return nil, &usage.Error{Arg: "regex", Value: usage.Shorten(req.Regex, maxEchoed), Msg: strings.TrimPrefix(err.Error(), "error parsing regexp: "), Hint: "RE2 syntax; put a backslash before a character to match it as it is"}
	}
	return m, nil
}

func (m *matcher) indexed(s *store.Snapshot) []Entry {
	var out []Entry
	s.Each(func(seg, file int) bool {
		f := s.Segments[seg].Reader.File(file)
		failed := unparsed(s, seg, file)
		if m.unparsed && failed == "" {
			return true
		}
		if m.filter.Allows(f.Path, f.Language) && filter.InScope(m.scope.Of(s.Name), f.Class, f.Language) && m.matches(f.Path) {
			out = append(out, Entry{Repo: s.Name, Path: f.Path, Size: f.Size, Lines: int(f.Lines), Language: f.Language, Class: f.Class, Unparsed: failed})
		}
		return true
	})
	return out
}

// unparsed says why a file cannot be parsed; "" if it can be, or was not tried.
func unparsed(s *store.Snapshot, seg, file int) string {
	if s.SyntaxState(seg, file) != syn.Failed {
		return ""
	}
	return s.Segments[seg].Syntax.File(file).Reason()
}

func (m *matcher) excluded(repo string, list []discover.Exclusion) []Entry {
	var out []Entry
	for _, x := range list {
		asked := m.filter.AllowsPath(x.Path, x.Dir) && m.matches(x.Path)
		if asked || x.Dir && m.regex == nil && m.filter.Within(x.Path) { // a folder is left out with all in it
			out = append(out, Entry{Repo: repo, Path: x.Path, Folder: x.Dir, Files: x.Count, Size: x.Size, Reason: x.Reason, Detail: x.Detail})
		}
	}
	return out
}

func (m *matcher) matches(path string) bool { return m.regex == nil || m.regex.MatchString(path) }

// level sums up entries to the files and folders directly in a folder. Entries
// and result are in path order; a folder sorts as its name with a slash.
func level(entries []Entry, folder string) []Entry {
	var out []Entry
	at := map[string]int{} // folder -> its place in out
	for _, e := range entries {
		rest := e.Path
		if folder != "" {
			var ok bool
			if rest, ok = strings.CutPrefix(e.Path, folder+"/"); !ok {
				continue
			}
		}
		name, _, below := strings.Cut(rest, "/")
		if !below {
			out = append(out, e)
			continue
		}
		path := e.Path[:len(e.Path)-len(rest)+len(name)]
		i, ok := at[path]
		if !ok {
			i = len(out)
			at[path] = i
			out = append(out, Entry{Repo: e.Repo, Path: path, Folder: true})
		}
		out[i].Files += max(e.Files, 1)
		out[i].Size += e.Size
	}
	return out
}
