package locate

import (
	"path"
	"strings"

	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/nearest"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
	"espy/internal/usage"
)

// nearestPaths is how many files and folders are named for one that is missing.
const nearestPaths = 3

// Unparsed returns the file of an id that is not parsed yet, and the last name of
// the id.
func (a *Ask) Unparsed(id string) (f corpus.FileID, name string, ok bool) {
	file, local, ok := a.cutID(id)
	parts := facts.SplitName(local)
	if !ok || len(parts) == 0 {
		return 0, "", false
	}
	f, ok = a.Corpus.Find(path.Clean(file))
	return f, parts[len(parts)-1], ok && a.Corpus.State(f) == syn.Absent
}

// checkID refuses an id whose file is not in the index, or does not declare what
// it names.
func (a *Ask) checkID(id string) error {
	file, local, ok := a.cutID(id)
	if !ok || len(facts.SplitName(local)) == 0 {
		return nil
	}
	if f, ok := a.Corpus.Find(path.Clean(file)); ok {
		switch a.Corpus.State(f) {
		case syn.Absent:
			return &usage.Error{Arg: "symbol", Value: id, Msg: file + " is not parsed yet, so what it declares is not known", Hint: "ask again when status has no symbols pending; search finds its text"}
		case syn.Failed:
			return &usage.Error{Arg: "symbol", Value: id, Msg: file + " could not be parsed, so what it declares is not known", Hint: "files lists those that are not parsed and why; search finds its text"}
		}
		if all, err := a.ByLine(id); err != nil || len(all) > 0 {
			return err
		}
		return &usage.Error{Arg: "symbol", Value: id, Msg: "not declared in " + file, Hint: a.nearestID(file, local)}
	}
	if !strings.Contains(file, "/") && (path.Ext(file) == "" || lang.Detect(file, nil) == nil) {
		return nil // Type#method
	}
	hint := a.sameName(local)
	if hint == "" {
		hint = a.nearestFile(file)
	}
	return &usage.Error{Arg: "symbol", Value: id, Msg: file + " is not in the index", Hint: hint}
}

// nearestID names symbols like one that its file does not declare: those of the
// same name elsewhere, else what the file declares under names like it.
func (a *Ask) nearestID(file, local string) string {
	if hint := a.sameName(local); hint != "" {
		return hint
	}
	if near := a.nearestIn(file, local); len(near) > 0 {
		return didYouMean(near)
	}
	return "the outline of that file lists what it declares"
}

// sameName asks whether a symbol with the last name of an id is meant.
func (a *Ask) sameName(local string) string {
	parts := facts.SplitName(local)
	var ids []string
	for _, r := range a.Find(parts[len(parts)-1]) {
		ids = append(ids, a.ID(r))
	}
	return didYouMean(ids)
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names[:min(len(names), 3)], ", ") + "?"
}

// nearestIn are the ids of what a file declares under names like one.
func (a *Ask) nearestIn(file, local string) []string {
	f, _ := a.Corpus.Find(path.Clean(file))
	var names []string
	for i := range a.File(f).NumSymbols() {
		if a.File(f).Flags(i)&facts.Local == 0 {
			name := strings.TrimPrefix(a.ID(corpus.Ref{File: f, Index: int32(i)}), a.Corpus.Path(f)+"#")
			names = append(names, name)
		}
	}
	near := nearest.Of(local, names, 3)
	for i, n := range near {
		near[i] = a.Corpus.Path(f) + "#" + n
	}
	return near
}

// Near are names that resemble the last part of a name that no symbol has.
func (a *Ask) Near(name string) []string {
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	return a.Corpus.Near(parts[len(parts)-1], 5)
}

// allPaths are those of all files.
func (a *Ask) allPaths() []string {
	files := make([]string, a.Corpus.NumFiles())
	for f := range files {
		files[f] = a.Corpus.Path(corpus.FileID(f))
	}
	return files
}

// paths are those of files.
func (a *Ask) paths(files []corpus.FileID) (all []string) {
	for _, f := range files {
		all = append(all, a.Corpus.Path(f))
	}
	return all
}

// nearestFile says which file a missing one may have meant.
func (a *Ask) nearestFile(p string) string { return nearestOf(p, a.allPaths()) }

// NearestPath says which file or folder a missing one may have meant.
func (a *Ask) NearestPath(p string) string { return nearestOf(p, nearest.WithFolders(a.allPaths())) }

func nearestOf(p string, paths []string) string {
	near := nearest.Paths(path.Clean(p), paths, nearestPaths)
	if len(near) == 0 {
		return "give it as files lists it, relative to the root"
	}
	return didYouMean(near)
}
