package outline

// Limits of an outline.
const (
	maxChunkBytes  = 1500   // of a chunk of more than one line, give or take the lines before a cut
	maxDefinitions = 20_000 // of one file; later ones are left out
	maxNameBytes   = 200    // longer names are left out
	maxKeys        = 200    // KindKey definitions of one file
)
