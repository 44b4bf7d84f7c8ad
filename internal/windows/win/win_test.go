package win

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"espy/internal/segment"
	"espy/internal/segment/frame"
	"espy/internal/segment/frame/frametest"
)

var update = flag.Bool("update", false, "rewrite testdata")

func wantCorrupt(t *testing.T, what string, err error) {
	t.Helper()
	var corrupt *frame.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Name != "damaged.win" || corrupt.Reason == "" {
		t.Errorf("%s: error %v, want a *CorruptError with name and reason", what, err)
	}
}

// sampleWindows are the files of the committed sample of a part of windows.
func sampleWindows() (files []*File) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"get", "getFoo", "HTTPServer", "v2", "世界", "foo_bar", "Straße", "aBcD", strings.Repeat("blob", 80)}
	for i := range 6 {
		var b strings.Builder
		for range 200 * i {
			b.WriteString(words[r.IntN(len(words))] + []string{" ", ".", "", "\n"}[r.IntN(4)])
		}
		f := &File{Segment: i % 2, File: i / 2, Path: fmt.Sprintf("dir/File%d.go", i), Text: []byte(b.String())}
		for at := 0; at < b.Len(); at += 80 {
			f.Windows = append(f.Windows, Window{Start: at, End: min(at+100, b.Len())})
		}
		files = append(files, f)
	}
	return files
}

func writeWindows(t *testing.T, files []*File) []byte {
	t.Helper()
	b := NewBuilder()
	for _, f := range files {
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := b.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readWindows asks a part for all that can be asked.
func readWindows(w *Reader) (got map[string]any, err error) {
	got = map[string]any{}
	for i := range w.NumFiles() {
		seg, file := w.File(i)
		first, end := w.WindowsOf(i)
		got[fmt.Sprint("file ", i)] = []int{seg, file, first, end}
	}
	for i := range w.NumWindows() {
		got[fmt.Sprint("window ", i)] = []any{w.FileOf(i), w.Place(i), w.Words().At(i)}
	}
	for _, word := range []string{"get", "getfoo", "foo", "httpserver", "server", "2", "世", "straße", "abc", "bcd", strings.Repeat("blob", 80), "none"} {
		spans, err := w.Letters(nil, word)
		if err != nil {
			return nil, err
		}
		var t Tally
		w.Tally(&t, spans, 0)
		glued := 0
		for _, s := range spans {
			if w.Glue().Has(s.End) {
				glued++
			}
		}
		got["word "+word] = []any{spans, t, glued}
	}
	for _, path := range []string{"", "file3", "/dir", "nowhere"} {
		var files []int
		w.EachPathWith(path, func(file int) { files = append(files, file) })
		got["path "+path] = files
	}
	return got, nil
}

func TestWindowsSample(t *testing.T) {
	const name = "testdata/v1.win"
	written := writeWindows(t, sampleWindows())
	if *update {
		if err := os.WriteFile(name, written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sample, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got [2]map[string]any
	for i, data := range [][]byte{sample, written} {
		w, err := Open(data, name)
		if err != nil {
			t.Fatal(err)
		}
		err = frame.Guard(func() (err error) {
			if err = w.Check(nil); err == nil {
				got[i], err = readWindows(w)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got[0], got[1]) {
		t.Error("the committed part of windows reads otherwise than one written now: a change of format or pieces needs a new version")
	}
	if _, err := segment.Open(sample, name); err == nil {
		t.Error("a part of windows opens as a segment")
	}
	var other bytes.Buffer
	if _, err := segment.NewBuilder().WriteTo(&other); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other.Bytes(), "a.lex"); err == nil {
		t.Error("a segment opens as a part of windows")
	}
}

// TestFlippedWindows holds that a flipped bit is found by Check and never
// changes what is read.
func TestFlippedWindows(t *testing.T) {
	data := writeWindows(t, sampleWindows())
	w, err := Open(slices.Clone(data), "whole.win")
	if err != nil {
		t.Fatal(err)
	}
	want, err := readWindows(w)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		off, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[off] ^= bit
		var got map[string]any
		w, err := Open(slices.Clone(data), "damaged.win")
		if err == nil {
			err = frame.Guard(func() (err error) { got, err = readWindows(w); return err })
			if frame.Guard(func() error { return w.Check(nil) }) == nil {
				t.Errorf("bit %08b of byte %d: Check found nothing", bit, off)
			}
		}
		if err != nil {
			wantCorrupt(t, "read", err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("bit %08b of byte %d: other content without an error", bit, off)
		}
		data[off] ^= bit
	}
}

// TestResealedWindows damages numbers below checksums that fit: whatever is
// read, nothing but a *CorruptError ends it.
func TestResealedWindows(t *testing.T) {
	data := writeWindows(t, sampleWindows())
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		damaged := slices.Clone(data)
		end := int(binary.LittleEndian.Uint64(data[len(data)-frame.FooterSize:]))
		for range 1 + r.IntN(8) {
			damaged[frame.HeaderSize+r.IntN(end-frame.HeaderSize)] = byte(r.IntN(256))
		}
		frametest.Reseal(damaged, format)
		w, err := Open(damaged, "damaged.win")
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range []func() error{func() error { _, err := readWindows(w); return err }, func() error { return w.Check(nil) }} {
			if err := frame.Guard(read); err != nil {
				wantCorrupt(t, "read", err)
			}
		}
	}
}
