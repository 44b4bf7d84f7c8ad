package dot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a query and rows of a length. Where it is extreme, the numbers
// are those with the largest sums.
func random(r *rand.Rand, n, length int, extreme bool) (query []int16, rows []byte) {
	query, rows = make([]int16, length), make([]byte, n*length)
	most := min(math.MaxInt16, (1<<31-1)/128/length)
	for i := range query {
		query[i] = int16(r.IntN(2*most+1) - most)
		if extreme {
			query[i] = int16(most)
		}
	}
	for i := range rows {
		rows[i] = byte(r.Uint32())
		if extreme {
			rows[i] = byte(0x80 - i/length%2) // -128 and 127
		}
	}
	return query, rows
}

// sums is Rows in words of Go.
func sums(query []int16, rows []byte) (all []int32) {
	for row := range slices.Chunk(rows, len(query)) {
		sum := int64(0)
		for i, v := range row {
			sum += int64(query[i]) * int64(int8(v))
		}
		all = append(all, int32(sum))
	}
	return all
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{32, 64, 96, 128, 256, 384, 768, 1024, 4096} {
		for _, n := range []int{1, 2, 3, 7, 64} {
			for _, extreme := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d rows of %d, extreme %v", n, length, extreme), func(t *testing.T) {
					query, rows := random(r, n, length, extreme)
					want := sums(query, rows)
					got, slow := make([]int32, n), make([]int32, n)
					Rows(got, query, rows)
					plain(slow, query, rows)
					if !slices.Equal(got, want) || !slices.Equal(slow, want) {
						t.Errorf("Rows = %v, without a kernel %v, want %v", got, slow, want)
					}
				})
			}
		}
	}
}

func TestRowsOfNothing(t *testing.T) {
	Rows(nil, make([]int16, Lanes), nil)
}

func TestRowsRefuses(t *testing.T) {
	for _, c := range []struct{ dst, query, rows int }{{1, 31, 31}, {1, 32, 31}, {2, 32, 32}, {1, 32, 64}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			Rows(make([]int32, c.dst), make([]int16, c.query), make([]byte, c.rows))
		})
	}
}

func BenchmarkRows(b *testing.B) {
	const n, length = 1 << 12, 256 // 1 MB
	query, rows := random(rand.New(rand.NewPCG(1, 2)), n, length, false)
	dst := make([]int32, n)
	for name, f := range map[string]func([]int32, []int16, []byte){"kernel": Rows, "plain": plain} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n * length)
			for b.Loop() {
				f(dst, query, rows)
			}
		})
	}
}
