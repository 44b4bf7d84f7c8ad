package learn

// Options say what is learned and how the table is fitted.
type Options struct {
	PerSource   int     // most pairs of one source
	Terms       int     // most terms of the table
	Least       int     // pairs that a term must be in
	Dims        int     // values of a row
	Epochs      int     // how often each pair is looked at
	Batch       int     // pairs that are told apart from each other
	Group       int     // neighbouring pairs that stand in one batch
	Rate        float64 // length of a step at the start
	Temperature float64 // likeness that counts as much again
	Forget      float64 // probability with which a term of both sides is left out of the code
	Seed        uint64
}

// Defaults are the options of the table that is shipped.
var Defaults = Options{
	PerSource: 8000, Terms: 30000, Least: 5, Dims: 128, Epochs: 3, Batch: 512, Group: 32, Rate: 0.05, Temperature: 0.06, Forget: 0.5, Seed: 1,
}
