package discover

import (
	"bytes"
	"strings"
)

// IsSecret reports whether the name of a file says that it holds secrets:
// environment files (.env, .env.local, but not .env.example), private keys
// and key stores (id_rsa, *.pem, *.p12, *.kdbx), credential stores of common
// programs (.netrc, .npmrc, .aws/credentials, kubeconfig, *.tfstate) and shell
// histories. Letter case does not matter. Words such as "secret" or "password"
// in a name do not count: they name source files more often than secrets.
func IsSecret(path string) bool {
	var buf [maxSecretName]byte
	name := baseName(path)
	if name == "" {
		return false
	}
	if len(name) > maxSecretName {
		name = name[len(name)-maxSecretName:] // the extension decides
	}
	lower := lowerASCII(buf[:0], name)
	if dot := bytes.LastIndexByte(lower, '.'); dot >= 0 && secretExtensions[string(lower[dot:])] {
		return true
	}
	return secretNames[string(lower)] || hasSecretForm(lower) || len(name) < len(path) && secretInFolder(path)
}

const maxSecretName = 64 // longer names are judged by their last bytes

var secretExtensions = set(
	".pem", ".key", ".p12", ".pfx", ".pkcs12", ".p8", ".pk8", ".pkcs8", ".ppk",
	".jks", ".jceks", ".bks", ".keystore", ".keytab", ".kdbx", ".kdb", ".ovpn",
	".tfstate", ".kubeconfig", ".agekey",
)

var secretNames = set(
	".env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", "pgpass.conf",
	".my.cnf", ".mylogin.cnf", ".dockercfg", ".s3cfg", ".boto", ".ftpconfig", ".vault-token", ".terraformrc",
	"kubeconfig", "credentials.json", "application_default_credentials.json", "client_secret.json",
	"credentials.tfrc.json", "secring.gpg", "accesstokens.json", "msal_token_cache.json",
	".bash_history", ".zsh_history", ".sh_history", ".psql_history", ".mysql_history", ".python_history", ".node_repl_history",
)

// secretFolders are folders whose every file is secret.
var secretFolders = []string{".ssh", ".gnupg", ".password-store"}

// secretPaths are files that only their folder makes a credential store.
var secretPaths = []string{
	".aws/credentials", ".aws/config", ".docker/config.json", ".kube/config",
	".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml",
	".config/gh/hosts.yml", ".config/hub", ".config/gcloud/credentials.db", ".config/gcloud/access_tokens.db",
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// hasSecretForm recognises families of names by their beginning.
func hasSecretForm(lower []byte) bool {
	switch lower[0] {
	case '.':
		return isEnvFile(lower)
	case 'i', 's':
		return isPrivateKey(string(lower))
	case 'c':
		return bytes.HasPrefix(lower, []byte("client_secret_")) && bytes.HasSuffix(lower, []byte(".json"))
	case 't':
		return bytes.HasPrefix(lower, []byte("terraform.tfstate.")) // its backups
	}
	return false
}

// isEnvFile recognises .env.NAME, except the samples that are made to be shared.
func isEnvFile(lower []byte) bool {
	rest, ok := bytes.CutPrefix(lower, []byte(".env."))
	if !ok {
		return false
	}
	switch string(rest[bytes.LastIndexByte(rest, '.')+1:]) {
	case "example", "examples", "sample", "template", "tmpl", "tpl", "dist", "defaults", "schema", "md":
		return false
	}
	return true
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
		if rest == "" || rest == ".bak" || rest == ".old" {
			return true
		}
		return (rest[0] == '_' || rest[0] == '-') && !strings.Contains(rest, ".")
	}
	return false
}

// secretInFolder recognises files by the folder they lie in. Every such folder
// is hidden, which spares most paths the search.
func secretInFolder(path string) bool {
	if path[0] != '.' && !strings.Contains(path, "/.") {
		return false
	}
	for _, dir := range secretFolders {
		if i := strings.Index(path, dir+"/"); i >= 0 && (i == 0 || path[i-1] == '/') {
			return true
		}
	}
	for _, p := range secretPaths {
		if rest, ok := strings.CutSuffix(path, p); ok && (rest == "" || rest[len(rest)-1] == '/') {
			return true
		}
	}
	return false
}

func lowerASCII(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
