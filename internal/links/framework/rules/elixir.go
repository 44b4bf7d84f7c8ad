package rules

import (
	"espy/internal/links/edge"
	"espy/internal/resolve/corpus"
)

var elixirRules = []Rule{
	{By: []Framework{{Name: "Phoenix"}}, Kind: edge.Route, Role: edge.Handles, In: corpus.Elixir, Names: []string{"router", "Router"}, Shape: Routed},
}
