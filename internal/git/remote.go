package git

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// URLError says why an address is not cloned from.
type URLError struct {
	URL     string // without user and password
	Why     string
	Try     string // the address that may be meant, "" where there is none
	Private bool   // CloneOptions.AllowPrivate would allow it
}

func (e *URLError) Error() string {
	if e.Try == "" {
		return fmt.Sprintf("%q: %s", e.URL, e.Why)
	}
	return fmt.Sprintf("%q: %s; did you mean %s?", e.URL, e.Why, e.Try)
}

// PublicURL checks the form of an address that may be cloned, and returns it
// without its password, and without the user of https, who may be a password
// too. It asks nobody.
func PublicURL(address string) (string, error) {
	r, err := parseRemote(address)
	if err != nil {
		return "", err
	}
	return r.url.String(), nil
}

// remote is a repository on another machine.
type remote struct {
	url     *url.URL     // without password
	header  string       // Authorization of https, "" for none
	secrets []string     // never shown
	addrs   []netip.Addr // of the host; empty behind a proxy that alone knows it
}

const maxURL = 2048 // bytes

// parseRemote checks the form of an address: an https or ssh URL in which
// nothing can be taken for an option or another transport of git.
func parseRemote(address string) (*remote, error) {
	bad := func(why, try string) error { return &URLError{URL: redact(address), Why: why, Try: try} }
	if len(address) > maxURL || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, bad("an address is at most 2048 printable ASCII characters, without spaces", "")
	}
	u, err := url.Parse(address)
	if err != nil && (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "ssh://")) {
		return nil, bad("it is not a URL", "")
	}
	if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || u.Opaque != "" {
		return nil, bad("only addresses that begin with https:// or ssh:// are cloned", suggestURL(address))
	}
	switch path := strings.Trim(u.Path, "/"); {
	case !validHost(u.Hostname()):
		return nil, bad("its host is not a name or an address", "")
	case u.Port() != "" && !validPort(u.Port()):
		return nil, bad("its port is not a number from 1 to 65535", "")
	case path == "" || strings.HasPrefix(path, "-"):
		return nil, bad("it names no repository", "")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, bad("an address ends before ? and #", "")
	case u.Scheme == "ssh" && strings.ContainsFunc(u.Path, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("'\"`$\\!", r) }):
		return nil, bad("its path has characters that mean something to a shell", "")
	}
	r := &remote{url: u}
	if why := r.takeUser(); why != "" {
		return nil, bad(why, "")
	}
	return r, nil
}

// takeUser moves what proves who is asking out of the URL.
func (r *remote) takeUser() (why string) {
	user := r.url.User
	if user == nil {
		return ""
	}
	password, _ := user.Password()
	if r.url.Scheme == "ssh" {
		r.secrets = []string{password}
		if !validUser(user.Username()) {
			return "its user is not a name"
		}
		r.url.User = url.User(user.Username())
		return ""
	}
	basic := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
	r.header = "Basic " + basic
	r.secrets = []string{user.String(), basic, password}
	if password == "" { // a token may stand alone
		r.secrets = append(r.secrets, user.Username())
	}
	r.url.User = nil
	return ""
}

// suggestURL returns the address that another form of it stands for.
func suggestURL(address string) string {
	if rest, ok := strings.CutPrefix(address, "http://"); ok && !strings.Contains(rest, "@") {
		return "https://" + rest
	}
	host, path, ok := strings.Cut(address, ":") // user@host:path, as ssh's copying programs write it
	user, name, _ := strings.Cut(host, "@")
	if ok && !strings.HasPrefix(path, ":") && !strings.HasPrefix(path, "//") && validUser(user) && validHost(name) {
		return "ssh://" + host + "/" + strings.TrimPrefix(path, "/")
	}
	return ""
}

// redact returns an address without what may be secret in it, whatever its form.
func redact(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	if at := strings.LastIndex(address, "@"); at >= 0 {
		scheme, _, ok := strings.Cut(address[:at], "://")
		if ok {
			scheme += "://"
		} else {
			scheme = ""
		}
		address = scheme + address[at+1:]
	}
	return address[:min(len(address), maxURL)]
}

func validHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() == ""
	}
	return host != "" && len(host) <= 253 && !strings.HasPrefix(host, "-") && !strings.HasPrefix(host, ".") && onlyNameRunes(host)
}

func validUser(user string) bool {
	return user != "" && !strings.HasPrefix(user, "-") && onlyNameRunes(user)
}

func onlyNameRunes(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r > '~' || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._", r)
	})
}

func validPort(port string) bool {
	n, err := strconv.Atoi(port)
	return err == nil && n >= 1 && n <= 65535
}

// find looks up where the host is, refuses what must not be spoken to, and
// with https follows the redirects of a repository that has moved.
func (r *remote) find(ctx context.Context, o CloneOptions) error {
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

// lookUp resolves the host once: what follows speaks to these addresses only,
// so that a name cannot mean another machine later.
func (r *remote) lookUp(ctx context.Context, o CloneOptions) error {
	host := r.url.Hostname()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil && (o.Proxy == "" || r.url.Scheme == "ssh") {
		var dns *net.DNSError
		if errors.As(err, &dns) && ctx.Err() == nil {
			return fmt.Errorf("host %s: %s", host, dns.Err)
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
func (r *remote) ask(ctx context.Context, o CloneOptions) error {
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
func (r *remote) transport(o CloneOptions) (*http.Transport, error) {
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

// access returns the environment and the options of a git program that may
// speak to the remote: nothing of the user's but the keys of ssh, no redirect,
// no question, no other protocol, no other address.
func (r *remote) access(o CloneOptions) (env, config []string) {
	env = []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "HOME=" + os.DevNull, "LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=never", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=" + r.url.Scheme, "GIT_SSH_VARIANT=ssh", "GIT_SSH_COMMAND=" + r.ssh(), "SSH_AUTH_SOCK=" + o.SSHAgent,
	}
	if r.header != "" { // not among the arguments, which every user of the machine can read
		env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: "+r.header)
	}
	config = []string{
		"-c", "http.followRedirects=false", "-c", "http.proxy=" + o.Proxy, "-c", "http.sslVerify=true", "-c", "credential.helper=",
		"-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60", "-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false",
		"-c", "transfer.bundleURI=false", "-c", "core.bigFileThreshold=16m", "-c", "fetch.unpackLimit=1",
	}
	if o.CAFile != "" {
		config = append(config, "-c", "http.sslCAInfo="+o.CAFile)
	}
	if o.Proxy == "" && r.url.Scheme == "https" {
		config = append(config, "-c", "http.curloptResolve="+r.pins())
	}
	return env, config
}

// pins tells curl where the host is: host:port:address,address.
func (r *remote) pins() string {
	var list []string
	for _, addr := range r.addrs {
		if addr.Is6() {
			list = append(list, "["+addr.String()+"]")
		} else {
			list = append(list, addr.String())
		}
	}
	port := r.url.Port()
	if port == "" {
		port = "443"
	}
	return r.url.Hostname() + ":" + port + ":" + strings.Join(list, ",")
}

// ssh is the command, for a shell, that reaches the host: with the user's own
// keys and known hosts, and without a configuration that names programs. Its
// parts are checked by parseRemote.
func (r *remote) ssh() string {
	program, err := exec.LookPath("ssh")
	if r.url.Scheme != "ssh" || err != nil || len(r.addrs) == 0 || strings.Contains(program, "'") {
		return "false"
	}
	alias := r.url.Hostname()
	if port := r.url.Port(); port != "" && port != "22" {
		alias = "[" + alias + "]:" + port
	}
	return "'" + program + "' -F none -oBatchMode=yes -oStrictHostKeyChecking=yes -oCheckHostIP=no -oProxyCommand=none -oPermitLocalCommand=no" +
		" -oClearAllForwardings=yes -oForwardAgent=no -oForwardX11=no -oConnectTimeout=20 -oServerAliveInterval=15 -oServerAliveCountMax=4" +
		" -oHostName=" + r.addrs[0].String() + " '-oHostKeyAlias=" + alias + "'"
}

// pinning is the first version of git that knows http.curloptResolve.
const pinMajor, pinMinor = 2, 37

// checkGit refuses a git program that would look the host up again.
func checkGit(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
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

// ended is the error of a conversation that may have run out of its time, with
// nothing secret in it.
func (r *remote) ended(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var asked *url.Error // its text repeats the address
	if errors.As(err, &asked) {
		err = asked.Err
	}
	if text := r.clean(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}

// clean is a message of git or of a server, in one line of printable
// characters, without secrets: a server may send them back.
func (r *remote) clean(text string) string {
	for _, secret := range r.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
	return strings.Join(strings.Fields(text), " ")
}
