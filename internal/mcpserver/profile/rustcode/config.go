package rustcode

import (
	"strings"
)

// Config is what the environment variables of the original say.
type Config struct {
	NoSync   bool   // RMC_BACKGROUND_SYNC turns the background sync off
	LogLevel string // of Espy: debug, info, warn or error; empty where RUST_LOG names none
}

// LoadConfig reads the environment. RUST_LOG may name a level, or several for parts of
// the program, of which the one for all counts.
func LoadConfig(env map[string]string) Config {
	var c Config
	switch strings.ToLower(strings.TrimSpace(env["RMC_BACKGROUND_SYNC"])) {
	case "0", "false", "no", "off":
		c.NoSync = true
	}
	levels := map[string]string{"trace": "debug", "debug": "debug", "info": "info", "warn": "warn", "error": "error", "off": "error"}
	for part := range strings.SplitSeq(env["RUST_LOG"], ",") {
		if level, ok := levels[strings.ToLower(strings.TrimSpace(part))]; ok {
			c.LogLevel = level
		}
	}
	return c
}
