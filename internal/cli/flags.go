package cli

import (
	"espy/internal/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settingKey annotates a flag with the key of the setting that it sets.
const settingKey = "setting"

// bindSetting makes a flag set a setting. The variable of the flag is not read: its
// value goes through config like all others.
func bindSetting(flags *pflag.FlagSet, name, key string) {
	if err := flags.SetAnnotation(name, settingKey, []string{key}); err != nil {
		panic(err) // a flag bound before it is defined
	}
}

// settingFlags collects the settings that were set by flags.
func settingFlags(cmd *cobra.Command) []config.FlagValue {
	var list []config.FlagValue
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if key, ok := f.Annotations[settingKey]; ok {
			list = append(list, config.FlagValue{Key: key[0], Name: "--" + f.Name, Value: flagValue(f)})
		}
	})
	return list
}

func flagValue(f *pflag.Flag) any {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return f.Value.String()
}

// question makes a command a question, which ends in time and may show secrets.
func (p *program) question(cmd *cobra.Command) *cobra.Command {
	secretsFlag(cmd)
	cmd.Flags().String(timeoutFlag, "", "answer within this `time`, with what was found until then: 500ms, 30s, 5m (default 1m)")
	bindSetting(cmd.Flags(), timeoutFlag, "timeout")
	return p.shareable(cmd)
}

// secretsFlag adds --show-secrets.
func secretsFlag(cmd *cobra.Command) {
	const name = "show-secrets"
	cmd.Flags().Bool(name, false, "show keys and tokens that stand in files, instead of [secret: KIND]")
	bindSetting(cmd.Flags(), name, "show_secrets")
}

// jsonFlag adds --json.
func (p *program) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.json, "json", false, "print one JSON object")
}

// argOr returns the first argument, or another value if there is none.
func argOr(args []string, otherwise string) string {
	if len(args) > 0 {
		return args[0]
	}
	return otherwise
}

// pathFlag adds --path to a question about files that globs choose.
func pathFlag(cmd *cobra.Command, globs *[]string) {
	cmd.Flags().StringArrayVarP(globs, "path", "p", nil, "only files that match this `glob`; repeatable, !glob excludes")
}
