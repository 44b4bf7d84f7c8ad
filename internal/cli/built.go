package cli

import (
	"fmt"
	"os"
	"runtime/debug"
)

// version is set in release builds.
var version string

// programText tells one build of the program from others: by its version, or, where
// that is not a release's, by its file too.
func programText() string {
	if version != "" {
		return version
	}
	path, err := os.Executable()
	if err != nil {
		return versionText()
	}
	info, err := os.Stat(path)
	if err != nil {
		return versionText()
	}
	return fmt.Sprintf("%s, %d bytes of %d", versionText(), info.Size(), info.ModTime().UnixNano())
}

// versionText returns the version, or the commit the program was built from.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if commit == "" {
		return info.Main.Version
	}
	return commit + dirty
}
