package csharp

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// Project is what the rules need to know of a whole repository.
type Project struct {
	namespaces map[string]bool     // all, and those around them
	folders    []string            // those with a project file, sorted
	linked     map[string][]string // the projects that take in files of another, by the folder of that
	globals    map[string][]string // what global using directives name, by the folder of their project
}

// ReadProject reads the namespaces and the projects of a corpus.
func ReadProject(c *corpus.Corpus) *Project {
	p := &Project{namespaces: map[string]bool{}, globals: map[string][]string{}, linked: map[string][]string{}}
	for i := range c.Files() {
		if isProjectFile(c.Path(i)) {
			p.folders = append(p.folders, c.Folder(i))
		}
	}
	slices.Sort(p.folders)
	p.folders = slices.Compact(p.folders)
	p.link(c)
	read := c.Reader()
	for i := range c.Files() {
		if c.Family(i) == corpus.CSharp {
			p.read(read.File(i))
		}
	}
	return p
}

func isProjectFile(path string) bool {
	return strings.HasSuffix(path, ".csproj") || strings.HasSuffix(path, ".asmdef")
}

// read adds what a file declares and what it names for its whole project.
func (p *Project) read(f *corpus.File) {
	p.add(f.Facts.Package())
	for i := range f.Facts.NumSymbols() {
		if s := f.Symbol(int32(i)); s.Kind == code.KindModule {
			p.add(fullName(s))
		}
	}
	for i := range f.Facts.NumImports() {
		if m := f.Facts.Import(i); m.Name == "*" && m.Flags&facts.Exported != 0 {
			folder := p.folderOf(f.Path)
			p.globals[folder] = append(p.globals[folder], m.Module)
		}
	}
}

func (p *Project) add(space string) {
	for ; space != "" && !p.namespaces[space]; space, _ = cutLast(space) {
		p.namespaces[space] = true
	}
}

// include finds what a project takes in from outside of its folder.
var include = pattern.New(`Include="(\.\.[\\/][^"*]*)`)

// link notes which projects take in files of others.
func (p *Project) link(c *corpus.Corpus) {
	for i := range c.Files() {
		if !strings.HasSuffix(c.Path(i), ".csproj") {
			continue
		}
		text, err := c.Text(i)
		if err != nil {
			continue
		}
		for _, m := range include().FindAllSubmatch(text, -1) {
			to, ok := corpus.Join(c.Folder(i), strings.ReplaceAll(string(m[1]), `\`, "/"))
			if isProjectFile(to) || !ok {
				continue
			}
			if from := p.folderOf(to + "/x"); from != c.Folder(i) && from != "" && !slices.Contains(p.linked[from], c.Folder(i)) {
				p.linked[from] = append(p.linked[from], c.Folder(i))
			}
		}
	}
}

// of are the folders of the projects that a file belongs to, its own first.
func (p *Project) of(path string) []string {
	folder := p.folderOf(path)
	return append([]string{folder}, p.linked[folder]...)
}

// share reports whether two files belong to one project.
func (p *Project) share(a, b string) bool {
	in := p.of(b)
	return slices.ContainsFunc(p.of(a), func(folder string) bool { return slices.Contains(in, folder) })
}

// folderOf is the nearest folder above a file with a project file, else the root.
func (p *Project) folderOf(path string) string {
	for folder := corpus.Folder(path); folder != ""; folder = corpus.Folder(folder) {
		if _, ok := slices.BinarySearch(p.folders, folder); ok {
			return folder
		}
	}
	return ""
}
