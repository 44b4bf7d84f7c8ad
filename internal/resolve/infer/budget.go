package infer

// The limits of one look-up.
const (
	maxDepth = 48
	maxSteps = 20_000
)

// Budget bounds the work of one look-up: its steps and the depth of its
// recursion. Copies share the steps.
type Budget struct {
	steps *int // left
	depth int
}

// Full returns the budget of a new look-up.
func Full() Budget {
	steps := maxSteps
	return Budget{steps: &steps}
}

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

func (b Budget) tooDeep() bool { return b.depth > maxDepth }

func (b Budget) spent() bool { return b.tooDeep() || *b.steps <= 0 }

func (b Budget) spend() { *b.steps-- }
