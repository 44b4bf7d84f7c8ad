package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of C#. A project may import them for all of its files.
var aspNET = framework{name: "ASP.NET"}

var csharpRules = []rule{
	{by: []framework{aspNET}, kind: Route, role: Handles, in: corpus.CSharp, names: []string{"HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch", "HttpHead", "HttpOptions"}, shape: marking, verb: nameVerb, target: marked},
	{by: []framework{aspNET}, kind: Route, role: Handles, in: corpus.CSharp, names: []string{"MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch"}, bare: true, verb: nameVerb, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{{name: "environment"}}, kind: Setting, role: Reads, in: corpus.CSharp, names: []string{"GetEnvironmentVariable"}, of: "Environment", target: itself},
}
