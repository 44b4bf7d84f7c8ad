package choose

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"espy/internal/nearest"
	"espy/internal/usage"
)

// known are the types of files that ripgrep knows, as --type-list prints them.
//
//go:embed types.txt
var known string

// Types are kinds of files by globs of their names.
type Types struct {
	globs  map[string][]string
	chosen []selection
}

// selection is a kind that is wanted, or not.
type selection struct {
	globs []string
	not   bool
}

// NewTypes returns the types that are known.
func NewTypes() *Types {
	t := &Types{globs: map[string][]string{}}
	for line := range strings.Lines(known) {
		name, globs, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.globs[name] = strings.Split(globs, ", ")
	}
	return t
}

// Clear forgets the globs of a type.
func (t *Types) Clear(name string) { delete(t.globs, name) }

// Add adds a definition: name:glob, or name:include:others.
func (t *Types) Add(def string) error {
	parts := strings.SplitN(def, ":", 3)
	bad := func(msg string) error {
		return &usage.Error{Arg: "type-add", Value: def, Msg: msg, Hint: "write name:glob, as in web:*.html, or name:include:html,css"}
	}
	for _, r := range parts[0] {
		if r != '_' && !('0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') && r < 0x80 {
			return bad("a name of letters and digits stands before the colon")
		}
	}
	switch {
	case len(parts) < 2 || parts[0] == "" || parts[0] == "all" || parts[1] == "":
		return bad("invalid definition")
	case len(parts) == 2:
		return t.add(parts[0], parts[1], def)
	case parts[1] != "include":
		return bad("invalid definition")
	}
	for name := range strings.SplitSeq(parts[2], ",") {
		globs, ok := t.globs[name]
		if !ok {
			return t.unknown("type-add", name)
		}
		t.globs[parts[0]] = append(t.globs[parts[0]], globs...)
	}
	return nil
}

func (t *Types) add(name, glob, def string) error {
	if !doublestar.ValidatePattern(glob) {
		return &usage.Error{Arg: "type-add", Value: def, Msg: "malformed glob", Hint: "close its brackets and braces"}
	}
	t.globs[name] = append(slices.Clone(t.globs[name]), glob)
	return nil
}

func (t *Types) unknown(flag, name string) error {
	e := &usage.Error{Arg: flag, Value: name, Msg: "unrecognized file type: " + name, Hint: "--type-list prints the types, --type-add 'name:*.ext' adds one"}
	if near := nearest.Of(name, slices.Collect(maps.Keys(t.globs)), 1); near != nil {
		e.Hint = "did you mean " + near[0] + "? " + e.Hint
	}
	return e
}

// Select wants files of a type, or with not none of them. The type all is every
// one.
func (t *Types) Select(name string, not bool) error {
	s := selection{not: not}
	if name == "all" {
		for _, globs := range t.globs {
			s.globs = append(s.globs, globs...)
		}
	} else if globs, ok := t.globs[name]; ok {
		s.globs = globs
	} else {
		flag := "type"
		if not {
			flag = "type-not"
		}
		return t.unknown(flag, name)
	}
	t.chosen = append(t.chosen, s)
	return nil
}

// match tells whether a file is wanted by its name: the last type that it is of
// decides.
func (t *Types) match(name string) (kept, left bool) {
	some := false
	for _, s := range slices.Backward(t.chosen) {
		some = some || !s.not
		for _, g := range s.globs {
			if matches(g, name) {
				return !s.not, s.not
			}
		}
	}
	return false, some
}

// matches is a glob of a type against a name, quick for *.ext.
func matches(glob, name string) bool {
	if ext, ok := strings.CutPrefix(glob, "*"); ok && !strings.ContainsAny(ext, `*?[{\`) {
		return strings.HasSuffix(name, ext)
	}
	return doublestar.MatchUnvalidated(glob, name)
}

// List is what --type-list prints.
func (t *Types) List() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.globs)) {
		globs := slices.Clone(t.globs[name])
		slices.Sort(globs)
		b.WriteString(name + ": " + strings.Join(slices.Compact(globs), ", ") + "\n")
	}
	return b.String()
}
