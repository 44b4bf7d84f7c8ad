package resolve

import (
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/company"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// weigher weighs the uses of the name of a group whose receiver is not known.
type weigher struct {
	q      *Question
	group  []corpus.Ref
	set    []corpus.Ref // the group and what it overrides
	isSet  map[corpus.Ref]bool
	counts map[int]*known // what is known of the uses of the name, by repository

	loaded      bool
	rivals      []corpus.Ref // other members of that name
	fits        map[manner]*fits
	basesLoaded bool
	bases       []string // types from elsewhere that the type of the group inherits from
}

// known counts uses of a name in one repository.
type known struct {
	inside  int // that mean the group
	outside int // that mean something from elsewhere
}

// in are the counts of the repository of a file.
func (w *weigher) in(id corpus.FileID) *known {
	home := w.q.corpus.Home(id)
	if w.counts == nil {
		w.counts = map[int]*known{}
	}
	if w.counts[home] == nil {
		w.counts[home] = &known{}
	}
	return w.counts[home]
}

func (q *Question) weigher(group []corpus.Ref) *weigher {
	set := q.hierarchy(group)
	return &weigher{q: q, group: group, set: set, isSet: corpus.SetOf(set)}
}

// hierarchy adds the members that those of a group override, where a use of one
// is a use of all.
func (q *Question) hierarchy(group []corpus.Ref) []corpus.Ref {
	set, known := slices.Clone(group), corpus.SetOf(group)
	for _, r := range group {
		if l := q.language(r); l != nil && (l.Overrides == infer.AboveApart || l.Overrides == infer.AllApart && !q.infer.IsSetThrough(r)) {
			continue
		}
		for _, o := range q.overridden(r) {
			if !known[o] {
				known[o] = true
				set = append(set, o)
			}
		}
	}
	return set
}

func (q *Question) overridden(member corpus.Ref) []corpus.Ref {
	return q.infer.Overridden(member, infer.Full())
}

// weigh says how likely it is that a use of a member of something unknown means
// the group. ok is false where it cannot.
func (w *weigher) weigh(id corpus.FileID, u *facts.Use) (c facts.Confidence, reason string, ok bool) {
	if u.Bind != facts.BindMember {
		return 0, "", false
	}
	w.loadRivals()
	f := w.fitsOf(id, u)
	asked, rivals := w.seenBy(id, f.asked), f.rivals
	if len(asked) == 0 {
		return 0, "", false
	}
	if asked = w.amongOverloads(asked, rivals, id, u); len(asked) == 0 {
		return 0, "", false
	}
	company := w.company(f, id, u, asked)
	const others = code.ClassVendor | code.ClassMinified // not the program's own
	switch {
	case w.isLoose(id, u):
		return facts.Possible, "key of a literal that is given to what does not say that it takes one", true
	case w.q.infer.File(id).IsKey(u):
		return facts.Possible, "key of a literal whose type is not known", true
	case w.q.corpus.Class(id)&others != 0 && !slices.ContainsFunc(asked, func(r corpus.Ref) bool { return w.q.corpus.Class(r.File)&others != 0 }):
		return facts.Possible, "receiver is not known, in vendored or minified code, which knows nothing of the program", true
	case company == strange:
		return facts.Possible, "receiver is not known, and has members that its type lacks", true
	case company == worse:
		return facts.Possible, "receiver is not known; other members of that name have more of what is called on it", true
	case company == best:
		return facts.Likely, "receiver is not known; only the type of this member has what else is called on it", true
	case len(rivals) > 0 && w.sounds(f, id, u, asked):
		return facts.Likely, "receiver is named like its type", true
	case len(rivals) > 0 && w.isTwin(id, u, asked, rivals):
		return facts.Likely, "its type lacks it; a module of the same name has it", true
	case len(rivals) > 0 && w.isNear(id, u, asked, rivals):
		return facts.Likely, "receiver is not known; the only member of that name here or in a file that is imported", true
	case len(rivals) > 0:
		return facts.Possible, "receiver is not known; one of " + strconv.Itoa(len(rivals)+1) + " members of that name", true
	case w.isApart(id, asked):
		return facts.Possible, "receiver is not known; only a repository that the file does not import from has a member of that name", true
	case w.isRead(u, asked):
		return facts.Possible, "receiver is not known, and it is not called", true
	case w.isBuiltin(asked):
		return facts.Possible, "receiver is not known; types of the language have a member of that name", true
	case w.in(id).outside > w.in(id).inside && len(w.outsideBases()) == 0 && !w.isOnSelf(id, u, asked):
		return facts.Possible, "receiver is not known; types from elsewhere have a member of that name", true
	case len(asked) > 1:
		return facts.Likely, "receiver is not known; no other member has that name", true
	}
	return facts.Likely, "receiver is not known; the only member of that name", true
}

// isHidden reports whether a file cannot know a member, which another one keeps to itself.
func (q *Question) isHidden(member corpus.Ref, id corpus.FileID) bool {
	l := q.language(member)
	return member.File != id && l != nil && l.Private != nil && l.Private(member)
}

// standing is what the company of a use says of the members asked about.
type standing uint8

const (
	silent  standing = iota
	best             // only their types have what else is called on the receiver
	worse            // the types of rivals have more of it
	strange          // it is known that they lack something of it
)

// maxCompared bounds the rivals whose types are asked for what else is called on a receiver.
const maxCompared = 12

// companyOf is what else is called on the receiver of a use.
func (q *Question) companyOf(id corpus.FileID, u *facts.Use) company.Names {
	if q.infer.File(id).IsKey(u) {
		return company.Names{}
	}
	if q.company == nil {
		q.company = company.New(q.read, q.infer, q.Kin)
	}
	return q.company.Of(id, u)
}

// company weighs the members asked about by what else is called on the receiver of a use.
func (w *weigher) company(f *fits, id corpus.FileID, u *facts.Use, asked []corpus.Ref) standing {
	if len(f.rivals) > maxCompared {
		return silent
	}
	names := w.q.companyOf(id, u)
	if len(names.Known)+len(names.Strange) == 0 {
		return silent
	}
	if f.types == nil {
		f.types, f.others = w.q.company.Owners(f.asked), w.q.company.Owners(f.rivals)
	}
	types := f.types
	if len(asked) < len(f.asked) {
		types = w.q.company.Owners(asked)
	}
	had, lack := w.q.company.Most(types, names)
	others, _ := w.q.company.Most(f.others, names)
	switch {
	case lack:
		return strange
	case had < others || had == 0 && len(names.Known) > 0:
		return worse
	case had > others && 2*had >= len(names.Known):
		return best
	}
	return silent
}

// amongOverloads are those of the members asked about that a call may mean by its
// arguments, beside the other members of the same type, where shapes tell them apart.
func (w *weigher) amongOverloads(asked, rivals []corpus.Ref, id corpus.FileID, u *facts.Use) []corpus.Ref {
	if l := w.q.infer.Language(id); u.Role != facts.RoleCall || len(rivals) == 0 || l == nil || l.Texts == nil {
		return asked
	}
	all := slices.Clone(asked)
	for _, r := range rivals {
		if w.q.read.Owner(r) == w.q.read.Owner(asked[0]) {
			all = append(all, r)
		}
	}
	use := corpus.Ref{File: id, Index: int32(w.q.read.File(id).Facts.UsesFrom(u.At))}
	left := w.q.infer.Shapes().Among(use, all, infer.Full())
	return slices.DeleteFunc(slices.Clone(asked), func(r corpus.Ref) bool { return !slices.Contains(left, r) })
}

// fitting are the members that a use in a file may mean by its language and the
// number of its arguments.
func (w *weigher) fitting(refs []corpus.Ref, id corpus.FileID, u *facts.Use) []corpus.Ref {
	fit := w.q.infer.Suited(w.q.infer.Fitting(refs, u), u)
	apart := false
	if l := w.q.infer.Language(id); l != nil {
		apart = l.MethodsApart
	}
	return slices.DeleteFunc(fit, func(r corpus.Ref) bool {
		s := w.q.Symbol(r)
		return apart && !infer.IsCalled(s, u.Role == facts.RoleCall) && (u.Role != facts.RoleRead || !s.Kind.IsFunc()) ||
			!corpus.IsMember(w.q.Symbol(r)) || w.q.corpus.Family(r.File) != w.q.corpus.Family(id) || !w.q.corpus.Sees(id, r.File)
	})
}

// isOnSelf reports whether a use is of a member of what runs the block it stands in, in
// languages whose types are given members: nothing else has called it so there.
func (w *weigher) isOnSelf(id corpus.FileID, u *facts.Use, asked []corpus.Ref) bool {
	l := w.q.infer.Language(id)
	return l != nil && l.Mixins && l.Reopens && u.Target != facts.None && w.q.read.File(id).Facts.Expr(int(u.Target)).Op == facts.OpElse &&
		!slices.ContainsFunc(asked, func(r corpus.Ref) bool { return w.q.Symbol(r).Flags&facts.Static != 0 })
}

// isTwin reports whether a use is of a member that the module around it lacks and that a
// module of the same name has, as the parts of plugins are named: both are mixed into one
// class.
func (w *weigher) isTwin(id corpus.FileID, u *facts.Use, asked, rivals []corpus.Ref) bool {
	name := w.q.infer.File(id).ModuleAround(u)
	if name == "" {
		return false
	}
	is := func(r corpus.Ref) bool { return w.q.isInModule(r, name) }
	return slices.ContainsFunc(asked, is) && !slices.ContainsFunc(rivals, is)
}

// isInModule reports whether a member is one of a module of a name.
func (q *Question) isInModule(member corpus.Ref, name string) bool {
	t, ok := q.infer.OwnerType(member, infer.Full())
	return ok && q.Symbol(t).Kind == code.KindModule && q.Symbol(t).Name == name
}

// inSight are the rivals that a use in a file may mean instead.
func (w *weigher) inSight(id corpus.FileID) []corpus.Ref {
	if w.q.corpus.Repo(id) == "" {
		return w.rivals
	}
	return slices.DeleteFunc(slices.Clone(w.rivals), func(r corpus.Ref) bool { return !w.isInSight(id, r) })
}

// isInSight reports whether a use in a file may mean a rival. What a repository says of
// its own members does not depend on the packages that it imports.
func (w *weigher) isInSight(id corpus.FileID, rival corpus.Ref) bool {
	home := w.q.corpus.Home(id)
	return w.q.corpus.Repo(id) == "" || home != w.q.corpus.Home(w.group[0].File) || w.q.corpus.Home(rival.File) == home
}

// manner is all of a use that decides which members fit it.
type manner struct {
	home   int
	family corpus.Family
	role   facts.Role
	args   int16
}

func (q *Question) manner(id corpus.FileID, u *facts.Use) manner {
	return manner{q.corpus.Home(id), q.corpus.Family(id), u.Role, u.Args}
}

// fits are the members that uses of one manner may mean, and what was asked of them.
type fits struct {
	asked, rivals []corpus.Ref
	types, others *company.Owners // of them, nil before they are asked for
	sounds        map[string]bool // by receiver
}

// fitsOf are the members that a use in a file may mean.
func (w *weigher) fitsOf(id corpus.FileID, u *facts.Use) *fits {
	m := w.q.manner(id, u)
	f, ok := w.fits[m]
	if !ok {
		if w.fits == nil {
			w.fits = map[manner]*fits{}
		}
		f = &fits{asked: w.fitting(w.group, id, u), rivals: w.fitting(w.inSight(id), id, u), sounds: map[string]bool{}}
		w.fits[m] = f
	}
	return f
}

// seenBy are the members that a file knows of.
func (w *weigher) seenBy(id corpus.FileID, members []corpus.Ref) []corpus.Ref {
	hidden := func(r corpus.Ref) bool { return w.q.isHidden(r, id) }
	if !slices.ContainsFunc(members, hidden) {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), hidden)
}

// loadRivals finds the other members that the name may mean.
func (w *weigher) loadRivals() {
	if w.loaded {
		return
	}
	w.loaded = true
	for _, r := range w.q.Named(w.q.Symbol(w.group[0]).Name) {
		if w.isRival(r) {
			w.rivals = append(w.rivals, r)
		}
	}
}

// isRival reports whether a member is none of the group, nor of what overrides it.
func (w *weigher) isRival(r corpus.Ref) bool {
	return !w.isSet[r] && corpus.IsMember(w.q.Symbol(r)) && !w.q.read.IsShort(r) && !corpus.HasAny(w.q.overridden(r), w.isSet)
}

// outsideBases are the types from elsewhere that the type of the group inherits
// from, where a member and what it overrides are one.
func (w *weigher) outsideBases() []string {
	if w.basesLoaded {
		return w.bases
	}
	w.basesLoaded = true
	for _, r := range w.group {
		l := w.q.language(r)
		parent := corpus.Ref{File: r.File, Index: w.q.Symbol(r).Parent}
		if l == nil || !l.Hierarchy || parent.Index == facts.None || !w.q.Symbol(parent).Kind.IsType() {
			continue
		}
		bases, _ := w.q.infer.Bases(parent, infer.Full())
		for _, b := range bases {
			if name := b.OutsideName(); name != "" {
				w.bases = append(w.bases, name)
			}
		}
	}
	return w.bases
}

// sounds reports whether the receiver of a use is named like the type of a
// symbol that is asked about, and unlike those of its rivals: environment for
// DevEnvironment.
func (w *weigher) sounds(f *fits, id corpus.FileID, u *facts.Use, asked []corpus.Ref) bool {
	name := w.q.infer.File(id).Receiver(u.Target)
	if sounds, ok := f.sounds[name]; ok && len(asked) == len(f.asked) {
		return sounds
	}
	like := func(r corpus.Ref) bool { return w.q.isLike(r, name) }
	sounds := slices.ContainsFunc(asked, like) && !slices.ContainsFunc(f.rivals, like)
	if len(asked) == len(f.asked) {
		f.sounds[name] = sounds
	}
	return sounds
}

// isLike reports whether the type of a member, or one below it, is named like a receiver.
func (q *Question) isLike(member corpus.Ref, receiver string) bool {
	return q.isNamedLike(member, receiver) || q.isInheritedBy(member, receiver)
}

// isInheritedBy reports whether a type below that of a member is named like a receiver,
// in languages where a receiver has the whole name of its type.
func (q *Question) isInheritedBy(member corpus.Ref, receiver string) bool {
	l := q.infer.Language(member.File)
	owner, ok := q.infer.OwnerType(member, infer.Full())
	if l == nil || !l.WholeNames || !ok {
		return false
	}
	receiver = wholeName(receiver)
	return len(receiver) >= minReceiver && q.namesBelow(owner)[receiver]
}

// namesBelow are the names of the types below one, in small letters.
func (q *Question) namesBelow(typ corpus.Ref) map[string]bool {
	all, ok := q.lowerNames[typ]
	if !ok {
		all = map[string]bool{}
		for _, t := range q.Subtypes(typ) {
			all[strings.ToLower(q.Symbol(t.Ref).Name)] = true
		}
		if q.lowerNames == nil {
			q.lowerNames = map[corpus.Ref]map[string]bool{}
		}
		q.lowerNames[typ] = all
	}
	return all
}

// wholeName is a receiver as a type of its name is written, in small letters.
func wholeName(receiver string) string {
	return strings.ReplaceAll(strings.TrimLeft(receiver, "@"), "_", "")
}

// minReceiver is how long a receiver must be to say anything of its type.
const minReceiver = 3

// isNamedLike reports whether the type of a member is named like a receiver.
func (q *Question) isNamedLike(member corpus.Ref, receiver string) bool {
	owner := strings.ToLower(q.read.Owner(member))
	if l := q.infer.Language(member.File); l != nil && l.WholeNames {
		receiver = wholeName(receiver)
		return len(receiver) >= minReceiver && owner == receiver
	}
	return len(receiver) >= minReceiver && strings.HasSuffix(owner, receiver)
}

// isBuiltin reports whether a type of the language has a member of the name too.
func (w *weigher) isBuiltin(asked []corpus.Ref) bool {
	l := w.q.language(asked[0])
	return l != nil && l.Builtins[w.q.Symbol(asked[0]).Name]
}

// isLoose reports whether a use is the key of a literal that is given to what
// does not say that it takes one, in languages whose literals need no type.
func (w *weigher) isLoose(id corpus.FileID, u *facts.Use) bool {
	return w.q.infer.File(id).IsGivenKey(u)
}

// isRead reports whether a use only reads what are methods.
func (w *weigher) isRead(u *facts.Use, asked []corpus.Ref) bool {
	return u.Role != facts.RoleCall && !slices.ContainsFunc(asked, func(r corpus.Ref) bool {
		s := w.q.Symbol(r)
		return !s.Kind.IsFunc() || s.Flags&facts.Accessor != 0
	})
}
