package static

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// sample is a table of three blocks of words.
func sample() []Row {
	var rows []Row
	for i := range 40 {
		v := make([]float32, 6)
		for k := range v {
			v[k] = float32(math.Sin(float64(7*i+k))) * float32(1+i)
		}
		rows = append(rows, Row{Term: fmt.Sprintf("te%02drm", (i*17)%40), Vector: v})
	}
	return append(rows, Row{Term: "ünicode", Vector: make([]float32, 6)})
}

func TestRead(t *testing.T) {
	t.Parallel()
	rows := sample()
	file := Write(rows)
	most := float32(0)
	for _, r := range rows {
		most = max(most, largest(r.Vector))
	}
	table, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if table.terms() != len(rows) {
		t.Fatalf("%d terms, want %d", table.terms(), len(rows))
	}
	for _, r := range rows {
		t.Run(r.Term, func(t *testing.T) {
			t.Parallel()
			id, ok := table.find(r.Term)
			if !ok {
				t.Fatal("not found")
			}
			unit := float64(table.scale(id)) * float64(most) / math.MaxUint16 / math.MaxInt8
			for i, x := range table.row(id) {
				want := r.Vector[i]
				if got := float64(int8(x)) * unit; math.Abs(got-float64(want)) > float64(largest(r.Vector))/100 {
					t.Errorf("value %d is %f, want %f", i, got, want)
				}
			}
		})
	}
	for _, term := range []string{"", "a", "te", "te00rmx", "te99rm", "zzz", strings.Repeat("x", 300)} {
		t.Run("without "+term[:min(len(term), 9)], func(t *testing.T) {
			t.Parallel()
			if id, ok := table.find(term); ok {
				t.Errorf("found as %d", id)
			}
		})
	}
}

func TestWriteIsOfTheRowsAlone(t *testing.T) {
	t.Parallel()
	rows := sample()
	want := Write(rows)
	slices.Reverse(rows)
	if !bytes.Equal(Write(rows), want) {
		t.Error("the order of the rows changes the file")
	}
}

// TestDamage flips every bit, cuts the file at every byte and adds one.
func TestDamage(t *testing.T) {
	t.Parallel()
	file := Write(sample())
	t.Run("bits", func(t *testing.T) {
		t.Parallel()
		for bit := range 8 * len(file) {
			bad := bytes.Clone(file)
			bad[bit/8] ^= 1 << (bit % 8)
			if _, err := Read(bad); err == nil {
				t.Fatalf("bit %d may be wrong", bit)
			}
		}
	})
	t.Run("cut", func(t *testing.T) {
		t.Parallel()
		for n := range len(file) {
			if _, err := Read(file[:n]); err == nil {
				t.Fatalf("%d bytes are taken for the whole", n)
			}
		}
		if _, err := Read(append(bytes.Clone(file), 0)); err == nil {
			t.Error("one more byte is taken for the file")
		}
	})
}

// FuzzRead takes any bytes behind a true checksum: what is read has words that
// can be looked up.
func FuzzRead(f *testing.F) {
	f.Add(Write(sample())[checkedAt:])
	f.Add([]byte{1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		table, err := Read(sealed(body))
		if err != nil {
			return
		}
		for _, term := range []string{"", "te05rm", "\xff"} {
			if id, ok := table.find(term); ok && int(id) >= table.terms() {
				t.Errorf("%q is term %d of %d", term, id, table.terms())
			}
		}
		New(table)
	})
}
