package secret

import (
	"strings"
	"testing"
)

// common are names of files in which secrets are kept, as the programs that
// write them document, and copies of such.
const common = `
.env .ENV a/.env .env.local .env.production .env.development .env.staging .env.example.local x/.env.test .env.prod .env_prod .env-live .env.bak .env~ .env.old .env.save
..env.swp .env.swp #.env# .env.1 .env.20240131 .dev.vars prod.env production.env staging.env secrets.env .secrets
id_rsa ID_RSA id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss id_rsa_github id_ed25519-work id_rsa.bak id_rsa.old id_rsa~ .id_rsa.swp #id_rsa# id_ed25519.backup
id_rsa.1 id_rsa.orig id_rsa.save id_rsa.copy id_rsa.tmp ssh_host_rsa_key ssh_host_ed25519_key ssh_host_rsa_key.bak deploy_key .ssh/config a/.ssh/known_hosts .ssh/authorized_keys home/u/.ssh/work
server.pem a/tls.key x.p12 x.PFX x.jks x.jceks x.bks debug.keystore pass.kdbx old.kdb x.ppk x.p8 x.pk8 x.pkcs8 AuthKey_ABC123.p8 krb5.keytab my.agekey x.psafe3 login.keychain-db
server.pem.bak server.key.old server.key~ server.key.1 tls.key.20240131 privkey.pem.orig server-backup.key server_old.pem server.key.save cert.p12.bak release.jks.bak
master.key config/master.key secret.key secring.gpg secring.asc .gnupg/x .gnupg/private-keys-v1.d/A.key private.asc privatekey private_key.txt .password-store/x.gpg keystore.properties key.properties
.netrc _netrc .authinfo .pypirc .git-credentials .gitcookies .htpasswd htpasswd site.htpasswd .htdigest .pgpass pgpass.conf .my.cnf .mylogin.cnf .netrc~ .pgpass.old
.aws/credentials home/.aws/config .aws/sso/cache/x.json credentials.csv rootkey.csv accessKeys.csv deploy_accessKeys.csv .boto .s3cfg .ossutilconfig
.azure/accessTokens.json accesstokens.json msal_token_cache.json service_principal_entries.json .config/gcloud/credentials.db .config/gcloud/access_tokens.db application_default_credentials.json
service_account.json service-account.json serviceAccount.json serviceAccountKey.json service-account-key.json my-service-account.json service-account-prod.json shop-firebase-adminsdk-x1.json
gcp-key.json gcp-credentials.json gcloud-service-key.json google-credentials.json client_secret.json client_secret_123.apps.json client_secrets.json credentials.json creds.json credentials.xml
.oci/config .aliyun/config.json .bluemix/config.json .config/doctl/config.yaml .config/hcloud/cli.toml .config/scw/config.yaml rclone.conf .rclone.conf .config/rclone/rclone.conf .mc/config.json
.docker/config.json .dockercfg .dockerconfigjson .config/containers/auth.json .kube/config .kube/cache/x.json kubeconfig KUBECONFIG prod.kubeconfig kubeconfig.yaml kubeconfig.yml kubeconfig.json .kubeconfig
kube-config kube_config kube.config kubeconfig-prod.yaml prod-kubeconfig.yaml prod_kubeconfig kubeconfig.bak kubeconfig.yaml.old kube_config_cluster.yml talosconfig bootstrap-kubeconfig cluster.rkestate
terraform.tfstate prod.tfstate terraform.tfstate.backup terraform.tfstate.1699999999.backup terraform.tfvars prod.tfvars secrets.auto.tfvars terraform.tfvars.json dev.tfvars.json terraform.tfvars.bak
.terraformrc terraform.rc credentials.tfrc.json .terraform.d/credentials.tfrc.json .pulumi/credentials.json .vault-token .vault_pass .vault-pass .vault_pass.txt vault_pass.txt .vault_password
.vault-password-file vault_password_file .ansible_vault_pass .vaultpass vault-password.txt
wp-config.php wp-config.php.bak wp-config.php~ wp-config.php.old wp-config.php.save .wp-config.php.swp wp-config.php.swp wp-config.php.orig wp-config-backup.php LocalSettings.php
.claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json .config/github-copilot/hosts.json .config/github-copilot/apps.json
.config/goose/secrets.yaml .anthropic/key .openai_api_key .anthropic_api_key .huggingface/token .cache/huggingface/token .hf_token kaggle.json .kaggle/kaggle.json .streamlit/secrets.toml .databrickscfg
.codeium/config.json .cursor/auth.json .config/io.datasette.llm/keys.json .config/gh/hosts.yml .config/hub .config/glab-cli/config.yml .circleci/cli.yml .travis/config.yml .argocd/config .sentryclirc
.cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml settings-security.xml .gradle/gradle.properties .bundle/config .composer/auth.json .sbt/.credentials .ivy2/.credentials
.config/pip/pip.conf pub-credentials.json .jfrog/jfrog-cli.conf .fly/config.yml .vercel/auth.json .netlify/config.json .supabase/access-token .snowsql/config .dbt/profiles.yml .wrangler/config/default.toml
sftp.json .vscode/sftp.json sftp-config.json .ftpconfig sitemanager.xml recentservers.xml WinSCP.ini filezilla.xml .remote-sync.json .msmtprc .esmtprc .fetchmailrc .mbsyncrc .smbcredentials .rhosts .cvspass
shadow etc/shadow- gshadow master.passwd chap-secrets ipsec.secrets rsyncd.secrets pg_service.conf key4.db logins.json signons.sqlite wallet.dat UTC--2024-01-31T00-00-00.0Z--abc my.wallet
.bash_history .zsh_history .sh_history .psql_history .mysql_history .python_history .node_repl_history .rediscli_history .sqlite_history .viminfo .irb_history .local/share/fish/fish_history
passwords.txt password.txt passwords.csv .passwd api_key.txt .api_key apikey.txt token.txt .token .access_token secrets.txt .secret credentials.txt .credentials creds.txt mnemonic.txt recovery-codes.txt
vpn.ovpn x.publishsettings hudson.util.Secret initialAdminPassword .twurlrc id_rsa-backup server_copy.key`

// spaced are names with blanks in them.
var spaced = []string{"id_rsa copy", "Copy of id_rsa", "server (1).pem", "id_rsa (2)", ".env copy", "server - Copy.key", "kubeconfig copy", "tls copy.key"}

func TestNames(t *testing.T) {
	secret := append(strings.Fields(common), spaced...)
	secret = append(secret, "a very long name that goes on and on and on and on and on until the file name is past the end of the buffer it has.pem")
	if len(secret) < 300 {
		t.Errorf("only %d names", len(secret))
	}
	for _, path := range secret {
		t.Run(path, func(t *testing.T) {
			if Name(path) == None {
				t.Errorf("Name(%q) is none", path)
			}
		})
	}
	public := strings.Fields(`.env.example .env.sample .env.template .env.dist a/.env.local.example .env.schema .env.vault .env.example~ .envrc env env.go .environment dot.env.go .env.d.ts
		secret.go secrets.go secrets.yaml password.py credentials.go credentials.py secrets_test.go id_rsa.pub id_rsa_test.go id_rsa.go id_rsax identity.go ssh_host_rsa_key.pub
		pem.go keystore.java key keys.json monkey tfstate.go x.tfstate.go config.json docker/config.json aws/credentials x.aws/credentials my.ssh/config terraform.tfvars.example example.tfvars
		kube/config npmrc .npmrc .npmrc.bak prod-secrets.yml setenv.sh netrc.go cert.crt x.key.go a.pem/b.go .github/config .config/app.json client_secret.go client_secrets.py key.pem.example key.pem.md server.key.sample
		wp-config-sample.php wp-config-example.php kubeconfig.go kubeconfig.example.yaml kubeconfig_test.go token.go tokens.ts secret.rs shadow.css shadow.ts history.go .circleci/config.yml
		.travis.yml .vscode/settings.json .claude/settings.json .github/secret_scanning.yml secret_scanning.yml vault.go docs/passwords.md passwords.md service-account.yaml service_account.go
		kubeconfig.md backup.go old.go copy.txt README.bak main.go~ main.go.orig config.old.json a.1 x-2 notes.txt secrets.md SECRETS.rst credentials.html token.json.md env.d.ts tfvars.go
		`)
	for _, path := range append(public, "", "/", "a/") {
		t.Run("public "+path, func(t *testing.T) {
			if k := Name(path); k != None {
				t.Errorf("Name(%q) = %q", path, k)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	for name, want := range map[string]bool{".ssh": true, ".GnuPG": true, ".aws": true, "ssh": false, "src": false, "": false} {
		t.Run(name, func(t *testing.T) {
			if Folder(name) != want {
				t.Errorf("Folder(%q) = %v", name, !want)
			}
		})
	}
}

const (
	body  = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n"
	pem   = "-----BEGIN PRIVATE KEY-----\n" + body + "-----END PRIVATE KEY-----\n"
	token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
)

func TestText(t *testing.T) {
	for name, tt := range map[string]struct {
		path string
		form Form
		text string
		want Kind
	}{
		"key without extension":    {"deploy", Plain, pem, Key},
		"key in a text":            {"a.txt", Plain, "\n# mine\n" + pem, Key},
		"key and certificates":     {"bundle.crt", Plain, "-----BEGIN CERTIFICATE-----\n" + body + "-----END CERTIFICATE-----\n" + pem, Key},
		"RSA key with headers":     {"x", Plain, "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + body, Key},
		"OpenSSH key":              {"x.txt", Plain, "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body, Key},
		"PGP key":                  {"x.txt", Plain, "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n" + body, Key},
		"key in JSON":              {"a.json", Plain, `{"k": "-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(body, "\n", `\n`) + `"}`, Key},
		"key in YAML":              {"a.yaml", Plain, "key: |\n  -----BEGIN EC PRIVATE KEY-----\n  " + body, Key},
		"PuTTY key":                {"x", Plain, "PuTTY-User-Key-File-3: ssh-ed25519\n", Key},
		"age key":                  {"keys.txt", Plain, "# created\nAGE-SECRET-KEY-1" + strings.Repeat("Q", 58) + "\n", Key},
		"service account":          {"shop-1234.json", Plain, `{"type": "service_account", "private_key_id": "0123456789abcdef"}`, Credentials},
		"kubeconfig":               {"cluster.yaml", Plain, "apiVersion: v1\nkind: Config\nclusters:\n- cluster: {}\nusers:\n- user:\n    token: abcdefgh12345678\n", Credentials},
		"AWS":                      {"a.ini", Plain, "[default]\naws_secret_access_key = " + strings.Repeat("a1B/", 10) + "\n", Credentials},
		"AWS, a variable":          {"vars.txt", Plain, "export AWS_SECRET_ACCESS_KEY=\"" + strings.Repeat("a1B/", 10) + "\"\n", Credentials},
		"AWS, a variable in YAML":  {"a.yml", Plain, "env:\n  AWS_SECRET_ACCESS_KEY: " + strings.Repeat("a1B/", 10) + "\n", Credentials},
		"AWS, filled in":           {"a.yml", Plain, "env:\n  AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}\n", None},
		"docker":                   {"d.json", Plain, `{"auths": {"r.io": {"auth": "dXNlcjpwYXNz"}}}`, Credentials},
		"state":                    {"s.json", Plain, `{"version": 4, "terraform_version": "1.5", "serial": 3, "lineage": "x"}`, State},
		"WireGuard":                {"w.conf", Plain, "[Interface]\nPrivateKey = " + strings.Repeat("a", 43) + "=\n", Credentials},
		"JSON web key":             {"j.json", Plain, `{"kty":"RSA","n":"x","d":"` + strings.Repeat("a", 60) + `"}`, Key},
		"suspect value":            {"config.json", Plain, `{"db": {"password": "hunter22"}}`, Passwords},
		"suspect token":            {"settings.toml", Plain, "x = \"" + token + "\"\n", Passwords},
		"suspect YAML":             {"config/secrets.yml", Plain, "production:\n  secret_key_base: 0123456789abcdef\n", Passwords},
		"suspect program":          {"local_settings.py", Source, "SECRET_KEY = 'abcdef0123456789'\n", Passwords},
		"suspect environment":      {"test.env", Plain, "DB_PASSWORD=s3cretpass\n", Passwords},
		"suspect copy":             {"config.json.bak", Plain, `{"api_key": "abcdef0123456789"}`, Passwords},
		"npm's token":              {".npmrc", Plain, "//npm.example.org/:_authToken=npm_" + "4fH2kLx9Qz7Wc1Vb5Nm8Rt3Yu6Pa0SdGjKeT\n", Credentials},
		"npm's password":           {"a/.npmrc", Plain, "registry=https://npm.shop.test/\n//npm.shop.test/:_password=aHVudGVyMjI=\n", Credentials},
		"npm's account":            {".npmrc.bak", Plain, "_auth = c2hvcDpodW50ZXIyMg==\n", Credentials},
		"data called secrets":      {"prod-secrets.yml", Plain, "password: hunter22\n", Passwords},
		"data called credentials":  {"conf/shop_credentials.ini", Plain, "[db]\npassword = hunter22\n", Passwords},
		"shell":                    {"bin/setenv.sh", Source, "export JAVA_HOME=/opt/java\nexport DB_PASSWORD=hunter22\n", Passwords},
		"connection with password": {"database.yml", Plain, "url: postgres://shop:s3cr3t@db.internal/shop\n", Passwords},

		"npm's settings":             {".npmrc", Plain, "save-exact=true\nregistry=https://npm.example.org/\n//npm.shop.test/:_authToken=${NPM_TOKEN}\n", None},
		"shell without":              {"bin/setenv.sh", Source, "export JAVA_HOME=/opt/java\nexport DB_PASSWORD=$(cat /run/secrets/db)\n", None},
		"secrets that are filled in": {"prod-secrets.yml", Plain, "password: ${DB_PASSWORD}\n", None},
		"sealed secrets":             {"sealed-secrets.yaml", Plain, "encryptedData:\n  password: AgBy3i4OJSWK5PiTySYZZA9rO43cGDEq\n", None},
		"program called secrets":     {"secrets_store.py", Source, "password = 'hunter22'\n", None},
		"key in a program":           {"key_test.go", Source, "const key = `" + pem + "`\n", None},
		"key in documentation":       {"README.md", Prose, pem, None},
		"key that is spoken of":      {"a.txt", Plain, "begins with -----BEGIN PRIVATE KEY----- and ends\n", None},
		"key without body":           {"a.yaml", Plain, "key: |\n  -----BEGIN PRIVATE KEY-----\n  ...\n  -----END PRIVATE KEY-----\n", None},
		"public key":                 {"a", Plain, "-----BEGIN PUBLIC KEY-----\n" + body, None},
		"certificate":                {"a.crt", Plain, "-----BEGIN CERTIFICATE-----\n" + body, None},
		"service account described":  {"schema.json", Plain, `{"type": "service_account", "private_key": "string"}`, None},
		"placeholders":               {"config.json", Plain, `{"password": "${DB_PASSWORD}", "token": "<your-token-goes-here>", "api_key": "changeme-please"}`, None},
		"template":                   {"secrets.yaml", Plain, "password: {{ .Values.password }}\n", None},
		"references":                 {"secrets.yaml", Plain, "secretName: shop-credentials\npasswordFile: /run/secrets/db\ntokenUrl: https://id.example.com/token\n", None},
		"tokens of a language":       {"config.json", Plain, `{"tokenizer_class": "LlamaTokenizer", "eos_token": "endoftext", "max_tokens": 4096}`, None},
		"commented out":              {"settings.ini", Plain, "# password = hunter22\n; password = hunter22\n", None},
		"program that asks":          {"secrets.py", Source, "password = get_password()\ntoken = os.environ['TOKEN_OF_THE_SHOP']\n", None},
		"documentation's account":    {"credentials", Plain, "AKIAIOSFODNN7EXAMPLE\n", None},
		"ordinary configuration":     {"config.yaml", Plain, "name: shop\nworkers: 4\nsecret: false\n", None},
		"other name":                 {"data.json", Plain, `{"password": "hunter22"}`, None},
		"empty":                      {"secrets.yaml", Plain, "", None},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text(tt.path, tt.form, []byte(tt.text)); got != tt.want {
				t.Errorf("Text(%q, %q) = %q, want %q", tt.path, tt.text, got, tt.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add("config.json", []byte(`{"password": "hunter22"}`))
	f.Add("deploy", []byte(pem))
	f.Add(".#id_rsa (1).bak~", []byte("-----BEGIN PRIVATE KEY-----"))
	f.Fuzz(func(t *testing.T, path string, text []byte) {
		if k := Name(path); k != Name(strings.ToUpper(strings.ToLower(path))) && isASCII(path) {
			t.Errorf("Name(%q) = %q depends on case", path, k)
		}
		Text(path, Plain, text)
		Text(path, Source, text)
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

func BenchmarkName(b *testing.B) {
	names := []string{"internal/discover/discover.go", "src/components/Button.test.tsx", ".github/workflows/ci.yml", "README.md", "drivers/net/Kconfig", "data/x.bin"}
	for b.Loop() {
		for _, n := range names {
			Name(n)
		}
	}
}
