package rules

import (
	"slices"

	"espy/internal/links/framework/written"
)

// noKey is where a key stands of a call that has none.
var noKey = written.Position{Index: written.ByName}

// All are the rules of all frameworks.
var All = slices.Concat(goRules, pythonRules, scriptRules, javaRules, phpRules, rubyRules, csharpRules, rustRules, elixirRules, settingRules, textRules)

// Mounts are the ways of all frameworks to put a prefix before routes.
var Mounts = slices.Concat(goMounts, pythonMounts, scriptMounts, javaMounts, phpMounts, csharpMounts, rustMounts)
