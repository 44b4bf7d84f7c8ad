package corpus

import (
	"slices"
	"strings"
	"sync"
)

// Member is a repository, or another folder with sources, that is joined with others.
//
// Where the sources of a package come from makes no difference: a repository that a
// user attached, the cache of a package manager, a folder of vendored code. Whoever
// has such a source makes a Member of its parts, and a Link to it in each member that
// imports its packages, with what these imports are called. Nothing else is needed
// for names, types and members to lead there.
type Member struct {
	Name  string
	Parts []Part
	Links []Link
}

// Link says that the files of a member may import packages of another one.
type Link struct {
	To       int       // number of the other among the members
	Packages []Package // that it publishes, the one that is preferred first
}

// Package is what a member publishes, as imports elsewhere name it.
type Package struct {
	Family Family
	// Import is what the modules of imports begin with, without a separator at its
	// end: a module path of Go, the name of a package of npm, a top-level module of
	// Python, a crate. It is empty where imports do not name packages: then anything
	// that the member declares may be meant (Java, PHP, C#, Ruby, C and others).
	Import string
	Path   string // of a file of the member in the folder of the package: rules see imports from there
	Wanted bool   // a manifest of the importing member asks for it: without that, what an import brings is likely rather than certain
}

// joined is what corpora of several repositories share.
type joined struct {
	members []*Corpus
	info    []Member
	sees    [][]bool // by member: those whose packages it imports, directly or through others
}

// Combine makes one corpus of several repositories. Its files are numbered in the order
// of the members, and by path within each.
// What a method finds by path or by name is of all of them, while Of and Members give
// the corpus of one. Path has the name of the repository and a colon in front, and Find
// takes paths with it and without.
func Combine(members []Member) *Corpus {
	j := &joined{info: members}
	c := &Corpus{joined: j}
	var singles []*Corpus
	for h, m := range members {
		one := New(m.Parts)
		one.own.parts, one.own.endParts = len(c.parts), len(c.parts)+len(one.parts)
		one.own.files, one.own.endFiles = FileID(len(c.files)), FileID(len(c.files)+len(one.files))
		one.rebase(h)
		c.parts, c.files, c.ids = append(c.parts, one.parts...), append(c.files, one.files...), append(c.ids, one.ids...)
		singles = append(singles, one)
	}
	for _, one := range singles {
		one.parts, one.files, one.ids, one.joined = c.parts, c.files, c.ids, j
	}
	j.members = singles
	j.sees = reachable(members)
	c.own = span{endParts: len(c.parts), endFiles: FileID(len(c.files))}
	c.pending = sync.OnceValue(c.countPending)
	return c
}

// rebase numbers the files and parts of a corpus as those of member h.
func (c *Corpus) rebase(h int) {
	from := c.own.files
	for i := range c.files {
		c.files[i].part += int32(c.own.parts)
		c.files[i].home = int16(h)
	}
	for _, ids := range c.ids {
		for i := range ids {
			if ids[i] >= 0 {
				ids[i] += from
			}
		}
	}
	for path := range c.byPath {
		c.byPath[path] += from
	}
	for _, files := range c.folders {
		for i := range files {
			files[i] += from
		}
	}
}

// reachable says for each member which others its links lead to, directly or not.
func reachable(members []Member) [][]bool {
	all := make([][]bool, len(members))
	for h := range members {
		seen := make([]bool, len(members))
		queue := []int{h}
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			for _, l := range members[at].Links {
				if !seen[l.To] && l.To != h {
					seen[l.To] = true
					queue = append(queue, l.To)
				}
			}
		}
		all[h] = seen
	}
	return all
}

// Members are the corpora of the repositories that were joined, one for one alone.
func (c *Corpus) Members() []*Corpus {
	if c.isOne() {
		return []*Corpus{c}
	}
	return c.joined.members
}

// isOne reports whether a corpus is that of one repository.
func (c *Corpus) isOne() bool { return c.joined == nil || c.byPath != nil }

// Of returns the corpus of the one repository that a file is of.
func (c *Corpus) Of(f FileID) *Corpus {
	if c.joined == nil {
		return c
	}
	return c.joined.members[c.files[f].home]
}

// Home is the number of the repository that a file is of, among those that were joined.
func (c *Corpus) Home(f FileID) int { return int(c.files[f].home) }

// Repo is the name of the repository that a file is of; empty where it is the only one.
func (c *Corpus) Repo(f FileID) string {
	if c.joined == nil {
		return ""
	}
	return c.joined.info[c.files[f].home].Name
}

// Name is the name of the repository of a corpus of one of several; else empty.
func (c *Corpus) Name() string {
	if c.NumFiles() == 0 {
		return ""
	}
	return c.Repo(c.own.files)
}

// Published are the packages of a family by which other repositories import the
// repository of a corpus of one of several.
func (c *Corpus) Published(f Family) (all []Package) {
	if c.joined == nil || c.NumFiles() == 0 {
		return nil
	}
	home := c.Home(c.own.files)
	for _, m := range c.joined.info {
		for _, l := range m.Links {
			for _, p := range l.Packages {
				if l.To == home && p.Family == f && !slices.Contains(all, p) {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// Member is the name of a repository by its number among those that were joined.
func (c *Corpus) Member(home int) string { return c.joined.info[home].Name }

// Sees reports whether code of a file may name what another file declares: both are
// of one repository, or that of the first imports from the other, directly or through
// others.
func (c *Corpus) Sees(from, to FileID) bool {
	if c.joined == nil {
		return true
	}
	h, o := c.files[from].home, c.files[to].home
	return h == o || c.joined.sees[h][o]
}

// Links are those of a repository that was joined, to the others.
func (c *Corpus) Links(home int) []Link {
	if c.joined == nil {
		return nil
	}
	return c.joined.info[home].Links
}

// Takes reports whether an import of a module in a language is one of the package.
func (p *Package) Takes(f Family, module string) bool {
	if p.Family != f {
		return false
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(module, "::"), p.Import)
	return ok && (p.Import == "" || rest == "" || strings.ContainsRune("/.:", rune(rest[0])))
}

// Entry is the file from which rules of a member see imports of a package; ok is false
// where the member has no such file.
func (c *Corpus) Entry(home int, p *Package) (f FileID, ok bool) {
	return c.joined.members[home].Find(p.Path)
}

// ofRepo finds a file by a path with the name of its repository in front, as Path of
// several repositories writes it.
func (j *joined) ofRepo(path string) (FileID, bool) {
	for h, m := range j.members {
		if rest, ok := strings.CutPrefix(path, j.info[h].Name+":"); ok {
			if f, ok := m.byPath[rest]; ok {
				return f, true
			}
		}
	}
	return 0, false
}

// All returns the files with a path, one of each repository that has one.
func (c *Corpus) All(path string) (all []FileID) {
	for _, m := range c.Members() {
		if f, ok := m.byPath[path]; ok {
			all = append(all, f)
		}
	}
	return all
}
