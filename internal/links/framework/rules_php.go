package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of PHP.
var laravel = framework{name: "Laravel"}

var phpRules = []rule{
	{by: []framework{laravel}, kind: Route, role: Handles, in: corpus.PHP, names: []string{"get", "post", "put", "delete", "patch", "any"}, of: "Route", verb: nameVerb, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{laravel}, kind: View, role: Reads, in: corpus.PHP, names: []string{"view"}, target: file},
}
