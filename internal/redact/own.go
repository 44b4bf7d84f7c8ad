package redact

import "slices"

// allRules are those of gitleaks and our own.
var allRules = append(slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return r.id == keyRule }), ownRules...)

// ownRules are of kinds that gitleaks has no rule for. The forms are those that
// their issuers publish.
var ownRules = []rule{
	{id: "google-oauth-token", regex: `\b(ya29\.[A-Za-z0-9_-]{20,})`, run: 20, keywords: []string{"ya29."}, entropy: 3},
	{id: "secret-api-key", regex: `\b(sk-(?:or-v1-|ant-|proj-)?[A-Za-z0-9_-]{32,})`, run: 32, keywords: []string{"sk-"}, entropy: 3.5},
	{id: "azure-storage-key", regex: `(?i)accountkey=([a-z0-9+/]{60,}={0,2})`, keywords: []string{"accountkey"}, entropy: 4},
	{id: "stripe-webhook-secret", regex: `\b(whsec_[A-Za-z0-9+/]{32,}={0,2})`, keywords: []string{"whsec_"}, entropy: 3},
	{
		id: "authorization-header", keywords: []string{"authorization"}, entropy: 3.5,
		regex:   `(?i)\bauthorization["']?\s*[:=,]\s*["']?(?:bearer|basic|token)\s+([a-z0-9+/_.-]{16,}={0,2})`,
		allowed: []allowance{{regexes: []string{`^[a-zA-Z_.-]+$`}, stopWords: fillers}},
	},
	{
		id: passwordRule, keywords: []string{"://"},
		regex:   `\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@"'<>{}$]{0,64}:([^\s/:@"'<>{}$]{8,128})@[\w\[]`,
		allowed: []allowance{{regexes: []string{`^[^0-9]*$`, `^[0-9]*$`}, stopWords: fillers}},
	},
}

// passwordRule is the kind of passwords in addresses.
const passwordRule = "url-password"

// fillers are words of values that stand for others.
const fillers = "pass secret token user admin guest test example sample your dummy fake xxx 123456 placeholder redacted changeme"
