// Package choose decides which files below a folder are searched, as ripgrep does:
// by globs, ignore files, types and names that begin with a dot, the first of which
// that says something decides.
package choose

import (
	"strings"

	"espy/internal/glob"
)

// Options say which files are searched. The zero value obeys ignore files and
// leaves hidden files out.
type Options struct {
	Globs, IGlobs []string // of -g and --iglob
	AnyCase       bool     // Globs too are matched without regard to case
	Types         *Types   // nil for no choice
	Hidden        bool     // hidden files too
	MaxDepth      int      // levels below the folder; -1 for all
	MaxBytes      int64    // larger files are left out; -1 for none

	NoDot     bool // .ignore files do not count
	NoCustom  bool // .rgignore files do not
	NoGit     bool // git's ignore files do not
	NoGlobal  bool // the global one does not
	NoParent  bool // those in folders above do not
	NoRequire bool // git's count outside of repositories too

	Ignores []string // the texts of ignore files that were named, the later the stronger
}

// Chooser decides on the files below a folder. It is safe for concurrent use.
type Chooser struct {
	o       *Options
	globs   globs
	ignores []*glob.Rules
	dir     string // the folder, relative to where the walk begins; "" for that
	names   string // what paths have before them to be relative to the working directory
}

// New returns a Chooser of a folder. Paths are relative to where the walk begins;
// dir is the folder there, and names what stands before the paths below it to make
// them relative to the working directory.
func New(o *Options, dir, names string) (*Chooser, error) {
	c := &Chooser{o: o, dir: dir, names: names}
	exact, folded := o.Globs, o.IGlobs
	if o.AnyCase {
		exact, folded = nil, append(append([]string(nil), o.Globs...), o.IGlobs...)
	}
	var err error
	c.globs, err = newGlobs(exact, folded)
	for _, text := range o.Ignores {
		if rs := glob.ParseRules([]byte(text)); rs != nil {
			c.ignores = append(c.ignores, rs)
		}
	}
	return c, err
}

// Keep reports whether a file or a folder is searched. ignored is what the ignore
// files in its folders say.
func (c *Chooser) Keep(path string, dir bool, ignored glob.Verdict) bool {
	rest := path
	if c.dir != "" {
		if path == c.dir || strings.HasPrefix(c.dir, path+"/") {
			return dir
		}
		if rest = strings.TrimPrefix(path, c.dir+"/"); len(rest) == len(path) {
			return false
		}
	}
	if c.o.MaxDepth >= 0 && strings.Count(rest, "/")+1 > c.o.MaxDepth {
		return false
	}
	here := c.names + rest
	switch chosen, left := c.globs.match(here, dir); {
	case chosen:
		return true
	case left:
		return false
	}
	if ignored == glob.Undecided {
		ignored = c.named(here, dir)
	}
	return ignored != glob.Ignored && c.unhidden(base(rest), dir, ignored == glob.Kept)
}

// named is what the ignore files say that were named.
func (c *Chooser) named(path string, dir bool) glob.Verdict {
	for i := len(c.ignores) - 1; i >= 0; i-- {
		if v := c.ignores[i].Match(path, base(path), dir); v != glob.Undecided {
			return v
		}
	}
	return glob.Undecided
}

// unhidden decides by type and dot. kept says that an ignore file wants the file.
func (c *Chooser) unhidden(name string, dir, kept bool) bool {
	if c.o.Types != nil && !dir {
		chosen, left := c.o.Types.match(name)
		if left {
			return false
		}
		kept = kept || chosen
	}
	return kept || c.o.Hidden || name[0] != '.'
}
