// Package postgrestest starts PostgreSQL for tests: a server of their own, made
// with the first database that a test of the package asks for, and stopped after
// the last test. A package that uses it has
//
//	func TestMain(m *testing.M) { postgrestest.Main(m) }
package postgrestest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Password is that of the superuser of the server.
const Password = "not a secret"

const superuser = "espy"

// server is the one of a process.
var server struct {
	once sync.Once
	addr string // host:port
	dir  string
	cmd  *exec.Cmd
	err  error

	databases atomic.Int32
}

// errMissing says that PostgreSQL is not installed.
var errMissing = errors.New("PostgreSQL is not installed: initdb is neither in PATH nor in /usr/lib/postgresql (Debian: apt-get install postgresql)")

// Main runs the tests of a package, stops the server that they started, and exits.
func Main(m *testing.M) {
	code := m.Run()
	if err := Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "postgrestest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// unable skips a test that this machine lacks something for, and fails it where CI
// is set: there everything must run.
func unable(t testing.TB, why error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// Database makes an empty database and returns its address, with the password. A
// test is skipped where PostgreSQL is not installed; with CI set it fails.
func Database(t testing.TB) *url.URL {
	t.Helper()
	server.once.Do(func() { server.err = start() })
	if errors.Is(server.err, errMissing) {
		unable(t, server.err)
	}
	if server.err != nil {
		t.Fatal(server.err)
	}
	name := fmt.Sprintf("test_%d", server.databases.Add(1))
	Exec(t, address("postgres"), "CREATE DATABASE "+name)
	return address(name)
}

// errNoVectors says that pgvector is not installed.
var errNoVectors = errors.New("pgvector is not installed in PostgreSQL, so it does not run here: scripts/pgvector builds it")

// Vectors is Database with the extension vector.
func Vectors(t testing.TB) *url.URL {
	t.Helper()
	u := Database(t)
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')").Scan(&there); err != nil {
		t.Fatal(err)
	}
	if !there {
		unable(t, errNoVectors)
	}
	if _, err := conn.Exec(ctx, "CREATE EXTENSION vector"); err != nil {
		t.Fatal(err)
	}
	return u
}

// Beside returns the address of another database of the same server.
func Beside(u *url.URL, name string) *url.URL {
	other := *u
	other.Path = "/" + name
	return &other
}

func address(database string) *url.URL {
	return &url.URL{Scheme: "postgres", User: url.UserPassword(superuser, Password), Host: server.addr, Path: "/" + database, RawQuery: "sslmode=disable"}
}

// Exec runs statements, which semicolons part, in a database. It may be called when
// a test has ended, too.
func Exec(t testing.TB, u *url.URL, statements string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

// start makes a server in a folder of its own, and waits until it answers.
func start() (err error) {
	bin, err := programs()
	if err != nil {
		return err
	}
	if server.dir, err = os.MkdirTemp("", "postgrestest"); err != nil {
		return err
	}
	as, err := owner(server.dir)
	if err != nil {
		return err
	}
	password, data := filepath.Join(server.dir, "password"), filepath.Join(server.dir, "data")
	if err := os.WriteFile(password, []byte(Password+"\n"), 0o644); err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", superuser, "--pwfile", password, "-A", "scram-sha-256", "-E", "UTF8", "--locale", "C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = server.dir, attributes(as)
	if text, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, text)
	}
	for range 5 { // the port may be taken between the look and the start
		var addr string
		if addr, err = free(); err != nil {
			return err
		}
		if err = serve(bin, data, addr, as); err == nil {
			return nil
		}
	}
	return err
}

// free is an address of this machine that nobody uses now.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// programs is the folder of the newest installed version.
func programs() (string, error) {
	if found, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(found), nil
	}
	all, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(all) == 0 {
		return "", errors.Join(err, errMissing)
	}
	version := func(p string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(p)))) // what is no number comes last
		return n
	}
	return filepath.Dir(slices.MaxFunc(all, func(a, b string) int { return version(a) - version(b) })), nil
}

// owner gives the folder to the user that the server runs as: PostgreSQL refuses
// to run as root. nil is the user of the test.
func owner(dir string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, int(uid), int(gid))
}

// serve starts the server on a port of this machine. What makes it safe from a power
// cut is off: it lives as long as the tests.
func serve(bin, data, addr string, as *syscall.Credential) error {
	server.addr = addr
	_, port, _ := strings.Cut(server.addr, ":")
	args := []string{"-D", data, "-p", port}
	for _, s := range []string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "full_page_writes=off", "synchronous_commit=off",
		"shared_buffers=16MB", "autovacuum=off", "max_connections=50", "log_destination=stderr", "logging_collector=off",
	} {
		args = append(args, "-c", s)
	}
	cmd := exec.Command(filepath.Join(bin, "postgres"), args...)
	cmd.Dir, cmd.SysProcAttr = server.dir, attributes(as)
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if said, ready := await(log); !ready {
		return fmt.Errorf("postgres: %w\n%s", cmd.Wait(), said)
	}
	server.cmd = cmd
	return nil
}

// await reads the log of a server until it takes connections, and goes on to read
// it, so that the server never waits.
func await(log io.Reader) (said string, ready bool) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "ready to accept connections") {
			go io.Copy(io.Discard, log)
			return said, true
		}
	}
	return said, false
}

// Stop ends the server at once, and removes its folder: for who has a main of his own.
func Stop() error {
	if server.dir == "" {
		return nil
	}
	if server.cmd != nil {
		if err := server.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
			return err
		}
		_ = server.cmd.Wait() // it ends by the signal
	}
	return os.RemoveAll(server.dir)
}
