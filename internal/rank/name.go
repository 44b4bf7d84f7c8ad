package rank

import "espy/internal/code"

// NameMatch is how well a definition's name answers a query: the share of the
// query's weight in it times the part of the name's terms that the query explains.
func NameMatch(share float64, hits, parts int) float64 {
	if parts == 0 {
		return 0
	}
	return share * min(1, float64(hits)/float64(parts))
}

// foldedName is the worth of a name that differs in case only.
const foldedName = 0.6

// ExactName is the worth of a definition of a name that the query mentions with
// a weight. Only where no definition has the very name do those count that
// differ in case (folded).
func ExactName(weight float64, kind code.Kind, folded bool) float64 {
	w := weight * kindWeight(kind)
	if folded {
		w *= foldedName
	}
	return w
}

func kindWeight(k code.Kind) float64 {
	switch {
	case k.IsType():
		return 1
	case k.IsFunc():
		return 0.8
	}
	return 0.45
}

// minOwn is how sure a query must be of a name for the chunk that defines it to
// stand for its file.
const minOwn = 0.9

// Owns reports whether a chunk that defines a name of the given weight stands
// for its file whatever its other chunks score.
func Owns(weight float64, kind code.Kind) bool {
	return weight >= minOwn && (kind.IsType() || kind.IsFunc())
}

// rankDiscount is the rank at which a chunk's weight as evidence is halved.
const rankDiscount = 10

// Evidence is what the chunk at a rank (from 0) among the best chunks adds to
// its file, where share is its score relative to the best.
func Evidence(share float64, rank int) float64 {
	return share / (1 + float64(rank)/rankDiscount)
}
