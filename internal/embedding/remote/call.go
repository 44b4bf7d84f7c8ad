package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"
)

// caller asks one address of a server for answers of a kind. It is safe for
// concurrent use.
type caller[T any] struct {
	to      *url.URL
	key     string
	setting string // that the names of its settings begin with
	failure func(body []byte) string
	hint    func(status int, message string) string

	http    *http.Client
	slots   chan struct{} // requests under way
	breaker *gobreaker.CircuitBreaker[T]

	mu     sync.Mutex
	failed error // the last failure, guarded by mu
	works  bool  // what was asked since worked; guarded by mu
}

// open makes a caller ready. Nothing is sent.
func (c *caller[T]) open(o Options) (err error) {
	c.key, c.slots = o.Key, make(chan struct{}, maxRequests)
	if c.http, err = client(o, c.to); err != nil {
		return err
	}
	c.breaker = gobreaker.NewCircuitBreaker[T](gobreaker.Settings{
		Timeout:     restTime,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= maxFailures },
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) || isBusy(err) },
	})
	return nil
}

// Host is the server that texts are sent to.
func (c *caller[T]) Host() string { return c.to.Host }

// Failure is why the last request failed; nil where it worked or there was none.
func (c *caller[T]) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.works {
		return nil
	}
	return c.failed
}

// noted remembers how the last request ended, and forgets nothing of one that was
// not made or was given up.
func (c *caller[T]) noted(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, errResting) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.works = err == nil; err != nil {
		c.failed = err
	}
}

// question is one request: its body, to be written as JSON, the size of the longest
// answer, and what reads that.
type question[T any] struct {
	body any
	most int64
	read func(res *http.Response, answer []byte) (T, error)
}

// once makes a request, unless the server is left alone.
func (c *caller[T]) once(ctx context.Context, q question[T]) (found T, err error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return found, context.Cause(ctx)
	}
	found, err = c.breaker.Execute(func() (T, error) { return c.send(ctx, q) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return found, c.resting()
	}
	c.noted(err)
	return found, err
}

// resting is the error of a request that is not made, with the failure before it.
func (c *caller[T]) resting() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		return errResting
	}
	return fmt.Errorf("%w: %w", errResting, c.failed)
}

// send makes one request and checks what comes.
func (c *caller[T]) send(ctx context.Context, q question[T]) (none T, _ error) {
	body, err := json.Marshal(q.body)
	if err != nil {
		return none, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to.String(), bytes.NewReader(body))
	if err != nil {
		return none, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "espy")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return none, c.unreached(ctx, err)
	}
	defer res.Body.Close()
	answer, err := c.read(res.Body, q.most)
	if err != nil {
		return none, broken(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		return none, c.refused(res, answer)
	}
	if text := bytes.TrimSpace(answer); bytes.HasPrefix(text, []byte("<")) || strings.Contains(res.Header.Get("Content-Type"), "text/html") {
		return none, &failure{msg: "answers with a web page; " + c.setting + "_url is not the address of the model's server"}
	}
	return q.read(res, answer)
}

// client returns the HTTP client of a model: it follows no redirect, so that what
// is sent goes where the settings say.
func client(o Options, to *url.URL) (*http.Client, error) {
	c := &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.Transport != nil {
		return c, nil
	}
	t := &http.Transport{MaxIdleConnsPerHost: maxRequests, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}
	if o.Proxy != "" && to.Scheme == "https" && !isLocal(to) {
		proxy, err := url.Parse(o.Proxy)
		if err != nil {
			return nil, fmt.Errorf("the address of the proxy: %w", errors.Unwrap(err))
		}
		t.Proxy = http.ProxyURL(proxy)
	}
	c.Transport = t
	return c, nil
}

// isLocal reports whether an address is of this machine, which nothing leaves.
func isLocal(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// failure is an answer that is none.
type failure struct {
	status int           // of the answer; 0 where there was none or it could not be read
	msg    string        // what was wrong, and what helps
	again  bool          // it may work later
	after  time.Duration // the server says when; 0 where it does not
}

func (f *failure) Error() string { return f.msg }

// As tells package backoff when the server wants to be asked again.
func (f *failure) As(target any) bool {
	wait, ok := target.(**backoff.RetryAfterError)
	if ok = ok && f.after > 0; ok {
		*wait = &backoff.RetryAfterError{Duration: f.after}
	}
	return ok
}

// isBusy reports whether a server said that it has too much to do, which is no fault.
func isBusy(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.status == http.StatusTooManyRequests
}

// errResting is a request that was not made.
var errResting = fmt.Errorf("not asked, since it failed %d times in a row; it is tried again within %v", maxFailures, restTime)

// unreached is the failure of a request without an answer.
func (c *caller[T]) unreached(ctx context.Context, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err // without the address, which is said already
	}
	if err = ended(ctx, err); errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{msg: fmt.Sprintf("cannot be reached: %v; is the server running, and is %s_url right?", err, c.setting), again: true}
}

// ended is the error of a request that its context has ended, else the error it had.
func ended(ctx context.Context, err error) error {
	switch ctx.Err() {
	case nil:
		return err
	case context.Canceled: // another batch has failed, or nobody waits any more
		return context.Canceled
	}
	return context.Cause(ctx)
}

// broken is the failure of an answer that ends too early or never.
func broken(ctx context.Context, err error) error {
	var f *failure
	if err = ended(ctx, err); errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{msg: fmt.Sprintf("the answer broke off: %v", err), again: true}
}

// read reads an answer of a bounded size.
func (c *caller[T]) read(body io.Reader, most int64) ([]byte, error) {
	answer, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(answer)) > most {
		err = &failure{msg: fmt.Sprintf("the answer is longer than %d bytes, more than what was asked for can have; %s_url is not that of the model, or embedding_dims", most, c.setting)}
	}
	return answer, err
}

// refused is the failure that an answer tells of.
func (c *caller[T]) refused(res *http.Response, answer []byte) error {
	f := &failure{status: res.StatusCode, msg: fmt.Sprintf("answers %s", res.Status)}
	message := shortened(c.failure(answer))
	if message != "" {
		f.msg += ": " + message
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		f.msg = fmt.Sprintf("answers with a redirect to %s, which is not followed; if that is the server, set %s_url to it", target(res), c.setting)
		return f
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode >= 500, res.StatusCode == http.StatusRequestTimeout:
		f.again, f.after = true, retryAfter(res)
	}
	switch hint := c.hint(res.StatusCode, message); {
	case hint != "":
		f.msg += "; " + hint
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		f.msg += "; " + c.setting + "_key is missing or wrong"
	case res.StatusCode == http.StatusNotFound:
		f.msg += "; " + c.setting + "_url or " + c.setting + "_model is wrong"
	}
	return f
}

// target is the host that a redirect leads to.
func target(res *http.Response) string {
	if to, err := res.Location(); err == nil {
		return (&url.URL{Scheme: to.Scheme, Host: to.Host}).String()
	}
	return "nowhere"
}

// retryAfter is the time that a server asks to wait, in seconds or until a date;
// 0 where it does not.
func retryAfter(res *http.Response) time.Duration {
	value := res.Header.Get("Retry-After")
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return time.Duration(min(n, 86_400)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// shortened is a foreign message on one short line.
func shortened(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if len(message) > 300 {
		message = strings.ToValidUTF8(message[:300], "") + "..."
	}
	return message
}
