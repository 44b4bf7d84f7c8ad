package codebase

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Config is what the environment variables of the original say.
type Config struct {
	OllamaURL   string // empty where no variable names Ollama: the built-in model is used then
	OllamaModel string
	LogLevel    string // of Espy: debug, info, warn or error; empty where none is set
	TasksDir    string // where tasks are kept; empty for the usual place
	Readers     int    // questions about tasks that are answered side by side; 0 for the usual number
	Notices     []string
}

// LoadConfig reads the environment. What it cannot use is in Notices.
func LoadConfig(env map[string]string) *Config {
	c := &Config{}
	if env["OLLAMA_BASE_URL"] != "" || env["OLLAMA_EMBEDDING_MODEL"] != "" {
		c.OllamaURL = cmp.Or(env["OLLAMA_BASE_URL"], "http://localhost:11434")
		c.OllamaModel = cmp.Or(env["OLLAMA_EMBEDDING_MODEL"], "nomic-embed-text")
	}
	c.database(env["DATABASE_URL"])
	c.pool(env)
	c.level(env["LOG_LEVEL"])
	return c
}

// database reads DATABASE_URL: sqlite:///PATH names the folder of the tasks.
func (c *Config) database(url string) {
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case url == "":
	case ok && strings.HasPrefix(scheme, "sqlite") && strings.HasPrefix(rest, "/"):
		c.TasksDir = "/" + strings.TrimLeft(rest, "/")
	case ok && strings.HasPrefix(scheme, "postgres"):
		c.note("DATABASE_URL names a PostgreSQL server: tasks are kept in the data folder instead, where the index is too; espy task import brings over those that are there")
	default:
		c.note("DATABASE_URL is neither sqlite:///PATH nor the URL of a PostgreSQL server and is ignored")
	}
}

// pool reads the bounds of the connections.
func (c *Config) pool(env map[string]string) {
	if env["DB_POOL_SIZE"] == "" && env["DB_MAX_OVERFLOW"] == "" {
		return
	}
	c.Readers = c.number(env, "DB_POOL_SIZE", bounds{20, 5, 50}) + c.number(env, "DB_MAX_OVERFLOW", bounds{10, 0, 20})
}

// bounds are those of a number, and what it is where it is not given.
type bounds struct{ absent, least, most int }

func (c *Config) number(env map[string]string, name string, b bounds) int {
	text := env[name]
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		return b.absent
	case err != nil || n < b.least || n > b.most:
		c.note(fmt.Sprintf("%s must be a number between %d and %d, not %q: %d is used", name, b.least, b.most, text, b.absent))
		return b.absent
	}
	return n
}

// level reads LOG_LEVEL, in the words of Python.
func (c *Config) level(text string) {
	words := map[string]string{"DEBUG": "debug", "INFO": "info", "WARN": "warn", "WARNING": "warn", "ERROR": "error", "CRITICAL": "error", "FATAL": "error"}
	c.LogLevel = words[strings.ToUpper(text)]
	if text != "" && c.LogLevel == "" {
		c.note(fmt.Sprintf("LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not %q: it is ignored", text))
	}
}

func (c *Config) note(text string) { c.Notices = append(c.Notices, text) }
