package vec

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/segment/frame"
	"espy/internal/segment/frame/frametest"
)

var update = flag.Bool("update", false, "rewrite testdata")

// damaged reads all of a part that may be damaged, or returns the error that was
// found. A panic fails the test.
func damaged(data []byte) (all []held, err error) {
	r, err := Open(data, "damaged.vec")
	if err != nil {
		return nil, err
	}
	err = frame.Guard(func() error { all = dump(r); return nil })
	return all, err
}

func wantCorrupt(t *testing.T, what string, err error) {
	t.Helper()
	var corrupt *frame.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Name != "damaged.vec" || corrupt.Reason == "" {
		t.Errorf("%s: error %v, want a *CorruptError with name and reason", what, err)
	}
}

// TestFlippedBits holds that a flipped bit is found by Check and never changes
// what is read.
func TestFlippedBits(t *testing.T) {
	data := build(t, randomChunks(3, 60, 40), 40)
	want, err := damaged(data)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		off := r.IntN(len(data))
		if i < 80 { // the tail is small: aim at it
			off = len(data) - 1 - r.IntN(frame.FooterSize+fixedSize+20)
		}
		bit := byte(1) << r.IntN(8)
		data[off] ^= bit
		got, err := damaged(data)
		if err != nil {
			wantCorrupt(t, "read", err)
		} else if !cmp.Equal(got, want) {
			t.Errorf("bit %08b of byte %d: other content without an error", bit, off)
		}
		if p, err := Open(data, "damaged.vec"); err == nil {
			wantCorrupt(t, "Check", p.Check(nil))
		}
		data[off] ^= bit
	}
}

func TestCutOff(t *testing.T) {
	data := build(t, randomChunks(3, 9, 40), 40)
	for _, n := range []int{0, 1, frame.HeaderSize, len(data) / 2, len(data) - 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			_, err := damaged(data[:n])
			wantCorrupt(t, "Open", err)
		})
	}
}

func TestVersion(t *testing.T) {
	data := build(t, randomChunks(1, 3, 8), 8)
	copy(data, frame.Format{Magic: format.Magic, Version: version + 1}.Header(nil))
	_, err := Open(data, "other.vec")
	var newer *frame.VersionError
	if !errors.As(err, &newer) || newer.Found != version+1 || newer.Known != version {
		t.Errorf("Open of a newer version: %v, want a *VersionError", err)
	}
}

// exercise calls everything a reader has. It must end in no panic but that of
// a *CorruptError, which Guard catches.
func exercise(data []byte) {
	r, err := Open(data, "fuzz.vec")
	if err != nil {
		return
	}
	n := min(r.Stats().Chunks, 1000)
	q, _ := NewQuery(randomVector(rand.New(rand.NewPCG(1, 1)), r.Dims))
	b := NewBuilder(io.Discard, r.Header)
	for _, step := range []func(){
		func() { r.Check(nil) },
		func() { dump(r) },
		func() { r.Knows(0, n) },
		func() { r.Cosines(q, 0, n, func(int, float64) bool { return true }) },
		func() { r.Cosines(q, n, n+1, func(int, float64) bool { return true }) },
		func() { _ = b.Copy(r, n/2) },
	} {
		frame.Guard(func() error { step(); return nil })
	}
}

// TestResealed holds that decoders withstand damage that checksums do not show,
// and that Check finds it or it says nothing false of the format.
func TestResealed(t *testing.T) {
	data := build(t, randomChunks(3, 60, 40), 40)
	p := open(t, data)
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		c := bytes.Clone(data)
		for range 1 + r.IntN(3) {
			off := int(p.frame.DataEnd) + r.IntN(len(c)-int(p.frame.DataEnd))
			if s := p.frame.Sections[r.IntN(numSections)]; r.IntN(4) > 0 { // every section alike
				off = int(s.Off) + r.IntN(int(s.Len))
			}
			c[off] = byte(r.IntN(256)) >> r.IntN(8) << r.IntN(8)
		}
		frametest.Reseal(c, format)
		exercise(c)
	}
}

// TestCheckResealed holds that Check finds parts that do not agree with themselves.
func TestCheckResealed(t *testing.T) {
	data := build(t, randomChunks(3, 60, 40), 40)
	p := open(t, data)
	for _, c := range []struct {
		name    string
		section int
		off     int
	}{
		{"another number in a row", secRows, 3},
		{"a number behind a row", secRows, 41},
		{"another scale", secScales, 1},
		{"another row", secPlaces, 4 * 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := bytes.Clone(data)
			d[int(p.frame.Sections[c.section].Off)+c.off] += 64
			frametest.Reseal(d, format)
			r, err := Open(d, "damaged.vec")
			if err != nil {
				t.Fatal(err)
			}
			wantCorrupt(t, "Check", r.Check(nil))
		})
	}
}

func FuzzOpen(f *testing.F) {
	for seed := range uint64(3) {
		f.Add(build(f, randomChunks(seed, int(seed)*9, 33), 33))
	}
	f.Add([]byte(format.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		exercise(data)
		frametest.Reseal(data, format)
		exercise(data)
	})
}

// TestSample reads a part that an earlier program wrote. What it holds is kept
// beside it.
func TestSample(t *testing.T) {
	const part, text = "testdata/v1.vec", "testdata/v1.json"
	if *update {
		data := build(t, randomChunks(42, 20, 40), 40)
		says, err := json.Marshal(dump(open(t, data)))
		if err := errors.Join(err, os.WriteFile(part, data, 0o644), os.WriteFile(text, says, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	says, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	var want []held
	if err := json.Unmarshal(says, &want); err != nil {
		t.Fatal(err)
	}
	r := open(t, data)
	if err := r.Check(nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, dump(r)); diff != "" {
		t.Errorf("the committed part of version 1 reads otherwise than when it was written: a change of format needs a new version\n%s", diff)
	}
}
