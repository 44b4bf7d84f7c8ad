package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// kinds are a key of each common kind, in parts so that this file holds none.
var kinds = map[string]string{
	"aws-access-token":                      "AKIA" + "QYLPMN5HFIQR7BLA",
	"github-pat":                            "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq",
	"github-fine-grained-pat":               "github_pat_" + "11AAK4UQI0NTf6T2EkBkF3_mS9wvoVHuFXXQ4wUrIjwRXm8PoZrWyLFYk0ePfNbIhhQBCKYEMyRbDcgxPF",
	"gitlab-pat":                            "glpat-" + "zS7yF1kR3mQe5Xc8Vb2N",
	"slack-bot-token":                       "xoxb-" + "781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD",
	"stripe-access-token":                   "sk_live_" + "51OuEMLAlTWGaDypq4P5cuDHbuKeG4tAGPYHJpEXQ7zE8mKK3jkhTFPvCxnSSK",
	"gcp-api-key":                           "AIza" + "SyCEh8G3iM_7Qb5zLk2RfWnXvYtPdOuJa9c",
	"npm-access-token":                      "npm_" + "4fH2kLx9Qz7Wc1Vb5Nm8Rt3Yu6Pa0SdGjKeT",
	"huggingface-access-token":              "hf_" + "pYZaFjWdKrLsTqNmBvCxGhJkUiOeRwQtAz",
	"sendgrid-api-token":                    "SG." + "ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
	"digitalocean-pat":                      "dop_v1_" + "7c5e3b1f9a8d2c4e6b0f1a3d5c7e9b8a2d4f6c0e1b3a5d7f9c8e2b4a6d0f1c3e",
	"jwt":                                   "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiI0MjE3IiwibmFtZSI6IkV2ZSJ9.k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4Hj6Kl0Mp",
	"anthropic-api-key":                     "sk-ant-api03-" + strings.Repeat("aB3-dE5_gH7", 8) + "kLmN4" + "AA",
	"openai-api-key":                        "sk-" + "hQ2vXk9ZrT5bNc8WyL1m" + "T3BlbkFJ" + "pF4sGd7JhK3aVe6RuQ0x",
	"secret-api-key":                        "sk-or-v1-" + "9f2c4e7a1b8d3f6c5e0a7b2d4c9e8f1a6b3d5c7e2f4a9b8d1c6e3f5a7b0d2c4e",
	"google-oauth-token":                    "ya29." + "a0AfH6SMBx7kQ2vLz9Rt5Yw1Nc8Xb3Vd6Fg4Hj0K",
	"slack-webhook-url":                     "https://hooks.slack.com/services/" + "T01ABCDEF2G/B03HIJKLM4N/q7Wz5Xc3Vb1Nm9Kj7Hg5Fd3S",
	"pypi-upload-token":                     "pypi-AgEIcHlwaS5vcmc" + strings.Repeat("CJDk3fG7hKs", 6),
	"databricks-api-token":                  "dapi" + "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2c",
	"twilio-api-key":                        "SK" + "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2c",
	"age-secret-key":                        "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE",
	"vault-service-token":                   "hvs." + strings.Repeat("CAESIJ3kR7zQ", 8),
	"shopify-access-token":                  "shpat_" + "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2c",
	"azure-ad-client-secret":                "aB3" + "7Q~" + "kLm5NpQr7StUvWx9YzAbCd1EfGhIj3KlMn",
	"planetscale-api-token":                 "pscale_tkn_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA",
	"linear-api-key":                        "lin_api_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zAbC3dE5gH",
	"grafana-service-account-token":         "glsa_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA_7f3c9e1b",
	"hashicorp-tf-api-token":                "A1b2C3d4E5f6G7" + ".atlasv1." + strings.Repeat("x9Yz8Wv7", 8) + "Q3",
	"postman-api-token":                     "PMAK-" + "7c5e3b1f9a8d2c4e6b0f1a3d-5c7e9b8a2d4f6c0e1b3a5d7f9c8e2b4a6d",
	"telegram-bot-api-token":                "110201543:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx",
	"generic-api-key":                       "zaCELgL0imfnc8mVLWwsAawjYr4Rx",
	"1password-secret-key":                  "A3-" + "ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB",
	"sentry-user-token":                     "sntryu_" + "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2ca7f3c9e1b5d8042f6a9c3e7b1d5f8a2c",
	"gitlab-runner-authentication-token":    "glrt-" + "zS7yF1kR3mQe5Xc8Vb2N",
	"authorization-header":                  "dGhlLXVzZXI6azVZejNRbjhXYjFWYzdYZA==",
	"url-password":                          "k5Yz3Qn8Wb1V",
	"azure-storage-key":                     "q7Wz5Xc3Vb1Nm9Kj7Hg5Fd3Sa1Po9Iu7Yt5Re3Wq1Zx9Cv7Bn5Mk3Lj1Hg9Fd7Sa5Po3Iu1Yt9Re7Wq5Zx3Cv==",
	"rubygems-api-token":                    "rubygems_" + "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2ca7f3c9e1b5d8042f",
	"dropbox-long-lived-api-token":          "",
	"discord-client-secret":                 "",
	"heroku-api-key-v2":                     "HRKU-AA" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zAbC3dE5gHjK9mN1pQ3rS5tU7vW9",
	"gitlab-deploy-token":                   "gldt-" + "zS7yF1kR3mQe5Xc8Vb2N",
	"notion-api-token":                      "ntn_" + "45678901234" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zAbC3",
	"flyio-access-token":                    "fo1_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zAbC3dE5gHjK9",
	"aws-amazon-bedrock-api-key-long-lived": "",
}

// names are what the values of some kinds must be given to.
var names = map[string]string{
	"telegram-bot-api-token": "telegram_token", "generic-api-key": "client_secret", "vault-service-token": "vault",
}

// setting writes a key as the value of a setting.
func setting(kind, key string) string {
	switch kind {
	case "authorization-header":
		return "Authorization: Basic " + key
	case "url-password":
		return "postgres://shop:" + key + "@db.internal/shop"
	case "azure-storage-key":
		return "AccountName=shop;AccountKey=" + key + ";EndpointSuffix=core"
	}
	return ""
}

func TestKindsInTexts(t *testing.T) {
	for kind, key := range kinds {
		if key == "" {
			continue
		}
		name := names[kind]
		if name == "" {
			name = "deploy_value"
		}
		value := setting(kind, key)
		if value == "" {
			value = key
		}
		cell, err := json.Marshal([]string{fmt.Sprintf("%s = \"%s\"\n", name, value)})
		if err != nil {
			t.Fatal(err)
		}
		for place, text := range map[string]string{
			"main.go":       fmt.Sprintf("package main\n\nconst %s = %q\n", name, value),
			"app.py":        fmt.Sprintf("import os\n%s = '%s'\n", name, value),
			"comment.ts":    fmt.Sprintf("// for tests: %s = \"%s\" of the old account\nexport const a = 1\n", name, value),
			"notebook.json": fmt.Sprintf(`{"cells": [{"cell_type": "code", "source": %s}]}`, cell),
			"deploy.yaml":   fmt.Sprintf("app:\n  env:\n    %s: \"%s\"\n", name, value),
			"run.sh":        fmt.Sprintf("export %s=\"%s\"\n", name, value),
		} {
			t.Run(kind+" in "+place, func(t *testing.T) {
				got := String(place, text)
				if strings.Contains(got, key) || !strings.Contains(got, "[secret: "+kind+"]") {
					t.Errorf("%q reads %q", text, got)
				}
				if want := strings.Count(text, "\n"); strings.Count(got, "\n") != want {
					t.Errorf("%d lines, want %d", strings.Count(got, "\n"), want)
				}
			})
		}
	}
}

const (
	firstLine  = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
	secondLine = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu"
	lastLine   = "xyQ8Kw=="
	begin      = "-----BEGIN RSA " + "PRIVATE KEY-----"
	finish     = "-----END RSA " + "PRIVATE KEY-----"
)

func TestPrivateKeys(t *testing.T) {
	const mark = "[secret: private-key]"
	for name, tt := range map[string]struct{ text, want string }{
		"in documentation": {
			"Use:\n\n" + begin + "\n" + firstLine + "\n" + secondLine + "\n" + lastLine + "\n" + finish + "\n\nand go on\n",
			"Use:\n\n" + begin + "\n" + mark + "\n" + mark + "\n" + mark + "\n" + finish + "\n\nand go on\n",
		},
		"with headers": {
			begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n" + firstLine + "\n" + finish,
			begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n" + mark + "\n" + finish,
		},
		"on one line": {
			`{"key": "` + begin + `\n` + firstLine + `\n` + secondLine + `\n` + finish + `\n"}`,
			`{"key": "` + begin + `\n` + mark + `\n` + finish + `\n"}`,
		},
		"in a program": {
			"k := \"" + begin + "\\n\" +\n\t\"" + firstLine + "\\n\" +\n\t\"" + secondLine + "\\n\" +\n\t\"" + finish + "\"\n",
			"k := \"" + begin + "\\n\" +\n\t\"" + mark + "\\n\" +\n\t\"" + mark + "\\n\" +\n\t\"" + finish + "\"\n",
		},
		"indented": {
			"key: |\n  " + begin + "\n  " + firstLine + "\n  " + finish + "\nnext: 1\n",
			"key: |\n  " + begin + "\n  " + mark + "\n  " + finish + "\nnext: 1\n",
		},
		"cut off":   {begin + "\n" + firstLine + "\n", begin + "\n" + mark + "\n"},
		"spoken of": {"begins with " + begin + " and ends with " + finish + "\n", "begins with " + begin + " and ends with " + finish + "\n"},
		"public":    {"-----BEGIN PUBLIC KEY-----\n" + firstLine + "\n", "-----BEGIN PUBLIC KEY-----\n" + firstLine + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := String("a.md", tt.text); got != tt.want {
				t.Errorf("reads\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// spansOf are the spans of a part of a text.
func spansOf(text []byte, start, end int) []Span {
	p := Part{Path: "a.yaml", Text: text}
	return p.Spans(start, end)
}

// TestLinesAsTheWhole holds that a part of a text shows no more than the whole does.
func TestLinesAsTheWhole(t *testing.T) {
	text := []byte("# keys\n" + begin + "\n" + firstLine + "\n" + secondLine + "\n" + lastLine + "\n" + finish + "\n" +
		"client_secret =\n  \"" + kinds["generic-api-key"] + "\"\nx = \"" + kinds["github-pat"] + "\"\n")
	for _, tt := range []string{firstLine, secondLine, lastLine, kinds["generic-api-key"], kinds["github-pat"]} {
		t.Run(tt[:8], func(t *testing.T) {
			at := bytes.Index(text, []byte(tt))
			start, end := bytes.LastIndexByte(text[:at], '\n')+1, at+bytes.IndexByte(text[at:], '\n')
			spans := spansOf(text, start, end)
			if len(spans) != 1 || spans[0].Start != at || spans[0].End != at+len(tt) {
				t.Errorf("spans %v of line %q, want the one at %d", spans, text[start:end], at)
			}
			rest := Part{Path: "a.yaml", Text: text[start:], Before: func() []byte { return text[:start] }}
			if cut := rest.Spans(0, end-start); len(cut) != 1 && tt != kinds["generic-api-key"] {
				t.Errorf("line without the text before it: %v", cut)
			}
			if half := spansOf(text, at+2, at+5); len(half) != 1 || half[0] != spans[0] {
				t.Errorf("part of a secret: %v, want %v", half, spans)
			}
		})
	}
}

// TestNamedSecrets are values that their names or what stands before them tell.
func TestNamedSecrets(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"hexadecimal secret":   {`client_secret = "a7f3c9e1b5d8042f6a9c3e7b1d5f8a2c"`, `client_secret = "[secret: generic-api-key]"`},
		"token of Vault":       {"token: \"s.k5Yz3Qn8Wb1Vc7Xd9Rf2Tg4H\"\n", "token: \"[secret: vault-service-token]\"\n"},
		"token of Sourcegraph": {"sourcegraph access_token=a7f3c9e1b5d8042f6a9c3e7b1d5f8a2ca7f3c9e1\n", "sourcegraph access_token=[secret: sourcegraph-access-token]\n"},
		"secret of a cluster":  {"kind: Secret\ndata:\n  pin: cGluMTIzNDU2Nzg=\n", "kind: Secret\ndata:\n  pin: [secret: kubernetes-secret-yaml]\n"},
		"certificate":          {"kind: Secret\ndata:\n  tls.crt: cGluMTIzNDU2Nzg=\n", "kind: Secret\ndata:\n  tls.crt: cGluMTIzNDU2Nzg=\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := String("a.yaml", tt.text); got != tt.want {
				t.Errorf("reads %q, want %q", got, tt.want)
			}
		})
	}
}

// TestGivenToNames are the ways in which languages give a value to a name that is a
// text. What is worked out, read from elsewhere or a placeholder is left as it is.
func TestGivenToNames(t *testing.T) {
	secret := kinds["generic-api-key"]
	for name, ways := range map[string][]string{
		"subscript":   {`$cfg["password"] = "%s";`, `cfg['password']='%s'`, `cfg["db"]["password"]   = "%s"`, `cfg[ "password" ] = "%s"`, `cfg['password'] ||= '%s'`, `cfg["password"] ??= "%s"`},
		"aligned":     {`'password'          => '%s',`, `"password"      : "%s",`, `password          = "%s"`},
		"of symbols":  {`cfg[:password] = "%s"`, `config[:db][:password] = "%s"`, `password: "%s"`, `:password => "%s"`},
		"of words":    {`$cfg{password} = "%s";`, `$cfg->{password} = "%s";`, `$cfg->{'password'} = "%s";`, `cfg[password]="%s"`},
		"of a table":  {`["password"] = "%s",`, `{["password"]: "%s"}`, `"password" -> "%s",`, `@{@"password": @"%s"}`, `cfg.put("password", "%s")`},
		"kinds":       {`cfg["password"] = b"%s"`, `password = r'%s'`, `wchar_t *password = L"%s";`, `NSString *password = @"%s";`, `var password = @"%s";`},
		"in a string": {`x = "cfg[\"password\"] = \"%s\""`, `doc = "db:\n  password: %s\n"`, `data: 'password: "%s"'`, `env = "{\"password\": \"%s\"}"`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, way := range ways {
				want := fmt.Sprintf(way, "[secret: generic-api-key]")
				if got := String("a.txt", fmt.Sprintf(way, secret)); got != want {
					t.Errorf("reads %q, want %q", got, want)
				}
			}
		})
	}
	for _, text := range []string{
		`cfg["password"] = os.environ["APP_PASSWORD_2"]`, `cfg["password"] = getpass.getpass("Password of db01: ")`, `password = input("password2 again: ")`,
		`$cfg['password'] = $_ENV['DB_PASSWORD_01'];`, `cfg[:password] = ENV.fetch("DB_PASSWORD_01")`, `cfg["password"] = args.password2.decode("utf8")`,
		`cfg["password"] = "changeme-please-0123"`, `cfg['password'] = 'your-password-here-01'`, `$cfg{password} = $opt{password_01};`, `cfg["password"] = "${DB_PASSWORD_01}"`,
		`cfg["password"] = hash_of(user, "sha256", iterations1000)`, `passwords[i] = names[j1]; key[k2] = token[t3];`, `self.fields["password"] = forms.CharField(max_length=128)`,
		`params["token"] = request.params["token_2_value"]`, `tokens["key"] == Token.Kind_0x1F2e3D`, `cfg["password"] = "test-password-123"`,
	} {
		if got := String("a.txt", text); got != text {
			t.Errorf("%q reads %q", text, got)
		}
	}
}

// TestReadable are texts that have no secret.
func TestReadable(t *testing.T) {
	for name, tt := range map[string]struct{ path, text string }{
		"hashes":             {"a.go", `key := "d41d8cd98f00b204e9800998ecf8427e" // sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709`},
		"UUID":               {"a.go", `const token = "123e4567-e89b-42d3-a456-556642440000"`},
		"commit of workflow": {".github/workflows/a.yml", "- uses: sourcegraph/scip@da39a3ee5e6b4b0d3255bfef95601890afd80709\n"},
		"go.sum":             {"go.sum", "github.com/auth0/token v1.2.0 h1:EYqZ0KvVPXsBaGj5eSHTT0iBGhUpNb5zpd4lGxkv7VA=\n"},
		"lock file":          {"pnpm-lock.yaml", "  access-token@1.0.0:\n    resolution: {integrity: sha512-K7Wz5Xc3Vb1Nm9Kj7Hg5Fd3Sa1Po9Iu7Yt5Re3Wq1Zx9Cv7Bn5Mk3Lj1Hg9Fd7Sa5Po3Iu1Yt9Re7Wq5Zx3Cv==}\n"},
		"picture":            {"a.css", "a { key: url(data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAUA", 40) + ") }"},
		"names":              {"a.go", "k.PrivateKey = testEd25519PrivateKey\nkeys := map[string]string{\"EncapsulationKey768\": \"EncapsulationKey1024\"}\n"},
		"field":              {"a.go", "if s.AutoAllocatedIPv4Address != \"\" {\n\treturn s.AutoAllocatedIPv4Address\n}\n"},
		"placeholders":       {"a.env", "API_KEY=your-api-key-here-0123\nTOKEN=${GITHUB_TOKEN_2}\nSECRET={{ .Values.secret1 }}\nKEY=xxxxxxxxxxxxxxxx1\n"},
		"documentation":      {"a.md", "AKIA" + "IOSFODNN7EXAMPLE and postgres://user:password1@localhost/db\n"},
		"minified":           {"a.min.js", `!function(e,t){var n=t.key||e.token2,r=a1b2(n.accessKey,"click2Event");return r.auth=o9p8(e)}(w1,d2);`},
		"escape":             {"a.js", `var key = '\x41\x42\u0043', tokenType2 = "Bearer", apiVersion = "2024-01-31-preview"`},
		"numbers":            {"a.py", "SECRET_SIZE = 1234567890123\ntoken_ids = [101, 2023, 2003, 102]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := String(tt.path, tt.text); got != tt.text {
				t.Errorf("%q reads %q", tt.text, got)
			}
		})
	}
}

func TestSpansAreApart(t *testing.T) {
	for name, tt := range map[string]struct{ in, want []Span }{
		"order":        {[]Span{{5, 9, "b"}, {1, 3, "a"}}, []Span{{1, 3, "a"}, {5, 9, "b"}}},
		"overlap":      {[]Span{{1, 6, genericRule}, {3, 9, "b"}}, []Span{{1, 9, "b"}}},
		"inside":       {[]Span{{1, 9, "a"}, {3, 6, genericRule}}, []Span{{1, 9, "a"}}},
		"same":         {[]Span{{1, 9, "b"}, {1, 9, genericRule}}, []Span{{1, 9, "b"}}},
		"side by side": {[]Span{{1, 3, "a"}, {3, 6, "b"}}, []Span{{1, 3, "a"}, {3, 6, "b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := apart(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("apart(%v) = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzSpans(f *testing.F) {
	for kind, key := range kinds {
		f.Add([]byte("token: \""+key+"\"\n"+setting(kind, key)), 3, 20)
	}
	f.Add([]byte(begin+"\n"+firstLine+"\n"+lastLine+"\\"), 40, 60)
	f.Add([]byte("://a:@\\\"'\x00"), 0, 9)
	f.Fuzz(func(t *testing.T, text []byte, start, end int) {
		end = min(max(end, 0), len(text))
		start = min(max(start, 0), end)
		last := start
		for _, s := range spansOf(text, start, end) {
			if s.Start >= s.End || s.End > len(text) || s.End <= start || s.Start >= end || last > start && s.Start < last {
				t.Errorf("span %v of %d bytes, [%d, %d) asked for", s, len(text), start, end)
			}
			last = s.End
		}
		Text("", text)
	})
}

func BenchmarkSpans(b *testing.B) {
	text := bytes.Repeat([]byte("\tif err := s.client.Do(ctx, req); err != nil { // sha256 of base64Encode\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err)\n\t}\n"), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		spansOf(text, 0, len(text))
	}
}

// TestRealTrees holds that hardly a line of real code is marked: the trees hold no
// secrets, but keys for tests.
func TestRealTrees(t *testing.T) {
	src := filetest.GoSource(t)
	for _, dir := range []string{filepath.Join(src, "net"), filepath.Join(src, "encoding"), filepath.Join(src, "cmd", "go"), filepath.Join(src, "crypto", "sha256"), "/usr/lib/python3", "/usr/include/linux"} {
		t.Run(dir, func(t *testing.T) {
			lines, marked := 0, map[string]int{}
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".go", ".py", ".h", ".txt", ".md", ".json", ".html", ".js"}, filepath.Ext(path)) {
					return err
				}
				text, err := os.ReadFile(path)
				lines += bytes.Count(text, []byte("\n"))
				p := Part{Path: path, Text: text}
				for _, s := range p.Spans(0, len(text)) {
					marked[s.Rule]++
				}
				return err
			})
			if err != nil {
				t.Skip(err)
			}
			total := 0
			for _, n := range marked {
				total += n
			}
			if total > 3+lines/4000 {
				t.Errorf("%d of %d lines are marked: %v", total, lines, marked)
			}
			t.Logf("%d of %d lines: %v", total, lines, marked)
		})
	}
}

// TestIsClear holds that a folder in which a secret is allowed makes no file clear.
func TestIsClear(t *testing.T) {
	secret := "key = " + kinds["aws-access-token"] + "\n"
	for name, c := range map[string]struct {
		path, text string
		want       bool
	}{
		"nothing":                 {"a/b.txt", "key = value\n", true},
		"a secret":                {"a/b.txt", secret, false},
		"in a folder of packages": {"node_modules/a/b.txt", secret, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := IsClear(c.path, []byte(c.text)); got != c.want {
				t.Errorf("clear %t, want %t", got, c.want)
			}
		})
	}
}

// TestRulesAreThoseOfTheAnalysis fails where the rules differ from those by which indexes
// were made: manifest.Analysis is raised with them, since an index keeps which files hold
// nothing that they find.
func TestRulesAreThoseOfTheAnalysis(t *testing.T) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", []any{allRules, everywhere})
	if got := fmt.Sprintf("%x", h.Sum64()); got != "f13a08cd6f47f4ce" {
		t.Errorf("the rules are %s", got)
	}
}
