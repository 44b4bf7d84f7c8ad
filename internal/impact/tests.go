package impact

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/impact/suite"
	"espy/internal/impact/suites"
	"espy/internal/impact/within"
	"espy/internal/impact/wording"
	"espy/internal/lang"
	"espy/internal/place"
	"espy/internal/ranked/past"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
)

// Weights of what speaks for a file of tests, to 1: what they leave over is
// multiplied.
const (
	weighChanged  = 1.0
	weighCalls    = 0.75
	weighNamed    = 0.7
	weighLike     = 0.6
	weighAfter    = 0.5  // words of the name of a changed symbol
	weighWords    = 0.5  // of the changed lines
	weighUses     = 0.5  // of what changes, or of the type that holds it
	weighShares   = 0.25 // of something else of the file
	weighBeside   = 0.25
	weighTogether = 0.9
	weighFolder   = 0.7 // with something of the folder of a changed file
	weighLately   = 0.25
)

// least is the score from which on a file of tests is to be run, usual the share of all
// files of tests that are named where that is more than few, and most that of those of
// a score of at least plain.
const (
	least = 0.03
	sure  = 0.2 // of those that a command runs
	usual = 0.1
	few   = 5
	plain = 0.6
	most  = 0.24
)

// candidate is a file of tests with what speaks for it.
type candidate struct {
	file       corpus.FileID
	confidence facts.Confidence
	open       float64 // what the reasons leave over
	reasons    []reason
	functions  []string
}

type reason struct {
	weight float64
	text   string
}

// chooser chooses the tests of one repository to run.
type chooser struct {
	*finder
	one *corpus.Corpus // the repository
	*suites.Suites
	all map[corpus.FileID]*candidate
}

// tests finds the tests to run, of each repository.
func (f *finder) tests(ctx context.Context, p *reading) error {
	all := suites.Of(f.ask)
	for i, one := range f.ask.Corpus.Members() {
		if i > 0 && f.deep {
			return nil // tests of packages are not for who uses them
		}
		c := &chooser{f, one, all[i], map[corpus.FileID]*candidate{}}
		f.answer.Suites += len(c.ByPath) + len(c.Beside)
		if len(f.changes) == 0 {
			continue
		}
		sources, own := c.sources()
		c.calls()
		c.uses(sources)
		c.named(own)
		c.namedAfter()
		c.together(own, p.wait(ctx))
		if i < len(f.sides) {
			if err := c.words(own, f.sides[i].Snapshot); err != nil {
				return err
			}
		}
		c.lately(p.wait(ctx))
		c.choose()
	}
	return nil
}

// isSuite reports whether a file is one of tests of the repository.
func (c *chooser) isSuite(id corpus.FileID) bool {
	if id == noFile || c.ask.Corpus.Of(id) != c.one {
		return false
	}
	_, ok := c.ByPath[c.one.Path(id)]
	return ok
}

// isWithin reports whether code is a test of the repository that stands beside its code.
func (c *chooser) isWithin(r corpus.Ref) bool {
	if r.File == noFile || c.ask.Corpus.Of(r.File) != c.one {
		return false
	}
	_, ok := c.Beside[c.one.Path(r.File)]
	return ok && within.Holds(c.ask, r)
}

// sources are the changed files that are no tests, as the answer names them, and those
// of this repository by their path in it; those that are tests speak for themselves.
func (c *chooser) sources() (all, own []string) {
	for i := range c.changes {
		d := &c.changes[i]
		path, here := c.inside(d.Path)
		if id, ok := c.ByPath[path]; ok && here {
			c.add(id, facts.Certain, weighChanged, "it changes itself")
			continue
		}
		if d.What == Doc {
			continue
		}
		all = append(all, d.Path)
		if here {
			own = append(own, path)
		}
		if id, ok := c.Beside[path]; ok && here && c.all[id] == nil {
			c.add(id, facts.Certain, weighChanged, "its own tests stand in it")
		}
	}
	slices.Sort(all)
	slices.Sort(own)
	return slices.Compact(all), slices.Compact(own)
}

// inside is the path of a file in the repository; ok is false of one of another.
func (c *chooser) inside(p string) (path string, ok bool) {
	if !c.several {
		return p, true
	}
	return strings.CutPrefix(p, c.repo()+":")
}

// repo is the name of the repository among several, else empty.
func (c *chooser) repo() string { return c.one.Name() }

// add adds what speaks for a file of tests.
func (c *chooser) add(id corpus.FileID, confidence facts.Confidence, weight float64, text string) {
	t := c.all[id]
	if t == nil {
		t = &candidate{file: id, confidence: confidence, open: 1}
		c.all[id] = t
	}
	t.confidence = min(t.confidence, confidence)
	t.open *= 1 - weight
	t.reasons = append(t.reasons, reason{weight, text})
}

// calls adds the tests that use what is affected.
func (c *chooser) calls() {
	reached := map[*node]int{} // files of tests that a symbol leads to
	best := map[corpus.FileID]*node{}
	for _, n := range c.nodes {
		if !c.isSuite(n.ref.File) && !c.isWithin(n.ref) {
			continue
		}
		if best[n.ref.File] == nil {
			best[n.ref.File] = n
			reached[c.origin(n)]++
		}
	}
	for _, id := range sorted(best) {
		n := best[id]
		weight := weighCalls * math.Pow(0.6, float64(n.distance-1)) * doubt[n.confidence]
		if many := reached[c.origin(n)]; many > few { // what all tests use says little
			weight *= math.Sqrt(few / float64(many))
		}
		text := chain(n)
		if n.confidence == facts.Possible { // other reasons may be surer
			text += " (possible)"
		}
		c.add(id, n.confidence, weight, text)
	}
	for _, n := range c.nodes {
		if t := c.all[n.ref.File]; t != nil && n.ref.Index != facts.None && n.confidence != facts.Possible {
			if name := suite.Function(c.ask.Symbol(n.ref).Name, c.ask.Corpus.Language(n.ref.File)); name != "" && !slices.Contains(t.functions, name) {
				t.functions = append(t.functions, name)
			}
		}
	}
}

var doubt = [...]float64{facts.Certain: 1, facts.Likely: 0.9, facts.Possible: 0.3}

// sorted are the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// origin is what changes at the other end of the way to a node.
func (c *chooser) origin(n *node) *node {
	for n.via != nil {
		n = n.via
	}
	return n
}

// chain says how a node uses what changes.
func chain(n *node) string {
	var through []string
	for v := n.via; v != nil; v = v.via {
		through = append(through, place.Name(v.name))
	}
	if len(through) < 2 {
		return n.reason
	}
	verb, _, _ := strings.Cut(n.reason, " ")
	return verb + " " + strings.Join(through, " -> ")
}

// uses adds the tests that use something that a changed file declares.
func (c *chooser) uses(sources []string) {
	changing := map[string]bool{}
	for i := range c.changes {
		_, local, _ := strings.Cut(c.changes[i].ID, "#")
		for _, name := range strings.Split(local, ".") {
			changing[name] = true
		}
	}
	for _, p := range sources {
		id, ok := c.ask.Corpus.Find(p)
		if !ok {
			continue
		}
		users := map[corpus.FileID]map[string]facts.Confidence{}
		times := map[string]int{}
		for _, name := range sorted(c.declared(id)) {
			c.usersOf(id, name, users, times)
		}
		for _, t := range sorted(users) {
			best, text, sure := 0.0, "", facts.Possible
			for _, name := range sorted(users[t]) {
				confidence, base := users[t][name], weighShares
				if changing[name] {
					base = weighUses
				}
				if weight := base * doubt[confidence] * math.Sqrt(min(1, few/float64(times[name]))); weight > best {
					verb := "uses "
					if confidence == facts.Possible {
						verb = "may use "
					}
					best, text, sure = weight, verb+place.Name(name)+" of "+place.Name(p), confidence
				}
			}
			c.add(t, max(sure, facts.Likely), best, text)
		}
	}
}

// usersOf finds the tests that use a name as what a file declares.
func (c *chooser) usersOf(id corpus.FileID, name string, users map[corpus.FileID]map[string]facts.Confidence, times map[string]int) {
	if c.ask.UsesUpTo(name, maxUses+1) > maxUses {
		return
	}
	last, found := noFile, false
	for _, u := range c.ask.UsesOf(name) {
		if u.File == last && found || c.ask.Corpus.Family(u.File) != c.ask.Corpus.Family(id) || c.ask.Late() {
			continue
		}
		if !c.isSuite(u.File) {
			continue
		}
		if u.File != last {
			last, found = u.File, false
		}
		confidence := facts.Possible
		if all := c.ask.Define(u.File, int(u.Index)); len(all) > 0 {
			i := slices.IndexFunc(all, func(m resolve.Meaning) bool { return m.File == id })
			if i < 0 {
				continue
			}
			confidence = all[i].Confidence
		} else if c.ask.Corpus.Home(u.File) != c.ask.Corpus.Home(id) {
			continue // a name alone says nothing of another repository
		}
		if users[u.File] == nil {
			users[u.File] = map[string]facts.Confidence{}
		}
		if old, ok := users[u.File][name]; !ok {
			times[name]++
			users[u.File][name] = confidence
		} else {
			users[u.File][name] = min(old, confidence)
		}
		found = confidence == facts.Certain
	}
}

// named adds the tests that bear the name of a changed file, and those beside it.
func (c *chooser) named(sources []string) {
	for _, p := range sources {
		c.Names.Like(p, func(t string, share float64) {
			if suite.Subject(t) != suite.Stem(p) || suite.IsGeneral(p) {
				c.add(c.ByPath[t], facts.Possible, weighLike*share, "has words of the path of "+place.Name(p))
			}
		})
		bearing := c.BySubject[suite.Stem(p)]
		if suite.IsGeneral(p) {
			bearing = nil
		}
		nearest := 0.0
		for _, id := range bearing {
			nearest = max(nearest, suite.Near(p, c.one.Path(id)))
		}
		for _, id := range bearing {
			how := suite.Near(p, c.one.Path(id))
			confidence := facts.Likely
			if how < nearest { // of another file of that name
				confidence = facts.Possible
			}
			c.add(id, confidence, weighNamed*how*math.Sqrt(min(1, few/float64(len(bearing)))), "bears the name of "+place.Name(p))
		}
		dir := path.Dir(p)
		if dir == "." {
			dir = ""
		}
		for _, id := range c.one.In(dir) {
			if c.isSuite(id) {
				c.add(id, facts.Possible, weighBeside, "stands beside "+place.Name(p))
			}
		}
	}
}

// unnamed is what a module of JavaScript exports without a name of its own.
const unnamed = "default"

// maxAfter bounds the changed symbols whose names are compared with those of tests.
const maxAfter = 500

// namedAfter adds the tests whose names have words of the names of changed symbols: each
// by the symbol that it has most of.
func (c *chooser) namedAfter() {
	type after struct {
		share float64
		name  string
	}
	best := map[string]after{}
	for i := range c.changes[:min(len(c.changes), maxAfter)] {
		d := &c.changes[i]
		p, here := c.inside(d.Path)
		_, local, ok := strings.Cut(d.ID, "#")
		if _, isTest := c.ByPath[p]; !ok || !here || isTest || d.What == Doc {
			continue
		}
		parts := strings.Split(local, ".")
		for k := range parts {
			if parts[k] == unnamed {
				continue
			}
			name := strings.Join(parts[:k+1], ".")
			c.Names.Like(path.Join(strings.TrimSuffix(p, path.Ext(p)), path.Join(parts[:k+1]...)), func(t string, share float64) {
				if share > best[t].share {
					best[t] = after{share, name}
				}
			})
		}
	}
	for _, t := range sorted(best) {
		c.add(c.ByPath[t], facts.Possible, weighAfter*best[t].share, "has words of the name of "+place.Name(best[t].name))
	}
}

// words adds the tests whose text has words of the changed lines of code: not of what is
// generated.
func (c *chooser) words(own []string, s *store.Snapshot) error {
	var lines [][]byte
	for _, p := range own {
		if l := lang.Detect(p, nil); l == nil || !lang.IsCode(l.Name) || lang.Classify(p)&(code.ClassGenerated|code.ClassVendor|code.ClassMinified) != 0 {
			continue
		}
		shown := p
		if c.several {
			shown = c.repo() + ":" + p
		}
		lines = append(lines, c.texts[shown]...)
	}
	all, err := wording.Find(s, c.ByPath, lines)
	for _, h := range all {
		names := make([]string, len(h.Words))
		for i, w := range h.Words {
			names[i] = place.Name(w)
		}
		c.add(h.File, facts.Likely, weighWords*h.Weight, "has words of the changed lines: "+strings.Join(names, ", "))
	}
	return err
}

// leastTogether is the weight of commits from which on they tell of two files, fewTogether
// and fewBeside what makes few commits tell less.
const (
	leastTogether = 0.25
	fewTogether   = 1
	fewBeside     = 3
)

// together adds the tests that were changed with a changed file before.
func (c *chooser) together(sources []string, p *before) {
	if p.late {
		c.answer.Notes = append(c.answer.Notes, "the time was over before the commits were read: which tests they changed together with a file is not known")
	}
	isTest := func(path string) bool { _, ok := c.ByPath[path]; return ok }
	c.paired(p.commits.With(sources, isTest), weighTogether, fewTogether, "")
	c.paired(p.commits.Beside(sources, isTest), weighFolder, fewBeside, "/")
}

// paired adds the tests that commits changed together with files or folders: each of these
// speaks for itself. Of n commits, so many more count that did not.
func (c *chooser) paired(all map[string]map[string]past.Pair, weight, more float64, end string) {
	for _, t := range sorted(all) {
		for _, s := range sorted(all[t]) {
			if n := all[t][s]; n.Weight >= leastTogether {
				c.add(c.ByPath[t], facts.Likely, weight*n.Weight/(float64(n.Of)+more), fmt.Sprintf("changed together with %s in %d of its %d commits", place.Name(s+end), n.Together, n.Of))
			}
		}
	}
}

// lately adds to the tests for which something else speaks that commits changed them not
// long ago, as work comes in bursts: of a difference, which is of the work under way.
func (c *chooser) lately(p *before) {
	if c.req.What != "" {
		return
	}
	recent := p.commits.Lately(func(path string) bool { _, ok := c.ByPath[path]; return ok })
	for _, t := range sorted(recent) {
		if known := c.all[c.ByPath[t]]; known != nil && 1-known.open >= least {
			c.add(known.file, facts.Possible, weighLately*recent[t].Weight, "changed lately, "+counted(recent[t].Ago, "commit")+" ago")
		}
	}
}

// choose takes the surest.
func (c *chooser) choose() {
	all := slices.Collect(maps.Values(c.all))
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.open, b.open), cmp.Compare(a.file, b.file))
	})
	c.answer.Reached += len(all)
	first := len(c.answer.Tests)
	share := func(of float64) int { return max(few, int(of*float64(len(c.ByPath)+len(c.Beside)))) }
	for i, t := range all {
		if score := 1 - t.open; score < least || i >= share(usual) && (score < plain || i >= share(most)) {
			break
		}
		c.answer.Tests = append(c.answer.Tests, c.test(t))
	}
	for _, command := range suite.Commands(c.chosen(c.answer.Tests[first:]), c.read) {
		c.answer.Commands = append(c.answer.Commands, Command{command, c.repo()})
	}
}

// chosen are the tests to run by a command: the sure ones, else the first.
func (c *chooser) chosen(tests []Test) (all []suite.Test) {
	for i, t := range tests {
		if i > 0 && (t.Score < sure || t.Confidence == facts.Possible) {
			continue
		}
		path, _ := c.inside(t.Path)
		if id, ok := c.one.Find(path); ok {
			all = append(all, suite.Test{Path: path, Language: c.one.Language(id), Functions: t.Functions})
		}
	}
	return all
}

// read is the text of a file of the index.
func (c *chooser) read(p string) (string, bool) {
	id, ok := c.one.Find(p)
	if !ok {
		return "", false
	}
	text, err := c.ask.Text(id)
	return string(text), err == nil
}

func (c *chooser) test(t *candidate) Test {
	slices.SortStableFunc(t.reasons, func(a, b reason) int { return cmp.Compare(b.weight, a.weight) })
	one := Test{Path: c.ask.Corpus.Path(t.file), Confidence: t.confidence, Score: 1 - t.open, Functions: t.functions}
	for _, r := range t.reasons {
		if len(one.Reasons) < maxReasons && !slices.Contains(one.Reasons, r.text) {
			one.Reasons = append(one.Reasons, r.text)
		}
	}
	slices.Sort(one.Functions)
	return one
}

// maxReasons bounds the reasons of a test that are said.
const maxReasons = 3
