package redact

import (
	"regexp"
	"sync"
)

// rule says what one kind of secret looks like.
type rule struct {
	id       string
	regex    string
	keywords []string // in lower case; one of them is near every secret of the kind
	run      int      // length of a run that every secret of the kind has, see candidates
	entropy  float64  // bits a byte that a secret has more than; 0 for any
	group    int      // of the regex that is the secret; 0 for the first that is not empty
	path     string   // regex of the paths that the rule is for; "" for all
	allowed  []allowance
}

// allowance says which matches of a rule are no secrets: those that one of its
// conditions holds for, or all of them.
type allowance struct {
	target    string // what the regexes look at: the secret, matchText or lineText
	regexes   []string
	stopWords string // separated by white space
	paths     []string
	all       bool
}

const (
	matchText = "match"
	lineText  = "line"
)

// genericRule finds values by the names that they are given to.
const (
	genericRule    = "generic-api-key"
	genericEntropy = 3.5 // bits a byte, of gitleaks' rule
)

// keyRule is the kind of keys in armour, which armour.go finds.
const keyRule = "private-key"

// expressions are the compiled regexes. Most are never needed.
var expressions sync.Map // of string to *regexp.Regexp

func compiled(expression string) *regexp.Regexp {
	if re, ok := expressions.Load(expression); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(expression)
	expressions.Store(expression, re)
	return re
}
