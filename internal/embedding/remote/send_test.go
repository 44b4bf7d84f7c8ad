package remote

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:11434": true, "http://LOCALHOST": true, "http://127.0.0.1:1": true, "http://[::1]:80/v1": true, "http://127.9.9.9": true,
		"http://127.0.0.1.evil.test": false, "https://api.openai.com/v1": false, "http://192.168.1.2": false, "http://localhost.evil.test": false,
	} {
		t.Run(address, func(t *testing.T) {
			u, err := url.Parse(address)
			if err != nil || isLocal(u) != want {
				t.Errorf("error %v, want %v", err, want)
			}
		})
	}
}

func TestProxy(t *testing.T) {
	for address, want := range map[string]string{
		"https://models.test/v1": "http://proxy.test:3128", "http://models.test/v1": "", "https://localhost:8443/v1": "",
	} {
		t.Run(address, func(t *testing.T) {
			to, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			c, err := client(Options{Proxy: "http://proxy.test:3128"}, to)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if proxy := c.Transport.(*http.Transport).Proxy; proxy != nil {
				u, err := proxy(&http.Request{URL: to})
				if err != nil {
					t.Fatal(err)
				}
				got = u.String()
			}
			if got != want {
				t.Errorf("proxy %q, want %q", got, want)
			}
		})
	}
	t.Run("bad", func(t *testing.T) {
		if _, err := client(Options{Proxy: "http://u:secret@[bad"}, &url.URL{Scheme: "https", Host: "models.test"}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v", err)
		}
	})
}
