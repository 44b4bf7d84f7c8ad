package learn

// found is how often what is said finds its own piece of code.
type found struct {
	first float64 // share that have it before every other
	rank  float64 // mean reciprocal rank
}

// pool is how many pieces of code a sentence finds its own among.
const pool = 1000

// measure asks for the code of examples that were kept back.
func (f *fitter) measure(held []example) found {
	var sum found
	for rest := held; len(rest) > 0; {
		part := rest[:min(len(rest), pool)]
		rest = rest[len(part):]
		for _, r := range f.ranks(part) {
			if r == 0 {
				sum.first++
			}
			sum.rank += 1 / float64(r+1)
		}
	}
	n := float64(max(len(held), 1))
	return found{sum.first / n, sum.rank / n}
}

// ranks returns how many pieces of code are at least as near to what is said as
// its own.
func (f *fitter) ranks(part []example) []int {
	dims := f.o.Dims
	said, code := make([]float32, len(part)*dims), make([]float32, len(part)*dims)
	share(len(part), func(i int) {
		f.direction(said[i*dims:][:dims], part[i].said)
		f.direction(code[i*dims:][:dims], part[i].code)
	})
	ranks := make([]int, len(part))
	share(len(part), func(i int) {
		asked := said[i*dims:][:dims]
		own := dot(asked, code[i*dims:][:dims])
		for j := range part {
			if j != i && dot(asked, code[j*dims:][:dims]) >= own {
				ranks[i]++
			}
		}
	})
	return ranks
}
