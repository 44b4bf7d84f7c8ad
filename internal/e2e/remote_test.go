package e2e

import (
	"encoding/pem"
	"io"
	"log"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveGit serves the git repositories below a folder over https until the
// script ends, and sets URL, and what makes espy and git trust the server:
//
//	serve-git folder
func serveGit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve-git folder")
	}
	s, err := gitServer(ts.MkAbs(args[0]), ts.MkAbs("ca.pem"))
	ts.Check(err)
	ts.Defer(s.Close)
	ts.Setenv("URL", s.URL)
	ts.Setenv("ESPY_CLONE_CA_FILE", ts.MkAbs("ca.pem"))
}

// gitServer serves the git repositories below a folder over https, and writes the
// certificate to trust.
func gitServer(folder, ca string) (*httptest.Server, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	s := httptest.NewUnstartedServer(&cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + folder, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull},
	})
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600)
}
