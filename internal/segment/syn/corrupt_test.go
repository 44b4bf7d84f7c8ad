package syn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/facts"
	"espy/internal/segment/frame"
	"espy/internal/segment/frame/frametest"
)

var update = flag.Bool("update", false, "rewrite testdata")

// damaged reads all of a part that may be damaged, or returns the error that
// was found. A panic fails the test.
func damaged(data []byte) (files []file, err error) {
	r, err := Open(data, "damaged.syn")
	if err != nil {
		return nil, err
	}
	err = frame.Guard(func() error { files = dump(r); return nil })
	return files, err
}

func wantCorrupt(t *testing.T, what string, err error) {
	t.Helper()
	var corrupt *frame.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Name != "damaged.syn" || corrupt.Reason == "" {
		t.Errorf("%s: error %v, want a *CorruptError with name and reason", what, err)
	}
}

// TestFlippedBits holds that a flipped bit is found by Check and never changes
// what is read.
func TestFlippedBits(t *testing.T) {
	data := build(t, randomFiles(3, 12))
	want, err := damaged(data)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 150 {
		off := r.IntN(len(data))
		if i < 50 { // the tail is small: aim at it
			off = len(data) - 1 - r.IntN(frame.FooterSize+8*(countNumbers+2*numSections))
		}
		bit := byte(1) << r.IntN(8)
		data[off] ^= bit
		got, err := damaged(data)
		if err != nil {
			wantCorrupt(t, "read", err)
		} else if !cmp.Equal(got, want, cmp.AllowUnexported(file{})) {
			t.Errorf("bit %08b of byte %d: other content without an error", bit, off)
		}
		if p, err := Open(data, "damaged.syn"); err == nil {
			wantCorrupt(t, "Check", p.Check(nil))
		}
		data[off] ^= bit
	}
}

func TestVersion(t *testing.T) {
	data := build(t, randomFiles(1, 3))
	copy(data, frame.Format{Magic: format.Magic, Version: version + 1}.Header(nil))
	_, err := Open(data, "other.syn")
	var newer *frame.VersionError
	if !errors.As(err, &newer) || newer.Found != version+1 || newer.Known != version {
		t.Errorf("Open of a newer version: %v, want a *VersionError", err)
	}
}

// TestOldVersions holds that parts of older programs are refused by name.
func TestOldVersions(t *testing.T) {
	for v := 1; v < version; v++ {
		name := fmt.Sprintf("v%d.syn", v)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Open(data, name)
			var older *frame.VersionError
			if !errors.As(err, &older) || int(older.Found) != v {
				t.Errorf("Open of version %d: %v, want a *VersionError", v, err)
			}
		})
	}
}

// reseal makes all checksums right again, as far as the footer can be read.
func reseal(data []byte) { frametest.Reseal(data, format) }

// exercise calls everything a reader has. It must end in no panic but that of
// a *CorruptError, which Guard catches.
func exercise(data []byte) {
	r, err := Open(data, "fuzz.syn")
	if err != nil {
		return
	}
	steps := []func(){
		func() { r.Check(nil) },
		func() { dump(r) },
		func() { r.Near("redaer") },
		func() { namesFrom(r, "g", map[string]uint32{}) },
		func() { _, _ = merge([]Source{{r, 0}, {}, {r, r.NumFiles() - 1}}) },
	}
	for _, find := range []func(*File, int){func(f *File, i int) { f.Symbol(i) }, func(f *File, i int) { f.Use(i) }, func(f *File, i int) { f.Import(i) }} {
		for _, name := range []string{"get", "err", "mod/1", "Reader7"} {
			steps = append(steps,
				func() {
					for f, i := range r.Symbols(name) {
						find(f, i)
					}
				},
				func() {
					for f, i := range r.Uses(name) {
						f.Use(i)
						f.Enclosing(uint32(i))
						f.SymbolAt(uint32(i))
						f.UseAt(uint32(i))
					}
				},
				func() {
					for f, i := range r.Imports(name) {
						f.Import(i)
					}
				})
		}
	}
	for _, step := range steps {
		frame.Guard(func() error { step(); return nil })
	}
}

// TestResealed holds that decoders withstand damage that checksums do not show.
func TestResealed(t *testing.T) {
	data := build(t, randomFiles(3, 12))
	p := open(t, data)
	r := rand.New(rand.NewPCG(5, 6))
	for range 250 {
		c := bytes.Clone(data)
		for range 1 + r.IntN(3) {
			off := r.IntN(len(c))
			if s := p.frame.Sections[r.IntN(numSections)]; s.Len > 0 && r.IntN(4) > 0 { // every section alike
				off = int(s.Off) + r.IntN(int(s.Len))
			} else if r.IntN(2) == 0 {
				off = int(p.frame.DataEnd) + r.IntN(len(c)-int(p.frame.DataEnd))
			}
			c[off] = byte(r.IntN(256)) >> r.IntN(8) << r.IntN(8)
		}
		reseal(c)
		exercise(c)
	}
}

func FuzzOpen(f *testing.F) {
	for seed := range uint64(3) {
		f.Add(build(f, randomFiles(seed, int(seed)*4)))
	}
	f.Add([]byte(format.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		exercise(data)
		reseal(data)
		exercise(data)
	})
}

// FuzzDecode edits sections of a valid part and makes its checksums right, so
// that the decoders see the damage. An edit is four bytes: section, place in it
// (two bytes) and value.
func FuzzDecode(f *testing.F) {
	data := build(f, randomFiles(2, 8))
	p := open(f, data)
	f.Add([]byte{secNames, 0, 0, 7})
	f.Add([]byte{secBodies, 0, 9, 0xff, secFiles, 0, 3, 1})
	f.Add([]byte{numSections, 0, 8, 1})
	f.Fuzz(func(t *testing.T, edits []byte) {
		c := bytes.Clone(data)
		for ; len(edits) >= 4; edits = edits[4:] {
			at := frame.Span{Off: p.frame.DataEnd, Len: uint64(len(data)) - p.frame.DataEnd}
			if s := int(edits[0]) % (numSections + 1); s < numSections {
				at = p.frame.Sections[s]
			}
			if at.Len > 0 {
				c[at.Off+uint64(binary.BigEndian.Uint16(edits[1:]))%at.Len] = edits[3]
			}
		}
		reseal(c)
		exercise(c)
	})
}

// TestSample reads a part that an earlier program wrote. What it holds is kept
// beside it.
func TestSample(t *testing.T) {
	const part, text = "testdata/v3.syn", "testdata/v3.json"
	if *update {
		data := build(t, randomFiles(42, 6))
		held, err := json.Marshal(factsOf(dump(open(t, data))))
		if err := errors.Join(err, os.WriteFile(part, data, 0o644), os.WriteFile(text, held, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	held, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	var want []*facts.File
	if err := json.Unmarshal(held, &want); err != nil {
		t.Fatal(err)
	}
	r := open(t, data)
	if err := r.Check(nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, factsOf(dump(r))); diff != "" {
		t.Errorf("the committed part of version 3 reads otherwise than when it was written: a change of format needs a new version\n%s", diff)
	}
}

func factsOf(files []file) (all []*facts.File) {
	for _, f := range files {
		all = append(all, f.facts)
	}
	return all
}
