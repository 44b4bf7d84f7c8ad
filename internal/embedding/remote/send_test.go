package remote

import (
	"net/url"
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
