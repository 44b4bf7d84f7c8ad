package bundle

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
)

// Bounds of what is looked at of one declaration.
const (
	maxReferences = 2_000
	maxUsesOfHit  = 1_500 // of the name of what a search found
	maxCallers    = 40
	maxUsed       = 24
	maxMentions   = 4
	maxBeside     = 6
)

// leastAsked is how surely the first declaration is meant by a question that names
// what it wants to know of it.
const leastAsked = 0.6

// link adds what stands round a declaration.
func (g *gatherer) link(s seed, first bool) error {
	if s.reason == "" {
		s.weight *= 0.6
	}
	if first && g.question.asks != (asks{}) {
		s.weight = max(s.weight, leastAsked)
	}
	for _, step := range []func(seed) error{g.below, g.users, g.used, g.beside, g.mentions} {
		if g.late() {
			return nil
		}
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

// falling is the worth of the i-th of some pieces of a kind.
func falling(worth, factor float64, i int) float64 { return worth * math.Pow(factor, float64(i)) }

// user is a declaration that uses the seed, or the top of a file that does.
type user struct {
	path, id   string
	sites      []int
	role       facts.Role
	confidence facts.Confidence
	reason     string
}

// users adds who uses the declaration: callers, tests.
func (g *gatherer) users(s seed) error {
	if s.reason == "" && s.block.Uses > maxUsesOfHit {
		return nil // it takes long, and says little of a question that does not name it
	}
	refs, err := g.index.References(nav.ReferencesRequest{Target: locate.Target{Name: s.block.ID}, Limit: maxReferences})
	if err != nil {
		return err
	}
	users := usersOf(refs)
	sites := make([]nav.Site, len(users))
	for i, u := range users {
		sites[i] = nav.Site{Path: u.path, Line: u.sites[0]}
	}
	blocks, err := g.index.Blocks(sites)
	if err != nil {
		return err
	}
	worth, factor := 6*s.weight, 0.86
	if g.question.asks.callers {
		worth, factor = 14*s.weight, 0.96
	}
	testWorth := 5 * s.weight
	if g.question.asks.tests {
		testWorth = 12 * s.weight
	}
	order := make([]int, len(users))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(rankOf(users[i], blocks[i], s), rankOf(users[j], blocks[j], s)), cmp.Compare(len(users[j].sites), len(users[i].sites)))
	})
	callers, tests := 0, 0
	for _, i := range order {
		u, b := users[i], blocks[i]
		if !g.allows(u.path, b.Class) || b.ID == s.block.ID {
			continue
		}
		if b.Class.Has(code.ClassTest) {
			if tests++; tests > maxCallers {
				g.answer.More++
				continue
			}
			v := falling(testWorth, 0.75, tests-1)
			err = g.addUser(u, b, wanted{reason: "test of " + s.block.Name, order: orderTest, worth: [3]float64{v, v / 2, v / 20}, sites: u.sites})
		} else {
			if callers++; callers > maxCallers {
				g.answer.More++
				continue
			}
			v := falling(worth, factor, callers-1)
			err = g.addUser(u, b, wanted{reason: verb(u.role) + s.block.Name + doubt(u), order: orderCaller, worth: [3]float64{v, v / 2, v / 20}, sites: u.sites})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// doubt says why a use is not certain.
func doubt(u user) string {
	if u.confidence == facts.Certain {
		return ""
	}
	return fmt.Sprintf(" (%s)", u.confidence)
}

func verb(r facts.Role) string {
	switch r {
	case facts.RoleCall:
		return "calls "
	case facts.RoleWrite:
		return "sets "
	case facts.RoleInherit:
		return "extends "
	case facts.RoleImplement:
		return "implements "
	}
	return "uses "
}

// addUser adds the block that uses a declaration, or the lines outside of all.
func (g *gatherer) addUser(u user, b locate.Block, w wanted) error {
	if b.ID != "" {
		return g.addBlock(b, w)
	}
	lines, err := g.lines(u.path)
	if err != nil || u.sites[0] > len(lines) {
		return err
	}
	b = locate.Block{Path: u.path, First: u.sites[0], Last: u.sites[0]}
	g.addLines(b.Path, b.First, b.Last, w.reason, w.worth[0])
	g.pieces[g.byBlock[fmt.Sprintf("%s:%d-%d", b.Path, b.First, b.Last)]].Order = w.order
	return nil
}

// usersOf groups references, but for imports, by what holds them.
func usersOf(refs *nav.References) []user {
	var all []user
	at := map[[2]string]int{}
	for _, f := range refs.Files {
		for _, r := range f.References {
			if r.Role == facts.RoleImport {
				continue
			}
			key := [2]string{f.Path, r.In}
			i, ok := at[key]
			if !ok {
				i = len(all)
				at[key] = i
				all = append(all, user{path: f.Path, id: r.In, role: r.Role, confidence: r.Confidence, reason: r.Reason})
			}
			u := &all[i]
			u.sites = append(u.sites, r.Line)
			if r.Role == facts.RoleCall {
				u.role = r.Role
			}
			u.confidence = min(u.confidence, r.Confidence)
		}
	}
	return all
}

// rankOf orders users: calls before other uses, certain before likely, programs
// before examples and what is generated, near files before far ones.
func rankOf(u user, b locate.Block, s seed) int {
	n := 0
	switch u.role {
	case facts.RoleCall, facts.RoleInherit, facts.RoleImplement:
	case facts.RoleWrite, facts.RoleRead:
		n += 8
	default:
		n += 12
	}
	if u.confidence != facts.Certain {
		n += 6
	}
	if b.Class&(code.ClassExample|code.ClassBench|code.ClassDocs|code.ClassLegacy|code.ClassTool) != 0 {
		n += 16
	}
	if b.Class&(code.ClassVendor|code.ClassGenerated|code.ClassMinified) != 0 {
		n += 32
	}
	return n + min(distance(u.path, s.block.Path), 5)
}

// distance counts the folders between two files.
func distance(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	common := 0
	for common < len(x)-1 && common < len(y)-1 && x[common] == y[common] {
		common++
	}
	return len(x) + len(y) - 2 - 2*common
}

// below adds implementations and subtypes of a type, and what overrides a method.
func (g *gatherer) below(s seed) error {
	kind, reason := nav.KindSubtypes, "extends "
	switch {
	case s.reason == "" && !g.question.asks.implementations: // as for users of many
		return nil
	case s.block.Kind == code.KindInterface || s.block.Kind == code.KindTrait:
		kind, reason = nav.KindImplementations, "implements "
	case s.block.Kind.IsType():
	case g.question.asks.implementations && s.block.Kind == code.KindMethod:
		kind, reason = nav.KindOverrides, "overrides "
	default:
		return nil
	}
	refs, err := g.index.References(nav.ReferencesRequest{Target: locate.Target{Name: s.block.ID}, Kind: kind, Limit: maxReferences})
	if err != nil {
		return err
	}
	worth, factor := 6*s.weight, 0.85
	if g.question.asks.implementations {
		worth, factor = 20*s.weight, 0.97
	}
	n := 0
	for _, f := range refs.Files {
		sites := make([]nav.Site, len(f.References))
		for i, r := range f.References {
			sites[i] = nav.Site{Path: f.Path, Line: r.Line}
		}
		blocks, err := g.index.Blocks(sites)
		if err != nil {
			return err
		}
		for i, b := range blocks {
			if !g.allows(f.Path, b.Class) || b.ID == s.block.ID {
				continue
			}
			if n++; n > 2*maxCallers {
				g.answer.More++
				continue
			}
			v := falling(worth, factor, n-1)
			u := user{path: f.Path, sites: []int{f.References[i].Line}, confidence: f.References[i].Confidence}
			w := wanted{reason: reason + s.block.Name + doubt(u), order: orderBelow, worth: [3]float64{v, v / 4, v / 30}, sites: u.sites}
			if err := g.addUser(u, b, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// used adds what the declaration uses.
func (g *gatherer) used(s seed) error {
	all, _, err := g.index.Uses(s.block)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b nav.Used) int { return cmp.Compare(usedRank(a, s), usedRank(b, s)) })
	n := 0
	for _, u := range all {
		if u.ID == s.block.ID || !g.allows(u.Path, u.Class) {
			continue
		}
		if n++; n > maxUsed {
			g.answer.More++
			continue
		}
		v := falling(4*s.weight, 0.82, n-1)
		reason := "called by " + s.block.Name
		switch {
		case u.Signature && u.Kind.IsType():
			reason = "type in the signature of " + s.block.Name
		case u.Role != facts.RoleCall:
			reason = "used by " + s.block.Name
		}
		if err := g.addBlock(u.Block, wanted{reason: reason, order: orderUsed, worth: [3]float64{v, v / 2, v / 10}}); err != nil {
			return err
		}
	}
	return nil
}

// usedRank orders what a declaration uses: types of its signature, calls, near
// before far.
func usedRank(u nav.Used, s seed) int {
	n := min(distance(u.Path, s.block.Path), 5)
	switch {
	case u.Signature && u.Kind.IsType():
	case u.Role == facts.RoleCall && u.Kind.IsFunc():
		n += 2
	default:
		n += 8
	}
	if u.Class&(code.ClassVendor|code.ClassGenerated|code.ClassMinified) != 0 {
		n += 16
	}
	return n
}

// beside names the files of tests that stand with the declaration.
func (g *gatherer) beside(s seed) error {
	if s.block.Class.Has(code.ClassTest) {
		return nil
	}
	paths, err := g.index.Beside(s.block.Path, maxBeside)
	if err != nil {
		return err
	}
	worth := 1.5 * s.weight
	if g.question.asks.tests {
		worth = 10 * s.weight
	}
	for i, p := range paths {
		near, _ := g.in(p)
		if here, _ := g.in(s.block.Path); here == near && g.allows(p, code.ClassTest) {
			g.addFile(p, "tests beside "+s.block.Path, falling(worth, 0.6, i))
		}
	}
	return nil
}

// distinct is the name by which documentation mentions a declaration and little
// else: its own where it is no plain word, else with that of its owner; empty for
// none.
func distinct(name string) string {
	own := name[strings.LastIndexByte(name, '.')+1:]
	isPlain := len(own) < 4 || strings.ToLower(own[1:]) == own[1:] && !strings.ContainsAny(own, "_0123456789")
	switch {
	case !isPlain:
		return own
	case strings.Contains(name, "."):
		return name
	}
	return ""
}

// mentions adds the documentation that mentions the declaration by its name.
func (g *gatherer) mentions(s seed) error {
	name := distinct(s.block.Name)
	if name == "" || g.request.Scope != "" && g.request.Scope != code.ScopeAll && g.request.Scope != code.ScopeDocs {
		return nil
	}
	res, err := g.search(hit.Request{
		Query: name, Mode: hit.ModeLiteral, Word: true, Paths: g.request.Paths, Languages: g.request.Languages, Scope: code.ScopeDocs, Limit: maxMentions,
	})
	if err != nil {
		return err
	}
	worth := 2 * s.weight
	if g.question.asks.config {
		worth = 6 * s.weight
	}
	for i, h := range res.Hits {
		g.addMention(&h, "mentions "+name, falling(worth, 0.6, i))
	}
	return nil
}
