package discover

import "espy/internal/glob"

// maxIgnoreBytes is the size up to which an ignore file is applied.
const maxIgnoreBytes = 10 << 20

// layer is one ignore file in force: its rules, the folder it lies in, and the
// weaker layer below it.
type layer struct {
	rules *glob.Rules
	base  int    // bytes of a path that the folder and its slash take
	file  string // as answers name it
	below *layer
}

// match returns the verdict of the strongest layer that has one, and that layer.
func (l *layer) match(path, name string, dir bool) (glob.Verdict, *layer) {
	for ; l != nil; l = l.below {
		if v := l.rules.Match(path[l.base:], name, dir); v != glob.Undecided {
			return v, l
		}
	}
	return glob.Undecided, nil
}

// push puts an ignore file on top of l.
func (l *layer) push(rs *glob.Rules, base int, file string) *layer {
	if rs == nil {
		return l
	}
	return &layer{rules: rs, base: base, file: file, below: l}
}

// ignores are the ignore files in force in a folder. Own ones (.espyignore and
// those the policy names) win over git's.
type ignores struct {
	own, git *layer
	within   bool // a repository
}

func (i ignores) match(path, name string, dir bool) (glob.Verdict, *layer) {
	if v, l := i.own.match(path, name, dir); l != nil {
		return v, l
	}
	return i.git.match(path, name, dir)
}
