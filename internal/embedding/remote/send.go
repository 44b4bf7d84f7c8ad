package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"

	"espy/internal/embedding"
)

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

// repeated asks for the vectors of one batch until that works or is hopeless.
func (m *Model) repeated(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = m.wait, maxWait
	return backoff.Retry(ctx, func() ([]embedding.Vector, error) {
		ctx, cancel := context.WithTimeout(ctx, requestTime)
		defer cancel()
		found, err := m.once(ctx, texts)
		var f *failure
		if err != nil && (!errors.As(err, &f) || !f.again || f.after > maxWait) {
			err = backoff.Permanent(err)
		}
		return found, err
	}, backoff.WithBackOff(waits), backoff.WithMaxTries(maxTries))
}

// once asks for the vectors of one batch, unless the server is left alone.
func (m *Model) once(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	found, err := m.breaker.Execute(func() ([][]float32, error) { return m.send(ctx, texts) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return nil, m.resting()
	}
	m.noted(err)
	if err != nil {
		return nil, err
	}
	vectors := make([]embedding.Vector, len(found))
	for i, v := range found {
		vectors[i] = unit(v)
	}
	return vectors, nil
}

// resting is the error of a request that is not made, with the failure before it.
func (m *Model) resting() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failed == nil {
		return errResting
	}
	return fmt.Errorf("%w: %w", errResting, m.failed)
}

// send makes one request and checks what comes.
func (m *Model) send(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(m.protocol.Request(texts))
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.protocol.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "espy")
	if m.key != "" {
		req.Header.Set("Authorization", "Bearer "+m.key)
	}
	res, err := m.http.Do(req)
	if err != nil {
		return nil, unreached(ctx, err)
	}
	defer res.Body.Close()
	answer, err := read(res.Body, m.maxAnswer(len(texts)))
	if err != nil {
		return nil, broken(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, m.refused(res, answer)
	}
	return m.checked(res, answer, len(texts))
}

// unreached is the failure of a request without an answer.
func unreached(ctx context.Context, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err // without the address, which is said already
	}
	if err = ended(ctx, err); errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{msg: fmt.Sprintf("cannot be reached: %v; is the server running, and is embedding_url right?", err), again: true}
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

// maxAnswer is the size of the longest answer for so many texts, in bytes: a number
// takes at most 25.
func (m *Model) maxAnswer(texts int) int64 { return int64(texts)*int64(m.dims)*32 + 256<<10 }

// read reads an answer of a bounded size.
func read(body io.Reader, most int64) ([]byte, error) {
	answer, err := io.ReadAll(io.LimitReader(body, most+1))
	if err == nil && int64(len(answer)) > most {
		err = &failure{msg: fmt.Sprintf("the answer is longer than %d bytes, more than the vectors asked for can have; embedding_url or embedding_dims is not that of the model", most)}
	}
	return answer, err
}

// refused is the failure that an answer tells of.
func (m *Model) refused(res *http.Response, answer []byte) error {
	f := &failure{status: res.StatusCode, msg: fmt.Sprintf("answers %s", res.Status)}
	message := shortened(m.protocol.Failure(answer))
	if message != "" {
		f.msg += ": " + message
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		f.msg = fmt.Sprintf("answers with a redirect to %s, which is not followed; if that is the server, set embedding_url to it", target(res))
		return f
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode >= 500, res.StatusCode == http.StatusRequestTimeout:
		f.again, f.after = true, retryAfter(res)
	}
	switch hint := m.protocol.Hint(res.StatusCode, message); {
	case hint != "":
		f.msg += "; " + hint
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		f.msg += "; embedding_key is missing or wrong"
	case res.StatusCode == http.StatusNotFound:
		f.msg += "; embedding_url or embedding_model is wrong"
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

// checked returns the vectors of an answer, if they are what was asked for.
func (m *Model) checked(res *http.Response, answer []byte, want int) ([][]float32, error) {
	if text := bytes.TrimSpace(answer); bytes.HasPrefix(text, []byte("<")) || strings.Contains(res.Header.Get("Content-Type"), "text/html") {
		return nil, &failure{msg: "answers with a web page instead of vectors; embedding_url is not the address of the model's server"}
	}
	vectors, err := m.protocol.Response(answer)
	if err != nil {
		return nil, &failure{msg: fmt.Sprintf("the answer cannot be read: %v; is embedding_url that of a server of kind %s?", err, m.protocol.Name)}
	}
	if len(vectors) != want {
		return nil, &failure{msg: fmt.Sprintf("answers %d vectors for %d texts", len(vectors), want)}
	}
	for _, v := range vectors {
		if len(v) != m.dims {
			return nil, &failure{msg: fmt.Sprintf("answers vectors of %d numbers instead of %d; if that is the model's own number, set embedding_dims to %d", len(v), m.dims, len(v))}
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, &failure{msg: "answers a vector with a number that is none (NaN or infinite)"}
			}
		}
	}
	return vectors, nil
}

// unit scales a vector to length 1; that of length 0 stays.
func unit(v []float32) embedding.Vector {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if sum == 0 {
		return v
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

// Floats are numbers as a server writes them. What is null is no number.
type Floats []float32

// UnmarshalJSON reads a list of numbers.
func (f *Floats) UnmarshalJSON(text []byte) error {
	if bytes.Contains(text, []byte("null")) {
		return errors.New("null stands where a number should")
	}
	return json.Unmarshal(text, (*[]float32)(f))
}

// Lists returns the plain form of vectors.
func Lists(list []Floats) [][]float32 {
	vectors := make([][]float32, len(list))
	for i, v := range list {
		vectors[i] = v
	}
	return vectors
}
