package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of PHP.
var (
	onLaravel = framework{name: "Laravel"}
	symfony   = framework{"Symfony", []string{"Symfony\\Component\\Routing"}}
)

var phpRules = []rule{
	{by: []framework{onLaravel}, kind: Route, role: Handles, in: corpus.PHP, names: []string{"get", "post", "put", "delete", "patch", "options", "any"}, of: "Route", bare: true, verb: nameVerb, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{onLaravel}, kind: Route, role: Handles, in: corpus.PHP, names: []string{"match"}, of: "Route", bare: true, key: written.Position{Index: 1}, verb: firstVerb, target: inArgument, handler: written.Position{Index: 2}},
	{by: []framework{onLaravel}, kind: Route, role: Handles, in: corpus.PHP, names: []string{"resource", "apiResource"}, of: "Route", verb: resourceVerb},
	{by: []framework{symfony}, kind: Route, role: Handles, in: corpus.PHP, names: []string{"Route"}, shape: marking, key: written.Position{Name: "path"}, verb: listVerb, target: marked},
	{by: []framework{onLaravel}, kind: View, role: Reads, in: corpus.PHP, names: []string{"view"}, target: file},
	{by: []framework{onLaravel}, kind: Setting, role: Reads, in: corpus.PHP, names: []string{"config"}, target: itself},
}
