package dot

// Every arm64 has the instructions of the kernel.
func multiply(dst []int32, query []int16, rows []byte) {
	neon(&dst[0], &query[0], &rows[0], len(dst), len(query))
}

// neon is Rows for n rows of a length; both are more than 0.
//
//go:noescape
func neon(dst *int32, query *int16, rows *byte, n, length int)
