package frame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

var format = Format{Magic: "testpart", EndMagic: "trapends", Version: 3}

var names = []string{"first", "second"}

// write returns a file of two sections, the first of n bytes.
func write(t testing.TB, n int) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := NewWriter(&buf, format, len(names))
	w.Section(0, bytes.Repeat([]byte("abcdefg"), n)[:n])
	w.Section(1, []byte("two"))
	size, err := w.Finish(func(dst []byte, dataEnd uint64) []byte {
		for _, s := range w.Sections {
			dst = binary.LittleEndian.AppendUint64(dst, s.Off)
			dst = binary.LittleEndian.AppendUint64(dst, s.Len)
		}
		return dst
	})
	if err != nil || size != int64(buf.Len()) {
		t.Fatalf("Finish = %d, %v of %d bytes", size, err, buf.Len())
	}
	return buf.Bytes()
}

// read opens a file, checks it and returns its sections.
func read(data []byte) (sections [][]byte, err error) {
	defer Catch(&err)
	r, contents, err := Open(data, "test", format, names)
	if err != nil {
		return nil, err
	}
	for i := range r.Sections {
		r.Sections[i] = Span{binary.LittleEndian.Uint64(contents[16*i:]), binary.LittleEndian.Uint64(contents[16*i+8:])}
	}
	r.CheckSections()
	r.CheckPages(&Pace{})
	for i, s := range r.Sections {
		sections = append(sections, r.Bytes(i, 0, s.Len))
	}
	return sections, nil
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 7, PageSize - HeaderSize, PageSize, 3*PageSize + 5} {
		t.Run(fmt.Sprintf("%d bytes", n), func(t *testing.T) {
			got, err := read(write(t, n))
			if err != nil || len(got[0]) != n || string(got[1]) != "two" {
				t.Errorf("first section of %d bytes reads as %d, second as %q, error %v", n, len(got[0]), got[1], err)
			}
		})
	}
}

func TestDamage(t *testing.T) {
	data := write(t, PageSize+100)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		at := r.IntN(len(data))
		if i < 150 { // header and tail are small: aim at them
			at = []int{r.IntN(HeaderSize), len(data) - 1 - r.IntN(FooterSize+48)}[i%2]
		}
		bit := byte(1) << r.IntN(8)
		data[at] ^= bit
		var corrupt *CorruptError
		if _, err := read(data); !errors.As(err, &corrupt) || corrupt.Name != "test" || corrupt.Reason == "" {
			t.Errorf("bit %08b of byte %d of %d flipped: error %v, want a *CorruptError", bit, at, len(data), err)
		}
		data[at] ^= bit
	}
	for _, n := range []int{0, 1, HeaderSize + FooterSize, len(data) / 2, len(data) - 1} {
		t.Run(fmt.Sprintf("cut to %d bytes", n), func(t *testing.T) {
			var corrupt *CorruptError
			if _, err := read(data[:n]); !errors.As(err, &corrupt) {
				t.Errorf("first %d bytes: error %v, want a *CorruptError", n, err)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	data := write(t, 10)
	for _, found := range []uint32{0, 2, 4, 1 << 31} {
		t.Run(fmt.Sprintf("version %d", found), func(t *testing.T) {
			copy(data, Format{Magic: format.Magic, Version: found}.Header(nil))
			_, err := read(data)
			var version *VersionError
			if !errors.As(err, &version) || version.Found != found || version.Known != 3 {
				t.Errorf("version %d: error %v, want a *VersionError", found, err)
			}
		})
	}
}

type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestWriteErrors(t *testing.T) {
	w := NewWriter(short{}, format, 1)
	w.Section(0, make([]byte, PageSize))
	if _, err := w.Finish(func(dst []byte, _ uint64) []byte { return dst }); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Finish on a short writer: %v", err)
	}
}

func TestGuardLetsOtherPanicsGo(t *testing.T) {
	defer func() {
		if recover() != "other" {
			t.Error("Guard kept a panic that is not its own")
		}
	}()
	Guard(func() error { panic("other") })
}
