package scip

import (
	"path"
	"strconv"
	"strings"

	"github.com/scip-code/scip/bindings/go/scip"

	"espy/internal/code"
	"espy/internal/export"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/manifest"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

// scheme begins every symbol.
const scheme = "espy"

const (
	classTest      = code.ClassTest
	classGenerated = code.ClassGenerated
)

// namer gives symbols their names in SCIP: the package of the nearest manifest, the
// path of the file or, for Go, that of the folder, then what holds the symbol.
type namer struct {
	*locate.Ask
	graph    *graph.Graph
	names    map[corpus.Ref]string
	chains   map[corpus.Ref][]*scip.Descriptor
	packages map[corpus.FileID]*scip.Package
}

func newNamer(a *locate.Ask) *namer {
	return &namer{a, graph.New(a), map[corpus.Ref]string{}, map[corpus.Ref][]*scip.Descriptor{}, map[corpus.FileID]*scip.Package{}}
}

// name is the name of a symbol.
func (n *namer) name(r corpus.Ref) string {
	if name, ok := n.names[r]; ok {
		return name
	}
	name := ""
	if n.isLocal(r) {
		name = "local " + strconv.Itoa(int(r.Index))
	} else {
		name = scip.VerboseSymbolFormatter.FormatSymbol(&scip.Symbol{Scheme: scheme, Package: n.packageOf(r.File), Descriptors: n.chain(r)})
	}
	n.names[r] = name
	return name
}

// isLocal reports whether no other file can name a symbol. Parameters can be named
// by calls, but not in Go, where the files of a package share their names.
func (n *namer) isLocal(r corpus.Ref) bool {
	if r.Index == facts.None {
		return false
	}
	s := n.Symbol(r)
	if s.Flags&facts.Local == 0 {
		return false
	}
	return n.Corpus.Family(r.File) == corpus.Go || s.Kind != code.KindParam && s.Kind != code.KindTypeParam || s.Parent == facts.None || n.isLocal(corpus.Ref{File: r.File, Index: s.Parent})
}

// chain are the descriptors of a symbol and of all that holds it.
func (n *namer) chain(r corpus.Ref) []*scip.Descriptor {
	if all, ok := n.chains[r]; ok {
		return all
	}
	var all []*scip.Descriptor
	if r.Index == facts.None {
		all = n.namespaces(r.File)
	} else {
		s := n.Symbol(r)
		all = append(all, n.chain(corpus.Ref{File: r.File, Index: s.Parent})...)
		if n.Corpus.Family(r.File) == corpus.Go && (s.Name == "init" || s.Name == "_") && corpus.AtTop(s) { // a file has its own
			all = append(all, described(path.Base(n.Corpus.Path(r.File)), "", scip.Descriptor_Namespace))
		}
		if s.Owner != "" {
			for _, name := range facts.SplitName(s.Owner) {
				all = append(all, described(name, "", scip.Descriptor_Type))
			}
		}
		all = append(all, n.descriptor(r, s))
	}
	n.chains[r] = all
	return all
}

// descriptor is the descriptor of a symbol itself. Of several with the same name in
// the same place, all but the first bear a number.
func (n *namer) descriptor(r corpus.Ref, s *facts.Symbol) *scip.Descriptor {
	id := n.ID(r)
	number := ""
	if i := strings.LastIndexByte(id, '~'); i >= 0 {
		if _, err := strconv.Atoi(id[i+1:]); err == nil && !strings.HasSuffix(s.Name, id[i:]) {
			number = id[i+1:]
		}
	}
	suffix := suffixOf(s.Kind)
	if suffix == scip.Descriptor_Method && number != "" {
		return described(s.Name, "+"+number, suffix)
	}
	if number != "" {
		return described(s.Name+"~"+number, "", suffix)
	}
	return described(s.Name, "", suffix)
}

func described(name, disambiguator string, suffix scip.Descriptor_Suffix) *scip.Descriptor {
	if name == "" {
		name = "<unnamed>"
	}
	return &scip.Descriptor{Name: strings.ToValidUTF8(name, "\uFFFD"), Disambiguator: disambiguator, Suffix: suffix}
}

// namespaces are the folders of a file and, but for Go, its own name: files of one
// package of Go share their names. The package main and those of outside tests are
// apart from others in their folder.
func (n *namer) namespaces(f corpus.FileID) (all []*scip.Descriptor) {
	p := n.Corpus.Path(f)
	if n.Corpus.Family(f) == corpus.Go {
		p = n.Corpus.Folder(f)
		if name := n.File(f).Package(); name == "main" || strings.HasSuffix(name, "_test") {
			p = corpus.Child(p, name)
		}
	}
	for name := range strings.SplitSeq(p, "/") {
		if name != "" {
			all = append(all, described(name, "", scip.Descriptor_Namespace))
		}
	}
	return all
}

// packageOf is the package that a file is of: that of the nearest manifest above it
// of the language's own build tool.
func (n *namer) packageOf(f corpus.FileID) *scip.Package {
	if p, ok := n.packages[f]; ok {
		return p
	}
	found := &scip.Package{}
	best := -1
	for _, m := range modules.Manifests(n.Ask) {
		folder := corpus.Folder(m.Path)
		if m.Name == "" || m.Ecosystem == manifest.None || m.Ecosystem != ecosystems[n.Corpus.Family(f)] || len(folder) <= best || !isBelow(n.Corpus.Path(f), folder) {
			continue
		}
		best = len(folder)
		found = packageNamed(m.Ecosystem, m.Name, m.Version)
	}
	n.packages[f] = found
	return found
}

func isBelow(p, folder string) bool {
	return folder == "" || strings.HasPrefix(p, folder) && len(p) > len(folder) && p[len(folder)] == '/'
}

func packageNamed(e manifest.Ecosystem, name, version string) *scip.Package {
	return &scip.Package{Manager: managers[e], Name: strings.ToValidUTF8(name, "\uFFFD"), Version: strings.ToValidUTF8(version, "\uFFFD")}
}

// outside is the name of what an import brings from elsewhere. Of what kind it is,
// is not known.
func (n *namer) outside(r *export.Reference) string {
	m := n.File(r.Elsewhere.Import.File).Import(int(r.Elsewhere.Import.Index))
	family := n.Corpus.Family(r.Elsewhere.Import.File)
	pkg := &scip.Package{Manager: managers[ecosystems[family]]}
	switch r.Origin.Kind {
	case modules.Declared, modules.Passed:
		pkg = packageNamed(ecosystems[family], r.Origin.Package, r.Origin.Version)
	case modules.Standard:
		pkg.Name = "std"
	}
	all := []*scip.Descriptor{described(m.Module, "", scip.Descriptor_Namespace)}
	if p := r.Elsewhere.Path; p != "" && p != "*" && p != facts.WholeModule {
		all = append(all, described(p, "", scip.Descriptor_Term))
	}
	return scip.VerboseSymbolFormatter.FormatSymbol(&scip.Symbol{Scheme: scheme, Package: pkg, Descriptors: all})
}

// mention keeps what another file declares.
func (d *document) mention(r corpus.Ref) {
	name := d.name(r)
	if d.own[name] == nil && d.named[name] == nil && !scip.IsLocalSymbol(name) {
		d.named[name] = d.describe(r, name)
	}
}

// describe is what is said of a symbol wherever it is named.
func (d *document) describe(r corpus.Ref, name string) *scip.SymbolInformation {
	about := &scip.SymbolInformation{Symbol: name}
	if r.Index == facts.None {
		return about
	}
	s := d.Symbol(r)
	about.DisplayName, about.Kind = strings.ToValidUTF8(s.Name, "\uFFFD"), kindOf(s)
	if scip.IsLocalSymbol(name) && s.Parent != facts.None {
		about.EnclosingSymbol = d.name(corpus.Ref{File: r.File, Index: s.Parent})
	}
	return about
}

// isPrototype reports whether a declaration of C only announces what another one
// defines.
func (d *document) isPrototype(r corpus.Ref) bool {
	if d.Corpus.Family(r.File) != corpus.C || d.Symbol(r).Flags&facts.Abstract == 0 {
		return false
	}
	for _, o := range d.Together(r) {
		if d.Symbol(o).Flags&facts.Abstract == 0 {
			return true
		}
	}
	return false
}

// roles says how a use uses its symbol.
func (d *document) roles(r *export.Reference) int32 {
	switch r.Role {
	case facts.RoleImport:
		return int32(scip.SymbolRole_Import)
	case facts.RoleWrite:
		return int32(scip.SymbolRole_WriteAccess)
	case facts.RoleRead, facts.RoleCall:
		return int32(scip.SymbolRole_ReadAccess)
	}
	return 0
}
