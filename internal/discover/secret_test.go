package discover

import "testing"

func TestIsSecret(t *testing.T) {
	secret := []string{
		".env", ".ENV", "a/.env", ".env.local", ".env.production", ".env.example.local", "x/.env.test",
		"id_rsa", "ID_RSA", "id_ed25519", "id_ecdsa", "id_rsa_github", "id_ed25519-work", "id_rsa.bak", "ssh_host_rsa_key",
		"server.pem", "a/tls.key", "x.p12", "x.PFX", "x.jks", "debug.keystore", "pass.kdbx", "x.ppk", "x.p8", "krb5.keytab",
		".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", ".dockercfg", ".vault-token",
		".aws/credentials", "home/.aws/config", ".docker/config.json", ".kube/config", "kubeconfig", "prod.kubeconfig",
		"terraform.tfstate", "prod.tfstate", "terraform.tfstate.backup", ".ssh/config", "a/.ssh/known_hosts", ".gnupg/x",
		"credentials.json", "client_secret_123.apps.json", ".cargo/credentials.toml", ".bash_history",
		"a very long name that goes on and on and on and on until the file name is past the buffer.pem",
	}
	for _, path := range secret {
		t.Run(path, func(t *testing.T) {
			if !IsSecret(path) {
				t.Errorf("IsSecret(%q) = false", path)
			}
		})
	}
	public := []string{
		"", "/", "a/", ".env.example", ".env.sample", ".env.template", ".env.dist", "a/.env.local.example", ".envrc", "env", "env.go", ".environment", "dot.env.go",
		"secret.go", "secrets.yaml", "password.py", "credentials.go", "id_rsa.pub", "id_rsa_test.go", "id_rsa.go", "id_rsax", "identity.go", "ssh_host_rsa_key.pub",
		"pem.go", "keystore.java", "key", "keys.json", "monkey", "tfstate.go", "x.tfstate.go", "config.json", "docker/config.json", "aws/credentials", "x.aws/credentials", "my.ssh/config",
		"kube/config", "npmrc", "netrc.go", "cert.crt", "x.key.go", "a.pem/b.go", ".github/config", ".config/app.json", "client_secret.go", "client_secrets.py",
	}
	for _, path := range public {
		t.Run(path, func(t *testing.T) {
			if IsSecret(path) {
				t.Errorf("IsSecret(%q) = true", path)
			}
		})
	}
}

func BenchmarkIsSecret(b *testing.B) {
	names := []string{"internal/discover/discover.go", "src/components/Button.test.tsx", ".github/workflows/ci.yml", "README.md"}
	for b.Loop() {
		for _, n := range names {
			IsSecret(n)
		}
	}
}
