package token

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestNextWord(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t\n", nil},
		{"a", []string{"a"}},
		{"func (s *Server) Serve() error {", []string{"func", "s", "Server", "Serve", "error"}},
		{"__init__ x_1 2nd 0x1F", []string{"__init__", "x_1", "2nd", "0x1F"}},
		{"naïve Straße ΔT", []string{"naïve", "Straße", "ΔT"}},
		{"中文ab", []string{"中", "文", "ab"}},
		{"ab中文", []string{"ab", "中", "文"}},
		{"한국 カナ", []string{"한", "국", "カ", "ナ"}},
		{"“quoted”—dash…", []string{"quoted", "dash"}},
		{"a\xffb\xc3", []string{"a", "b"}},
		{"a\x00b", []string{"a", "b"}},
		{"x🙂y", []string{"x", "y"}},
		{"e\u0301tat", []string{"e\u0301tat"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			b := []byte(tt.text)
			for s, e := NextWord(b, 0); s < e; s, e = NextWord(b, e) {
				got = append(got, string(b[s:e]))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("words of %q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestParts(t *testing.T) {
	tests := []struct {
		word string
		want string
	}{
		{"HTTPServer2", "http server 2"},
		{"parseHTTP", "parse http"},
		{"snake_case_name", "snake case name"},
		{"__init__", "init"},
		{"_", ""},
		{"ABC", "abc"},
		{"ABc", "a bc"},
		{"utf8", "utf 8"},
		{"x1y2", "x 1 y 2"},
		{"getÉlan", "get élan"},
		{"ÉCOLELibre", "école libre"},
		{"数", "数"},
		{"URLs", "ur ls"},
		{"ǅa", "ǆa"},
	}
	for _, tt := range tests {
		t.Run(tt.word, func(t *testing.T) {
			if got := strings.Join(splitParts(nil, tt.word), " "); got != tt.want {
				t.Errorf("splitParts(%q) = %q, want %q", tt.word, got, tt.want)
			}
		})
	}
}

func TestAnalyze(t *testing.T) {
	tests := []struct {
		word     string
		compound string
		terms    string
	}{
		{"Server", "", "serv"},
		{"HTTPServer2", "=httpserver2", "http serv"},
		{"__private_name_", "=private_name", "priv nam"},
		{"__init__", "", "init"},
		{"x", "", "x"},
		{"x1", "", "x1"},
		{"42", "", "42"},
		{"0x1F", "", "0x1f"},
		{"utf8", "=utf8", "utf"},
		{"_", "", ""},
		{"___", "", ""},
		{"e83c5163316f89bfbde7d9ab23ca2e25604af290", "", "e83c5163316f89bfbde7d9ab23ca2e25604af290"},
		{"E83C5163316F89BFBDE7D9AB23CA2E25604AF290", "", "e83c5163316f89bfbde7d9ab23ca2e25604af290"},
		{"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A", "", ""},
		{"TestServerRejectsRequestsWithoutAHostHeader", "=testserverrejectsrequestswithoutahostheader", "test serv reject request without host head"},
		{strings.Repeat("a", MaxWord), "", strings.Repeat("a", MaxWord)},
		{strings.Repeat("a", MaxWord+1), "", ""},
		{"中", "", "中"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.40q", tt.word), func(t *testing.T) {
			got := Analyze(tt.word)
			if got.Compound != tt.compound || strings.Join(got.Terms, " ") != tt.terms {
				t.Errorf("Analyze(%q) = %q %q, want %q %q", tt.word, got.Compound, got.Terms, tt.compound, tt.terms)
			}
		})
	}
}

func TestCompound(t *testing.T) {
	for word, want := range map[string]string{
		"HTTPServer2": "=httpserver2", "_foo_bar_": "=foo_bar", "foo": "", "_foo_": "", "x12": "=x12", "x1": "", "_": "", "": "", "Élan2": "=élan2",
	} {
		t.Run(word, func(t *testing.T) {
			if got := Analyze(word).Compound; got != want {
				t.Errorf("Compound(%q) = %q, want %q", word, got, want)
			}
		})
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"NewServer": "=newserver", "_private": "=private", "empty?": "=empty", "Getting started": "=getting started",
		"kebab-case": "=kebab case", "+": "=+", "_": "=_", "": "=", "x": "=x",
		strings.Repeat("n", 200): "=" + strings.Repeat("n", MaxWord-1),
	} {
		t.Run(fmt.Sprintf("%.40q", name), func(t *testing.T) {
			if got := Name(name); got != want {
				t.Errorf("Name(%q) = %q, want %q", name, got, want)
			}
		})
	}
}

// TestNameIsCompound holds that a query for a whole identifier and the name of
// its definition meet in one term.
func TestNameIsCompound(t *testing.T) {
	for _, word := range []string{"HTTPServer2", "_foo_bar_", "getÉlan", "x12"} {
		t.Run(word, func(t *testing.T) {
			if got, want := Name(word), Analyze(word).Compound; got != want {
				t.Errorf("Name(%q) = %q, want its compound %q", word, got, want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	want := []Word{{"", []string{"wher"}}, {"", []string{"is"}}, {"=servehttp", []string{"serv", "http"}}}
	if diff := cmp.Diff(want, Words("where is _ ServeHTTP?")); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
}

// TestStemSamples and TestPartsSamples hold the results that ranking weights
// were tuned with.
func TestStemSamples(t *testing.T) {
	for _, f := range sampleLines(t, "testdata/stems.txt") {
		t.Run(f[0], func(t *testing.T) {
			if got := Stem(f[0]); got != f[1] {
				t.Errorf("Stem(%q) = %q, want %q", f[0], got, f[1])
			}
		})
	}
}

func TestPartsSamples(t *testing.T) {
	for _, f := range sampleLines(t, "testdata/words.txt") {
		t.Run(f[0], func(t *testing.T) {
			if diff := cmp.Diff(f[1:], splitParts(nil, f[0])); diff != "" {
				t.Errorf("splitParts(%q) (-want +got):\n%s", f[0], diff)
			}
		})
	}
}

func sampleLines(t *testing.T, file string) [][]string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, strings.Fields(s.Text()))
	}
	if len(lines) < 100 {
		t.Fatalf("%s has %d lines", file, len(lines))
	}
	return lines
}

// FuzzAnalyze holds, for any text, that words are in order and within it, that
// the parts of a word make up the word, and that every term is found again
// from its lower-case form.
func FuzzAnalyze(f *testing.F) {
	for _, seed := range []string{"HTTPServer2 x_1", "naïve ΔT 中文", "a\xffb", "İx ſ K", "__", "ǅabc"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		at := 0
		for s, e := NextWord(text, 0); s < e; s, e = NextWord(text, e) {
			if s < at || e > len(text) {
				t.Fatalf("word [%d,%d) after %d in %d bytes", s, e, at, len(text))
			}
			word := string(text[s:e])
			if !utf8.ValidString(word) {
				t.Fatalf("word %q is not UTF-8", word)
			}
			if got, want := strings.Join(splitParts(nil, word), ""), strings.ReplaceAll(word, "_", ""); got != strings.ToLower(want) {
				t.Fatalf("parts of %q make up %q", word, got)
			}
			w := Analyze(word)
			if w.Compound != "" && (w.Compound[0] != '=' || len(w.Terms) == 0) {
				t.Fatalf("Analyze(%q) = %+v", word, w)
			}
			for _, term := range w.Terms {
				if term == "" || term[0] == '=' {
					t.Fatalf("Analyze(%q) has term %q", word, term)
				}
			}
			at = e
		}
	})
}

func BenchmarkNextWord(b *testing.B) {
	text, err := os.ReadFile("token.go")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for s, e := NextWord(text, 0); s < e; s, e = NextWord(text, e) {
		}
	}
}
