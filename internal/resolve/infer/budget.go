package infer

// The limits of one look-up.
const (
	maxDepth = 48
	maxSteps = 20_000
)

// Budget bounds the work of one look-up: its steps and the depth of its
// recursion. Copies share the steps.
type Budget struct {
	left  *left
	depth int
}

// left is what copies of a budget share.
type left struct {
	steps int
	ended bool // the look-up met a limit
}

// Full returns the budget of a new look-up.
func Full() Budget { return Budget{left: &left{steps: maxSteps}} }

// Restart returns a budget with the same steps at depth 0. Rules use it where
// they continue in another file.
func (b Budget) Restart() Budget {
	b.depth = 0
	return b
}

// Deeper returns the budget of the next level of the recursion.
func (b Budget) Deeper() Budget {
	b.depth++
	return b
}

// TooDeep reports whether the recursion must end.
func (b Budget) TooDeep() bool {
	b.left.ended = b.left.ended || b.depth > maxDepth
	return b.depth > maxDepth
}

// Spent reports whether the look-up must end.
func (b Budget) Spent() bool {
	b.left.ended = b.left.ended || b.left.steps <= 0
	return b.TooDeep() || b.left.steps <= 0
}

// Spend takes one step.
func (b Budget) Spend() { b.left.steps-- }
