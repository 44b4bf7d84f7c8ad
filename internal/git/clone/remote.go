package clone

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// URLError says why an address is not cloned from.
type URLError struct {
	URL     string // without user and password
	Why     string
	Try     string // the address that may be meant, "" where there is none
	Private bool   // Options.AllowPrivate would allow it
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
	if try := repositoryOf(u); try != "" {
		return nil, bad("it is a page of a repository", try)
	}
	r := &remote{url: u}
	if why := r.takeUser(); why != "" {
		return nil, bad(why, "")
	}
	return r, nil
}

// repositoryOf returns the address of the repository that a page is of, where the host is
// one whose pages are known: on GitHub two names are a repository, on GitLab what stands
// before /-/. It is "" for what may be a repository itself.
func repositoryOf(u *url.URL) string {
	path := strings.Trim(u.Path, "/")
	repo, page, found := strings.Cut(path, "/-/")
	if parts := strings.SplitN(path, "/", 3); !found && u.Hostname() == "github.com" && len(parts) == 3 {
		repo, page, found = parts[0]+"/"+parts[1], parts[2], true
	}
	if !found || u.Scheme != "https" || u.User != nil {
		return ""
	}
	kind, rest, _ := strings.Cut(page, "/")
	try := "https://" + u.Host + "/" + repo
	if ref, _, _ := strings.Cut(rest, "/"); ref != "" && (kind == "tree" || kind == "blob") {
		try += "#" + ref
	}
	return try
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
