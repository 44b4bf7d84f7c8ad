package csharp

import (
	"regexp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Project is what the rules need to know of a whole repository.
type Project struct {
	namespaces map[string]bool     // all, and those around them
	folders    []string            // those with a project file, sorted
	linked     map[string]string   // folders whose files another project takes in, by their own
	globals    map[string][]string // what global using directives name, by the folder of their project
}

// ReadProject reads the namespaces and the projects of a corpus.
func ReadProject(c *corpus.Corpus) *Project {
	p := &Project{namespaces: map[string]bool{}, globals: map[string][]string{}, linked: map[string]string{}}
	for i := range corpus.FileID(c.NumFiles()) {
		if isProjectFile(c.Path(i)) {
			p.folders = append(p.folders, c.Folder(i))
		}
	}
	slices.Sort(p.folders)
	p.folders = slices.Compact(p.folders)
	p.link(c)
	read := c.Reader()
	for i := range corpus.FileID(c.NumFiles()) {
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
			folder := p.of(f.Path)
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
var include = regexp.MustCompile(`Include="(\.\.[\\/][^"*]*)`)

// link joins the projects that take in files of each other.
func (p *Project) link(c *corpus.Corpus) {
	for i := range corpus.FileID(c.NumFiles()) {
		if !strings.HasSuffix(c.Path(i), ".csproj") {
			continue
		}
		text, err := c.Text(i)
		if err != nil {
			continue
		}
		for _, m := range include.FindAllSubmatch(text, -1) {
			to, ok := corpus.Join(c.Folder(i), strings.ReplaceAll(string(m[1]), `\`, "/"))
			if isProjectFile(to) || !ok {
				continue
			}
			if from := p.folderOf(to + "/x"); from != c.Folder(i) && from != "" && p.linked[from] == "" {
				p.linked[from] = c.Folder(i)
			}
		}
	}
}

// maxLinks bounds the projects that take in each other's files one after another.
const maxLinks = 8

// of is the folder of the project that a file belongs to.
func (p *Project) of(path string) string {
	folder := p.folderOf(path)
	for range maxLinks {
		next, ok := p.linked[folder]
		if !ok {
			break
		}
		folder = next
	}
	return folder
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
