package redact

import (
	"regexp"
	"strings"
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

// givenToName begins the regexes of secrets that only their names tell.
const givenToName = `(?i)[\w.-]{0,50}?(?:`

// named reports whether only the name that a value is given to tells that it is one.
func (r *rule) named() bool { return strings.HasPrefix(r.regex, givenToName) }

// expression is the regex without the beginning of a name, which nameStart finds at
// less cost.
func (r *rule) expression() string {
	if rest, ok := strings.CutPrefix(r.regex, givenToName); ok {
		return "(?i)(?:" + rest
	}
	return r.regex
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
