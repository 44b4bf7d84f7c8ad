package cli

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"espy/internal/git/clone"
)

// TestAdvice holds which errors of the system and of the network have a hint.
func TestAdvice(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, tt := range []struct {
		err  error
		want string // "" for no hint
	}{
		{syscall.ENOSPC, "free some space"},
		{&clone.RemoteError{Err: &clone.HostError{Host: "h", Why: "no such host"}}, "check the address"},
		{&clone.RemoteError{Err: &clone.URLError{Private: true}}, "clone_private"},
		{&clone.RemoteError{Err: &clone.URLError{}}, ""},
		{&clone.RemoteError{Err: &tls.CertificateVerificationError{}}, "clone_ca_file"},
		{&clone.RemoteError{Err: refused}, "https_proxy"},
		{refused, ""},
	} {
		if _, hint := explain(fmt.Errorf("index x: %w", tt.err)); (hint == "") != (tt.want == "") || !strings.Contains(hint, tt.want) {
			t.Errorf("the hint of %v is %q, want %q", tt.err, hint, tt.want)
		}
	}
}
