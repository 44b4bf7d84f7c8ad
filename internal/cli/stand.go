package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// stand is where who asks stands in the repository of a question: paths and globs are
// relative to it, those that are given and those of answers. The zero value stands at
// the root, as questions about repositories that are named with --repo do.
type stand struct {
	root   string // absolute; empty where the question is about no single work tree
	folder place.Folder
}

// stands returns where the working directory is in the one repository of a question.
func (p *program) stands(list []*workspace.Repo, named []string) stand {
	if len(list) != 1 || len(named) > 0 || list[0].Root() == "" {
		return stand{}
	}
	dir, err := p.workingDir()
	if err != nil {
		return stand{}
	}
	rel, err := filepath.Rel(list[0].Root(), dir)
	if err != nil || !filepath.IsLocal(rel) {
		return stand{}
	}
	s := stand{root: list[0].Root()}
	if rel != "." {
		s.folder = place.Folder(filepath.ToSlash(rel))
	}
	return s
}

// standsIn is stands for a command that takes one repository, by its name or "" for the one here.
func (p *program) standsIn(r *workspace.Repo, named string) stand {
	if named != "" {
		return stand{}
	}
	return p.stands([]*workspace.Repo{r}, nil)
}

// path returns a path that was given as relative to the root: that of what is there
// from the working directory on, or else, as other answers print it, from the root on.
func (s stand) path(name string) (string, error) {
	if s.root == "" || name == "" {
		return name, nil
	}
	if filepath.IsAbs(name) {
		return s.absolute(name)
	}
	fromRoot, ok := s.folder.FromRoot(name)
	switch {
	case !ok:
		return "", outside(name)
	case isDotted(name) || s.folder == "" && path.Clean(name) != fromRoot:
		return fromRoot, nil
	case s.folder != "" && s.has(fromRoot):
		return fromRoot, nil
	}
	return name, nil
}

// isDotted reports whether a path says itself that it begins at the working directory.
func isDotted(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == "." || first == ".."
}

// absolute returns an absolute path as relative to the root.
func (s stand) absolute(name string) (string, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return name, nil // it is missed later, by its name
	}
	rel, err := filepath.Rel(s.root, filepath.Join(dir, filepath.Base(name)))
	if err != nil || !filepath.IsLocal(rel) {
		return "", outside(name)
	}
	return strings.TrimPrefix(filepath.ToSlash(rel), "."), nil
}

func outside(name string) error {
	return &usage.Error{Msg: quote(name) + " is outside of the repository", Hint: "--repo names another repository; espy status lists them"}
}

func (s stand) has(fromRoot string) bool {
	_, err := os.Lstat(filepath.Join(s.root, filepath.FromSlash(fromRoot)))
	return err == nil
}

// id is path for the name or the id of a symbol, PATH#NAME.
func (s stand) id(name string) (string, error) {
	file, local, ok := place.CutID(name, func(file string) bool { at, err := s.path(file); return err == nil && s.has(at) })
	if !ok || file == "" || s.root == "" {
		return name, nil
	}
	at, err := s.path(file)
	if err != nil || !s.has(at) {
		return name, nil // Type#method is a name too
	}
	return at + "#" + local, nil
}

// target is path for the symbol of a question.
func (s stand) target(t *locate.Target) (err error) {
	if t.Name, err = s.id(t.Name); err == nil {
		t.Path, err = s.path(t.Path)
	}
	return err
}

// what is path for a symbol, a file, or lines of it, as espy impact takes them.
func (s stand) what(text string) (string, error) {
	if at, ok := place.Parse(text); ok {
		file, err := s.path(at.Path)
		at.Path = file
		return at.String(), err
	}
	if name := place.ParseName(text); strings.Contains(name, "#") {
		return s.id(name)
	}
	if at, err := s.path(place.ParseName(text)); err != nil || s.has(at) {
		return at, err
	}
	return text, nil
}

// globs are relative to the root, as the index has paths. Globs that match nothing
// below the working directory, but begin with a folder of the root, are meant so.
func (s stand) globs(list []string) ([]string, error) {
	if s.root == "" {
		return list, nil
	}
	list = slices.Clone(list)
	for i, g := range list {
		text, mark := strings.TrimPrefix(g, "!"), ""
		if text != g {
			mark = "!"
		}
		if filepath.IsAbs(text) && s.below(text) {
			rel, err := s.absolute(text)
			if err != nil {
				return nil, err
			}
			text = "/" + rel
			if rel == "" {
				text = "**"
			}
			list[i] = mark + text
			continue
		}
		if first, _, deep := strings.Cut(text, "/"); deep && s.folder != "" && !isDotted(text) && !strings.ContainsAny(first, `*?[{\`) {
			below, _ := s.folder.FromRoot(first)
			if !s.has(below) && s.has(first) {
				continue
			}
		}
		fromRoot, ok := s.folder.Glob(g)
		if !ok {
			return nil, outside(text)
		}
		list[i] = fromRoot
	}
	return list, nil
}

// request makes the paths and globs of a search relative to the root.
func (s stand) request(req *hit.Request) (err error) {
	if req.Paths, err = s.globs(req.Paths); err != nil {
		return err
	}
	for i, f := range req.Work.Files {
		if req.Work.Files[i], err = s.path(f); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether an absolute path is of the repository.
func (s stand) below(name string) bool {
	return name == s.root || strings.HasPrefix(name, s.root+string(filepath.Separator))
}

// isFolderName reports whether a glob is a folder that only the working directory can
// tell: ., .. or what begins with them.
func isFolderName(glob string) bool { return isDotted(strings.TrimPrefix(glob, "!")) }

// whole says that a search in order of paths was not one of the working directory alone,
// as that of other programs would be; "" where it makes no difference.
func (s stand) whole(req *hit.Request, res *hit.Result) string {
	if s.folder == "" || len(req.Paths) > 0 || res.Total == 0 || res.Mode == hit.ModeKeyword || res.Mode == hit.ModeSemantic {
		return ""
	}
	return "the whole repository was searched; --path . searches " + place.Name(string(s.folder)) + " alone"
}
