package rules

import (
	"espy/internal/links/edge"
	"espy/internal/resolve/corpus"
)

// Frameworks of Ruby.
var onRails = Framework{Name: "Rails"}

var rubyRules = []Rule{
	{By: []Framework{onRails}, Kind: edge.Route, Role: edge.Handles, In: corpus.Ruby, Names: []string{"draw"}, Of: "routes", Shape: Drawn},
}
