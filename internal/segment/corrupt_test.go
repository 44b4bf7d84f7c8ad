package segment

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"espy/internal/segment/frame"
	"espy/internal/segment/frame/frametest"
)

var update = flag.Bool("update", false, "rewrite testdata")

// damaged reads all of a part that may be damaged and returns its content, or
// the error that was found. A panic fails the test.
func damaged(t *testing.T, data []byte) (c content, err error) {
	t.Helper()
	r, err := Open(data, "damaged.lex")
	if err != nil {
		return c, err
	}
	err = Guard(func() (err error) { c, err = dump(r); return err })
	return c, err
}

func wantCorrupt(t *testing.T, what string, err error) {
	t.Helper()
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Name != "damaged.lex" || corrupt.Reason == "" {
		t.Errorf("%s: error %v, want a *CorruptError with name and reason", what, err)
	}
}

// TestFlippedBits holds that a flipped bit is found by Check and never changes
// what is read.
func TestFlippedBits(t *testing.T) {
	data := build(t, randomFiles(3, 60))
	want, err := damaged(t, data)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		off := r.IntN(len(data))
		if i < 40 { // header and tail are small: aim at them
			off = i % frame.HeaderSize
		} else if i < 120 {
			off = len(data) - 1 - r.IntN(frame.FooterSize+contentsNumbers*8)
		}
		bit := byte(1) << r.IntN(8)
		data[off] ^= bit
		got, err := damaged(t, data)
		if err != nil {
			wantCorrupt(t, "read", err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("bit %08b of byte %d: other content without an error", bit, off)
		}
		if p, err := Open(data, "damaged.lex"); err == nil {
			wantCorrupt(t, "Check", p.Check(nil))
		}
		data[off] ^= bit
	}
}

func TestTruncated(t *testing.T) {
	data := build(t, randomFiles(3, 60))
	for _, n := range []int{0, 1, frame.HeaderSize, frame.HeaderSize + frame.FooterSize - 1, frame.HeaderSize + frame.FooterSize, len(data) / 2, len(data) - frame.FooterSize, len(data) - 1} {
		t.Run(fmt.Sprintf("cut to %d bytes", n), func(t *testing.T) {
			_, err := damaged(t, data[:n])
			wantCorrupt(t, "truncated", err)
		})
	}
	_, err := damaged(t, append(data[:len(data):len(data)], 0))
	wantCorrupt(t, "one byte longer", err)
}

func TestVersion(t *testing.T) {
	for _, found := range []uint32{0, version + 1, 1 << 31} {
		t.Run(fmt.Sprintf("version %d", found), func(t *testing.T) {
			data := build(t, randomFiles(1, 3))
			copy(data, frame.Format{Magic: format.Magic, Version: found}.Header(nil))
			_, err := Open(data, "other.lex")
			var other *frame.VersionError
			if !errors.As(err, &other) || other.Found != found || other.Known != version || other.Name != "other.lex" {
				t.Errorf("Open of version %d: %v, want a *VersionError", found, err)
			}
		})
	}
}

// reseal makes all checksums right again, as far as the footer can be read.
func reseal(data []byte) { frametest.Reseal(data, format) }

// exercise calls everything a reader has. It must end in no panic but that of
// a *CorruptError, which Guard catches.
func exercise(data []byte) {
	r, err := Open(data, "fuzz.lex")
	if err != nil {
		return
	}
	steps := []func(){
		func() { r.Check(nil) },
		func() { dump(r) },
		func() { r.FindPath("a/b") },
		func() { r.Lookup("func") },
		func() { r.NearNames("handler", 5, func([]byte) {}) },
		func() { r.LongerNames("h", 0, func([]byte) bool { return true }) },
		func() { Live{Reader: r}.Spellings("=handler") },
		func() { r.Scoring() },
		func() { r.FileTraits() },
		func() { r.Trigram([3]byte{'e', 'r', 'r'}) },
		func() { r.TextRange(0, 3, 9, nil) },
		func() {
			l := Live{Reader: r, Live: NewBitmap(r.NumFiles())}
			if r.NumFiles() > 0 {
				l.Live.Clear(0)
			}
			l.LiveStats()
			Merge(new(discard), []Live{l})
		},
		func() {
			t, _, _ := r.Lookup("err")
			it := t.Body()
			it.Seek(uint32(r.NumChunks() / 2))
			var chunks, tfs [128]uint32
			for n := it.NextBlock(chunks[:], tfs[:]); n > 0; n = it.NextBlock(chunks[:], tfs[:]) {
				it.Positions(n-1, nil)
			}
		},
	}
	for _, step := range steps {
		Guard(func() error { step(); return nil })
	}
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

// TestResealed holds that decoders withstand damage that checksums do not show.
func TestResealed(t *testing.T) {
	data := build(t, randomFiles(3, 16))
	r := rand.New(rand.NewPCG(5, 6))
	p := open(t, data)
	for range 250 {
		c := append([]byte(nil), data...)
		for range 1 + r.IntN(3) {
			off := r.IntN(len(c))
			if s := p.frame.Sections[r.IntN(int(numSections))]; s.Len > 0 && r.IntN(4) > 0 { // every section alike
				off = int(s.Off) + r.IntN(int(s.Len))
			} else if r.IntN(2) == 0 {
				off = int(p.dataEnd) + r.IntN(len(c)-int(p.dataEnd))
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
	f.Add([]byte{byte(secTerms), 0, 0, 7})
	f.Add([]byte{byte(secPostings), 0, 9, 0xff, byte(secChunks), 0, 3, 1})
	f.Add([]byte{byte(numSections), 0, 8, 1})
	f.Fuzz(func(t *testing.T, edits []byte) {
		c := append([]byte(nil), data...)
		for ; len(edits) >= 4; edits = edits[4:] {
			at := frame.Span{Off: p.dataEnd, Len: uint64(len(data)) - p.dataEnd}
			if s := int(edits[0]) % (int(numSections) + 1); s < int(numSections) {
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

func TestSample(t *testing.T) {
	const name = "testdata/v2.lex"
	files := sampleFiles()
	if *update {
		if err := os.WriteFile(name, build(t, files), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, data)
	if err := r.Check(nil); err != nil {
		t.Fatal(err)
	}
	if got := mustDump(t, r); !reflect.DeepEqual(got, recount(files)) {
		t.Error("the committed part of version 2 reads otherwise than when it was written: " +
			"a change of format or tokens needs a new version")
	}
}

// sampleFiles are the files of the committed sample: the words of a few common
// terms often enough for packed blocks.
func sampleFiles() []*File { return randomFiles(42, 16) }
