// Package door decides which requests come in at all, before anything of them is
// read: those of allowed addresses, which name this server as their host, do not
// come from a page of another site, and keep their token out of the address. It
// is what keeps web pages of a user's browser from the user's code.
package door

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"espy/internal/httpd/problem"
	"espy/internal/usage"
)

// Options say who comes in.
type Options struct {
	Addr      string   // the server listens on, HOST:PORT
	Hosts     []string // names that requests may give the server, beside its own
	Origins   []string // of web pages that may use the server, as https://host:port
	Addresses []string // of clients, or networks as 10.0.0.0/8; none allows all
}

// Door lets requests in.
type Door struct {
	hosts    []string // in lower case, without a port
	anyIP    bool     // the server listens beyond this machine, so any of its addresses may be named
	origins  *http.CrossOriginProtection
	trusted  []string
	networks []netip.Prefix
}

// New returns the door of a server. Its errors are those of the options.
func New(o Options) (*Door, error) {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, &usage.Error{Arg: "addr", Value: o.Addr, Msg: "is not HOST:PORT", Hint: "such as 127.0.0.1:3779"}
	}
	d := &Door{hosts: []string{"localhost"}, anyIP: !Loopback(host), origins: http.NewCrossOriginProtection(), trusted: o.Origins}
	for _, h := range append(o.Hosts, host) {
		if h = strings.ToLower(strings.TrimSuffix(h, ".")); h != "" {
			d.hosts = append(d.hosts, h)
		}
	}
	for _, origin := range o.Origins {
		if err := d.origins.AddTrustedOrigin(origin); err != nil {
			return nil, &usage.Error{Arg: "allow-origin", Value: origin, Msg: err.Error(), Hint: "such as https://tools.example.org"}
		}
	}
	for _, a := range o.Addresses {
		network, err := networkOf(a)
		if err != nil {
			return nil, &usage.Error{Arg: "allow-address", Value: a, Msg: "is neither an address nor a network", Hint: "such as 192.168.1.20 or 10.0.0.0/8"}
		}
		d.networks = append(d.networks, network)
	}
	return d, nil
}

func networkOf(text string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(text); err == nil {
		return p.Masked(), nil
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return a.Unmap().Prefix(a.Unmap().BitLen())
}

// Loopback reports whether a host can only be reached from this machine.
func Loopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// Handler lets in the requests that may come in, and answers the others.
func (d *Door) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := d.refuse(r); p != nil {
			p.Write(w)
			return
		}
		if origin := r.Header.Get("Origin"); slices.Contains(d.trusted, origin) {
			allow(w.Header(), origin)
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// allow lets the page of a trusted origin read the answer.
func allow(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset")
	h.Set("Access-Control-Max-Age", "600")
}

func (d *Door) refuse(r *http.Request) *problem.Problem {
	if !d.allowsAddress(r.RemoteAddr) {
		return problem.New(http.StatusForbidden, "this address may not use the server", "the operator allows addresses with espy serve --allow-address")
	}
	if !d.allowsHost(r.Host) {
		return problem.New(http.StatusForbidden, fmt.Sprintf("host %q is not this server's", usage.Shorten(r.Host, 200)),
			"use the address that the server listens on, or start it with --allow-host")
	}
	if err := d.foreign(r); err != nil {
		return problem.New(http.StatusForbidden, "the request comes from a page of another site: "+err.Error(), "the operator trusts a site with espy serve --allow-origin")
	}
	for _, name := range tokenNames {
		if r.URL.Query().Has(name) {
			return problem.New(http.StatusBadRequest, "a token does not belong in the address ("+name+"), where logs keep it", "send it in a header: Authorization: Bearer TOKEN; and revoke this one")
		}
	}
	return nil
}

// tokenNames are the parameters that clients have been seen to put tokens in.
var tokenNames = []string{"access_token", "token", "api_key", "bearer"}

func (d *Door) allowsAddress(remote string) bool {
	if len(d.networks) == 0 {
		return true
	}
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	a := at.Addr().Unmap().WithZone("")
	return slices.ContainsFunc(d.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// allowsHost refuses names that are not the server's: a page may have its own name
// resolve to this machine (DNS rebinding). An address is no name, and cannot be
// made to resolve to another.
func (d *Door) allowsHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if slices.Contains(d.hosts, host) || Loopback(host) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil && d.anyIP
}

var errOrigin = errors.New("its Origin is another")

// foreign says why a request comes from another site. Questions are as private as
// changes, so reading methods are judged as writing ones are.
func (d *Door) foreign(r *http.Request) error {
	asWrite := *r
	asWrite.Method = http.MethodPost
	if err := d.origins.Check(&asWrite); err != nil {
		return err
	}
	// A browser says so even where it takes the site to be the same.
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(d.trusted, origin) {
		return nil
	}
	if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
		return errOrigin
	}
	return nil
}
