package rules

import "slices"

// All are the rules of all frameworks.
var All = slices.Concat(goRules, pythonRules, scriptRules, javaRules, phpRules, rubyRules, csharpRules, settingRules, textRules)

// Mounts are the ways of all frameworks to put a prefix before routes.
var Mounts = slices.Concat(goMounts, pythonMounts, scriptMounts, javaMounts, phpMounts, csharpMounts)
