package framework

import "espy/internal/resolve/corpus"

// What settings are read with.
var (
	environment = framework{name: "environment"}
	osModule    = framework{"environment", []string{"os"}}
	osOfGo      = framework{"environment", []string{"os", "syscall"}}
	viper       = framework{"viper", []string{"github.com/spf13/viper"}}
)

var settingRules = []rule{
	{by: []framework{osOfGo}, kind: Setting, role: Reads, in: corpus.Go, names: []string{"Getenv", "LookupEnv"}, target: itself},
	{by: []framework{osModule}, kind: Setting, role: Sets, in: corpus.Go, names: []string{"Setenv", "Unsetenv"}, target: itself},
	{by: []framework{viper}, kind: Setting, role: Reads, in: corpus.Go, names: []string{"GetString", "GetInt", "GetBool", "GetDuration", "GetStringSlice", "GetFloat64"}, target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"getenv"}, target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"get", "pop", "setdefault"}, of: "environ", target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"environ"}, shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "process", shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "meta", shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"getenv", "getProperty"}, of: "System", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Rust, names: []string{"var", "var_os"}, of: "env", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Ruby, names: []string{"fetch", "key?", "dig"}, of: "ENV", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Ruby, names: []string{"ENV"}, shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.C, names: []string{"getenv", "secure_getenv"}, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.PHP, names: []string{"getenv", "env"}, target: itself},
}
