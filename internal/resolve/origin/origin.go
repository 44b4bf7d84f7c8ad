// Package origin says where a name comes from that no file of the index declares, as
// far as imports and types tell.
//
// Methods read segments: call them inside a segment.Guard.
package origin

import (
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// Origin is a name that no file declares, as one place uses or imports it.
type Origin struct {
	Name string
	From string // the module and the name in it, or the type, as far as imports and types tell; else empty

	Import corpus.Ref // the import that brings it, or what it is a member of; its index is facts.None where none does
	Path   string     // with Import: its name in the module, a.b of a member; empty for the module itself

	How  Provenance
	File corpus.FileID
	Use  int32 // None where an import is asked about
	Tag  bool  // C: what stands behind struct, union and enum is no other name
}

// Provenance says how it is known where a name comes from.
type Provenance uint8

// The ways.
const (
	Unknown  Provenance = iota
	ByImport            // an import says so
	ByType              // it is a member of a type that comes from elsewhere
	ByScope             // no scope has it: of the language, its environment, or a header
)

// Finder finds origins for one question. It belongs to one goroutine.
type Finder struct {
	read  *corpus.Reader
	infer *meaning.Evaluator
}

// New returns a finder over the files that are read.
func New(read *corpus.Reader, e *meaning.Evaluator) *Finder { return &Finder{read, e} }

// Used describes what a use means that no file declares; ok is false where one does.
func (q *Finder) Used(use corpus.Ref) (e Origin, ok bool) {
	if a := q.infer.Meaning(use, infer.Full()); a.State == infer.Found {
		return e, false
	}
	return q.Of(use), true
}

// Of says where a use that means nothing of the repository comes from.
func (q *Finder) Of(use corpus.Ref) Origin { return q.comesFrom(use, maxChain) }

// maxChain bounds the members of members that are followed to an import.
const maxChain = 8

// comesFrom says where a use that means nothing of the repository comes from.
func (q *Finder) comesFrom(use corpus.Ref, depth int) Origin {
	f := q.read.File(use.File)
	u := f.Use(use.Index)
	e := Origin{Name: u.Name, Import: corpus.Ref{File: use.File, Index: facts.None}, File: use.File, Use: use.Index}
	switch {
	case u.Bind == facts.BindImport:
		m := f.Facts.Import(int(u.Target))
		e.Import.Index, e.Path = u.Target, m.Name
		e.From, e.How = q.Whole(use.File, &m), ByImport
	case u.Bind == facts.BindFree || f.IsTop(u):
		e.How = ByScope
		e.Tag = f.Family == corpus.C && u.Role == facts.RoleType
	case u.Bind == facts.BindMember && u.Target != facts.None:
		q.memberFrom(&e, use, depth)
	}
	return e
}

// memberFrom says where a member comes from: the module that it is named through,
// else the type of its receiver.
func (q *Finder) memberFrom(e *Origin, use corpus.Ref, depth int) {
	f := q.read.File(use.File)
	x := f.Facts.Expr(int(f.Use(use.Index).Target))
	if x.Op == facts.OpUse && depth > 0 {
		base := corpus.Ref{File: use.File, Index: x.X}
		if a := q.infer.Meaning(base, infer.Full()); a.State != infer.Found {
			if b := q.comesFrom(base, depth-1); b.How == ByImport {
				e.From, e.How = b.From+"."+e.Name, ByImport
				e.Import, e.Path = b.Import, strings.TrimPrefix(b.Path+"."+e.Name, ".")
				return
			}
		}
	}
	if a := q.infer.Meaning(use, infer.Full()); a.State == infer.Outside && a.Via != "" {
		e.From, e.How = a.Via+"."+e.Name, ByType
	}
}

// Whole is what an import takes, with its module before it. A module that is
// named from where its file stands is told by that folder.
func (q *Finder) Whole(id corpus.FileID, m *facts.Import) string {
	module := dotted.Replace(m.Module)
	if Near(m) {
		module = corpus.Child(q.read.File(id).Folder, module)
	}
	if m.Name == "" || m.Name == "*" || m.Name == facts.WholeModule {
		return module
	}
	return module + "." + m.Name
}

// dotted writes the parts of a module with dots between them.
var dotted = strings.NewReplacer("::", ".", `\`, ".")

// Near reports whether the module of an import is named from where its file stands.
func Near(m *facts.Import) bool {
	first, _, _ := strings.Cut(dotted.Replace(m.Module), ".")
	return first == "" || first == "crate" || first == "self" || first == "super"
}
