package methodset

import (
	"maps"
	"slices"
	"strings"
)

// Method is a method that an interface requires.
type Method struct {
	Name string
	Signature
}

// Standard returns the methods of an interface of the standard library by its path
// and name, io.Reader; ok is false where it is not known here.
func Standard(name string) (all []Method, ok bool) {
	text, ok := standard[name]
	if text == "" {
		return nil, ok
	}
	for line := range strings.SplitSeq(text, ";") {
		line = strings.TrimSpace(line)
		if embedded, isName := strings.CutPrefix(line, "+"); isName {
			more, _ := Standard(embedded)
			all = append(all, more...)
			continue
		}
		method, _, _ := strings.Cut(line, "(")
		s, _ := Read(short(line), func(_ int, name string) string { return long(name) })
		all = append(all, Method{method, s})
	}
	return all, true
}

// Requiring returns the interfaces of the standard library that require a method of a
// name, by their paths and names, sorted.
func Requiring(method string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(standard)) {
		if requires(name, method) {
			all = append(all, name)
		}
	}
	return all
}

// requires reports whether an interface of the standard library requires a method.
func requires(name, method string) bool {
	for line := range strings.SplitSeq(standard[name], ";") {
		line = strings.TrimSpace(line)
		if embedded, isName := strings.CutPrefix(line, "+"); isName && requires(embedded, method) || strings.HasPrefix(line, method+"(") {
			return true
		}
	}
	return false
}

// Least leaves out of interfaces of the standard library those that require more than
// another of them does.
func Least(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(names, func(less string) bool { return contains(name, less) && !contains(less, name) })
	})
}

// contains reports whether an interface requires all that another one requires.
func contains(name, less string) bool {
	methods, _ := Standard(less)
	return !slices.ContainsFunc(methods, func(m Method) bool { return !requires(name, m.Name) })
}

// short writes paths of packages as one identifier each, for the parser.
func short(line string) string {
	return strings.NewReplacer("/", "_s_", ".", "_d_").Replace(line)
}

func long(name string) string { return strings.NewReplacer("_s_", "/", "_d_", ".").Replace(name) }

// standard are the interfaces of the standard library that programs embed, their
// methods apart by ; and those that they embed behind +.
var standard = map[string]string{
	"error":                      `Error() string`,
	"fmt.Stringer":               `String() string`,
	"fmt.GoStringer":             `GoString() string`,
	"fmt.State":                  `Write([]byte) (int, error); Width() (int, bool); Precision() (int, bool); Flag(int) bool`,
	"fmt.Formatter":              `Format(fmt.State, rune)`,
	"io.Reader":                  `Read([]byte) (int, error)`,
	"io.Writer":                  `Write([]byte) (int, error)`,
	"io.Closer":                  `Close() error`,
	"io.Seeker":                  `Seek(int64, int) (int64, error)`,
	"io.ReadWriter":              `+io.Reader; +io.Writer`,
	"io.ReadCloser":              `+io.Reader; +io.Closer`,
	"io.WriteCloser":             `+io.Writer; +io.Closer`,
	"io.ReadWriteCloser":         `+io.Reader; +io.Writer; +io.Closer`,
	"io.ReadSeeker":              `+io.Reader; +io.Seeker`,
	"io.ReadSeekCloser":          `+io.Reader; +io.Seeker; +io.Closer`,
	"io.WriteSeeker":             `+io.Writer; +io.Seeker`,
	"io.ReadWriteSeeker":         `+io.Reader; +io.Writer; +io.Seeker`,
	"io.ReaderAt":                `ReadAt([]byte, int64) (int, error)`,
	"io.WriterAt":                `WriteAt([]byte, int64) (int, error)`,
	"io.ReaderFrom":              `ReadFrom(io.Reader) (int64, error)`,
	"io.WriterTo":                `WriteTo(io.Writer) (int64, error)`,
	"io.ByteReader":              `ReadByte() (byte, error)`,
	"io.ByteScanner":             `+io.ByteReader; UnreadByte() error`,
	"io.ByteWriter":              `WriteByte(byte) error`,
	"io.RuneReader":              `ReadRune() (rune, int, error)`,
	"io.RuneScanner":             `+io.RuneReader; UnreadRune() error`,
	"io.StringWriter":            `WriteString(string) (int, error)`,
	"sort.Interface":             `Len() int; Less(int, int) bool; Swap(int, int)`,
	"container/heap.Interface":   `+sort.Interface; Push(any); Pop() any`,
	"context.Context":            `Deadline() (time.Time, bool); Done() <-chan struct{}; Err() error; Value(any) any`,
	"net.Addr":                   `Network() string; String() string`,
	"net.Error":                  `+error; Timeout() bool; Temporary() bool`,
	"net.Conn":                   `Read([]byte) (int, error); Write([]byte) (int, error); Close() error; LocalAddr() net.Addr; RemoteAddr() net.Addr; SetDeadline(time.Time) error; SetReadDeadline(time.Time) error; SetWriteDeadline(time.Time) error`,
	"net.Listener":               `Accept() (net.Conn, error); Close() error; Addr() net.Addr`,
	"net.PacketConn":             `ReadFrom([]byte) (int, net.Addr, error); WriteTo([]byte, net.Addr) (int, error); Close() error; LocalAddr() net.Addr; SetDeadline(time.Time) error; SetReadDeadline(time.Time) error; SetWriteDeadline(time.Time) error`,
	"net/http.Handler":           `ServeHTTP(net/http.ResponseWriter, *net/http.Request)`,
	"net/http.ResponseWriter":    `Header() net/http.Header; Write([]byte) (int, error); WriteHeader(int)`,
	"net/http.RoundTripper":      `RoundTrip(*net/http.Request) (*net/http.Response, error)`,
	"net/http.Flusher":           `Flush()`,
	"net/http.Hijacker":          `Hijack() (net.Conn, *bufio.ReadWriter, error)`,
	"net/http.Pusher":            `Push(string, *net/http.PushOptions) error`,
	"net/http.FileSystem":        `Open(string) (net/http.File, error)`,
	"net/http.CookieJar":         `SetCookies(*net/url.URL, []*net/http.Cookie); Cookies(*net/url.URL) []*net/http.Cookie`,
	"encoding.TextMarshaler":     `MarshalText() ([]byte, error)`,
	"encoding.TextUnmarshaler":   `UnmarshalText([]byte) error`,
	"encoding.BinaryMarshaler":   `MarshalBinary() ([]byte, error)`,
	"encoding.BinaryUnmarshaler": `UnmarshalBinary([]byte) error`,
	"encoding/json.Marshaler":    `MarshalJSON() ([]byte, error)`,
	"encoding/json.Unmarshaler":  `UnmarshalJSON([]byte) error`,
	"database/sql.Scanner":       `Scan(any) error`,
	"database/sql.Result":        `LastInsertId() (int64, error); RowsAffected() (int64, error)`,
	"database/sql/driver.Valuer": `Value() (database/sql/driver.Value, error)`,
	"comparable":                 ``,
	"any":                        ``,
	"flag.Value":                 `String() string; Set(string) error`,
	"flag.Getter":                `+flag.Value; Get() any`,
	"hash.Hash":                  `Write([]byte) (int, error); Sum([]byte) []byte; Reset(); Size() int; BlockSize() int`,
	"hash.Hash32":                `+hash.Hash; Sum32() uint32`,
	"hash.Hash64":                `+hash.Hash; Sum64() uint64`,
	"io/fs.FS":                   `Open(string) (io/fs.File, error)`,
	"io/fs.File":                 `Stat() (io/fs.FileInfo, error); Read([]byte) (int, error); Close() error`,
	"io/fs.FileInfo":             `Name() string; Size() int64; Mode() io/fs.FileMode; ModTime() time.Time; IsDir() bool; Sys() any`,
	"io/fs.DirEntry":             `Name() string; IsDir() bool; Type() io/fs.FileMode; Info() (io/fs.FileInfo, error)`,
	"io/fs.ReadFileFS":           `+io/fs.FS; ReadFile(string) ([]byte, error)`,
	"io/fs.ReadDirFS":            `+io/fs.FS; ReadDir(string) ([]io/fs.DirEntry, error)`,
	"io/fs.StatFS":               `+io/fs.FS; Stat(string) (io/fs.FileInfo, error)`,
	"log/slog.Handler":           `Enabled(context.Context, log/slog.Level) bool; Handle(context.Context, log/slog.Record) error; WithAttrs([]log/slog.Attr) log/slog.Handler; WithGroup(string) log/slog.Handler`,
	"log/slog.Leveler":           `Level() log/slog.Level`,
	"log/slog.LogValuer":         `LogValue() log/slog.Value`,
	"sync.Locker":                `Lock(); Unlock()`,
	"os.FileInfo":                `+io/fs.FileInfo`,
	"os.DirEntry":                `+io/fs.DirEntry`,
	"os.Signal":                  `String() string; Signal()`,
	"math/rand.Source":           `Int63() int64; Seed(int64)`,
	"math/rand.Source64":         `+math/rand.Source; Uint64() uint64`,
	"image.Image":                `ColorModel() image/color.Model; Bounds() image.Rectangle; At(int, int) image/color.Color`,
	"crypto.Signer":              `Public() crypto.PublicKey; Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error)`,
}
