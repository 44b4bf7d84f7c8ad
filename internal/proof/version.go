package proof

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// Version ties the version of an analysis to what it makes of fixed inputs, so
// that nobody changes the one without the other: an index that was made by the
// analysis as it was must not be taken for one of today.
type Version struct {
	File  string // that keeps, for each input, hashes of it and of what is made of it
	Of    int    // the version
	Raise string // where the version is set, as "manifest.Analysis in internal/store/manifest/manifest.go"
}

// Made is an input and what an analysis made of it.
type Made struct{ From, To []byte }

// Check fails where another thing is made of an input than the file says and
// the version is still the file's. With update it writes the file, unless the
// version should have been raised.
func (v Version) Check(t testing.TB, made map[string]Made, update bool) {
	t.Helper()
	old, version := v.read()
	now := map[string]string{}
	for name, m := range made {
		now[name] = fmt.Sprintf("%s %s", short(m.From), short(m.To))
	}
	if names := changed(old, now); version == v.Of && len(names) > 0 {
		t.Fatalf("what is made of %s has changed, but the version is %d as before: indexes that exist would be taken for ones of today.\nRaise %s to %d, then run `go test -update` in this package. (If the change was not meant, undo it.)",
			strings.Join(names, ", "), version, v.Raise, version+1)
	}
	if version == v.Of && maps.Equal(old, now) {
		return
	}
	if !update {
		t.Fatalf("%s is of version %d or of other inputs, the version is %d: run `go test -update` in this package", v.File, version, v.Of)
	}
	text := fmt.Sprintf("version %d\n", v.Of)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		text += now[name] + " " + name + "\n"
	}
	if err := os.WriteFile(v.File, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// changed lists the inputs that stayed while what is made of them did not.
func changed(old, now map[string]string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		was, ok := old[name]
		if ok && was != now[name] && was[:16] == now[name][:16] {
			names = append(names, name)
		}
	}
	return names
}

// read returns the hashes that the file keeps, by input, and its version; none
// where there is no such file.
func (v Version) read() (hashes map[string]string, version int) {
	hashes = map[string]string{}
	text, err := os.ReadFile(v.File)
	if err != nil {
		return hashes, 0
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if _, err := fmt.Sscanf(line, "version %d", &version); err == nil || len(line) < 34 {
			continue
		}
		hashes[line[34:]] = line[:33]
	}
	return hashes, version
}

func short(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b))[:16] }
