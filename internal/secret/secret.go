// Package secret tells which files hold secrets: private keys, stores of
// passwords and tokens, files of environment variables, histories of commands.
//
// Name judges a path alone. It knows the files in which programs keep what must
// not be shared, and copies that editors and people leave of them. A word such
// as "secret" or "password" in the name of a source file does not count: it
// names code more often than secrets. Text judges content: a file that is a key
// or a credential store in itself, whatever its name; and a file whose name is
// suspect (Suspect), by whether a value stands where a secret would. Values that
// are examples or are filled in from elsewhere do not count.
//
// The tables come from what the programs themselves document, from the ignore
// files that are usual for them, and from the public lists of secret scanners.
package secret

import (
	"strings"
)

// Kind says what a file holds, as a noun with its article; empty for no secret.
type Kind string

// The kinds.
const (
	None        Kind = ""
	Key         Kind = "a private key"
	KeyStore    Kind = "a key store"
	Credentials Kind = "a credential store"
	Environment Kind = "an environment file"
	Variables   Kind = "variables that are filled with secrets"
	State       Kind = "a state file with the secrets of what it describes"
	History     Kind = "a history of commands"
	Passwords   Kind = "a list of passwords or tokens"
)

// Name returns what a path, with slashes, says that its file holds. Letter case
// does not matter.
func Name(path string) Kind {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name == "" {
		return None
	}
	if len(name) > maxName {
		name = name[len(name)-maxName:] // the end decides
	}
	name = lower(name)
	if len(name) < len(path) && (path[0] == '.' || strings.Contains(path, "/.")) {
		if k := inFolder(lower(path), name); k != None {
			return k
		}
	}
	if source[extension(name)] {
		return names[name]
	}
	if k := exactly(name); k != None {
		return k
	}
	if plain := original(name); plain != name {
		return exactly(plain)
	}
	return None
}

// extension returns the last dot of a name and what follows, "" without a dot.
func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

const maxName = 96 // bytes; longer names are judged by their last ones

// Folder reports whether a folder of that name holds nothing but secrets.
func Folder(name string) bool { return folders[lower(name)] != None }

// lower folds ASCII capitals, and copies only where there are any.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// exactly judges a base name in lower case.
func exactly(name string) Kind {
	if k := names[name]; k != None {
		return k
	}
	if k := extensions[extension(name)]; k != None && (k != Variables || !isSample(name)) {
		return k
	}
	for i := range forms {
		if f := &forms[i]; f.match(name) && !isSample(name) {
			return f.kind
		}
	}
	if isEnvironment(name) {
		return Environment
	}
	if isPrivateKey(name) {
		return Key
	}
	return None
}

// form is a family of names.
type form struct {
	prefix, suffix string
	between        string // must be somewhere in the rest; empty for anything
	kind           Kind
}

func (f *form) match(name string) bool {
	return len(name) >= len(f.prefix)+len(f.suffix) && strings.HasPrefix(name, f.prefix) && strings.HasSuffix(name, f.suffix) &&
		(f.between == "" || strings.Contains(name[len(f.prefix):len(name)-len(f.suffix)], f.between))
}

// isEnvironment recognises .env.NAME, except the samples that are made to be
// shared, what is encrypted, and copies, which are judged as what they copy.
func isEnvironment(name string) bool {
	rest, ok := strings.CutPrefix(name, ".env")
	if !ok || rest == "" || strings.IndexByte("._-", rest[0]) < 0 || original(name) != name {
		return false
	}
	return !shared[name[strings.LastIndexAny(name, ".-_")+1:]]
}

// isSample reports whether a name is that of a file made to be shared.
func isSample(name string) bool { return hasWord(name, shared) }

// hasWord reports whether a part of a name is one of some words.
func hasWord(name string, words map[string]bool) bool {
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '.' || c == '-' || c == '_' }) {
		if words[part] {
			return true
		}
	}
	return false
}

// isPrivateKey recognises OpenSSH's key files, with a suffix or not, but not their public halves.
func isPrivateKey(name string) bool {
	if strings.HasPrefix(name, "ssh_host_") && strings.HasSuffix(name, "_key") {
		return true
	}
	for _, kind := range [...]string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"} {
		rest, ok := strings.CutPrefix(name, kind)
		if !ok {
			continue
		}
		return rest == "" || (rest[0] == '_' || rest[0] == '-') && !strings.Contains(rest, ".")
	}
	return false
}

// original undoes what editors and people do to the name of a file that they
// keep a copy of: name~, #name#, .name.swp, name.bak, name.old.1, "Copy of name",
// "name (1)", name-20240131.
func original(name string) string {
	for range 4 {
		shorter := strings.TrimSpace(oneLess(name))
		if shorter == name || shorter == "" {
			break
		}
		name = shorter
	}
	return name
}

func oneLess(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i == 4 && strings.HasPrefix(name[i:], ".sw") && name[0] == '.' {
		if exactly(name[:i]) != None {
			return name[:i] // the copy of a file that is hidden itself
		}
		return name[1:i]
	}
	for _, mark := range copyPrefixes {
		if rest, ok := strings.CutPrefix(name, mark); ok {
			return strings.TrimSuffix(rest, "#")
		}
	}
	ext := extension(name)
	stem := name[:len(name)-len(ext)]
	if copyExtensions[ext] {
		return stem
	}
	if rest := uncopied(name); rest != name {
		return rest
	}
	if i := strings.LastIndexAny(name, ".-_~"); i > 0 && isNumber(strings.Trim(name[i+1:], "~")) {
		return strings.TrimRight(name[:i], "~.")
	}
	if i := strings.LastIndex(name, " ("); i > 0 { // name (1).pem
		if n, rest, ok := strings.Cut(name[i+2:], ")"); ok && isNumber(n) {
			return name[:i] + rest
		}
	}
	return uncopied(stem) + ext // name - copy.pem
}

// uncopied takes the mark of a copy off the end of a name.
func uncopied(name string) string {
	if name == "" || strings.IndexByte("~ykpd", name[len(name)-1]) < 0 { // with which the marks end
		return name
	}
	for _, mark := range copyMarks {
		if rest, ok := strings.CutSuffix(name, mark); ok {
			return rest
		}
	}
	return name
}

func isNumber(s string) bool { return s != "" && len(s) <= 14 && strings.Trim(s, "0123456789") == "" }

// inFolder judges a path in lower case, whose base name is name, by the folders
// it lies in.
func inFolder(path, name string) Kind {
	for rest := path; ; {
		folder, below, more := strings.Cut(rest, "/")
		if !more {
			break
		}
		if k := folders[folder]; k != None {
			return k
		}
		rest = below
	}
	plain := original(name)
	for _, want := range paths[plain] {
		if dir, ok := strings.CutSuffix(path[:len(path)-len(name)]+plain, want); ok && (dir == "" || dir[len(dir)-1] == '/') {
			return Credentials
		}
	}
	return None
}
