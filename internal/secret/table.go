package secret

import (
	"strings"

	"espy/internal/wordset"
)

// kinds turns lists of words into a table.
func kinds(lists map[Kind]string) map[string]Kind {
	m := map[string]Kind{}
	for kind, list := range lists {
		for word := range strings.FieldsSeq(list) {
			m[word] = kind
		}
	}
	return m
}

// extensions of files that are secret whatever they are called.
var extensions = kinds(map[Kind]string{
	Key:         `.pem .key .p8 .pk8 .pkcs8 .ppk .agekey .openssh .pvk .privkey`,
	KeyStore:    `.p12 .pfx .pkcs12 .jks .jceks .bks .keystore .keytab .kdbx .kdb .psafe3 .opvault .1pif .agilekeychain .keychain .keychain-db .wallet .enpassdbx`,
	Credentials: `.kubeconfig .ovpn .tblk .htpasswd .netrc .dockerconfigjson .dockercfg .pgpass .pypirc .secrets .creds .publishsettings`,
	Variables:   `.tfvars`,
	State:       `.tfstate .rkestate`,
})

// names of files in lower case, in whatever folder.
var names = kinds(map[Kind]string{
	Key: `id_ecdsa_sk id_ed25519_sk secring.gpg secring.asc privatekey private.asc private_key privatekey.txt private_key.txt master.key secret.key
		identity.key.enc .age-key age-key.txt ssh_host_key deploy_key deploykey`,
	KeyStore: `key3.db key4.db logins.json signons.sqlite cookies.sqlite login.keychain wallet.dat default_wallet .keystore keystore.properties
		key.properties signing.properties keystore.jks token.pickle`,
	Credentials: `.netrc _netrc .authinfo .pypirc .git-credentials .gitcookies .htpasswd .htdigest htpasswd .pgpass pgpass.conf .my.cnf .mylogin.cnf
		.dockercfg .dockerconfigjson .s3cfg .s3curl .s3b_config .boto .ossutilconfig .ftpconfig .vault-token .terraformrc terraform.rc credentials.tfrc.json
		kubeconfig .kubeconfig kube.config kube-config kube_config kubeconfig.yaml kubeconfig.yml kubeconfig.json kubeconfig.conf kubeconfig.txt kube-config.yaml kube-config.yml
		kube_config_cluster.yml talosconfig
		credentials.json credentials.csv creds.json credentials.xml credentials.db access_tokens.db legacy_credentials application_default_credentials.json
		.credentials .credentials.json .creds credentials.txt creds.txt rootkey.csv accesskeys.csv
		client_secret.json client_secrets.json accesstokens.json msal_token_cache.json msal_token_cache.bin service_principal_entries.json azureauth.json azure_credentials.json
		service_account.json service-account.json serviceaccount.json service_account_key.json service-account-key.json serviceaccountkey.json
		serviceaccountcredentials.json gcp-key.json gcp_key.json gcp-credentials.json gcp_credentials.json gcloud-key.json gcloud-service-key.json google-credentials.json google_credentials.json
		google-service-account.json firebase-adminsdk.json firebase-service-account.json sa-key.json keyfile.json oauth_creds.json google_accounts.json
		.claude.json .anthropic_api_key .openai_api_key .openai-api-key .gemini_api_key .huggingface_token .hf_token kaggle.json .databrickscfg .bigqueryrc .snowsql .vast_api_key
		rclone.conf .rclone.conf cloudflared.json sitemanager.xml recentservers.xml filezilla.xml winscp.ini sftp-config.json sftp.json .remote-sync.json
		.esmtprc .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .smbcredentials .smb.cred .cifs_credentials .rhosts .cvspass .sentryclirc .pg_service.conf pg_service.conf
		settings-security.xml pub-credentials.json upload_config.lua jfrog-cli.conf .jfrog-cli.conf credentials-config.json .dbeaver-credentials.json hudson.util.secret initialadminpassword
		wp-config.php wp-config.inc.php wp-config-backup.php wp-config-old.php wp-config-prod.php wp-config-production.php wp-config-local.php wp-config.local.php localsettings.php .tugboat .trc .twurlrc .gist .gist-vim robomongo.json
		shadow shadow- gshadow gshadow- master.passwd .secret .token .access_token .access-token .refresh_token .auth_token .api_key .apikey .api-key .auth.json
		bootstrap-kubeconfig authtoken.secret .rsyncd.secrets rsyncd.secrets ipsec.secrets chap-secrets pap-secrets .esmtp_auth`,
	Environment: `.env .dev.vars .flaskenv.local .environment.local .envrc.local .envrc.private env.local env.production .secrets .secrets.env secrets.env .secret.env .prod.env prod.env production.env staging.env dev.env development.env local.env private.env db.env database.env docker.env app.env api.env backend.env server.env`,
	Variables:   `terraform.tfvars terraform.tfvars.json`,
	State:       `terraform.tfstate cluster.rkestate`,
	History: `.bash_history .zsh_history .zhistory .sh_history .ash_history .ksh_history .fish_history fish_history .history .psql_history .mysql_history .mariadb_history .sqlite_history .rediscli_history
		.python_history .node_repl_history .irb_history .irb-history .pry_history .dbshell .mongo_history .influx_history .lesshst .viminfo .wget-hsts consolehost_history.txt`,
	Passwords: `.vault_pass .vault-pass .vault_pass.txt .vault-pass.txt vault_pass vault_pass.txt vault-pass.txt .vault_password .vault-password .vault_password.txt .vault-password.txt
		vault_password vault-password vault_password.txt vault-password.txt .vault_pass_file vault_password_file .ansible_vault_pass .ansible-vault-pass ansible_vault_pass
		.ansible_vault_password .vaultpass .vault_password_file .vault-password-file vault-password-file .vault_key
		passwords.txt password.txt passwords.csv passwords.xlsx passwords.json passwd.txt .passwd .password .passwords .pgpass.bak
		api_key.txt apikey.txt api-key.txt api_keys.txt apikeys.txt api_keys.json token.txt access_token.txt secrets.txt
		mnemonic.txt seed_phrase.txt recovery-codes.txt recovery_codes.txt github-recovery-codes.txt`,
})

// forms are families of names.
var forms = []form{
	{"client_secret_", ".json", "", Credentials},
	{"client_secrets_", ".json", "", Credentials},
	{"", ".json", "firebase-adminsdk", Credentials},
	{"service-account-", ".json", "", Credentials},
	{"service_account_", ".json", "", Credentials},
	{"serviceaccount-", ".json", "", Credentials},
	{"", "-service-account.json", "", Credentials},
	{"", "_service_account.json", "", Credentials},
	{"", "-serviceaccount.json", "", Credentials},
	{"", "_accesskeys.csv", "", Credentials},
	{"", "_credentials.csv", "", Credentials},
	{"", ".tfvars.json", "", Variables},
	{"terraform.tfstate.", "", "", State}, // its backups
	{"kubeconfig-", ".yaml", "", Credentials},
	{"kubeconfig-", ".yml", "", Credentials},
	{"kubeconfig_", ".yaml", "", Credentials},
	{"kube-config-", ".yaml", "", Credentials},
	{"", "-kubeconfig.yaml", "", Credentials},
	{"", "-kubeconfig.yml", "", Credentials},
	{"", "_kubeconfig.yaml", "", Credentials},
	{"", "-kubeconfig", "", Credentials},
	{"", "_kubeconfig", "", Credentials},
	{"utc--20", "", "--", KeyStore}, // wallets of Ethereum
	{"bitwarden_export", "", "", Passwords},
	{"lastpass_export", "", "", Passwords},
	{"1password-export", "", "", Passwords},
}

// folders whose every file is secret.
var folders = kinds(map[Kind]string{
	Key:         `.ssh .gnupg .gpg private-keys-v1.d`,
	Credentials: `.aws .password-store .azure .oci .aliyun .kube .secrets .anthropic`,
	State:       `.terraform.tfstate.d`,
})

// paths are the ends of paths, by base name, of files that only their folder
// makes credential stores.
var paths = func() map[string][]string {
	const stores = `.docker/config.json .docker/daemon-token.json .config/containers/auth.json containers/auth.json .config/helm/registry/config.json
		.cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties .bundle/config .composer/auth.json .config/composer/auth.json
		.nuget/nuget.config .config/nuget/nuget.config .sbt/.credentials .ivy2/.credentials .lein/credentials.clj .hex/hex.config .config/pip/pip.conf .pip/pip.conf .yarn/credentials
		.config/gh/hosts.yml .config/hub .config/hub.yml .config/glab-cli/config.yml .config/git/credentials .config/github-copilot/hosts.json .config/github-copilot/apps.json
		.config/gcloud/credentials.db .config/gcloud/access_tokens.db .config/gcloud/application_default_credentials.json .config/doctl/config.yaml .config/hcloud/cli.toml .config/scw/config.yaml
		.config/linode-cli .bluemix/config.json .config/rclone/rclone.conf .config/ngrok/ngrok.yml .ngrok2/ngrok.yml .mc/config.json .cloudflared/cert.pem
		.config/.wrangler/config/default.toml .wrangler/config/default.toml .fly/config.yml .config/netlify/config.json .netlify/config.json .vercel/auth.json .now/auth.json .railway/config.json
		.supabase/access-token .snowsql/config .snowflake/connections.toml .snowflake/config.toml .dbt/profiles.yml .pulumi/credentials.json .terraform.d/credentials.tfrc.json .terraform.d/credentials
		.argocd/config .config/argocd/config .config/sops/age/keys.txt .circleci/cli.yml .travis/config.yml .jira.d/config.yml .config/.jira/.config.yml .subversion/auth .jenkins/secrets
		.claude/.credentials.json .claude/credentials.json .codex/auth.json .gemini/oauth_creds.json .gemini/google_accounts.json .qwen/oauth_creds.json .local/share/opencode/auth.json
		.config/goose/secrets.yaml .config/openai/auth.json .openai/auth.json .openai/config .huggingface/token .cache/huggingface/token .cache/huggingface/stored_tokens .kaggle/kaggle.json
		.streamlit/secrets.toml .config/llm/keys.json .config/io.datasette.llm/keys.json .codeium/config.json .config/codeium/config.json .cursor/auth.json .config/cursor/auth.json .copilot/auth.json
		.config/wandb/settings .modal.toml .runpod/config.toml .continue/.env .aider/oauth-keys.env .config/solana/id.json .purple/accounts.xml .irssi/config .weechat/sec.conf .electrum/config
		.vscode/sftp.json .idea/datasources.local.xml .idea/webservers.xml .heroku/credentials .config/heroku/credentials .rhc/express.conf .npm/_authtoken .artifactory/credentials .jfrog/jfrog-cli.conf.v6
		.minikube/ca.key .vagrant.d/insecure_private_key .chef/credentials .local/share/keyrings/login.keyring .config/op/config .lastpass/username`
	byName := map[string][]string{}
	for p := range strings.FieldsSeq(stores) {
		name := p[strings.LastIndexByte(p, '/')+1:]
		byName[name] = append(byName[name], p)
	}
	return byName
}()

// The marks of copies.
var (
	copyPrefixes = []string{".#", "#", "copy of ", "backup of ", "old_", "bak_"}
	copyMarks    = []string{"~", " - copy", " copy", "-copy", "_copy", "-backup", "_backup", "-bak", "_bak", "-old", "_old"}
)

var copyExtensions = wordset.Of(".bak .backup .bkp .old .orig .original .save .saved .tmp .temp .copy .prev .previous .rej .dpkg-old .dpkg-dist .rpmsave .rpmnew .swp .swo .disabled")

// shared are parts of the names of files that are made to be shared, as a sample
// or in encrypted form.
var shared = wordset.Of("sealed example examples sample samples template templates tmpl tpl dist defaults default schema md vault enc gpg age sops")

// source are extensions of files whose names, beside those in names, say nothing.
var source = wordset.Of(`.go .c .h .s .cc .cpp .cxx .hh .hpp .hxx .rs .py .pyi .js .jsx .mjs .cjs .ts .tsx .mts .cts .java .kt .kts .scala .rb .php .cs .fs .swift .m .mm .dart .lua .pl .pm .r .jl
	.ex .exs .erl .hs .ml .clj .groovy .gradle .vue .svelte .html .htm .css .scss .sass .less .md .mdx .rst .adoc .tex .svg .png .jpg .gif .sql .proto .sh .bash .zsh .fish .ps1
	.bat .cmake .mk .mod .sum .map .dts .dtsi .golden .snap .pot .po .el .vim .zig .nim .sol .graphql`)

// suspectWords are parts of the names of data whose content decides too.
var suspectWords = wordset.Of(`secret secrets credential credentials creds password passwords passwd`)

// shells are extensions of programs in which a value needs no quotes.
var shells = wordset.Of(`.sh .bash .zsh .fish`)

// suspects are base names in lower case of files in which secrets are kept as
// often as nothing: their content decides.
var suspects = wordset.Of(`secret.yaml secret.yml secret.json secret.toml secret.ini secrets.yaml secrets.yml secrets.json secrets.toml secrets.ini secrets.properties secrets.xml secrets.conf secrets
		credentials credentials.yaml credentials.yml credentials.toml credentials.ini credentials.properties creds creds.yaml creds.yml creds.ini auth.json auth.yaml auth.toml token tokens token.json tokens.json
		tokens.yaml keys.json keys.yaml keys.txt key.txt api_keys.yaml apikeys.json passwords passwords.yaml password passwd.json config.json config.yaml config.yml config.toml config.ini settings.json settings.yaml
		settings.toml settings.ini settings.xml local.settings.json local.properties gradle.properties database.yml database.json database.ini db.json mongoid.yml redis.conf my.cnf
		application.properties application.yml application.yaml application-prod.yml application-prod.properties application-production.yml application-local.yml application-local.properties
		application-dev.yml application-dev.properties bootstrap.yml appsettings.json appsettings.development.json appsettings.production.json appsettings.local.json appsettings.staging.json connectionstrings.config connectionstrings.json web.config app.config
		parameters.yml parameters.yaml parameters.ini env.php env.json env.yaml env.yml env .envrc .flaskenv env.sh env.js config.php configuration.php settings.php settings.local.php config.inc.php db.php database.php
		local_settings.py settings_local.py secrets.py secret_settings.py secret_token.rb secrets.rb local.py config.local.js config.local.json ormconfig.json
		.npmrc npmrc setenv.sh setenv env.sh environment.sh secrets.sh credentials.sh
		.yarnrc .yarnrc.yml pip.conf nuget.config .condarc .pip.conf .gitconfig .hgrc .muttrc .mongorc.js .arcrc .reviewboardrc .aider.conf.yml .mcp.json mcp.json mcp_config.json claude_desktop_config.json
		.codegpt .roomodes .goosehints.local cqlshrc .snowsqlrc bitcoin.conf tnsnames.ora hosts.ini inventory.ini group_vars.yml vault.yml vault.yaml profiles.yml airflow.cfg values.secret.yaml values-secret.yaml
		docker-compose.override.yml admin.conf ngrok.yml wg0.conf wpa_supplicant.conf`)
