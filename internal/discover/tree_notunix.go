//go:build !unix

package discover

const (
	openFlags = 0
	nonBlock  = 0
)
