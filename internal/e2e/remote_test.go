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
	git, err := exec.LookPath("git")
	ts.Check(err)
	s := httptest.NewUnstartedServer(&cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + ts.MkAbs(args[0]), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull},
	})
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	ts.Defer(s.Close)
	ca := ts.MkAbs("ca.pem")
	ts.Check(os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	ts.Setenv("URL", s.URL)
	ts.Setenv("ESPY_CLONE_CA_FILE", ca)
}
