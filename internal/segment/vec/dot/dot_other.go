//go:build !amd64 && !arm64

package dot

func multiply(dst []int32, query []int16, rows []byte) { plain(dst, query, rows) }
