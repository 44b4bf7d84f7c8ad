package rank

import "math"

// BM25F as in Robertson and Zaragoza, "The Probabilistic Relevance Framework:
// BM25 and Beyond" (2009), section 3.6: the frequency of a term in each field is
// divided by the field's relative length, weighted and summed, and the sum is
// saturated once.
const (
	saturation = 1.4 // k1
	maxNorm    = 4   // a very short field counts no more than this
)

// Field is one field of a chunk.
type Field uint8

// The fields.
const (
	FieldBody Field = iota // the chunk's text
	FieldType              // names of types it defines
	FieldFunc              // names of functions and everything else it defines
	FieldStem              // its file's name without extension
	FieldDir               // the folders its file lies in
	NumFields
)

var fields = [NumFields]struct{ weight, b float32 }{
	FieldBody: {1, 0.75},
	FieldType: {3, 0.4},
	FieldFunc: {2, 0.4},
	FieldStem: {3, 0.3},
	FieldDir:  {1.2, 0.3},
}

// Norms hold the normalisation of each field for one collection.
type Norms struct {
	fixed [NumFields]float32 // 1-b
	slope [NumFields]float32 // b / average length
}

// Sums count the tokens of each field in a collection and the documents that
// have the field: chunks, or files for FieldStem and FieldDir.
type Sums [NumFields]struct{ Tokens, Documents int64 }

// NewNorms returns the norms of a collection.
func NewNorms(sums Sums) Norms {
	var norms Norms
	for f, s := range sums {
		avg := max(float64(s.Tokens)/float64(max(s.Documents, 1)), 1e-6)
		norms.fixed[f] = 1 - fields[f].b
		norms.slope[f] = float32(float64(fields[f].b) / avg)
	}
	return norms
}

// Norm is the normalisation of one field.
type Norm struct{ weight, fixed, slope float32 }

// Of returns the norm of a field.
func (n *Norms) Of(f Field) Norm { return Norm{fields[f].weight, n.fixed[f], n.slope[f]} }

// Frequency returns the weighted frequency of a term that occurs tf times in a
// field of the given length.
func (n Norm) Frequency(tf, length uint32) float32 {
	relative := n.fixed + float32(n.slope*float32(length))
	if relative < 1.0/maxNorm {
		relative = 1.0 / maxNorm
	}
	return n.weight * float32(tf) / relative
}

// Saturate bounds the sum of a term's weighted frequencies: 0 stays 0, and many are 1.
func Saturate(frequency float32) float32 { return frequency / (saturation + frequency) }

// IDF returns the inverse document frequency of a term that df of n documents hold.
func IDF(df, n int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}
