package tree

import "fmt"

// stepsFor bounds the steps of a tree of n nodes. Those of a program are some ten
// times its nodes.
func stepsFor(n int) int { return 1<<24 + 500*n }

// stepsError is the panic over a tree that takes more steps.
type stepsError int

func (e stepsError) Error() string {
	return fmt.Sprintf("more steps than the limit of %d", int(e))
}
