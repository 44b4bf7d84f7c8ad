package framework

import "espy/internal/resolve/corpus"

// Frameworks of Ruby.
var onRails = framework{name: "Rails"}

var rubyRules = []rule{
	{by: []framework{onRails}, kind: Route, role: Handles, in: corpus.Ruby, names: []string{"draw"}, of: "routes", shape: drawn},
}
