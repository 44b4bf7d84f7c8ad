// Package company tells which type a value of an unknown one has by what else is done
// with it: of several types that have a member, a value on which other members are
// called is of one that has these, too.
//
// Methods read segments: call them inside a segment.Guard.
package company

import (
	"slices"
	"strconv"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/kin"
	"espy/internal/resolve/meaning"
)

// Company remembers what was asked. It belongs to one goroutine.
type Company struct {
	read  *corpus.Reader
	infer *meaning.Evaluator
	kin   *kin.Kin

	receivers map[corpus.FileID]map[string][]string // names of members by what they are called on
	families  map[nameIn]bool                       // whether a family of languages declares a member of a name
	has       map[memberOf]facts.Confidence
	named     map[string][]served // of has, by the name of the member
	below     map[corpus.Ref][]corpus.Ref
	looked    int // members looked up, as maxLooked counts them
}

// nameIn is a name in the files of one family.
type nameIn struct {
	name   string
	family corpus.Family
}

// memberOf is a member of a name that a type may have, or its values.
type memberOf struct {
	typ    corpus.Ref
	name   string
	static bool
}

// served says whether what an owner is of has a member, as serves does.
type served struct {
	owner
	serves facts.Confidence
}

// New returns the company of the uses of the files that are read.
func New(read *corpus.Reader, e *meaning.Evaluator, k *kin.Kin) *Company {
	return &Company{
		read: read, infer: e, kin: k, receivers: map[corpus.FileID]map[string][]string{}, families: map[nameIn]bool{},
		has: map[memberOf]facts.Confidence{}, named: map[string][]served{}, below: map[corpus.Ref][]corpus.Ref{},
	}
}

// Names are what is called on the receiver of a use beside the member that it names.
type Names struct {
	Known   []string // members that the repository declares, and no type of the language
	Strange []string // members that neither declares
}

// Of returns what else is called on the receiver of a use, where its language tells
// types by that.
func (c *Company) Of(id corpus.FileID, u *facts.Use) (n Names) {
	f := c.infer.File(id)
	if f.Language == nil || f.Language.Everything == nil || u.Bind != facts.BindMember {
		return n
	}
	key := receiver(f, u.Target, maxReceiver)
	if key == "" {
		return n
	}
	for _, name := range c.in(f)[key] {
		switch {
		case name == u.Name || f.Language.Everything[name] || f.Language.Builtins[name]:
		case c.isDeclared(name, f.Family, id):
			n.Known = append(n.Known, name)
		default:
			n.Strange = append(n.Strange, name)
		}
	}
	return n
}

// in are the names of members that a file calls, by receiver.
func (c *Company) in(f *infer.File) map[string][]string {
	if known, ok := c.receivers[f.ID]; ok {
		return known
	}
	all := map[string][]string{}
	for i := range f.Facts.NumUses() {
		u := f.Use(int32(i))
		if u.Bind != facts.BindMember || u.Target == facts.None {
			continue
		}
		if key := receiver(f, u.Target, maxReceiver); key != "" && !slices.Contains(all[key], u.Name) {
			all[key] = append(all[key], u.Name)
		}
	}
	c.receivers[f.ID] = all
	return all
}

// isDeclared reports whether the repository of a file declares a member of a name.
func (c *Company) isDeclared(name string, family corpus.Family, id corpus.FileID) bool {
	key := nameIn{name, family}
	known, ok := c.families[key]
	if !ok {
		known = slices.ContainsFunc(c.read.Of(id).Named(name), func(r corpus.Ref) bool {
			return c.read.Corpus().Family(r.File) == family && corpus.IsMember(c.read.Symbol(r))
		})
		c.families[key] = known
	}
	return known
}

// maxReceiver bounds the members of each other that a receiver is.
const maxReceiver = 4

// receiver tells what a member is called on from the other receivers of a file: a
// variable, a field of self, a call on self without arguments, or such a member of one
// of these. It is empty for others.
func receiver(f *infer.File, e int32, depth int) string {
	for e != facts.None {
		x := f.Facts.Expr(int(e))
		switch x.Op {
		case facts.OpCall:
			e = x.X
			continue
		case facts.OpUse:
			return named(f, f.Use(x.X), depth)
		}
		break
	}
	return ""
}

// named is the receiver that a use stands for.
func named(f *infer.File, u *facts.Use, depth int) string {
	switch {
	case u.Bind == facts.BindSymbol && !f.Symbol(u.Target).Kind.IsFunc():
		return "=" + strconv.Itoa(int(u.Target))
	case depth == 0 || u.Bind != facts.BindMember || infer.IsUpper(u.Name) || u.Args > 0:
		return ""
	case u.Target == facts.None:
		return ""
	}
	switch x := f.Facts.Expr(int(u.Target)); {
	case x.Op == facts.OpThis || x.Op == facts.OpSymbol:
		return "." + strconv.Itoa(int(x.X)) + "." + u.Name
	case x.Op == facts.OpElse:
		return "." + strconv.Itoa(int(u.In)) + "." + u.Name
	}
	if of := receiver(f, u.Target, depth-1); of != "" {
		return of + "." + u.Name
	}
	return ""
}

// Fit counts how many of some names the type of a member has, itself or through a type
// below it.
func (c *Company) Fit(member corpus.Ref, n Names) (had int) {
	owner, ok := c.infer.OwnerType(member, infer.Full())
	if !ok {
		return 0
	}
	static := c.read.Symbol(member).Flags&facts.Static != 0
	for _, name := range n.Known {
		if c.serves(owner, name, static) == facts.Certain {
			had++
		}
	}
	return had
}

// owner is a type, or its values, that have a member.
type owner struct {
	typ    corpus.Ref
	static bool
}

// Owners are what the members of a name are of, which are asked for other members together.
type Owners struct {
	all     []owner
	is      map[owner]bool
	unknown bool            // of one it is not known
	asked   map[string]bool // the names that all were asked for
}

// Owners returns what some members are of.
func (c *Company) Owners(members []corpus.Ref) *Owners {
	o := &Owners{is: map[owner]bool{}, asked: map[string]bool{}}
	for _, m := range members {
		typ, ok := c.infer.OwnerType(m, infer.Full())
		one := owner{typ, c.read.Symbol(m).Flags&facts.Static != 0}
		o.unknown = o.unknown || !ok
		if ok && !o.is[one] {
			o.is[one] = true
			o.all = append(o.all, one)
		}
	}
	return o
}

// Most counts how many of some names the owner has that has the most of them, itself or
// through a type below it. lack reports whether each is known to lack one that is strange
// to the repository.
func (c *Company) Most(o *Owners, n Names) (had int, lack bool) {
	for _, name := range n.Known {
		c.ask(o, name)
	}
	for _, name := range n.Strange {
		c.ask(o, name)
	}
	with, without := map[owner]int{}, map[owner]bool{}
	for _, name := range n.Known {
		for _, one := range c.named[name] {
			if one.serves == facts.Certain && o.is[one.owner] {
				with[one.owner]++
				had = max(had, with[one.owner])
			}
		}
	}
	for _, name := range n.Strange {
		for _, one := range c.named[name] {
			if one.serves == facts.Possible && o.is[one.owner] {
				without[one.owner] = true
			}
		}
	}
	return had, !o.unknown && len(o.all) > 0 && len(without) == len(o.all)
}

// ask looks up which of some owners have a member, as far as maxLooked goes.
func (c *Company) ask(o *Owners, name string) {
	if o.asked[name] || c.looked > maxLooked {
		return
	}
	for _, one := range o.all {
		c.serves(one.typ, name, one.static)
	}
	o.asked[name] = c.looked <= maxLooked
}

// maxLooked bounds the members that are looked up for one question, all types together, of
// which finding the types below one counts as perType: in a large program many types have a
// member of a common name.
const (
	maxLooked = 400
	perType   = 40
)

// serves says whether a type or one below it has a member: Certain where one has it,
// Possible where all are known to lack it, Likely else, and where too many were looked up.
func (c *Company) serves(typ corpus.Ref, name string, static bool) facts.Confidence {
	key := memberOf{typ, name, static}
	known, ok := c.has[key]
	switch {
	case ok:
		return known
	case c.looked > maxLooked:
		return facts.Likely
	}
	answer := c.hasItself(typ, name, static)
	if answer != facts.Certain {
		for _, t := range c.subtypes(typ) {
			if below := c.hasItself(t, name, static); below != facts.Possible {
				answer = below
			}
			if answer == facts.Certain {
				break
			}
		}
	}
	c.has[key] = answer
	c.named[name] = append(c.named[name], served{owner{typ, static}, answer})
	return answer
}

// catchers are the methods by which values take calls of methods that they lack.
var catchers = []string{"method_missing"}

func (c *Company) hasItself(typ corpus.Ref, name string, static bool) facts.Confidence {
	c.looked++
	t := infer.ValueOf(typ)
	if static {
		t = infer.TypeOf(typ)
	}
	_, state := c.infer.Member(t, name, infer.Full())
	switch state {
	case infer.Found:
		return facts.Certain
	case infer.Absent:
		if slices.ContainsFunc(catchers, func(catcher string) bool {
			_, state := c.infer.Member(t, catcher, infer.Full())
			return state == infer.Found
		}) {
			return facts.Likely
		}
		return facts.Possible
	}
	return facts.Likely
}

// maxBelow bounds the types below one that are asked for members.
const maxBelow = 40

func (c *Company) subtypes(typ corpus.Ref) []corpus.Ref {
	if all, ok := c.below[typ]; ok {
		return all
	}
	c.looked += perType
	var all []corpus.Ref
	for _, r := range c.kin.Subtypes(typ) {
		if r.Index != facts.None && len(all) < maxBelow {
			all = append(all, r.Ref)
		}
	}
	c.below[typ] = all
	return all
}

// String shows names as a reason has them.
func (n Names) String() string { return strings.Join(n.Known, ", ") }
