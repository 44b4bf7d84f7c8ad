package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/vectors"
	"espy/internal/windows/win"
)

// model is what a family should show: the live files, and what is known of each.
type model struct {
	t          *testing.T
	family     *Family
	random     *rand.Rand
	files      map[string]string
	symbols    map[string]string        // by path, "" for none
	rows       map[bool]map[string]bool // by whether the model is on another machine, then by path
	excluded   []discover.Exclusion     // in path order
	generation uint64
	commit     string
	branch     string
	windows    bool
}

// TestAgainstAModel does what writers do in random order, and compares all that
// readers see with plain maps.
func TestAgainstAModel(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := &model{t: t, family: family(t, t.TempDir()), random: rand.New(rand.NewPCG(seed, 1)), files: map[string]string{}, symbols: map[string]string{},
				rows: map[bool]map[string]bool{false: {}, true: {}}}
			m.change()
			for range 20 {
				step := []func(){m.change, m.change, m.nothing, m.parse, m.embed, m.delta, m.addWindows, m.reopen}[m.random.IntN(8)]
				step()
				m.check()
			}
		})
	}
}

// check compares the newest generation with the model.
func (m *model) check() {
	t := m.t
	t.Helper()
	s := snapshot(t, m.family)
	m.checkFiles(s)
	m.checkSizes(s)
	commit, branch := s.Checkout()
	want := code.Freshness{Generation: m.generation, Commit: m.commit}
	if s.Freshness != want || commit != m.commit || branch != m.branch || len(s.Windows) > 0 != m.windows {
		t.Fatalf("%+v, commit %q, branch %q, windows %d; want %+v, %q, %v", s.Freshness, commit, branch, len(s.Windows), want, m.branch, m.windows)
	}
	if diff := cmp.Diff(m.excluded, s.Excluded()); diff != "" || s.Left() != m.left() {
		t.Fatalf("%d left, want %d; excluded (-want +got):\n%s", s.Left(), m.left(), diff)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// left is how many paths are left out, unless they are all those of git itself.
func (m *model) left() int {
	for _, x := range m.excluded {
		if x.Reason != discover.ReasonVCS {
			return len(m.excluded)
		}
	}
	return 0
}

// checkFiles compares what a snapshot says of the files.
func (m *model) checkFiles(s *Snapshot) {
	t := m.t
	t.Helper()
	wantContents(t, s, m.files)
	wantSyntax(t, s, m.symbols)
	for remote, found := range models {
		want := map[string]bool{}
		for path := range m.files {
			want[path] = m.rows[remote][path]
		}
		wantVectors(t, s, found, m.files, want)
	}
	size := int64(0)
	for path, text := range m.files {
		size += int64(len(text))
		seg, file, ok := s.Find(path)
		if !ok || s.Segments[seg].Path(file) != path {
			t.Errorf("Find(%s) = %d, %d, %v", path, seg, file, ok)
		}
	}
	if _, _, ok := s.Find("nowhere"); ok {
		t.Error("a file that is nowhere is found")
	}
	if got := s.Stats(); got.Files != len(m.files) || got.TextBytes != size {
		t.Errorf("%d files with %d bytes, want %d with %d", got.Files, got.TextBytes, len(m.files), size)
	}
	if t.Failed() {
		t.FailNow()
	}
}

// checkSizes compares the sizes of parts that are said in several ways, and what
// reading all of them says.
func (m *model) checkSizes(s *Snapshot) {
	t := m.t
	t.Helper()
	sum := s.SyntaxBytes() + s.VectorBytes(false) + s.VectorBytes(true)
	for i := range s.Segments {
		sum += s.Segments[i].lex.Content.Size()
	}
	for _, w := range s.Windows {
		sum += w.Size()
	}
	about, err := m.family.About(MainView)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := m.family.Disk()
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	v, err := m.family.Verify(t.Context(), MainView, checked)
	if err != nil || len(v.Problems) > 0 || v.Segments != len(s.Segments) || v.Files != len(m.files) {
		t.Fatalf("Verify: %+v, %v, want %d segments with %d files", v, err, len(s.Segments), len(m.files))
	}
	again, err := m.family.Verify(t.Context(), MainView, checked)
	if err != nil || again.Bytes != 0 || again.Files != v.Files {
		t.Fatalf("Verify once more: %+v, %v, want nothing read", again, err)
	}
	for name, got := range map[string]int64{"IndexBytes": s.IndexBytes(), "About": about.Bytes, "Disk": disk.Bytes, "Verify": v.Bytes} {
		if got != sum {
			t.Fatalf("%s says %d bytes, the parts have %d", name, got, sum)
		}
	}
	if about.Commit != m.commit || about.Branch != m.branch {
		t.Fatalf("About = %+v", about)
	}
}

// begin starts a batch on the newest generation.
func (m *model) begin() *Batch {
	m.t.Helper()
	b := begin(m.t, m.family, false)
	if b.Anew() != nil || b.First() != (m.generation == 0) {
		m.t.Fatalf("a batch starts anew because of %v, first %v", b.Anew(), b.First())
	}
	return b
}

// draw returns some paths with new texts, and some of the files that go.
func (m *model) draw() (set map[string]string, dead []string) {
	set = map[string]string{}
	for range 1 + m.random.IntN(5) {
		text := fmt.Sprintf("%s %d\n", []string{"al", "bad", "z", "gam"}[m.random.IntN(4)], m.random.IntN(1000)) // hash sees 8 bytes
		set[fmt.Sprintf("f%02d.go", m.random.IntN(20))] = strings.Repeat(text, 1+m.random.IntN(3))
	}
	for _, path := range slices.Sorted(maps.Keys(m.files)) {
		if _, ok := set[path]; ok || m.random.IntN(8) == 0 {
			dead = append(dead, path)
		}
	}
	return set, dead
}

// change commits other files, some of them as they were.
func (m *model) change() {
	set, dead := m.draw()
	b := m.begin()
	if err := b.Tombstone(dead); err != nil {
		m.t.Fatal(err)
	}
	add(m.t, b, set)
	m.checkChanged(b, set, dead)
	m.apply(set, dead)
	touched := map[string]bool{}
	for range m.random.IntN(6) { // more generations of one batch, which writes a path once
		for _, path := range slices.Concat(dead, slices.Collect(maps.Keys(set))) {
			touched[path] = true
		}
		m.commitAll(b, true)
		set, dead = m.draw()
		maps.DeleteFunc(set, func(path, _ string) bool { return touched[path] })
		dead = slices.DeleteFunc(dead, func(path string) bool { return touched[path] })
		if len(set) == 0 {
			m.publish(b, false)
			return
		}
		if err := b.Tombstone(dead); err != nil {
			m.t.Fatal(err)
		}
		add(m.t, b, set)
		m.apply(set, dead)
	}
	m.publish(b, true)
}

// checkChanged compares what a batch says it changed with the texts.
func (m *model) checkChanged(b *Batch, set map[string]string, dead []string) {
	m.t.Helper()
	var want, got []string
	after := maps.Clone(m.files)
	for _, path := range dead {
		delete(after, path)
	}
	maps.Copy(after, set)
	all := maps.Clone(m.files)
	maps.Copy(all, after)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, was := m.files[path]
		now, is := after[path]
		if m.generation > 0 && (was != is || old != now) {
			want = append(want, fmt.Sprintf("%s %v %v", path, was, is))
		}
	}
	pairs, err := b.Changed()
	if err != nil {
		m.t.Fatal(err)
	}
	for _, p := range pairs {
		for _, place := range []*Place{p.Old, p.New} {
			if place != nil && place.Segment.Path(place.File) != p.Path {
				m.t.Errorf("%s is said to be %s", p.Path, place.Segment.Path(place.File))
			}
		}
		got = append(got, fmt.Sprintf("%s %v %v", p.Path, p.Old != nil, p.New != nil))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		m.t.Fatalf("Changed (-want +got):\n%s", diff)
	}
}

func (m *model) apply(set map[string]string, dead []string) {
	for _, path := range slices.Concat(dead, slices.Collect(maps.Keys(set))) {
		delete(m.files, path)
		delete(m.symbols, path)
		delete(m.rows[false], path)
		delete(m.rows[true], path)
	}
	for path, text := range set {
		m.files[path], m.symbols[path] = text, ""
	}
}

// publish commits and closes a batch.
func (m *model) publish(b *Batch, changed bool) {
	m.t.Helper()
	written := m.commitAll(b, changed)
	if err := b.Close(); err != nil {
		m.t.Fatal(err)
	}
	if s := snapshot(m.t, m.family); !s.Written().Equal(written) {
		m.t.Fatalf("written %v, want %v", s.Written(), written)
	}
}

// commitAll commits a batch, with other things left out each time.
func (m *model) commitAll(b *Batch, changed bool) (written time.Time) {
	m.t.Helper()
	m.commit, m.branch = fmt.Sprint("commit ", m.random.IntN(100)), []string{"", "main"}[m.random.IntN(2)]
	m.excluded = nil
	tree := treeOf(m.files)
	for _, name := range []string{".git", "a.bin", "z.key"} {
		if m.random.IntN(2) == 0 {
			x := discover.Exclusion{Path: name, Dir: name == ".git", Reason: discover.ReasonBinary, Size: 9, Detail: "because", Count: 2}
			if name == ".git" {
				x.Reason = discover.ReasonVCS
			}
			m.excluded = append(m.excluded, x)
			tree.Leaves = append(tree.Leaves, listing.Leaf{Path: x.Path, Dir: x.Dir, Reason: string(x.Reason), Stat: listing.Stat{Size: x.Size}, Detail: x.Detail, Count: x.Count})
		}
	}
	listing.Sort(tree.Leaves)
	written = time.Unix(1e9+m.random.Int64N(1e6), 0)
	g, err := b.Commit(context.Background(), Generation{Tree: tree, Commit: m.commit, Branch: m.branch, Written: written, Brief: m.random.IntN(2) == 0})
	if err != nil {
		m.t.Fatal(err)
	}
	if changed {
		m.generation++
	}
	m.windows = false
	if g != m.generation {
		m.t.Fatalf("generation %d, want %d", g, m.generation)
	}
	return written
}

// nothing commits the same files.
func (m *model) nothing() { m.publish(m.begin(), false) }

func (m *model) parse() {
	known := m.some()
	want := 0
	for path, text := range m.files {
		for _, other := range known {
			if text == other && m.symbols[path] == "" {
				m.symbols[path] = symbolOf(text)
				want++
			}
		}
	}
	if got := parse(m.t, m.family, MainView, known); got != want {
		m.t.Fatalf("%d files were parsed, want %d", got, want)
	}
}

func (m *model) embed() {
	remote := m.random.IntN(2) == 0
	known := m.some()
	want := 0
	for path := range known {
		if !m.rows[remote][path] {
			want++
		}
		m.rows[remote][path] = true
	}
	if got := embed(m.t, m.family, models[remote], known); got != want {
		m.t.Fatalf("%d files were embedded, want %d", got, want)
	}
}

// some is about half of the files.
func (m *model) some() map[string]string {
	some := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(m.files)) {
		if m.random.IntN(2) == 0 {
			some[path] = m.files[path]
		}
	}
	return some
}

// delta shows changes over a snapshot, with what is known of them, and commits
// them then: both must show the same.
func (m *model) delta() {
	t := m.t
	set, dead := m.draw()
	b := m.begin()
	d := Delta{Dead: dead}
	before := snapshot(t, m.family)
	m.apply(set, dead)
	d.Tree = treeOf(m.files)
	withSyntax, withVectors := m.random.IntN(2) == 0, m.random.IntN(2) == 0
	lex, syntax, rows := m.partsOf(set)
	d.Segments = [][]byte{lex}
	if withSyntax {
		d.Syntax = [][]byte{syntax}
		for path, text := range set {
			m.symbols[path] = symbolOf(text)
		}
	}
	if withVectors {
		d.Vectors = [][]byte{rows}
		for path := range set {
			m.rows[false][path] = true
		}
	}
	o, err := before.Overlay(d)
	if err != nil {
		t.Fatal(err)
	}
	m.checkFiles(o)
	for _, bad := range []Delta{{Syntax: [][]byte{lex}}, {Vectors: [][]byte{lex}}} {
		bad.Segments, bad.Tree = d.Segments, d.Tree
		if _, err := before.Overlay(bad); err == nil {
			t.Fatal("an overlay of garbage was made")
		}
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Tombstone(dead); err != nil {
		t.Fatal(err)
	}
	if err := b.AddSegment(&d, 0); err != nil {
		t.Fatal(err)
	}
	m.publish(b, true)
}

func symbolOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if word == "bad" {
		return "it is " + text
	}
	return word
}

// parts are a segment of files, its syntax and its vectors.
func (m *model) partsOf(files map[string]string) (lex, syntax, rows []byte) {
	t := m.t
	builder := segment.NewBuilder()
	var all []Parsed
	found := models[false]
	found.Files = map[vectors.Key][]vec.Row{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := builder.Add(file(path, files[path])); err != nil {
			t.Fatal(err)
		}
		all = append(all, parsed(t, files[path]))
		found.Files[vectors.Key{Path: path, Hash: hash(files[path])}] = rowsOf(t, found, path, files[path])
	}
	lex = written(t, func(w io.Writer) error { _, err := builder.WriteTo(w); return err })
	r, err := segment.Open(lex, "lex")
	if err != nil {
		t.Fatal(err)
	}
	syntax = written(t, func(w io.Writer) error { return writeSyntax(w, r.Identity(), all) })
	beside, _ := found.Beside(segment.Live{Reader: r}, nil)
	rows = written(t, func(w io.Writer) error {
		return vectors.Write(w, r, vec.Header{Model: found.Model, Dims: found.Dims}, beside)
	})
	return lex, syntax, rows
}

func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// addWindows commits the same files, and windows over them in two parts.
func (m *model) addWindows() {
	t := m.t
	b := m.begin()
	_, err := b.Commit(t.Context(), Generation{Tree: treeOf(m.files), Commit: "with windows", Written: time.Unix(1e9, 0)})
	if err != nil {
		t.Fatal(err)
	}
	m.commit, m.branch, m.excluded, m.windows = "with windows", "", nil, true
	paths := slices.Sorted(maps.Keys(m.files))
	for _, n := range []int{1, 0} {
		part := paths[:len(paths)/2]
		if n == 1 {
			part = paths[len(paths)/2:]
		}
		builder := win.NewBuilder()
		for i, path := range part {
			if err := builder.Add(&win.File{Path: path, File: i, Text: []byte(m.files[path])}); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.AddWindows(n, builder); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.CommitWindows(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if s := snapshot(t, m.family); len(s.Windows) != 2 || s.Windows[0].NumFiles() != len(paths)/2 {
		t.Fatalf("%d parts of windows, want 2", len(s.Windows))
	}
}

// reopen opens the family as another process does.
func (m *model) reopen() {
	m.family = family(m.t, m.family.dir.Path())
	if m.family.Recheck() {
		m.t.Fatal("a part has another length than it had")
	}
}
