package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// maxFile bounds the settings file, so that a wrong path (a device, a log)
// is an error rather than a full memory.
const maxFile = 1 << 20

// dirs are the user's folders after the XDG base directory specification.
type dirs struct{ home, config, data string }

// findDirs reads HOME and the XDG variables. As the specification asks, a
// relative path in an XDG variable is ignored, and so is one in HOME.
func findDirs(env map[string]string) dirs {
	var d dirs
	if home := env["HOME"]; filepath.IsAbs(home) {
		d.home = home
	}
	d.config = xdg(env["XDG_CONFIG_HOME"], d.home, ".config")
	d.data = xdg(env["XDG_DATA_HOME"], d.home, ".local", "share")
	if d.data != "" {
		d.data = filepath.Join(d.data, "espy")
	}
	return d
}

func xdg(value, home string, fallback ...string) string {
	if filepath.IsAbs(value) {
		return value
	}
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, fallback...)...)
}

// loadFile applies the settings file. A file that the user named must exist,
// the one at the usual place need not.
func (c *Config) loadFile(in Input, configDir string) error {
	named := true
	switch {
	case in.File != "":
		c.Path = in.File
	case in.Env["ESPY_CONFIG"] != "":
		c.Path = in.Env["ESPY_CONFIG"]
	case configDir != "":
		c.Path, named = filepath.Join(configDir, "espy", "config.toml"), false
	default:
		return nil
	}
	text, err := readFile(c.Path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings file: %w", err)
	}
	return c.applyFile(text)
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxFile)
	}
	return text, err
}

func (c *Config) applyFile(text []byte) error {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			row, column := bad.Position()
			return fmt.Errorf("settings file %s:%d:%d: %w", c.Path, row, column, err)
		}
		return fmt.Errorf("settings file %s: %w", c.Path, err)
	}
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		o := Origin{File, c.Path}
		if line := lineOf(text, key); line > 0 {
			o.Name = fmt.Sprintf("%s:%d", c.Path, line)
		}
		if err := c.set(key, values[key], o); err != nil {
			return err
		}
	}
	return nil
}

// lineOf returns the 1-based line of text that sets key, or 0. The decoder
// keeps no positions for values it has accepted.
func lineOf(text []byte, key string) int {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		trimmed := strings.TrimLeft(string(line), " \t[\"'")
		rest, ok := strings.CutPrefix(trimmed, key)
		if rest = strings.TrimLeft(rest, " \t\"'"); ok && rest != "" && strings.ContainsRune("=].", rune(rest[0])) {
			return number
		}
	}
	return 0
}
