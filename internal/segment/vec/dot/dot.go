// Package dot multiplies one vector with many: the kernel of a scan over rows of
// int8. All sums are of integers, so that every machine gives the same ones,
// whatever the order in which it adds.
package dot

// Lanes is what the length of a vector is a multiple of: how many numbers the
// widest kernel takes at a time.
const Lanes = 32

// Rows sets dst[i] to the sum of the products of query with row i. Rows holds
// len(dst) rows behind each other, each as long as query, of int8. The length of
// the query is a multiple of Lanes, and the sum of the magnitudes of its numbers
// times 128 is less than 1<<31, so that no sum overflows.
func Rows(dst []int32, query []int16, rows []byte) {
	if len(query)%Lanes != 0 || len(rows) != len(dst)*len(query) {
		panic("dot: lengths do not fit")
	}
	if len(rows) > 0 {
		multiply(dst, query, rows)
	}
}

// plain is the kernel for machines without one of their own.
func plain(dst []int32, query []int16, rows []byte) {
	for i := range dst {
		row := rows[:len(query)]
		rows = rows[len(query):]
		var a, b, c, d int32
		for k := 0; k+4 <= len(query); k += 4 {
			q, r := query[k:k+4:k+4], row[k:k+4:k+4]
			a += int32(q[0]) * int32(int8(r[0]))
			b += int32(q[1]) * int32(int8(r[1]))
			c += int32(q[2]) * int32(int8(r[2]))
			d += int32(q[3]) * int32(int8(r[3]))
		}
		dst[i] = a + b + c + d
	}
}
