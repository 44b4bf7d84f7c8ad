package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of C#. A project may import them for all of its files.
var (
	aspNET          = framework{name: "ASP.NET"}
	dotNet          = framework{name: ".NET"}
	entityFramework = framework{name: "Entity Framework"}
)

var csharpRules = []rule{
	{by: []framework{aspNET}, kind: Route, role: Handles, in: corpus.CSharp, names: []string{"HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch", "HttpHead", "HttpOptions"}, shape: marking, verb: nameVerb, target: marked},
	{by: []framework{aspNET}, kind: Route, role: Handles, in: corpus.CSharp, names: []string{"MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch"}, bare: true, verb: nameVerb, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{dotNet}, kind: Inject, role: Implements, in: corpus.CSharp, names: []string{"AddScoped", "AddSingleton", "AddTransient", "TryAddScoped", "TryAddSingleton", "TryAddTransient", "AddHostedService"}, target: typed},
	{by: []framework{dotNet}, kind: Setting, role: Reads, in: corpus.CSharp, names: []string{"GetConnectionString", "GetSection", "GetRequiredSection"}, target: itself},
	{by: []framework{dotNet}, kind: Setting, role: Reads, in: corpus.CSharp, names: []string{"Configuration", "configuration", "_configuration"}, shape: indexed, target: itself},
	{by: []framework{entityFramework}, kind: Table, role: Declares, in: corpus.CSharp, names: []string{"Table"}, shape: marking, target: marked},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.CSharp, names: []string{"GetEnvironmentVariable"}, of: "Environment", target: itself},
}
