package outline

// Limits of an outline.
const (
	MaxChunkBytes  = 1500   // of a chunk of more than one line, give or take the lines before a cut
	MaxDefinitions = 20_000 // of one file; later ones are left out
	MaxNameBytes   = 200    // longer names are left out
	MaxKeys        = 200    // KindKey definitions of one file
)
