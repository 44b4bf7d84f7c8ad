package auth

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"espy/internal/usage"
)

// Groups are the repositories that exist for groups of an authorization server, as a
// file has them, one group a line:
//
//	# a comment
//	payments: shop api
//	platform: *
//
// A repository is a name or a UUID, and * is every one. The file is read again when it
// changes, so that what is taken from a group ends with the next question.
type Groups struct {
	path string

	mu    sync.Mutex
	at    os.FileInfo         // the file as it was read, nil for none; guarded by mu
	known map[string][]string // guarded by mu
}

// maxGroups bounds the file, in bytes.
const maxGroups = 4 << 20

// NewGroups returns those of a file, which must be readable now.
func NewGroups(path string) (*Groups, error) {
	g := &Groups{path: path}
	_, err := g.now()
	return g, err
}

// sees returns which repositories exist for groups, together. only is whether there may
// be others.
func (g *Groups) sees(groups []string) (repos []string, only bool, err error) {
	known, err := g.now()
	if err != nil {
		return nil, true, err
	}
	repos = []string{}
	for _, name := range groups {
		for _, r := range known[name] {
			if r == "*" {
				return nil, false, nil
			}
			repos = append(repos, r)
		}
	}
	return repos, true, nil
}

// now returns the groups as the file has them.
func (g *Groups) now() (map[string][]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	info, err := os.Stat(g.path)
	if err != nil {
		return nil, fmt.Errorf("read the groups: %w", err)
	}
	if g.at != nil && os.SameFile(g.at, info) && g.at.ModTime().Equal(info.ModTime()) && g.at.Size() == info.Size() {
		return g.known, nil
	}
	if info.Size() > maxGroups {
		return nil, &usage.Error{Arg: "groups", Value: g.path, Msg: fmt.Sprintf("larger than %d MB", maxGroups>>20), Hint: "a group is one line: GROUP: REPOSITORY..."}
	}
	text, err := os.ReadFile(g.path)
	if err != nil {
		return nil, fmt.Errorf("read the groups: %w", err)
	}
	known, err := parseGroups(g.path, text)
	if err != nil {
		return nil, err
	}
	g.at, g.known = info, known
	return known, nil
}

// parseGroups reads the file. A line that is wrong makes the whole wrong: half of the
// permissions would be none.
func parseGroups(name string, text []byte) (map[string][]string, error) {
	known := map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxGroups+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, ":") // names of groups may have colons, those of repositories have none
		if at < 1 || !utf8.ValidString(line) {
			return nil, &usage.Error{Arg: "groups", Value: fmt.Sprintf("%s:%d", name, n), Msg: "not a group", Hint: "a line is GROUP: REPOSITORY..., such as payments: shop api"}
		}
		group := strings.TrimSpace(line[:at])
		known[group] = append(known[group], strings.Fields(line[at+1:])...)
	}
	return known, lines.Err()
}
