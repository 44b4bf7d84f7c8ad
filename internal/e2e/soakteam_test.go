package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/postgrestest"
)

// The size of the load.
const (
	soakRepos  = 4
	soakFiles  = 200
	soakRounds = 24
)

// soakTeam has two servers and two workers share a database while files change and
// questions are asked. One worker and one server are killed on the way. Then every file
// that was written must be found once, by the server that is left; no answer on the way
// may lack what the same server has shown before; and no job may be lost or dead.
func soakTeam(t *testing.T) {
	s := &teamSoak{t: t, database: "ESPY_DATABASE_URL=" + postgrestest.Database(t).String()}
	list := filepath.Join(t.TempDir(), "repositories")
	var lines bytes.Buffer
	for r := range soakRepos {
		files := map[string]string{}
		for f := range soakFiles {
			files[fmt.Sprintf("f%d.go", f)] = fmt.Sprintf("package r%d\n\nfunc Base%dOf%d() int { return %d }\n%s", r, f, r, f, strings.Repeat("// text of a line that is there to be indexed\n", 40))
		}
		s.repos = append(s.repos, tree(t, files))
		fmt.Fprintf(&lines, "%s every=10s\n", s.repos[r])
	}
	if err := os.WriteFile(list, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	workers := []*exec.Cmd{s.start("worker", "--mirror", list), s.start("worker", "--mirror", list)}
	addresses := []string{s.free(), s.free()}
	servers := []*exec.Cmd{s.start("serve", "--addr", addresses[0]), s.start("serve", "--addr", addresses[1])}
	for _, address := range addresses {
		s.until(func() bool {
			a, err := s.search(address, filepath.Base(s.repos[soakRepos-1]), fmt.Sprintf("Base0Of%d()", soakRepos-1))
			return err == nil && a.Total == 1
		})
	}
	var asking sync.WaitGroup
	stop := make(chan struct{})
	for _, address := range addresses {
		asking.Go(func() { s.ask(address, stop) })
	}
	began := time.Now()
	for round := range soakRounds {
		r := rand.IntN(soakRepos)
		marker := fmt.Sprintf("Marker%dRound%dEnd", r, round)
		if err := os.WriteFile(filepath.Join(s.repos[r], fmt.Sprintf("m%d.go", round)), []byte(fmt.Sprintf("package r%d\n\nfunc %s() {}\n", r, marker)), 0o600); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.markers = append(s.markers, marker)
		s.mu.Unlock()
		time.Sleep(time.Second)                    // the pace of the load
		s.command("jobs", "add", s.repos[r]).Run() //nolint:errcheck // the schedule asks for it too
		switch round {
		case soakRounds / 3:
			s.burden(0)
			s.burden(1)
			s.until(func() bool { return s.jobs()["running"] == 2 })
			s.kill(workers[0])
			t.Logf("round %d: kill -9 of a worker while jobs are %v", round, s.jobs())
		case soakRounds * 2 / 3:
			t.Logf("round %d: kill -9 of a server", round)
			s.killed.Store(addresses[0], true)
			s.kill(servers[0])
		}
	}
	t.Logf("%d changes in %v", soakRounds, time.Since(began).Round(time.Second))
	s.settle(addresses[1])
	close(stop)
	asking.Wait()
	s.judge(addresses[1])
}

type teamSoak struct {
	t        *testing.T
	database string
	repos    []string

	mu      sync.Mutex
	markers []string // that were written; guarded by mu
	killed  sync.Map // addresses of servers that were killed

	counts sync.Mutex
}

func (s *teamSoak) command(args ...string) *exec.Cmd {
	program := os.Getenv("ESPY_PROGRAM")
	if program == "" {
		program = espy(s.t)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = s.t.TempDir()
	cmd.Env = []string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH"), s.database}
	return cmd
}

// start starts a program with a data folder of its own.
func (s *teamSoak) start(args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := s.command(args...)
	log, err := os.Create(filepath.Join(cmd.Dir, "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		s.kill(cmd)
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && s.t.Failed() {
			s.t.Logf("%s:\n%.4000s", args, text)
		}
	})
	return cmd
}

func (s *teamSoak) kill(cmd *exec.Cmd) {
	cmd.Process.Kill() //nolint:errcheck // it may have ended
	cmd.Wait()         //nolint:errcheck // it ends by the signal
}

// burden gives a repository files that take seconds to index, and asks for it.
func (s *teamSoak) burden(r int) {
	dir := filepath.Join(s.repos[r], "bulk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	for f := range 3000 {
		text := fmt.Sprintf("package bulk\n\nfunc Bulk%dOf%d() int { return %d }\n%s", f, r, f, strings.Repeat(fmt.Sprintf("// text %d of a line that is there to be indexed\n", f), 200))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("b%d.go", f)), []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	s.command("jobs", "add", s.repos[r]).Run() //nolint:errcheck // the schedule asks for it too
}

// free is an address of this machine that nobody uses now.
func (s *teamSoak) free() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// teamAnswer is what the test reads of one.
type teamAnswer struct {
	Total int `json:"total"`
	Hits  []struct {
		Path, Text string
	} `json:"hits"`
}

// search asks a server for a text in a repository.
func (s *teamSoak) search(address, repo, text string) (a teamAnswer, err error) {
	body, err := json.Marshal(map[string]any{"query": text, "mode": "literal", "repo": repo, "limit": 100})
	if err != nil {
		return a, err
	}
	resp, err := http.Post("http://"+address+"/api/v1/search", "application/json", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		var said bytes.Buffer
		said.ReadFrom(resp.Body) //nolint:errcheck // what there is
		return a, fmt.Errorf("%s: %.300s", resp.Status, said.String())
	}
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

// of is the repository that a marker was written to.
func (s *teamSoak) of(marker string) string {
	var r, round int
	if _, err := fmt.Sscanf(marker, "Marker%dRound%dEnd", &r, &round); err != nil {
		s.t.Errorf("%s: %v", marker, err)
	}
	return filepath.Base(s.repos[r])
}

// ask asks for markers until stop: what a server has shown it must show again, once,
// and nothing else.
func (s *teamSoak) ask(address string, stop chan struct{}) {
	shown := map[string]bool{}
	for n := 0; ; n++ {
		select {
		case <-stop:
			s.counts.Lock()
			defer s.counts.Unlock()
			s.t.Logf("%s answered %d questions and has shown %d markers", address, n, len(shown))
			return
		case <-time.After(20 * time.Millisecond):
		}
		s.mu.Lock()
		var marker string
		if len(s.markers) > 0 {
			marker = s.markers[rand.IntN(len(s.markers))]
		}
		s.mu.Unlock()
		if marker == "" {
			continue
		}
		a, err := s.search(address, s.of(marker), marker)
		if _, dead := s.killed.Load(address); dead {
			s.t.Logf("%s answered %d questions before it was killed, and had shown %d markers", address, n, len(shown))
			return
		}
		switch {
		case err != nil && len(shown) > 0: // before that it starts, and the repositories are not published
			s.t.Errorf("%s: %v", address, err)
		case a.Total > 1, a.Total == 0 && shown[marker]:
			s.t.Errorf("%s: %s is found %d times, and was shown before: %v", address, marker, a.Total, shown[marker])
		case a.Total == 1:
			if !slices.ContainsFunc(a.Hits, func(h struct{ Path, Text string }) bool { return strings.Contains(h.Text, marker) }) {
				s.t.Errorf("%s: the hit of %s is %+v", address, marker, a.Hits)
			}
			shown[marker] = true
		}
	}
}

// settleTime is how long what was asked for may take, a job of a dead worker included.
const settleTime = 4 * time.Minute

// until waits for something, for that long at most.
func (s *teamSoak) until(done func() bool) {
	for began := time.Now(); time.Since(began) < settleTime && !done(); {
		time.Sleep(200 * time.Millisecond)
	}
}

// settle waits until all that was written is found.
func (s *teamSoak) settle(address string) {
	began := time.Now()
	s.until(func() bool {
		return !slices.ContainsFunc(s.markers, func(marker string) bool {
			a, err := s.search(address, s.of(marker), marker)
			return err != nil || a.Total != 1
		})
	})
	s.t.Logf("%v after the last change", time.Since(began).Round(100*time.Millisecond))
	s.until(func() bool { return s.jobs()["running"] == 0 })
	s.t.Logf("%v after it no job is left of the dead worker", time.Since(began).Round(time.Second))
}

// jobs counts the jobs by state.
func (s *teamSoak) jobs() map[string]int {
	var jobs struct {
		Counts map[string]int `json:"counts"`
	}
	out, err := s.command("jobs", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &jobs)
	}
	if err != nil {
		s.t.Errorf("jobs: %v\n%s", err, out)
	}
	return jobs.Counts
}

// judge looks at what is left.
func (s *teamSoak) judge(address string) {
	for _, marker := range s.markers {
		if a, err := s.search(address, s.of(marker), marker); err != nil || a.Total != 1 {
			s.t.Errorf("%s is found %d times, %v", marker, a.Total, err)
		}
	}
	for r := range soakRepos {
		if a, err := s.search(address, filepath.Base(s.repos[r]), fmt.Sprintf("Base%dOf%d", soakFiles-1, r)); err != nil || a.Total != 1 {
			s.t.Errorf("the first files of repository %d are found %d times, %v", r, a.Total, err)
		}
		if r > 1 {
			continue
		}
		if a, err := s.search(address, filepath.Base(s.repos[r]), fmt.Sprintf("Bulk2999Of%d()", r)); err != nil || a.Total != 1 {
			s.t.Errorf("the many files of repository %d are found %d times, %v", r, a.Total, err)
		}
	}
	jobs := s.jobs()
	if jobs["dead"] > 0 || jobs["running"] > 0 {
		s.t.Error("a job is lost or dead")
	}
	s.t.Logf("jobs at the end: %v", jobs)
}
