package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Rust.
var (
	axum   = Framework{"axum", []string{"axum", "axum_extra", "utoipa_axum"}}
	actix  = Framework{"actix-web", []string{"actix_web"}}
	utoipa = Framework{"utoipa", []string{"utoipa", "utoipa_axum"}}
	rocket = Framework{"Rocket", []string{"rocket"}}
)

var rustRules = []Rule{
	{By: []Framework{axum, actix}, Kind: edge.Route, Role: edge.Handles, In: corpus.Rust, Names: []string{"route"}, Verb: MethodVerbs, Target: InArgument},
	{By: []Framework{axum}, Kind: edge.Route, Role: edge.Handles, In: corpus.Rust, Names: []string{"route_service"}, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{actix, rocket}, Kind: edge.Route, Role: edge.Handles, In: corpus.Rust, Names: []string{"get", "post", "put", "delete", "patch", "head", "options"}, Shape: Marking, Verb: NameVerb, Target: Marked},
	{By: []Framework{utoipa}, Kind: edge.Route, Role: edge.Handles, In: corpus.Rust, Names: []string{"path"}, Of: "utoipa", Shape: Marking, Key: written.Position{Index: written.ByName, Name: "path"}, Verb: FirstVerb, Target: Marked},
}

var rustMounts = []Mount{
	{Rule{By: []Framework{utoipa}, In: corpus.Rust, Names: []string{"routes"}, Key: noKey}, OfArgument},
	{Rule{By: []Framework{axum}, In: corpus.Rust, Names: []string{"nest", "nest_service"}, Handler: written.Position{Index: 1}}, OfArgument},
	{Rule{By: []Framework{axum}, In: corpus.Rust, Names: []string{"merge"}, Key: noKey}, OfArgument},
	{Rule{By: []Framework{actix}, In: corpus.Rust, Names: []string{"scope"}}, OfResult},
	{Rule{By: []Framework{actix}, In: corpus.Rust, Names: []string{"resource"}}, OfChain},
	{Rule{By: []Framework{actix}, In: corpus.Rust, Names: []string{"service", "configure"}, Key: noKey}, OfArgument},
	{Rule{By: []Framework{rocket}, In: corpus.Rust, Names: []string{"mount"}, Handler: written.Position{Index: 1}}, OfArgument},
	{Rule{By: []Framework{rocket}, In: corpus.Rust, Names: []string{"append", "extend"}, Key: noKey}, OfArgument},
	{Rule{By: []Framework{rocket}, In: corpus.Rust, Names: []string{"routes"}, Key: noKey}, OfElements},
}
