package pack

import (
	"bytes"
	"testing"

	"espy/internal/segment/frame"
)

// FuzzBlock holds that blocks of any numbers read back.
func FuzzBlock(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(3))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 9}, uint8(0))
	f.Fuzz(func(t *testing.T, seed []byte, shift uint8) {
		var values [BlockLen]uint32
		for i := range values {
			if len(seed) > 0 {
				values[i] = uint32(seed[i%len(seed)]) << (shift % 32) >> (i % 5)
			}
			if len(seed) > 1 && i%37 == int(seed[1]) {
				values[i] = ^uint32(0) >> (seed[0] % 32)
			}
		}
		b := AppendBlock(nil, values[:])
		n := uint64(len(b))
		if n > maxBlockBytes || n > 2+4*BlockLen {
			t.Fatalf("block of %d bytes", n)
		}
		var got [BlockLen]uint32
		if next := ReadBlock(open(t, b), &got, 0, 0, n); next != n || got != values {
			t.Fatalf("block of %v reads as %v, ends at %d of %d", values, got, next, n)
		}
	})
}

// open returns a reader of a part with nothing but one section.
func open(t *testing.T, section []byte) *frame.Reader {
	t.Helper()
	format := frame.Format{Magic: "testpack", EndMagic: "kcaptset", Version: 1}
	var buf bytes.Buffer
	w := frame.NewWriter(&buf, format, 1)
	w.Section(0, section)
	if _, err := w.Finish(func(dst []byte, _ uint64) []byte { return dst }); err != nil {
		t.Fatal(err)
	}
	r, _, err := frame.Open(buf.Bytes(), "block", format, []string{"block"})
	if err != nil {
		t.Fatal(err)
	}
	copy(r.Sections, w.Sections)
	return r
}
