package clone

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"espy/internal/git/program"
)

// find looks up where the host is, refuses what must not be spoken to, and
// with https follows the redirects of a repository that has moved.
func (r *remote) find(ctx context.Context, o Options) error {
	if err := r.lookUp(ctx, o); err != nil {
		return err
	}
	if r.url.Scheme == "ssh" {
		return nil
	}
	if err := checkGit(ctx); err != nil {
		return err
	}
	return r.ask(ctx, o)
}

// hostError says that the host of an address cannot be found.
type hostError struct{ Host, Why string }

func (e *hostError) Error() string { return "host " + e.Host + ": " + e.Why }

// lookUp resolves the host once: what follows speaks to these addresses only,
// so that a name cannot mean another machine later.
func (r *remote) lookUp(ctx context.Context, o Options) error {
	host := r.url.Hostname()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil && (o.Proxy == "" || r.url.Scheme == "ssh") {
		var dns *net.DNSError
		if errors.As(err, &dns) && ctx.Err() == nil {
			return &hostError{Host: host, Why: dns.Err}
		}
		return err
	}
	for _, addr := range addrs {
		addr = addr.Unmap()
		if why, private := refuse(carried(addr)); why != "" && !(private && o.AllowPrivate) {
			return &URLError{URL: r.url.Redacted(), Why: fmt.Sprintf("its host is at %s, %s", addr, why), Private: private}
		}
		r.addrs = append(r.addrs, addr)
	}
	return nil
}

// Networks that no public server is in (the special-purpose registries of
// RFC 6890), beside those that package netip tells, and addresses at which
// clouds hand credentials to whoever asks from the machine.
var (
	privateNets = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "64:ff9b:1::/48", "2001::/32", "fec0::/10")
	metadata    = prefixes("169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")
)

func prefixes(list ...string) (p []netip.Prefix) {
	for _, s := range list {
		p = append(p, netip.MustParsePrefix(s))
	}
	return p
}

// carried returns the IPv4 address that an IPv6 address of a translator
// (RFC 6052) or of 6to4 (RFC 3056) leads to, and any other as it is.
func carried(addr netip.Addr) netip.Addr {
	b := addr.As16()
	switch {
	case nat64.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

// refuse says why an address is not spoken to, "" for a public one, and
// whether it is only private, so that a setting may allow it.
func refuse(addr netip.Addr) (why string, private bool) {
	in := func(p netip.Prefix) bool { return p.Contains(addr) }
	switch {
	case slices.ContainsFunc(metadata, in):
		return "where machines find the credentials of their cloud", false
	case addr.IsMulticast() || addr.IsUnspecified():
		return "which is no machine", false
	case addr.IsLoopback():
		return "which is this machine", true
	case addr.IsPrivate() || slices.ContainsFunc(privateNets, in):
		return "in a private network", true
	}
	return "", false
}

// ask requests the list of refs as git will, to follow redirects on the same
// host, which git is not allowed to follow, and to say clearly what is wrong.
func (r *remote) ask(ctx context.Context, o Options) error {
	transport, err := r.transport(o)
	if err != nil {
		return err
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: r.redirect}
	target := r.url.JoinPath("info/refs")
	target.RawQuery = "service=git-upload-pack"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "git/2 espy")
	req.Header.Set("Git-Protocol", "version=2")
	if r.header != "" {
		req.Header.Set("Authorization", r.header)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if err := refusal(resp, r.header != ""); err != nil {
		return err
	}
	found := *resp.Request.URL
	path, ok := strings.CutSuffix(found.Path, "/info/refs")
	if !ok {
		return errors.New("the server redirects to what is no repository")
	}
	found.Path, found.RawPath, found.RawQuery = path, "", ""
	r.url = &found
	return nil
}

// redirect allows what git's own answer to a moved repository would be, on the
// same host.
func (r *remote) redirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > 5:
		return errors.New("the server redirects in circles")
	case req.URL.Scheme != "https" || req.URL.Host != r.url.Host || req.URL.User != nil:
		return fmt.Errorf("the server redirects to another one, %.200q, which is not followed", req.URL.Scheme+"://"+req.URL.Host)
	}
	return nil
}

// refusal says what a server's answer lacks.
func refusal(resp *http.Response, known bool) error {
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusNotFound:
		if known {
			return fmt.Errorf("there is no such repository, or the user and password of the address may not read it (%s)", status(code))
		}
		return fmt.Errorf("there is no such repository, or it takes a user and a password, as in https://USER:TOKEN@host/path (%s)", status(code))
	case code != http.StatusOK:
		return fmt.Errorf("the server answered %s", status(code))
	case kind != "application/x-git-upload-pack-advertisement":
		return fmt.Errorf("there is no git repository: the server answered %.60q", kind)
	}
	return nil
}

func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// transport speaks to the addresses found, or to the proxy.
func (r *remote) transport(o Options) (*http.Transport, error) {
	t := &http.Transport{
		TLSHandshakeTimeout: 20 * time.Second, ResponseHeaderTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate", o.CAFile)
		}
		t.TLSClientConfig.RootCAs = pool
	}
	dialer := &net.Dialer{Timeout: 20 * time.Second}
	t.DialContext = func(ctx context.Context, network, address string) (c net.Conn, err error) {
		_, port, err := net.SplitHostPort(address)
		for _, addr := range r.addrs {
			if c, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), port)); err == nil {
				return c, nil
			}
		}
		return nil, err
	}
	if o.Proxy != "" {
		proxy, err := url.Parse(o.Proxy)
		if err != nil {
			return nil, errors.New("the address of the proxy is no URL")
		}
		t.Proxy, t.DialContext = http.ProxyURL(proxy), dialer.DialContext
	}
	return t, nil
}

// pinning is the first version of git that knows http.curloptResolve.
const pinMajor, pinMinor = 2, 37

// checkGit refuses a git program that would look the host up again.
func checkGit(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return program.ErrMissing
	}
	if err != nil {
		return fmt.Errorf("git version: %w", err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); err != nil || major < pinMajor || major == pinMajor && minor < pinMinor {
		return fmt.Errorf("cloning takes git %d.%d or newer, this is %.40q", pinMajor, pinMinor, strings.TrimSpace(string(out)))
	}
	return nil
}
