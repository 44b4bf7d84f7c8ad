package framework

import "espy/internal/resolve/corpus"

// What settings are read with.
var (
	environment = framework{name: "environment"}
	osModule    = framework{"environment", []string{"os"}}
	osOfGo      = framework{"environment", []string{"os", "syscall"}}
	decouple    = framework{"decouple", []string{"decouple"}}
	environs    = framework{"environs", []string{"environs", "environ"}}
	pydantic    = framework{"Pydantic", []string{"pydantic", "pydantic_settings"}}
	nestConfig  = framework{"Nest", []string{"@nestjs/config"}}
	viper       = framework{"viper", []string{"github.com/spf13/viper"}}
)

var settingRules = []rule{
	{by: []framework{osOfGo}, kind: Setting, role: Reads, in: corpus.Go, names: []string{"Getenv", "LookupEnv"}, target: itself},
	{by: []framework{osModule}, kind: Setting, role: Sets, in: corpus.Go, names: []string{"Setenv", "Unsetenv"}, target: itself},
	{by: []framework{viper}, kind: Setting, role: Reads, in: corpus.Go, names: []string{"Get", "GetString", "GetInt", "GetInt32", "GetInt64", "GetUint", "GetBool", "GetDuration", "GetTime", "GetStringSlice", "GetFloat64", "GetStringMap", "GetStringMapString", "IsSet", "UnmarshalKey"}, from: true, target: itself},
	{by: []framework{viper}, kind: Setting, role: Sets, in: corpus.Go, names: []string{"SetDefault", "BindPFlag", "BindEnv", "Set"}, from: true, target: itself},
	{by: []framework{decouple}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"config"}, target: itself},
	{by: []framework{environs}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"env"}, target: itself},
	{by: []framework{environs}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"str", "bool", "int", "float", "list", "url", "db", "db_url", "path", "json", "dict"}, of: "env", target: itself},
	{by: []framework{pydantic}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"BaseSettings"}, shape: inherited},
	{by: []framework{nestConfig}, kind: Setting, role: Reads, in: corpus.Script, names: []string{"get", "getOrThrow"}, of: "configService", target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"getenv"}, target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"get", "pop", "setdefault"}, of: "environ", target: itself},
	{by: []framework{osModule}, kind: Setting, role: Reads, in: corpus.Python, names: []string{"environ"}, shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "process", shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "meta", shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"getenv", "getProperty"}, of: "System", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Rust, names: []string{"var", "var_os"}, of: "env", target: itself},
	{by: []framework{{name: "dotenvy"}}, kind: Setting, role: Reads, in: corpus.Rust, names: []string{"var"}, of: "dotenvy", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Elixir, names: []string{"get_env", "fetch_env", "fetch_env!"}, of: "System", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Ruby, names: []string{"fetch", "key?", "dig"}, of: "ENV", target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.Ruby, names: []string{"ENV"}, shape: indexed, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.C, names: []string{"getenv", "secure_getenv"}, target: itself},
	{by: []framework{environment}, kind: Setting, role: Reads, in: corpus.PHP, names: []string{"getenv", "env"}, target: itself},
}
