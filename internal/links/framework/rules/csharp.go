package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of C#. A project may import them for all of its files.
var (
	aspNET          = Framework{Name: "ASP.NET"}
	DotNet          = Framework{Name: ".NET"}
	entityFramework = Framework{Name: "Entity Framework"}
)

var csharpRules = []Rule{
	{By: []Framework{aspNET}, Kind: edge.Route, Role: edge.Handles, In: corpus.CSharp, Names: []string{"HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpPatch", "HttpHead", "HttpOptions"}, Shape: Marking, Verb: NameVerb, Target: Marked},
	{By: []Framework{aspNET}, Kind: edge.Route, Role: edge.Handles, In: corpus.CSharp, Names: []string{"MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch"}, Bare: true, Verb: NameVerb, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{DotNet}, Kind: edge.Inject, Role: edge.Implements, In: corpus.CSharp, Names: []string{"AddScoped", "AddSingleton", "AddTransient", "TryAddScoped", "TryAddSingleton", "TryAddTransient", "AddHostedService"}, Target: Typed},
	{By: []Framework{DotNet}, Kind: edge.Setting, Role: edge.Reads, In: corpus.CSharp, Names: []string{"GetConnectionString", "GetSection", "GetRequiredSection"}, Target: Itself},
	{By: []Framework{DotNet}, Kind: edge.Setting, Role: edge.Reads, In: corpus.CSharp, Names: []string{"Configuration", "configuration", "_configuration"}, Shape: Indexed, Target: Itself},
	{By: []Framework{entityFramework}, Kind: edge.Table, Role: edge.Declares, In: corpus.CSharp, Names: []string{"Table"}, Shape: Marking, Target: Marked},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.CSharp, Names: []string{"GetEnvironmentVariable"}, Of: "Environment", Target: Itself},
}

var csharpMounts = []Mount{
	{Rule{By: []Framework{aspNET}, In: corpus.CSharp, Names: []string{"Route"}, Shape: Marking}, OfMarked},
	{Rule{By: []Framework{aspNET}, In: corpus.CSharp, Names: []string{"MapGroup"}}, OfResult},
}
