package rules

import (
	"espy/internal/links/edge"
	"espy/internal/resolve/corpus"
)

// What settings are read with.
var (
	environment = Framework{Name: "environment"}
	osModule    = Framework{"environment", []string{"os"}}
	osOfGo      = Framework{"environment", []string{"os", "syscall"}}
	decouple    = Framework{"decouple", []string{"decouple"}}
	environs    = Framework{"environs", []string{"environs", "environ"}}
	pydantic    = Framework{"Pydantic", []string{"pydantic", "pydantic_settings"}}
	nestConfig  = Framework{"Nest", []string{"@nestjs/config"}}
	viper       = Framework{"viper", []string{"github.com/spf13/viper"}}
)

var settingRules = []Rule{
	{By: []Framework{osOfGo}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Go, Names: []string{"Getenv", "LookupEnv"}, Target: Itself},
	{By: []Framework{osModule}, Kind: edge.Setting, Role: edge.Sets, In: corpus.Go, Names: []string{"Setenv", "Unsetenv"}, Target: Itself},
	{By: []Framework{viper}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Go, Names: []string{"Get", "GetString", "GetInt", "GetInt32", "GetInt64", "GetUint", "GetBool", "GetDuration", "GetTime", "GetStringSlice", "GetFloat64", "GetStringMap", "GetStringMapString", "IsSet", "UnmarshalKey"}, From: true, Target: Itself},
	{By: []Framework{viper}, Kind: edge.Setting, Role: edge.Sets, In: corpus.Go, Names: []string{"SetDefault", "BindPFlag", "BindEnv", "Set"}, From: true, Target: Itself},
	{By: []Framework{decouple}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"config"}, Target: Itself},
	{By: []Framework{environs}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"env"}, Target: Itself},
	{By: []Framework{environs}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"str", "bool", "int", "float", "list", "url", "db", "db_url", "path", "json", "dict"}, Of: "env", Target: Itself},
	{By: []Framework{pydantic}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"BaseSettings"}, Shape: Inherited},
	{By: []Framework{nestConfig}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Script, Names: []string{"get", "getOrThrow"}, Of: "configService", Target: Itself},
	{By: []Framework{osModule}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"getenv"}, Target: Itself},
	{By: []Framework{osModule}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"get", "pop", "setdefault"}, Of: "environ", Target: Itself},
	{By: []Framework{osModule}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Python, Names: []string{"environ"}, Shape: Indexed, Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Script, Names: []string{"env"}, Of: "process", Shape: Indexed, Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Script, Names: []string{"env"}, Of: "meta", Shape: Indexed, Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Java, Names: []string{"getenv", "getProperty"}, Of: "System", Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Rust, Names: []string{"var", "var_os"}, Of: "env", Target: Itself},
	{By: []Framework{{Name: "dotenvy"}}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Rust, Names: []string{"var"}, Of: "dotenvy", Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Elixir, Names: []string{"get_env", "fetch_env", "fetch_env!"}, Of: "System", Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Ruby, Names: []string{"fetch", "key?", "dig"}, Of: "ENV", Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Ruby, Names: []string{"ENV"}, Shape: Indexed, Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.C, Names: []string{"getenv", "secure_getenv"}, Target: Itself},
	{By: []Framework{environment}, Kind: edge.Setting, Role: edge.Reads, In: corpus.PHP, Names: []string{"getenv", "env"}, Target: Itself},
}
