package dot

import "golang.org/x/sys/cpu"

func multiply(dst []int32, query []int16, rows []byte) {
	if cpu.X86.HasAVX2 {
		avx2(&dst[0], &query[0], &rows[0], len(dst), len(query))
	} else {
		plain(dst, query, rows)
	}
}

// avx2 is Rows for n rows of a length; both are more than 0.
//
//go:noescape
func avx2(dst *int32, query *int16, rows *byte, n, length int)
