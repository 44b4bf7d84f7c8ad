package cli

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"espy/internal/config"
	"espy/internal/render"

	"github.com/spf13/cobra"
)

func (p *program) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where each comes from",
		Long: `Shows every setting with its value and its source: default, file, environment or
flag. A later source wins. docs/settings.md describes the settings.`,
		Example: `  espy config
  espy config --json
  $EDITOR "$(espy config path)"`,
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if p.json {
				return p.printJSON(p.configJSON())
			}
			return p.print(p.configText())
		},
	}
	p.jsonFlag(cmd)
	path := &cobra.Command{
		Use:     "path",
		Short:   "Print the path of the settings file, whether or not it exists",
		Example: "  espy config path",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if p.json {
				return p.printJSON(map[string]string{"path": p.cfg.Path})
			}
			return p.print(p.cfg.Path)
		},
	}
	p.jsonFlag(path)
	cmd.AddCommand(path)
	return cmd
}

// settingJSON is one setting as programs read it.
type settingJSON struct {
	Name   string        `json:"name"`
	Value  any           `json:"value"`
	Source config.Source `json:"source"`         // default, file, environment or flag
	From   string        `json:"from,omitempty"` // the file and line, the variable or the flag
	Env    string        `json:"env"`            // the variable that sets it
}

func (p *program) configJSON() any {
	return struct {
		Path     string        `json:"path"`
		Exists   bool          `json:"exists"`
		Settings []settingJSON `json:"settings"`
	}{p.cfg.Path, p.settingsFileExists(), p.settingsJSON()}
}

func (p *program) settingsJSON() []settingJSON {
	var list []settingJSON
	for _, s := range p.cfg.List() {
		value := s.Value
		if words, ok := value.([]string); ok && words == nil {
			value = []string{}
		}
		list = append(list, settingJSON{s.Key, value, s.Origin.Source, s.Origin.Name, s.Env})
	}
	return list
}

func (p *program) settingsFileExists() bool {
	_, err := os.Stat(p.cfg.Path)
	return p.cfg.Path != "" && err == nil
}

func (p *program) configText() string {
	var b strings.Builder
	exists := ""
	if !p.settingsFileExists() {
		exists = " (does not exist)"
	}
	fmt.Fprintf(&b, "settings file %s%s\n", render.Clean(p.cfg.Path), exists)
	b.WriteString(p.settingsText())
	return b.String()
}

// settingsText lists the settings as a table.
func (p *program) settingsText() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range p.cfg.List() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, render.Clean(settingText(s)), render.Clean(s.Origin.String()))
	}
	w.Flush() // to a strings.Builder, which takes everything
	return b.String()
}

// settingText is the value of a setting, or a dash if it is empty.
func settingText(s config.Setting) string {
	if s.Text == "" {
		return "-"
	}
	return s.Text
}
