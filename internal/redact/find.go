package redact

import (
	"math"
	"slices"
	"strings"

	"espy/internal/pattern"
)

// find is one match of a rule in a text.
type find struct {
	rule       *rule
	path       string
	text       []byte
	match      [2]int
	start, end int // of the secret
}

func (f *find) secret() string { return string(f.text[f.start:f.end]) }

// line returns the lines that the match stands on.
func (f *find) line() []byte {
	from, to := f.match[0], f.match[1]
	for from > 0 && f.text[from-1] != '\n' {
		from--
	}
	for to < len(f.text) && f.text[to] != '\n' {
		to++
	}
	return f.text[from:to]
}

// holds reports whether the find is a secret.
func (f *find) holds() bool {
	secret := f.secret()
	if repeats(secret) || f.inBase64() {
		return false
	}
	if f.rule.entropy > 0 && entropy(secret) <= f.rule.entropy {
		return false
	}
	if also := further[f.rule.id]; also != nil && !also(f, secret) {
		return false
	}
	anywhere := everywhere
	if f.namesItself(strings.ToLower(secret)) {
		anywhere.paths = nil // the secret says what it is, wherever it stands
	}
	return !slices.ContainsFunc(f.rule.allowed, func(a allowance) bool { return f.allows(&a) }) && !f.allows(&anywhere)
}

// repeats reports whether a short text has a byte many times in a row, which is
// of padding and placeholders and hardly ever of a random text.
func repeats(s string) bool {
	n := 0
	for i := 1; i < len(s) && len(s) < 200; i++ {
		if n++; s[i] != s[i-1] {
			n = 0
		}
		if n == 5 {
			return true
		}
	}
	return false
}

// inBase64 reports whether the secret is a piece out of the middle of a longer
// text in base64, which has it by chance.
func (f *find) inBase64() bool {
	plus := false
	look := func(c byte) bool {
		plus = plus || c == '+'
		return isBase64(c) && c != '='
	}
	from, to := f.start, f.end
	for from > 0 && look(f.text[from-1]) {
		from--
	}
	for to < len(f.text) && look(f.text[to]) {
		to++
	}
	return plus && f.start-from+to-f.end >= 10
}

// namesItself reports whether a word of the rule is part of the secret.
func (f *find) namesItself(secret string) bool {
	return slices.ContainsFunc(f.rule.keywords, func(k string) bool { return strings.Contains(secret, k) })
}

// allows reports whether an allowance holds. What takes least is looked at first.
func (f *find) allows(a *allowance) bool {
	conditions := []struct {
		set bool
		met func() bool
	}{
		{a.stopWords != "", func() bool { return hasWord(f.text[f.start:f.end], a.stopWords) }},
		{len(a.regexes) > 0, func() bool { return matches(a.regexes, f.target(a)) }},
		{len(a.paths) > 0, func() bool { return matches(a.paths, []byte(f.path)) }},
	}
	any := false
	for _, c := range conditions {
		switch {
		case !c.set:
		case c.met() == !a.all:
			return !a.all
		default:
			any = true
		}
	}
	return any && a.all
}

// target is what the regexes of an allowance look at.
func (f *find) target(a *allowance) []byte {
	switch a.target {
	case matchText:
		return f.text[f.match[0]:f.match[1]]
	case lineText:
		return f.line()
	}
	return f.text[f.start:f.end]
}

func matches(list []string, text []byte) bool {
	return slices.ContainsFunc(list, func(expression string) bool { return compiled(expression).Match(text) })
}

// further are conditions of rules that take too much by themselves.
var further = map[string]func(f *find, secret string) bool{
	genericRule:                isGeneric,
	"sourcegraph-access-token": isSourcegraphToken,
	"vault-service-token":      isVaultToken,
	"kubernetes-secret-yaml":   isOwnValue,
}

// isGeneric reports whether a value is one that its name alone makes a secret.
// Names such as key and token are also those of hashes and identities, which
// are hexadecimal: only the name of a secret proper makes one of these. A value
// with a word for secrets in it is itself a name.
func isGeneric(f *find, value string) bool {
	return len(value) <= maxGeneric && !f.namesItself(strings.ToLower(value)) && (!hexadecimal().MatchString(value) || proper().Match(f.text[f.match[0]:f.start]))
}

// isSourcegraphToken tells the old tokens, 40 hexadecimal digits, from hashes.
func isSourcegraphToken(f *find, secret string) bool {
	return f.namesItself(secret) || proper().Match(f.text[max(0, f.start-40):f.start])
}

// isVaultToken tells the old tokens, s. and 24 letters and digits, from a field of
// a variable s.
func isVaultToken(f *find, secret string) bool {
	return !strings.HasPrefix(secret, "s.") || strings.ContainsAny(string(f.text[max(0, f.start-1):f.start]), `"'=`+"`") && digits().MatchString(secret)
}

var digits = pattern.New(`[0-9].*[0-9]`)

// isOwnValue leaves the name of a value out of the secret. Certificates are none.
func isOwnValue(f *find, secret string) bool {
	name, value, _ := strings.Cut(secret, ":")
	f.start += len(secret) - len(strings.TrimLeft(value, " \t\r\n|>+-\"'"))
	return f.start < f.end && !certificate().MatchString(name)
}

var certificate = pattern.New(`(?i)cert|crt|\bca\b`)

// maxGeneric is the longest value that its name alone makes a secret, in bytes.
// What is longer holds something.
const maxGeneric = 256

// hexadecimal are hashes, UUIDs and numbers.
var hexadecimal = pattern.New(`^(?:0[xX])?[0-9a-fA-F-]+$`)

// proper are the names of what is a secret without doubt.
var proper = pattern.New(`(?i)secret|passw|credential|creds|(?:api|access|auth|private|client|app|account|service|signing|encryption)[_.-]?(?:key|token)`)

// entropy is Shannon's, in bits a byte.
func entropy[T string | []byte](s T) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= float64(p * math.Log2(p))
		}
	}
	return sum
}
