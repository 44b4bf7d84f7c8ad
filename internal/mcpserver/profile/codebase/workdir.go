package codebase

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/google/uuid"

	"espy/internal/mcpserver/host"
	"espy/internal/pattern"
)

const setDirectorySchema = `{
	"type": "object",
	"properties": {
		"directory": {"type": "string", "description": "Absolute path of the folder that is worked in"}
	},
	"required": ["directory"],
	"additionalProperties": false
}`

// maxUp is how many folders above the working directory are looked at for a
// configuration.
const maxUp = 20

// thisProcess names this process in answers, and its sessions with their own ids.
var thisProcess = uuid.New()

func sessionID(session string) string {
	if session == "" {
		return thisProcess.String()
	}
	return uuid.NewSHA1(thisProcess, []byte(session)).String()
}

// workdir is the answer of set_working_directory.
type workdir struct {
	SessionID string       `json:"session_id"`
	Directory string       `json:"working_directory"`
	Found     bool         `json:"config_found"`
	Path      *string      `json:"config_path"`
	Project   *projectInfo `json:"project_info"`
}

type projectInfo struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

func (s *server) setDirectoryTool() tool {
	return tool{
		name: "set_working_directory", schema: setDirectorySchema,
		description: `Say which folder is worked in: the project of the nearest .codebase-mcp/config.json at or above it is used where a call names none.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			a.need("directory")
			dir := a.text("directory")
			if a.err == nil && !filepath.IsAbs(dir) {
				a.fail("Directory path must be absolute: %s", dir)
			}
			if a.err != nil {
				return nil, a.err
			}
			info, err := os.Stat(dir)
			switch {
			case err != nil:
				return nil, newError(codeOwn, "Directory does not exist", "Directory does not exist: "+dir)
			case !info.IsDir():
				return nil, newError(codeOwn, "Path is not a directory", "Path is not a directory: "+dir)
			}
			return s.enter(host.SessionOf(ctx), filepath.Clean(dir))
		},
	}
}

// enter takes the project of the nearest configuration for a session.
func (s *server) enter(session, dir string) (*workdir, error) {
	out := &workdir{SessionID: sessionID(session), Directory: dir}
	file, err := nearestConfig(dir)
	if err != nil {
		return nil, err
	}
	if file == "" {
		s.projects.working.Remove(session)
		return out, nil
	}
	c, err := readProjectConfig(file)
	if err != nil {
		return nil, newError(codeOwn, "Invalid configuration", file+": "+err.Error())
	}
	p, err := s.projects.register(c.Project.ID, c.Project.Name)
	if err != nil {
		return nil, err
	}
	s.projects.working.Add(session, p.ID)
	out.Found, out.Path, out.Project = true, &file, &projectInfo{p.Name, p.ID}
	return out, nil
}

// nearestConfig returns the configuration at or above a folder, "" for none.
func nearestConfig(dir string) (string, error) {
	for range 1 + maxUp {
		file := filepath.Join(dir, ".codebase-mcp", "config.json")
		switch _, err := os.Stat(file); {
		case err == nil:
			return file, nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", nil
}

// projectConfig is what a configuration says of a project.
type projectConfig struct {
	Version string
	Project struct{ Name, ID string }
}

var versionForm = pattern.New(`\A[0-9]+\.[0-9]+\z`)

// maxConfig bounds the bytes of a configuration.
const maxConfig = 1 << 20

func readProjectConfig(file string) (c projectConfig, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return c, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return c, errors.New("not a file of at most 1 MB")
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	switch n := utf8.RuneCountInString(c.Project.Name); {
	case err != nil:
		return c, err
	case !versionForm().MatchString(c.Version):
		return c, errors.New(`version must be "major.minor"`)
	case n < 1 || n > 255:
		return c, errors.New("project.name must have 1 to 255 characters")
	case c.Project.ID == "":
		return c, nil
	}
	if _, err := uuid.Parse(c.Project.ID); err != nil {
		return c, errors.New("project.id must be a UUID")
	}
	return c, nil
}
