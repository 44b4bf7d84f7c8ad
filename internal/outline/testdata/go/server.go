// Package server serves.
package server

import (
	"fmt"
	"strings"
)

/* func commented() {} */

const Version = "1"

const (
	A, B = iota, "b" // two
	// C is documented.
	C
	sum = 1 +
		other
)

var (
	first = map[string]int{
		"k": 1,
	}
	second,
	third int
)

var text = `
func fake() {}
type Fake struct{}
`

type (
	Handler func(w int)
	Store   interface {
		Get(key string) (string, error)
	}
)

// Server holds state.
type Server struct {
	name string
}

type Set[K comparable] map[K]struct{}
type Alias = strings.Builder

// New makes a server.
func New(name string) *Server { return &Server{name: name} }

// Run runs.
func (s *Server) Run(
	port int,
) error {
	var local int
	type inner struct{}
	const c = '}'
	func() { fmt.Println("{", local) }()
	return nil
}

func (Set[K]) Len() int { return 0 }

func Map[T, U any](in []T, f func(T) U) []U { return nil }

func _() {}
