package secret

import (
	"bytes"
	"strings"

	"espy/internal/pattern"
)

// Form is how a file is written, as far as that matters to what its content means.
type Form byte

// The forms.
const (
	Plain  Form = iota // data, configuration, or text of no known language
	Source             // a program: a key inside it is a value of the program
	Prose              // documentation
)

// maxText is how much of a text is looked at, in bytes.
const maxText = 64 << 10

// Text returns what a text is in itself, whatever the name of its file says: a
// private key, a credential store, or, where the name is suspect, a file with
// values where secrets stand. Path has slashes.
func Text(path string, form Form, text []byte) Kind {
	text = text[:min(len(text), maxText)]
	if form == Plain {
		if k := store(text); k != None {
			return k
		}
	}
	if form == Source && shells[extension(lower(path))] {
		form = Plain
	}
	if isSuspect(path) && hasValue(form, text) {
		return Passwords
	}
	return None
}

// isSuspect reports whether the content of a file decides, by its name.
func isSuspect(path string) bool {
	name := lower(path[strings.LastIndexByte(path, '/')+1:])
	if suspects[name] {
		return true
	}
	if source[extension(name)] || isSample(name) {
		return false
	}
	plain := original(name)
	return suspects[plain] || strings.HasSuffix(plain, ".env") || hasWord(plain, suspectWords)
}

// isKey reports whether a text is a private key in armour and little else: a
// file of a key, maybe with its certificates, or a value of a configuration. A
// text that only speaks of one has no such body.
func isKey(text []byte) bool {
	for rest := text; ; {
		i := bytes.Index(rest, []byte("PRIVATE KEY"))
		if i < 0 {
			return false
		}
		head, body := rest[:i], rest[i+len("PRIVATE KEY"):]
		rest = body
		line := head[bytes.LastIndexByte(head, '\n')+1:]
		if !bytes.Contains(line, []byte("-----BEGIN ")) {
			continue
		}
		if _, body, ok := bytes.Cut(body[:min(len(body), 300)], []byte("-----")); ok && armour().Match(body) {
			return true
		}
	}
}

// armour is the beginning of the body of a key: headers, and a line of base64,
// the line ends of which may be written as \n.
var armour = pattern.New(`\A(?:\s|\\r|\\n|\||"|'|\+|,|[A-Z][A-Za-z-]+: [^\n]*\n)*[A-Za-z0-9+/=]{40,}`)

// marks are what begins the text of key files that are not in such an armour.
var marks = []string{"PuTTY-User-Key-File-", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY"}

// rule knows a credential store by what all of must be in its text.
type rule struct {
	literal string // that the text must hold, so that most texts are passed over at once
	match   pattern.Pattern
	and     pattern.Pattern // nil for nothing more
	kind    Kind
}

var rules = []rule{
	{"AGE-SECRET-KEY-1", pattern.New(`(?m)^AGE-SECRET-KEY-1[0-9A-Z]{50,}`), nil, Key},
	{`"service_account"`, pattern.New(`"type"\s*:\s*"service_account"`), pattern.New(`"private_key(_id)?"\s*:\s*"[^"]{8,}"`), Credentials},
	{`"authorized_user"`, pattern.New(`"type"\s*:\s*"authorized_user"`), pattern.New(`"refresh_token"\s*:\s*"[^"]{8,}"`), Credentials},
	{`"client_secret"`, pattern.New(`"(installed|web)"\s*:\s*\{`), pattern.New(`"client_secret"\s*:\s*"[^"]{8,}"`), Credentials},
	{"clusters:", pattern.New(`(?m)^kind:\s*"?Config"?\s*$`), pattern.New(`(?m)^\s*-?\s*(client-key-data|token|password|id-token|refresh-token):\s*"?[A-Za-z0-9+/=._-]{6,}`), Credentials},
	{"aws_secret_access_key", awsSecret, nil, Credentials},
	{"AWS_SECRET_ACCESS_KEY", awsSecret, nil, Credentials},
	{`"auths"`, pattern.New(`"auths"\s*:\s*\{`), pattern.New(`"(auth|identitytoken|password)"\s*:\s*"[A-Za-z0-9+/=._-]{8,}"`), Credentials},
	{`"terraform_version"`, pattern.New(`"lineage"\s*:`), pattern.New(`"serial"\s*:`), State},
	{`"kty"`, pattern.New(`"kty"\s*:\s*"(RSA|EC|OKP)"`), pattern.New(`"d"\s*:\s*"[A-Za-z0-9_-]{40,}"`), Key},
	{"PrivateKey", pattern.New(`(?m)^\[Interface\]\s*$`), pattern.New(`(?m)^\s*PrivateKey\s*=\s*[A-Za-z0-9+/]{43}=\s*$`), Credentials},
	{"<RSAKeyValue>", pattern.New(`<D>[A-Za-z0-9+/=\s]{40,}</D>`), nil, Key},
	{"_auth", npmSecret, nil, Credentials},
	{":_password", npmSecret, nil, Credentials},
	{"encryptedPassword", pattern.New(`"encryptedPassword"\s*:\s*"[^"]{8,}"`), nil, KeyStore},
}

// awsSecret is a line of a credentials file, or one that sets the variable.
var awsSecret = pattern.New(`(?mi)^\s*(?:export\s+|set\s+)?aws_secret_access_key\s*[=:]\s*["']?[A-Za-z0-9/+=]{40}["']?\s*$`)

// npmSecret is a line of npm's settings with a token, a password or an account.
var npmSecret = pattern.New(`(?m)^\s*(?:[^\s=]+:)?_(?:authToken|auth|password)\s*=\s*"?[A-Za-z0-9+/=_-]{8,}`)

// store tells which key or credential store a text is.
func store(text []byte) Kind {
	for _, mark := range marks {
		if bytes.HasPrefix(text, []byte(mark)) {
			return Key
		}
	}
	if isKey(text) {
		return Key
	}
	for i := range rules {
		r := &rules[i]
		if bytes.Contains(text, []byte(r.literal)) && r.match().Match(text) && (r.and == nil || r.and().Match(text)) {
			return r.kind
		}
	}
	return None
}

// assignment finds a value that is given to a name which is that of a secret:
// key = value, "key": "value", define('KEY', 'value'), <key>value.
var assignment = pattern.New(`(?i)(?:^|[^a-z0-9])[a-z0-9_.-]*?(passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|` +
	`encryption[_-]?key|signing[_-]?key|credential|pwd|psk|connection[_-]?string)s?(?:[_-]?(?:key|base|value|prod|production|dev|live|[0-9]+))*["'\]]*\s*(?:=>|:=|[=:,>])\s*(["']?)([^\s"'<>,;#]+)`)

// The shortest values that are taken for secrets, in bytes.
const (
	minValue = 6
	minToken = 16 // tokens are long; what is short after the word is of a grammar
)

// known finds values whose form alone tells that they are tokens. The forms are
// those that their issuers publish.
var known = pattern.New(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{40,}|\bglpat-[A-Za-z0-9_-]{20}|\bxox[abeprs]-[A-Za-z0-9-]{10,}` +
	`|\bsk_live_[A-Za-z0-9]{16,}|\brk_live_[A-Za-z0-9]{16,}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}|\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}|\bnpm_[A-Za-z0-9]{36}|\bpypi-[A-Za-z0-9_-]{50,}` +
	`|\bhf_[A-Za-z0-9]{30,}|\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bdop_v1_[a-f0-9]{64}|\bhvs\.[A-Za-z0-9_-]{20,}|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}` +
	`|://[^/\s:@"']{1,64}:[^/\s:@"'{}$<>]{3,}@`)

// filled is a value that stands for one to be filled in, or that is none.
var filled = pattern.New(`(?i)[${}<>%()\[\]]|^(?:null|nil|none|true|false|yes|no|on|off|string|text|str|int|required|optional|undefined|empty|file|env|vault|path|type|name|value|key|secret|password|token|\*+|x+|\.+|-+|_+|0+)$` +
	`|example|sample|change|replace|your|dummy|fake|placeholder|redacted|todo|insert|secretkeyref|enter_|_here|^/|^\./|^\w+\.\w+\(|^https?:`)

// hasValue reports whether a text holds a value where a secret would stand. In a
// program only a literal is one.
func hasValue(form Form, text []byte) bool {
	if isKey(text) {
		return true
	}
	for _, token := range known().FindAll(text, 50) {
		if !bytes.Contains(token, []byte("EXAMPLE")) && !bytes.Contains(token, []byte("example")) && !bytes.Contains(token, []byte("localhost")) {
			return true
		}
	}
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		if isComment(trimmed) {
			continue
		}
		for _, m := range assignment().FindAllSubmatch(trimmed, 8) {
			least, value := minValue, m[3]
			if bytes.EqualFold(m[1], []byte("token")) {
				least = minToken
			}
			if len(value) >= least && !filled().Match(value) && (form != Source || len(m[2]) > 0) {
				return true
			}
		}
	}
	return false
}

func isComment(line []byte) bool {
	for _, mark := range [...]string{"#", "//", ";", "*", "/*", "<!--", "--"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}
