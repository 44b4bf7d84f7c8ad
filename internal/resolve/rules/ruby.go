package rules

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/kernel"
	"espy/internal/resolve/rules/loadpath"
	"espy/internal/resolve/rules/mixin"
)

// ruby is the rules of Ruby.
type ruby struct {
	asker
	features func() loadpath.Features
	paths    map[corpus.Ref]string              // of classes, modules and constants, with those that hold them
	parts    map[string]map[string][]corpus.Ref // by name, then by path
	holders  map[string]bool                    // what isHolder says of a name
	mixes    *mixin.Mixes
	includes map[corpus.FileID][]corpus.Ref // the uses by which files, or those that they require, include modules outside of classes
}

func rubyLanguage(a asker, features func() loadpath.Features) *infer.Language {
	r := &ruby{asker: a, features: features, paths: map[corpus.Ref]string{}, parts: map[string]map[string][]corpus.Ref{}, holders: map[string]bool{}, includes: map[corpus.FileID][]corpus.Ref{}}
	r.mixes = mixin.New(a.read, a.infer, r.path, r.under)
	return &infer.Language{
		Rules: r, Dynamic: true, Hierarchy: true, Overrides: infer.AllApart, NamedArguments: true, InheritsAttributes: true,
		Constructor: "initialize", Maker: "new", Generates: r.generates, Keyword: rubySuper, Keywords: []string{"super"}, StaticsApart: true, Reopens: true, WholeNames: true, Implicit: []facts.Op{facts.OpThis, facts.OpSymbol, facts.OpElse}, OpenResults: true, CallsAccessors: true, Mixins: true, Besides: r.besides, Held: r.held,
		Bases: infer.InBody, Builtins: kernel.Builtins, Everything: kernel.Everything, Core: kernel.Types, Suits: rubySuits, Foreign: r.isForeign,
		Containers: kernel.Containers, Callbacks: kernel.Callbacks,
	}
}

// rubySuits reports whether a use can mean a symbol: what is assigned to is no
// plain method, a name in front of an argument is a parameter, and a method that
// takes an assigned value is not read.
func rubySuits(s *facts.Symbol, u *facts.Use) bool {
	switch {
	case !s.Kind.IsFunc() || u.Bind != facts.BindMember:
		return true
	case u.Role == facts.RoleWrite:
		return s.Flags&facts.Accessor != 0 && u.Args == 1
	}
	return s.Flags&facts.Accessor == 0 || s.MinArgs == 0
}

// rubySuper is the name of the method around super, which has that of the one it calls.
func rubySuper(f *corpus.File, u *facts.Use) (name string, ok bool) {
	if u.Name != "super" || u.In == facts.None {
		return "", false
	}
	return f.Symbol(u.In).Name, true
}

// generates is the name by which a constructor is called.
func (r *ruby) generates(of corpus.Ref) []string {
	if s := r.read.Symbol(of); s.Kind == code.KindMethod && s.Name == "initialize" {
		return []string{"new"}
	}
	return nil
}

// besides are the class methods that a module brings by the custom of Rails, those of its
// own module ClassMethods, and what a class gets by the custom of plugins: the modules
// ClassMethods and InstanceMethods of what a call in the class is given.
func (r *ruby) besides(typ corpus.Ref) (all []infer.Thing) {
	add := func(of corpus.Ref, name string) {
		for _, t := range r.under(r.path(of), name) {
			all = append(all, infer.Thing{Kind: infer.AType, Ref: t, Extends: name == "ClassMethods"})
		}
	}
	if r.read.Symbol(typ).Kind == code.KindModule {
		add(typ, "ClassMethods")
	}
	all = append(all, r.mixes.Above(typ)...)
	for _, part := range r.infer.Together(typ) {
		f := r.infer.File(part.File)
		for _, x := range f.Expr(f.BlockOf(part.Index), nil).Tuple() {
			if n := f.Expr(x, nil).Node(); n.Op == facts.OpUse && !r.isHolder(f.Use(n.X).Name) {
				continue
			}
			for _, t := range r.infer.Eval(f.Expr(x, nil), infer.Full()) {
				if t.Kind == infer.AType && r.read.Symbol(t.Ref).Kind.IsType() {
					add(t.Ref, "ClassMethods")
					add(t.Ref, "InstanceMethods")
				}
			}
		}
	}
	return all
}

// isHolder reports whether something of a name holds modules as plugins do.
func (r *ruby) isHolder(name string) bool {
	holds, known := r.holders[name]
	if known {
		return holds
	}
	for _, part := range []string{"ClassMethods", "InstanceMethods"} {
		holds = holds || slices.ContainsFunc(r.read.Named(part), func(o corpus.Ref) bool {
			return r.isPart(o) && strings.HasSuffix("::"+r.path(o), "::"+name+"::"+part)
		})
	}
	r.holders[name] = holds
	return holds
}

// held are the classes and modules that stand in one, without those that inherit from
// another of them.
func (r *ruby) held(typ corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	for _, part := range r.infer.Together(typ) {
		f := r.read.File(part.File)
		end := f.Symbol(part.Index).End
		for i := part.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
			if s := f.Symbol(i); s.Parent != part.Index || !s.Kind.IsType() {
				continue
			}
			if first := r.infer.Together(corpus.Ref{File: part.File, Index: i})[0]; !slices.Contains(all, first) {
				all = append(all, first)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(t corpus.Ref) bool {
		return slices.ContainsFunc(all, func(o corpus.Ref) bool {
			below, _ := r.infer.Below(t, infer.ValueOf(o), infer.Full())
			return below && o != t
		})
	})
}

// isForeign reports whether a member is one that the repository adds to a type of Ruby.
func (r *ruby) isForeign(member corpus.Ref) bool {
	s := r.read.Symbol(member)
	switch {
	case !s.Kind.IsFunc():
		return false
	case s.Owner != "": // refine String
		return kernel.Types[s.Owner]
	case s.Parent == facts.None:
		return false
	}
	owner := r.read.Symbol(corpus.Ref{File: member.File, Index: s.Parent})
	return owner.Parent == facts.None && owner.Owner == "" && kernel.Types[owner.Name]
}

// path is the name of a class, a module or a constant with those of what holds it,
// as in A::B::C.
func (r *ruby) path(of corpus.Ref) string {
	if p, ok := r.paths[of]; ok {
		return p
	}
	s := r.read.Symbol(of)
	r.paths[of] = s.Name // while it is worked out: a class may be owned by one of its name
	p := joined(r.holder(of, s), s.Name)
	r.paths[of] = p
	return p
}

// holder is the path of what holds a symbol. The owner that is written before its
// name is looked up from inside out.
func (r *ruby) holder(of corpus.Ref, s *facts.Symbol) string {
	around := ""
	if s.Parent != facts.None {
		around = r.path(corpus.Ref{File: of.File, Index: s.Parent})
	}
	if s.Owner == "" {
		return around
	}
	if rest, ok := strings.CutPrefix(s.Owner, "::"); ok {
		return rest
	}
	for level := around; level != ""; level, _ = cutLast(level, "::") {
		if owner := joined(level, s.Owner); r.isDeclared(owner, of) {
			return owner
		}
	}
	return s.Owner
}

func joined(holder, name string) string {
	if holder == "" {
		return name
	}
	return holder + "::" + name
}

// isDeclared reports whether something other than a symbol has a path.
func (r *ruby) isDeclared(path string, but corpus.Ref) bool {
	for _, o := range r.read.Named(corpus.LastName(path)) {
		if o != but && r.isPart(o) && r.path(o) == path {
			return true
		}
	}
	return false
}

// isPart reports whether a symbol is a class, a module or a constant of Ruby.
func (r *ruby) isPart(o corpus.Ref) bool {
	k := r.read.Symbol(o).Kind
	return r.corpus.Family(o.File) == corpus.Ruby && (k.IsType() || k == code.KindConst)
}

// under finds what a class or module declares under the name of a constant.
func (r *ruby) under(holder, name string) []corpus.Ref {
	all, ok := r.parts[name]
	if !ok {
		all = map[string][]corpus.Ref{}
		r.parts[name] = all
		for _, o := range r.read.Named(name) {
			if r.isPart(o) {
				all[r.path(o)] = append(all[r.path(o)], o)
			}
		}
	}
	return all[joined(holder, name)]
}

// Free looks up a constant in what is nested around it, in what the innermost of
// these inherits, and at the top. Other names are functions outside of classes, or
// methods that a symbol names.
func (r *ruby) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	switch {
	case u.Name == "super":
		return r.mixes.Super(f, u, b.Restart())
	case !infer.IsUpper(u.Name):
		return r.function(f, u, b)
	}
	first := true
	for i := u.In; i != facts.None && !f.IsTop(u); i = f.Symbol(i).Parent {
		s := f.Symbol(i)
		if !s.Kind.IsType() || u.At < s.SigEnd && u.At >= s.Start { // what it inherits is looked up outside of it
			continue
		}
		t := corpus.Ref{File: f.ID, Index: i}
		if refs := r.under(r.path(t), u.Name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in " + r.path(t)}
		}
		if !first {
			continue
		}
		first = false
		if (u.Role == facts.RoleInherit || u.Role == facts.RoleImplement) && i == u.In { // a base of the type itself
			continue
		}
		if found, state := r.infer.Member(infer.TypeOf(t), u.Name, b.Restart()); state == infer.Found {
			return infer.Answer{Refs: refsOf(found), State: infer.Found, Reason: "inherited by " + s.Name}
		}
	}
	if refs := r.under("", u.Name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared outside of modules"}
	}
	return r.included(f, u, true, b)
}

// included finds what a file gets from the modules that it, or the helper of tests that it
// requires, includes outside of classes.
func (r *ruby) included(f *corpus.File, u *facts.Use, typ bool, b infer.Budget) infer.Answer {
	for _, use := range r.includesOf(f) {
		if use.File == f.ID && f.Use(use.Index).At >= u.At {
			continue
		}
		a := r.infer.Meaning(use, b.Restart())
		if use.File != f.ID {
			a.Confidence = max(a.Confidence, facts.Likely)
		}
		for _, m := range a.Refs {
			t := infer.ValueOf(m)
			if typ {
				t = infer.TypeOf(m)
			}
			if found, state := r.infer.Member(t, u.Name, b.Restart()); state == infer.Found {
				return infer.Answer{Refs: refsOf(found), State: infer.Found, Confidence: a.Confidence, Reason: "included by this file"}
			}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// includesOf are the uses by which a file includes modules outside of classes, or a file
// that it requires from its own folders: what a library includes is for its own classes.
func (r *ruby) includesOf(f *corpus.File) []corpus.Ref {
	all, known := r.includes[f.ID]
	if known {
		return all
	}
	r.includes[f.ID] = nil // while the files are read that it requires
	for i := range int32(f.Facts.NumUses()) {
		if x := f.Use(i); x.Role == facts.RoleInherit && x.In == facts.None {
			all = append(all, corpus.Ref{File: f.ID, Index: i})
		}
	}
	for i := range min(f.Facts.NumImports(), maxHelpers) {
		if id, ok := r.features().Find(r.corpus, f, f.Facts.Import(i).Module); ok && loadpath.IsTest(r.corpus.Path(id)) {
			all = append(all, r.includesOf(r.read.File(id))...)
		}
	}
	r.includes[f.ID] = all
	return all
}

// maxHelpers bounds the files that one requires of which it is asked what they include.
const maxHelpers = 8

func refsOf(found []infer.Member) []corpus.Ref {
	var refs []corpus.Ref
	for _, m := range found {
		if m.Module == nil {
			refs = append(refs, m.Ref)
		}
	}
	return refs
}

// function finds the function outside of classes that a bare name calls, or the
// method of the class around it that a symbol names.
func (r *ruby) function(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := u.In; i != facts.None && u.Role == facts.RoleRead && u.Bind == facts.BindFree; i = f.Symbol(i).Parent {
		if !f.Symbol(i).Kind.IsType() {
			continue
		}
		t := infer.ValueOf(corpus.Ref{File: f.ID, Index: i})
		if found, state := r.infer.Member(t, u.Name, b.Restart()); state == infer.Found {
			return infer.Answer{Refs: refsOf(found), State: infer.Found, Confidence: facts.Likely, Reason: "named by a symbol; member of " + f.Symbol(i).Name}
		}
	}
	if strings.HasPrefix(u.Name, "$") {
		return r.outer(f, u, code.KindVar)
	}
	a := r.outer(f, u, code.KindFunc)
	if a.State == infer.Outside {
		return r.included(f, u, false, b)
	}
	return a
}

// outer finds what stands outside of classes, of this file before that of others.
func (r *ruby) outer(f *corpus.File, u *facts.Use, kind code.Kind) infer.Answer {
	var refs []corpus.Ref
	for _, o := range r.read.Named(u.Name) {
		if s := r.read.Symbol(o); r.corpus.Family(o.File) == corpus.Ruby && s.Kind == kind && corpus.AtTop(s) {
			refs = append(refs, o)
		}
	}
	if own := slices.DeleteFunc(slices.Clone(refs), func(o corpus.Ref) bool { return o.File != f.ID }); len(own) > 0 {
		return infer.Answer{Refs: own, State: infer.Found, Reason: "declared in this file"}
	}
	switch {
	case len(refs) == 0:
		return infer.Answer{State: infer.Outside, Via: u.Name}
	case len(refs) > 1:
		return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Possible, Reason: "one of several outside of classes"}
	}
	return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely, Reason: "declared outside of classes"}
}

// Exported finds nothing: a file has no names of its own.
func (r *ruby) Exported(*infer.Module, string, infer.Budget) infer.Answer {
	return infer.Answer{State: infer.Absent}
}

// Import finds the file that require names.
func (r *ruby) Import(f *corpus.File, m *facts.Import, _ infer.Budget) infer.Answer {
	if id, ok := r.features().Find(r.corpus, f, m.Module); ok {
		mod := &infer.Module{Files: []corpus.FileID{id}, Path: r.corpus.Path(id), Family: corpus.Ruby}
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "required file"}
	}
	return infer.Answer{State: infer.Outside, Reason: "required from elsewhere", Via: m.Module}
}

// Owns reports whether a type is the one that a method or a class names as its owner.
func (r *ruby) Owns(typ, owned corpus.Ref, _ infer.Budget) bool {
	return r.isPart(typ) && r.path(typ) == r.holder(owned, r.read.Symbol(owned))
}

// Same reports whether two symbols are parts of one class or module.
func (r *ruby) Same(a, b corpus.Ref) bool {
	x, y := r.read.Symbol(a), r.read.Symbol(b)
	return x.Kind.IsType() && y.Kind.IsType() && r.isPart(b) && r.path(a) == r.path(b)
}
