package rank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ text, repo, want string }{
		{"", "", ""},
		{"...", "", ""},
		{"redirect", "", "loc:0.25 redirect:1"},
		{"clock", "", "clk:0.25 clock:1"},
		{"HTTPServer", "", "=httpserver:1 http:1 httpserv:0.5 serv:1 srv:0.25"},
		{"how is the zebra written", "", "=zebra_written:0.5 =zebrawritten:0.5 written:1 zebra:1 zebrawritten:0.5"},
		{"hash map", "", "=hash_map:0.5 =hashmap:0.5 dict:0.25 digest:0.25 hash:1 hashmap:0.5 map:1 mapp:0.25"},
		{"main cobra tests", "cobra", "=cobra_tests:0.5 =cobratests:0.5 =main_cobra:0.5 =maincobra:0.5 cobra:0.15 cobratest:0.5 fixtur:0.25 main:0.4 maincobra:0.5 mock:0.25 spec:0.25 test:1"},
		{"cobra", "cobra", "cobra:1"},            // nothing else to go by
		{"what is the", "", "is:1 the:1 what:1"}, // nothing but stop words
		{"UARTs", "", "=uarts:1 uart:1"},
		{"iSCSI", "", "=iscsi:1 iscs:1 scsi:1"},
		{"MX8M", "", "=mx8m:1 mx:1"},
		{"the i.MX8M", "", "=i_mx8m:0.5 =imx8m:0.5 =mx8m:1 i:1 imx:1 mx:1"},
		{"kThreads", "", "=kthreads:1 pthread:0.25 thread:1 work:0.25"}, // of a name of code,
		{"an e-mail", "", "=e_mail:0.5 =email:0.5 e:1 email:1 mail:1"},
		{"error 404", "", "404:1 =error404:0.5 =error_404:0.5 err:1 except:0.25"},
	} {
		t.Run(c.text+" "+c.repo, func(t *testing.T) {
			var got []string
			for _, term := range Understand(c.text, c.repo).Terms {
				got = append(got, fmt.Sprintf("%s:%.3g", term.Text, term.Weight))
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("Understand(%q, %q) has terms\n%s, want\n%s", c.text, c.repo, got, c.want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"the of and", ""},
		{"how type adapters are registered for a class", "typ adapt"},
		{"JSON reader", "json read"},
		{"where is parseURL called", "pars url call"},
		{"This option enables support for serial ports", "seri port"},
		{"add support", "add support"},
		{strings.Repeat("word ", 100), ""}, // pasted
	} {
		t.Run(fmt.Sprintf("%.40q", c.text), func(t *testing.T) {
			if got := strings.Join(Understand(c.text, "").Head, " "); got != c.want {
				t.Errorf("head of %.40q = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestRow(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"how type adapters are registered for a class", "typ adapt register class"},
		{"where is parseURL called", "pars url call"},
		{"retry of a retry", "retr retr"},
		{strings.Repeat("word ", 100), ""}, // pasted
	} {
		t.Run(fmt.Sprintf("%.40q", c.text), func(t *testing.T) {
			if got := strings.Join(Understand(c.text, "").Row, " "); got != c.want {
				t.Errorf("row of %.40q = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Name
	}{
		{"redirect", []Name{{"redirect", 1}}},
		{"http::Server.ListenAndServe", []Name{{"ListenAndServe", 1}}},
		{"where is max_tokens read", []Name{{"max_tokens", 1}}},
		{"how does parseURL and HTTPServer work", []Name{{"parseURL", 1}, {"HTTPServer", 1}}},
		{"the Router of the app", []Name{{"Router", 0.5}}},
		{"Router of the app", []Name{{"Router", 0.3}}},
		{"uses TLS and its url", nil},
		{"call os.open there", []Name{{"open", 0.6}}},
		{"panic in net/http/server.go:120", []Name{{"server", 1}}},
		{"a Router, Router or router.Router", []Name{{"Router", 0.5}}},
		{"3.14", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Understand(c.text, "").Names); diff != "" {
				t.Errorf("names of %q (-want +got)\n%s", c.text, diff)
			}
		})
	}
}

func TestData(t *testing.T) {
	for stem, others := range synonyms() {
		t.Run(stem, func(t *testing.T) {
			for i, o := range others {
				if o == stem || i > 0 && others[i-1] >= o {
					t.Errorf("synonyms of %q are %q: itself, unsorted or twice", stem, others)
				}
			}
		})
	}
	if !IsStopword("the") || IsStopword("new") || !fillers()["implement"] || synonyms()["mutex"] != nil {
		t.Error("the word lists do not hold what they should")
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"", "a b", "é漢字 x", "a::b->c.d\\e", "\xff_\x00", strings.Repeat("aB_", 100)} {
		f.Add(s, "repo")
	}
	f.Fuzz(func(t *testing.T, text, repo string) {
		q := Understand(text, repo)
		for i, term := range q.Terms {
			if term.Text == "" || term.Weight <= 0 || term.Weight > 1 {
				t.Errorf("Understand(%q, %q): bad term %v", text, repo, term)
			}
			if i > 0 && q.Terms[i-1].Text >= term.Text {
				t.Errorf("Understand(%q, %q): terms not in order", text, repo)
			}
		}
		for _, n := range q.Names {
			if n.Text == "" || n.Weight <= 0 || n.Weight > 1 {
				t.Errorf("Understand(%q, %q): bad name %v", text, repo, n)
			}
		}
	})
}
