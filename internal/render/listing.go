package render

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/lang"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace"
)

// FileRequest says which files to list. The zero value lists every indexed file.
type FileRequest struct {
	Paths     []string   // globs as in a search; "!glob" excludes
	Regex     string     // RE2 syntax, matched anywhere in the path
	Languages []string   // names or aliases; "!name" excludes
	Scope     code.Scope // as in a search
	Excluded  bool       // what the index leaves out, rather than what it holds
	Folders   bool       // list one level: the files and folders directly in Folder
	Folder    string     // with Folders: the folder, "" for the root
	Limit     int        // entries; 0 lists all
	Offset    int        // entries left out, for paging
}

// ListFiles lists files of repositories, in order of repository and path. A
// request that cannot be answered is a *search.UsageError.
func ListFiles(ctx context.Context, repos []*workspace.Repo, wait workspace.Wait, req FileRequest) (*FileList, error) {
	m, err := newFileMatcher(req)
	if err != nil {
		return nil, err
	}
	list := &FileList{Request: req}
	for _, r := range repos {
		s, err := r.Snapshot(ctx, wait)
		if err != nil {
			return nil, err
		}
		err = segment.Guard(func() error { list.add(s, m); return nil })
		if err := errors.Join(err, s.Close()); err != nil {
			return nil, fmt.Errorf("list files of %s: %w", r.Name(), err)
		}
	}
	list.Total = len(list.Entries)
	list.Entries = list.Entries[min(req.Offset, list.Total):]
	if req.Limit > 0 {
		list.Entries = list.Entries[:min(req.Limit, len(list.Entries))]
	}
	return list, nil
}

// add adds the files of one snapshot.
func (list *FileList) add(s *store.Snapshot, m *fileMatcher) {
	excluded := s.Excluded()
	list.Repos = append(list.Repos, search.Searched{Repo: s.Name, Files: s.Stats().Files, Excluded: len(excluded), Freshness: s.Freshness})
	var entries []FileEntry
	if list.Request.Excluded {
		entries = m.excluded(s.Name, excluded)
	} else {
		entries = m.indexed(s)
	}
	if list.Request.Folders {
		entries = level(entries, strings.Trim(list.Request.Folder, "/"))
	}
	list.Entries = append(list.Entries, entries...)
}

// IsGlob reports whether a path has characters that only a glob has.
func IsGlob(path string) bool { return strings.ContainsAny(path, "*?[{!\\") }

// fileMatcher is a FileRequest ready to be asked.
type fileMatcher struct {
	in, out       []string // globs
	langs, noLang map[string]bool
	regex         *regexp.Regexp
	scope         code.Scope
}

func newFileMatcher(req FileRequest) (*fileMatcher, error) {
	m := &fileMatcher{langs: map[string]bool{}, noLang: map[string]bool{}, scope: req.Scope}
	for _, p := range req.Paths {
		glob, not := strings.CutPrefix(p, "!")
		glob = strings.TrimSuffix(strings.TrimPrefix(glob, "./"), "/")
		if glob == "" || !doublestar.ValidatePattern(glob) {
			return nil, &search.UsageError{Arg: "path", Value: p, Msg: "malformed glob", Hint: "write a pattern such as src/** or *.go, and a backslash before a bracket that is meant as such"}
		}
		if not {
			m.out = append(m.out, glob)
		} else {
			m.in = append(m.in, glob)
		}
	}
	for _, name := range req.Languages {
		bare, not := strings.CutPrefix(name, "!")
		l, ok := lang.ByName(bare)
		if !ok {
			return nil, &search.UsageError{Arg: "lang", Value: bare, Msg: "unknown language", Hint: "the nearest known one is " + lang.Nearest(bare)}
		}
		if not {
			m.noLang[l.Name] = true
		} else {
			m.langs[l.Name] = true
		}
	}
	if req.Regex != "" {
		re, err := regexp.Compile(req.Regex)
		if err != nil {
			return nil, &search.UsageError{Arg: "regex", Value: req.Regex, Msg: strings.TrimPrefix(err.Error(), "error parsing regexp: "), Hint: "RE2 syntax; write a backslash before a character that is meant as such"}
		}
		m.regex = re
	}
	return m, nil
}

func (m *fileMatcher) indexed(s *store.Snapshot) []FileEntry {
	var out []FileEntry
	s.Each(func(seg, file int) bool {
		f := s.Segments[seg].Reader.File(file)
		if m.path(f.Path) && m.scope.Holds(f.Class) && m.language(f.Language) {
			out = append(out, FileEntry{Repo: s.Name, Path: f.Path, Size: f.Size, Lines: int(f.Lines), Language: f.Language, Class: f.Class})
		}
		return true
	})
	return out
}

func (m *fileMatcher) excluded(repo string, list []discover.Exclusion) []FileEntry {
	var out []FileEntry
	for _, x := range list {
		if m.path(x.Path) {
			out = append(out, FileEntry{Repo: repo, Path: x.Path, Folder: x.Dir, Files: x.Count, Size: x.Size, Reason: x.Reason, Detail: x.Detail})
		}
	}
	return out
}

func (m *fileMatcher) language(name string) bool {
	return (len(m.langs) == 0 || m.langs[name]) && !m.noLang[name]
}

func (m *fileMatcher) path(path string) bool {
	return (len(m.in) == 0 || covers(m.in, path)) && !covers(m.out, path) && (m.regex == nil || m.regex.MatchString(path))
}

// covers reports whether a glob matches the path or a folder above it. A glob
// without a slash is matched against base names.
func covers(globs []string, path string) bool {
	for _, g := range globs {
		for end := 0; end < len(path); end++ {
			next := strings.IndexByte(path[end:], '/')
			if next < 0 {
				end = len(path)
			} else {
				end += next
			}
			name := path[:end]
			if !strings.Contains(g, "/") {
				name = name[strings.LastIndexByte(name, '/')+1:]
			}
			if doublestar.MatchUnvalidated(strings.TrimPrefix(g, "/"), name) {
				return true
			}
		}
	}
	return false
}

// level sums entries up to the files and folders directly in a folder. The
// entries are in path order, and so is what it returns, folders by their name
// with a slash.
func level(entries []FileEntry, folder string) []FileEntry {
	var out []FileEntry
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
			out = append(out, FileEntry{Repo: e.Repo, Path: path, Folder: true})
		}
		out[i].Files += max(e.Files, 1)
		out[i].Size += e.Size
	}
	return out
}
