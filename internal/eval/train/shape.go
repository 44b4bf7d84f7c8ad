package train

import "espy/internal/rank"

// shape is what a signal's curve may look like.
type shape struct {
	signal rank.Signal
	knots  []float64 // the first is 0, where the curve is 0
	slope  int       // 1 never falls, -1 never rises, 0 is free
	hand   float64   // slope of the curve that was set by hand, in parts of temperature
}

// temperature turns the scores that were set by hand into logits.
const temperature = 5

var share = []float64{0, 0.1, 0.25, 0.5, 0.75, 1}

// shapes are the curves that are fitted. What is missing adds nothing.
var shapes = []shape{
	{rank.BestChunk, share, 1, 0},
	{rank.SecondChunk, share, 1, 0.1},
	{rank.ChunkMass, share, 1, 0},
	{rank.WholeText, share, 1, 0},
	{rank.Coverage, share, 1, 0.2},
	{rank.Beside, []float64{0, 1}, 1, 0.08},
	{rank.StemSaid, share, 1, 0},
	{rank.StemFull, share, 1, 0.8},
	{rank.StemHead, share, 1, 0},
	{rank.Dir, share, 1, 0},
	{rank.PathWords, share, 1, 0.35},
	{rank.TypeName, share, 1, 0.6},
	{rank.FuncName, share, 1, 0.3},
	{rank.Exact, share, 1, 1.2},
	{rank.ExactStem, []float64{0, 0.5, 1}, 1, 1},
	{rank.Mentioned, []float64{0, 1}, 1, 1.6},
	{rank.Quoted, []float64{0, 0.5, 1}, 1, 1.6},
	{rank.Language, []float64{0, 0.25, 0.5, 1}, 1, 0},
	{rank.Folder, []float64{0, 0.1, 0.25, 0.5, 1}, 0, 0},
	{rank.Home, []float64{0, 1}, 1, 0},
	{rank.Depth, []float64{0, 2, 4, 6, 9}, -1, -0.025},
	{rank.Test, []float64{0, 1}, -1, -0.6},
	{rank.Example, []float64{0, 1}, -1, -0.6},
	{rank.Bench, []float64{0, 1}, -1, -0.3},
	{rank.Docs, []float64{0, 1}, -1, -0.4},
	{rank.Legacy, []float64{0, 1}, -1, -0.3},
	{rank.Tool, []float64{0, 1}, -1, -0.3},
	{rank.Vendor, []float64{0, 1}, -1, -0.3},
	{rank.Generated, []float64{0, 1}, -1, -0.3},
	{rank.Declaration, []float64{0, 1}, -1, -0.15},
	{rank.Header, []float64{0, 1}, -1, 0},
	{rank.Barrel, []float64{0, 1}, 0, 0},
	{rank.Minified, []float64{0, 1}, -1, -0.8},
	{rank.Lock, []float64{0, 1}, -1, -1},
	{rank.Prose, []float64{0, 1}, -1, -0.4},
	{rank.Data, []float64{0, 1}, -1, -0.4},
}
