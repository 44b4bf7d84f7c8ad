package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of PHP.
var (
	onLaravel = Framework{Name: "Laravel"}
	symfony   = Framework{"Symfony", []string{"Symfony\\Component\\Routing"}}
)

var phpRules = []Rule{
	{By: []Framework{onLaravel}, Kind: edge.Route, Role: edge.Handles, In: corpus.PHP, Names: []string{"get", "post", "put", "delete", "patch", "options", "any"}, Of: "Route", Bare: true, Verb: NameVerb, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{onLaravel}, Kind: edge.Route, Role: edge.Handles, In: corpus.PHP, Names: []string{"match"}, Of: "Route", Bare: true, Key: written.Position{Index: 1}, Verb: FirstVerb, Target: InArgument, Handler: written.Position{Index: 2}},
	{By: []Framework{onLaravel}, Kind: edge.Route, Role: edge.Handles, In: corpus.PHP, Names: []string{"resource", "apiResource"}, Of: "Route", Verb: ResourceVerb},
	{By: []Framework{symfony}, Kind: edge.Route, Role: edge.Handles, In: corpus.PHP, Names: []string{"Route"}, Shape: Marking, Key: written.Position{Name: "path"}, Verb: ListVerb, Target: Marked},
	{By: []Framework{onLaravel}, Kind: edge.View, Role: edge.Reads, In: corpus.PHP, Names: []string{"view"}, Target: File},
	{By: []Framework{onLaravel}, Kind: edge.Setting, Role: edge.Reads, In: corpus.PHP, Names: []string{"config"}, Target: Itself},
}

var phpMounts = []Mount{
	{Rule{By: []Framework{onLaravel}, In: corpus.PHP, Names: []string{"group"}}, OfGroup},
	{Rule{By: []Framework{symfony}, In: corpus.PHP, Names: []string{"Route"}, Shape: Marking, Key: written.Position{Name: "path"}}, OfType},
}
