package meaning

import (
	"slices"

	"espy/internal/resolve/infer"
)

// maxThings bounds the alternatives of one expression.
const maxThings = 8

// Each joins what a step makes of each thing.
func Each(things []infer.Thing, step func(infer.Thing) []infer.Thing) []infer.Thing {
	if len(things) == 1 && !things[0].Supposed {
		return step(things[0])
	}
	var all []infer.Thing
	for _, t := range things {
		more := step(t)
		if t.Supposed {
			more = suppositions(more)
		}
		all = either(all, more)
	}
	return all
}

// either joins alternatives.
func either(a, b []infer.Thing) []infer.Thing {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	return all[:min(len(all), maxThings)]
}

// guesses marks things as not written.
func guesses(things []infer.Thing) []infer.Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Guess = true
	}
	return all
}

// suppositions marks guesses that nothing but a name speaks for.
func suppositions(things []infer.Thing) []infer.Thing {
	all := guesses(things)
	for i := range all {
		all[i].Supposed = true
	}
	return all
}

// generics marks what is from elsewhere as what something of the repository may come of.
func generics(things []infer.Thing) []infer.Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Generic = all[i].Generic || all[i].Kind == infer.Elsewhere
	}
	return all
}

// withoutSome marks things that a utility type takes members from.
func withoutSome(things []infer.Thing, utility string) []infer.Thing {
	if utility != "Omit" && utility != "Pick" {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		all[i].Partly = utility
	}
	return all
}
