package errand_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"espy/internal/errand"
)

// done has a command done over a connection.
func done(t *testing.T, stdin string, command func(context.Context, errand.Streams) (int, error)) (stdout, stderr string, code int, err, doErr error) {
	t.Helper()
	here, there := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- errand.Do(t.Context(), there, command) }()
	var problems strings.Builder
	out, code, err := errand.Ask(here, strings.NewReader(stdin), &problems)
	here.Close()
	return string(out), problems.String(), code, err, <-ended
}

func TestAsk(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 20_000)
	for _, tt := range []struct {
		name, stdin    string
		command        func(context.Context, errand.Streams) (int, error)
		stdout, stderr string
		code           int
	}{
		{name: "nothing", command: func(context.Context, errand.Streams) (int, error) { return 0, nil }},
		{name: "both outputs", stdout: "found\n", stderr: "late\n", code: 3, command: func(_ context.Context, s errand.Streams) (int, error) {
			io.WriteString(s.Err, "late\n")
			io.WriteString(s.Out, "found\n")
			return 3, nil
		}},
		{name: "standard input", stdin: long, stdout: long, command: func(_ context.Context, s errand.Streams) (int, error) {
			_, err := io.Copy(s.Out, s.In)
			return 0, err
		}},
		{name: "some of standard input", stdin: long, stdout: long[:5], code: 1, command: func(_ context.Context, s errand.Streams) (int, error) {
			_, err := io.CopyN(s.Out, s.In, 5)
			return 1, err
		}},
		{name: "the end of standard input twice", stdout: "EOF EOF", command: func(_ context.Context, s errand.Streams) (int, error) {
			_, first := s.In.Read(make([]byte, 1))
			_, second := s.In.Read(make([]byte, 1))
			_, err := io.WriteString(s.Out, first.Error()+" "+second.Error())
			return 0, err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code, err, doErr := done(t, tt.stdin, tt.command)
			if err != nil || doErr != nil {
				t.Fatalf("errors %v, %v", err, doErr)
			}
			if stdout != tt.stdout || stderr != tt.stderr || code != tt.code {
				t.Errorf("%d bytes %.20q, %q, exit code %d", len(stdout), stdout, stderr, code)
			}
		})
	}
}

// TestNotDone checks that who asks learns of a command that was not done, whatever it
// printed before.
func TestNotDone(t *testing.T) {
	for _, tt := range []struct {
		name    string
		command func(context.Context, errand.Streams) (int, error)
		want    string // in the error of who does it
	}{
		{"error", func(_ context.Context, s errand.Streams) (int, error) {
			io.WriteString(s.Out, "half an answer")
			return 0, errors.New("not here")
		}, "not here"},
		{"panic", func(context.Context, errand.Streams) (int, error) { panic("a fault") }, "a fault"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, _, _, err, doErr := done(t, "", tt.command)
			if err == nil || stdout != "" {
				t.Errorf("done: %q", stdout)
			}
			if doErr == nil || !strings.Contains(doErr.Error(), tt.want) {
				t.Errorf("error %v, want %s", doErr, tt.want)
			}
		})
	}
}

// TestGone checks that a command ends when who asked for it has gone: while it works,
// and while it reads standard input.
func TestGone(t *testing.T) {
	for name, command := range map[string]func(context.Context, errand.Streams) (int, error){
		"working": func(ctx context.Context, _ errand.Streams) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
		"reading": func(_ context.Context, s errand.Streams) (int, error) {
			_, err := io.ReadAll(s.In)
			return 0, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := net.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- errand.Do(t.Context(), there, command) }()
			here.Close()
			if err := <-ended; err == nil {
				t.Error("the command ended well")
			}
		})
	}
}

// TestBadFrames checks what is not of the protocol.
func TestBadFrames(t *testing.T) {
	for name, frame := range map[string]string{
		"unknown kind":      "?\x00\x00\x00\x00",
		"too long":          "o\xff\xff\xff\xff",
		"no exit code":      "x\x00\x00\x00\x00",
		"cut off":           "o\x00\x00\x00\x05abc",
		"another protocol":  "HTTP/1.1 400 Bad Request\r\n\r\n",
		"nothing whatever":  "",
		"exit code too big": "x\x00\x00\x00\x02ab",
	} {
		t.Run(name, func(t *testing.T) {
			if out, code, err := errand.Ask(stream{strings.NewReader(frame)}, strings.NewReader(""), io.Discard); err == nil {
				t.Errorf("%q, exit code %d", out, code)
			}
		})
	}
}

// stream is a connection that sends some bytes and takes all.
type stream struct{ io.Reader }

func (stream) Write(p []byte) (int, error) { return len(p), nil }
